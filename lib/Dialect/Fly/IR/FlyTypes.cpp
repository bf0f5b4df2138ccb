// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that wrap one attribute: `!fly.layout<(4,8):(1,4)>`. The body is the
// attribute's, without its mnemonic.

#include "fly/Dialect/Fly/IR/FlyTypes.h"
#include "Text.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fly;
using namespace ::fly::layout;

#define GET_TYPEDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyTypes.cpp.inc"

void FlyDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fly/Dialect/Fly/IR/FlyTypes.cpp.inc"
      >();
}

Type mlir::fly::layoutToType(MLIRContext *context, const AnyLayout &layout) {
  if (layout.isPlain())
    return LayoutType::get(context, layout.plain());
  return ComposedLayoutType::get(context, layout.composed());
}

Type mlir::fly::innerToType(MLIRContext *context, const InnerMap &inner) {
  switch (inner.kind) {
  case InnerMap::Kind::Swizzle:
    return SwizzleType::get(context, inner.swizzle);
  case InnerMap::Kind::CoordSwizzle:
    return CoordSwizzleType::get(context, inner.coordSwizzle);
  case InnerMap::Kind::Layout:
    return layoutToType(context, inner.layout);
  }
  llvm_unreachable("all kinds of inner maps are listed");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The attribute in angle brackets.
static Attribute parseWrapped(AsmParser &parser,
                              Attribute (*parse)(AsmParser &, Type)) {
  if (parser.parseLess())
    return {};
  Attribute attribute = parse(parser, Type());
  if (!attribute)
    return {};
  if (failed(parser.parseOptionalGreater())) {
    parser.emitError(parser.getCurrentLocation(),
                     "expected '>' at the end of the type, found ")
        << nextToken(parser);
    return {};
  }
  return attribute;
}

Type BasisType::parse(AsmParser &parser) {
  auto attr =
      cast_if_present<BasisAttr>(parseWrapped(parser, BasisAttr::parse));
  return attr ? get(parser.getContext(), attr) : Type();
}
void BasisType::print(AsmPrinter &printer) const {
  printer << '<';
  getAttr().getValue().print(printer.getStream());
  printer << '>';
}

Type IntTupleType::parse(AsmParser &parser) {
  auto attr =
      cast_if_present<IntTupleAttr>(parseWrapped(parser, IntTupleAttr::parse));
  return attr ? get(parser.getContext(), attr) : Type();
}
void IntTupleType::print(AsmPrinter &printer) const {
  printer << '<';
  getTuple().print(printer.getStream());
  printer << '>';
}

Type LayoutType::parse(AsmParser &parser) {
  auto attr =
      cast_if_present<LayoutAttr>(parseWrapped(parser, LayoutAttr::parse));
  return attr ? get(parser.getContext(), attr) : Type();
}
void LayoutType::print(AsmPrinter &printer) const {
  printer << '<';
  getLayout().print(printer.getStream());
  printer << '>';
}

Type SwizzleType::parse(AsmParser &parser) {
  auto attr =
      cast_if_present<SwizzleAttr>(parseWrapped(parser, SwizzleAttr::parse));
  return attr ? get(parser.getContext(), attr) : Type();
}
void SwizzleType::print(AsmPrinter &printer) const {
  printer << '<';
  getSwizzle().print(printer.getStream());
  printer << '>';
}

Type CoordSwizzleType::parse(AsmParser &parser) {
  auto attr = cast_if_present<CoordSwizzleAttr>(
      parseWrapped(parser, CoordSwizzleAttr::parse));
  return attr ? get(parser.getContext(), attr) : Type();
}
void CoordSwizzleType::print(AsmPrinter &printer) const {
  printer << '<';
  getCoordSwizzle().print(printer.getStream());
  printer << '>';
}

Type ComposedLayoutType::parse(AsmParser &parser) {
  auto attr = cast_if_present<ComposedLayoutAttr>(
      parseWrapped(parser, ComposedLayoutAttr::parse));
  return attr ? get(parser.getContext(), attr) : Type();
}
void ComposedLayoutType::print(AsmPrinter &printer) const {
  printer << '<';
  getLayout().print(printer.getStream());
  printer << '>';
}

Type TileType::parse(AsmParser &parser) {
  auto attr = cast_if_present<TileAttr>(parseWrapped(parser, TileAttr::parse));
  return attr ? get(parser.getContext(), attr) : Type();
}
void TileType::print(AsmPrinter &printer) const {
  printer << '<';
  getTile().print(printer.getStream());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

const IntTuple &IntTupleType::getTuple() const { return getAttr().getValue(); }
const Layout &LayoutType::getLayout() const { return getAttr().getValue(); }
IntTupleAttr LayoutType::getShape() const { return getAttr().getShape(); }
IntTupleAttr LayoutType::getStride() const { return getAttr().getStride(); }
const Swizzle &SwizzleType::getSwizzle() const { return getAttr().getValue(); }
const CoordSwizzle &CoordSwizzleType::getCoordSwizzle() const {
  return getAttr().getValue();
}
const ComposedLayout &ComposedLayoutType::getComposedLayout() const {
  return getAttr().getValue();
}
AnyLayout ComposedLayoutType::getLayout() const { return getAttr().getValue(); }
Attribute ComposedLayoutType::getInner() const { return getAttr().getInner(); }
IntTupleAttr ComposedLayoutType::getOffset() const {
  return getAttr().getOffset();
}
Attribute ComposedLayoutType::getOuter() const { return getAttr().getOuter(); }
const Tile &TileType::getTile() const { return getAttr().getValue(); }

bool BasisType::isStatic() const { return getAttr().isStatic(); }
bool IntTupleType::isStatic() const { return getAttr().isStatic(); }
bool LayoutType::isStatic() const { return getAttr().isStatic(); }
bool SwizzleType::isStatic() const { return true; }
bool CoordSwizzleType::isStatic() const { return true; }
bool ComposedLayoutType::isStatic() const { return getAttr().isStatic(); }
bool TileType::isStatic() const { return true; }

IntTuple IntTupleType::getProfile() const { return getAttr().getProfile(); }
IntTuple LayoutType::getProfile() const { return getAttr().getProfile(); }
IntTuple ComposedLayoutType::getProfile() const {
  return getAttr().getProfile();
}
