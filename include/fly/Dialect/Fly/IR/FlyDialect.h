// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect class, with its attributes and types. Ops: FlyOps.h.
//
//   registry.insert<mlir::fly::FlyDialect>();

#ifndef FLY_DIALECT_FLY_IR_FLYDIALECT_H
#define FLY_DIALECT_FLY_IR_FLYDIALECT_H

#include "fly/Dialect/Fly/IR/FlyAttributes.h"
#include "fly/Dialect/Fly/IR/FlyTypes.h"
#include "mlir/IR/Dialect.h"

namespace mlir::fly {
class InferenceMemo;
} // namespace mlir::fly

#include "fly/Dialect/Fly/IR/FlyDialect.h.inc"

#endif // FLY_DIALECT_FLY_IR_FLYDIALECT_H
