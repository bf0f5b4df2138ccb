// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-check-strict`: IR that verifies only because the original wrote it so.
// Any module goes in and comes out unchanged; each op that relies on a type
// that ours would not infer, or on what the original does with tuples that do
// not match, is reported at its location, with what was expected.
//
//   fly.cosize of (6,2):(-1,6), written as 2: ours is 12

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Layout/Doubts.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYCHECKSTRICT
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;
using ::fly::layout::IntTuple;

//===----------------------------------------------------------------------===//
// Types that ours would infer otherwise
//===----------------------------------------------------------------------===//

/// The original's rule behind a type that it wrote (dialect specification,
/// section 7).
static StringRef legacyRule(Operation *op) {
  return TypeSwitch<Operation *, StringRef>(op)
      .Case<MakeLayoutLikeOp>(
          [](auto) { return "broadcast modes got the running stride"; })
      .Case<CosizeOp>(
          [](auto) { return "negative strides counted with their sign"; })
      .Case<ZippedDivideOp, TiledDivideOp, FlatDivideOp>([](auto) {
        return "a tile list of one element left tile and rest in one mode";
      })
      .Case<GetOp>([](auto) {
        return "a mode of a coord_tensor was taken from its base as well";
      })
      .Case<ApplySwizzleOp>(
          [](auto) { return "the trivial swizzle weakened the alignment"; })
      .Case<TiledCopyPartitionSrcOp, TiledCopyPartitionDstOp>([](auto) {
        return "the offset went to the top of the chain, not next to the "
               "linear layout";
      })
      .Case<TiledMmaPartitionOp>([](auto) {
        return "the offset went to the top of the chain, or an integer thread "
               "counted over (thread, (atoms))";
      })
      .Default([](Operation *) { return "the op's operands say otherwise"; });
}

/// The types that ours infers, when they are not the written ones.
static std::optional<SmallVector<Type>> inferredInstead(Operation *op) {
  auto inferrable = dyn_cast<InferTypeOpInterface>(op);
  SmallVector<Type> inferred;
  if (!inferrable ||
      failed(inferrable.inferReturnTypes(
          op->getContext(), std::nullopt, op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), inferred)) ||
      TypeRange(inferred) == TypeRange(op->getResultTypes()))
    return std::nullopt;
  return inferred;
}

//===----------------------------------------------------------------------===//
// Ragged tuples
//===----------------------------------------------------------------------===//

/// The first pair of subtrees that do not match: a tuple against a leaf, or
/// tuples of different rank unless `tailsAreKept`.
static std::optional<std::pair<IntTuple, IntTuple>>
findMismatch(const IntTuple &a, const IntTuple &b, bool tailsAreKept) {
  if (a.isLeaf() && b.isLeaf())
    return std::nullopt;
  if (a.isLeaf() != b.isLeaf() || (a.rank() != b.rank() && !tailsAreKept))
    return std::make_pair(a, b);
  for (auto [x, y] : llvm::zip(a.elements(), b.elements()))
    if (auto found = findMismatch(x, y, tailsAreKept))
      return found;
  return std::nullopt;
}

/// Sums of vectors of different length are defined, with zeros for what is
/// missing; so is an offset in a codomain that is a basis element or zero.
static std::optional<std::pair<IntTuple, IntTuple>> raggedness(Operation *op) {
  if (!isa<IntTupleAddOp, IntTupleSubOp, IntTupleMulOp, IntTupleDivOp,
           IntTupleModOp>(op))
    return std::nullopt;
  IntTuple a = cast<IntTupleType>(op->getOperand(0).getType()).getTuple();
  IntTuple b = cast<IntTupleType>(op->getOperand(1).getType()).getTuple();
  bool isSum = isa<IntTupleAddOp>(op);
  if (isSum && (a.isBasis() || b.isBasis()))
    return std::nullopt;
  return findMismatch(a, b, /*tailsAreKept=*/isSum);
}

//===----------------------------------------------------------------------===//
// Layouts that are hardly meant
//===----------------------------------------------------------------------===//

/// What is doubtful about the op (7.28, 7.34), or nothing.
static std::string doubtOf(Operation *op) {
  auto tuple = [](Value value) {
    return cast<IntTupleType>(value.getType()).getTuple();
  };
  if (isa<MakeOrderedLayoutOp>(op))
    return ::fly::layout::doubtOfOrder(tuple(op->getOperand(0)),
                                       tuple(op->getOperand(1)));
  if (isa<TileToShapeOp>(op))
    return ::fly::layout::doubtOfTarget(
        valueOfType(op->getOperand(0).getType()).layout.linear().shape,
        tuple(op->getOperand(1)));
  return {};
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct CheckStrictPass
    : public mlir::fly::impl::FlyCheckStrictBase<CheckStrictPass> {
  using FlyCheckStrictBase::FlyCheckStrictBase;

  void runOnOperation() override {
    DiagnosticSeverity severity =
        reportAs == StrictSeverity::Error     ? DiagnosticSeverity::Error
        : reportAs == StrictSeverity::Warning ? DiagnosticSeverity::Warning
                                              : DiagnosticSeverity::Remark;
    bool found = false;
    getOperation()->walk([&](Operation *op) {
      if (!isa_and_present<FlyDialect>(op->getDialect()))
        return;
      found |= checkTypes(op, severity);
      found |= checkTuples(op, severity);
      warnOfDoubts(op);
    });
    if (found && severity == DiagnosticSeverity::Error)
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  void warnOfDoubts(Operation *op) {
    if (!doubtful)
      return;
    if (std::string doubt = doubtOf(op); !doubt.empty())
      op->emitWarning() << "'" << op->getName() << "' op: " << doubt;
  }

  bool checkTypes(Operation *op, DiagnosticSeverity severity) {
    if (!legacyTypes)
      return false;
    std::optional<SmallVector<Type>> inferred = inferredInstead(op);
    if (!inferred)
      return false;
    InFlightDiagnostic report =
        getContext().getDiagEngine().emit(op->getLoc(), severity);
    report << "'" << op->getName()
           << "' op relies on a type of the original: " << legacyRule(op)
           << "; written " << op->getResultTypes() << ", expected "
           << *inferred;
    return true;
  }

  bool checkTuples(Operation *op, DiagnosticSeverity severity) {
    if (!raggedTuples)
      return false;
    auto mismatch = raggedness(op);
    if (!mismatch)
      return false;
    InFlightDiagnostic report =
        getContext().getDiagEngine().emit(op->getLoc(), severity);
    report << "'" << op->getName()
           << "' op expected tuples of the same shape, found "
           << mismatch->first.str() << " and " << mismatch->second.str();
    return true;
  }
};
} // namespace
