// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normal forms, and values of static types made from nothing (specification
// 4.17, 5.2). Law: what rebuildStatic makes is in normal form and has the type
// it was asked for; on a value in normal form it answers null.
//
//   !fly.layout<4:1>  ->  make_layout(make_int_tuple(), make_int_tuple())

#include "OpHelpers.h"
#include "mlir/IR/Builders.h"

namespace mlir::fly {

//===----------------------------------------------------------------------===//
// Normal forms
//===----------------------------------------------------------------------===//

bool isNormalForm(Value value) {
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op)
    return false;
  if (isa<MakeIntTupleOp>(op))
    return true;
  if (auto layout = dyn_cast<MakeLayoutOp>(op))
    return isNormalForm(layout.getShape()) && isNormalForm(layout.getStride());
  if (auto composed = dyn_cast<MakeComposedLayoutOp>(op)) {
    Value inner = composed.getInner();
    return isNormalForm(composed.getOffset()) &&
           isNormalForm(composed.getOuter()) &&
           (isa<SwizzleType, CoordSwizzleType>(inner.getType()) ||
            isNormalForm(inner));
  }
  return false;
}

bool isWeaklyNormalForm(Value value) {
  auto view = value ? value.getDefiningOp<MakeViewOp>() : MakeViewOp();
  return view && isNormalForm(view.getLayout());
}

//===----------------------------------------------------------------------===//
// The algebra
//===----------------------------------------------------------------------===//

/// A fresh value of a static type; null when it cannot be made.
static Value make(OpBuilder &builder, Location location, Type type) {
  auto known = dyn_cast_if_present<MayStaticTypeInterface>(type);
  return known ? known.rebuildStatic(builder, location, Value()) : Value();
}

static Value makeStatic(OpBuilder &builder, Location location, Type type,
                        Value current) {
  return current ? Value() : StaticOp::create(builder, location, type);
}

Value BasisType::rebuildStatic(OpBuilder &, Location, Value) const {
  return {};
}

Value IntTupleType::rebuildStatic(OpBuilder &builder, Location location,
                                  Value current) const {
  if (!isStatic() || isNormalForm(current))
    return {};
  return MakeIntTupleOp::create(builder, location, *this, ValueRange());
}

Value LayoutType::rebuildStatic(OpBuilder &builder, Location location,
                                Value current) const {
  if (!isStatic() || isNormalForm(current))
    return {};
  const Layout &layout = getLayout();
  Value shape =
      make(builder, location, IntTupleType::get(getContext(), layout.shape));
  Value stride =
      make(builder, location, IntTupleType::get(getContext(), layout.stride));
  return MakeLayoutOp::create(builder, location, *this, shape, stride);
}

Value SwizzleType::rebuildStatic(OpBuilder &builder, Location location,
                                 Value current) const {
  return makeStatic(builder, location, *this, current);
}

Value CoordSwizzleType::rebuildStatic(OpBuilder &builder, Location location,
                                      Value current) const {
  return makeStatic(builder, location, *this, current);
}

Value TileType::rebuildStatic(OpBuilder &builder, Location location,
                              Value current) const {
  return makeStatic(builder, location, *this, current);
}

Value ComposedLayoutType::rebuildStatic(OpBuilder &builder, Location location,
                                        Value current) const {
  if (!isStatic() || isNormalForm(current))
    return {};
  const ComposedLayout &composed = getComposedLayout();
  Value inner =
      make(builder, location, innerToType(getContext(), composed.inner));
  Value offset =
      make(builder, location, IntTupleType::get(getContext(), composed.offset));
  Value outer =
      make(builder, location, layoutToType(getContext(), composed.outer));
  return MakeComposedLayoutOp::create(builder, location, *this, inner, offset,
                                      outer);
}

Value CoordTensorType::rebuildStatic(OpBuilder &builder, Location location,
                                     Value current) const {
  if (!isStatic() || isWeaklyNormalForm(current))
    return {};
  Value base =
      make(builder, location, IntTupleType::get(getContext(), getBase()));
  Value layout =
      make(builder, location, layoutToType(getContext(), getLayout()));
  return MakeViewOp::create(builder, location, *this, base, layout);
}

//===----------------------------------------------------------------------===//
// Atoms and tiled operations
//===----------------------------------------------------------------------===//

static bool isMadeBy(Value current, StringRef name) {
  Operation *op = current ? current.getDefiningOp() : nullptr;
  return op && op->getName().getStringRef() == name;
}

static Value makeCopyAtom(OpBuilder &builder, Location location,
                          CopyAtomType type, Value current) {
  if (isMadeBy(current, MakeCopyAtomOp::getOperationName()))
    return {};
  return MakeCopyAtomOp::create(builder, location, type, type.getValBits());
}

static Value makeMmaAtom(OpBuilder &builder, Location location,
                         MmaAtomType type, Value current) {
  if (isMadeBy(current, MakeMmaAtomOp::getOperationName()))
    return {};
  return MakeMmaAtomOp::create(builder, location, type);
}

Value CopyAtomType::rebuildStatic(OpBuilder &builder, Location location,
                                  Value current) const {
  return isStatic() ? makeCopyAtom(builder, location, *this, current) : Value();
}

Value MmaAtomType::rebuildStatic(OpBuilder &builder, Location location,
                                 Value current) const {
  return isStatic() ? makeMmaAtom(builder, location, *this, current) : Value();
}

Value CopyOpUniversalCopyType::rebuildStatic(OpBuilder &builder,
                                             Location location,
                                             Value current) const {
  return makeCopyAtom(builder, location,
                      CopyAtomType::get(getContext(), *this, getBitSize()),
                      current);
}

Value CopyOpUniversalAtomicType::rebuildStatic(OpBuilder &builder,
                                               Location location,
                                               Value current) const {
  // One thread moves the whole value: (1,bits).
  Layout layout = getThreadBitLayout(CopyRole::Reference);
  int32_t bits = layout.shape.at(1).leaf().value();
  return makeCopyAtom(builder, location,
                      CopyAtomType::get(getContext(), *this, bits), current);
}

Value MmaOpUniversalFMAType::rebuildStatic(OpBuilder &builder,
                                           Location location,
                                           Value current) const {
  return makeMmaAtom(builder, location, MmaAtomType::get(getContext(), *this),
                     current);
}

Value TiledCopyType::rebuildStatic(OpBuilder &builder, Location location,
                                   Value current) const {
  if (!isStatic() || !getLayoutThrVal().isStatic() ||
      isMadeBy(current, MakeTiledCopyOp::getOperationName()))
    return {};
  Value atom = make(builder, location, getCopyAtom());
  if (!atom)
    return {};
  Value layout = make(builder, location, getLayoutThrVal());
  Value tile = make(builder, location, getTileMN());
  return MakeTiledCopyOp::create(builder, location, *this, atom, layout, tile);
}

Value TiledMmaType::rebuildStatic(OpBuilder &builder, Location location,
                                  Value current) const {
  if (!isStatic() || !getAtomLayout().isStatic() ||
      isMadeBy(current, MakeTiledMmaOp::getOperationName()))
    return {};
  Value atom = make(builder, location, getMmaAtom());
  if (!atom)
    return {};
  Value layout = make(builder, location, getAtomLayout());
  Value permutation = make(builder, location, getPermutation());
  return MakeTiledMmaOp::create(builder, location, *this, atom, layout,
                                permutation);
}

} // namespace mlir::fly
