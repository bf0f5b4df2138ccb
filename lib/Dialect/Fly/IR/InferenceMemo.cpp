// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memo of inference: keys and answers lie in arenas, found by hash. The
// table is cut in shards with a lock each, so that functions that are verified
// in parallel rarely wait for one another.

#include "fly/Dialect/Fly/IR/InferenceMemo.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/Allocator.h"
#include <mutex>
#include <shared_mutex>

using namespace mlir;
using namespace mlir::fly;

struct InferenceMemo::Shard {
  mutable std::shared_mutex mutex;
  llvm::BumpPtrAllocator arena;
  llvm::DenseMap<ArrayRef<const void *>, ArrayRef<Type>> answers;
  size_t insertions = 0;
};

struct InferenceMemo::CopyAtoms {
  mutable std::shared_mutex mutex;
  llvm::DenseMap<Type, std::shared_ptr<const ::fly::layout::CopyAtomLayouts>>
      layouts;
};

InferenceMemo::InferenceMemo()
    : shards(new Shard[numShards]), copyAtoms(new CopyAtoms) {}
InferenceMemo::~InferenceMemo() = default;

InferenceMemo::Shard &InferenceMemo::shardOf(ArrayRef<const void *> key) const {
  // The map's own hash uses the low bits.
  size_t hash = llvm::hash_combine_range(key.begin(), key.end());
  return shards[(hash >> 24) % numShards];
}

bool InferenceMemo::lookup(ArrayRef<const void *> key,
                           SmallVectorImpl<Type> &answer) {
  Shard &shard = shardOf(key);
  std::shared_lock<std::shared_mutex> lock(shard.mutex);
  auto found = shard.answers.find(key);
  if (found == shard.answers.end())
    return false;
  answer.append(found->second.begin(), found->second.end());
  return true;
}

void InferenceMemo::insert(ArrayRef<const void *> key, ArrayRef<Type> answer) {
  Shard &shard = shardOf(key);
  std::unique_lock<std::shared_mutex> lock(shard.mutex);
  ++shard.insertions;
  if (shard.answers.contains(key))
    return;
  shard.answers.try_emplace(key.copy(shard.arena), answer.copy(shard.arena));
}

std::shared_ptr<const ::fly::layout::CopyAtomLayouts>
InferenceMemo::lookupCopyAtom(Type atom) const {
  std::shared_lock<std::shared_mutex> lock(copyAtoms->mutex);
  return copyAtoms->layouts.lookup(atom);
}

void InferenceMemo::insertCopyAtom(Type atom,
                                   ::fly::layout::CopyAtomLayouts layouts) {
  auto kept = std::make_shared<const ::fly::layout::CopyAtomLayouts>(
      std::move(layouts));
  std::unique_lock<std::shared_mutex> lock(copyAtoms->mutex);
  copyAtoms->layouts.try_emplace(atom, std::move(kept));
}

size_t InferenceMemo::numAnswers() const {
  size_t sum = 0;
  for (unsigned i = 0; i != numShards; ++i) {
    std::shared_lock<std::shared_mutex> lock(shards[i].mutex);
    sum += shards[i].answers.size();
  }
  return sum;
}

size_t InferenceMemo::numEvaluations() const {
  size_t sum = 0;
  for (unsigned i = 0; i != numShards; ++i) {
    std::shared_lock<std::shared_mutex> lock(shards[i].mutex);
    sum += shards[i].insertions;
  }
  return sum;
}
