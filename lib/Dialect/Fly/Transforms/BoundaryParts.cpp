// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of values at boundaries: see the header for the table. Structs are
// built from and split into the plain parts, so that each kind of value is
// taken apart and put together in one place only.

#include "BoundaryParts.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::layout::AnyLayout;
using ::fly::layout::ComposedLayout;
using ::fly::layout::InnerMap;
using ::fly::layout::IntTuple;

static bool isStatic(Type type) {
  auto interface = dyn_cast<MayStaticTypeInterface>(type);
  return interface && interface.isStatic();
}

bool mlir::fly::isTakenApart(Type type) {
  return isStatic(type) || isa<IntTupleType, LayoutType, ComposedLayoutType,
                               CoordTensorType, mlir::fly::MemRefType>(type);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static Type packed(MLIRContext *context, ArrayRef<Type> fields) {
  return LLVM::LLVMStructType::getLiteral(context, fields, /*isPacked=*/true);
}

/// Each of these answers null for a value without dynamic leaves.
static Type structOf(MLIRContext *context, const IntTuple &tuple) {
  SmallVector<Type> fields;
  tuple.forEachLeaf([&](const IntTuple &leaf) {
    if (leaf.leaf().isDynamic())
      fields.push_back(IntegerType::get(context, leaf.leaf().width()));
  });
  return fields.empty() ? Type() : packed(context, fields);
}

static Type structOfHalves(MLIRContext *context, ArrayRef<Type> halves) {
  SmallVector<Type> fields;
  for (Type half : halves)
    if (half)
      fields.push_back(half);
  return fields.empty() ? Type() : packed(context, fields);
}

static Type structOf(MLIRContext *context, const AnyLayout &layout) {
  if (layout.isPlain())
    return structOfHalves(context, {structOf(context, layout.plain().shape),
                                    structOf(context, layout.plain().stride)});
  const ComposedLayout &composed = layout.composed();
  Type inner;
  if (composed.inner.kind == InnerMap::Kind::Layout)
    inner = structOf(context, composed.inner.layout);
  return structOfHalves(context, {structOf(context, composed.outer),
                                  structOf(context, composed.offset), inner});
}

/// The struct that stands for what a taken-apart type carries beside a pointer.
static Type structOf(Type type) {
  MLIRContext *context = type.getContext();
  if (isStatic(type))
    return {};
  return llvm::TypeSwitch<Type, Type>(type)
      .Case([&](IntTupleType t) { return structOf(context, t.getTuple()); })
      .Case([&](LayoutType t) {
        return structOf(context, AnyLayout(t.getLayout()));
      })
      .Case([&](ComposedLayoutType t) {
        return structOf(context, t.getLayout());
      })
      .Case([&](CoordTensorType t) {
        return structOfHalves(context, {structOf(context, t.getBase()),
                                        structOf(context, t.getLayout())});
      })
      .Case([&](mlir::fly::MemRefType t) {
        return structOf(context, t.getLayout());
      });
}

static void appendFields(Type structType, SmallVectorImpl<Type> &types) {
  if (!structType)
    return;
  if (auto nested = dyn_cast<LLVM::LLVMStructType>(structType)) {
    for (Type field : nested.getBody())
      appendFields(field, types);
    return;
  }
  types.push_back(structType);
}

void mlir::fly::appendBoundaryTypes(Type type, Boundary boundary,
                                    SmallVectorImpl<Type> &types) {
  if (!isTakenApart(type)) {
    types.push_back(type);
    return;
  }
  if (auto memref = dyn_cast<mlir::fly::MemRefType>(type))
    types.push_back(memref.getPointerType());
  Type whole = structOf(type);
  if (boundary == Boundary::Scalars)
    appendFields(whole, types);
  else if (whole)
    types.push_back(whole);
}

//===----------------------------------------------------------------------===//
// Taking apart
//===----------------------------------------------------------------------===//

static void takeTuple(OpBuilder &builder, Location loc, Value value,
                      SmallVectorImpl<Value> &parts) {
  const IntTuple &tuple = cast<IntTupleType>(value.getType()).getTuple();
  if (tuple.isStatic())
    return;
  Operation *maker = value.getDefiningOp();
  if (isa_and_nonnull<MakeIntTupleOp, MakeShapeOp, MakeStrideOp, MakeCoordOp>(
          maker)) {
    llvm::append_range(parts, maker->getOperands());
    return;
  }
  if (tuple.numLeaves() == 1) {
    parts.push_back(GetScalarOp::create(builder, loc, value));
    return;
  }
  SmallVector<Type> types;
  tuple.forEachLeaf([&](const IntTuple &leaf) {
    if (leaf.leaf().isDynamic())
      types.push_back(builder.getIntegerType(leaf.leaf().width()));
  });
  auto leaves = GetLeavesOp::create(builder, loc, types, value,
                                    builder.getBoolAttr(true));
  llvm::append_range(parts, leaves->getResults());
}

static void takeLayout(OpBuilder &builder, Location loc, Value value,
                       SmallVectorImpl<Value> &parts) {
  if (isStatic(value.getType()))
    return;
  if (auto type = dyn_cast<LayoutType>(value.getType())) {
    auto maker = value.getDefiningOp<MakeLayoutOp>();
    if (!type.getLayout().shape.isStatic())
      takeTuple(builder, loc,
                maker ? Value(maker.getShape())
                      : Value(GetShapeOp::create(builder, loc, value)),
                parts);
    if (!type.getLayout().stride.isStatic())
      takeTuple(builder, loc,
                maker ? Value(maker.getStride())
                      : Value(GetStrideOp::create(builder, loc, value)),
                parts);
    return;
  }
  auto type = cast<ComposedLayoutType>(value.getType());
  const ComposedLayout &composed = type.getComposedLayout();
  auto maker = value.getDefiningOp<MakeComposedLayoutOp>();
  if (!composed.outer.isStatic())
    takeLayout(builder, loc,
               maker ? Value(maker.getOuter())
                     : Value(ComposedGetOuterOp::create(builder, loc, value)),
               parts);
  if (!composed.offset.isStatic())
    takeTuple(builder, loc,
              maker ? Value(maker.getOffset())
                    : Value(ComposedGetOffsetOp::create(builder, loc, value)),
              parts);
  if (!composed.inner.isStatic())
    takeLayout(builder, loc,
               maker ? Value(maker.getInner())
                     : Value(ComposedGetInnerOp::create(builder, loc, value)),
               parts);
}

static void takeTensor(OpBuilder &builder, Location loc, Value value,
                       SmallVectorImpl<Value> &parts) {
  auto maker = value.getDefiningOp<MakeViewOp>();
  auto coords = dyn_cast<CoordTensorType>(value.getType());
  AnyLayout layout =
      coords ? coords.getLayout()
             : cast<mlir::fly::MemRefType>(value.getType()).getLayout();
  if (!coords || !coords.getBase().isStatic()) {
    Value iterator = maker ? Value(maker.getIter())
                           : Value(GetIterOp::create(builder, loc, value));
    if (coords)
      takeTuple(builder, loc, iterator, parts);
    else
      parts.push_back(iterator);
  }
  if (!layout.isStatic())
    takeLayout(builder, loc,
               maker ? Value(maker.getLayout())
                     : Value(GetLayoutOp::create(builder, loc, value)),
               parts);
}

/// A struct from its fields, the next of which are at the front of `fields`.
static Value packStruct(OpBuilder &builder, Location loc, Type type,
                        ArrayRef<Value> &fields) {
  auto structType = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structType) {
    Value field = fields.front();
    fields = fields.drop_front();
    return field;
  }
  Value whole = LLVM::PoisonOp::create(builder, loc, structType);
  for (auto [index, fieldType] : llvm::enumerate(structType.getBody())) {
    Value field = packStruct(builder, loc, fieldType, fields);
    whole =
        LLVM::InsertValueOp::create(builder, loc, whole, field, int64_t(index));
  }
  return whole;
}

