// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass convert-rocdl-fastmath-ops: `math.exp2` on f32, or on vectors of
// them, whose flags waive accuracy (`afn`) becomes the hardware's instruction.
//
//   math.exp2 %x fastmath<afn> : f32  ->  rocdl.exp2 %x f32 -> f32

#include "fly/Dialect/FlyROCDL/Transforms/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace mlir::fly_rocdl {
#define GEN_PASS_DEF_CONVERTROCDLFASTMATHOPS
#include "fly/Dialect/FlyROCDL/Transforms/Passes.h.inc"
} // namespace mlir::fly_rocdl

using namespace mlir;

/// Whether the op may lose accuracy and has a type that can be taken apart.
static bool isEligible(math::Exp2Op op) {
  if (!bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
    return false;
  Type type = op.getType();
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getElementType().isF32() && !vector.isScalable();
  return type.isF32();
}

static Value expand(OpBuilder &b, math::Exp2Op op) {
  Location loc = op.getLoc();
  Type f32 = b.getF32Type();
  auto vector = dyn_cast<VectorType>(op.getType());
  if (!vector)
    return ROCDL::ROCDLExp2::create(b, loc, f32, op.getOperand());
  auto flat = VectorType::get({vector.getNumElements()}, f32);
  Value in = op.getOperand();
  if (in.getType() != flat)
    in = vector::ShapeCastOp::create(b, loc, flat, in);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < flat.getNumElements(); ++i) {
    Value element = vector::ExtractOp::create(b, loc, in, i);
    elements.push_back(ROCDL::ROCDLExp2::create(b, loc, f32, element));
  }
  Value out = vector::FromElementsOp::create(b, loc, flat, elements);
  if (out.getType() != vector)
    out = vector::ShapeCastOp::create(b, loc, vector, out);
  return out;
}

namespace {
struct FastMathOps : fly_rocdl::impl::ConvertROCDLFastMathOpsBase<FastMathOps> {
  void runOnOperation() override {
    getOperation()->walk([](math::Exp2Op op) {
      if (!isEligible(op))
        return;
      OpBuilder b(op);
      op.replaceAllUsesWith(expand(b, op));
      op.erase();
    });
  }
};
} // namespace
