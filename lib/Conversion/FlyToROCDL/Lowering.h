// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of convert-fly-to-rocdl. One pass over the IR in dominance order:
// each fly value gets a converted value, ops that merely carry fly values
// (functions, calls, loops, branches, selects) carry the converted ones, and
// the fly ops are erased at the end. Linear in the number of ops.
//
//   visit(fly.add_offset)  creates llvm.getelementptr, remembers it as the
//   value visit(scf.for)         is made again with !llvm.ptr instead of
//   !fly.ptr

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_LOWERING_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_LOWERING_H

#include "Emission.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/KnownRanges.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::fly {

/// The LDS globals of one gpu.module.
class SharedMemory {
public:
  explicit SharedMemory(gpu::GPUModuleOp module);
  /// A new global of its own.
  LLVM::GlobalOp allocate(Location loc, int64_t bytes, int64_t alignment);
  /// The one global without a size, at its end.
  LLVM::GlobalOp dynamic(Location loc);

private:
  LLVM::GlobalOp create(Location loc, StringRef prefix, unsigned &next,
                        int64_t bytes, int64_t alignment);

  gpu::GPUModuleOp module;
  llvm::StringSet<> names;
  unsigned nextShared = 0, nextDynamic = 0;
  LLVM::GlobalOp dynamicGlobal;
};

class Lowering {
public:
  /// `chip` is the option's processor, or null.
  Lowering(Operation *root, const ::fly::amdgpu::Chip *chip)
      : root(root), optionChip(chip), builder(root->getContext()) {}

  LogicalResult run();

private:
  // --- The walk (Lowering.cpp) ---
  LogicalResult visitRegion(Region &region);
  LogicalResult visitBlock(Block &block);
  LogicalResult visit(Operation *op);
  /// An op of another dialect: converted operands, results and signature.
  LogicalResult carry(Operation *op);
  LogicalResult convertSignature(Operation *op);
  /// Erases what was lowered; reports what was not.
  LogicalResult finish();

  /// The converted value of a fly value; a diagnostic when there is none yet.
  FailureOr<Value> lookup(Operation *user, Value value);
  /// As lookup, with a value also for atoms that have no state.
  FailureOr<Value> lookupCarried(Operation *user, Value value);
  /// A null `converted` is the value of an atom without state.
  void define(Value value, Value converted) { values[value] = converted; }
  void lowered(Operation *op) { done.push_back({op, true}); }

  // --- Pointers and memory (PointerOps.cpp, Allocations.cpp) ---
  LogicalResult lowerPointerOp(Operation *op);
  LogicalResult lower(MakePtrOp op);
  LogicalResult lower(GetDynSharedOp op);
  LogicalResult lower(IntToPtrOp op);
  LogicalResult lower(PtrToIntOp op);
  LogicalResult lower(ToLLVMPtrOp op);
  LogicalResult lower(AddOffsetOp op);
  LogicalResult lower(ApplySwizzleOp op);
  LogicalResult lower(RecastIterOp op);
  LogicalResult lower(MakeViewOp op);
  LogicalResult lower(PtrLoadOp op);
  LogicalResult lower(PtrStoreOp op);
  LogicalResult lower(ExtractAlignedPointerAsIndexOp op);
  LogicalResult lower(fly_rocdl::GetBufferRsrcOp op);
  LogicalResult makeRegisters(MakePtrOp op);
  LogicalResult makeShared(MakePtrOp op);
  LogicalResult makeBuffer(MakePtrOp op);
  /// The offset of an add_offset: a known number, or a value of i32 or i64.
  FailureOr<std::pair<int64_t, Value>> offsetOf(AddOffsetOp op);
  /// `pointer` moved by elements of `bits` bits (`element` in memory), when
  /// the offset is known to be never negative and below 2^32 bytes.
  std::optional<Value> unsignedOffset(Location loc, Value pointer, Type element,
                                      int64_t bits, Value amount);
  /// The LDS of the gpu.module around `op`; a diagnostic when there is none.
  FailureOr<SharedMemory *> sharedMemoryOf(Operation *op);
  Value packed(Location loc, FatPointer pointer);
  /// A swizzle on shared memory reads address bits: the allocation that the
  /// pointer comes from must be aligned to its period.
  void alignAllocation(PointerType type, Value pointer);

  // --- Atoms (AtomOps.cpp) ---
  LogicalResult lowerAtomOp(Operation *op);
  LogicalResult lower(AtomSetValueOp op);
  LogicalResult lower(CopyAtomCallOp op);
  LogicalResult lower(CopyAtomCallSSAOp op);
  LogicalResult lower(MmaAtomCallOp op);
  LogicalResult lower(MmaAtomCallSSAOp op);
  LogicalResult makeAtom(Operation *op, Type opType);
  LogicalResult checkChips(Operation *op, Type opType);
  /// The buffer tensor of a copy that need not branch: where the predicate is
  /// false its pointer is out of the buffer's range, so that loads answer zero
  /// and stores do nothing. Null when that is not known.
  Value maskedBuffer(Operation *op, CopyAtomType atom, Value state,
                     MemRefType type, Value pointer, Value predicate);
  /// The i1 of a predicate memref of one element.
  FailureOr<Value> loadPredicate(Operation *op, MemRefType type, Value pointer);
  /// The processors that the code around `op` is for; none when unknown.
  ArrayRef<const ::fly::amdgpu::Chip *> chipsOf(Operation *op);

  Operation *root;
  const ::fly::amdgpu::Chip *optionChip;
  OpBuilder builder;
  KnownRanges ranges;
  llvm::DenseMap<Value, Value> values;
  /// Fly ops in order of visit, and whether they were lowered.
  SmallVector<std::pair<Operation *, bool>> done;
  SmallVector<BlockArgument> oldArguments;
  /// Struct building that nobody may need in the end.
  SmallVector<Value> packs;
  llvm::DenseMap<Operation *, std::unique_ptr<SharedMemory>> sharedMemories;
  /// Addresses of LDS globals.
  llvm::DenseMap<Value, LLVM::GlobalOp> allocations;
  llvm::DenseMap<Operation *, SmallVector<const ::fly::amdgpu::Chip *>> chips;
};

/// Extends the integers of `op` that are narrower than its format reads them.
void widenPrinted(OpBuilder &builder, gpu::PrintfOp op);

} // namespace mlir::fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_LOWERING_H
