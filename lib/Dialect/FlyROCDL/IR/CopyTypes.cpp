// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the copy types answer, out of the rows of the copy tables: widths,
// (thread, bit) layouts, state.
//
//   cdna3.buffer_copy<7>  is refused: 8, 16, 32, 64, 96 or 128 bits

#include "fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/IR/Builders.h"

namespace mlir::fly_rocdl {

namespace amdgpu = ::fly::amdgpu;
namespace layout = ::fly::layout;

using EmitError = function_ref<InFlightDiagnostic()>;

static layout::Layout bitsOfOneThread(int64_t bits) {
  return {layout::IntTuple::of({1, bits}), layout::IntTuple::of({1, 1})};
}

static layout::Layout leaf(int64_t shape, int64_t stride) {
  return {layout::IntTuple(layout::Int::known(shape)),
          layout::IntTuple(layout::Int::known(stride))};
}

static LogicalResult verifyWidth(EmitError emitError, amdgpu::CopyKind kind,
                                 int64_t bits, int64_t elementBits = 0) {
  if (amdgpu::findCopyRow(kind, bits, elementBits))
    return success();
  InFlightDiagnostic error = emitError();
  error << amdgpu::spell(kind) << " moves " << amdgpu::widthsOf(kind)
        << " bits, got ";
  if (elementBits)
    error << elementBits << "b of ";
  return error << bits;
}

static Type structOf(MLIRContext *context, ArrayRef<Type> fields) {
  return LLVM::LLVMStructType::getLiteral(context, fields);
}

LogicalResult CopyOpCDNA3BufferCopyType::verify(EmitError emitError,
                                                int32_t bitSize,
                                                int32_t cache) {
  if (cache < 0)
    return emitError() << "expected a cache policy of 0 or more, got " << cache;
  return verifyWidth(emitError, amdgpu::CopyKind::BufferCopy, bitSize);
}

layout::Layout CopyOpCDNA3BufferCopyType::getThreadLayout() const {
  return leaf(1, 1);
}

layout::Layout
CopyOpCDNA3BufferCopyType::getThreadBitLayout(fly::CopyRole) const {
  return bitsOfOneThread(getBitSize());
}

Type CopyOpCDNA3BufferCopyType::getStateType() const {
  return structOf(getContext(), {IntegerType::get(getContext(), 32)});
}

SmallVector<StringRef> CopyOpCDNA3BufferCopyType::getStateFields() const {
  return {"soffset"};
}

LogicalResult CopyOpCDNA3BufferCopyLdsType::verify(EmitError emitError,
                                                   int32_t bitSize) {
  return verifyWidth(emitError, amdgpu::CopyKind::BufferCopyLds, bitSize);
}

layout::Layout CopyOpCDNA3BufferCopyLdsType::getThreadLayout() const {
  return leaf(1, 1);
}

layout::Layout
CopyOpCDNA3BufferCopyLdsType::getThreadBitLayout(fly::CopyRole) const {
  return bitsOfOneThread(getBitSize());
}

Type CopyOpCDNA3BufferCopyLdsType::getStateType() const {
  Type i32 = IntegerType::get(getContext(), 32);
  return structOf(getContext(), {i32, i32});
}

SmallVector<StringRef> CopyOpCDNA3BufferCopyLdsType::getStateFields() const {
  return {"soffset", "imm_offset"};
}

static const amdgpu::BufferAtomicRow *atomicRow(fly::AtomicOp operation,
                                                Type valueType) {
  Type scalar = getElementTypeOrSelf(valueType);
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(valueType)) {
    if (vector.getRank() != 1 || vector.isScalable())
      return nullptr;
    count = vector.getNumElements();
  }
  std::optional<amdgpu::Element> element = elementOf(scalar);
  if (!element || count > 64)
    return nullptr;
  amdgpu::AtomicOperation op;
  switch (operation) {
  case fly::AtomicOp::Add:
    op = amdgpu::AtomicOperation::Add;
    break;
  case fly::AtomicOp::Max:
    op = amdgpu::AtomicOperation::Max;
    break;
  case fly::AtomicOp::Min:
    op = amdgpu::AtomicOperation::Min;
    break;
  case fly::AtomicOp::And:
    op = amdgpu::AtomicOperation::And;
    break;
  case fly::AtomicOp::Or:
    op = amdgpu::AtomicOperation::Or;
    break;
  case fly::AtomicOp::Inc:
    op = amdgpu::AtomicOperation::Inc;
    break;
  case fly::AtomicOp::Dec:
    op = amdgpu::AtomicOperation::Dec;
    break;
  }
  return amdgpu::findBufferAtomicRow(op, {*element, uint8_t(count)},
                                     scalar.isUnsignedInteger());
}

LogicalResult CopyOpCDNA3BufferAtomicType::verify(EmitError emitError,
                                                  fly::AtomicOp operation,
                                                  Type valueType) {
  if (atomicRow(operation, valueType))
    return success();
  return emitError() << "cdna3.buffer_atomic has no instruction for "
                     << fly::stringifyAtomicOp(operation) << " of "
                     << valueType;
}

const amdgpu::BufferAtomicRow *CopyOpCDNA3BufferAtomicType::getRow() const {
  return atomicRow(getOperation(), getValueType());
}

layout::Layout CopyOpCDNA3BufferAtomicType::getThreadLayout() const {
  return leaf(1, 1);
}

