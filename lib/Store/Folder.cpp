// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// File access below one root, with POSIX calls on open folders: each part of a
// path is opened on its own, without following links.

#include "fly/Store/Folder.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace fly::store;
using llvm::StringRef;

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

static std::error_code errorOf(std::errc code) {
  return std::make_error_code(code);
}

namespace {
/// A file descriptor that is closed at the end.
class Handle {
public:
  explicit Handle(int number) : number(number) {}
  Handle(Handle &&other) : number(std::exchange(other.number, -1)) {}
  Handle &operator=(Handle &&other) {
    std::swap(number, other.number);
    return *this;
  }
  Handle(const Handle &) = delete;
  ~Handle() {
    if (number >= 0)
      ::close(number);
  }
  int get() const { return number; }
  int release() { return std::exchange(number, -1); }

private:
  int number;
};

/// The folder that holds the last part of a path, and that part.
struct Place {
  /// Open for this place alone; none when the root is the folder.
  Handle opened;
  int folder;
  std::string name;
};
} // namespace

static int openAt(int folder, const std::string &name, int flags,
                  mode_t mode = 0) {
  return llvm::sys::RetryAfterSignal(-1, ::openat, folder, name.c_str(),
                                     flags | O_CLOEXEC | O_NOFOLLOW, mode);
}

/// Opens all folders of `path` but the last part.
static llvm::ErrorOr<Place> locate(int root, StringRef path) {
  Handle opened(-1);
  int folder = root;
  while (true) {
    auto [first, rest] = path.split('/');
    if (first.empty() || first == "." || first == "..")
      return errorOf(std::errc::invalid_argument);
    if (rest.empty())
      return Place{std::move(opened), folder, first.str()};
    folder = openAt(folder, first.str(), O_RDONLY | O_DIRECTORY);
    if (folder < 0)
      return lastError();
    opened = Handle(folder);
    path = rest;
  }
}

Folder::Folder(Folder &&other)
    : handle(std::exchange(other.handle, -1)), shown(std::move(other.shown)),
      hook(other.hook) {}

Folder &Folder::operator=(Folder &&other) {
  std::swap(handle, other.handle);
  std::swap(shown, other.shown);
  std::swap(hook, other.hook);
  return *this;
}

Folder::~Folder() {
  if (handle >= 0)
    ::close(handle);
}

llvm::ErrorOr<Folder> Folder::open(StringRef path, FileHook *hook) {
  if (path.contains('\0'))
    return errorOf(std::errc::invalid_argument);
  int handle = llvm::sys::RetryAfterSignal(-1, ::open, path.str().c_str(),
                                           O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0)
    return lastError();
  return Folder(handle, path.str(), hook);
}

std::error_code Folder::ask(FileOp op, StringRef path) const {
  return hook ? hook->before(op, path) : std::error_code();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// A regular file that is open, and its size.
struct OpenFile {
  Handle handle;
  size_t size;
};
} // namespace

/// A pipe in place of a file must not block.
static constexpr int readFlags = O_RDONLY | O_NONBLOCK;

/// Opens `file` by one call, which does what `locate` does; -1 with `errno`,
/// ENOSYS where there is no such call. Source: openat2(2).
static int openAtOnce(int root, StringRef file) {
  for (StringRef part : llvm::split(file, '/'))
    if (part.empty() || part == "." || part == "..") {
      errno = ENOSYS;
      return -1;
    }
  struct open_how how = {};
  how.flags = readFlags | O_CLOEXEC | O_NOFOLLOW;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  return int(llvm::sys::RetryAfterSignal(
      -1, ::syscall, SYS_openat2, root, file.str().c_str(), &how, sizeof(how)));
}

/// Opens `file` for reading; -1 with `errno`.
static int openForReading(int root, StringRef file) {
  int number = openAtOnce(root, file);
  // An older kernel, or a container that allows no call that it does not know.
  if (number >= 0 || (errno != ENOSYS && errno != EPERM))
    return number;
  llvm::ErrorOr<Place> place = locate(root, file);
  if (place)
    return openAt(place->folder, place->name, readFlags);
  errno = place.getError().value();
  return -1;
}

