// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers and memory (specification 3.9): meaning of those that belong to the
// algebra, inference and checks of the others.

#include "OpHelpers.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

namespace mlir::fly {

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

LogicalResult GetDynSharedOp::inferReturnTypes(MLIRContext *context,
                                               std::optional<Location>,
                                               ValueRange, DictionaryAttr,
                                               OpaqueProperties, RegionRange,
                                               SmallVectorImpl<Type> &types) {
  types.push_back(PointerType::get(
      IntegerType::get(context, 8),
      AddressSpaceAttr::get(context, AddressSpace::Shared), 1024));
  return success();
}

LogicalResult PtrToIntOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> location,
                                           ValueRange operands, DictionaryAttr,
                                           OpaqueProperties, RegionRange,
                                           SmallVectorImpl<Type> &types) {
  auto pointer = operands.empty()
                     ? PointerType()
                     : dyn_cast<PointerType>(operands[0].getType());
  if (pointer && pointer.isInSpace(AddressSpace::Shared))
    types.push_back(IntegerType::get(context, 32));
  else if (pointer && pointer.isInSpace(AddressSpace::Global))
    types.push_back(IntegerType::get(context, 64));
  else
    return emitOptionalError(
        location,
        "only shared and global pointers have an integer form, found ",
        pointer);
  return success();
}

LogicalResult ToLLVMPtrOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange,
    DictionaryAttr dictionary, OpaqueProperties opaque, RegionRange,
    SmallVectorImpl<Type> &types) {
  IntegerAttr space;
  if (Properties *properties = opaque.as<Properties *>())
    space = properties->llvm_address_space;
  else if (dictionary)
    space = dictionary.getAs<IntegerAttr>("llvm_address_space");
  if (!space)
    return emitOptionalError(location,
                             "expected the attribute 'llvm_address_space'");
  // LLVM numbers address spaces with 24 bits.
  if (space.getInt() < 0 || space.getInt() >= 1 << 24)
    return emitOptionalError(
        location,
        "address space must not be negative or above 16777215, found ",
        space.getInt());
  types.push_back(LLVM::LLVMPointerType::get(context, space.getInt()));
  return success();
}

void AddOffsetOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                               AlgebraResults &results) {
  const AlgebraVal &iterator = operands[0];
  const IntTuple &offset = operands[1].tuple;
  results.push_back(iterator.isTuple()
                        ? AlgebraVal::ofTuple(algebra::tupleAdd(
                              evaluator.arith, iterator.tuple, offset))
                        : AlgebraVal::ofPointer(
                              evaluator.addOffset(iterator.pointer, offset)));
}

void ApplySwizzleOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                  AlgebraResults &results) {
  results.push_back(AlgebraVal::ofPointer(
      evaluator.applySwizzle(operands[0].pointer, operands[1].swizzle())));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

namespace {
/// A chain without its offsets: the linear layout, and where the chain sends
/// the sum of its offsets.
struct Decomposed {
  Layout linear;
  std::optional<IntTuple> offset;
};
} // namespace

static Decomposed decompose(Arith &arith, const AnyLayout &layout) {
  if (layout.isPlain())
    return {layout.plain(), std::nullopt};
  const ComposedLayout &level = layout.composed();
  Decomposed below = decompose(arith, level.outer);
  IntTuple offset = level.offset;
  if (below.offset)
    offset = algebra::codomainAdd(arith, offset, *below.offset);
  return {below.linear, algebra::applyInner(arith, level.inner, offset)};
}

void DecompositionOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                   AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  const AlgebraVal &tensor = operands[0];
  Decomposed parts = decompose(arith, tensor.layout);
  AlgebraVal result = tensor.withLayout(parts.linear);
  if (parts.offset && !arith.failed()) {
    if (tensor.kind == AlgebraVal::Kind::MemRef)
      result.pointer = evaluator.addOffset(tensor.pointer, *parts.offset);
    else
      result.tuple = algebra::codomainAdd(arith, tensor.tuple, *parts.offset);
  }
  results.push_back(std::move(result));
}

LogicalResult MemRefAllocaOp::verify() {
  MemRefType type = getType();
  if (!type.isInSpace(AddressSpace::Register))
    return emitOpError("expected a register memref, found ") << type;
  if (type.getLayout() != AnyLayout(getLayout().getType().getLayout()))
    return emitOpError("layout ")
           << getLayout().getType().getLayout().str()
           << " is not that of the result, " << type.getLayout().str();
  return success();
}

