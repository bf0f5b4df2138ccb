// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening and creating stores, listing what is in them, and notes.

#include "fly/Store/Store.h"

#include "Records.h"

#include "fly/Support/Errors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <ctime>
#include <map>
#include <unistd.h>

using namespace fly::store;
using fly::support::isKeyText;
using fly::support::makeError;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr llvm::StringLiteral eventsPath = "meta/events";
static constexpr llvm::StringLiteral originsPath = "meta/origins";
static constexpr uint64_t maxEventBytes = uint64_t(4) << 20;

void Store::warn(const llvm::Twine &message) const {
  if (options.warn)
    options.warn(message.str());
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static llvm::Error notWritable(StringRef path, std::error_code code) {
  return makeError("S006", "store " + quotedPath(path) + " is not writable: " +
                               code.message() + "; ro:DIR reads it");
}

/// Checks `store.json`; false when there is none.
static llvm::Expected<bool> checkFormat(const Folder &folder) {
  llvm::ErrorOr<Bytes> bytes = folder.read(formatPath, 4096);
  if (!bytes) {
    if (bytes.getError() == std::errc::no_such_file_or_directory)
      return false;
    return makeError("S005", quotedPath(folder.path()) +
                                 " is not a store: 'store.json' cannot be "
                                 "read: " +
                                 bytes.getError().message());
  }
  if (llvm::Error error = checkFormatText(
          (*bytes)->getBuffer(), (folder.path() + "/" + formatPath).str()))
    return std::move(error);
  return true;
}

/// Makes the folders and, last, `store.json`.
static std::error_code createIn(const Folder &folder) {
  for (StringRef name : {"index", "names", "objects", "tmp", "units"})
    if (std::error_code code = folder.makeFolder(name))
      return code;
  std::string temporary = folder.temporaryName();
  if (std::error_code code =
          folder.create(temporary, formatText(), /*sync=*/true))
    return code;
  std::error_code code = folder.rename(temporary, formatPath);
  if (code)
    (void)folder.remove(temporary);
  return code;
}

/// Whether a folder may become a store: it holds nothing but what a creation
/// that was cut short has made.
static bool mayBecomeStore(const Folder &folder) {
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder.path(), code), end;
       !code && it != end; it.increment(code)) {
    StringRef name = llvm::sys::path::filename(it->path());
    if (!llvm::is_contained(
            {"index", "names", "objects", "store.json", "tmp", "units"}, name))
      return false;
  }
  return !code;
}

llvm::Expected<Store> Store::open(StringRef path, StoreOptions options) {
  Mode mode = options.mode;
  llvm::ErrorOr<Folder> folder = Folder::open(path, options.hook);
  bool isAbsent =
      !folder && folder.getError() == std::errc::no_such_file_or_directory;
  // Nobody says where the folder that it shall lead to belongs.
  if (isAbsent && llvm::sys::fs::is_symlink_file(path))
    return makeError("S005", "store " + quotedPath(path) +
                                 " cannot be opened: it is a symbolic link to "
                                 "nothing");
  if (isAbsent && mode != Mode::ReadOnly && !path.empty()) {
    if (std::error_code code = llvm::sys::fs::create_directories(path))
      return notWritable(path, code);
    folder = Folder::open(path, options.hook);
  }
  if (!folder)
    return makeError("S005",
                     "store " + quotedPath(path) +
                         " cannot be opened: " + folder.getError().message());
  llvm::Expected<bool> exists = checkFormat(*folder);
  if (!exists)
    return exists.takeError();
  bool writable = mode != Mode::ReadOnly && folder->writable();
  if (mode == Mode::ReadWrite && !writable)
    return notWritable(path,
                       std::make_error_code(std::errc::permission_denied));
  if (!*exists && !(writable && mayBecomeStore(*folder))) {
    // Another process may have created and filled it between the two looks.
    exists = checkFormat(*folder);
    if (!exists)
      return exists.takeError();
    if (!*exists)
      return makeError("S005", quotedPath(path) +
                                   " is not a store: 'store.json' "
                                   "is missing");
  }
  if (!*exists)
    if (std::error_code code = createIn(*folder))
      return notWritable(path, code);
  return Store(std::move(*folder), writable, std::move(options));
}

llvm::Error Store::refuseUnlessWritable() const {
  if (writable)
    return llvm::Error::success();
  return makeError("S006", "store " + quotedPath(path()) +
                               " was opened to be read only (ro:DIR)");
}

//===----------------------------------------------------------------------===//
// Listing
//===----------------------------------------------------------------------===//

std::error_code
fly::store::forEachFile(const Folder &folder, StringRef top,
                        llvm::function_ref<void(StringRef)> visit) {
  llvm::ErrorOr<std::vector<FolderEntry>> entries = folder.list(top);
  if (!entries)
    return entries.getError();
  for (const FolderEntry &entry : *entries) {
    std::string path = (top + "/" + entry.name).str();
    if (!entry.isFolder) {
      visit(path);
      continue;
    }
    llvm::ErrorOr<std::vector<FolderEntry>> inner = folder.list(path);
    if (!inner)
      return inner.getError();
    for (const FolderEntry &file : *inner)
      visit(path + "/" + file.name);
  }
  return {};
}

