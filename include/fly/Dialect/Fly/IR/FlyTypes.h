// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the dialect. Types that wrap an attribute give the layout library's
// value by name: getTuple, getLayout, getSwizzle, getTile.
//
//   cast<LayoutType>(value.getType()).getLayout().shape

#ifndef FLY_DIALECT_FLY_IR_FLYTYPES_H
#define FLY_DIALECT_FLY_IR_FLYTYPES_H

#include "fly/Dialect/Fly/IR/FlyAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::fly {

/// Bits of an element type: integers and floats have them, and only those of a
/// width that whole bytes hold or that divides a byte; nullopt otherwise.
std::optional<unsigned> elementBits(Type type);
/// Bytes that one element takes, at least 1; 1 for a type that is no element.
int64_t trivialAlignment(Type elementType);
/// Bytes of `count` elements as an alignment (specification 1.10); a count
/// below 1 counts as 1.
int64_t alignmentOfElements(Type elementType, int64_t count);

} // namespace mlir::fly

#define GET_TYPEDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyTypes.h.inc"

namespace mlir::fly {

/// LayoutType of a plain layout, ComposedLayoutType of a composed one.
Type layoutToType(MLIRContext *context, const ::fly::layout::AnyLayout &layout);
/// The type of what a composed layout applies last.
Type innerToType(MLIRContext *context, const ::fly::layout::InnerMap &inner);

/// The SSA type of a register memref (specification 5.6): the element type when
/// the cosize is 1, else a vector of cosize elements; floats below 16 bits as
/// integers of their width with `llvmCompatible`. Null when the memref is not
/// in registers or has no static cosize.
Type registerValueType(MemRefType type, bool llvmCompatible = false);

} // namespace mlir::fly

#endif // FLY_DIALECT_FLY_IR_FLYTYPES_H