/// Opens a regular file of at most `limit` bytes.
static llvm::ErrorOr<OpenFile> openRegular(int root, StringRef file,
                                           uint64_t limit) {
  Handle open(openForReading(root, file));
  if (open.get() < 0)
    return lastError();
  struct stat status;
  if (::fstat(open.get(), &status))
    return lastError();
  if (S_ISDIR(status.st_mode))
    return errorOf(std::errc::is_a_directory);
  if (!S_ISREG(status.st_mode))
    return errorOf(std::errc::no_such_device);
  if (uint64_t(status.st_size) > limit)
    return errorOf(std::errc::file_too_large);
  return OpenFile{std::move(open), size_t(status.st_size)};
}

llvm::ErrorOr<Bytes> Folder::map(StringRef file, uint64_t limit) const {
  if (std::error_code code = ask(FileOp::Read, file))
    return code;
  llvm::ErrorOr<OpenFile> open = openRegular(handle, file, limit);
  if (!open)
    return open.getError();
  return llvm::MemoryBuffer::getOpenFile(open->handle.get(), file, open->size,
                                         /*RequiresNullTerminator=*/false);
}

llvm::ErrorOr<Bytes> Folder::read(StringRef file, uint64_t limit) const {
  if (std::error_code code = ask(FileOp::Read, file))
    return code;
  llvm::ErrorOr<OpenFile> open = openRegular(handle, file, limit);
  if (!open)
    return open.getError();
  size_t size = open->size;
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(size, file);
  if (!buffer)
    return errorOf(std::errc::not_enough_memory);
  size_t done = 0;
  while (done < size) {
    ssize_t got = llvm::sys::RetryAfterSignal(-1, ::read, open->handle.get(),
                                              buffer->getBufferStart() + done,
                                              size - done);
    if (got < 0)
      return lastError();
    if (got == 0) // Shortened meanwhile: not a file that a store publishes.
      return errorOf(std::errc::io_error);
    done += got;
  }
  return Bytes(std::move(buffer));
}

llvm::ErrorOr<FileInfo> Folder::info(StringRef file) const {
  llvm::ErrorOr<Place> place = locate(handle, file);
  if (!place)
    return place.getError();
  struct stat status;
  if (::fstatat(place->folder, place->name.c_str(), &status,
                AT_SYMLINK_NOFOLLOW))
    return lastError();
  if (!S_ISREG(status.st_mode))
    return errorOf(std::errc::no_such_device);
  return FileInfo{uint64_t(status.st_size), int64_t(status.st_mtime)};
}

llvm::ErrorOr<std::vector<FolderEntry>> Folder::list(StringRef folder) const {
  if (std::error_code code = ask(FileOp::List, folder))
    return code;
  std::vector<FolderEntry> entries;
  llvm::ErrorOr<Place> place = locate(handle, folder);
  if (!place) {
    if (place.getError() == std::errc::no_such_file_or_directory)
      return entries;
    return place.getError();
  }
  Handle open(openAt(place->folder, place->name, O_RDONLY | O_DIRECTORY));
  if (open.get() < 0) {
    if (errno == ENOENT)
      return entries;
    return lastError();
  }
  DIR *stream = ::fdopendir(open.get());
  if (!stream)
    return lastError();
  open.release();
  auto close = llvm::scope_exit([&] { ::closedir(stream); });
  while (true) {
    errno = 0;
    struct dirent *entry = ::readdir(stream);
    if (!entry) {
      if (errno)
        return lastError();
      break;
    }
    StringRef name(entry->d_name);
    if (name == "." || name == "..")
      continue;
    bool isFolder = entry->d_type == DT_DIR;
    struct stat status;
    if (entry->d_type == DT_UNKNOWN &&
        !::fstatat(::dirfd(stream), entry->d_name, &status,
                   AT_SYMLINK_NOFOLLOW))
      isFolder = S_ISDIR(status.st_mode);
    entries.push_back({name.str(), isFolder});
  }
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry &a, const FolderEntry &b) {
              return a.name < b.name;
            });
  return entries;
}

bool Folder::writable() const {
  return ::faccessat(handle, ".", W_OK | X_OK, 0) == 0;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::error_code writeAll(int file, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t done = llvm::sys::RetryAfterSignal(-1, ::write, file, bytes.data(),
                                               bytes.size());
    if (done < 0)
      return lastError();
    bytes = bytes.drop_front(done);
  }
  return {};
}

