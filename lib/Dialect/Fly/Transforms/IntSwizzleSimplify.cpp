// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-int-swizzle-simplify`: integer arithmetic in, the same values out, with
// multiples of a swizzle's period added after the swizzle and not before it.
//
//   swz(x) = x xor ((x and M) >> c),   M = p ones from bit k,   c <= k
//   swz(a + d) = swz(a) + d   when 2^(k+p) divides d
//
// The law holds modulo 2^width: the swizzle reads and writes only the k+p low
// bits, which d leaves alone. So all that matters about a number is how many
// zero bits it ends with, and zero itself ends with as many as one likes.
//
//   swz(8x + 1024y + 512), period 512   becomes   swz(8x) + 1024y + 512

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYINTSWIZZLESIMPLIFY
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;

namespace {

/// How many zero bits each integer ends with, at least. Asked in program
/// order: `visit` every op before asking about what it defines.
class TrailingZeros {
public:
  /// Zero ends with as many zero bits as any type has.
  static constexpr unsigned ofZero = 64;

  /// Notes the divisors that tuple constructors below `scope` promise.
  explicit TrailingZeros(Operation *scope);
  void visit(Operation *op);
  /// What is known of `value` where `from` runs.
  unsigned of(Value value, Block *from) const;

private:
  unsigned ofResult(Operation *op) const;

  llvm::DenseMap<Value, unsigned> fromDefinition;
  /// A promise holds where its maker runs: it is kept with the maker's block.
  llvm::DenseMap<std::pair<Value, Block *>, unsigned> promised;
  llvm::DenseSet<Value> hasPromise;
};

/// `x xor ((x and mask) >> shift)`, taken apart.
struct SwizzleMatch {
  Value x, mask, shift;
  /// log2 of the period.
  unsigned exponent;
  /// Mask and shift as one number.
  uint64_t key;
};

/// Rewrites the swizzles of one scope.
class Simplifier {
public:
  explicit Simplifier(Operation *scope) : scope(scope), zeros(scope) {}
  void run();

private:
  void simplify(arith::XOrIOp op, const SwizzleMatch &match);
  Value lookUp(Value x, uint64_t key, Block *from) const;
  void remember(Value x, uint64_t key, Block *block, Value swizzled) {
    done.try_emplace({x, {block, key}}, swizzled);
  }

  Operation *scope;
  TrailingZeros zeros;
  /// (x, block, swizzle) -> the swizzled x that the block has.
  llvm::DenseMap<std::pair<Value, std::pair<Block *, uint64_t>>, Value> done;
  SmallVector<Operation *> replaced;
};

} // namespace

TrailingZeros::TrailingZeros(Operation *scope) {
  scope->walk([&](Operation *op) {
    if (!isa<MakeIntTupleOp, MakeShapeOp, MakeStrideOp, MakeCoordOp>(op))
      return;
    auto type = dyn_cast<IntTupleType>(op->getResult(0).getType());
    if (!type)
      return;
    unsigned next = 0;
    type.getTuple().forEachLeaf([&](const ::fly::layout::IntTuple &leaf) {
      if (!leaf.leaf().isDynamic() || next >= op->getNumOperands())
        return;
      Value operand = op->getOperand(next++);
      unsigned bits = llvm::countr_zero(uint64_t(leaf.leaf().divisor()));
      if (bits == 0)
        return;
      unsigned &slot = promised[{operand, op->getBlock()}];
      slot = std::max(slot, bits);
      hasPromise.insert(operand);
    });
  });
}

unsigned TrailingZeros::of(Value value, Block *from) const {
  unsigned bits = fromDefinition.lookup(value);
  if (!hasPromise.contains(value))
    return bits;
  for (Block *block = from; block;) {
    bits = std::max(bits, promised.lookup({value, block}));
    Operation *parent = block->getParentOp();
    block = parent ? parent->getBlock() : nullptr;
  }
  return bits;
}

unsigned TrailingZeros::ofResult(Operation *op) const {
  auto operand = [&](unsigned index) {
    return of(op->getOperand(index), op->getBlock());
  };
  auto constant = [&](unsigned index) -> std::optional<unsigned> {
    APInt value;
    if (!matchPattern(op->getOperand(index), m_ConstantInt(&value)))
      return std::nullopt;
    return value.getLimitedValue(ofZero);
  };
  return llvm::TypeSwitch<Operation *, unsigned>(op)
      .Case([&](arith::ConstantOp op) {
        auto value = dyn_cast<IntegerAttr>(op.getValue());
        if (!value)
          return 0u;
        return value.getValue().isZero()
                   ? ofZero
                   : std::min(value.getValue().countr_zero(), ofZero);
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::XOrIOp,
            arith::RemSIOp, arith::RemUIOp, arith::MinSIOp, arith::MaxSIOp,
            arith::MinUIOp, arith::MaxUIOp>(
          [&](auto) { return std::min(operand(0), operand(1)); })
      .Case([&](arith::MulIOp) {
        return std::min(operand(0) + operand(1), ofZero);
      })
      .Case([&](arith::AndIOp) { return std::max(operand(0), operand(1)); })
      .Case([&](arith::ShLIOp) {
        return std::min(operand(0) + constant(1).value_or(0), ofZero);
      })
      .Case([&](arith::ShRUIOp) {
        std::optional<unsigned> amount = constant(1);
        if (operand(0) == ofZero)
          return ofZero;
        return amount && operand(0) > *amount ? operand(0) - *amount : 0;
      })
      .Case([&](arith::SelectOp) { return std::min(operand(1), operand(2)); })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
            arith::IndexCastUIOp>([&](auto) { return operand(0); })
      .Default([](Operation *) { return 0u; });
}

void TrailingZeros::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    // lower + i * step.
    unsigned bits = std::min(of(loop.getLowerBound(), op->getBlock()),
                             of(loop.getStep(), op->getBlock()));
    if (bits)
      fromDefinition[loop.getInductionVar()] = bits;
    return;
  }
  if (op->getNumResults() != 1 ||
      !op->getResult(0).getType().isSignlessIntOrIndex())
    return;
  if (unsigned bits = ofResult(op))
    fromDefinition[op->getResult(0)] = bits;
}

