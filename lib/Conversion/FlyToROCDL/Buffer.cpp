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

/// `count` elements in bytes, when it is a number of whole bytes that 32 bits
/// hold, as an offset or as its negative; else a diagnostic.
static FailureOr<int64_t> knownBytes(Location loc, int64_t count,
                                     Type element) {
  int64_t bits = *elementBits(element), bytes = count;
  if (count % elementsOfWholeBytes(bits))
    return emitError(loc) << "an offset of " << count << " elements of "
                          << element << " is no whole number of bytes";
  bool overflows = bits != 1 && llvm::MulOverflow(count, bits, bytes);
  if (bits != 1)
    bytes /= 8;
  if (overflows || bytes < std::numeric_limits<int32_t>::min() ||
      bytes > std::numeric_limits<uint32_t>::max())
    return emitError(loc) << "an offset of " << count << " elements of "
                          << element
                          << " does not fit a buffer's 32-bit byte offsets";
  return bytes;
}

FailureOr<Value> scaleToBytes(OpBuilder &b, Location loc, Value count,
                              PointerType type) {
  APInt known;
  if (matchPattern(count, m_ConstantInt(&known))) {
    FailureOr<int64_t> bytes =
        knownBytes(loc, known.getSExtValue(), type.getElemTy());
    if (failed(bytes))
      return failure();
    return constantInt(b, loc, *bytes);
  }
  int64_t bits = type.getElemBits();
  if (bits == 8 || bits == 1)
    return count;
  if (bits % 8 == 0)
    return Value(
        arith::MulIOp::create(b, loc, count, constantInt(b, loc, bits / 8)));
  // An exact quotient of a number with a sign; then nothing can overflow.
  int64_t elements = elementsOfWholeBytes(bits);
  Value bytes = arith::ShRSIOp::create(
      b, loc, count, constantInt(b, loc, llvm::Log2_64(elements)));
  if (bits * elements == 8)
    return bytes;
  return Value(arith::MulIOp::create(b, loc, bytes,
                                     constantInt(b, loc, bits * elements / 8)));
}

FailureOr<Value> uniformBytes(OpBuilder &b, Location loc, Value count,
                              PointerType type) {
  APInt known;
  int64_t elements = elementsOfWholeBytes(type.getElemBits());
  if (elements != 1 && !matchPattern(count, m_ConstantInt(&known)))
    return emitError(loc)
           << "a uniform offset of an unknown number of elements of "
           << type.getElemTy() << " may be no whole number of bytes; expected "
           << "a known multiple of " << elements;
  return scaleToBytes(b, loc, count, type);
}

static Value addConstant(OpBuilder &b, Location loc, Value value,
                         int64_t number) {
  if (number == 0)
    return value;
  return arith::AddIOp::create(b, loc, value, constantInt(b, loc, number));
}

/// The byte offset of an access `byteStep` behind `bytes`, which is the scaled
/// offset of the pointer; the swizzle acts on it.
static Value bufferByteOffset(OpBuilder &b, Location loc, PointerType type,
                              Value bytes, int64_t byteStep) {
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

/// Takes a known addend out of a number of elements: behind the multiplication
/// it fits the immediate of an instruction.
static int64_t takeKnownPart(Value &count) {
  auto sum = count.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return 0;
  for (auto [known, rest] : {std::make_pair(sum.getRhs(), sum.getLhs()),
                             std::make_pair(sum.getLhs(), sum.getRhs())}) {
    APInt number;
    if (matchPattern(known, m_ConstantInt(&number))) {
      count = rest;
      return number.getSExtValue();
    }
  }
  return 0;
}

FailureOr<Value> elementByteOffset(OpBuilder &b, Location loc, PointerType type,
                                   Value offset, int64_t step) {
  if (type.getElemBits() % 8 == 0)
    step += takeKnownPart(offset);
  FailureOr<int64_t> byteStep = knownBytes(loc, step, type.getElemTy());
  FailureOr<Value> bytes = scaleToBytes(b, loc, offset, type);
  if (failed(byteStep) || failed(bytes))
    return failure();
  return bufferByteOffset(b, loc, type, *bytes, *byteStep);
}

//===----------------------------------------------------------------------===//
// Out of range
//===----------------------------------------------------------------------===//

static std::optional<uint64_t> knownNumber(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getZExtValue();
}

/// Whether a processor compares the offset of each access with the number of
/// bytes. Sources: the flags in section 3.3 of the atoms' specification; from
/// gfx10 on OOB_SELECT, bits 29:28 of the fourth word, is 3 for raw buffers
/// (RDNA instruction set, "Range checking").
static bool checksRange(const amdgpu::Chip &chip, uint64_t flags) {
  if (chip.has(amdgpu::Feature::BufferFlagsGfx10))
    return ((flags >> 28) & 3) == 3;
  return chip.family == amdgpu::Family::Gfx9 && flags == 0x27000;
}

Value outOfRangeUnless(OpBuilder &b, Location loc, PointerType type,
                       Value packed, Value predicate,
                       ArrayRef<const amdgpu::Chip *> chips) {
  // Fields that are put together in sight only: nothing is created else.
  auto isBuilt = [](Value value) {
    return value.getDefiningOp<LLVM::InsertValueOp>() != nullptr;
  };
  int64_t bits = type.getElemBits();
  if (chips.empty() || bits % 8 || !llvm::isPowerOf2_64(bits) ||
      !isBuilt(packed))
    return Value();
  FatPointer pointer = unpackBuffer(b, loc, packed);
  auto maker = pointer.resource.getDefiningOp<ROCDL::MakeBufferRsrcOp>();
  if (!maker)
    return Value();
  std::optional<uint64_t> stride = knownNumber(maker.getStride());
  std::optional<uint64_t> size = knownNumber(maker.getNumRecords());
  std::optional<uint64_t> flags = knownNumber(maker.getFlags());
  constexpr uint64_t outside = uint64_t(1) << 31; // bytes
  if (!stride || *stride || !size || *size > outside || !flags ||
      !llvm::all_of(chips, [&](const amdgpu::Chip *chip) {
        return checksRange(*chip, *flags);
      }))
    return Value();
  // Behind that many bytes no immediate offset leads back into the buffer.
  pointer.offset = arith::SelectOp::create(
      b, loc, predicate, pointer.offset,
      constantInt(b, loc, int64_t(outside / (bits / 8))));
  return packBuffer(b, loc, pointer);
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
      if (!row)
        return emitError(loc)
               << "no buffer instruction moves " << piece.count << " x "
               << element << " at element " << piece.offset << " of " << type;
      FailureOr<int64_t> byte = knownBytes(loc, piece.offset, element);
      if (failed(byte))
        return failure();
      Type plain = count == 1 ? element : VectorType::get({count}, element);
      Type payload = isNativePayload(plain, row->bits)
                         ? plain
                         : fly_rocdl::registerType(context, row->payload);
      accesses.push_back({piece.first, count, *byte, payload});
      piece = {piece.first + count, piece.count - count, piece.offset + count};
    }
  return accesses;
}

