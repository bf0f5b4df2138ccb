// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atoms, tiled copies and tiled MMAs (specification 3.8, 4.16): meaning of the
// partitions, inference of the tiled types, and checks.

#include "OpHelpers.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::fly {

//===----------------------------------------------------------------------===//
// Checks and inference
//===----------------------------------------------------------------------===//

LogicalResult MakeCopyAtomOp::verify() {
  int32_t typeBits = getType().getValBits();
  if (static_cast<int32_t>(getValBits()) != typeBits)
    return emitOpError("valBits is ") << static_cast<int32_t>(getValBits())
                                      << " but the type has " << typeBits;
  return success();
}

LogicalResult AtomSetValueOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> location,
                                               ValueRange operands,
                                               DictionaryAttr, OpaqueProperties,
                                               RegionRange,
                                               SmallVectorImpl<Type> &types) {
  if (operands.empty())
    return emitOptionalError(location, "expected an atom");
  types.push_back(operands[0].getType());
  return success();
}

LogicalResult AtomSetValueOp::verify() {
  Type atom = getAtom().getType();
  Type op = isa<CopyAtomType>(atom) ? cast<CopyAtomType>(atom).getCopyOp()
                                    : cast<MmaAtomType>(atom).getMmaOp();
  auto stateful = dyn_cast<StatefulOpTypeInterface>(op);
  if (!stateful)
    return emitOpError("atom of ") << op << " carries no state";
  SmallVector<StringRef> fields = stateful.getStateFields();
  if (!llvm::is_contained(fields, getField()))
    return emitOpError("expected a field of ")
           << op << ": " << llvm::join(fields, ", ") << "; found '"
           << getField() << "'";
  return success();
}

LogicalResult CopyAtomCallSSAOp::verify() {
  if (getNumResults() > 1)
    return emitOpError("expected at most one result, found ")
           << getNumResults();
  return success();
}

LogicalResult MmaAtomCallSSAOp::verify() {
  if (getNumResults() > 1)
    return emitOpError("expected at most one result, found ")
           << getNumResults();
  if (getNumResults() == 0 && !getD())
    return emitOpError("expected a result or the operand d");
  return success();
}

/// What a tiled op repeats over: an op without run-time layout.
static LogicalResult checkStaticLayout(std::optional<Location> location,
                                       LayoutType layout) {
  if (!layout.isStatic())
    return emitOptionalError(location,
                             "thread-value layout must be static, found ",
                             layout.getLayout().str());
  return success();
}

/// Points of a tile; nothing when an element is as long as its tensor.
static std::optional<int64_t> pointsOf(Arith &arith, const Tile &tile) {
  if (tile.isNone())
    return std::nullopt;
  IntTuple points = IntTuple(1);
  if (tile.isLayout())
    points = algebra::size(arith, tile.layout());
  else if (!tile.isList())
    points = tile.leaf();
  else
    for (const Tile &element : tile.elements()) {
      std::optional<int64_t> part = pointsOf(arith, element);
      if (!part)
        return std::nullopt;
      points = arith.mul(points.leaf(), Int::known(*part));
    }
  if (arith.failed() || !points.isInt() || !points.isStatic())
    return std::nullopt;
  return points.leaf().value();
}

/// The threads and values of a tiled copy stay within its tile.
static LogicalResult checkInsideTile(std::optional<Location> location,
                                     LayoutType layout, TileType tile) {
  algebra::StaticArith arith;
  std::optional<int64_t> points = pointsOf(arith, tile.getTile());
  IntTuple reach = algebra::cosize(arith, layout.getLayout());
  if (arith.failed() || !points || !reach.isInt() || !reach.isStatic() ||
      reach.leaf().value() <= *points)
    return success();
  return emitOptionalError(location, "thread-value layout ",
                           layout.getLayout().str(), " spans ",
                           reach.leaf().value(), " points, but its tile ",
                           tile.getTile().str(), " has only ", *points);
}

