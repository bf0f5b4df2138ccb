// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the driver share: a folder with files that goes away.

#ifndef FLY_TEST_UNIT_DRIVER_FIXTURE_H
#define FLY_TEST_UNIT_DRIVER_FIXTURE_H

#include "fly/Driver/Batch.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

namespace mlir::fly {

class WorkFolder {
public:
  WorkFolder() {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("fly-driver", path));
    root = std::string(path);
  }
  WorkFolder(const WorkFolder &) = delete;
  ~WorkFolder() { (void)llvm::sys::fs::remove_directories(root); }

  std::string path(StringRef name) const { return root + "/" + name.str(); }

  /// Writes a file and answers its path.
  std::string write(StringRef name, StringRef text) const {
    std::string file = path(name);
    EXPECT_FALSE(
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file)));
    std::error_code code;
    llvm::raw_fd_ostream os(file, code);
    EXPECT_FALSE(code) << file;
    os << text;
    return file;
  }

  /// A module with one kernel.
  std::string writeKernel(StringRef name) const {
    std::string text = "gpu.module @m {\n  gpu.func @";
    text += name.str() + "(%x: !fly.ptr<i32, global>) kernel {\n";
    text += "    gpu.return\n  }\n}\n";
    return write(name.str() + ".mlir", text);
  }

private:
  std::string root;
};

} // namespace mlir::fly

#endif // FLY_TEST_UNIT_DRIVER_FIXTURE_H
