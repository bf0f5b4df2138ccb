// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of integers; see KnownRanges.h. Beside what the ops say themselves:
// a workgroup of an AMDGPU has at most 1024 work-items, a grid fewer than 2^31
// workgroups in each direction (HIP's limits, which fly-check-kernels and the
// runtime hold), and the counter of a loop lies between its bounds.

#include "fly/Dialect/Fly/IR/KnownRanges.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fly;

/// Definitions are followed this far; what lies behind counts as unknown.
static constexpr unsigned maxDepth = 64;

static unsigned widthOf(Type type) {
  return ConstantIntRanges::getStorageBitwidth(getElementTypeOrSelf(type));
}

static ConstantIntRanges upTo(unsigned width, uint64_t last) {
  return ConstantIntRanges::fromUnsigned(APInt(width, 0), APInt(width, last));
}

/// What the hardware and its runtime promise of ids and sizes.
static std::optional<ConstantIntRanges> hardwareRange(Value value) {
  constexpr uint64_t threads = 1024, blocks = (uint64_t(1) << 31) - 1;
  Operation *op = value.getDefiningOp();
  if (isa<gpu::ThreadIdOp>(op))
    return upTo(64, threads - 1);
  if (isa<gpu::BlockDimOp>(op))
    return upTo(64, threads);
  if (isa<gpu::BlockIdOp>(op))
    return upTo(64, blocks - 1);
  if (isa<gpu::GridDimOp>(op))
    return upTo(64, blocks);
  return std::nullopt;
}

ConstantIntRanges KnownRanges::lookUp(Value value, unsigned depth) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  ConstantIntRanges range = infer(value, depth);
  known.try_emplace(value, range);
  return range;
}

ConstantIntRanges KnownRanges::infer(Value value, unsigned depth) {
  unsigned width = widthOf(value.getType());
  ConstantIntRanges result = ConstantIntRanges::maxRange(width);
  if (depth == maxDepth)
    return result;
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto argument = cast<BlockArgument>(value);
    auto loop =
        dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || loop.getInductionVar() != value || loop.getUnsignedCmp())
      return result;
    APInt first = lookUp(loop.getLowerBound(), depth + 1).smin();
    APInt end = lookUp(loop.getUpperBound(), depth + 1).smax();
    // Steps are positive; a loop that never runs has no counter.
    if (!first.slt(end))
      return result;
    return ConstantIntRanges::fromSigned(first, end - 1);
  }
  auto inferring = dyn_cast<InferIntRangeInterface>(op);
  if (!inferring)
    return result;
  SmallVector<ConstantIntRanges, 2> operands;
  for (Value operand : op->getOperands()) {
    if (widthOf(operand.getType()) == 0)
      return result;
    operands.push_back(lookUp(operand, depth + 1));
  }
  inferring.inferResultRanges(
      operands, [&](Value of, const ConstantIntRanges &range) {
        if (of == value && range.smin().getBitWidth() == width)
          result = range;
      });
  if (std::optional<ConstantIntRanges> promised = hardwareRange(value);
      promised && width == 64)
    result = result.intersection(*promised);
  return result;
}

std::optional<uint64_t> KnownRanges::bound(Value value) {
  if (unsigned width = widthOf(value.getType()); width == 0 || width > 64)
    return std::nullopt;
  ConstantIntRanges range = of(value);
  if (range.smin().isNegative())
    return std::nullopt;
  return range.smax().getZExtValue();
}

void KnownRanges::assumeNonNegative(Value value) {
  unsigned width = widthOf(value.getType());
  ConstantIntRanges range =
      of(value).intersection(ConstantIntRanges::fromSigned(
          APInt(width, 0), APInt::getSignedMaxValue(width)));
  known.find(value)->second = range;
}
