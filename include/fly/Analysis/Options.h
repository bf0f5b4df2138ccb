// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a caller may say about a compile, as plain values. `CompileOptions` is
// what was said (a field that was not said stays empty); `CodegenOptions` is
// what holds in the end, with every default filled in, and is what enters the
// key. The law: unset and an explicit default give equal `CodegenOptions`.
//
//   CompileOptions said;                      // nothing said
//   said.optLevel = 2;                        // the same key: 2 is the default

#ifndef FLY_ANALYSIS_OPTIONS_H
#define FLY_ANALYSIS_OPTIONS_H

#include "fly/Target/AMDGPU/Resolve.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::fly {

/// How the report of a target resolution is given as a remark.
enum class ReportFormat { None, Json, Text };

/// How to find the target: the options of `fly-resolve-target`.
struct ResolveOptions : ::fly::amdgpu::ResolveOptions {
  ReportFormat report = ReportFormat::None;
};

/// What of the source locations reaches the code object.
enum class DebugKind { None, Lines, Full };

/// "none", "lines" or "full".
StringRef spell(DebugKind kind);

/// Compile hints that become attributes of kernels before anything is hashed.
/// Zero means "no hint", which is the same as not given.
struct Hints {
  int64_t wavesPerEu = 0;
  /// Upper bound of vector registers, `maxnreg` in hint lists.
  int64_t maxVgprs = 0;
};

/// What a caller says about a compile; empty fields are not said.
struct CompileOptions {
  ResolveOptions resolve;
  std::optional<unsigned> optLevel;
  std::optional<DebugKind> debug;
  /// `name=value`: waves_per_eu, maxnreg, fast_fp_math, unsafe_fp_math.
  std::vector<std::string> hints;
  /// `name` or `name=value` of options of LLVM's code generator.
  std::vector<std::string> llvmOptions;
  /// The prefix of the LLVM that shall compile; empty for the loaded one.
  std::string llvmDir;
  /// Bitcode files to link, in order.
  std::vector<std::string> link;
  /// The folder of the device libraries or a ROCm root; empty to search.
  std::string deviceLibraries;
  /// Files and folders whose content joins the key.
  std::vector<std::string> inputs;
  /// Any text that keeps keys of one user apart; empty is absent.
  std::string salt;
  /// With debug information: `from=to`, first match at the beginning of a path.
  std::vector<std::string> prefixMap;
  /// With debug information: an absolute path that is left is an error.
  bool requireRelocatable = false;
  /// Unregistered ops and opaque attributes are hashed as they print.
  bool allowOpaque = false;
};

/// What holds for one gpu.module and one target; no field is "not said".
struct CodegenOptions {
  unsigned optLevel = 2;
  DebugKind debug = DebugKind::None;
  /// Flags of `#rocdl.target`: they only choose variants of device libraries.
  bool fastMath = false;
  bool unsafeMath = false;
  bool finiteOnly = false;
  bool daz = false;
  bool correctSqrt = true;
  /// Hints that only device libraries heed, as they were named.
  std::vector<std::string> mathHints;
  Hints hints;
  /// Options of LLVM's code generator: name and value, sorted by name, no name
  /// twice.
  std::vector<std::pair<std::string, std::string>> llvmOptions;
  /// The prefix of the LLVM that shall compile; empty for the loaded one.
  std::string llvmDir;
  /// Bitcode files that the user links, in order.
  std::vector<std::string> link;
  std::string deviceLibraries;
  /// Pairs from, to.
  std::vector<std::pair<std::string, std::string>> prefixMap;
  bool requireRelocatable = false;
  bool allowOpaque = false;
  std::vector<std::string> inputs;
  std::string salt;
};

/// The options that hold for `module` and `target`. Strongest first: what
/// `options` say, the `#rocdl.target` of `module` that means `target` (or names
/// no processor), the variables of `environment` (ours before FlyDSL's), the
/// defaults. Emits FLY-K006 at `module` for an unknown name or a value of the
/// wrong type.
FailureOr<CodegenOptions>
effectiveOptions(gpu::GPUModuleOp module, const ::fly::amdgpu::Target &target,
                 const CompileOptions &options,
                 const ::fly::support::Environment &environment);

} // namespace mlir::fly

#endif // FLY_ANALYSIS_OPTIONS_H
