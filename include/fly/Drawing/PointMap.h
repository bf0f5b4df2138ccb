// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A static layout made ready to be asked at many points.
//
// In: a layout whose leaves are all known. Out: what it maps each column-major
// coordinate 0 .. size-1 to: a number, or a tuple when strides are basis
// elements. The law: it agrees with crd2idx, which is also what it falls back
// to; integer layouts, swizzles among them, take a path without allocation.
//
//   PointMap::of(S<1,0,1> o 0 o 4:1)    0, 1, 3, 2

#ifndef FLY_DRAWING_POINTMAP_H
#define FLY_DRAWING_POINTMAP_H

#include "fly/Layout/Layout.h"
#include <optional>

namespace fly::drawing {

class PointMap {
public:
  /// Nothing, and why, for unknown or non-positive extents, for sizes beyond 64
  /// bits, and for chains of more than 1024 leaves.
  static std::optional<PointMap> of(const layout::AnyLayout &l,
                                    std::string &why);

  /// Number of coordinates.
  int64_t size() const { return numPoints; }
  /// Leaves that are looked at for each point, at least 1.
  int64_t cost() const { return numLeaves; }
  /// True when every point is a number that is found without allocation.
  bool isScalar() const { return scalar; }
  /// The number at a coordinate; nothing when a step overflows 64 bits. Only
  /// when isScalar.
  std::optional<int64_t> scalarAt(int64_t index) const;
  /// The image of a coordinate of any static layout; nothing, and why, where
  /// the layout is not defined.
  std::optional<layout::IntTuple> at(int64_t index, std::string &why) const;

private:
  /// One step of the chain: digits times strides, an addend, or a swizzle.
  struct Step {
    enum class Kind { Digits, Add, Swizzle };
    Kind kind = Kind::Add;
    std::vector<std::pair<int64_t, int64_t>> digits; // extent, stride
    int64_t addend = 0;
    layout::Swizzle swizzle;
  };
  bool addSteps(const layout::AnyLayout &l);
  bool addDigits(const layout::Layout &l);

  layout::AnyLayout whole;
  std::vector<Step> steps;
  int64_t numPoints = 0, numLeaves = 1;
  bool scalar = false;
};

} // namespace fly::drawing

#endif // FLY_DRAWING_POINTMAP_H
