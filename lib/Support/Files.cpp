// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounded reading of files.

#include "fly/Support/Files.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

using llvm::StringRef;

static llvm::Error unreadable(std::error_code code) {
  return llvm::createStringError(code, "cannot be read: " + code.message());
}

llvm::Expected<std::string> fly::support::readSmallFile(StringRef path,
                                                        uint64_t limit) {
  namespace fs = llvm::sys::fs;
  fs::file_status status;
  if (std::error_code code = fs::status(path, status))
    return unreadable(code);
  if (status.type() != fs::file_type::regular_file)
    return llvm::createStringError("is not a regular file");
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return unreadable(llvm::errorToErrorCode(file.takeError()));
  auto close = llvm::scope_exit([&] { (void)fs::closeFile(*file); });
  std::string content;
  char buffer[4096];
  while (true) {
    llvm::Expected<size_t> got =
        fs::readNativeFile(*file, llvm::MutableArrayRef<char>(buffer));
    if (!got)
      return unreadable(llvm::errorToErrorCode(got.takeError()));
    if (*got == 0)
      return content;
    content.append(buffer, *got);
    if (content.size() > limit)
      return llvm::createStringError("is larger than " + std::to_string(limit) +
                                     " bytes");
  }
}
