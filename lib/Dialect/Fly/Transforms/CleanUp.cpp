// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two walks, see the header: forwards, with a table of the ops in sight that
// forgets a block's when it leaves the block; then backwards, so that an op
// goes after all that used it. What is unused from the start is never "the
// first in sight".

#include "CleanUp.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/ScopedHashTable.h"
#include "llvm/Support/RecyclingAllocator.h"

using namespace mlir;

namespace {

/// An op with its hash, which is computed once: a table that grows or meets
/// another op in its place does not go back to the ops, which left the caches
/// long ago.
struct Computation {
  explicit Computation(Operation *op)
      : op(op), hash(OperationEquivalence::computeHash(
                    op, OperationEquivalence::directHashValue,
                    OperationEquivalence::ignoreHashValue,
                    OperationEquivalence::IgnoreLocations)) {}
  Computation(Operation *key, unsigned hash) : op(key), hash(hash) {}

  Operation *op;
  unsigned hash;
};

/// Ops are equal when they compute the same of the same operands.
struct SameComputation {
  using Pointer = llvm::DenseMapInfo<Operation *>;
  static Computation getEmptyKey() { return {Pointer::getEmptyKey(), 0}; }
  static Computation getTombstoneKey() {
    return {Pointer::getTombstoneKey(), 0};
  }
  static unsigned getHashValue(const Computation &key) { return key.hash; }
  static bool isEqual(const Computation &left, const Computation &right) {
    if (left.op == right.op)
      return true;
    for (Operation *op : {left.op, right.op})
      if (op == Pointer::getEmptyKey() || op == Pointer::getTombstoneKey())
        return false;
    return left.hash == right.hash &&
           OperationEquivalence::isEquivalentTo(
               left.op, right.op, OperationEquivalence::IgnoreLocations);
  }
};

using Entry = llvm::ScopedHashTableVal<Computation, Operation *>;
using InSight = llvm::ScopedHashTable<
    Computation, Operation *, SameComputation,
    llvm::RecyclingAllocator<llvm::BumpPtrAllocator, Entry>>;

} // namespace

/// A value that may be computed elsewhere, or not at all.
static bool isFree(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() != 0 &&
         !op->hasTrait<OpTrait::IsTerminator>() && isMemoryEffectFree(op);
}

static void merge(Region &region, InSight &inSight);

static void mergeInside(Operation *op, InSight &inSight) {
  bool isIsolated = op->hasTrait<OpTrait::IsIsolatedFromAbove>();
  for (Region &region : op->getRegions()) {
    if (isIsolated) {
      InSight fresh;
      merge(region, fresh);
    } else {
      merge(region, inSight);
    }
  }
}

static void merge(Region &region, InSight &inSight) {
  for (Block &block : region) {
    InSight::ScopeTy scope(inSight);
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (op.getNumRegions()) {
        mergeInside(&op, inSight);
        continue;
      }
      if (!isFree(&op))
        continue;
      if (op.use_empty()) {
        op.erase();
        continue;
      }
      Computation computation(&op);
      Operation *first = inSight.lookup(computation);
      if (!first) {
        inSight.insert(computation, &op);
        continue;
      }
      op.replaceAllUsesWith(first->getResults());
      op.erase();
    }
  }
}

static void eraseUnused(Operation *parent) {
  for (Region &region : parent->getRegions()) {
    for (Block &block : llvm::reverse(region)) {
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
        if (op.getNumRegions())
          eraseUnused(&op);
        else if (op.use_empty() && isFree(&op))
          op.erase();
      }
    }
  }
}

void mlir::fly::cleanUp(Operation *op) {
  InSight inSight;
  mergeInside(op, inSight);
  eraseUnused(op);
}
