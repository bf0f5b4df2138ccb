// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text, checks and parts of the attributes. Law: what is printed reads back as
// the same attribute, `#fly<layout (4,8):(1,4)>`. Spellings that run mnemonic
// and body together (`#fly<layout(4,8):(1,4)>`, `#fly.int4`) are read too.

#include "fly/Dialect/Fly/IR/FlyAttributes.h"
#include "Text.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fly;
using namespace ::fly::layout;
// The layout library's name; the dialect's enum is mlir::fly::MmaOperand.
using LayoutOperand = ::fly::layout::MmaOperand;

#include "fly/Dialect/Fly/IR/FlyEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyAttributes.cpp.inc"

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Empty when shape and stride are congruent, else what is wrong.
static std::string checkPlain(const Layout &layout) {
  if (congruent(layout.shape, layout.stride))
    return {};
  return "shape " + layout.shape.str() + " and stride " + layout.stride.str() +
         " are not congruent";
}

std::string mlir::fly::checkLayout(const AnyLayout &layout) {
  if (layout.isPlain())
    return checkPlain(layout.plain());
  const ComposedLayout &composed = layout.composed();
  std::string error;
  switch (composed.inner.kind) {
  case InnerMap::Kind::Swizzle:
    error = composed.inner.swizzle.check();
    break;
  case InnerMap::Kind::CoordSwizzle:
    error = composed.inner.coordSwizzle.check();
    break;
  case InnerMap::Kind::Layout:
    error = checkLayout(composed.inner.layout);
    break;
  }
  return error.empty() ? checkLayout(composed.outer) : error;
}

static std::string check(const Tile &tile) {
  if (tile.isList()) {
    for (const Tile &element : tile.elements())
      if (std::string error = check(element); !error.empty())
        return error;
    return {};
  }
  if (!tile.isStatic())
    return "a tile must be static, found " + tile.str();
  return tile.isLayout() ? checkPlain(tile.layout()) : std::string();
}

static LogicalResult report(function_ref<InFlightDiagnostic()> emitError,
                            const std::string &error) {
  if (!error.empty())
    return emitError() << error;
  return success();
}

LogicalResult IntAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              Int) {
  return success();
}

LogicalResult BasisAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                IntTuple value) {
  if (!value.isBasis())
    return emitError() << "expected a basis element, found " << value.str();
  return success();
}

LogicalResult IntTupleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   IntTuple) {
  return success();
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Layout value) {
  return report(emitError, checkPlain(value));
}

LogicalResult SwizzleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Swizzle value) {
  return report(emitError, value.check());
}

LogicalResult
CoordSwizzleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         CoordSwizzle value) {
  return report(emitError, value.check());
}

LogicalResult
ComposedLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                           ComposedLayout value) {
  return report(emitError, checkLayout(AnyLayout(value)));
}

LogicalResult TileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               Tile value) {
  return report(emitError, check(value));
}

