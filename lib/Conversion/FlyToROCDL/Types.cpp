// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What fly types become; see Types.h.

#include "Types.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::fly {

std::optional<unsigned> llvmAddressSpace(Attribute space) {
  auto known = dyn_cast_if_present<AddressSpaceAttr>(space);
  if (!known)
    return std::nullopt;
  switch (known.getValue()) {
  case AddressSpace::Generic:
    return 0;
  case AddressSpace::Global:
    return 1;
  case AddressSpace::Shared:
    return 3;
  case AddressSpace::Register:
    return 5;
  }
  return std::nullopt;
}

bool isBufferSpace(Attribute space) {
  return isa_and_present<fly_rocdl::BufferDescAttr>(space);
}

bool isConvertible(Type type) {
  return isa<PointerType, MemRefType, CopyAtomType, MmaAtomType, TiledCopyType,
             TiledMmaType>(type);
}

static Type convertSpace(MLIRContext *context, Attribute space) {
  if (isBufferSpace(space))
    return LLVM::LLVMStructType::getLiteral(
        context, {LLVM::LLVMPointerType::get(context, 8),
                  IntegerType::get(context, 32)});
  if (std::optional<unsigned> number = llvmAddressSpace(space))
    return LLVM::LLVMPointerType::get(context, *number);
  return {};
}

/// State of an atom: nothing is the empty struct.
static Type convertState(Type state, MLIRContext *context) {
  return state ? state : LLVM::LLVMStructType::getLiteral(context, {});
}

Type convertType(Type type) {
  MLIRContext *context = type.getContext();
  return TypeSwitch<Type, Type>(type)
      .Case([&](PointerType t) {
        return convertSpace(context, t.getAddressSpace());
      })
      .Case([&](MemRefType t) {
        return convertSpace(context, t.getAddressSpace());
      })
      .Case([&](CopyAtomType t) {
        return convertState(t.getStateType(), context);
      })
      .Case([&](MmaAtomType t) {
        return convertState(t.getStateType(), context);
      })
      .Case([&](TiledCopyType t) { return convertType(t.getCopyAtom()); })
      .Case([&](TiledMmaType t) { return convertType(t.getMmaAtom()); })
      .Default([](Type t) { return t; });
}

Type storageType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(storageType(vector.getElementType()));
  if (auto number = dyn_cast<FloatType>(type))
    return number.getWidth() < 16
               ? IntegerType::get(type.getContext(), number.getWidth())
               : type;
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  return type;
}

std::optional<int64_t> bitsOfType(Type type) {
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable())
      return std::nullopt;
    count = vector.getNumElements();
    type = vector.getElementType();
  }
  if (!type.isIntOrFloat())
    return std::nullopt;
  return count * type.getIntOrFloatBitWidth();
}

Value toStorage(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType(), storage = storageType(type);
  if (type == storage)
    return value;
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return arith::BitcastOp::create(b, loc, storage, value);
  return UnrealizedConversionCastOp::create(b, loc, storage, value)
      .getResult(0);
}

Value fromStorage(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  assert(value.getType() == storageType(type) && "a value in storage type");
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return arith::BitcastOp::create(b, loc, type, value);
  return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
}

FailureOr<Value> bitcastTo(OpBuilder &b, Location loc, Value value, Type type,
                           const Twine &what) {
  if (value.getType() == type)
    return value;
  std::optional<int64_t> have = bitsOfType(value.getType());
  std::optional<int64_t> want = bitsOfType(type);
  if (!have || !want || *have != *want)
    return emitError(loc) << what << " has type " << value.getType()
                          << ", which does not have the bits of " << type;
  return Value(LLVM::BitcastOp::create(b, loc, type, value));
}

Value constantInt(OpBuilder &b, Location loc, int64_t value, unsigned width) {
  APInt number = APInt(64, value, /*isSigned=*/true).trunc(width);
  return arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(b.getIntegerType(width), number));
}

} // namespace mlir::fly
