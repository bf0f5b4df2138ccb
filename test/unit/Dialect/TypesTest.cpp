// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types as C++ values: builders, parts, printing, and the queries of nested
// types.

#include "Common.h"

const llvm::StringLiteral everyType[] = {
    "!fly.int_tuple<4>",
    "!fly.int_tuple<(4,(?{i64 div=8},2E0E1))>",
    "!fly.int_tuple<(*,?)>",
    "!fly.layout<(4,8):(1,4)>",
    "!fly.layout<(?,8):(1,?{i64})>",
    "!fly.composed_layout<S<3,0,3> o 0 o (8,8):(1,8)>",
    "!fly.composed_layout<32:2 o ? o [8:1 o 4 o ?:1]>",
    "!fly.composed_layout<CS<2,0,[0],0,[1]> o (0,0) o (4,4):(1E0,1E1)>",
    "!fly.swizzle<S<3,4,3>>",
    "!fly.coord_swizzle<CS<3,0,[1],0,[2]>>",
    "!fly.tile<[4|*|8:2]>",
    "!fly.tile<*>",
    "!fly.ptr<f16, shared, align<16>, S<3,3,3>>",
    "!fly.ptr<i1, register>",
    "!fly.memref<f32, global, (?,8):(8,1), align<16>>",
    "!fly.memref<f16, shared, S<3,0,3> o 0 o (8,8):(1,8), S<2,3,3>>",
    "!fly.coord_tensor<(0,?), (4,8):(1E0,1E1)>",
    "!fly.copy_atom<!fly.universal_copy<64>, 16>",
    "!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>",
    "!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, "
    "!fly.layout<(4,2):(1,4)>, !fly.tile<8>>",
    "!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> "
    "f32>>, !fly.layout<(1,1,1):(0,1,2)>>",
};
const size_t numEveryType = std::size(everyType);

