// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes from Fly IR with layouts to Fly IR with pointers and integers;
// Passes.td describes each of them.

#ifndef FLY_DIALECT_FLY_TRANSFORMS_PASSES_H
#define FLY_DIALECT_FLY_TRANSFORMS_PASSES_H

#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::fly {

/// What a report of fly-check-strict is; an error makes the pass fail.
enum class StrictSeverity { Error, Warning, Remark };

#define GEN_PASS_DECL
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"

} // namespace mlir::fly

#endif // FLY_DIALECT_FLY_TRANSFORMS_PASSES_H
