// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts, swizzles, composed layouts and tiles, as values.
//
// A layout `shape:stride` maps a coordinate to the inner product with the
// strides. A composed layout `inner o offset o outer` maps c to
// inner(offset + outer(c)): outer is applied first and owns the shape. A tile
// says, mode by mode, what a divide or composition does there:
//
//   (4,8):(1,4)      S<3,0,3> o 0 o (8,8):(1,8)      [16|*|4:2]

#ifndef FLY_LAYOUT_LAYOUT_H
#define FLY_LAYOUT_LAYOUT_H

#include "fly/Layout/IntTuple.h"

namespace fly::layout {

struct Layout {
  IntTuple shape;
  IntTuple stride;

  unsigned rank() const { return shape.rank(); }
  unsigned depth() const { return shape.depth(); }
  bool isLeaf() const { return shape.isLeaf(); }
  /// Mode `index`: that child of shape and of stride.
  Layout at(unsigned index) const {
    return {shape.at(index), stride.at(index)};
  }
  bool isStatic() const { return shape.isStatic() && stride.isStatic(); }
  void print(llvm::raw_ostream &os) const;
  std::string str() const;
  bool operator==(const Layout &other) const {
    return shape == other.shape && stride == other.stride;
  }
  bool operator!=(const Layout &other) const { return !(*this == other); }
};

/// XOR swizzle on an integer: `S<mask,base,shift>`. 0 <= each, sum <= 31.
struct Swizzle {
  int32_t mask = 0, base = 0, shift = 0;
  bool isTrivial() const { return mask == 0; }
  /// Adding a multiple of this commutes with the swizzle.
  int64_t period() const { return int64_t(1) << (mask + base + shift); }
  /// Null when the numbers are in range, else what is wrong.
  std::string check() const;
  void print(llvm::raw_ostream &os) const;
  bool operator==(const Swizzle &o) const {
    return mask == o.mask && base == o.base && shift == o.shift;
  }
  bool operator!=(const Swizzle &o) const { return !(*this == o); }
};

/// XOR between two leaves of a coordinate: `CS<mask,rowBase,[row path],
/// colBase,[column path]>`.
struct CoordSwizzle {
  int32_t mask = 0, rowBase = 0;
  std::vector<int32_t> rowPath;
  int32_t colBase = 0;
  std::vector<int32_t> colPath;
  bool isTrivial() const { return mask == 0; }
  std::string check() const;
  void print(llvm::raw_ostream &os) const;
  bool operator==(const CoordSwizzle &o) const;
};

struct ComposedLayout;

/// A plain or a composed layout.
class AnyLayout {
public:
  AnyLayout() = default;
  AnyLayout(Layout plain) : plainValue(std::move(plain)) {}
  AnyLayout(ComposedLayout composed);

  bool isPlain() const { return !composedValue; }
  bool isComposed() const { return static_cast<bool>(composedValue); }
  /// The plain layout; only when isPlain.
  const Layout &plain() const { return plainValue; }
  /// Only when isComposed.
  const ComposedLayout &composed() const { return *composedValue; }
  /// Follows `outer` to the plain layout that owns the shape.
  const Layout &linear() const;
  /// The same chain around another linear layout.
  AnyLayout withLinear(Layout linear) const;
  unsigned rank() const { return linear().rank(); }
  unsigned depth() const { return linear().depth(); }
  bool isStatic() const;
  void print(llvm::raw_ostream &os) const;
  std::string str() const;
  bool operator==(const AnyLayout &other) const;
  bool operator!=(const AnyLayout &other) const { return !(*this == other); }

private:
  Layout plainValue;
  std::shared_ptr<const ComposedLayout> composedValue;
};

/// What is applied last: a swizzle, a coordinate swizzle, or a layout.
struct InnerMap {
  enum class Kind { Swizzle, CoordSwizzle, Layout };
  Kind kind = Kind::Swizzle;
  Swizzle swizzle;
  CoordSwizzle coordSwizzle;
  AnyLayout layout;

  InnerMap() = default;
  InnerMap(Swizzle s) : kind(Kind::Swizzle), swizzle(s) {}
  InnerMap(CoordSwizzle s)
      : kind(Kind::CoordSwizzle), coordSwizzle(std::move(s)) {}
  InnerMap(AnyLayout l) : kind(Kind::Layout), layout(std::move(l)) {}
  bool isStatic() const { return kind != Kind::Layout || layout.isStatic(); }
  bool operator==(const InnerMap &other) const;
};

/// c -> inner(offset + outer(c)).
struct ComposedLayout {
  InnerMap inner;
  IntTuple offset;
  AnyLayout outer;
  bool operator==(const ComposedLayout &other) const;
};

/// A by-mode tiler: a leaf (integer, `*` or layout) or a list of tiles.
class Tile {
public:
  Tile() = default; // the none leaf
  Tile(Int leaf) : intValue(leaf) {}
  Tile(Layout layout);
  /// A bracketed list; `elements` must not be empty.
  static Tile list(std::vector<Tile> elements);

  bool isList() const { return parts && !parts->children.empty(); }
  bool isLayout() const { return parts && parts->children.empty(); }
  bool isInt() const { return !parts; }
  bool isNone() const { return isInt() && intValue.isNone(); }
  Int leaf() const { return intValue; }
  /// The layout of a leaf; `*:*` when there is none.
  const Layout &layout() const;
  llvm::ArrayRef<Tile> elements() const;
  /// List length; 1 for a leaf.
  unsigned rank() const { return isList() ? parts->children.size() : 1; }
  /// Element `index` of a list (none when out of range), the leaf itself else.
  Tile at(unsigned index) const;
  bool isStatic() const;
  void print(llvm::raw_ostream &os) const;
  std::string str() const;
  bool operator==(const Tile &other) const;

private:
  /// What a plain integer does not have: the elements of a list or, without
  /// any, the layout of a leaf. Shared by copies.
  struct Parts {
    Layout layout;
    std::vector<Tile> children;
  };
  Int intValue;
  std::shared_ptr<const Parts> parts;
};

} // namespace fly::layout

#endif // FLY_LAYOUT_LAYOUT_H
