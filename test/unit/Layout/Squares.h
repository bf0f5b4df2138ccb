// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commuting squares: for every function of the algebra, random operands
// and a run of it on any arithmetic. Those who run them hide some leaves of the
// operands behind unknowns and compare the answers:
//
//   CommutingSquareTest   folding, recorded expressions and inferred types
//   EmittedSquareTest     recorded expressions and emitted IR

#ifndef FLY_TEST_UNIT_LAYOUT_SQUARES_H
#define FLY_TEST_UNIT_LAYOUT_SQUARES_H

#include "Laws.h"

namespace fly::layout::laws {

/// Operands and results are lists of trees; a layout is two of them.
using Trees = std::vector<IntTuple>;

inline Layout layoutOf(const Trees &trees, size_t first = 0) {
  return {trees[first], trees[first + 1]};
}

/// How results of the two ways are compared.
enum class Compare {
  /// Leaf by leaf.
  Leaves,
  /// As functions on the integers: unknown leaves coalesce less.
  Function,
  /// As Function on the run from 0 that both have: unknown modes may end an
  /// inverse early, and unknown modes of size 1 may lengthen a complement and
  /// the rest of a divide.
  Prefix,
  /// An offset leaf by leaf, then a layout as Function.
  Partition,
  /// Only types and promises: what is unknown is left out of the answer.
  TypesOnly,
};

struct Square {
  const char *name;
  Compare compare;
  Trees (*operands)(Random &);
  Trees (*run)(Arith &, const Trees &);
  /// Percentage of cases in which both ways must have an answer to compare.
  unsigned least;
};

/// One for every function.
llvm::ArrayRef<Square> everySquare();

/// `known` with some leaves replaced by what `hide` answers for a number, a
/// width and a divisor of the number; each number fits its width.
Trees hideLeaves(const Trees &known, Random &random,
                 llvm::function_ref<Int(int64_t, unsigned, int64_t)> hide);

/// The same leaves without names: what type inference sees.
IntTuple nameless(const IntTuple &t);

} // namespace fly::layout::laws

#endif // FLY_TEST_UNIT_LAYOUT_SQUARES_H
