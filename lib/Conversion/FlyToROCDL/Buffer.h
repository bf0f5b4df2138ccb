// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffer descriptors: a 128-bit resource and a 32-bit offset in elements.
//
//   byte offset = swizzle(offset * bytes of an element)

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_BUFFER_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_BUFFER_H

#include "Access.h"

namespace mlir::fly {

/// The two fields of `!llvm.struct<(ptr<8>, i32)>`.
struct FatPointer {
  Value resource, offset;
};

/// The fields; a struct that was put together in sight is looked through.
FatPointer unpackBuffer(OpBuilder &b, Location loc, Value packed);
Value packBuffer(OpBuilder &b, Location loc, FatPointer pointer);

/// Field `index` of a struct; insertions in sight are looked through.
Value structField(OpBuilder &b, Location loc, Value aggregate, int64_t index);

/// `count` elements of a buffer in bytes (i32). They are whole bytes: moves of
/// pointers see to that. A diagnostic when a known number does not fit.
FailureOr<Value> scaleToBytes(OpBuilder &b, Location loc, Value count,
                              PointerType type);

/// The same of the uniform offset of an atom, whose elements nobody has
/// checked: a diagnostic unless they are whole bytes.
FailureOr<Value> uniformBytes(OpBuilder &b, Location loc, Value count,
                              PointerType type);

/// The byte offset of an access `step` elements behind the pointer's `offset`;
/// the swizzle acts on it. A diagnostic when `step` does not fit.
FailureOr<Value> elementByteOffset(OpBuilder &b, Location loc, PointerType type,
                                   Value offset, int64_t step);

/// `packed` where the predicate holds, and elsewhere the same buffer at an
/// offset that every access finds out of range: loads answer zero, stores are
/// dropped. Null unless the descriptor is made in sight, has no stride, a known
/// size of at most 2^31 bytes, and flags that ask all of `chips` to check.
Value outOfRangeUnless(OpBuilder &b, Location loc, PointerType type,
                       Value packed, Value predicate,
                       ArrayRef<const ::fly::amdgpu::Chip *> chips);

/// How a buffer instruction is told about scalars and caches.
struct BufferOptions {
  /// Uniform byte offset (i32); null for 0.
  Value soffset;
  int32_t cache = 0;
};

FailureOr<Value> loadBufferPieces(OpBuilder &b, Location loc, PointerType type,
                                  Value packed, Type element, int64_t size,
                                  ArrayRef<Piece> pieces,
                                  const BufferOptions &options);
LogicalResult storeBufferPieces(OpBuilder &b, Location loc, PointerType type,
                                Value packed, Value value,
                                ArrayRef<Piece> pieces,
                                const BufferOptions &options);

} // namespace mlir::fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_BUFFER_H
