// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element and vector accesses of tensors as pointer accesses.
//
// A vector access of layout L touches the offsets L(0), L(1), ... in that
// order. They are sorted, and each longest run of neighbours becomes one
// access; what order is left is one shuffle. An offset that occurs twice is
// loaded once; stored, the last occurrence wins.
//
//   (4,2):(2,1) f32     eight neighbours: one load of vector<8xf32>, one
//   shuffle

#include "LayoutLowering.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::layout::Int;
using ::fly::layout::IntTuple;
using ::fly::layout::Layout;

namespace {

/// Neighbouring elements: memory offsets first, first + 1, ... hold the vector
/// elements `positions`.
struct Run {
  Int dynamicOffset; // none: no dynamic part
  int64_t first = 0;
  SmallVector<int64_t> positions;
};

/// Which vector elements of one access lie next to one another in memory.
struct AccessPlan {
  SmallVector<Run> runs;
  /// For each vector element: the run and the place in it (loads only look at
  /// this; of equal offsets all elements share one place).
  SmallVector<std::pair<unsigned, unsigned>> places;
};

constexpr int64_t kMaxElements = 1 << 16;

} // namespace

/// Cuts the accesses of a plain layout with a static shape into runs; nothing
/// and an error in `arith` when that is not possible.
static AccessPlan planAccess(::fly::layout::Arith &arith,
                             const Layout &layout) {
  AccessPlan plan;
  std::optional<int64_t> count = staticSize(layout.shape);
  if (!count || *count > kMaxElements || *count < 1) {
    arith.fail("a vector access needs a static shape of 1 to " +
               llvm::Twine(kMaxElements) + " elements, found " + layout.str());
    return plan;
  }
  std::vector<IntTuple> shape = layout.shape.leaves();
  std::vector<IntTuple> stride = layout.stride.leaves();
  // (group of dynamic coordinates, known offset, element).
  SmallVector<std::tuple<int64_t, int64_t, int64_t>> touched;
  SmallVector<Int> dynamicOffsets;
  llvm::DenseMap<int64_t, unsigned> groups;
  for (int64_t i = 0; i != *count; ++i) {
    int64_t rest = i, group = 0, groupScale = 1;
    Int known = Int::known(0), dynamic;
    SmallVector<std::pair<Int, int64_t>> dynamicParts;
    for (auto [extent, step] : llvm::zip_equal(shape, stride)) {
      int64_t coordinate = rest % extent.leaf().value();
      rest /= extent.leaf().value();
      if (step.leaf().isStatic()) {
        known =
            arith.add(known, arith.mul(Int::known(coordinate), step.leaf()));
      } else {
        group += groupScale * coordinate;
        groupScale *= extent.leaf().value();
        dynamicParts.push_back({step.leaf(), coordinate});
      }
    }
    auto [slot, isNew] = groups.try_emplace(group, dynamicOffsets.size());
    if (isNew) {
      for (auto [step, coordinate] : dynamicParts)
        dynamic = arith.add(dynamic, arith.mul(Int::known(coordinate), step));
      dynamicOffsets.push_back(dynamic);
    }
    touched.emplace_back(slot->second, known.value(), i);
  }
  if (arith.failed())
    return plan;
  llvm::sort(touched);
  plan.places.resize(*count);
  std::optional<std::pair<int64_t, int64_t>> last; // group and offset
  for (auto [group, offset, element] : touched) {
    bool isSame = last && *last == std::make_pair(group, offset);
    bool isNext = last && *last == std::make_pair(group, offset - 1);
    if (!isSame && !isNext)
      plan.runs.push_back({dynamicOffsets[group], offset, {}});
    Run &run = plan.runs.back();
    if (isSame)
      run.positions.back() = element; // the last occurrence wins
    else
      run.positions.push_back(element);
    plan.places[element] = {plan.runs.size() - 1, run.positions.size() - 1};
    last = {group, offset};
  }
  return plan;
}

static Value runPointer(IREvaluator &eval, PointerVal base, const Run &run) {
  PointerVal pointer = base;
  if (run.dynamicOffset.isDynamic())
    pointer = eval.addOffset(eval.withNewOrigin(base), run.dynamicOffset);
  pointer = eval.addOffset(pointer, Int::known(run.first));
  return eval.materializePointer(pointer);
}

static bool isIota(ArrayRef<int64_t> numbers, int64_t first) {
  return llvm::all_of(llvm::enumerate(numbers), [&](auto entry) {
    return entry.value() == first + static_cast<int64_t>(entry.index());
  });
}

static Expansion failedAt(Operation *op, IREvaluator &eval) {
  op->emitOpError() << eval.arith.message();
  return Expansion::Failed;
}

// --- Elements
// -------------------------------------------------------------------

/// The pointer to one element; null when an operand is not in normal form.
static FailureOr<Value> elementPointer(IREvaluator &eval, Operation *op,
                                       Value tensor, Value indices) {
  std::optional<AlgebraVal> view = eval.valueOf(tensor);
  std::optional<AlgebraVal> coord = eval.valueOf(indices);
  if (!view || !coord)
    return Value();
  IntTuple at = fitToOffset(eval, *view, coord->tuple, OffsetUse::Address);
  IntTuple offset = ::fly::layout::crd2idx(eval.arith, at, view->layout);
  PointerVal pointer = eval.addOffset(view->pointer, offset);
  if (eval.arith.failed()) {
    failedAt(op, eval);
    return failure();
  }
  return eval.materializePointer(pointer);
}