void mlir::fly::takeApart(OpBuilder &builder, Location loc, Value value,
                          Boundary boundary, SmallVectorImpl<Value> &parts) {
  Type type = value.getType();
  if (!isTakenApart(type)) {
    parts.push_back(value);
    return;
  }
  if (isStatic(type))
    return;
  SmallVector<Value> scalars;
  if (isa<IntTupleType>(type))
    takeTuple(builder, loc, value, scalars);
  else if (isa<CoordTensorType, mlir::fly::MemRefType>(type))
    takeTensor(builder, loc, value, scalars);
  else
    takeLayout(builder, loc, value, scalars);
  Type whole = structOf(type);
  if (boundary == Boundary::Scalars || !whole) {
    llvm::append_range(parts, scalars);
    return;
  }
  ArrayRef<Value> rest(scalars);
  if (isa<mlir::fly::MemRefType>(type)) {
    parts.push_back(rest.front());
    rest = rest.drop_front();
  }
  parts.push_back(packStruct(builder, loc, whole, rest));
}

//===----------------------------------------------------------------------===//
// Putting together
//===----------------------------------------------------------------------===//

static Value makeTuple(OpBuilder &builder, Location loc, const IntTuple &tuple,
                       ValueRange &parts) {
  unsigned count = tuple.numDynamicLeaves();
  Value value = MakeIntTupleOp::create(
      builder, loc, IntTupleType::get(builder.getContext(), tuple),
      parts.take_front(count));
  parts = parts.drop_front(count);
  return value;
}

