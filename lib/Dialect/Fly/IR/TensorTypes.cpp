// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, memrefs and coordinate tensors. Law: what a type leaves out in its
// text is what it is by default, so that each type has one text:
//
//   !fly.ptr<f16, global, align<2>>  is  !fly.ptr<f16, global>

#include "Text.h"
#include "fly/Dialect/Fly/IR/FlyTypes.h"
#include "fly/Layout/Algebra.h"
#include "mlir/IR/Builders.h"

namespace mlir::fly {

using namespace ::fly::layout;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<unsigned> elementBits(Type type) {
  if (!type || !isa<IntegerType, FloatType>(type))
    return std::nullopt;
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 0)
    return std::nullopt;
  // Wider elements must fill what LLVM allocates for them: i24 or f80 in an
  // array would be strided otherwise than in a vector.
  bool isWhole = bits >= 8 && llvm::isPowerOf2_32(bits);
  if (isWhole || bits == 1 || bits == 2 || bits == 4 || bits == 6)
    return bits;
  return std::nullopt;
}

int64_t trivialAlignment(Type elementType) {
  return alignmentOfElements(elementType, 1);
}

int64_t alignmentOfElements(Type elementType, int64_t count) {
  std::optional<unsigned> bits = elementBits(elementType);
  if (!bits)
    return 1;
  int64_t total;
  if (llvm::MulOverflow<int64_t>(*bits, std::max<int64_t>(count, 1), total) ||
      total > std::numeric_limits<int64_t>::max() - 7)
    return alignmentOfElements(elementType, 1);
  return (total + 7) / 8;
}

/// How many elements an address of this alignment is a multiple of.
static int64_t elementsOfAlignment(Type elementType, int64_t alignment) {
  std::optional<unsigned> bits = elementBits(elementType);
  int64_t total;
  if (!bits || llvm::MulOverflow<int64_t>(alignment, 8, total) ||
      total % *bits != 0)
    return 1;
  return total / *bits;
}

//===----------------------------------------------------------------------===//
// Shared text of ptr and memref
//===----------------------------------------------------------------------===//

namespace {
/// What ptr and memref have in common.
struct PointerParts {
  Type elemTy;
  Attribute space;
  int64_t alignment = 0;
  Swizzle swizzle;
};
} // namespace

static const char expectedSpace[] =
    "expected an address space generic, global, shared or register, or an "
    "attribute, found ";

static ParseResult parseHead(AsmParser &parser, PointerParts &parts) {
  SMLoc elementLoc = parser.getCurrentLocation();
  OptionalParseResult element = parser.parseOptionalType(parts.elemTy);
  if (!element.has_value())
    return parser.emitError(elementLoc,
                            "expected an element type such as f32, found ")
           << nextToken(parser);
  if (failed(*element))
    return failure();
  if (!elementBits(parts.elemTy))
    return parser.emitError(elementLoc, "expected an element type that is an "
                                        "integer or float of whole bytes or of "
                                        "1, 2, 4 or 6 bits, found ")
           << parts.elemTy;
  parts.alignment = trivialAlignment(parts.elemTy);
  if (failed(parser.parseOptionalComma()))
    return parser.emitError(parser.getCurrentLocation(),
                            "expected ',' and an address space after the "
                            "element type ")
           << parts.elemTy << ", found " << nextToken(parser);

  // A parenthesis would be read as the start of a function type.
  SMLoc spaceLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLParen()))
    return parser.emitError(spaceLoc, expectedSpace) << "'('";
  OptionalParseResult attribute = parser.parseOptionalAttribute(parts.space);
  if (attribute.has_value())
    return *attribute;
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return parser.emitError(spaceLoc, expectedSpace) << nextToken(parser);
  std::optional<AddressSpace> space = symbolizeAddressSpace(word);
  if (!space)
    return parser.emitError(spaceLoc, expectedSpace) << "'" << word << "'";
  parts.space = AddressSpaceAttr::get(parser.getContext(), *space);
  return success();
}

/// The comma before a layout.
static ParseResult parseCommaAndLayout(AsmParser &parser, StringRef after) {
  if (succeeded(parser.parseOptionalComma()))
    return success();
  return parser.emitError(parser.getCurrentLocation(),
                          "expected ',' and a layout after the ")
         << after << ", found " << nextToken(parser);
}

