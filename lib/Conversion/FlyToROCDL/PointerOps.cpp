// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering of pointers and memory: casts, arithmetic on pointers, loads and
// stores. Where pointers come from is in Allocations.cpp.
//
//   fly.add_offset(%p, %i)  ->  llvm.getelementptr %p[%i]

#include "Lowering.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace mlir::fly {

using ::fly::layout::Int;

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// The bare pointer of a fly pointer or memref; a diagnostic for a buffer.
static FailureOr<Value> barePointer(Operation *op, Value converted,
                                    Type flyType) {
  if (isa<LLVM::LLVMPointerType>(converted.getType()))
    return converted;
  return op->emitOpError("needs a pointer with an address, got ") << flyType;
}

LogicalResult Lowering::lower(IntToPtrOp op) {
  Type type = convertType(op.getType());
  if (!isa_and_present<LLVM::LLVMPointerType>(type))
    return op.emitOpError("cannot make ") << op.getType() << " of an integer";
  define(op.getResult(),
         LLVM::IntToPtrOp::create(builder, op.getLoc(), type, op.getSrc()));
  return success();
}

LogicalResult Lowering::lower(PtrToIntOp op) {
  FailureOr<Value> value = lookup(op, op.getPtr());
  if (failed(value))
    return failure();
  FailureOr<Value> pointer = barePointer(op, *value, op.getPtr().getType());
  if (failed(pointer))
    return failure();
  Value integer =
      LLVM::PtrToIntOp::create(builder, op.getLoc(), op.getType(), *pointer);
  op.getResult().replaceAllUsesWith(integer);
  return success();
}

LogicalResult Lowering::lower(ToLLVMPtrOp op) {
  FailureOr<Value> value = lookup(op, op.getPtr());
  if (failed(value))
    return failure();
  FailureOr<Value> pointer = barePointer(op, *value, op.getPtr().getType());
  if (failed(pointer))
    return failure();
  if (pointer->getType() != op.getType())
    return op.emitOpError("expected the address space of ")
           << op.getPtr().getType() << ", which is " << pointer->getType()
           << ", got " << op.getType();
  op.getResult().replaceAllUsesWith(*pointer);
  return success();
}

LogicalResult Lowering::lower(ExtractAlignedPointerAsIndexOp op) {
  FailureOr<Value> value = lookup(op, op.getSource());
  if (failed(value))
    return failure();
  FailureOr<Value> pointer = barePointer(op, *value, op.getSource().getType());
  if (failed(pointer))
    return failure();
  Location loc = op.getLoc();
  Type wanted = op.getType();
  Value result = *pointer;
  if (wanted.isIndex()) {
    result =
        LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), result);
    result = arith::IndexCastOp::create(builder, loc, wanted, result);
  } else if (wanted.isInteger()) {
    result = LLVM::PtrToIntOp::create(builder, loc, wanted, result);
  } else if (isa<LLVM::LLVMPointerType>(wanted)) {
    if (result.getType() != wanted)
      result = LLVM::AddrSpaceCastOp::create(builder, loc, wanted, result);
  } else {
    return op.emitOpError("gives an index, an integer or an !llvm.ptr, got ")
           << wanted;
  }
  op.getResult().replaceAllUsesWith(result);
  return success();
}

LogicalResult Lowering::lower(ApplySwizzleOp op) {
  FailureOr<Value> value = lookup(op, op.getPtr());
  if (failed(value))
    return failure();
  alignAllocation(cast<PointerType>(op.getType()), *value);
  define(op.getResult(), *value);
  return success();
}

LogicalResult Lowering::lower(RecastIterOp op) {
  FailureOr<Value> value = lookup(op, op.getSrc());
  if (failed(value))
    return failure();
  auto from = cast<PointerType>(op.getSrc().getType());
  auto to = cast<PointerType>(op.getType());
  if (convertType(from) != convertType(to))
    return op.emitOpError("cannot take ") << from << " to the space of " << to;
  alignAllocation(to, *value);
  if (!isBufferSpace(from.getAddressSpace()) ||
      from.getElemBits() == to.getElemBits()) {
    define(op.getResult(), *value);
    return success();
  }
  // The offset of a buffer counts elements.
  Location loc = op.getLoc();
  FatPointer pointer = unpackBuffer(builder, loc, *value);
  int64_t oldBits = from.getElemBits(), newBits = to.getElemBits();
  int64_t common = std::gcd(oldBits, newBits);
  int64_t times = oldBits / common, part = newBits / common;
  APInt known;
  if (!matchPattern(pointer.offset, m_ConstantInt(&known))) {
    if (times != 1)
      pointer.offset = arith::MulIOp::create(builder, loc, pointer.offset,
                                             constantInt(builder, loc, times));
    // Exact, as the alignment of the result promises.
    if (part != 1)
      pointer.offset = arith::DivUIOp::create(builder, loc, pointer.offset,
                                              constantInt(builder, loc, part));
  } else {
    int64_t elements = known.getSExtValue();
    if (llvm::MulOverflow(elements, times, elements) || elements % part ||
        int32_t(elements / part) != elements / part)
      return op.emitOpError("stands at element ")
             << known.getSExtValue() << " of " << from
             << ", which is no element of " << to;
    pointer.offset = constantInt(builder, loc, elements / part);
  }
  define(op.getResult(), packed(loc, pointer));
  return success();
}

