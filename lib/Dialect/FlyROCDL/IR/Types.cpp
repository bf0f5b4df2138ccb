// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the types answer, out of the rows of the instruction tables: layouts,
// value types, state, legality. Nothing about an instruction is said here.
//
//   cdna3.mfma<16x16x7, (f16, f16) -> f32>  is refused: nearest is 16x16x4 ...

#include "fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::fly_rocdl {

namespace amdgpu = ::fly::amdgpu;
namespace layout = ::fly::layout;

//===----------------------------------------------------------------------===//
// Pieces of syntax
//===----------------------------------------------------------------------===//

/// `16x16x16`.
static ParseResult parseMmaShape(AsmParser &parser, int32_t &m,
                                 int32_t &n, int32_t &k) {
  SmallVector<int64_t> dims;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseDimensionList(dims, /*allowDynamic=*/false,
                                /*withTrailingX=*/false))
    return failure();
  if (dims.size() != 3)
    return parser.emitError(where, "expected a shape MxNxK, got ")
           << dims.size() << " dimensions";
  for (int64_t dim : dims)
    if (dim < 1 || dim > 4096)
      return parser.emitError(where, "expected dimensions from 1 to 4096, got ")
             << dim;
  m = dims[0];
  n = dims[1];
  k = dims[2];
  return success();
}

static void printMmaShape(AsmPrinter &printer, int32_t m, int32_t n,
                          int32_t k) {
  printer << m << 'x' << n << 'x' << k;
}

static ParseResult parseFlag(AsmParser &parser, bool &flag) {
  StringRef word;
  SMLoc where = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&word, {"true", "false"}))) {
    flag = word == "true";
    return success();
  }
  return parser.emitError(where, "expected 'true' or 'false'");
}

static void printFlag(AsmPrinter &printer, bool flag) {
  printer << (flag ? "true" : "false");
}

static ParseResult parseAtomicKeyword(AsmParser &parser,
                                      fly::AtomicOp &operation) {
  StringRef word;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<fly::AtomicOp> value = fly::symbolizeAtomicOp(word);
  if (!value)
    return parser.emitError(
               where, "expected add, max, min, and, or, inc or dec, got '")
           << word << "'";
  operation = *value;
  return success();
}

static void printAtomicKeyword(AsmPrinter &printer, fly::AtomicOp operation) {
  printer << fly::stringifyAtomicOp(operation);
}

/// `16b`.
static ParseResult parseElementBits(AsmParser &parser,
                                    int32_t &bits) {
  int32_t value;
  if (parser.parseInteger(value) || parser.parseKeyword("b"))
    return failure();
  bits = value;
  return success();
}

static void printElementBits(AsmPrinter &printer, int32_t bits) {
  printer << bits << 'b';
}

} // namespace mlir::fly_rocdl

#define GET_TYPEDEF_CLASSES
#include "fly/Dialect/FlyROCDL/IR/FlyROCDLTypes.cpp.inc"

namespace mlir::fly_rocdl {

void FlyROCDLDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fly/Dialect/FlyROCDL/IR/FlyROCDLTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Elements and registers
//===----------------------------------------------------------------------===//

std::optional<amdgpu::Element> elementOf(Type type) {
  using amdgpu::Element;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 64:
      return Element::I64;
    case 32:
      return Element::I32;
    case 16:
      return Element::I16;
    case 8:
      return Element::I8;
    case 4:
      return Element::I4;
    }
    return std::nullopt;
  }
  return TypeSwitch<Type, std::optional<Element>>(type)
      .Case([](Float64Type) { return Element::F64; })
      .Case([](Float32Type) { return Element::F32; })
      .Case([](Float16Type) { return Element::F16; })
      .Case([](BFloat16Type) { return Element::BF16; })
      .Case([](Float8E4M3FNType) { return Element::F8E4M3FN; })
      .Case([](Float8E5M2Type) { return Element::F8E5M2; })
      .Case([](Float8E4M3FNUZType) { return Element::F8E4M3FNUZ; })
      .Case([](Float8E5M2FNUZType) { return Element::F8E5M2FNUZ; })
      .Case([](Float6E2M3FNType) { return Element::F6E2M3FN; })
      .Case([](Float6E3M2FNType) { return Element::F6E3M2FN; })
      .Case([](Float4E2M1FNType) { return Element::F4E2M1FN; })
      .Default([](Type) { return std::nullopt; });
}

