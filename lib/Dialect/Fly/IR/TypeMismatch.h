// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said when an op is written with another result type than it has.
//
//   'fly.coalesce' op result type: written '!fly.layout<(4,8):(1,5)>', expected
//   '!fly.layout<(4,8):(1,4)>'; stride of mode 1: written 5, expected 4

#ifndef FLY_LIB_DIALECT_FLY_IR_TYPEMISMATCH_H
#define FLY_LIB_DIALECT_FLY_IR_TYPEMISMATCH_H

#include "mlir/IR/Operation.h"

namespace mlir::fly {

/// The first part in which two types of the same kind differ, as "stride of
/// mode 0.1: written 128, expected 256"; empty when nothing smaller than the
/// types themselves can be named.
std::string firstDifference(Type written, Type expected);

/// Reports that the result types of `op` are not those; answers failure.
LogicalResult refuseResultTypes(Operation *op, ArrayRef<Type> expected);

} // namespace mlir::fly

#endif // FLY_LIB_DIALECT_FLY_IR_TYPEMISMATCH_H
