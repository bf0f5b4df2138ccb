// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operation descriptors, atoms, tiled copies and tiled MMAs.
//
// The layout and tile of a tiled type are read with or without their prefix and
// printed with it:
//
//   !fly.tiled_mma<!fly.mma_atom<...>, <(1,1,1):(0,1,2)>>

#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/Fly/IR/FlyTypes.h"
#include "fly/Dialect/Fly/IR/InferenceMemo.h"
#include "fly/Layout/Algebra.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::fly;
using namespace ::fly::layout;

using DialectOperand = mlir::fly::MmaOperand;

/// `(1,n):(1,1)`: one thread and n bits.
static Layout oneThread(int64_t bits) {
  return {IntTuple::of({1, bits}), IntTuple::of({1, 1})};
}

//===----------------------------------------------------------------------===//
// universal_copy
//===----------------------------------------------------------------------===//

Type CopyOpUniversalCopyType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  int32_t bits;
  if (parser.parseLess() || parser.parseInteger(bits) || parser.parseGreater())
    return {};
  return parser.getChecked<CopyOpUniversalCopyType>(start, parser.getContext(),
                                                    bits);
}

void CopyOpUniversalCopyType::print(AsmPrinter &printer) const {
  printer << '<' << getBitSize() << '>';
}

LogicalResult
CopyOpUniversalCopyType::verify(function_ref<InFlightDiagnostic()> emitError,
                                int32_t bits) {
  if (bits < 8 || bits % 8 != 0)
    return emitError() << "expected a positive multiple of 8 bits, found "
                       << bits;
  return success();
}

bool CopyOpUniversalCopyType::isStatic() const { return true; }
Layout CopyOpUniversalCopyType::getThreadLayout() const {
  return {IntTuple(1), IntTuple(1)};
}
Layout CopyOpUniversalCopyType::getThreadBitLayout(CopyRole) const {
  return oneThread(getBitSize());
}

//===----------------------------------------------------------------------===//
// universal_atomic
//===----------------------------------------------------------------------===//

/// Bits of a scalar or vector of a known width; 0 for other types.
static int64_t bitsOfValue(Type type) {
  if (auto vector = dyn_cast_if_present<VectorType>(type)) {
    int64_t bits = bitsOfValue(vector.getElementType());
    return vector.isScalable() ? 0 : bits * vector.getNumElements();
  }
  return type && type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

Type CopyOpUniversalAtomicType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  StringRef word;
  Type valueType;
  std::string scope;
  if (parser.parseLess())
    return {};
  SMLoc wordLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return {};
  std::optional<AtomicOp> op = symbolizeAtomicOp(word);
  if (!op) {
    parser.emitError(wordLoc, "expected an atomic operation add, max, min, "
                              "and, or, inc or dec, found '")
        << word << "'";
    return {};
  }
  if (parser.parseComma() || parser.parseType(valueType))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseString(&scope))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<CopyOpUniversalAtomicType>(
      start, parser.getContext(), AtomicOpAttr::get(parser.getContext(), *op),
      valueType, StringRef(scope));
}

void CopyOpUniversalAtomicType::print(AsmPrinter &printer) const {
  printer << '<' << stringifyAtomicOp(getAtomicOp().getValue()) << ", "
          << getValueType();
  if (!getSyncScope().empty()) {
    printer << ", ";
    printer.printString(getSyncScope());
  }
  printer << '>';
}

LogicalResult
CopyOpUniversalAtomicType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  AtomicOpAttr op, Type valueType, StringRef) {
  if (!op)
    return emitError() << "expected an atomic operation";
  int64_t bits = bitsOfValue(valueType);
  if (bits < 8 || bits % 8 != 0 || bits > std::numeric_limits<int32_t>::max())
    return emitError() << "expected a value type of whole bytes, found "
                       << valueType;
  return success();
}

bool CopyOpUniversalAtomicType::isStatic() const { return true; }
Layout CopyOpUniversalAtomicType::getThreadLayout() const {
  return {IntTuple(1), IntTuple(1)};
}
Layout CopyOpUniversalAtomicType::getThreadBitLayout(CopyRole) const {
  return oneThread(bitsOfValue(getValueType()));
}

//===----------------------------------------------------------------------===//
// universal_fma
//===----------------------------------------------------------------------===//

