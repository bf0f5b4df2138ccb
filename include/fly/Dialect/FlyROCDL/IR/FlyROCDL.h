// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `fly_rocdl` dialect in C++: atoms of AMD GPUs as types, the address
// space of buffer descriptors, and the step from builtin types to the element
// names of the instruction tables and back. FlyROCDL.td describes each type.
//
//   auto mfma = cast<MmaOpCDNA3MFMAType>(atom.getMmaOp());
//   mfma.getRow()->op   // "mfma.f32.16x16x16f16"

#ifndef FLY_DIALECT_FLYROCDL_IR_FLYROCDL_H
#define FLY_DIALECT_FLYROCDL_IR_FLYROCDL_H

#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Target/AMDGPU/CopyRows.h"
#include "fly/Target/AMDGPU/MmaRows.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fly/Dialect/FlyROCDL/IR/FlyROCDLAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fly/Dialect/FlyROCDL/IR/FlyROCDLTypes.h.inc"

#define GET_OP_CLASSES
#include "fly/Dialect/FlyROCDL/IR/FlyROCDLOps.h.inc"

namespace mlir::fly_rocdl {

/// The name that the instruction tables have for a builtin type (the sign of
/// an integer is not looked at); nothing for types that no instruction has.
std::optional<::fly::amdgpu::Element> elementOf(Type type);

/// A scalar or vector type for registers.
Type registerType(MLIRContext *context, ::fly::amdgpu::RegisterType type);

/// The field numbers of a state struct, in the order of `getStateFields`:
/// nothing when the type has no such field.
std::optional<int64_t> stateFieldIndex(Type statefulType, StringRef field);

/// Why the processor does not have the instruction that `opType` (a copy or
/// MMA op type) stands for, naming both; empty when it has it, and for types
/// of other dialects.
std::string whyNotOn(Type opType, const ::fly::amdgpu::Chip &chip);

} // namespace mlir::fly_rocdl

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDL_H
