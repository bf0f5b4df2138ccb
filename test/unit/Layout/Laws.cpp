// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random layouts and their independent evaluation; see Laws.h.

#include "Laws.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace fly::layout;
using namespace fly::layout::laws;

unsigned laws::numCases = 10000;
unsigned laws::firstSeed = 1;

void laws::forEachCase(llvm::function_ref<void(Random &)> law, unsigned share) {
  for (unsigned i = 0; i != numCases / share && !testing::Test::HasFailure();
       ++i) {
    SCOPED_TRACE("seed " + std::to_string(firstSeed + i));
    Random random(firstSeed + i);
    law(random);
  }
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

static void collectDigits(const IntTuple &shape, const IntTuple &stride,
                          std::vector<Digit> &result) {
  if (shape.isLeaf()) {
    EXPECT_TRUE(stride.isInt()) << stride.str();
    result.push_back({shape.leaf().value(), stride.leaf().value()});
    return;
  }
  EXPECT_EQ(shape.rank(), stride.rank());
  for (unsigned i = 0; i != shape.rank(); ++i)
    collectDigits(shape.at(i), stride.at(i), result);
}

std::vector<Digit> laws::digits(const Layout &l) {
  std::vector<Digit> result;
  collectDigits(l.shape, l.stride, result);
  return result;
}

int64_t laws::valueAt(llvm::ArrayRef<Digit> digits, int64_t index) {
  int64_t sum = 0;
  for (size_t i = 0; i != digits.size(); ++i) {
    bool last = i + 1 == digits.size();
    sum += (last ? index : index % digits[i].extent) * digits[i].stride;
    index /= digits[i].extent;
  }
  return sum;
}

int64_t laws::valueAt(const Layout &l, int64_t index) {
  return valueAt(digits(l), index);
}

int64_t laws::numPoints(const Layout &l) {
  int64_t count = 1;
  l.shape.forEachLeaf(
      [&](const IntTuple &leaf) { count *= leaf.leaf().value(); });
  return count;
}

std::vector<int64_t> laws::table(const Layout &l) {
  std::vector<Digit> all = digits(l);
  std::vector<int64_t> result(numPoints(l));
  for (size_t i = 0; i != result.size(); ++i)
    result[i] = valueAt(all, i);
  return result;
}

Vector laws::vectorAt(const Layout &l, int64_t index) {
  Vector sum;
  std::vector<IntTuple> shapes = l.shape.leaves(), strides = l.stride.leaves();
  for (size_t i = 0; i != shapes.size(); ++i) {
    int64_t extent = shapes[i].leaf().value();
    bool last = i + 1 == shapes.size();
    sum[strides[i].modes()] +=
        (last ? index : index % extent) * strides[i].leaf().value();
    index /= extent;
  }
  llvm::SmallVector<std::vector<int32_t>> zeros;
  for (const auto &entry : sum)
    if (entry.second == 0)
      zeros.push_back(entry.first);
  for (const std::vector<int32_t> &path : zeros)
    sum.erase(path);
  return sum;
}

static void collectVector(const IntTuple &t, std::vector<int32_t> &path,
                          Vector &sum) {
  if (t.isLeaf()) {
    std::vector<int32_t> whole = path;
    whole.insert(whole.end(), t.modes().begin(), t.modes().end());
    if (t.leaf().value() != 0)
      sum[whole] += t.leaf().value();
    return;
  }
  for (unsigned i = 0; i != t.rank(); ++i) {
    path.push_back(i);
    collectVector(t.at(i), path, sum);
    path.pop_back();
  }
}

Vector laws::vectorOf(const IntTuple &t) {
  Vector sum;
  std::vector<int32_t> path;
  collectVector(t, path, sum);
  return sum;
}

IntTuple laws::coordinateAt(const IntTuple &shape, int64_t index) {
  int64_t rest = index;
  return shape.mapLeaves([&](const IntTuple &leaf) {
    int64_t extent = leaf.leaf().value();
    int64_t digit = rest % extent;
    rest /= extent;
    return IntTuple(digit);
  });
}

bool laws::injective(std::vector<int64_t> values) {
  llvm::sort(values);
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

Layout laws::nested(Random &random, llvm::ArrayRef<Digit> digits) {
  if (digits.size() == 1) {
    Layout leaf = {IntTuple(digits[0].extent), IntTuple(digits[0].stride)};
    if (!random.chance(10))
      return leaf;
    return {IntTuple::tuple({leaf.shape}), IntTuple::tuple({leaf.stride})};
  }
  std::vector<IntTuple> shapes, strides;
  while (!digits.empty()) {
    size_t count = random.chance(70) ? 1 : random.between(1, digits.size());
    // A group of everything would not make the tree smaller.
    if (count == digits.size() && shapes.empty())
      count = 1;
    Layout child = nested(random, digits.take_front(count));
    shapes.push_back(child.shape);
    strides.push_back(child.stride);
    digits = digits.drop_front(count);
  }
  return {IntTuple::tuple(shapes), IntTuple::tuple(strides)};
}

std::vector<int64_t> laws::extents(Random &random, unsigned maxModes,
                                   int64_t maxPoints) {
  unsigned count = random.between(1, maxModes);
  std::vector<int64_t> result;
  int64_t points = 1;
  for (unsigned i = 0; i != count; ++i) {
    int64_t largest = std::min<int64_t>(maxPoints / points, 9);
    int64_t extent = random.chance(10) ? 1 : random.between(1, largest);
    points *= extent;
    result.push_back(extent);
  }
  return result;
}

/// Strides in a random order of the modes; each mode leaves a gap up to
/// `maxGap` above the one before it.
static Layout ordered(Random &random, unsigned maxModes, int64_t maxPoints,
                      int64_t maxGap) {
  std::vector<int64_t> sizes = extents(random, maxModes, maxPoints);
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  std::vector<Digit> all(sizes.size());
  int64_t next = random.between(1, maxGap);
  for (size_t mode : order) {
    all[mode] = {sizes[mode], next};
    next *= sizes[mode] * random.between(1, maxGap);
  }
  return nested(random, all);
}

Layout laws::compactLayout(Random &random, unsigned maxModes,
                           int64_t maxPoints) {
  return ordered(random, maxModes, maxPoints, 1);
}

Layout laws::gappedLayout(Random &random, unsigned maxModes,
                          int64_t maxPoints) {
  return ordered(random, maxModes, maxPoints, 4);
}

Layout laws::anyLayout(Random &random, unsigned maxModes, int64_t maxPoints,
                       bool negative) {
  std::vector<Digit> all;
  for (int64_t extent : extents(random, maxModes, maxPoints))
    all.push_back({extent, random.chance(20)
                               ? 0
                               : random.between(negative ? -24 : 0, 24)});
  return nested(random, all);
}

Layout laws::mixedLayout(Random &random, unsigned maxModes, int64_t maxPoints) {
  switch (random.between(0, 2)) {
  case 0:
    return compactLayout(random, maxModes, maxPoints);
  case 1:
    return gappedLayout(random, maxModes, maxPoints);
  default:
    return anyLayout(random, maxModes, maxPoints);
  }
}

IntTuple laws::randomTuple(Random &random, unsigned maxDepth, int64_t low,
                           int64_t high) {
  if (maxDepth == 0 || random.chance(40))
    return IntTuple(random.between(low, high));
  std::vector<IntTuple> children;
  for (int64_t i = 0, e = random.between(1, 3); i != e; ++i)
    children.push_back(randomTuple(random, maxDepth - 1, low, high));
  return IntTuple::tuple(children);
}
