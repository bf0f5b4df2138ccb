// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products: a layout repeated in the arrangement of another (section 4.15).
//
// In: a block A and a tiler B. Out: mode 0 walks the block, mode 1 the copies.
// The law: logical_product(A, B) = (A, K o B) with K the complement of A, so
// copies are disjoint and lie in B's order; the other forms regroup modes.
//
//   blocked_product((2,5):(1,2), (3,4):(4,1)) = ((2,3),(5,4)):((1,40),(2,10))

#include "Detail.h"
#include "fly/Layout/Doubts.h"

using namespace fly::layout;
using namespace fly::layout::detail;

Layout fly::layout::logicalProduct(Arith &arith, const Layout &l,
                                   const Layout &tiler) {
  if (!checkCongruent(arith, l) || !checkCongruent(arith, tiler))
    return tupleOf({l, tiler});
  Int points = arith.mul(productInt(arith, l.shape),
                         productInt(arith, coshape(arith, tiler)));
  if (arith.failed())
    return tupleOf({l, tiler});
  Layout free = complement(arith, l, IntTuple(points));
  if (arith.failed())
    return tupleOf({l, tiler});
  return normalize(tupleOf({l, composition(arith, free, tiler)}));
}

Layout fly::layout::zippedProduct(Arith &arith, const Layout &l,
                                  const Layout &tiler) {
  return logicalProduct(arith, l, tiler);
}

Layout fly::layout::tiledProduct(Arith &arith, const Layout &l,
                                 const Layout &tiler) {
  return expand(logicalProduct(arith, l, tiler), {1});
}

Layout fly::layout::flatProduct(Arith &arith, const Layout &l,
                                const Layout &tiler) {
  return expand(logicalProduct(arith, l, tiler), {0, 1});
}

/// `l` with modes 1:0 appended until `rank`.
static Layout padded(Arith &arith, const Layout &l, unsigned rank) {
  if (l.rank() >= rank)
    return l;
  return append(arith, l, Layout{IntTuple(1), IntTuple(0)}, rank).plain();
}

/// Mode i of the result pairs mode i of `first` with mode i of `second`.
static Layout zipped(Arith &arith, const Layout &first, const Layout &second) {
  return {zip(arith, first.shape, second.shape),
          zip(arith, first.stride, second.stride)};
}

static Layout blockedOrRaked(Arith &arith, const Layout &l, const Layout &tiler,
                             bool blockFirst) {
  if (!checkCongruent(arith, l) || !checkCongruent(arith, tiler))
    return l;
  unsigned rank = std::max(l.rank(), tiler.rank());
  Layout pair =
      logicalProduct(arith, padded(arith, l, rank), padded(arith, tiler, rank));
  if (arith.failed())
    return pair;
  return blockFirst ? zipped(arith, pair.at(0), pair.at(1))
                    : zipped(arith, pair.at(1), pair.at(0));
}

Layout fly::layout::blockedProduct(Arith &arith, const Layout &l,
                                   const Layout &tiler) {
  return blockedOrRaked(arith, l, tiler, /*blockFirst=*/true);
}

Layout fly::layout::rakedProduct(Arith &arith, const Layout &l,
                                 const Layout &tiler) {
  return blockedOrRaked(arith, l, tiler, /*blockFirst=*/false);
}

std::string fly::layout::doubtOfTarget(const IntTuple &block,
                                       const IntTuple &target) {
  TypeArith arith;
  IntTuple blocks = productEach(arith, block),
           targets = productEach(arith, target);
  if (blocks.rank() > targets.rank() && !arith.failed())
    return "the block " + block.str() + " has " +
           std::to_string(blocks.rank()) + " modes, the target " +
           target.str() + " has " + std::to_string(targets.rank()) +
           "; the result does not have the modes of the target";
  for (unsigned i = 0, e = targets.rank(); i != e && !arith.failed(); ++i) {
    IntTuple each = i < blocks.rank() ? blocks.at(i) : IntTuple(1);
    IntTuple whole = targets.at(i);
    if (each.isInt() && each.isStatic() && each.leaf().value() > 0 &&
        whole.isInt() && whole.isStatic() &&
        whole.leaf().value() % each.leaf().value() != 0)
      return "the block " + block.str() + " does not divide the target " +
             target.str() + " in mode " + std::to_string(i) + ": " +
             each.str() + " points into " + whole.str() +
             "; the result is larger than the target";
  }
  return {};
}

Layout fly::layout::tileToShape(Arith &arith, const Layout &block,
                                const IntTuple &target, const IntTuple &order) {
  if (!checkCongruent(arith, block))
    return block;
  Layout wide = padded(arith, block, target.rank());
  IntTuple counts = ceilDiv(arith, productEach(arith, target),
                            productEach(arith, wide.shape));
  return blockedProduct(arith, wide, makeOrderedLayout(arith, counts, order));
}
