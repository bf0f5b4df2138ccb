// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Publishing. Bytes first, then the manifest, each written beside and renamed
// into place, so that readers see an entry whole or not at all; then markers
// and units, which only help to find it. Four calls reach down to the disk:
// payload, its folder, manifest, its folder.

#include "fly/Store/Store.h"

#include "Records.h"

#include "fly/Support/Errors.h"

using namespace fly::store;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;

llvm::Error Store::writeFailure(StringRef path, std::error_code code) const {
  if (code == std::errc::permission_denied ||
      code == std::errc::read_only_file_system)
    return makeError("S006", "store " + quotedPath(this->path()) +
                                 " is not writable: " + quotedPath(path) +
                                 ": " + code.message() + "; ro:DIR reads it");
  return makeError("S009", "store " + quotedPath(this->path()) + ": writing " +
                               quotedPath(path) + " failed: " + code.message() +
                               "; the temporary file is removed, entries that "
                               "were there are intact");
}

/// Writes a file beside and renames it to `path`.
std::error_code Store::place(StringRef path, StringRef bytes, bool sync) const {
  StringRef directory = folderOf(path);
  if (std::error_code code = folder.makeFolder(directory))
    return code;
  std::string temporary = folder.temporaryName();
  std::error_code code = folder.create(temporary, bytes, sync);
  if (code == std::errc::no_such_file_or_directory) {
    // An archive of the store may have left the empty folder out.
    if (std::error_code made = folder.makeFolder("tmp"))
      return made;
    code = folder.create(temporary, bytes, sync);
  }
  if (code)
    return code;
  code = folder.rename(temporary, path);
  if (code) {
    (void)folder.remove(temporary);
    return code;
  }
  return sync ? folder.syncFolder(directory) : std::error_code();
}

/// A payload that is there is kept only when its bytes are right; its time is
/// renewed, so that no gc takes it for a leftover.
std::error_code Store::publishPayload(const Manifest &manifest,
                                      StringRef bytes) const {
  std::string path = objectPath(manifest.payload);
  llvm::ErrorOr<Bytes> present = folder.read(path, maxPayloadBytes);
  if (present && (*present)->getBuffer() == bytes && !folder.touch(path))
    return {};
  return place(path, bytes, /*sync=*/true);
}

/// Markers and units are found again by their content; failures cost an
/// explanation, not an entry.
void Store::publishMarkers(const Manifest &manifest) const {
  std::string key = manifest.key.text();
  for (const KernelFacts &kernel : manifest.kernels) {
    std::string path = markerPath(kernel.name, key);
    if (folder.info(path))
      continue;
    // A gc may remove the empty folder between the two calls.
    for (int round = 0; round < 2; ++round) {
      (void)folder.makeFolder(markerFolder(kernel.name));
      if (folder.create(path, "", /*sync=*/false) !=
          std::errc::no_such_file_or_directory)
        break;
    }
  }
}

llvm::Error Store::publishUnit(const UnitRecord &record) const {
  if (llvm::Error error = refuseUnlessWritable())
    return error;
  if (record.unit.empty() || record.unit.size() > maxUnitNameBytes ||
      !llvm::json::isUTF8(record.unit))
    return makeError("S002", "unit name " + quoted(record.unit, 40) +
                                 " is refused: expected 1 to " +
                                 llvm::Twine(maxUnitNameBytes) +
                                 " bytes of UTF-8");
  std::string path = record.path(), text = record.text();
  llvm::ErrorOr<Bytes> present = folder.read(path, maxManifestBytes);
  if (present && (*present)->getBuffer() == text)
    return llvm::Error::success();
  if (std::error_code code = place(path, text, /*sync=*/false))
    return writeFailure(path, code);
  return llvm::Error::success();
}

llvm::Error Store::publishDirect(const DirectRecord &record) const {
  if (llvm::Error error = refuseUnlessWritable())
    return error;
  std::string path = directPath(record.id);
  if (std::error_code code = place(path, record.text(), /*sync=*/false))
    return writeFailure(path, code);
  return llvm::Error::success();
}

llvm::Error Store::publishIR(const KeptIR &kept) const {
  if (llvm::Error error = refuseUnlessWritable())
    return error;
  llvm::Expected<std::optional<KeptIR>> present = keptIR(kept.ir);
  if (present && *present)
    return llvm::Error::success();
  // A damaged one is replaced.
  llvm::consumeError(present.takeError());
  std::string path = irPath(kept.ir);
  if (std::error_code code = place(path, kept.bytes(), /*sync=*/false))
    return writeFailure(path, code);
  return llvm::Error::success();
}

llvm::Expected<Published>
Store::publish(const Manifest &manifest, StringRef bytes,
               llvm::ArrayRef<std::string> units) const {
  if (llvm::Error error = refuseUnlessWritable())
    return error;
  std::string key = manifest.key.text(), path = indexPath(key);
  if (llvm::Error error = manifest.check(bytes, "the code object of " + key))
    return error;
  llvm::Expected<std::optional<Artefact>> present = lookUp(key);
  Published result = Published::New;
  if (!present) {
    warn(llvm::toString(present.takeError()) + "; it is published anew");
  } else if (*present && (*present)->manifest.payload != manifest.payload) {
    result = Published::Conflict;
    warn("key " + key + " in store " + quotedPath(this->path()) +
         " has another payload: non-deterministic build, stored " +
         (*present)->manifest.payload.hex() + ", new " +
         manifest.payload.hex() + "; the stored one stays [FLY-S007]");
  } else if (*present) {
    result = Published::Present;
  }
  if (result == Published::New) {
    if (std::error_code code = publishPayload(manifest, bytes))
      return writeFailure(objectPath(manifest.payload), code);
    if (std::error_code code = place(path, manifest.text(), /*sync=*/true))
      return writeFailure(path, code);
    // Whoever was slow between the two may have met a gc.
    if (!folder.info(objectPath(manifest.payload)))
      if (std::error_code code = publishPayload(manifest, bytes))
        return writeFailure(objectPath(manifest.payload), code);
  }
  if (result != Published::Conflict)
    publishMarkers(manifest);
  for (const std::string &unit : units)
    if (llvm::Error error = publishUnit({unit, manifest.target, key}))
      return error;
  return result;
}
