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

using namespace mlir;

namespace {

/// Ops are equal when they compute the same of the same operands.
struct SameComputation : public llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(const Operation *op) {
    return OperationEquivalence::computeHash(
        const_cast<Operation *>(op), OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
  }
  static bool isEqual(const Operation *left, const Operation *right) {
    if (left == right)
      return true;
    for (const Operation *op : {left, right})
      if (op == getEmptyKey() || op == getTombstoneKey())
        return false;
    return OperationEquivalence::isEquivalentTo(
        const_cast<Operation *>(left), const_cast<Operation *>(right),
        OperationEquivalence::IgnoreLocations);
  }
};

using InSight =
    llvm::ScopedHashTable<Operation *, Operation *, SameComputation>;

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
      Operation *first = inSight.lookup(&op);
      if (!first) {
        inSight.insert(&op, &op);
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
