// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meaning of the algebra ops (specification 3.7, 4.8 to 4.15).

#include "OpHelpers.h"

namespace mlir::fly {

void CoalesceOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                              AlgebraResults &results) {
  results.push_back(mapLinear(operands[0], [&](const Layout &layout) {
    return operands.size() > 1
               ? algebra::coalesce(evaluator.arith, layout, operands[1].tuple)
               : algebra::coalesce(evaluator.arith, layout);
  }));
}

void CompositionOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                 AlgebraResults &results) {
  const AlgebraVal &inner = operands[1];
  results.push_back(mapLinear(operands[0], [&](const Layout &outer) {
    return inner.kind == AlgebraVal::Kind::Tile
               ? algebra::composition(evaluator.arith, outer, inner.tile())
               : algebra::composition(evaluator.arith, outer,
                                      inner.layout.linear());
  }));
}

void ComplementOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                AlgebraResults &results) {
  std::optional<IntTuple> codomain;
  if (operands.size() > 1)
    codomain = operands[1].tuple;
  results.push_back(mapLinear(operands[0], [&](const Layout &layout) {
    return algebra::complement(evaluator.arith, layout, codomain);
  }));
}

void RightInverseOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                  AlgebraResults &results) {
  results.push_back(mapLinear(operands[0], [&](const Layout &layout) {
    return algebra::rightInverse(evaluator.arith, layout);
  }));
}

void LeftInverseOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                 AlgebraResults &results) {
  results.push_back(mapLinear(operands[0], [&](const Layout &layout) {
    return algebra::leftInverse(evaluator.arith, layout);
  }));
}

//===----------------------------------------------------------------------===//
// Divides and products
//===----------------------------------------------------------------------===//

using Divide = Layout (*)(Arith &, const Layout &, const Tile &);
using Product = Layout (*)(Arith &, const Layout &, const Layout &);

static void evaluateDivide(Evaluator &evaluator, Divide divide,
                           AlgebraVals operands, AlgebraResults &results) {
  const AlgebraVal &divisor = operands[1];
  Tile tile = divisor.kind == AlgebraVal::Kind::Tile
                  ? divisor.tile()
                  : Tile(divisor.layout.linear());
  results.push_back(mapLinear(operands[0], [&](const Layout &layout) {
    return divide(evaluator.arith, layout, tile);
  }));
}

static void evaluateProduct(Evaluator &evaluator, Product product,
                            AlgebraVals operands, AlgebraResults &results) {
  results.push_back(mapLinear(operands[0], [&](const Layout &block) {
    return product(evaluator.arith, block, operands[1].layout.linear());
  }));
}

void LogicalDivideOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                   AlgebraResults &results) {
  evaluateDivide(evaluator, algebra::logicalDivide, operands, results);
}
void ZippedDivideOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                  AlgebraResults &results) {
  evaluateDivide(evaluator, algebra::zippedDivide, operands, results);
}
void TiledDivideOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                 AlgebraResults &results) {
  evaluateDivide(evaluator, algebra::tiledDivide, operands, results);
}
void FlatDivideOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                AlgebraResults &results) {
  evaluateDivide(evaluator, algebra::flatDivide, operands, results);
}

void LogicalProductOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                    AlgebraResults &results) {
  evaluateProduct(evaluator, algebra::logicalProduct, operands, results);
}
void ZippedProductOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                   AlgebraResults &results) {
  evaluateProduct(evaluator, algebra::zippedProduct, operands, results);
}
void TiledProductOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                  AlgebraResults &results) {
  evaluateProduct(evaluator, algebra::tiledProduct, operands, results);
}
void FlatProductOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                 AlgebraResults &results) {
  evaluateProduct(evaluator, algebra::flatProduct, operands, results);
}
void BlockedProductOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                    AlgebraResults &results) {
  evaluateProduct(evaluator, algebra::blockedProduct, operands, results);
}
void RakedProductOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                  AlgebraResults &results) {
  evaluateProduct(evaluator, algebra::rakedProduct, operands, results);
}

void RecastLayoutOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                  const Properties &properties,
                                  AlgebraResults &results) {
  if (!properties.new_type_bits || !properties.old_type_bits) {
    evaluator.arith.fail(
        "expected the attributes 'new_type_bits' and 'old_type_bits'");
    results.push_back(operands[0]);
    return;
  }
  results.push_back(operands[0].withLayout(algebra::recast(
      evaluator.arith, operands[0].layout, properties.new_type_bits.getInt(),
      properties.old_type_bits.getInt())));
}

void TileToShapeOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                 AlgebraResults &results) {
  results.push_back(mapLinear(operands[0], [&](const Layout &block) {
    return algebra::tileToShape(evaluator.arith, block, operands[1].tuple,
                                operands[2].tuple);
  }));
}

} // namespace mlir::fly
