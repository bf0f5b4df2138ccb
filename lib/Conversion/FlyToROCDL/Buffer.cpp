// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffer descriptors; see Buffer.h.

#include "Buffer.h"

#include "fly/Target/AMDGPU/CopyRows.h"

namespace mlir::fly {

namespace amdgpu = ::fly::amdgpu;

//===----------------------------------------------------------------------===//
// Structs
//===----------------------------------------------------------------------===//

Value structField(OpBuilder &b, Location loc, Value aggregate, int64_t index) {
  Value at = aggregate;
  while (auto insert = at.getDefiningOp<LLVM::InsertValueOp>()) {
    ArrayRef<int64_t> position = insert.getPosition();
    if (position.size() == 1 && position[0] == index)
      return insert.getValue();
    at = insert.getContainer();
  }
  return LLVM::ExtractValueOp::create(b, loc, aggregate, index);
}

FatPointer unpackBuffer(OpBuilder &b, Location loc, Value packed) {
  return {structField(b, loc, packed, 0), structField(b, loc, packed, 1)};
}

Value packBuffer(OpBuilder &b, Location loc, FatPointer pointer) {
  Type type = LLVM::LLVMStructType::getLiteral(
      b.getContext(),
      {LLVM::LLVMPointerType::get(b.getContext(), 8), b.getI32Type()});
  Value result = LLVM::PoisonOp::create(b, loc, type);
  result = LLVM::InsertValueOp::create(b, loc, result, pointer.resource,
                                       ArrayRef<int64_t>{0});
  return LLVM::InsertValueOp::create(b, loc, result, pointer.offset,
                                     ArrayRef<int64_t>{1});
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

Value scaleToBytes(OpBuilder &b, Location loc, Value count, int64_t bits) {
  if (bits == 8 || bits == 1)
    return count;
  APInt known;
  if (matchPattern(count, m_ConstantInt(&known)))
    return constantInt(
        b, loc, int32_t(uint64_t(known.getSExtValue()) * uint64_t(bits) / 8));
  if (bits % 8 == 0)
    return arith::MulIOp::create(b, loc, count, constantInt(b, loc, bits / 8));
  Value product =
      arith::MulIOp::create(b, loc, count, constantInt(b, loc, bits));
  return arith::DivUIOp::create(b, loc, product, constantInt(b, loc, 8));
}

static Value addConstant(OpBuilder &b, Location loc, Value value,
                         int64_t number) {
  if (number == 0)
    return value;
  return arith::AddIOp::create(b, loc, value, constantInt(b, loc, number));
}

FailureOr<Value> bufferByteOffset(OpBuilder &b, Location loc, PointerType type,
                                  Value bytes, int64_t byteStep) {
  if (int32_t(byteStep) != byteStep)
    return emitError(loc) << "a step of " << byteStep
                          << " bytes does not fit a buffer's 32-bit offsets";
  const ::fly::layout::Swizzle &swizzle = type.getSwizzle();
  if (swizzle.isTrivial())
    return addConstant(b, loc, bytes, byteStep);
  // Steps that the swizzle does not see stay outside of it.
  bool outside = byteStep % swizzle.period() == 0;
  if (!outside)
    bytes = addConstant(b, loc, bytes, byteStep);
  int64_t mask = ((int64_t(1) << swizzle.mask) - 1)
                 << (swizzle.base + swizzle.shift);
  Value high = arith::AndIOp::create(b, loc, bytes, constantInt(b, loc, mask));
  if (swizzle.shift)
    high = arith::ShRUIOp::create(b, loc, high,
                                  constantInt(b, loc, swizzle.shift));
  bytes = arith::XOrIOp::create(b, loc, bytes, high);
  return outside ? addConstant(b, loc, bytes, byteStep) : bytes;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

namespace {
/// One instruction: which elements, at which byte, as which register type.
struct BufferAccess {
  int64_t first, count, byte;
  Type payload;
};
} // namespace

/// Whether the instruction takes values of this type as they are.
static bool isNativePayload(Type type, int64_t bits) {
  Type element = getElementTypeOrSelf(type);
  if (!isa<VectorType>(type))
    return bits <= 32;
  int64_t width = element.getIntOrFloatBitWidth();
  return width == 32 || (width == 16 && (bits == 32 || bits == 64));
}

/// Cuts pieces into what one instruction moves: the widest first, and within a
/// swizzle's window.
static FailureOr<SmallVector<BufferAccess>>
planAccesses(Location loc, PointerType type, Type element,
             ArrayRef<Piece> pieces) {
  MLIRContext *context = element.getContext();
  int64_t bits = *bitsOfType(element);
  if (bits == 1)
    return emitError(loc) << "buffers of " << element
                          << " have no load or store; use i8";
  int64_t window =
      type.getSwizzle().isTrivial()
          ? 16
          : std::min<int64_t>(16, int64_t(1) << type.getSwizzle().base);
  SmallVector<BufferAccess> accesses;
  for (Piece piece : pieces)
    while (piece.count) {
      int64_t count = piece.count;
      const amdgpu::CopyRow *row = nullptr;
      for (; count; --count) {
        int64_t total = count * bits;
        if (total > window * 8)
          continue;
        row = amdgpu::findCopyRow(amdgpu::CopyKind::BufferCopy, total);
        // With a swizzle, powers of two only: they do not cross a window.
        if (row && (type.getSwizzle().isTrivial() || total != 96))
          break;
        row = nullptr;
      }
      if (!row || (piece.offset * bits) % 8)
        return emitError(loc)
               << "no buffer instruction moves " << piece.count << " x "
               << element << " at element " << piece.offset << " of " << type;
      Type plain = count == 1 ? element : VectorType::get({count}, element);
      Type payload = isNativePayload(plain, row->bits)
                         ? plain
                         : fly_rocdl::registerType(context, row->payload);
      accesses.push_back(
          {piece.first, count, piece.offset * bits / 8, payload});
      piece = {piece.first + count, piece.count - count, piece.offset + count};
    }
  return accesses;
}

FailureOr<Value> loadBufferPieces(OpBuilder &b, Location loc, PointerType type,
                                  Value packed, Type element, int64_t size,
                                  ArrayRef<Piece> pieces,
                                  const BufferOptions &options) {
  FailureOr<SmallVector<BufferAccess>> accesses =
      planAccesses(loc, type, element, pieces);
  if (failed(accesses))
    return failure();
  FatPointer pointer = unpackBuffer(b, loc, packed);
  Value bytes = scaleToBytes(b, loc, pointer.offset, type.getElemBits());
  Value soffset = options.soffset ? options.soffset : constantInt(b, loc, 0);
  Value aux = constantInt(b, loc, options.cache);
  SmallVector<std::pair<int64_t, Value>> parts;
  for (const BufferAccess &access : *accesses) {
    FailureOr<Value> offset =
        bufferByteOffset(b, loc, type, bytes, access.byte);
    if (failed(offset))
      return failure();
    Value part = ROCDL::RawPtrBufferLoadOp::create(
        b, loc, access.payload, pointer.resource, *offset, soffset, aux,
        ArrayAttr(), ArrayAttr(), ArrayAttr());
    Type wanted =
        access.count == 1 ? element : VectorType::get({access.count}, element);
    if (part.getType() != wanted)
      part = LLVM::BitcastOp::create(b, loc, wanted, part);
    parts.push_back({access.first, part});
  }
  return joinParts(b, loc, element, size, parts);
}

LogicalResult storeBufferPieces(OpBuilder &b, Location loc, PointerType type,
                                Value packed, Value value,
                                ArrayRef<Piece> pieces,
                                const BufferOptions &options) {
  Type element = getElementTypeOrSelf(value.getType());
  FailureOr<SmallVector<BufferAccess>> accesses =
      planAccesses(loc, type, element, pieces);
  if (failed(accesses))
    return failure();
  FatPointer pointer = unpackBuffer(b, loc, packed);
  Value bytes = scaleToBytes(b, loc, pointer.offset, type.getElemBits());
  Value soffset = options.soffset ? options.soffset : constantInt(b, loc, 0);
  Value aux = constantInt(b, loc, options.cache);
  for (const BufferAccess &access : *accesses) {
    FailureOr<Value> offset =
        bufferByteOffset(b, loc, type, bytes, access.byte);
    if (failed(offset))
      return failure();
    Value part = extractPart(b, loc, value, access.first, access.count);
    if (part.getType() != access.payload)
      part = LLVM::BitcastOp::create(b, loc, access.payload, part);
    ROCDL::RawPtrBufferStoreOp::create(b, loc, part, pointer.resource, *offset,
                                       soffset, aux, ArrayAttr(), ArrayAttr(),
                                       ArrayAttr());
  }
  return success();
}

} // namespace mlir::fly
