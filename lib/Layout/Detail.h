// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the algebra share and nobody else sees: arithmetic on
// leaves that may be basis elements, and layouts as lists of modes.
//
//   mulLeaf(2, 3E1) = 6E1        flatModes((2,(3,4)):(1,(2,6)))
//                                  = { 2:1, 3:2, 4:6 }

#ifndef FLY_LIB_LAYOUT_DETAIL_H
#define FLY_LIB_LAYOUT_DETAIL_H

#include "fly/Layout/Algebra.h"

namespace fly::layout::detail {

/// No function answers a tuple of more leaves than this; text and attributes
/// are far below, but repeated selection would double forever.
constexpr uint64_t maxLeaves = uint64_t(1) << 20;
/// A mode number above this would make the vector of a basis element absurd.
constexpr int32_t maxMode = 1023;

/// Product of two leaves of which at most one is a basis element.
IntTuple mulLeaf(Arith &arith, const IntTuple &a, const IntTuple &b);
/// Ceiling and exact quotient of a leaf, its modes kept, by an integer.
IntTuple ceilDivLeaf(Arith &arith, const IntTuple &a, Int b);
IntTuple safeDivLeaf(Arith &arith, const IntTuple &a, Int b);
/// The integer of a plain leaf. A basis element or a tuple fails with a message
/// that starts with `what`.
Int intLeaf(Arith &arith, const IntTuple &t, llvm::StringRef what);
/// True for a known zero, scaled by nothing or by basis modes.
bool isZeroStride(const IntTuple &leaf);
/// The vector of a basis element; fails when it would be absurdly long.
IntTuple vectorOf(Arith &arith, const IntTuple &leaf);

/// The leaves of shape and stride, paired; fails when they are incongruent.
std::vector<Layout> flatModes(Arith &arith, const Layout &l);
/// A layout whose modes are `modes`: always a tuple.
Layout tupleOf(llvm::ArrayRef<Layout> modes);
/// As tupleOf, but one mode stands for itself.
Layout joined(llvm::ArrayRef<Layout> modes);
/// Modes `begin` and up as a list; a leaf counts as its own only mode.
std::vector<Layout> modesOf(const Layout &l, unsigned begin = 0);
/// After a failure: puts the cause, which the caller knows, before what failed.
void explainFailure(Arith &arith, const llvm::Twine &cause);
/// True when `l` has congruent shape and stride; fails otherwise.
bool checkCongruent(Arith &arith, const Layout &l);

/// Coalesces a flat list as section 4.8 does. `keepBoundary`: a last mode of
/// size 1 counts as size 2, so that its stride survives (section 4.9).
std::vector<Layout> coalesceModes(Arith &arith, std::vector<Layout> modes,
                                  bool keepBoundary);

/// The tree of the codomain, one 0 for each coordinate: a leaf for integer
/// strides, a tuple for basis strides, of a single one too (7:1E0 -> (0)).
IntTuple codomainProfile(Arith &arith, const IntTuple &stride);

/// Compact strides in the order of `order`, whose leaves each sit over a
/// subtree of `shape`. Basis leaves sort by mode path, then by scale, after
/// integers and before unknowns.
IntTuple orderedStrides(Arith &arith, const IntTuple &shape,
                        const IntTuple &order);

/// True when `tile` is static and has no more modes than `of`, which has
/// `modes`; fails otherwise.
bool checkTile(Arith &arith, const Tile &tile, unsigned modes,
               const llvm::Twine &of);
inline bool checkTile(Arith &arith, const Tile &tile, const Layout &l) {
  return checkTile(arith, tile, l.rank(), "the layout " + l.str());
}

/// The child of `l` at a path; fails when there is none.
Layout layoutAt(Arith &arith, const Layout &l, llvm::ArrayRef<int32_t> path);

} // namespace fly::layout::detail

#endif // FLY_LIB_LAYOUT_DETAIL_H
