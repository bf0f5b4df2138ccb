// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts made from shapes, orders and other layouts (section 4.14).
//
// In: a shape, and what says which mode is fastest. Out: a compact layout. The
// laws: an ordered layout with distinct orders is a bijection onto [0, size);
// a fragment has no holes, and broadcast modes stay broadcast.
//
//   make_ordered_layout((3,5,2), (1,2,0)) = (3,5,2):(2,6,1)

#include "Detail.h"
#include "fly/Layout/Doubts.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;
using namespace fly::layout::detail;

IntTuple fly::layout::compactStrides(Arith &arith, const IntTuple &shape,
                                     Int start) {
  Int next = start;
  std::optional<IntTuple> previous;
  // The last product is never formed: it is nobody's stride, and may not fit.
  return shape.mapLeaves([&](const IntTuple &leaf) -> IntTuple {
    if (previous)
      next = arith.mul(next, intLeaf(arith, *previous, "shape"));
    previous = leaf;
    return next;
  });
}

/// An order leaf and the subtree of the shape under it.
struct OrderedPart {
  IntTuple order, shape;
  size_t position;
};

static bool collectParts(Arith &arith, const IntTuple &shape,
                         const IntTuple &order,
                         std::vector<OrderedPart> &parts) {
  if (order.isLeaf()) {
    parts.push_back({order, shape, parts.size()});
    return true;
  }
  if (shape.isLeaf() || shape.rank() != order.rank()) {
    arith.fail("order " + order.str() + " does not match the shape " +
               shape.str());
    return false;
  }
  for (unsigned i = 0, e = shape.rank(); i != e; ++i)
    if (!collectParts(arith, shape.at(i), order.at(i), parts))
      return false;
  return true;
}

/// Integers come before basis elements, unknowns last.
static int orderClass(const IntTuple &order) {
  if (!order.isStatic())
    return 2;
  return order.isBasis() ? 1 : 0;
}

/// Strictly before: known ones by mode path and value, unknown ones by
/// position. Equal known orders are not before each other.
static bool before(const OrderedPart &a, const OrderedPart &b) {
  int x = orderClass(a.order), y = orderClass(b.order);
  if (x != y)
    return x < y;
  if (x == 2)
    return a.position < b.position;
  if (a.order.modes() != b.order.modes())
    return std::lexicographical_compare(
        a.order.modes().begin(), a.order.modes().end(), b.order.modes().begin(),
        b.order.modes().end());
  return a.order.leaf().value() < b.order.leaf().value();
}

/// As before, equal ones by position.
static bool byOrder(const OrderedPart &a, const OrderedPart &b) {
  return before(a, b) || (!before(b, a) && a.position < b.position);
}

IntTuple detail::orderedStrides(Arith &arith, const IntTuple &shape,
                                const IntTuple &order) {
  std::vector<OrderedPart> parts;
  if (!collectParts(arith, shape, order, parts))
    return shape;
  std::vector<OrderedPart> sorted = parts;
  llvm::sort(sorted, byOrder);
  std::vector<IntTuple> strides(parts.size());
  Int start = Int::known(1);
  // Parts of equal order start together, at the product of all before them.
  for (size_t i = 0; i != sorted.size();) {
    size_t end = i;
    while (end != sorted.size() && !before(sorted[i], sorted[end]))
      ++end;
    for (size_t j = i; j != end; ++j)
      strides[sorted[j].position] =
          compactStrides(arith, sorted[j].shape, start);
    if (end != sorted.size())
      for (size_t j = i; j != end; ++j)
        start = arith.mul(start, productInt(arith, sorted[j].shape));
    i = end;
  }
  size_t next = 0;
  return order.mapLeaves([&](const IntTuple &) { return strides[next++]; });
}

Layout fly::layout::makeOrderedLayout(Arith &arith, const IntTuple &shape,
                                      const IntTuple &order) {
  bool hasBasis = false;
  order.forEachLeaf([&](const IntTuple &leaf) { hasBasis |= leaf.isBasis(); });
  if (hasBasis) {
    arith.fail("order must consist of integers, got " + order.str());
    return {shape, shape};
  }
  return {shape, orderedStrides(arith, shape, order)};
}

