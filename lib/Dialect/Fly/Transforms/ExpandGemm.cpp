// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly.gemm` on d, c (V, M, N), a (V, M, K), b (V, N, K) as one atom call for
// each (m, n, k), in the order that the op asks for. The accumulator is c at
// the first visit of (m, n) and d afterwards. The slice of an operand is made
// once for each of its coordinates.

#include "LayoutLowering.h"
#include "fly/Layout/Views.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::layout::AnyLayout;
using ::fly::layout::GemmStep;
using ::fly::layout::IntTuple;

namespace {

/// One operand: its value when it is in normal form, and the slices made.
struct Operand {
  StringRef name;
  Value tensor;
  std::optional<AlgebraVal> value;
  AnyLayout layout;
  llvm::DenseMap<std::pair<int64_t, int64_t>, Value> slices;

  unsigned rank() const { return layout.rank(); }
};

class GemmExpansion {
public:
  GemmExpansion(IREvaluator &eval, GemmOp op) : eval(eval), op(op) {}
  Expansion run();

private:
  LogicalResult checkShapes();
  FailureOr<std::vector<GemmStep>> order();
  Value slice(Operand &operand, int64_t first, int64_t second);
  Value symbolicSlice(Operand &operand, const IntTuple &coord);
  /// Checks that two operands agree on a mode; answers the extent.
  FailureOr<int64_t> extent(const Operand &a, unsigned modeA, const Operand &b,
                            unsigned modeB, char axis);

  IREvaluator &eval;
  GemmOp op;
  Operand d, a, b, c;
  int64_t sizeM = 1, sizeN = 1, sizeK = 1;
};

} // namespace

FailureOr<int64_t> GemmExpansion::extent(const Operand &x, unsigned modeX,
                                         const Operand &y, unsigned modeY,
                                         char axis) {
  std::optional<int64_t> sizeX = staticSize(x.layout.linear().shape.at(modeX));
  std::optional<int64_t> sizeY = staticSize(y.layout.linear().shape.at(modeY));
  if (!sizeX || !sizeY)
    return op.emitOpError()
           << "cannot unroll over dynamic extents: " << x.name << " is "
           << x.layout.str() << ", " << y.name << " is " << y.layout.str();
  if (*sizeX != *sizeY)
    return op.emitOpError()
           << "the extents of " << axis << " differ: " << *sizeX << " in "
           << x.name << " " << x.layout.str() << ", " << *sizeY << " in "
           << y.name << " " << y.layout.str();
  return *sizeX;
}

LogicalResult GemmExpansion::checkShapes() {
  bool isRank1 =
      d.rank() == 1 && a.rank() == 1 && b.rank() == 1 && c.rank() == 1;
  if (isRank1)
    return success();
  bool hasK = a.rank() == 3;
  if (d.rank() != 3 || c.rank() != 3 || a.rank() != b.rank() ||
      (a.rank() != 2 && a.rank() != 3))
    return op.emitOpError()
           << "expected d and c of rank 3 (V,M,N) with a and b of rank 3 "
              "(V,M,K), (V,N,K) or of rank 2 (V,M), (V,N), or all of rank 1; "
              "found d "
           << d.layout.str() << ", a " << a.layout.str() << ", b "
           << b.layout.str() << ", c " << c.layout.str();
  auto m = extent(d, 1, a, 1, 'M');
  auto n = extent(d, 2, b, 1, 'N');
  if (failed(m) || failed(n) || failed(extent(d, 1, c, 1, 'M')) ||
      failed(extent(d, 2, c, 2, 'N')))
    return failure();
  sizeM = *m;
  sizeN = *n;
  if (!hasK)
    return success();
  auto k = extent(a, 2, b, 2, 'K');
  if (failed(k))
    return failure();
  sizeK = *k;
  return success();
}

FailureOr<std::vector<GemmStep>> GemmExpansion::order() {
  bool hasK = a.rank() == 3;
  if (d.rank() == 1)
    return std::vector<GemmStep>{{0, 0, 0, true}};
  Value traversal = op.getTraversalLayout();
  if (!traversal) {
    int32_t order = op.getTraversalOrder()
                        ? static_cast<int32_t>(*op.getTraversalOrder())
                        : static_cast<int32_t>(GemmTraversalOrder::NMK);
    return ::fly::layout::gemmOrder(order, sizeM, sizeN, sizeK, hasK);
  }
  AnyLayout layout = valueOfType(traversal.getType()).layout;
  ::fly::layout::StaticArith arith;
  std::vector<GemmStep> steps;
  if (layout.isStatic())
    steps = ::fly::layout::gemmOrder(arith, layout.plain(), sizeM, sizeN, sizeK,
                                     hasK);
  else
    arith.fail("the traversal layout " + layout.str() + " is not static");
  if (arith.failed())
    return op.emitOpError() << arith.message();
  return steps;
}

