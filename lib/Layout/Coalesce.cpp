// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coalescing: the same function on the integers with as few modes as possible
// (section 4.8), and the normal form of results (section 4.9).
//
// In: a layout, perhaps a pattern. Out: a layout. The law: crd2idx(i, L) and
// crd2idx(i, coalesce(L)) agree for every integer i of L's domain. Neighbours
// merge when the first one's end is the second one's step; unknown leaves never
// do.
//
//   coalesce((2,3,5):(1,2,8)) = (6,5):(1,8)

#include "Detail.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace fly::layout;
using namespace fly::layout::detail;

/// True when `first` followed by `second` is one run.
static bool mergeable(const Layout &first, const Layout &second) {
  if (!first.shape.isInt() || !second.shape.isInt() || !first.isStatic() ||
      !second.isStatic() || first.stride.modes() != second.stride.modes())
    return false;
  std::optional<int64_t> end =
      llvm::checkedMul(first.shape.leaf().value(), first.stride.leaf().value());
  return end && *end == second.stride.leaf().value();
}

std::vector<Layout> detail::coalesceModes(Arith &arith,
                                          std::vector<Layout> modes,
                                          bool keepBoundary) {
  const Layout nothing = {IntTuple(1), IntTuple(0)};
  if (modes.empty())
    return {nothing};
  Layout current = modes.back();
  if (keepBoundary && current.shape.isKnown(1))
    current.shape = IntTuple(2);
  std::vector<Layout> reversed;
  for (const Layout &mode : llvm::drop_begin(llvm::reverse(modes))) {
    if (mode.shape.isKnown(1))
      continue;
    if (current.shape.isKnown(1)) {
      current = mode;
    } else if (mergeable(mode, current)) {
      current = {IntTuple(arith.mul(mode.shape.leaf(), current.shape.leaf())),
                 mode.stride};
    } else {
      reversed.push_back(current);
      current = mode;
    }
  }
  reversed.push_back(current.shape.isKnown(1) ? nothing : current);
  return {reversed.rbegin(), reversed.rend()};
}

Layout fly::layout::coalesce(Arith &arith, const Layout &l) {
  std::vector<Layout> modes = flatModes(arith, l);
  // A lone mode keeps its wrappers.
  if (modes.size() == 1 && !modes.front().shape.isKnown(1))
    return l;
  return joined(coalesceModes(arith, std::move(modes), false));
}

Layout fly::layout::coalesce(Arith &arith, const Layout &l,
                             const IntTuple &pattern) {
  if (pattern.isLeaf())
    return coalesce(arith, l);
  if (!checkCongruent(arith, l))
    return l;
  std::vector<Layout> modes = modesOf(l);
  for (unsigned i = 0, e = std::min(l.rank(), pattern.rank()); i != e; ++i)
    modes[i] = coalesce(arith, modes[i], pattern.at(i));
  return tupleOf(modes);
}

Layout fly::layout::normalize(const Layout &l) {
  if (l.isLeaf())
    return l.shape.isKnown(1) ? Layout{IntTuple(1), IntTuple(0)} : l;
  std::vector<Layout> modes = modesOf(l);
  for (Layout &mode : modes)
    mode = normalize(mode);
  return joined(modes);
}
