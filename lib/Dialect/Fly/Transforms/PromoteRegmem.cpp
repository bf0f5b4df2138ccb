// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-promote-regmem-to-vectorssa`: register arrays in, vectors in SSA form
// out. The function is rewritten in place by one forward walk that keeps the
// current vector of every array; region ops get operands, arguments and
// results for the arrays that PromoteRegmem.h says they carry, appended in the
// order of allocation. Arrays with a use that is not understood stay in memory.
//
// An array whose accesses agree on a partition becomes one vector a granule.
//
//   fly.ptr.store(%v, %p)      %s = vector.insert_strided_slice %v, %cur
//   %w = fly.ptr.load(%p)      %w = vector.extract_strided_slice %s
//
// Law: every load gives what a load from memory would have given; a load of
// elements that nothing has stored gives poison.

#include "PromoteRegmem.h"
#include "CleanUp.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYPROMOTEREGMEMTOVECTORSSA
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;

namespace {

/// Rewrites one function by the facts about it.
class Promotion {
public:
  Promotion(RegisterFacts &facts, bool zeroFill)
      : facts(facts), zeroFill(zeroFill), current(facts.arrays.size()) {}
  void run(FunctionOpInterface function);

private:
  void rewriteBlock(Block &block);
  void rewriteRegionOp(Operation *op);
  void enterRegion(Operation *op, unsigned index, ArrayRef<TouchedArray> all,
                   ArrayRef<Value> outer);
  void addMissingElse(scf::IfOp op);
  void load(PtrLoadOp op, const RegisterAccess &access);
  void store(PtrStoreOp op, const RegisterAccess &access);
  Value poison(OpBuilder &builder, Location loc, unsigned array) {
    return ub::PoisonOp::create(builder, loc, facts.arrays[array].stateType);
  }

  /// What an array holds before anything is stored.
  Value initial(OpBuilder &builder, Location loc, unsigned array);

  RegisterFacts &facts;
  bool zeroFill;
  /// The state of each array at the point that the walk has reached.
  SmallVector<Value> current;
};

} // namespace

Value Promotion::initial(OpBuilder &builder, Location loc, unsigned array) {
  if (!zeroFill)
    return poison(builder, loc, array);
  VectorType type = facts.arrays[array].stateType;
  return arith::ConstantOp::create(builder, loc,
                                   cast<TypedAttr>(builder.getZeroAttr(type)));
}

static VectorType vectorOf(int64_t length, Type element) {
  return VectorType::get({length}, element);
}

/// Elements [offset, offset + count) of a state.
static Value slice(OpBuilder &builder, Location loc, Value state,
                   int64_t offset, int64_t count) {
  return vector::ExtractStridedSliceOp::create(
      builder, loc, state, ArrayRef<int64_t>{offset}, ArrayRef<int64_t>{count},
      ArrayRef<int64_t>{1});
}

/// The state with a vector in place of its elements from `offset` on.
static Value overwrite(OpBuilder &builder, Location loc, Value piece,
                       Value state, int64_t offset) {
  return vector::InsertStridedSliceOp::create(builder, loc, piece, state,
                                              ArrayRef<int64_t>{offset},
                                              ArrayRef<int64_t>{1});
}

void Promotion::load(PtrLoadOp op, const RegisterAccess &access) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value state = current[access.array];
  Type slot = cast<VectorType>(state.getType()).getElementType();
  Type wanted = op->getResult(0).getType();
  Value value;
  if (access.granules > 1) {
    value = ub::PoisonOp::create(builder, loc, vectorOf(access.count, slot));
    int64_t offset = 0;
    for (unsigned i = 0; i < access.granules; ++i) {
      Value part = current[access.array + i];
      value = overwrite(builder, loc, part, value, offset);
      offset += facts.arrays[access.array + i].size;
    }
  } else if (wanted == slot) {
    value = vector::ExtractOp::create(builder, loc, state, access.offset);
  } else {
    value = slice(builder, loc, state, access.offset, access.count);
  }
  // The same bits as another type.
  if (value.getType() != wanted) {
    bool isScalar = !isa<VectorType>(wanted);
    Type wantedVector = isScalar ? vectorOf(1, wanted) : wanted;
    if (value.getType() != wantedVector)
      value = vector::BitCastOp::create(builder, loc, wantedVector, value);
    if (isScalar)
      value = vector::ExtractOp::create(builder, loc, value, int64_t(0));
  }
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

void Promotion::store(PtrStoreOp op, const RegisterAccess &access) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value &state = current[access.array];
  Type slot = cast<VectorType>(state.getType()).getElementType();
  Value value = op->getOperand(0);
  builder.setInsertionPointAfter(op);
  op->erase();
  if (value.getType() == slot) {
    state = vector::InsertOp::create(builder, loc, value, state, access.offset);
    return;
  }
  if (!isa<VectorType>(value.getType()))
    value = vector::BroadcastOp::create(builder, loc,
                                        vectorOf(1, value.getType()), value);
  Type whole = vectorOf(access.count, slot);
  if (value.getType() != whole)
    value = vector::BitCastOp::create(builder, loc, whole, value);
  if (access.granules == 1) {
    state = overwrite(builder, loc, value, state, access.offset);
    return;
  }
  int64_t offset = 0;
  for (unsigned i = 0; i < access.granules; ++i) {
    int64_t size = facts.arrays[access.array + i].size;
    current[access.array + i] = slice(builder, loc, value, offset, size);
    offset += size;
  }
}

