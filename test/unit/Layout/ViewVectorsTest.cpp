// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs each row of CopyVectors.inc and MmaVectors.inc.

#include "Reading.h"
#include "fly/Layout/Views.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace fly::layout;

namespace {

struct CopyRow {
  int number;
  const char *op;
  int atomBits, valueBits;
  const char *threadValue, *tile, *tensor, *thread;
  int alignment;
  const char *result;
  int resultAlignment;
};

const CopyRow copyRows[] = {
#include "CopyVectors.inc"
};

struct MmaRow {
  int number;
  const char *op;
  char operand;
  const char *atomLayout, *permutation;
  int stages;
  const char *tensor, *thread, *result;
};

const MmaRow mmaRows[] = {
#include "MmaVectors.inc"
};

TEST(ViewVectors, TiledCopies) {
  for (const CopyRow &row : copyRows) {
    TypeArith arith;
    Layout values = {IntTuple::of({1, row.atomBits / row.valueBits}),
                     IntTuple::of({1, 1})};
    TiledCopyLayouts copy = {{values, values, values},
                             readLayout(row.threadValue),
                             readTile(row.tile)};
    Layout tensor = readLayout(row.tensor);
    if (llvm::StringRef(row.op) == "retile") {
      EXPECT_EQ(copyRetile(arith, copy, tensor).str(), row.result)
          << "row " << row.number << ": " << arith.message();
      continue;
    }
    CopySide side = llvm::StringRef(row.op) == "partition_src"
                        ? CopySide::Source
                        : CopySide::Destination;
    Partition part =
        copyPartition(arith, copy, side, tensor, readTuple(row.thread));
    EXPECT_EQ(part.layout.str(), row.result)
        << "row " << row.number << ": " << arith.message();
    // The alignment that is left after the thread's offset is added.
    int64_t aligned = row.alignment * 8 / row.valueBits;
    int64_t offset = part.offset.leaf().divisor();
    EXPECT_EQ(std::gcd(aligned, offset) * row.valueBits / 8,
              row.resultAlignment)
        << "row " << row.number << ": offset " << part.offset.str();
  }
  EXPECT_EQ(std::size(copyRows), 12u);
}

TEST(ViewVectors, TiledMmas) {
  Layout one = readLayout("(1,1):(1,1)");
  for (const MmaRow &row : mmaRows) {
    TypeArith arith;
    TiledMmaLayouts mma = {
        {IntTuple::of({1, 1, 1}), readLayout("1:1"), one, one, one},
        readLayout(row.atomLayout),
        readTile(row.permutation)};
    MmaOperand operand = static_cast<MmaOperand>(row.operand - 'a');
    Layout tensor = readLayout(row.tensor);
    Layout result =
        llvm::StringRef(row.op) == "partition"
            ? mmaPartition(arith, mma, operand, tensor, readTuple(row.thread))
                  .layout
            : mmaFragment(arith, mma, operand, tensor,
                          row.stages ? std::optional<int32_t>(row.stages)
                                     : std::nullopt);
    EXPECT_EQ(result.str(), row.result)
        << "row " << row.number << ": " << arith.message();
    EXPECT_FALSE(arith.failed()) << arith.message();
  }
  EXPECT_EQ(std::size(mmaRows), 28u);
}

} // namespace
