// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that several passes share, said once: a pass that resolves
// targets derives from `TargetPass`, a pass that compiles or derives keys from
// `CompilePass` (as the base class of its definition in TableGen). The law: one
// text of options means the same to each of these passes.
//
//   def FlyCacheKey : PassBase<"fly-cache-key", "::mlir::fly::CompilePass"> ...
//   // in the pass: CompileOptions said = compileOptions();

#ifndef FLY_ANALYSIS_PASSOPTIONS_H
#define FLY_ANALYSIS_PASSOPTIONS_H

#include "fly/Analysis/Options.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fly {

/// A pass on builtin.module with the options of `fly-resolve-target`.
class TargetPass : public OperationPass<ModuleOp> {
public:
  /// Sets the options from values, for callers in C++.
  void setResolveOptions(const ResolveOptions &options);

protected:
  explicit TargetPass(TypeID passID) : OperationPass<ModuleOp>(passID) {}
  TargetPass(const TargetPass &other) : OperationPass<ModuleOp>(other) {}

  ResolveOptions resolveOptions() const;

private:
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("The target, in any spelling: gfx942:xnack-")};
  ListOption<std::string> targets{
      *this, "targets",
      llvm::cl::desc("Several targets, one object each: gfx942,gfx950")};
  Option<unsigned> wave{*this, "wave",
                        llvm::cl::desc("Lanes of a wave: 32 or 64")};
  Option<bool> cumode{*this, "cumode",
                      llvm::cl::desc("Compute-unit mode of the workgroup")};
  Option<unsigned> abi{*this, "abi",
                       llvm::cl::desc("Code-object version: 500 or 600")};
  Option<::fly::amdgpu::DetectMode> detect{
      *this, "detect",
      llvm::cl::desc("Where to look for a GPU when no target is given"),
      llvm::cl::init(::fly::amdgpu::DetectMode::Auto),
      llvm::cl::values(
          clEnumValN(::fly::amdgpu::DetectMode::Auto, "auto",
                     "The kernel driver, then programs"),
          clEnumValN(::fly::amdgpu::DetectMode::Kfd, "kfd",
                     "The kernel driver only"),
          clEnumValN(::fly::amdgpu::DetectMode::Tool, "tool", "Programs only"),
          clEnumValN(::fly::amdgpu::DetectMode::None, "none", "Nowhere"))};
  Option<std::string> kfdRoot{
      *this, "kfd-root",
      llvm::cl::desc("The folder `nodes` of the kernel driver's topology")};
  Option<std::string> archTool{
      *this, "arch-tool",
      llvm::cl::desc("A program that prints one processor a line")};
  Option<std::string> deviceName{
      *this, "device-name",
      llvm::cl::desc("The gcnArchName of a device that the caller holds")};
  Option<std::string> allowDefault{
      *this, "allow-default",
      llvm::cl::desc("The target when no source says one")};
  Option<::fly::amdgpu::FeaturePolicy> featurePolicy{
      *this, "feature-policy",
      llvm::cl::desc("What becomes of the features of a detected device"),
      llvm::cl::init(::fly::amdgpu::FeaturePolicy::Portable),
      llvm::cl::values(clEnumValN(::fly::amdgpu::FeaturePolicy::Portable,
                                  "portable", "Code for either setting"),
                       clEnumValN(::fly::amdgpu::FeaturePolicy::Exact, "exact",
                                  "Code for the device's setting"))};
  Option<::fly::amdgpu::ConflictPolicy> onConflict{
      *this, "on-conflict",
      llvm::cl::desc("What to do when explicit sources disagree"),
      llvm::cl::init(::fly::amdgpu::ConflictPolicy::Error),
      llvm::cl::values(
          clEnumValN(::fly::amdgpu::ConflictPolicy::Error, "error", "Refuse"),
          clEnumValN(::fly::amdgpu::ConflictPolicy::Override, "override",
                     "Take the strongest"))};
  Option<bool> env{*this, "env",
                   llvm::cl::desc("Whether variables are looked at"),
                   llvm::cl::init(true)};
  Option<ReportFormat> report{
      *this, "report",
      llvm::cl::desc("Give the report of the resolution as a remark"),
      llvm::cl::init(ReportFormat::None),
      llvm::cl::values(
          clEnumValN(ReportFormat::None, "none", "No report"),
          clEnumValN(ReportFormat::Json, "json", "One line of JSON"),
          clEnumValN(ReportFormat::Text, "text", "Some lines of text"))};
};

/// A pass that compiles or derives keys: the options of a compile, too.
class CompilePass : public TargetPass {
public:
  /// Sets the options from values, for callers in C++.
  void setCompileOptions(const CompileOptions &options);

protected:
  explicit CompilePass(TypeID passID) : TargetPass(passID) {}
  CompilePass(const CompilePass &other) : TargetPass(other) {}

  CompileOptions compileOptions() const;

private:
  Option<unsigned> optLevel{*this, "opt-level",
                            llvm::cl::desc("Optimisation level: 0 to 3")};
  Option<DebugKind> debug{
      *this, "debug", llvm::cl::desc("Debug information of the code object"),
      llvm::cl::init(DebugKind::None),
      llvm::cl::values(clEnumValN(DebugKind::None, "none", "None"),
                       clEnumValN(DebugKind::Lines, "lines", "Line tables"),
                       clEnumValN(DebugKind::Full, "full", "All"))};
  ListOption<std::string> hints{
      *this, "hints",
      llvm::cl::desc("waves_per_eu=N, maxnreg=N, fast_fp_math=B, "
                     "unsafe_fp_math=B")};
  ListOption<std::string> llvmOptions{
      *this, "llvm-options",
      llvm::cl::desc("Options of LLVM's code generator: name=value")};
  Option<std::string> llvmDir{
      *this, "llvm-dir",
      llvm::cl::desc("Prefix of the LLVM that shall compile")};
  ListOption<std::string> link{
      *this, "link", llvm::cl::desc("Bitcode files to link, in order")};
  Option<std::string> deviceLibraries{
      *this, "device-libs",
      llvm::cl::desc("The folder of the device libraries, or a ROCm root")};
  ListOption<std::string> inputs{
      *this, "inputs",
      llvm::cl::desc("Files and folders whose content joins the key")};
  Option<std::string> salt{*this, "salt",
                           llvm::cl::desc("A text that joins the key")};
  ListOption<std::string> prefixMap{
      *this, "prefix-map",
      llvm::cl::desc("from=to: rewrites paths in debug information")};
  Option<bool> requireRelocatable{
      *this, "require-relocatable",
      llvm::cl::desc("Refuse absolute paths in debug information"),
      llvm::cl::init(false)};
  Option<bool> allowOpaque{
      *this, "allow-opaque",
      llvm::cl::desc("Hash unregistered ops and attributes as they print"),
      llvm::cl::init(false)};
};

} // namespace mlir::fly

#endif // FLY_ANALYSIS_PASSOPTIONS_H
