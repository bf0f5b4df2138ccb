// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking up with full verification, and quarantine. A reader trusts nothing:
// text, checksum, key, size, digest and target are all recomputed.

#include "fly/Store/Store.h"

#include "Records.h"

#include "fly/Support/Errors.h"

#include "llvm/ADT/StringMap.h"

#include <ctime>
#include <mutex>

using namespace fly::store;
using fly::support::Digest;
using fly::support::isKeyText;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;

/// Another machine has replaced or removed the file: as if it were not there.
static bool isGone(std::error_code code) {
  return code == std::errc::no_such_file_or_directory ||
         code == std::error_code(ESTALE, std::generic_category());
}

static std::string fileIn(const Folder &folder, StringRef path) {
  return (folder.path() + "/" + path).str();
}

static llvm::Error unreadable(const Folder &folder, StringRef path,
                              std::error_code code) {
  bool isLink = code == std::errc::too_many_symbolic_link_levels;
  return corrupt(fileIn(folder, path),
                 isLink ? std::string("it is a symbolic link")
                        : "cannot be read: " + code.message());
}

//===----------------------------------------------------------------------===//
// What was verified before
//===----------------------------------------------------------------------===//

/// Texts of manifests whose entries were verified in full, by key. The same
/// text need not be parsed again, and a payload of the same digest holds the
/// same code object; both are still read and compared each time.
struct Store::Memo {
  struct Row {
    std::string text;
    Manifest manifest;
  };
  std::mutex mutex;
  llvm::StringMap<Row> rows;
};

static constexpr size_t maxMemoRows = 4096;

Store::Store(Folder folder, bool writable, StoreOptions options)
    : folder(std::move(folder)), writable(writable),
      options(std::move(options)), memo(std::make_shared<Memo>()) {}

std::optional<Manifest> Store::verifiedBefore(StringRef key,
                                              StringRef text) const {
  std::lock_guard<std::mutex> lock(memo->mutex);
  auto row = memo->rows.find(key);
  if (row == memo->rows.end() || row->second.text != text)
    return std::nullopt;
  return row->second.manifest;
}

void Store::rememberVerified(StringRef key, StringRef text,
                             const Manifest &manifest) const {
  std::lock_guard<std::mutex> lock(memo->mutex);
  if (memo->rows.size() >= maxMemoRows)
    memo->rows.clear();
  memo->rows.insert_or_assign(key, Memo::Row{text.str(), manifest});
}

//===----------------------------------------------------------------------===//
// Looking up
//===----------------------------------------------------------------------===//

/// The text of the manifest of `key`, or nothing when there is none.
static llvm::Expected<std::optional<Bytes>> readManifest(const Folder &folder,
                                                         StringRef key) {
  if (!isKeyText(key))
    return makeError("S003", quoted(key) + " is not a key: expected 'fly1-' "
                                           "and 64 hexadecimal digits");
  std::string path = indexPath(key);
  llvm::ErrorOr<Bytes> text = folder.read(path, maxManifestBytes);
  if (text)
    return std::optional<Bytes>(std::move(*text));
  if (isGone(text.getError()))
    return std::nullopt;
  return unreadable(folder, path, text.getError());
}

static llvm::Expected<Manifest> parseManifest(const Folder &folder,
                                              StringRef key, StringRef text) {
  return Manifest::parse(text, fileIn(folder, indexPath(key)), key);
}

llvm::Expected<std::optional<Manifest>> Store::manifest(StringRef key) const {
  llvm::Expected<std::optional<Bytes>> text = readManifest(folder, key);
  if (!text)
    return text.takeError();
  if (!*text)
    return std::nullopt;
  llvm::Expected<Manifest> manifest =
      parseManifest(folder, key, (**text)->getBuffer());
  if (!manifest)
    return manifest.takeError();
  return std::move(*manifest);
}

llvm::Expected<std::optional<Artefact>> Store::lookUp(StringRef key) const {
  // A second round, for an entry that goes and comes back between two reads.
  for (bool again : {true, false}) {
    llvm::Expected<std::optional<Bytes>> read = readManifest(folder, key);
    if (!read)
      return read.takeError();
    if (!*read)
      return std::nullopt;
    StringRef text = (**read)->getBuffer();
    std::optional<Manifest> found = verifiedBefore(key, text);
    bool isKnown = found.has_value();
    if (!isKnown) {
      llvm::Expected<Manifest> parsed = parseManifest(folder, key, text);
      if (!parsed)
        return parsed.takeError();
      found = std::move(*parsed);
    }
    std::string path = objectPath(found->payload);
    llvm::ErrorOr<Bytes> bytes = options.mapped
                                     ? folder.map(path, maxPayloadBytes)
                                     : folder.read(path, maxPayloadBytes);
    if (!bytes) {
      if (isGone(bytes.getError()) && again)
        continue;
      return unreadable(folder, path, bytes.getError());
    }
    std::string file = fileIn(folder, path);
    if (llvm::Error error = isKnown
                                ? found->checkBytes((*bytes)->getBuffer(), file)
                                : found->check((*bytes)->getBuffer(), file))
      return error;
    if (!isKnown)
      rememberVerified(key, text, *found);
    return Artefact{std::move(*found), std::move(*bytes), this->path().str()};
  }
  return std::nullopt;
}

