// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts, swizzles, composed layouts and tiles as values: the chain of a
// composed layout, checks of ranges, and text.
//
// The law: what is printed parses back to the same value (Text.h holds the
// grammar). A chain in the inner position prints flat, one in the outer
// position in brackets:
//
//   32:2 o 5 o 8:1 o 4 o 2:1        32:2 o 5 o [8:1 o 4 o 2:1]

#include "fly/Layout/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::layout;

/// What a value prints, as a string.
static std::string
printed(llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

void Layout::print(llvm::raw_ostream &os) const {
  shape.print(os);
  os << ':';
  stride.print(os);
}

std::string Layout::str() const {
  return printed([&](llvm::raw_ostream &os) { print(os); });
}

//===----------------------------------------------------------------------===//
// Swizzles
//===----------------------------------------------------------------------===//

std::string Swizzle::check() const {
  if (mask < 0 || base < 0 || shift < 0)
    return printed([&](llvm::raw_ostream &os) {
      os << "swizzle parameters must not be negative, got ";
      print(os);
    });
  if (int64_t(mask) + base + shift > 31)
    return printed([&](llvm::raw_ostream &os) {
      os << "mask, base and shift of a swizzle must add up to at most 31, got ";
      print(os);
    });
  return {};
}

void Swizzle::print(llvm::raw_ostream &os) const {
  os << "S<" << mask << ',' << base << ',' << shift << '>';
}

std::string CoordSwizzle::check() const {
  auto negative = [](int32_t mode) { return mode < 0; };
  if (mask < 0 || rowBase < 0 || colBase < 0 ||
      llvm::any_of(rowPath, negative) || llvm::any_of(colPath, negative))
    return printed([&](llvm::raw_ostream &os) {
      os << "coordinate swizzle parameters must not be negative, got ";
      print(os);
    });
  if (int64_t(mask) + rowBase > 31 || int64_t(mask) + colBase > 31)
    return printed([&](llvm::raw_ostream &os) {
      os << "mask and either base of a coordinate swizzle must add up to at "
            "most 31, got ";
      print(os);
    });
  return {};
}

void CoordSwizzle::print(llvm::raw_ostream &os) const {
  auto printPath = [&](llvm::ArrayRef<int32_t> path) {
    os << '[';
    llvm::interleaveComma(path, os);
    os << ']';
  };
  os << "CS<" << mask << ',' << rowBase << ',';
  printPath(rowPath);
  os << ',' << colBase << ',';
  printPath(colPath);
  os << '>';
}

bool CoordSwizzle::operator==(const CoordSwizzle &o) const {
  return mask == o.mask && rowBase == o.rowBase && rowPath == o.rowPath &&
         colBase == o.colBase && colPath == o.colPath;
}

//===----------------------------------------------------------------------===//
// AnyLayout, InnerMap, ComposedLayout
//===----------------------------------------------------------------------===//

AnyLayout::AnyLayout(ComposedLayout composed)
    : composedValue(
          std::make_shared<const ComposedLayout>(std::move(composed))) {}

const Layout &AnyLayout::linear() const {
  const AnyLayout *level = this;
  while (level->isComposed())
    level = &level->composed().outer;
  return level->plain();
}

AnyLayout AnyLayout::withLinear(Layout linear) const {
  llvm::SmallVector<const ComposedLayout *> levels;
  for (const AnyLayout *l = this; l->isComposed(); l = &l->composed().outer)
    levels.push_back(&l->composed());
  AnyLayout result(std::move(linear));
  for (const ComposedLayout *level : llvm::reverse(levels))
    result = ComposedLayout{level->inner, level->offset, std::move(result)};
  return result;
}

bool AnyLayout::isStatic() const {
  if (isPlain())
    return plainValue.isStatic();
  const ComposedLayout &c = composed();
  return c.inner.isStatic() && c.offset.isStatic() && c.outer.isStatic();
}

void AnyLayout::print(llvm::raw_ostream &os) const {
  if (isPlain())
    return plainValue.print(os);
  const ComposedLayout &c = composed();
  switch (c.inner.kind) {
  case InnerMap::Kind::Swizzle:
    c.inner.swizzle.print(os);
    break;
  case InnerMap::Kind::CoordSwizzle:
    c.inner.coordSwizzle.print(os);
    break;
  case InnerMap::Kind::Layout:
    c.inner.layout.print(os);
    break;
  }
  os << " o ";
  c.offset.print(os);
  os << " o ";
  if (c.outer.isComposed())
    os << '[';
  c.outer.print(os);
  if (c.outer.isComposed())
    os << ']';
}

std::string AnyLayout::str() const {
  return printed([&](llvm::raw_ostream &os) { print(os); });
}

bool AnyLayout::operator==(const AnyLayout &other) const {
  if (isComposed() != other.isComposed())
    return false;
  if (isComposed())
    return composedValue == other.composedValue ||
           composed() == other.composed();
  return plainValue == other.plainValue;
}

bool InnerMap::operator==(const InnerMap &other) const {
  if (kind != other.kind)
    return false;
  switch (kind) {
  case Kind::Swizzle:
    return swizzle == other.swizzle;
  case Kind::CoordSwizzle:
    return coordSwizzle == other.coordSwizzle;
  case Kind::Layout:
    return layout == other.layout;
  }
  return false;
}

bool ComposedLayout::operator==(const ComposedLayout &other) const {
  return inner == other.inner && offset == other.offset && outer == other.outer;
}

//===----------------------------------------------------------------------===//
// Tile
//===----------------------------------------------------------------------===//

Tile::Tile(Layout layout)
    : parts(std::make_shared<const Parts>(Parts{std::move(layout), {}})) {}

Tile Tile::list(std::vector<Tile> elements) {
  Tile result;
  if (!elements.empty())
    result.parts =
        std::make_shared<const Parts>(Parts{{}, std::move(elements)});
  return result;
}

const Layout &Tile::layout() const {
  static const Layout none;
  return parts ? parts->layout : none;
}

llvm::ArrayRef<Tile> Tile::elements() const {
  if (!parts)
    return {};
  return parts->children;
}

Tile Tile::at(unsigned index) const {
  if (!isList())
    return index == 0 ? *this : Tile();
  return index < rank() ? parts->children[index] : Tile();
}

bool Tile::isStatic() const {
  if (isList())
    return llvm::all_of(elements(),
                        [](const Tile &child) { return child.isStatic(); });
  return isLayout() ? layout().isStatic() : intValue.isStatic();
}

void Tile::print(llvm::raw_ostream &os) const {
  if (isLayout())
    return layout().print(os);
  if (isInt())
    return IntTuple(intValue).print(os);
  os << '[';
  llvm::interleave(
      elements(), os, [&](const Tile &child) { child.print(os); }, "|");
  os << ']';
}

std::string Tile::str() const {
  return printed([&](llvm::raw_ostream &os) { print(os); });
}

bool Tile::operator==(const Tile &other) const {
  if (isList() != other.isList() || isLayout() != other.isLayout())
    return false;
  if (isList())
    return parts == other.parts || elements() == other.elements();
  return isLayout() ? layout() == other.layout() : intValue == other.intValue;
}
