// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of the instruction tables. Each operand's (lane, value) layout covers
// its tile evenly: once, or exactly twice for A and B of gfx11, whose halves of
// a wave hold the same data. A lane's values fill its registers. Keys are
// unique. The element formulas of the instruction set documents are checked
// lane by lane.

#include "fly/Target/AMDGPU/MmaRows.h"
#include "fly/Target/AMDGPU/CopyRows.h"

#include "fly/Layout/Algebra.h"
#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace fly::amdgpu;
namespace layout = fly::layout;

/// layout(lane, value) of a two-mode layout.
static int64_t at(const layout::Layout &l, int64_t lane, int64_t value) {
  layout::StaticArith arith;
  layout::IntTuple index =
      layout::crd2idx(arith, layout::IntTuple::of({lane, value}), l);
  EXPECT_FALSE(arith.failed()) << arith.message();
  return index.leaf().value();
}

static int64_t sizeOf(const layout::Layout &l) {
  layout::StaticArith arith;
  return layout::size(arith, l).leaf().value();
}

/// How often each index of a tile of `elements` is hit; fails when unevenly.
static int64_t coverage(const layout::Layout &l, int64_t elements) {
  std::map<int64_t, int64_t> hits;
  for (int64_t lane = 0; lane < sizeOf(l.at(0)); ++lane)
    for (int64_t value = 0; value < sizeOf(l.at(1)); ++value)
      ++hits[at(l, lane, value)];
  EXPECT_EQ(int64_t(hits.size()), elements);
  EXPECT_EQ(hits.begin()->first, 0);
  EXPECT_EQ(hits.rbegin()->first, elements - 1);
  for (auto [index, count] : hits)
    EXPECT_EQ(count, hits.begin()->second) << "index " << index;
  return hits.begin()->second;
}

static int64_t lanesOf(const MmaRow &row) {
  return row.family == MmaFamily::Cdna3Mfma ||
                 row.family == MmaFamily::Cdna4MfmaScale
             ? 64
             : 32;
}

TEST(MmaRows, OperandsCoverTheirTilesEvenly) {
  for (const MmaRow &row : allMmaRows()) {
    if (row.blocks != 1)
      continue;
    SCOPED_TRACE(row.text());
    const layout::MmaAtomLayouts &l = layoutsOf(row);
    int64_t copies = row.family == MmaFamily::Gfx11Wmma ? 2 : 1;
    EXPECT_EQ(sizeOf(l.thread), lanesOf(row));
    EXPECT_EQ(coverage(l.a, row.m * row.k), copies);
    EXPECT_EQ(coverage(l.b, row.n * row.k), copies);
    EXPECT_EQ(coverage(l.c, row.m * row.n), 1);
  }
}

TEST(MmaRows, ValuesFillRegisters) {
  for (const MmaRow &row : allMmaRows()) {
    SCOPED_TRACE(row.text());
    if (row.blocks == 1) {
      const layout::MmaAtomLayouts &l = layoutsOf(row);
      EXPECT_EQ(sizeOf(l.a.at(0)), lanesOf(row));
      EXPECT_EQ(sizeOf(l.a.at(1)) * bitsOf(row.aType), row.aRegister.bits());
      EXPECT_EQ(sizeOf(l.b.at(1)) * bitsOf(row.bType), row.bRegister.bits());
      EXPECT_EQ(sizeOf(l.c.at(1)) * bitsOf(row.accType),
                row.accRegister.bits());
    }
    // Every block has its own result.
    EXPECT_EQ(row.accRegister.bits() * lanesOf(row),
              unsigned(row.blocks) * row.m * row.n * bitsOf(row.accType));
  }
}

TEST(MmaRows, KeysAreUnique) {
  std::set<std::string> texts;
  for (const MmaRow &row : allMmaRows())
    EXPECT_TRUE(texts.insert(row.text()).second) << row.text();
}

TEST(MmaRows, EveryRowHasAProcessor) {
  for (const MmaRow &row : allMmaRows())
    EXPECT_FALSE(chipsOf(row).empty()) << row.text();
}

TEST(MmaRows, Cdna3Formulas) {
  // A and B: row l mod MN, k = (l / MN) * KP + v. Result: column l mod N, row
  // (v mod 4) + 4 (l / N) + 4 GM (v / 4).
  for (const MmaRow &row : allMmaRows()) {
    if (row.blocks != 1 || lanesOf(row) != 64)
      continue;
    SCOPED_TRACE(row.text());
    const layout::MmaAtomLayouts &l = layoutsOf(row);
    int64_t mn = row.m, perLane = row.k * mn / 64, groups = 64 / row.n;
    for (int64_t lane = 0; lane < 64; ++lane) {
      for (int64_t v = 0; v < perLane; ++v)
        EXPECT_EQ(at(l.a, lane, v), lane % mn + mn * (lane / mn * perLane + v));
      for (int64_t v = 0; v < row.m * row.n / 64; ++v)
        EXPECT_EQ(at(l.c, lane, v), v % 4 + 4 * (lane / row.n) +
                                        4 * groups * (v / 4) +
                                        row.m * (lane % row.n));
    }
  }
}

