// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets that 32 bits do not hold. Types say that an index of 32-bit
// coordinates has 32 bits; a layout may reach further. In: a layout or tensor,
// and the coordinate that is about to be looked up. The law: the offset in the
// modes of known shape and stride is right for every coordinate, or there is an
// error. A mode of unknown shape or stride has the width that its type says:
// who needs more than 32 bits there gives it i64 numbers.
//
//   (65536,65536):(65536,1) in global memory   coordinates as i64
//   the same as an index, or in a buffer       an error with both numbers

#include "LayoutLowering.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::layout::Int;
using ::fly::layout::IntTuple;
using ::fly::layout::Layout;

static int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max()
                                      : sum;
}

/// The largest offset that modes of known shape and stride reach by themselves;
/// the largest int64_t when it is beyond that.
static int64_t reachOf(const Layout &layout) {
  std::vector<IntTuple> shapes = layout.shape.leaves();
  std::vector<IntTuple> strides = layout.stride.leaves();
  int64_t sum = 0;
  for (size_t i = 0, e = std::min(shapes.size(), strides.size()); i != e; ++i) {
    if (!shapes[i].isStatic() || !strides[i].isInt() || !strides[i].isStatic())
      continue;
    int64_t steps = shapes[i].leaf().value() - 1, part;
    if (steps < 1)
      continue;
    if (llvm::MulOverflow(steps, strides[i].leaf().value(), part))
      return std::numeric_limits<int64_t>::max();
    // A negative part reaches one less far than its magnitude.
    sum = saturatingAdd(sum, part < 0 ? -(part + 1) : part);
  }
  return sum;
}

/// The same for coordinates whose known numbers are those of `coord`.
static int64_t reachOf(const IntTuple &coord, const Layout &layout) {
  if (coord.isNone())
    return 0;
  if (coord.isTuple() && !layout.isLeaf() && coord.rank() == layout.rank()) {
    int64_t sum = 0;
    for (unsigned i = 0; i != coord.rank(); ++i)
      sum = saturatingAdd(sum, reachOf(coord.at(i), layout.at(i)));
    return sum;
  }
  if (!coord.isStatic() || !layout.isStatic())
    return reachOf(layout);
  ::fly::layout::StaticArith arith;
  IntTuple offset = ::fly::layout::crd2idx(arith, coord, layout);
  if (arith.failed() || !offset.isInt())
    return reachOf(layout);
  int64_t value = offset.leaf().value();
  return value < 0 ? -(value + 1) : value;
}

/// Whether a coordinate has an unknown number of 32 bits.
static bool isNarrow(const IntTuple &coord) {
  bool narrow = false;
  coord.forEachLeaf([&](const IntTuple &leaf) {
    narrow |= leaf.leaf().isDynamic() && leaf.leaf().width() == 32;
  });
  return narrow;
}

bool mlir::fly::hasWideOffsets(Type pointerType) {
  auto type = dyn_cast_if_present<PointerType>(pointerType);
  return type && (type.isInSpace(AddressSpace::Global) ||
                  type.isInSpace(AddressSpace::Generic));
}

Int mlir::fly::widened(Int leaf) {
  return leaf.isStatic() ? leaf
                         : Int::unknown(64, leaf.divisor(), leaf.handle());
}

static IntTuple widenedLeaves(const IntTuple &coord) {
  return coord.mapLeaves([](const IntTuple &leaf) -> IntTuple {
    Int number = widened(leaf.leaf());
    if (number.isStatic())
      return leaf;
    return leaf.isBasis() ? IntTuple::basis(number, leaf.modes())
                          : IntTuple(number);
  });
}

IntTuple mlir::fly::fitToOffset(IREvaluator &eval, const AlgebraVal &of,
                                const IntTuple &coord, OffsetUse use) {
  bool isAddress =
      of.kind == AlgebraVal::Kind::MemRef && use == OffsetUse::Address;
  if (!of.hasLayout() || (!isNarrow(coord) && !isAddress))
    return coord;
  const Layout &linear = of.layout.linear();
  int64_t reach = reachOf(coord, linear);
  if (isAddress) {
    auto pointer = cast<PointerType>(of.pointer.type);
    int64_t bits = pointer.getElemBits() == 1 ? 8 : pointer.getElemBits();
    if (hasWideOffsets(pointer)) {
      if (reach / 8 > std::numeric_limits<int64_t>::max() / bits)
        eval.arith.fail("offsets in " + linear.str() + " reach element " +
                        llvm::Twine(reach) + " of " + llvm::Twine(bits) +
                        " bits, whose byte does not fit 64 bits");
      return isNarrow(coord) && reach > std::numeric_limits<int32_t>::max()
                 ? widenedLeaves(coord)
                 : coord;
    }
    if (!isNarrow(coord))
      return coord;
    // Offsets of 32 bits wrap as bytes do.
    if (reach / 8 <= std::numeric_limits<uint32_t>::max() / bits)
      return coord;
    std::string space;
    llvm::raw_string_ostream(space) << pointer.getAddressSpace();
    eval.arith.fail("offsets in " + linear.str() + " reach element " +
                    llvm::Twine(reach) + " of " + llvm::Twine(bits) +
                    " bits, but addresses in " + space + " have 32 bits");
    return coord;
  }
  if (reach > std::numeric_limits<int32_t>::max())
    eval.arith.fail("offsets in " + linear.str() + " reach " +
                    llvm::Twine(reach) +
                    ", which an index of the 32-bit coordinate " + coord.str() +
                    " does not hold; give it i64 numbers");
  return coord;
}
