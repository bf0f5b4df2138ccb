// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the dialect, and the interface of those that belong to the algebra.
//
//   if (auto op = dyn_cast<AlgebraOpInterface>(operation))
//     op.evaluate(evaluator, operands, results);

#ifndef FLY_DIALECT_FLY_IR_FLYOPS_H
#define FLY_DIALECT_FLY_IR_FLYOPS_H

#include "fly/Dialect/Fly/IR/Evaluation.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fly/Dialect/Fly/IR/FlyOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "fly/Dialect/Fly/IR/FlyOps.h.inc"

namespace mlir::fly {

/// Whether a value is in normal form (specification 4.17): an int_tuple from
/// make_int_tuple, a layout from make_layout of normal tuples, a composed
/// layout from make_composed_layout of normal parts. Block arguments are not.
bool isNormalForm(Value value);
/// A memref or coord_tensor from make_view with a normal layout.
bool isWeaklyNormalForm(Value value);

/// Whether the op's written result types are not the inferred ones but those
/// that the original inferred where ours differ (specification section 7).
bool reliesOnLegacyType(Operation *op);

} // namespace mlir::fly

#endif // FLY_DIALECT_FLY_IR_FLYOPS_H
