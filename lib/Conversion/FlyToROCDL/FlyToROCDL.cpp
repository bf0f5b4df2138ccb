// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass convert-fly-to-rocdl: reads its option, runs the walk (Lowering.h).
// The law: afterwards no op of the dialects is left that something uses, and
// each access loads or stores exactly the elements that its layout names.
//
//   fly.ptr.load(%p) : (!fly.ptr<f16, global, align<16>>) -> vector<8xf16>
//     ->  llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>

#include "Lowering.h"

#include "fly/Support/Errors.h"

namespace mlir::fly {
#define GEN_PASS_DEF_CONVERTFLYTOROCDL
#include "fly/Conversion/Passes.h.inc"

namespace {
struct FlyToROCDL : impl::ConvertFlyToROCDLBase<FlyToROCDL> {
  using ConvertFlyToROCDLBase::ConvertFlyToROCDLBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertFlyToROCDLBase::getDependentDialects(registry);
    registerFlyToROCDLExternalModels(registry);
  }

  void runOnOperation() override {
    const ::fly::amdgpu::Chip *processor = nullptr;
    if (!chip.empty()) {
      processor = ::fly::amdgpu::findChipOrAlias(chip);
      if (!processor) {
        InFlightDiagnostic error =
            emitError(getOperation()->getLoc(), "unknown chip ");
        error << ::fly::support::quoted(chip);
        std::string sep = "; did you mean ";
        for (const std::string &name : ::fly::amdgpu::nearestChipNames(chip)) {
          error << sep << name;
          sep = ", ";
        }
        return signalPassFailure();
      }
    }
    if (failed(Lowering(getOperation(), processor).run()))
      signalPassFailure();
  }
};
} // namespace

} // namespace mlir::fly
