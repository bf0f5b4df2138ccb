// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that the original infers and ours does not (specification section 7,
// "accept legacy"). Law: where an op below is written with a type that differs
// from the inferred one, it verifies exactly when the type is what the
// original's rule gives; every other op admits the inferred type alone.
//
//   make_layout_like of (3,5):(0,1)   ours (3,5):(0,1), legacy (3,5):(1,1)
//
// 7.3 make_layout_like · 7.6 cosize · 7.7 divides · 7.10 get · 7.13
// apply_swizzle · 7.18 and 4.16 partitions

#include "OpHelpers.h"

namespace mlir::fly {

namespace {
/// One call of verification: what inference takes, and what is written.
struct Call {
  MLIRContext *context;
  std::optional<Location> location;
  ValueRange operands;
  DictionaryAttr attributes;
  OpaqueProperties properties;
  RegionRange regions;
  StringRef name;
  ArrayRef<Type> written;
  LogicalResult (*infer)(MLIRContext *, std::optional<Location>, ValueRange,
                         DictionaryAttr, OpaqueProperties, RegionRange,
                         SmallVectorImpl<Type> &);
};
} // namespace

/// Verifies the written types against the inferred ones; `legacy` gives the
/// original's type, null when it has none.
static LogicalResult refine(const Call &call, function_ref<Type()> legacy) {
  SmallVector<Type> inferred;
  if (failed(call.infer(call.context, call.location, call.operands,
                        call.attributes, call.properties, call.regions,
                        inferred)))
    return failure();
  if (ArrayRef<Type>(inferred) == call.written)
    return success();
  if (call.written.size() == 1) {
    Type accepted = legacy();
    if (accepted && accepted == call.written[0])
      return success();
  }
  return emitOptionalError(
      call.location, "'", call.name, "' op inferred type(s) ", inferred,
      " are incompatible with return type(s) of operation ", call.written);
}

bool reliesOnLegacyType(Operation *op) {
  auto inferrable = dyn_cast<InferTypeOpInterface>(op);
  SmallVector<Type> inferred;
  if (!inferrable ||
      failed(inferrable.inferReturnTypes(
          op->getContext(), std::nullopt, op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), inferred)))
    return false;
  return TypeRange(inferred) != TypeRange(op->getResultTypes());
}

/// The type of a result computed by the original's rule.
static Type legacyTypeOf(MLIRContext *context, Arith &arith,
                         const AlgebraVal &value) {
  return arith.failed() ? Type() : typeOfValue(context, value);
}

//===----------------------------------------------------------------------===//
// 7.3: modes of stride 0 get the running start
//===----------------------------------------------------------------------===//

LogicalResult MakeLayoutLikeOp::refineReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Call call{context, location,           operands, attributes,      properties,
            regions, getOperationName(), types,    inferReturnTypes};
  return refine(call, [&]() -> Type {
    Layout layout = valueOfType(operands[0].getType()).layout.linear();
    algebra::TypeArith arith;
    Layout ordered = algebra::makeOrderedLayout(
        arith, algebra::filterZero(layout.stride, layout.shape), layout.stride);
    return legacyTypeOf(
        context, arith,
        AlgebraVal::ofLayout(Layout{layout.shape, ordered.stride}));
  });
}

//===----------------------------------------------------------------------===//
// 7.6: negative strides count with their sign
//===----------------------------------------------------------------------===//

LogicalResult CosizeOp::refineReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Call call{context, location,           operands, attributes,      properties,
            regions, getOperationName(), types,    inferReturnTypes};
  return refine(call, [&]() -> Type {
    Layout layout = valueOfType(operands[0].getType()).layout.linear();
    std::vector<IntTuple> shapes = layout.shape.leaves();
    std::vector<IntTuple> strides = layout.stride.leaves();
    if (shapes.size() != strides.size())
      return {};
    algebra::TypeArith arith;
    bool anyNegative = false;
    IntTuple sum(0);
    for (auto [shape, stride] : llvm::zip_equal(shapes, strides)) {
      if (!stride.isInt())
        return {};
      anyNegative |= stride.isStatic() && stride.leaf().value() < 0;
      sum = arith.add(
          sum.leaf(),
          arith.mul(arith.sub(shape.leaf(), Int::known(1)), stride.leaf()));
    }
    if (!anyNegative)
      return {};
    return legacyTypeOf(
        context, arith,
        AlgebraVal::ofTuple(arith.add(sum.leaf(), Int::known(1))));
  });
}