namespace {
/// What the instructions of one load or store share.
struct BufferCall {
  SmallVector<BufferAccess> accesses;
  Value resource, bytes, soffset, aux;
  /// Bytes from `bytes` to the pointer.
  int64_t known = 0;
};
} // namespace

static FailureOr<BufferCall> prepare(OpBuilder &b, Location loc,
                                     PointerType type, Value packed,
                                     Type element, ArrayRef<Piece> pieces,
                                     const BufferOptions &options) {
  FailureOr<SmallVector<BufferAccess>> accesses =
      planAccesses(loc, type, element, pieces);
  if (failed(accesses))
    return failure();
  FatPointer pointer = unpackBuffer(b, loc, packed);
  int64_t known = 0;
  if (type.getElemBits() % 8 == 0) {
    Value rest = pointer.offset;
    FailureOr<int64_t> part =
        knownBytes(loc, takeKnownPart(rest), type.getElemTy());
    if (failed(part))
      return failure();
    known = *part;
    pointer.offset = rest;
  }
  FailureOr<Value> bytes = scaleToBytes(b, loc, pointer.offset, type);
  if (failed(bytes))
    return failure();
  Value soffset = options.soffset ? options.soffset : constantInt(b, loc, 0);
  Value aux = constantInt(b, loc, options.cache);
  return BufferCall{
      std::move(*accesses), pointer.resource, *bytes, soffset, aux, known};
}

FailureOr<Value> loadBufferPieces(OpBuilder &b, Location loc, PointerType type,
                                  Value packed, Type element, int64_t size,
                                  ArrayRef<Piece> pieces,
                                  const BufferOptions &options) {
  FailureOr<BufferCall> call =
      prepare(b, loc, type, packed, element, pieces, options);
  if (failed(call))
    return failure();
  SmallVector<std::pair<int64_t, Value>> parts;
  for (const BufferAccess &access : call->accesses) {
    Value offset =
        bufferByteOffset(b, loc, type, call->bytes, call->known + access.byte);
    Value part = ROCDL::RawPtrBufferLoadOp::create(
        b, loc, access.payload, call->resource, offset, call->soffset,
        call->aux, ArrayAttr(), ArrayAttr(), ArrayAttr());
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
  FailureOr<BufferCall> call =
      prepare(b, loc, type, packed, getElementTypeOrSelf(value.getType()),
              pieces, options);
  if (failed(call))
    return failure();
  for (const BufferAccess &access : call->accesses) {
    Value offset =
        bufferByteOffset(b, loc, type, call->bytes, call->known + access.byte);
    Value part = extractPart(b, loc, value, access.first, access.count);
    if (part.getType() != access.payload)
      part = LLVM::BitcastOp::create(b, loc, access.payload, part);
    ROCDL::RawPtrBufferStoreOp::create(b, loc, part, call->resource, offset,
                                       call->soffset, call->aux, ArrayAttr(),
                                       ArrayAttr(), ArrayAttr());
  }
  return success();
}

} // namespace mlir::fly
