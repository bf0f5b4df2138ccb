// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on tuples: sums in a codomain, element-wise operations, products,
// divisions of shapes, comparisons (sections 4.2 and 4.3).
//
// In: two tuples. Out: a tuple. The law: where both are tuples the children
// meet pairwise and the longer one's tail is kept; where a basis element takes
// part in a sum it counts as a vector.
//
//   2E0 + 5E2 = (2,0,5)      shape_div((4,6), 8) = (1,3)

#include "Detail.h"

using namespace fly::layout;
using namespace fly::layout::detail;

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

IntTuple detail::mulLeaf(Arith &arith, const IntTuple &a, const IntTuple &b) {
  if (a.isTuple() || b.isTuple())
    return arith.fail("cannot multiply " + a.str() + " and " + b.str() +
                      " as leaves");
  if (a.isBasis() && b.isBasis())
    return arith.fail("cannot multiply the basis elements " + a.str() +
                      " and " + b.str());
  Int value = arith.mul(a.leaf(), b.leaf());
  if (a.isBasis())
    return IntTuple::basis(value, a.modes());
  if (b.isBasis())
    return IntTuple::basis(value, b.modes());
  return value;
}

/// Applies `op` to the value of a leaf and keeps its modes.
static IntTuple onValue(const IntTuple &leaf, llvm::function_ref<Int(Int)> op) {
  Int value = op(leaf.leaf());
  return leaf.isBasis() ? IntTuple::basis(value, leaf.modes())
                        : IntTuple(value);
}

IntTuple detail::ceilDivLeaf(Arith &arith, const IntTuple &a, Int b) {
  return onValue(a, [&](Int x) { return arith.ceilDiv(x, b); });
}

IntTuple detail::safeDivLeaf(Arith &arith, const IntTuple &a, Int b) {
  return onValue(a, [&](Int x) { return arith.safeDiv(x, b); });
}

Int detail::intLeaf(Arith &arith, const IntTuple &t, llvm::StringRef what) {
  if (!t.isInt())
    return arith.fail(what + " needs an integer, got " + t.str());
  return t.leaf();
}

bool detail::isZeroStride(const IntTuple &leaf) {
  return leaf.isLeaf() && leaf.leaf().is(0);
}

IntTuple fly::layout::basisToTuple(const IntTuple &leaf) {
  if (!leaf.isBasis())
    return leaf;
  IntTuple result = leaf.leaf();
  for (int32_t mode : llvm::reverse(leaf.modes())) {
    std::vector<IntTuple> elements(std::clamp(mode, 0, maxMode), IntTuple(0));
    elements.push_back(result);
    result = IntTuple::tuple(std::move(elements));
  }
  return result;
}

IntTuple detail::vectorOf(Arith &arith, const IntTuple &leaf) {
  for (int32_t mode : leaf.modes())
    if (mode < 0 || mode > maxMode)
      return arith.fail("mode " + llvm::Twine(mode) + " of the basis element " +
                        leaf.str() + " is not between 0 and " +
                        llvm::Twine(maxMode));
  return basisToTuple(leaf);
}

//===----------------------------------------------------------------------===//
// Sums in a codomain
//===----------------------------------------------------------------------===//

IntTuple fly::layout::codomainAdd(Arith &arith, const IntTuple &a,
                                  const IntTuple &b) {
  if (a.isInt() && b.isInt())
    return arith.add(a.leaf(), b.leaf());
  if (a.isKnown(0))
    return b;
  if (b.isKnown(0))
    return a;
  if (a.isInt() || b.isInt())
    return arith.fail("cannot add " + a.str() + " and " + b.str() +
                      ": one is an integer, the other a vector");
  IntTuple x = a.isBasis() ? vectorOf(arith, a) : a;
  IntTuple y = b.isBasis() ? vectorOf(arith, b) : b;
  unsigned common = std::min(x.rank(), y.rank());
  const IntTuple &longer = x.rank() < y.rank() ? y : x;
  std::vector<IntTuple> result;
  for (unsigned i = 0; i != common; ++i)
    result.push_back(codomainAdd(arith, x.at(i), y.at(i)));
  for (unsigned i = common, e = longer.rank(); i < e; ++i)
    result.push_back(longer.at(i));
  return IntTuple::tuple(std::move(result));
}

