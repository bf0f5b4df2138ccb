// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of the dialect. Each holds one value of the layout library, which
// `getValue()` gives; what a layout or a chain consists of is also there as
// attributes.
//
//   LayoutAttr::get(context, layout).getValue() == layout

#ifndef FLY_DIALECT_FLY_IR_FLYATTRIBUTES_H
#define FLY_DIALECT_FLY_IR_FLYATTRIBUTES_H

#include "fly/Dialect/Fly/IR/FlyInterfaces.h"
#include "fly/Dialect/Fly/IR/FlyTarget.h"
#include "fly/Dialect/Fly/IR/LayoutHashing.h"

#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"

#define GET_ATTRDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyAttributes.h.inc"

namespace mlir::fly {

/// LayoutAttr of a plain layout, ComposedLayoutAttr of a composed one.
Attribute layoutToAttr(MLIRContext *context,
                       const ::fly::layout::AnyLayout &layout);
/// The inverse; `attribute` is a LayoutAttr or ComposedLayoutAttr.
::fly::layout::AnyLayout attrToLayout(Attribute attribute);
/// Empty when the layout is well formed (shapes and strides congruent, swizzles
/// in range), else what is wrong.
std::string checkLayout(const ::fly::layout::AnyLayout &layout);
/// SwizzleAttr, CoordSwizzleAttr, LayoutAttr or ComposedLayoutAttr.
Attribute innerToAttr(MLIRContext *context,
                      const ::fly::layout::InnerMap &inner);

/// True for the fly enum attribute of this value; false for null.
bool isAddressSpace(Attribute attribute, AddressSpace space);

/// `MxNxK`: three static positive numbers in the builtin dimension-list syntax.
ParseResult parseMNK(AsmParser &parser, SmallVectorImpl<int64_t> &mnk);
void printMNK(AsmPrinter &printer, ArrayRef<int64_t> mnk);

/// The dialect's enum as the layout library's.
::fly::layout::MmaOperand toLayoutOperand(MmaOperand operand);

} // namespace mlir::fly

#endif // FLY_DIALECT_FLY_IR_FLYATTRIBUTES_H
