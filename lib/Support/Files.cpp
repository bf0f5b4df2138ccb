// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounded reading of files, and writing of whole ones.

#include "fly/Support/Files.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using llvm::StringRef;

static llvm::Error unreadable(std::error_code code) {
  return llvm::createStringError(code, "cannot be read: " + code.message());
}

/// All that `file` has, up to `limit` bytes.
static llvm::Expected<std::string> readAll(llvm::sys::fs::file_t file,
                                           uint64_t limit) {
  std::string content;
  llvm::SmallVector<char, 0> buffer(65536);
  while (true) {
    llvm::Expected<size_t> got = llvm::sys::fs::readNativeFile(
        file, llvm::MutableArrayRef<char>(buffer));
    if (!got)
      return unreadable(llvm::errorToErrorCode(got.takeError()));
    if (*got == 0)
      return content;
    content.append(buffer.data(), *got);
    if (content.size() > limit)
      return llvm::createStringError("is larger than " + std::to_string(limit) +
                                     " bytes");
  }
}

static llvm::Expected<std::string> readFile(StringRef path, uint64_t limit,
                                            bool mayBePipe) {
  namespace fs = llvm::sys::fs;
  fs::file_status status;
  if (std::error_code code = fs::status(path, status))
    return unreadable(code);
  bool isPipe = status.type() == fs::file_type::fifo_file;
  if (mayBePipe && fs::is_directory(status))
    return unreadable(std::make_error_code(std::errc::is_a_directory));
  if (status.type() != fs::file_type::regular_file && !(mayBePipe && isPipe))
    return llvm::createStringError(
        mayBePipe ? "cannot be read: expected a file, a pipe or standard "
                    "input, found a device"
                  : "is not a regular file");
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return unreadable(llvm::errorToErrorCode(file.takeError()));
  auto close = llvm::scope_exit([&] { (void)fs::closeFile(*file); });
  return readAll(*file, limit);
}

llvm::Expected<std::string> fly::support::readSmallFile(StringRef path,
                                                        uint64_t limit) {
  return readFile(path, limit, /*mayBePipe=*/false);
}

llvm::Expected<std::string> fly::support::readStream(StringRef path,
                                                     uint64_t limit) {
  if (path == "-")
    return readAll(llvm::sys::fs::getStdinHandle(), limit);
  return readFile(path, limit, /*mayBePipe=*/true);
}

void fly::support::occupyStandardFiles() {
  for (int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) != -1 || errno != EBADF)
      continue;
    // The lowest number that is free is this one.
    int flags = file == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    int opened = ::open("/dev/null", flags);
    if (opened > STDERR_FILENO)
      ::close(opened);
  }
}

int fly::support::forgetUnwrittenMessages(int status) {
  llvm::errs().flush();
  llvm::errs().clear_error();
  return status;
}

/// Flushes `os`; an error of writing is taken from it, since LLVM
/// ends the process over one that nobody took.
static llvm::Error finish(llvm::raw_fd_ostream &os, StringRef path) {
  os.flush();
  if (!os.has_error())
    return llvm::Error::success();
  std::error_code failure = os.error();
  os.clear_error();
  return llvm::createFileError(path, failure);
}

llvm::Error fly::support::flushStandardOutput() {
  return finish(llvm::outs(), "standard output");
}

/// Writes beside `real` and renames when all has reached the file, so that what
/// was there stays when the disk is full. Messages name `path`.
static llvm::Error
replaceFile(StringRef real, StringRef path,
            llvm::function_ref<llvm::Error(llvm::raw_ostream &)> produce) {
  namespace fs = llvm::sys::fs;
  auto named = [&](llvm::Error error) {
    return llvm::createFileError(path,
                                 llvm::errorToErrorCode(std::move(error)));
  };
  llvm::Expected<fs::TempFile> file =
      fs::TempFile::create(real + ".temporary-%%%%%%%%");
  if (!file)
    return named(file.takeError());
  llvm::Error error = llvm::Error::success();
  {
    llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    error = llvm::joinErrors(produce(os), finish(os, path));
  }
  if (error) {
    llvm::consumeError(file->discard());
    return error;
  }
  if (llvm::Error failure = file->keep(real))
    return named(std::move(failure));
  return llvm::Error::success();
}

llvm::Error fly::support::writeFile(
    llvm::StringRef path,
    llvm::function_ref<llvm::Error(llvm::raw_ostream &)> produce) {
  namespace fs = llvm::sys::fs;
  fs::file_status status;
  if (path == "-") {
    llvm::Error error = produce(llvm::outs());
    return llvm::joinErrors(std::move(error), flushStandardOutput());
  }
  if (fs::status(path, status) || !fs::exists(status) ||
      fs::is_regular_file(status)) {
    // The file itself, not a link to it, is what a rename would replace.
    llvm::SmallString<256> real(path);
    if (fs::is_regular_file(status))
      fs::real_path(path, real);
    return replaceFile(real, path, produce);
  }
  std::error_code failure;
  llvm::raw_fd_ostream os(path, failure);
  if (failure)
    return llvm::createFileError(path, failure);
  llvm::Error error = produce(os);
  return llvm::joinErrors(std::move(error), finish(os, path));
}
