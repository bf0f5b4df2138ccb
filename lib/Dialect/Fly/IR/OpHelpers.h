// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the evaluate bodies share: they transform the linear layout of a value
// and keep the rest of it.
//
//   results.push_back(mapLinear(v, [&](const Layout &l) { return f(l); }));

#ifndef FLY_LIB_DIALECT_FLY_IR_OPHELPERS_H
#define FLY_LIB_DIALECT_FLY_IR_OPHELPERS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

namespace mlir::fly {

namespace algebra = ::fly::layout;
using algebra::AnyLayout;
using algebra::Arith;
using algebra::ComposedLayout;
using algebra::InnerMap;
using algebra::Int;
using algebra::IntTuple;
using algebra::Layout;
using algebra::Swizzle;
using algebra::Tile;

using AlgebraVals = ArrayRef<AlgebraVal>;
using AlgebraResults = SmallVectorImpl<AlgebraVal>;

/// The value around `map` of its linear layout.
inline AlgebraVal mapLinear(const AlgebraVal &value,
                            function_ref<Layout(const Layout &)> map) {
  return value.withLayout(value.layout.withLinear(map(value.layout.linear())));
}

/// A register memref of `elementType` with this layout, which must be static;
/// a failure is recorded.
AlgebraVal registerFragment(Evaluator &evaluator, Type elementType,
                            const Layout &layout);

/// The text of a type, for messages.
std::string typeText(Type type);

} // namespace mlir::fly

#endif // FLY_LIB_DIALECT_FLY_IR_OPHELPERS_H
