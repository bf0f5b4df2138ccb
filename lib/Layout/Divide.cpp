// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides: a layout as tiles and rest (section 4.15).
//
// In: a layout and a tile. Out: the same elements, mode 0 inside a tile, mode 1
// from tile to tile. The law: logical_divide(A, B) = A o (B, complement(B)),
// and the other three forms only regroup its modes. A tile that does not divide
// the extent rounds the rest up.
//
//   zipped_divide((12,10):(10,1), [3|5]) = ((3,5),(4,2)):((10,1),(30,5))

#include "Detail.h"

using namespace fly::layout;
using namespace fly::layout::detail;

/// The codomain of a divisor: the size of what it divides, or for basis strides
/// the sizes of the modes that it names, and of those it does not.
static IntTuple divisorCodomain(Arith &arith, const Layout &l,
                                const Layout &divisor) {
  IntTuple profile = codomainProfile(arith, divisor.stride);
  if (profile.isLeaf())
    return size(arith, coalesce(arith, l));
  std::vector<IntTuple> sizes;
  for (unsigned i = 0, e = std::max(l.rank(), profile.rank()); i != e; ++i) {
    if (i >= l.rank())
      sizes.push_back(IntTuple(1));
    else
      sizes.push_back(
          productLike(arith, l.shape.at(i),
                      i < profile.rank() ? profile.at(i) : IntTuple(0)));
  }
  return IntTuple::tuple(std::move(sizes));
}

static Layout divideByLayout(Arith &arith, const Layout &l,
                             const Layout &divisor) {
  if (!checkCongruent(arith, divisor))
    return tupleOf({l, l});
  Layout rest = complement(arith, divisor, divisorCodomain(arith, l, divisor));
  if (arith.failed())
    return tupleOf({l, l});
  return composition(arith, l, tupleOf({divisor, rest}));
}

Layout fly::layout::logicalDivide(Arith &arith, const Layout &l,
                                  const Tile &tile) {
  if (!checkCongruent(arith, l) || !checkTile(arith, tile, l))
    return tupleOf({l, l});
  if (tile.isNone())
    return l;
  if (tile.isLayout())
    return divideByLayout(arith, l, tile.layout());
  if (tile.isInt())
    return divideByLayout(arith, l, Layout{IntTuple(tile.leaf()), IntTuple(1)});
  std::vector<Layout> modes = modesOf(l);
  for (unsigned i = 0, e = tile.rank(); i != e; ++i)
    modes[i] = logicalDivide(arith, modes[i], tile.at(i));
  return tupleOf(modes);
}

Layout fly::layout::zippedDivide(Arith &arith, const Layout &l,
                                 const Tile &tile) {
  Layout divided = logicalDivide(arith, l, tile);
  if (arith.failed())
    return divided;
  if (!tile.isList()) {
    if (tile.isNone())
      arith.fail("tile * leaves no pair to split");
    return divided;
  }
  for (const Tile &element : tile.elements())
    if (element.isNone()) {
      arith.fail("* in the tile " + tile.str() + " leaves no pair to split");
      return divided;
    }
  // Each element of the list splits one mode, whatever is nested in it.
  IntTuple guide = IntTuple::tuple(std::vector<IntTuple>(tile.rank()));
  return {zip2By(arith, divided.shape, guide),
          zip2By(arith, divided.stride, guide)};
}

Layout fly::layout::tiledDivide(Arith &arith, const Layout &l,
                                const Tile &tile) {
  return expand(zippedDivide(arith, l, tile), {1});
}

Layout fly::layout::flatDivide(Arith &arith, const Layout &l,
                               const Tile &tile) {
  return expand(zippedDivide(arith, l, tile), {0, 1});
}