std::error_code Folder::create(StringRef file, StringRef bytes,
                               bool sync) const {
  if (std::error_code code = ask(FileOp::Create, file))
    return code;
  llvm::ErrorOr<Place> place = locate(handle, file);
  if (!place)
    return place.getError();
  Handle open(
      openAt(place->folder, place->name, O_WRONLY | O_CREAT | O_EXCL, 0666));
  if (open.get() < 0)
    return lastError();
  auto fill = [&]() -> std::error_code {
    size_t half = bytes.size() / 2;
    if (std::error_code code = writeAll(open.get(), bytes.take_front(half)))
      return code;
    if (std::error_code code = ask(FileOp::Write, file))
      return code;
    if (std::error_code code = writeAll(open.get(), bytes.drop_front(half)))
      return code;
    if (!sync)
      return {};
    if (std::error_code code = ask(FileOp::Sync, file))
      return code;
    if (llvm::sys::RetryAfterSignal(-1, ::fsync, open.get()))
      return lastError();
    return {};
  };
  std::error_code code = fill();
  // Some file systems report a full disk only here.
  if (int number = open.release(); ::close(number) && !code)
    code = lastError();
  if (code)
    ::unlinkat(place->folder, place->name.c_str(), 0);
  return code;
}

std::error_code Folder::rename(StringRef from, StringRef to) const {
  if (std::error_code code = ask(FileOp::Rename, to))
    return code;
  llvm::ErrorOr<Place> source = locate(handle, from);
  if (!source)
    return source.getError();
  llvm::ErrorOr<Place> target = locate(handle, to);
  if (!target)
    return target.getError();
  if (::renameat(source->folder, source->name.c_str(), target->folder,
                 target->name.c_str()))
    return lastError();
  return {};
}

std::error_code Folder::syncFolder(StringRef folder) const {
  if (std::error_code code = ask(FileOp::SyncFolder, folder))
    return code;
  llvm::ErrorOr<Place> place = locate(handle, folder);
  if (!place)
    return place.getError();
  Handle open(openAt(place->folder, place->name, O_RDONLY | O_DIRECTORY));
  if (open.get() < 0)
    return lastError();
  // Some network file systems cannot sync folders; the rename is then all that
  // they promise.
  if (llvm::sys::RetryAfterSignal(-1, ::fsync, open.get()) && errno != EINVAL &&
      errno != ENOTSUP)
    return lastError();
  return {};
}

std::error_code Folder::makeFolder(StringRef folder) const {
  llvm::ErrorOr<Place> place = locate(handle, folder);
  if (!place)
    return place.getError();
  struct stat status;
  if (!::fstatat(place->folder, place->name.c_str(), &status,
                 AT_SYMLINK_NOFOLLOW) &&
      S_ISDIR(status.st_mode))
    return {};
  if (std::error_code code = ask(FileOp::MakeFolder, folder))
    return code;
  if (::mkdirat(place->folder, place->name.c_str(), 0777) && errno != EEXIST)
    return lastError();
  return {};
}

std::error_code Folder::remove(StringRef file) const {
  if (std::error_code code = ask(FileOp::Remove, file))
    return code;
  llvm::ErrorOr<Place> place = locate(handle, file);
  std::error_code code = place ? std::error_code() : place.getError();
  if (place && ::unlinkat(place->folder, place->name.c_str(), 0))
    code = lastError();
  return code == std::errc::no_such_file_or_directory ? std::error_code()
                                                      : code;
}

std::error_code Folder::removeFolder(StringRef folder) const {
  llvm::ErrorOr<Place> place = locate(handle, folder);
  if (!place)
    return place.getError();
  if (::unlinkat(place->folder, place->name.c_str(), AT_REMOVEDIR))
    return lastError();
  return {};
}

std::error_code Folder::touch(StringRef file) const {
  if (std::error_code code = ask(FileOp::Touch, file))
    return code;
  llvm::ErrorOr<Place> place = locate(handle, file);
  if (!place)
    return place.getError();
  if (::utimensat(place->folder, place->name.c_str(), nullptr,
                  AT_SYMLINK_NOFOLLOW))
    return lastError();
  return {};
}

std::error_code Folder::append(StringRef file, StringRef text) const {
  llvm::ErrorOr<Place> place = locate(handle, file);
  if (!place)
    return place.getError();
  Handle open(openAt(place->folder, place->name,
                     O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0666));
  if (open.get() < 0)
    return lastError();
  return writeAll(open.get(), text);
}

std::string Folder::temporaryName() const {
  uint8_t random[16];
  size_t done = 0;
  while (done < sizeof(random)) {
    ssize_t got = ::getrandom(random + done, sizeof(random) - done, 0);
    if (got > 0)
      done += got;
  }
  return "tmp/" + std::to_string(::getpid()) + "-" +
         llvm::toHex(random, /*LowerCase=*/true);
}
