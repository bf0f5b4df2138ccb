// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which register arrays become vectors: every use of every register array is
// followed once, through moves by known offsets. The array is promoted when all
// of its uses are understood; one use that is not keeps the whole array in
// memory, so that no use of a promoted array is ever left over.
//
//   make_ptr{allocSize = 8}  <- add_offset 4  <- ptr.load vector<4xf32>   [4,8)
//   make_ptr{allocSize = 8}  <- add_offset ?  <- ptr.load f32       stays
//
// Split: when the smallest accesses are disjoint and every other access is
// tiled by them, each of them becomes an array of its own, so that a loop
// carries sixteen vectors of 4 and not one of 64.

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

/// One granule for everything, or those that the accesses agree on: at least
/// two, of whole registers.
void RegisterFacts::Candidate::split(bool allowed) {
  granules.clear();
  granules.push_back({0, array.size, {}});
  unsigned bits = array.stateType.getElementTypeBitWidth();
  if (!allowed)
    return;
  SmallVector<std::pair<int64_t, int64_t>> ranges; // (count, offset)
  for (auto &[op, access] : accesses)
    ranges.push_back({access.count, access.offset});
  llvm::sort(ranges);
  ranges.erase(llvm::unique(ranges), ranges.end());
  // Smallest first: a range is new, or tiled by those before it.
  constexpr int64_t none = -1;
  SmallVector<int64_t> endOf(array.size, none); // of the granule that starts
  llvm::BitVector owned(array.size);
  SmallVector<std::pair<int64_t, int64_t>> starts;
  for (auto [count, offset] : ranges) {
    int64_t end = offset + count;
    if (owned.find_first_in(offset, end) < 0) {
      if ((count * bits) % 32)
        return;
      owned.set(offset, end);
      endOf[offset] = end;
      starts.push_back({offset, count});
      continue;
    }
    int64_t at = offset;
    while (at < end && endOf[at] != none)
      at = endOf[at];
    if (at != end)
      return;
  }
  if (starts.size() < 2)
    return;
  llvm::sort(starts);
  granules.clear();
  for (auto [offset, count] : starts)
    granules.push_back({offset, count, {}});
}

std::pair<unsigned, unsigned>
RegisterFacts::Candidate::granulesOf(const RegisterAccess &access) const {
  auto isBefore = [](int64_t offset, const Granule &granule) {
    return offset < granule.offset;
  };
  auto first = llvm::upper_bound(granules, access.offset, isBefore) - 1;
  auto end =
      llvm::upper_bound(granules, access.offset + access.count - 1, isBefore);
  return {unsigned(first - granules.begin()), unsigned(end - first)};
}

/// Marks the region ops around an access; each is visited once for a load and
/// once for a store.
std::optional<RegisterFacts::Refusal> RegisterFacts::climb(Candidate &candidate,
                                                           unsigned granule,
                                                           Operation *access) {
  auto &crossed = candidate.granules[granule].crossed;
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
    auto type = cast<IntTupleType>(move->getOperand(1).getType());
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
  accesses.reserve(accesses.size() + candidate.accesses.size());
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
