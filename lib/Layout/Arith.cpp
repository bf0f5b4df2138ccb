// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaf arithmetic: what folds, and which width and divisor the rest has.
//
// In: two leaves. Out: a leaf. The laws: known numbers never wrap (64 bits, a
// failure names both operands); an unknown answer's divisor divides every value
// that it can take; folding and emitting answer leaves of the same type, in the
// order of special cases of section 4.2 of the dialect's specification.
//
//   ?{div=4} + 6 = ?{div=2}      ? mod 1 = 0      0 * ? = 0

#include "fly/Layout/Arith.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace fly::layout;

Arith::~Arith() = default;

static std::string text(Int value) { return IntTuple(value).str(); }

//===----------------------------------------------------------------------===//
// Divisors and widths
//===----------------------------------------------------------------------===//

static uint64_t magnitude(int64_t value) {
  return value < 0 ? -static_cast<uint64_t>(value)
                   : static_cast<uint64_t>(value);
}

/// `value` if it fits a signed 64-bit number, else the largest power of two
/// that divides it and fits.
static int64_t saturate(uint64_t value) {
  if (value == 0)
    return 1;
  if (llvm::isInt<64>(value) && static_cast<int64_t>(value) > 0)
    return static_cast<int64_t>(value);
  return int64_t(1) << std::min(62, llvm::countr_zero(value));
}

static int64_t gcdDivisor(Int a, Int b) {
  return saturate(std::gcd(magnitude(a.divisor()), magnitude(b.divisor())));
}

static int64_t productDivisor(Int a, Int b) {
  uint64_t x = magnitude(a.divisor()), y = magnitude(b.divisor());
  bool overflow = false;
  uint64_t result = llvm::SaturatingMultiply(x, y, &overflow);
  if (!overflow)
    return saturate(result);
  return int64_t(1) << std::min(62,
                                llvm::countr_zero(x) + llvm::countr_zero(y));
}

