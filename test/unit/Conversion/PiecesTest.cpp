// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The law of accesses: the pieces of a tensor name every element once, in
// coordinate order, where its layout says; two neighbouring pieces never touch
// (else they were one). Seeded random layouts, plain and composed. And the law
// of alignments: what an access claims divides every address that it has.

#include "Access.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
namespace layout = ::fly::layout;

namespace {
class Pieces : public ::testing::Test {
protected:
  Pieces() {
    context.loadDialect<mlir::fly::FlyDialect, fly_rocdl::FlyROCDLDialect>();
  }

  mlir::fly::MemRefType tensor(const layout::AnyLayout &l) {
    return mlir::fly::MemRefType::get(
        Float32Type::get(&context),
        mlir::fly::AddressSpaceAttr::get(&context,
                                         mlir::fly::AddressSpace::Global),
        l);
  }

  /// A tuple of up to three modes, some nested.
  layout::Layout randomLayout() {
    std::vector<layout::IntTuple> shapes, strides;
    unsigned modes = 1 + random() % 3;
    int64_t compact = 1;
    for (unsigned i = 0; i < modes; ++i) {
      int64_t size = 1 + random() % 4;
      int64_t stride = random() % 3 ? compact : int64_t(random() % 17) - 4;
      compact *= size;
      layout::IntTuple s = layout::IntTuple(layout::Int::known(size));
      layout::IntTuple d = layout::IntTuple(layout::Int::known(stride));
      if (random() % 4 == 0) {
        shapes.push_back(layout::IntTuple::of({size, 2}));
        strides.push_back(layout::IntTuple::of({stride, compact}));
        compact *= 2;
        continue;
      }
      shapes.push_back(s);
      strides.push_back(d);
    }
    if (modes == 1)
      return {shapes[0], strides[0]};
    return {layout::IntTuple::tuple(shapes), layout::IntTuple::tuple(strides)};
  }

  void checkLaw(const layout::AnyLayout &l) {
    SCOPED_TRACE(l.str());
    FailureOr<SmallVector<mlir::fly::Piece>> pieces =
        mlir::fly::contiguousPieces(UnknownLoc::get(&context), tensor(l),
                                    "the tensor");
    ASSERT_TRUE(succeeded(pieces));
    layout::StaticArith arith;
    int64_t size = layout::size(arith, l.linear()).leaf().value();
    int64_t next = 0;
    for (auto [index, piece] : llvm::enumerate(*pieces)) {
      EXPECT_EQ(piece.first, next);
      for (int64_t i = 0; i < piece.count; ++i) {
        layout::IntTuple at = layout::crd2idx(
            arith, layout::IntTuple(layout::Int::known(next + i)), l);
        ASSERT_FALSE(arith.failed()) << arith.message();
        EXPECT_EQ(piece.offset + i, at.leaf().value());
      }
      next += piece.count;
      if (index) {
        const mlir::fly::Piece &before = (*pieces)[index - 1];
        EXPECT_NE(before.offset + before.count, piece.offset);
      }
    }
    EXPECT_EQ(next, size);
  }

  MLIRContext context;
  std::mt19937 random{20261130};
};
} // namespace

TEST_F(Pieces, OfPlainLayouts) {
  for (int i = 0; i < 400; ++i)
    checkLaw(randomLayout());
}

TEST_F(Pieces, OfComposedLayouts) {
  for (int i = 0; i < 400; ++i) {
    layout::ComposedLayout composed;
    layout::Swizzle swizzle;
    swizzle.mask = random() % 3;
    swizzle.base = random() % 3;
    swizzle.shift = swizzle.mask + random() % 2;
    composed.inner = swizzle;
    composed.offset =
        layout::IntTuple(layout::Int::known(64 + int64_t(random() % 8)));
    composed.outer = randomLayout();
    checkLaw(composed);
  }
}

TEST_F(Pieces, AlignmentHoldsAtEveryAddress) {
  // Any address that the type allows, after the swizzle.
  for (int i = 0; i < 2000; ++i) {
    layout::Swizzle swizzle;
    swizzle.mask = random() % 4;
    swizzle.base = random() % 6;
    swizzle.shift = random() % 5;
    int64_t alignment = 1 + random() % 48;
    auto type = mlir::fly::PointerType::get(
        IntegerType::get(&context, 8),
        mlir::fly::AddressSpaceAttr::get(&context,
                                         mlir::fly::AddressSpace::Shared),
        alignment, swizzle);
    int64_t claimed = mlir::fly::accessAlignment(type);
    layout::StaticArith arith;
    for (int64_t step = 0; step < 64; ++step) {
      int64_t address = arith
                            .swizzle(layout::Int::known(step * alignment),
                                     swizzle.mask, swizzle.base, swizzle.shift)
                            .value();
      ASSERT_EQ(address % claimed, 0)
          << "alignment " << alignment << " under S<" << swizzle.mask << ","
          << swizzle.base << "," << swizzle.shift << "> claims " << claimed;
    }
  }
}