namespace mlir {

using ::fly::layout::AnyLayout;
using ::fly::layout::Int;
using ::fly::layout::IntTuple;
using ::fly::layout::Layout;
using ::fly::layout::Swizzle;

namespace {

class TypesTest : public DialectTest {};

TEST_F(TypesTest, TextReadsBack) {
  for (StringLiteral text : everyType) {
    std::string printed;
    llvm::raw_string_ostream(printed) << type(text);
    EXPECT_EQ(printed, text.str());
  }
}

TEST_F(TypesTest, EqualValuesAreOneType) {
  Layout layout{IntTuple::of({4, 8}), IntTuple::of({1, 4})};
  EXPECT_EQ(fly::LayoutType::get(&context, layout),
            type("!fly.layout<(4,8) : (1,4)>"));
  EXPECT_EQ(cast<fly::LayoutType>(type("!fly.layout<(4,8):(1,4)>")).getLayout(),
            layout);
  // Unknown leaves of equal width and promise are one attribute.
  EXPECT_EQ(fly::IntTupleType::get(&context, IntTuple(Int::unknown(32, 4))),
            type("!fly.int_tuple<?{div=4}>"));
}

TEST_F(TypesTest, PointerBuildersFillIn) {
  auto pointer = fly::PointerType::get(type("f16"), fly::AddressSpace::Shared);
  EXPECT_EQ(pointer, type("!fly.ptr<f16, shared>"));
  EXPECT_EQ(pointer.getAlignment(), 2);
  EXPECT_EQ(pointer.getSwizzle(), Swizzle());
  EXPECT_TRUE(pointer.isInSpace(fly::AddressSpace::Shared));
  EXPECT_FALSE(pointer.isInSpace(fly::AddressSpace::Global));
  EXPECT_EQ(fly::PointerType::get(type("f16"), pointer.getAddressSpace(), 16),
            type("!fly.ptr<f16, shared, align<16>>"));
}

TEST_F(TypesTest, ValueDivisibilityCountsElements) {
  auto divisibility = [&](StringRef text) {
    return cast<fly::PointerType>(type(text)).valueDivisibility();
  };
  EXPECT_EQ(divisibility("!fly.ptr<f16, global, align<16>>"), 8);
  EXPECT_EQ(divisibility("!fly.ptr<f32, global, align<12>>"), 3);
  EXPECT_EQ(divisibility("!fly.ptr<i8, global>"), 1);
  EXPECT_EQ(divisibility("!fly.ptr<i4, global>"), 2);
  // Six bits fit no byte evenly: nothing is promised.
  EXPECT_EQ(divisibility("!fly.ptr<f6E2M3FN, global>"), 1);
}

TEST_F(TypesTest, MemRefPartsAndModes) {
  auto memref = cast<fly::MemRefType>(
      type("!fly.memref<f16, shared, S<3,0,3> o 1 o (4,(2,8)):(16,(1,2)), "
           "align<16>, S<2,3,3>>"));
  EXPECT_EQ(memref.getPointerType(),
            type("!fly.ptr<f16, shared, align<16>, S<2,3,3>>"));
  EXPECT_EQ(memref.rank(), 2);
  EXPECT_EQ(memref.depth(), 2);
  EXPECT_EQ(memref.at({1, 0}),
            type("!fly.memref<f16, shared, S<3,0,3> o 1 o 2:1, align<16>, "
                 "S<2,3,3>>"));
  EXPECT_FALSE(memref.at({2}));
  EXPECT_FALSE(memref.at({-1}));
  EXPECT_FALSE(memref.at({0, 0, 0}));
}

TEST_F(TypesTest, NestedQueries) {
  auto nested = cast<fly::NestedTypeInterface>(
      type("!fly.composed_layout<S<3,0,3> o 1 o (4,(2,8)):(16,(1,2))>"));
  EXPECT_FALSE(nested.isLeaf());
  EXPECT_EQ(nested.rank(), 2);
  EXPECT_EQ(nested.depth(), 2);
  EXPECT_EQ(nested.rank({1}), std::optional<int64_t>(2));
  EXPECT_EQ(nested.depth({1}), std::optional<int64_t>(1));
  EXPECT_EQ(nested.rank({0, 0}), std::optional<int64_t>(1));
  EXPECT_EQ(nested.rank({0, 1}), std::nullopt);
  EXPECT_EQ(nested.depth({2}), std::nullopt);
}

TEST_F(TypesTest, StaticTypes) {
  auto isStatic = [&](StringRef text) {
    return cast<fly::MayStaticTypeInterface>(type(text)).isStatic();
  };
  EXPECT_TRUE(isStatic("!fly.int_tuple<(*,4)>"));
  EXPECT_FALSE(isStatic("!fly.int_tuple<(4,?E0)>"));
  EXPECT_FALSE(isStatic("!fly.composed_layout<S<3,0,3> o ? o 8:1>"));
  EXPECT_FALSE(isStatic("!fly.coord_tensor<?, 8:1>"));
  EXPECT_TRUE(isStatic("!fly.tile<[4|*]>"));
  EXPECT_TRUE(isStatic("!fly.copy_atom<!fly.universal_copy<64>, 16>"));
  EXPECT_FALSE(isStatic("!fly.copy_atom<i32, 16>"));
  EXPECT_FALSE(isa<fly::MayStaticTypeInterface>(type("!fly.ptr<f16, global>")));
}

TEST_F(TypesTest, RegisterValues) {
  auto value = [&](StringRef text, bool llvmCompatible = false) {
    return fly::registerValueType(cast<fly::MemRefType>(type(text)),
                                  llvmCompatible);
  };
  EXPECT_EQ(value("!fly.memref<f32, register, 1:1>"), type("f32"));
  EXPECT_EQ(value("!fly.memref<f32, register, (4,2):(1,4)>"),
            type("vector<8xf32>"));
  EXPECT_EQ(value("!fly.memref<f8E4M3FN, register, 4:1>", true),
            type("vector<4xi8>"));
  EXPECT_EQ(value("!fly.memref<f8E4M3FN, register, 4:1>"),
            type("vector<4xf8E4M3FN>"));
  EXPECT_FALSE(value("!fly.memref<f32, global, 4:1>"));
  EXPECT_FALSE(value("!fly.memref<f32, register, ?:1>"));
}

TEST_F(TypesTest, CopyAtomLayoutsAreInValues) {
  auto atom = cast<fly::CopyAtomType>(
      type("!fly.copy_atom<!fly.universal_copy<64>, 16>"));
  auto layouts = atom.getLayouts();
  ASSERT_TRUE(succeeded(layouts));
  EXPECT_EQ(layouts->source.str(), "(1,4):(1,1)");
  EXPECT_EQ(layouts->reference.str(), "(1,4):(1,1)");
  EXPECT_TRUE(failed(
      cast<fly::CopyAtomType>(type("!fly.copy_atom<i32, 16>")).getLayouts()));
}

TEST_F(TypesTest, RefusedBuildersReport) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  Location here = UnknownLoc::get(&context);
  EXPECT_FALSE(
      fly::LayoutAttr::getChecked([&] { return emitError(here); }, &context,
                                  Layout{IntTuple::of({4, 8}), IntTuple(1)}));
  EXPECT_EQ(message, "shape (4,8) and stride 1 are not congruent");
}

} // namespace
} // namespace mlir
