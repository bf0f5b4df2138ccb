// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meaning of the arithmetic on tuples (specification 3.4, 4.3).

#include "OpHelpers.h"

namespace mlir::fly {

using TupleOp = IntTuple (*)(Arith &, const IntTuple &, const IntTuple &);

static void evaluateBinary(Evaluator &evaluator, TupleOp op,
                           AlgebraVals operands, AlgebraResults &results) {
  results.push_back(AlgebraVal::ofTuple(
      op(evaluator.arith, operands[0].tuple, operands[1].tuple)));
}

void IntTupleAddOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                 AlgebraResults &results) {
  evaluateBinary(evaluator, algebra::tupleAdd, operands, results);
}
void IntTupleSubOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                 AlgebraResults &results) {
  evaluateBinary(evaluator, algebra::tupleSub, operands, results);
}
void IntTupleMulOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                 AlgebraResults &results) {
  evaluateBinary(evaluator, algebra::tupleMul, operands, results);
}
void IntTupleDivOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                 AlgebraResults &results) {
  evaluateBinary(evaluator, algebra::tupleDiv, operands, results);
}
void IntTupleModOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                 AlgebraResults &results) {
  evaluateBinary(evaluator, algebra::tupleMod, operands, results);
}
void CeilDivOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                             AlgebraResults &results) {
  evaluateBinary(evaluator, algebra::ceilDiv, operands, results);
}
void ShapeDivOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                              AlgebraResults &results) {
  evaluateBinary(evaluator, algebra::shapeDiv, operands, results);
}
void IntTupleProductLikeOp::evaluateWith(Evaluator &evaluator,
                                         AlgebraVals operands,
                                         AlgebraResults &results) {
  evaluateBinary(evaluator, algebra::productLike, operands, results);
}

void IntTupleProductOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                     AlgebraResults &results) {
  results.push_back(AlgebraVal::ofTuple(
      algebra::product(evaluator.arith, operands[0].tuple)));
}

void IntTupleProductEachOp::evaluateWith(Evaluator &evaluator,
                                         AlgebraVals operands,
                                         AlgebraResults &results) {
  results.push_back(AlgebraVal::ofTuple(
      algebra::productEach(evaluator.arith, operands[0].tuple)));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

using TupleCompare = Int (*)(Arith &, const IntTuple &, const IntTuple &);

static void evaluateCompare(Evaluator &evaluator, TupleCompare compare,
                            AlgebraVals operands, AlgebraResults &results) {
  results.push_back(AlgebraVal::ofInteger(
      compare(evaluator.arith, operands[0].tuple, operands[1].tuple),
      /*width=*/1));
}

/// The result type is fixed, so nothing is inferred; the operands must be
/// comparable all the same.
static LogicalResult verifyCompare(Operation *op, TupleCompare compare) {
  algebra::TypeArith arith;
  (void)compare(arith, valueOfType(op->getOperand(0).getType()).tuple,
                valueOfType(op->getOperand(1).getType()).tuple);
  if (arith.failed())
    return op->emitOpError(arith.message());
  return success();
}

LogicalResult ElemLessOp::verify() {
  return verifyCompare(*this, algebra::elemLess);
}

void ElemLessOp::evaluate(Evaluator &evaluator, AlgebraVals operands,
                          AlgebraResults &results) {
  evaluateCompare(evaluator, algebra::elemLess, operands, results);
}

LogicalResult EqualOp::verify() { return verifyCompare(*this, algebra::equal); }

void EqualOp::evaluate(Evaluator &evaluator, AlgebraVals operands,
                       AlgebraResults &results) {
  evaluateCompare(evaluator, algebra::equal, operands, results);
}

} // namespace mlir::fly