//===----------------------------------------------------------------------===//
// Element-wise operations
//===----------------------------------------------------------------------===//

using LeafFunction =
    llvm::function_ref<IntTuple(const IntTuple &, const IntTuple &)>;

/// A leaf on the left of a tuple: what was expected, and how to write it.
static IntTuple failBroadcast(Arith &arith, llvm::StringRef name,
                              const IntTuple &leaf, const IntTuple &tuple) {
  return arith.fail(
      "expected two leaves or two tuples for a " + name + ", found the leaf " +
      leaf.str() + " and the tuple " + tuple.str() +
      "; as a tuple the leaf is " +
      tuple.mapLeaves([&](const IntTuple &) { return leaf; }).str());
}

/// `op` on pairs of leaves. A leaf on the right of a tuple meets the first
/// child only, and the tail of the longer tuple is kept (section 7.15).
static IntTuple elementWise(Arith &arith, llvm::StringRef name,
                            const IntTuple &a, const IntTuple &b,
                            LeafFunction op) {
  if (a.isLeaf() && b.isLeaf())
    return op(a, b);
  if (a.isLeaf())
    return failBroadcast(arith, name, a, b);
  unsigned common = std::min(a.rank(), b.rank());
  const IntTuple &longer = a.rank() < b.rank() ? b : a;
  std::vector<IntTuple> result;
  for (unsigned i = 0; i != common; ++i)
    result.push_back(elementWise(arith, name, a.at(i), b.at(i), op));
  for (unsigned i = common, e = longer.rank(); i < e; ++i)
    result.push_back(longer.at(i));
  return IntTuple::tuple(std::move(result));
}

/// As elementWise, for operations that have no meaning on basis elements.
static IntTuple onIntegers(Arith &arith, llvm::StringRef name,
                           const IntTuple &a, const IntTuple &b,
                           llvm::function_ref<Int(Int, Int)> op) {
  return elementWise(arith, name, a, b,
                     [&](const IntTuple &x, const IntTuple &y) -> IntTuple {
                       if (x.isBasis() || y.isBasis())
                         return arith.fail(name +
                                           " is not defined on basis "
                                           "elements, got " +
                                           x.str() + " and " + y.str());
                       return op(x.leaf(), y.leaf());
                     });
}

IntTuple fly::layout::tupleAdd(Arith &arith, const IntTuple &a,
                               const IntTuple &b) {
  if (a.isBasis() || b.isBasis())
    return codomainAdd(arith, a, b);
  return elementWise(arith, "sum", a, b,
                     [&](const IntTuple &x, const IntTuple &y) {
                       return codomainAdd(arith, x, y);
                     });
}

IntTuple fly::layout::tupleSub(Arith &arith, const IntTuple &a,
                               const IntTuple &b) {
  return onIntegers(arith, "difference", a, b,
                    [&](Int x, Int y) { return arith.sub(x, y); });
}

IntTuple fly::layout::tupleMul(Arith &arith, const IntTuple &a,
                               const IntTuple &b) {
  return elementWise(arith, "product", a, b,
                     [&](const IntTuple &x, const IntTuple &y) {
                       return mulLeaf(arith, x, y);
                     });
}

IntTuple fly::layout::tupleDiv(Arith &arith, const IntTuple &a,
                               const IntTuple &b) {
  return onIntegers(arith, "quotient", a, b,
                    [&](Int x, Int y) { return arith.div(x, y); });
}

