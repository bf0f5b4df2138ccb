// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the law tests share: random layouts from a seed, and an evaluation of
// layouts that owes nothing to the library: it walks the digits of a
// coordinate with plain integers.
//
//   table((2,3):(3,1)) = { 0, 3, 1, 4, 2, 5 }

#ifndef FLY_TEST_UNIT_LAYOUT_LAWS_H
#define FLY_TEST_UNIT_LAYOUT_LAWS_H

#include "Reading.h"
#include "fly/Layout/Algebra.h"

#include <map>
#include <random>

namespace fly::layout::laws {

/// Cases per law, and the seed of the first one (flags of the test's main).
extern unsigned numCases;
extern unsigned firstSeed;

/// Random numbers of one case. Its seed is printed when the case fails.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  /// A number between `low` and `high`, both included.
  int64_t between(int64_t low, int64_t high) {
    uint64_t from = low, span = high - from + 1;
    return static_cast<int64_t>(from + (span ? engine() % span : engine()));
  }
  bool chance(unsigned percent) { return between(1, 100) <= percent; }
  template <typename T> const T &pick(const std::vector<T> &from) {
    return from[between(0, from.size() - 1)];
  }
  template <typename T> void shuffle(std::vector<T> &items) {
    for (size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[between(0, i - 1)]);
  }

private:
  std::mt19937_64 engine;
};

/// Runs `law` on `numCases / share` seeds until one fails; `share` is for laws
/// whose single case takes long.
void forEachCase(llvm::function_ref<void(Random &)> law, unsigned share = 1);

/// One leaf of a layout with integer strides.
struct Digit {
  int64_t extent, stride;
};
std::vector<Digit> digits(const Layout &l);
/// The value at an integer coordinate; the last digit is unbounded.
int64_t valueAt(llvm::ArrayRef<Digit> digits, int64_t index);
int64_t valueAt(const Layout &l, int64_t index);
int64_t numPoints(const Layout &l);
/// The values of all coordinates in colexicographic order.
std::vector<int64_t> table(const Layout &l);
/// As table for basis strides: a sum for each mode path.
using Vector = std::map<std::vector<int32_t>, int64_t>;
Vector vectorAt(const Layout &l, int64_t index);
/// The vector that a tuple, basis element or 0 stands for; zeros left out.
Vector vectorOf(const IntTuple &t);
/// Leaves of a coordinate for index `index` of a shape, with the shape's tree.
IntTuple coordinateAt(const IntTuple &shape, int64_t index);

/// A list of modes, grouped into a random tree.
Layout nested(Random &random, llvm::ArrayRef<Digit> digits);
/// Extents with a product of at most `maxPoints`, at most `maxModes` of them.
std::vector<int64_t> extents(Random &random, unsigned maxModes,
                             int64_t maxPoints);
/// A bijection onto [0, size).
Layout compactLayout(Random &random, unsigned maxModes, int64_t maxPoints);
/// Injective, with strides that divide one another; gaps up to a factor 4.
Layout gappedLayout(Random &random, unsigned maxModes, int64_t maxPoints);
/// Any strides: 0, equal ones, overlapping ones; negative ones on request.
Layout anyLayout(Random &random, unsigned maxModes, int64_t maxPoints,
                 bool negative = false);
/// One of the three.
Layout mixedLayout(Random &random, unsigned maxModes, int64_t maxPoints);
/// A tree of small numbers.
IntTuple randomTuple(Random &random, unsigned maxDepth, int64_t low,
                     int64_t high);

/// True when no value occurs twice.
bool injective(std::vector<int64_t> values);

} // namespace fly::layout::laws

#endif // FLY_TEST_UNIT_LAYOUT_LAWS_H
