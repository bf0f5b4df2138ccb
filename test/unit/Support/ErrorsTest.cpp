// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coded errors print their code and give it back; outside text is quoted so
// that no byte of it reaches a terminal raw; files are read with a bound.

#include "fly/Support/Errors.h"
#include "fly/Support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace fly::support;
namespace fs = llvm::sys::fs;

TEST(Errors, printsItsCode) {
  llvm::Error error = makeError("T002", "unknown processor " + quoted("x"));
  EXPECT_EQ(codeOf(error), "T002");
  EXPECT_EQ(llvm::toString(std::move(error)),
            "unknown processor 'x' [FLY-T002]");
}

TEST(Errors, codeSurvivesJoining) {
  llvm::Error error = llvm::joinErrors(llvm::createStringError("plain"),
                                       makeError("K004", "m"));
  EXPECT_EQ(codeOf(error), "K004");
  llvm::consumeError(std::move(error));
  llvm::Error none = llvm::Error::success();
  EXPECT_EQ(codeOf(none), "");
}

TEST(Errors, takesApart) {
  auto [code, text] = takeApart(makeError("T001", "message"));
  EXPECT_EQ(code, "T001");
  EXPECT_EQ(text, "message");
  auto plain = takeApart(llvm::createStringError("plain"));
  EXPECT_EQ(plain.first, "");
  EXPECT_EQ(plain.second, "plain");
}

TEST(Errors, quotesBytes) {
  EXPECT_EQ(quoted("gfx942"), "'gfx942'");
  EXPECT_EQ(quoted(llvm::StringRef("a\0\x1b\xff", 4)), "'a\\x00\\x1B\\xFF'");
  EXPECT_EQ(quoted(std::string(200, 'a'), 3), "'aaa...'");
}

TEST(Files, readsWithinTheBound) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(fs::createUniqueDirectory("fly-files", folder));
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "file");
  std::string content(5000, 'x');
  {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    os << content;
  }
  llvm::Expected<std::string> whole = readSmallFile(path, 5000);
  ASSERT_TRUE(bool(whole));
  EXPECT_EQ(*whole, content);
  auto fails = [](llvm::Expected<std::string> result, llvm::StringRef text) {
    ASSERT_FALSE(bool(result));
    EXPECT_TRUE(
        llvm::StringRef(llvm::toString(result.takeError())).contains(text));
  };
  fails(readSmallFile(path, 4999), "larger than 4999 bytes");
  fails(readSmallFile(folder, 4999), "not a regular file");
  fails(readSmallFile("/dev/zero", 4999), "not a regular file");
  llvm::sys::path::append(path, "below");
  fails(readSmallFile(path, 10), "cannot be read");
  // The kernel does not tell the size of these.
  llvm::Expected<std::string> pseudo =
      readSmallFile("/proc/self/cmdline", 1 << 20);
  ASSERT_TRUE(bool(pseudo));
  EXPECT_FALSE(pseudo->empty());
  fs::remove_directories(folder);
}
