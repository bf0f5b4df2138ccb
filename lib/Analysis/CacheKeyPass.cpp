// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-cache-key: prints keys and changes nothing.

#include "fly/Analysis/CacheKey.h"
#include "fly/Analysis/Passes.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYCACHEKEY
#include "fly/Analysis/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;

namespace {
struct CacheKeyPass : mlir::fly::impl::FlyCacheKeyBase<CacheKeyPass> {
  using FlyCacheKeyBase::FlyCacheKeyBase;
  void runOnOperation() override;

private:
  void print(const CompileUnit &unit, const CacheKey &key);
};
} // namespace

void CacheKeyPass::print(const CompileUnit &unit, const CacheKey &key) {
  llvm::raw_ostream &os = llvm::outs();
  gpu::GPUModuleOp module = unit.module;
  if (format == KeyFormat::Json) {
    llvm::json::Object object = key.json();
    object["module"] = llvm::json::fixUTF8(module.getName());
    object["target"] = unit.target.text();
    os << llvm::json::Value(std::move(object)) << '\n';
    return;
  }
  os << unitTitle(unit) << ' ' << key.text() << '\n';
  if (format == KeyFormat::Components)
    for (const KeyComponent &component : key.components)
      os << "  " << component.name << ' ' << component.digest().hex() << '\n';
  if (format == KeyFormat::Explain) {
    SmallVector<StringRef> lines;
    std::string text = key.explain();
    StringRef(text).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      os << "  " << line << '\n';
  }
}

void CacheKeyPass::runOnOperation() {
  KeyEnvironment environment;
  FailureOr<std::vector<CompileUnit>> units =
      compileUnits(getOperation(), compileOptions(), environment.environment());
  if (failed(units))
    return signalPassFailure();
  for (CompileUnit &unit : *units) {
    FailureOr<CacheKey> key =
        deriveKey(getChildAnalysis<CacheKeyAnalysis>(unit.module), unit.target,
                  unit.options, environment);
    if (failed(key))
      return signalPassFailure();
    print(unit, *key);
  }
  llvm::outs().flush();
  markAllAnalysesPreserved();
}