TEST(MmaRows, WmmaFormulas) {
  for (const MmaRow &row : allMmaRows()) {
    if (lanesOf(row) != 32 || row.m != 16)
      continue;
    SCOPED_TRACE(row.text());
    const layout::MmaAtomLayouts &l = layoutsOf(row);
    for (int64_t lane = 0; lane < 32; ++lane) {
      int64_t half = lane / 16, column = lane % 16;
      for (int64_t v = 0; v < 8; ++v) {
        int64_t r =
            row.family == MmaFamily::Gfx11Wmma ? 2 * v + half : 8 * half + v;
        EXPECT_EQ(at(l.c, lane, v), r + 16 * column);
      }
      int64_t values = sizeOf(l.a.at(1));
      for (int64_t v = 0; v < values; ++v) {
        int64_t k;
        if (row.family == MmaFamily::Gfx11Wmma)
          k = v;
        else if (bitsOf(row.aType) == 32)
          k = values * half + v;
        else
          k = 16 * (v / 8) + 8 * half + v % 8;
        EXPECT_EQ(at(l.a, lane, v), column + 16 * k);
      }
    }
  }
}

TEST(MmaRows, Looking) {
  MmaKey key{MmaFamily::Cdna3Mfma, 16,           16,          16,
             Element::F16,         Element::F16, Element::F32};
  ASSERT_NE(findMmaRow(key), nullptr);
  EXPECT_EQ(findMmaRow(key)->op, "mfma.f32.16x16x16f16");
  key.k = 7;
  EXPECT_EQ(findMmaRow(key), nullptr);
  EXPECT_EQ(explainMissingRow(key),
            "cdna3.mfma has no instruction for 16x16x7 (f16, f16) -> f32; "
            "nearest is 16x16x16");
  key.k = 4;
  EXPECT_EQ(findMmaRow(key), nullptr);
  EXPECT_EQ(explainMissingRow(key),
            "16x16x4 (f16, f16) -> f32 computes 4 independent blocks, which an "
            "atom of one tile cannot express; nearest is 16x16x16");
  key = {MmaFamily::Gfx11Wmma, 16,           16,          16,
         Element::F16,         Element::F16, Element::F16};
  EXPECT_EQ(
      explainMissingRow(key),
      "gfx11.wmma has no instruction for 16x16x16 (f16, f16) -> f16; with "
      "this tile it has (f16, f16) -> f32, (bf16, bf16) -> f32, "
      "(i8, i8) -> i32, (i4, i4) -> i32");
}

TEST(MmaRows, ProcessorsOfFloats8) {
  // The same bits mean other numbers: FNUZ belongs to gfx942, OCP to gfx950.
  MmaKey key{MmaFamily::Cdna3Mfma, 16,          16, 32, Element::F8E4M3FNUZ,
             Element::F8E5M2FNUZ,  Element::F32};
  EXPECT_EQ(chipsOf(*findMmaRow(key)), "gfx942");
  key.a = Element::F8E4M3FN;
  key.b = Element::F8E5M2;
  EXPECT_EQ(chipsOf(*findMmaRow(key)), "gfx950");
  key.b = Element::F8E5M2FNUZ;
  EXPECT_EQ(findMmaRow(key), nullptr);
}

TEST(CopyRows, PayloadsHaveTheBits) {
  for (const CopyRow &row : allCopyRows())
    EXPECT_EQ(row.payload.bits(), row.bits);
}

TEST(CopyRows, Looking) {
  EXPECT_NE(findCopyRow(CopyKind::BufferCopy, 96), nullptr);
  EXPECT_EQ(findCopyRow(CopyKind::BufferCopy, 7), nullptr);
  EXPECT_EQ(widthsOf(CopyKind::BufferCopy), "8, 16, 32, 64, 96 or 128");
  const CopyRow *wide = findCopyRow(CopyKind::BufferCopyLds, 128);
  ASSERT_NE(wide, nullptr);
  EXPECT_FALSE(wide->runsOn(*findChip("gfx942")));
  EXPECT_TRUE(wide->runsOn(*findChip("gfx950")));
}

TEST(CopyRows, BufferAtomics) {
  const BufferAtomicRow *pair = findBufferAtomicRow(
      AtomicOperation::Add, {Element::BF16, 2}, /*isUnsigned=*/false);
  ASSERT_NE(pair, nullptr);
  EXPECT_FALSE(pair->runsOn(*findChip("gfx942")));
  EXPECT_TRUE(pair->runsOn(*findChip("gfx950")));
  EXPECT_TRUE(pair->runsOn(*findChip("gfx1201"))); // as gfx1200
  EXPECT_FALSE(pair->runsOn(*findChip("gfx1100")));
  // Integers without a sign are signed.
  EXPECT_EQ(findBufferAtomicRow(AtomicOperation::Min, {Element::I32, 1}, false)
                ->intrinsic,
            "smin");
  EXPECT_EQ(findBufferAtomicRow(AtomicOperation::Or, {Element::F32, 1}, false),
            nullptr);
}