/// Recognises a swizzle in both operand orders of `xori` and of `andi`.
static std::optional<SwizzleMatch> matchSwizzle(arith::XOrIOp op) {
  if (!op.getType().isSignlessIntOrIndex())
    return std::nullopt;
  for (bool swapped : {false, true}) {
    Value x = swapped ? op.getRhs() : op.getLhs();
    Value moved = swapped ? op.getLhs() : op.getRhs();
    auto shift = moved.getDefiningOp<arith::ShRUIOp>();
    auto bits = shift ? shift.getLhs().getDefiningOp<arith::AndIOp>() : nullptr;
    if (!bits || (bits.getLhs() != x && bits.getRhs() != x))
      continue;
    Value mask = bits.getLhs() == x ? bits.getRhs() : bits.getLhs();
    APInt maskValue, amount;
    unsigned first = 0, length = 0;
    if (!matchPattern(mask, m_ConstantInt(&maskValue)) ||
        !matchPattern(shift.getRhs(), m_ConstantInt(&amount)) ||
        maskValue.getBitWidth() > 64 ||
        !maskValue.isShiftedMask(first, length) || amount.ugt(first))
      continue;
    uint64_t key = (uint64_t(first) << 32) | (length << 16) |
                   unsigned(amount.getZExtValue());
    return SwizzleMatch{x, mask, shift.getRhs(), first + length, key};
  }
  return std::nullopt;
}

/// The swizzled `x` that `from` or a block around it has made already.
Value Simplifier::lookUp(Value x, uint64_t key, Block *from) const {
  for (Block *block = from; block;) {
    if (Value known = done.lookup({x, {block, key}}))
      return known;
    Operation *parent = block->getParentOp();
    if (!parent || parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return {};
    block = parent->getBlock();
  }
  return {};
}

void Simplifier::simplify(arith::XOrIOp op, const SwizzleMatch &match) {
  Block *block = op->getBlock();
  // Down the sum: (sum, what is added after the swizzle of the rest).
  SmallVector<std::pair<Value, Value>> kept;
  Value rest = match.x, result;
  while (true) {
    result = lookUp(rest, match.key, block);
    if (!result && zeros.of(rest, block) >= match.exponent)
      result = rest; // nothing but multiples of the period
    auto sum = rest.getDefiningOp<arith::AddIOp>();
    if (result || !sum)
      break;
    if (zeros.of(sum.getRhs(), block) >= match.exponent) {
      kept.push_back({rest, sum.getRhs()});
      rest = sum.getLhs();
    } else if (zeros.of(sum.getLhs(), block) >= match.exponent) {
      kept.push_back({rest, sum.getLhs()});
      rest = sum.getRhs();
    } else {
      break;
    }
  }
  if (!result && kept.empty()) {
    remember(match.x, match.key, block, op.getResult());
    return;
  }
  // Up again.
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto made = [&](Operation *created) {
    zeros.visit(created);
    return created->getResult(0);
  };
  if (!result) {
    Value bits = made(arith::AndIOp::create(builder, loc, rest, match.mask));
    Value moved = made(arith::ShRUIOp::create(builder, loc, bits, match.shift));
    result = made(arith::XOrIOp::create(builder, loc, rest, moved));
    remember(rest, match.key, block, result);
  }
  for (auto [sum, addend] : llvm::reverse(kept)) {
    result = made(arith::AddIOp::create(builder, loc, result, addend));
    remember(sum, match.key, block, result);
  }
  op.getResult().replaceAllUsesWith(result);
  replaced.push_back(op);
}

void Simplifier::run() {
  SmallVector<std::pair<arith::XOrIOp, SwizzleMatch>> swizzles;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    zeros.visit(op);
    if (auto candidate = dyn_cast<arith::XOrIOp>(op))
      if (std::optional<SwizzleMatch> match = matchSwizzle(candidate))
        swizzles.push_back({candidate, *match});
  });
  for (auto &[op, match] : swizzles) {
    // An operand may itself have been replaced.
    if (std::optional<SwizzleMatch> now = matchSwizzle(op))
      simplify(op, *now);
  }
  for (Operation *op : replaced)
    op->erase();
}

namespace {
struct IntSwizzleSimplifyPass
    : public mlir::fly::impl::FlyIntSwizzleSimplifyBase<
          IntSwizzleSimplifyPass> {
  void runOnOperation() override { Simplifier(getOperation()).run(); }
};
} // namespace
