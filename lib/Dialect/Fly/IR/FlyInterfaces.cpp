// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated bodies of the interfaces, and what they share.

#include "fly/Dialect/Fly/IR/FlyInterfaces.h"
#include "TypeMismatch.h"
#include "fly/Dialect/Fly/IR/FlyEmission.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::layout::IntTuple;

/// The mode of `profile` at `path`; a leaf has mode 0, itself.
static std::optional<IntTuple> modeAt(const IntTuple &profile,
                                      ArrayRef<int32_t> path) {
  IntTuple mode = profile;
  for (int32_t index : path) {
    if (index < 0 || static_cast<unsigned>(index) >= mode.rank())
      return std::nullopt;
    mode = mode.at(index);
  }
  return mode;
}

std::optional<int64_t> mlir::fly::detail::rankAt(const IntTuple &profile,
                                                 ArrayRef<int32_t> path) {
  std::optional<IntTuple> mode = modeAt(profile, path);
  return mode ? std::optional<int64_t>(mode->rank()) : std::nullopt;
}

std::optional<int64_t> mlir::fly::detail::depthAt(const IntTuple &profile,
                                                  ArrayRef<int32_t> path) {
  std::optional<IntTuple> mode = modeAt(profile, path);
  return mode ? std::optional<int64_t>(mode->depth()) : std::nullopt;
}

LogicalResult mlir::fly::detail::verifyTypesOnce(Operation *op) {
  auto inferrable = cast<InferTypeOpInterface>(op);
  SmallVector<Type, 4> expected;
  if (failed(inferrable.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), expected)))
    return failure();
  if (TypeRange(expected) == TypeRange(op->getResultTypes()))
    return success();
  // Some ops admit a second type (LegacyTypes.cpp).
  SmallVector<Type, 4> written(op->getResultTypes());
  if (succeeded(inferrable.refineReturnTypes(
          op->getContext(), std::nullopt, op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), written)))
    return success();
  return refuseResultTypes(op, expected);
}

#include "fly/Dialect/Fly/IR/FlyAttrInterfaces.cpp.inc"
#include "fly/Dialect/Fly/IR/FlyEmission.cpp.inc"
#include "fly/Dialect/Fly/IR/FlyOpInterfaces.cpp.inc"
#include "fly/Dialect/Fly/IR/FlyTypeInterfaces.cpp.inc"
