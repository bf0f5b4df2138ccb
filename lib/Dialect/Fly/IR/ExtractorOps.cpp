// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meaning of the extractors (specification 3.3).

#include "OpHelpers.h"

namespace mlir::fly {

/// The width of a leaf as an SSA integer: 32 or 64.
static unsigned integerWidth(Int leaf) {
  return std::max(32u, leaf.neededWidth());
}

void GetScalarOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                               AlgebraResults &results) {
  IntTuple leaf = algebra::unwrap(operands[0].tuple);
  if (!leaf.isLeaf() || leaf.isNone())
    evaluator.arith.fail("expected a tuple of exactly one integer, found " +
                         operands[0].tuple.str());
  results.push_back(
      AlgebraVal::ofInteger(leaf.leaf(), integerWidth(leaf.leaf())));
}

void GetLeavesOp::evaluateWith(Evaluator &, AlgebraVals operands,
                               const Properties &properties,
                               AlgebraResults &results) {
  bool dynamicOnly =
      properties.dynamicOnly && properties.dynamicOnly.getValue();
  operands[0].tuple.forEachLeaf([&](const IntTuple &leaf) {
    Int value = leaf.leaf();
    if (!dynamicOnly || value.isDynamic())
      results.push_back(AlgebraVal::ofInteger(value, integerWidth(value)));
  });
}

void GetShapeOp::evaluateWith(Evaluator &, AlgebraVals operands,
                              AlgebraResults &results) {
  results.push_back(AlgebraVal::ofTuple(operands[0].layout.linear().shape));
}

void GetStrideOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                               AlgebraResults &results) {
  const AnyLayout &layout = operands[0].layout;
  if (layout.isComposed())
    evaluator.arith.fail("a composed layout has no stride, found " +
                         layout.str());
  results.push_back(AlgebraVal::ofTuple(layout.linear().stride));
}

void GetLayoutOp::evaluateWith(Evaluator &, AlgebraVals operands,
                               AlgebraResults &results) {
  results.push_back(AlgebraVal::ofLayout(operands[0].layout));
}

void GetIterOp::evaluateWith(Evaluator &, AlgebraVals operands,
                             AlgebraResults &results) {
  const AlgebraVal &tensor = operands[0];
  results.push_back(tensor.kind == AlgebraVal::Kind::CoordTensor
                        ? AlgebraVal::ofTuple(tensor.tuple)
                        : AlgebraVal::ofPointer(tensor.pointer));
}

void ComposedGetInnerOp::evaluateWith(Evaluator &evaluator,
                                      AlgebraVals operands,
                                      AlgebraResults &results) {
  const InnerMap &inner = operands[0].layout.composed().inner;
  results.push_back(inner.kind == InnerMap::Kind::Layout
                        ? AlgebraVal::ofLayout(inner.layout)
                        : valueOfType(innerToType(evaluator.context, inner)));
}

void ComposedGetOffsetOp::evaluateWith(Evaluator &, AlgebraVals operands,
                                       AlgebraResults &results) {
  results.push_back(AlgebraVal::ofTuple(operands[0].layout.composed().offset));
}

void ComposedGetOuterOp::evaluateWith(Evaluator &, AlgebraVals operands,
                                      AlgebraResults &results) {
  results.push_back(AlgebraVal::ofLayout(operands[0].layout.composed().outer));
}

} // namespace mlir::fly
