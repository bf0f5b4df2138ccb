// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recasting: a layout of elements of one width as one of another width
// (section 4.12).
//
// In: a layout and widths in bits. Out: a layout. The law: the bits that the
// new layout addresses are those that the old one addresses; where that is no
// layout of whole elements it is refused. A swizzle's base moves with the
// width, an offset is scaled.
//
//   recast((6,5):(1,6), 16 bits to 32) = (3,5):(1,3)

#include "Detail.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace fly::layout;
using namespace fly::layout::detail;

/// Rebuilds a layout mode by mode.
static Layout mapModes(const Layout &l,
                       llvm::function_ref<Layout(const Layout &)> map) {
  if (l.isLeaf())
    return map(l);
  std::vector<Layout> modes = modesOf(l);
  for (Layout &mode : modes)
    mode = mapModes(mode, map);
  return tupleOf(modes);
}

static IntTuple withScale(const IntTuple &stride, Int scale) {
  return stride.isBasis() ? IntTuple::basis(scale, stride.modes())
                          : IntTuple(scale);
}

Layout fly::layout::upcast(Arith &arith, const Layout &l, int64_t factor) {
  if (factor == 1 || !checkCongruent(arith, l))
    return l;
  Int f = Int::known(factor);
  return mapModes(l, [&](const Layout &mode) -> Layout {
    Int stride = mode.stride.leaf();
    if (stride.is(0))
      return mode;
    if (stride.isDynamic())
      return {mode.shape, withScale(mode.stride, arith.safeDiv(stride, f))};
    bool negative = stride.value() < 0;
    Int size = negative ? arith.sub(Int::known(0), stride) : stride;
    if (factor < 1 || size.is(0) ||
        (!arith.mod(size, f).is(0) && !arith.mod(f, size).is(0))) {
      arith.fail("neither of stride " + IntTuple(stride).str() +
                 " and the width factor " + llvm::Twine(factor) +
                 " divides the other");
      return mode;
    }
    IntTuple shape = ceilDivLeaf(arith, mode.shape, arith.ceilDiv(f, size));
    Int scale = arith.ceilDiv(size, f);
    return {shape,
            withScale(mode.stride,
                      negative ? arith.sub(Int::known(0), scale) : scale)};
  });
}

Layout fly::layout::downcast(Arith &arith, const Layout &l, int64_t factor) {
  if (factor == 1 || !checkCongruent(arith, l))
    return l;
  Int f = Int::known(factor);
  return mapModes(l, [&](const Layout &mode) -> Layout {
    Int stride = mode.stride.leaf();
    if (mode.stride.isInt() && (stride.is(1) || stride.is(-1)))
      return {mulLeaf(arith, mode.shape, f), mode.stride};
    return {mode.shape, withScale(mode.stride, arith.mul(stride, f))};
  });
}

/// The base of a swizzle moved by log2 of the factor, down for wider elements.
static int32_t moveBase(Arith &arith, int32_t base, int64_t factor, bool wider,
                        llvm::StringRef what) {
  if (factor < 1 || !llvm::isPowerOf2_64(factor)) {
    arith.fail("width factor " + llvm::Twine(factor) + " of a " + what +
               " is not a power of two");
    return base;
  }
  int32_t moved =
      base + (wider ? -1 : 1) * static_cast<int32_t>(llvm::Log2_64(factor));
  if (moved < 0 || moved > 31)
    arith.fail("base " + llvm::Twine(base) + " of a " + what +
               " cannot move by the width factor " + llvm::Twine(factor));
  return moved;
}

static InnerMap recastInner(Arith &arith, const InnerMap &inner, int64_t factor,
                            bool wider);

/// One direction of a recast: all strides, offsets and bases of a chain.
static AnyLayout recastChain(Arith &arith, const AnyLayout &l, int64_t factor,
                             bool wider) {
  if (factor == 1)
    return l;
  if (l.isPlain())
    return wider ? upcast(arith, l.plain(), factor)
                 : downcast(arith, l.plain(), factor);
  const ComposedLayout &c = l.composed();
  Int f = Int::known(factor);
  IntTuple offset = c.offset.mapLeaves([&](const IntTuple &leaf) {
    return wider ? safeDivLeaf(arith, leaf, f) : mulLeaf(arith, leaf, f);
  });
  return ComposedLayout{recastInner(arith, c.inner, factor, wider), offset,
                        recastChain(arith, c.outer, factor, wider)};
}

static InnerMap recastInner(Arith &arith, const InnerMap &inner, int64_t factor,
                            bool wider) {
  switch (inner.kind) {
  case InnerMap::Kind::Swizzle: {
    Swizzle s = inner.swizzle;
    // The identity stays the identity where its base cannot follow.
    if (s.isTrivial() && (!llvm::isPowerOf2_64(factor) ||
                          (wider && s.base < int(llvm::Log2_64(factor)))))
      return s;
    s.base = moveBase(arith, s.base, factor, wider, "swizzle");
    std::string problem = s.check();
    if (!problem.empty())
      arith.fail(problem);
    return s;
  }
  case InnerMap::Kind::CoordSwizzle: {
    CoordSwizzle s = inner.coordSwizzle;
    if (s.isTrivial())
      return s;
    s.rowBase = moveBase(arith, s.rowBase, factor, wider, "coordinate swizzle");
    s.colBase = moveBase(arith, s.colBase, factor, wider, "coordinate swizzle");
    std::string problem = s.check();
    if (!problem.empty())
      arith.fail(problem);
    return s;
  }
  case InnerMap::Kind::Layout:
    return recastChain(arith, inner.layout, factor, wider);
  }
  return inner;
}

AnyLayout fly::layout::recast(Arith &arith, const AnyLayout &l, int32_t newBits,
                              int32_t oldBits) {
  if (newBits <= 0 || oldBits <= 0)
    return l;
  int32_t common = std::gcd(newBits, oldBits);
  return recastChain(arith,
                     recastChain(arith, l, newBits / common, /*wider=*/true),
                     oldBits / common, /*wider=*/false);
}
