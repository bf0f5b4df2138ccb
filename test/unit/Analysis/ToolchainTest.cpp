// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The identity of the toolchain: every part is there, says something, and does
// not change.

#include "Fixture.h"

using namespace mlir::fly;

static bool isHex(llvm::StringRef text) {
  return text.size() >= 16 &&
         text.find_first_not_of("0123456789abcdef") == llvm::StringRef::npos;
}

TEST(Toolchain, namesEachPart) {
  llvm::Expected<Toolchain> toolchain = identifyToolchain();
  ASSERT_TRUE(bool(toolchain)) << llvm::toString(toolchain.takeError());
  std::vector<std::string> names;
  for (const auto &[name, identity] : *toolchain) {
    names.push_back(name);
    EXPECT_TRUE(isHex(identity)) << name << " " << identity;
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"fly", "libLLVM", "libMLIR", "lld"}));
  llvm::Expected<Toolchain> again = identifyToolchain();
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(*again, *toolchain);
}

TEST(Toolchain, doesNotRecogniseAddressesOfNothing) {
  std::string path;
  EXPECT_EQ(buildIdOfLoadedObject(nullptr, path), "");
  EXPECT_EQ(path, "");
}