static llvm::Error unlistable(const Folder &folder, StringRef top,
                              std::error_code code) {
  return makeError("S002", "'" + top + "' of store " +
                               quotedPath(folder.path()) +
                               " cannot be read: " + code.message());
}

llvm::Expected<std::vector<std::string>> Store::keys() const {
  std::vector<std::string> keys;
  std::error_code code = forEachFile(folder, "index", [&](StringRef path) {
    if (classify(path) == PathKind::Index)
      keys.push_back(path.substr(path.rfind('/') + 1).drop_back(5).str());
  });
  if (code)
    return unlistable(folder, "index", code);
  return keys;
}

llvm::Expected<std::vector<std::string>>
Store::keysWithPrefix(StringRef prefix) const {
  prefix.consume_front("fly1-");
  std::vector<std::string> found;
  if (std::string whole = ("fly1-" + prefix).str(); isKeyText(whole)) {
    if (folder.info(indexPath(whole)))
      found.push_back(whole);
    return found;
  }
  llvm::Expected<std::vector<std::string>> all = keys();
  if (!all)
    return all.takeError();
  for (const std::string &key : *all)
    if (StringRef(key).substr(5).starts_with(prefix))
      found.push_back(key);
  return found;
}

llvm::Expected<std::vector<std::string>>
Store::keysOfKernel(StringRef kernel) const {
  llvm::ErrorOr<std::vector<FolderEntry>> entries =
      folder.list(markerFolder(kernel));
  if (!entries)
    return unlistable(folder, "names", entries.getError());
  std::vector<std::string> keys;
  for (const FolderEntry &entry : *entries)
    if (isKeyText(entry.name))
      keys.push_back(entry.name);
  return keys;
}

llvm::Expected<std::vector<UnitRecord>> Store::units() const {
  std::vector<UnitRecord> records;
  std::error_code code = forEachFile(folder, "units", [&](StringRef path) {
    if (classify(path) != PathKind::Unit)
      return;
    llvm::ErrorOr<Bytes> bytes = folder.read(path, maxManifestBytes);
    if (!bytes)
      return;
    llvm::Expected<UnitRecord> record =
        UnitRecord::parse((*bytes)->getBuffer(), path);
    if (record)
      records.push_back(std::move(*record));
    else
      warn(llvm::toString(record.takeError()));
  });
  if (code)
    return unlistable(folder, "units", code);
  llvm::sort(records, [](const UnitRecord &a, const UnitRecord &b) {
    return a.unit != b.unit ? a.unit < b.unit : a.target < b.target;
  });
  return records;
}

llvm::ErrorOr<FileInfo> Store::manifestInfo(StringRef key) const {
  if (!isKeyText(key))
    return std::make_error_code(std::errc::invalid_argument);
  return folder.info(indexPath(key));
}

//===----------------------------------------------------------------------===//
// Notes
//===----------------------------------------------------------------------===//

/// Appends a line to a file of bounded size in `meta/`.
static void appendLine(const Folder &folder, StringRef path,
                       const llvm::Twine &line) {
  if (folder.makeFolder("meta"))
    return;
  llvm::ErrorOr<FileInfo> info = folder.info(path);
  if (info && info->size > maxEventBytes)
    (void)folder.rename(path, (path + ".old").str());
  (void)folder.append(path, (line + "\n").str());
}

void Store::note(StringRef event) const {
  if (writable)
    appendLine(folder, eventsPath, event);
}

void Store::noteOrigin(StringRef key, StringRef input) const {
  if (!writable)
    return;
  char host[256] = "";
  (void)::gethostname(host, sizeof(host) - 1);
  std::string line =
      printJson(json::Object{{"host", json::fixUTF8(host)},
                             {"input", json::fixUTF8(input)},
                             {"key", key},
                             {"time", int64_t(std::time(nullptr))}});
  appendLine(folder, originsPath, StringRef(line).rtrim());
}

/// Calls `use` on each line of the log at `path`, oldest first.
static void forEachLine(const Folder &folder, StringRef path,
                        llvm::function_ref<void(StringRef)> use) {
  for (const std::string &part : {(path + ".old").str(), path.str()}) {
    llvm::ErrorOr<Bytes> bytes = folder.read(part, 2 * maxEventBytes);
    if (!bytes)
      continue;
    llvm::SmallVector<StringRef> lines;
    (*bytes)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      use(line);
  }
}

std::string Store::origin(StringRef key) const {
  std::string last, mark = ("\"key\":\"" + key + "\"").str();
  forEachLine(folder, originsPath, [&](StringRef line) {
    if (line.contains(mark))
      last = line.str();
  });
  return last;
}

std::vector<std::pair<std::string, uint64_t>> Store::notes() const {
  std::map<std::string, uint64_t> counts;
  forEachLine(folder, eventsPath,
              [&](StringRef line) { ++counts[line.str()]; });
  return {counts.begin(), counts.end()};
}
