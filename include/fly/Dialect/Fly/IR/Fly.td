// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of the dialect, for TableGen.

#ifndef FLY_DIALECT_FLY_IR_FLY_TD
#define FLY_DIALECT_FLY_IR_FLY_TD

include "fly/Dialect/Fly/IR/FlyAlgebraOps.td"
include "fly/Dialect/Fly/IR/FlyArithmeticOps.td"
include "fly/Dialect/Fly/IR/FlyAtomOps.td"
include "fly/Dialect/Fly/IR/FlyConstructorOps.td"
include "fly/Dialect/Fly/IR/FlyExtractorOps.td"
include "fly/Dialect/Fly/IR/FlyMemoryOps.td"
include "fly/Dialect/Fly/IR/FlyQueryOps.td"
include "fly/Dialect/Fly/IR/FlyStructureOps.td"
include "fly/Dialect/Fly/IR/FlyTarget.td"
include "fly/Dialect/Fly/IR/FlyUtilityOps.td"

#endif // FLY_DIALECT_FLY_IR_FLY_TD
