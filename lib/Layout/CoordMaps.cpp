// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of layouts, and the maps between coordinates and indices (sections 4.5
// to 4.7 and 4.13).
//
// In: a coordinate or an index, and a layout. Out: an index or a coordinate.
// The laws: an integer coordinate of a tuple shape is split colexicographically
// and its last mode is unbounded; a composed layout applies outer, adds the
// offset, applies inner; idx2crd undoes crd2idx when the strides nest.
//
//   crd2idx((2,7), (4,(2,5)):(1,(20,4))) = 34      idx2crd(11, (3,5):(5,1))
//                                                    = (2,1)

#include "Detail.h"

using namespace fly::layout;
using namespace fly::layout::detail;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

IntTuple fly::layout::size(Arith &arith, const Layout &l) {
  return product(arith, l.shape);
}

/// The sum of the strides with every scale replaced by 1 (0 stays 0): it has
/// the tree of the codomain and cannot overflow.
static IntTuple markedSum(Arith &arith, const IntTuple &stride) {
  IntTuple sum(0);
  stride.forEachLeaf([&](const IntTuple &leaf) {
    Int mark = Int::known(leaf.leaf().is(0) ? 0 : 1);
    sum = codomainAdd(arith, sum,
                      leaf.isBasis() ? IntTuple::basis(mark, leaf.modes())
                                     : IntTuple(mark));
  });
  return sum;
}

static IntTuple zeros(const IntTuple &t) {
  return t.mapLeaves([](const IntTuple &) { return IntTuple(0); });
}

IntTuple fly::layout::coprofile(Arith &arith, const Layout &l) {
  return zeros(markedSum(arith, l.stride));
}

IntTuple detail::codomainProfile(Arith &arith, const IntTuple &stride) {
  return zeros(vectorOf(arith, markedSum(arith, stride)));
}

/// The absolute value of a known number; unknown strides count as positive.
static Int absolute(Arith &arith, Int x) {
  return x.isStatic() && x.value() < 0 ? arith.sub(Int::known(0), x) : x;
}

IntTuple fly::layout::coshape(Arith &arith, const Layout &l) {
  IntTuple sum(0);
  for (const Layout &mode : flatModes(arith, l)) {
    Int last = arith.sub(intLeaf(arith, mode.shape, "shape"), Int::known(1));
    Int scale = absolute(arith, mode.stride.leaf());
    IntTuple stride = mode.stride.isBasis()
                          ? IntTuple::basis(scale, mode.stride.modes())
                          : IntTuple(scale);
    sum = codomainAdd(arith, sum, mulLeaf(arith, last, stride));
  }
  return vectorOf(arith, sum).mapLeaves([&](const IntTuple &leaf) -> IntTuple {
    return arith.add(leaf.leaf(), Int::known(1));
  });
}

IntTuple fly::layout::cosize(Arith &arith, const Layout &l) {
  return product(arith, coshape(arith, l));
}

//===----------------------------------------------------------------------===//
// Coordinate to index
//===----------------------------------------------------------------------===//

static IntTuple indexOf(Arith &arith, const IntTuple &coord,
                        const IntTuple &shape, const IntTuple &stride) {
  if (coord.isTuple()) {
    if (shape.isLeaf() || shape.rank() != coord.rank())
      return arith.fail("coordinate " + coord.str() +
                        " does not match the shape " + shape.str());
    IntTuple sum;
    for (unsigned i = 0, e = coord.rank(); i != e; ++i) {
      IntTuple term = indexOf(arith, coord.at(i), shape.at(i), stride.at(i));
      sum = i == 0 ? term : codomainAdd(arith, sum, term);
    }
    return sum;
  }
  if (shape.isLeaf())
    return mulLeaf(arith, coord, stride);
  if (shape.rank() == 1)
    return indexOf(arith, coord, shape.at(0), stride.at(0));
  Int rest = intLeaf(arith, coord, "coordinate of several modes");
  IntTuple sum;
  for (unsigned i = 0, e = shape.rank(); i != e; ++i) {
    Int part = rest;
    if (i + 1 != e) {
      Int extent = productInt(arith, shape.at(i));
      part = arith.mod(rest, extent);
      rest = arith.div(rest, extent);
    }
    IntTuple term = indexOf(arith, part, shape.at(i), stride.at(i));
    sum = i == 0 ? term : codomainAdd(arith, sum, term);
  }
  return sum;
}

IntTuple fly::layout::crd2idx(Arith &arith, const IntTuple &coord,
                              const Layout &l) {
  if (!checkCongruent(arith, l))
    return IntTuple(0);
  return indexOf(arith, coord, l.shape, l.stride);
}

IntTuple fly::layout::crd2idx(Arith &arith, const IntTuple &coord,
                              const AnyLayout &l) {
  if (l.isPlain())
    return crd2idx(arith, coord, l.plain());
  const ComposedLayout &c = l.composed();
  IntTuple index = crd2idx(arith, coord, c.outer);
  return applyInner(arith, c.inner, codomainAdd(arith, c.offset, index));
}

//===----------------------------------------------------------------------===//
// Swizzles
//===----------------------------------------------------------------------===//

