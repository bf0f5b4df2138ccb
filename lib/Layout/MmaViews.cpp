// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a tiled MMA cuts its operands (section 4.16 of the dialect's
// specification, 5.11 of the passes).
//
// In: the atom's thread-value layouts, the arrangement of atoms, a permutation,
// an operand. Out: the operand as ((threads, (n0, n1)), (values, (rest...))).
// The law: the atoms at one place of the rest mode cover its tile, each element
// as often as the instruction replicates it.
//
//   1x1x1 atom, atoms (4,2,1):(1,4,0), A = (16,8):(1,16), one thread:
//   (1,4,8):(0,4,16)

#include "Detail.h"
#include "fly/Layout/Views.h"

using namespace fly::layout;
using namespace fly::layout::detail;

/// The two axes of (M,N,K) that an operand has.
static std::pair<unsigned, unsigned> axesOf(MmaOperand operand) {
  switch (operand) {
  case MmaOperand::A:
    return {0, 2};
  case MmaOperand::B:
    return {1, 2};
  case MmaOperand::C:
  case MmaOperand::D:
    return {0, 1};
  }
  return {0, 1};
}

static const Layout &valuesOf(const MmaAtomLayouts &atom, MmaOperand operand) {
  if (operand == MmaOperand::A)
    return atom.a;
  return operand == MmaOperand::B ? atom.b : atom.c;
}

static bool checkMma(Arith &arith, const TiledMmaLayouts &mma) {
  if (!checkCongruent(arith, mma.atomLayout) ||
      !checkCongruent(arith, mma.atom.thread))
    return false;
  if (mma.atom.shape.isLeaf() || mma.atom.shape.rank() != 3) {
    arith.fail("mma atom needs a shape (M,N,K), got " + mma.atom.shape.str());
    return false;
  }
  if (mma.atomLayout.isLeaf() || mma.atomLayout.rank() != 3) {
    arith.fail("layout of mma atoms needs the modes (M,N,K), got " +
               mma.atomLayout.str());
    return false;
  }
  return checkTile(arith, mma.permutation, 3, "an MMA");
}

Layout fly::layout::mmaThreadView(Arith &arith, const TiledMmaLayouts &mma,
                                  MmaOperand operand, const Layout &tensor) {
  const Layout &threadValue = valuesOf(mma.atom, operand);
  if (!checkMma(arith, mma) || !checkCongruent(arith, tensor))
    return tensor;
  if (tensor.isLeaf() || tensor.rank() < 2) {
    arith.fail("mma operand needs two modes, got " + tensor.str());
    return tensor;
  }
  auto [first, second] = axesOf(operand);
  std::vector<Tile> permutation, extents, counts;
  for (unsigned axis : {first, second}) {
    Int extent = productInt(arith, mma.atom.shape.at(axis));
    Int count = productInt(arith, mma.atomLayout.shape.at(axis));
    extents.push_back(Tile(extent));
    counts.push_back(Tile(count));
    Tile given = mma.permutation.at(axis);
    permutation.push_back(given.isNone() ? Tile(arith.mul(extent, count))
                                         : given);
  }
  Tile tile = Tile::list(std::move(permutation));
  Layout permuted = logicalDivide(arith, tensor, tile);
  if (arith.failed()) {
    explainFailure(arith, "tensor " + tensor.str() +
                              " does not consist of whole tiles " + tile.str());
    return tensor;
  }
  Tile atom = Tile::list(std::move(extents));
  Layout atoms = zippedDivide(arith, permuted, atom);
  Layout values = composition(arith, atoms.at(0), threadValue);
  if (arith.failed()) {
    explainFailure(arith, "the tiles of tensor " + permuted.str() +
                              " do not consist of whole atoms " + atom.str());
    return tensor;
  }
  Tile grid = Tile::list(std::move(counts));
  Layout rest = zippedDivide(arith, atoms.at(1), grid);
  if (arith.failed()) {
    explainFailure(arith, "atoms of " + atom.str() + ", repeated as " +
                              grid.str() + ", do not fill the tensor " +
                              tensor.str());
    return tensor;
  }
  if (values.isLeaf() || values.rank() != 2) {
    arith.fail("thread-value layout of an mma atom needs the modes (thread, "
               "value), got " +
               threadValue.str());
    return tensor;
  }
  return tupleOf({tupleOf({values.at(0), rest.at(0)}),
                  tupleOf({values.at(1), rest.at(1)})});
}

IntTuple fly::layout::mmaThreadCoord(Arith &arith, const TiledMmaLayouts &mma,
                                     MmaOperand operand,
                                     const IntTuple &thread) {
  if (!thread.isInt() || !checkMma(arith, mma))
    return thread;
  Layout all = tiledProduct(arith, mma.atom.thread, mma.atomLayout);
  if (arith.failed())
    return thread;
  IntTuple coord = flatCoord(arith, thread, all);
  if (arith.failed())
    return thread;
  // (V,M,N,K): one mode of the atom's threads, three of the layout of atoms.
  auto [first, second] = axesOf(operand);
  return IntTuple::tuple(
      {coord.at(0),
       IntTuple::tuple({coord.at(1 + first), coord.at(1 + second)})});
}

/// One thread's part of a view: values, then the rest modes.
static Layout threadPart(const Layout &view) { return expand(view.at(1), {1}); }

Partition fly::layout::mmaPartition(Arith &arith, const TiledMmaLayouts &mma,
                                    MmaOperand operand, const Layout &tensor,
                                    const IntTuple &thread) {
  Layout view = mmaThreadView(arith, mma, operand, tensor);
  IntTuple coord = mmaThreadCoord(arith, mma, operand, thread);
  if (arith.failed())
    return {IntTuple(0), tensor};
  return {crd2idx(arith, coord, view.at(0)), threadPart(view)};
}

IntTuple fly::layout::mmaLegacyOffset(Arith &arith, const TiledMmaLayouts &mma,
                                      MmaOperand operand, const Layout &tensor,
                                      const IntTuple &thread) {
  Layout view = mmaThreadView(arith, mma, operand, tensor);
  if (arith.failed())
    return IntTuple(0);
  return crd2idx(arith, thread, view.at(0));
}

IntTuple fly::layout::mmaPartitionShape(Arith &arith,
                                        const TiledMmaLayouts &mma,
                                        MmaOperand operand,
                                        const IntTuple &shape) {
  Layout compact = {shape, compactStrides(arith, shape, Int::known(1))};
  Layout view = mmaThreadView(arith, mma, operand, compact);
  if (arith.failed())
    return shape;
  return threadPart(view).shape;
}

Layout fly::layout::mmaFragment(Arith &arith, const TiledMmaLayouts &mma,
                                MmaOperand operand, const Layout &tensor,
                                std::optional<int32_t> stages) {
  Layout source = tensor;
  if (stages) {
    if (*stages < 1) {
      arith.fail("stages must be at least 1, got " + llvm::Twine(*stages));
      return tensor;
    }
    if (tensor.isLeaf() || tensor.rank() < 2) {
      arith.fail("stages need an operand with two modes, got " + tensor.str());
      return tensor;
    }
    // An unknown stride sorts last, so that stages lie outermost.
    source = tupleOf({tensor.at(0), tensor.at(1),
                      Layout{IntTuple(*stages), Int::unknown(32, 1)}});
  }
  Layout view = mmaThreadView(arith, mma, operand, source);
  if (arith.failed())
    return tensor;
  return makeFragmentLayoutLike(arith, threadPart(view));
}