layout::Layout
CopyOpCDNA3BufferAtomicType::getThreadBitLayout(fly::CopyRole) const {
  return bitsOfOneThread(getRow()->type.bits());
}

Type CopyOpCDNA3BufferAtomicType::getStateType() const {
  return structOf(getContext(), {IntegerType::get(getContext(), 32)});
}

SmallVector<StringRef> CopyOpCDNA3BufferAtomicType::getStateFields() const {
  return {"soffset"};
}

LogicalResult CopyOpCDNA4LdsReadTransType::verify(EmitError emitError,
                                                  int32_t elementBits,
                                                  int32_t bitSize) {
  if (elementBits < 1)
    return emitError() << "expected elements of at least one bit, got "
                       << elementBits;
  return verifyWidth(emitError, amdgpu::CopyKind::LdsReadTranspose, bitSize,
                     elementBits);
}

layout::Layout CopyOpCDNA4LdsReadTransType::getThreadLayout() const {
  return leaf(16, 1);
}

layout::Layout
CopyOpCDNA4LdsReadTransType::getThreadBitLayout(fly::CopyRole role) const {
  using layout::IntTuple;
  int64_t bits = getBitSize(), element = getElementBits();
  if (role == fly::CopyRole::Source)
    return {IntTuple::of({16, bits}), IntTuple::of({bits, 1})};
  IntTuple threads(layout::Int::known(16));
  IntTuple threadStride(layout::Int::known(element));
  return {IntTuple::tuple({threads, IntTuple::of({element, bits / element})}),
          IntTuple::tuple({threadStride, IntTuple::of({1, 16 * element})})};
}

bool CopyOpCDNA4LdsReadTransType::isStatic() const { return true; }

Value CopyOpCDNA4LdsReadTransType::rebuildStatic(OpBuilder &, Location,
                                                 Value) const {
  return {};
}

LogicalResult CopyOpCDNA4BufferLoadAsyncLdsType::verify(EmitError emitError,
                                                        int32_t bitSize) {
  return verifyWidth(emitError, amdgpu::CopyKind::BufferLoadAsyncLds, bitSize);
}

layout::Layout CopyOpCDNA4BufferLoadAsyncLdsType::getThreadLayout() const {
  return leaf(1, 1);
}

layout::Layout
CopyOpCDNA4BufferLoadAsyncLdsType::getThreadBitLayout(fly::CopyRole) const {
  return bitsOfOneThread(getBitSize());
}

Type CopyOpCDNA4BufferLoadAsyncLdsType::getStateType() const {
  Type i32 = IntegerType::get(getContext(), 32);
  return structOf(getContext(), {i32, i32});
}

SmallVector<StringRef>
CopyOpCDNA4BufferLoadAsyncLdsType::getStateFields() const {
  return {"soffset", "imm_offset"};
}

LogicalResult CopyOpCDNA4GlobalLoadAsyncLdsType::verify(EmitError emitError,
                                                        int32_t bitSize) {
  return verifyWidth(emitError, amdgpu::CopyKind::GlobalLoadAsyncLds, bitSize);
}

layout::Layout CopyOpCDNA4GlobalLoadAsyncLdsType::getThreadLayout() const {
  return leaf(1, 1);
}

layout::Layout
CopyOpCDNA4GlobalLoadAsyncLdsType::getThreadBitLayout(fly::CopyRole) const {
  return bitsOfOneThread(getBitSize());
}

bool CopyOpCDNA4GlobalLoadAsyncLdsType::isStatic() const { return true; }

Value CopyOpCDNA4GlobalLoadAsyncLdsType::rebuildStatic(OpBuilder &, Location,
                                                       Value) const {
  return {};
}

LogicalResult CopyOpGFX1250TDMType::verify(EmitError emitError, int32_t rank,
                                           int32_t warps, int32_t padInterval,
                                           int32_t padAmount, int32_t cache,
                                           bool, bool) {
  if (rank < 1 || rank > 5)
    return emitError() << "expected a rank of 1 to 5, got " << rank;
  if (warps < 1 || !llvm::isPowerOf2_32(warps))
    return emitError() << "expected a power of two of waves, got " << warps;
  bool isNone = padInterval == 0 && padAmount == 0;
  if (!isNone &&
      (padInterval < 1 || padAmount < 1 || !llvm::isPowerOf2_32(padInterval)))
    return emitError() << "expected padding of 0, 0 or of one or more elements "
                          "after a power of two of them, got "
                       << padInterval << ", " << padAmount;
  if (cache < 0 || cache > 31) // temporal hint and scope
    return emitError() << "expected a cache policy of 0 to 31, got " << cache;
  return success();
}

layout::Layout CopyOpGFX1250TDMType::getThreadLayout() const {
  return leaf(1, 1);
}

layout::Layout CopyOpGFX1250TDMType::getThreadBitLayout(fly::CopyRole) const {
  return bitsOfOneThread(1);
}

Type CopyOpGFX1250TDMType::getStateType() const {
  SmallVector<Type> fields(6, IntegerType::get(getContext(), 32));
  fields.append(5, IntegerType::get(getContext(), 64));
  return structOf(getContext(), fields);
}

SmallVector<StringRef> CopyOpGFX1250TDMType::getStateFields() const {
  return {"workgroup_mask", "extent_0", "extent_1",  "extent_2",
          "extent_3",       "extent_4", "stride_0",  "stride_1",
          "stride_2",       "stride_3", "imm_offset"};
}

} // namespace mlir::fly_rocdl
