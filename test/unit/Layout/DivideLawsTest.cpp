// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of divides and products: by their definitions, and that the zipped,
// tiled, flat, blocked and raked forms only regroup modes.

#include "Laws.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;
using namespace fly::layout::laws;

namespace {

/// A(B(i) + K(j)) for every i of the tile and j of the rest.
TEST(DivideLaws, DivideByALayout) {
  unsigned accepted = 0;
  forEachCase([&](Random &random) {
    Layout a = mixedLayout(random, 4, 256);
    Layout b = gappedLayout(random, 2, 16);
    StaticArith arith;
    Layout result = logicalDivide(arith, a, b);
    Layout rest = complement(arith, b, size(arith, a));
    if (arith.failed())
      return;
    ++accepted;
    ASSERT_EQ(result.rank(), 2u);
    std::vector<int64_t> tile = table(result.at(0)), gaps = table(result.at(1));
    std::vector<Digit> outer = digits(a);
    ASSERT_EQ(tile.size(), size_t(numPoints(b)));
    ASSERT_EQ(gaps.size(), size_t(numPoints(rest)));
    for (size_t i = 0; i != tile.size(); ++i)
      if (digits(b).size() == 1) {
        ASSERT_EQ(tile[i], valueAt(outer, valueAt(b, i)))
            << a.str() << " by " << b.str();
      }
    // Nothing is lost: in an exact divide every element occurs once.
    if (int64_t(tile.size() * gaps.size()) != numPoints(a))
      return;
    std::vector<int64_t> sums, all = table(a);
    for (int64_t x : tile)
      for (int64_t y : gaps)
        sums.push_back(x + y);
    llvm::sort(sums);
    llvm::sort(all);
    ASSERT_EQ(sums, all) << a.str() << " by " << b.str() << " is "
                         << result.str();
  });
  EXPECT_GE(accepted * 5, numCases);
}

/// Mode i of a by-mode divide is the divide of mode i; the tile of n counts
/// off runs of n, a ragged end is rounded up.
TEST(DivideLaws, DivideByATileOfNumbers) {
  forEachCase([](Random &random) {
    std::vector<int64_t> sizes = extents(random, 3, 512);
    std::vector<Digit> modes;
    for (int64_t extent : sizes)
      modes.push_back({extent, random.between(0, 40)});
    std::vector<IntTuple> shapes, strides;
    std::vector<Tile> tiles;
    for (Digit mode : modes) {
      shapes.push_back(IntTuple(mode.extent));
      strides.push_back(IntTuple(mode.stride));
      if (tiles.empty() || random.chance(70))
        tiles.push_back(Tile(Int::known(random.between(1, 6))));
    }
    // Elements of the tile belong to the first modes.
    Layout a = {IntTuple::tuple(shapes), IntTuple::tuple(strides)};
    Tile tile = Tile::list(tiles);
    StaticArith arith;
    Layout logical = logicalDivide(arith, a, tile);
    Layout zipped = zippedDivide(arith, a, tile);
    Layout tiled = tiledDivide(arith, a, tile);
    Layout flat = flatDivide(arith, a, tile);
    ASSERT_FALSE(arith.failed()) << arith.message();
    ASSERT_EQ(logical.rank(), a.rank());
    ASSERT_EQ(zipped.rank(), 2u);
    ASSERT_EQ(zipped.at(0).rank(), tile.rank());
    ASSERT_EQ(zipped.at(1).rank(), a.rank());
    ASSERT_EQ(tiled.rank(), 1 + a.rank());
    ASSERT_EQ(flat.rank(), tile.rank() + a.rank());
    for (unsigned i = 0; i != a.rank(); ++i) {
      Layout inTile = i < tile.rank() ? zipped.at(0).at(i) : Layout{1, 0};
      Layout rest = zipped.at(1).at(i);
      ASSERT_EQ(tiled.at(1 + i), rest);
      ASSERT_EQ(flat.at(tile.rank() + i), rest);
      if (i < tile.rank()) {
        ASSERT_EQ(logical.at(i).at(0), inTile);
        ASSERT_EQ(logical.at(i).at(1), rest);
        ASSERT_EQ(flat.at(i), inTile);
        int64_t n = tile.at(i).leaf().value();
        ASSERT_EQ(numPoints(inTile), n);
        ASSERT_EQ(numPoints(rest), (sizes[i] + n - 1) / n);
        for (int64_t x = 0; x != n; ++x)
          for (int64_t y = 0; y != numPoints(rest); ++y)
            ASSERT_EQ(valueAt(inTile, x) + valueAt(rest, y),
                      (x + n * y) * modes[i].stride)
                << a.str() << " by " << tile.str();
      } else {
        ASSERT_EQ(rest, a.at(i));
      }
    }
  });
}

/// Copies of the block are disjoint, and lie in the tiler's order.
TEST(DivideLaws, ProductsRepeatTheBlock) {
  unsigned accepted = 0, additive = 0;
  forEachCase([&](Random &random) {
    Layout a = gappedLayout(random, 3, 32);
    Layout b = gappedLayout(random, 3, 32);
    StaticArith arith;
    Layout result = logicalProduct(arith, a, b);
    if (arith.failed())
      return;
    ++accepted;
    ASSERT_EQ(result.rank(), 2u);
    ASSERT_EQ(table(result.at(0)), table(a)) << result.str();
    // The tiler's modes may carry into one another inside the complement; the
    // result is then defined mode by mode only.
    Layout free = complement(
        arith, a, IntTuple(numPoints(a) * cosize(arith, b).leaf().value()));
    for (int64_t i = 0; i != numPoints(b); ++i)
      if (valueAt(result.at(1), i) != valueAt(free, valueAt(b, i)))
        return;
    ++additive;
    std::vector<int64_t> whole = table(result);
    ASSERT_TRUE(injective(whole))
        << a.str() << " times " << b.str() << " is " << result.str();
    std::vector<int64_t> places = table(result.at(1)), order = table(b);
    for (size_t i = 0; i != places.size(); ++i)
      for (size_t j = 0; j != i; ++j)
        ASSERT_EQ(places[i] < places[j], order[i] < order[j])
            << a.str() << " times " << b.str() << " is " << result.str();
    ASSERT_EQ(table(tiledProduct(arith, a, b)), whole);
    ASSERT_EQ(table(flatProduct(arith, a, b)), whole);
  });
  EXPECT_GE(accepted * 3, numCases);
  EXPECT_GE(additive * 4, numCases);
}

/// With a compact block and tiler the product is compact: a bijection.
TEST(DivideLaws, ProductOfCompactLayoutsIsCompact) {
  forEachCase([](Random &random) {
    Layout a = compactLayout(random, 3, 32), b = compactLayout(random, 3, 32);
    StaticArith arith;
    Layout result = logicalProduct(arith, a, b);
    ASSERT_FALSE(arith.failed()) << arith.message();
    std::vector<int64_t> values = table(result);
    llvm::sort(values);
    for (size_t i = 0; i != values.size(); ++i)
      ASSERT_EQ(values[i], int64_t(i)) << a.str() << " times " << b.str();
  });
}

/// A tuple of `rank` plain modes, so that modes are what they seem.
Layout plainModes(Random &random, unsigned rank) {
  std::vector<int64_t> sizes(rank), order(rank);
  for (unsigned i = 0; i != rank; ++i) {
    sizes[i] = random.between(1, 4);
    order[i] = i;
  }
  random.shuffle(order);
  StaticArith arith;
  Layout result =
      makeOrderedLayout(arith, IntTuple::of(sizes), IntTuple::of(order));
  return rank == 1 ? result.at(0) : result;
}

TEST(DivideLaws, BlockedAndRakedProductsZipTheModes) {
  forEachCase([](Random &random) {
    Layout a = plainModes(random, random.between(1, 3));
    Layout b = plainModes(random, random.between(1, 3));
    StaticArith arith;
    Layout blocked = blockedProduct(arith, a, b);
    Layout raked = rakedProduct(arith, a, b);
    ASSERT_FALSE(arith.failed()) << arith.message();
    unsigned rank = std::max(a.rank(), b.rank());
    ASSERT_EQ(blocked.rank(), rank == 1 ? 2 : rank);
    std::vector<int64_t> first = table(blocked), second = table(raked);
    ASSERT_TRUE(injective(first));
    llvm::sort(first);
    llvm::sort(second);
    ASSERT_EQ(first, second) << a.str() << " times " << b.str();
    if (rank == 1)
      return;
    for (unsigned i = 0; i != rank; ++i) {
      ASSERT_EQ(blocked.at(i).at(0), raked.at(i).at(1));
      ASSERT_EQ(blocked.at(i).at(1), raked.at(i).at(0));
      ASSERT_EQ(numPoints(blocked.at(i).at(0)),
                i < a.rank() ? numPoints(a.at(i)) : 1);
      ASSERT_EQ(numPoints(blocked.at(i).at(1)),
                i < b.rank() ? numPoints(b.at(i)) : 1);
    }
  });
}

TEST(DivideLaws, TileToShapeCoversTheShape) {
  forEachCase([](Random &random) {
    unsigned rank = random.between(1, 3);
    Layout block = plainModes(random, rank);
    std::vector<int64_t> target, order;
    for (unsigned i = 0; i != rank; ++i) {
      target.push_back(numPoints(block.at(i)) * random.between(1, 4));
      order.push_back(i);
    }
    random.shuffle(order);
    IntTuple shape = rank == 1 ? IntTuple(target[0]) : IntTuple::of(target);
    IntTuple by = rank == 1 ? IntTuple(0) : IntTuple::of(order);
    StaticArith arith;
    Layout result = tileToShape(arith, block, shape, by);
    ASSERT_FALSE(arith.failed()) << arith.message();
    std::vector<int64_t> values = table(result);
    int64_t points = 1;
    for (int64_t extent : target)
      points *= extent;
    ASSERT_EQ(int64_t(values.size()), points);
    ASSERT_TRUE(injective(values)) << result.str();
    ASSERT_EQ(*llvm::max_element(values) + 1, points);
    if (rank > 1)
      for (unsigned i = 0; i != rank; ++i)
        ASSERT_EQ(numPoints(result.at(i)), target[i]);
  });
}

TEST(DivideLaws, RefusalsNameBothSides) {
  const char *cases[][3] = {
      {"(12,10):(10,1)", "[3|5|7]",
       "has 3 modes, the layout (12,10):(10,1) has 2"},
      {"(12,10):(10,1)", "[*|5]", "leaves no pair to split"},
      {"(12,10):(10,1)", "[?|5]", "must be static"},
      {"(6,6):(6,1)", "4:9", "does not divide stride 9"},
      {"(12,10):(10,1)", "[0|5]", "at least"}};
  for (auto &[layout, tile, fragment] : cases) {
    TypeArith arith;
    zippedDivide(arith, readLayout(layout), readTile(tile));
    EXPECT_TRUE(arith.failed()) << layout << " by " << tile;
    if (llvm::StringRef(tile) != "[0|5]") {
      EXPECT_NE(arith.message().find(fragment), std::string::npos)
          << layout << " by " << tile << ": " << arith.message();
    }
  }
}

} // namespace
