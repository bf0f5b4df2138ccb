// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tiled copies and MMAs refuse. The law: the message begins with what
// does not fit, atom, tile, layout or tensor, before the numbers that tell.
// Refusals of the functions that fly-layout has are in test/Tools.

#include "Reading.h"
#include "fly/Layout/Algebra.h"
#include "fly/Layout/Doubts.h"
#include "fly/Layout/Views.h"

using namespace fly::layout;

namespace {

/// A copy atom of one thread with the same layout on all sides.
CopyAtomLayouts copyAtom(llvm::StringRef layout) {
  Layout all = readLayout(layout);
  return {all, all, all};
}

std::string partitioned(const TiledCopyLayouts &copy, llvm::StringRef tensor) {
  TypeArith arith;
  copyPartition(arith, copy, CopySide::Source, readLayout(tensor), IntTuple(0));
  return arith.message();
}

std::string retiled(llvm::StringRef threadValue, llvm::StringRef fragment) {
  TypeArith arith;
  copyRetile(
      arith,
      {copyAtom("(1,1):(0,0)"), readLayout(threadValue), readTile("[8]")},
      readLayout(fragment));
  return arith.message();
}

TEST(ViewRefusals, TiledCopies) {
  CopyAtomLayouts one = copyAtom("(1,1):(0,0)");
  EXPECT_EQ(partitioned({one, readLayout("4:1"), readTile("4")}, "8:1"),
            "layout of a tiled copy must have the modes (thread, value), got "
            "4:1");
  EXPECT_EQ(
      partitioned({copyAtom("4:1"), readLayout("(4,1):(1,0)"), readTile("4")},
                  "8:1"),
      "reference layout of a copy must have the modes (thread, value), "
      "got 4:1");
  EXPECT_EQ(partitioned({{readLayout("4:1"), readLayout("(1,1):(0,0)"),
                          readLayout("(1,1):(0,0)")},
                         readLayout("(4,1):(1,0)"),
                         readTile("4")},
                        "8:1"),
            "thread-value layout of a copy must have the modes (thread, "
            "value), got 4:1");
  EXPECT_EQ(partitioned({one, readLayout("(4,1):(1,0)"), readTile("4")},
                        "(8,2):(1,8)"),
            "tile 4 leaves 1 modes of a tensor with 2");

  CopyAtomLayouts uneven = {readLayout("(1,3):(0,1)"),
                            readLayout("(1,3):(0,1)"),
                            readLayout("(1,(3,2)):(0,(2,1))")};
  EXPECT_EQ(
      partitioned({uneven, readLayout("(1,6):(0,1)"), readTile("6")}, "6:1")
          .rfind("the atom's layouts (1,3):(0,1) and "
                 "(1,(3,2)):(0,(2,1)) do not fit together: ",
                 0),
      0u);
}

TEST(ViewRefusals, Retile) {
  EXPECT_EQ(retiled("(4,2):(1,4)", "(?,2):(1,4)"),
            "retile needs a static, non-empty fragment, got (?,2):(1,4)");
  EXPECT_EQ(retiled("4:1", "(2,1):(1,0)"),
            "layout of a tiled copy must have the modes (thread, value), got "
            "4:1");
}

/// An MMA atom of one thread.
MmaAtomLayouts mmaAtom(int64_t m, int64_t n) {
  auto values = [](int64_t count) {
    return Layout{IntTuple::of({1, count}), IntTuple::of({0, 1})};
  };
  return {IntTuple::of({m, n, 1}), Layout{IntTuple(1), IntTuple(0)}, values(m),
          values(n), values(m * n)};
}

std::string multiplied(const TiledMmaLayouts &mma, llvm::StringRef tensor,
                       const IntTuple &thread = IntTuple(0)) {
  TypeArith arith;
  mmaPartition(arith, mma, MmaOperand::C, readLayout(tensor), thread);
  return arith.message();
}

TEST(ViewRefusals, TiledMmas) {
  Layout ones = readLayout("(1,1,1):(0,0,0)");
  Tile none = readTile("[*|*|*]");
  MmaAtomLayouts atom = mmaAtom(1, 1);
  MmaAtomLayouts flat = atom;
  flat.shape = IntTuple(1);
  EXPECT_EQ(multiplied({flat, ones, none}, "(4,4):(1,4)"),
            "mma atom needs a shape (M,N,K), got 1");
  EXPECT_EQ(multiplied({atom, readLayout("(1,1):(0,0)"), none}, "(4,4):(1,4)"),
            "layout of mma atoms needs the modes (M,N,K), got (1,1):(0,0)");
  EXPECT_EQ(multiplied({atom, ones, none}, "4:1"),
            "mma operand needs two modes, got 4:1");
  MmaAtomLayouts leaf = atom;
  leaf.c = readLayout("1:0");
  EXPECT_EQ(multiplied({leaf, ones, none}, "(4,4):(1,4)"),
            "thread-value layout of an mma atom needs the modes (thread, "
            "value), got 1:0");
  EXPECT_EQ(multiplied({mmaAtom(2, 2), ones, none}, "((3,2),2):((1,7),20)")
                .rfind("tensor ((3,2),2):((1,7),20) does not consist of whole "
                       "tiles [2|2]: ",
                       0),
            0u);
  EXPECT_EQ(multiplied({mmaAtom(2, 2), ones, readTile("[3|2|*]")},
                       "((3,2),2):((1,7),20)")
                .rfind("the tiles of tensor ", 0),
            0u);
  EXPECT_NE(multiplied({mmaAtom(2, 2), ones, readTile("[3|2|*]")},
                       "((3,2),2):((1,7),20)")
                .find(" do not consist of whole atoms [2|2]: "),
            std::string::npos);
  EXPECT_EQ(
      multiplied({atom, readLayout("(2,1,1):(1,0,0)"), readTile("[3|1|*]")},
                 "((3,2),2):((1,7),20)")
          .rfind("atoms of [1|1], repeated as [2|1], do not fill the "
                 "tensor ((3,2),2):((1,7),20): ",
                 0),
      0u);
}

TEST(ViewRefusals, GemmOrders) {
  auto said = [](llvm::StringRef traversal, int64_t m, int64_t n) {
    TypeArith arith;
    gemmOrder(arith, readLayout(traversal), m, n, 1, /*hasK=*/false);
    return arith.message();
  };
  EXPECT_EQ(said("4:1", int64_t(1) << 40, int64_t(1) << 40),
            "a gemm of 1099511627776 x 1099511627776 x 1 steps cannot be "
            "unrolled");
  EXPECT_EQ(said("4:?", 2, 2), "traversal layout must be static, got 4:?");
  EXPECT_EQ(said("4:2", 2, 2),
            "traversal layout 4:2 does not visit each of the 4 steps once: "
            "step 2 goes to 4");
}

TEST(ViewRefusals, Structure) {
  auto said = [](llvm::function_ref<void(Arith &)> run) {
    TypeArith arith;
    run(arith);
    return arith.message();
  };
  EXPECT_EQ(said([](Arith &arith) {
              zip(arith, readTuple("(1,2,3)"), readTuple("(1,2)"));
            }),
            "cannot zip (1,2,3) with (1,2), which has fewer modes");
  EXPECT_EQ(said([](Arith &arith) {
              zip2By(arith, readTuple("(1,(2,3))"), readTuple("(1,1)"));
            }),
            "mode 1 is not a pair to split");
  EXPECT_EQ(said([](Arith &arith) { select(arith, readTuple("(1,2)"), {}); }),
            "select needs at least one mode index");
  EXPECT_EQ(said([](Arith &arith) {
              IntTuple wide = IntTuple::of(std::vector<int64_t>(1024, 1));
              select(arith, IntTuple::tuple({wide, wide}),
                     std::vector<int32_t>(1025, 0));
            }),
            "select answers more than 1048576 leaves");
  EXPECT_EQ(doubtOfTarget(readTuple("(4,2)"), readTuple("8")),
            "the block (4,2) has 2 modes, the target 8 has 1; the result does "
            "not have the modes of the target");
  EXPECT_EQ(said([](Arith &arith) {
              columnMajorIndex(arith, readTuple("(1E0,2)"), readTuple("(4,2)"));
            }),
            "column-major index needs an integer, got 1E0");
  EXPECT_EQ(said([](Arith &arith) {
              makeIdentityLayout(arith,
                                 IntTuple::of(std::vector<int64_t>(1025, 2)));
            }),
            "identity layout: a tuple of 1025 modes needs mode numbers above "
            "1023");
  EXPECT_EQ(said([](Arith &arith) {
              codomainAdd(arith, IntTuple::basis(Int::known(1), {70000}),
                          readTuple("(1,2)"));
            }),
            "mode 70000 of the basis element 1E70000 is not between 0 and "
            "1023");
  EXPECT_EQ(said([](Arith &arith) {
              arith.coordSwizzle(Int::known(1), Int::known(1), 31, 1, 0);
            }),
            "coordinate swizzle of 31 bits at 1 and 0 reaches past bit 30");
}

} // namespace
