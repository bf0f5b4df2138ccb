// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of static types, made from nothing. Laws: what is made has the type
// and is in normal form, and is not made again; the IR verifies.

#include "Common.h"
#include "mlir/IR/Verifier.h"

namespace mlir {
namespace {

class RebuildTest : public DialectTest {};

TEST_F(RebuildTest, StaticTypesAreRebuiltOnce) {
  unsigned made = 0;
  for (size_t i = 0; i < numEveryType; ++i) {
    auto known = dyn_cast<fly::MayStaticTypeInterface>(type(everyType[i]));
    if (!known)
      continue;
    OwningOpRef<ModuleOp> ir = module("module {}");
    OpBuilder builder = OpBuilder::atBlockEnd(ir->getBody());
    Value value = known.rebuildStatic(builder, ir->getLoc(), Value());
    EXPECT_EQ(static_cast<bool>(value), known.isStatic()) << everyType[i].str();
    if (!value)
      continue;
    ++made;
    EXPECT_EQ(value.getType(), Type(known));
    EXPECT_FALSE(known.rebuildStatic(builder, ir->getLoc(), value))
        << everyType[i].str();
    EXPECT_TRUE(succeeded(verify(*ir)));
  }
  EXPECT_GE(made, 10u);
}

// A block argument is never in normal form, and asking is harmless (7.21).
TEST_F(RebuildTest, BlockArgumentsAreRebuilt) {
  OwningOpRef<ModuleOp> ir = module(R"(
    func.func private @f(
        %t: !fly.int_tuple<4>, %l: !fly.layout<4:1>, %x: !fly.coord_tensor<0, 4:1>,
        %a: !fly.copy_atom<!fly.universal_copy<64>, 16>,
        %c: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 16>, <(4,2):(2,1)>, <8>>) {
      return
    })");
  auto function = *ir->getOps<func::FuncOp>().begin();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  for (Value argument : function.getArguments()) {
    EXPECT_FALSE(fly::isNormalForm(argument));
    EXPECT_FALSE(fly::isWeaklyNormalForm(argument));
    auto known = cast<fly::MayStaticTypeInterface>(argument.getType());
    EXPECT_TRUE(known.rebuildStatic(builder, ir->getLoc(), argument));
  }
  EXPECT_FALSE(fly::isNormalForm(Value()));
  EXPECT_TRUE(succeeded(verify(*ir)));
}

TEST_F(RebuildTest, NormalFormNeedsNormalParts) {
  OwningOpRef<ModuleOp> ir = module(R"(
    func.func private @f(%s: !fly.int_tuple<4>, %sw: !fly.swizzle<S<1,2,3>>) {
      %d = fly.make_int_tuple() : () -> !fly.int_tuple<1>
      %l = fly.make_layout(%s, %d) : (!fly.int_tuple<4>, !fly.int_tuple<1>) -> !fly.layout<4:1>
      %n = fly.make_layout(%d, %d) : (!fly.int_tuple<1>, !fly.int_tuple<1>) -> !fly.layout<1:1>
      %c = fly.make_composed_layout(%sw, %d, %n) : (!fly.swizzle<S<1,2,3>>, !fly.int_tuple<1>, !fly.layout<1:1>) -> !fly.composed_layout<S<1,2,3> o 1 o 1:1>
      %e = fly.make_composed_layout(%l, %d, %n) : (!fly.layout<4:1>, !fly.int_tuple<1>, !fly.layout<1:1>) -> !fly.composed_layout<4:1 o 1 o 1:1>
      return
    })");
  SmallVector<bool> normal;
  ir->walk([&](Operation *op) {
    if (op->getNumResults() == 1)
      normal.push_back(fly::isNormalForm(op->getResult(0)));
  });
  EXPECT_EQ(normal, (SmallVector<bool>{true, false, true, true, false}));
}

} // namespace
} // namespace mlir
