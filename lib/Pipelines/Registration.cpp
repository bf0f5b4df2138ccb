// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the registration of everything of this project. Upstream dialects
// are registered by the host; what lowered kernels need in order to be
// translated is registered here as well, because a host that only loads the
// plugin need not have done it. Registering twice is harmless.

#include "fly/Pipelines/Registration.h"

#include "fly/Analysis/Passes.h"
#include "fly/CodeGen/Serializer.h"
#include "fly/Conversion/Passes.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Dialect/FlyROCDL/IR/FlyROCDL.h"
#include "fly/Dialect/FlyROCDL/Transforms/Passes.h"
#include "fly/Pipelines/Lowering.h"
#include "fly/Pipelines/Passes.h"
#include "llvm/Support/CommandLine.h"

void mlir::fly::registerDialects(DialectRegistry &registry) {
  registry.insert<FlyDialect, fly_rocdl::FlyROCDLDialect>();
  registerFlyToROCDLExternalModels(registry);
  registerCodeGenInterfaces(registry);
}

void mlir::fly::registerPasses() {
  registerFlyAnalysisPasses();
  registerFlyTransformsPasses();
  fly_rocdl::registerFlyROCDLTransformsPasses();
  registerFlyConversionPasses();
  registerFlyPipelinesPasses();
  registerLoweringPipeline();
}

void mlir::fly::hideLLVMOptions() {
  for (const auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (name != "help" && name != "help-hidden" && name != "version" &&
        option->getOptionHiddenFlag() == llvm::cl::NotHidden)
      option->setHiddenFlag(llvm::cl::Hidden);
}
