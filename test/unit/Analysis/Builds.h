// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build as a value: all that a key may depend on, and much that it must not,
// so that a test changes one thing of it and looks which components moved.
//
//   Build build;                          // a kernel for gfx942
//   build.options.optLevel = 3;
//   std::optional<CacheKey> key = deriveOne(build);

#ifndef FLY_TEST_UNIT_ANALYSIS_BUILDS_H
#define FLY_TEST_UNIT_ANALYSIS_BUILDS_H

#include "Fixture.h"

#include "../Target/AMDGPU/TestSupport.h"

#include <map>

namespace mlir::fly::test {

using ::fly::amdgpu::TemporaryFolder;
using Variables = std::vector<std::pair<std::string, std::string>>;

struct Build {
  std::string text = "gpu.module @m { gpu.func @k(%a: f32, %i: i32) kernel { "
                     "%x = arith.constant 1 : i32 "
                     "%y = arith.addi %i, %x : i32 "
                     "%z = arith.addf %a, %a : f32 gpu.return } }";
  CompileOptions options;
  Variables variables;
  /// The toolchain that compiles, and those below prefixes.
  Toolchain parts{{"fly", "1"}, {"libLLVM", "2"}, {"libMLIR", "3"}};
  std::map<std::string, Toolchain> prefixes;
  /// Options of LLVM that were given to the program.
  std::vector<std::string> given;
  /// Threads of MLIR's context.
  bool threads = false;
  /// Parse the module's bytecode in place of its text.
  bool viaBytecode = false;

  Build() {
    options.resolve.target = "gfx942";
    options.resolve.detect = ::fly::amdgpu::DetectMode::None;
  }
};

/// Files are the machine's, all else is what the build says.
class BuildEnvironment : public KeyEnvironment {
public:
  explicit BuildEnvironment(const Build &build)
      : KeyEnvironment(::fly::support::Environment::fromPairs(build.variables)),
        build(build) {}

  llvm::Expected<Toolchain> toolchain() const override { return build.parts; }
  llvm::Expected<Toolchain> externalLLVM(StringRef prefix) const override {
    auto found = build.prefixes.find(prefix.str());
    if (found == build.prefixes.end())
      return KeyEnvironment::externalLLVM(prefix);
    return found->second;
  }
  std::vector<std::string> givenOptions() const override { return build.given; }

private:
  const Build &build;
};

/// The key of the first unit of `build`; nothing after diagnostics, which
/// `messages` gets.
std::optional<CacheKey> deriveOne(const Build &build,
                                  std::string *messages = nullptr);
/// The same in a context that is there; its `messages` are of this call.
std::optional<CacheKey> deriveOne(Fixture &f, const Build &build);

/// The text of the key, or "failed: " and the diagnostics.
std::string keyText(const Build &build);

/// The names of the components in which two keys differ.
std::vector<std::string> differing(const CacheKey &a, const CacheKey &b);

} // namespace mlir::fly::test

#endif // FLY_TEST_UNIT_ANALYSIS_BUILDS_H
