// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the dialect.

#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/InferenceMemo.h"
#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::fly;

#include "fly/Dialect/Fly/IR/FlyDialect.cpp.inc"

void FlyDialect::initialize() {
  memo = std::make_unique<InferenceMemo>();
  registerAttributes();
  registerTypes();
  registerOps();
  declarePromisedInterface<gpu::OffloadingLLVMTranslationAttrInterface,
                           ExplicitModuleAttr>();
}