static unsigned commonWidth(Int a, Int b) {
  return std::max(a.neededWidth(), b.neededWidth());
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

Int Arith::fail(const llvm::Twine &message) {
  if (!hasFailed) {
    hasFailed = true;
    error = message.str();
  }
  return Int::known(0);
}

void Arith::assume(Precondition what, llvm::ArrayRef<Int> operands) {}

void Arith::clearError() {
  hasFailed = false;
  error.clear();
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

Int Arith::add(Int a, Int b) {
  if (a.isStatic() && b.isStatic()) {
    int64_t result;
    if (llvm::AddOverflow(a.value(), b.value(), result))
      return fail("sum of " + text(a) + " and " + text(b) +
                  " does not fit 64 bits");
    return Int::known(result);
  }
  if (a.is(0))
    return b;
  if (b.is(0))
    return a;
  return emit(LeafOp::Add, {a, b}, commonWidth(a, b), gcdDivisor(a, b));
}

Int Arith::sub(Int a, Int b) {
  if (a.isStatic() && b.isStatic()) {
    int64_t result;
    if (llvm::SubOverflow(a.value(), b.value(), result))
      return fail("difference of " + text(a) + " and " + text(b) +
                  " does not fit 64 bits");
    return Int::known(result);
  }
  if (a.is(0)) // The negative of b has the type of b.
    return emit(LeafOp::Sub, {a, b}, b.width(), b.divisor());
  if (b.is(0))
    return a;
  return emit(LeafOp::Sub, {a, b}, commonWidth(a, b), gcdDivisor(a, b));
}

Int Arith::mul(Int a, Int b) {
  if (a.isStatic() && b.isStatic()) {
    int64_t result;
    if (llvm::MulOverflow(a.value(), b.value(), result))
      return fail("product of " + text(a) + " and " + text(b) +
                  " does not fit 64 bits");
    return Int::known(result);
  }
  if (a.is(0) || b.is(0))
    return Int::known(0);
  // 1 * x has the type of x, so nothing needs to be emitted.
  if (a.is(1))
    return b;
  if (b.is(1))
    return a;
  return emit(LeafOp::Mul, {a, b}, commonWidth(a, b), productDivisor(a, b));
}

//===----------------------------------------------------------------------===//
// Quotients and remainders
//===----------------------------------------------------------------------===//

// A known zero under an unknown number has a type, as in original IR, and no
// value: the IR arithmetic refuses it. Under a known number it is an error.

Int Arith::div(Int a, Int b) {
  if (a.isStatic() && b.is(0))
    return fail("division of " + text(a) + " by zero");
  if (a.isStatic() && b.isStatic()) {
    if (b.value() == -1) {
      int64_t result;
      if (llvm::SubOverflow(int64_t(0), a.value(), result))
        return fail("quotient of " + text(a) + " and " + text(b) +
                    " does not fit 64 bits");
      return Int::known(result);
    }
    return Int::known(a.value() / b.value());
  }
  if (a.is(0))
    return Int::known(0);
  // The type forgets the divisor; the value is the operand's.
  if (b.is(1))
    return a.withDivisor(1);
  return emit(LeafOp::Div, {a, b}, commonWidth(a, b), 1);
}

Int Arith::mod(Int a, Int b) {
  if (a.isStatic() && b.is(0))
    return fail("remainder of " + text(a) + " by zero");
  if (b.is(1) || a.is(0))
    return Int::known(0);
  if (a.isStatic() && b.isStatic())
    return Int::known(b.value() == -1 ? 0 : a.value() % b.value());
  return emit(LeafOp::Mod, {a, b}, commonWidth(a, b), gcdDivisor(a, b));
}

Int Arith::ceilDiv(Int a, Int b) {
  if (a.isStatic() && b.is(0))
    return fail("division of " + text(a) + " by zero");
  if (a.isStatic() && b.isStatic()) {
    int64_t x = a.value(), y = b.value();
    if (x >= 0 && y >= 1)
      return Int::known(x / y + (x % y != 0));
    // Outside of its domain: (x + y - 1) / y, as the specification computes.
    return div(sub(add(a, b), Int::known(1)), b);
  }
  if (a.is(0) || a.is(1))
    return a;
  if (b.is(1))
    return a.withDivisor(1);
  return emit(LeafOp::CeilDiv, {a, b}, commonWidth(a, b), 1);
}

Int Arith::shapeDiv(Int a, Int b) {
  if (a.isStatic() && b.isStatic() && !b.is(0)) {
    bool divides = mod(a, b).is(0) || (!a.is(0) && mod(b, a).is(0));
    if (!divides)
      return fail("neither of " + text(a) + " and " + text(b) +
                  " divides the other");
  } else {
    assume(Precondition::EitherDivides, {a, b});
  }
  return ceilDiv(a, b);
}

Int Arith::safeDiv(Int a, Int b) {
  if (b.is(0))
    return fail("division of " + text(a) + " by zero");
  if (a.isStatic() && b.isStatic()) {
    if (!mod(a, b).is(0))
      return fail(text(b) + " does not divide " + text(a));
    return div(a, b);
  }
  if (a.is(0))
    return a;
  if (b.isStatic() && !mod(Int::known(a.divisor()), b).is(0))
    return fail(text(b) + " does not divide the divisor of " + text(a));
  return div(a, b);
}

//===----------------------------------------------------------------------===//
// Order and logic
//===----------------------------------------------------------------------===//

Int Arith::min(Int a, Int b) {
  if (a.isStatic() && b.isStatic())
    return Int::known(std::min(a.value(), b.value()));
  return emit(LeafOp::Min, {a, b}, commonWidth(a, b), gcdDivisor(a, b));
}

Int Arith::max(Int a, Int b) {
  if (a.isStatic() && b.isStatic())
    return Int::known(std::max(a.value(), b.value()));
  return emit(LeafOp::Max, {a, b}, commonWidth(a, b), gcdDivisor(a, b));
}

Int Arith::less(Int a, Int b) {
  if (a.isStatic() && b.isStatic())
    return Int::known(a.value() < b.value());
  return emit(LeafOp::Less, {a, b}, 32, 1);
}

Int Arith::lessEqual(Int a, Int b) {
  if (a.isStatic() && b.isStatic())
    return Int::known(a.value() <= b.value());
  return emit(LeafOp::LessEqual, {a, b}, 32, 1);
}

Int Arith::greater(Int a, Int b) {
  if (a.isStatic() && b.isStatic())
    return Int::known(a.value() > b.value());
  return emit(LeafOp::Greater, {a, b}, 32, 1);
}

Int Arith::greaterEqual(Int a, Int b) {
  if (a.isStatic() && b.isStatic())
    return Int::known(a.value() >= b.value());
  return emit(LeafOp::GreaterEqual, {a, b}, 32, 1);
}

Int Arith::equal(Int a, Int b) {
  if (a.isStatic() && b.isStatic())
    return Int::known(a.value() == b.value());
  return emit(LeafOp::Equal, {a, b}, 32, 1);
}

Int Arith::notEqual(Int a, Int b) {
  if (a.isStatic() && b.isStatic())
    return Int::known(a.value() != b.value());
  return emit(LeafOp::NotEqual, {a, b}, 32, 1);
}

Int Arith::logicalAnd(Int a, Int b) {
  if (a.is(0) || b.is(0))
    return Int::known(0);
  if (a.isStatic() && b.isStatic())
    return Int::known(1);
  return emit(LeafOp::And, {a, b}, 32, 1);
}

Int Arith::logicalOr(Int a, Int b) {
  if ((a.isStatic() && !a.is(0)) || (b.isStatic() && !b.is(0)))
    return Int::known(1);
  if (a.isStatic() && b.isStatic())
    return Int::known(0);
  return emit(LeafOp::Or, {a, b}, 32, 1);
}

Int Arith::logicalNot(Int a) {
  if (a.isStatic())
    return Int::known(a.is(0));
  return emit(LeafOp::Not, {a}, 32, 1);
}

//===----------------------------------------------------------------------===//
// Swizzles
//===----------------------------------------------------------------------===//

Int Arith::swizzle(Int x, unsigned mask, unsigned base, unsigned shift) {
  if (mask == 0)
    return x;
  if (mask > 31 || base > 31 || shift > 31 || mask + base + shift > 31)
    return fail("swizzle of " + llvm::Twine(mask) + " bits at " +
                llvm::Twine(base) + " + " + llvm::Twine(shift) +
                " reaches past bit 30");
  int64_t bits = ((int64_t(1) << mask) - 1) << (base + shift);
  if (x.isStatic())
    return Int::known(x.value() ^ ((x.value() & bits) >> shift));
  int64_t step = int64_t(1) << base;
  Int taken = emit(LeafOp::BitAnd, {x, Int::known(bits)}, x.width(),
                   int64_t(1) << (base + shift));
  Int moved = shift == 0 ? taken
                         : emit(LeafOp::ShiftRight, {taken, Int::known(shift)},
                                x.width(), step);
  return emit(LeafOp::BitXor, {x, moved}, x.width(),
              gcdDivisor(x, Int::known(step)));
}

Int Arith::coordSwizzle(Int row, Int col, unsigned mask, unsigned rowBase,
                        unsigned colBase) {
  if (mask == 0)
    return col;
  if (mask > 31 || rowBase > 31 || colBase > 31 || mask + rowBase > 31 ||
      mask + colBase > 31)
    return fail("coordinate swizzle of " + llvm::Twine(mask) + " bits at " +
                llvm::Twine(rowBase) + " and " + llvm::Twine(colBase) +
                " reaches past bit 30");
  int64_t ones = (int64_t(1) << mask) - 1;
  unsigned width = commonWidth(row, col);
  int64_t step = int64_t(1) << colBase;
  Int moved;
  if (row.isStatic()) {
    moved = Int::known(((row.value() >> rowBase) & ones) << colBase);
  } else {
    Int low = rowBase == 0 ? row
                           : emit(LeafOp::ShiftRight,
                                  {row, Int::known(rowBase)}, row.width(), 1);
    Int taken = emit(LeafOp::BitAnd, {low, Int::known(ones)}, row.width(), 1);
    moved = colBase == 0 ? taken
                         : emit(LeafOp::ShiftLeft, {taken, Int::known(colBase)},
                                row.width(), step);
  }
  if (moved.isStatic() && col.isStatic())
    return Int::known(col.value() ^ moved.value());
  return emit(LeafOp::BitXor, {col, moved}, width,
              gcdDivisor(col, Int::known(step)));
}

//===----------------------------------------------------------------------===//
// The two arithmetics without a medium
//===----------------------------------------------------------------------===//

Int StaticArith::emit(LeafOp op, llvm::ArrayRef<Int> operands, unsigned width,
                      int64_t divisor) {
  std::string names;
  for (Int operand : operands)
    names += (names.empty() ? "" : " and ") + text(operand);
  return fail("an operation on " + names + " needs known numbers");
}

Int TypeArith::emit(LeafOp op, llvm::ArrayRef<Int> operands, unsigned width,
                    int64_t divisor) {
  return Int::unknown(width, divisor);
}