LogicalResult AlignAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                int64_t alignment) {
  if (alignment < 1)
    return emitError() << "alignment must be positive, found " << alignment;
  return success();
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

bool IntAttr::isStatic() const { return getValue().isStatic(); }
bool BasisAttr::isStatic() const { return getValue().isStatic(); }
bool IntTupleAttr::isStatic() const { return getValue().isStatic(); }
bool LayoutAttr::isStatic() const { return getValue().isStatic(); }
bool ComposedLayoutAttr::isStatic() const {
  return AnyLayout(getValue()).isStatic();
}

IntTuple IntTupleAttr::getProfile() const { return getValue(); }
IntTuple LayoutAttr::getProfile() const { return getValue().shape; }
IntTuple ComposedLayoutAttr::getProfile() const {
  return getValue().outer.linear().shape;
}

IntTupleAttr LayoutAttr::getShape() const {
  return IntTupleAttr::get(getContext(), getValue().shape);
}
IntTupleAttr LayoutAttr::getStride() const {
  return IntTupleAttr::get(getContext(), getValue().stride);
}
Attribute ComposedLayoutAttr::getInner() const {
  return innerToAttr(getContext(), getValue().inner);
}
IntTupleAttr ComposedLayoutAttr::getOffset() const {
  return IntTupleAttr::get(getContext(), getValue().offset);
}
Attribute ComposedLayoutAttr::getOuter() const {
  return layoutToAttr(getContext(), getValue().outer);
}

Attribute mlir::fly::layoutToAttr(MLIRContext *context,
                                  const AnyLayout &layout) {
  if (layout.isPlain())
    return LayoutAttr::get(context, layout.plain());
  return ComposedLayoutAttr::get(context, layout.composed());
}

AnyLayout mlir::fly::attrToLayout(Attribute attribute) {
  if (auto plain = dyn_cast_if_present<LayoutAttr>(attribute))
    return plain.getValue();
  if (auto composed = dyn_cast_if_present<ComposedLayoutAttr>(attribute))
    return composed.getValue();
  return {};
}

Attribute mlir::fly::innerToAttr(MLIRContext *context, const InnerMap &inner) {
  switch (inner.kind) {
  case InnerMap::Kind::Swizzle:
    return SwizzleAttr::get(context, inner.swizzle);
  case InnerMap::Kind::CoordSwizzle:
    return CoordSwizzleAttr::get(context, inner.coordSwizzle);
  case InnerMap::Kind::Layout:
    return layoutToAttr(context, inner.layout);
  }
  llvm_unreachable("all kinds of inner maps are listed");
}

bool mlir::fly::isAddressSpace(Attribute attribute, AddressSpace space) {
  auto attr = dyn_cast_if_present<AddressSpaceAttr>(attribute);
  return attr && attr.getValue() == space;
}

LayoutOperand mlir::fly::toLayoutOperand(mlir::fly::MmaOperand operand) {
  return static_cast<LayoutOperand>(static_cast<uint32_t>(operand));
}

ParseResult mlir::fly::parseMNK(AsmParser &parser,
                                SmallVectorImpl<int64_t> &mnk) {
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseDimensionList(mnk, /*allowDynamic=*/false,
                                /*withTrailingX=*/false))
    return failure();
  if (mnk.size() != 3)
    return parser.emitError(start, "expected three dimensions MxNxK, found ")
           << mnk.size();
  for (int64_t dimension : mnk)
    if (dimension < 1)
      return parser.emitError(start, "dimensions must be positive, found ")
             << dimension;
  return success();
}

void mlir::fly::printMNK(AsmPrinter &printer, ArrayRef<int64_t> mnk) {
  llvm::interleave(mnk, printer.getStream(), "x");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// A leaf that stands alone: `*` is not accepted.
static Attribute readInt(AsmParser &parser) {
  AsmTokens tokens(parser);
  SMLoc start = parser.getCurrentLocation();
  Int value;
  if (!parseInt(tokens, value, /*allowNone=*/false) || tokens.finish())
    return {};
  return parser.getChecked<IntAttr>(start, parser.getContext(), value);
}

Attribute IntAttr::parse(AsmParser &parser, Type) { return readInt(parser); }

void IntAttr::print(AsmPrinter &printer) const {
  printer << ' ';
  if (getValue().isNone())
    printer << 0;
  else
    IntTuple(getValue()).print(printer.getStream());
}

Attribute BasisAttr::parse(AsmParser &parser, Type) {
  AsmTokens tokens(parser);
  SMLoc start = parser.getCurrentLocation();
  IntTuple value;
  if (!parseBasis(tokens, value) || tokens.finish())
    return {};
  return parser.getChecked<BasisAttr>(start, parser.getContext(), value);
}

void BasisAttr::print(AsmPrinter &printer) const {
  printer << ' ';
  getValue().print(printer.getStream());
}

Attribute IntTupleAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  FailureOr<IntTuple> value = readIntTuple(parser);
  if (succeeded(value) && succeeded(parser.parseOptionalComma())) {
    parser.emitError(start, "a tuple needs parentheses, as in (4,8); found ',' "
                            "after ")
        << value->str();
    return {};
  }
  if (failed(value))
    return {};
  return parser.getChecked<IntTupleAttr>(start, parser.getContext(), *value);
}

void IntTupleAttr::print(AsmPrinter &printer) const {
  printer << ' ';
  getValue().print(printer.getStream());
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  AsmTokens tokens(parser);
  SMLoc start = parser.getCurrentLocation();
  Layout value;
  if (!parseLayout(tokens, value) || tokens.finish())
    return {};
  return parser.getChecked<LayoutAttr>(start, parser.getContext(), value);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << ' ';
  getValue().print(printer.getStream());
}

/// `word` is `S` when it was read as the end of the mnemonic.
static Attribute readSwizzleAttr(AsmParser &parser, StringRef word) {
  SMLoc start = parser.getCurrentLocation();
  FailureOr<Swizzle> value = readSwizzle(parser, word);
  if (failed(value))
    return {};
  return parser.getChecked<SwizzleAttr>(start, parser.getContext(), *value);
}

