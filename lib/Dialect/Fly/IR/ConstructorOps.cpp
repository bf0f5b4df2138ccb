// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meaning of the constructors (specification 3.2, 4.14), and the checks of
// those whose result type is written.

#include "OpHelpers.h"

namespace mlir::fly {

std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===----------------------------------------------------------------------===//
// Written types
//===----------------------------------------------------------------------===//

LogicalResult StaticOp::verify() {
  auto type = dyn_cast<MayStaticTypeInterface>(getType());
  if (!type)
    return emitOpError("expected a type that may be static, found ")
           << getType();
  if (!type.isStatic())
    return emitOpError("type carries run-time values: ") << getType();
  return success();
}

/// The operands are the dynamic leaves of the tuple, in order and in width.
static LogicalResult verifyLeaves(Operation *op, OperandRange leaves,
                                  IntTupleType type) {
  SmallVector<unsigned> widths;
  type.getTuple().forEachLeaf([&](const IntTuple &leaf) {
    if (leaf.leaf().isDynamic())
      widths.push_back(leaf.leaf().width());
  });
  if (widths.size() != leaves.size())
    return op->emitOpError("expected ")
           << widths.size() << " operands for the dynamic leaves of " << type
           << ", found " << leaves.size();
  for (auto [index, leaf] : llvm::enumerate(leaves))
    if (!leaf.getType().isInteger(widths[index]))
      return op->emitOpError("expected i")
             << widths[index] << " for dynamic leaf #" << index << " of "
             << type << ", found " << leaf.getType();
  return success();
}

LogicalResult MakeIntTupleOp::verify() {
  return verifyLeaves(*this, getLeaves(), getType());
}
LogicalResult MakeShapeOp::verify() {
  return verifyLeaves(*this, getLeaves(), getType());
}
LogicalResult MakeStrideOp::verify() {
  return verifyLeaves(*this, getLeaves(), getType());
}
LogicalResult MakeCoordOp::verify() {
  return verifyLeaves(*this, getLeaves(), getType());
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

void MakeLayoutOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                AlgebraResults &results) {
  const IntTuple &shape = operands[0].tuple, &stride = operands[1].tuple;
  if (!algebra::congruent(shape, stride))
    evaluator.arith.fail("shape " + shape.str() + " and stride " +
                         stride.str() + " are not congruent");
  results.push_back(AlgebraVal::ofLayout(Layout{shape, stride}));
}

void MakeLayoutLikeOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                    AlgebraResults &results) {
  results.push_back(AlgebraVal::ofLayout(
      algebra::makeLayoutLike(evaluator.arith, operands[0].layout.linear())));
}

void MakeOrderedLayoutOp::evaluateWith(Evaluator &evaluator,
                                       AlgebraVals operands,
                                       AlgebraResults &results) {
  results.push_back(AlgebraVal::ofLayout(algebra::makeOrderedLayout(
      evaluator.arith, operands[0].tuple, operands[1].tuple)));
}

void MakeComposedLayoutOp::evaluateWith(Evaluator &, AlgebraVals operands,
                                        AlgebraResults &results) {
  ComposedLayout composed;
  const AlgebraVal &inner = operands[0];
  if (inner.kind == AlgebraVal::Kind::Swizzle)
    composed.inner = inner.swizzle();
  else if (inner.kind == AlgebraVal::Kind::CoordSwizzle)
    composed.inner = inner.coordSwizzle();
  else
    composed.inner = inner.layout;
  composed.offset = operands[1].tuple;
  composed.outer = operands[2].layout;
  results.push_back(AlgebraVal::ofLayout(AnyLayout(std::move(composed))));
}

void MakeIdentityLayoutOp::evaluateWith(Evaluator &evaluator,
                                        AlgebraVals operands,
                                        AlgebraResults &results) {
  results.push_back(AlgebraVal::ofLayout(
      algebra::makeIdentityLayout(evaluator.arith, operands[0].tuple)));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

void MakeViewOp::evaluateWith(Evaluator &, AlgebraVals operands,
                              AlgebraResults &results) {
  const AlgebraVal &iterator = operands[0];
  results.push_back(
      iterator.isTuple()
          ? AlgebraVal::ofCoordTensor(iterator.tuple, operands[1].layout)
          : AlgebraVal::ofMemRef(iterator.pointer, operands[1].layout));
}

AlgebraVal registerFragment(Evaluator &evaluator, Type elementType,
                            const Layout &layout) {
  Arith &arith = evaluator.arith;
  if (!elementBits(elementType))
    arith.fail("expected an element type that is an integer or float, found " +
               typeText(elementType));
  IntTuple count = algebra::cosize(arith, layout);
  if (!arith.failed() && (!count.isInt() || !count.isStatic()))
    arith.fail("registers need a static size, found the layout " +
               layout.str());
  if (arith.failed())
    return AlgebraVal();
  return AlgebraVal::ofMemRef(
      evaluator.allocateRegisters(elementType, count.leaf().value()), layout);
}

/// The fragment layout of a source, whose shape must be static.
static Layout fragmentLayout(Arith &arith, const AlgebraVal &source) {
  const Layout &linear = source.layout.linear();
  if (!linear.shape.isStatic()) {
    arith.fail("a fragment needs a static shape, found " + linear.shape.str());
    return linear;
  }
  return algebra::makeFragmentLayoutLike(arith, linear);
}

void MakeFragmentLikeOp::evaluateWith(Evaluator &evaluator,
                                      AlgebraVals operands,
                                      const Properties &properties,
                                      AlgebraResults &results) {
  const AlgebraVal &source = operands[0];
  Type element;
  if (properties.dtype)
    element = properties.dtype.getValue();
  else if (auto pointer = dyn_cast_if_present<PointerType>(source.pointer.type))
    element = pointer.getElemTy();
  if (!element) {
    evaluator.arith.fail("a fragment of a source without elements needs an "
                         "element type, found " +
                         typeText(source.type));
    results.emplace_back();
    return;
  }
  results.push_back(registerFragment(evaluator, element,
                                     fragmentLayout(evaluator.arith, source)));
}

void MakeFragmentLayoutLikeOp::evaluateWith(Evaluator &evaluator,
                                            AlgebraVals operands,
                                            AlgebraResults &results) {
  results.push_back(
      AlgebraVal::ofLayout(fragmentLayout(evaluator.arith, operands[0])));
}

} // namespace mlir::fly
