// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-attach-cache-key: keys become the attribute `fly.cache_key`.

#include "fly/Analysis/CacheKey.h"
#include "fly/Analysis/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYATTACHCACHEKEY
#include "fly/Analysis/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;

namespace {
struct AttachCacheKey : mlir::fly::impl::FlyAttachCacheKeyBase<AttachCacheKey> {
  void runOnOperation() override;
};
} // namespace

void AttachCacheKey::runOnOperation() {
  KeyEnvironment environment;
  FailureOr<std::vector<CompileUnit>> units =
      compileUnits(getOperation(), compileOptions(), environment.environment());
  if (failed(units))
    return signalPassFailure();
  Builder b(&getContext());
  llvm::MapVector<Operation *, SmallVector<Attribute>> keys;
  for (CompileUnit &unit : *units) {
    FailureOr<CacheKey> key =
        deriveKey(getChildAnalysis<CacheKeyAnalysis>(unit.module), unit.target,
                  unit.options, environment);
    if (failed(key))
      return signalPassFailure();
    keys[unit.module].push_back(b.getStringAttr(key->text()));
  }
  for (auto &[op, texts] : keys)
    op->setDiscardableAttr(
        keyAttrName, texts.size() == 1 ? texts.front() : b.getArrayAttr(texts));
  // The attribute does not enter the canonical module.
  markAnalysesPreserved<CacheKeyAnalysis, TargetAnalysis>();
}
