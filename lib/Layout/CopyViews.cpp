// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a tiled copy cuts a tensor, and how it sees a fragment (section 4.16 of
// the dialect's specification, 5.9 and 5.10 of the passes).
//
// In: the atom's thread-value layouts, the tiled thread-value layout W and the
// tile, a tensor. Out: the tensor as (threads, values, rest...). The law: every
// element of a tile belongs to the (thread, value) pairs that W sends to it.
//
//   32-bit atom, W = ((4,2),(1,2)):((2,8),(0,1)), tile [8|2], (16,8):(8,1),
//   one thread: ((1,2),2,4):((0,8),64,2)

#include "Detail.h"
#include "fly/Layout/Views.h"

using namespace fly::layout;
using namespace fly::layout::detail;

/// True when `l` has the modes (thread, value).
static bool checkPair(Arith &arith, const Layout &l, llvm::StringRef what) {
  if (!checkCongruent(arith, l))
    return false;
  if (!l.isLeaf() && l.rank() == 2)
    return true;
  arith.fail(what + " must have the modes (thread, value), got " + l.str());
  return false;
}

/// The number of values of one thread in an atom.
static Int atomValues(Arith &arith, const TiledCopyLayouts &copy) {
  return productInt(arith, copy.atom.reference.shape.at(1));
}

Layout fly::layout::copyThreadView(Arith &arith, const TiledCopyLayouts &copy,
                                   CopySide side, const Layout &tensor) {
  const Layout &own =
      side == CopySide::Source ? copy.atom.source : copy.atom.destination;
  if (!checkPair(arith, copy.atom.reference, "reference layout of a copy") ||
      !checkPair(arith, own, "thread-value layout of a copy") ||
      !checkPair(arith, copy.threadValue, "layout of a tiled copy"))
    return tensor;
  Layout divided = zippedDivide(arith, tensor, copy.tile);
  if (arith.failed()) {
    explainFailure(arith, "tensor " + tensor.str() +
                              " does not consist of whole tiles " +
                              copy.tile.str());
    return tensor;
  }
  Layout fromReference =
      composition(arith, rightInverse(arith, copy.atom.reference), own);
  if (arith.failed()) {
    explainFailure(arith, "the atom's layouts " + own.str() + " and " +
                              copy.atom.reference.str() +
                              " do not fit together");
    return tensor;
  }
  Int threads = productInt(arith, copy.atom.reference.shape.at(0));
  Int values = atomValues(arith, copy);
  Layout split = zippedDivide(arith, copy.threadValue,
                              Tile::list({Tile(threads), Tile(values)}));
  Layout atom = composition(arith, split.at(0), fromReference);
  if (arith.failed()) {
    explainFailure(arith, "thread-value layout " + copy.threadValue.str() +
                              " does not consist of whole atoms of " +
                              IntTuple(threads).str() + " threads with " +
                              IntTuple(values).str() + " values");
    return tensor;
  }
  if (!checkPair(arith, atom, "atom of a tiled copy"))
    return tensor;
  Layout rest = split.at(1);
  Layout levels = {zip(arith, atom.shape, rest.shape),
                   zip(arith, atom.stride, rest.stride)};
  // One flat mode of threads; values keep (of the atom, of the rest).
  IntTuple pattern = IntTuple::tuple({IntTuple(1), IntTuple::of({1, 1})});
  Layout threadValues = coalesce(arith, levels, pattern);
  Layout view = composition(arith, divided.at(0), threadValues);
  if (arith.failed()) {
    explainFailure(arith, "thread-value layout " + copy.threadValue.str() +
                              " does not fit the tile " + divided.at(0).str() +
                              " of the tensor");
    return tensor;
  }
  if (!checkPair(arith, view, "tile under the layout of a tiled copy"))
    return tensor;
  return expand(tupleOf({view.at(0), view.at(1), divided.at(1)}), {2});
}

Partition fly::layout::copyPartition(Arith &arith, const TiledCopyLayouts &copy,
                                     CopySide side, const Layout &tensor,
                                     const IntTuple &thread) {
  Layout view = copyThreadView(arith, copy, side, tensor);
  if (arith.failed())
    return {IntTuple(0), tensor};
  if (view.rank() != tensor.rank() + 2) {
    arith.fail("tile " + copy.tile.str() + " leaves " +
               llvm::Twine(view.rank() - 2) + " modes of a tensor with " +
               llvm::Twine(tensor.rank()));
    return {IntTuple(0), tensor};
  }
  std::vector<IntTuple> coord(view.rank());
  coord[0] = thread;
  Layout kept = slice(arith, view, IntTuple::tuple(std::move(coord))).linear();
  return {crd2idx(arith, thread, view.at(0)), kept};
}

/// The extents of a tile, one for each element of its list.
static bool tileExtents(Arith &arith, const Tile &tile,
                        std::vector<IntTuple> &extents) {
  std::vector<Tile> elements = tile.isList()
                                   ? std::vector<Tile>(tile.elements())
                                   : std::vector<Tile>{tile};
  for (const Tile &element : elements) {
    if (element.isNone() || element.isList()) {
      arith.fail("tile " + tile.str() +
                 " of a retile must consist of integers and layouts");
      return false;
    }
    extents.push_back(element.isLayout() ? size(arith, element.layout())
                                         : IntTuple(element.leaf()));
  }
  return true;
}

Layout fly::layout::copyRetile(Arith &arith, const TiledCopyLayouts &copy,
                               const Layout &fragment) {
  std::vector<IntTuple> extents;
  if (!checkPair(arith, copy.atom.reference, "reference layout of a copy") ||
      !checkPair(arith, copy.threadValue, "layout of a tiled copy") ||
      !checkCongruent(arith, fragment) ||
      !tileExtents(arith, copy.tile, extents))
    return fragment;
  Int values = productInt(arith, fragment.shape.at(0));
  Int slots =
      arith.mul(productInt(arith, copy.threadValue.shape.at(0)), values);
  if (!slots.isStatic() || slots.value() < 1) {
    arith.fail("retile needs a static, non-empty fragment, got " +
               fragment.str());
    return fragment;
  }
  IntTuple box = IntTuple::tuple(std::move(extents));
  Layout columns = {box, compactStrides(arith, box, Int::known(1))};
  // Where each coordinate of the tile lies, in units of a whole fragment.
  Layout units = upcast(
      arith, composition(arith, rightInverse(arith, copy.threadValue), columns),
      slots.value());
  Layout spread = logicalProduct(arith, Layout{IntTuple(values), IntTuple(1)},
                                 rightInverse(arith, units));
  Layout grouped = zippedDivide(
      arith, spread, Layout{IntTuple(atomValues(arith, copy)), IntTuple(1)});
  std::vector<Tile> cut = {Tile(values)};
  IntTuple counts = productEach(arith, units.shape);
  counts.forEachLeaf(
      [&](const IntTuple &leaf) { cut.push_back(Tile(leaf.leaf())); });
  Layout divided = zippedDivide(arith, fragment, Tile::list(std::move(cut)));
  if (arith.failed())
    return fragment;
  std::vector<Layout> modes = {composition(arith, divided.at(0), grouped)};
  for (const Layout &mode : modesOf(divided.at(1), 1))
    modes.push_back(mode);
  return tupleOf(modes);
}
