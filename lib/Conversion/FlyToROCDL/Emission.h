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

/// What a call of an atomic answers: the value that it was given; what memory
/// held is dropped. Null without a result.
FailureOr<Value> atomicResult(OpBuilder &b, Location loc,
                              const CopyOperands &operands, Value value);

/// Stores what a matrix op computed to `d` (null: nowhere), and answers it as a
/// value of `resultType` (null: no result).
FailureOr<Value> deliverMma(OpBuilder &b, Location loc, Type resultType,
                            Type dType, Value d, Value value);

/// A state of i32 words, all zero.
Value zeroState(OpBuilder &b, Location loc, Type structType);
/// `state` of an atom of `type` with word `field` set; a diagnostic unless
/// `value` is an i32.
FailureOr<Value> setWord(OpBuilder &b, Location loc, Type type, Value state,
                         StringAttr field, Value value);

/// An op of the ROCDL dialect by its name without the dialect's.
Operation *createROCDL(OpBuilder &b, Location loc, StringRef name,
                       TypeRange results, ValueRange operands,
                       ArrayRef<NamedAttribute> attributes = {});

/// The model of a copy op: `emit` copies once, where the predicate holds.
template <typename CopyOp,
          FailureOr<Value> (*emit)(OpBuilder &b, Location loc, CopyOp op,
                                   Value state, const CopyOperands &operands)>
struct CopyModel
    : CopyEmission::ExternalModel<CopyModel<CopyOp, emit>, CopyOp> {
  LogicalResult emitCopy(Type type, OpBuilder &b, Location loc,
                         CopyAtomType atom, Value state, MemRefType srcType,
                         Value src, MemRefType dstType, Value dst,
                         Value predicate) const {
    return emitCopySSA(type, b, loc, atom, state, Type(), srcType, src, dstType,
                       dst, Value(), predicate);
  }
  FailureOr<Value> emitCopySSA(Type type, OpBuilder &b, Location loc,
                               CopyAtomType, Value state, Type resultType,
                               Type srcType, Value src, Type dstType, Value dst,
                               Value old, Value predicate) const {
    CopyOperands operands{resultType, srcType, src, dstType, dst};
    return guarded(b, loc, predicate, resultType, old, [&](OpBuilder &inner) {
      return emit(inner, loc, cast<CopyOp>(type), state, operands);
    });
  }
};

/// The state of a copy op: words of 32 bits that are zero until they are set.
template <typename CopyOp>
struct WordState : StateEmission::ExternalModel<WordState<CopyOp>, CopyOp> {
  Value defaultState(Type type, OpBuilder &b, Location loc) const {
    return zeroState(b, loc, cast<CopyOp>(type).getStateType());
  }
  FailureOr<Value> setState(Type type, OpBuilder &b, Location loc, Value state,
                            StringAttr field, Value value) const {
    return setWord(b, loc, type, state, field, value);
  }
};

// One function a family; each attaches its models when the dialect is loaded.
void attachUniversalModels(MLIRContext *context);
void attachBufferModels(MLIRContext *context);
void attachLdsModels(MLIRContext *context);
void attachTdmModels(MLIRContext *context);
void attachMmaModels(MLIRContext *context);

} // namespace mlir::fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_EMISSION_H
