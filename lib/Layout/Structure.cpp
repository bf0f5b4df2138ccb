// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structural functions on tuples (section 4.4): what they move are whole
// subtrees, numbers are never computed.
//
// In: a tuple, and indices or a guide. Out: a tuple. The law: each function
// commutes with replacing leaves, so that a layout's shape and stride stay
// congruent when both are treated alike.
//
//   slice((3,(5,2),7), (*,(2,*),*)) = (3,2,7)
//   zip2By(((a,b),(c,d),e), (*,*)) = ((a,c),(b,d,e))

#include "Detail.h"

using namespace fly::layout;
using namespace fly::layout::detail;

static std::string range(int32_t begin, int32_t end) {
  return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

IntTuple fly::layout::get(Arith &arith, const IntTuple &t,
                          llvm::ArrayRef<int32_t> path) {
  if (path.empty())
    return t;
  if (path.size() > t.depth())
    return arith.fail("cannot index " + llvm::Twine(path.size()) +
                      " levels into " + t.str() + " of depth " +
                      llvm::Twine(t.depth()));
  IntTuple result = t;
  for (int32_t index : path) {
    if (index < 0 || static_cast<unsigned>(index) >= result.rank())
      return arith.fail("mode index " + llvm::Twine(index) +
                        " is out of range for " + result.str() + " of rank " +
                        llvm::Twine(result.rank()));
    result = result.at(index);
  }
  return result;
}

IntTuple fly::layout::take(Arith &arith, const IntTuple &t, int32_t begin,
                           int32_t end) {
  if (t.isLeaf())
    return arith.fail("cannot take modes of the leaf " + t.str());
  if (end == -1)
    end = t.rank();
  if (begin < 0 || end < 0 || static_cast<unsigned>(end) > t.rank() ||
      begin >= end)
    return arith.fail("mode range " + range(begin, end) +
                      " is empty or out of range for " + t.str() + " of rank " +
                      llvm::Twine(t.rank()));
  if (end - begin == 1)
    return t.at(begin);
  return IntTuple::tuple(t.elements().slice(begin, end - begin));
}

IntTuple fly::layout::select(Arith &arith, const IntTuple &t,
                             llvm::ArrayRef<int32_t> modes) {
  if (t.isLeaf())
    return arith.fail("cannot select modes of the leaf " + t.str());
  if (modes.empty())
    return arith.fail("select needs at least one mode index");
  std::vector<IntTuple> result;
  uint64_t leaves = 0;
  for (int32_t index : modes) {
    if (index < 0 || static_cast<unsigned>(index) >= t.rank())
      return arith.fail("mode index " + llvm::Twine(index) +
                        " is out of range for " + t.str() + " of rank " +
                        llvm::Twine(t.rank()));
    result.push_back(t.at(index));
    leaves += result.back().numLeaves();
    if (leaves > maxLeaves)
      return arith.fail("select answers more than " + llvm::Twine(maxLeaves) +
                        " leaves");
  }
  if (result.size() == 1)
    return result.front();
  return IntTuple::tuple(std::move(result));
}

IntTuple fly::layout::group(Arith &arith, const IntTuple &t, int32_t begin,
                            int32_t end) {
  if (t.isLeaf())
    return t;
  if (end == -1)
    end = t.rank();
  if (begin < 0 || end < begin || static_cast<unsigned>(end) > t.rank())
    return arith.fail("mode range " + range(begin, end) +
                      " is out of range for " + t.str() + " of rank " +
                      llvm::Twine(t.rank()));
  if (begin == end)
    return t;
  llvm::ArrayRef<IntTuple> modes = t.elements();
  std::vector<IntTuple> result(modes.begin(), modes.begin() + begin);
  result.push_back(IntTuple::tuple(modes.slice(begin, end - begin)));
  result.insert(result.end(), modes.begin() + end, modes.end());
  return IntTuple::tuple(std::move(result));
}

/// How many copies of `element` bring `t` to `rank`; 1 without a rank.
static std::optional<unsigned> copies(Arith &arith, const IntTuple &t,
                                      const IntTuple &element,
                                      std::optional<int32_t> rank) {
  if (!rank)
    return 1;
  if (*rank < 1 || static_cast<unsigned>(*rank) < t.rank()) {
    arith.fail("rank " + llvm::Twine(*rank) + " is below the rank " +
               llvm::Twine(t.rank()) + " of " + t.str());
    return std::nullopt;
  }
  unsigned count = *rank - t.rank();
  if (uint64_t(count) * element.numLeaves() > maxLeaves) {
    arith.fail("rank " + llvm::Twine(*rank) + " needs more than " +
               llvm::Twine(maxLeaves) + " leaves");
    return std::nullopt;
  }
  return count;
}

/// The children of a tuple; a leaf counts as the tuple of itself.
static std::vector<IntTuple> children(const IntTuple &t) {
  if (t.isLeaf())
    return {t};
  return t.elements();
}

IntTuple fly::layout::append(Arith &arith, const IntTuple &t,
                             const IntTuple &element,
                             std::optional<int32_t> rank) {
  std::optional<unsigned> count = copies(arith, t, element, rank);
  if (!count)
    return t;
  std::vector<IntTuple> result = children(t);
  result.insert(result.end(), *count, element);
  return IntTuple::tuple(std::move(result));
}

IntTuple fly::layout::prepend(Arith &arith, const IntTuple &t,
                              const IntTuple &element,
                              std::optional<int32_t> rank) {
  std::optional<unsigned> count = copies(arith, t, element, rank);
  if (!count)
    return t;
  std::vector<IntTuple> result = children(t);
  result.insert(result.begin(), *count, element);
  return IntTuple::tuple(std::move(result));
}

/// Collects the subtrees of `t` under the leaves of `coord` that are `*`
/// (`keepNone`) or that are not. False when the ranks do not match.
static bool collect(const IntTuple &t, const IntTuple &coord, bool keepNone,
                    std::vector<IntTuple> &kept) {
  if (coord.isLeaf()) {
    if (coord.isNone() == keepNone)
      kept.push_back(t);
    return true;
  }
  if (t.rank() != coord.rank())
    return false;
  // A leaf is its own only mode.
  for (unsigned i = 0, e = t.rank(); i != e; ++i)
    if (!collect(t.at(i), coord.at(i), keepNone, kept))
      return false;
  return true;
}

static IntTuple sliceOrDice(Arith &arith, llvm::StringRef name,
                            const IntTuple &t, const IntTuple &coord,
                            bool keepNone) {
  std::vector<IntTuple> kept;
  if (!collect(t, coord, keepNone, kept))
    return arith.fail(name + ": coordinate " + coord.str() +
                      " does not match the modes of " + t.str());
  if (kept.empty())
    return arith.fail(name + " of " + t.str() + " by " + coord.str() +
                      " keeps nothing");
  if (coord.isLeaf())
    return t;
  return unwrap(IntTuple::tuple(std::move(kept)));
}

IntTuple fly::layout::slice(Arith &arith, const IntTuple &t,
                            const IntTuple &coord) {
  return sliceOrDice(arith, "slice", t, coord, /*keepNone=*/true);
}

IntTuple fly::layout::dice(Arith &arith, const IntTuple &t,
                           const IntTuple &coord) {
  return sliceOrDice(arith, "dice", t, coord, /*keepNone=*/false);
}

IntTuple fly::layout::unwrap(const IntTuple &t) {
  IntTuple result = t;
  while (result.isTuple() && result.rank() == 1)
    result = result.at(0);
  return result;
}

IntTuple fly::layout::expand(const IntTuple &t, llvm::ArrayRef<int32_t> modes) {
  if (t.isLeaf())
    return t;
  std::vector<IntTuple> result;
  for (unsigned i = 0, e = t.rank(); i != e; ++i) {
    IntTuple child = t.at(i);
    if (child.isTuple() && llvm::is_contained(modes, static_cast<int32_t>(i)))
      result.insert(result.end(), child.elements().begin(),
                    child.elements().end());
    else
      result.push_back(child);
  }
  if (result.size() == 1)
    return result.front();
  return IntTuple::tuple(std::move(result));
}

IntTuple fly::layout::zip(Arith &arith, const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf())
    return IntTuple::tuple({a, b});
  if (b.rank() < a.rank())
    return arith.fail("cannot zip " + a.str() + " with " + b.str() +
                      ", which has fewer modes");
  std::vector<IntTuple> result;
  for (unsigned i = 0, e = a.rank(); i != e; ++i)
    result.push_back(IntTuple::tuple({a.at(i), b.at(i)}));
  return IntTuple::tuple(std::move(result));
}

