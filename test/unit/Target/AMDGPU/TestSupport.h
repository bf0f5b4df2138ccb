// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of this folder share: errors as text, and temporary folders
// with KFD trees and programs in them.

#ifndef FLY_TEST_UNIT_TARGET_AMDGPU_TESTSUPPORT_H
#define FLY_TEST_UNIT_TARGET_AMDGPU_TESTSUPPORT_H

#include "fly/Target/AMDGPU/Target.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <string>

namespace fly::amdgpu {

inline void PrintTo(const Target &target, std::ostream *os) {
  *os << target.fullText();
}

/// The whole text of an error, or "" when there is none.
inline std::string textOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}
inline std::string textOf(llvm::Expected<Target> result) {
  return result ? "no error: " + result->fullText()
                : llvm::toString(result.takeError());
}

/// Expects each of `parts` in `text`.
inline void expectAll(const std::string &text,
                      std::initializer_list<llvm::StringRef> parts) {
  for (llvm::StringRef part : parts)
    EXPECT_TRUE(llvm::StringRef(text).contains(part))
        << "expected: " << part.str() << "\nin: " << text;
}

/// A folder that is removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("fly-target", root));
  }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(root); }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string path(llvm::StringRef name = "") const {
    llvm::SmallString<128> result(root);
    if (!name.empty())
      llvm::sys::path::append(result, name);
    return result.str().str();
  }

  std::string write(llvm::StringRef name, llvm::StringRef content) const {
    std::string file = path(name);
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file));
    std::error_code code;
    llvm::raw_fd_ostream os(file, code);
    EXPECT_FALSE(code) << file;
    os << content;
    return file;
  }

  /// An executable shell script.
  std::string program(llvm::StringRef name, llvm::StringRef body) const {
    std::string file = write(name, ("#!/bin/sh\n" + body + "\n").str());
    llvm::sys::fs::setPermissions(file, llvm::sys::fs::all_read |
                                            llvm::sys::fs::owner_all);
    return file;
  }

  /// A node of a KFD topology with a GPU.
  void gpuNode(unsigned number, unsigned version, uint64_t id = 0) const {
    std::string text = "cpu_cores_count 0\nsimd_count 416\n"
                       "lds_size_in_kb 64\ngfx_target_version " +
                       std::to_string(version) + "\nunique_id " +
                       std::to_string(id) + "\ncapability2 0\n";
    write(std::to_string(number) + "/properties", text);
  }
  void cpuNode(unsigned number) const {
    write(std::to_string(number) + "/properties",
          "cpu_cores_count 64\nsimd_count 0\ngfx_target_version 0\n");
  }

private:
  llvm::SmallString<128> root;
};

/// `gfx_target_version` of a processor.
inline unsigned kfdVersion(const Chip &chip) {
  return chip.isa.major * 10000 + chip.isa.minor * 100 + chip.isa.stepping;
}

/// The version with dots, all parts decimal.
inline std::string dottedVersion(const Chip &chip) {
  return std::to_string(chip.isa.major) + "." + std::to_string(chip.isa.minor) +
         "." + std::to_string(chip.isa.stepping);
}

/// Every combination of fields that is valid for some processor.
inline std::vector<Target> allTargets() {
  std::vector<Target> targets;
  auto settings = [](FeatureSupport support) {
    return support == FeatureSupport::Selectable
               ? std::vector<Setting>{Setting::Any, Setting::Off, Setting::On}
               : std::vector<Setting>{Setting::Unsupported};
  };
  for (const Chip &chip : allChips())
    for (Setting sramecc : settings(chip.sramecc))
      for (Setting xnack : settings(chip.xnack))
        for (unsigned wave : {32u, 64u})
          for (bool cumode : {false, true})
            for (unsigned abi : allowedAbis())
              if (chip.supportsWave(wave) && (!cumode || chip.wgp))
                targets.push_back(
                    {chip.name.str(), sramecc, xnack, wave, cumode, abi});
  return targets;
}

} // namespace fly::amdgpu

#endif // FLY_TEST_UNIT_TARGET_AMDGPU_TESTSUPPORT_H
