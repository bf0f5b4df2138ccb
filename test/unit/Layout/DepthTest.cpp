// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts that are nested 64 deep. Each function answers what it answers for
// the same layout written flat; one whose time doubled with each level would
// never come back.

#include "Reading.h"
#include "fly/Layout/Algebra.h"

using namespace fly::layout;

namespace {

constexpr unsigned depth = 64;

enum class Spine { Left, Right };

/// A tuple of this depth: at each level a leaf beside all that is deeper. Leaf
/// `i` counts from the deepest.
IntTuple deepTuple(Spine spine, llvm::function_ref<IntTuple(unsigned)> leaf) {
  IntTuple tuple = leaf(0);
  for (unsigned i = 1; i <= depth; ++i)
    tuple = spine == Spine::Left ? IntTuple::tuple({tuple, leaf(i)})
                                 : IntTuple::tuple({leaf(i), tuple});
  return tuple;
}

/// Extent 2 at every sixteenth level, 1 elsewhere: 32 elements.
IntTuple deepShape(Spine spine) {
  return deepTuple(spine,
                   [](unsigned i) { return IntTuple(i % 16 == 0 ? 2 : 1); });
}

class DepthTest : public testing::TestWithParam<Spine> {
protected:
  Layout deep() {
    IntTuple shape = deepShape(GetParam());
    return {shape, compactStrides(arith, shape, Int::known(1))};
  }
  void TearDown() override { EXPECT_FALSE(arith.failed()) << arith.message(); }
  StaticArith arith;
};

TEST_P(DepthTest, Text) {
  Layout layout = deep();
  EXPECT_EQ(layout.depth(), depth);
  EXPECT_EQ(layout.shape.numLeaves(), depth + 1);
  EXPECT_EQ(readLayout(layout.str()), layout);
  EXPECT_EQ(readTuple(layout.shape.str()), layout.shape);
  EXPECT_TRUE(congruent(layout.shape, layout.stride));
  EXPECT_TRUE(weaklyCongruent(IntTuple(1), layout.shape));
}

TEST_P(DepthTest, Maps) {
  Layout layout = deep();
  EXPECT_EQ(size(arith, layout), IntTuple(32));
  EXPECT_EQ(cosize(arith, layout), IntTuple(32));
  EXPECT_EQ(coprofile(arith, layout), IntTuple(0));
  for (int64_t i = 0; i < 32; ++i) {
    IntTuple coord = idx2crd(arith, i, layout);
    EXPECT_TRUE(congruent(coord, layout.shape));
    EXPECT_EQ(crd2idx(arith, coord, layout), IntTuple(i));
    EXPECT_EQ(crd2idx(arith, i, layout), IntTuple(i));
    EXPECT_EQ(columnMajorIndex(arith, coord, layout.shape), IntTuple(i));
    EXPECT_EQ(oneDimCoord(arith, i, layout), IntTuple(i));
    EXPECT_EQ(flatCoord(arith, i, layout).rank(), 2u);
  }
}

TEST_P(DepthTest, Structure) {
  Layout layout = deep();
  bool isLeft = GetParam() == Spine::Left;
  std::vector<int32_t> path(depth, isLeft ? 0 : 1);
  EXPECT_EQ(get(arith, layout.shape, path), IntTuple(2));
  IntTuple keepAll =
      layout.shape.mapLeaves([](const IntTuple &) { return IntTuple(Int()); });
  EXPECT_EQ(slice(arith, layout.shape, keepAll).numLeaves(), depth + 1);
  IntTuple keepOne = deepTuple(
      GetParam(), [](unsigned i) { return i == 0 ? IntTuple() : IntTuple(0); });
  EXPECT_EQ(slice(arith, layout.shape, keepOne), IntTuple(2));
  EXPECT_EQ(dice(arith, layout.shape, keepOne).numLeaves(), depth);
  EXPECT_EQ(group(arith, layout.shape, 0, 2).depth(), depth + 1);
  EXPECT_EQ(append(arith, layout.shape, layout.shape, 4).rank(), 4u);
  EXPECT_EQ(zip(arith, layout.shape, layout.shape).rank(), 2u);
  EXPECT_EQ(filterZero(layout.stride, layout.shape), layout.shape);
  EXPECT_EQ(normalize(layout).shape, layout.shape);
}

TEST_P(DepthTest, Arithmetic) {
  IntTuple shape = deepShape(GetParam());
  IntTuple zeros = tupleSub(arith, shape, shape);
  EXPECT_TRUE(congruent(zeros, shape));
  EXPECT_EQ(tupleAdd(arith, shape, zeros), shape);
  EXPECT_EQ(tupleDiv(arith, tupleMul(arith, shape, shape), shape), shape);
  EXPECT_EQ(tupleMod(arith, shape, shape), zeros);
  EXPECT_EQ(ceilDiv(arith, shape, shape).numLeaves(), depth + 1);
  EXPECT_EQ(shapeDiv(arith, shape, shape).numLeaves(), depth + 1);
  EXPECT_EQ(product(arith, shape), IntTuple(32));
  EXPECT_EQ(product(arith, productEach(arith, shape)), IntTuple(32));
  EXPECT_EQ(productLike(arith, shape, shape), shape);
  EXPECT_TRUE(elemLess(arith, zeros, shape).is(1));
  EXPECT_TRUE(equal(arith, shape, shape).is(1));
}

TEST_P(DepthTest, Algebra) {
  Layout layout = deep();
  Layout flat = readLayout("32:1");
  EXPECT_EQ(coalesce(arith, layout), flat);
  EXPECT_EQ(coalesce(arith, layout, layout.shape).shape, layout.shape);
  EXPECT_EQ(coalesce(arith, composition(arith, layout, layout)), flat);
  EXPECT_EQ(composition(arith, layout, flat), flat);
  EXPECT_EQ(complement(arith, layout, IntTuple(64)), readLayout("2:32"));
  EXPECT_EQ(rightInverse(arith, layout), flat);
  EXPECT_EQ(leftInverse(arith, layout), flat);
  EXPECT_EQ(size(arith, downcast(arith, layout, 2)), IntTuple(64));
  for (auto divide : {logicalDivide, zippedDivide, tiledDivide, flatDivide})
    EXPECT_EQ(size(arith, divide(arith, layout, Tile(readLayout("4:1")))),
              IntTuple(32));
  for (auto multiply : {logicalProduct, zippedProduct, tiledProduct,
                        flatProduct, blockedProduct, rakedProduct})
    EXPECT_EQ(size(arith, multiply(arith, layout, readLayout("(2,2):(1,2)"))),
              IntTuple(128));
  IntTuple target = IntTuple::of({32, 32}), order = IntTuple::of({0, 1});
  EXPECT_EQ(size(arith, tileToShape(arith, layout, target, order)),
            IntTuple(1024));
}

TEST_P(DepthTest, Constructors) {
  Layout layout = deep();
  EXPECT_EQ(size(arith, makeOrderedLayout(arith, layout.shape, layout.stride)),
            IntTuple(32));
  EXPECT_EQ(makeLayoutLike(arith, layout).shape, layout.shape);
  EXPECT_EQ(size(arith, makeFragmentLayoutLike(arith, layout)), IntTuple(32));
  Layout identity = makeIdentityLayout(arith, layout.shape);
  EXPECT_EQ(identity.shape, layout.shape);
  EXPECT_TRUE(congruent(crd2idx(arith, 5, identity), layout.shape));
}

INSTANTIATE_TEST_SUITE_P(Spines, DepthTest,
                         testing::Values(Spine::Left, Spine::Right),
                         [](const auto &info) {
                           return info.param == Spine::Left ? "Left" : "Right";
                         });

// Chains of 64 layouts, in the inner and in the outer position.
TEST(ChainDepthTest, ComposedLayouts) {
  std::string inner = "32:1", outer = "32:1";
  for (unsigned i = 1; i < depth; ++i) {
    inner += " o 0 o 32:1";
    outer = "32:1 o 0 o " + std::string(i > 1 ? "[" : "") + outer +
            (i > 1 ? "]" : "");
  }
  for (const std::string &text : {inner, outer}) {
    AnyLayout chain = readAnyLayout(text);
    EXPECT_EQ(chain.str(), text);
    EXPECT_EQ(readAnyLayout(chain.str()), chain);
    EXPECT_TRUE(chain.isStatic());
    StaticArith arith;
    for (int64_t i = 0; i < 32; ++i)
      EXPECT_EQ(crd2idx(arith, i, chain), IntTuple(i));
    EXPECT_EQ(recast(arith, chain, 8, 16).rank(), 1u);
    EXPECT_EQ(chain.withLinear(readLayout("(4,8):(1,4)")).rank(), 2u);
    EXPECT_FALSE(arith.failed()) << arith.message();
  }
}

TEST(ChainDepthTest, Tiles) {
  std::string text = "4";
  for (unsigned i = 0; i < depth; ++i)
    text = "[" + text + "|*]";
  Tile tile = readTile(text);
  EXPECT_EQ(tile.str(), text);
  EXPECT_EQ(readTile(tile.str()), tile);
  StaticArith arith;
  IntTuple shape =
      deepTuple(Spine::Left, [](unsigned i) { return IntTuple(i ? 1 : 8); });
  Layout layout{shape, compactStrides(arith, shape, Int::known(1))};
  EXPECT_EQ(size(arith, composition(arith, layout, tile)), IntTuple(4));
  EXPECT_EQ(size(arith, logicalDivide(arith, layout, tile)), IntTuple(8));
  EXPECT_FALSE(arith.failed()) << arith.message();
}

} // namespace
