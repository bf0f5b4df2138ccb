// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of the atoms that know LDS: buffer_copy_lds, which writes it past
// the registers, and lds_read_trans, which reads it transposed.
//
//   buffer_copy_lds<128>  ->  rocdl.raw.ptr.buffer.load.lds %r, %l, 16, ...

#include "Emission.h"

#include "mlir/IR/Matchers.h"

namespace mlir::fly {

using fly_rocdl::CopyOpCDNA3BufferCopyLdsType;
using fly_rocdl::CopyOpCDNA4LdsReadTransType;

//===----------------------------------------------------------------------===//
// buffer_copy_lds
//===----------------------------------------------------------------------===//

/// The largest immediate offset of a buffer instruction.
static constexpr int64_t maxImmediate = 4095;

static FailureOr<Value> copyToLds(OpBuilder &b, Location loc,
                                  CopyOpCDNA3BufferCopyLdsType op, Value state,
                                  const CopyOperands &operands) {
  int64_t bits = op.getBitSize();
  std::string atom = "cdna3.buffer_copy_lds<" + std::to_string(bits) + ">";
  MemRefType src = operands.srcMemRef(), dst = operands.dstMemRef();
  if (!src || !dst || !isBufferSpace(src.getAddressSpace()) ||
      !dst.isInSpace(AddressSpace::Shared))
    return emitError(loc)
           << atom << " copies from #fly_rocdl.buffer_desc to shared, got "
           << operands.srcType << " and "
           << (operands.dstType ? operands.dstType : operands.resultType);
  if (!dst.getSwizzle().isTrivial())
    return emitError(loc) << atom
                          << " writes LDS linearly and cannot follow the "
                             "swizzle of "
                          << dst;
  if (failed(checkBits(loc, src, bits, atom, "the source")))
    return failure();
  FailureOr<SmallVector<Piece>> pieces =
      contiguousPieces(loc, src, "the source");
  if (failed(pieces))
    return failure();
  if (pieces->size() != 1)
    return emitError(loc) << atom << " needs contiguous elements, got " << src;
  Value soffset = scaleToBytes(b, loc, structField(b, loc, state, 0),
                               src.getPointerType().getElemBits());
  Value immediate = structField(b, loc, state, 1);
  FatPointer pointer = unpackBuffer(b, loc, operands.src);
  FailureOr<Value> offset = bufferByteOffset(
      b, loc, src.getPointerType(),
      scaleToBytes(b, loc, pointer.offset, src.getPointerType().getElemBits()),
      pieces->front().offset * int64_t(src.getPointerType().getElemBits()) / 8);
  if (failed(offset))
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
      soffset, immediate, constantInt(b, loc, 0), ArrayAttr(), ArrayAttr(),
      ArrayAttr());
  return Value();
}

//===----------------------------------------------------------------------===//
// lds_read_trans
//===----------------------------------------------------------------------===//

static FailureOr<Value> readTransposed(OpBuilder &b, Location loc,
                                       CopyOpCDNA4LdsReadTransType op,
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

namespace {
struct BufferCopyLds
    : CopyEmission::ExternalModel<BufferCopyLds, CopyOpCDNA3BufferCopyLdsType> {
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
      return copyToLds(inner, loc, cast<CopyOpCDNA3BufferCopyLdsType>(type),
                       state, operands);
    });
  }
};

struct BufferCopyLdsState
    : StateEmission::ExternalModel<BufferCopyLdsState,
                                   CopyOpCDNA3BufferCopyLdsType> {
  Value defaultState(Type type, OpBuilder &b, Location loc) const {
    return makeState(b, loc,
                     cast<CopyOpCDNA3BufferCopyLdsType>(type).getStateType(),
                     {0, 0});
  }
  FailureOr<Value> setState(Type type, OpBuilder &b, Location loc, Value state,
                            StringAttr field, Value value) const {
    if (!value.getType().isInteger(32))
      return emitError(loc) << "expected " << field << " to be an i32, got "
                            << value.getType();
    int64_t index = *fly_rocdl::stateFieldIndex(type, field.getValue());
    return Value(LLVM::InsertValueOp::create(b, loc, state, value,
                                             ArrayRef<int64_t>{index}));
  }
};

struct LdsReadTrans
    : CopyEmission::ExternalModel<LdsReadTrans, CopyOpCDNA4LdsReadTransType> {
  LogicalResult emitCopy(Type type, OpBuilder &b, Location loc,
                         CopyAtomType atom, Value atomValue, MemRefType srcType,
                         Value src, MemRefType dstType, Value dst,
                         Value predicate) const {
    return emitCopySSA(type, b, loc, atom, atomValue, Type(), srcType, src,
                       dstType, dst, Value(), predicate);
  }
  FailureOr<Value> emitCopySSA(Type type, OpBuilder &b, Location loc,
                               CopyAtomType, Value, Type resultType,
                               Type srcType, Value src, Type dstType, Value dst,
                               Value old, Value predicate) const {
    CopyOperands operands{resultType, srcType, src, dstType, dst};
    return guarded(b, loc, predicate, resultType, old, [&](OpBuilder &inner) {
      return readTransposed(inner, loc, cast<CopyOpCDNA4LdsReadTransType>(type),
                            operands);
    });
  }
};
} // namespace

void attachLdsModels(MLIRContext *context) {
  CopyOpCDNA3BufferCopyLdsType::attachInterface<BufferCopyLds,
                                                BufferCopyLdsState>(*context);
  CopyOpCDNA4LdsReadTransType::attachInterface<LdsReadTrans>(*context);
}

} // namespace mlir::fly
