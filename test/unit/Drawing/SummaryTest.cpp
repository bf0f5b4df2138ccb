// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Injectivity, contiguity and runs by their definitions over random layouts;
// what is said of large layouts without asking their points is never wrong.

#include "fly/Drawing/Summary.h"

#include "RandomLayouts.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace fly::drawing;
using namespace fly::layout;

namespace {

Answer answer(bool yes) { return yes ? Answer::Yes : Answer::No; }

/// Coordinates k*r .. k*r+r-1 have consecutive offsets for each k.
bool hasRun(const std::vector<int64_t> &offsets, size_t run) {
  for (size_t i = 0; i != offsets.size(); ++i)
    if (i % run != 0 && offsets[i] != offsets[i - 1] + 1)
      return false;
  return offsets.size() % run == 0;
}

TEST(Summary, SmallLayoutsByDefinition) {
  unsigned injective = 0, contiguous = 0, runs = 0;
  laws::forEachCase([&](laws::Random &random) {
    AnyLayout l = random.chance(20)
                      ? AnyLayout(laws::anyLayout(random, 3, 60, true))
                      : randomLayout(random, 3, 60);
    Summary summary = summarize(l);
    std::vector<int64_t> points = offsets(l);
    std::set<int64_t> places(points.begin(), points.end());
    bool isInjective = places.size() == points.size();
    bool isContiguous = isInjective && *places.rbegin() - *places.begin() + 1 ==
                                           int64_t(places.size());
    EXPECT_EQ(summary.injective, answer(isInjective)) << l.str();
    EXPECT_EQ(summary.contiguous, answer(isContiguous)) << l.str();
    ASSERT_TRUE(summary.run) << l.str();
    EXPECT_TRUE(hasRun(points, *summary.run)) << l.str();
    for (size_t larger = *summary.run + 1; larger <= points.size(); ++larger)
      EXPECT_FALSE(hasRun(points, larger)) << l.str() << " run " << larger;
    injective += isInjective;
    contiguous += isContiguous;
    runs += *summary.run > 1;
  });
  EXPECT_GT(injective, laws::numCases / 10);
  EXPECT_GT(contiguous, laws::numCases / 20);
  EXPECT_GT(runs, laws::numCases / 20);
}

/// A small layout with a huge outermost mode: too many points to ask, but the
/// answers follow from those of the small one.
TEST(Summary, LargeLayoutsAreNotGuessed) {
  constexpr int64_t huge = int64_t(1) << 24;
  unsigned decided = 0;
  laws::forEachCase([&](laws::Random &random) {
    Layout small = laws::mixedLayout(random, 3, 60);
    Summary known = summarize(AnyLayout(small));
    StaticArith arith;
    int64_t reach = cosize(arith, small).leaf().value();
    Layout large = {IntTuple::tuple({small.shape, IntTuple(huge)}),
                    IntTuple::tuple({small.stride, IntTuple(reach)})};
    Summary summary = summarize(AnyLayout(large));
    if (summary.injective != Answer::Open) {
      EXPECT_EQ(summary.injective, known.injective) << large.str();
      EXPECT_EQ(summary.contiguous, known.contiguous) << large.str();
      ++decided;
    } else {
      EXPECT_EQ(summary.contiguous, Answer::Open);
      EXPECT_NE(summary.note, "");
    }
    // Rows that are whole runs and touch become one run.
    int64_t size = laws::numPoints(small), run = *known.run;
    if (run == size && reach == size)
      run *= huge;
    EXPECT_EQ(summary.run, run) << large.str();
    // A swizzle moves points without joining any.
    ComposedLayout composed{Swizzle{3, 2, 3}, IntTuple(0), AnyLayout(large)};
    EXPECT_EQ(summarize(AnyLayout(composed)).injective, summary.injective);
  });
  EXPECT_GT(decided, laws::numCases / 2);
}

/// A shift of 0 clears bits, so it may join points.
TEST(Summary, ClearedBitsAreNotCalledInjective) {
  EXPECT_EQ(summarize(readAnyLayout("S<1,0,0> o 0 o 8:1")).injective,
            Answer::No);
  EXPECT_EQ(summarize(readAnyLayout("S<1,0,0> o 0 o 16777216:1")).injective,
            Answer::Open);
  EXPECT_EQ(summarize(readAnyLayout("S<1,0,1> o 0 o 16777216:1")).injective,
            Answer::Yes);
}

TEST(Summary, BasisStridesByCoordinate) {
  EXPECT_EQ(summarize(readLayout("(4,8):(1E0,1E1)")).injective, Answer::Yes);
  EXPECT_EQ(summarize(readLayout("(4,8):(1E0,1E0)")).injective, Answer::No);
  EXPECT_EQ(summarize(readLayout("(4,8):(1E0,4E0)")).injective, Answer::Yes);
  EXPECT_EQ(summarize(readLayout("(4,8):(1E0,0E1)")).injective, Answer::No);
  EXPECT_FALSE(summarize(readLayout("(4,8):(1E0,1E1)")).contiguous);
  EXPECT_EQ(
      summarize(readAnyLayout("CS<2,0,[0],0,[1]> o (0,0) o (4,4):(1E0,1E1)"))
          .injective,
      Answer::Yes);
}

TEST(Summary, UnknownLeavesStayOpen) {
  Summary summary = summarize(readLayout("(?{div=8},3):(3,1)"));
  EXPECT_EQ(summary.rank, 2u);
  EXPECT_EQ(summary.size->str(), "?{div=24}");
  EXPECT_EQ(summary.cosize->str(), "?");
  EXPECT_EQ(summary.injective, Answer::Open);
  EXPECT_EQ(summary.note, "unknown leaves");
  EXPECT_FALSE(summary.run);
}

TEST(Summary, JsonHasTheSameAnswers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  summarize(readLayout("(?,4):(4,1)")).printJson(os, "(?,4):(4,1)\xff");
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(json));
  const llvm::json::Object &object = *json->getAsObject();
  EXPECT_EQ(object.getString("schema"), llvm::StringRef("fly-layout/1"));
  EXPECT_EQ(object.getString("size"), llvm::StringRef("?{div=4}"));
  EXPECT_EQ(*object.get("injective"), llvm::json::Value(nullptr));
  EXPECT_EQ(object.getInteger("rank"), 2);
}

} // namespace
