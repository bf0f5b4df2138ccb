// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A point map answers what crd2idx answers, at each point of random layouts,
// negative strides and composed ones among them; and refuses what has none.

#include "fly/Drawing/PointMap.h"

#include "RandomLayouts.h"

using namespace fly::drawing;
using namespace fly::layout;

namespace {

TEST(PointMap, AgreesWithCrd2Idx) {
  unsigned composed = 0;
  laws::forEachCase([&](laws::Random &random) {
    AnyLayout l = random.chance(20)
                      ? AnyLayout(laws::anyLayout(random, 3, 60, true))
                      : randomLayout(random, 3, 60);
    composed += l.isComposed();
    std::string why;
    std::optional<PointMap> map = PointMap::of(l, why);
    ASSERT_TRUE(map) << l.str() << ": " << why;
    std::vector<int64_t> expected = offsets(l);
    ASSERT_EQ(map->size(), static_cast<int64_t>(expected.size()));
    ASSERT_TRUE(map->isScalar());
    for (int64_t i = 0; i != map->size(); ++i) {
      ASSERT_EQ(map->scalarAt(i), expected[i]) << l.str() << " at " << i;
      EXPECT_EQ(map->at(i, why), IntTuple(expected[i]));
    }
  });
  EXPECT_GT(composed, laws::numCases / 10);
}

TEST(PointMap, BasisStridesGiveTuples) {
  std::string why;
  AnyLayout l = readAnyLayout("CS<2,0,[0],0,[1]> o (0,0) o (4,4):(1E0,1E1)");
  std::optional<PointMap> map = PointMap::of(l, why);
  ASSERT_TRUE(map);
  EXPECT_FALSE(map->isScalar());
  std::vector<IntTuple> expected = images(l);
  for (int64_t i = 0; i != 16; ++i)
    EXPECT_EQ(map->at(i, why), expected[i]);
  EXPECT_EQ(map->at(6, why)->str(), "(2,3)"); // (2,1) with 1 xor 2
}

TEST(PointMap, RefusesWhatHasNoPoints) {
  const std::pair<const char *, const char *> cases[] = {
      {"(4,?):(1,4)", "layout (4,?):(1,4) has unknown leaves"},
      {"(4,0):(1,4)", "expected positive extents, got 0 in the shape (4,0)"},
      {"(4,-2):(1,4)", "expected positive extents, got -2 in the shape (4,-2)"},
      {"*:1", "expected positive extents, got * in the shape *"},
      {"(4294967296,4294967296):(1,1)",
       "the size of (4294967296,4294967296) exceeds 64 bits"}};
  for (auto [text, message] : cases) {
    std::string why;
    EXPECT_FALSE(PointMap::of(readAnyLayout(text), why)) << text;
    EXPECT_EQ(why, message);
  }
  // So that nobody waits: more leaves than any layout of a kernel has.
  Layout many = {IntTuple::of(std::vector<int64_t>(2000, 1)),
                 IntTuple::of(std::vector<int64_t>(2000, 0))};
  std::string tooMany;
  EXPECT_FALSE(PointMap::of(AnyLayout(many), tooMany));
  EXPECT_EQ(tooMany, "a layout of 2000 leaves, at most 1024 are asked point by "
                     "point");
  // A point that has no number says so; the others do have one.
  std::string why;
  std::optional<PointMap> map =
      PointMap::of(readAnyLayout("4:4611686018427387904"), why);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->scalarAt(1), int64_t(1) << 62);
  EXPECT_FALSE(map->scalarAt(3));
  EXPECT_FALSE(map->at(3, why));
  EXPECT_NE(why, "");
}

} // namespace