IntTuple fly::layout::tupleMod(Arith &arith, const IntTuple &a,
                               const IntTuple &b) {
  return onIntegers(arith, "remainder", a, b,
                    [&](Int x, Int y) { return arith.mod(x, y); });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

IntTuple fly::layout::product(Arith &arith, const IntTuple &t) {
  if (t.isLeaf())
    return t;
  IntTuple result;
  bool first = true;
  t.forEachLeaf([&](const IntTuple &leaf) {
    result = first ? leaf : mulLeaf(arith, result, leaf);
    first = false;
  });
  return result;
}

Int fly::layout::productInt(Arith &arith, const IntTuple &t) {
  return intLeaf(arith, product(arith, t), "size");
}

IntTuple fly::layout::productEach(Arith &arith, const IntTuple &t) {
  if (t.isLeaf())
    return t;
  std::vector<IntTuple> result;
  for (const IntTuple &child : t.elements())
    result.push_back(product(arith, child));
  return IntTuple::tuple(std::move(result));
}

IntTuple fly::layout::productLike(Arith &arith, const IntTuple &t,
                                  const IntTuple &guide) {
  if (guide.isLeaf())
    return product(arith, t);
  if (guide.rank() > t.rank())
    return arith.fail("guide " + guide.str() + " has more modes than " +
                      t.str());
  std::vector<IntTuple> result;
  for (unsigned i = 0, e = guide.rank(); i != e; ++i)
    result.push_back(productLike(arith, t.at(i), guide.at(i)));
  return IntTuple::tuple(std::move(result));
}

//===----------------------------------------------------------------------===//
// Divisions of shapes
//===----------------------------------------------------------------------===//

/// The recursion that ceil_div and shape_div share. A tuple over a leaf hands
/// the divisor from leaf to leaf; what a leaf leaves over, the next one takes.
static IntTuple divideShape(Arith &arith, const IntTuple &a, const IntTuple &b,
                            LeafFunction op) {
  if (a.isLeaf())
    return op(a, b.isLeaf() ? b : product(arith, b));
  if (b.isLeaf()) {
    IntTuple rest = b;
    unsigned left = a.numLeaves();
    return a.mapLeaves([&](const IntTuple &leaf) {
      IntTuple quotient = op(leaf, rest);
      if (--left != 0)
        rest = op(rest, leaf);
      return quotient;
    });
  }
  std::vector<IntTuple> result;
  for (unsigned i = 0, e = a.rank(); i != e; ++i)
    result.push_back(i < b.rank() ? divideShape(arith, a.at(i), b.at(i), op)
                                  : a.at(i));
  return IntTuple::tuple(std::move(result));
}

IntTuple fly::layout::ceilDiv(Arith &arith, const IntTuple &a,
                              const IntTuple &b) {
  return divideShape(arith, a, b, [&](const IntTuple &x, const IntTuple &y) {
    return ceilDivLeaf(arith, x, intLeaf(arith, y, "divisor of ceil_div"));
  });
}

IntTuple fly::layout::shapeDiv(Arith &arith, const IntTuple &a,
                               const IntTuple &b) {
  return divideShape(
      arith, a, b, [&](const IntTuple &x, const IntTuple &y) -> IntTuple {
        return arith.shapeDiv(intLeaf(arith, x, "dividend of shape_div"),
                              intLeaf(arith, y, "divisor of shape_div"));
      });
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

Int fly::layout::elemLess(Arith &arith, const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf() && b.isLeaf())
    return arith.less(intLeaf(arith, a, "elem_less"),
                      intLeaf(arith, b, "elem_less"));
  if (a.rank() > b.rank())
    return Int::known(0);
  Int result = Int::known(1);
  for (unsigned i = 0, e = a.rank(); i != e; ++i) {
    Int each = elemLess(arith, a.at(i), b.at(i));
    result = i == 0 ? each : arith.logicalAnd(result, each);
  }
  return result;
}

Int fly::layout::equal(Arith &arith, const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf() != b.isLeaf() || a.rank() != b.rank())
    return Int::known(0);
  if (a.isLeaf()) {
    if (a.modes() != b.modes())
      return Int::known(0);
    return arith.equal(a.leaf(), b.leaf());
  }
  Int result = Int::known(1);
  for (unsigned i = 0, e = a.rank(); i != e; ++i) {
    Int each = equal(arith, a.at(i), b.at(i));
    result = i == 0 ? each : arith.logicalAnd(result, each);
  }
  return result;
}
