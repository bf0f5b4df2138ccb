// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The key of a compiled kernel. In go a gpu.module, its resolved target, the
// options and what the files and the toolchain are; out comes a list of named
// components, each with its own digest, and one key over them. The law: the
// key depends on the compile input only, never on how the target was said, on
// a path, on a variable's text, or on the program that asks.
//
//   CacheKeyAnalysis analysis(module);
//   KeyEnvironment environment;
//   FailureOr<CacheKey> key = deriveKey(analysis, target, codegen,
//   environment); key->text();                                     //
//   "fly1-9c41..."
//
// Equal keys are promised within one toolchain. A change of the rules here or
// in the canonical module needs a new `keySchema`.

#ifndef FLY_ANALYSIS_CACHEKEY_H
#define FLY_ANALYSIS_CACHEKEY_H

#include "fly/Analysis/CanonicalModule.h"
#include "fly/Analysis/TargetResolution.h"
#include "fly/Analysis/Toolchain.h"
#include "fly/Support/CacheKey.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::fly {

/// Name of the discardable attribute and object property that hold a key.
inline constexpr llvm::StringLiteral keyAttrName = "fly.cache_key";

/// The passes that a canonical module goes through, as text with the places of
/// target and options left open; the component `pipeline`.
StringRef devicePipelineText();

/// What a derivation reads besides the IR. The default reads the process and
/// the files; tests and bindings override.
class KeyEnvironment {
public:
  KeyEnvironment() : variables(::fly::support::Environment::capture()) {}
  explicit KeyEnvironment(::fly::support::Environment variables)
      : variables(std::move(variables)) {}
  virtual ~KeyEnvironment() = default;

  const ::fly::support::Environment &environment() const { return variables; }

  virtual llvm::Expected<Toolchain> toolchain() const;
  /// The identity of the LLVM below `prefix`.
  virtual llvm::Expected<Toolchain> externalLLVM(StringRef prefix) const;
  /// Options of LLVM that may change code and were given to this program.
  virtual std::vector<std::string> givenOptions() const;
  /// The content of a file.
  virtual llvm::Expected<std::string> readFile(StringRef path) const;
  /// The path of the device library `fileName`, nothing when it is not found.
  virtual std::optional<std::string> deviceLibrary(StringRef fileName,
                                                   StringRef option) const;

private:
  ::fly::support::Environment variables;
};

// The key as a value stands in Support, where the store recomputes it.
using ::fly::support::CacheKey;
using ::fly::support::KeyComponent;
using ::fly::support::KeyField;
using ::fly::support::keySchema;

/// What keys need to know of one gpu.module; an MLIR analysis that holds what
/// was asked for until the module changes. Never changes the IR.
class CacheKeyAnalysis {
public:
  explicit CacheKeyAnalysis(Operation *op) : op(op) {}

  gpu::GPUModuleOp module() const;
  FailureOr<CanonicalPlan> plan(const PlanOptions &options);
  /// The digest of the canonical module. Emits what `CanonicalPlan` emits.
  FailureOr<::fly::support::Digest> irDigest(const PlanOptions &options);
  /// Names of the device libraries that the module may need.
  FailureOr<std::vector<std::string>>
  deviceLibraries(const PlanOptions &options);

private:
  struct Known {
    PlanOptions options;
    ::fly::support::Digest digest;
    std::vector<std::string> libraries;
  };

  /// Makes the facts for `options` the last of `known`.
  LogicalResult analyse(const PlanOptions &options);

  Operation *op;
  std::vector<Known> known;
};

/// The identity of the LLVM that `options` ask for; empty when they ask for
/// none, or for one that is the loaded one by its build-ids.
llvm::Expected<Toolchain> otherLLVM(const CodegenOptions &options,
                                    const KeyEnvironment &environment);

/// Derives the key of the analysed module for one target. Emits K-coded errors
/// at the module, and a remark for a hint that has no effect on it.
FailureOr<CacheKey> deriveKey(CacheKeyAnalysis &analysis,
                              const ::fly::amdgpu::Target &target,
                              const CodegenOptions &options,
                              const KeyEnvironment &environment);

/// One unit of work: a gpu.module, one of its targets, the options that hold.
struct CompileUnit {
  gpu::GPUModuleOp module;
  ::fly::amdgpu::Target target;
  CodegenOptions options;
};

/// `@kernels gfx1100,wave=64`: name and target as two words.
std::string unitTitle(const CompileUnit &unit);

/// Resolves the targets of every gpu.module of `module` and the options of
/// each: what `fly-cache-key` and `fly-to-binary` both start from.
FailureOr<std::vector<CompileUnit>>
compileUnits(ModuleOp module, const CompileOptions &options,
             const ::fly::support::Environment &environment);

} // namespace mlir::fly

#endif // FLY_ANALYSIS_CACHEKEY_H
