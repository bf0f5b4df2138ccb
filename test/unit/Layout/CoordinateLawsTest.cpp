// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of coordinate maps: crd2idx against digits walked by hand, its inverses,
// swizzles, composed layouts.

#include "Laws.h"

using namespace fly::layout;
using namespace fly::layout::laws;

namespace {

TEST(CoordinateLaws, IndexOfEveryCoordinate) {
  forEachCase([](Random &random) {
    Layout l = anyLayout(random, 5, 40, /*negative=*/true);
    StaticArith arith;
    for (int64_t i = 0, e = numPoints(l); i != e; ++i) {
      int64_t expected = valueAt(l, i);
      IntTuple byNumber = crd2idx(arith, IntTuple(i), l);
      IntTuple byTree = crd2idx(arith, coordinateAt(l.shape, i), l);
      ASSERT_TRUE(byNumber.isKnown(expected)) << i << " in " << l.str();
      ASSERT_TRUE(byTree.isKnown(expected)) << i << " in " << l.str();
    }
    // The last mode has no end.
    int64_t past = numPoints(l) + random.between(0, 50);
    ASSERT_TRUE(crd2idx(arith, IntTuple(past), l).isKnown(valueAt(l, past)));
    ASSERT_FALSE(arith.failed()) << arith.message();
  });
}

TEST(CoordinateLaws, CoordinateOfEveryIndex) {
  forEachCase([](Random &random) {
    Layout l = gappedLayout(random, 5, 40);
    StaticArith arith;
    for (int64_t i = 0, e = numPoints(l); i != e; ++i) {
      IntTuple index(valueAt(l, i));
      IntTuple coord = idx2crd(arith, index, l);
      ASSERT_EQ(coord, coordinateAt(l.shape, i)) << i << " in " << l.str();
      ASSERT_TRUE(oneDimCoord(arith, index, l).isKnown(i)) << l.str();
      IntTuple flat = flatCoord(arith, index, l);
      ASSERT_LE(flat.depth(), 1u);
      ASSERT_EQ(crd2idx(arith, flat, l), index) << flat.str() << l.str();
    }
    ASSERT_FALSE(arith.failed()) << arith.message();
  });
}

TEST(CoordinateLaws, IdentityGivesTheCoordinate) {
  forEachCase([](Random &random) {
    IntTuple shape = randomTuple(random, 3, 1, 4);
    StaticArith arith;
    Layout l = makeIdentityLayout(arith, shape);
    int64_t points = std::min<int64_t>(numPoints(l), 30);
    for (int64_t i = 0; i != points; ++i) {
      IntTuple coord = coordinateAt(shape, i);
      ASSERT_EQ(vectorOf(crd2idx(arith, coord, l)), vectorOf(coord))
          << coord.str() << " in " << l.str();
      ASSERT_EQ(vectorOf(crd2idx(arith, IntTuple(i), l)), vectorOf(coord));
    }
    ASSERT_FALSE(arith.failed()) << arith.message();
  });
}

TEST(CoordinateLaws, SwizzlesUndoThemselves) {
  forEachCase([](Random &random) {
    Swizzle s;
    s.mask = random.between(0, 5);
    s.base = random.between(0, 5);
    s.shift = random.between(s.mask, 10);
    StaticArith arith;
    for (int round = 0; round != 8; ++round) {
      int64_t x = random.between(-(int64_t(1) << 40), int64_t(1) << 40);
      Int once = arith.swizzle(Int::known(x), s.mask, s.base, s.shift);
      Int twice = arith.swizzle(once, s.mask, s.base, s.shift);
      ASSERT_TRUE(twice.is(x)) << x;
      // Only the target bits change, and the period commutes.
      int64_t target = ((int64_t(1) << s.mask) - 1) << s.base;
      ASSERT_EQ((once.value() ^ x) & ~target, 0) << x;
      Int later = arith.swizzle(Int::known(x + 3 * s.period()), s.mask, s.base,
                                s.shift);
      ASSERT_TRUE(later.is(once.value() + 3 * s.period())) << x;
    }
    ASSERT_FALSE(arith.failed()) << arith.message();
  });
}

TEST(CoordinateLaws, CoordinateSwizzlesUndoThemselves) {
  forEachCase([](Random &random) {
    CoordSwizzle s;
    s.mask = random.between(0, 5);
    s.rowBase = random.between(0, 5);
    s.colBase = random.between(0, 5);
    s.rowPath = {0};
    s.colPath = {1, static_cast<int32_t>(random.between(0, 1))};
    IntTuple coord =
        IntTuple::tuple({IntTuple(random.between(-100, 5000)),
                         IntTuple::of({random.between(-100, 5000),
                                       random.between(-100, 5000)})});
    StaticArith arith;
    IntTuple once = applyCoordSwizzle(arith, s, coord);
    ASSERT_EQ(applyCoordSwizzle(arith, s, once), coord) << coord.str();
    ASSERT_EQ(once.at(0), coord.at(0));
    int64_t moved = once.at(1).at(s.colPath[1]).leaf().value();
    int64_t column = coord.at(1).at(s.colPath[1]).leaf().value();
    int64_t row = coord.at(0).leaf().value();
    for (int bit = 0; bit != 20; ++bit) {
      bool inside = bit >= s.colBase && bit < s.colBase + s.mask;
      bool flips = inside && (row >> (bit - s.colBase + s.rowBase) & 1);
      ASSERT_EQ((moved >> bit & 1) != 0, ((column >> bit & 1) != 0) != flips);
    }
    ASSERT_FALSE(arith.failed()) << arith.message();
  });
}

/// inner(offset + outer(c)), level by level.
TEST(CoordinateLaws, ComposedLayoutsApplyTheirLevels) {
  forEachCase([](Random &random) {
    Layout outer = mixedLayout(random, 4, 64);
    Layout middle = gappedLayout(random, 3, 64);
    int64_t first = random.between(0, 40), second = random.between(0, 40);
    Swizzle s;
    s.mask = random.between(0, 3);
    s.base = random.between(0, 3);
    s.shift = random.between(3, 5);
    AnyLayout inside =
        ComposedLayout{InnerMap(AnyLayout(middle)), IntTuple(first), outer};
    AnyLayout whole = ComposedLayout{InnerMap(s), IntTuple(second), inside};
    StaticArith arith;
    for (int64_t i = 0, e = numPoints(outer); i != e; ++i) {
      int64_t x = second + valueAt(middle, first + valueAt(outer, i));
      int64_t bits = x >> (s.base + s.shift) & ((1 << s.mask) - 1);
      ASSERT_TRUE(
          crd2idx(arith, IntTuple(i), whole).isKnown(x ^ (bits << s.base)))
          << i << " in " << whole.str();
    }
    ASSERT_FALSE(arith.failed()) << arith.message();
    ASSERT_EQ(whole.linear(), outer);
  });
}

/// What a slice keeps, plus what it fixed, is the whole.
TEST(CoordinateLaws, SlicesOfLayoutsKeepTheFunction) {
  forEachCase([](Random &random) {
    Layout l = anyLayout(random, 5, 60);
    if (l.isLeaf())
      return;
    IntTuple fixed = coordinateAt(l.shape, random.between(0, numPoints(l) - 1));
    // Some leaves are kept, at least one.
    std::vector<bool> keep(fixed.numLeaves());
    for (size_t i = 0; i != keep.size(); ++i)
      keep[i] = random.chance(50);
    keep[random.between(0, keep.size() - 1)] = true;
    size_t next = 0;
    IntTuple coord = fixed.mapLeaves(
        [&](const IntTuple &leaf) { return keep[next++] ? IntTuple() : leaf; });
    StaticArith arith;
    AnyLayout kept = slice(arith, AnyLayout(l), coord);
    int64_t offset = crd2idx(arith, coord, l).leaf().value();
    AnyLayout shifted =
        ComposedLayout{InnerMap(Swizzle{}), IntTuple(7), AnyLayout(l)};
    AnyLayout composed = slice(arith, shifted, coord);
    ASSERT_FALSE(arith.failed()) << arith.message();
    ASSERT_EQ(composed.linear(), kept.plain());
    for (int64_t i = 0, e = numPoints(kept.plain()); i != e; ++i) {
      // Put the kept digits back into the fixed ones.
      int64_t rest = i;
      size_t leaf = 0;
      std::vector<IntTuple> shapes = l.shape.leaves();
      IntTuple whole = fixed.mapLeaves([&](const IntTuple &digit) {
        size_t at = leaf++;
        if (!keep[at])
          return digit;
        int64_t extent = shapes[at].leaf().value();
        IntTuple result(rest % extent);
        rest /= extent;
        return result;
      });
      IntTuple expected = crd2idx(arith, whole, l);
      ASSERT_TRUE(expected.isKnown(offset + valueAt(kept.plain(), i)))
          << l.str() << " by " << coord.str();
      ASSERT_TRUE(crd2idx(arith, IntTuple(i), composed)
                      .isKnown(expected.leaf().value() + 7));
    }
  });
}

TEST(CoordinateLaws, RefusalsNameBothSides) {
  StaticArith rank;
  crd2idx(rank, readTuple("(1,2,3)"), readLayout("(3,5):(1,3)"));
  EXPECT_EQ(rank.message(),
            "coordinate (1,2,3) does not match the shape (3,5)");
  StaticArith zero;
  idx2crd(zero, readTuple("3"), readLayout("(4,6):(0,1)"));
  EXPECT_EQ(zero.message(),
            "no coordinate of shape 4 follows from an index with stride 0");
  StaticArith mixed;
  crd2idx(mixed, readTuple("(1,2)"), readLayout("(3,5):(1,1E0)"));
  EXPECT_EQ(mixed.message(),
            "cannot add 1 and 2E0: one is an integer, the other a vector");
  StaticArith path;
  applyCoordSwizzle(path, readWith(parseCoordSwizzle, "CS<2,0,[0],0,[1, 1]>"),
                    readTuple("(6,3)"));
  EXPECT_EQ(path.message(), "cannot index 2 levels into (6,3) of depth 1");
}

} // namespace
