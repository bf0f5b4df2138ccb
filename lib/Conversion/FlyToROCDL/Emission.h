// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What emission of all atoms shares: predicates, states, ROCDL ops by name,
// and the lists of external models that each family exports.
//
//   guarded(b, loc, %p, T, %old, load)
//     -> scf.if %p -> (T) { load; yield } else { yield %old }

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_EMISSION_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_EMISSION_H

#include "Access.h"
#include "Buffer.h"
#include "fly/Dialect/Fly/IR/FlyEmission.h"

namespace mlir::fly {

/// The operands of a copy: memref types with converted pointers, or types of
/// values with the values. The memory form has no result and two memrefs.
struct CopyOperands {
  Type resultType; // null: none
  Type srcType;
  Value src;
  Type dstType; // null: none
  Value dst;

  MemRefType srcMemRef() const {
    return dyn_cast_if_present<MemRefType>(srcType);
  }
  MemRefType dstMemRef() const {
    return dyn_cast_if_present<MemRefType>(dstType);
  }
};

/// Runs `body` where the predicate holds (always, when it is null). With a
/// result type the answer elsewhere is `old`.
FailureOr<Value> guarded(OpBuilder &b, Location loc, Value predicate,
                         Type resultType, Value old,
                         function_ref<FailureOr<Value>(OpBuilder &)> body);

/// The source as a value of storage type: loaded from a memref of exactly
/// `bits` bits, or the value itself. `atom` is for messages.
FailureOr<Value> sourceValue(OpBuilder &b, Location loc,
                             const CopyOperands &operands, int64_t bits,
                             const Twine &atom);

/// Hands the value on: as the result, or to the destination memref.
FailureOr<Value> deliver(OpBuilder &b, Location loc,
                         const CopyOperands &operands, Value value,
                         int64_t bits, const Twine &atom);

/// A struct of i32 with these values.
Value makeState(OpBuilder &b, Location loc, Type structType,
                ArrayRef<int64_t> values);

/// An op of the ROCDL dialect by its name without the dialect's.
Operation *createROCDL(OpBuilder &b, Location loc, StringRef name,
                       TypeRange results, ValueRange operands,
                       ArrayRef<NamedAttribute> attributes = {});

// One function a family; each attaches its models when the dialect is loaded.
void attachUniversalModels(MLIRContext *context);
void attachBufferModels(MLIRContext *context);
void attachLdsModels(MLIRContext *context);
void attachMmaModels(MLIRContext *context);

} // namespace mlir::fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_EMISSION_H