void MemRefAllocaOp::evaluate(Evaluator &evaluator, AlgebraVals operands,
                              AlgebraResults &results) {
  MemRefType type = getType();
  AlgebraVal result = registerFragment(evaluator, type.getElemTy(),
                                       operands[0].layout.linear());
  if (!evaluator.arith.failed())
    result.pointer.type = type.getPointerType();
  results.push_back(std::move(result));
}

void MemRefLoadOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  const AlgebraVal &tensor = operands[0];
  IntTuple index = algebra::crd2idx(arith, operands[1].tuple, tensor.layout);
  if (tensor.kind == AlgebraVal::Kind::MemRef) {
    // The element comes from memory: the algebra knows its type only.
    results.push_back(AlgebraVal::ofOpaque(
        cast<PointerType>(tensor.pointer.type).getElemTy()));
    return;
  }
  results.push_back(
      AlgebraVal::ofTuple(algebra::codomainAdd(arith, tensor.tuple, index)));
}

/// Elements of a plain static layout, for a vector; nullopt when reported.
static std::optional<int64_t> vectorLength(std::optional<Location> location,
                                           const AnyLayout &layout) {
  if (layout.isComposed()) {
    (void)emitOptionalError(location, "a vector needs a plain layout, found ",
                            layout.str());
    return std::nullopt;
  }
  algebra::TypeArith arith;
  IntTuple size = algebra::size(arith, layout.plain());
  if (arith.failed() || !size.isInt() || !size.isStatic() ||
      size.leaf().value() < 1) {
    (void)emitOptionalError(location, "a vector needs a static size, found ",
                            layout.str());
    return std::nullopt;
  }
  return size.leaf().value();
}

LogicalResult MemRefLoadVecOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr, OpaqueProperties, RegionRange,
    SmallVectorImpl<Type> &types) {
  if (operands.empty())
    return emitOptionalError(location, "expected a tensor");
  Type type = operands[0].getType();
  if (auto memref = dyn_cast<MemRefType>(type)) {
    std::optional<int64_t> length = vectorLength(location, memref.getLayout());
    if (!length)
      return failure();
    types.push_back(VectorType::get({*length}, memref.getElemTy()));
    return success();
  }
  auto tensor = dyn_cast<CoordTensorType>(type);
  if (!tensor)
    return emitOptionalError(location, "expected a tensor, found ", type);
  if (!tensor.getBase().isInt())
    return emitOptionalError(location, "a vector needs an integer base, found ",
                             tensor.getBase().str());
  std::optional<int64_t> length = vectorLength(location, tensor.getLayout());
  if (!length)
    return failure();
  algebra::TypeArith arith;
  IntTuple element =
      algebra::codomainAdd(arith, tensor.getBase(),
                           algebra::crd2idx(arith, Int::unknown(32, 1),
                                            tensor.getLayout().linear()));
  if (arith.failed())
    return emitOptionalError(location, arith.message());
  if (!element.isInt())
    return emitOptionalError(location,
                             "the elements of a vector are integers, found ",
                             element.str());
  unsigned width = element.leaf().neededWidth() == 64 ? 64 : 32;
  types.push_back(VectorType::get({*length}, IntegerType::get(context, width)));
  return success();
}

LogicalResult MemRefStoreOp::verify() {
  algebra::TypeArith arith;
  algebra::crd2idx(arith, getIndices().getType().getTuple(),
                   getMemref().getType().getLayout());
  return arith.failed() ? emitOpError(arith.message()) : success();
}

LogicalResult MemRefStoreVecOp::verify() {
  Type type = getVector().getType(),
       element = getMemref().getType().getElemTy();
  auto vector = dyn_cast<VectorType>(type);
  Type stored = vector ? vector.getElementType() : type;
  if ((vector && vector.isScalable()) || !stored.isIntOrFloat())
    return emitOpError("expected a vector of fixed length or a scalar, of "
                       "integers or floats, found ")
           << type;
  int64_t count = vector ? vector.getNumElements() : 1;
  if (stored.getIntOrFloatBitWidth() != element.getIntOrFloatBitWidth())
    return emitOpError("cannot store elements of type ")
           << stored << " in a memref of " << element;
  AnyLayout layout = getMemref().getType().getLayout();
  if (layout.isComposed())
    return emitOpError("a vector needs a plain layout, found ") << layout.str();
  algebra::TypeArith arith;
  IntTuple size = algebra::size(arith, layout.plain());
  if (!arith.failed() && size.isInt() && size.isStatic() &&
      size.leaf().value() != count)
    return emitOpError("layout ")
           << layout.str() << " has " << size.leaf().value()
           << " elements, the " << (vector ? "vector " : "scalar ") << count;
  return success();
}

} // namespace mlir::fly
