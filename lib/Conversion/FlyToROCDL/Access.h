// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores through fly pointers and tensors: which address, which
// alignment, in how many pieces. The law: what is loaded is what the layout
// says, element by element in coordinate order, and no access claims an
// alignment that the pointer's type does not prove.
//
//   !fly.memref<f16, global, 4:8>            four loads of f16
//   !fly.memref<f16, global, 8:1, align<4>>  one load of vector<8xf16>, align 4

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_ACCESS_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_ACCESS_H

#include "Types.h"

namespace mlir::fly {

/// Elements [first, first + count) of a tensor, in coordinate order, lie side
/// by side at `offset` elements from its pointer.
struct Piece {
  int64_t first, count, offset;
};

/// The contiguous pieces of a tensor with a static layout; a diagnostic when
/// it has none. `what` names it: "the source of the copy".
FailureOr<SmallVector<Piece>> contiguousPieces(Location loc, MemRefType type,
                                               const Twine &what);

/// The one piece of such a tensor; a diagnostic when it is in several.
FailureOr<Piece> onePiece(Location loc, MemRefType type, const Twine &atom,
                          const Twine &what);

/// How many elements of `bits` bits are whole bytes: moves of a pointer are
/// multiples of this. Bits have a byte each.
int64_t elementsOfWholeBytes(int64_t bits);

/// Number of elements; a diagnostic when it is not static.
FailureOr<int64_t> staticSize(Location loc, MemRefType type, const Twine &what);

/// A diagnostic unless the tensor holds exactly `bits` bits.
LogicalResult checkBits(Location loc, MemRefType type, int64_t bits,
                        const Twine &atom, const Twine &what);

/// The alignment in bytes, a power of two, that holds at an access through
/// such a pointer: what the type promises, and the swizzle leaves.
int64_t accessAlignment(PointerType type);

/// The address of an access: the swizzle acts on the bytes of the address.
/// Constant steps that the swizzle does not see are kept outside of it.
Value swizzledAddress(OpBuilder &b, Location loc, Value pointer,
                      const ::fly::layout::Swizzle &swizzle);

/// The pointer moved by a constant number of elements of a storage type.
FailureOr<Value> movedPointer(OpBuilder &b, Location loc, Value pointer,
                              Type element, int64_t offset, bool inBounds);

/// Loads the pieces (offsets count elements of `element`, a storage type)
/// into a vector of `size` elements, a scalar when that is 1. Any space.
FailureOr<Value> loadPieces(OpBuilder &b, Location loc, PointerType type,
                            Value pointer, Type element, int64_t size,
                            ArrayRef<Piece> pieces);
LogicalResult storePieces(OpBuilder &b, Location loc, PointerType type,
                          Value pointer, Value value, ArrayRef<Piece> pieces);

/// A whole tensor as a value of storage type, and back.
FailureOr<Value> loadTensor(OpBuilder &b, Location loc, MemRefType type,
                            Value pointer, const Twine &what);
LogicalResult storeTensor(OpBuilder &b, Location loc, MemRefType type,
                          Value pointer, Value value, const Twine &what);

/// Parts of vectors.
Value extractPart(OpBuilder &b, Location loc, Value vector, int64_t first,
                  int64_t count);
/// `parts` in order of their first element cover a vector of `size`.
Value joinParts(OpBuilder &b, Location loc, Type element, int64_t size,
                ArrayRef<std::pair<int64_t, Value>> parts);

} // namespace mlir::fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_ACCESS_H