Expansion mlir::fly::expandLoad(IREvaluator &eval, MemRefLoadOp op) {
  FailureOr<Value> pointer =
      elementPointer(eval, op, op->getOperand(0), op->getOperand(1));
  if (failed(pointer))
    return Expansion::Failed;
  if (!*pointer)
    return Expansion::Waiting;
  Value loaded = PtrLoadOp::create(eval.builder(), op.getLoc(),
                                   op->getResult(0).getType(), *pointer);
  op->getResult(0).replaceAllUsesWith(loaded);
  return Expansion::Done;
}

Expansion mlir::fly::expandStore(IREvaluator &eval, MemRefStoreOp op) {
  Type value = op->getOperand(0).getType();
  Type element = cast<MemRefType>(op->getOperand(1).getType()).getElemTy();
  if (elementBits(value) != elementBits(element)) {
    op->emitOpError("expected a value as wide as ")
        << element << ", found " << value;
    return Expansion::Failed;
  }
  FailureOr<Value> pointer =
      elementPointer(eval, op, op->getOperand(1), op->getOperand(2));
  if (failed(pointer))
    return Expansion::Failed;
  if (!*pointer)
    return Expansion::Waiting;
  PtrStoreOp::create(eval.builder(), op.getLoc(), op->getOperand(0), *pointer);
  return Expansion::Done;
}

// --- Vectors
// --------------------------------------------------------------------

/// Coordinates as a vector of integers.
static Expansion loadCoordinates(IREvaluator &eval, MemRefLoadVecOp op,
                                 const AlgebraVal &view, VectorType type) {
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  SmallVector<Value> elements;
  for (int64_t i = 0; i != type.getNumElements(); ++i) {
    IntTuple index = ::fly::layout::codomainAdd(
        eval.arith, view.tuple,
        ::fly::layout::crd2idx(eval.arith, IntTuple(i), view.layout));
    if (eval.arith.failed())
      return failedAt(op, eval);
    elements.push_back(eval.integers().materialize(index.leaf(), width));
  }
  op->getResult(0).replaceAllUsesWith(vector::FromElementsOp::create(
      eval.builder(), op.getLoc(), type, elements));
  return Expansion::Done;
}

Expansion mlir::fly::expandLoadVec(IREvaluator &eval, MemRefLoadVecOp op) {
  std::optional<AlgebraVal> view = eval.valueOf(op->getOperand(0));
  if (!view)
    return Expansion::Waiting;
  auto type = cast<VectorType>(op->getResult(0).getType());
  if (view->kind == AlgebraVal::Kind::CoordTensor)
    return loadCoordinates(eval, op, *view, type);
  AccessPlan plan = planAccess(eval.arith, view->layout.linear());
  if (eval.arith.failed())
    return failedAt(op, eval);
  OpBuilder &b = eval.builder();
  Location loc = op.getLoc();
  Type element = type.getElementType();
  int64_t total = 0;
  SmallVector<int64_t> starts;
  for (const Run &run : plan.runs) {
    starts.push_back(total);
    total += run.positions.size();
  }
  // All runs behind one another in one vector.
  Value all;
  for (auto [run, start] : llvm::zip_equal(plan.runs, starts)) {
    int64_t length = run.positions.size();
    Value pointer = runPointer(eval, view->pointer, run);
    bool isWhole = length == total;
    Type part = isWhole || length > 1 ? Type(VectorType::get({length}, element))
                                      : element;
    Value loaded = PtrLoadOp::create(b, loc, part, pointer);
    if (isWhole) {
      all = loaded;
      break;
    }
    if (!all)
      all = ub::PoisonOp::create(b, loc, VectorType::get({total}, element));
    if (length == 1)
      all = vector::InsertOp::create(b, loc, loaded, all,
                                     ArrayRef<int64_t>{start});
    else
      all = vector::InsertStridedSliceOp::create(
          b, loc, loaded, all, ArrayRef<int64_t>{start}, ArrayRef<int64_t>{1});
  }
  if (eval.arith.failed())
    return failedAt(op, eval);
  SmallVector<int64_t> mask;
  for (auto [run, place] : plan.places)
    mask.push_back(starts[run] + place);
  if (total != type.getNumElements() || !isIota(mask, 0))
    all = vector::ShuffleOp::create(b, loc, all, all, mask);
  op->getResult(0).replaceAllUsesWith(all);
  return Expansion::Done;
}

Expansion mlir::fly::expandStoreVec(IREvaluator &eval, MemRefStoreVecOp op) {
  Value vector = op->getOperand(0);
  std::optional<AlgebraVal> view = eval.valueOf(op->getOperand(1));
  if (!view)
    return Expansion::Waiting;
  AccessPlan plan = planAccess(eval.arith, view->layout.linear());
  if (eval.arith.failed())
    return failedAt(op, eval);
  OpBuilder &b = eval.builder();
  Location loc = op.getLoc();
  // The plan counts in one dimension. A scalar is stored as it is.
  auto type = dyn_cast<VectorType>(vector.getType());
  if (type && type.getRank() != 1) {
    type = VectorType::get({type.getNumElements()}, type.getElementType());
    vector = vector::ShapeCastOp::create(b, loc, type, vector);
  }
  for (const Run &run : plan.runs) {
    int64_t length = run.positions.size(), first = run.positions.front();
    Value part;
    if (!type || (length == type.getNumElements() && isIota(run.positions, 0)))
      part = vector;
    else if (length == 1)
      part =
          vector::ExtractOp::create(b, loc, vector, ArrayRef<int64_t>{first});
    else if (isIota(run.positions, first))
      part = vector::ExtractStridedSliceOp::create(
          b, loc, vector, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{length},
          ArrayRef<int64_t>{1});
    else
      part = vector::ShuffleOp::create(b, loc, vector, vector, run.positions);
    PtrStoreOp::create(b, loc, part, runPointer(eval, view->pointer, run));
  }
  if (eval.arith.failed())
    return failedAt(op, eval);
  return Expansion::Done;
}
