// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calculator: each vector of the specification written as a call has its
// result; what a call answers can be the argument of the next; each error has
// the column of what is wrong; random token soup never does more than fail.

#include "fly/Layout/Expression.h"

#include "Laws.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly::layout;

namespace {

struct Row {
  int number;
  const char *op, *operands, *attributes, *result;
};

const Row rows[] = {
#include "AlgebraVectors.inc"
};

/// The printed value, or `error COLUMN: MESSAGE`.
std::string evaluate(llvm::StringRef text) {
  TypeArith arith;
  ExpressionError error;
  if (std::optional<Value> value = evaluateExpression(arith, text, error))
    return value->str();
  EXPECT_FALSE(error.message.empty());
  EXPECT_LE(error.column, text.size());
  return "error " + std::to_string(error.column) + ": " + error.message;
}

/// The vector as a call: operands, then attributes.
std::string callOf(const Row &row) {
  llvm::SmallVector<llvm::StringRef> arguments;
  llvm::StringRef(row.operands).split(arguments, " ; ");
  llvm::StringRef(row.attributes).split(arguments, ',', -1, false);
  return std::string(row.op) + "(" + llvm::join(arguments, ", ") + ")";
}

TEST(Expression, EachVectorIsACall) {
  unsigned count = 0;
  for (const Row &row : rows) {
    std::string text = callOf(row), result = evaluate(text);
    if (llvm::StringRef(row.result) == "error")
      EXPECT_TRUE(llvm::StringRef(result).starts_with("error 0: ")) << text;
    else
      EXPECT_EQ(result, row.result) << "row " << row.number << ": " << text;
    ++count;
  }
  EXPECT_EQ(count, 486u);
}

/// No function is without a vector or a test of its own below.
TEST(Expression, EachFunctionRuns) {
  const std::pair<const char *, const char *> others[] = {
      {"make_layout((4,(2,3)), (1,(4,8)))", "(4,(2,3)):(1,(4,8))"},
      {"make_composed_layout(S<3,0,3>, 0, (8,8):(1,8))",
       "S<3,0,3> o 0 o (8,8):(1,8)"},
      {"make_composed_layout(32:2, 5, make_composed_layout(8:1, 4, 2:1))",
       "32:2 o 5 o [8:1 o 4 o 2:1]"},
      {"get_shape(S<3,0,3> o 0 o (8,4):(1,8))", "(8,4)"},
      {"get_stride((8,4):(1,8))", "(1,8)"},
      {"composed_get_inner(S<3,0,3> o 2 o (8,4):(1,8))", "S<3,0,3>"},
      {"composed_get_offset(S<3,0,3> o 2 o (8,4):(1,8))", "2"},
      {"composed_get_outer(S<3,0,3> o 2 o (8,4):(1,8))", "(8,4):(1,8)"},
      {"elem_less((2,3), (4,8,1))", "1"},
      {"elem_less((2,3), 4)", "0"},
      {"equal((2), 2)", "0"},
      {"equal(*, 0)", "1"},
      {"zipped_product(6:1, 5:1)", "(6,5):(1,6)"},
  };
  std::vector<std::string> seen;
  for (auto [text, result] : others) {
    EXPECT_EQ(evaluate(text), result) << text;
    seen.push_back(llvm::StringRef(text).split('(').first.str());
  }
  for (const Row &row : rows)
    seen.push_back(row.op);
  for (const Function &function : expressionFunctions())
    EXPECT_TRUE(llvm::is_contained(seen, function.name))
        << function.name.str() << " has no test";
}

TEST(Expression, LiteralsStandForThemselves) {
  for (const char *text :
       {"4", "*", "?{i64 div=8}", "(4,(?,2E0E1))", "4:2", "(4,8):(1,4)",
        "S<3,4,3>", "CS<2,0,[0],0,[1]>", "S<3,0,3> o 0 o (8,8):(1,8)",
        "CS<2,0,[0],0,[1]> o (0,0) o (4,4):(1E0,1E1)", "[16|*|4:2]",
        "32:2 o 5 o [8:1 o 4 o 2:1]"})
    EXPECT_EQ(evaluate(text), text);
  EXPECT_EQ(evaluate("  ( 4 , 8 ) : ( 1 , 4 ) "), "(4,8):(1,4)");
}

TEST(Expression, CallsNestAndNameTheirArguments) {
  EXPECT_EQ(evaluate("composition((6,2):(8,2), (4,3):(3,1))"),
            "((2,2),3):((24,2),8)");
  EXPECT_EQ(evaluate("take(zipped_divide((12,10):(10,1), [3|5]), 0, 1)"),
            "(3,5):(10,1)");
  EXPECT_EQ(evaluate("size(composition((6,2):(8,2), (4,3):(3,1)))"), "12");
  EXPECT_EQ(evaluate("recast_layout((6,5):(1,6), old_type_bits=16, "
                     "new_type_bits=32)"),
            "(3,5):(1,3)");
  EXPECT_EQ(evaluate("fly.append((4,8), 2, n = 4)"), "(4,8,2,2)");
  EXPECT_EQ(evaluate("coalesce((3,?):(1,3))"), "(3,?):(1,3)");
  EXPECT_EQ(evaluate("get((4,(8,2)))"), "(4,(8,2))");
  EXPECT_EQ(evaluate("composition(S<3,0,3> o 0 o 64:1, 8:8)"),
            "S<3,0,3> o 0 o 8:8");
  // One argument is a tile whatever it is written as.
  EXPECT_EQ(evaluate("logical_divide(18:1, 3:2)"), "(3,(2,3)):(2,(1,6))");
  EXPECT_EQ(evaluate("logical_divide(20:1, 6)"), "(6,4):(1,6)");
}

TEST(Expression, ErrorsHaveTheirColumn) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "error 0: expected a function, a layout, an int_tuple, a tile or a "
           "swizzle"},
      {"composition((6,2):(8,2), (4,3):(3,1)",
       "error 36: expected ',' or ')' in the call of composition(outer, "
       "inner), found the end"},
      {"add(4, 8)",
       "error 0: expected a function or a literal, got 'add'; did you mean "
       "'int_tuple_add'?"},
      {"4,8", "error 1: expected the end of the expression, found ','; a tuple "
              "needs parentheses, as in (4,8)"},
      {"compostion(4:1, 4:1)",
       "error 0: expected a function or a literal, got 'compostion'; did you "
       "mean 'composition'?"},
      {"composition", "error 0: expected '(' after composition"},
      {"composition(4:1)",
       "error 15: expected a plain layout, a tile such as [4|8], or an integer "
       "as inner of composition(outer, inner), found none"},
      {"composition(4, 4:1)",
       "error 12: expected a layout such as (4,8):(1,4) as outer of "
       "composition(outer, inner), got the int_tuple 4"},
      {"composition(4:1, 4:1, 4:1)",
       "error 22: composition(outer, inner) has no parameter left for this "
       "argument"},
      {"composition(4:1, outer=4:1)",
       "error 23: outer of composition(outer, inner) is given twice"},
      {"composition(4:1, middle=4:1)",
       "error 17: no parameter 'middle' in composition(outer, inner)"},
      {"size((4,8):(1,4,5))",
       "error 18: shape (4,8) and stride (1,4,5) are not congruent"},
      {"4:1 5", "error 4: expected the end of the expression, found '5'"},
      {"(4,", "error 3: expected an integer, '?', '*' or '(', found the end"},
      {"(4 8)", "error 3: expected ',' or ')' in the tuple, found '8'"},
      {"S<3,0>",
       "error 5: expected ',' in the swizzle S<mask,base,shift>, found '>'"},
      {"size(append(4, 4:1))",
       "error 5: append: tuple and element are of different kinds, 4 and 4:1"},
      {"take((4,8), 0, ?)",
       "error 15: expected a known 32-bit integer as end of take(input, begin, "
       "end), got the int_tuple ?"},
      {"get(4, 4294967296)",
       "error 7: expected a known 32-bit integer as mode of get(input, "
       "mode...), got the int_tuple 4294967296"},
      {"size(99999999999999999999)", "error 5: integer value too large"},
      {"composed_get_inner(4:1)",
       "error 0: composed_get_inner: expected a composed layout, got the plain "
       "layout 4:1"},
  };
  for (auto [text, expected] : cases)
    EXPECT_TRUE(llvm::StringRef(evaluate(text)).starts_with(expected))
        << text << ": " << evaluate(text);
  std::string deep;
  for (int i = 0; i < 100; ++i)
    deep += "size(";
  EXPECT_TRUE(llvm::StringRef(evaluate(deep))
                  .contains("calls nested deeper than 64 levels"));
}

