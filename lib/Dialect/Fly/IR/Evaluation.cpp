// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bridge between types and layout values, and inference by evaluation.
//
// Law: typeOfValue(valueOfType(T)) is T for every type that the algebra looks
// into. Unknown leaves have no names in types, so names are dropped on the way.
// An op's answer on given operand types is evaluated once a context.

#include "fly/Dialect/Fly/IR/Evaluation.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/Fly/IR/InferenceMemo.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

namespace mlir::fly {

using namespace ::fly::layout;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

AlgebraVal AlgebraVal::ofTuple(IntTuple tuple) {
  AlgebraVal value;
  value.kind = Kind::IntTuple;
  value.tuple = std::move(tuple);
  return value;
}

AlgebraVal AlgebraVal::ofLayout(AnyLayout layout) {
  AlgebraVal value;
  value.kind = Kind::Layout;
  value.layout = std::move(layout);
  return value;
}

AlgebraVal AlgebraVal::ofPointer(PointerVal pointer) {
  AlgebraVal value;
  value.kind = Kind::Pointer;
  value.pointer = pointer;
  return value;
}

AlgebraVal AlgebraVal::ofMemRef(PointerVal pointer, AnyLayout layout) {
  AlgebraVal value;
  value.kind = Kind::MemRef;
  value.pointer = pointer;
  value.layout = std::move(layout);
  return value;
}

AlgebraVal AlgebraVal::ofCoordTensor(IntTuple base, AnyLayout layout) {
  AlgebraVal value;
  value.kind = Kind::CoordTensor;
  value.tuple = std::move(base);
  value.layout = std::move(layout);
  return value;
}

AlgebraVal AlgebraVal::ofInteger(Int integer, unsigned width) {
  AlgebraVal value;
  value.kind = Kind::Integer;
  value.integer = integer;
  value.width = width;
  return value;
}

AlgebraVal AlgebraVal::ofOpaque(Type type) {
  AlgebraVal value;
  value.type = type;
  return value;
}

const Swizzle &AlgebraVal::swizzle() const {
  return cast<SwizzleType>(type).getSwizzle();
}

const CoordSwizzle &AlgebraVal::coordSwizzle() const {
  return cast<CoordSwizzleType>(type).getCoordSwizzle();
}

const Tile &AlgebraVal::tile() const { return cast<TileType>(type).getTile(); }

AlgebraVal AlgebraVal::withLayout(AnyLayout layout) const {
  AlgebraVal value = *this;
  value.type = {};
  value.layout = std::move(layout);
  return value;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

Evaluator::~Evaluator() = default;

/// gcd of magnitudes, as a positive number of 63 bits.
static int64_t commonDivisor(int64_t a, int64_t b) {
  uint64_t divisor = std::gcd(a < 0 ? 0 - uint64_t(a) : uint64_t(a),
                              b < 0 ? 0 - uint64_t(b) : uint64_t(b));
  return divisor > uint64_t(std::numeric_limits<int64_t>::max())
             ? int64_t(1) << 62
             : int64_t(divisor);
}

/// The same pointer, known to be a multiple of `divisor` elements at most.
static PointerType withDivisor(PointerType type, int64_t divisor) {
  int64_t known = commonDivisor(type.valueDivisibility(), divisor);
  return PointerType::get(type.getElemTy(), type.getAddressSpace(),
                          alignmentOfElements(type.getElemTy(), known),
                          type.getSwizzle());
}

PointerVal Evaluator::addOffset(PointerVal pointer, Int offset) {
  auto type = dyn_cast_if_present<PointerType>(pointer.type);
  if (offset.is(0) || !type || arith.failed())
    return pointer;
  PointerType moved = withDivisor(type, offset.divisor());
  return {moved, emitAddOffset(pointer, offset, moved)};
}

PointerVal Evaluator::addOffset(PointerVal pointer, const IntTuple &offset) {
  if (!offset.isInt()) {
    arith.fail("a pointer moves by a single integer, found the offset " +
               offset.str());
    return pointer;
  }
  return addOffset(pointer, offset.leaf());
}

PointerVal Evaluator::applySwizzle(PointerVal pointer, const Swizzle &swizzle) {
  auto type = dyn_cast_if_present<PointerType>(pointer.type);
  if (!type || arith.failed())
    return pointer;
  PointerType weaker = swizzle.isTrivial()
                           ? type
                           : withDivisor(type, int64_t(1) << swizzle.base);
  auto swizzled = PointerType::get(type.getElemTy(), type.getAddressSpace(),
                                   weaker.getAlignment(), swizzle);
  if (swizzled == type)
    return pointer;
  return {swizzled, emitApplySwizzle(pointer, swizzle, swizzled)};
}

uint32_t Evaluator::emitApplySwizzle(PointerVal pointer, const Swizzle &,
                                     Type) {
  return pointer.handle;
}

PointerVal Evaluator::allocateRegisters(Type elementType, int64_t count) {
  auto type = PointerType::get(elementType, AddressSpace::Register);
  return {type, arith.failed() ? 0 : emitAllocate(type, count)};
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static AlgebraVal ofStaticKind(AlgebraVal::Kind kind) {
  AlgebraVal value;
  value.kind = kind;
  return value;
}

AlgebraVal valueOfType(Type type) {
  AlgebraVal value =
      llvm::TypeSwitch<Type, AlgebraVal>(type)
          .Case<IntTupleType>(
              [](auto t) { return AlgebraVal::ofTuple(t.getTuple()); })
          .Case<LayoutType>(
              [](auto t) { return AlgebraVal::ofLayout(t.getLayout()); })
          .Case<ComposedLayoutType>(
              [](auto t) { return AlgebraVal::ofLayout(t.getLayout()); })
          .Case<SwizzleType>(
              [](auto) { return ofStaticKind(AlgebraVal::Kind::Swizzle); })
          .Case<CoordSwizzleType>(
              [](auto) { return ofStaticKind(AlgebraVal::Kind::CoordSwizzle); })
          .Case<TileType>(
              [](auto) { return ofStaticKind(AlgebraVal::Kind::Tile); })
          .Case<PointerType>(
              [](auto t) { return AlgebraVal::ofPointer({t, 0}); })
          .Case<MemRefType>([](auto t) {
            return AlgebraVal::ofMemRef({t.getPointerType(), 0}, t.getLayout());
          })
          .Case<CoordTensorType>([](auto t) {
            return AlgebraVal::ofCoordTensor(t.getBase(), t.getLayout());
          })
          .Case<IntegerType>([](auto t) {
            unsigned width = t.getWidth();
            return AlgebraVal::ofInteger(Int::unknown(width > 32 ? 64 : 32, 1),
                                         width);
          })
          .Default([](Type) { return AlgebraVal(); });
  value.type = type;
  return value;
}

/// Types know no names of unknown leaves.
static IntTuple withoutNames(const IntTuple &tuple) {
  if (tuple.isStatic())
    return tuple;
  return tuple.mapLeaves([](const IntTuple &leaf) -> IntTuple {
    Int value = leaf.leaf();
    if (!value.isDynamic() || value.handle() == 0)
      return leaf;
    Int anonymous = Int::unknown(value.width(), value.divisor());
    return leaf.isBasis() ? IntTuple::basis(anonymous, leaf.modes())
                          : IntTuple(anonymous);
  });
}

static Layout withoutNames(const Layout &layout) {
  return {withoutNames(layout.shape), withoutNames(layout.stride)};
}

static AnyLayout withoutNames(const AnyLayout &layout) {
  if (layout.isPlain())
    return withoutNames(layout.plain());
  ComposedLayout composed = layout.composed();
  if (composed.inner.kind == InnerMap::Kind::Layout)
    composed.inner = withoutNames(composed.inner.layout);
  composed.offset = withoutNames(composed.offset);
  composed.outer = withoutNames(composed.outer);
  return AnyLayout(std::move(composed));
}

/// Null when a layout in the value is malformed.
Type typeOfValue(MLIRContext *context, const AlgebraVal &value) {
  switch (value.kind) {
  case AlgebraVal::Kind::IntTuple:
    return IntTupleType::get(context, withoutNames(value.tuple));
  case AlgebraVal::Kind::Layout:
    if (!checkLayout(value.layout).empty())
      return {};
    return layoutToType(context, withoutNames(value.layout));
  case AlgebraVal::Kind::Swizzle:
  case AlgebraVal::Kind::CoordSwizzle:
  case AlgebraVal::Kind::Tile:
    return value.type;
  case AlgebraVal::Kind::Pointer:
    return value.pointer.type;
  case AlgebraVal::Kind::MemRef: {
    auto pointer = dyn_cast_if_present<PointerType>(value.pointer.type);
    if (!pointer || !checkLayout(value.layout).empty())
      return {};
    return MemRefType::get(pointer, withoutNames(value.layout));
  }
  case AlgebraVal::Kind::CoordTensor:
    if (!checkLayout(value.layout).empty())
      return {};
    return CoordTensorType::get(context, withoutNames(value.tuple),
                                withoutNames(value.layout));
  case AlgebraVal::Kind::Integer:
    return IntegerType::get(context, value.width);
  case AlgebraVal::Kind::Opaque:
    return value.type;
  }
  llvm_unreachable("all kinds of values are listed");
}

LogicalResult inferByEvaluation(MLIRContext *context,
                                std::optional<Location> location,
                                TypeRange operandTypes,
                                EvaluateFunction evaluate,
                                SmallVectorImpl<Type> &resultTypes) {
  SmallVector<AlgebraVal, 4> operands, results;
  for (Type type : operandTypes)
    operands.push_back(valueOfType(type));
  TypeEvaluator evaluator(context);
  evaluate(evaluator, operands, results);
  if (evaluator.arith.failed())
    return emitOptionalError(location, evaluator.arith.message());
  for (const AlgebraVal &result : results) {
    Type type = typeOfValue(context, result);
    if (!type)
      return emitOptionalError(location, "the result has no type");
    resultTypes.push_back(type);
  }
  return success();
}

LogicalResult inferOnce(MLIRContext *context, std::optional<Location> location,
                        TypeID op, TypeRange operandTypes,
                        ArrayRef<Attribute> attributes,
                        EvaluateFunction evaluate,
                        SmallVectorImpl<Type> &resultTypes) {
  auto *dialect = context->getLoadedDialect<FlyDialect>();
  if (!dialect)
    return inferByEvaluation(context, location, operandTypes, evaluate,
                             resultTypes);
  InferenceMemo &memo = dialect->getInferenceMemo();
  SmallVector<const void *, 8> key{op.getAsOpaquePointer()};
  for (Type type : operandTypes)
    key.push_back(type.getAsOpaquePointer());
  for (Attribute attribute : attributes)
    key.push_back(attribute.getAsOpaquePointer());
  if (memo.lookup(key, resultTypes))
    return success();
  size_t first = resultTypes.size();
  if (failed(inferByEvaluation(context, location, operandTypes, evaluate,
                               resultTypes)))
    return failure();
  memo.insert(key, ArrayRef<Type>(resultTypes).drop_front(first));
  return success();
}

} // namespace mlir::fly
