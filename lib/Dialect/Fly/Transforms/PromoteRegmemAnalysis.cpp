// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts that promotion needs, in two steps.
//
// Collect: every use of every register array is followed once, through moves
// by known offsets. The array is promoted when all of its uses are understood;
// one use that is not keeps the whole array in memory, so that no use of a
// promoted array is ever left over.
//
//   make_ptr{allocSize = 8}  <- add_offset 4  <- ptr.load vector<4xf32>   [4,8)
//   make_ptr{allocSize = 8}  <- add_offset ?  <- ptr.load f32       stays
//
// Split: when the smallest accesses are disjoint and every other access is
// tiled by them, each of them becomes an array of its own, so that a loop
// carries sixteen vectors of 4 and not one of 64.
//
// Flow: a bottom-up walk finds, for each region and array, the elements that
// are read before they are written and those that are surely written; a
// top-down walk then finds which elements are read later. Loops need no
// iteration to a fix-point: the transfer functions are x -> read | (x &
// ~written).

#include "PromoteRegmem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fly;

/// A vector of more elements is not a value that anyone wants in registers.
static constexpr int64_t maxElements = 1 << 14;

Type mlir::fly::registerElementType(Type type) {
  if (auto narrow = dyn_cast<FloatType>(type))
    if (narrow.getWidth() < 16)
      return IntegerType::get(type.getContext(), narrow.getWidth());
  return type;
}

RegionForm mlir::fly::regionForm(Operation *op) {
  return llvm::TypeSwitch<Operation *, RegionForm>(op)
      .Case<scf::IfOp, scf::IndexSwitchOp>(
          [](auto) { return RegionForm::Choice; })
      .Case([](scf::ExecuteRegionOp) { return RegionForm::Once; })
      .Case([](scf::ForOp) { return RegionForm::For; })
      .Case([](scf::WhileOp) { return RegionForm::While; })
      .Default([](Operation *) { return RegionForm::Unknown; });
}

void ElementFlow::then(const ElementFlow &next) {
  llvm::BitVector exposed = next.read;
  exposed.reset(written);
  read |= exposed;
  written |= next.written;
}

//===----------------------------------------------------------------------===//
// Collect
//===----------------------------------------------------------------------===//

/// Why an array stays in memory, and where; or that the IR is wrong.
struct RegisterFacts::Refusal {
  Operation *where;
  std::string why;
  bool isError = false;
};

struct RegisterFacts::Candidate {
  /// [offset, offset + count) of the array, and the region ops between its
  /// accesses and the allocation: stored inside?
  struct Granule {
    int64_t offset, count;
    llvm::MapVector<Operation *, bool> crossed;
  };

  RegisterArray array;
  SmallVector<std::pair<Operation *, RegisterAccess>> accesses;
  SmallVector<std::pair<Value, int64_t>> worklist;
  std::vector<Granule> granules; // by offset

  void split(bool allowed);
  /// The granules of an access: first, and how many.
  std::pair<unsigned, unsigned> granulesOf(const RegisterAccess &access) const;
};

/// Marks the region ops around an access; each is visited once for a load and
/// once for a store.
std::optional<RegisterFacts::Refusal> RegisterFacts::climb(Candidate &candidate,
                                                           Operation *access) {
  bool stores = isa<PtrStoreOp>(access);
  Block *home = candidate.array.op->getBlock();
  Block *block = access->getBlock();
  while (block->getParent() != home->getParent()) {
    Operation *parent = block->getParentOp();
    if (stores && !block->getParent()->hasOneBlock())
      return Refusal{access, "is stored to in a region of several blocks"};
    if (stores && regionForm(parent) == RegionForm::Unknown)
      return Refusal{access, ("is stored to inside '" +
                              parent->getName().getStringRef() + "'")
                                 .str()};
    auto [slot, isNew] = crossed.insert({parent, stores});
    if (!isNew && (slot->second || !stores))
      return std::nullopt;
    slot->second |= stores;
    block = parent->getBlock();
  }
  if (block != home)
    return Refusal{access, "is used in another block"};
  return std::nullopt;
}

