// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function on operands that make no sense: incongruent, negative, zero,
// huge, unknown, none, of the wrong rank, deep. Each answers or refuses with a
// message; under a sanitizer this is the test of totality.

#include "Laws.h"
#include "fly/Layout/TraceArith.h"
#include "fly/Layout/Views.h"

#include "llvm/ADT/StringExtras.h"

using namespace fly::layout;
using namespace fly::layout::laws;

namespace {

Int wildInt(Random &random) {
  switch (random.between(0, 11)) {
  case 0:
    return Int();
  case 1:
    return Int::unknown(32, random.between(1, 8));
  case 2:
    return Int::unknown(64, random.between(1, int64_t(1) << 62));
  case 3:
    return Int::known(random.between(INT64_MIN, INT64_MAX));
  case 4:
    return Int::known(random.pick<int64_t>(
        {INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX, -1, int64_t(1) << 32}));
  case 5:
    return Int::known(0);
  default:
    return Int::known(random.between(-4, 16));
  }
}

IntTuple wildLeaf(Random &random) {
  if (random.chance(85))
    return wildInt(random);
  std::vector<int32_t> path;
  for (int64_t i = 0, e = random.between(1, 3); i != e; ++i)
    path.push_back(random.chance(90) ? random.between(0, 3)
                                     : random.between(INT32_MIN, INT32_MAX));
  return IntTuple::basis(wildInt(random), path);
}

IntTuple wildTuple(Random &random) {
  return randomTuple(random, random.between(0, 4), 0, 0)
      .mapLeaves([&](const IntTuple &) { return wildLeaf(random); });
}

Layout wildLayout(Random &random) {
  IntTuple shape = wildTuple(random);
  if (random.chance(5))
    return {shape, wildTuple(random)};
  // Mostly positive sizes, so that algorithms get past their first checks.
  if (random.chance(60))
    shape = shape.mapLeaves(
        [&](const IntTuple &) { return IntTuple(random.between(1, 12)); });
  return {shape,
          shape.mapLeaves([&](const IntTuple &) { return wildLeaf(random); })};
}

AnyLayout wildAny(Random &random, unsigned depth) {
  if (depth == 0 || random.chance(50))
    return wildLayout(random);
  auto small = [&] { return static_cast<int32_t>(random.between(-2, 40)); };
  InnerMap inner;
  switch (random.between(0, 2)) {
  case 0:
    inner = Swizzle{small(), small(), small()};
    break;
  case 1:
    inner = CoordSwizzle{small(), small(), {small()}, small(), {small()}};
    break;
  default:
    inner = wildAny(random, depth - 1);
  }
  return ComposedLayout{inner, wildTuple(random), wildAny(random, depth - 1)};
}

Tile wildTile(Random &random, unsigned depth) {
  if (depth == 0 || random.chance(50))
    return random.chance(70) ? Tile(wildInt(random)) : Tile(wildLayout(random));
  std::vector<Tile> elements;
  for (int64_t i = 0, e = random.between(1, 4); i != e; ++i)
    elements.push_back(wildTile(random, depth - 1));
  return Tile::list(elements);
}

llvm::SmallVector<int32_t> wildPath(Random &random) {
  llvm::SmallVector<int32_t> path;
  for (int64_t i = 0, e = random.between(0, 4); i != e; ++i)
    path.push_back(random.chance(80) ? random.between(-1, 4)
                                     : random.between(INT32_MIN, INT32_MAX));
  return path;
}

constexpr unsigned numFunctions = 24;

/// Function `which` on random operands.
void runWild(Arith &arith, Random &random, unsigned which) {
  IntTuple s = wildTuple(random), t = wildTuple(random);
  Layout l = wildLayout(random), m = wildLayout(random);
  AnyLayout any = wildAny(random, 2);
  Tile tile = wildTile(random, 2);
  llvm::SmallVector<int32_t> path = wildPath(random);
  int32_t i = random.between(-2, 5), j = random.between(-2, 5);
  std::optional<int32_t> rank;
  if (random.chance(50))
    rank = random.chance(70) ? random.between(-1, 6)
                             : random.between(INT32_MIN, INT32_MAX);
  switch (which) {
  case 0:
    tupleAdd(arith, s, t), tupleSub(arith, s, t), tupleMul(arith, s, t);
    return;
  case 1:
    tupleDiv(arith, s, t), tupleMod(arith, s, t), codomainAdd(arith, s, t);
    return;
  case 2:
    ceilDiv(arith, s, t), shapeDiv(arith, s, t), productLike(arith, s, t);
    return;
  case 3:
    elemLess(arith, s, t), equal(arith, s, t), productEach(arith, s);
    return;
  case 4:
    get(arith, any, path), take(arith, any, i, j), group(arith, any, i, j);
    return;
  case 5:
    select(arith, any, path), append(arith, any, m, rank);
    return;
  case 6:
    prepend(arith, any, m, rank), slice(arith, any, s), dice(arith, l, s);
    return;
  case 7:
    zip(arith, s, t), zip2By(arith, s, t), expand(l, path), filterZero(s, t);
    return;
  case 8:
    size(arith, l), coprofile(arith, l), cosize(arith, l);
    return;
  case 9:
    crd2idx(arith, s, any), idx2crd(arith, s, l);
    return;
  case 10:
    flatCoord(arith, s, l), oneDimCoord(arith, s, l);
    return;
  case 11:
    coalesce(arith, l), coalesce(arith, l, s), normalize(l);
    return;
  case 12:
    composition(arith, l, m);
    return;
  case 13:
    composition(arith, l, tile);
    return;
  case 14:
    complement(arith, l), complement(arith, l, s);
    return;
  case 15:
    rightInverse(arith, l), leftInverse(arith, l);
    return;
  case 16:
    recast(arith, any, random.between(-8, 64), random.between(-8, 64));
    return;
  case 17:
    upcast(arith, l, random.between(-3, 9)), downcast(arith, l, i);
    return;
  case 18:
    flatDivide(arith, l, random.chance(50) ? Tile(m) : tile);
    tiledDivide(arith, l, tile);
    return;
  case 19:
    flatProduct(arith, l, m), blockedProduct(arith, l, m);
    return;
  case 20:
    rakedProduct(arith, l, m), tileToShape(arith, l, s, t);
    return;
  case 21:
    makeOrderedLayout(arith, s, t), makeLayoutLike(arith, l);
    makeFragmentLayoutLike(arith, l), makeIdentityLayout(arith, s);
    return;
  case 22: {
    TiledCopyLayouts copy = {
        {l, m, wildLayout(random)}, wildLayout(random), tile};
    copyPartition(arith, copy, CopySide::Source, any.linear(), s);
    copyRetile(arith, copy, any.linear());
    return;
  }
  case 23: {
    TiledMmaLayouts mma = {
        {s, l, m, wildLayout(random), m}, wildLayout(random), tile};
    mmaPartition(arith, mma, MmaOperand::B, any.linear(), t);
    mmaFragment(arith, mma, MmaOperand::C, any.linear(), rank);
    gemmOrder(arith, l, i, j, 3, random.chance(50));
    return;
  }
  }
}

TEST(Robustness, EveryFunctionIsTotal) {
  unsigned refused = 0;
  for (unsigned which = 0; which != numFunctions; ++which) {
    SCOPED_TRACE("function " + std::to_string(which));
    forEachCase([&](Random &random) {
      StaticArith fold;
      TypeArith types;
      TraceArith trace;
      Arith *all[] = {&fold, &types, &trace};
      Arith &arith = *all[random.between(0, 2)];
      runWild(arith, random, which);
      if (!arith.failed())
        return;
      ++refused;
      ASSERT_FALSE(arith.message().empty());
      ASSERT_FALSE(llvm::isUpper(arith.message().front())) << arith.message();
      ASSERT_NE(arith.message().back(), '.') << arith.message();
    });
  }
  EXPECT_GE(refused, numCases);
}

/// No function takes time that grows with more than the size of its operands.
TEST(Robustness, DepthIsCheap) {
  std::string shape = "2", stride = "1";
  for (int i = 0; i != 200; ++i) {
    shape = "(" + shape + ",1)";
    stride = "(" + stride + ",0)";
  }
  Layout deep = readLayout(shape + ":" + stride);
  StaticArith arith;
  EXPECT_EQ(coalesce(arith, deep).str(), "2:1");
  EXPECT_EQ(composition(arith, Layout{IntTuple(8), IntTuple(3)}, deep).depth(),
            200u);
  EXPECT_TRUE(crd2idx(arith, IntTuple(1), deep).isKnown(1));
  EXPECT_EQ(complement(arith, deep, IntTuple(6)).str(), "3:2");
  EXPECT_EQ(rightInverse(arith, deep).str(), "2:1");
  EXPECT_EQ(oneDimCoord(arith, IntTuple(1), deep).str(), "1");
  EXPECT_EQ(
      logicalProduct(arith, deep, Layout{IntTuple(3), IntTuple(1)}).at(1).str(),
      "3:2");
  EXPECT_FALSE(arith.failed()) << arith.message();
}

/// Thousands of modes are no trouble either.
TEST(Robustness, WidthIsCheap) {
  std::vector<IntTuple> shapes(20000, IntTuple(1)), strides;
  for (int64_t i = 0; i != 20000; ++i)
    strides.push_back(IntTuple(i));
  shapes[77] = IntTuple(5);
  Layout wide = {IntTuple::tuple(shapes), IntTuple::tuple(strides)};
  StaticArith arith;
  EXPECT_EQ(coalesce(arith, wide).str(), "5:77");
  EXPECT_TRUE(crd2idx(arith, IntTuple(4), wide).isKnown(308));
  EXPECT_EQ(rightInverse(arith, wide).str(), "1:0");
  Layout like = makeLayoutLike(arith, wide);
  EXPECT_TRUE(like.at(77).stride.isKnown(1)) << like.at(77).str();
  EXPECT_FALSE(arith.failed()) << arith.message();
}

} // namespace