IntTuple fly::layout::zip2By(Arith &arith, const IntTuple &t,
                             const IntTuple &guide) {
  if (guide.isLeaf()) {
    if (t.isTuple() && t.rank() == 2)
      return t;
    arith.fail("mode " + t.str() + " is not a pair to split");
    return IntTuple::tuple({t, t});
  }
  if (t.isLeaf() || t.rank() < guide.rank()) {
    arith.fail("guide " + guide.str() + " has more modes than " + t.str());
    return IntTuple::tuple({t, t});
  }
  std::vector<IntTuple> firsts, seconds;
  for (unsigned i = 0, e = guide.rank(); i != e; ++i) {
    IntTuple pair = zip2By(arith, t.at(i), guide.at(i));
    firsts.push_back(pair.at(0));
    seconds.push_back(pair.at(1));
  }
  for (unsigned i = guide.rank(), e = t.rank(); i < e; ++i)
    seconds.push_back(t.at(i));
  return IntTuple::tuple({IntTuple::tuple(std::move(firsts)),
                          IntTuple::tuple(std::move(seconds))});
}

/// Every leaf of `t` replaced by 1.
static IntTuple ones(const IntTuple &t) {
  return t.mapLeaves([](const IntTuple &) { return IntTuple(1); });
}

IntTuple fly::layout::filterZero(const IntTuple &guide, const IntTuple &t) {
  if (guide.isLeaf())
    return isZeroStride(guide) ? ones(t) : t;
  if (t.isLeaf())
    return t;
  std::vector<IntTuple> result;
  for (unsigned i = 0, e = t.rank(); i != e; ++i)
    result.push_back(i < guide.rank() ? filterZero(guide.at(i), t.at(i))
                                      : t.at(i));
  return IntTuple::tuple(std::move(result));
}
