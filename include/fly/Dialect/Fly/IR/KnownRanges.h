// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known about the bounds of integers: an SSA value in, a range out that
// holds whenever the value is computed. Each op is asked once, through its
// InferIntRangeInterface, so that asking about every value of a function is
// linear. No IR is changed.
//
//   %t = gpu.thread_id x                      0 ... 1023
//   %i = arith.index_cast %t : index to i32   0 ... 1023
//   %j = arith.muli %i, %c4 : i32             0 ... 4092

#ifndef FLY_DIALECT_FLY_IR_KNOWNRANGES_H
#define FLY_DIALECT_FLY_IR_KNOWNRANGES_H

#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace mlir::fly {

class KnownRanges {
public:
  /// The range of an integer or index value.
  ConstantIntRanges of(Value value) { return lookUp(value, 0); }
  /// The largest number that the value can be when it is never negative as a
  /// signed number of its width; nothing when it may be.
  std::optional<uint64_t> bound(Value value);
  /// Tells what the IR does not: the value is never negative where it is used
  /// from now on.
  void assumeNonNegative(Value value);

private:
  ConstantIntRanges infer(Value value, unsigned depth);
  ConstantIntRanges lookUp(Value value, unsigned depth);

  llvm::DenseMap<Value, ConstantIntRanges> known;
};

} // namespace mlir::fly

#endif // FLY_DIALECT_FLY_IR_KNOWNRANGES_H