/// `, align<16>, S<3,3,3>`, both optional, in this order.
static ParseResult parseTail(AsmParser &parser, PointerParts &parts) {
  if (failed(parser.parseOptionalComma()))
    return success();
  if (succeeded(parser.parseOptionalKeyword("align"))) {
    if (parser.parseLess() || parser.parseInteger(parts.alignment) ||
        parser.parseGreater())
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
  }
  SMLoc start = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword("S")))
    return parser.emitError(start, "expected 'align<bytes>' or a swizzle "
                                   "S<mask,base,shift>, in this order, found ")
           << nextToken(parser);
  FailureOr<Swizzle> swizzle = readSwizzle(parser, "S");
  if (failed(swizzle))
    return failure();
  parts.swizzle = *swizzle;
  if (succeeded(parser.parseOptionalComma()))
    return parser.emitError(parser.getCurrentLocation(),
                            "the swizzle comes last, after 'align<bytes>'; "
                            "found ")
           << nextToken(parser);
  return success();
}

static void printHead(AsmPrinter &printer, Type elemTy, Attribute space) {
  printer << '<' << elemTy << ", ";
  if (auto known = dyn_cast<AddressSpaceAttr>(space))
    printer << stringifyAddressSpace(known.getValue());
  else
    printer << space;
}

static void printTail(AsmPrinter &printer, Type elemTy, int64_t alignment,
                      const Swizzle &swizzle) {
  if (alignment != trivialAlignment(elemTy))
    printer << ", align<" << alignment << '>';
  if (swizzle != Swizzle()) {
    printer << ", ";
    swizzle.print(printer.getStream());
  }
  printer << '>';
}

static LogicalResult verifyParts(function_ref<InFlightDiagnostic()> emitError,
                                 Type elemTy, Attribute space,
                                 int64_t alignment, const Swizzle &swizzle) {
  if (!elementBits(elemTy))
    return emitError() << "expected an element type that is an integer or "
                          "float of whole bytes or of 1, 2, 4 or 6 bits, found "
                       << elemTy;
  if (!space)
    return emitError() << "expected an address space";
  int64_t bytes = trivialAlignment(elemTy);
  if (alignment < 1 || alignment % bytes != 0)
    return emitError() << "alignment " << alignment
                       << " is not a positive multiple of " << bytes
                       << ", the bytes of " << elemTy;
  if (std::string error = swizzle.check(); !error.empty())
    return emitError() << error;
  return success();
}

//===----------------------------------------------------------------------===//
// ptr
//===----------------------------------------------------------------------===//

Type PointerType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  PointerParts parts;
  if (parser.parseLess() || parseHead(parser, parts) ||
      parseTail(parser, parts) || parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(start, parser.getContext(),
                                        parts.elemTy, parts.space,
                                        parts.alignment, parts.swizzle);
}

void PointerType::print(AsmPrinter &printer) const {
  printHead(printer, getElemTy(), getAddressSpace());
  printTail(printer, getElemTy(), getAlignment(), getSwizzle());
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Type elemTy, Attribute space,
                                  int64_t alignment, Swizzle swizzle) {
  return verifyParts(emitError, elemTy, space, alignment, swizzle);
}

unsigned PointerType::getElemBits() const {
  return elementBits(getElemTy()).value_or(8);
}

int64_t PointerType::valueDivisibility() const {
  return elementsOfAlignment(getElemTy(), getAlignment());
}

bool PointerType::isInSpace(AddressSpace space) const {
  return isAddressSpace(getAddressSpace(), space);
}

//===----------------------------------------------------------------------===//
// memref
//===----------------------------------------------------------------------===//

Type MemRefType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  PointerParts parts;
  if (parser.parseLess() || parseHead(parser, parts) ||
      parseCommaAndLayout(parser, "address space"))
    return {};
  SMLoc layoutLoc = parser.getCurrentLocation();
  FailureOr<AnyLayout> layout = readAnyLayout(parser);
  if (failed(layout) || parseTail(parser, parts) || parser.parseGreater())
    return {};
  Attribute attribute = layoutToAttrChecked(parser, layoutLoc, *layout);
  if (!attribute)
    return {};
  return parser.getChecked<MemRefType>(start, parser.getContext(), parts.elemTy,
                                       parts.space, attribute, parts.alignment,
                                       parts.swizzle);
}

