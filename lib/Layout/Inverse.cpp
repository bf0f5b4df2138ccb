// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Right and left inverses (section 4.11).
//
// In: L. Out: R with L(R(k)) = k for every k of R, the longest such run from 0;
// or Q with Q(L(k)) = k for every k of an injective L whose sorted strides
// divide one another. Modes with an unknown stride are left out. With basis
// strides the inverse takes a coordinate: one mode for each coordinate of the
// codomain.
//
//   right_inverse((3,5):(5,1)) = (5,3):(3,1)
//   left_inverse((3,5):(1,6)) = (6,5):(1,3)

#include "Detail.h"

#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace fly::layout;
using namespace fly::layout::detail;

static const Layout nothing = {IntTuple(1), IntTuple(0)};

/// A mode of L as an inverse sees it: a known stride, the index in L's domain
/// that one step is worth, and its place among the modes.
struct InverseMode {
  Int shape;
  int64_t stride;
  Int step;
  size_t position;
};

static Layout rightOf(Arith &arith, llvm::ArrayRef<InverseMode> modes) {
  std::map<int64_t, const InverseMode *> byStride;
  for (const InverseMode &mode : modes)
    if (mode.shape.isStatic())
      byStride.insert({mode.stride, &mode});
  std::vector<Layout> result;
  Int want = Int::known(1);
  // Each mode is used once, so the search ends whatever the shapes are.
  for (auto found = byStride.find(1); found != byStride.end();
       found = byStride.find(want.value())) {
    const InverseMode &mode = *found->second;
    byStride.erase(found);
    result.push_back({IntTuple(mode.shape), IntTuple(mode.step)});
    want = arith.mul(mode.shape, Int::known(mode.stride));
    if (arith.failed())
      break;
  }
  return joined(coalesceModes(arith, std::move(result), false));
}

static Layout leftOf(Arith &arith, llvm::ArrayRef<InverseMode> modes) {
  std::vector<InverseMode> sorted(modes.begin(), modes.end());
  llvm::sort(sorted, [](const InverseMode &a, const InverseMode &b) {
    return std::tie(a.stride, a.position) < std::tie(b.stride, b.position);
  });
  std::vector<Layout> result;
  Int step = Int::known(0), reached = Int::known(1);
  for (const InverseMode &mode : sorted) {
    Int gap = arith.div(Int::known(mode.stride), reached);
    result.push_back({IntTuple(gap), IntTuple(step)});
    reached = arith.mul(reached, gap);
    step = mode.step;
  }
  if (!sorted.empty())
    result.push_back({IntTuple(sorted.back().shape), IntTuple(step)});
  return joined(coalesceModes(arith, std::move(result), false));
}

using InvertModes = Layout (*)(Arith &, llvm::ArrayRef<InverseMode>);
using ModesByPath = std::map<std::vector<int32_t>, std::vector<InverseMode>>;

/// One inverse for each leaf of the codomain's tree.
static Layout invertAlong(Arith &arith, const IntTuple &profile,
                          std::vector<int32_t> &path, const ModesByPath &modes,
                          InvertModes invert) {
  if (profile.isLeaf()) {
    auto found = modes.find(path);
    return found == modes.end() ? nothing : invert(arith, found->second);
  }
  std::vector<Layout> result;
  for (unsigned i = 0, e = profile.rank(); i != e; ++i) {
    path.push_back(i);
    result.push_back(invertAlong(arith, profile.at(i), path, modes, invert));
    path.pop_back();
  }
  return tupleOf(result);
}

static Layout invert(Arith &arith, const Layout &l, InvertModes invert) {
  if (!checkCongruent(arith, l))
    return nothing;
  std::vector<Layout> modes = coalesceModes(arith, flatModes(arith, l), false);
  IntTuple profile = codomainProfile(arith, l.stride);
  ModesByPath byPath;
  Int step = Int::known(1);
  size_t index = 0;
  for (const Layout &mode : modes) {
    Int shape = intLeaf(arith, mode.shape, "shape");
    Int stride = mode.stride.leaf();
    if ((shape.isStatic() && shape.value() < 1) ||
        (stride.isStatic() && stride.value() < 0)) {
      arith.fail("inverse needs positive shapes and strides, got " +
                 mode.str());
      return nothing;
    }
    if (stride.isStatic() && !stride.is(0))
      byPath[mode.stride.modes()].push_back(
          {shape, stride.value(), step, index});
    if (++index != modes.size())
      step = arith.mul(step, shape);
  }
  if (arith.failed())
    return nothing;
  std::vector<int32_t> path;
  return invertAlong(arith, profile, path, byPath, invert);
}

Layout fly::layout::rightInverse(Arith &arith, const Layout &l) {
  return invert(arith, l, rightOf);
}

Layout fly::layout::leftInverse(Arith &arith, const Layout &l) {
  return invert(arith, l, leftOf);
}
