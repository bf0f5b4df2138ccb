// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Garbage collection. Entries go least recently used first until the bounds
// hold: the manifest, then markers and units, and last what no entry refers to
// and is older than the time of grace, so that a publisher who has written the
// payload but not yet the manifest loses nothing.

#include "fly/Store/Store.h"

#include "fly/Store/Paths.h"
#include "fly/Support/Errors.h"

#include <ctime>
#include <map>
#include <set>

using namespace fly::store;
using fly::support::Digest;
using llvm::StringRef;

/// What was found corrupt stays for people to look at, so many seconds.
static constexpr int64_t quarantineTime = 7 * 24 * 3600;

namespace {
/// An entry as gc sees it.
struct Entry {
  std::string key;
  int64_t time = 0;
  uint64_t manifestBytes = 0;
  Manifest manifest;
};

/// One run of gc.
struct Collector {
  const Store &store;
  const GcOptions &options;
  int64_t now;
  GcReport report;

  const Folder &files() const { return store.files(); }
  bool isOld(int64_t time, int64_t seconds) const {
    return now - time >= seconds;
  }
  /// Removes a file that nobody needs.
  void leftover(StringRef path) {
    ++report.leftovers;
    if (!options.dryRun)
      (void)files().remove(path);
  }
};
} // namespace

/// The entries, least recently used first.
static llvm::Expected<std::vector<Entry>> readEntries(const Store &store) {
  llvm::Expected<std::vector<std::string>> keys = store.keys();
  if (!keys)
    return keys.takeError();
  std::vector<Entry> entries;
  for (const std::string &key : *keys) {
    llvm::Expected<std::optional<Manifest>> manifest = store.manifest(key);
    if (!manifest) {
      store.warn(llvm::toString(manifest.takeError()) +
                 "; gc leaves it for verify");
      continue;
    }
    llvm::ErrorOr<FileInfo> info = store.manifestInfo(key);
    if (*manifest && info)
      entries.push_back({key, info->time, info->size, std::move(**manifest)});
  }
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return a.time != b.time ? a.time < b.time : a.key < b.key;
  });
  return entries;
}

/// Keys that pins name: by beginning, or as the entry of a unit.
static llvm::Expected<std::set<std::string>>
pinnedKeys(const Store &store, const std::vector<Entry> &entries,
           llvm::ArrayRef<std::string> pins) {
  std::set<std::string> pinned;
  if (pins.empty())
    return pinned;
  llvm::Expected<std::vector<UnitRecord>> units = store.units();
  if (!units)
    return units.takeError();
  for (const UnitRecord &record : *units)
    if (llvm::is_contained(pins, record.unit))
      pinned.insert(record.key);
  for (const Entry &entry : entries)
    for (StringRef pin : pins) {
      pin.consume_front("fly1-");
      if (!pin.empty() && StringRef(entry.key).substr(5).starts_with(pin))
        pinned.insert(entry.key);
    }
  return pinned;
}

static void removeEntry(Collector &run, const Entry &entry) {
  run.report.removed.push_back(entry.key);
  if (run.options.dryRun)
    return;
  (void)run.files().remove(indexPath(entry.key));
  for (const KernelFacts &kernel : entry.manifest.kernels) {
    (void)run.files().remove(markerPath(kernel.name, entry.key));
    (void)run.files().removeFolder(markerFolder(kernel.name));
  }
}

/// The files that an entry refers to: its payload, and perhaps a text.
static std::vector<std::string> referencesOf(const Manifest &manifest) {
  std::vector<std::string> paths = {objectPath(manifest.payload)};
  if (std::optional<Digest> ir = irDigestOf(manifest.key))
    paths.push_back(irPath(*ir));
  return paths;
}

namespace {
/// Files that entries share, with how many do, and their bytes.
class SharedFiles {
public:
  SharedFiles(const Folder &files, const std::vector<Entry> &entries)
      : files(files) {
    for (const Entry &entry : entries)
      for (const std::string &path : referencesOf(entry.manifest))
        if (counts[path]++ == 0)
          bytes += sizeOf(path);
  }
  /// Drops what `manifest` refers to; answers the bytes that nobody shares any
  /// more.
  uint64_t drop(const Manifest &manifest) {
    uint64_t freed = 0;
    for (const std::string &path : referencesOf(manifest))
      if (--counts[path] == 0)
        freed += sizeOf(path);
    bytes -= freed;
    return freed;
  }
  uint64_t bytes = 0;

private:
  /// As it was when it was first asked; 0 for a file that is not there.
  uint64_t sizeOf(const std::string &path) {
    auto [size, isNew] = sizes.try_emplace(path, 0);
    if (!isNew)
      return size->second;
    if (llvm::ErrorOr<FileInfo> info = files.info(path))
      size->second = info->size;
    return size->second;
  }
  const Folder &files;
  std::map<std::string, unsigned> counts;
  std::map<std::string, uint64_t> sizes;
};
} // namespace

