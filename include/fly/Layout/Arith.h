// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic that the layout algebra is written against.
//
// Every rule of leaf arithmetic (what folds, which width and divisor a result
// has) stands once, in Arith. What an operation on unknown numbers *does* is
// the subclass's one method:
//
//   StaticArith   never reached: for folding, tables, tests
//   TypeArith     answers "unknown" with the width and divisor
//   TraceArith    records an expression, to be evaluated on a binding
//   (IR)          creates arith ops; lives with the passes
//
// Errors are sticky: the first precondition that fails is kept with a message
// that names both sides, and the answer of that operation is a harmless leaf.
// Algebra code runs on; whoever drives it asks failed() once, at the end.

#ifndef FLY_LAYOUT_ARITH_H
#define FLY_LAYOUT_ARITH_H

#include "fly/Layout/IntTuple.h"
#include "llvm/ADT/Twine.h"

namespace fly::layout {

/// Leaf operations that a subclass may have to carry out. All are signed
/// except the shift to the right, which is logical. Comparisons and logic
/// answer 0 or 1 as a 32-bit integer.
enum class LeafOp {
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Min,
  Max,
  CeilDiv,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Not, // logic: operands are 0 or 1
  BitAnd,
  BitXor,
  ShiftLeft,
  ShiftRight, // swizzles
};

/// What an operation relies on and cannot check, because an operand is unknown.
enum class Precondition {
  /// {a, b}: b divides a.
  Divides,
  /// {a, b}: one divides the other.
  EitherDivides,
  /// {a, b}: a is at most b.
  AtMost,
  /// {extent, step, run}: one of extent and step divides the other, or `run`
  /// steps stay inside the extent.
  StepsFit,
};

class Arith {
public:
  virtual ~Arith();

  // Fold, or emit. The table of the rules: section 4.2 of the dialect's
  // specification. The none leaf counts as a static zero.
  Int add(Int a, Int b);
  Int sub(Int a, Int b);
  Int mul(Int a, Int b);
  /// Truncating quotient; division by a known zero is an error.
  Int div(Int a, Int b);
  /// C remainder.
  Int mod(Int a, Int b);
  Int min(Int a, Int b);
  Int max(Int a, Int b);
  /// (a + b - 1) / b for a >= 0, b >= 1.
  Int ceilDiv(Int a, Int b);
  /// As ceilDiv, but for known numbers one must divide the other.
  Int shapeDiv(Int a, Int b);
  /// Exact quotient; a known divisor must divide `a` (or its divisor).
  Int safeDiv(Int a, Int b);
  Int less(Int a, Int b);
  Int lessEqual(Int a, Int b);
  Int greater(Int a, Int b);
  Int greaterEqual(Int a, Int b);
  Int equal(Int a, Int b);
  Int notEqual(Int a, Int b);
  Int logicalAnd(Int a, Int b);
  Int logicalOr(Int a, Int b);
  Int logicalNot(Int a);
  /// x xor ((x and (((1 << mask) - 1) << (base + shift))) >> shift); the
  /// identity when mask is 0. The answer's divisor is gcd(div, 1 << base).
  Int swizzle(Int x, unsigned mask, unsigned base, unsigned shift);
  /// col xor (((row >> rowBase) and ((1 << mask) - 1)) << colBase).
  Int coordSwizzle(Int row, Int col, unsigned mask, unsigned rowBase,
                   unsigned colBase);

  /// Tells that the answers so far and to come rely on a precondition over
  /// unknown numbers. Ignored unless a subclass has a use for it.
  virtual void assume(Precondition what, llvm::ArrayRef<Int> operands);

  /// Records a failed precondition; the first one wins. Answers the harmless
  /// leaf 0, so that `return arith.fail(...)` reads well.
  Int fail(const llvm::Twine &message);
  bool failed() const { return hasFailed; }
  const std::string &message() const { return error; }
  /// Forgets the error, for callers that try and fall back.
  void clearError();

protected:
  /// Carries out `op` where at least one operand is dynamic and nothing
  /// folds. `operands` has one or two entries, known numbers among them;
  /// `width` and `divisor` are those of the answer.
  virtual Int emit(LeafOp op, llvm::ArrayRef<Int> operands, unsigned width,
                   int64_t divisor) = 0;

private:
  bool hasFailed = false;
  std::string error;
};

/// Folding only. An operation on an unknown is recorded as an error.
class StaticArith : public Arith {
protected:
  Int emit(LeafOp op, llvm::ArrayRef<Int> operands, unsigned width,
           int64_t divisor) override;
};

/// Answers unknown leaves: result-type inference.
class TypeArith : public Arith {
protected:
  Int emit(LeafOp op, llvm::ArrayRef<Int> operands, unsigned width,
           int64_t divisor) override;
};

} // namespace fly::layout

#endif // FLY_LAYOUT_ARITH_H
