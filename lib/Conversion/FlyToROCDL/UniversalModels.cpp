// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of the atoms of every target: universal_copy, universal_atomic,
// universal_fma.
//
//   universal_copy<128>, 8 x f16, align<4>  ->  llvm.load, alignment 4
//   universal_fma f32                       ->  llvm.intr.fma

#include "Emission.h"

namespace mlir::fly {

//===----------------------------------------------------------------------===//
// universal_copy
//===----------------------------------------------------------------------===//

/// Memory to memory, more than registers should hold at once: in chunks of at
/// most 16 bytes.
static LogicalResult copyInChunks(OpBuilder &b, Location loc,
                                  const CopyOperands &operands, int64_t bits,
                                  const Twine &atom) {
  MemRefType src = operands.srcMemRef(), dst = operands.dstMemRef();
  if (failed(checkBits(loc, src, bits, atom, "the source")) ||
      failed(checkBits(loc, dst, bits, atom, "the destination")))
    return failure();
  FailureOr<SmallVector<Piece>> from = contiguousPieces(loc, src, "the source");
  FailureOr<SmallVector<Piece>> to =
      contiguousPieces(loc, dst, "the destination");
  if (failed(from) || failed(to))
    return failure();
  Type element = storageType(src.getElemTy());
  int64_t chunk = std::max<int64_t>(1, 128 / *bitsOfType(element));
  size_t i = 0, j = 0;
  int64_t at = 0;
  while (i < from->size() && j < to->size()) {
    const Piece &a = (*from)[i], &c = (*to)[j];
    int64_t end = std::min(a.first + a.count, c.first + c.count);
    int64_t count = std::min(chunk, end - at);
    FailureOr<Value> value =
        loadPieces(b, loc, src.getPointerType(), operands.src, element, count,
                   Piece{0, count, a.offset + at - a.first});
    if (failed(value) ||
        failed(storePieces(b, loc, dst.getPointerType(), operands.dst, *value,
                           Piece{0, count, c.offset + at - c.first})))
      return failure();
    at += count;
    i += at == a.first + a.count;
    j += at == c.first + c.count;
  }
  return success();
}

static FailureOr<Value> copyUniversal(OpBuilder &b, Location loc,
                                      CopyOpUniversalCopyType op, Value,
                                      const CopyOperands &operands) {
  int64_t bits = op.getBitSize();
  std::string atom = "universal_copy<" + std::to_string(bits) + ">";
  MemRefType src = operands.srcMemRef(), dst = operands.dstMemRef();
  if (!operands.resultType && src && dst && bits > 256 &&
      src.getElemTy() == dst.getElemTy()) {
    if (failed(copyInChunks(b, loc, operands, bits, atom)))
      return failure();
    return Value();
  }
  FailureOr<Value> value = sourceValue(b, loc, operands, bits, atom);
  return failed(value) ? value : deliver(b, loc, operands, *value, bits, atom);
}

//===----------------------------------------------------------------------===//
// universal_atomic
//===----------------------------------------------------------------------===//

static std::optional<LLVM::AtomicBinOp> atomicOperation(AtomicOp op,
                                                        Type scalar) {
  using Bin = LLVM::AtomicBinOp;
  bool isFloat = isa<FloatType>(scalar);
  bool isUnsigned = scalar.isUnsignedInteger();
  switch (op) {
  case AtomicOp::Add:
    return isFloat ? Bin::fadd : Bin::add;
  case AtomicOp::Max:
    return isFloat ? Bin::fmax : isUnsigned ? Bin::umax : Bin::max;
  case AtomicOp::Min:
    return isFloat ? Bin::fmin : isUnsigned ? Bin::umin : Bin::min;
  case AtomicOp::And:
    return isFloat ? std::nullopt : std::optional(Bin::_and);
  case AtomicOp::Or:
    return isFloat ? std::nullopt : std::optional(Bin::_or);
  case AtomicOp::Inc:
    return isFloat ? std::nullopt : std::optional(Bin::uinc_wrap);
  case AtomicOp::Dec:
    return isFloat ? std::nullopt : std::optional(Bin::udec_wrap);
  }
  return std::nullopt;
}

static FailureOr<Value> atomicUniversal(OpBuilder &b, Location loc,
                                        CopyOpUniversalAtomicType op, Value,
                                        const CopyOperands &operands) {
  Type valueType = op.getValueType();
  Type scalar = getElementTypeOrSelf(valueType);
  std::optional<int64_t> bits = bitsOfType(valueType);
  std::optional<LLVM::AtomicBinOp> operation =
      atomicOperation(op.getAtomicOp().getValue(), scalar);
  if (!bits || !operation || *bits < 8)
    return emitError(loc) << "universal_atomic has no "
                          << stringifyAtomicOp(op.getAtomicOp().getValue())
                          << " of " << valueType;
  MemRefType dst = operands.dstMemRef();
  if (!dst || isBufferSpace(dst.getAddressSpace()))
    return emitError(loc) << "universal_atomic needs a destination in generic, "
                             "global, shared or register memory";
  if (failed(checkBits(loc, dst, *bits, "universal_atomic", "the destination")))
    return failure();
  FailureOr<Piece> piece =
      onePiece(loc, dst, "universal_atomic", "the destination");
  if (failed(piece))
    return failure();
  FailureOr<Value> value =
      sourceValue(b, loc, operands, *bits, "universal_atomic");
  if (failed(value))
    return failure();
  FailureOr<Value> typed = bitcastTo(b, loc, *value, storageType(valueType),
                                     "the value of the atomic");
  FailureOr<Value> address =
      movedPointer(b, loc, operands.dst, storageType(dst.getElemTy()),
                   piece->offset, /*inBounds=*/true);
  if (failed(typed) || failed(address))
    return failure();
  LLVM::AtomicRMWOp::create(
      b, loc, *operation, swizzledAddress(b, loc, *address, dst.getSwizzle()),
      *typed, LLVM::AtomicOrdering::monotonic, op.getSyncScope());
  return atomicResult(b, loc, operands, *typed);
}

//===----------------------------------------------------------------------===//
// universal_fma
//===----------------------------------------------------------------------===//

/// a * b + c, fused for floats; bf16 and f16 keep their own type.
static FailureOr<Value> multiplyAdd(OpBuilder &b, Location loc, Type element,
                                    Value a, Value x, Value c) {
  if (isa<IntegerType>(element)) {
    Value product = arith::MulIOp::create(b, loc, a, x);
    return Value(arith::AddIOp::create(b, loc, product, c));
  }
  if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
    return emitError(loc) << "universal_fma has no arithmetic on " << element;
  return Value(LLVM::FMAOp::create(b, loc, a, x, c));
}

/// One operand as a scalar of the element's storage type.
static FailureOr<Value> fmaOperand(OpBuilder &b, Location loc, Type element,
                                   Type type, Value value, const Twine &what) {
  if (auto memory = dyn_cast<MemRefType>(type)) {
    FailureOr<Value> loaded = loadTensor(b, loc, memory, value, what);
    if (failed(loaded))
      return failure();
    value = *loaded;
  }
  return bitcastTo(b, loc, toStorage(b, loc, value), storageType(element),
                   what);
}

static FailureOr<Value> emitFma(OpBuilder &b, Location loc, Type element,
                                Type resultType, Type dType, Value d,
                                Type aType, Value a, Type bType, Value x,
                                Type cType, Value c) {
  FailureOr<Value> left = fmaOperand(b, loc, element, aType, a, "operand a");
  if (failed(left))
    return failure();
  FailureOr<Value> right = fmaOperand(b, loc, element, bType, x, "operand b");
  if (failed(right))
    return failure();
  FailureOr<Value> sum = fmaOperand(b, loc, element, cType, c, "operand c");
  if (failed(sum))
    return failure();
  FailureOr<Value> result = multiplyAdd(b, loc, element, *left, *right, *sum);
  if (failed(result))
    return failure();
  return deliverMma(b, loc, resultType, dType, d, *result);
}

namespace {
struct UniversalFma
    : MmaEmission::ExternalModel<UniversalFma, MmaOpUniversalFMAType> {
  LogicalResult emitMma(Type type, OpBuilder &b, Location loc, MmaAtomType,
                        Value, MemRefType dType, MemRefType aType,
                        MemRefType bType, MemRefType cType, Value d, Value a,
                        Value x, Value c) const {
    return emitFma(b, loc, cast<MmaOpUniversalFMAType>(type).getElemTy(),
                   Type(), dType, d, aType, a, bType, x, cType, c);
  }
  FailureOr<Value> emitMmaSSA(Type type, OpBuilder &b, Location loc,
                              MmaAtomType, Value, Type resultType, Value d,
                              Type dType, Value a, Type aType, Value x,
                              Type bType, Value c, Type cType) const {
    return emitFma(b, loc, cast<MmaOpUniversalFMAType>(type).getElemTy(),
                   resultType, dType, d, aType, a, bType, x, cType, c);
  }
};
} // namespace

void attachUniversalModels(MLIRContext *context) {
  CopyOpUniversalCopyType::attachInterface<
      CopyModel<CopyOpUniversalCopyType, copyUniversal>>(*context);
  CopyOpUniversalAtomicType::attachInterface<
      CopyModel<CopyOpUniversalAtomicType, atomicUniversal>>(*context);
  MmaOpUniversalFMAType::attachInterface<UniversalFma>(*context);
}

} // namespace mlir::fly
