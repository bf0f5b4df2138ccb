// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-print-canonical: prints what is hashed and compiled.

#include "fly/Analysis/CacheKey.h"
#include "fly/Analysis/Passes.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYPRINTCANONICAL
#include "fly/Analysis/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;

namespace {
struct PrintCanonical : mlir::fly::impl::FlyPrintCanonicalBase<PrintCanonical> {
  void runOnOperation() override;
};
} // namespace

void PrintCanonical::runOnOperation() {
  FailureOr<std::vector<CompileUnit>> units = compileUnits(
      getOperation(), compileOptions(), ::fly::support::Environment::capture());
  if (failed(units))
    return signalPassFailure();
  for (CompileUnit &unit : *units) {
    auto &analysis = getChildAnalysis<CacheKeyAnalysis>(unit.module);
    PlanOptions options = PlanOptions::of(unit.options);
    FailureOr<CanonicalPlan> plan = analysis.plan(options);
    FailureOr<::fly::support::Digest> digest = analysis.irDigest(options);
    if (failed(plan) || failed(digest))
      return signalPassFailure();
    llvm::outs() << "// " << unitTitle(unit) << ' ' << digest->hex() << '\n';
    plan->print(llvm::outs());
  }
  llvm::outs().flush();
  markAllAnalysesPreserved();
}
