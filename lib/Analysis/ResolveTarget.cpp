// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-resolve-target: the outcome of the resolution becomes the
// attribute `fly.target`.

#include "fly/Analysis/CanonicalModule.h"
#include "fly/Analysis/Passes.h"
#include "fly/Analysis/TargetResolution.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYRESOLVETARGET
#include "fly/Analysis/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;
using ::fly::support::Environment;

namespace {
struct ResolveTarget : mlir::fly::impl::FlyResolveTargetBase<ResolveTarget> {
  void runOnOperation() override;

private:
  LogicalResult resolveModules(const Environment &environment);
};
} // namespace

/// Resolves each gpu.module, then writes.
LogicalResult ResolveTarget::resolveModules(const Environment &environment) {
  FailureOr<std::vector<ModuleTargets>> resolved =
      resolveTargets(getOperation(), resolveOptions(), environment);
  if (failed(resolved))
    return failure();
  for (ModuleTargets &entry : *resolved)
    if (failed(checkLayoutAttributes(entry.module)))
      return failure();
  Attribute common;
  bool agree = true;
  for (ModuleTargets &entry : *resolved) {
    Attribute target = targetAttribute(&getContext(), entry.resolution.targets);
    entry.module->setDiscardableAttr(targetAttrName, target);
    agree &= !common || common == target;
    common = target;
  }
  if (agree)
    getOperation()->setDiscardableAttr(targetAttrName, common);
  return success();
}

void ResolveTarget::runOnOperation() {
  Environment environment = Environment::capture();
  ModuleOp module = getOperation();
  if (!gpuModulesOf(module).empty()) {
    if (failed(resolveModules(environment)))
      signalPassFailure();
    return;
  }
  // Kernels may still be built into it.
  FailureOr<::fly::amdgpu::Resolution> resolution =
      resolveTarget(module, resolveOptions(), environment);
  if (failed(resolution))
    return signalPassFailure();
  module->setDiscardableAttr(
      targetAttrName, targetAttribute(&getContext(), resolution->targets));
}
