// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meaning of the structural ops (specification 3.5, 4.4).

#include "OpHelpers.h"

namespace mlir::fly {

/// A structural function on a tuple, or on the layout of a value.
static AlgebraVal
restructured(const AlgebraVal &value,
             function_ref<IntTuple(const IntTuple &)> onTuple,
             function_ref<AnyLayout(const AnyLayout &)> onLayout) {
  return value.isTuple() ? AlgebraVal::ofTuple(onTuple(value.tuple))
                         : value.withLayout(onLayout(value.layout));
}

/// An inherent attribute that verification requires and a bare call of
/// inference may lack.
static int32_t required(Arith &arith, IntegerAttr attribute, StringRef name) {
  if (attribute)
    return attribute.getInt();
  arith.fail("expected the attribute '" + name + "'");
  return 0;
}

void GetOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                         const Properties &properties,
                         AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  ArrayRef<int32_t> mode;
  if (properties.mode)
    mode = properties.mode.asArrayRef();
  else
    arith.fail("expected the attribute 'mode'");
  results.push_back(restructured(
      operands[0],
      [&](const IntTuple &t) { return algebra::get(arith, t, mode); },
      [&](const AnyLayout &l) { return algebra::get(arith, l, mode); }));
}

void TakeOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                          const Properties &properties,
                          AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  int32_t begin = required(arith, properties.begin, "begin");
  int32_t end = required(arith, properties.end, "end");
  results.push_back(restructured(
      operands[0],
      [&](const IntTuple &t) { return algebra::take(arith, t, begin, end); },
      [&](const AnyLayout &l) { return algebra::take(arith, l, begin, end); }));
}

void SelectOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                            const Properties &properties,
                            AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  ArrayRef<int32_t> modes;
  if (properties.indices)
    modes = properties.indices.asArrayRef();
  results.push_back(restructured(
      operands[0],
      [&](const IntTuple &t) { return algebra::select(arith, t, modes); },
      [&](const AnyLayout &l) { return algebra::select(arith, l, modes); }));
}

void GroupOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                           const Properties &properties,
                           AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  int32_t begin = required(arith, properties.begin, "begin");
  int32_t end = required(arith, properties.end, "end");
  results.push_back(restructured(
      operands[0],
      [&](const IntTuple &t) { return algebra::group(arith, t, begin, end); },
      [&](const AnyLayout &l) {
        return algebra::group(arith, l, begin, end);
      }));
}

//===----------------------------------------------------------------------===//
// append, prepend
//===----------------------------------------------------------------------===//

using ExtendTuple = IntTuple (*)(Arith &, const IntTuple &, const IntTuple &,
                                 std::optional<int32_t>);
using ExtendLayout = AnyLayout (*)(Arith &, const AnyLayout &, const Layout &,
                                   std::optional<int32_t>);

static void evaluateExtend(Evaluator &evaluator, AlgebraVals operands,
                           IntegerAttr n, ExtendTuple onTuple,
                           ExtendLayout onLayout, AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  const AlgebraVal &tuple = operands[0], &element = operands[1];
  std::optional<int32_t> rank;
  if (n)
    rank = n.getInt();
  if (tuple.isTuple() != element.isTuple()) {
    arith.fail("tuple and element are of different kinds, " +
               typeText(tuple.type) + " and " + typeText(element.type));
    results.push_back(tuple);
    return;
  }
  results.push_back(restructured(
      tuple,
      [&](const IntTuple &t) { return onTuple(arith, t, element.tuple, rank); },
      [&](const AnyLayout &l) {
        return onLayout(arith, l, element.layout.linear(), rank);
      }));
}

void AppendOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                            const Properties &properties,
                            AlgebraResults &results) {
  evaluateExtend(evaluator, operands, properties.n, algebra::append,
                 algebra::append, results);
}

void PrependOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                             const Properties &properties,
                             AlgebraResults &results) {
  evaluateExtend(evaluator, operands, properties.n, algebra::prepend,
                 algebra::prepend, results);
}

//===----------------------------------------------------------------------===//
// slice, dice
//===----------------------------------------------------------------------===//

void SliceOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                           AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  const AlgebraVal &source = operands[0];
  const IntTuple &coord = operands[1].tuple;
  AlgebraVal result = restructured(
      source,
      [&](const IntTuple &t) { return algebra::slice(arith, t, coord); },
      [&](const AnyLayout &l) { return algebra::slice(arith, l, coord); });
  // A plain layout has no place for the offset of the fixed modes: the
  // iterator takes it.
  if (source.isTensor() && source.layout.isPlain() && !arith.failed()) {
    IntTuple offset = algebra::crd2idx(arith, coord, source.layout.plain());
    if (source.kind == AlgebraVal::Kind::MemRef)
      result.pointer = evaluator.addOffset(source.pointer, offset);
    else
      result.tuple = algebra::codomainAdd(arith, source.tuple, offset);
  }
  results.push_back(std::move(result));
}

void DiceOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                          AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  const IntTuple &coord = operands[1].tuple;
  results.push_back(restructured(
      operands[0],
      [&](const IntTuple &t) { return algebra::dice(arith, t, coord); },
      [&](const AnyLayout &l) -> AnyLayout {
        return algebra::dice(arith, l.linear(), coord);
      }));
}

} // namespace mlir::fly
