// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How atoms become instructions: type interfaces of copy and MMA op types that
// a conversion implements as external models. They are apart from the native
// interfaces so that "is stateful" never depends on what is linked.

#ifndef FLY_DIALECT_FLY_IR_FLYEMISSION_TD
#define FLY_DIALECT_FLY_IR_FLYEMISSION_TD

include "mlir/IR/OpBase.td"

def CopyEmission : TypeInterface<"CopyEmission"> {
  let cppNamespace = "::mlir::fly";
  let description = [{
    Emission of a copy op type. A failure has been reported at the location, or
    means that this form does not exist.
  }];
  let methods = [
    InterfaceMethod<[{
        Memory form. `src` and `dst` are the converted pointers; `predicate` is
        an i1, or null.
      }],
      "::llvm::LogicalResult", "emitCopy",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$location,
           "::mlir::fly::CopyAtomType":$atom, "::mlir::Value":$atomValue,
           "::mlir::fly::MemRefType":$srcType, "::mlir::Value":$src,
           "::mlir::fly::MemRefType":$dstType, "::mlir::Value":$dst,
           "::mlir::Value":$predicate),
      [{}], [{ return ::mlir::failure(); }]>,
    InterfaceMethod<[{
        Register operands are values. `resultType` is null when the destination
        is memory; `srcType` and `dstType` are memref types for memory, else the
        types of values; `old` is what a result is without the predicate.
      }],
      "::mlir::FailureOr<::mlir::Value>", "emitCopySSA",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$location,
           "::mlir::fly::CopyAtomType":$atom, "::mlir::Value":$atomValue,
           "::mlir::Type":$resultType,
           "::mlir::Type":$srcType, "::mlir::Value":$src,
           "::mlir::Type":$dstType, "::mlir::Value":$dst,
           "::mlir::Value":$old, "::mlir::Value":$predicate),
      [{}], [{ return ::mlir::failure(); }]>,
  ];
}

def MmaEmission : TypeInterface<"MmaEmission"> {
  let cppNamespace = "::mlir::fly";
  let description = [{Emission of an MMA op type; failures as CopyEmission's.}];
  let methods = [
    InterfaceMethod<"Memory form: all four are converted pointers.",
      "::llvm::LogicalResult", "emitMma",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$location,
           "::mlir::fly::MmaAtomType":$atom, "::mlir::Value":$atomValue,
           "::mlir::fly::MemRefType":$dType, "::mlir::fly::MemRefType":$aType,
           "::mlir::fly::MemRefType":$bType, "::mlir::fly::MemRefType":$cType,
           "::mlir::Value":$d, "::mlir::Value":$a, "::mlir::Value":$b,
           "::mlir::Value":$c),
      [{}], [{ return ::mlir::failure(); }]>,
    InterfaceMethod<[{
        Value form. `d` is a pointer and `resultType` null, or the result is
        answered and `d` is null.
      }],
      "::mlir::FailureOr<::mlir::Value>", "emitMmaSSA",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$location,
           "::mlir::fly::MmaAtomType":$atom, "::mlir::Value":$atomValue,
           "::mlir::Type":$resultType,
           "::mlir::Value":$d, "::mlir::Type":$dType,
           "::mlir::Value":$a, "::mlir::Type":$aType,
           "::mlir::Value":$b, "::mlir::Type":$bType,
           "::mlir::Value":$c, "::mlir::Type":$cType),
      [{}], [{ return ::mlir::failure(); }]>,
  ];
}

def StateEmission : TypeInterface<"StateEmission"> {
  let cppNamespace = "::mlir::fly";
  let description = [{Emission of an atom's state.}];
  let methods = [
    InterfaceMethod<"The state of a fresh atom; null when there is none.",
      "::mlir::Value", "defaultState",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$location),
      [{}], [{ return ::mlir::Value(); }]>,
    InterfaceMethod<"The state with one field set.",
      "::mlir::FailureOr<::mlir::Value>", "setState",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$location,
           "::mlir::Value":$state, "::mlir::StringAttr":$field,
           "::mlir::Value":$value),
      [{}], [{ return ::mlir::failure(); }]>,
  ];
}

#endif // FLY_DIALECT_FLY_IR_FLYEMISSION_TD