std::optional<RegisterFacts::Refusal>
RegisterFacts::examineAccess(Candidate &candidate, Operation *access, Type type,
                             int64_t offset) {
  RegisterArray &array = candidate.array;
  auto vector = dyn_cast<VectorType>(type);
  Type element = vector ? vector.getElementType() : type;
  bool isPlain = !vector || (vector.getRank() == 1 && !vector.isScalable());
  int64_t length = vector && isPlain ? vector.getNumElements() : 1;
  unsigned slotBits = array.stateType.getElementTypeBitWidth();
  if (!isPlain || !element.isIntOrFloat())
    return Refusal{access, "is accessed as a value of another kind"};
  // The same bits as other elements, as long as memory would pack them alike.
  unsigned bits = element.getIntOrFloatBitWidth();
  int64_t count = length;
  if (bits != slotBits && length <= maxElements * 64) {
    if (bits % 8 || slotBits % 8 || (length * bits) % slotBits)
      return Refusal{access, "is accessed in elements of another width"};
    count = length * bits / slotBits;
  }
  if (offset < 0 || offset > array.size || count > array.size - offset)
    return Refusal{access,
                   (Twine("accesses elements ") + Twine(offset) + " to " +
                    Twine(offset + count - 1) + " of a register array of " +
                    Twine(array.size))
                       .str(),
                   /*isError=*/true};
  candidate.accesses.push_back({access, {0, 1, offset, count}});
  return std::nullopt;
}

std::optional<RegisterFacts::Refusal>
RegisterFacts::examineUse(Candidate &candidate, OpOperand &use,
                          int64_t offset) {
  Operation *user = use.getOwner();
  if (auto move = dyn_cast<AddOffsetOp>(user);
      move && use.getOperandNumber() == 0) {
    auto type = dyn_cast<IntTupleType>(move->getOperand(1).getType());
    if (!type || !type.getTuple().isInt())
      return Refusal{user, "is moved by something that is no integer"};
    if (!type.getTuple().isStatic())
      return Refusal{user, "is moved by an offset known only at run time"};
    int64_t moved;
    if (llvm::AddOverflow(offset, type.getTuple().leaf().value(), moved))
      return Refusal{user, "is moved out of range"};
    candidate.array.pointers.push_back(user);
    candidate.worklist.push_back({move->getResult(0), moved});
    return std::nullopt;
  }
  if (auto load = dyn_cast<PtrLoadOp>(user))
    return examineAccess(candidate, user, load->getResult(0).getType(), offset);
  if (isa<PtrStoreOp>(user) && use.getOperandNumber() == 1)
    return examineAccess(candidate, user, user->getOperand(0).getType(),
                         offset);
  if (user->use_empty() && isMemoryEffectFree(user) &&
      user->getNumRegions() == 0 && !user->hasTrait<OpTrait::IsTerminator>()) {
    candidate.array.pointers.push_back(user);
    return std::nullopt;
  }
  if (isa<MakeViewOp>(user))
    user = *user->getUsers().begin();
  return Refusal{user,
                 ("is used by '" + user->getName().getStringRef() + "'").str()};
}

std::optional<RegisterFacts::Refusal>
RegisterFacts::examine(Candidate &candidate) {
  candidate.worklist.push_back({candidate.array.op->getResult(0), 0});
  while (!candidate.worklist.empty()) {
    auto [pointer, offset] = candidate.worklist.pop_back_val();
    auto type = dyn_cast<PointerType>(pointer.getType());
    if (!type || !type.getSwizzle().isTrivial())
      return Refusal{pointer.getDefiningOp(), "has a swizzled address"};
    for (OpOperand &use : pointer.getUses())
      if (std::optional<Refusal> refusal = examineUse(candidate, use, offset))
        return refusal;
  }
  return std::nullopt;
}

/// Makes the granules of a candidate arrays of their own.
void RegisterFacts::commit(Candidate &candidate) {
  unsigned base = arrays.size();
  arraysOf[candidate.array.op] = {base, candidate.granules.size()};
  for (auto &[op, access] : candidate.accesses) {
    auto [first, count] = candidate.granulesOf(access);
    RegisterAccess place = access;
    place.array = base + first;
    place.granules = count;
    place.offset -= candidate.granules[first].offset;
    accesses[op] = place;
  }
  Type element = candidate.array.stateType.getElementType();
  for (Candidate::Granule &granule : candidate.granules) {
    RegisterArray array;
    array.op = candidate.array.op;
    array.size = granule.count;
    array.stateType = VectorType::get({granule.count}, element);
    if (arrays.size() == base)
      array.pointers = std::move(candidate.array.pointers);
    for (auto &[regionOp, stored] : granule.crossed) {
      TouchedArray entry;
      entry.array = arrays.size();
      entry.stored = stored;
      touched[regionOp].push_back(std::move(entry));
    }
    arrays.push_back(std::move(array));
  }
}

