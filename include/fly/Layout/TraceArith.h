// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic that records: each operation on an unknown becomes a node of
// an expression graph, which can be evaluated once its variables are known.
//
// It certifies the algebra by the commuting square: hide numbers behind
// variables, run an operation, put the numbers back, and get what folding gets.
//
//   TraceArith trace;
//   Int n = trace.variable(32, 8);                 // a multiple of 8
//   Int half = trace.div(trace.add(n, Int::known(4)), Int::known(2));
//   trace.evaluate(half, {16});                    // 10

#ifndef FLY_LAYOUT_TRACEARITH_H
#define FLY_LAYOUT_TRACEARITH_H

#include "fly/Layout/Arith.h"
#include "fly/Layout/Layout.h"
#include <optional>

namespace fly::layout {

class TraceArith : public Arith {
public:
  /// A fresh unknown; the order of calls is the order of the bindings.
  Int variable(unsigned width = 32, int64_t divisor = 1);
  void assume(Precondition what, llvm::ArrayRef<Int> operands) override;

  /// The numbers of all recorded answers under one binding.
  class Values {
  public:
    /// The number of a leaf; nothing when its computation overflows, divides
    /// by zero or exceeds the width that was promised.
    std::optional<int64_t> of(Int leaf) const;
    /// The tree with known numbers for unknown ones, where they have one.
    IntTuple substitute(const IntTuple &t) const;
    Layout substitute(const Layout &l) const;
    /// Answers whose number is no multiple of the divisor that was promised.
    llvm::ArrayRef<Int> brokenPromises() const { return broken; }
    /// True when every precondition that the operations relied on holds.
    bool preconditionsHold() const { return fits; }

  private:
    friend class TraceArith;
    std::vector<std::optional<int64_t>> numbers;
    std::vector<Int> broken;
    bool fits = true;
  };

  Values evaluate(llvm::ArrayRef<int64_t> bindings) const;
  std::optional<int64_t> evaluate(Int leaf,
                                  llvm::ArrayRef<int64_t> bindings) const;

protected:
  Int emit(LeafOp op, llvm::ArrayRef<Int> operands, unsigned width,
           int64_t divisor) override;

private:
  /// Node i has the handle i + 1. A variable has no operands.
  struct Node {
    LeafOp op = LeafOp::Add;
    llvm::SmallVector<Int, 2> operands;
    size_t variable = 0;
    Int answer;
  };
  struct Assumption {
    Precondition what;
    llvm::SmallVector<Int, 3> operands;
  };
  std::vector<Node> nodes;
  std::vector<Assumption> assumptions;
  size_t numVariables = 0;
};

} // namespace fly::layout

#endif // FLY_LAYOUT_TRACEARITH_H
