// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission interfaces of copy and MMA op types. A conversion implements them as
// external models:
//
//   struct Model : CopyEmission::ExternalModel<Model, CopyOpUniversalCopyType>
//   {
//     LogicalResult emitCopy(Type type, OpBuilder &builder, ...) const;
//   };

#ifndef FLY_DIALECT_FLY_IR_FLYEMISSION_H
#define FLY_DIALECT_FLY_IR_FLYEMISSION_H

#include "fly/Dialect/Fly/IR/FlyTypes.h"
#include "mlir/IR/Builders.h"

#include "fly/Dialect/Fly/IR/FlyEmission.h.inc"

#endif // FLY_DIALECT_FLY_IR_FLYEMISSION_H
