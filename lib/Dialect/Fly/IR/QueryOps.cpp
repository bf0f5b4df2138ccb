// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meaning of the queries and coordinate maps (specification 3.6, 4.5 to 4.7).

#include "OpHelpers.h"

namespace mlir::fly {

void SizeOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                          AlgebraResults &results) {
  const AlgebraVal &input = operands[0];
  results.push_back(AlgebraVal::ofTuple(
      input.isTuple() ? algebra::product(evaluator.arith, input.tuple)
                      : algebra::size(evaluator.arith, input.layout.linear())));
}

void CoprofileOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                               AlgebraResults &results) {
  results.push_back(AlgebraVal::ofTuple(
      algebra::coprofile(evaluator.arith, operands[0].layout.linear())));
}

void CoshapeOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                             AlgebraResults &results) {
  results.push_back(AlgebraVal::ofTuple(
      algebra::coshape(evaluator.arith, operands[0].layout.linear())));
}

void CosizeOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                            AlgebraResults &results) {
  results.push_back(AlgebraVal::ofTuple(
      algebra::cosize(evaluator.arith, operands[0].layout.linear())));
}

void Crd2IdxOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                             AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  const IntTuple &coord = operands[0].tuple;
  const AlgebraVal &map = operands[1];
  IntTuple index;
  if (map.kind == AlgebraVal::Kind::Swizzle)
    index = algebra::applySwizzle(arith, map.swizzle(), coord);
  else if (map.kind == AlgebraVal::Kind::CoordSwizzle)
    index = algebra::applyCoordSwizzle(arith, map.coordSwizzle(), coord);
  else
    index = algebra::crd2idx(arith, coord, map.layout);
  results.push_back(AlgebraVal::ofTuple(std::move(index)));
}

void Idx2CrdOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                             AlgebraResults &results) {
  results.push_back(AlgebraVal::ofTuple(algebra::idx2crd(
      evaluator.arith, operands[0].tuple, operands[1].layout.linear())));
}

void GetFlatCoordOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                  AlgebraResults &results) {
  results.push_back(AlgebraVal::ofTuple(algebra::flatCoord(
      evaluator.arith, operands[0].tuple, operands[1].layout.linear())));
}

void Get1DCoordOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                AlgebraResults &results) {
  results.push_back(AlgebraVal::ofTuple(algebra::oneDimCoord(
      evaluator.arith, operands[0].tuple, operands[1].layout.linear())));
}

} // namespace mlir::fly
