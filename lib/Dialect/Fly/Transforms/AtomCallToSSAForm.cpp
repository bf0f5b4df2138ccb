// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-convert-atom-call-to-ssa-form`: atom calls on memrefs in, atom calls
// whose register operands are values out. Loads before the call and stores
// after it move the data, so that register memory is touched by `ptr.load` and
// `ptr.store` alone and can be promoted.
//
// An operand becomes a value when its memref is in registers, its layout is one
// contiguous run, and a `make_view` in sight gives its pointer. Anything else
// (other spaces, strided views, block arguments, selects) stays a memref. With
// `gather`, strided views with a static layout become values piece by piece.
//
//   copy_atom_call(%at, %g, %r, %p)
//   %c = ptr.load(%pp)   %old = ptr.load(%rp)
//   %v = copy_atom_call_ssa(%at, %g, %old, %c)   ptr.store(%v, %rp)

#include "PromoteRegmem.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYCONVERTATOMCALLTOSSAFORM
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;
using ::fly::layout::AnyLayout;
using ::fly::layout::Int;
using ::fly::layout::IntTuple;
using ::fly::layout::Layout;

namespace {

/// `count` elements at `offset` of a pointer, which are elements
/// [position, position + count) of the value.
struct Run {
  int64_t offset, position, count;
};

/// An operand that becomes a value.
struct RegisterOperand {
  Value pointer;
  Type valueType;
  /// One run of everything for a contiguous view.
  SmallVector<Run, 1> runs;

  Value load(OpBuilder &builder, Location loc) const;
  void store(OpBuilder &builder, Location loc, Value value) const;
};

/// Rewrites the calls below one op.
class SSAForm {
public:
  explicit SSAForm(bool gather) : gather(gather) {}
  void rewrite(CopyAtomCallOp call) const;
  void rewrite(MmaAtomCallOp call) const;

private:
  std::optional<RegisterOperand> registerOperand(Value view) const;
  bool gather;
};

} // namespace

/// A strided view is taken apart only up to this many elements.
static constexpr int64_t maxGathered = 256;

static VectorType vectorOf(int64_t length, Type element) {
  return VectorType::get({length}, element);
}

static Value pointerAt(OpBuilder &builder, Location loc, Value pointer,
                       int64_t offset) {
  if (offset == 0)
    return pointer;
  auto type = IntTupleType::get(builder.getContext(), IntTuple(offset));
  Value tuple = MakeIntTupleOp::create(builder, loc, type, ValueRange());
  return AddOffsetOp::create(builder, loc, pointer, tuple);
}

Value RegisterOperand::load(OpBuilder &builder, Location loc) const {
  if (runs.size() == 1)
    return PtrLoadOp::create(
        builder, loc, valueType,
        pointerAt(builder, loc, pointer, runs.front().offset));
  Type element = cast<VectorType>(valueType).getElementType();
  Value value = ub::PoisonOp::create(builder, loc, valueType);
  for (const Run &run : runs) {
    Value piece =
        PtrLoadOp::create(builder, loc, vectorOf(run.count, element),
                          pointerAt(builder, loc, pointer, run.offset));
    value = vector::InsertStridedSliceOp::create(
        builder, loc, piece, value, ArrayRef<int64_t>{run.position},
        ArrayRef<int64_t>{1});
  }
  return value;
}

void RegisterOperand::store(OpBuilder &builder, Location loc,
                            Value value) const {
  if (runs.size() == 1) {
    PtrStoreOp::create(builder, loc, value,
                       pointerAt(builder, loc, pointer, runs.front().offset));
    return;
  }
  for (const Run &run : runs) {
    Value piece = vector::ExtractStridedSliceOp::create(
        builder, loc, value, ArrayRef<int64_t>{run.position},
        ArrayRef<int64_t>{run.count}, ArrayRef<int64_t>{1});
    PtrStoreOp::create(builder, loc, piece,
                       pointerAt(builder, loc, pointer, run.offset));
  }
}

/// The pointer of a view that a `make_view` in sight makes.
static Value pointerOfView(Value view) {
  auto maker = view.getDefiningOp<MakeViewOp>();
  return maker ? maker.getIter() : Value();
}

/// The number of elements of a layout that is one contiguous run, else
/// nullopt. Singleton wrappers do not count.
static std::optional<int64_t> contiguousSize(const Layout &layout) {
  ::fly::layout::TypeArith arith;
  Layout flat =
      ::fly::layout::normalize(::fly::layout::coalesce(arith, layout));
  if (arith.failed() || !flat.isLeaf() || !flat.shape.isInt() ||
      !flat.shape.isStatic() || flat.shape.leaf().value() <= 0)
    return std::nullopt;
  if (!flat.shape.isKnown(1) && !flat.stride.isKnown(1))
    return std::nullopt;
  return flat.shape.leaf().value();
}

