// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of matrix instructions: operands become the row's register types,
// the row's ROCDL op computes, the result goes where d is. Operands that are
// still in memory are loaded, and d is stored.
//
//   cdna3.mfma<16x16x16, (f16, f16) -> f32>
//     ->  rocdl.mfma.f32.16x16x16f16 %a, %b, %c, 0, 0, 0

#include "Emission.h"

namespace mlir::fly {

using ::fly::amdgpu::Element;
using ::fly::amdgpu::MmaCall;
using ::fly::amdgpu::MmaRow;
using ::fly::amdgpu::RegisterType;

namespace {
/// The operands of one call: memref types with pointers, or values.
struct MmaOperands {
  Type resultType; // null: none
  Type dType;
  Value d; // null: none
  Type aType;
  Value a;
  Type bType;
  Value b;
  Type cType;
  Value c;
};

/// What the types say beside the row.
struct MmaModifiers {
  bool signA = false, signB = false, clamp = false;
  int32_t opselA = 0, opselB = 0;
  Value scaleA, scaleB;
  int32_t modC = 0;
  bool reuseA = false, reuseB = false;
  int32_t blockSize = 32;
};
} // namespace

/// An operand in the type that the instruction takes.
static FailureOr<Value> mmaOperand(OpBuilder &b, Location loc, Type type,
                                   Value value, RegisterType wanted,
                                   const Twine &what) {
  if (auto memory = dyn_cast<MemRefType>(type)) {
    FailureOr<Value> loaded = loadTensor(b, loc, memory, value, what);
    if (failed(loaded))
      return failure();
    value = *loaded;
  }
  return bitcastTo(b, loc, toStorage(b, loc, value),
                   fly_rocdl::registerType(b.getContext(), wanted), what);
}

/// The number that the instruction has for an 8, 6 or 4-bit float.
static int32_t formatCode(Element element) {
  switch (element) {
  case Element::F8E5M2:
    return 1;
  case Element::F6E2M3FN:
    return 2;
  case Element::F6E3M2FN:
    return 3;
  case Element::F4E2M1FN:
    return 4;
  default:
    return 0;
  }
}

static Value callInstruction(OpBuilder &b, Location loc, const MmaRow &row,
                             Value a, Value x, Value c,
                             const MmaModifiers &modifiers) {
  SmallVector<Value> operands{a, x, c};
  SmallVector<NamedAttribute> attributes;
  auto flag = [&](StringRef name, bool value) {
    attributes.push_back(b.getNamedAttr(name, b.getBoolAttr(value)));
  };
  auto choice = [&](StringRef name, int32_t value) {
    attributes.push_back(b.getNamedAttr(name, b.getI32IntegerAttr(value)));
  };
  std::string name = row.op.str();
  auto number = [&](int32_t value) {
    operands.push_back(constantInt(b, loc, value));
  };
  switch (row.call) {
  case MmaCall::Mfma:
    for (int i = 0; i < 3; ++i)
      number(0);
    break;
  case MmaCall::MfmaScale:
    number(formatCode(row.aType));
    number(formatCode(row.bType));
    number(modifiers.opselA);
    operands.push_back(modifiers.scaleA);
    number(modifiers.opselB);
    operands.push_back(modifiers.scaleB);
    break;
  case MmaCall::Wmma:
    break;
  case MmaCall::WmmaInteger:
  case MmaCall::WmmaIntegerReuse:
    flag("signA", modifiers.signA);
    flag("signB", modifiers.signB);
    flag("clamp", modifiers.clamp);
    break;
  case MmaCall::WmmaModifiers:
  case MmaCall::WmmaModifierC:
    break; // all modifiers at their defaults
  case MmaCall::WmmaScale:
    choice("fmtA", formatCode(row.aType));
    choice("fmtB", formatCode(row.bType));
    [[fallthrough]];
  case MmaCall::WmmaScaleF4:
    operands.append({modifiers.scaleA, modifiers.scaleB});
    attributes.push_back(
        b.getNamedAttr("modC", b.getI16IntegerAttr(modifiers.modC)));
    choice("scaleAType", modifiers.opselA);
    choice("scaleBType", modifiers.opselB);
    flag("reuseA", modifiers.reuseA);
    flag("reuseB", modifiers.reuseB);
    if (modifiers.blockSize == 16)
      name.replace(name.find("scale."), 6, "scale16.");
    break;
  }
  Type result = fly_rocdl::registerType(b.getContext(), row.accRegister);
  return createROCDL(b, loc, name, result, operands, attributes)->getResult(0);
}

static FailureOr<Value> emitRow(OpBuilder &b, Location loc, const MmaRow &row,
                                const MmaOperands &operands,
                                const MmaModifiers &modifiers) {
  FailureOr<Value> left = mmaOperand(b, loc, operands.aType, operands.a,
                                     row.aRegister, "operand a");
  if (failed(left))
    return failure();
  FailureOr<Value> right = mmaOperand(b, loc, operands.bType, operands.b,
                                      row.bRegister, "operand b");
  if (failed(right))
    return failure();
  FailureOr<Value> sum = mmaOperand(b, loc, operands.cType, operands.c,
                                    row.accRegister, "operand c");
  if (failed(sum))
    return failure();
  Value result = callInstruction(b, loc, row, *left, *right, *sum, modifiers);
  return deliverMma(b, loc, operands.resultType, operands.dType, operands.d,
                    result);
}

//===----------------------------------------------------------------------===//
// What each type adds to its row
//===----------------------------------------------------------------------===//

static MmaModifiers modifiersOf(OpBuilder &, Location,
                                fly_rocdl::MmaOpCDNA3MFMAType, Value) {
  return {};
}

static MmaModifiers modifiersOf(OpBuilder &b, Location loc,
                                fly_rocdl::MmaOpCDNA4MFMAScaleType type,
                                Value state) {
  MmaModifiers modifiers;
  modifiers.opselA = type.getOpselA();
  modifiers.opselB = type.getOpselB();
  modifiers.scaleA = structField(b, loc, state, 0);
  modifiers.scaleB = structField(b, loc, state, 1);
  return modifiers;
}

static MmaModifiers modifiersOf(OpBuilder &b, Location loc,
                                fly_rocdl::MmaOpGFX1250WMMAScaleType type,
                                Value state) {
  MmaModifiers modifiers;
  modifiers.opselA = type.getOpselA();
  modifiers.opselB = type.getOpselB();
  modifiers.scaleA = structField(b, loc, state, 0);
  modifiers.scaleB = structField(b, loc, state, 1);
  modifiers.modC = type.getModC();
  modifiers.reuseA = type.getReuseA();
  modifiers.reuseB = type.getReuseB();
  modifiers.blockSize = type.getBlockSize();
  return modifiers;
}

static MmaModifiers signsOf(bool signA, bool signB, bool clamp) {
  MmaModifiers modifiers;
  modifiers.signA = signA;
  modifiers.signB = signB;
  modifiers.clamp = clamp;
  return modifiers;
}

static MmaModifiers modifiersOf(OpBuilder &, Location,
                                fly_rocdl::MmaOpGFX11WMMAType type, Value) {
  return signsOf(type.getSignA(), type.getSignB(), type.getClamp());
}

static MmaModifiers modifiersOf(OpBuilder &, Location,
                                fly_rocdl::MmaOpGFX120xWMMAType type, Value) {
  return signsOf(type.getSignA(), type.getSignB(), type.getClamp());
}

static MmaModifiers modifiersOf(OpBuilder &, Location,
                                fly_rocdl::MmaOpGFX1250WMMAType type, Value) {
  return signsOf(type.getSignA(), type.getSignB(), type.getClamp());
}

/// Scales of 1.0: each byte 0x7F is the exponent 0.
static Value unitScales(OpBuilder &b, Location loc, Type type) {
  auto structType = cast<LLVM::LLVMStructType>(type);
  Value state = LLVM::PoisonOp::create(b, loc, type);
  for (auto [index, word] : llvm::enumerate(structType.getBody())) {
    Value scale =
        constantInt(b, loc, 0x7F7F7F7F7F7F7F7F, word.getIntOrFloatBitWidth());
    state = LLVM::InsertValueOp::create(b, loc, state, scale,
                                        ArrayRef<int64_t>{int64_t(index)});
  }
  return state;
}

/// One word set, from an integer or vector of exactly its bits.
static FailureOr<Value> setScale(OpBuilder &b, Location loc, Value state,
                                 int64_t index, StringAttr field, Value value) {
  Type wanted = cast<LLVM::LLVMStructType>(state.getType()).getBody()[index];
  FailureOr<Value> word =
      bitcastTo(b, loc, toStorage(b, loc, value), wanted, field.getValue());
  if (failed(word))
    return failure();
  return Value(LLVM::InsertValueOp::create(b, loc, state, *word,
                                           ArrayRef<int64_t>{index}));
}

namespace {
/// The model of every matrix type: its row, with its modifiers.
template <typename MmaType>
struct MmaModel : MmaEmission::ExternalModel<MmaModel<MmaType>, MmaType> {
  LogicalResult emitMma(Type type, OpBuilder &b, Location loc, MmaAtomType,
                        Value state, MemRefType dType, MemRefType aType,
                        MemRefType bType, MemRefType cType, Value d, Value a,
                        Value x, Value c) const {
    auto mma = cast<MmaType>(type);
    return emitRow(b, loc, *mma.getRow(),
                   {Type(), dType, d, aType, a, bType, x, cType, c},
                   modifiersOf(b, loc, mma, state));
  }
  FailureOr<Value> emitMmaSSA(Type type, OpBuilder &b, Location loc,
                              MmaAtomType, Value state, Type resultType,
                              Value d, Type dType, Value a, Type aType, Value x,
                              Type bType, Value c, Type cType) const {
    auto mma = cast<MmaType>(type);
    return emitRow(b, loc, *mma.getRow(),
                   {resultType, dType, d, aType, a, bType, x, cType, c},
                   modifiersOf(b, loc, mma, state));
  }
};

/// The state of a scaled type: two words of scales.
template <typename MmaType>
struct ScaleState : StateEmission::ExternalModel<ScaleState<MmaType>, MmaType> {
  Value defaultState(Type type, OpBuilder &b, Location loc) const {
    return unitScales(b, loc, cast<MmaType>(type).getStateType());
  }
  FailureOr<Value> setState(Type type, OpBuilder &b, Location loc, Value state,
                            StringAttr field, Value value) const {
    return setScale(b, loc, state,
                    *fly_rocdl::stateFieldIndex(type, field.getValue()), field,
                    value);
  }
};
} // namespace

void attachMmaModels(MLIRContext *context) {
  using namespace fly_rocdl;
  MmaOpCDNA3MFMAType::attachInterface<MmaModel<MmaOpCDNA3MFMAType>>(*context);
  MmaOpCDNA4MFMAScaleType::attachInterface<MmaModel<MmaOpCDNA4MFMAScaleType>,
                                           ScaleState<MmaOpCDNA4MFMAScaleType>>(
      *context);
  MmaOpGFX1250WMMAScaleType::attachInterface<
      MmaModel<MmaOpGFX1250WMMAScaleType>,
      ScaleState<MmaOpGFX1250WMMAScaleType>>(*context);
  MmaOpGFX11WMMAType::attachInterface<MmaModel<MmaOpGFX11WMMAType>>(*context);
  MmaOpGFX120xWMMAType::attachInterface<MmaModel<MmaOpGFX120xWMMAType>>(
      *context);
  MmaOpGFX1250WMMAType::attachInterface<MmaModel<MmaOpGFX1250WMMAType>>(
      *context);
}

} // namespace mlir::fly