/// The layout of a tiled copy consists of whole atoms: of their threads, and of
/// their values.
static LogicalResult checkWholeAtoms(std::optional<Location> location,
                                     Type atomType, LayoutType layout) {
  auto atom = dyn_cast<CopyAtomType>(atomType);
  algebra::StaticArith arith;
  if (!atom)
    return success();
  algebra::CopyAtomLayouts atoms = atom.getLayouts(arith);
  const Layout &tiled = layout.getLayout();
  if (arith.failed() || tiled.isLeaf() || tiled.rank() != 2 ||
      atoms.reference.isLeaf() || atoms.reference.rank() != 2)
    return success(); // said when it is used
  int64_t sizes[2], steps[2];
  for (unsigned i : {0, 1}) {
    sizes[i] = algebra::productInt(arith, tiled.shape.at(i)).value();
    steps[i] = algebra::productInt(arith, atoms.reference.shape.at(i)).value();
  }
  if (arith.failed() || steps[0] < 1 || steps[1] < 1 ||
      (sizes[0] % steps[0] == 0 && sizes[1] % steps[1] == 0))
    return success();
  return emitOptionalError(location, "thread-value layout ", tiled.str(),
                           " has ", sizes[0], " threads with ", sizes[1],
                           " values, which are no whole atoms of ", steps[0],
                           " threads with ", steps[1], " values");
}

LogicalResult MakeTiledCopyOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr, OpaqueProperties, RegionRange,
    SmallVectorImpl<Type> &types) {
  if (operands.size() != 3)
    return emitOptionalError(location, "expected three operands");
  auto layout = dyn_cast<LayoutType>(operands[1].getType());
  auto tile = dyn_cast<TileType>(operands[2].getType());
  if (!layout || !tile)
    return emitOptionalError(location, "expected a layout and a tile");
  if (failed(checkStaticLayout(location, layout)) ||
      failed(checkWholeAtoms(location, operands[0].getType(), layout)) ||
      failed(checkInsideTile(location, layout, tile)))
    return failure();
  types.push_back(
      TiledCopyType::get(context, operands[0].getType(), layout, tile));
  return success();
}

/// The tiles that a tiled MMA is given consist of whole atoms.
static LogicalResult checkWholeAtoms(std::optional<Location> location,
                                     Type atomType, TileType permutation) {
  auto atom = dyn_cast<MmaAtomType>(atomType);
  const Tile &tile = permutation.getTile();
  algebra::StaticArith arith;
  if (!atom || !tile.isList())
    return success();
  IntTuple shape = atom.getLayouts(arith).shape;
  if (arith.failed() || shape.isLeaf())
    return success(); // said when it is used
  for (unsigned i = 0; i < std::min(tile.rank(), shape.rank()); ++i) {
    std::optional<int64_t> points = pointsOf(arith, tile.at(i));
    int64_t extent = algebra::productInt(arith, shape.at(i)).value();
    if (points && extent > 0 && *points % extent)
      return emitOptionalError(location, "permutation ", tile.str(), " has ",
                               *points, " points in ",
                               StringRef("MNK").substr(i, 1),
                               ", which are no whole atoms of ", extent);
  }
  return success();
}

LogicalResult MakeTiledMmaOp::inferReturnTypes(MLIRContext *context,
                                               std::optional<Location> location,
                                               ValueRange operands,
                                               DictionaryAttr, OpaqueProperties,
                                               RegionRange,
                                               SmallVectorImpl<Type> &types) {
  if (operands.size() < 2)
    return emitOptionalError(location, "expected an atom and a layout");
  auto layout = dyn_cast<LayoutType>(operands[1].getType());
  TileType permutation = TiledMmaType::defaultPermutation(context);
  if (operands.size() > 2)
    permutation = dyn_cast<TileType>(operands[2].getType());
  if (!layout || !permutation)
    return emitOptionalError(location, "expected a layout and a tile");
  if (failed(checkStaticLayout(location, layout)) ||
      failed(checkWholeAtoms(location, operands[0].getType(), permutation)))
    return failure();
  types.push_back(
      TiledMmaType::get(context, operands[0].getType(), layout, permutation));
  return success();
}

//===----------------------------------------------------------------------===//
// Partitions
//===----------------------------------------------------------------------===//

/// `linear` in place of the linear layout, `offset` added next to it.
static AnyLayout addInnermost(Arith &arith, const AnyLayout &chain,
                              const IntTuple &offset, const Layout &linear) {
  if (chain.isPlain())
    return linear;
  ComposedLayout level = chain.composed();
  if (level.outer.isPlain()) {
    level.offset = algebra::codomainAdd(arith, level.offset, offset);
    level.outer = linear;
  } else {
    level.outer = addInnermost(arith, level.outer, offset, linear);
  }
  return AnyLayout(std::move(level));
}

/// The tensor that a partition leaves: the offset goes into the iterator, or
/// next to the linear layout of a composed one.
static AlgebraVal partitioned(Evaluator &evaluator, const AlgebraVal &tensor,
                              const algebra::Partition &part) {
  Arith &arith = evaluator.arith;
  if (arith.failed())
    return tensor;
  AlgebraVal result = tensor.withLayout(
      addInnermost(arith, tensor.layout, part.offset, part.layout));
  if (tensor.layout.isComposed())
    return result;
  if (tensor.kind == AlgebraVal::Kind::MemRef)
    result.pointer = evaluator.addOffset(tensor.pointer, part.offset);
  else
    result.tuple = algebra::codomainAdd(arith, tensor.tuple, part.offset);
  return result;
}

