// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of convert-fly-to-rocdl; see Lowering.h.

#include "Lowering.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::fly {

static bool isFlyOp(Operation *op) {
  return isa_and_present<FlyDialect, fly_rocdl::FlyROCDLDialect>(
      op->getDialect());
}

/// Ops that carry what only types and layout lowering look at.
static bool isCompileTimeOnly(Operation *op) {
  return isa<StaticOp, MakeIntTupleOp, MakeShapeOp, MakeStrideOp, MakeCoordOp,
             MakeLayoutOp, MakeComposedLayoutOp>(op);
}

LogicalResult Lowering::run() {
  if (failed(convertSignature(root)))
    return failure();
  for (Region &region : root->getRegions())
    if (failed(visitRegion(region)))
      return failure();
  return finish();
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

LogicalResult Lowering::visitRegion(Region &region) {
  if (region.empty())
    return success();
  if (region.hasOneBlock())
    return visitBlock(region.front());
  // Definitions before uses; blocks that are never reached come last.
  llvm::ReversePostOrderTraversal<Block *> traversal(&region.front());
  SmallVector<Block *> order(traversal.begin(), traversal.end());
  llvm::SmallPtrSet<Block *, 8> seen(order.begin(), order.end());
  for (Block &block : region)
    if (!seen.contains(&block))
      order.push_back(&block);
  for (Block *block : order)
    if (failed(visitBlock(*block)))
      return failure();
  return success();
}

LogicalResult Lowering::visitBlock(Block &block) {
  for (unsigned i = block.getNumArguments(); i-- > 0;) {
    BlockArgument old = block.getArgument(i);
    if (!isConvertible(old.getType()))
      continue;
    Type type = convertType(old.getType());
    if (!type)
      return emitError(old.getLoc())
             << "no address space of the target corresponds to that of "
             << old.getType();
    define(old, block.insertArgument(i + 1, type, old.getLoc()));
    oldArguments.push_back(old);
  }
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(visit(&op)))
      return failure();
  return success();
}

LogicalResult Lowering::visit(Operation *op) {
  if (!isFlyOp(op))
    return carry(op);
  builder.setInsertionPoint(op);
  if (isa<MakePtrOp, GetDynSharedOp, IntToPtrOp, PtrToIntOp, ToLLVMPtrOp,
          AddOffsetOp, ApplySwizzleOp, RecastIterOp, MakeViewOp, PtrLoadOp,
          PtrStoreOp, ExtractAlignedPointerAsIndexOp,
          fly_rocdl::GetBufferRsrcOp>(op))
    return lowerPointerOp(op);
  if (isa<MakeCopyAtomOp, MakeMmaAtomOp, MakeTiledCopyOp, MakeTiledMmaOp,
          AtomSetValueOp, CopyAtomCallOp, CopyAtomCallSSAOp, MmaAtomCallOp,
          MmaAtomCallSSAOp, StaticOp>(op))
    return lowerAtomOp(op);
  // Left for the end: it may turn out to be dead.
  done.push_back({op, false});
  return success();
}

//===----------------------------------------------------------------------===//
// Ops that carry fly values
//===----------------------------------------------------------------------===//

/// Every fly type inside converted; null when one cannot be.
static Type convertSignatureType(Type type) {
  return isConvertible(type) ? convertType(type) : type;
}

static LogicalResult convertTypes(Operation *op, TypeRange types,
                                  SmallVectorImpl<Type> &converted) {
  for (Type type : types) {
    Type result = convertSignatureType(type);
    if (!result)
      return op->emitOpError("no address space of the target corresponds to "
                             "that of ")
             << type;
    converted.push_back(result);
  }
  return success();
}

LogicalResult Lowering::convertSignature(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || (llvm::none_of(function.getArgumentTypes(), isConvertible) &&
                    llvm::none_of(function.getResultTypes(), isConvertible)))
    return success();
  SmallVector<Type> inputs, results;
  if (failed(convertTypes(op, function.getArgumentTypes(), inputs)) ||
      failed(convertTypes(op, function.getResultTypes(), results)))
    return failure();
  function.setType(function.cloneTypeWith(inputs, results));
  return success();
}

/// A cast between a fly value and what it becomes, as other tools leave it.
static bool isCast(Operation *op) {
  return isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1 &&
         op->getNumResults() == 1;
}

/// The largest part of a word, in bits, that parts of this many bits consist
/// of; 0 when they are no whole bytes.
static unsigned unitOf(ArrayRef<int64_t> bits) {
  for (unsigned unit : {32, 16, 8})
    if (llvm::all_of(bits, [&](int64_t b) { return b % unit == 0; }))
      return unit;
  return 0;
}

/// The width of the integers of a vector that are packed into bytes; 0 for
/// other vectors. Truth values have a register each.
static unsigned narrowBits(VectorType type) {
  if (type.getRank() != 1 || type.isScalable() ||
      !type.getElementType().isInteger())
    return 0;
  unsigned bits = type.getElementTypeBitWidth();
  return bits > 1 && bits < 8 ? bits : 0;
}