static Value makeLayout(OpBuilder &builder, Location loc,
                        const AnyLayout &layout, ValueRange &parts) {
  MLIRContext *context = builder.getContext();
  if (layout.isPlain()) {
    Value shape = makeTuple(builder, loc, layout.plain().shape, parts);
    Value stride = makeTuple(builder, loc, layout.plain().stride, parts);
    return MakeLayoutOp::create(builder, loc, shape, stride);
  }
  const ComposedLayout &composed = layout.composed();
  Value outer = makeLayout(builder, loc, composed.outer, parts);
  Value offset = makeTuple(builder, loc, composed.offset, parts);
  Value inner;
  switch (composed.inner.kind) {
  case InnerMap::Kind::Swizzle:
    inner = StaticOp::create(builder, loc,
                             SwizzleType::get(context, composed.inner.swizzle));
    break;
  case InnerMap::Kind::CoordSwizzle:
    inner = StaticOp::create(
        builder, loc,
        CoordSwizzleType::get(context, composed.inner.coordSwizzle));
    break;
  case InnerMap::Kind::Layout:
    inner = makeLayout(builder, loc, composed.inner.layout, parts);
    break;
  }
  return MakeComposedLayoutOp::create(builder, loc, inner, offset, outer);
}

/// The fields of a struct, one op a level.
static void unpackStruct(OpBuilder &builder, Location loc, Value value,
                         SmallVectorImpl<Value> &fields) {
  auto type = dyn_cast<LLVM::LLVMStructType>(value.getType());
  if (!type) {
    fields.push_back(value);
    return;
  }
  for (size_t index = 0; index < type.getBody().size(); ++index)
    unpackStruct(
        builder, loc,
        LLVM::ExtractValueOp::create(builder, loc, value, int64_t(index)),
        fields);
}

Value mlir::fly::putTogether(OpBuilder &builder, Location loc, Type type,
                             Boundary boundary, ValueRange parts) {
  if (!isTakenApart(type))
    return parts.front();
  if (isStatic(type))
    return cast<MayStaticTypeInterface>(type).rebuildStatic(builder, loc,
                                                            Value());
  SmallVector<Value> scalars;
  for (Value part : parts)
    unpackStruct(builder, loc, part, scalars);
  ValueRange rest(scalars);
  return llvm::TypeSwitch<Type, Value>(type)
      .Case([&](IntTupleType t) {
        return makeTuple(builder, loc, t.getTuple(), rest);
      })
      .Case([&](LayoutType t) {
        return makeLayout(builder, loc, AnyLayout(t.getLayout()), rest);
      })
      .Case([&](ComposedLayoutType t) {
        return makeLayout(builder, loc, t.getLayout(), rest);
      })
      .Case([&](CoordTensorType t) -> Value {
        Value base = makeTuple(builder, loc, t.getBase(), rest);
        Value layout = makeLayout(builder, loc, t.getLayout(), rest);
        return MakeViewOp::create(builder, loc, base, layout);
      })
      .Case([&](mlir::fly::MemRefType t) -> Value {
        Value pointer = rest.front();
        rest = rest.drop_front();
        Value layout = makeLayout(builder, loc, t.getLayout(), rest);
        return MakeViewOp::create(builder, loc, pointer, layout);
      });
}
