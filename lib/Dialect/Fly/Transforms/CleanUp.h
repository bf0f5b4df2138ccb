// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a pass does to its own leavings: of equal ops without effects and
// regions, the first in sight stays, and unused ones go. Unlike the stock
// `cse`, ops with regions are not compared with each other: a thousand
// `scf.if` on one condition hash alike and would be compared a million times.
//
//   %a = ub.poison : vector<4xf32>      %a = ub.poison : vector<4xf32>
//   %b = ub.poison : vector<4xf32>      (uses of %b use %a)

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_CLEANUP_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_CLEANUP_H

#include "mlir/IR/Operation.h"

namespace mlir::fly {

/// Cleans up everything inside `op`, in time linear in its ops.
void cleanUp(Operation *op);

} // namespace mlir::fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_CLEANUP_H
