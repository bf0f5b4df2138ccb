// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores as archives. The archive is the store's own tree, so that any tar
// program can unpack it into a store too.

#include "MergeInto.h"
#include "Records.h"
#include "Tar.h"

#include "fly/Support/Errors.h"

#include <map>
#include <set>

using namespace fly::store;
namespace support = fly::support;
using fly::support::quoted;
using llvm::StringRef;

/// What an archive takes from a store: paths, and whether the file is a marker,
/// which is empty.
static llvm::Expected<std::set<std::string>> pathsOf(const Store &store,
                                                     uint64_t &entries) {
  llvm::Expected<std::vector<std::string>> keys = store.keys();
  if (!keys)
    return keys.takeError();
  std::set<std::string> paths{std::string(formatPath)};
  for (const std::string &key : *keys) {
    llvm::Expected<std::optional<Artefact>> found = store.lookUp(key);
    if (!found)
      return found.takeError();
    if (!*found)
      continue;
    ++entries;
    paths.insert(indexPath(key));
    paths.insert(objectPath((*found)->manifest.payload));
    for (const KernelFacts &kernel : (*found)->manifest.kernels)
      paths.insert(markerPath(kernel.name, key));
  }
  llvm::Expected<std::vector<UnitRecord>> units = store.units();
  if (!units)
    return units.takeError();
  for (const UnitRecord &record : *units)
    if (paths.count(indexPath(record.key)))
      paths.insert(record.path());
  return paths;
}

llvm::Expected<uint64_t> fly::store::pack(const Store &store,
                                          llvm::raw_ostream &os) {
  uint64_t entries = 0;
  llvm::Expected<std::set<std::string>> paths = pathsOf(store, entries);
  if (!paths)
    return paths.takeError();
  for (const std::string &path : *paths) {
    if (classify(path) == PathKind::Marker) {
      appendMember(os, path, "");
      continue;
    }
    llvm::ErrorOr<Bytes> bytes = store.files().read(path, maxPayloadBytes);
    if (!bytes)
      return corrupt((store.path() + "/" + path).str(),
                     "cannot be read: " + bytes.getError().message());
    appendMember(os, path, (*bytes)->getBuffer());
  }
  finishArchive(os);
  return entries;
}

namespace {
/// The content of an archive, all of it verified.
struct Content {
  std::vector<std::pair<Manifest, StringRef>> entries;
  std::vector<UnitRecord> units;
};
} // namespace

using Members = std::map<std::string, StringRef>;

/// Reads the manifest at `path`, with its payload, and notes all paths that
/// belong to it in `used`.
static llvm::Error readEntry(const Members &members, const std::string &path,
                             Content &content, std::set<std::string> &used) {
  llvm::Expected<Manifest> manifest = Manifest::parse(members.at(path), path);
  if (!manifest)
    return manifest.takeError();
  std::string key = manifest->key.text();
  if (indexPath(key) != path)
    return support::makeError("S003", quotedPath(path) +
                                          " holds the entry of key " + key);
  std::string object = objectPath(manifest->payload);
  auto payload = members.find(object);
  if (payload == members.end())
    return corrupt(path, "the archive lacks its payload " + quotedPath(object));
  if (llvm::Error error = manifest->check(payload->second, object))
    return error;
  used.insert(path);
  used.insert(object);
  for (const KernelFacts &kernel : manifest->kernels)
    used.insert(markerPath(kernel.name, key));
  content.entries.emplace_back(std::move(*manifest), payload->second);
  return llvm::Error::success();
}

static llvm::Expected<Content> readContent(const Members &members) {
  Content content;
  std::set<std::string> used;
  auto format = members.find(std::string(formatPath));
  if (format == members.end())
    return support::makeError("S005", "the archive is not a store: "
                                      "'store.json' is missing");
  if (llvm::Error error = checkFormatText(format->second, formatPath))
    return std::move(error);
  used.insert(std::string(formatPath));
  for (const auto &[path, bytes] : members) {
    PathKind kind = classify(path);
    if (kind == PathKind::Index)
      if (llvm::Error error = readEntry(members, path, content, used))
        return error;
    if (kind != PathKind::Unit)
      continue;
    llvm::Expected<UnitRecord> record = UnitRecord::parse(bytes, path);
    if (!record)
      return record.takeError();
    used.insert(path);
    content.units.push_back(std::move(*record));
  }
  for (const auto &[path, bytes] : members)
    if (!used.count(path) ||
        (classify(path) == PathKind::Marker && !bytes.empty()))
      return corrupt(path, "it belongs to no entry of the archive");
  return content;
}

llvm::Expected<MergeReport> fly::store::unpack(StringRef archive,
                                               const Store &into) {
  llvm::Expected<Members> members = readArchive(archive);
  if (!members)
    return support::makeError("S002", llvm::toString(members.takeError()));
  llvm::Expected<Content> content = readContent(*members);
  if (!content)
    return content.takeError();
  MergeReport report;
  for (const auto &[manifest, bytes] : content->entries)
    if (llvm::Error error = addEntry(manifest, bytes, into, report))
      return error;
  for (const UnitRecord &record : content->units)
    if (llvm::Error error = addUnit(record, into, report))
      return error;
  return report;
}
