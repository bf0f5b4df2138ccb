// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores through fly pointers and tensors; see Access.h.

#include "Access.h"

#include "Buffer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace mlir::fly {

namespace layout = ::fly::layout;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// An atom moves few elements; more than this is not one.
static constexpr int64_t maxElements = 4096;

/// Elements have at most 8 bytes, addresses 64 bits: no offset is further off.
static constexpr int64_t maxOffset = int64_t(1) << 60;

FailureOr<int64_t> staticSize(Location loc, MemRefType type,
                              const Twine &what) {
  int64_t size = 1;
  bool known = true;
  layout::AnyLayout all = type.getLayout();
  all.linear().shape.forEachLeaf([&](const layout::IntTuple &leaf) {
    if (!leaf.isInt() || leaf.leaf().isDynamic())
      known = false;
    else if (!llvm::MulOverflow(size, leaf.leaf().value(), size) &&
             size <= maxElements)
      return;
    else
      size = maxElements + 1;
  });
  if (!known)
    return emitError(loc) << what << " needs a static shape, got " << type;
  if (size < 1 || size > maxElements)
    return emitError(loc) << what << " must have from 1 to " << maxElements
                          << " elements, got " << type;
  return size;
}

/// Offsets of all elements of a plain layout in coordinate order; false when a
/// stride is not a known number.
static bool plainOffsets(const layout::Layout &plain,
                         SmallVectorImpl<int64_t> &offsets) {
  std::vector<layout::IntTuple> shapes = plain.shape.leaves();
  std::vector<layout::IntTuple> strides = plain.stride.leaves();
  if (shapes.size() != strides.size())
    return false;
  offsets.assign(1, 0);
  for (auto [shape, stride] : llvm::zip_equal(shapes, strides)) {
    int64_t count = shape.leaf().value();
    if (count == 1)
      continue;
    if (!stride.isInt() || stride.leaf().isDynamic())
      return false;
    size_t inner = offsets.size();
    for (int64_t i = 1; i < count; ++i)
      for (size_t j = 0; j < inner; ++j) {
        int64_t step, sum;
        if (llvm::MulOverflow(i, stride.leaf().value(), step) ||
            llvm::AddOverflow(offsets[j], step, sum))
          return false;
        offsets.push_back(sum);
      }
  }
  return true;
}

/// The same of a composed layout, through the algebra.
static bool composedOffsets(const layout::AnyLayout &composed, int64_t size,
                            SmallVectorImpl<int64_t> &offsets) {
  layout::StaticArith arith;
  for (int64_t i = 0; i < size; ++i) {
    layout::IntTuple index = layout::crd2idx(
        arith, layout::IntTuple(layout::Int::known(i)), composed);
    if (arith.failed() || !index.isInt() || index.leaf().isDynamic())
      return false;
    offsets.push_back(index.leaf().value());
  }
  return true;
}

FailureOr<SmallVector<Piece>> contiguousPieces(Location loc, MemRefType type,
                                               const Twine &what) {
  FailureOr<int64_t> size = staticSize(loc, type, what);
  if (failed(size))
    return failure();
  layout::AnyLayout all = type.getLayout();
  SmallVector<int64_t> offsets;
  if (all.isPlain() ? !plainOffsets(all.plain(), offsets)
                    : !composedOffsets(all, *size, offsets))
    return emitError(loc) << what
                          << " needs strides and offsets that are known when "
                             "it is compiled, got "
                          << type;
  SmallVector<Piece> pieces;
  for (auto [index, offset] : llvm::enumerate(offsets)) {
    if (offset < -maxOffset || offset > maxOffset)
      return emitError(loc) << what << " reaches element " << offset
                            << ", which no address has, in " << type;
    if (!pieces.empty() && pieces.back().offset + pieces.back().count == offset)
      ++pieces.back().count;
    else
      pieces.push_back({int64_t(index), 1, offset});
  }
  return pieces;
}

FailureOr<Piece> onePiece(Location loc, MemRefType type, const Twine &atom,
                          const Twine &what) {
  FailureOr<SmallVector<Piece>> pieces = contiguousPieces(loc, type, what);
  if (failed(pieces))
    return failure();
  if (pieces->size() != 1)
    return emitError(loc) << atom << " needs contiguous elements, got " << type;
  return pieces->front();
}

int64_t elementsOfWholeBytes(int64_t bits) {
  return bits == 1 ? 1 : 8 / std::gcd<int64_t>(bits, 8);
}

