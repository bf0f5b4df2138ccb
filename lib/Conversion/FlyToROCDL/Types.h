// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What fly types become: pointers and tensors LLVM pointers (or a buffer
// descriptor with an offset), atoms the struct of their state. Element types
// that registers and memory do not have become integers of the same width.
//
//   !fly.ptr<f16, shared>              -> !llvm.ptr<3>
//   !fly.ptr<f32, #fly_rocdl.buffer_desc> -> !llvm.struct<(ptr<8>, i32)>
//   vector<4xf8E4M3FN>                 -> vector<4xi8>

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_TYPES_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_TYPES_H

#include "fly/Conversion/Passes.h"

namespace mlir::fly {

/// LLVM's number of an address space of the fly enum; nothing for others.
std::optional<unsigned> llvmAddressSpace(Attribute space);

/// Whether pointers in this space are buffer descriptors.
bool isBufferSpace(Attribute space);

/// Whether values of this type are converted at all: pointers, memrefs, atoms,
/// tiled copies and MMAs.
bool isConvertible(Type type);

/// What a convertible type becomes; other types stay. Null when the address
/// space has no meaning here.
Type convertType(Type type);

/// Scalar: floats below 16 bits and integers with a sign become iN. Vectors
/// element by element.
Type storageType(Type type);

/// Bits of a scalar or a vector of integers or floats; nothing for others.
std::optional<int64_t> bitsOfType(Type type);

/// The value in the storage type of its type, and back to `type`.
Value toStorage(OpBuilder &b, Location loc, Value value);
Value fromStorage(OpBuilder &b, Location loc, Value value, Type type);

/// The value as another type of the same width (both storage types); a
/// diagnostic that calls it `what` when the widths differ.
FailureOr<Value> bitcastTo(OpBuilder &b, Location loc, Value value, Type type,
                           const Twine &what);

/// i32 or i64 constants.
Value constantInt(OpBuilder &b, Location loc, int64_t value,
                  unsigned width = 32);

} // namespace mlir::fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_TYPES_H
