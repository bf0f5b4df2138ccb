// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The canonical text of a unit: kept beside its entry on request, and compared
// with that of the nearest entry when a miss is explained.

#include "Steps.h"

#include "fly/Store/Text.h"

using namespace mlir;
using namespace mlir::fly;

/// The text that `fly-print-canonical` prints for `unit`, or empty.
static std::string canonicalText(const DriverUnit &unit) {
  FailureOr<CanonicalPlan> plan =
      CanonicalPlan::of(unit.unit.module, PlanOptions::of(unit.unit.options));
  if (failed(plan))
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  plan->print(os);
  return text;
}

void mlir::fly::keepIR(const DriverRun &run, const DriverUnit &unit,
                       const CacheKey &key) {
  const ::fly::store::Store *store = run.layers->writable();
  std::optional<::fly::support::Digest> ir = ::fly::store::irDigestOf(key);
  if (!run.request.keepIR || !store || !ir)
    return;
  if (llvm::Error error =
          ::fly::store::keepText(*store, *ir, canonicalText(unit)))
    run.messages << "warning: the text of " << unit.name
                 << " is not kept: " << llvm::toString(std::move(error))
                 << "\n";
}

std::optional<std::string>
mlir::fly::textUnder(const DriverRun &run, const DriverUnit &unit,
                     const CacheKey &key, const ::fly::support::Digest &ir) {
  if (ir != ::fly::store::irDigestOf(key))
    return ::fly::store::keptText(run.layers->pointers(), ir);
  std::string text = canonicalText(unit);
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}
