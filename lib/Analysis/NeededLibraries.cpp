// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which device libraries a canonical module may need, told from its ops before
// they are lowered. A key must be known before that, so this errs on the side
// of more: a library too many costs a miss when that library differs, one too
// few would be a stale hit.
//
// Source of the table: what `convert-gpu-to-rocdl` and `convert-math-to-llvm`
// of LLVM 22.1.8 make of each op of `math` and `arith`, tried one by one.

#include "fly/Analysis/CanonicalModule.h"
#include "fly/Analysis/DeviceLibraries.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"

#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fly;

namespace {
/// Bits of a set of libraries, in the order of linking.
enum Library : unsigned { openCL = 1, hip = 2, ocml = 4, ockl = 8 };
} // namespace

/// Ops of the dialect `math` that become intrinsics or instructions for every
/// type; all others may become a call of ocml.
static bool isIntrinsic(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"math.absf", "math.absi", "math.copysign", "math.ctlz",
              "math.ctpop", "math.cttz", "math.fma", "math.ipowi"},
             true)
      .Cases({"math.isfinite", "math.isinf", "math.isnan", "math.isnormal"},
             true)
      .Cases({"math.round", "math.roundeven", "math.sqrt", "math.trunc"}, true)
      .Default(false);
}

/// `exp` and `log` are intrinsics for these types only.
static bool isSingleOrBrain(Operation *op) {
  Type type = getElementTypeOrSelf(op->getOperand(0));
  return type.isF32() || type.isBF16();
}

static unsigned needsOfOp(Operation *op) {
  StringRef name = op->getName().getStringRef();
  // Sizes of the launch are calls of ockl, unless an attribute knows them.
  if (isa<gpu::PrintfOp, gpu::GridDimOp, gpu::BlockDimOp, gpu::GlobalIdOp>(
          op) ||
      name == "fly.print" || name.starts_with("rocdl.grid.dim.") ||
      name.starts_with("rocdl.workgroup.dim."))
    return ockl;
  if (name == "arith.remf" || name == "llvm.frem")
    return ocml;
  if (!name.starts_with("math.") || isIntrinsic(name))
    return 0;
  if ((name == "math.exp" || name == "math.log") && isSingleOrBrain(op))
    return 0;
  return ocml;
}

/// What a declared function of this name needs; the rules of DeviceLibraries.
static unsigned needsOfName(StringRef name) {
  if (name.starts_with("__ocml_"))
    return ocml;
  if (name.starts_with("__ockl_"))
    return ockl;
  if (name == "__atomic_work_item_fence")
    return hip;
  return name == "printf" ? openCL | ocml | ockl : 0;
}

std::vector<std::string>
mlir::fly::mayNeedDeviceLibraries(const CanonicalPlan &plan) {
  unsigned needs = 0;
  for (Operation *top : plan.kept()) {
    if (StringAttr name =
            top->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      needs |= needsOfName(name.getValue());
    top->walk([&](Operation *op) { needs |= needsOfOp(op); });
  }
  std::vector<std::string> names;
  if (needs & openCL)
    names.push_back("opencl.bc");
  if (needs & hip)
    names.push_back("hip.bc");
  if (needs & ocml)
    names.push_back("ocml.bc");
  if (needs & ockl)
    names.push_back("ockl.bc");
  return names;
}