Type registerType(MLIRContext *context, amdgpu::RegisterType type) {
  using amdgpu::Element;
  Builder b(context);
  Type element;
  switch (type.element) {
  case Element::F64:
    element = b.getF64Type();
    break;
  case Element::F32:
    element = b.getF32Type();
    break;
  case Element::F16:
    element = b.getF16Type();
    break;
  case Element::BF16:
    element = b.getBF16Type();
    break;
  default: // small floats travel as integers
    element = b.getIntegerType(amdgpu::bitsOf(type.element));
    break;
  }
  if (type.count == 1)
    return element;
  return VectorType::get({type.count}, element);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

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
  return emitError() << "signA, signB and clamp belong to integer elements, got "
                     << mma.a;
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

static MmaParameters parametersOf(MmaOpCDNA3MFMAType t) {
  return {amdgpu::MmaFamily::Cdna3Mfma, t.getM(), t.getN(), t.getK(),
          t.getAType(), t.getBType(), t.getAccType(), false};
}
static MmaParameters parametersOf(MmaOpCDNA4MFMAScaleType t) {
  return {amdgpu::MmaFamily::Cdna4MfmaScale, t.getM(), t.getN(), t.getK(),
          t.getAType(), t.getBType(), t.getAccType(), false};
}
static MmaParameters parametersOf(MmaOpGFX11WMMAType t) {
  return {amdgpu::MmaFamily::Gfx11Wmma, t.getM(), t.getN(), t.getK(),
          t.getAType(), t.getBType(), t.getAccType(), true};
}
static MmaParameters parametersOf(MmaOpGFX120xWMMAType t) {
  return {amdgpu::MmaFamily::Gfx120xWmma, t.getM(), t.getN(), t.getK(),
          t.getAType(), t.getBType(), t.getAccType(), true};
}
static MmaParameters parametersOf(MmaOpGFX1250WMMAType t) {
  return {amdgpu::MmaFamily::Gfx1250Wmma, t.getM(), t.getN(), t.getK(),
          t.getAType(), t.getBType(), t.getAccType(), true};
}

LogicalResult MmaOpCDNA3MFMAType::verify(EmitError emitError, int32_t m,
                                         int32_t n, int32_t k, Type a, Type b,
                                         Type acc) {
  return verifyMma(emitError, {amdgpu::MmaFamily::Cdna3Mfma, m, n, k, a, b, acc,
                               false});
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
  return structOf(getContext(), {i32, i32});
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

//===----------------------------------------------------------------------===//
// Questions about any of them
//===----------------------------------------------------------------------===//

std::optional<int64_t> stateFieldIndex(Type type, StringRef field) {
  auto stateful = dyn_cast<fly::StatefulOpTypeInterface>(type);
  if (!stateful)
    return std::nullopt;
  for (auto [index, name] : llvm::enumerate(stateful.getStateFields()))
    if (name == field)
      return int64_t(index);
  return std::nullopt;
}

static std::string refuse(StringRef instruction, const amdgpu::Chip &chip) {
  return (chip.name + " has no " + instruction).str();
}

std::string whyNotOn(Type type, const amdgpu::Chip &chip) {
  auto mma = [&](auto atom) -> std::string {
    const amdgpu::MmaRow *row = atom.getRow();
    return row->runsOn(chip) ? std::string()
                             : refuse(row->text(), chip) + "; it runs on " +
                                   amdgpu::chipsOf(*row);
  };
  auto copy = [&](amdgpu::CopyKind kind, int64_t bits, int64_t elementBits) {
    const amdgpu::CopyRow *row = amdgpu::findCopyRow(kind, bits, elementBits);
    return row->runsOn(chip)
               ? std::string()
               : refuse(amdgpu::spell(kind).str() + " of " +
                            std::to_string(bits) + " bits",
                        chip);
  };
  return TypeSwitch<Type, std::string>(type)
      .Case<MmaOpCDNA3MFMAType, MmaOpCDNA4MFMAScaleType, MmaOpGFX11WMMAType,
            MmaOpGFX120xWMMAType, MmaOpGFX1250WMMAType>(mma)
      .Case([&](CopyOpCDNA3BufferCopyType t) {
        return copy(amdgpu::CopyKind::BufferCopy, t.getBitSize(), 0);
      })
      .Case([&](CopyOpCDNA3BufferCopyLdsType t) {
        return copy(amdgpu::CopyKind::BufferCopyLds, t.getBitSize(), 0);
      })
      .Case([&](CopyOpCDNA4LdsReadTransType t) {
        return copy(amdgpu::CopyKind::LdsReadTranspose, t.getBitSize(),
                    t.getElementBits());
      })
      .Case([&](CopyOpCDNA3BufferAtomicType t) {
        if (t.getRow()->runsOn(chip))
          return std::string();
        std::string text;
        llvm::raw_string_ostream os(text);
        os << "cdna3.buffer_atomic " << fly::stringifyAtomicOp(t.getOperation())
           << " of " << t.getValueType();
        return refuse(text, chip);
      })
      .Default([](Type) { return std::string(); });
}

} // namespace mlir::fly_rocdl
