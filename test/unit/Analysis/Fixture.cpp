// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The context of the tests; here, so that one file alone reads the dialects'
// headers.

#include "Fixture.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::fly::test;

Fixture::Fixture()
    : handler(&context, [this](Diagnostic &diagnostic) {
        messages += diagnostic.str() + "\n";
        for (Diagnostic &note : diagnostic.getNotes())
          messages += "note: " + note.str() + "\n";
      }) {
  context.disableMultithreading();
  DialectRegistry registry;
  registry
      .insert<FlyDialect, arith::ArithDialect, DLTIDialect, func::FuncDialect,
              gpu::GPUDialect, LLVM::LLVMDialect, math::MathDialect,
              memref::MemRefDialect, ROCDL::ROCDLDialect, scf::SCFDialect>();
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}
