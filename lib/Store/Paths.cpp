// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths inside a store, made and recognised.

#include "fly/Store/Paths.h"

#include "fly/Support/CacheKey.h"
#include "fly/Support/Errors.h"

#include "llvm/ADT/SmallVector.h"

#include <cassert>
#include <climits>

using namespace fly::store;
using fly::support::Digest;
using fly::support::Hasher;
using fly::support::isKeyText;
using llvm::StringRef;

static constexpr size_t keyPrefix = 5; // fly1-

std::string fly::store::indexPath(StringRef key) {
  assert(isKeyText(key) && "not a key");
  return ("index/" + key.substr(keyPrefix, 2) + "/" + key + ".json").str();
}

std::string fly::store::objectPath(const Digest &digest) {
  std::string hex = digest.hex();
  return "objects/" + hex.substr(0, 2) + "/" + hex + ".bin";
}

std::string fly::store::markerFolder(StringRef kernel) {
  return "names/" + fly::support::digestOf(kernel).hex();
}

std::string fly::store::markerPath(StringRef kernel, StringRef key) {
  return markerFolder(kernel) + "/" + key.str();
}

std::string fly::store::unitPath(StringRef unit, StringRef target) {
  Hasher hasher("fly-unit", "v1");
  hasher.addText(unit);
  hasher.addText(target);
  return "units/" + hasher.finish().hex() + ".json";
}

std::string fly::store::directPath(const Digest &id) {
  return "direct/" + id.hex() + ".json";
}

std::string fly::store::irPath(const Digest &digest) {
  return "ir/" + digest.hex() + ".mlir.zst";
}

StringRef fly::store::folderOf(StringRef path) {
  return path.substr(0, path.rfind('/'));
}

static bool isHex(StringRef text) { return Digest::fromHex(text).has_value(); }

PathKind fly::store::classify(StringRef path) {
  if (path == formatPath)
    return PathKind::Format;
  llvm::SmallVector<StringRef, 4> parts;
  path.split(parts, '/');
  StringRef last = parts.back();
  if (parts.size() == 2 && parts[0] == "ir")
    return last.consume_back(".mlir.zst") && isHex(last) ? PathKind::IR
                                                         : PathKind::None;
  if (parts.size() == 2) {
    if (!last.consume_back(".json") || !isHex(last))
      return PathKind::None;
    return parts[0] == "units"    ? PathKind::Unit
           : parts[0] == "direct" ? PathKind::Direct
                                  : PathKind::None;
  }
  if (parts.size() != 3)
    return PathKind::None;
  if (parts[0] == "objects" && last.consume_back(".bin") && isHex(last) &&
      last.substr(0, 2) == parts[1])
    return PathKind::Object;
  if (parts[0] == "index" && last.consume_back(".json") && isKeyText(last) &&
      last.substr(keyPrefix, 2) == parts[1])
    return PathKind::Index;
  if (parts[0] == "names" && isHex(parts[1]) && isKeyText(last))
    return PathKind::Marker;
  return PathKind::None;
}

std::string fly::store::quotedPath(StringRef path) {
  return fly::support::quoted(path, PATH_MAX);
}
