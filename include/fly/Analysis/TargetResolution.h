// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets of modules. In go IR, options and variables; out comes for each
// gpu.module the list of targets that it is compiled for (one, or several for a
// fat build) with a report of where they came from. The laws: nothing is
// written into the IR here; the targets do not depend on which source said
// them; a module that carries its resolved target resolves to it again.
//
//   FailureOr<std::vector<ModuleTargets>> all =
//       resolveTargets(module, options, Environment::capture());
//
// Errors and remarks stand at the gpu.module that they are about and end with
// their code: `no target: ... [FLY-T001]`.

#ifndef FLY_ANALYSIS_TARGETRESOLUTION_H
#define FLY_ANALYSIS_TARGETRESOLUTION_H

#include "fly/Analysis/Options.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace mlir::fly {

/// Name of the discardable attribute that holds the resolved target: one
/// `#fly.target`, or an array of them for a fat build.
inline constexpr llvm::StringLiteral targetAttrName = "fly.target";

/// A gpu.module and what it is compiled for.
struct ModuleTargets {
  gpu::GPUModuleOp module;
  ::fly::amdgpu::Resolution resolution;
};

/// The gpu.modules in `module` and in builtin.modules nested in it, in order.
std::vector<gpu::GPUModuleOp> gpuModulesOf(ModuleOp module);

/// Resolves the target of `op`, a gpu.module or a builtin.module.
FailureOr<::fly::amdgpu::Resolution>
resolveTarget(Operation *op, const ResolveOptions &options,
              const ::fly::support::Environment &environment);

/// Resolves the targets of every gpu.module of `module`.
FailureOr<std::vector<ModuleTargets>>
resolveTargets(ModuleOp module, const ResolveOptions &options,
               const ::fly::support::Environment &environment);

/// The attribute that says `targets` in IR: a `#fly.target` or an array.
Attribute targetAttribute(MLIRContext *context,
                          ArrayRef<::fly::amdgpu::Target> targets);

/// `target` and the options of code generation as the attribute that upstream
/// serialisation reads: the features in fixed order, `no_wave64` exactly for
/// waves of 32.
ROCDL::ROCDLTargetAttr toROCDL(MLIRContext *context,
                               const ::fly::amdgpu::Target &target,
                               const CodegenOptions &options);

/// The target that `attribute` means. Wave, sramecc, xnack and cumode come
/// from its features and the processor's defaults, never from its flags. Fails
/// with T002, T003 or T004, and T009 for a triple that is not the backend's.
llvm::Expected<::fly::amdgpu::Target>
fromROCDL(ROCDL::ROCDLTargetAttr attribute);

/// Whether `attribute` names a processor. MLIR fills in gfx900 when none is
/// written, and the two cannot be told apart: so gfx900 counts as none, since a
/// default is never taken for a target.
bool namesProcessor(ROCDL::ROCDLTargetAttr attribute);

/// Where to show what is said about `op`: its location; for a module that the
/// parser put around the ops of a file, which has no line, the first op in it
/// or the beginning of the file.
Location placeOf(Operation *op);

/// The resolved targets that a gpu.module carries, itself or on a module around
/// it; an MLIR analysis. Empty when it was not resolved.
class TargetAnalysis {
public:
  explicit TargetAnalysis(Operation *op);

  ArrayRef<::fly::amdgpu::Target> targets() const { return found; }

private:
  std::vector<::fly::amdgpu::Target> found;
};

} // namespace mlir::fly

#endif // FLY_ANALYSIS_TARGETRESOLUTION_H
