// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The small passes on device code; Passes.td describes each of them.

#ifndef FLY_DIALECT_FLYROCDL_TRANSFORMS_PASSES_H
#define FLY_DIALECT_FLYROCDL_TRANSFORMS_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fly_rocdl {

#define GEN_PASS_DECL
#include "fly/Dialect/FlyROCDL/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fly/Dialect/FlyROCDL/Transforms/Passes.h.inc"

} // namespace mlir::fly_rocdl

#endif // FLY_DIALECT_FLYROCDL_TRANSFORMS_PASSES_H