/// Whoever knows other words is asked for them, wherever they stand.
TEST(Expression, OtherWordsComeFromTheCaller) {
  auto words = [](llvm::StringRef text, Value &value,
                  ExpressionError &error) -> size_t {
    if (text.starts_with("eight")) {
      value = Layout{IntTuple(8), IntTuple(1)};
      return 5;
    }
    if (text.starts_with("bad"))
      error = {1, "no such thing"};
    return 0;
  };
  TypeArith arith;
  ExpressionError error;
  std::optional<Value> value =
      evaluateExpression(arith, "composition( eight , 4:2)", error, words);
  ASSERT_TRUE(value) << error.message;
  EXPECT_EQ(value->str(), "4:2");
  EXPECT_FALSE(evaluateExpression(arith, "size( bad )", error, words));
  EXPECT_EQ(error.column, 7u);
  EXPECT_EQ(error.message, "no such thing");
  EXPECT_FALSE(evaluateExpression(arith, "size(other)", error, words));
  EXPECT_EQ(error.column, 5u);
}

/// Law: whatever the text, the answer is a value or one error inside the text.
/// A value that is printed reads back as itself.
TEST(Expression, AnyTextIsAnswered) {
  std::vector<std::string> tokens = {"(",
                                     ")",
                                     "[",
                                     "]",
                                     ",",
                                     ":",
                                     "|",
                                     "*",
                                     "?",
                                     "S<",
                                     ">",
                                     "CS<",
                                     " o ",
                                     "1E0",
                                     "4",
                                     "8",
                                     "-1",
                                     "0",
                                     "{",
                                     "}",
                                     "i64",
                                     "div=",
                                     "n=",
                                     "\t",
                                     "\xff",
                                     "fly.",
                                     "$",
                                     "4:1",
                                     "(2,3):(3,1)",
                                     "S<3,0,3>",
                                     "9223372036854775807"};
  for (const Function &function : expressionFunctions())
    tokens.push_back(function.name.str() + "(");
  unsigned values = 0;
  laws::forEachCase([&](laws::Random &random) {
    std::string text;
    for (int64_t i = random.between(1, 12); i > 0; --i)
      text += random.pick(tokens);
    if (random.chance(50))
      text += std::string(llvm::StringRef(text).count('('), ')');
    std::string result = evaluate(text);
    if (llvm::StringRef(result).starts_with("error "))
      return;
    ++values;
    EXPECT_EQ(evaluate(result), result) << text;
  });
  EXPECT_GT(values, laws::numCases / 200);
}

} // namespace
