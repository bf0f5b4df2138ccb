// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Composition of layouts (section 4.9).
//
// In: A and B (a layout or a tile). Out: R with B's profile, refined. The law:
// R(c) = A(B(c)) for every c of B. Each mode of B walks through the modes of A;
// what it would have to visit must be a layout again, so steps have to divide
// extents, and a run that leaves a mode must leave it on a boundary. Where the
// result would not be that function it is refused, also where the weaker
// condition of other implementations lets it pass (section 7.8a).
//
//   (6,4):(4,1) o 12:2 = (3,4):(8,1)

#include "Detail.h"

using namespace fly::layout;
using namespace fly::layout::detail;

/// Coalesces A along the codomain of B: where B answers one coordinate, that
/// part of A becomes a flat list.
static Layout coalesceAlong(Arith &arith, const Layout &a,
                            const IntTuple &profile) {
  if (profile.isLeaf())
    return joined(coalesceModes(arith, flatModes(arith, a), true));
  std::vector<Layout> modes = modesOf(a);
  for (unsigned i = 0, e = std::min(a.rank(), profile.rank()); i != e; ++i)
    modes[i] = coalesceAlong(arith, modes[i], profile.at(i));
  return tupleOf(modes);
}

/// Checks that steps of `step` go through `extent`, and that a run of `rest`
/// such steps either stays inside or leaves on a boundary.
static bool checkStep(Arith &arith, const Layout &a, unsigned mode, Int extent,
                      Int step, Int rest) {
  if (extent.isStatic() && extent.value() < 1) {
    arith.fail("shape " + llvm::Twine(extent.value()) + " of mode " +
               llvm::Twine(mode) + " of " + a.str() + " must be positive");
    return false;
  }
  if (step.isStatic() && step.value() < 1) {
    arith.fail("stride " + llvm::Twine(step.value()) +
               " cannot step through the modes of " + a.str() +
               ": it must be positive");
    return false;
  }
  if (extent.isDynamic() || step.isDynamic()) {
    arith.assume(Precondition::StepsFit, {extent, step, rest});
    return true;
  }
  int64_t size = extent.value(), stride = step.value();
  if (stride % size == 0)
    return true;
  if (stride > size) {
    arith.fail("shape " + llvm::Twine(size) + " of mode " + llvm::Twine(mode) +
               " of " + a.str() + " does not divide stride " +
               llvm::Twine(stride));
    return false;
  }
  int64_t fits = size / stride + (size % stride != 0);
  if (size % stride == 0 || (rest.isStatic() && rest.value() <= fits))
    return true;
  arith.fail("stride " + llvm::Twine(stride) + " does not divide shape " +
             llvm::Twine(size) + " of mode " + llvm::Twine(mode) + " of " +
             a.str() + ", and a run of " + IntTuple(rest).str() +
             " leaves that mode");
  return false;
}

/// The composition of the coalesced `a` with the single mode shape:stride.
static Layout composeLeaf(Arith &arith, const Layout &a, const IntTuple &shape,
                          const IntTuple &stride) {
  if (stride.isBasis())
    return composeLeaf(arith, layoutAt(arith, a, stride.modes()), shape,
                       stride.leaf());
  if (stride.isKnown(0))
    return {shape, IntTuple(0)};
  if (shape.isKnown(1))
    return {IntTuple(1), IntTuple(0)};
  if (a.isLeaf())
    return {shape, mulLeaf(arith, a.stride, stride)};
  Int rest = intLeaf(arith, shape, "shape of a composition");
  Int step = intLeaf(arith, stride, "stride of a composition");
  std::vector<Layout> modes;
  for (unsigned i = 0, last = a.rank() - 1; i != last && !rest.is(1); ++i) {
    Int extent = intLeaf(arith, a.shape.at(i), "shape of a composition");
    if (!checkStep(arith, a, i, extent, step, rest))
      return {IntTuple(1), IntTuple(0)};
    Int inside = arith.ceilDiv(extent, step);
    Int next = arith.ceilDiv(step, extent);
    if (inside.is(1)) {
      step = next;
      continue;
    }
    Int taken = arith.min(inside, rest);
    if (taken.isDynamic() || rest.isDynamic()) {
      arith.assume(Precondition::Divides, {rest, taken});
    } else if (taken.value() < 1 || rest.value() % taken.value() != 0) {
      arith.fail("shape " + llvm::Twine(rest.value()) +
                 " is not a multiple of the " + llvm::Twine(inside.value()) +
                 " steps of stride " + IntTuple(step).str() +
                 " that fit shape " + IntTuple(extent).str() + " of mode " +
                 llvm::Twine(i) + " of " + a.str());
      return {IntTuple(1), IntTuple(0)};
    }
    modes.push_back({taken, mulLeaf(arith, step, a.stride.at(i))});
    rest = arith.div(rest, taken);
    step = next;
  }
  if (modes.empty() || !rest.is(1))
    modes.push_back({rest, mulLeaf(arith, step, a.stride.at(a.rank() - 1))});
  return normalize(joined(modes));
}

static Layout compose(Arith &arith, const Layout &a, const Layout &b) {
  if (b.isLeaf())
    return composeLeaf(arith, a, b.shape, b.stride);
  std::vector<Layout> modes = modesOf(b);
  for (Layout &mode : modes)
    mode = compose(arith, a, mode);
  return tupleOf(modes);
}

Layout fly::layout::composition(Arith &arith, const Layout &a,
                                const Layout &b) {
  if (!checkCongruent(arith, a) || !checkCongruent(arith, b))
    return a;
  IntTuple profile = codomainProfile(arith, b.stride);
  if (arith.failed())
    return a;
  return normalize(compose(arith, coalesceAlong(arith, a, profile), b));
}

bool detail::checkTile(Arith &arith, const Tile &tile, unsigned modes,
                       const llvm::Twine &of) {
  // A lone layout is a layout operand, which may carry unknown numbers.
  if (!tile.isLayout() && !tile.isStatic()) {
    arith.fail("tile " + tile.str() + " must be static");
    return false;
  }
  if (tile.isList() && tile.rank() > modes) {
    arith.fail("tile " + tile.str() + " has " + llvm::Twine(tile.rank()) +
               " modes, " + of + " has " + llvm::Twine(modes));
    return false;
  }
  return true;
}

Layout fly::layout::composition(Arith &arith, const Layout &a,
                                const Tile &tile) {
  if (!checkCongruent(arith, a) || !checkTile(arith, tile, a))
    return a;
  if (tile.isNone())
    return a;
  if (tile.isLayout())
    return composition(arith, a, tile.layout());
  if (tile.isInt())
    return composition(arith, a, Layout{IntTuple(tile.leaf()), IntTuple(1)});
  std::vector<Layout> modes = modesOf(a);
  for (unsigned i = 0, e = tile.rank(); i != e; ++i)
    modes[i] = composition(arith, modes[i], tile.at(i));
  return normalize(tupleOf(modes));
}
