// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout algebra: one declaration per operation of the dialect's
// specification, sections 4.3 to 4.15, each written once against Arith.
//
// Answers are meaningful only while `arith.failed()` is false. Operations that
// are defined on the linear layout of a composed one take and give AnyLayout
// and keep the chain around it.

#ifndef FLY_LAYOUT_ALGEBRA_H
#define FLY_LAYOUT_ALGEBRA_H

#include "fly/Layout/Arith.h"
#include "fly/Layout/Layout.h"
#include <optional>

namespace fly::layout {

// --- Tuple arithmetic (4.2, 4.3) ---------------------------------------------

/// Sum in a codomain: integers add, basis elements count as vectors, the
/// longer tuple's tail is kept. A non-zero integer against a vector fails.
IntTuple codomainAdd(Arith &arith, const IntTuple &a, const IntTuple &b);
/// The vector of a basis element: 4E2 -> (0,0,4). Other leaves: themselves.
IntTuple basisToTuple(const IntTuple &leaf);
IntTuple tupleAdd(Arith &arith, const IntTuple &a, const IntTuple &b);
IntTuple tupleSub(Arith &arith, const IntTuple &a, const IntTuple &b);
IntTuple tupleMul(Arith &arith, const IntTuple &a, const IntTuple &b);
IntTuple tupleDiv(Arith &arith, const IntTuple &a, const IntTuple &b);
IntTuple tupleMod(Arith &arith, const IntTuple &a, const IntTuple &b);
/// Product of all leaves (a leaf is its own product).
IntTuple product(Arith &arith, const IntTuple &t);
/// As product, of integer leaves; a basis element fails.
Int productInt(Arith &arith, const IntTuple &t);
IntTuple productEach(Arith &arith, const IntTuple &t);
IntTuple productLike(Arith &arith, const IntTuple &t, const IntTuple &guide);
IntTuple ceilDiv(Arith &arith, const IntTuple &a, const IntTuple &b);
IntTuple shapeDiv(Arith &arith, const IntTuple &a, const IntTuple &b);
/// 0 or 1.
Int elemLess(Arith &arith, const IntTuple &a, const IntTuple &b);
Int equal(Arith &arith, const IntTuple &a, const IntTuple &b);

// --- Structure (4.4) -------------------------------------------------------

IntTuple get(Arith &arith, const IntTuple &t, llvm::ArrayRef<int32_t> path);
IntTuple take(Arith &arith, const IntTuple &t, int32_t begin, int32_t end);
IntTuple select(Arith &arith, const IntTuple &t, llvm::ArrayRef<int32_t> modes);
IntTuple group(Arith &arith, const IntTuple &t, int32_t begin, int32_t end);
IntTuple append(Arith &arith, const IntTuple &t, const IntTuple &element,
                std::optional<int32_t> rank);
IntTuple prepend(Arith &arith, const IntTuple &t, const IntTuple &element,
                 std::optional<int32_t> rank);
IntTuple slice(Arith &arith, const IntTuple &t, const IntTuple &coord);
IntTuple dice(Arith &arith, const IntTuple &t, const IntTuple &coord);
IntTuple unwrap(const IntTuple &t);
IntTuple expand(const IntTuple &t, llvm::ArrayRef<int32_t> modes);
IntTuple zip(Arith &arith, const IntTuple &a, const IntTuple &b);
IntTuple zip2By(Arith &arith, const IntTuple &t, const IntTuple &guide);
IntTuple filterZero(const IntTuple &guide, const IntTuple &t);

// The same on layouts: shape and stride together; on composed layouts: the
// linear layout, the chain kept.
AnyLayout get(Arith &arith, const AnyLayout &l, llvm::ArrayRef<int32_t> path);
AnyLayout take(Arith &arith, const AnyLayout &l, int32_t begin, int32_t end);
AnyLayout select(Arith &arith, const AnyLayout &l, llvm::ArrayRef<int32_t> m);
AnyLayout group(Arith &arith, const AnyLayout &l, int32_t begin, int32_t end);
AnyLayout append(Arith &arith, const AnyLayout &l, const Layout &element,
                 std::optional<int32_t> rank);
AnyLayout prepend(Arith &arith, const AnyLayout &l, const Layout &element,
                  std::optional<int32_t> rank);
/// The modes under `*`; the offset of the fixed modes goes into the offset of
/// the level next to the linear layout, and is dropped for a plain layout.
AnyLayout slice(Arith &arith, const AnyLayout &l, const IntTuple &coord);
Layout dice(Arith &arith, const Layout &l, const IntTuple &coord);
Layout expand(const Layout &l, llvm::ArrayRef<int32_t> modes);

// --- Queries and coordinate maps (4.5 to 4.7, 4.13) --------------------------

IntTuple size(Arith &arith, const Layout &l);
IntTuple coprofile(Arith &arith, const Layout &l);
IntTuple coshape(Arith &arith, const Layout &l);
IntTuple cosize(Arith &arith, const Layout &l);
IntTuple crd2idx(Arith &arith, const IntTuple &coord, const Layout &l);
IntTuple crd2idx(Arith &arith, const IntTuple &coord, const AnyLayout &l);
IntTuple applySwizzle(Arith &arith, const Swizzle &s, const IntTuple &coord);
IntTuple applyCoordSwizzle(Arith &arith, const CoordSwizzle &s,
                           const IntTuple &coord);
IntTuple applyInner(Arith &arith, const InnerMap &inner, const IntTuple &coord);
IntTuple idx2crd(Arith &arith, const IntTuple &index, const Layout &l);
IntTuple flatCoord(Arith &arith, const IntTuple &index, const Layout &l);
IntTuple oneDimCoord(Arith &arith, const IntTuple &index, const Layout &l);
/// Column-major index of a coordinate in a shape.
IntTuple columnMajorIndex(Arith &arith, const IntTuple &coord,
                          const IntTuple &shape);

// --- Algebra (4.8 to 4.12) -------------------------------------------------

Layout coalesce(Arith &arith, const Layout &l);
Layout coalesce(Arith &arith, const Layout &l, const IntTuple &pattern);
/// R(c) = a(b(c)) for every c of one mode of b, each mode by itself: a sum of
/// modes that carries into a further mode of `a` is not seen (4.9).
Layout composition(Arith &arith, const Layout &a, const Layout &b);
Layout composition(Arith &arith, const Layout &a, const Tile &tile);
/// `codomain`: an integer leaf; none given: the cosize of `l`.
Layout complement(Arith &arith, const Layout &l,
                  const std::optional<IntTuple> &codomain = std::nullopt);
Layout rightInverse(Arith &arith, const Layout &l);
Layout leftInverse(Arith &arith, const Layout &l);
Layout upcast(Arith &arith, const Layout &l, int64_t factor);
Layout downcast(Arith &arith, const Layout &l, int64_t factor);
AnyLayout recast(Arith &arith, const AnyLayout &l, int32_t newBits,
                 int32_t oldBits);
/// Drops singleton tuples everywhere and gives size-1 leaves stride 0 (4.9).
Layout normalize(const Layout &l);

// --- Divides and products (4.15) ---------------------------------------------

Layout logicalDivide(Arith &arith, const Layout &l, const Tile &tile);
Layout zippedDivide(Arith &arith, const Layout &l, const Tile &tile);
Layout tiledDivide(Arith &arith, const Layout &l, const Tile &tile);
Layout flatDivide(Arith &arith, const Layout &l, const Tile &tile);
Layout logicalProduct(Arith &arith, const Layout &l, const Layout &tiler);
Layout zippedProduct(Arith &arith, const Layout &l, const Layout &tiler);
Layout tiledProduct(Arith &arith, const Layout &l, const Layout &tiler);
Layout flatProduct(Arith &arith, const Layout &l, const Layout &tiler);
Layout blockedProduct(Arith &arith, const Layout &l, const Layout &tiler);
Layout rakedProduct(Arith &arith, const Layout &l, const Layout &tiler);
Layout tileToShape(Arith &arith, const Layout &block, const IntTuple &target,
                   const IntTuple &order);

// --- Constructors (4.14) -----------------------------------------------------

/// Compact column-major strides of `shape`, from `start`.
IntTuple compactStrides(Arith &arith, const IntTuple &shape, Int start);
Layout makeOrderedLayout(Arith &arith, const IntTuple &shape,
                         const IntTuple &order);
Layout makeLayoutLike(Arith &arith, const Layout &l);
Layout makeFragmentLayoutLike(Arith &arith, const Layout &l);
Layout makeIdentityLayout(Arith &arith, const IntTuple &shape);

} // namespace fly::layout

#endif // FLY_LAYOUT_ALGEBRA_H
