// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-materialize-rocdl-target: each target becomes the attribute that
// upstream's passes read.

#include "fly/Analysis/CacheKey.h"
#include "fly/Analysis/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYMATERIALIZEROCDLTARGET
#include "fly/Analysis/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;

namespace {
struct MaterializeROCDLTarget
    : mlir::fly::impl::FlyMaterializeROCDLTargetBase<MaterializeROCDLTarget> {
  void runOnOperation() override;
};
} // namespace

void MaterializeROCDLTarget::runOnOperation() {
  FailureOr<std::vector<CompileUnit>> units = compileUnits(
      getOperation(), compileOptions(), ::fly::support::Environment::capture());
  if (failed(units))
    return signalPassFailure();
  llvm::MapVector<Operation *, SmallVector<Attribute>> targets;
  for (CompileUnit &unit : *units)
    targets[unit.module].push_back(
        toROCDL(&getContext(), unit.target, unit.options));
  for (auto &[op, attributes] : targets)
    cast<gpu::GPUModuleOp>(op).setTargetsAttr(
        ArrayAttr::get(&getContext(), attributes));
}