Attribute SwizzleAttr::parse(AsmParser &parser, Type) {
  return readSwizzleAttr(parser, "");
}

void SwizzleAttr::print(AsmPrinter &printer) const {
  printer << ' ';
  getValue().print(printer.getStream());
}

static Attribute readCoordSwizzleAttr(AsmParser &parser, StringRef word) {
  AsmTokens tokens(parser, word);
  SMLoc start = parser.getCurrentLocation();
  CoordSwizzle value;
  if (!parseCoordSwizzle(tokens, value) || tokens.finish())
    return {};
  return parser.getChecked<CoordSwizzleAttr>(start, parser.getContext(), value);
}

Attribute CoordSwizzleAttr::parse(AsmParser &parser, Type) {
  return readCoordSwizzleAttr(parser, "");
}

void CoordSwizzleAttr::print(AsmPrinter &printer) const {
  printer << ' ';
  getValue().print(printer.getStream());
}

static Attribute readComposedAttr(AsmParser &parser, StringRef word) {
  AsmTokens tokens(parser, word);
  SMLoc start = parser.getCurrentLocation();
  AnyLayout value;
  if (!parseAnyLayout(tokens, value) || tokens.finish())
    return {};
  if (value.isPlain()) {
    parser.emitError(start, "expected a composed layout, found the layout ")
        << value.str();
    return {};
  }
  return parser.getChecked<ComposedLayoutAttr>(start, parser.getContext(),
                                               value.composed());
}

Attribute ComposedLayoutAttr::parse(AsmParser &parser, Type) {
  return readComposedAttr(parser, "");
}

void ComposedLayoutAttr::print(AsmPrinter &printer) const {
  printer << ' ';
  AnyLayout(getValue()).print(printer.getStream());
}

Attribute TileAttr::parse(AsmParser &parser, Type) {
  AsmTokens tokens(parser);
  SMLoc start = parser.getCurrentLocation();
  Tile value;
  if (!parseTile(tokens, value) || tokens.finish())
    return {};
  return parser.getChecked<TileAttr>(start, parser.getContext(), value);
}

void TileAttr::print(AsmPrinter &printer) const {
  printer << ' ';
  getValue().print(printer.getStream());
}

Attribute AlignAttr::parse(AsmParser &parser, Type) {
  int64_t alignment;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseKeyword("align") || parser.parseLess() ||
      parser.parseInteger(alignment) || parser.parseGreater())
    return {};
  return parser.getChecked<AlignAttr>(start, parser.getContext(), alignment);
}

void AlignAttr::print(AsmPrinter &printer) const {
  printer << " align<" << getAlignment() << '>';
}

/// A body that was lexed as part of the mnemonic, `int4` or `basis1E0`: the
/// rest of the word is the whole text.
static Attribute readJoinedWord(DialectAsmParser &parser, StringRef word) {
  SMLoc start = parser.getNameLoc();
  StringRef body = word;
  if (body.consume_front("int")) {
    TextSource tokens(body);
    Int value;
    if (parseInt(tokens, value, /*allowNone=*/false) && tokens.atEnd())
      return parser.getChecked<IntAttr>(start, parser.getContext(), value);
  } else if (body.consume_front("basis")) {
    TextSource tokens(body);
    IntTuple value;
    if (parseBasis(tokens, value) && tokens.atEnd())
      return parser.getChecked<BasisAttr>(start, parser.getContext(), value);
  }
  parser.emitError(start, "unknown attribute '")
      << word << "' in dialect 'fly'";
  return {};
}

Attribute FlyDialect::parseAttribute(DialectAsmParser &parser,
                                     Type type) const {
  StringRef mnemonic;
  Attribute attribute;
  OptionalParseResult result =
      generatedAttributeParser(parser, &mnemonic, type, attribute);
  if (result.has_value())
    return attribute;
  if (mnemonic == "swizzleS")
    return readSwizzleAttr(parser, "S");
  if (mnemonic == "coord_swizzleCS")
    return readCoordSwizzleAttr(parser, "CS");
  if (mnemonic == "composed_layoutS")
    return readComposedAttr(parser, "S");
  if (mnemonic == "composed_layoutCS")
    return readComposedAttr(parser, "CS");
  return readJoinedWord(parser, mnemonic);
}

void FlyDialect::printAttribute(Attribute attribute,
                                DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attribute, printer);
}

void FlyDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fly/Dialect/Fly/IR/FlyAttributes.cpp.inc"
      >();
}
