// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-layout-lowering`: one forward walk in dominance order. The results of
// algebra ops are kept as values of the algebra, not as IR; whatever remains
// and uses one gets it in normal form, just before itself. So a chain of
// algebra costs nothing but the integer arithmetic of its dynamic leaves.
//
// An op with an operand that is not in normal form (a memref block argument
// before `fly-rewrite-func-signature` has run) waits: it stays as it is.

#include "LayoutLowering.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYLAYOUTLOWERING
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;

namespace {

class Lowering {
public:
  explicit Lowering(MLIRContext *context) : eval(context) {}
  LogicalResult run(Operation *root);

private:
  LogicalResult lowerRegion(Region &region);
  LogicalResult lowerOp(Operation *op);
  /// False when an operand is not in normal form.
  FailureOr<bool> evaluate(AlgebraOpInterface op);
  std::optional<Expansion> expand(Operation *op);
  void materializeOperands(Operation *op);

  IREvaluator eval;
  /// Ops that were evaluated or expanded, in the order of the walk.
  llvm::SmallVector<Operation *> visited;
  llvm::DenseSet<Operation *> dead;
};

} // namespace

/// Evaluated results that are used by an op that stays.
void Lowering::materializeOperands(Operation *op) {
  for (OpOperand &use : op->getOpOperands()) {
    Operation *definition = use.get().getDefiningOp();
    if (definition && dead.contains(definition))
      use.set(eval.materializeResult(use.get()));
  }
}

/// A constructor whose operands all stay is in normal form already.
static bool isNormalConstructor(Operation *op,
                                const llvm::DenseSet<Operation *> &dead) {
  if (!isa<MakeLayoutOp, MakeComposedLayoutOp, MakeViewOp>(op))
    return false;
  return llvm::none_of(op->getOperands(), [&](Value operand) {
    Operation *definition = operand.getDefiningOp();
    return definition && dead.contains(definition);
  });
}

/// Widens the coordinate of an op that looks one up, where the offset needs it.
static void fitOffsets(IREvaluator &eval, Operation *op,
                       MutableArrayRef<AlgebraVal> operands) {
  // A plain tensor hands the offset to its iterator.
  auto fit = [&](unsigned of, unsigned coord) {
    OffsetUse use =
        operands[of].layout.isPlain() ? OffsetUse::Address : OffsetUse::Index;
    operands[coord].tuple =
        fitToOffset(eval, operands[of], operands[coord].tuple, use);
  };
  if (isa<Crd2IdxOp>(op))
    fit(1, 0);
  else if (isa<MemRefLoadOp>(op) ||
           (isa<SliceOp>(op) &&
            (operands[0].isTensor() || !operands[0].layout.isPlain())))
    fit(0, 1);
  else if (isa<TiledCopyPartitionSrcOp, TiledCopyPartitionDstOp,
               TiledMmaPartitionOp>(op))
    fit(1, 2);
}

/// What follows on the pointer of a move or of a new tensor is a move of its
/// own.
static void startOrigin(IREvaluator &eval, Operation *op,
                        MutableArrayRef<AlgebraVal> operands) {
  if (isa<AddOffsetOp, MakeViewOp>(op) &&
      operands[0].kind == AlgebraVal::Kind::Pointer)
    operands[0].pointer = eval.withNewOrigin(operands[0].pointer);
}

FailureOr<bool> Lowering::evaluate(AlgebraOpInterface op) {
  SmallVector<AlgebraVal, 4> operands;
  SmallVector<AlgebraVal, 1> results;
  for (Value operand : op->getOperands()) {
    std::optional<AlgebraVal> value = eval.valueOf(operand);
    if (!value)
      return false;
    operands.push_back(std::move(*value));
  }
  if (isa<MakeLayoutOp>(op))
    eval.noteExtents(op, operands[0].tuple);
  fitOffsets(eval, op, operands);
  startOrigin(eval, op, operands);
  if (!eval.arith.failed())
    op.evaluate(eval, operands, results);
  if (eval.arith.failed()) {
    op->emitOpError() << eval.arith.message();
    return failure();
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results)) {
    if (value.kind == AlgebraVal::Kind::Integer) {
      if (!result.use_empty())
        result.replaceAllUsesWith(eval.materialize(value));
    } else {
      eval.remember(result, std::move(value));
    }
  }
  visited.push_back(op);
  if (!isNormalConstructor(op, dead))
    dead.insert(op);
  return true;
}

