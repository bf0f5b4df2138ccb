// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operand of each matrix instruction can be drawn, with each value of each
// lane; what is misspelt is named with its column.

#include "fly/Drawing/Atoms.h"

#include "fly/Layout/Algebra.h"
#include "fly/Target/AMDGPU/MmaRows.h"
#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace fly::drawing;
using namespace fly::layout;

namespace {

std::string requestFor(const fly::amdgpu::MmaRow &row, char operand) {
  return "mma " + spell(row.family).str() + " " + std::to_string(row.m) + "x" +
         std::to_string(row.n) + "x" + std::to_string(row.k) + " " +
         spell(row.aType).str() + " " + spell(row.bType).str() + " " +
         spell(row.accType).str() + " " + operand;
}

TEST(Atoms, EachOperandOfEachInstructionIsDrawn) {
  unsigned drawn = 0;
  for (const fly::amdgpu::MmaRow &row : fly::amdgpu::allMmaRows()) {
    if (row.blocks != 1)
      continue;
    for (char operand : {'a', 'b', 'c', 'd'}) {
      std::string text = requestFor(row, operand), why;
      AtomOperand atom;
      ExpressionError error;
      ASSERT_EQ(readAtom(text, atom, error), text.size())
          << text << ": " << error.message;
      std::optional<Grid> grid = atom.grid(why);
      ASSERT_TRUE(grid) << text << ": " << why;
      size_t rows = operand == 'b' ? row.n : row.m;
      size_t columns = operand == 'a' || operand == 'b' ? row.k : row.n;
      EXPECT_EQ(grid->rows(), rows) << text;
      EXPECT_EQ(grid->columns(), columns) << text;
      // Whoever holds an element is named, or counted after the fourth.
      StaticArith arith;
      int64_t held = size(arith, atom.threadValue).leaf().value(), named = 0;
      for (const Cell &cell : grid->cells)
        for (llvm::StringRef line : cell.lines) {
          int64_t others = 1;
          if (line.consume_front("+"))
            EXPECT_FALSE(line.getAsInteger(10, others));
          named += others;
        }
      EXPECT_EQ(named, held) << text;
      ++drawn;
    }
  }
  EXPECT_GT(drawn, 100u);
}

TEST(Atoms, ErrorsSayWhatTheTableHas) {
  const std::tuple<const char *, size_t, const char *> cases[] = {
      {"mma", 3, "expected a family of matrix instructions (cdna3.mfma, "},
      {"mma cdna9.mfma 16x16x16 f16 f16 f32 a", 4,
       "expected a family of matrix instructions"},
      {"mma cdna3.mfma 16x16 f16 f16 f32 a", 15,
       "expected M, N and K such as 16x16x16, got '16x16'"},
      {"mma cdna3.mfma 16x16x-1 f16 f16 f32 a", 15, "expected M, N and K"},
      {"mma cdna3.mfma 16x16x16 half f16 f32 a", 24,
       "expected the element type of a (f64, f32, f16, "},
      {"mma cdna3.mfma 16x16x16 f16 f16 f32 e", 36,
       "expected an operand (a, b, c or d), got 'e'"},
      {"mma cdna3.mfma 16x16x16 f16 f16 f32", 35,
       "expected an operand (a, b, c or d), got the end"},
      {"mma cdna3.mfma 16x16x17 f16 f16 f32 a", 0,
       "cdna3.mfma has no instruction for 16x16x17 (f16, f16) -> f32; nearest "
       "is 16x16x16"},
  };
  for (auto [text, column, message] : cases) {
    AtomOperand atom;
    ExpressionError error;
    EXPECT_EQ(readAtom(text, atom, error), 0u);
    EXPECT_EQ(error.column, column) << text;
    EXPECT_TRUE(llvm::StringRef(error.message).starts_with(message))
        << error.message;
  }
  AtomOperand atom;
  ExpressionError error;
  EXPECT_EQ(readAtom("mmap", atom, error), 0u);
  EXPECT_EQ(error.message, "");
}

TEST(Atoms, OperandsAreLayoutsInExpressions) {
  TypeArith arith;
  ExpressionError error;
  std::optional<Value> value = evaluateExpression(
      arith, "size(mma cdna3.mfma 16x16x16 f16 f16 f32 a)", error, atomWords);
  ASSERT_TRUE(value) << error.message;
  EXPECT_EQ(value->str(), "256");
  EXPECT_FALSE(evaluateExpression(
      arith, "size(mma cdna3.mfma 16x16x16 f16 f16 f32)", error, atomWords));
  EXPECT_EQ(error.column, 40u);
}

} // namespace