static void evaluateCopyPartition(Evaluator &evaluator, algebra::CopySide side,
                                  AlgebraVals operands,
                                  AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  auto type = cast<TiledCopyType>(operands[0].type);
  algebra::TiledCopyLayouts copy = type.getLayouts(arith);
  const AlgebraVal &tensor = operands[1];
  algebra::Partition part;
  if (!arith.failed())
    part = algebra::copyPartition(arith, copy, side, tensor.layout.linear(),
                                  operands[2].tuple);
  results.push_back(partitioned(evaluator, tensor, part));
}

void TiledCopyPartitionSrcOp::evaluateWith(Evaluator &evaluator,
                                           AlgebraVals operands,
                                           AlgebraResults &results) {
  evaluateCopyPartition(evaluator, algebra::CopySide::Source, operands,
                        results);
}

void TiledCopyPartitionDstOp::evaluateWith(Evaluator &evaluator,
                                           AlgebraVals operands,
                                           AlgebraResults &results) {
  evaluateCopyPartition(evaluator, algebra::CopySide::Destination, operands,
                        results);
}

void TiledCopyRetileOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                     AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  auto type = cast<TiledCopyType>(operands[0].type);
  algebra::TiledCopyLayouts copy = type.getLayouts(arith);
  const AlgebraVal &fragment = operands[1];
  if (fragment.layout.isComposed())
    arith.fail("a retiled fragment needs a plain layout, found " +
               fragment.layout.str());
  results.push_back(arith.failed()
                        ? fragment
                        : fragment.withLayout(algebra::copyRetile(
                              arith, copy, fragment.layout.linear())));
}

/// The operand that an inherent attribute names; a bare call of inference may
/// lack it.
static algebra::MmaOperand operandOf(Arith &arith, MmaOperandAttr attribute) {
  if (attribute)
    return toLayoutOperand(attribute.getValue());
  arith.fail("expected the attribute 'operand_id'");
  return algebra::MmaOperand::A;
}

void TiledMmaPartitionOp::evaluateWith(Evaluator &evaluator,
                                       AlgebraVals operands,
                                       const Properties &properties,
                                       AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  auto type = cast<TiledMmaType>(operands[0].type);
  algebra::TiledMmaLayouts mma = type.getLayouts(arith);
  algebra::MmaOperand operand = operandOf(arith, properties.operand_id);
  const AlgebraVal &tensor = operands[1];
  algebra::Partition part;
  if (!arith.failed())
    part = algebra::mmaPartition(arith, mma, operand, tensor.layout.linear(),
                                 operands[2].tuple);
  results.push_back(partitioned(evaluator, tensor, part));
}

void TiledMmaPartitionShapeOp::evaluateWith(Evaluator &evaluator,
                                            AlgebraVals operands,
                                            const Properties &properties,
                                            AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  auto type = cast<TiledMmaType>(operands[0].type);
  algebra::TiledMmaLayouts mma = type.getLayouts(arith);
  algebra::MmaOperand operand = operandOf(arith, properties.operand_id);
  IntTuple shape = operands[1].tuple;
  if (!arith.failed())
    shape = algebra::mmaPartitionShape(arith, mma, operand, shape);
  results.push_back(AlgebraVal::ofTuple(std::move(shape)));
}

void MmaMakeFragmentOp::evaluateWith(Evaluator &evaluator, AlgebraVals operands,
                                     const Properties &properties,
                                     AlgebraResults &results) {
  Arith &arith = evaluator.arith;
  auto type = cast<TiledMmaType>(operands[0].type);
  algebra::TiledMmaLayouts mma = type.getLayouts(arith);
  algebra::MmaOperand operand = operandOf(arith, properties.operand_id);
  std::optional<int32_t> stages;
  if (properties.stages)
    stages = properties.stages.getInt();
  if (arith.failed()) {
    results.emplace_back();
    return;
  }
  Layout fragment = algebra::mmaFragment(arith, mma, operand,
                                         operands[1].layout.linear(), stages);
  Type element = cast<MmaAtomType>(type.getMmaAtom())
                     .getValueType(properties.operand_id.getValue());
  results.push_back(registerFragment(evaluator, element, fragment));
}

} // namespace mlir::fly
