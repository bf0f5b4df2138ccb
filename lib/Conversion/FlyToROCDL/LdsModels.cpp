// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of the atoms that know LDS: buffer_copy_lds and its asynchronous
// relatives, which write it past the registers, and lds_read_trans, which reads
// it transposed. LLVM 22.1 orders what reads LDS after every such write by a
// wait of its own; there is no form that leaves it to the program.
//
//   buffer_copy_lds<128>  ->  rocdl.raw.ptr.buffer.load.lds %r, %l, 16, ...

#include "Emission.h"

#include "mlir/IR/Matchers.h"

namespace mlir::fly {

using fly_rocdl::CopyOpCDNA3BufferCopyLdsType;
using fly_rocdl::CopyOpCDNA4BufferLoadAsyncLdsType;
using fly_rocdl::CopyOpCDNA4GlobalLoadAsyncLdsType;
using fly_rocdl::CopyOpCDNA4LdsReadTransType;

//===----------------------------------------------------------------------===//
// buffer_copy_lds, buffer_load_async_lds
//===----------------------------------------------------------------------===//

/// The largest immediate offset of a buffer instruction.
static constexpr int64_t maxImmediate = 4095;

/// The piece of the source that a lane copies to LDS, which is written as it
/// lies in the source: the destination is one piece, too, from its pointer on.
static FailureOr<Piece> pieceForLds(Location loc, const std::string &atom,
                                    MemRefType src, MemRefType dst,
                                    int64_t bits) {
  if (!dst.getSwizzle().isTrivial())
    return emitError(loc) << atom
                          << " writes LDS linearly and cannot follow the "
                             "swizzle of "
                          << dst;
  if (failed(checkBits(loc, src, bits, atom, "the source")) ||
      failed(checkBits(loc, dst, bits, atom, "the destination")))
    return failure();
  FailureOr<Piece> piece = onePiece(loc, src, atom, "the source");
  if (failed(piece))
    return failure();
  FailureOr<Piece> written = onePiece(loc, dst, atom, "the destination");
  if (failed(written))
    return failure();
  if (written->offset != 0)
    return emitError(loc) << atom
                          << " writes LDS from the destination's pointer on, "
                             "got "
                          << dst;
  return piece;
}

static FailureOr<Value> bufferToLds(OpBuilder &b, Location loc,
                                    StringRef mnemonic, int64_t bits,
                                    Value state, const CopyOperands &operands) {
  std::string atom = (mnemonic + "<" + Twine(bits) + ">").str();
  MemRefType src = operands.srcMemRef(), dst = operands.dstMemRef();
  if (!src || !dst || !isBufferSpace(src.getAddressSpace()) ||
      !dst.isInSpace(AddressSpace::Shared))
    return emitError(loc)
           << atom << " copies from #fly_rocdl.buffer_desc to shared, got "
           << operands.srcType << " and "
           << (operands.dstType ? operands.dstType : operands.resultType);
  FailureOr<Piece> piece = pieceForLds(loc, atom, src, dst, bits);
  if (failed(piece))
    return failure();
  FailureOr<Value> soffset =
      uniformBytes(b, loc, structField(b, loc, state, 0), src.getPointerType());
  Value immediate = structField(b, loc, state, 1);
  FatPointer pointer = unpackBuffer(b, loc, operands.src);
  FailureOr<Value> offset = elementByteOffset(b, loc, src.getPointerType(),
                                              pointer.offset, piece->offset);
  if (failed(soffset) || failed(offset))
    return failure();
  Value lds = operands.dst;
  APInt known;
  if (!matchPattern(immediate, m_ConstantInt(&known)) || known.isNegative() ||
      known.sgt(maxImmediate)) {
    // The immediate moves both addresses; so does adding it to them.
    offset = Value(arith::AddIOp::create(b, loc, *offset, immediate));
    lds = LLVM::GEPOp::create(b, loc, lds.getType(), b.getI8Type(), lds,
                              ArrayRef<LLVM::GEPArg>{immediate});
    immediate = constantInt(b, loc, 0);
  }
  ROCDL::RawPtrBufferLoadLdsOp::create(
      b, loc, pointer.resource, lds, constantInt(b, loc, bits / 8), *offset,
      *soffset, immediate, constantInt(b, loc, 0), ArrayAttr(), ArrayAttr(),
      ArrayAttr());
  return Value();
}

static FailureOr<Value> copyToLds(OpBuilder &b, Location loc,
                                  CopyOpCDNA3BufferCopyLdsType op, Value state,
                                  const CopyOperands &operands) {
  return bufferToLds(b, loc, "cdna3.buffer_copy_lds", op.getBitSize(), state,
                     operands);
}

static FailureOr<Value> loadAsyncToLds(OpBuilder &b, Location loc,
                                       CopyOpCDNA4BufferLoadAsyncLdsType op,
                                       Value state,
                                       const CopyOperands &operands) {
  return bufferToLds(b, loc, "cdna4.buffer_load_async_lds", op.getBitSize(),
                     state, operands);
}

//===----------------------------------------------------------------------===//
// global_load_async_lds
//===----------------------------------------------------------------------===//

static FailureOr<Value> globalToLds(OpBuilder &b, Location loc,
                                    CopyOpCDNA4GlobalLoadAsyncLdsType op, Value,
                                    const CopyOperands &operands) {
  int64_t bits = op.getBitSize();
  std::string atom =
      "cdna4.global_load_async_lds<" + std::to_string(bits) + ">";
  MemRefType src = operands.srcMemRef(), dst = operands.dstMemRef();
  if (!src || !dst || !src.isInSpace(AddressSpace::Global) ||
      !dst.isInSpace(AddressSpace::Shared))
    return emitError(loc) << atom << " copies from global to shared, got "
                          << operands.srcType << " and "
                          << (operands.dstType ? operands.dstType
                                               : operands.resultType);
  FailureOr<Piece> piece = pieceForLds(loc, atom, src, dst, bits);
  if (failed(piece))
    return failure();
  int64_t window = int64_t(1) << src.getSwizzle().base;
  if (!src.getSwizzle().isTrivial() && window * 8 % bits)
    return emitError(loc) << atom << " needs " << bits
                          << " neighbouring bits in each lane, got " << src;
  FailureOr<Value> address =
      movedPointer(b, loc, operands.src, storageType(src.getElemTy()),
                   piece->offset, /*inBounds=*/true);
  if (failed(address))
    return failure();
  auto number = [&](StringRef name, int64_t value) {
    return b.getNamedAttr(name, b.getI32IntegerAttr(value));
  };
  createROCDL(
      b, loc, "global.load.lds", {},
      {swizzledAddress(b, loc, *address, src.getSwizzle()), operands.dst},
      {number("size", bits / 8), number("offset", 0), number("aux", 0)});
  return Value();
}

//===----------------------------------------------------------------------===//
// lds_read_trans
//===----------------------------------------------------------------------===//

static FailureOr<Value> readTransposed(OpBuilder &b, Location loc,
                                       CopyOpCDNA4LdsReadTransType op, Value,
                                       const CopyOperands &operands) {
  const ::fly::amdgpu::CopyRow &row =
      *::fly::amdgpu::findCopyRow(::fly::amdgpu::CopyKind::LdsReadTranspose,
                                  op.getBitSize(), op.getElementBits());
  StringRef atom = "cdna4.lds_read_trans";
  MemRefType src = operands.srcMemRef(), dst = operands.dstMemRef();
  if (!src || !src.isInSpace(AddressSpace::Shared))
    return emitError(loc) << atom << " reads shared memory, got "
                          << operands.srcType;
  if (dst && !dst.isInSpace(AddressSpace::Register))
    return emitError(loc) << atom << " writes registers, got " << dst;
  if (failed(checkBits(loc, src, row.bits, atom, "the source")))
    return failure();
  FailureOr<SmallVector<Piece>> pieces =
      contiguousPieces(loc, src, "the source");
  if (failed(pieces))
    return failure();
  int64_t window = int64_t(1) << src.getSwizzle().base;
  if (pieces->size() != 1 ||
      (!src.getSwizzle().isTrivial() && window * 8 % row.bits))
    return emitError(loc) << atom << " needs " << row.bits
                          << " neighbouring bits in each lane, got " << src;
  FailureOr<Value> address =
      movedPointer(b, loc, operands.src, storageType(src.getElemTy()),
                   pieces->front().offset, /*inBounds=*/true);
  if (failed(address))
    return failure();
  Operation *read = createROCDL(
      b, loc, row.op, fly_rocdl::registerType(b.getContext(), row.payload),
      swizzledAddress(b, loc, *address, src.getSwizzle()));
  return deliver(b, loc, operands, read->getResult(0), row.bits, atom);
}

void attachLdsModels(MLIRContext *context) {
  CopyOpCDNA3BufferCopyLdsType::attachInterface<
      CopyModel<CopyOpCDNA3BufferCopyLdsType, copyToLds>,
      WordState<CopyOpCDNA3BufferCopyLdsType>>(*context);
  CopyOpCDNA4BufferLoadAsyncLdsType::attachInterface<
      CopyModel<CopyOpCDNA4BufferLoadAsyncLdsType, loadAsyncToLds>,
      WordState<CopyOpCDNA4BufferLoadAsyncLdsType>>(*context);
  CopyOpCDNA4GlobalLoadAsyncLdsType::attachInterface<
      CopyModel<CopyOpCDNA4GlobalLoadAsyncLdsType, globalToLds>>(*context);
  CopyOpCDNA4LdsReadTransType::attachInterface<
      CopyModel<CopyOpCDNA4LdsReadTransType, readTransposed>>(*context);
}

} // namespace mlir::fly
