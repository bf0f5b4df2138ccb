// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaf arithmetic: the table of section 4.2, widths and divisors, and that no
// integer wraps.

#include "Laws.h"
#include "fly/Layout/TraceArith.h"

using namespace fly::layout;
using namespace fly::layout::laws;

namespace {

constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
constexpr int64_t highest = std::numeric_limits<int64_t>::max();

using Binary = Int (Arith::*)(Int, Int);

struct Case {
  const char *left;
  Binary op;
  const char *right, *result;
};

TEST(Arith, TypesOfResults) {
  const Case cases[] = {
      {"?{div=4}", &Arith::add, "6", "?{div=2}"},
      {"?{i64 div=4}", &Arith::add, "?{div=6}", "?{i64 div=2}"},
      {"*", &Arith::add, "?{div=4}", "?{div=4}"},
      {"?{div=4}", &Arith::add, "0", "?{div=4}"},
      {"*", &Arith::add, "*", "0"},
      {"0", &Arith::sub, "?{div=4}", "?{div=4}"},
      {"?{div=4}", &Arith::sub, "6", "?{div=2}"},
      {"6", &Arith::mul, "?{div=4}", "?{div=24}"},
      {"?{div=8}", &Arith::mul, "-2", "?{div=16}"},
      {"0", &Arith::mul, "?", "0"},
      {"1", &Arith::mul, "?{div=4}", "?{div=4}"},
      {"?{div=4}", &Arith::div, "1", "?"},
      {"0", &Arith::div, "?", "0"},
      {"-7", &Arith::div, "2", "-3"},
      {"-7", &Arith::mod, "2", "-1"},
      {"?", &Arith::mod, "1", "0"},
      {"?{div=4}", &Arith::mod, "6", "?{div=2}"},
      {"?{div=8}", &Arith::mod, "4", "?{div=4}"},
      {"1", &Arith::ceilDiv, "?", "1"},
      {"?", &Arith::ceilDiv, "1", "?"},
      {"?{div=4}", &Arith::ceilDiv, "4", "?"},
      {"10", &Arith::ceilDiv, "4", "3"},
      {"4", &Arith::shapeDiv, "8", "1"},
      {"?{div=6}", &Arith::safeDiv, "2", "?"},
      {"?{div=4}", &Arith::min, "6", "?{div=2}"},
      {"?{i64}", &Arith::max, "?", "?{i64}"},
      {"?", &Arith::less, "?{i64}", "?"},
      {"3", &Arith::less, "4", "1"},
      {"0", &Arith::logicalAnd, "?", "0"},
      {"1", &Arith::logicalAnd, "1", "1"},
      {"1", &Arith::logicalOr, "?", "1"},
      // A known number beyond 32 bits makes the result wide.
      {"?", &Arith::add, "4294967296", "?{i64}"},
      {"?{div=4}", &Arith::mul, "3000000000", "?{i64 div=12000000000}"},
      {"-2147483648", &Arith::add, "?", "?"},
      {"-2147483649", &Arith::add, "?", "?{i64}"},
      {"65536", &Arith::mul, "65536", "4294967296"},
      // A divisor that does not fit drops to a power of two.
      {"?{i64 div=4611686018427387904}", &Arith::mul, "?{div=6}",
       "?{i64 div=4611686018427387904}"},
      {"?{i64 div=6148914691236517206}", &Arith::mul, "?{div=12}",
       "?{i64 div=8}"},
  };
  for (const Case &c : cases) {
    TypeArith arith;
    Int a = readTuple(c.left).leaf(), b = readTuple(c.right).leaf();
    EXPECT_EQ(IntTuple((arith.*c.op)(a, b)).str(), c.result)
        << c.left << " and " << c.right << ": " << arith.message();
    EXPECT_FALSE(arith.failed()) << arith.message();
  }
}

TEST(Arith, NothingWraps) {
  struct Refused {
    int64_t left;
    Binary op;
    int64_t right;
    const char *message;
  };
  const Refused cases[] = {
      {highest, &Arith::add, 1,
       "sum of 9223372036854775807 and 1 does not fit 64 bits"},
      {lowest, &Arith::sub, 1,
       "difference of -9223372036854775808 and 1 does not fit 64 bits"},
      {highest, &Arith::mul, 2,
       "product of 9223372036854775807 and 2 does not fit 64 bits"},
      {lowest, &Arith::div, -1,
       "quotient of -9223372036854775808 and -1 does not fit 64 bits"},
      {7, &Arith::div, 0, "division of 7 by zero"},
      {7, &Arith::mod, 0, "remainder of 7 by zero"},
      {7, &Arith::ceilDiv, 0, "division of 7 by zero"},
      {10, &Arith::shapeDiv, 4, "neither of 10 and 4 divides the other"},
      {10, &Arith::shapeDiv, 0, "division of 10 by zero"},
      {10, &Arith::safeDiv, 4, "4 does not divide 10"},
      {10, &Arith::safeDiv, 0, "division of 10 by zero"},
  };
  for (const Refused &c : cases) {
    StaticArith arith;
    (arith.*c.op)(Int::known(c.left), Int::known(c.right));
    EXPECT_EQ(arith.message(), c.message);
  }
  StaticArith arith;
  EXPECT_TRUE(arith.mod(Int::known(lowest), Int::known(-1)).is(0));
  EXPECT_TRUE(
      arith.ceilDiv(Int::known(highest), Int::known(2)).is(highest / 2 + 1));
  EXPECT_TRUE(arith.ceilDiv(Int::known(highest), Int::known(highest)).is(1));
  EXPECT_FALSE(arith.failed()) << arith.message();
}

/// The first error stays, with a harmless answer after it.
TEST(Arith, ErrorsStick) {
  StaticArith arith;
  EXPECT_TRUE(arith.div(Int::known(1), Int::known(0)).is(0));
  arith.mod(Int::known(2), Int::known(0));
  EXPECT_EQ(arith.message(), "division of 1 by zero");
  arith.clearError();
  EXPECT_FALSE(arith.failed());
  EXPECT_TRUE(arith.message().empty());
}

TEST(Arith, FoldingNeedsKnownNumbers) {
  StaticArith arith;
  arith.add(Int::unknown(32, 4), Int::known(6));
  EXPECT_EQ(arith.message(),
            "an operation on ?{div=4} and 6 needs known numbers");
}

TEST(Arith, SwizzlesStayInRange) {
  StaticArith arith;
  EXPECT_TRUE(arith.swizzle(Int::known(100), 3, 2, 2).is(124));
  EXPECT_TRUE(arith.swizzle(Int::known(-1), 2, 0, 3).is(-4));
  EXPECT_TRUE(arith.swizzle(Int::known(lowest), 3, 2, 4).is(lowest));
  EXPECT_FALSE(arith.failed());
  arith.swizzle(Int::known(1), 20, 10, 4);
  EXPECT_EQ(arith.message(),
            "swizzle of 20 bits at 10 + 4 reaches past bit 30");
}

/// Signs, extremes and zeros of divisors are normalised once.
TEST(Arith, DivisorsArePositive) {
  EXPECT_EQ(Int::unknown(32, -8).divisor(), 8);
  EXPECT_EQ(Int::unknown(32, 0).divisor(), 1);
  EXPECT_EQ(Int::unknown(32, lowest).divisor(), int64_t(1) << 62);
  EXPECT_EQ(Int::unknown(7, 1).width(), 32u);
  EXPECT_EQ(Int::unknown(33, 1).width(), 64u);
}

/// Every operation on random leaves keeps its promises under a binding.
TEST(Arith, RandomExpressionsKeepTheirPromises) {
  const Binary ops[] = {&Arith::add,       &Arith::sub,       &Arith::mul,
                        &Arith::div,       &Arith::mod,       &Arith::ceilDiv,
                        &Arith::min,       &Arith::max,       &Arith::less,
                        &Arith::lessEqual, &Arith::greater,   &Arith::equal,
                        &Arith::notEqual,  &Arith::logicalAnd};
  forEachCase([&](Random &random) {
    TraceArith trace;
    StaticArith fold;
    std::vector<int64_t> binding;
    std::vector<Int> unknown, known;
    for (int i = 0; i != 4; ++i) {
      int64_t divisor = random.between(1, 12);
      int64_t value = divisor * random.between(-20, 20);
      bool hide = random.chance(60);
      if (hide)
        binding.push_back(value);
      unknown.push_back(
          hide ? trace.variable(random.chance(50) ? 32 : 64, divisor)
               : Int::known(value));
      known.push_back(Int::known(value));
    }
    for (int i = 0; i != 12; ++i) {
      size_t a = random.between(0, unknown.size() - 1);
      size_t b = random.between(0, unknown.size() - 1);
      Binary op = ops[random.between(0, std::size(ops) - 1)];
      // Quotients rounded up are defined for positive numbers only.
      if ((op == &Arith::ceilDiv &&
           (known[a].value() < 0 || known[b].value() < 1)) ||
          ((op == &Arith::div || op == &Arith::mod) && known[b].is(0)))
        continue;
      Int folded = (fold.*op)(known[a], known[b]);
      if (fold.failed() || std::abs(folded.value()) > (1 << 28)) {
        fold.clearError();
        continue;
      }
      known.push_back(folded);
      unknown.push_back((trace.*op)(unknown[a], unknown[b]));
      ASSERT_FALSE(trace.failed()) << trace.message();
    }
    TraceArith::Values values = trace.evaluate(binding);
    ASSERT_TRUE(values.brokenPromises().empty());
    for (size_t i = 0; i != known.size(); ++i) {
      std::optional<int64_t> number = values.of(unknown[i]);
      ASSERT_TRUE(number.has_value());
      ASSERT_EQ(*number, known[i].value());
      if (unknown[i].isDynamic()) {
        ASSERT_EQ(*number % unknown[i].divisor(), 0);
      }
    }
  });
}

TEST(Arith, TracesReportOverflow) {
  TraceArith trace;
  Int n = trace.variable(32, 1);
  Int wide = trace.variable(64, 1);
  Int product = trace.mul(n, Int::known(1 << 20));
  Int sum = trace.add(wide, Int::known(1));
  EXPECT_EQ(trace.evaluate(product, {7, 0}), 7 << 20);
  EXPECT_EQ(trace.evaluate(product, {1 << 20, 0}), std::nullopt);
  EXPECT_EQ(trace.evaluate(sum, {0, highest}), std::nullopt);
  EXPECT_EQ(trace.evaluate(sum, {0}), std::nullopt);
  EXPECT_EQ(trace.evaluate(trace.div(n, wide), {1, 0}), std::nullopt);
}

} // namespace
