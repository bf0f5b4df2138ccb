// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces of the dialect: what an algebra op means, which attributes and
// types are nested or may be static, and what atoms answer.
//
// The layouts and names of an atom are native to its type. How it becomes
// instructions is not: see FlyEmission.td.

#ifndef FLY_DIALECT_FLY_IR_FLYINTERFACES_TD
#define FLY_DIALECT_FLY_IR_FLYINTERFACES_TD

include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

def AlgebraOpInterface : OpInterface<"AlgebraOpInterface"> {
  let cppNamespace = "::mlir::fly";
  let description = [{
    An op whose results are the layout algebra's answer on its operands. Result
    type inference, folding and lowering are three drivers of `evaluate`.
  }];
  let methods = [
    InterfaceMethod<[{
        Appends one value per result. `operands` stand for the op's operands, in
        order. A failed precondition is recorded in the evaluator's arithmetic;
        what is appended then has no meaning.
      }],
      "void", "evaluate",
      (ins "::mlir::fly::Evaluator &":$evaluator,
           "::llvm::ArrayRef<::mlir::fly::AlgebraVal>":$operands,
           "::llvm::SmallVectorImpl<::mlir::fly::AlgebraVal> &":$results)>,
  ];
}

/// Verifies the result types as InferTypeOpInterface does, and before it, so
/// that a wrong type is one error: what is wrong, without a second line that
/// says that something is.
def VerifiesTypesOnce : NativeOpTrait<"VerifiesTypesOnce"> {
  let cppNamespace = "::mlir::fly";
}

//===----------------------------------------------------------------------===//
// Nested and static
//===----------------------------------------------------------------------===//

def NestedAttrInterface : AttrInterface<"NestedAttrInterface"> {
  let cppNamespace = "::mlir::fly";
  let description = [{
    An attribute with a tree shape: the tuple itself, the shape of a layout, the
    shape of the linear layout of a composed one.
  }];
  let methods = [
    InterfaceMethod<"The tuple whose tree this attribute has.",
      "::fly::layout::IntTuple", "getProfile">,
  ];
  let extraSharedClassDeclaration = [{
    bool isLeaf() { return $_attr.getProfile().isLeaf(); }
    /// 1 for a leaf.
    int64_t rank() { return $_attr.getProfile().rank(); }
    /// 0 for a leaf.
    int64_t depth() { return $_attr.getProfile().depth(); }
    /// Of the mode at `path`; nullopt when there is no such mode.
    std::optional<int64_t> rank(::llvm::ArrayRef<int32_t> path) {
      return ::mlir::fly::detail::rankAt($_attr.getProfile(), path);
    }
    std::optional<int64_t> depth(::llvm::ArrayRef<int32_t> path) {
      return ::mlir::fly::detail::depthAt($_attr.getProfile(), path);
    }
  }];
}

def NestedTypeInterface : TypeInterface<"NestedTypeInterface"> {
  let cppNamespace = "::mlir::fly";
  let description = [{As NestedAttrInterface, for types.}];
  let methods = [
    InterfaceMethod<"The tuple whose tree this type has.",
      "::fly::layout::IntTuple", "getProfile">,
  ];
  let extraSharedClassDeclaration = [{
    bool isLeaf() { return $_type.getProfile().isLeaf(); }
    int64_t rank() { return $_type.getProfile().rank(); }
    int64_t depth() { return $_type.getProfile().depth(); }
    std::optional<int64_t> rank(::llvm::ArrayRef<int32_t> path) {
      return ::mlir::fly::detail::rankAt($_type.getProfile(), path);
    }
    std::optional<int64_t> depth(::llvm::ArrayRef<int32_t> path) {
      return ::mlir::fly::detail::depthAt($_type.getProfile(), path);
    }
  }];
}

def MayStaticAttrInterface : AttrInterface<"MayStaticAttrInterface"> {
  let cppNamespace = "::mlir::fly";
  let description = [{An attribute that may have dynamic leaves.}];
  let methods = [
    InterfaceMethod<"No dynamic leaf inside.", "bool", "isStatic">,
  ];
}

def MayStaticTypeInterface : TypeInterface<"MayStaticTypeInterface"> {
  let cppNamespace = "::mlir::fly";
  let description = [{
    A type whose values carry nothing at run time when it has no dynamic leaf.
  }];
  let methods = [
    InterfaceMethod<"A value carries no run-time information.",
      "bool", "isStatic">,
    InterfaceMethod<[{
        Makes a value of this static type from nothing, in normal form
        (specification 4.17, 5.2). Answers null when `current` (which may be
        null) is in normal form already, or when there is nothing to rebuild.
      }],
      "::mlir::Value", "rebuildStatic",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$location,
           "::mlir::Value":$current)>,
  ];
}

//===----------------------------------------------------------------------===//
// Atoms: what they are
//===----------------------------------------------------------------------===//

def CopyOpTypeInterface : TypeInterface<"CopyOpTypeInterface"> {
  let cppNamespace = "::mlir::fly";
  let description = [{
    What one copy instruction moves. Layouts map (thread, bit) to a bit index;
    one thread that moves n bits has `(1,n):(1,1)`.
  }];
  let methods = [
    InterfaceMethod<"The threads that take part: `1:1` for one thread.",
      "::fly::layout::Layout", "getThreadLayout">,
    InterfaceMethod<"(thread, bit) to bit index of the source, the destination"
      " or the reference.",
      "::fly::layout::Layout", "getThreadBitLayout",
      (ins "::mlir::fly::CopyRole":$role)>,
  ];
}

def MmaOpTypeInterface : TypeInterface<"MmaOpTypeInterface"> {
  let cppNamespace = "::mlir::fly";
  let description = [{
    What one matrix instruction computes, D = A * B + C.
  }];
  let methods = [
    InterfaceMethod<"(M,N,K), the threads, and (thread, value) over (M,K),"
      " (N,K) and (M,N), column major.",
      "::fly::layout::MmaAtomLayouts", "getAtomLayouts">,
    InterfaceMethod<"The element type of an operand.",
      "::mlir::Type", "getValueType",
      (ins "::mlir::fly::MmaOperand":$operand)>,
  ];
}

def StatefulOpTypeInterface : TypeInterface<"StatefulOpTypeInterface"> {
  let cppNamespace = "::mlir::fly";
  let description = [{
    A copy or MMA op type whose atoms carry run-time state, such as an offset
    or a scale. Atoms of such a type are not static.
  }];
  let methods = [
    InterfaceMethod<"The LLVM type of the state.", "::mlir::Type",
      "getStateType">,
    InterfaceMethod<"The fields that atom.set_value may set.",
      "::llvm::SmallVector<::llvm::StringRef>", "getStateFields">,
  ];
}

/// On a copy op type: one call of it moves a whole tile of any rank.
def WholeTile : NativeTypeTrait<"WholeTile"> {
  let cppNamespace = "::mlir::fly";
}

#endif // FLY_DIALECT_FLY_IR_FLYINTERFACES_TD
