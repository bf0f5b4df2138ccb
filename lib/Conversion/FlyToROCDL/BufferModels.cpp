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
static FailureOr<Value> soffsetBytes(OpBuilder &b, Location loc, Value state,
                                     MemRefType bufferType) {
  return uniformBytes(b, loc, structField(b, loc, state, 0),
                      bufferType.getPointerType());
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
  FailureOr<Value> soffset = soffsetBytes(b, loc, state, buffer);
  if (failed(soffset))
    return failure();
  BufferOptions options{*soffset, op.getCache()};
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
  FailureOr<Piece> piece = onePiece(loc, dst, atom, "the destination");
  if (failed(piece))
    return failure();
  FailureOr<Value> value = sourceValue(b, loc, operands, bits, atom);
  if (failed(value))
    return failure();
  FailureOr<Value> typed =
      bitcastTo(b, loc, *value, storageType(op.getValueType()),
                "the value of the atomic");
  FatPointer pointer = unpackBuffer(b, loc, operands.dst);
  FailureOr<Value> soffset = soffsetBytes(b, loc, state, dst);
  FailureOr<Value> offset = elementByteOffset(b, loc, dst.getPointerType(),
                                              pointer.offset, piece->offset);
  if (failed(typed) || failed(soffset) || failed(offset))
    return failure();
  SmallVector<Value> arguments{*typed, pointer.resource, *offset, *soffset,
                               constantInt(b, loc, 0)};
  std::string name = ("raw.ptr.buffer.atomic." + row.intrinsic).str();
  if (hasROCDLOp(row.intrinsic))
    createROCDL(b, loc, name, {}, arguments);
  else
    LLVM::CallIntrinsicOp::create(b, loc, typed->getType(),
                                  b.getStringAttr("llvm.amdgcn." + name),
                                  arguments);
  return atomicResult(b, loc, operands, *typed);
}

void attachBufferModels(MLIRContext *context) {
  CopyOpCDNA3BufferCopyType::attachInterface<
      CopyModel<CopyOpCDNA3BufferCopyType, copyBuffer>,
      WordState<CopyOpCDNA3BufferCopyType>>(*context);
  CopyOpCDNA3BufferAtomicType::attachInterface<
      CopyModel<CopyOpCDNA3BufferAtomicType, atomicBuffer>,
      WordState<CopyOpCDNA3BufferAtomicType>>(*context);
}

} // namespace mlir::fly