/// Decides and removes; answers the files that stay referenced.
static std::set<std::string>
removeEntries(Collector &run, const std::vector<Entry> &entries,
              const std::set<std::string> &pinned) {
  SharedFiles shared(run.files(), entries);
  uint64_t bytes = shared.bytes, count = entries.size();
  for (const Entry &entry : entries)
    bytes += entry.manifestBytes;
  const GcOptions &options = run.options;
  for (const Entry &entry : entries) {
    bool unwanted = (options.maxAge && run.isOld(entry.time, options.maxAge)) ||
                    (options.maxBytes && bytes > options.maxBytes) ||
                    (options.maxEntries && count > options.maxEntries);
    if (!unwanted || pinned.count(entry.key))
      continue;
    uint64_t freed = entry.manifestBytes + shared.drop(entry.manifest);
    bytes -= freed;
    --count;
    run.report.removedBytes += freed;
    removeEntry(run, entry);
  }
  run.report.keptBytes = bytes;
  run.report.keptEntries = count;
  std::set<std::string> kept;
  std::set<StringRef> gone(run.report.removed.begin(),
                           run.report.removed.end());
  for (const Entry &entry : entries)
    if (!gone.count(entry.key))
      for (std::string &path : referencesOf(entry.manifest))
        kept.insert(std::move(path));
  return kept;
}

/// Adds the files of entries that were published since the entries were read.
static llvm::Error addNewEntries(const Store &store,
                                 const std::vector<Entry> &known,
                                 std::set<std::string> &kept) {
  std::set<StringRef> seen;
  for (const Entry &entry : known)
    seen.insert(entry.key);
  llvm::Expected<std::vector<std::string>> keys = store.keys();
  if (!keys)
    return keys.takeError();
  for (const std::string &key : *keys) {
    if (seen.count(key))
      continue;
    llvm::Expected<std::optional<Manifest>> manifest = store.manifest(key);
    if (manifest && *manifest)
      for (std::string &path : referencesOf(**manifest))
        kept.insert(std::move(path));
    llvm::consumeError(manifest.takeError());
  }
  return llvm::Error::success();
}

/// A text only explains: one that is damaged, or stands under another's name,
/// is of no use, whoever refers to it.
static bool isDamagedText(const Folder &files, StringRef path) {
  llvm::ErrorOr<Bytes> bytes = files.read(path, maxPayloadBytes);
  if (!bytes)
    return false;
  llvm::Expected<KeptIR> kept = KeptIR::parse((*bytes)->getBuffer(), path);
  bool isDamaged = !kept;
  llvm::consumeError(kept.takeError());
  return isDamaged;
}

/// Removes payloads, markers, units and staging files that nobody refers to.
static void removeLeftovers(Collector &run, const std::set<std::string> &kept) {
  const std::set<StringRef> gone(run.report.removed.begin(),
                                 run.report.removed.end());
  auto isOldFile = [&](StringRef path, int64_t seconds) {
    llvm::ErrorOr<FileInfo> info = run.files().info(path);
    return info && run.isOld(info->time, seconds);
  };
  auto hasEntry = [&](StringRef key) {
    return !gone.count(key) && run.store.manifestInfo(key);
  };
  int64_t grace = run.options.grace;
  (void)forEachFile(run.files(), "objects", [&](StringRef path) {
    if (classify(path) == PathKind::Object && !kept.count(path.str()) &&
        isOldFile(path, grace))
      run.leftover(path);
  });
  (void)forEachFile(run.files(), "ir", [&](StringRef path) {
    if (classify(path) == PathKind::IR && isOldFile(path, grace) &&
        (!kept.count(path.str()) || isDamagedText(run.files(), path)))
      run.leftover(path);
  });
  (void)forEachFile(run.files(), "names", [&](StringRef path) {
    if (classify(path) != PathKind::Marker ||
        hasEntry(path.substr(path.rfind('/') + 1)) || !isOldFile(path, grace))
      return;
    run.leftover(path);
    if (!run.options.dryRun)
      (void)run.files().removeFolder(folderOf(path));
  });
  llvm::Expected<std::vector<UnitRecord>> units = run.store.units();
  if (units) {
    for (const UnitRecord &record : *units)
      if (!hasEntry(record.key) &&
          (gone.count(record.key) || isOldFile(record.path(), grace)))
        run.leftover(record.path());
  } else {
    llvm::consumeError(units.takeError());
  }
  (void)forEachFile(run.files(), "tmp", [&](StringRef path) {
    if (isOldFile(path, grace))
      run.leftover(path);
  });
  (void)forEachFile(run.files(), "quarantine", [&](StringRef path) {
    if (isOldFile(path, quarantineTime))
      run.leftover(path);
  });
}

llvm::Expected<GcReport> Store::gc(const GcOptions &options) const {
  if (!options.dryRun)
    if (llvm::Error error = refuseUnlessWritable())
      return error;
  Collector run{*this, options, int64_t(std::time(nullptr)), {}};
  llvm::Expected<std::vector<Entry>> entries = readEntries(*this);
  if (!entries)
    return entries.takeError();
  llvm::Expected<std::set<std::string>> pinned =
      pinnedKeys(*this, *entries, options.pins);
  if (!pinned)
    return pinned.takeError();
  std::set<std::string> kept = removeEntries(run, *entries, *pinned);
  if (llvm::Error error = addNewEntries(*this, *entries, kept))
    return error;
  removeLeftovers(run, kept);
  return std::move(run.report);
}
