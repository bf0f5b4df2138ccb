// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions out of the Fly dialects; Passes.td describes each of them.

#ifndef FLY_CONVERSION_PASSES_H
#define FLY_CONVERSION_PASSES_H

#include "fly/Dialect/FlyROCDL/IR/FlyROCDL.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fly {

#define GEN_PASS_DECL
#include "fly/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fly/Conversion/Passes.h.inc"

/// Attaches the emission of every atom type of `fly` and `fly_rocdl`
/// (CopyEmission, MmaEmission, StateEmission) as external models.
void registerFlyToROCDLExternalModels(DialectRegistry &registry);

} // namespace mlir::fly

#endif // FLY_CONVERSION_PASSES_H