LogicalResult Lowering::lower(MakeViewOp op) {
  if (!isa<MemRefType>(op.getType())) { // a tensor of coordinates
    done.push_back({op, false});
    return success();
  }
  FailureOr<Value> value = lookup(op, op.getIter());
  if (failed(value))
    return failure();
  define(op.getResult(), *value);
  lowered(op);
  return success();
}

LogicalResult Lowering::lower(fly_rocdl::GetBufferRsrcOp op) {
  FailureOr<Value> value = lookup(op, op.getPointer());
  if (failed(value))
    return failure();
  op.getResource().replaceAllUsesWith(
      structField(builder, op.getLoc(), *value, 0));
  return success();
}

//===----------------------------------------------------------------------===//
// add_offset
//===----------------------------------------------------------------------===//

FailureOr<std::pair<int64_t, Value>> Lowering::offsetOf(AddOffsetOp op) {
  const ::fly::layout::IntTuple &offset =
      cast<IntTupleType>(op.getOffset().getType()).getTuple();
  if (offset.leaf().isStatic())
    return std::make_pair(offset.leaf().value(), Value());
  Operation *maker = op.getOffset().getDefiningOp();
  if (!maker ||
      !isa<MakeIntTupleOp, MakeShapeOp, MakeStrideOp, MakeCoordOp>(maker) ||
      maker->getNumOperands() != 1) {
    InFlightDiagnostic error =
        op.emitOpError("needs its offset made by fly.make_int_tuple of one "
                       "integer; layout lowering leaves it so");
    error.attachNote(op.getOffset().getLoc()) << "the offset is defined here";
    return error;
  }
  return std::make_pair(int64_t(0), maker->getOperand(0));
}

/// A diagnostic unless the offset is known to be whole bytes.
static LogicalResult checkWholeBytes(AddOffsetOp op, PointerType type) {
  Int offset = cast<IntTupleType>(op.getOffset().getType()).getTuple().leaf();
  int64_t elements = elementsOfWholeBytes(type.getElemBits());
  if (offset.divisor() % elements == 0)
    return success();
  InFlightDiagnostic error = op.emitOpError("moves a pointer by ");
  if (offset.isDynamic())
    error << "an unknown multiple of ";
  return error << offset.divisor() << " elements of " << type.getElemTy()
               << ", which may be no whole number of bytes; expected a "
                  "multiple of "
               << elements;
}

std::optional<Value> Lowering::unsignedOffset(Location loc, Value pointer,
                                              Type element, int64_t bits,
                                              Value amount) {
  std::optional<uint64_t> last = ranges.bound(amount);
  if (!last || bits % 8 || *last > UINT32_MAX / uint64_t(bits / 8))
    return std::nullopt;
  unsigned space =
      cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
  bool isWide = space == 0 || space == 1;
  if (!isWide || !amount.getType().isInteger(32))
    return Value(LLVM::GEPOp::create(builder, loc, pointer.getType(), element,
                                     pointer, ArrayRef<LLVM::GEPArg>{amount},
                                     LLVM::GEPNoWrapFlags::nuw));
  // 32 bits of bytes: the offset register of an access off a uniform base.
  if (bits != 8)
    amount = arith::MulIOp::create(builder, loc, amount,
                                   constantInt(builder, loc, bits / 8),
                                   arith::IntegerOverflowFlags::nuw);
  amount = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), amount);
  return Value(LLVM::GEPOp::create(
      builder, loc, pointer.getType(), builder.getI8Type(), pointer,
      ArrayRef<LLVM::GEPArg>{amount}, LLVM::GEPNoWrapFlags::nuw));
}

