// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of tiled copies, tiled MMAs and gemm orders: threads cover a tensor
// evenly, and the parts of one thread belong together.

#include "Laws.h"
#include "fly/Layout/Views.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <set>

using namespace fly::layout;
using namespace fly::layout::laws;

namespace {

/// A bijection (threads, values) -> [0, threads * values).
Layout threadValues(Random &random, int64_t threads, int64_t values) {
  bool threadsFirst = random.chance(50);
  return {IntTuple::of({threads, values}), threadsFirst
                                               ? IntTuple::of({1, threads})
                                               : IntTuple::of({values, 1})};
}

/// Counts how often each offset occurs in a partition.
void countElements(const Partition &part, std::map<int64_t, int> &counts) {
  for (int64_t value : table(part.layout))
    ++counts[part.offset.leaf().value() + value];
}

/// Every value of the tensor occurs `times` times and nothing else does.
void expectEven(const std::map<int64_t, int> &counts, const Layout &tensor,
                int times) {
  std::vector<int64_t> values = table(tensor);
  ASSERT_EQ(counts.size(), values.size());
  for (int64_t value : values) {
    auto found = counts.find(value);
    ASSERT_TRUE(found != counts.end()) << value << " is in no partition";
    ASSERT_EQ(found->second, times) << value;
  }
}

Layout randomTensor(Random &random, int64_t m, int64_t n) {
  int64_t pad = random.between(0, 3);
  return {IntTuple::of({m, n}), random.chance(50) ? IntTuple::of({1, m + pad})
                                                  : IntTuple::of({n + pad, 1})};
}

TEST(ViewLaws, TiledCopiesCoverTheTensorOnce) {
  unsigned accepted = 0;
  forEachCase(
      [&](Random &random) {
        std::vector<int64_t> powers = {1, 2, 4};
        int64_t atomThreads = random.pick(powers),
                atomValues = random.pick(powers);
        TiledCopyLayouts copy;
        copy.atom.reference = threadValues(random, atomThreads, atomValues);
        copy.atom.source = threadValues(random, atomThreads, atomValues);
        copy.atom.destination = copy.atom.reference;
        int64_t threads = atomThreads * random.pick(powers);
        int64_t values = atomValues * random.pick(powers);
        copy.threadValue = threadValues(random, threads, values);
        int64_t tileM = 1;
        while (tileM * 2 <= threads * values && random.chance(60))
          tileM *= 2;
        int64_t tileN = threads * values / tileM;
        copy.tile =
            Tile::list({Tile(Int::known(tileM)), Tile(Int::known(tileN))});
        Layout tensor = randomTensor(random, tileM * random.between(1, 3),
                                     tileN * random.between(1, 3));
        StaticArith arith;
        for (CopySide side : {CopySide::Source, CopySide::Destination}) {
          std::map<int64_t, int> counts;
          for (int64_t thread = 0; thread != threads; ++thread) {
            Partition part =
                copyPartition(arith, copy, side, tensor, IntTuple(thread));
            ASSERT_FALSE(arith.failed())
                << arith.message() << ": " << copy.threadValue.str() << " "
                << copy.tile.str() << " " << tensor.str();
            ASSERT_EQ(part.layout.rank(), 3u);
            countElements(part, counts);
          }
          expectEven(counts, tensor, 1);
          if (testing::Test::HasFatalFailure())
            return;
        }
        ++accepted;
      },
      /*share=*/5);
  EXPECT_GE(accepted * 10, numCases / 5);
}

/// What a retile answers are the fragment's own elements, in another order.
TEST(ViewLaws, RetileKeepsTheFragment) {
  unsigned accepted = 0;
  forEachCase([&](Random &random) {
    std::vector<int64_t> powers = {1, 2, 4};
    int64_t atomValues = random.pick(powers);
    Layout atom = {IntTuple::of({1, atomValues}), IntTuple::of({1, 1})};
    int64_t threads = random.pick(powers), values = atomValues * 2;
    TiledCopyLayouts copy = {
        {atom, atom, atom}, threadValues(random, threads, values), Tile()};
    int64_t tileM = random.pick<int64_t>({1, 2});
    copy.tile = Tile::list(
        {Tile(Int::known(tileM)), Tile(Int::known(threads * values / tileM))});
    StaticArith arith;
    Layout tensor =
        randomTensor(random, tileM * random.between(1, 3),
                     threads * values / tileM * random.between(1, 3));
    Layout fragment = makeFragmentLayoutLike(
        arith, copyPartition(arith, copy, CopySide::Source, tensor, IntTuple(0))
                   .layout);
    ASSERT_FALSE(arith.failed()) << arith.message();
    Layout view = copyRetile(arith, copy, fragment);
    if (arith.failed())
      return;
    ++accepted;
    std::vector<int64_t> before = table(fragment), after = table(view);
    llvm::sort(before);
    llvm::sort(after);
    ASSERT_EQ(before, after) << fragment.str() << " as " << view.str();
    ASSERT_EQ(numPoints(view.at(0)) % atomValues, 0);
  });
  EXPECT_GE(accepted * 2, numCases);
}

/// Atoms by their usual thread-value layouts.
std::vector<MmaAtomLayouts> atoms() {
  Layout one = readLayout("(1,1):(1,1)");
  return {
      {IntTuple::of({1, 1, 1}), readLayout("1:1"), one, one, one},
      // Matrix cores, 64 lanes, 16x16x16.
      {IntTuple::of({16, 16, 16}), readLayout("64:1"),
       readLayout("((16,4),4):((1,64),16)"),
       readLayout("((16,4),4):((1,64),16)"),
       readLayout("((16,4),4):((16,4),1)")},
      // 32 lanes whose halves hold the same A and B.
      {IntTuple::of({16, 16, 16}), readLayout("32:1"),
       readLayout("((16,2),16):((1,0),16)"),
       readLayout("((16,2),16):((1,0),16)"),
       readLayout("((16,2),8):((16,1),2)")},
  };
}

TiledMmaLayouts randomMma(Random &random, llvm::ArrayRef<MmaAtomLayouts> atoms,
                          int64_t extents[3]) {
  TiledMmaLayouts mma;
  mma.atom = atoms[random.between(0, atoms.size() - 1)];
  std::vector<int64_t> counts, order = {0, 1, 2};
  for (unsigned axis = 0; axis != 3; ++axis)
    counts.push_back(axis == 2 ? 1 : random.between(1, 2));
  random.shuffle(order);
  StaticArith arith;
  mma.atomLayout =
      makeOrderedLayout(arith, IntTuple::of(counts), IntTuple::of(order));
  std::vector<Tile> permutation;
  for (unsigned axis = 0; axis != 3; ++axis) {
    int64_t tile = mma.atom.shape.at(axis).leaf().value() * counts[axis];
    int64_t factor = random.between(1, 2);
    extents[axis] = tile * factor * random.between(1, 2);
    permutation.push_back(random.chance(50) ? Tile()
                                            : Tile(Int::known(tile * factor)));
  }
  mma.permutation = Tile::list(permutation);
  return mma;
}

TEST(ViewLaws, TiledMmasCoverTheOperandsEvenly) {
  std::vector<MmaAtomLayouts> all = atoms();
  forEachCase(
      [&](Random &random) {
        int64_t extents[3];
        TiledMmaLayouts mma = randomMma(random, all, extents);
        const std::tuple<MmaOperand, int, int> operands[] = {
            {MmaOperand::A, 0, 2},
            {MmaOperand::B, 1, 2},
            {MmaOperand::C, 0, 1}};
        int64_t threads =
            numPoints(mma.atom.thread) * numPoints(mma.atomLayout);
        for (auto [operand, first, second] : operands) {
          Layout tensor = randomTensor(random, extents[first], extents[second]);
          StaticArith arith;
          std::map<int64_t, int> counts;
          int64_t held = 0;
          for (int64_t thread = 0; thread != threads; ++thread) {
            Partition part =
                mmaPartition(arith, mma, operand, tensor, IntTuple(thread));
            ASSERT_FALSE(arith.failed()) << arith.message();
            held += numPoints(part.layout);
            countElements(part, counts);
          }
          ASSERT_EQ(held % numPoints(tensor), 0);
          expectEven(counts, tensor, held / numPoints(tensor));
          if (testing::Test::HasFatalFailure())
            return;
          // The shape alone says as much as the layout.
          ASSERT_EQ(mmaPartitionShape(arith, mma, operand, tensor.shape),
                    mmaPartition(arith, mma, operand, tensor, IntTuple(0))
                        .layout.shape);
        }
      },
      /*share=*/30);
}

/// One thread multiplies what belongs together: on coordinates, the row of its
/// C is that of its A, the column that of its B, and A and B agree in k.
TEST(ViewLaws, TiledMmaOperandsBelongTogether) {
  std::vector<MmaAtomLayouts> all = atoms();
  forEachCase(
      [&](Random &random) {
        int64_t extents[3];
        TiledMmaLayouts mma = randomMma(random, {all.front()}, extents);
        StaticArith arith;
        auto part = [&](MmaOperand operand, int64_t rows, int64_t columns,
                        int64_t thread) {
          Layout identity =
              makeIdentityLayout(arith, IntTuple::of({rows, columns}));
          return mmaPartition(arith, mma, operand, identity, IntTuple(thread));
        };
        auto at = [&](const Partition &p, int64_t first, int64_t second) {
          IntTuple coord = IntTuple::of({0, first, second});
          Vector v = vectorOf(
              codomainAdd(arith, p.offset, crd2idx(arith, coord, p.layout)));
          return std::make_pair(v[{0}], v[{1}]);
        };
        for (int64_t thread = 0; thread != numPoints(mma.atomLayout);
             ++thread) {
          Partition a = part(MmaOperand::A, extents[0], extents[2], thread);
          Partition b = part(MmaOperand::B, extents[1], extents[2], thread);
          Partition c = part(MmaOperand::C, extents[0], extents[1], thread);
          ASSERT_FALSE(arith.failed()) << arith.message();
          auto count = [](const Partition &p, unsigned mode) {
            return numPoints(p.layout.at(mode));
          };
          ASSERT_EQ(count(a, 1), count(c, 1));
          ASSERT_EQ(count(b, 1), count(c, 2));
          ASSERT_EQ(count(a, 2), count(b, 2));
          for (int64_t i = 0; i != count(c, 1); ++i)
            for (int64_t j = 0; j != count(c, 2); ++j)
              for (int64_t k = 0; k != count(a, 2); ++k) {
                ASSERT_EQ(at(c, i, j).first, at(a, i, k).first);
                ASSERT_EQ(at(c, i, j).second, at(b, j, k).first);
                ASSERT_EQ(at(a, i, k).second, at(b, j, k).second);
              }
        }
      },
      /*share=*/20);
}

TEST(ViewLaws, FragmentsHoldTheirPartition) {
  std::vector<MmaAtomLayouts> all = atoms();
  forEachCase(
      [&](Random &random) {
        int64_t extents[3];
        TiledMmaLayouts mma = randomMma(random, all, extents);
        Layout tensor = randomTensor(random, extents[0], extents[2]);
        StaticArith arith;
        Layout part =
            mmaPartition(arith, mma, MmaOperand::A, tensor, IntTuple(0)).layout;
        Layout fragment =
            mmaFragment(arith, mma, MmaOperand::A, tensor, std::nullopt);
        ASSERT_FALSE(arith.failed()) << arith.message();
        ASSERT_EQ(fragment.shape, part.shape);
        ASSERT_TRUE(injective(table(fragment))) << fragment.str();
        int32_t stages = random.between(1, 4);
        Layout staged = mmaFragment(arith, mma, MmaOperand::A, tensor, stages);
        ASSERT_FALSE(arith.failed()) << arith.message();
        ASSERT_EQ(staged.rank(), fragment.rank() + 1);
        // Stages lie one after the other, each as the fragment alone.
        std::vector<int64_t> one = table(fragment), many = table(staged);
        ASSERT_EQ(many.size(), one.size() * stages);
        for (size_t i = 0; i != many.size(); ++i)
          ASSERT_EQ(many[i],
                    one[i % one.size()] + int64_t(i / one.size() * one.size()));
      },
      /*share=*/5);
}

//===----------------------------------------------------------------------===//
// Gemm orders
//===----------------------------------------------------------------------===//

std::string sequence(llvm::ArrayRef<GemmStep> steps, bool hasK) {
  std::string text;
  for (const GemmStep &step : steps) {
    text += (text.empty() ? "" : " ") + std::to_string(step.m) +
            std::to_string(step.n);
    if (hasK)
      text += std::to_string(step.k) + (step.firstVisit ? "c" : "d");
  }
  return text;
}

TEST(ViewLaws, GemmOrdersOfTwoByTwoByTwo) {
  const std::pair<int, const char *> expected[] = {
      {5, "000c 010c 100c 110c 001d 011d 101d 111d"},
      {0, "000c 001d 100c 101d 010c 011d 110c 111d"},
      {1, "000c 001d 010c 011d 100c 101d 110c 111d"},
      {2, "000c 100c 001d 101d 010c 110c 011d 111d"},
      {3, "000c 100c 010c 110c 001d 101d 011d 111d"},
      {4, "000c 010c 001d 011d 100c 110c 101d 111d"},
      {6, "000c 001d 101c 100d 110c 111d 011c 010d"},
      {7, "000c 001d 011c 010d 110c 111d 101c 100d"},
      {8, "000c 100c 101d 001d 011c 111c 110d 010d"},
      {9, "000c 100c 110c 010c 011d 111d 101d 001d"},
      {10, "000c 010c 011d 001d 101c 111c 110d 100d"},
      {11, "000c 010c 110c 100c 101d 111d 011d 001d"}};
  for (auto [order, steps] : expected)
    EXPECT_EQ(sequence(gemmOrder(order, 2, 2, 2, true), true), steps) << order;
}

TEST(ViewLaws, GemmOrdersWithoutK) {
  EXPECT_EQ(sequence(gemmOrder(5, 2, 3, 1, false), false), "00 01 02 10 11 12");
  EXPECT_EQ(sequence(gemmOrder(3, 2, 3, 1, false), false), "00 10 01 11 02 12");
  EXPECT_EQ(sequence(gemmOrder(9, 2, 3, 1, false), false), "00 10 11 01 02 12");
  EXPECT_EQ(sequence(gemmOrder(11, 2, 3, 1, false), false),
            "00 01 02 12 11 10");
}

TEST(ViewLaws, GemmOrdersVisitEachStepOnce) {
  forEachCase([](Random &random) {
    int64_t m = random.between(1, 4), n = random.between(1, 4),
            k = random.between(1, 4);
    int32_t order = random.between(0, 11);
    std::vector<GemmStep> steps = gemmOrder(order, m, n, k, true);
    ASSERT_EQ(int64_t(steps.size()), m * n * k);
    std::set<std::tuple<int64_t, int64_t, int64_t>> seen;
    std::set<std::pair<int64_t, int64_t>> places;
    for (size_t i = 0; i != steps.size(); ++i) {
      const GemmStep &step = steps[i];
      ASSERT_TRUE(seen.insert({step.m, step.n, step.k}).second);
      ASSERT_EQ(step.firstVisit, places.insert({step.m, step.n}).second);
      if (order < 6 || i == 0)
        continue;
      const GemmStep &last = steps[i - 1];
      ASSERT_EQ(std::abs(step.m - last.m) + std::abs(step.n - last.n) +
                    std::abs(step.k - last.k),
                1)
          << order << ": " << m << n << k << " at " << i;
    }
  });
  EXPECT_TRUE(gemmOrder(12, 2, 2, 2, true).empty());
  EXPECT_TRUE(gemmOrder(0, 0, 2, 2, true).empty());
  EXPECT_TRUE(gemmOrder(0, 1 << 20, 1 << 20, 1 << 20, true).empty());
}

TEST(ViewLaws, GemmOrderByALayout) {
  StaticArith arith;
  EXPECT_EQ(
      sequence(gemmOrder(arith, readLayout("(2,2,2):(4,2,1)"), 2, 2, 2, true),
               true),
      "000c 001d 010c 011d 100c 101d 110c 111d");
  EXPECT_FALSE(arith.failed()) << arith.message();
  for (const char *layout : {"8:2", "4:1", "(2,2,2):(0,1,2)", "(2,2,?):(1,2,4)",
                             "(2,2,2):(1E0,1E1,1E2)"}) {
    TypeArith refused;
    EXPECT_TRUE(gemmOrder(refused, readLayout(layout), 2, 2, 2, true).empty() ==
                refused.failed())
        << layout;
    if (llvm::StringRef(layout) != "4:1") {
      EXPECT_TRUE(refused.failed()) << layout;
    }
  }
}

//===----------------------------------------------------------------------===//
// Threads and refusals
//===----------------------------------------------------------------------===//

/// A number goes through the arrangement of atoms, whichever axis is fastest.
TEST(ViewLaws, ThreadNumbersFollowTheAtomLayout) {
  Layout one = readLayout("(1,1):(1,1)");
  TiledMmaLayouts mma = {
      {IntTuple::of({1, 1, 1}), readLayout("1:1"), one, one, one},
      readLayout("(2,4,1):(4,1,0)"),
      Tile()};
  Layout tensor = readLayout("(8,8):(1,8)");
  for (int64_t thread = 0; thread != 8; ++thread) {
    StaticArith arith;
    EXPECT_EQ(
        mmaThreadCoord(arith, mma, MmaOperand::C, IntTuple(thread)),
        IntTuple::tuple({IntTuple(0), IntTuple::of({thread / 4, thread % 4})}));
    EXPECT_EQ(mmaThreadCoord(arith, mma, MmaOperand::A, IntTuple(thread)),
              IntTuple::tuple({IntTuple(0), IntTuple::of({thread / 4, 0})}));
    EXPECT_TRUE(
        mmaPartition(arith, mma, MmaOperand::C, tensor, IntTuple(thread))
            .offset.isKnown(thread / 4 + 8 * (thread % 4)));
    // The original's inference takes the first axis for the fastest.
    EXPECT_TRUE(
        mmaLegacyOffset(arith, mma, MmaOperand::C, tensor, IntTuple(thread))
            .isKnown(thread % 2 + 8 * (thread / 2)));
  }
}

TEST(ViewLaws, RefusalsNameBothSides) {
  Layout one = readLayout("(1,1):(1,1)");
  TiledMmaLayouts mma = {
      {IntTuple::of({1, 1, 1}), readLayout("1:1"), one, one, one},
      readLayout("(2,4,1):(4,1,0)"),
      Tile()};
  auto refused = [](llvm::function_ref<void(Arith &)> run) {
    TypeArith arith;
    run(arith);
    return arith.message();
  };
  Layout tensor = readLayout("(8,8):(1,8)");
  EXPECT_EQ(
      refused([&](Arith &a) { mmaFragment(a, mma, MmaOperand::A, tensor, 0); }),
      "stages must be at least 1, got 0");
  EXPECT_EQ(refused([&](Arith &a) {
              mmaFragment(a, mma, MmaOperand::A, readLayout("8:1"), 2);
            }),
            "stages need an operand with two modes, got 8:1");
  EXPECT_EQ(refused([&](Arith &a) {
              mmaFragment(a, mma, MmaOperand::A, readLayout("(8,?):(1,8)"),
                          std::nullopt);
            }).substr(0, 37),
            "fragment needs a static shape, got (1");
  Layout atom = readLayout("(1,2):(1,1)");
  TiledCopyLayouts copy = {{atom, atom, atom},
                           readLayout("((4,2),(2,2)):((2,16),(1,8))"),
                           readTile("[8|4|2]")};
  EXPECT_EQ(refused([&](Arith &a) {
              copyPartition(a, copy, CopySide::Source, tensor, IntTuple(0));
            }),
            "tensor " + tensor.str() +
                " does not consist of whole tiles [8|4|2]: tile [8|4|2] has 3 "
                "modes, the layout " +
                tensor.str() + " has 2");
  copy.tile = readTile("[8|*]");
  EXPECT_EQ(refused([&](Arith &a) {
              copyRetile(a, copy, readLayout("(4,2):(1,4)"));
            }),
            "tile [8|*] of a retile must consist of integers and layouts");
}

} // namespace
