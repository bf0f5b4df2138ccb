// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The complement: what a layout skips (section 4.10).
//
// In: L, and the size M of the codomain. Out: K with increasing strides. The
// laws: sums L(i) + K(j) are distinct, and they cover [0, M).
//
// With basis strides each coordinate of the codomain has its own gaps. M is
// then a tuple with that tree, or a number of points that the codomain holds
// when its last coordinate is the one that grows; none given: the coshape.
//
//   complement((3,2):(1,15), 60) = (5,2):(3,30)
//   complement((2,3):(2E0,1E1))  = 2:1E0

#include "Detail.h"

#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>

using namespace fly::layout;
using namespace fly::layout::detail;

static const Layout nothing = {IntTuple(1), IntTuple(0)};

/// The gaps of modes with integer strides below `size`.
static std::vector<Layout> gaps(Arith &arith, std::vector<Layout> modes,
                                Int size) {
  modes = coalesceModes(arith, std::move(modes), false);
  if (size.isNone() || (size.isStatic() && size.value() < 1)) {
    arith.fail("complement needs a codomain of at least one point, got " +
               IntTuple(size).str());
    return {nothing};
  }
  if (modes.size() == 1 && modes.front().stride.isKnown(0))
    return {Layout{IntTuple(size), IntTuple(1)}};
  for (const Layout &mode : modes) {
    if (!mode.stride.isStatic() && modes.size() > 1) {
      arith.fail("complement of several modes needs known strides, got " +
                 mode.str());
      return {nothing};
    }
    if (mode.stride.isStatic() && mode.stride.leaf().value() < 0) {
      arith.fail("complement needs positive strides, got " + mode.str());
      return {nothing};
    }
    if (mode.shape.isStatic() && mode.shape.leaf().value() < 1) {
      arith.fail("complement needs positive shapes, got " + mode.str());
      return {nothing};
    }
  }
  std::vector<size_t> order(modes.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::make_pair(modes[a].stride.leaf().value(), a) <
           std::make_pair(modes[b].stride.leaf().value(), b);
  });
  std::vector<Layout> result;
  Int reached = Int::known(1);
  for (size_t index : order) {
    const Layout &mode = modes[index];
    Int stride = mode.stride.leaf();
    Int gap = arith.div(stride, reached);
    if (gap.isDynamic())
      arith.assume(Precondition::AtMost, {reached, stride});
    if (gap.is(0)) {
      arith.fail("complement: layout is not injective, stride " +
                 IntTuple(stride).str() + " lies below " +
                 IntTuple(reached).str() + ", which smaller strides reach");
      return {nothing};
    }
    result.push_back({IntTuple(gap), IntTuple(reached)});
    reached = arith.mul(stride, intLeaf(arith, mode.shape, "shape"));
  }
  result.push_back({IntTuple(arith.ceilDiv(size, reached)), IntTuple(reached)});
  return coalesceModes(arith, std::move(result), false);
}

/// The paths of the leaves of `t`, from left to right.
static void leafPaths(const IntTuple &t, std::vector<int32_t> &path,
                      std::vector<std::vector<int32_t>> &paths) {
  if (t.isLeaf()) {
    paths.push_back(path);
    return;
  }
  for (unsigned i = 0, e = t.rank(); i != e; ++i) {
    path.push_back(i);
    leafPaths(t.at(i), path, paths);
    path.pop_back();
  }
}

/// The complement coordinate by coordinate of the codomain.
static Layout basisComplement(Arith &arith, const Layout &l,
                              const std::vector<Layout> &modes,
                              const std::optional<IntTuple> &codomain) {
  IntTuple extents = coshape(arith, l);
  std::map<std::vector<int32_t>, std::vector<Layout>> byPath;
  for (const Layout &mode : modes)
    if (mode.stride.isBasis())
      byPath[mode.stride.modes()].push_back(
          {mode.shape, IntTuple(mode.stride.leaf())});
  bool counted = codomain && codomain->isLeaf();
  IntTuple sizes = codomain && !counted ? *codomain : extents;
  std::vector<std::vector<int32_t>> paths;
  std::vector<int32_t> path;
  leafPaths(sizes, path, paths);
  for (const auto &entry : byPath)
    if (!llvm::is_contained(paths, entry.first)) {
      arith.fail("codomain " + sizes.str() +
                 " has no coordinate for the basis strides of " + l.str());
      return nothing;
    }
  if (arith.failed())
    return nothing;
  std::vector<Layout> result;
  Int points = Int::known(1);
  std::vector<IntTuple> leaves = sizes.leaves();
  for (auto [index, where] : llvm::enumerate(paths)) {
    Int size = intLeaf(arith, leaves[index], "codomain of a complement");
    if (counted && index + 1 == paths.size())
      size = arith.ceilDiv(intLeaf(arith, *codomain, "codomain"), points);
    points = arith.mul(points, size);
    auto found = byPath.find(where);
    std::vector<Layout> own =
        found == byPath.end() ? std::vector<Layout>{} : found->second;
    for (const Layout &gap : gaps(arith, std::move(own), size))
      result.push_back({gap.shape, IntTuple::basis(gap.stride.leaf(), where)});
  }
  return joined(coalesceModes(arith, std::move(result), false));
}

Layout fly::layout::complement(Arith &arith, const Layout &l,
                               const std::optional<IntTuple> &codomain) {
  if (!checkCongruent(arith, l))
    return nothing;
  std::vector<Layout> modes = coalesceModes(
      arith, flatModes(arith, {filterZero(l.stride, l.shape), l.stride}),
      false);
  // Modes of size 1 still tell which coordinates the codomain has.
  if (llvm::any_of(l.stride.leaves(),
                   [](const IntTuple &leaf) { return leaf.isBasis(); }))
    return basisComplement(arith, l, modes, codomain);
  if (codomain && !codomain->isInt()) {
    arith.fail("codomain of a complement must be an integer, got " +
               codomain->str());
    return nothing;
  }
  Int size = codomain ? codomain->leaf()
                      : productInt(arith, coshape(arith, joined(modes)));
  return joined(gaps(arith, std::move(modes), size));
}
