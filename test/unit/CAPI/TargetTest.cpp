// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets through the C API: the same attribute as in C++, for each processor
// and spelling; what is wrong is null with a message.

#include "fly-c/Target.h"

#include "fly/Analysis/TargetResolution.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

#include "gtest/gtest.h"

using namespace mlir;
using ::fly::amdgpu::Target;

extern "C" MlirAttribute flyTestTargetInC(MlirContext context,
                                          const char *text);

namespace {

void append(MlirStringRef piece, void *userData) {
  static_cast<std::string *>(userData)->append(piece.data, piece.length);
}

struct TargetInC : ::testing::Test {
  TargetInC() {
    context.loadDialect<mlir::fly::FlyDialect, ROCDL::ROCDLDialect>();
  }
  MlirAttribute parse(const std::string &text) {
    message.clear();
    return mlirFlyTargetAttrParse(wrap(&context), {text.data(), text.size()},
                                  append, &message);
  }

  MLIRContext context;
  std::string message;
};

TEST_F(TargetInC, everyProcessor) {
  for (const ::fly::amdgpu::Chip &chip : ::fly::amdgpu::allChips()) {
    Target target = Target::ofChip(chip);
    MlirAttribute attribute = parse(chip.name.upper());
    ASSERT_TRUE(unwrap(attribute)) << message;
    EXPECT_EQ(unwrap(attribute), mlir::fly::TargetAttr::get(&context, target));
    EXPECT_EQ(unwrap(flyTestTargetInC(wrap(&context), chip.name.data())),
              unwrap(attribute));
    std::string id, full;
    mlirFlyTargetAttrGetID(attribute, append, &id);
    mlirFlyTargetAttrGetFullText(attribute, append, &full);
    EXPECT_EQ(id, target.id());
    EXPECT_EQ(full, target.fullText());
    EXPECT_EQ(unwrap(mlirFlyTargetAttrGetChip(attribute)), chip.name);
    EXPECT_EQ(mlirFlyTargetAttrGetWave(attribute), target.wave);
    EXPECT_FALSE(mlirFlyTargetAttrGetCumode(attribute));
    EXPECT_EQ(mlirFlyTargetAttrGetAbi(attribute), 600u);
    auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(
        unwrap(mlirFlyTargetAttrToROCDL(attribute, 3)));
    ASSERT_TRUE(rocdl);
    EXPECT_EQ(rocdl.getO(), 3);
    EXPECT_EQ(rocdl.getChip(), chip.name);
  }
}

TEST_F(TargetInC, fieldsBesideTheID) {
  MlirAttribute plain = parse("gfx1100");
  MlirAttribute wide =
      mlirFlyTargetAttrWith(plain, 64, true, 500, append, &message);
  ASSERT_TRUE(unwrap(wide)) << message;
  EXPECT_EQ(mlirFlyTargetAttrGetWave(wide), 64u);
  EXPECT_TRUE(mlirFlyTargetAttrGetCumode(wide));
  EXPECT_EQ(mlirFlyTargetAttrGetAbi(wide), 500u);
  EXPECT_EQ(unwrap(mlirFlyTargetAttrWith(wide, 0, false, 0, nullptr, nullptr)),
            unwrap(plain));
}

TEST_F(TargetInC, whatIsWrongIsNullWithAMessage) {
  EXPECT_FALSE(unwrap(parse("gfx940")));
  EXPECT_NE(message.find("[FLY-T002]"), std::string::npos) << message;
  EXPECT_FALSE(unwrap(parse("")));
  MlirAttribute plain = parse("gfx942");
  EXPECT_FALSE(
      unwrap(mlirFlyTargetAttrWith(plain, 32, false, 0, append, &message)));
  EXPECT_NE(message.find("[FLY-T004]"), std::string::npos) << message;
  EXPECT_FALSE(mlirFlyAttributeIsATarget({nullptr}));
  EXPECT_FALSE(mlirFlyAttributeIsATarget(wrap(UnitAttr::get(&context))));
  EXPECT_FALSE(unwrap(flyTestTargetInC(wrap(&context), "nothing")));
}

} // namespace
