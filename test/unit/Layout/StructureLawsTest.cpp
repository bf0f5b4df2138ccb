// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of structural functions and of tuple arithmetic: subtrees are moved,
// never changed; shapes divide as numbers do.

#include "Laws.h"

using namespace fly::layout;
using namespace fly::layout::laws;

namespace {

/// A random tuple whose leaves are all different: 1, 2, 3, …
IntTuple labelled(Random &random) {
  int64_t next = 1;
  IntTuple t = randomTuple(random, 3, 0, 0);
  return t.mapLeaves([&](const IntTuple &) { return IntTuple(next++); });
}

std::vector<int64_t> labels(const IntTuple &t) {
  std::vector<int64_t> result;
  t.forEachLeaf(
      [&](const IntTuple &leaf) { result.push_back(leaf.leaf().value()); });
  return result;
}

TEST(StructureLaws, GroupAndTakeKeepTheOrder) {
  forEachCase([](Random &random) {
    IntTuple t = labelled(random);
    if (t.isLeaf())
      return;
    int32_t begin = random.between(0, t.rank() - 1);
    int32_t end = random.between(begin + 1, t.rank());
    StaticArith arith;
    IntTuple grouped = group(arith, t, begin, end);
    ASSERT_EQ(labels(grouped), labels(t));
    ASSERT_EQ(grouped.rank(), t.rank() - (end - begin) + 1);
    ASSERT_EQ(expand(grouped, {begin}), t.rank() == 1 ? t.at(0) : t)
        << grouped.str();
    IntTuple taken = take(arith, t, begin, end);
    for (int32_t i = begin; i != end; ++i)
      ASSERT_EQ(end - begin == 1 ? taken : taken.at(i - begin), t.at(i));
    std::vector<int32_t> all(t.rank());
    for (unsigned i = 0; i != t.rank(); ++i)
      all[i] = i;
    ASSERT_EQ(select(arith, t, all), t.rank() == 1 ? t.at(0) : t);
    ASSERT_FALSE(arith.failed()) << arith.message();
  });
}

TEST(StructureLaws, AppendAndPrependAddModes) {
  forEachCase([](Random &random) {
    IntTuple t = labelled(random), x = labelled(random);
    StaticArith arith;
    int32_t rank = t.rank() + random.between(0, 3);
    IntTuple after = append(arith, t, x, rank);
    IntTuple before = prepend(arith, t, x, rank);
    ASSERT_EQ(after.rank(), unsigned(rank));
    ASSERT_EQ(before.rank(), unsigned(rank));
    for (unsigned i = 0; i != unsigned(rank); ++i) {
      ASSERT_EQ(after.at(i), i < t.rank() ? t.at(i) : x);
      unsigned shift = rank - t.rank();
      ASSERT_EQ(before.at(i), i < shift ? x : t.at(i - shift));
    }
    ASSERT_EQ(append(arith, t, x, std::nullopt).rank(), t.rank() + 1);
    ASSERT_FALSE(arith.failed()) << arith.message();
    append(arith, t, x, t.rank() - 1);
    ASSERT_TRUE(arith.failed());
  });
}

/// Every leaf goes either to the slice or to the dice.
TEST(StructureLaws, SliceAndDiceShareTheLeaves) {
  forEachCase([](Random &random) {
    IntTuple t = labelled(random);
    IntTuple coord = t.mapLeaves([&](const IntTuple &) {
      return random.chance(50) ? IntTuple() : IntTuple(random.between(0, 9));
    });
    if (coord.allNone() || !coord.hasNone())
      return;
    StaticArith arith;
    std::vector<int64_t> kept = labels(slice(arith, t, coord));
    std::vector<int64_t> fixed = labels(dice(arith, t, coord));
    ASSERT_FALSE(arith.failed()) << arith.message();
    std::vector<IntTuple> marks = coord.leaves();
    std::vector<int64_t> expectedKept, expectedFixed;
    for (size_t i = 0; i != marks.size(); ++i)
      (marks[i].isNone() ? expectedKept : expectedFixed).push_back(i + 1);
    ASSERT_EQ(kept, expectedKept) << t.str() << " by " << coord.str();
    ASSERT_EQ(fixed, expectedFixed) << t.str() << " by " << coord.str();
  });
}

/// A leaf is its own only mode.
TEST(StructureLaws, SliceOfALeaf) {
  StaticArith arith;
  EXPECT_EQ(slice(arith, IntTuple(5), readTuple("(*)")), IntTuple(5));
  EXPECT_EQ(slice(arith, readTuple("(5,7)"), readTuple("((*),1)")),
            IntTuple(5));
  EXPECT_FALSE(arith.failed()) << arith.message();
}

TEST(StructureLaws, ZipPairsModes) {
  forEachCase([](Random &random) {
    std::vector<IntTuple> firsts, seconds;
    unsigned rank = random.between(1, 4);
    for (unsigned i = 0; i != rank; ++i) {
      firsts.push_back(labelled(random));
      seconds.push_back(labelled(random));
    }
    StaticArith arith;
    IntTuple a = IntTuple::tuple(firsts), b = IntTuple::tuple(seconds);
    IntTuple pairs = zip(arith, a, b);
    for (unsigned i = 0; i != rank; ++i)
      ASSERT_EQ(pairs.at(i), IntTuple::tuple({firsts[i], seconds[i]}));
    // zip2By takes the pairs apart again, and keeps what the guide has not.
    IntTuple guide = IntTuple::tuple(
        std::vector<IntTuple>(random.between(1, rank), IntTuple()));
    IntTuple apart = zip2By(arith, pairs, guide);
    ASSERT_EQ(apart.at(0).rank(), guide.rank());
    ASSERT_EQ(apart.at(1).rank(), rank);
    for (unsigned i = 0; i != rank; ++i) {
      bool split = i < guide.rank();
      ASSERT_EQ(apart.at(1).at(i), split ? seconds[i] : pairs.at(i));
      if (split) {
        ASSERT_EQ(apart.at(0).at(i), firsts[i]);
      }
    }
    ASSERT_FALSE(arith.failed()) << arith.message();
  });
}

/// A number that is made of the first leaves divides a shape exactly.
TEST(StructureLaws, ShapesDivideByWhatTheyAreMadeOf) {
  forEachCase([](Random &random) {
    IntTuple t = randomTuple(random, 3, 1, 9);
    std::vector<IntTuple> leaves = t.leaves();
    size_t whole = random.between(0, leaves.size() - 1);
    int64_t n = 1;
    for (size_t i = 0; i != whole; ++i)
      n *= leaves[i].leaf().value();
    int64_t next = leaves[whole].leaf().value(), part = 1;
    for (int64_t d = 1; d <= next; ++d)
      if (next % d == 0 && random.chance(50))
        part = d;
    n *= part;
    StaticArith arith;
    IntTuple result = shapeDiv(arith, t, IntTuple(n));
    ASSERT_FALSE(arith.failed())
        << t.str() << " by " << n << ": " << arith.message();
    ASSERT_EQ(ceilDiv(arith, t, IntTuple(n)), result);
    ASSERT_TRUE(congruent(result, t));
    std::vector<IntTuple> after = result.leaves();
    for (size_t i = 0; i != after.size(); ++i)
      ASSERT_TRUE(after[i].isKnown(i < whole    ? 1
                                   : i == whole ? next / part
                                                : leaves[i].leaf().value()))
          << t.str() << " by " << n << " is " << result.str();
  });
}

TEST(StructureLaws, ProductsOfParts) {
  forEachCase([](Random &random) {
    IntTuple t = randomTuple(random, 3, 1, 6);
    StaticArith arith;
    IntTuple whole = product(arith, t);
    ASSERT_EQ(product(arith, productEach(arith, t)), whole);
    ASSERT_EQ(productLike(arith, t, IntTuple(0)), whole);
    ASSERT_EQ(productLike(arith, t, t), t);
    ASSERT_EQ(productEach(arith, t).rank(), t.rank());
    ASSERT_FALSE(arith.failed()) << arith.message();
  });
}

TEST(StructureLaws, ElementWise) {
  forEachCase([](Random &random) {
    IntTuple a = randomTuple(random, 3, -50, 50);
    IntTuple b = a.mapLeaves(
        [&](const IntTuple &) { return IntTuple(random.between(1, 20)); });
    StaticArith arith;
    IntTuple quotient = tupleDiv(arith, a, b), rest = tupleMod(arith, a, b);
    ASSERT_EQ(tupleAdd(arith, tupleMul(arith, quotient, b), rest), a);
    ASSERT_EQ(tupleSub(arith, tupleAdd(arith, a, b), b), a);
    ASSERT_TRUE(equal(arith, a, a).is(1));
    ASSERT_TRUE(elemLess(arith, rest, b).is(1)) << rest.str() << b.str();
    ASSERT_FALSE(arith.failed()) << arith.message();
  });
}

TEST(StructureLaws, Comparisons) {
  const std::tuple<const char *, const char *, int, int> cases[] = {
      {"2", "(4,8)", 1, 0},       {"(2,3)", "4", 0, 0},
      {"(2,3)", "(4,8,1)", 1, 0}, {"(2,(1,9))", "(4,8)", 0, 0},
      {"(2)", "2", 0, 0},         {"*", "0", 0, 1},
      {"(1,2)", "(1,2)", 0, 1},   {"(1,2)", "(2,3)", 1, 0}};
  for (auto [a, b, less, same] : cases) {
    StaticArith arith;
    EXPECT_TRUE(elemLess(arith, readTuple(a), readTuple(b)).is(less))
        << a << " < " << b;
    EXPECT_TRUE(equal(arith, readTuple(a), readTuple(b)).is(same))
        << a << " = " << b;
    EXPECT_FALSE(arith.failed()) << arith.message();
  }
}

TEST(StructureLaws, RefusalsNameBothSides) {
  auto refused = [](llvm::function_ref<void(Arith &)> run) {
    StaticArith arith;
    run(arith);
    return arith.message();
  };
  IntTuple t = readTuple("(3,(5,2),7)");
  EXPECT_EQ(refused([&](Arith &a) { get(a, t, {0, 0, 0}); }),
            "cannot index 3 levels into (3,(5,2),7) of depth 2");
  EXPECT_EQ(refused([&](Arith &a) { get(a, t, {3}); }),
            "mode index 3 is out of range for (3,(5,2),7) of rank 3");
  EXPECT_EQ(refused([&](Arith &a) { take(a, t, 2, 4); }),
            "mode range [2, 4) is empty or out of range for (3,(5,2),7) of "
            "rank 3");
  EXPECT_EQ(refused([&](Arith &a) { select(a, IntTuple(4), {0}); }),
            "cannot select modes of the leaf 4");
  EXPECT_EQ(refused([&](Arith &a) { slice(a, t, readTuple("(*,*)")); }),
            "slice: coordinate (*,*) does not match the modes of (3,(5,2),7)");
  EXPECT_EQ(refused([&](Arith &a) { slice(a, t, readTuple("(1,(2,1),3)")); }),
            "slice of (3,(5,2),7) by (1,(2,1),3) keeps nothing");
  EXPECT_EQ(refused([&](Arith &a) { append(a, t, t, 2147483647); }),
            "rank 2147483647 needs more than 1048576 leaves");
  EXPECT_EQ(refused([&](Arith &a) { tupleAdd(a, IntTuple(4), t); }),
            "expected two leaves or two tuples for a sum, found the leaf 4 and "
            "the tuple (3,(5,2),7); as a tuple the leaf is (4,(4,4),4)");
  EXPECT_EQ(refused([&](Arith &a) { shapeDiv(a, IntTuple(10), IntTuple(4)); }),
            "neither of 10 and 4 divides the other");
  EXPECT_EQ(
      refused([&](Arith &a) { productLike(a, t, readTuple("(1,1,1,1)")); }),
      "guide (1,1,1,1) has more modes than (3,(5,2),7)");
}

} // namespace
