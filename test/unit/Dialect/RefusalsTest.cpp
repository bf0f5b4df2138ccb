// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refusals that text cannot ask for: attributes and types made by C++, and
// inference for operands and attributes that no verified op has. The law: a
// failure, with a message, and no crash.

#include "Common.h"

#include "fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

namespace mlir {

using ::fly::layout::AnyLayout;
using ::fly::layout::IntTuple;
using ::fly::layout::Layout;

namespace {

class RefusalsTest : public DialectTest {
protected:
  RefusalsTest() { context.loadDialect<fly_rocdl::FlyROCDLDialect>(); }

  /// What `run`, which must fail, says.
  std::string said(function_ref<bool()> run) {
    std::string text;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      text += diagnostic.str();
      return success();
    });
    EXPECT_FALSE(run());
    return text;
  }

  /// The message of a bare call of inference for op `name`, with arguments of a
  /// function as operands.
  std::string inferred(StringRef name, StringRef types, unsigned count) {
    OwningOpRef<ModuleOp> holder =
        module(("func.func private @f(" + types + ")").str());
    auto function = cast<func::FuncOp>(holder->getBody()->front());
    Block block;
    for (Type argument : function.getArgumentTypes())
      block.addArgument(argument, function.getLoc());
    EXPECT_EQ(block.getNumArguments(), count);
    std::optional<RegisteredOperationName> op =
        RegisteredOperationName::lookup(name, &context);
    EXPECT_TRUE(op) << name.str();
    auto *interface = op ? op->getInterface<InferTypeOpInterface>() : nullptr;
    EXPECT_TRUE(interface) << name.str();
    return said([&] {
      SmallVector<Type> results;
      return interface &&
             succeeded(interface->inferReturnTypes(
                 &context, UnknownLoc::get(&context), block.getArguments(),
                 DictionaryAttr(), OpaqueProperties(nullptr), RegionRange(),
                 results));
    });
  }

  InFlightDiagnostic error() { return emitError(UnknownLoc::get(&context)); }
};

TEST_F(RefusalsTest, AttributesNeedTheirValues) {
  EXPECT_EQ(said([&] {
              return bool(fly::BasisAttr::getChecked([&] { return error(); },
                                                     &context, IntTuple(3)));
            }),
            "expected a basis element, found 3");
}

TEST_F(RefusalsTest, TypesNeedTheirParts) {
  auto report = [&] { return error(); };
  Type element = Float32Type::get(&context);
  fly::IntTupleAttr base = fly::IntTupleAttr::get(&context, IntTuple(0));
  Attribute space =
      fly::AddressSpaceAttr::get(&context, fly::AddressSpace::Global);
  Attribute number = Builder(&context).getI32IntegerAttr(1);
  Attribute layout =
      fly::LayoutAttr::get(&context, Layout{IntTuple(4), IntTuple(1)});
  EXPECT_EQ(said([&] {
              return bool(
                  fly::CopyAtomType::getChecked(report, &context, Type(), 8));
            }),
            "expected a copy op type");
  EXPECT_EQ(said([&] {
              return bool(
                  fly::MmaAtomType::getChecked(report, &context, Type()));
            }),
            "expected an MMA op type");
  EXPECT_EQ(said([&] {
              return bool(fly::CoordTensorType::getChecked(
                  report, &context, fly::IntTupleAttr(), layout));
            }),
            "expected a base");
  EXPECT_EQ(said([&] {
              return bool(fly::CoordTensorType::getChecked(report, &context,
                                                           base, number));
            }),
            "expected a layout or composed layout, found 1 : i32");
  EXPECT_EQ(said([&] {
              return bool(fly::MemRefType::getChecked(
                  report, &context, element, space, number, int64_t(4),
                  ::fly::layout::Swizzle()));
            }),
            "expected a layout or composed layout, found 1 : i32");
  EXPECT_EQ(said([&] {
              return bool(fly::PointerType::getChecked(
                  report, &context, element, Attribute(), int64_t(4),
                  ::fly::layout::Swizzle()));
            }),
            "expected an address space");
  EXPECT_EQ(said([&] {
              return bool(fly::CopyOpUniversalAtomicType::getChecked(
                  report, &context, fly::AtomicOpAttr(), element, StringRef()));
            }),
            "expected an atomic operation");
}

TEST_F(RefusalsTest, InferenceNeedsItsOperands) {
  EXPECT_EQ(inferred("fly.make_tiled_copy", "", 0), "expected three operands");
  EXPECT_EQ(inferred("fly.make_tiled_copy", "i32, i32, i32", 3),
            "expected a layout and a tile");
  EXPECT_EQ(inferred("fly.make_tiled_mma", "i32", 1),
            "expected an atom and a layout");
  EXPECT_EQ(inferred("fly.make_tiled_mma", "i32, i32", 2),
            "expected a layout and a tile");
  EXPECT_EQ(inferred("fly.atom.set_value", "", 0), "expected an atom");
  EXPECT_EQ(inferred("fly.memref.load_vec", "", 0), "expected a tensor");
  EXPECT_EQ(inferred("fly.memref.load_vec", "i32", 1),
            "expected a tensor, found 'i32'");
  EXPECT_EQ(inferred("fly_rocdl.get_buffer_rsrc", "i32, i32", 2),
            "expected one operand, got 2");
}

TEST_F(RefusalsTest, InferenceNeedsItsAttributes) {
  StringRef layout = "!fly.layout<(4,8):(1,4)>";
  EXPECT_EQ(inferred("fly.recast_layout", layout, 1),
            "expected the attributes 'new_type_bits' and 'old_type_bits'");
  EXPECT_EQ(inferred("fly.to_llvm_ptr", "!fly.ptr<f32, global>", 1),
            "expected the attribute 'llvm_address_space'");
  EXPECT_EQ(inferred("fly.get", layout, 1), "expected the attribute 'mode'");
  EXPECT_EQ(inferred("fly.take", layout, 1), "expected the attribute 'begin'");
  EXPECT_EQ(
      inferred("fly.tiled_mma.partition_shape",
               "!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, "
               "f32) -> f32>>, !fly.layout<(1,1,1):(0,1,2)>>, "
               "!fly.int_tuple<(4,4)>",
               2),
      "expected the attribute 'operand_id'");
}

TEST_F(RefusalsTest, EvaluationNeedsATypeForEachResult) {
  EXPECT_EQ(said([&] {
              SmallVector<Type> results;
              return succeeded(fly::inferByEvaluation(
                  &context, UnknownLoc::get(&context), {},
                  [](fly::Evaluator &, ArrayRef<fly::AlgebraVal>,
                     SmallVectorImpl<fly::AlgebraVal> &values) {
                    values.emplace_back();
                  },
                  results));
            }),
            "the result has no type");
}

} // namespace
} // namespace mlir