Type MmaOpUniversalFMAType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<int64_t> mnk;
  Type a, b, result;
  if (parser.parseLess())
    return {};
  SMLoc mnkLoc = parser.getCurrentLocation();
  if (parseMNK(parser, mnk) || parser.parseComma() || parser.parseLParen() ||
      parser.parseType(a) || parser.parseComma() || parser.parseType(b) ||
      parser.parseRParen() || parser.parseArrow() || parser.parseType(result) ||
      parser.parseGreater())
    return {};
  if (mnk != ArrayRef<int64_t>({1, 1, 1})) {
    parser.emitError(mnkLoc, "expected 1x1x1, found ")
        << mnk[0] << 'x' << mnk[1] << 'x' << mnk[2];
    return {};
  }
  if (a != b || a != result) {
    parser.emitError(start, "expected one element type, found ")
        << a << ", " << b << " and " << result;
    return {};
  }
  return parser.getChecked<MmaOpUniversalFMAType>(start, parser.getContext(),
                                                  a);
}

void MmaOpUniversalFMAType::print(AsmPrinter &printer) const {
  printer << "<1x1x1, (" << getElemTy() << ", " << getElemTy() << ") -> "
          << getElemTy() << '>';
}

LogicalResult
MmaOpUniversalFMAType::verify(function_ref<InFlightDiagnostic()> emitError,
                              Type elemTy) {
  if (!elementBits(elemTy))
    return emitError() << "expected an integer or float element type, found "
                       << elemTy;
  return success();
}

bool MmaOpUniversalFMAType::isStatic() const { return true; }
Type MmaOpUniversalFMAType::getValueType(DialectOperand) const {
  return getElemTy();
}
MmaAtomLayouts MmaOpUniversalFMAType::getAtomLayouts() const {
  Layout one = oneThread(1);
  return {IntTuple::of({1, 1, 1}), Layout{IntTuple(1), IntTuple(1)}, one, one,
          one};
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

/// What the contained op type answers; false when it cannot be static.
static bool isStaticType(Type type) {
  auto known = dyn_cast_if_present<MayStaticTypeInterface>(type);
  return known && known.isStatic();
}

static Type stateTypeOf(Type op) {
  auto stateful = dyn_cast_if_present<StatefulOpTypeInterface>(op);
  return stateful ? stateful.getStateType() : Type();
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

Type CopyAtomType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  Type copyOp;
  int32_t valBits;
  if (parser.parseLess() || parser.parseType(copyOp) || parser.parseComma() ||
      parser.parseInteger(valBits) || parser.parseGreater())
    return {};
  return parser.getChecked<CopyAtomType>(start, parser.getContext(), copyOp,
                                         valBits);
}

void CopyAtomType::print(AsmPrinter &printer) const {
  printer << '<' << getCopyOp() << ", " << getValBits() << '>';
}

LogicalResult CopyAtomType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Type copyOp, int32_t valBits) {
  if (!copyOp)
    return emitError() << "expected a copy op type";
  if (valBits < 0)
    return emitError() << "expected the bits of one value, found " << valBits;
  return success();
}

bool CopyAtomType::isStatic() const { return isStaticType(getCopyOp()); }
bool CopyAtomType::isStateful() const {
  return isa<StatefulOpTypeInterface>(getCopyOp());
}
Type CopyAtomType::getStateType() const { return stateTypeOf(getCopyOp()); }

Layout CopyAtomType::getThreadLayout() const {
  auto op = dyn_cast<CopyOpTypeInterface>(getCopyOp());
  return op ? op.getThreadLayout() : Layout{IntTuple(1), IntTuple(1)};
}

CopyAtomLayouts CopyAtomType::getLayouts(Arith &arith) const {
  auto op = dyn_cast<CopyOpTypeInterface>(getCopyOp());
  if (!op) {
    arith.fail("expected a copy op in the atom, found " + textOf(getCopyOp()));
    return {};
  }
  InferenceMemo &memo = cast<FlyDialect>(getDialect()).getInferenceMemo();
  if (auto kept = memo.lookupCopyAtom(*this))
    return *kept;
  auto inValues = [&](CopyRole role) {
    return recast(arith, AnyLayout(op.getThreadBitLayout(role)), getValBits(),
                  /*oldBits=*/1)
        .linear();
  };
  CopyAtomLayouts layouts{inValues(CopyRole::Source),
                          inValues(CopyRole::Destination),
                          inValues(CopyRole::Reference)};
  if (!arith.failed())
    memo.insertCopyAtom(*this, layouts);
  return layouts;
}

FailureOr<CopyAtomLayouts> CopyAtomType::getLayouts() const {
  StaticArith arith;
  CopyAtomLayouts layouts = getLayouts(arith);
  if (arith.failed())
    return failure();
  return layouts;
}

