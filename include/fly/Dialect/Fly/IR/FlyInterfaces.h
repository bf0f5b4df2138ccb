// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces of attributes and types: nested, may be static, copy op, MMA op,
// stateful op; and the trait of whole-tile copies. The op interface of the
// algebra comes with FlyOps.h, emission with FlyEmission.h.
//
//   if (auto op = dyn_cast<MmaOpTypeInterface>(atom.getMmaOp()))
//     use(op.getAtomLayouts());

#ifndef FLY_DIALECT_FLY_IR_FLYINTERFACES_H
#define FLY_DIALECT_FLY_IR_FLYINTERFACES_H

#include "fly/Layout/Views.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"
#include <optional>

#include "fly/Dialect/Fly/IR/FlyEnums.h.inc"

namespace mlir::fly {

/// Which layout of a copy op: where it reads, where it writes, and the order of
/// bits that both are given in.
enum class CopyRole { Source, Destination, Reference };

namespace detail {
/// Rank and depth of the mode of `profile` at `path`; nullopt when there is no
/// such mode. A leaf has mode 0, itself.
std::optional<int64_t> rankAt(const ::fly::layout::IntTuple &profile,
                              ArrayRef<int32_t> path);
std::optional<int64_t> depthAt(const ::fly::layout::IntTuple &profile,
                               ArrayRef<int32_t> path);
} // namespace detail

namespace detail {
/// Whether the result types of `op` are those that it infers; else one error.
LogicalResult verifyTypesOnce(Operation *op);
} // namespace detail

/// Trait of ops that verify their inferred types themselves.
template <typename ConcreteType>
class VerifiesTypesOnce
    : public OpTrait::TraitBase<ConcreteType, VerifiesTypesOnce> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return detail::verifyTypesOnce(op);
  }
};

/// Trait of copy op types of which one call moves a whole tile of any rank.
template <typename ConcreteType>
class WholeTile : public TypeTrait::TraitBase<ConcreteType, WholeTile> {};

} // namespace mlir::fly

#include "fly/Dialect/Fly/IR/FlyAttrInterfaces.h.inc"
#include "fly/Dialect/Fly/IR/FlyTypeInterfaces.h.inc"

#endif // FLY_DIALECT_FLY_IR_FLYINTERFACES_H
