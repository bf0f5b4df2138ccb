// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic that creates `arith` ops: one op for each leaf operation on
// unknown numbers that does not fold. An operation that was computed before on
// the same operands, in a scope that is still open, is not computed again;
// constants stand once, at the top of the function.
//
// A sum of an unknown and a known number is kept as such and becomes an op only
// where its number is needed: so constants gather in one place, offsets at
// constant distances share what is unknown, and a swizzle is computed once for
// all distances that are multiples of its period.
//
// What is never negative is divided without a sign, and ops say `nsw` and `nuw`
// where the bounds of their operands prove it.
//
//   add(%a, 3) -> %c3 = arith.constant 3 : i32 ; arith.addi %a, %c3 : i32

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_IRARITH_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_IRARITH_H

#include "fly/Dialect/Fly/IR/KnownRanges.h"
#include "fly/Layout/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/ScopedHashTable.h"
#include "llvm/Support/RecyclingAllocator.h"
#include <optional>

namespace mlir::fly {

/// A scoped table whose entries lie beside each other.
template <typename Key, typename Value>
using ScopedTable = llvm::ScopedHashTable<
    Key, Value, llvm::DenseMapInfo<Key>,
    llvm::RecyclingAllocator<llvm::BumpPtrAllocator,
                             llvm::ScopedHashTableVal<Key, Value>>>;

class IRArith : public ::fly::layout::Arith {
public:
  /// What is memoised: an operation and its operands. An operand is a handle,
  /// or a known number (tagged).
  using Key = std::tuple<unsigned, int64_t, int64_t, int64_t, int64_t>;
  using Table = ScopedTable<Key, Value>;
  using Divisors = ScopedTable<uint32_t, int64_t>;
  using Dividends =
      ScopedTable<uint32_t, std::pair<::fly::layout::Int, int64_t>>;
  /// Open while a block is walked: what is created and what is promised in it
  /// holds for what follows in it and below it.
  class Scope {
  public:
    explicit Scope(IRArith &arith)
        : memo(arith.memo), divisors(arith.divisors),
          dividends(arith.dividends) {}

  private:
    Table::ScopeTy memo;
    Divisors::ScopeTy divisors;
    Dividends::ScopeTy dividends;
  };

  explicit IRArith(MLIRContext *context) : builder(context) {}

  /// The handle of an SSA integer (i32 or i64).
  uint32_t handleOf(Value value);
  /// The leaf that an SSA integer of type i32 or i64 stands for.
  ::fly::layout::Int leafOf(Value value, int64_t divisor);
  /// Whether two unknown numbers are known to be so small that 32 bits hold
  /// their sum.
  bool sumFits(::fly::layout::Int lhs, ::fly::layout::Int rhs);
  /// The SSA value of a handle; that of a sum is created when it is not there.
  Value valueOf(uint32_t handle);

  /// An unknown plus a known number.
  struct Sum {
    ::fly::layout::Int base;
    int64_t known = 0;
    unsigned width = 32;
    /// Which of them is the left operand.
    bool knownFirst = false;
  };
  /// The sum that a leaf is kept as, if it is one and no wider than its base.
  std::optional<Sum> sumOf(::fly::layout::Int leaf) const;

  /// What is known to divide a leaf: its type may have forgotten it.
  int64_t knownDivisor(::fly::layout::Int leaf) const;

  /// Tells that the unknowns of a leaf are never negative.
  void assumeNonNegative(::fly::layout::Int leaf);

  /// The SSA value of a leaf at the current insertion point, `width` bits
  /// (1, 32 or 64; 1 is the truth of a comparison or of logic).
  Value materialize(::fly::layout::Int leaf, unsigned width);

  /// Where constants go, and which there are: the first block of a function.
  struct Constants {
    Block *block = nullptr;
    Operation *last = nullptr;
    llvm::DenseMap<std::pair<int64_t, unsigned>, Value> values;
  };
  /// To be called when a function is entered; answers what leaveFunction
  /// takes.
  Constants enterFunction(Block *entry);
  void leaveFunction(Constants outer) { constants = std::move(outer); }

  Table &table() { return memo; }
  OpBuilder builder;
  Location location = builder.getUnknownLoc();

protected:
  ::fly::layout::Int emit(::fly::layout::LeafOp op,
                          llvm::ArrayRef<::fly::layout::Int> operands,
                          unsigned width, int64_t divisor) override;

private:
  Value constant(int64_t number, unsigned width);
  Value create(::fly::layout::LeafOp op,
               llvm::ArrayRef<::fly::layout::Int> operands, unsigned width);
  /// Quotients and remainders.
  Value createDivision(::fly::layout::LeafOp op, Value lhs, Value rhs);
  /// Sums, and what passes through them, without an op; nothing when the
  /// operands are no sums, or their numbers do not fit.
  std::optional<::fly::layout::Int>
  emitSum(::fly::layout::LeafOp op, llvm::ArrayRef<::fly::layout::Int> operands,
          unsigned width, int64_t divisor);
  /// The parts of a swizzle on sums; see emitSum.
  std::optional<::fly::layout::Int>
  emitSwizzle(::fly::layout::LeafOp op,
              llvm::ArrayRef<::fly::layout::Int> operands, unsigned width,
              int64_t divisor);
  ::fly::layout::Int sumLeaf(Sum sum, int64_t divisor);
  void noteDivisor(uint32_t handle, int64_t divisor);
  int64_t divisorOf(::fly::layout::LeafOp op,
                    llvm::ArrayRef<::fly::layout::Int> operands) const;
  bool isExact(llvm::ArrayRef<::fly::layout::Int> operands) const;
  /// The i1 behind a 0-or-1 leaf.
  Value truth(::fly::layout::Int leaf);

  std::vector<Value> values = {Value()}; // handle 0 names nothing
  llvm::DenseMap<Value, uint32_t> handles;
  /// i1 values behind the 32-bit answers of comparisons and logic.
  llvm::DenseMap<uint32_t, Value> truths;
  Table memo;
  Constants constants;
  KnownRanges ranges;
  /// Handles that are sums, and the handle of each sum.
  llvm::DenseMap<uint32_t, Sum> sums;
  llvm::DenseMap<std::tuple<uint32_t, int64_t, unsigned>, uint32_t> sumHandles;
  /// Bits that were taken out of a number for a swizzle: adding a multiple of
  /// this power of two to the number does not change them.
  llvm::DenseMap<uint32_t, int64_t> periods;
  Divisors divisors;
  /// Exact quotients: what was divided by what.
  Dividends dividends;
};

} // namespace mlir::fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_IRARITH_H
