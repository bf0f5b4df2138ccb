// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading SSA values in normal form, and writing values of the algebra back.
// A static value needs no definition: its type says everything.

#include "IREvaluator.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::layout::AnyLayout;
using ::fly::layout::ComposedLayout;
using ::fly::layout::InnerMap;
using ::fly::layout::Int;
using ::fly::layout::IntTuple;
using ::fly::layout::Layout;

// --- Reading
// --------------------------------------------------------------------

/// The tuple of a constructor: its type, with the operands as the dynamic
/// leaves from left to right.
static IntTuple bindLeaves(IRArith &arith, const IntTuple &type,
                           OperandRange operands) {
  unsigned next = 0;
  return type.mapLeaves([&](const IntTuple &leaf) {
    Int unknown = leaf.leaf();
    if (unknown.isStatic() || next == operands.size())
      return leaf;
    Value number = operands[next++];
    Int bound = arith.leafOf(number, unknown.divisor());
    return leaf.isBasis() ? IntTuple::basis(bound, leaf.modes())
                          : IntTuple(bound);
  });
}

void IREvaluator::noteExtents(Operation *maker, const IntTuple &shape) {
  // What stands in the first block of a function runs whenever it does.
  if (maker->getBlock()->isEntryBlock() &&
      maker->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
    shape.forEachLeaf(
        [&](const IntTuple &leaf) { irArith.assumeNonNegative(leaf.leaf()); });
}

std::optional<AlgebraVal> IREvaluator::readConstructor(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto part = [&](unsigned index) { return valueOf(op->getOperand(index)); };
  if (isa<MakeIntTupleOp, MakeShapeOp, MakeStrideOp, MakeCoordOp>(op))
    return AlgebraVal::ofTuple(
        bindLeaves(irArith, cast<IntTupleType>(value.getType()).getTuple(),
                   op->getOperands()));
  if (isa<MakeLayoutOp>(op)) {
    auto shape = part(0), stride = part(1);
    if (!shape || !stride)
      return std::nullopt;
    noteExtents(op, shape->tuple);
    return AlgebraVal::ofLayout(Layout{shape->tuple, stride->tuple});
  }
  if (isa<MakeComposedLayoutOp>(op)) {
    auto inner = part(0), offset = part(1), outer = part(2);
    if (!inner || !offset || !outer)
      return std::nullopt;
    ComposedLayout composed;
    if (inner->kind == AlgebraVal::Kind::Swizzle)
      composed.inner = InnerMap(inner->swizzle());
    else if (inner->kind == AlgebraVal::Kind::CoordSwizzle)
      composed.inner = InnerMap(inner->coordSwizzle());
    else
      composed.inner = InnerMap(inner->layout);
    composed.offset = offset->tuple;
    composed.outer = outer->layout;
    return AlgebraVal::ofLayout(AnyLayout(std::move(composed)));
  }
  if (isa<MakeViewOp>(op)) {
    auto iterator = part(0), layout = part(1);
    if (!iterator || !layout)
      return std::nullopt;
    return iterator->isTuple()
               ? AlgebraVal::ofCoordTensor(iterator->tuple, layout->layout)
               : AlgebraVal::ofMemRef(withNewOrigin(iterator->pointer),
                                      layout->layout);
  }
  return std::nullopt;
}

std::optional<AlgebraVal> IREvaluator::valueOf(Value value) {
  auto slot = known.find(value);
  if (slot != known.end())
    return *slot->second;
  Type type = value.getType();
  std::optional<AlgebraVal> read;
  if (isa<PointerType>(type)) {
    read = AlgebraVal::ofPointer(pointerOf(value));
  } else if (isa<IntTupleType, LayoutType, ComposedLayoutType, CoordTensorType,
                 MemRefType>(type)) {
    read = readConstructor(value);
    auto staticType = dyn_cast<MayStaticTypeInterface>(type);
    if (!read && staticType && staticType.isStatic())
      read = valueOfType(type);
  } else {
    read = valueOfType(type);
  }
  if (!read)
    return std::nullopt;
  read->type = type;
  known.try_emplace(value, new (knownValues.Allocate()) AlgebraVal(*read));
  return read;
}

PointerVal IREvaluator::pointerOf(Value pointer) {
  auto [slot, isNew] =
      pointerHandles.try_emplace(pointer, uint32_t(pointers.size()));
  if (isNew)
    pointers.emplace_back().base = pointer;
  return {pointer.getType(), slot->second};
}

void IREvaluator::remember(Value result, AlgebraVal value) {
  value.type = result.getType();
  auto [slot, isNew] = known.try_emplace(result);
  if (isNew)
    slot->second = new (knownValues.Allocate()) AlgebraVal(std::move(value));
  else
    *slot->second = std::move(value);
}

// --- Pointers
// -------------------------------------------------------------------

uint32_t IREvaluator::emitAddOffset(PointerVal pointer, Int offset, Type) {
  Pointer moved = pointers[pointer.handle];
  // The known part of a sum joins the known offset.
  if (std::optional<IRArith::Sum> sum = irArith.sumOf(offset)) {
    moved.known =
        arith.add(Int::known(moved.known), Int::known(sum->known)).value();
    offset = sum->base;
  }
  if (offset.isStatic())
    moved.known = arith.add(Int::known(moved.known), offset).value();
  else if (moved.dynamic.isDynamic() && hasWideOffsets(pointer.type) &&
           !irArith.sumFits(moved.dynamic, offset))
    // Each may be near the end of 32 bits.
    moved.dynamic = arith.add(widened(moved.dynamic), widened(offset));
  else
    moved.dynamic = arith.add(moved.dynamic, offset);
  pointers.push_back(moved);
  return pointers.size() - 1;
}

/// The sum of all dynamic offsets, which may each be near the end of 32 bits.
Int IREvaluator::dynamicOffset(const Pointer &parts) {
  if (!parts.origin.isDynamic())
    return parts.dynamic;
  if (!parts.dynamic.isDynamic())
    return parts.origin;
  return arith.add(widened(parts.origin), widened(parts.dynamic));
}

PointerVal IREvaluator::withNewOrigin(PointerVal pointer) {
  if (!hasWideOffsets(pointer.type))
    return pointer; // addresses of 32 bits wrap as their offsets do
  Pointer parts = pointers[pointer.handle];
  if (!parts.dynamic.isDynamic())
    return pointer;
  parts.origin = dynamicOffset(parts);
  parts.dynamic = Int();
  pointers.push_back(parts);
  return {pointer.type, uint32_t(pointers.size() - 1)};
}

uint32_t IREvaluator::emitAllocate(Type pointerType, int64_t count) {
  OpBuilder &b = builder();
  auto attributes = b.getDictionaryAttr(
      b.getNamedAttr("allocSize", b.getI64IntegerAttr(count)));
  Value array =
      MakePtrOp::create(b, location(), pointerType, ValueRange(), attributes);
  return pointerOf(array).handle;
}

/// `base` moved by one leaf, as an op; the same move is made once a scope.
Value IREvaluator::moved(Value base, Int offset) {
  if (offset.isDynamic())
    offset = offset.withDivisor(irArith.knownDivisor(offset));
  IRArith::Key key{~0u - 1, int64_t(intptr_t(base.getAsOpaquePointer())),
                   offset.isStatic() ? -1 : int64_t(offset.handle()),
                   offset.divisor(), 0};
  if (Value existing = irArith.table().lookup(key))
    return existing;
  TypeEvaluator types(context);
  Type type = types.addOffset(PointerVal{base.getType(), 0}, offset).type;
  Value tuple = materializeTuple(offset);
  Value result = AddOffsetOp::create(builder(), location(), type, base, tuple);
  irArith.table().insert(key, result);
  return result;
}

Value IREvaluator::materializePointer(PointerVal pointer) {
  const Pointer parts = pointers[pointer.handle];
  Value value = parts.base;
  for (Int offset : {parts.origin, parts.dynamic})
    if (!offset.is(0))
      value = moved(value, offset);
  if (parts.known)
    value = moved(value, Int::known(parts.known));
  return value;
}

// --- Writing
// --------------------------------------------------------------------

Value IREvaluator::materializeTuple(const IntTuple &tuple) {
  OpBuilder &b = builder();
  auto type = IntTupleType::get(context, tuple);
  SmallVector<Value> operands;
  tuple.forEachLeaf([&](const IntTuple &leaf) {
    if (leaf.leaf().isDynamic())
      operands.push_back(irArith.materialize(leaf.leaf(), leaf.leaf().width()));
  });
  if (!operands.empty())
    return MakeIntTupleOp::create(b, location(), type, operands);
  // Known tuples recur: one for each type and scope.
  IRArith::Key key{~0u - 2, int64_t(intptr_t(type.getAsOpaquePointer())), 0, 0,
                   0};
  Value value = irArith.table().lookup(key);
  if (!value) {
    value = MakeIntTupleOp::create(b, location(), type, operands);
    irArith.table().insert(key, value);
  }
  return value;
}

/// What `make` makes of two operands, made once in each open scope.
Value IREvaluator::once(unsigned tag, Type type, Value first, Value second,
                        llvm::function_ref<Value()> make) {
  auto number = [](const void *pointer) { return int64_t(intptr_t(pointer)); };
  IRArith::Key key{tag, number(type.getAsOpaquePointer()),
                   number(first.getAsOpaquePointer()),
                   number(second.getAsOpaquePointer()), 0};
  Value value = irArith.table().lookup(key);
  if (!value) {
    value = make();
    irArith.table().insert(key, value);
  }
  return value;
}

Value IREvaluator::materializeLayout(const AnyLayout &layout) {
  OpBuilder &b = builder();
  Type type = typeOfValue(context, AlgebraVal::ofLayout(layout));
  if (layout.isPlain()) {
    Value shape = materializeTuple(layout.plain().shape);
    Value stride = materializeTuple(layout.plain().stride);
    return once(~0u - 4, type, shape, stride, [&] {
      return MakeLayoutOp::create(b, location(), type, shape, stride);
    });
  }
  const ComposedLayout &composed = layout.composed();
  Value inner;
  switch (composed.inner.kind) {
  case InnerMap::Kind::Swizzle:
    inner = StaticOp::create(b, location(),
                             SwizzleType::get(context, composed.inner.swizzle));
    break;
  case InnerMap::Kind::CoordSwizzle:
    inner = StaticOp::create(
        b, location(),
        CoordSwizzleType::get(context, composed.inner.coordSwizzle));
    break;
  case InnerMap::Kind::Layout:
    inner = materializeLayout(composed.inner.layout);
    break;
  }
  Value offset = materializeTuple(composed.offset);
  Value outer = materializeLayout(composed.outer);
  return MakeComposedLayoutOp::create(b, location(), type, inner, offset,
                                      outer);
}

Value IREvaluator::materialize(const AlgebraVal &value) {
  OpBuilder &b = builder();
  switch (value.kind) {
  case AlgebraVal::Kind::IntTuple:
    return materializeTuple(value.tuple);
  case AlgebraVal::Kind::Layout:
    return materializeLayout(value.layout);
  case AlgebraVal::Kind::Pointer:
    return materializePointer(value.pointer);
  case AlgebraVal::Kind::Integer:
    return irArith.materialize(value.integer, value.width);
  case AlgebraVal::Kind::MemRef:
  case AlgebraVal::Kind::CoordTensor: {
    bool isMemRef = value.kind == AlgebraVal::Kind::MemRef;
    Value iterator = isMemRef ? materializePointer(value.pointer)
                              : materializeTuple(value.tuple);
    Value layout = materializeLayout(value.layout);
    // The pointer may have become better aligned than inference could know.
    AlgebraVal view =
        isMemRef ? AlgebraVal::ofMemRef({iterator.getType(), 0}, value.layout)
                 : value;
    Type type = typeOfValue(context, view);
    return once(~0u - 5, type, iterator, layout, [&] {
      return MakeViewOp::create(b, location(), type, iterator, layout);
    });
  }
  case AlgebraVal::Kind::Swizzle:
  case AlgebraVal::Kind::CoordSwizzle:
  case AlgebraVal::Kind::Tile:
  case AlgebraVal::Kind::Opaque:
    return StaticOp::create(b, location(), typeOfValue(context, value));
  }
  llvm_unreachable("unknown kind of value");
}

Value IREvaluator::materializeResult(Value result) {
  if (Value existing = materialized.lookup(result))
    return existing;
  Value value = materialize(*known.find(result)->second);
  materialized.insert(result, value);
  return value;
}
