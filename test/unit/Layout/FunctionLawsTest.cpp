// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of the functions from layouts to layouts: coalesce, composition,
// complement, inverses, recast and the constructors, each as a checker over
// random layouts.

#include "Laws.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace fly::layout;
using namespace fly::layout::laws;

namespace {

/// coalesce keeps the function and leaves nothing to merge.
TEST(FunctionLaws, CoalesceKeepsTheFunction) {
  forEachCase([](Random &random) {
    Layout l = mixedLayout(random, 6, 512);
    StaticArith arith;
    Layout result = coalesce(arith, l);
    ASSERT_FALSE(arith.failed()) << arith.message();
    ASSERT_EQ(table(result), table(l)) << l.str() << " to " << result.str();
    std::vector<Digit> all = digits(result);
    for (size_t i = 0; i + 1 < all.size(); ++i) {
      ASSERT_NE(all[i].extent * all[i].stride, all[i + 1].stride)
          << l.str() << " to " << result.str();
      ASSERT_NE(all[i].extent, 1) << result.str();
    }
  });
}

TEST(FunctionLaws, CoalesceByModeKeepsModes) {
  forEachCase([](Random &random) {
    Layout l = mixedLayout(random, 6, 512);
    IntTuple pattern = randomTuple(random, 2, 1, 1);
    StaticArith arith;
    Layout result = coalesce(arith, l, pattern);
    ASSERT_FALSE(arith.failed()) << arith.message();
    ASSERT_EQ(table(result), table(l)) << l.str() << " by " << pattern.str();
    if (pattern.isTuple()) {
      ASSERT_EQ(result.rank(), l.rank());
      for (unsigned i = 0; i != l.rank(); ++i)
        ASSERT_EQ(table(result.at(i)), table(l.at(i))) << l.str();
    }
  });
}

/// The sum over B's leaves of A at that leaf's own value.
int64_t sumOfParts(llvm::ArrayRef<Digit> a, llvm::ArrayRef<Digit> b,
                   int64_t index) {
  int64_t sum = 0;
  for (size_t i = 0; i != b.size(); ++i) {
    bool last = i + 1 == b.size();
    sum += valueAt(a, (last ? index : index % b[i].extent) * b[i].stride);
    index /= b[i].extent;
  }
  return sum;
}

/// R(c) = A(B(c)), where B's modes do not carry into one another inside A;
/// always mode by mode.
TEST(FunctionLaws, CompositionIsTheComposition) {
  unsigned accepted = 0, exact = 0;
  forEachCase([&](Random &random) {
    Layout a = mixedLayout(random, 5, 256);
    Layout b = random.chance(60) ? gappedLayout(random, 3, 32)
                                 : anyLayout(random, 3, 32);
    StaticArith arith;
    Layout result = composition(arith, a, b);
    if (arith.failed())
      return;
    ++accepted;
    std::vector<Digit> outer = digits(a), inner = digits(b);
    ASSERT_EQ(numPoints(result), numPoints(b));
    bool additive = true;
    for (int64_t i = 0; i != numPoints(b); ++i) {
      int64_t parts = sumOfParts(outer, inner, i);
      int64_t whole = valueAt(outer, valueAt(inner, i));
      additive &= parts == whole;
      ASSERT_EQ(valueAt(result, i), parts)
          << a.str() << " o " << b.str() << " = " << result.str() << " at "
          << i;
    }
    exact += additive;
  });
  EXPECT_GE(accepted * 3, numCases) << "too few cases were defined";
  EXPECT_GE(exact * 4, numCases);
}

int64_t divisorOf(Random &random, int64_t number) {
  std::vector<int64_t> all;
  for (int64_t d = 1; d <= number; ++d)
    if (number % d == 0)
      all.push_back(d);
  return random.pick(all);
}

/// A run that starts at a divisor of a mode's extent and ends at a divisor of a
/// later one's is never refused.
TEST(FunctionLaws, CompositionAcceptsWhatDivides) {
  forEachCase([](Random &random) {
    Layout a = gappedLayout(random, 5, 512);
    std::vector<Digit> all = digits(a);
    size_t first = random.between(0, all.size() - 1);
    size_t last = random.between(first, all.size() - 1);
    int64_t step = 1, run = 1;
    for (size_t i = 0; i != first; ++i)
      step *= all[i].extent;
    int64_t skip = divisorOf(random, all[first].extent);
    step *= skip;
    for (size_t i = first; i != last; ++i)
      run *= i == first ? all[i].extent / skip : all[i].extent;
    int64_t left = first == last ? all[last].extent / skip : all[last].extent;
    run *= divisorOf(random, left);
    StaticArith arith;
    Layout b = {IntTuple(run), IntTuple(step)};
    Layout result = composition(arith, a, b);
    ASSERT_FALSE(arith.failed())
        << a.str() << " o " << b.str() << ": " << arith.message();
    for (int64_t i = 0; i != run; ++i)
      ASSERT_EQ(valueAt(result, i), valueAt(a, i * step))
          << a.str() << " o " << b.str();
  });
}

/// Where a run leaves a mode off its boundary there is no such layout; the
/// weaker condition of other implementations answers a wrong function there.
TEST(FunctionLaws, CompositionRefusesCrossingRuns) {
  const char *cases[][3] = {
      {"(4,4):(4,1)", "6:3", "stride 3 does not divide shape 4 of mode 0"},
      {"(4,6,8):(2,3,5)", "6:3", "stride 3 does not divide shape 4 of mode 0"},
      {"(6,4):(4,1)", "6:4", "stride 4 does not divide shape 6 of mode 0"},
      {"(6,4):(4,1)", "9:1", "shape 9 is not a multiple of the 6 steps"},
      {"(6,6):(6,1)", "4:9", "shape 6 of mode 0"},
      {"(6,6):(6,1)", "4:-1", "stride -1 cannot step"}};
  for (auto &[outer, inner, fragment] : cases) {
    StaticArith arith;
    composition(arith, readLayout(outer), readLayout(inner));
    EXPECT_NE(arith.message().find(fragment), std::string::npos)
        << outer << " o " << inner << ": " << arith.message();
  }
}

/// Sums of L and K are distinct and cover [0, M); K's strides increase.
TEST(FunctionLaws, ComplementIsDisjointAndCovers) {
  forEachCase([](Random &random) {
    Layout l = gappedLayout(random, 4, 64);
    StaticArith arith;
    int64_t size = random.chance(30)
                       ? productInt(arith, cosize(arith, l)).value()
                       : random.between(1, 600);
    Layout result = complement(arith, l, IntTuple(size));
    ASSERT_FALSE(arith.failed()) << arith.message();
    std::vector<int64_t> sums;
    for (int64_t x : table(l))
      for (int64_t y : table(result))
        sums.push_back(x + y);
    ASSERT_TRUE(injective(sums)) << l.str() << " and " << result.str();
    std::set<int64_t> present(sums.begin(), sums.end());
    for (int64_t i = 0; i != size; ++i)
      ASSERT_TRUE(present.count(i))
          << i << " below " << size << " is neither in " << l.str()
          << " nor in " << result.str();
    ASSERT_TRUE(llvm::is_sorted(table(result))) << result.str();
  });
}

TEST(FunctionLaws, ComplementRefusesWhatItCannotAnswer) {
  const char *cases[][3] = {{"(2,3):(1,1)", "12", "layout is not injective"},
                            {"(2,4):(1,?)", "16", "known strides"},
                            {"4:-1", "16", "positive strides"},
                            {"4:1", "(4,4)", "must be an integer"},
                            {"4:1", "0", "at least one point"}};
  for (auto &[layout, codomain, fragment] : cases) {
    TypeArith arith;
    complement(arith, readLayout(layout), readTuple(codomain));
    EXPECT_NE(arith.message().find(fragment), std::string::npos)
        << layout << ": " << arith.message();
  }
}

TEST(FunctionLaws, RightInverse) {
  forEachCase([](Random &random) {
    Layout l = mixedLayout(random, 5, 256);
    StaticArith arith;
    Layout result = rightInverse(arith, l);
    ASSERT_FALSE(arith.failed()) << arith.message();
    std::vector<int64_t> values = table(result);
    for (size_t k = 0; k != values.size(); ++k)
      ASSERT_EQ(valueAt(l, values[k]), static_cast<int64_t>(k))
          << l.str() << " and " << result.str();
  });
}

TEST(FunctionLaws, RightInverseOfABijectionIsWhole) {
  forEachCase([](Random &random) {
    Layout l = compactLayout(random, 5, 256);
    StaticArith arith;
    Layout result = rightInverse(arith, l);
    ASSERT_FALSE(arith.failed()) << arith.message();
    ASSERT_EQ(numPoints(result), numPoints(l)) << l.str();
  });
}

TEST(FunctionLaws, LeftInverse) {
  forEachCase([](Random &random) {
    Layout l = gappedLayout(random, 5, 256);
    StaticArith arith;
    Layout result = leftInverse(arith, l);
    ASSERT_FALSE(arith.failed()) << arith.message();
    std::vector<int64_t> values = table(l);
    for (size_t k = 0; k != values.size(); ++k)
      ASSERT_EQ(valueAt(result, values[k]), static_cast<int64_t>(k))
          << l.str() << " and " << result.str();
  });
}

/// The bits that elements of `bits` bits at the layout's indices occupy.
std::set<int64_t> bitsOf(const Layout &l, int64_t bits) {
  std::set<int64_t> result;
  for (int64_t index : table(l))
    for (int64_t bit = 0; bit != bits; ++bit)
      result.insert(index * bits + bit);
  return result;
}

TEST(FunctionLaws, RecastToWiderElementsCoversTheBits) {
  unsigned accepted = 0;
  forEachCase([&](Random &random) {
    Layout l = gappedLayout(random, 4, 64);
    int32_t factor = random.pick<int32_t>({2, 3, 4, 8});
    StaticArith arith;
    Layout result = recast(arith, l, 8 * factor, 8).plain();
    if (arith.failed())
      return;
    ++accepted;
    std::set<int64_t> before = bitsOf(l, 8), after = bitsOf(result, 8 * factor);
    ASSERT_TRUE(llvm::all_of(
        before, [&](int64_t bit) { return after.count(bit) != 0; }))
        << l.str() << " by " << factor << " to " << result.str();
    if (before.size() == after.size()) {
      ASSERT_EQ(before, after);
    }
  });
  EXPECT_GE(accepted * 10, numCases);
}

TEST(FunctionLaws, RecastToNarrowerElementsKeepsTheBits) {
  forEachCase([](Random &random) {
    // One mode of stride 1: its elements are neighbours.
    Layout l = compactLayout(random, 4, 64);
    std::vector<Digit> all = digits(l);
    bool unit = llvm::any_of(all, [](Digit d) { return d.stride == 1; });
    bool alone =
        llvm::count_if(all, [](Digit d) { return d.stride == 1; }) == 1;
    if (!unit || !alone)
      return;
    int32_t factor = random.pick<int32_t>({2, 3, 4, 8});
    StaticArith arith;
    Layout result = recast(arith, l, 8, 8 * factor).plain();
    ASSERT_FALSE(arith.failed()) << arith.message();
    ASSERT_EQ(bitsOf(l, 8 * factor), bitsOf(result, 8))
        << l.str() << " by " << factor << " to " << result.str();
  });
}

/// 16 -> 24 bits goes through units of 8: what comes back addresses the same.
TEST(FunctionLaws, RecastBackAndForth) {
  unsigned compared = 0;
  forEachCase([&](Random &random) {
    Layout l = compactLayout(random, 4, 256);
    int32_t other = random.pick<int32_t>({4, 8, 16, 24, 32, 64});
    StaticArith arith;
    Layout there = recast(arith, l, other, 16).plain();
    Layout back = recast(arith, there, 16, other).plain();
    // Modes of size 1 count as neighbours too where their stride is 1.
    if (arith.failed() || numPoints(there) * other != numPoints(l) * 16 ||
        llvm::any_of(digits(l), [](Digit d) { return d.extent == 1; }) ||
        llvm::any_of(digits(there), [](Digit d) { return d.extent == 1; }))
      return;
    ++compared;
    ASSERT_EQ(bitsOf(l, 16), bitsOf(back, 16))
        << l.str() << " to " << there.str() << " to " << back.str();
  });
  EXPECT_GE(compared * 20, numCases);
}

TEST(FunctionLaws, OrderedLayoutIsABijection) {
  forEachCase([](Random &random) {
    Layout l = compactLayout(random, 5, 256);
    StaticArith arith;
    Layout result = makeOrderedLayout(arith, l.shape, l.stride);
    ASSERT_FALSE(arith.failed()) << arith.message();
    // Size-1 modes may share a stride, so values are compared, not strides.
    ASSERT_EQ(table(result), table(l)) << l.str() << " to " << result.str();
  });
}

TEST(FunctionLaws, LayoutLikeIsCompactAndKeepsTheOrder) {
  forEachCase([](Random &random) {
    Layout l = gappedLayout(random, 5, 256);
    StaticArith arith;
    Layout result = makeLayoutLike(arith, l);
    ASSERT_FALSE(arith.failed()) << arith.message();
    std::vector<int64_t> before = table(l), after = table(result);
    std::vector<int64_t> sorted = before;
    llvm::sort(sorted);
    for (size_t i = 0; i != before.size(); ++i)
      ASSERT_EQ(after[i], llvm::lower_bound(sorted, before[i]) - sorted.begin())
          << l.str() << " to " << result.str();
  });
}

/// Broadcast stays broadcast: elements that shared a place share one.
TEST(FunctionLaws, FragmentHasAPlaceForEachElement) {
  forEachCase([](Random &random) {
    Layout l = gappedLayout(random, 5, 256);
    StaticArith arith;
    Layout result = makeFragmentLayoutLike(arith, l);
    ASSERT_FALSE(arith.failed()) << arith.message();
    ASSERT_EQ(numPoints(result), numPoints(l));
    ASSERT_TRUE(injective(table(result))) << l.str() << " to " << result.str();
    ASSERT_EQ(product(arith, coshape(arith, result)).leaf().value(),
              numPoints(l))
        << l.str() << " to " << result.str();
  });
}

TEST(FunctionLaws, CosizeIsOneMoreThanTheLargestIndex) {
  forEachCase([](Random &random) {
    Layout l = mixedLayout(random, 5, 256);
    StaticArith arith;
    std::vector<int64_t> values = table(l);
    ASSERT_EQ(cosize(arith, l).leaf().value(), *llvm::max_element(values) + 1)
        << l.str();
    ASSERT_EQ(size(arith, l).leaf().value(), numPoints(l));
  });
}

} // namespace
