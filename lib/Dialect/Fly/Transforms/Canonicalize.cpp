// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-canonicalize`: a static result type is the answer. Each op with one
// static result is replaced by the constructors that make that value from
// nothing; chains of static algebra fold in one walk, as every link's type
// says its value already. Constructors in normal form are left alone.

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "mlir/IR/Iterators.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYCANONICALIZE
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;

/// `make_shape` and its siblings are `make_int_tuple` under other names.
static Operation *withoutAlias(Operation *op) {
  if (!isa<MakeShapeOp, MakeStrideOp, MakeCoordOp>(op))
    return op;
  OpBuilder builder(op);
  auto plain = MakeIntTupleOp::create(
      builder, op->getLoc(), op->getResult(0).getType(), op->getOperands());
  plain->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->replaceAllUsesWith(plain);
  op->erase();
  return plain;
}

static void canonicalize(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return;
  Value result = op->getResult(0);
  auto type = dyn_cast<MayStaticTypeInterface>(result.getType());
  if (!type || !type.isStatic() || result.use_empty())
    return;
  OpBuilder builder(op);
  if (Value rebuilt = type.rebuildStatic(builder, op->getLoc(), result))
    result.replaceAllUsesWith(rebuilt);
}

namespace {
struct CanonicalizePass
    : public mlir::fly::impl::FlyCanonicalizeBase<CanonicalizePass> {
  void runOnOperation() override {
    // From the back: what only fed a rebuilt value is dead when its turn comes.
    // Constructors are put in front of an op, which the walk has left then.
    getOperation()->walk<WalkOrder::PreOrder, ReverseIterator>(
        [&](Operation *op) {
          if (op == getOperation())
            return WalkResult::advance();
          op = withoutAlias(op);
          canonicalize(op);
          if (!isa_and_nonnull<FlyDialect>(op->getDialect()))
            return WalkResult::advance();
          // No op of the dialect has regions.
          if (isOpTriviallyDead(op))
            op->erase();
          return WalkResult::skip();
        });
  }
};
} // namespace
