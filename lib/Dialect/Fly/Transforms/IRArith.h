// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic that creates `arith` ops: one op for each leaf operation on
// unknown numbers that does not fold. An operation that was computed before on
// the same operands, in a scope that is still open, is not computed again;
// constants stand once, at the top of the function.
//
//   add(%a, 3) -> %c3 = arith.constant 3 : i32 ; arith.addi %a, %c3 : i32

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_IRARITH_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_IRARITH_H

#include "fly/Layout/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/ScopedHashTable.h"
#include <optional>

namespace mlir::fly {

class IRArith : public ::fly::layout::Arith {
public:
  /// What is memoised: an operation and its operands. An operand is a handle,
  /// or a known number (tagged).
  using Key = std::tuple<unsigned, int64_t, int64_t, int64_t, int64_t>;
  using Table = llvm::ScopedHashTable<Key, Value>;
  using Scope = llvm::ScopedHashTableScope<Key, Value>;

  explicit IRArith(MLIRContext *context) : builder(context) {}

  /// The handle of an SSA integer (i32 or i64).
  uint32_t handleOf(Value value);
  /// The leaf that an SSA integer of type i32 or i64 stands for.
  ::fly::layout::Int leafOf(Value value, int64_t divisor);
  Value valueOf(uint32_t handle) const { return values[handle]; }

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

  /// Ops that were created under an open scope of this table may be used by
  /// what is created while it is open: one scope for each block.
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
  /// The i1 behind a 0-or-1 leaf.
  Value truth(::fly::layout::Int leaf);

  std::vector<Value> values = {Value()}; // handle 0 names nothing
  llvm::DenseMap<Value, uint32_t> handles;
  /// i1 values behind the 32-bit answers of comparisons and logic.
  llvm::DenseMap<uint32_t, Value> truths;
  Table memo;
  Constants constants;
};

} // namespace mlir::fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_IRARITH_H
