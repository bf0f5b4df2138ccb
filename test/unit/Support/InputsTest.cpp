// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of extra inputs: content and relative paths count, places do not.

#include "fly/Support/Inputs.h"

#include "fly/Support/Errors.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace fly::support;
namespace fs = llvm::sys::fs;

namespace {

class Inputs : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("fly-inputs", root));
  }
  void TearDown() override { fs::remove_directories(root); }

  std::string path(llvm::StringRef relative) {
    llvm::SmallString<128> full = root;
    llvm::sys::path::append(full, relative);
    return full.str().str();
  }
  void write(llvm::StringRef relative, llvm::StringRef content) {
    std::string file = path(relative);
    ASSERT_FALSE(fs::create_directories(llvm::sys::path::parent_path(file)));
    std::error_code error;
    llvm::raw_fd_ostream os(file, error);
    ASSERT_FALSE(error);
    os << content;
  }
  /// The digest, or the message of the error.
  std::string digest(std::vector<std::string> relative) {
    for (std::string &name : relative)
      name = path(name);
    auto found = digestInputs(relative);
    return found ? found->hex() : llvm::toString(found.takeError());
  }

  llvm::SmallString<128> root;
};

TEST_F(Inputs, countByContentAndRelativePath) {
  write("a/x/one.py", "1");
  write("a/two.py", "2");
  write("b/x/one.py", "1");
  write("b/two.py", "2");
  EXPECT_EQ(digest({"a"}), digest({"b"}));
  EXPECT_EQ(digest({"a", "b"}), digest({"a"}));
  write("b/.git/HEAD", "x");
  write("b/__pycache__/one.pyc", "x");
  write("b/two.py~", "x");
  EXPECT_EQ(digest({"a"}), digest({"b"}));
  write("c/one.py", "1");
  EXPECT_EQ(digest({"a", "c"}), digest({"c", "b"}));
  write("b/two.py", "3");
  EXPECT_NE(digest({"a"}), digest({"b"}));
  write("d/x/renamed.py", "1");
  write("d/two.py", "2");
  EXPECT_NE(digest({"a"}), digest({"d"}));
}

TEST_F(Inputs, linksCountAsWhatTheyLeadTo) {
  write("a/one.py", "1");
  write("real.py", "1");
  ASSERT_FALSE(fs::create_directories(path("b")));
  ASSERT_FALSE(fs::create_link(path("real.py"), path("b/one.py")));
  EXPECT_EQ(digest({"a"}), digest({"b"}));
  ASSERT_FALSE(fs::create_link(path("b"), path("b/around")));
  EXPECT_NE(digest({"b"}).find("[FLY-K003]"), std::string::npos);
}

TEST_F(Inputs, missingRootsAreErrors) {
  std::string message = digest({"gone"});
  EXPECT_NE(message.find("gone"), std::string::npos);
  EXPECT_NE(message.find("[FLY-K003]"), std::string::npos);
}

} // namespace
