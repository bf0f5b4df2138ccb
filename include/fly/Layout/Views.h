// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread-value views: how a tiled copy or a tiled MMA cuts a tensor
// (section 4.16 of the dialect's specification, and 5.9 to 5.11 of the passes).
//
// A thread-value layout maps (thread, value) to the column-major index in a
// tile. Partitioning composes a tensor's layout with it and slices one
// thread out; each value of the tile belongs to exactly one (thread, value)
// unless the instruction replicates operands.

#ifndef FLY_LAYOUT_VIEWS_H
#define FLY_LAYOUT_VIEWS_H

#include "fly/Layout/Algebra.h"

namespace fly::layout {

/// What a copy atom moves: (thread, value) -> index for source, destination
/// and reference, in values (not bits).
struct CopyAtomLayouts {
  Layout source, destination, reference;
};

/// What a tiled copy adds: the tiled thread-value layout and the tile.
struct TiledCopyLayouts {
  CopyAtomLayouts atom;
  Layout threadValue;
  Tile tile;
};

enum class CopySide { Source, Destination };
enum class MmaOperand { A, B, C, D };

/// What an MMA atom computes: (M,N,K), the thread layout, and (thread, value)
/// over (M,K), (N,K), (M,N).
struct MmaAtomLayouts {
  IntTuple shape; // (M,N,K)
  Layout thread;
  Layout a, b, c;
};

struct TiledMmaLayouts {
  MmaAtomLayouts atom;
  Layout atomLayout;
  Tile permutation; // list of up to three, none where absent
};

/// A partition: what is added to the base, and the layout of what is left.
struct Partition {
  IntTuple offset;
  Layout layout;
};

/// (threads, (ATOM_V, REST_V), rest...) before a thread is chosen.
Layout copyThreadView(Arith &arith, const TiledCopyLayouts &copy, CopySide side,
                      const Layout &tensor);
/// ((ATOM_V, REST_V), REST_0, ...) of one thread.
Partition copyPartition(Arith &arith, const TiledCopyLayouts &copy,
                        CopySide side, const Layout &tensor,
                        const IntTuple &thread);
/// A fragment's layout as the copy sees it.
Layout copyRetile(Arith &arith, const TiledCopyLayouts &copy,
                  const Layout &fragment);

/// ((threads, (n0, n1)), (values, (rest0, rest1))).
Layout mmaThreadView(Arith &arith, const TiledMmaLayouts &mma,
                     MmaOperand operand, const Layout &tensor);
/// The coordinate ((v), (d0, d1)) of a thread: an integer is mapped through
/// atom threads x atom layout (passes 5.11 step 5); static integers keep
/// the type rule of 4.16.
IntTuple mmaThreadCoord(Arith &arith, const TiledMmaLayouts &mma,
                        MmaOperand operand, const IntTuple &thread);
Partition mmaPartition(Arith &arith, const TiledMmaLayouts &mma,
                       MmaOperand operand, const Layout &tensor,
                       const IntTuple &thread);
/// The offset by which the original infers the alignment of a partition: it
/// reads a thread number colexicographically over (threads, (n0, n1)). A type
/// that follows from it is accepted; addresses follow mmaPartition.
IntTuple mmaLegacyOffset(Arith &arith, const TiledMmaLayouts &mma,
                         MmaOperand operand, const Layout &tensor,
                         const IntTuple &thread);
IntTuple mmaPartitionShape(Arith &arith, const TiledMmaLayouts &mma,
                           MmaOperand operand, const IntTuple &shape);
/// The layout of a register fragment; `stages` adds an outermost mode.
Layout mmaFragment(Arith &arith, const TiledMmaLayouts &mma, MmaOperand operand,
                   const Layout &tensor, std::optional<int32_t> stages);

/// The order in which a gemm visits (m,n,k); field's short names, fastest
/// mode first (section 1.11 of the dialect's specification for the numbers).
struct GemmStep {
  int64_t m, n, k;
  bool firstVisit; // of (m,n): accumulate onto c, afterwards onto d
};
/// `order` is the enum number 0..11; rank 2 operands give `hasK` false.
std::vector<GemmStep> gemmOrder(int32_t order, int64_t sizeM, int64_t sizeN,
                                int64_t sizeK, bool hasK);
/// By a static layout: index i of 0..n-1 maps to the column-major (m,n,k).
std::vector<GemmStep> gemmOrder(Arith &arith, const Layout &traversal,
                                int64_t sizeM, int64_t sizeN, int64_t sizeK,
                                bool hasK);

} // namespace fly::layout

#endif // FLY_LAYOUT_VIEWS_H