/// The same op, properties and attributes with it, with more operands and
/// results; its regions move over.
static Operation *extend(Operation *op, ValueRange operands,
                         TypeRange results) {
  SmallVector<Value> allOperands(op->getOperands());
  llvm::append_range(allOperands, operands);
  SmallVector<Type> allResults(op->getResultTypes());
  llvm::append_range(allResults, results);
  Operation *extended = Operation::create(
      op->getLoc(), op->getName(), allResults, allOperands,
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      op->getSuccessors(), op->getNumRegions());
  OpBuilder(op).insert(extended);
  for (auto [to, from] :
       llvm::zip_equal(extended->getRegions(), op->getRegions()))
    to.takeBody(from);
  op->replaceAllUsesWith(
      extended->getResults().take_front(op->getNumResults()));
  op->erase();
  return extended;
}

void Promotion::addMissingElse(scf::IfOp op) {
  if (!op.getElseRegion().empty())
    return;
  OpBuilder builder(op.getContext());
  builder.createBlock(&op.getElseRegion());
  scf::YieldOp::create(builder, op.getLoc());
}

/// Sets the states with which a region starts.
void Promotion::enterRegion(Operation *op, unsigned index,
                            ArrayRef<TouchedArray> all, ArrayRef<Value> outer) {
  Block &entry = op->getRegion(index).front();
  bool isLoop = isa<scf::ForOp, scf::WhileOp>(op);
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  for (auto [array, state] : llvm::zip_equal(all, outer)) {
    if (!array.stored)
      continue; // whatever is read comes from outside
    Value start = state;
    if (isLoop && array.carried)
      start =
          entry.addArgument(facts.arrays[array.array].stateType, op->getLoc());
    // What is never read needs nothing of what was there before.
    if (!array.startRead[index])
      start = poison(builder, op->getLoc(), array.array);
    current[array.array] = start;
  }
}

void Promotion::rewriteRegionOp(Operation *op) {
  auto slot = facts.touched.find(op);
  if (slot == facts.touched.end()) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        rewriteBlock(block);
    return;
  }
  ArrayRef<TouchedArray> all = slot->second;
  bool carriesAny =
      llvm::any_of(all, [](const TouchedArray &a) { return a.carried; });
  if (auto branch = dyn_cast<scf::IfOp>(op); branch && carriesAny)
    addMissingElse(branch);
  SmallVector<Value> outer;
  for (const TouchedArray &array : all)
    outer.push_back(current[array.array]);
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    enterRegion(op, region.getRegionNumber(), all, outer);
    for (Block &block : region)
      rewriteBlock(block);
    SmallVector<Value> last;
    for (auto [array, state] : llvm::zip_equal(all, outer)) {
      if (array.carried)
        last.push_back(current[array.array]);
      current[array.array] = state;
    }
    if (!last.empty()) {
      Operation *terminator = region.back().getTerminator();
      terminator->insertOperands(terminator->getNumOperands(), last);
    }
  }
  if (!carriesAny)
    return;
  bool isLoop = isa<scf::ForOp, scf::WhileOp>(op);
  SmallVector<Value> inits;
  SmallVector<Type> types;
  OpBuilder builder(op);
  for (auto [array, state] : llvm::zip_equal(all, outer)) {
    if (!array.carried)
      continue;
    types.push_back(facts.arrays[array.array].stateType);
    if (isLoop)
      inits.push_back(array.initUnread
                          ? poison(builder, op->getLoc(), array.array)
                          : state);
  }
  Operation *extended = extend(op, inits, types);
  unsigned next = extended->getNumResults() - types.size();
  for (const TouchedArray &array : all)
    if (array.carried)
      current[array.array] = extended->getResult(next++);
}

void Promotion::rewriteBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (op.getNumRegions()) {
      rewriteRegionOp(&op);
    } else if (isa<MakePtrOp>(op)) {
      auto [first, count] = facts.arraysOf.lookup(&op);
      OpBuilder builder(&op);
      for (unsigned i = first; i < first + count; ++i)
        current[i] = initial(builder, op.getLoc(), i);
    } else if (isa<PtrLoadOp, PtrStoreOp>(op)) {
      auto access = facts.accesses.find(&op);
      if (access == facts.accesses.end())
        continue;
      if (auto read = dyn_cast<PtrLoadOp>(op))
        load(read, access->second);
      else
        store(cast<PtrStoreOp>(op), access->second);
    }
  }
}

void Promotion::run(FunctionOpInterface function) {
  for (Block &block : function.getFunctionBody())
    rewriteBlock(block);
  for (RegisterArray &array : facts.arrays) {
    for (Operation *pointer : llvm::reverse(array.pointers))
      pointer->erase();
  }
  for (auto &[op, place] : facts.arraysOf)
    op->erase();
}

namespace {
struct PromoteRegmemToVectorSSAPass
    : public mlir::fly::impl::FlyPromoteRegmemToVectorSSABase<
          PromoteRegmemToVectorSSAPass> {
  using FlyPromoteRegmemToVectorSSABase::FlyPromoteRegmemToVectorSSABase;

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> functions;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        functions.push_back(function);
    });
    for (FunctionOpInterface function : functions) {
      RegisterFacts facts;
      if (failed(facts.collect(function, {split, report}))) {
        signalPassFailure();
        continue;
      }
      if (facts.arrays.empty())
        continue;
      facts.computeFlow(function);
      Promotion(facts, zeroFill).run(function);
      cleanUp(function);
    }
  }
};
} // namespace