void MemRefType::print(AsmPrinter &printer) const {
  printHead(printer, getElemTy(), getAddressSpace());
  printer << ", ";
  getLayout().print(printer.getStream());
  printTail(printer, getElemTy(), getAlignment(), getSwizzle());
}

LogicalResult MemRefType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Type elemTy, Attribute space, Attribute layout,
                                 int64_t alignment, Swizzle swizzle) {
  if (!isa_and_present<LayoutAttr, ComposedLayoutAttr>(layout))
    return emitError() << "expected a layout or composed layout, found "
                       << layout;
  return verifyParts(emitError, elemTy, space, alignment, swizzle);
}

AnyLayout MemRefType::getLayout() const {
  return attrToLayout(getLayoutAttr());
}

PointerType MemRefType::getPointerType() const {
  return PointerType::get(getElemTy(), getAddressSpace(), getAlignment(),
                          getSwizzle());
}

MemRefType MemRefType::withLayout(const AnyLayout &layout) const {
  return get(getPointerType(), layout);
}

MemRefType MemRefType::at(ArrayRef<int32_t> path) const {
  StaticArith arith;
  AnyLayout mode = ::fly::layout::get(arith, getLayout(), path);
  return arith.failed() ? MemRefType() : withLayout(mode);
}

int64_t MemRefType::valueDivisibility() const {
  return elementsOfAlignment(getElemTy(), getAlignment());
}

bool MemRefType::isInSpace(AddressSpace space) const {
  return isAddressSpace(getAddressSpace(), space);
}

Type registerValueType(MemRefType type, bool llvmCompatible) {
  if (!type.isInSpace(AddressSpace::Register) || !type.getLayout().isPlain())
    return {};
  const Layout layout = type.getLayout().plain();
  StaticArith arith;
  IntTuple count = cosize(arith, layout);
  if (!layout.isStatic() || arith.failed() || !count.isInt() ||
      count.leaf().value() < 1)
    return {};
  Type element = type.getElemTy();
  if (llvmCompatible && isa<FloatType>(element) &&
      element.getIntOrFloatBitWidth() < 16)
    element =
        IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth());
  int64_t elements = count.leaf().value();
  return elements == 1 ? element : VectorType::get({elements}, element);
}

//===----------------------------------------------------------------------===//
// coord_tensor
//===----------------------------------------------------------------------===//

Type CoordTensorType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  FailureOr<IntTuple> base = readIntTuple(parser);
  if (failed(base) || parseCommaAndLayout(parser, "base"))
    return {};
  SMLoc layoutLoc = parser.getCurrentLocation();
  FailureOr<AnyLayout> layout = readAnyLayout(parser);
  if (failed(layout) || parser.parseGreater())
    return {};
  Attribute attribute = layoutToAttrChecked(parser, layoutLoc, *layout);
  if (!attribute)
    return {};
  return parser.getChecked<CoordTensorType>(
      start, parser.getContext(), IntTupleAttr::get(parser.getContext(), *base),
      attribute);
}

void CoordTensorType::print(AsmPrinter &printer) const {
  printer << '<';
  getBase().print(printer.getStream());
  printer << ", ";
  getLayout().print(printer.getStream());
  printer << '>';
}

LogicalResult
CoordTensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                        IntTupleAttr base, Attribute layout) {
  if (!base)
    return emitError() << "expected a base";
  if (!isa_and_present<LayoutAttr, ComposedLayoutAttr>(layout))
    return emitError() << "expected a layout or composed layout, found "
                       << layout;
  return success();
}

const IntTuple &CoordTensorType::getBase() const {
  return getBaseAttr().getValue();
}
AnyLayout CoordTensorType::getLayout() const {
  return attrToLayout(getLayoutAttr());
}
bool CoordTensorType::isStatic() const {
  return getBase().isStatic() && getLayout().isStatic();
}
IntTuple CoordTensorType::getProfile() const {
  return getLayout().linear().shape;
}

} // namespace mlir::fly
