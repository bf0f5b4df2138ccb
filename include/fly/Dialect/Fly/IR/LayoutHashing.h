// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In-memory hashes of the layout library's values, by which MLIR uniques the
// attributes that hold them. The law: equal values have equal hashes; the
// handle of an unknown leaf does not count (attributes have none).
//
//   hash_value((4,8):(1,4)) == hash_value((4,8):(1,4))

#ifndef FLY_DIALECT_FLY_IR_LAYOUTHASHING_H
#define FLY_DIALECT_FLY_IR_LAYOUTHASHING_H

#include "fly/Layout/Layout.h"
#include "llvm/ADT/Hashing.h"

namespace fly::layout {

llvm::hash_code hash_value(const Int &value);
llvm::hash_code hash_value(const IntTuple &value);
llvm::hash_code hash_value(const Layout &value);
llvm::hash_code hash_value(const Swizzle &value);
llvm::hash_code hash_value(const CoordSwizzle &value);
llvm::hash_code hash_value(const AnyLayout &value);
llvm::hash_code hash_value(const ComposedLayout &value);
llvm::hash_code hash_value(const Tile &value);

} // namespace fly::layout

#endif // FLY_DIALECT_FLY_IR_LAYOUTHASHING_H