IntTuple fly::layout::applySwizzle(Arith &arith, const Swizzle &s,
                                   const IntTuple &coord) {
  std::string problem = s.check();
  if (!problem.empty())
    return arith.fail(problem);
  if (s.isTrivial())
    return coord;
  return arith.swizzle(intLeaf(arith, coord, "swizzle"), s.mask, s.base,
                       s.shift);
}

/// `t` with the leaf at `path` replaced; the path exists.
static IntTuple replaceAt(const IntTuple &t, llvm::ArrayRef<int32_t> path,
                          const IntTuple &leaf) {
  if (path.empty())
    return leaf;
  std::vector<IntTuple> children = t.elements();
  unsigned index = path.front();
  // A leaf that is indexed by 0 is itself.
  if (t.isLeaf() || index >= children.size())
    return leaf;
  children[index] = replaceAt(children[index], path.drop_front(), leaf);
  return IntTuple::tuple(std::move(children));
}

IntTuple fly::layout::applyCoordSwizzle(Arith &arith, const CoordSwizzle &s,
                                        const IntTuple &coord) {
  std::string problem = s.check();
  if (!problem.empty())
    return arith.fail(problem);
  if (s.isTrivial())
    return coord;
  IntTuple row = get(arith, coord, s.rowPath);
  IntTuple col = get(arith, coord, s.colPath);
  if (arith.failed())
    return coord;
  Int value =
      arith.coordSwizzle(intLeaf(arith, row, "row of a coordinate swizzle"),
                         intLeaf(arith, col, "column of a coordinate swizzle"),
                         s.mask, s.rowBase, s.colBase);
  return replaceAt(coord, s.colPath, value);
}

IntTuple fly::layout::applyInner(Arith &arith, const InnerMap &inner,
                                 const IntTuple &coord) {
  switch (inner.kind) {
  case InnerMap::Kind::Swizzle:
    return applySwizzle(arith, inner.swizzle, coord);
  case InnerMap::Kind::CoordSwizzle:
    return applyCoordSwizzle(arith, inner.coordSwizzle, coord);
  case InnerMap::Kind::Layout:
    return crd2idx(arith, coord, inner.layout);
  }
  return coord;
}

//===----------------------------------------------------------------------===//
// Index to coordinate
//===----------------------------------------------------------------------===//

static IntTuple coordOf(Arith &arith, const IntTuple &index,
                        const IntTuple &shape, const IntTuple &stride) {
  if (index.isTuple() && (shape.isLeaf() || shape.rank() != index.rank()))
    return arith.fail("index " + index.str() + " does not match the shape " +
                      shape.str());
  if (shape.isLeaf()) {
    if (shape.isKnown(1))
      return IntTuple(0);
    if (stride.isKnown(0))
      return arith.fail("no coordinate of shape " + shape.str() +
                        " follows from an index with stride 0");
    Int quotient =
        arith.div(intLeaf(arith, index, "index"),
                  intLeaf(arith, stride, "stride of an index's coordinate"));
    return arith.mod(quotient, intLeaf(arith, shape, "shape"));
  }
  std::vector<IntTuple> result;
  for (unsigned i = 0, e = shape.rank(); i != e; ++i)
    result.push_back(coordOf(arith, index.isTuple() ? index.at(i) : index,
                             shape.at(i), stride.at(i)));
  return IntTuple::tuple(std::move(result));
}

IntTuple fly::layout::idx2crd(Arith &arith, const IntTuple &index,
                              const Layout &l) {
  if (!checkCongruent(arith, l))
    return IntTuple(0);
  return coordOf(arith, index, l.shape, l.stride);
}

IntTuple fly::layout::columnMajorIndex(Arith &arith, const IntTuple &coord,
                                       const IntTuple &shape) {
  if (coord.isLeaf())
    return coord;
  if (shape.isLeaf() || shape.rank() != coord.rank())
    return arith.fail("coordinate " + coord.str() +
                      " does not match the shape " + shape.str());
  Int sum;
  for (unsigned i = coord.rank(); i-- != 0;) {
    Int each = intLeaf(arith, columnMajorIndex(arith, coord.at(i), shape.at(i)),
                       "column-major index");
    sum = i + 1 == coord.rank()
              ? each
              : arith.add(each, arith.mul(productInt(arith, shape.at(i)), sum));
  }
  return sum;
}

IntTuple fly::layout::flatCoord(Arith &arith, const IntTuple &index,
                                const Layout &l) {
  IntTuple coord = idx2crd(arith, index, l);
  if (arith.failed() || coord.isLeaf())
    return coord;
  std::vector<IntTuple> result;
  for (unsigned i = 0, e = coord.rank(); i != e; ++i)
    result.push_back(columnMajorIndex(arith, coord.at(i), l.shape.at(i)));
  return IntTuple::tuple(std::move(result));
}

IntTuple fly::layout::oneDimCoord(Arith &arith, const IntTuple &index,
                                  const Layout &l) {
  IntTuple coord = idx2crd(arith, index, l);
  if (arith.failed())
    return coord;
  return columnMajorIndex(arith, coord, l.shape);
}
