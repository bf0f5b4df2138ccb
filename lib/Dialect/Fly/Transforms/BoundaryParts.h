// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a value of the algebra crosses a boundary, and back.
//
// Its parts are what it carries at run time, in depth-first order:
//
//   static                 nothing
//   int_tuple              its dynamic leaves, i32 or i64
//   layout                 those of the shape, then of the stride
//   composed_layout        those of outer, offset, inner
//   coord_tensor           those of base, layout
//   memref                 the pointer, then those of the layout
//   anything else          itself (not apart)
//
// Control flow inside a function passes the parts as they are. Functions,
// calls and launches pass the leaves of one value as one packed struct, nested
// as the value is, which is the calling convention of kernels:
//
//   !fly.memref<f32, global, (?,8):(8,1)>
//     parts:  !fly.ptr<f32, global>, i32
//     struct: !fly.ptr<f32, global>,
//             !llvm.struct<packed (struct<packed (i32)>)>
//
// Law: putTogether(takeApart(x)) is x, and the other way round.

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_BOUNDARYPARTS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_BOUNDARYPARTS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

namespace mlir::fly {

enum class Boundary {
  Scalars, // scf, branches, selects
  Structs, // functions, calls, returns, launches
};

/// The type is represented by parts at a boundary.
bool isTakenApart(Type type);

/// What stands for a value of `type` at the boundary; `type` itself when it is
/// not taken apart.
void appendBoundaryTypes(Type type, Boundary boundary,
                         SmallVectorImpl<Type> &types);

/// The parts of `value`. Constructors in sight give theirs without an op.
void takeApart(OpBuilder &builder, Location loc, Value value, Boundary boundary,
               SmallVectorImpl<Value> &parts);

/// A value of `type` in normal form from what appendBoundaryTypes lists. Null
/// when the type is static but cannot be rebuilt.
Value putTogether(OpBuilder &builder, Location loc, Type type,
                  Boundary boundary, ValueRange parts);

} // namespace mlir::fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_BOUNDARYPARTS_H