/// The runs of a small static layout, in the order of coordinates.
static SmallVector<Run, 1> runsOf(const Layout &layout) {
  SmallVector<Run, 1> runs;
  ::fly::layout::StaticArith arith;
  if (!layout.isStatic())
    return runs;
  Int size = ::fly::layout::productInt(arith, layout.shape);
  if (arith.failed() || size.value() <= 0 || size.value() > maxGathered)
    return runs;
  for (int64_t i = 0; i < size.value(); ++i) {
    IntTuple index = ::fly::layout::crd2idx(arith, IntTuple(i), layout);
    if (arith.failed() || !index.isInt())
      return {};
    int64_t offset = index.leaf().value();
    if (!runs.empty() && offset == runs.back().offset + runs.back().count)
      ++runs.back().count;
    else
      runs.push_back({offset, i, 1});
  }
  return runs;
}

std::optional<RegisterOperand> SSAForm::registerOperand(Value view) const {
  auto type = view ? dyn_cast<mlir::fly::MemRefType>(view.getType())
                   : mlir::fly::MemRefType();
  if (!type || !type.isInSpace(AddressSpace::Register))
    return std::nullopt;
  RegisterOperand operand;
  operand.pointer = pointerOfView(view);
  AnyLayout layout = type.getLayout();
  if (!operand.pointer || !layout.isPlain())
    return std::nullopt;
  int64_t size = 0;
  if (std::optional<int64_t> contiguous = contiguousSize(layout.plain())) {
    size = *contiguous;
    operand.runs.push_back({0, 0, size});
  } else if (gather) {
    operand.runs = runsOf(layout.plain());
    for (const Run &run : operand.runs)
      size += run.count;
  }
  if (operand.runs.empty())
    return std::nullopt;
  Type element = registerElementType(type.getElemTy());
  operand.valueType = size == 1 ? element : Type(vectorOf(size, element));
  return operand;
}

/// The predicate of a copy as an i1; null when its place is not known. One in
/// another space than registers is loaded in the same way.
static Value loadPredicate(OpBuilder &builder, Location loc, Value view) {
  auto type = cast<mlir::fly::MemRefType>(view.getType());
  Value pointer = pointerOfView(view);
  if (!pointer || !type.getElemTy().isInteger(1) || !type.getLayout().isPlain())
    return {};
  return PtrLoadOp::create(builder, loc, type.getElemTy(), pointer);
}

void SSAForm::rewrite(CopyAtomCallOp call) const {
  Value predicateView = call.getPred();
  std::optional<RegisterOperand> src = registerOperand(call.getSrc());
  std::optional<RegisterOperand> dst = registerOperand(call.getDst());
  if (!src && !dst && !registerOperand(predicateView))
    return;
  OpBuilder builder(call);
  Location loc = call.getLoc();
  Value predicate;
  if (predicateView) {
    predicate = loadPredicate(builder, loc, predicateView);
    if (!predicate)
      return; // the memory form knows what to do with it
  }
  Value source = src ? src->load(builder, loc) : Value(call.getSrc());
  Value target = call.getDst();
  SmallVector<Type, 1> results;
  if (dst) {
    results.push_back(dst->valueType);
    target = predicate ? dst->load(builder, loc) : Value();
  }
  auto form = CopyAtomCallSSAOp::create(
      builder, loc, results, call.getCopyAtom(), source, target, predicate);
  form->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  if (dst)
    dst->store(builder, loc, form->getResult(0));
  call.erase();
}

void SSAForm::rewrite(MmaAtomCallOp call) const {
  std::optional<RegisterOperand> d = registerOperand(call.getD());
  SmallVector<std::optional<RegisterOperand>, 3> inputs;
  Value views[] = {call.getA(), call.getB(), call.getC()};
  for (Value view : views)
    inputs.push_back(registerOperand(view));
  if (!d && llvm::none_of(inputs, [](auto &input) { return bool(input); }))
    return;
  OpBuilder builder(call);
  Location loc = call.getLoc();
  SmallVector<Value, 3> values;
  for (auto [view, input] : llvm::zip_equal(views, inputs))
    values.push_back(input ? input->load(builder, loc) : view);
  SmallVector<Type, 1> results;
  if (d)
    results.push_back(d->valueType);
  auto form = MmaAtomCallSSAOp::create(builder, loc, results, call.getMmaAtom(),
                                       d ? Value() : Value(call.getD()),
                                       values[0], values[1], values[2]);
  form->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  if (d)
    d->store(builder, loc, form->getResult(0));
  call.erase();
}

namespace {
struct ConvertAtomCallToSSAFormPass
    : public mlir::fly::impl::FlyConvertAtomCallToSSAFormBase<
          ConvertAtomCallToSSAFormPass> {
  using FlyConvertAtomCallToSSAFormBase::FlyConvertAtomCallToSSAFormBase;

  void runOnOperation() override {
    SSAForm form(gather);
    getOperation()->walk([&](Operation *op) {
      if (auto copy = dyn_cast<CopyAtomCallOp>(op))
        form.rewrite(copy);
      else if (auto mma = dyn_cast<MmaAtomCallOp>(op))
        form.rewrite(mma);
    });
  }
};
} // namespace
