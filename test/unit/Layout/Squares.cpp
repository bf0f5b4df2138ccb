// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of commuting squares: operands first, then the functions.

#include "Squares.h"
#include "fly/Layout/Views.h"

using namespace fly::layout;
using namespace fly::layout::laws;

namespace {

Trees treesOf(const Layout &l) { return {l.shape, l.stride}; }

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Trees oneLayout(Random &random) { return treesOf(mixedLayout(random, 4, 128)); }

Trees gapped(Random &random) { return treesOf(gappedLayout(random, 4, 128)); }

Trees twoLayouts(Random &random) {
  Trees result = treesOf(gappedLayout(random, 3, 64));
  Layout b = gappedLayout(random, 2, 12);
  result.push_back(b.shape);
  result.push_back(b.stride);
  return result;
}

Trees layoutAndIndex(Random &random) {
  Layout l = gappedLayout(random, 4, 64);
  Trees result = treesOf(l);
  int64_t i = random.between(0, numPoints(l) - 1);
  result.push_back(IntTuple(valueAt(l, i)));
  return result;
}

Trees layoutAndCoord(Random &random) {
  Layout l = anyLayout(random, 4, 64, /*negative=*/true);
  Trees result = treesOf(l);
  int64_t i = random.between(0, numPoints(l) - 1);
  result.push_back(random.chance(50) ? IntTuple(i) : coordinateAt(l.shape, i));
  return result;
}

Trees basisAndCoord(Random &random) {
  IntTuple shape = randomTuple(random, 3, 1, 6);
  StaticArith arith;
  Layout l = makeIdentityLayout(arith, shape);
  l.stride = l.stride.mapLeaves([&](const IntTuple &leaf) {
    Int scale = Int::known(random.between(1, 5));
    return leaf.isBasis() ? IntTuple::basis(scale, leaf.modes())
                          : IntTuple(scale);
  });
  int64_t i = random.between(0, std::min<int64_t>(numPoints(l), 500) - 1);
  return {l.shape, l.stride,
          random.chance(50) ? IntTuple(i) : coordinateAt(shape, i)};
}

Trees twoTuples(Random &random) {
  IntTuple a = randomTuple(random, 3, 0, 40);
  IntTuple b = a.mapLeaves(
      [&](const IntTuple &) { return IntTuple(random.between(1, 12)); });
  return {a, b};
}

Trees shapeAndNumber(Random &random) {
  return {randomTuple(random, 3, 1, 12), IntTuple(random.between(1, 24))};
}

/// Small enough that products fit 32 bits, as the types promise.
Trees shapeOnly(Random &random) { return {randomTuple(random, 2, 1, 9)}; }

Trees shapeAndOrder(Random &random) {
  Layout l = compactLayout(random, 4, 128);
  return {l.shape, l.stride};
}

Trees numberOnly(Random &random) {
  return {IntTuple(random.between(0, 100000))};
}

Trees pairOfNumbers(Random &random) {
  return {IntTuple::of({random.between(0, 5000), random.between(0, 5000)})};
}

/// Shape, stride, target shape.
Trees blockAndTarget(Random &random) {
  int64_t m = random.between(1, 5), n = random.between(1, 5);
  return {IntTuple::of({m, n}), IntTuple::of({1, m}),
          IntTuple::of({m * random.between(1, 4), n * random.between(1, 4)})};
}

/// A tensor and a thread number.
Trees tensorAndThread(Random &random) {
  int64_t m = 16 * random.between(1, 3), n = 8 * random.between(1, 3);
  bool rows = random.chance(50);
  return {IntTuple::of({m, n}),
          rows ? IntTuple::of({n, 1}) : IntTuple::of({1, m}),
          IntTuple(random.between(0, 7))};
}

/// A layout of two modes and a layout of its coordinates.
Trees layoutAndBasisLayout(Random &random) {
  int64_t m = random.between(2, 8), n = random.between(2, 8);
  Trees result = {IntTuple::of({m, n}), random.chance(50)
                                            ? IntTuple::of({1, m})
                                            : IntTuple::of({n, 1})};
  int64_t a = random.between(1, 3), b = random.between(1, 3);
  result.push_back(IntTuple::of({random.between(1, m), random.between(1, n)}));
  result.push_back(IntTuple::tuple({IntTuple::basis(Int::known(a), {0}),
                                    IntTuple::basis(Int::known(b), {1})}));
  return result;
}

/// The fragment of a copy of four values: values, then two rest modes.
Trees fragmentOfFour(Random &random) {
  int64_t m = random.between(1, 4), n = random.between(1, 4);
  return {IntTuple::of({4, m, n}), random.chance(50)
                                       ? IntTuple::of({1, 4, 4 * m})
                                       : IntTuple::of({m * n, n, 1})};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

using OnLayout = Layout (*)(Arith &, const Layout &);
using OnLayouts = Layout (*)(Arith &, const Layout &, const Layout &);
using OnTile = Layout (*)(Arith &, const Layout &, const Tile &);
using OnTuples = IntTuple (*)(Arith &, const IntTuple &, const IntTuple &);

template <OnLayout function> Trees onLayout(Arith &arith, const Trees &t) {
  return treesOf(function(arith, layoutOf(t)));
}
template <OnLayouts function> Trees onLayouts(Arith &arith, const Trees &t) {
  return treesOf(function(arith, layoutOf(t), layoutOf(t, 2)));
}
template <OnTile function> Trees byLayout(Arith &arith, const Trees &t) {
  return treesOf(function(arith, layoutOf(t), layoutOf(t, 2)));
}
/// By a static tile: the first two modes, or the only one.
template <OnTile function> Trees byTile(Arith &arith, const Trees &t) {
  std::vector<Tile> elements(std::min(2u, t[0].rank()), Tile(Int::known(2)));
  return treesOf(function(arith, layoutOf(t), Tile::list(elements)));
}
template <OnTuples function> Trees onTuples(Arith &arith, const Trees &t) {
  return {function(arith, t[0], t[1])};
}

const TiledCopyLayouts tiledCopy() {
  Layout atom = readLayout("(1,2):(1,1)");
  return {{atom, atom, atom},
          readLayout("((4,2),(2,2)):((2,16),(1,8))"),
          readTile("[8|4]")};
}

const TiledMmaLayouts tiledMma() {
  Layout one = readLayout("(1,1):(1,1)");
  return {{IntTuple::of({1, 1, 1}), readLayout("1:1"), one, one, one},
          readLayout("(4,2,1):(1,4,0)"),
          Tile()};
}

Trees treesOf(const Partition &part) {
  return {part.offset, part.layout.shape, part.layout.stride};
}

const Square squares[] = {
    {"add", Compare::Leaves, twoTuples, onTuples<tupleAdd>, 90},
    {"sub", Compare::Leaves, twoTuples, onTuples<tupleSub>, 90},
    {"mul", Compare::Leaves, twoTuples, onTuples<tupleMul>, 90},
    {"div", Compare::Leaves, twoTuples, onTuples<tupleDiv>, 90},
    {"mod", Compare::Leaves, twoTuples, onTuples<tupleMod>, 90},
    {"ceil_div", Compare::Leaves, twoTuples, onTuples<ceilDiv>, 90},
    {"ceil_div by a number", Compare::Leaves, shapeAndNumber, onTuples<ceilDiv>,
     90},
    {"shape_div", Compare::Leaves, shapeAndNumber, onTuples<shapeDiv>, 20},
    {"elem_less", Compare::Leaves, twoTuples,
     [](Arith &arith, const Trees &t) -> Trees {
       return {elemLess(arith, t[0], t[1])};
     },
     90},
    {"equal", Compare::Leaves, twoTuples,
     [](Arith &arith, const Trees &t) -> Trees {
       return {equal(arith, t[0], t[1])};
     },
     90},
    {"min, max and the other comparisons", Compare::Leaves, pairOfNumbers,
     [](Arith &arith, const Trees &t) -> Trees {
       Int a = t[0].at(0).leaf(), b = t[0].at(1).leaf();
       Int lessOrEqual = arith.lessEqual(a, b), more = arith.greater(a, b);
       return {arith.min(a, b),
               arith.max(a, b),
               lessOrEqual,
               more,
               arith.greaterEqual(a, b),
               arith.notEqual(a, b),
               arith.logicalNot(more),
               arith.logicalOr(lessOrEqual, more),
               arith.logicalAnd(lessOrEqual, more)};
     },
     90},
    {"product", Compare::Leaves, shapeOnly,
     [](Arith &arith, const Trees &t) -> Trees {
       return {product(arith, t[0])};
     },
     90},
    {"product_each", Compare::Leaves, shapeOnly,
     [](Arith &arith, const Trees &t) -> Trees {
       return {productEach(arith, t[0])};
     },
     90},
    {"product_like", Compare::Leaves, shapeOnly,
     [](Arith &arith, const Trees &t) -> Trees {
       std::vector<IntTuple> guide(t[0].rank(), IntTuple(1));
       return {
           productLike(arith, t[0],
                       t[0].isLeaf() ? IntTuple(1) : IntTuple::tuple(guide)),
           productLike(arith, t[0], IntTuple(1))};
     },
     90},
    {"get, take, select, group, append and prepend", Compare::Leaves, twoTuples,
     [](Arith &arith, const Trees &t) -> Trees {
       IntTuple pair = IntTuple::tuple(t);
       return {get(arith, pair, {1}),
               take(arith, pair, 0, -1),
               select(arith, pair, {1, 0, 1}),
               group(arith, pair, 0, 1),
               append(arith, pair, t[0], 4),
               prepend(arith, pair, t[1], std::nullopt)};
     },
     90},
    {"slice and dice", Compare::Leaves, layoutAndCoord,
     [](Arith &arith, const Trees &t) -> Trees {
       if (t[2].isLeaf())
         return {slice(arith, t[0], IntTuple(Int()))};
       std::vector<IntTuple> modes(t[2].elements());
       modes.front() = IntTuple(Int());
       IntTuple coord = IntTuple::tuple(modes);
       if (modes.size() == 1)
         return {slice(arith, t[0], coord)};
       AnyLayout chain = ComposedLayout{InnerMap(Swizzle{2, 1, 3}), IntTuple(6),
                                        AnyLayout(layoutOf(t))};
       AnyLayout kept = slice(arith, chain, coord);
       Layout cut = dice(arith, layoutOf(t), coord);
       if (arith.failed())
         return {};
       return {kept.composed().offset, kept.linear().shape,
               kept.linear().stride, cut.shape, cut.stride};
     },
     90},
    {"size and cosize", Compare::Leaves, oneLayout,
     [](Arith &arith, const Trees &t) -> Trees {
       return {size(arith, layoutOf(t)), cosize(arith, layoutOf(t)),
               coshape(arith, layoutOf(t)), coprofile(arith, layoutOf(t))};
     },
     90},
    {"crd2idx", Compare::Leaves, layoutAndCoord,
     [](Arith &arith, const Trees &t) -> Trees {
       return {crd2idx(arith, t[2], layoutOf(t))};
     },
     90},
    {"crd2idx with basis strides", Compare::Leaves, basisAndCoord,
     [](Arith &arith, const Trees &t) -> Trees {
       return {crd2idx(arith, t[2], layoutOf(t)), coshape(arith, layoutOf(t))};
     },
     80},
    {"crd2idx of a composed layout", Compare::Leaves, layoutAndCoord,
     [](Arith &arith, const Trees &t) -> Trees {
       AnyLayout whole = ComposedLayout{InnerMap(Swizzle{2, 1, 3}), IntTuple(6),
                                        AnyLayout(layoutOf(t))};
       return {crd2idx(arith, t[2], whole)};
     },
     90},
    {"crd2idx of a chain", Compare::Leaves, layoutAndCoord,
     [](Arith &arith, const Trees &t) -> Trees {
       AnyLayout below = ComposedLayout{InnerMap(readLayout("1000:3")),
                                        IntTuple(5), AnyLayout(layoutOf(t))};
       AnyLayout whole = ComposedLayout{InnerMap(Swizzle{3, 0, 3}),
                                        IntTuple(16), std::move(below)};
       return {crd2idx(arith, t[2], whole)};
     },
     90},
    {"idx2crd", Compare::Leaves, layoutAndIndex,
     [](Arith &arith, const Trees &t) -> Trees {
       return {idx2crd(arith, t[2], layoutOf(t)),
               flatCoord(arith, t[2], layoutOf(t)),
               oneDimCoord(arith, t[2], layoutOf(t))};
     },
     90},
    {"swizzle", Compare::Leaves, numberOnly,
     [](Arith &arith, const Trees &t) -> Trees {
       return {applySwizzle(arith, Swizzle{3, 2, 4}, t[0]),
               applySwizzle(arith, Swizzle{2, 0, 0}, t[0])};
     },
     90},
    {"coordinate swizzle", Compare::Leaves, pairOfNumbers,
     [](Arith &arith, const Trees &t) -> Trees {
       return {applyCoordSwizzle(arith, {3, 2, {0}, 1, {1}}, t[0]),
               applyCoordSwizzle(arith, {2, 0, {1}, 0, {0}}, t[0])};
     },
     90},
    {"coalesce", Compare::Function, oneLayout, onLayout<coalesce>, 90},
    {"coalesce by a pattern", Compare::Function, oneLayout,
     [](Arith &arith, const Trees &t) {
       return treesOf(coalesce(arith, layoutOf(t), IntTuple::of({1, 1})));
     },
     90},
    {"composition", Compare::Function, twoLayouts, onLayouts<composition>, 20},
    {"composition with basis strides", Compare::Function, layoutAndBasisLayout,
     onLayouts<composition>, 20},
    {"composition by a tile", Compare::Function, oneLayout, byTile<composition>,
     30},
    {"complement", Compare::Prefix, gapped,
     [](Arith &arith, const Trees &t) {
       return treesOf(complement(arith, layoutOf(t), IntTuple(480)));
     },
     15},
    {"right_inverse", Compare::Prefix, oneLayout, onLayout<rightInverse>, 90},
    {"left_inverse", Compare::TypesOnly, oneLayout, onLayout<leftInverse>, 90},
    {"recast", Compare::Function, gapped,
     [](Arith &arith, const Trees &t) {
       return treesOf(recast(arith, AnyLayout(layoutOf(t)), 16, 8).plain());
     },
     5},
    {"recast to narrower", Compare::TypesOnly, gapped,
     [](Arith &arith, const Trees &t) {
       return treesOf(recast(arith, AnyLayout(layoutOf(t)), 8, 16).plain());
     },
     90},
    {"logical_divide by a layout", Compare::Prefix, twoLayouts,
     byLayout<logicalDivide>, 10},
    {"logical_divide", Compare::Function, oneLayout, byTile<logicalDivide>, 30},
    {"zipped_divide", Compare::Function, oneLayout, byTile<zippedDivide>, 30},
    {"tiled_divide", Compare::Function, oneLayout, byTile<tiledDivide>, 30},
    {"flat_divide", Compare::Function, oneLayout, byTile<flatDivide>, 30},
    {"logical_product", Compare::Function, twoLayouts,
     onLayouts<logicalProduct>, 10},
    {"zipped_product", Compare::Function, twoLayouts, onLayouts<zippedProduct>,
     10},
    {"tiled_product", Compare::Function, twoLayouts, onLayouts<tiledProduct>,
     10},
    {"flat_product", Compare::Function, twoLayouts, onLayouts<flatProduct>, 10},
    {"blocked_product", Compare::Function, twoLayouts,
     onLayouts<blockedProduct>, 5},
    {"raked_product", Compare::Function, twoLayouts, onLayouts<rakedProduct>,
     5},
    {"tile_to_shape", Compare::Function, blockAndTarget,
     [](Arith &arith, const Trees &t) {
       return treesOf(
           tileToShape(arith, layoutOf(t), t[2], IntTuple::of({1, 0})));
     },
     20},
    {"make_ordered_layout", Compare::TypesOnly, shapeAndOrder,
     [](Arith &arith, const Trees &t) {
       return treesOf(makeOrderedLayout(arith, t[0], t[1]));
     },
     90},
    {"make_layout_like", Compare::TypesOnly, oneLayout,
     onLayout<makeLayoutLike>, 80},
    {"make_fragment_layout_like", Compare::TypesOnly, gapped,
     onLayout<makeFragmentLayoutLike>, 5},
    {"make_identity_layout", Compare::Leaves, shapeOnly,
     [](Arith &arith, const Trees &t) {
       return treesOf(makeIdentityLayout(arith, t[0]));
     },
     90},
    {"tiled copy", Compare::Partition, tensorAndThread,
     [](Arith &arith, const Trees &t) {
       return treesOf(copyPartition(arith, tiledCopy(), CopySide::Source,
                                    layoutOf(t), t[2]));
     },
     20},
    {"tiled MMA", Compare::Partition, tensorAndThread,
     [](Arith &arith, const Trees &t) {
       return treesOf(
           mmaPartition(arith, tiledMma(), MmaOperand::A, layoutOf(t), t[2]));
     },
     20},
    {"retile", Compare::Function, fragmentOfFour,
     [](Arith &arith, const Trees &t) {
       return treesOf(copyRetile(arith, tiledCopy(), layoutOf(t)));
     },
     20},
    {"fragment and shape of a tiled MMA", Compare::TypesOnly, tensorAndThread,
     [](Arith &arith, const Trees &t) -> Trees {
       Layout fragment = mmaFragment(arith, tiledMma(), MmaOperand::A,
                                     layoutOf(t), std::nullopt);
       return {fragment.shape, fragment.stride,
               mmaPartitionShape(arith, tiledMma(), MmaOperand::C, t[0])};
     },
     10},
};

/// A number that divides `value`; 1 often.
int64_t promise(Random &random, int64_t value) {
  if (value == 0)
    return random.between(1, 8);
  int64_t best = 1;
  for (int64_t d : {2, 3, 4, 8, 16})
    if (value % d == 0 && random.chance(40))
      best = d;
  return best;
}

} // namespace

llvm::ArrayRef<Square> fly::layout::laws::everySquare() { return squares; }

Trees fly::layout::laws::hideLeaves(
    const Trees &known, Random &random,
    llvm::function_ref<Int(int64_t, unsigned, int64_t)> hide) {
  unsigned share = random.pick<unsigned>({0, 20, 50, 100});
  Trees hidden;
  for (const IntTuple &operand : known)
    hidden.push_back(operand.mapLeaves([&](const IntTuple &leaf) {
      if (!random.chance(share))
        return leaf;
      int64_t value = leaf.leaf().value();
      Int name =
          hide(value, random.chance(30) ? 64 : 32, promise(random, value));
      return leaf.isBasis() ? IntTuple::basis(name, leaf.modes())
                            : IntTuple(name);
    }));
  return hidden;
}

IntTuple fly::layout::laws::nameless(const IntTuple &t) {
  return t.mapLeaves([](const IntTuple &leaf) {
    if (leaf.isStatic())
      return leaf;
    Int value = Int::unknown(leaf.leaf().width(), leaf.leaf().divisor());
    return leaf.isBasis() ? IntTuple::basis(value, leaf.modes())
                          : IntTuple(value);
  });
}
