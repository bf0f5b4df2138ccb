// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expansions of `fly-layout-lowering`, one family a file. Each builds its
// ops at the evaluator's insertion point and reports what it cannot do at the
// op; the driver erases the op afterwards.

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_LAYOUTLOWERING_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_LAYOUTLOWERING_H

#include "IREvaluator.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

namespace mlir::fly {

/// What became of an op that is not algebra.
enum class Expansion {
  Done,    // replaced; the driver erases the op
  Waiting, // an operand is not in normal form: the op stays
  Failed,  // reported
};

/// The modes of `view` that `coord` leaves open, moved to the others.
AlgebraVal sliceView(Evaluator &evaluator, const AlgebraVal &view,
                     const ::fly::layout::IntTuple &coord);

/// What an offset is for: to move a pointer, or as a number of its own.
enum class OffsetUse { Address, Index };

/// `coord`, which is about to be looked up in `of` (a layout or tensor), with
/// as many bits as the offset may need (OffsetWidth.cpp). Where that cannot be
/// had, a failure is recorded in the evaluator's arithmetic.
::fly::layout::IntTuple fitToOffset(IREvaluator &evaluator,
                                    const AlgebraVal &of,
                                    const ::fly::layout::IntTuple &coord,
                                    OffsetUse use);

/// The number of coordinates of a layout, when it is known.
std::optional<int64_t> staticSize(const ::fly::layout::IntTuple &shape);

/// The atom that a tiled copy or MMA repeats: the operand of its constructor,
/// a rebuilt static atom, or a cast of one with state that is made elsewhere;
/// the value itself when it is an atom.
Value atomOf(IREvaluator &evaluator, Value atomOrTiled);

/// `fly.copy` as `fly.copy_atom_call`s, column-major over the rest modes.
Expansion expandCopy(IREvaluator &evaluator, CopyOp op);
/// `fly.gemm` as `fly.mma_atom_call`s in the order that it asks for.
Expansion expandGemm(IREvaluator &evaluator, GemmOp op);
/// Element and vector accesses as `fly.ptr.load` and `fly.ptr.store`.
Expansion expandLoad(IREvaluator &evaluator, MemRefLoadOp op);
Expansion expandStore(IREvaluator &evaluator, MemRefStoreOp op);
Expansion expandLoadVec(IREvaluator &evaluator, MemRefLoadVecOp op);
Expansion expandStoreVec(IREvaluator &evaluator, MemRefStoreVecOp op);
/// `fly.print` as `gpu.printf` or `vector.print`.
Expansion expandPrint(IREvaluator &evaluator, PrintOp op);
/// `fly.assume` as its source with more promises.
Expansion expandAssume(IREvaluator &evaluator, AssumeOp op);

} // namespace mlir::fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_LAYOUTLOWERING_H
