// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What result-type inference has answered in one context. Types and attributes
// are uniqued, so an op's kind, the types of its operands and its inherent
// attributes, as pointers, say all that an answer depends on: nothing computes
// the same static layout twice. Failures are not kept; they are reported anew.
//
//   (composition, (6,2):(8,2), (4,3):(3,1))  ->  ((2,2),3):((24,2),8)
//
// The dialect owns the one of its context. All functions may be called from
// several threads at once.

#ifndef FLY_DIALECT_FLY_IR_INFERENCEMEMO_H
#define FLY_DIALECT_FLY_IR_INFERENCEMEMO_H

#include "fly/Layout/Views.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace mlir::fly {

class InferenceMemo {
public:
  InferenceMemo();
  ~InferenceMemo();

  /// Appends the answer that `key` was inserted with; false when there is none.
  bool lookup(ArrayRef<const void *> key, SmallVectorImpl<Type> &answer);
  /// The first answer for a key stays.
  void insert(ArrayRef<const void *> key, ArrayRef<Type> answer);

  /// The (thread, value) layouts of a copy atom type; null before they are
  /// kept.
  std::shared_ptr<const ::fly::layout::CopyAtomLayouts>
  lookupCopyAtom(Type atom) const;
  void insertCopyAtom(Type atom, ::fly::layout::CopyAtomLayouts layouts);

  /// How many answers are kept. Each was evaluated at least once; from one
  /// thread exactly once.
  size_t numAnswers() const;
  /// Insertions so far, which count the evaluations that succeeded.
  size_t numEvaluations() const;

private:
  struct Shard;
  struct CopyAtoms;
  static constexpr unsigned numShards = 8;
  Shard &shardOf(ArrayRef<const void *> key) const;
  std::unique_ptr<Shard[]> shards;
  std::unique_ptr<CopyAtoms> copyAtoms;
};

} // namespace mlir::fly

#endif // FLY_DIALECT_FLY_IR_INFERENCEMEMO_H
