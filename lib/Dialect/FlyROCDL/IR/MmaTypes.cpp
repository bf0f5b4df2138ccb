// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the matrix types answer, out of the rows of the instruction table:
// legality, layouts, value types, state. Nothing about an instruction is said
// here.
//
//   cdna3.mfma<16x16x7, (f16, f16) -> f32>  is refused: nearest is 16x16x16

#include "fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/IR/Builders.h"

namespace mlir::fly_rocdl {

namespace amdgpu = ::fly::amdgpu;
namespace layout = ::fly::layout;

using EmitError = function_ref<InFlightDiagnostic()>;

namespace {
/// What all matrix types have.
struct MmaParameters {
  amdgpu::MmaFamily family;
  int32_t m, n, k;
  Type a, b, acc;
  /// Whether integers may have a sign.
  bool anySign;
};
} // namespace

/// The key of the table, or nothing when an element type is unknown to it.
static std::optional<amdgpu::MmaKey> keyOf(const MmaParameters &mma) {
  for (Type type : {mma.a, mma.b, mma.acc})
    if (type.isInteger() && !type.isSignlessInteger() &&
        !(mma.anySign && type != mma.acc))
      return std::nullopt;
  std::optional<amdgpu::Element> a = elementOf(mma.a), b = elementOf(mma.b),
                                 acc = elementOf(mma.acc);
  if (!a || !b || !acc)
    return std::nullopt;
  return amdgpu::MmaKey{mma.family, mma.m, mma.n, mma.k, *a, *b, *acc};
}

static const amdgpu::MmaRow *rowOf(const MmaParameters &mma) {
  std::optional<amdgpu::MmaKey> key = keyOf(mma);
  return key ? amdgpu::findMmaRow(*key) : nullptr;
}

static LogicalResult verifyMma(EmitError emitError, const MmaParameters &mma) {
  std::optional<amdgpu::MmaKey> key = keyOf(mma);
  if (!key)
    return emitError() << amdgpu::spell(mma.family)
                       << " has no instruction for (" << mma.a << ", " << mma.b
                       << ") -> " << mma.acc;
  if (amdgpu::findMmaRow(*key))
    return success();
  return emitError() << amdgpu::explainMissingRow(*key);
}

static LogicalResult verifyWmma(EmitError emitError, const MmaParameters &mma,
                                bool signA, bool signB, bool clamp) {
  if (failed(verifyMma(emitError, mma)))
    return failure();
  if (mma.a.isInteger() || !(signA || signB || clamp))
    return success();
  return emitError()
         << "signA, signB and clamp belong to integer elements, got " << mma.a;
}

static Type valueTypeOf(const MmaParameters &mma, fly::MmaOperand operand) {
  switch (operand) {
  case fly::MmaOperand::A:
    return mma.a;
  case fly::MmaOperand::B:
    return mma.b;
  case fly::MmaOperand::C:
  case fly::MmaOperand::D:
    return mma.acc;
  }
  return {};
}

/// The parameters of a matrix type of this family.
template <typename MmaType>
static MmaParameters read(MmaType type, amdgpu::MmaFamily family,
                          bool anySign) {
  return {family,          type.getM(),     type.getN(),       type.getK(),
          type.getAType(), type.getBType(), type.getAccType(), anySign};
}

static MmaParameters parametersOf(MmaOpCDNA3MFMAType type) {
  return read(type, amdgpu::MmaFamily::Cdna3Mfma, /*anySign=*/false);
}
static MmaParameters parametersOf(MmaOpCDNA4MFMAScaleType type) {
  return read(type, amdgpu::MmaFamily::Cdna4MfmaScale, /*anySign=*/false);
}
static MmaParameters parametersOf(MmaOpGFX11WMMAType type) {
  return read(type, amdgpu::MmaFamily::Gfx11Wmma, /*anySign=*/true);
}
static MmaParameters parametersOf(MmaOpGFX120xWMMAType type) {
  return read(type, amdgpu::MmaFamily::Gfx120xWmma, /*anySign=*/true);
}
static MmaParameters parametersOf(MmaOpGFX1250WMMAType type) {
  return read(type, amdgpu::MmaFamily::Gfx1250Wmma, /*anySign=*/true);
}
static MmaParameters parametersOf(MmaOpGFX1250WMMAScaleType type) {
  return read(type, amdgpu::MmaFamily::Gfx1250WmmaScale, /*anySign=*/false);
}

LogicalResult MmaOpCDNA3MFMAType::verify(EmitError emitError, int32_t m,
                                         int32_t n, int32_t k, Type a, Type b,
                                         Type acc) {
  return verifyMma(emitError,
                   {amdgpu::MmaFamily::Cdna3Mfma, m, n, k, a, b, acc, false});
}

const amdgpu::MmaRow *MmaOpCDNA3MFMAType::getRow() const {
  return rowOf(parametersOf(*this));
}
layout::MmaAtomLayouts MmaOpCDNA3MFMAType::getAtomLayouts() const {
  return amdgpu::layoutsOf(*getRow());
}
Type MmaOpCDNA3MFMAType::getValueType(fly::MmaOperand operand) const {
  return valueTypeOf(parametersOf(*this), operand);
}
bool MmaOpCDNA3MFMAType::isStatic() const { return true; }
Value MmaOpCDNA3MFMAType::rebuildStatic(OpBuilder &, Location, Value) const {
  return {};
}

LogicalResult MmaOpCDNA4MFMAScaleType::verify(EmitError emitError, int32_t m,
                                              int32_t n, int32_t k, Type a,
                                              Type b, Type acc, int32_t opselA,
                                              int32_t opselB) {
  for (int32_t opsel : {opselA, opselB})
    if (opsel < 0 || opsel > 3)
      return emitError() << "opsel chooses one of four bytes, got " << opsel;
  return verifyMma(emitError, {amdgpu::MmaFamily::Cdna4MfmaScale, m, n, k, a, b,
                               acc, false});
}

const amdgpu::MmaRow *MmaOpCDNA4MFMAScaleType::getRow() const {
  return rowOf(parametersOf(*this));
}
layout::MmaAtomLayouts MmaOpCDNA4MFMAScaleType::getAtomLayouts() const {
  return amdgpu::layoutsOf(*getRow());
}
Type MmaOpCDNA4MFMAScaleType::getValueType(fly::MmaOperand operand) const {
  return valueTypeOf(parametersOf(*this), operand);
}
Type MmaOpCDNA4MFMAScaleType::getStateType() const {
  Type i32 = IntegerType::get(getContext(), 32);
  return LLVM::LLVMStructType::getLiteral(getContext(), {i32, i32});
}
SmallVector<StringRef> MmaOpCDNA4MFMAScaleType::getStateFields() const {
  return {"scale_a", "scale_b"};
}

LogicalResult MmaOpGFX11WMMAType::verify(EmitError emitError, int32_t m,
                                         int32_t n, int32_t k, Type a, Type b,
                                         Type acc, bool signA, bool signB,
                                         bool clamp) {
  return verifyWmma(emitError,
                    {amdgpu::MmaFamily::Gfx11Wmma, m, n, k, a, b, acc, true},
                    signA, signB, clamp);
}

const amdgpu::MmaRow *MmaOpGFX11WMMAType::getRow() const {
  return rowOf(parametersOf(*this));
}
layout::MmaAtomLayouts MmaOpGFX11WMMAType::getAtomLayouts() const {
  return amdgpu::layoutsOf(*getRow());
}
Type MmaOpGFX11WMMAType::getValueType(fly::MmaOperand operand) const {
  return valueTypeOf(parametersOf(*this), operand);
}
bool MmaOpGFX11WMMAType::isStatic() const { return true; }
Value MmaOpGFX11WMMAType::rebuildStatic(OpBuilder &, Location, Value) const {
  return {};
}

LogicalResult MmaOpGFX120xWMMAType::verify(EmitError emitError, int32_t m,
                                           int32_t n, int32_t k, Type a, Type b,
                                           Type acc, bool signA, bool signB,
                                           bool clamp) {
  return verifyWmma(emitError,
                    {amdgpu::MmaFamily::Gfx120xWmma, m, n, k, a, b, acc, true},
                    signA, signB, clamp);
}

const amdgpu::MmaRow *MmaOpGFX120xWMMAType::getRow() const {
  return rowOf(parametersOf(*this));
}
layout::MmaAtomLayouts MmaOpGFX120xWMMAType::getAtomLayouts() const {
  return amdgpu::layoutsOf(*getRow());
}
Type MmaOpGFX120xWMMAType::getValueType(fly::MmaOperand operand) const {
  return valueTypeOf(parametersOf(*this), operand);
}
bool MmaOpGFX120xWMMAType::isStatic() const { return true; }
Value MmaOpGFX120xWMMAType::rebuildStatic(OpBuilder &, Location, Value) const {
  return {};
}

LogicalResult MmaOpGFX1250WMMAType::verify(EmitError emitError, int32_t m,
                                           int32_t n, int32_t k, Type a, Type b,
                                           Type acc, bool signA, bool signB,
                                           bool clamp) {
  return verifyWmma(emitError,
                    {amdgpu::MmaFamily::Gfx1250Wmma, m, n, k, a, b, acc, true},
                    signA, signB, clamp);
}

const amdgpu::MmaRow *MmaOpGFX1250WMMAType::getRow() const {
  return rowOf(parametersOf(*this));
}
layout::MmaAtomLayouts MmaOpGFX1250WMMAType::getAtomLayouts() const {
  return amdgpu::layoutsOf(*getRow());
}
Type MmaOpGFX1250WMMAType::getValueType(fly::MmaOperand operand) const {
  return valueTypeOf(parametersOf(*this), operand);
}
bool MmaOpGFX1250WMMAType::isStatic() const { return true; }
Value MmaOpGFX1250WMMAType::rebuildStatic(OpBuilder &, Location, Value) const {
  return {};
}

LogicalResult MmaOpGFX1250WMMAScaleType::verify(EmitError emitError, int32_t m,
                                                int32_t n, int32_t k, Type a,
                                                Type b, Type acc,
                                                int32_t opselA, int32_t opselB,
                                                int32_t modC, bool, bool,
                                                int32_t blockSize) {
  for (int32_t opsel : {opselA, opselB})
    if (opsel < 0 || opsel > 1)
      return emitError() << "opsel chooses one of two halves, got " << opsel;
  if (modC < 0 || modC > 65535)
    return emitError() << "expected modC from 0 to 65535, got " << modC;
  if (blockSize != 16 && blockSize != 32)
    return emitError() << "expected blocks of 16 or 32 values, got "
                       << blockSize;
  return verifyMma(emitError, {amdgpu::MmaFamily::Gfx1250WmmaScale, m, n, k, a,
                               b, acc, false});
}

const amdgpu::MmaRow *MmaOpGFX1250WMMAScaleType::getRow() const {
  return rowOf(parametersOf(*this));
}
layout::MmaAtomLayouts MmaOpGFX1250WMMAScaleType::getAtomLayouts() const {
  return amdgpu::layoutsOf(*getRow());
}
Type MmaOpGFX1250WMMAScaleType::getValueType(fly::MmaOperand operand) const {
  return valueTypeOf(parametersOf(*this), operand);
}
Type MmaOpGFX1250WMMAScaleType::getStateType() const {
  Type word = IntegerType::get(getContext(), getBlockSize() == 16 ? 64 : 32);
  return LLVM::LLVMStructType::getLiteral(getContext(), {word, word});
}
SmallVector<StringRef> MmaOpGFX1250WMMAScaleType::getStateFields() const {
  return {"scale_a", "scale_b"};
}

} // namespace mlir::fly_rocdl
