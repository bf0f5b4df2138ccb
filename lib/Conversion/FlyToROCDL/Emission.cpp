// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What emission of all atoms shares; see Emission.h.

#include "Emission.h"

namespace mlir::fly {

FailureOr<Value> guarded(OpBuilder &b, Location loc, Value predicate,
                         Type resultType, Value old,
                         function_ref<FailureOr<Value>(OpBuilder &)> body) {
  if (!predicate)
    return body(b);
  if (!predicate.getType().isInteger(1))
    return emitError(loc) << "expected a predicate of type i1, got "
                          << predicate.getType();
  OpBuilder::InsertionGuard guard(b);
  if (!resultType) {
    auto branch =
        scf::IfOp::create(b, loc, predicate, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
    if (failed(body(b)))
      return failure();
    return Value();
  }
  if (!old)
    return emitError(loc)
           << "a predicated copy with a result needs the value that holds "
              "where the predicate is false";
  if (old.getType() != resultType)
    return emitError(loc) << "expected the old value to have type "
                          << resultType << ", got " << old.getType();
  auto branch = scf::IfOp::create(b, loc, TypeRange{resultType}, predicate,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  FailureOr<Value> value = body(b);
  if (failed(value))
    return failure();
  scf::YieldOp::create(b, loc, *value);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, old);
  return branch.getResult(0);
}

static LogicalResult checkValueBits(Location loc, Type type, int64_t bits,
                                    const Twine &atom, const Twine &what) {
  std::optional<int64_t> have = bitsOfType(type);
  if (have && *have == bits)
    return success();
  return emitError(loc) << atom << " moves " << bits << " bits, but " << what
                        << " has type " << type;
}

FailureOr<Value> sourceValue(OpBuilder &b, Location loc,
                             const CopyOperands &operands, int64_t bits,
                             const Twine &atom) {
  if (MemRefType memory = operands.srcMemRef()) {
    if (failed(checkBits(loc, memory, bits, atom, "the source")))
      return failure();
    return loadTensor(b, loc, memory, operands.src, "the source");
  }
  if (failed(checkValueBits(loc, operands.srcType, bits, atom, "the source")))
    return failure();
  return toStorage(b, loc, operands.src);
}

FailureOr<Value> deliver(OpBuilder &b, Location loc,
                         const CopyOperands &operands, Value value,
                         int64_t bits, const Twine &atom) {
  if (Type type = operands.resultType) {
    if (failed(checkValueBits(loc, type, bits, atom, "the result")))
      return failure();
    FailureOr<Value> typed =
        bitcastTo(b, loc, value, storageType(type), "what is copied");
    return failed(typed) ? typed : fromStorage(b, loc, *typed, type);
  }
  MemRefType memory = operands.dstMemRef();
  if (!memory)
    return emitError(loc) << atom
                          << " needs a memref as destination, or a result";
  if (failed(checkBits(loc, memory, bits, atom, "the destination")) ||
      failed(
          storeTensor(b, loc, memory, operands.dst, value, "the destination")))
    return failure();
  return Value();
}

FailureOr<Value> atomicResult(OpBuilder &b, Location loc,
                              const CopyOperands &operands, Value value) {
  if (!operands.resultType)
    return Value();
  FailureOr<Value> result =
      bitcastTo(b, loc, value, storageType(operands.resultType), "the result");
  return failed(result) ? result
                        : fromStorage(b, loc, *result, operands.resultType);
}

FailureOr<Value> deliverMma(OpBuilder &b, Location loc, Type resultType,
                            Type dType, Value d, Value value) {
  if (d) {
    auto memory = dyn_cast<MemRefType>(dType);
    if (!memory)
      return emitError(loc) << "expected d to be a memref, got " << dType;
    if (failed(storeTensor(b, loc, memory, d, value, "operand d")))
      return failure();
  }
  if (!resultType)
    return Value();
  FailureOr<Value> typed =
      bitcastTo(b, loc, value, storageType(resultType), "the result");
  return failed(typed) ? typed : fromStorage(b, loc, *typed, resultType);
}

Value zeroState(OpBuilder &b, Location loc, Type structType) {
  Value state = LLVM::PoisonOp::create(b, loc, structType);
  int64_t fields = cast<LLVM::LLVMStructType>(structType).getBody().size();
  for (int64_t index = 0; index < fields; ++index)
    state = LLVM::InsertValueOp::create(b, loc, state, constantInt(b, loc, 0),
                                        ArrayRef<int64_t>{index});
  return state;
}

FailureOr<Value> setWord(OpBuilder &b, Location loc, Type type, Value state,
                         StringAttr field, Value value) {
  if (!value.getType().isInteger(32))
    return emitError(loc) << "expected " << field << " to be an i32, got "
                          << value.getType();
  int64_t index = *fly_rocdl::stateFieldIndex(type, field.getValue());
  return Value(LLVM::InsertValueOp::create(b, loc, state, value,
                                           ArrayRef<int64_t>{index}));
}

Operation *createROCDL(OpBuilder &b, Location loc, StringRef name,
                       TypeRange results, ValueRange operands,
                       ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, ("rocdl." + name).str());
  state.addTypes(results);
  state.addOperands(operands);
  state.addAttributes(attributes);
  return b.create(state);
}

void registerFlyToROCDLExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FlyDialect *) {
    attachUniversalModels(context);
  });
  registry.addExtension(
      +[](MLIRContext *context, fly_rocdl::FlyROCDLDialect *) {
        attachBufferModels(context);
        attachLdsModels(context);
        attachTdmModels(context);
        attachMmaModels(context);
      });
}

} // namespace mlir::fly