//===----------------------------------------------------------------------===//
// 7.7: a tile list of one element leaves tile and rest in one mode
//===----------------------------------------------------------------------===//

static LogicalResult
refineDivide(const Call &call,
             function_ref<Layout(const Layout &)> fromLogical) {
  return refine(call, [&]() -> Type {
    AlgebraVal value = valueOfType(call.operands[0].getType());
    AlgebraVal divisor = valueOfType(call.operands[1].getType());
    const Layout &layout = value.layout.linear();
    if (divisor.kind != AlgebraVal::Kind::Tile || !divisor.tile().isList() ||
        divisor.tile().rank() != 1 || layout.isLeaf() || layout.rank() != 2)
      return {};
    algebra::TypeArith arith;
    AlgebraVal result = mapLinear(value, [&](const Layout &linear) {
      return fromLogical(algebra::logicalDivide(arith, linear, divisor.tile()));
    });
    return legacyTypeOf(call.context, arith, result);
  });
}

LogicalResult ZippedDivideOp::refineReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Call call{context, location,           operands, attributes,      properties,
            regions, getOperationName(), types,    inferReturnTypes};
  return refineDivide(call, [](const Layout &logical) { return logical; });
}

LogicalResult TiledDivideOp::refineReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Call call{context, location,           operands, attributes,      properties,
            regions, getOperationName(), types,    inferReturnTypes};
  return refineDivide(call, [](const Layout &logical) {
    return algebra::expand(logical, {1});
  });
}

LogicalResult FlatDivideOp::refineReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Call call{context, location,           operands, attributes,      properties,
            regions, getOperationName(), types,    inferReturnTypes};
  return refineDivide(call, [](const Layout &logical) {
    return algebra::expand(logical, {0, 1});
  });
}

//===----------------------------------------------------------------------===//
// 7.10: a mode of a coord_tensor indexes the base too
//===----------------------------------------------------------------------===//

LogicalResult
GetOp::refineReturnTypes(MLIRContext *context, std::optional<Location> location,
                         ValueRange operands, DictionaryAttr attributes,
                         OpaqueProperties opaque, RegionRange regions,
                         SmallVectorImpl<Type> &types) {
  Call call{context, location,           operands, attributes,      opaque,
            regions, getOperationName(), types,    inferReturnTypes};
  return refine(call, [&]() -> Type {
    AlgebraVal value = valueOfType(operands[0].getType());
    Properties *properties = opaque.as<Properties *>();
    if (value.kind != AlgebraVal::Kind::CoordTensor || !properties ||
        !properties->mode)
      return {};
    algebra::TypeArith arith;
    ArrayRef<int32_t> mode = properties->mode.asArrayRef();
    AlgebraVal result =
        value.withLayout(algebra::get(arith, value.layout, mode));
    result.tuple = algebra::get(arith, value.tuple, mode);
    return legacyTypeOf(context, arith, result);
  });
}

//===----------------------------------------------------------------------===//
// 7.13: the trivial swizzle weakens the alignment
//===----------------------------------------------------------------------===//

LogicalResult ApplySwizzleOp::refineReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Call call{context, location,           operands, attributes,      properties,
            regions, getOperationName(), types,    inferReturnTypes};
  return refine(call, [&]() -> Type {
    auto pointer = dyn_cast<PointerType>(operands[0].getType());
    auto swizzle = dyn_cast<SwizzleType>(operands[1].getType());
    if (!pointer || !swizzle || !swizzle.getSwizzle().isTrivial())
      return {};
    TypeEvaluator evaluator(context);
    Int period = Int::known(int64_t(1) << swizzle.getSwizzle().base);
    auto weaker = cast<PointerType>(
        evaluator.addOffset(PointerVal{pointer, 0}, period).type);
    return PointerType::get(pointer.getElemTy(), pointer.getAddressSpace(),
                            weaker.getAlignment(), swizzle.getSwizzle());
  });
}