std::string fly::layout::doubtOfOrder(const IntTuple &shape,
                                      const IntTuple &order) {
  TypeArith arith;
  std::vector<OrderedPart> parts;
  if (!collectParts(arith, shape, order, parts))
    return {};
  // What is of size 1 or unknown overlaps nothing for certain.
  llvm::erase_if(parts, [&](const OrderedPart &part) {
    IntTuple points = product(arith, part.shape);
    return !part.order.isStatic() || part.order.isBasis() || !points.isInt() ||
           !points.isStatic() || points.leaf().value() <= 1;
  });
  if (arith.failed())
    return {};
  llvm::sort(parts, byOrder);
  for (size_t i = 1; i < parts.size(); ++i)
    if (!before(parts[i - 1], parts[i]))
      return "modes of shape " + parts[i - 1].shape.str() + " and " +
             parts[i].shape.str() + " both have the order " +
             parts[i].order.str() + " and share their offsets";
  return {};
}

/// `strides` with 0 wherever `guide` broadcasts.
static IntTuple keepBroadcast(const IntTuple &guide, const IntTuple &strides) {
  if (guide.isLeaf())
    return isZeroStride(guide)
               ? strides.mapLeaves([](const IntTuple &) { return IntTuple(0); })
               : strides;
  std::vector<IntTuple> result;
  for (unsigned i = 0, e = strides.rank(); i != e; ++i)
    result.push_back(keepBroadcast(guide.at(i), strides.at(i)));
  return IntTuple::tuple(std::move(result));
}

Layout fly::layout::makeLayoutLike(Arith &arith, const Layout &l) {
  if (!checkCongruent(arith, l))
    return l;
  IntTuple strides =
      orderedStrides(arith, filterZero(l.stride, l.shape), l.stride);
  if (arith.failed())
    return l;
  return {l.shape, keepBroadcast(l.stride, strides)};
}

Layout fly::layout::makeFragmentLayoutLike(Arith &arith, const Layout &l) {
  if (!checkCongruent(arith, l))
    return l;
  if (!l.shape.isStatic()) {
    arith.fail("fragment needs a static shape, got " + l.shape.str());
    return l;
  }
  if (l.rank() <= 1)
    return {l.shape, compactStrides(arith, l.shape, Int::known(1))};
  Layout first = l.at(0);
  first.stride = keepBroadcast(
      first.stride, compactStrides(arith, filterZero(first.stride, first.shape),
                                   Int::known(1)));
  Layout rest = joined(modesOf(l, 1));
  rest.stride = orderedStrides(arith, rest.shape, rest.stride);
  if (arith.failed())
    return l;
  return tiledProduct(arith, first, rest);
}

static IntTuple basisStrides(const IntTuple &shape,
                             std::vector<int32_t> &path) {
  if (shape.isLeaf())
    return IntTuple::basis(Int::known(1), path);
  std::vector<IntTuple> result;
  for (unsigned i = 0, e = shape.rank(); i != e; ++i) {
    path.push_back(i);
    result.push_back(basisStrides(shape.at(i), path));
    path.pop_back();
  }
  return IntTuple::tuple(std::move(result));
}

/// The largest rank of any tuple in `t`.
static unsigned widestRank(const IntTuple &t) {
  unsigned widest = t.isTuple() ? t.rank() : 0;
  for (const IntTuple &child : t.elements())
    widest = std::max(widest, widestRank(child));
  return widest;
}

Layout fly::layout::makeIdentityLayout(Arith &arith, const IntTuple &shape) {
  if (shape.isLeaf())
    return {shape, IntTuple(1)};
  // Text and vectors know no larger mode numbers.
  if (unsigned widest = widestRank(shape); widest > maxMode + 1) {
    arith.fail("identity layout: a tuple of " + llvm::Twine(widest) +
               " modes needs mode numbers above " + llvm::Twine(maxMode));
    return {shape, shape};
  }
  std::vector<int32_t> path;
  return {shape, basisStrides(shape, path)};
}