LogicalResult checkBits(Location loc, MemRefType type, int64_t bits,
                        const Twine &atom, const Twine &what) {
  FailureOr<int64_t> size = staticSize(loc, type, what);
  if (failed(size))
    return failure();
  int64_t have = *size * int64_t(type.getPointerType().getElemBits());
  if (have == bits)
    return success();
  return emitError(loc) << atom << " moves " << bits << " bits, but " << what
                        << " has " << *size << " x " << type.getElemTy()
                        << " = " << have << " bits";
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Bytes of windows that a swizzle keeps together; 0 without a swizzle.
static int64_t windowBytes(const layout::Swizzle &swizzle) {
  return swizzle.isTrivial() ? 0 : int64_t(1) << swizzle.base;
}

int64_t accessAlignment(PointerType type) {
  int64_t alignment = std::max<int64_t>(type.getAlignment(), 1);
  alignment &= -alignment;
  if (int64_t window = windowBytes(type.getSwizzle()))
    alignment = std::min(alignment, window);
  // LLVM's largest alignment.
  return std::min<int64_t>(alignment, int64_t(1) << 32);
}

/// Bytes from one element to the next in an LLVM array.
static std::optional<int64_t> bytesOf(Type element) {
  std::optional<int64_t> bits = bitsOfType(element);
  if (!bits || *bits % 8)
    return std::nullopt;
  return *bits / 8;
}

/// The bytes that a getelementptr adds, when they are known.
static std::optional<int64_t> constantStep(LLVM::GEPOp gep) {
  if (gep.getRawConstantIndices().size() != 1 ||
      !gep.getDynamicIndices().empty())
    return std::nullopt;
  std::optional<int64_t> bytes = bytesOf(gep.getElemType());
  int64_t step;
  if (!bytes ||
      llvm::MulOverflow<int64_t>(*bytes, gep.getRawConstantIndices()[0], step))
    return std::nullopt;
  return step;
}

/// A known index of a getelementptr, which itself holds few bits.
static SmallVector<LLVM::GEPArg, 1> gepIndex(OpBuilder &b, Location loc,
                                             int64_t index) {
  if (llvm::isInt<LLVM::kGEPConstantBitWidth>(index))
    return {int32_t(index)};
  return {constantInt(b, loc, index, 64)};
}

Value swizzledAddress(OpBuilder &b, Location loc, Value pointer,
                      const layout::Swizzle &swizzle) {
  if (swizzle.isTrivial())
    return pointer;
  // Adding a multiple of the period commutes with the swizzle.
  int64_t peeled = 0;
  while (auto gep = pointer.getDefiningOp<LLVM::GEPOp>()) {
    std::optional<int64_t> step = constantStep(gep);
    if (!step || *step % swizzle.period() ||
        llvm::AddOverflow(peeled, *step, peeled))
      break;
    pointer = gep.getBase();
  }
  auto type = cast<LLVM::LLVMPointerType>(pointer.getType());
  bool narrow = type.getAddressSpace() == 3 || type.getAddressSpace() == 5;
  Type word = b.getI32Type(), address = narrow ? word : b.getI64Type();
  Value whole = LLVM::PtrToIntOp::create(b, loc, address, pointer);
  // The window lies in the low 32 bits: mask + base + shift is at most 31.
  Value low =
      narrow ? whole : Value(arith::TruncIOp::create(b, loc, word, whole));
  int64_t mask = ((int64_t(1) << swizzle.mask) - 1)
                 << (swizzle.base + swizzle.shift);
  Value bits = arith::AndIOp::create(b, loc, low, constantInt(b, loc, mask));
  if (swizzle.shift)
    bits = arith::ShRUIOp::create(b, loc, bits,
                                  constantInt(b, loc, swizzle.shift));
  if (!narrow)
    bits = arith::ExtUIOp::create(b, loc, address, bits);
  Value mixed = arith::XOrIOp::create(b, loc, whole, bits);
  Value result = LLVM::IntToPtrOp::create(b, loc, type, mixed);
  if (!peeled)
    return result;
  return LLVM::GEPOp::create(b, loc, type, b.getI8Type(), result,
                             gepIndex(b, loc, peeled));
}

FailureOr<Value> movedPointer(OpBuilder &b, Location loc, Value pointer,
                              Type element, int64_t offset, bool inBounds) {
  if (offset == 0)
    return pointer;
  int64_t bits = *bitsOfType(element);
  if (bits % 8 && bits != 1) { // packed: count bytes
    int64_t elements = elementsOfWholeBytes(bits);
    if (offset % elements)
      return emitError(loc) << "an offset of " << offset << " elements of "
                            << element << " is no whole number of bytes";
    offset = offset / elements * (elements * bits / 8);
    element = b.getI8Type();
  } else if (bits == 1) { // a byte each
    element = b.getI8Type();
  }
  int64_t size = (*bitsOfType(element) + 7) / 8, bytes = 0;
  if (llvm::MulOverflow(offset, size, bytes))
    return emitError(loc) << "an offset of " << offset << " elements of "
                          << size << " bytes exceeds 64 bits";
  LLVM::GEPNoWrapFlags flags = LLVM::GEPNoWrapFlags::none;
  if (inBounds)
    flags = offset > 0
                ? LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw
                : LLVM::GEPNoWrapFlags::inbounds;
  return Value(LLVM::GEPOp::create(b, loc, pointer.getType(), element, pointer,
                                   gepIndex(b, loc, offset), flags));
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

Value extractPart(OpBuilder &b, Location loc, Value vector, int64_t first,
                  int64_t count) {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return vector;
  if (count == 1)
    return vector::ExtractOp::create(b, loc, vector, first);
  if (count == type.getNumElements())
    return vector;
  return vector::ExtractStridedSliceOp::create(
      b, loc, vector, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{count},
      ArrayRef<int64_t>{1});
}

Value joinParts(OpBuilder &b, Location loc, Type element, int64_t size,
                ArrayRef<std::pair<int64_t, Value>> parts) {
  if (parts.size() == 1)
    return parts.front().second;
  auto type = VectorType::get({size}, element);
  if (int64_t(parts.size()) == size) {
    SmallVector<Value> scalars(llvm::make_second_range(parts));
    return vector::FromElementsOp::create(b, loc, type, scalars);
  }
  Value result = LLVM::PoisonOp::create(b, loc, type);
  for (auto [first, part] : parts) {
    if (isa<VectorType>(part.getType()))
      result = vector::InsertStridedSliceOp::create(
          b, loc, part, result, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{1});
    else
      result = vector::InsertOp::create(b, loc, part, result, first);
  }
  return result;
}

static Type vectorOf(Type element, int64_t count) {
  return count == 1 ? element : VectorType::get({count}, element);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Cuts pieces where a swizzle may tear them: at multiples of its window from
/// the pointer. A diagnostic when an element is wider than the window.
static FailureOr<SmallVector<Piece>> cutAtWindows(Location loc,
                                                  PointerType type,
                                                  Type element,
                                                  ArrayRef<Piece> pieces) {
  int64_t window = windowBytes(type.getSwizzle());
  if (!window)
    return SmallVector<Piece>(pieces);
  std::optional<int64_t> bits = bitsOfType(element);
  int64_t perWindow = *bits == 1 ? window : window * 8 / *bits;
  if (perWindow == 0 || (window * 8) % *bits)
    return emitError(loc) << "the swizzle of " << type << " moves windows of "
                          << window << " bytes, which elements of " << element
                          << " do not fill";
  SmallVector<Piece> result;
  for (Piece piece : pieces)
    while (piece.count) {
      int64_t at = ((piece.offset % perWindow) + perWindow) % perWindow;
      int64_t count = std::min(piece.count, perWindow - at);
      result.push_back({piece.first, count, piece.offset});
      piece = {piece.first + count, piece.count - count, piece.offset + count};
    }
  return result;
}

/// What memory holds for `count` elements: bits as bytes, packed elements as
/// words, others as they are.
static FailureOr<Type> memoryType(Location loc, Type element, int64_t count) {
  std::optional<int64_t> bits = bitsOfType(element);
  MLIRContext *context = element.getContext();
  if (*bits == 1)
    return vectorOf(IntegerType::get(context, 8), count);
  if (*bits % 8 == 0)
    return vectorOf(element, count);
  int64_t total = *bits * count;
  if (total % 8)
    return emitError(loc) << count << " elements of " << element
                          << " are no whole number of bytes";
  if (total % 32 == 0)
    return vectorOf(IntegerType::get(context, 32), total / 32);
  return Type(IntegerType::get(context, total));
}

/// The address and alignment of one piece.
static FailureOr<std::pair<Value, int64_t>> placeOf(OpBuilder &b, Location loc,
                                                    PointerType type,
                                                    Value pointer, Type element,
                                                    int64_t offset) {
  FailureOr<Value> moved =
      movedPointer(b, loc, pointer, element, offset, /*inBounds=*/true);
  if (failed(moved))
    return failure();
  int64_t bits = *bitsOfType(element);
  // Whole bytes; what overflows is a multiple of any alignment.
  uint64_t bytes = bits % 8 == 0
                       ? uint64_t(offset) * uint64_t(bits / 8)
                       : uint64_t(bits == 1 ? offset : offset * bits / 8);
  int64_t alignment = llvm::MinAlign(accessAlignment(type), bytes);
  return std::make_pair(swizzledAddress(b, loc, *moved, type.getSwizzle()),
                        alignment);
}

FailureOr<Value> loadPieces(OpBuilder &b, Location loc, PointerType type,
                            Value pointer, Type element, int64_t size,
                            ArrayRef<Piece> pieces) {
  if (isBufferSpace(type.getAddressSpace()))
    return loadBufferPieces(b, loc, type, pointer, element, size, pieces, {});
  FailureOr<SmallVector<Piece>> cut = cutAtWindows(loc, type, element, pieces);
  if (failed(cut))
    return failure();
  SmallVector<std::pair<int64_t, Value>> parts;
  for (const Piece &piece : *cut) {
    auto place = placeOf(b, loc, type, pointer, element, piece.offset);
    FailureOr<Type> memory = memoryType(loc, element, piece.count);
    if (failed(place) || failed(memory))
      return failure();
    Value part =
        LLVM::LoadOp::create(b, loc, *memory, place->first, place->second);
    Type wanted = vectorOf(element, piece.count);
    if (element.isInteger(1))
      part = arith::TruncIOp::create(b, loc, wanted, part);
    else if (*memory != wanted)
      part = LLVM::BitcastOp::create(b, loc, wanted, part);
    parts.push_back({piece.first, part});
  }
  return joinParts(b, loc, element, size, parts);
}

LogicalResult storePieces(OpBuilder &b, Location loc, PointerType type,
                          Value pointer, Value value, ArrayRef<Piece> pieces) {
  if (isBufferSpace(type.getAddressSpace()))
    return storeBufferPieces(b, loc, type, pointer, value, pieces, {});
  Type element = getElementTypeOrSelf(value.getType());
  FailureOr<SmallVector<Piece>> cut = cutAtWindows(loc, type, element, pieces);
  if (failed(cut))
    return failure();
  for (const Piece &piece : *cut) {
    auto place = placeOf(b, loc, type, pointer, element, piece.offset);
    FailureOr<Type> memory = memoryType(loc, element, piece.count);
    if (failed(place) || failed(memory))
      return failure();
    Value part = extractPart(b, loc, value, piece.first, piece.count);
    if (element.isInteger(1))
      part = arith::ExtUIOp::create(b, loc, *memory, part);
    else if (*memory != part.getType())
      part = LLVM::BitcastOp::create(b, loc, *memory, part);
    LLVM::StoreOp::create(b, loc, part, place->first, place->second);
  }
  return success();
}

FailureOr<Value> loadTensor(OpBuilder &b, Location loc, MemRefType type,
                            Value pointer, const Twine &what) {
  FailureOr<SmallVector<Piece>> pieces = contiguousPieces(loc, type, what);
  FailureOr<int64_t> size = staticSize(loc, type, what);
  if (failed(pieces) || failed(size))
    return failure();
  return loadPieces(b, loc, type.getPointerType(), pointer,
                    storageType(type.getElemTy()), *size, *pieces);
}

LogicalResult storeTensor(OpBuilder &b, Location loc, MemRefType type,
                          Value pointer, Value value, const Twine &what) {
  FailureOr<SmallVector<Piece>> pieces = contiguousPieces(loc, type, what);
  FailureOr<int64_t> size = staticSize(loc, type, what);
  if (failed(pieces) || failed(size))
    return failure();
  FailureOr<Value> typed =
      bitcastTo(b, loc, value, vectorOf(storageType(type.getElemTy()), *size),
                "the value for " + what);
  if (failed(typed))
    return failure();
  return storePieces(b, loc, type.getPointerType(), pointer, *typed, *pieces);
}

} // namespace mlir::fly