LogicalResult RegisterFacts::collect(FunctionOpInterface function,
                                     Options options) {
  SmallVector<MakePtrOp> allocations;
  function->walk<WalkOrder::PreOrder>([&](MakePtrOp op) {
    auto type = dyn_cast<PointerType>(op->getResult(0).getType());
    if (type && type.isInSpace(AddressSpace::Register))
      allocations.push_back(op);
  });
  bool failed = false;
  for (MakePtrOp op : allocations) {
    Candidate candidate;
    RegisterArray &array = candidate.array;
    array.op = op;
    std::optional<Refusal> refusal;
    auto attributes = op->getAttrOfType<DictionaryAttr>("dictAttrs");
    auto size =
        attributes ? attributes.getAs<IntegerAttr>("allocSize") : IntegerAttr();
    if (!size || size.getValue().getSignificantBits() > 64 ||
        size.getValue().getSExtValue() <= 0) {
      refusal = Refusal{op, "has no positive 'allocSize'"};
    } else if (size.getValue().getSExtValue() > maxElements) {
      refusal = Refusal{op, "has more than " + std::to_string(maxElements) +
                                " elements"};
    } else {
      auto pointer = cast<PointerType>(op->getResult(0).getType());
      array.size = size.getValue().getSExtValue();
      array.stateType = VectorType::get(
          {array.size}, registerElementType(pointer.getElemTy()));
      refusal = examine(candidate);
    }
    if (!refusal)
      candidate.split(options.split);
    for (auto &[access, place] : candidate.accesses) {
      if (refusal)
        break;
      auto [first, count] = candidate.granulesOf(place);
      for (unsigned i = first; i < first + count && !refusal; ++i)
        refusal = climb(candidate, i, access);
    }
    if (refusal && refusal->isError) {
      refusal->where->emitOpError(refusal->why).attachNote(op->getLoc())
          << "the array is allocated here";
      failed = true;
      continue;
    }
    if (refusal) {
      if (options.report)
        op->emitRemark("register array stays in memory: it " + refusal->why)
                .attachNote(refusal->where->getLoc())
            << "here";
      continue;
    }
    commit(candidate);
  }
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Flow
//===----------------------------------------------------------------------===//

/// The flow of a whole region op, from that of its regions.
ElementFlow RegisterFacts::forwardOp(Operation *op,
                                     const TouchedArray &array) const {
  ElementFlow result = array.flow.front();
  switch (regionForm(op)) {
  case RegionForm::Once:
    return result;
  case RegionForm::Choice:
    for (const ElementFlow &other : llvm::drop_begin(array.flow)) {
      result.read |= other.read;
      result.written &= other.written;
    }
    return result;
  case RegionForm::While:
    result.then(array.flow[1]);
    result.written = array.flow[0].written;
    return result;
  case RegionForm::For:
  case RegionForm::Unknown:
    for (const ElementFlow &other : llvm::drop_begin(array.flow))
      result.read |= other.read;
    result.written.reset();
    return result;
  }
  llvm_unreachable("unknown form of a region op");
}

void RegisterFacts::forEachGranule(
    const RegisterAccess &access,
    llvm::function_ref<void(unsigned, int64_t, int64_t)> visit) const {
  if (access.granules == 1)
    return visit(access.array, access.offset, access.offset + access.count);
  for (unsigned i = access.array; i < access.array + access.granules; ++i)
    visit(i, 0, arrays[i].size);
}

void RegisterFacts::forward(Block &block, FlowMap &flow) {
  auto entry = [&](unsigned array) -> ElementFlow & {
    auto [slot, isNew] = flow.try_emplace(array);
    if (isNew)
      slot->second = {emptySet(array), emptySet(array)};
    return slot->second;
  };
  for (Operation &op : block) {
    if (isa<PtrLoadOp, PtrStoreOp>(op)) {
      auto access = accesses.find(&op);
      if (access == accesses.end())
        continue;
      forEachGranule(access->second,
                     [&](unsigned array, int64_t begin, int64_t end) {
                       ElementFlow &sofar = entry(array);
                       if (isa<PtrStoreOp>(op)) {
                         sofar.written.set(begin, end);
                         return;
                       }
                       for (int64_t i = begin; i < end; ++i)
                         if (!sofar.written.test(i))
                           sofar.read.set(i);
                     });
      continue;
    }
    if (op.getNumRegions() == 0)
      continue;
    auto slot = touched.find(&op);
    for (Region &region : op.getRegions()) {
      FlowMap inside;
      for (Block &nested : region) {
        // Several blocks: only reads cross them, in no order that is known.
        FlowMap one;
        forward(nested, one);
        for (auto &[array, part] : one) {
          auto [place, isNew] = inside.try_emplace(array, part);
          if (!isNew) {
            place->second.read |= part.read;
            place->second.written &= part.written;
          }
        }
      }
      if (slot == touched.end())
        continue;
      for (TouchedArray &array : slot->second) {
        auto part = inside.find(array.array);
        array.flow.push_back(
            part != inside.end()
                ? part->second
                : ElementFlow{emptySet(array.array), emptySet(array.array)});
      }
    }
    if (slot == touched.end())
      continue;
    for (TouchedArray &array : slot->second)
      entry(array.array).then(forwardOp(&op, array));
  }
}

/// What is read of a state at the start of something with this flow, when
/// `after` is read of it at the end.
static llvm::BitVector readBefore(const ElementFlow &flow,
                                  llvm::BitVector after) {
  after.reset(flow.written);
  after |= flow.read;
  return after;
}

void RegisterFacts::backwardOp(Operation *op, LiveMap &live) {
  auto slot = touched.find(op);
  unsigned numRegions = op->getNumRegions();
  SmallVector<LiveMap, 2> liveOut(numRegions);
  if (slot != touched.end()) {
    for (TouchedArray &array : slot->second) {
      llvm::BitVector &current =
          live.try_emplace(array.array, emptySet(array.array)).first->second;
      llvm::BitVector after = current;
      SmallVector<llvm::BitVector, 2> out(numRegions, after);
      switch (regionForm(op)) {
      case RegionForm::Choice:
      case RegionForm::Once:
      case RegionForm::Unknown:
        break;
      case RegionForm::For:
        out[0] |= array.flow[0].read;
        break;
      case RegionForm::While: {
        // before -> after -> before: twice round reaches the fix-point.
        llvm::BitVector head = readBefore(array.flow[0], after);
        for (int round = 0; round < 2; ++round) {
          out[1] = head;
          out[0] = after;
          out[0] |= readBefore(array.flow[1], out[1]);
          head = readBefore(array.flow[0], out[0]);
        }
        break;
      }
      }
      bool anyStart = false;
      for (unsigned region = 0; region < numRegions; ++region) {
        bool read = readBefore(array.flow[region], out[region]).any();
        array.startRead.push_back(read);
        anyStart |= read;
        liveOut[region].try_emplace(array.array, std::move(out[region]));
      }
      bool isLoop = regionForm(op) == RegionForm::For ||
                    regionForm(op) == RegionForm::While;
      array.carried = array.stored && (after.any() || (isLoop && anyStart));
      array.initUnread =
          regionForm(op) == RegionForm::While && !array.startRead.front();
      current = readBefore(forwardOp(op, array), std::move(after));
    }
  }
  for (auto [region, out] : llvm::zip_equal(op->getRegions(), liveOut)) {
    for (Block &nested : region) {
      LiveMap inside = out;
      backward(nested, inside);
    }
  }
}

void RegisterFacts::backward(Block &block, LiveMap &live) {
  for (Operation &op : llvm::reverse(block)) {
    if (op.getNumRegions()) {
      backwardOp(&op, live);
      continue;
    }
    if (!isa<PtrLoadOp, PtrStoreOp>(op))
      continue;
    auto access = accesses.find(&op);
    if (access == accesses.end())
      continue;
    forEachGranule(access->second,
                   [&](unsigned array, int64_t begin, int64_t end) {
                     llvm::BitVector &current =
                         live.try_emplace(array, emptySet(array)).first->second;
                     if (isa<PtrLoadOp>(op))
                       current.set(begin, end);
                     else
                       current.reset(begin, end);
                   });
  }
}

void RegisterFacts::computeFlow(FunctionOpInterface function) {
  for (Block &block : function.getFunctionBody()) {
    FlowMap flow;
    forward(block, flow);
    LiveMap live;
    backward(block, live);
  }
}
