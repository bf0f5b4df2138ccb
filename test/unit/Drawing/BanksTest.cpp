// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bank conflicts: cases worked out by hand, and random accesses against a
// count that plays the cycles one by one.

#include "fly/Drawing/Banks.h"

#include "RandomLayouts.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace fly::drawing;
using namespace fly::layout;

namespace {

BankQuestion question(int64_t elementBits, int64_t accessBits,
                      int64_t lanes = 64, int64_t banks = 32) {
  BankQuestion q;
  q.elementBits = elementBits;
  q.accessBits = accessBits;
  q.lanes = lanes;
  q.banks = banks;
  return q;
}

BankReport report(llvm::StringRef layout, const BankQuestion &q) {
  std::string why;
  std::optional<BankReport> result =
      bankConflicts(readAnyLayout(layout), q, why);
  EXPECT_TRUE(result) << layout.str() << ": " << why;
  return result.value_or(BankReport());
}

std::string refusal(llvm::StringRef layout, const BankQuestion &q) {
  std::string why;
  EXPECT_FALSE(bankConflicts(readAnyLayout(layout), q, why)) << layout.str();
  return why;
}

TEST(Banks, WorkedByHand) {
  struct Case {
    const char *layout;
    int64_t elementBits, accessBits, lanes, banks;
    int64_t worst, cycles, least;
  };
  const Case cases[] = {
      // One word a lane, next to each other: 32 lanes a phase, no conflict.
      {"64:1", 32, 32, 64, 32, 1, 2, 2},
      // All lanes one word: a broadcast is no conflict.
      {"64:0", 32, 32, 64, 32, 1, 2, 2},
      // Stride 2 words: lanes i and i+16 meet in bank 2*(i mod 16).
      {"64:2", 32, 32, 64, 32, 2, 4, 2},
      // A column of a 32-wide tile of words: 32 lanes in one bank.
      {"64:32", 32, 32, 64, 32, 32, 64, 2},
      // One word of padding a row cures it.
      {"64:33", 32, 32, 64, 32, 1, 2, 2},
      // Half words: neighbours share a word, 32 lanes want 16 words.
      {"64:1", 16, 16, 64, 32, 1, 2, 2},
      // Rows of 64 halves (32 words): 8 lanes of 4 words each, all in banks 0
      // to 3.
      {"(64,8):(64,1)", 16, 128, 64, 32, 8, 64, 8},
      // The same with 16-byte chunks exchanged by row.
      {"S<3,3,3> o 0 o (64,8):(64,1)", 16, 128, 64, 32, 1, 8, 8},
      // Exchanged by two row bits only: rows r and r+4 meet.
      {"S<2,3,3> o 0 o (64,8):(64,1)", 16, 128, 64, 32, 2, 16, 8},
      // Rows of 36 words: row r starts in bank 4*r mod 32, no conflict.
      {"(64,8):(72,1)", 16, 128, 64, 32, 1, 8, 8},
      // Rows of 34 words, 64 bits a lane: 16 lanes start in even banks 2*r.
      {"(64,4):(68,1)", 16, 64, 64, 32, 1, 4, 4},
      // 64 banks: rows of 32 words start in bank 0 or 32; 16 lanes a phase.
      {"(64,8):(64,1)", 16, 128, 64, 64, 8, 32, 4},
      // A column that is read element by element: 8 accesses of one phase
      // each; bytes of a row of 64 bytes, 16 words apart.
      {"(32,8):(64,1)", 8, 8, 32, 32, 16, 128, 8},
  };
  for (const Case &c : cases) {
    BankReport r = report(
        c.layout, question(c.elementBits, c.accessBits, c.lanes, c.banks));
    EXPECT_EQ(r.worstDegree, c.worst) << c.layout;
    EXPECT_EQ(r.cycles, c.cycles) << c.layout;
    EXPECT_EQ(r.cyclesWithoutConflicts, c.least) << c.layout;
  }
  // Of several busiest banks the first is named.
  auto busiest = [](llvm::StringRef layout, int64_t accessBits) {
    return report(layout, question(32, accessBits)).phases[0].busiestBank;
  };
  EXPECT_EQ(busiest("64:32", 32), 0);
  EXPECT_EQ(busiest("1:1 o 3 o 64:32", 32), 3);
  EXPECT_EQ(busiest("1:1 o 4 o (64,4):(32,1)", 128), 4);
}

/// The phases that AMD's documentation gives for ds_read_b128 on gfx942 are a
/// layout: lanes 0-3 with 20-23, 4-7 with 16-19, and so on.
TEST(Banks, PhasesAreALayout) {
  BankQuestion q = question(16, 128);
  q.phases = readAnyLayout("S<1,2,2> o 0 o ((4,2),(4,2)):((1,16),(4,32))");
  BankReport r = report("S<3,3,3> o 0 o (64,8):(64,1)", q);
  ASSERT_EQ(r.phases.size(), 8u);
  EXPECT_EQ(r.phases[0].lanes,
            (std::vector<int64_t>{0, 1, 2, 3, 20, 21, 22, 23}));
  EXPECT_EQ(r.phases[1].lanes,
            (std::vector<int64_t>{4, 5, 6, 7, 16, 17, 18, 19}));
  EXPECT_EQ(r.phases[6].lanes,
            (std::vector<int64_t>{40, 41, 42, 43, 60, 61, 62, 63}));
  // Lanes r and r+20 differ in the low three row bits: still free.
  EXPECT_EQ(r.worstDegree, 1);
}

/// Plays the cycles: in each, every bank serves the lowest word that some lane
/// still wants from it.
int64_t cyclesByPlaying(const std::vector<int64_t> &firstBits,
                        int64_t accessBits, int64_t banks) {
  std::set<int64_t> wanted;
  for (int64_t bit : firstBits)
    for (int64_t i = 0; i < accessBits; ++i)
      wanted.insert((bit + i) / 32);
  int64_t cycles = 0;
  while (!wanted.empty()) {
    std::set<int64_t> busy, left;
    for (int64_t word : wanted)
      if (!busy.insert(word % banks).second)
        left.insert(word);
    wanted = left;
    ++cycles;
  }
  return cycles;
}

TEST(Banks, RandomAccessesByPlaying) {
  unsigned conflicts = 0;
  laws::forEachCase(
      [&](laws::Random &random) {
        int64_t elementBits = int64_t(8) << random.between(0, 2);
        int64_t perAccess = int64_t(1) << random.between(0, 3);
        int64_t accessBits = elementBits * perAccess;
        int64_t banks = random.chance(50) ? 32 : 64;
        int64_t lanes = int64_t(1) << random.between(2, 6);
        int64_t accesses = random.between(1, 3);
        // Strides in accesses (and whole words) keep accesses in one place.
        int64_t unit = perAccess * std::max<int64_t>(1, 32 / accessBits);
        int64_t split = int64_t(1) << random.between(0, 2);
        Layout l = {
            IntTuple::tuple({IntTuple::of({split, lanes / split}),
                             IntTuple::of({perAccess, accesses})}),
            IntTuple::tuple({IntTuple::of({unit * random.between(0, 40),
                                           unit * random.between(0, 40)}),
                             IntTuple::of({1, unit * random.between(0, 9)})})};
        AnyLayout whole = l;
        if (random.chance(40))
          whole = ComposedLayout{Swizzle{2, 5, 3}, IntTuple(0), whole};
        std::string why;
        BankQuestion q = question(elementBits, accessBits, lanes, banks);
        std::optional<BankReport> r = bankConflicts(whole, q, why);
        ASSERT_TRUE(r) << whole.str() << ": " << why;
        std::vector<int64_t> points = offsets(whole);
        std::set<int64_t> seen;
        int64_t total = 0;
        for (const BankPhase &phase : r->phases) {
          std::vector<int64_t> starts;
          for (int64_t lane : phase.lanes) {
            seen.insert(phase.access * lanes + lane);
            starts.push_back(points[phase.access * perAccess * lanes + lane] *
                             elementBits);
          }
          int64_t cycles = cyclesByPlaying(starts, accessBits, banks);
          EXPECT_EQ(phase.degree, cycles) << whole.str();
          total += cycles;
          conflicts += cycles > 1;
        }
        EXPECT_EQ(r->cycles, total);
        EXPECT_LE(r->cyclesWithoutConflicts, total);
        EXPECT_EQ(static_cast<int64_t>(seen.size()), lanes * accesses);
      },
      20);
  EXPECT_GT(conflicts, 0u);
}

TEST(Banks, RefusesWithReasons) {
  EXPECT_EQ(refusal("32:1", question(32, 32)),
            "mode 0 of 32:1 has 32 coordinates, expected the 64 lanes");
  EXPECT_EQ(refusal("64:1", question(24, 32)),
            "an access of 32 bits is not a whole number of elements of 24 "
            "bits");
  EXPECT_EQ(refusal("(64,8):(8,2)", question(16, 128)),
            "an access takes 8 neighbours, but value 0 of lane 0 is at 0 and "
            "value 1 at 2");
  EXPECT_EQ(refusal("(64,4):(8,1)", question(16, 128)),
            "each lane of (64,4):(8,1) has 4 values, expected a multiple of "
            "the 8 of an access");
  EXPECT_EQ(refusal("(64,2):(3,1)", question(16, 32)),
            "value 0 of lane 1 starts at bit 48, expected a multiple of 32 for "
            "an access of 32 bits");
  EXPECT_EQ(refusal("64:-1", question(32, 32)),
            "value 0 of lane 1 has the offset -1, expected 0 or a positive "
            "number that fits");
  EXPECT_EQ(refusal("64:1", question(32, 32, 64, 0)),
            "expected a number of banks between 1 and 1024, got 0");
  EXPECT_EQ(refusal("64:1E0", question(32, 32)),
            "expected a layout of offsets, got coordinates from 64:1E0");
  BankQuestion q = question(32, 32);
  q.phases = readAnyLayout("(32,2):(1,16)");
  EXPECT_EQ(refusal("64:1", q),
            "phases (32,2):(1,16) name lane 16 twice or outside of 0 to 63");
  q.phases = readAnyLayout("64:1");
  EXPECT_EQ(refusal("64:1", q), "expected phases as a layout (slot, phase) -> "
                                "lane of 64 lanes, got 64:1");
}

TEST(Banks, MisalignedAccessesAreNoted) {
  EXPECT_EQ(report("(64,8):(66,1)", question(16, 128)).note,
            "value 0 of lane 1 starts at byte 132, not aligned to the access");
  EXPECT_EQ(report("(64,8):(64,1)", question(16, 128)).note, "");
}

TEST(Banks, GridShowsTheBank) {
  std::string why;
  std::optional<Grid> grid =
      bankGrid(readAnyLayout("(4,8):(72,1)"), question(16, 128, 4), why);
  ASSERT_TRUE(grid) << why;
  EXPECT_EQ(grid->at(1, 0).lines, (std::vector<std::string>{"72", "b4"}));
  EXPECT_EQ(grid->at(1, 2).lines, (std::vector<std::string>{"74", "b5"}));
}

TEST(Banks, JsonHasTheSameNumbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  report("64:2", question(32, 32)).printJson(os, "64:2");
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(json));
  EXPECT_EQ(json->getAsObject()->getInteger("worst_degree"), 2);
  EXPECT_EQ(json->getAsObject()->getArray("phases")->size(), 2u);
}

} // namespace