/// Slices of packed elements as slices of words: LLVM has no registers for
/// elements narrower than a byte and would take them apart in memory.
static bool sliceInWords(OpBuilder &builder, Operation *op) {
  auto insert = dyn_cast<vector::InsertStridedSliceOp>(op);
  auto extract = dyn_cast<vector::ExtractStridedSliceOp>(op);
  if (!insert && !extract)
    return false;
  VectorType whole =
      insert ? insert.getDestVectorType() : extract.getSourceVectorType();
  VectorType part = insert ? insert.getSourceVectorType() : extract.getType();
  int64_t bits = narrowBits(whole);
  if (!bits || part.getRank() != 1)
    return false;
  ArrayAttr offsets = insert ? insert.getOffsets() : extract.getOffsets();
  int64_t first = cast<IntegerAttr>(offsets[0]).getInt() * bits;
  int64_t partBits = part.getNumElements() * bits;
  int64_t wholeBits = whole.getNumElements() * bits;
  unsigned unit = unitOf({first, partBits, wholeBits});
  if (!unit)
    return false;
  builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  Type word = builder.getIntegerType(unit);
  auto inWords = [&](Value vector, int64_t size) -> Value {
    return vector::BitCastOp::create(
        builder, loc, VectorType::get({size / unit}, word), vector);
  };
  Value words;
  if (insert)
    words = vector::InsertStridedSliceOp::create(
        builder, loc, inWords(insert.getValueToStore(), partBits),
        inWords(insert.getDest(), wholeBits), ArrayRef<int64_t>{first / unit},
        ArrayRef<int64_t>{1});
  else
    words = vector::ExtractStridedSliceOp::create(
        builder, loc, inWords(extract.getSource(), wholeBits),
        ArrayRef<int64_t>{first / unit}, ArrayRef<int64_t>{partBits / unit},
        ArrayRef<int64_t>{1});
  Type type = op->getResult(0).getType();
  op->getResult(0).replaceAllUsesWith(
      vector::BitCastOp::create(builder, loc, type, words));
  op->erase();
  return true;
}

LogicalResult Lowering::carry(Operation *op) {
  if (auto printed = dyn_cast<gpu::PrintfOp>(op))
    widenPrinted(builder, printed);
  if (sliceInWords(builder, op))
    return success();
  if (failed(convertSignature(op)))
    return failure();
  if (isCast(op)) {
    Value from = op->getOperand(0), to = op->getResult(0);
    // The atom of a tiled copy or MMA that is made elsewhere.
    if (isConvertible(from.getType()) && isConvertible(to.getType()) &&
        convertType(from.getType()) == convertType(to.getType())) {
      FailureOr<Value> value = lookupCarried(op, from);
      if (failed(value))
        return failure();
      define(to, *value);
      lowered(op);
      return success();
    }
    if (isConvertible(to.getType()) &&
        convertType(to.getType()) == from.getType()) {
      define(to, from);
      lowered(op);
      return success();
    }
    if (isConvertible(from.getType()) &&
        convertType(from.getType()) == to.getType()) {
      FailureOr<Value> value = lookupCarried(op, from);
      if (failed(value))
        return failure();
      to.replaceAllUsesWith(*value);
      lowered(op);
      return success();
    }
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isConvertible(operand.get().getType()))
      continue;
    FailureOr<Value> value = lookupCarried(op, operand.get());
    if (failed(value))
      return failure();
    operand.set(*value);
  }
  Operation *current = op;
  if (llvm::any_of(op->getResultTypes(), isConvertible)) {
    SmallVector<Type> types;
    if (failed(convertTypes(op, op->getResultTypes(), types)))
      return failure();
    builder.setInsertionPoint(op);
    current = Operation::create(
        op->getLoc(), op->getName(), types, op->getOperands(),
        NamedAttrList(op->getDiscardableAttrDictionary()),
        op->getPropertiesStorage(), op->getSuccessors(), op->getNumRegions());
    builder.insert(current);
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), current->getRegions()))
      to.takeBody(from);
    for (auto [from, to] :
         llvm::zip_equal(op->getResults(), current->getResults())) {
      if (isConvertible(from.getType()))
        define(from, to);
      else
        from.replaceAllUsesWith(to);
    }
    lowered(op);
  }
  for (Region &region : current->getRegions())
    if (failed(visitRegion(region)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

FailureOr<Value> Lowering::lookup(Operation *user, Value value) {
  auto found = values.find(value);
  if (found != values.end())
    return found->second;
  InFlightDiagnostic error = user->emitOpError("takes a value of type ")
                             << value.getType()
                             << " that this pass does not lower";
  error.attachNote(value.getLoc()) << "it is defined here";
  return error;
}

FailureOr<Value> Lowering::lookupCarried(Operation *user, Value value) {
  FailureOr<Value> found = lookup(user, value);
  if (failed(found) || *found)
    return found;
  // The state of an atom without state.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(user);
  return Value(LLVM::PoisonOp::create(builder, user->getLoc(),
                                      convertType(value.getType())));
}

LogicalResult Lowering::finish() {
  for (auto [op, isLowered] : llvm::reverse(done)) {
    if (op->use_empty() && (isLowered || isPure(op))) {
      op->erase();
      continue;
    }
    if (isCompileTimeOnly(op))
      continue;
    return op->emitOpError("is no op of the last stage; layout lowering "
                           "comes before this pass");
  }
  for (BlockArgument argument : oldArguments) {
    assert(argument.use_empty() && "every user was visited");
    argument.getOwner()->eraseArgument(argument.getArgNumber());
  }
  for (Value pack : llvm::reverse(packs))
    if (pack.use_empty())
      pack.getDefiningOp()->erase();
  return success();
}

} // namespace mlir::fly
