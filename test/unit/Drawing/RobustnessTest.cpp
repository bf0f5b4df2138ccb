// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any value that text can name is answered: a summary, and a picture or a
// report or a reason. The leaves are extreme on purpose.

#include "fly/Drawing/Banks.h"
#include "fly/Drawing/Summary.h"

#include "RandomLayouts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::drawing;
using namespace fly::layout;

namespace {

/// A tuple of extreme leaves as text; `basis` leaves have mode numbers.
std::string extremeTuple(laws::Random &random, unsigned depth, bool basis) {
  static const std::vector<std::string> leaves = {"0",
                                                  "1",
                                                  "2",
                                                  "3",
                                                  "8",
                                                  "64",
                                                  "-1",
                                                  "-4",
                                                  "*",
                                                  "?",
                                                  "?{i64 div=8}",
                                                  "4096",
                                                  "4294967296",
                                                  "4611686018427387904",
                                                  "9223372036854775807",
                                                  "-9223372036854775808"};
  if (depth == 0 || random.chance(50)) {
    std::string leaf = random.chance(70) ? std::to_string(random.between(1, 9))
                                         : random.pick(leaves);
    if (basis && random.chance(80))
      leaf += random.chance(80) ? "E" + std::to_string(random.between(0, 2))
                                : "E0E1";
    return leaf;
  }
  std::vector<std::string> children;
  for (int64_t i = random.between(1, 3); i > 0; --i)
    children.push_back(extremeTuple(random, depth - 1, basis));
  return "(" + llvm::join(children, ",") + ")";
}

/// Text of a layout that may or may not be one.
std::string extremeLayout(laws::Random &random) {
  bool basis = random.chance(30);
  std::string text;
  switch (random.between(0, 3)) {
  case 0:
    text =
        extremeTuple(random, 2, false) + ":" + extremeTuple(random, 2, basis);
    break;
  case 1:
    text = "(" + extremeTuple(random, 0, false) + "," +
           extremeTuple(random, 0, false) + "):(" +
           extremeTuple(random, 0, basis) + "," +
           extremeTuple(random, 0, basis) + ")";
    break;
  default:
    text = "make_identity_layout(" + extremeTuple(random, 2, false) + ")";
    break;
  }
  if (random.chance(30))
    text = "make_composed_layout(CS<2,0,[0],0,[1]>, (0,0), " + text + ")";
  else if (random.chance(30))
    text = "make_composed_layout(S<3,0,0>, " + extremeTuple(random, 0, false) +
           ", " + text + ")";
  return text;
}

std::string textOf(llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

/// A picture that prints, or a reason.
void checkPicture(const std::optional<Grid> &grid, llvm::StringRef why) {
  if (!grid) {
    EXPECT_FALSE(why.empty());
    return;
  }
  EXPECT_EQ(grid->cells.size(), grid->rows() * grid->columns());
  std::string svg = textOf([&](auto &os) { grid->printSvg(os); });
  EXPECT_TRUE(llvm::StringRef(svg).ends_with("</svg>\n"));
  EXPECT_FALSE(textOf([&](auto &os) { grid->printText(os); }).empty());
}

TEST(Robustness, ExtremeLayoutsAreAnswered) {
  unsigned layouts = 0, pictures = 0, reports = 0;
  laws::forEachCase(
      [&](laws::Random &random) {
        std::string text = extremeLayout(random);
        TypeArith arith;
        ExpressionError error;
        std::optional<Value> value = evaluateExpression(arith, text, error);
        if (!value || value->kind != Value::Kind::Layout)
          return;
        ++layouts;
        SCOPED_TRACE(text);
        Summary summary = summarize(*value);
        EXPECT_FALSE(textOf([&](auto &os) { summary.print(os); }).empty());
        std::string json =
            textOf([&](auto &os) { summary.printJson(os, text); });
        EXPECT_TRUE(static_cast<bool>(llvm::json::parse(json))) << json;
        std::string why;
        std::optional<Grid> grid = layoutGrid(value->layout, why);
        checkPicture(grid, why);
        pictures += grid.has_value();
        why.clear();
        grid = threadValueGrid(value->layout, std::nullopt, why);
        checkPicture(grid, why);
        why.clear();
        grid = threadValueGrid(
            value->layout,
            IntTuple::of({random.between(-1, 8), random.between(-1, 8)}), why);
        checkPicture(grid, why);
        BankQuestion question;
        question.lanes = random.between(-1, 9);
        question.banks = random.between(-1, 64);
        question.elementBits = random.between(-1, 32);
        question.accessBits = question.elementBits * random.between(-1, 4);
        why.clear();
        std::optional<BankReport> report =
            bankConflicts(value->layout, question, why);
        EXPECT_TRUE(report || !why.empty());
        if (report)
          EXPECT_FALSE(textOf([&](auto &os) { report->print(os); }).empty());
        reports += report.has_value();
        why.clear();
        grid = bankGrid(value->layout, question, why);
        checkPicture(grid, why);
      },
      4);
  EXPECT_GT(layouts, laws::numCases / 40);
  EXPECT_GT(pictures, layouts / 10);
  EXPECT_GT(reports, 0u);
}

} // namespace