llvm::Expected<std::optional<std::string>>
Store::unitKey(StringRef unit, const amdgpu::Target &target) const {
  std::string path = unitPath(unit, target.fullText());
  llvm::ErrorOr<Bytes> text = folder.read(path, maxManifestBytes);
  if (!text) {
    if (isGone(text.getError()))
      return std::nullopt;
    return unreadable(folder, path, text.getError());
  }
  llvm::Expected<UnitRecord> record =
      UnitRecord::parse((*text)->getBuffer(), path);
  if (!record)
    return record.takeError();
  return std::move(record->key);
}

llvm::Expected<std::optional<DirectRecord>>
Store::direct(const Digest &id) const {
  std::string path = directPath(id);
  llvm::ErrorOr<Bytes> text = folder.read(path, maxManifestBytes);
  if (!text) {
    if (isGone(text.getError()))
      return std::nullopt;
    return unreadable(folder, path, text.getError());
  }
  llvm::Expected<DirectRecord> record =
      DirectRecord::parse((*text)->getBuffer(), path);
  if (!record)
    return record.takeError();
  return std::move(*record);
}

llvm::Expected<std::optional<KeptIR>> Store::keptIR(const Digest &ir) const {
  std::string path = irPath(ir);
  llvm::ErrorOr<Bytes> bytes = folder.read(path, maxPayloadBytes);
  if (!bytes) {
    if (isGone(bytes.getError()))
      return std::nullopt;
    return unreadable(folder, path, bytes.getError());
  }
  llvm::Expected<KeptIR> kept = KeptIR::parse((*bytes)->getBuffer(), path);
  if (!kept)
    return kept.takeError();
  return std::move(*kept);
}

//===----------------------------------------------------------------------===//
// After a look-up
//===----------------------------------------------------------------------===//

/// Whether the entry of `key` verifies now or is not there.
static bool isFine(const Store &store, StringRef key) {
  llvm::Expected<std::optional<Artefact>> found = store.lookUp(key);
  if (found)
    return true;
  llvm::consumeError(found.takeError());
  return false;
}

/// Moves a payload away when it is not what its name says; then no other entry
/// can use it either. A good one that came meanwhile goes back.
static void quarantinePayload(const Folder &folder, const Digest &digest) {
  std::string path = objectPath(digest);
  std::string away = "quarantine/" + digest.hex() + ".bin";
  auto isBad = [&](StringRef file) {
    llvm::ErrorOr<Bytes> bytes = folder.read(file, maxPayloadBytes);
    return bytes && fly::support::digestOf((*bytes)->getBuffer()) != digest;
  };
  if (isBad(path) && !folder.rename(path, away) && !isBad(away))
    (void)folder.rename(away, path);
}

bool Store::quarantine(StringRef key) const {
  // Only what is still corrupt goes: somebody may have published meanwhile.
  if (!writable || !isKeyText(key) || isFine(*this, key) ||
      folder.makeFolder("quarantine"))
    return false;
  llvm::Expected<std::optional<Manifest>> found = manifest(key);
  if (found && *found)
    quarantinePayload(folder, (*found)->payload);
  llvm::consumeError(found.takeError());
  std::string path = indexPath(key);
  std::string away = ("quarantine/" + key + ".json").str();
  if (std::error_code code = folder.rename(path, away))
    return isGone(code);
  // What was moved may be a good one that came in this moment.
  llvm::ErrorOr<Bytes> moved = folder.read(away, maxManifestBytes);
  if (!moved)
    return true;
  llvm::Expected<Manifest> parsed =
      Manifest::parse((*moved)->getBuffer(), away);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return true;
  }
  llvm::ErrorOr<Bytes> bytes =
      folder.read(objectPath(parsed->payload), maxPayloadBytes);
  llvm::Error bad = bytes ? parsed->check((*bytes)->getBuffer(), away)
                          : corrupt(away, "has no payload");
  if (bad || parsed->key.text() != key) {
    llvm::consumeError(std::move(bad));
    return true;
  }
  (void)folder.rename(away, path);
  return false;
}

void Store::markUsed(StringRef key) const {
  if (!writable || !isKeyText(key))
    return;
  constexpr int64_t hour = 3600;
  llvm::ErrorOr<FileInfo> info = folder.info(indexPath(key));
  if (info && std::time(nullptr) - info->time >= hour)
    (void)folder.touch(indexPath(key));
}
