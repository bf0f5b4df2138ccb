// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of this folder share: a context with the dialects of kernels,
// parsing, and catching of diagnostics.
//
//   Fixture f;
//   OwningOpRef<ModuleOp> module = f.parse("gpu.module @m {}");

#ifndef FLY_TEST_UNIT_ANALYSIS_FIXTURE_H
#define FLY_TEST_UNIT_ANALYSIS_FIXTURE_H

#include "fly/Analysis/CacheKey.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <string>

namespace mlir::fly::test {

struct Fixture {
  Fixture();

  OwningOpRef<ModuleOp> parse(StringRef text) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(&context), "input.mlir");
    EXPECT_TRUE(module) << messages << text.substr(0, 2000).str();
    return module;
  }

  /// The first gpu.module of `module`.
  gpu::GPUModuleOp gpuModule(const OwningOpRef<ModuleOp> &module) {
    return gpuModulesOf(*module).front();
  }

  /// Digest of the first gpu.module in `text` in hexadecimal, or "failed".
  std::string digest(StringRef text, const PlanOptions &options = {}) {
    OwningOpRef<ModuleOp> module = parse(text);
    return module ? digest(gpuModule(module), options) : "not parsed";
  }
  std::string digest(gpu::GPUModuleOp module, const PlanOptions &options = {}) {
    FailureOr<CanonicalPlan> plan = CanonicalPlan::of(module, options);
    if (failed(plan))
      return "failed";
    FailureOr<::fly::support::Digest> digest = plan->digest();
    return failed(digest) ? "failed" : digest->hex();
  }

  MLIRContext context;
  /// All diagnostics so far, one a line.
  std::string messages;
  ScopedDiagnosticHandler handler;
};

inline std::string textOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().enableDebugInfo());
  return text;
}

/// The target of a text that is known to be right.
inline ::fly::amdgpu::Target target(StringRef text) {
  return llvm::cantFail(::fly::amdgpu::parseTargetID(text));
}

} // namespace mlir::fly::test

#endif // FLY_TEST_UNIT_ANALYSIS_FIXTURE_H