//===----------------------------------------------------------------------===//
// 7.18, 4.16: offsets of partitions
//===----------------------------------------------------------------------===//

/// The original adds the offset at the top of a chain.
static Type legacyPartition(MLIRContext *context, Arith &arith,
                            const AlgebraVal &tensor,
                            const algebra::Partition &part) {
  if (arith.failed())
    return {};
  TypeEvaluator evaluator(context);
  AlgebraVal result = tensor.withLayout(tensor.layout.withLinear(part.layout));
  if (tensor.layout.isComposed()) {
    ComposedLayout top = result.layout.composed();
    top.offset = algebra::codomainAdd(arith, top.offset, part.offset);
    result.layout = AnyLayout(std::move(top));
  } else if (tensor.kind == AlgebraVal::Kind::MemRef) {
    result.pointer = evaluator.addOffset(tensor.pointer, part.offset);
  } else {
    result.tuple = algebra::codomainAdd(arith, tensor.tuple, part.offset);
  }
  if (evaluator.arith.failed())
    return {};
  return legacyTypeOf(context, arith, result);
}

static LogicalResult refineCopyPartition(const Call &call,
                                         algebra::CopySide side) {
  return refine(call, [&]() -> Type {
    AlgebraVal tensor = valueOfType(call.operands[1].getType());
    if (tensor.layout.isPlain())
      return {};
    algebra::TypeArith arith;
    auto type = cast<TiledCopyType>(call.operands[0].getType());
    algebra::TiledCopyLayouts copy = type.getLayouts(arith);
    if (arith.failed())
      return {};
    return legacyPartition(
        call.context, arith, tensor,
        algebra::copyPartition(arith, copy, side, tensor.layout.linear(),
                               valueOfType(call.operands[2].getType()).tuple));
  });
}

LogicalResult TiledCopyPartitionSrcOp::refineReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Call call{context, location,           operands, attributes,      properties,
            regions, getOperationName(), types,    inferReturnTypes};
  return refineCopyPartition(call, algebra::CopySide::Source);
}

LogicalResult TiledCopyPartitionDstOp::refineReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Call call{context, location,           operands, attributes,      properties,
            regions, getOperationName(), types,    inferReturnTypes};
  return refineCopyPartition(call, algebra::CopySide::Destination);
}

/// The original reads an integer thread as a number over (thr, (n0, n1)).
LogicalResult TiledMmaPartitionOp::refineReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties opaque, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Call call{context, location,           operands, attributes,      opaque,
            regions, getOperationName(), types,    inferReturnTypes};
  return refine(call, [&]() -> Type {
    Properties *properties = opaque.as<Properties *>();
    if (!properties || !properties->operand_id)
      return {};
    AlgebraVal tensor = valueOfType(operands[1].getType());
    const IntTuple thread = valueOfType(operands[2].getType()).tuple;
    algebra::TypeArith arith;
    auto type = cast<TiledMmaType>(operands[0].getType());
    algebra::TiledMmaLayouts mma = type.getLayouts(arith);
    if (arith.failed())
      return {};
    algebra::MmaOperand operand =
        toLayoutOperand(properties->operand_id.getValue());
    algebra::Partition part = algebra::mmaPartition(
        arith, mma, operand, tensor.layout.linear(), thread);
    Layout view =
        algebra::mmaThreadView(arith, mma, operand, tensor.layout.linear());
    if (arith.failed())
      return {};
    part.offset = algebra::crd2idx(arith, thread, view.at(0));
    return legacyPartition(context, arith, tensor, part);
  });
}

} // namespace mlir::fly