std::optional<Expansion> Lowering::expand(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Expansion>>(op)
      .Case([&](CopyOp copy) { return expandCopy(eval, copy); })
      .Case([&](GemmOp gemm) { return expandGemm(eval, gemm); })
      .Case([&](MemRefLoadOp load) -> std::optional<Expansion> {
        if (!isa<mlir::fly::MemRefType>(load->getOperand(0).getType()))
          return std::nullopt; // coordinates: algebra
        return expandLoad(eval, load);
      })
      .Case([&](MemRefStoreOp store) { return expandStore(eval, store); })
      .Case([&](MemRefLoadVecOp load) { return expandLoadVec(eval, load); })
      .Case([&](MemRefStoreVecOp store) { return expandStoreVec(eval, store); })
      .Case([&](PrintOp print) { return expandPrint(eval, print); })
      .Case([&](AssumeOp assume) { return expandAssume(eval, assume); })
      .Default([](Operation *) { return std::nullopt; });
}

LogicalResult Lowering::lowerOp(Operation *op) {
  eval.builder().setInsertionPoint(op);
  eval.setLocation(op->getLoc());
  if (std::optional<Expansion> outcome = expand(op)) {
    if (*outcome == Expansion::Failed)
      return failure();
    if (*outcome == Expansion::Done) {
      visited.push_back(op);
      dead.insert(op);
      return success();
    }
  } else if (auto load = dyn_cast<PtrLoadOp>(op);
             load && isa<IntTupleType>(load->getOperand(0).getType())) {
    // The element at an iterator over coordinates is the coordinate itself.
    if (std::optional<AlgebraVal> tuple = eval.valueOf(load->getOperand(0))) {
      eval.remember(load->getResult(0), *tuple);
      visited.push_back(op);
      dead.insert(op);
      return success();
    }
  } else if (auto algebra = dyn_cast<AlgebraOpInterface>(op);
             algebra && !isa<ApplySwizzleOp>(op)) {
    FailureOr<bool> evaluated = evaluate(algebra);
    if (failed(evaluated))
      return failure();
    if (*evaluated)
      return success();
  } else if (isa<MakeIntTupleOp, StaticOp>(op)) {
    visited.push_back(op); // erased in the end when nothing uses it
  }
  materializeOperands(op);
  for (Region &region : op->getRegions())
    if (failed(lowerRegion(region)))
      return failure();
  return success();
}

LogicalResult Lowering::lowerRegion(Region &region) {
  if (region.empty())
    return success();
  bool isFunction =
      region.getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>();
  IRArith::Constants outer;
  if (isFunction)
    outer = eval.integers().enterFunction(&region.front());
  for (Block &block : llvm::make_early_inc_range(
           ForwardDominanceIterator<>::makeIterable(region))) {
    IREvaluator::Scope scope(eval);
    for (Operation &op : llvm::make_early_inc_range(block))
      if (failed(lowerOp(&op)))
        return failure();
  }
  if (isFunction)
    eval.integers().leaveFunction(std::move(outer));
  return success();
}

LogicalResult Lowering::run(Operation *root) {
  for (Region &region : root->getRegions())
    if (failed(lowerRegion(region)))
      return failure();
  for (Operation *op : llvm::reverse(visited))
    if (op->use_empty())
      op->erase();
  return success();
}

AlgebraVal mlir::fly::sliceView(Evaluator &evaluator, const AlgebraVal &view,
                                const ::fly::layout::IntTuple &coord) {
  SmallVector<AlgebraVal, 1> results;
  SliceOp::evaluateWith(evaluator, {view, AlgebraVal::ofTuple(coord)}, results);
  return std::move(results.front());
}

std::optional<int64_t>
mlir::fly::staticSize(const ::fly::layout::IntTuple &shape) {
  ::fly::layout::StaticArith arith;
  if (!shape.isStatic())
    return std::nullopt;
  ::fly::layout::Int size = ::fly::layout::productInt(arith, shape);
  if (arith.failed())
    return std::nullopt;
  return size.value();
}

Value mlir::fly::atomOf(IREvaluator &evaluator, Value atomOrTiled) {
  Operation *definition = atomOrTiled.getDefiningOp();
  if (definition && isa<MakeTiledCopyOp, MakeTiledMmaOp>(definition))
    return definition->getOperand(0);
  Type atom;
  if (auto tiled = dyn_cast<TiledCopyType>(atomOrTiled.getType()))
    atom = tiled.getCopyAtom();
  else if (auto tiled = dyn_cast<TiledMmaType>(atomOrTiled.getType()))
    atom = tiled.getMmaAtom();
  else
    return atomOrTiled;
  auto rebuildable = dyn_cast<MayStaticTypeInterface>(atom);
  if (!rebuildable || !rebuildable.isStatic())
    // Its state comes from elsewhere and is that of the tiled value.
    return UnrealizedConversionCastOp::create(
               evaluator.builder(), evaluator.location(), atom, atomOrTiled)
        .getResult(0);
  return rebuildable.rebuildStatic(evaluator.builder(), evaluator.location(),
                                   Value());
}

namespace {
struct LayoutLoweringPass
    : public mlir::fly::impl::FlyLayoutLoweringBase<LayoutLoweringPass> {
  void runOnOperation() override {
    if (failed(Lowering(&getContext()).run(getOperation())))
      signalPassFailure();
  }
};
} // namespace
