// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws with scaled basis strides (section 7.5): the same as with integer
// strides, coordinate by coordinate of the codomain.

#include "Laws.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace fly::layout;
using namespace fly::layout::laws;

namespace {

/// Injective modes for each of two or three coordinates, mixed.
Layout basisLayout(Random &random, bool compact) {
  std::vector<Layout> modes;
  for (int32_t path = 0, e = random.between(1, 3); path != e; ++path) {
    Layout part =
        compact ? compactLayout(random, 2, 5) : gappedLayout(random, 2, 5);
    for (Digit digit : digits(part))
      modes.push_back({IntTuple(digit.extent),
                       IntTuple::basis(Int::known(digit.stride), {path})});
  }
  random.shuffle(modes);
  std::vector<IntTuple> shapes, strides;
  for (const Layout &mode : modes) {
    shapes.push_back(mode.shape);
    strides.push_back(mode.stride);
  }
  if (shapes.size() == 1)
    return modes.front();
  return {IntTuple::tuple(shapes), IntTuple::tuple(strides)};
}

std::vector<Vector> vectors(const Layout &l) {
  std::vector<Vector> result;
  for (int64_t i = 0, e = numPoints(l); i != e; ++i)
    result.push_back(vectorAt(l, i));
  return result;
}

Vector sum(Vector a, const Vector &b) {
  for (const auto &entry : b)
    a[entry.first] += entry.second;
  for (auto it = a.begin(); it != a.end();)
    it = it->second == 0 ? a.erase(it) : std::next(it);
  return a;
}

TEST(BasisLaws, CoalesceKeepsTheFunction) {
  forEachCase(
      [](Random &random) {
        Layout l = basisLayout(random, random.chance(50));
        StaticArith arith;
        Layout result = coalesce(arith, l);
        ASSERT_FALSE(arith.failed()) << arith.message();
        ASSERT_EQ(vectors(result), vectors(l))
            << l.str() << " to " << result.str();
      },
      /*share=*/10);
}

/// A(B(c)) where B answers coordinates of A, without carries inside a mode.
TEST(BasisLaws, CompositionProjects) {
  unsigned accepted = 0;
  forEachCase([&](Random &random) {
    std::vector<IntTuple> shapes, strides;
    int64_t modes = random.between(1, 3);
    for (int64_t i = 0; i != modes; ++i) {
      Layout part = gappedLayout(random, 2, 32);
      shapes.push_back(part.shape);
      strides.push_back(part.stride);
    }
    Layout a = {IntTuple::tuple(shapes), IntTuple::tuple(strides)};
    std::vector<IntTuple> bShapes, bStrides;
    std::vector<int32_t> paths;
    for (int32_t i = 0; i != modes; ++i)
      paths.push_back(i);
    random.shuffle(paths);
    for (int32_t path : paths) {
      bShapes.push_back(IntTuple(random.between(1, 4)));
      bStrides.push_back(
          IntTuple::basis(Int::known(random.between(1, 4)), {path}));
    }
    Layout b = {IntTuple::tuple(bShapes), IntTuple::tuple(bStrides)};
    StaticArith arith;
    Layout result = composition(arith, a, b);
    if (arith.failed())
      return;
    ++accepted;
    for (int64_t i = 0, e = numPoints(b); i != e; ++i) {
      int64_t expected = 0;
      for (const auto &entry : vectorAt(b, i))
        expected += valueAt(a.at(entry.first.front()), entry.second);
      ASSERT_EQ(valueAt(result, i), expected)
          << a.str() << " o " << b.str() << " = " << result.str();
    }
  });
  EXPECT_GE(accepted * 4, numCases);
}

TEST(BasisLaws, ComplementIsDisjointAndCovers) {
  forEachCase(
      [](Random &random) {
        Layout l = basisLayout(random, false);
        StaticArith arith;
        IntTuple box = coshape(arith, l);
        Layout result = complement(arith, l);
        ASSERT_FALSE(arith.failed()) << arith.message() << " of " << l.str();
        std::set<Vector> sums;
        size_t count = 0;
        std::vector<Vector> gaps = vectors(result);
        for (const Vector &x : vectors(l))
          for (const Vector &y : gaps) {
            sums.insert(sum(x, y));
            ++count;
          }
        ASSERT_EQ(sums.size(), count) << l.str() << " and " << result.str();
        int64_t points =
            std::min<int64_t>(product(arith, box).leaf().value(), 400);
        for (int64_t i = 0; i != points; ++i)
          ASSERT_TRUE(sums.count(vectorOf(coordinateAt(box, i))))
              << coordinateAt(box, i).str() << " is neither in " << l.str()
              << " nor in " << result.str();
      },
      /*share=*/10);
}

/// A number as codomain counts points; the last coordinate grows.
TEST(BasisLaws, ProductsRepeatTheBlock) {
  unsigned accepted = 0;
  forEachCase(
      [&](Random &random) {
        Layout a = basisLayout(random, true);
        Layout b = compactLayout(random, 2, 6);
        StaticArith arith;
        Layout result = logicalProduct(arith, a, b);
        if (arith.failed())
          return;
        ++accepted;
        std::vector<Vector> values = vectors(result);
        ASSERT_EQ(std::set<Vector>(values.begin(), values.end()).size(),
                  values.size())
            << a.str() << " times " << b.str() << " is " << result.str();
        ASSERT_EQ(vectors(result.at(0)), vectors(a));
      },
      /*share=*/10);
  EXPECT_GE(accepted * 2, numCases / 10);
}

TEST(BasisLaws, DividesByCoordinatesKeepTheElements) {
  unsigned accepted = 0;
  forEachCase([&](Random &random) {
    int64_t m = random.between(1, 3), n = random.between(1, 3);
    int64_t p = random.between(1, 3), q = random.between(1, 3);
    Layout a = {IntTuple::of({m * p, n * q}),
                IntTuple::of({random.between(1, 9), random.between(10, 90)})};
    Layout b = {IntTuple::of({m, n}),
                IntTuple::tuple({IntTuple::basis(Int::known(1), {0}),
                                 IntTuple::basis(Int::known(q), {1})})};
    StaticArith arith;
    Layout result = logicalDivide(arith, a, b);
    ASSERT_FALSE(arith.failed()) << arith.message();
    ++accepted;
    std::vector<int64_t> before = table(a), after = table(result);
    llvm::sort(before);
    llvm::sort(after);
    ASSERT_EQ(before, after) << a.str() << " by " << b.str();
    for (int64_t i = 0; i != m * n; ++i)
      ASSERT_EQ(
          valueAt(result.at(0), i),
          crd2idx(arith, crd2idx(arith, IntTuple(i), b), a).leaf().value());
  });
  EXPECT_EQ(accepted, numCases);
}

/// R takes a coordinate: L(R(c)) is c.
TEST(BasisLaws, RightInverse) {
  forEachCase(
      [](Random &random) {
        Layout l = basisLayout(random, true);
        StaticArith arith;
        Layout result = rightInverse(arith, l);
        ASSERT_FALSE(arith.failed()) << arith.message();
        ASSERT_EQ(numPoints(result), numPoints(l)) << l.str();
        for (int64_t i = 0, e = numPoints(result); i != e; ++i) {
          int64_t index = valueAt(result, i);
          ASSERT_EQ(vectorAt(l, index),
                    vectorOf(coordinateAt(coshape(arith, l), i)))
              << l.str() << " and " << result.str();
        }
      },
      /*share=*/10);
}

TEST(BasisLaws, LeftInverse) {
  forEachCase(
      [](Random &random) {
        Layout l = basisLayout(random, false);
        StaticArith arith;
        Layout result = leftInverse(arith, l);
        ASSERT_FALSE(arith.failed()) << arith.message();
        for (int64_t i = 0, e = numPoints(l); i != e; ++i) {
          IntTuple place = crd2idx(arith, IntTuple(i), l);
          if (place.isBasis())
            place = basisToTuple(place);
          // Coordinates that stay 0 may be missing at the end.
          while (place.isTuple() && place.rank() < result.rank())
            place = append(arith, place, IntTuple(0), std::nullopt);
          ASSERT_TRUE(crd2idx(arith, place, result).isKnown(i))
              << i << " through " << l.str() << " and " << result.str();
        }
        ASSERT_FALSE(arith.failed()) << arith.message();
      },
      /*share=*/10);
}

TEST(BasisLaws, RecastScalesTheStrides) {
  StaticArith arith;
  EXPECT_EQ(recast(arith, readAnyLayout("(6,4):(2E0,4E1)"), 32, 16).str(),
            "(6,4):(1E0,2E1)");
  EXPECT_EQ(recast(arith, readAnyLayout("(6,4):(1E0,1E1)"), 8, 16).str(),
            "(6,4):(2E0,2E1)");
  EXPECT_FALSE(arith.failed()) << arith.message();
}

/// Fragments of coordinate tensors of any rank are ordered by coordinate.
TEST(BasisLaws, FragmentsOfIdentitiesAreCompact) {
  forEachCase([](Random &random) {
    StaticArith arith;
    Layout l = makeIdentityLayout(arith, randomTuple(random, 2, 1, 5));
    Layout result = makeFragmentLayoutLike(arith, l);
    ASSERT_FALSE(arith.failed()) << arith.message();
    std::vector<int64_t> values = table(result);
    for (size_t i = 0; i != values.size(); ++i)
      ASSERT_EQ(values[i], int64_t(i)) << l.str() << " to " << result.str();
    Layout like = makeLayoutLike(arith, l);
    ASSERT_FALSE(arith.failed()) << arith.message();
    ASSERT_TRUE(injective(table(like))) << like.str();
  });
}

TEST(BasisLaws, MixedStridesAreRefused) {
  for (const char *text : {"(3,2):(1,1E0)", "(3,2):(1E0,1E0E1)"}) {
    StaticArith arith;
    complement(arith, readLayout(text));
    EXPECT_NE(arith.message().find("one is an integer, the other a vector"),
              std::string::npos)
        << arith.message();
  }
  StaticArith path;
  composition(path, readLayout("(6,4):(4,1)"), readLayout("3:1E2"));
  EXPECT_EQ(path.message(), "layout (6,4):(4,1) has no mode 2 for the basis "
                            "element of the other layout");
}

} // namespace