LogicalResult Lowering::lower(AddOffsetOp op) {
  if (!isa<PointerType>(op.getType())) { // a tuple of integers
    done.push_back({op, false});
    return success();
  }
  FailureOr<Value> value = lookup(op, op.getPtr());
  FailureOr<std::pair<int64_t, Value>> offset = offsetOf(op);
  if (failed(value) || failed(offset))
    return failure();
  lowered(op);
  auto type = cast<PointerType>(op.getType());
  auto [number, amount] = *offset;
  Location loc = op.getLoc();
  if (failed(checkWholeBytes(op, type)))
    return failure();
  if (!amount && number == 0) {
    define(op.getResult(), *value);
    return success();
  }
  if (isBufferSpace(type.getAddressSpace())) {
    if (!amount) {
      if (int32_t(number) != number)
        return op.emitOpError("moves a buffer by ")
               << number << " elements, which 32 bits do not hold";
      amount = constantInt(builder, loc, number);
    } else if (amount.getType().isInteger(64)) {
      amount =
          arith::TruncIOp::create(builder, loc, builder.getI32Type(), amount);
    }
    FatPointer pointer = unpackBuffer(builder, loc, *value);
    APInt known;
    if (matchPattern(pointer.offset, m_ConstantInt(&known)) && known.isZero())
      pointer.offset = amount;
    else
      pointer.offset =
          arith::AddIOp::create(builder, loc, pointer.offset, amount);
    define(op.getResult(), packed(loc, pointer));
    return success();
  }
  Type element = storageType(type.getElemTy());
  if (!amount) {
    FailureOr<Value> moved =
        movedPointer(builder, loc, *value, element, number, /*inBounds=*/false);
    if (failed(moved))
      return failure();
    define(op.getResult(), *moved);
    return success();
  }
  if (std::optional<Value> moved =
          unsignedOffset(loc, *value, element, type.getElemBits(), amount)) {
    define(op.getResult(), *moved);
    return success();
  }
  if (int64_t bits = type.getElemBits(); bits % 8) {
    // Bits have a byte each; other elements are packed. The quotient is exact,
    // and with it in front nothing can overflow.
    if (bits != 1) {
      unsigned width = amount.getType().getIntOrFloatBitWidth();
      int64_t elements = elementsOfWholeBytes(bits);
      amount = arith::ShRSIOp::create(
          builder, loc, amount,
          constantInt(builder, loc, llvm::Log2_64(elements), width));
      if (int64_t bytes = elements * bits / 8; bytes != 1)
        amount = arith::MulIOp::create(builder, loc, amount,
                                       constantInt(builder, loc, bytes, width));
    }
    element = builder.getI8Type();
  }
  define(op.getResult(),
         LLVM::GEPOp::create(builder, loc, value->getType(), element, *value,
                             ArrayRef<LLVM::GEPArg>{amount}));
  return success();
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// How many elements a scalar or 1-D vector has; nothing for other types.
static std::optional<int64_t> accessSize(Type type) {
  if (!bitsOfType(type))
    return std::nullopt;
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return 1;
  return vector.getRank() == 1 ? std::optional(vector.getNumElements())
                               : std::nullopt;
}

LogicalResult Lowering::lower(PtrLoadOp op) {
  auto type = dyn_cast<PointerType>(op.getPtr().getType());
  if (!type) { // a tuple of integers
    done.push_back({op, false});
    return success();
  }
  lowered(op);
  std::optional<int64_t> size = accessSize(op.getType());
  if (!size)
    return op.emitOpError(
               "loads integers, floats and 1-D vectors of them, got ")
           << op.getType();
  FailureOr<Value> pointer = lookup(op, op.getPtr());
  if (failed(pointer))
    return failure();
  alignAllocation(type, *pointer);
  Type storage = storageType(op.getType());
  FailureOr<Value> value =
      loadPieces(builder, op.getLoc(), type, *pointer,
                 getElementTypeOrSelf(storage), *size, Piece{0, *size, 0});
  if (failed(value))
    return failure();
  // A vector of one element.
  if (value->getType() != storage)
    value = Value(
        vector::BroadcastOp::create(builder, op.getLoc(), storage, *value));
  op.getResult().replaceAllUsesWith(
      fromStorage(builder, op.getLoc(), *value, op.getType()));
  return success();
}

LogicalResult Lowering::lower(PtrStoreOp op) {
  auto type = cast<PointerType>(op.getPtr().getType());
  std::optional<int64_t> size = accessSize(op.getValue().getType());
  if (!size)
    return op.emitOpError("stores integers, floats and 1-D vectors of them, "
                          "got ")
           << op.getValue().getType();
  FailureOr<Value> pointer = lookup(op, op.getPtr());
  if (failed(pointer))
    return failure();
  alignAllocation(type, *pointer);
  Value value = toStorage(builder, op.getLoc(), op.getValue());
  return storePieces(builder, op.getLoc(), type, *pointer, value,
                     Piece{0, *size, 0});
}

LogicalResult Lowering::lowerPointerOp(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      // These decide themselves whether they are lowered.
      .Case<MakeViewOp, AddOffsetOp, PtrLoadOp>(
          [&](auto typed) { return lower(typed); })
      .Case<MakePtrOp, GetDynSharedOp, IntToPtrOp, PtrToIntOp, ToLLVMPtrOp,
            ApplySwizzleOp, RecastIterOp, PtrStoreOp,
            ExtractAlignedPointerAsIndexOp, fly_rocdl::GetBufferRsrcOp>(
          [&](auto typed) {
            lowered(typed);
            return lower(typed);
          })
      .Default([](Operation *) { return success(); });
}

} // namespace mlir::fly
