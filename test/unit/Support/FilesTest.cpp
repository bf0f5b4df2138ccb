// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small files: read whole, or refused with the reason. Outputs: written whole,
// or what was there stays.

#include "fly/Support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <csignal>
#include <sys/resource.h>

using fly::support::readSmallFile;

/// The content, or "error: " and why.
static std::string read(llvm::StringRef path, uint64_t limit) {
  llvm::Expected<std::string> content = readSmallFile(path, limit);
  return content ? *content : "error: " + llvm::toString(content.takeError());
}

TEST(Files, smallFilesAreReadWhole) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("fly-files", folder));
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "f");
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << "hello";
  ASSERT_FALSE(error);
  EXPECT_EQ(read(path, 5), "hello");
  EXPECT_EQ(read(path, 4), "error: is larger than 4 bytes");
  EXPECT_EQ(read(folder, 100), "error: is not a regular file");
  EXPECT_EQ(read("/dev/null", 100), "error: is not a regular file");
  llvm::Expected<std::string> device = fly::support::readStream("/dev/zero", 9);
  ASSERT_FALSE(device);
  EXPECT_EQ(llvm::toString(device.takeError()),
            "cannot be read: expected a file, a pipe or standard input, found "
            "a device");
  llvm::sys::fs::remove_directories(folder);
  EXPECT_EQ(read(path, 5), "error: cannot be read: No such file or directory");
}

/// Replaces the file at `path`; why not, or nothing.
static std::string write(llvm::StringRef path, llvm::StringRef content) {
  return llvm::toString(
      fly::support::writeFile(path, [&](llvm::raw_ostream &os) {
        os << content;
        return llvm::Error::success();
      }));
}

TEST(Files, aFullDiskKeepsTheOldOutput) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("fly-files", folder));
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "f");
  EXPECT_EQ(write(path, "old"), "");
  EXPECT_EQ(write(path, "older"), "");
  // A bound of the size of files fails as a full disk does: in the write.
  ::rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::rlimit bound = before;
  bound.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &bound), 0);
  std::string why = write(path, std::string(100000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(why, ("'" + path + "': File too large").str());
  EXPECT_EQ(read(path, 5), "older");
  std::error_code code;
  unsigned files = 0;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       !code && it != end; it.increment(code))
    ++files;
  EXPECT_EQ(files, 1u);
  llvm::sys::fs::remove_directories(folder);
}
