// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structural functions on layouts (section 3.5), and layouts as lists of modes.
//
// In: a plain or composed layout. Out: one of the same kind. The law: shape and
// stride of the linear layout are treated alike, the chain around it is kept;
// a slice adds the offset of the modes that it fixes next to the linear layout.
//
//   slice(S<3,0,3> o 1 o (4,8):(1,4), (*,3)) = S<3,0,3> o 13 o 4:1

#include "Detail.h"

using namespace fly::layout;
using namespace fly::layout::detail;

//===----------------------------------------------------------------------===//
// Lists of modes
//===----------------------------------------------------------------------===//

void detail::explainFailure(Arith &arith, const llvm::Twine &cause) {
  std::string message = (cause + ": " + arith.message()).str();
  arith.clearError();
  arith.fail(message);
}

bool detail::checkCongruent(Arith &arith, const Layout &l) {
  if (congruent(l.shape, l.stride))
    return true;
  arith.fail("shape " + l.shape.str() + " and stride " + l.stride.str() +
             " are not congruent");
  return false;
}

static void appendModes(const IntTuple &shape, const IntTuple &stride,
                        std::vector<Layout> &modes) {
  if (shape.isLeaf()) {
    modes.push_back({shape, stride});
    return;
  }
  for (unsigned i = 0, e = shape.rank(); i != e; ++i)
    appendModes(shape.at(i), stride.at(i), modes);
}

std::vector<Layout> detail::flatModes(Arith &arith, const Layout &l) {
  std::vector<Layout> modes;
  if (!checkCongruent(arith, l))
    return {Layout{IntTuple(1), IntTuple(0)}};
  appendModes(l.shape, l.stride, modes);
  return modes;
}

Layout detail::tupleOf(llvm::ArrayRef<Layout> modes) {
  std::vector<IntTuple> shapes, strides;
  for (const Layout &mode : modes) {
    shapes.push_back(mode.shape);
    strides.push_back(mode.stride);
  }
  return {IntTuple::tuple(std::move(shapes)),
          IntTuple::tuple(std::move(strides))};
}

Layout detail::joined(llvm::ArrayRef<Layout> modes) {
  return modes.size() == 1 ? modes.front() : tupleOf(modes);
}

std::vector<Layout> detail::modesOf(const Layout &l, unsigned begin) {
  std::vector<Layout> modes;
  for (unsigned i = begin, e = l.rank(); i < e; ++i)
    modes.push_back(l.at(i));
  return modes;
}

Layout detail::layoutAt(Arith &arith, const Layout &l,
                        llvm::ArrayRef<int32_t> path) {
  Layout result = l;
  for (int32_t index : path) {
    if (index < 0 || static_cast<unsigned>(index) >= result.rank()) {
      arith.fail("layout " + l.str() + " has no mode " + llvm::Twine(index) +
                 " for the basis element of the other layout");
      return {IntTuple(1), IntTuple(0)};
    }
    result = result.at(index);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The same function on shape and stride
//===----------------------------------------------------------------------===//

/// Applies `map` to shape and stride of the linear layout.
static AnyLayout onLinear(Arith &arith, const AnyLayout &l,
                          llvm::function_ref<IntTuple(const IntTuple &)> map) {
  const Layout &linear = l.linear();
  if (!checkCongruent(arith, linear))
    return l;
  return l.withLinear({map(linear.shape), map(linear.stride)});
}

AnyLayout fly::layout::get(Arith &arith, const AnyLayout &l,
                           llvm::ArrayRef<int32_t> path) {
  return onLinear(arith, l,
                  [&](const IntTuple &t) { return get(arith, t, path); });
}

AnyLayout fly::layout::take(Arith &arith, const AnyLayout &l, int32_t begin,
                            int32_t end) {
  return onLinear(
      arith, l, [&](const IntTuple &t) { return take(arith, t, begin, end); });
}

AnyLayout fly::layout::select(Arith &arith, const AnyLayout &l,
                              llvm::ArrayRef<int32_t> modes) {
  return onLinear(arith, l,
                  [&](const IntTuple &t) { return select(arith, t, modes); });
}

AnyLayout fly::layout::group(Arith &arith, const AnyLayout &l, int32_t begin,
                             int32_t end) {
  return onLinear(
      arith, l, [&](const IntTuple &t) { return group(arith, t, begin, end); });
}

AnyLayout fly::layout::append(Arith &arith, const AnyLayout &l,
                              const Layout &element,
                              std::optional<int32_t> rank) {
  const Layout &linear = l.linear();
  if (!checkCongruent(arith, linear) || !checkCongruent(arith, element))
    return l;
  return l.withLinear({append(arith, linear.shape, element.shape, rank),
                       append(arith, linear.stride, element.stride, rank)});
}

AnyLayout fly::layout::prepend(Arith &arith, const AnyLayout &l,
                               const Layout &element,
                               std::optional<int32_t> rank) {
  const Layout &linear = l.linear();
  if (!checkCongruent(arith, linear) || !checkCongruent(arith, element))
    return l;
  return l.withLinear({prepend(arith, linear.shape, element.shape, rank),
                       prepend(arith, linear.stride, element.stride, rank)});
}

AnyLayout fly::layout::slice(Arith &arith, const AnyLayout &l,
                             const IntTuple &coord) {
  if (l.isPlain())
    return onLinear(arith, l,
                    [&](const IntTuple &t) { return slice(arith, t, coord); });
  const ComposedLayout &c = l.composed();
  if (c.outer.isComposed())
    return ComposedLayout{c.inner, c.offset, slice(arith, c.outer, coord)};
  AnyLayout kept = slice(arith, c.outer, coord);
  if (arith.failed())
    return l;
  IntTuple fixed = crd2idx(arith, coord, c.outer.plain());
  return ComposedLayout{c.inner, codomainAdd(arith, c.offset, fixed), kept};
}

Layout fly::layout::dice(Arith &arith, const Layout &l, const IntTuple &coord) {
  if (!checkCongruent(arith, l))
    return l;
  return {dice(arith, l.shape, coord), dice(arith, l.stride, coord)};
}

Layout fly::layout::expand(const Layout &l, llvm::ArrayRef<int32_t> modes) {
  return {expand(l.shape, modes), expand(l.stride, modes)};
}
