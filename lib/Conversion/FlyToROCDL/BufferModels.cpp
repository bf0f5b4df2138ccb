// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of the atoms on buffers: buffer_copy and buffer_atomic, with their
// state, the uniform offset `soffset` in elements.
//
//   buffer_copy<128>  ->  rocdl.raw.ptr.buffer.load ... : vector<4xi32>

#include "Emission.h"

namespace mlir::fly {

using fly_rocdl::CopyOpCDNA3BufferAtomicType;
using fly_rocdl::CopyOpCDNA3BufferCopyType;

/// The uniform offset of an atom, in bytes; `bufferType` says how wide the
/// elements are that it counts.
static Value soffsetBytes(OpBuilder &b, Location loc, Value state,
                          MemRefType bufferType) {
  Value elements = structField(b, loc, state, 0);
  return scaleToBytes(b, loc, elements,
                      bufferType.getPointerType().getElemBits());
}

static bool isBuffer(MemRefType type) {
  return type && isBufferSpace(type.getAddressSpace());
}

/// Registers as seen by buffer atoms: a value, or a register memref.
static LogicalResult checkRegisters(Location loc, MemRefType type,
                                    const Twine &atom, const Twine &what) {
  if (!type || type.isInSpace(AddressSpace::Register))
    return success();
  return emitError(loc) << atom << " needs " << what << " in registers, got "
                        << type;
}

static FailureOr<Value> copyBuffer(OpBuilder &b, Location loc,
                                   CopyOpCDNA3BufferCopyType op, Value state,
                                   const CopyOperands &operands) {
  int64_t bits = op.getBitSize();
  std::string atom = "cdna3.buffer_copy<" + std::to_string(bits) + ">";
  MemRefType src = operands.srcMemRef(), dst = operands.dstMemRef();
  if (isBuffer(src) == isBuffer(dst))
    return emitError(loc) << atom
                          << " needs exactly one side in "
                             "#fly_rocdl.buffer_desc, got "
                          << operands.srcType << " and "
                          << (operands.dstType ? operands.dstType
                                               : operands.resultType);
  MemRefType buffer = isBuffer(src) ? src : dst;
  if (failed(checkRegisters(loc, isBuffer(src) ? dst : src, atom,
                            "the other side")))
    return failure();
  FailureOr<SmallVector<Piece>> pieces =
      contiguousPieces(loc, buffer, "the buffer");
  if (failed(pieces) ||
      failed(checkBits(loc, buffer, bits, atom, "the buffer")))
    return failure();
  FailureOr<int64_t> size = staticSize(loc, buffer, "the buffer");
  Type element = storageType(buffer.getElemTy());
  BufferOptions options{soffsetBytes(b, loc, state, buffer), op.getCache()};
  if (isBuffer(src)) {
    FailureOr<Value> value =
        loadBufferPieces(b, loc, src.getPointerType(), operands.src, element,
                         *size, *pieces, options);
    return failed(value) ? value
                         : deliver(b, loc, operands, *value, bits, atom);
  }
  FailureOr<Value> value = sourceValue(b, loc, operands, bits, atom);
  if (failed(value))
    return failure();
  Type vector = *size == 1 ? element : VectorType::get({*size}, element);
  FailureOr<Value> typed = bitcastTo(b, loc, *value, vector, "the source");
  if (failed(typed) ||
      failed(storeBufferPieces(b, loc, dst.getPointerType(), operands.dst,
                               *typed, *pieces, options)))
    return failure();
  return Value();
}

/// The operations that ROCDL has as ops; others are called as intrinsics.
static bool hasROCDLOp(StringRef intrinsic) {
  return intrinsic == "fadd" || intrinsic == "fmax" || intrinsic == "smax" ||
         intrinsic == "umin";
}

static FailureOr<Value> atomicBuffer(OpBuilder &b, Location loc,
                                     CopyOpCDNA3BufferAtomicType op,
                                     Value state,
                                     const CopyOperands &operands) {
  const ::fly::amdgpu::BufferAtomicRow &row = *op.getRow();
  int64_t bits = row.type.bits();
  StringRef atom = "cdna3.buffer_atomic";
  MemRefType dst = operands.dstMemRef();
  if (!isBuffer(dst))
    return emitError(loc) << atom
                          << " needs its destination in #fly_rocdl.buffer_desc";
  if (failed(checkBits(loc, dst, bits, atom, "the destination")))
    return failure();
  FailureOr<SmallVector<Piece>> pieces =
      contiguousPieces(loc, dst, "the destination");
  if (failed(pieces))
    return failure();
  if (pieces->size() != 1)
    return emitError(loc) << atom << " needs contiguous elements, got " << dst;
  FailureOr<Value> value = sourceValue(b, loc, operands, bits, atom);
  if (failed(value))
    return failure();
  FailureOr<Value> typed =
      bitcastTo(b, loc, *value, storageType(op.getValueType()),
                "the value of the atomic");
  FatPointer pointer = unpackBuffer(b, loc, operands.dst);
  Value soffset = soffsetBytes(b, loc, state, dst);
  FailureOr<Value> offset = bufferByteOffset(
      b, loc, dst.getPointerType(),
      scaleToBytes(b, loc, pointer.offset, dst.getPointerType().getElemBits()),
      pieces->front().offset * int64_t(dst.getPointerType().getElemBits()) / 8);
  if (failed(typed) || failed(offset))
    return failure();
  SmallVector<Value> arguments{*typed, pointer.resource, *offset, soffset,
                               constantInt(b, loc, 0)};
  std::string name = ("raw.ptr.buffer.atomic." + row.intrinsic).str();
  if (hasROCDLOp(row.intrinsic))
    createROCDL(b, loc, name, {}, arguments);
  else
    LLVM::CallIntrinsicOp::create(b, loc, typed->getType(),
                                  b.getStringAttr("llvm.amdgcn." + name),
                                  arguments);
  if (!operands.resultType)
    return Value();
  // The result is the source value; what memory held is dropped.
  FailureOr<Value> result =
      bitcastTo(b, loc, *typed, storageType(operands.resultType), "the result");
  return failed(result) ? result
                        : fromStorage(b, loc, *result, operands.resultType);
}

/// `soffset` is the one field of both atoms' states.
static FailureOr<Value> setSoffset(OpBuilder &b, Location loc, Value state,
                                   StringAttr field, Value value) {
  if (!value.getType().isInteger(32))
    return emitError(loc) << "expected " << field << " to be an i32, got "
                          << value.getType();
  return Value(
      LLVM::InsertValueOp::create(b, loc, state, value, ArrayRef<int64_t>{0}));
}

namespace {
struct BufferCopy
    : CopyEmission::ExternalModel<BufferCopy, CopyOpCDNA3BufferCopyType> {
  LogicalResult emitCopy(Type type, OpBuilder &b, Location loc,
                         CopyAtomType atom, Value atomValue, MemRefType srcType,
                         Value src, MemRefType dstType, Value dst,
                         Value predicate) const {
    return emitCopySSA(type, b, loc, atom, atomValue, Type(), srcType, src,
                       dstType, dst, Value(), predicate);
  }
  FailureOr<Value> emitCopySSA(Type type, OpBuilder &b, Location loc,
                               CopyAtomType, Value state, Type resultType,
                               Type srcType, Value src, Type dstType, Value dst,
                               Value old, Value predicate) const {
    CopyOperands operands{resultType, srcType, src, dstType, dst};
    return guarded(b, loc, predicate, resultType, old, [&](OpBuilder &inner) {
      return copyBuffer(inner, loc, cast<CopyOpCDNA3BufferCopyType>(type),
                        state, operands);
    });
  }
};

struct BufferCopyState
    : StateEmission::ExternalModel<BufferCopyState, CopyOpCDNA3BufferCopyType> {
  Value defaultState(Type type, OpBuilder &b, Location loc) const {
    return makeState(b, loc,
                     cast<CopyOpCDNA3BufferCopyType>(type).getStateType(), {0});
  }
  FailureOr<Value> setState(Type, OpBuilder &b, Location loc, Value state,
                            StringAttr field, Value value) const {
    return setSoffset(b, loc, state, field, value);
  }
};

struct BufferAtomic
    : CopyEmission::ExternalModel<BufferAtomic, CopyOpCDNA3BufferAtomicType> {
  LogicalResult emitCopy(Type type, OpBuilder &b, Location loc,
                         CopyAtomType atom, Value atomValue, MemRefType srcType,
                         Value src, MemRefType dstType, Value dst,
                         Value predicate) const {
    return emitCopySSA(type, b, loc, atom, atomValue, Type(), srcType, src,
                       dstType, dst, Value(), predicate);
  }
  FailureOr<Value> emitCopySSA(Type type, OpBuilder &b, Location loc,
                               CopyAtomType, Value state, Type resultType,
                               Type srcType, Value src, Type dstType, Value dst,
                               Value old, Value predicate) const {
    CopyOperands operands{resultType, srcType, src, dstType, dst};
    return guarded(b, loc, predicate, resultType, old, [&](OpBuilder &inner) {
      return atomicBuffer(inner, loc, cast<CopyOpCDNA3BufferAtomicType>(type),
                          state, operands);
    });
  }
};

struct BufferAtomicState
    : StateEmission::ExternalModel<BufferAtomicState,
                                   CopyOpCDNA3BufferAtomicType> {
  Value defaultState(Type type, OpBuilder &b, Location loc) const {
    return makeState(
        b, loc, cast<CopyOpCDNA3BufferAtomicType>(type).getStateType(), {0});
  }
  FailureOr<Value> setState(Type, OpBuilder &b, Location loc, Value state,
                            StringAttr field, Value value) const {
    return setSoffset(b, loc, state, field, value);
  }
};
} // namespace

void attachBufferModels(MLIRContext *context) {
  CopyOpCDNA3BufferCopyType::attachInterface<BufferCopy, BufferCopyState>(
      *context);
  CopyOpCDNA3BufferAtomicType::attachInterface<BufferAtomic, BufferAtomicState>(
      *context);
}

} // namespace mlir::fly
