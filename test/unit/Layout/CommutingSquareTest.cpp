// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commuting square, for every function of the algebra.
//
//             hide leaves
//   numbers ---------------> unknowns
//      | fold                   | record (TraceArith), infer (TypeArith)
//      v                        v
//   result  <--------------- expressions
//              bind, evaluate
//
// Where folding succeeds and the recorded run's preconditions hold, both ways
// answer the same function; the inferred types are those of the recorded
// answers, leaf by leaf; and no binding breaks a promised divisor or width.

#include "Squares.h"
#include "fly/Layout/TraceArith.h"

using namespace fly::layout;
using namespace fly::layout::laws;

namespace {

//===----------------------------------------------------------------------===//
// The square
//===----------------------------------------------------------------------===//

/// `*` counts as 0 where numbers are compared.
IntTuple asNumbers(const IntTuple &t) {
  return t.mapLeaves(
      [](const IntTuple &leaf) { return leaf.isNone() ? IntTuple(0) : leaf; });
}

void compareAnswers(Compare compare, const Trees &folded, const Trees &bound,
                    llvm::function_ref<std::string()> where) {
  if (compare == Compare::Leaves) {
    for (size_t i = 0; i != folded.size(); ++i)
      ASSERT_EQ(asNumbers(bound[i]).str(), asNumbers(folded[i]).str())
          << where();
    return;
  }
  if (compare == Compare::TypesOnly)
    return;
  size_t first = 0;
  if (compare == Compare::Partition) {
    ASSERT_EQ(asNumbers(bound[0]).str(), asNumbers(folded[0]).str()) << where();
    first = 1;
  }
  std::vector<int64_t> expected = table(layoutOf(folded, first));
  std::vector<int64_t> actual = table(layoutOf(bound, first));
  if (compare == Compare::Prefix) {
    size_t common = std::min(actual.size(), expected.size());
    actual.resize(common);
    expected.resize(common);
  }
  ASSERT_EQ(actual, expected) << where() << " " << layoutOf(folded, first).str()
                              << " against " << layoutOf(bound, first).str();
}

/// One case. True when both ways had an answer.
bool runSquare(const Square &square, Random &random) {
  Trees known = square.operands(random);
  TraceArith trace;
  std::vector<int64_t> binding;
  Trees hidden = hideLeaves(
      known, random, [&](int64_t value, unsigned width, int64_t divisor) {
        binding.push_back(value);
        return trace.variable(width, divisor);
      });
  Trees types;
  for (const IntTuple &operand : hidden)
    types.push_back(nameless(operand));
  auto where = [&] {
    std::string text = square.name;
    for (const IntTuple &operand : hidden)
      text += " " + operand.str();
    return text;
  };

  // Folding, and type inference on numbers, are one.
  StaticArith fold;
  Trees folded = square.run(fold, known);
  TypeArith inferKnown;
  Trees inferredKnown = square.run(inferKnown, known);
  EXPECT_EQ(fold.message(), inferKnown.message()) << where();
  EXPECT_EQ(folded, inferredKnown) << where();

  // The recorded answers have the inferred types.
  Trees recorded = square.run(trace, hidden);
  TypeArith infer;
  Trees inferred = square.run(infer, types);
  EXPECT_EQ(trace.failed(), infer.failed()) << where() << trace.message();
  if (trace.failed() || infer.failed())
    return false;
  for (size_t i = 0; i != recorded.size(); ++i)
    EXPECT_EQ(nameless(recorded[i]), inferred[i]) << where();

  TraceArith::Values values = trace.evaluate(binding);
  EXPECT_TRUE(values.brokenPromises().empty())
      << where() << " breaks "
      << IntTuple(values.brokenPromises().front()).str();
  if (fold.failed() || !values.preconditionsHold())
    return false;
  Trees bound;
  for (const IntTuple &answer : recorded) {
    bound.push_back(values.substitute(answer));
    EXPECT_TRUE(bound.back().isStatic())
        << where() << " has no value for " << answer.str();
  }
  compareAnswers(square.compare, folded, bound, where);
  return true;
}

TEST(CommutingSquare, EveryFunction) {
  for (const Square &square : everySquare()) {
    SCOPED_TRACE(square.name);
    unsigned compared = 0;
    forEachCase([&](Random &random) { compared += runSquare(square, random); });
    EXPECT_GE(compared * 100, numCases * square.least)
        << square.name << " was compared " << compared << " times only";
    if (HasFailure())
      return;
  }
}

} // namespace
