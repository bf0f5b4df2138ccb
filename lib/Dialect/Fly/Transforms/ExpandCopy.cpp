// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly.copy` of tensors (V, rest...) as one atom call for each rest coordinate,
// column-major. A predicate tensor may lack the mode V: it then has one truth
// value for each call.
//
//   copy (4,2) -> (4,2), pred (2)    two calls; call i under predicate i

#include "LayoutLowering.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::layout::AnyLayout;
using ::fly::layout::IntTuple;
using ::fly::layout::Layout;

namespace {

class CopyExpansion {
public:
  CopyExpansion(IREvaluator &eval, CopyOp op, Value atom)
      : eval(eval), op(op), atom(atom) {}

  LogicalResult expand(const AlgebraVal &src, const AlgebraVal &dst,
                       const AlgebraVal *pred);
  LogicalResult call(const AlgebraVal &src, const AlgebraVal &dst,
                     const AlgebraVal *pred);

private:
  LogicalResult failedAlgebra();
  AlgebraVal decomposed(const AlgebraVal &view);

  IREvaluator &eval;
  CopyOp op;
  Value atom;
};

} // namespace

LogicalResult CopyExpansion::failedAlgebra() {
  return op.emitOpError() << eval.arith.message();
}

AlgebraVal CopyExpansion::decomposed(const AlgebraVal &view) {
  SmallVector<AlgebraVal, 1> results;
  DecompositionOp::evaluateWith(eval, {view}, results);
  return std::move(results.front());
}

LogicalResult CopyExpansion::call(const AlgebraVal &src, const AlgebraVal &dst,
                                  const AlgebraVal *pred) {
  SmallVector<Value> operands = {atom, eval.materialize(src),
                                 eval.materialize(dst)};
  if (pred)
    operands.push_back(eval.materialize(*pred));
  if (eval.arith.failed())
    return failedAlgebra();
  CopyAtomCallOp::create(eval.builder(), op.getLoc(), TypeRange(), operands);
  return success();
}

LogicalResult CopyExpansion::expand(const AlgebraVal &src,
                                    const AlgebraVal &dst,
                                    const AlgebraVal *pred) {
  const Layout &srcLayout = src.layout.linear();
  const Layout &dstLayout = dst.layout.linear();
  unsigned rank = srcLayout.rank();
  if (rank != dstLayout.rank())
    return op.emitOpError()
           << "source " << srcLayout.str() << " and destination "
           << dstLayout.str() << " have different ranks";

  AlgebraVal extended;
  if (pred && pred->layout.rank() + 1 == rank) {
    // One truth value for each call: prepend the mode V as a unit mode.
    AnyLayout layout =
        ::fly::layout::prepend(eval.arith, pred->layout,
                               Layout{IntTuple(1), IntTuple(0)}, std::nullopt);
    extended = pred->withLayout(layout);
    pred = &extended;
  }
  if (pred && pred->layout.rank() != rank)
    return op.emitOpError()
           << "predicate " << pred->layout.linear().str() << " has rank "
           << pred->layout.rank() << ", expected " << rank << " or " << rank - 1
           << " as the source " << srcLayout.str();

  if (rank == 1 && srcLayout.isLeaf() && dstLayout.isLeaf()) {
    AlgebraVal from = decomposed(src), to = decomposed(dst);
    return call(from, to, pred);
  }
  if (rank == 1) {
    auto inside = [&](const AlgebraVal &view) {
      AnyLayout layout = view.layout.linear().isLeaf()
                             ? view.layout
                             : ::fly::layout::get(eval.arith, view.layout, {0});
      return view.withLayout(layout);
    };
    AlgebraVal from = inside(src), to = inside(dst), under;
    if (pred)
      under = inside(*pred);
    if (eval.arith.failed())
      return failedAlgebra();
    return expand(from, to, pred ? &under : nullptr);
  }

  auto grouped = [&](const AlgebraVal &view) {
    return view.withLayout(
        ::fly::layout::group(eval.arith, view.layout, 1, -1));
  };
  AlgebraVal from = grouped(src), to = grouped(dst), under;
  if (pred)
    under = grouped(*pred);
  if (eval.arith.failed())
    return failedAlgebra();
  IntTuple rest = from.layout.linear().shape.at(1);
  std::optional<int64_t> count = staticSize(rest);
  if (!count)
    return op.emitOpError()
           << "cannot unroll over the dynamic modes " << rest.str()
           << " of the source " << srcLayout.str();
  std::optional<int64_t> dstCount = staticSize(to.layout.linear().shape.at(1));
  if (dstCount && *dstCount != *count)
    return op.emitOpError()
           << "source " << srcLayout.str() << " has " << *count
           << " parts, destination " << dstLayout.str() << " has " << *dstCount;
  // The parts share the address of the first.
  for (AlgebraVal *view : {&from, &to})
    if (view->kind == AlgebraVal::Kind::MemRef)
      view->pointer = eval.withNewOrigin(view->pointer);
  for (int64_t i = 0; i != *count; ++i) {
    IntTuple coord = IntTuple::tuple({IntTuple(), IntTuple(i)});
    AlgebraVal fromPart = sliceView(eval, from, coord);
    AlgebraVal toPart = sliceView(eval, to, coord);
    AlgebraVal underPart;
    if (pred)
      underPart = sliceView(eval, under, coord);
    if (eval.arith.failed())
      return failedAlgebra();
    if (failed(expand(fromPart, toPart, pred ? &underPart : nullptr)))
      return failure();
  }
  return success();
}

Expansion mlir::fly::expandCopy(IREvaluator &evaluator, CopyOp op) {
  std::optional<AlgebraVal> src = evaluator.valueOf(op.getSrc());
  std::optional<AlgebraVal> dst = evaluator.valueOf(op.getDst());
  std::optional<AlgebraVal> pred;
  if (op.getPred())
    pred = evaluator.valueOf(op.getPred());
  if (!src || !dst || (op.getPred() && !pred))
    return Expansion::Waiting;
  Value atom = atomOf(evaluator, op.getCopyAtom());
  auto atomType = dyn_cast<CopyAtomType>(atom.getType());
  if (!atomType) {
    op.emitOpError() << "expected a copy atom or a tiled copy, found "
                     << atom.getType();
    return Expansion::Failed;
  }
  CopyExpansion expansion(evaluator, op, atom);
  const AlgebraVal *under = pred ? &*pred : nullptr;
  LogicalResult done = atomType.getCopyOp().hasTrait<WholeTile>()
                           ? expansion.call(*src, *dst, under)
                           : expansion.expand(*src, *dst, under);
  return succeeded(done) ? Expansion::Done : Expansion::Failed;
}