Type MmaAtomType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  Type mmaOp;
  if (parser.parseLess() || parser.parseType(mmaOp) || parser.parseGreater())
    return {};
  return parser.getChecked<MmaAtomType>(start, parser.getContext(), mmaOp);
}

void MmaAtomType::print(AsmPrinter &printer) const {
  printer << '<' << getMmaOp() << '>';
}

LogicalResult MmaAtomType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Type mmaOp) {
  if (!mmaOp)
    return emitError() << "expected an MMA op type";
  return success();
}

bool MmaAtomType::isStatic() const { return isStaticType(getMmaOp()); }
bool MmaAtomType::isStateful() const {
  return isa<StatefulOpTypeInterface>(getMmaOp());
}
Type MmaAtomType::getStateType() const { return stateTypeOf(getMmaOp()); }

Type MmaAtomType::getValueType(DialectOperand operand) const {
  auto op = dyn_cast<MmaOpTypeInterface>(getMmaOp());
  return op ? op.getValueType(operand) : Type();
}

MmaAtomLayouts MmaAtomType::getLayouts(Arith &arith) const {
  auto op = dyn_cast<MmaOpTypeInterface>(getMmaOp());
  if (!op) {
    arith.fail("expected an MMA op in the atom, found " + textOf(getMmaOp()));
    return {};
  }
  return op.getAtomLayouts();
}

FailureOr<MmaAtomLayouts> MmaAtomType::getLayouts() const {
  StaticArith arith;
  MmaAtomLayouts layouts = getLayouts(arith);
  if (arith.failed())
    return failure();
  return layouts;
}

//===----------------------------------------------------------------------===//
// Tiled operations
//===----------------------------------------------------------------------===//

Type TiledCopyType::parse(AsmParser &parser) {
  Type atom;
  LayoutType layout;
  TileType tile;
  if (parser.parseLess() || parser.parseType(atom) || parser.parseComma() ||
      parser.parseCustomTypeWithFallback(layout) || parser.parseComma() ||
      parser.parseCustomTypeWithFallback(tile) || parser.parseGreater())
    return {};
  return get(parser.getContext(), atom, layout, tile);
}

void TiledCopyType::print(AsmPrinter &printer) const {
  printer << '<' << getCopyAtom() << ", " << Type(getLayoutThrVal()) << ", "
          << Type(getTileMN()) << '>';
}

bool TiledCopyType::isStatic() const { return isStaticType(getCopyAtom()); }

TiledCopyLayouts TiledCopyType::getLayouts(Arith &arith) const {
  auto atom = dyn_cast<CopyAtomType>(getCopyAtom());
  if (!atom) {
    arith.fail("tiled copy does not hold a copy atom but " +
               textOf(getCopyAtom()));
    return {};
  }
  return {atom.getLayouts(arith), getLayoutThrVal().getLayout(),
          getTileMN().getTile()};
}

FailureOr<TiledCopyLayouts> TiledCopyType::getLayouts() const {
  StaticArith arith;
  TiledCopyLayouts layouts = getLayouts(arith);
  if (arith.failed())
    return failure();
  return layouts;
}

TileType TiledMmaType::defaultPermutation(MLIRContext *context) {
  return TileType::get(context, Tile::list({Tile(), Tile(), Tile()}));
}

Type TiledMmaType::parse(AsmParser &parser) {
  Type atom;
  LayoutType layout;
  TileType permutation = defaultPermutation(parser.getContext());
  if (parser.parseLess() || parser.parseType(atom) || parser.parseComma() ||
      parser.parseCustomTypeWithFallback(layout))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      parser.parseCustomTypeWithFallback(permutation))
    return {};
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), atom, layout, permutation);
}

void TiledMmaType::print(AsmPrinter &printer) const {
  printer << '<' << getMmaAtom() << ", " << Type(getAtomLayout());
  if (getPermutation() != defaultPermutation(getContext()))
    printer << ", " << Type(getPermutation());
  printer << '>';
}

bool TiledMmaType::isStatic() const { return isStaticType(getMmaAtom()); }

TiledMmaLayouts TiledMmaType::getLayouts(Arith &arith) const {
  auto atom = dyn_cast<MmaAtomType>(getMmaAtom());
  if (!atom) {
    arith.fail("tiled MMA does not hold an MMA atom but " +
               textOf(getMmaAtom()));
    return {};
  }
  return {atom.getLayouts(arith), getAtomLayout().getLayout(),
          getPermutation().getTile()};
}

FailureOr<TiledMmaLayouts> TiledMmaType::getLayouts() const {
  StaticArith arith;
  TiledMmaLayouts layouts = getLayouts(arith);
  if (arith.failed())
    return failure();
  return layouts;
}
