// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of a store: every access to a file system goes through here, with
// paths relative to the store's root. A path goes in, bytes or an error number
// come out. The laws: no symbolic link inside the root is followed, nothing but
// regular files of bounded size is read, and what is read is a private copy, so
// that a change of the file after the check cannot change what is served.
//
//   llvm::ErrorOr<Folder> folder = Folder::open("aot");
//   llvm::ErrorOr<Bytes> bytes = folder->read("store.json", 4096);
//
// A `FileHook` sees each operation beforehand: tests make disks full and
// processes die with it.

#ifndef FLY_STORE_FOLDER_H
#define FLY_STORE_FOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace fly::store {

enum class FileOp {
  Read,
  Create,
  /// In the middle of the bytes: half of them are in the file.
  Write,
  Sync,
  Rename,
  SyncFolder,
  MakeFolder,
  Remove,
  List,
  Touch
};

/// What happens instead of an operation.
class FileHook {
public:
  virtual ~FileHook() = default;
  /// An error to report in place of doing `op`, or success.
  virtual std::error_code before(FileOp op, llvm::StringRef path) = 0;
};

using Bytes = std::unique_ptr<llvm::MemoryBuffer>;

struct FileInfo {
  uint64_t size = 0;
  /// Seconds since the epoch of the last change.
  int64_t time = 0;
};

struct FolderEntry {
  std::string name;
  bool isFolder = false;
};

/// An open folder. Safe to use from several threads.
class Folder {
public:
  /// The root itself may be reached through links.
  static llvm::ErrorOr<Folder> open(llvm::StringRef path,
                                    FileHook *hook = nullptr);

  Folder(Folder &&other);
  Folder &operator=(Folder &&other);
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder();

  /// The path that `open` was given, for messages.
  llvm::StringRef path() const { return shown; }

  /// The bytes of a regular file; `file_too_large` beyond `limit`.
  llvm::ErrorOr<Bytes> read(llvm::StringRef file, uint64_t limit) const;
  /// As `read`, but large files are mapped, not copied: quicker, and shared by
  /// all processes that have it. A file that somebody changes in place (no
  /// store does) changes under the reader.
  llvm::ErrorOr<Bytes> map(llvm::StringRef file, uint64_t limit) const;
  llvm::ErrorOr<FileInfo> info(llvm::StringRef file) const;
  /// Entries sorted by name; an absent folder is empty.
  llvm::ErrorOr<std::vector<FolderEntry>> list(llvm::StringRef folder) const;
  bool writable() const;

  /// Creates a new file (it must not exist) and writes `bytes`; with `sync`,
  /// down to the disk. On an error nothing is left.
  std::error_code create(llvm::StringRef file, llvm::StringRef bytes,
                         bool sync) const;
  /// Replaces `to`.
  std::error_code rename(llvm::StringRef from, llvm::StringRef to) const;
  std::error_code syncFolder(llvm::StringRef folder) const;
  /// Success when it is there already.
  std::error_code makeFolder(llvm::StringRef folder) const;
  /// Success when it is not there.
  std::error_code remove(llvm::StringRef file) const;
  /// Removes an empty folder.
  std::error_code removeFolder(llvm::StringRef folder) const;
  /// Sets the time of the last change to now.
  std::error_code touch(llvm::StringRef file) const;
  /// Adds a short text to a file that may not exist, in one write.
  std::error_code append(llvm::StringRef file, llvm::StringRef text) const;

  /// `tmp/<process>-<random>`, never used before on any machine.
  std::string temporaryName() const;

private:
  Folder(int handle, std::string shown, FileHook *hook)
      : handle(handle), shown(std::move(shown)), hook(hook) {}
  std::error_code ask(FileOp op, llvm::StringRef path) const;

  int handle;
  std::string shown;
  FileHook *hook;
};

} // namespace fly::store

#endif // FLY_STORE_FOLDER_H