/// The slice of a tensor that is not in normal form: left to be computed when
/// the tensor is known.
Value GemmExpansion::symbolicSlice(Operand &operand, const IntTuple &coord) {
  OpBuilder &builder = eval.builder();
  Location loc = op.getLoc();
  AlgebraVal view = valueOfType(operand.tensor.getType());
  TypeEvaluator types(eval.context);
  IntTuple offset = ::fly::layout::crd2idx(types.arith, coord, view.layout);
  AlgebraVal part = sliceView(types, view, coord);
  if (types.arith.failed()) {
    eval.arith.fail(types.arith.message());
    return operand.tensor;
  }
  Value coordinate = eval.materializeTuple(coord);
  Value iterator =
      GetIterOp::create(builder, loc, view.pointer.type, operand.tensor);
  Value layout = GetLayoutOp::create(
      builder, loc,
      typeOfValue(eval.context, AlgebraVal::ofLayout(view.layout)),
      operand.tensor);
  Value index =
      Crd2IdxOp::create(builder, loc, IntTupleType::get(eval.context, offset),
                        coordinate, layout);
  Value moved =
      AddOffsetOp::create(builder, loc, part.pointer.type, iterator, index);
  Value partLayout = eval.materializeLayout(part.layout);
  return MakeViewOp::create(builder, loc, typeOfValue(eval.context, part),
                            moved, partLayout);
}

Value GemmExpansion::slice(Operand &operand, int64_t first, int64_t second) {
  Value &made = operand.slices[{first, second}];
  if (made)
    return made;
  if (operand.rank() == 1)
    return made = operand.value ? eval.materialize(*operand.value)
                                : operand.tensor;
  std::vector<IntTuple> coord = {IntTuple(), IntTuple(first)};
  if (operand.rank() == 3)
    coord.push_back(IntTuple(second));
  IntTuple tuple = IntTuple::tuple(std::move(coord));
  if (!operand.value)
    return made = symbolicSlice(operand, tuple);
  return made = eval.materialize(sliceView(eval, *operand.value, tuple));
}

Expansion GemmExpansion::run() {
  auto bind = [&](Operand &operand, StringRef name, Value tensor) {
    operand.name = name;
    operand.tensor = tensor;
    operand.value = eval.valueOf(tensor);
    operand.layout = operand.value ? operand.value->layout
                                   : valueOfType(tensor.getType()).layout;
  };
  bind(d, "d", op.getD());
  bind(a, "a", op.getA());
  bind(b, "b", op.getB());
  bind(c, "c", op.getC());
  for (Operand *operand : {&d, &a, &b, &c})
    if (!operand->value && !operand->layout.isStatic())
      return Expansion::Waiting;
  Value atom = atomOf(eval, op.getMmaAtom());
  if (!isa<MmaAtomType>(atom.getType())) {
    op.emitOpError() << "expected an MMA atom or a tiled MMA made in this "
                        "function, found "
                     << op.getMmaAtom().getType();
    return Expansion::Failed;
  }
  if (failed(checkShapes()))
    return Expansion::Failed;
  FailureOr<std::vector<GemmStep>> steps = order();
  if (failed(steps))
    return Expansion::Failed;
  for (const GemmStep &step : *steps) {
    Value dPart = slice(d, step.m, step.n);
    Value aPart = slice(a, step.m, step.k);
    Value bPart = slice(b, step.n, step.k);
    bool ontoC = step.firstVisit && op.getC() != op.getD();
    Value cPart = ontoC ? slice(c, step.m, step.n) : dPart;
    if (eval.arith.failed()) {
      op.emitOpError() << eval.arith.message();
      return Expansion::Failed;
    }
    MmaAtomCallOp::create(eval.builder(), op.getLoc(), atom, dPart, aPart,
                          bPart, cPart);
  }
  return Expansion::Done;
}

Expansion mlir::fly::expandGemm(IREvaluator &evaluator, GemmOp op) {
  return GemmExpansion(evaluator, op).run();
}
