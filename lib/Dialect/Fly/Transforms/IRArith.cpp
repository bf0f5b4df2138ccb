// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaf operations as `arith` ops, as section 4.17 of the dialect's
// specification lists them. Comparisons and logic answer a 32-bit 0 or 1; the
// i1 that they come from is kept, so that a conjunction of comparisons is an
// `andi` of i1 values and no extension is ever compared with zero again.

#include "IRArith.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fly;
using ::fly::layout::Int;
using ::fly::layout::LeafOp;

uint32_t IRArith::handleOf(Value value) {
  auto [slot, isNew] = handles.try_emplace(value, values.size());
  if (isNew)
    values.push_back(value);
  return slot->second;
}

Int IRArith::leafOf(Value value, int64_t divisor) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  uint32_t handle = handleOf(value);
  noteDivisor(handle, divisor);
  return Int::unknown(width, divisor, handle);
}

void IRArith::assumeNonNegative(Int leaf) {
  if (leaf.isDynamic() && leaf.handle() && !sums.contains(leaf.handle()))
    ranges.assumeNonNegative(values[leaf.handle()]);
}

IRArith::Constants IRArith::enterFunction(Block *entry) {
  Constants outer = std::move(constants);
  constants = Constants();
  constants.block = entry;
  return outer;
}

Value IRArith::constant(int64_t number, unsigned width) {
  Value &slot = constants.values[{number, width}];
  if (slot)
    return slot;
  OpBuilder::InsertionGuard guard(builder);
  if (constants.last)
    builder.setInsertionPointAfter(constants.last);
  else
    builder.setInsertionPointToStart(constants.block);
  slot = arith::ConstantOp::create(
      builder, location,
      builder.getIntegerAttr(builder.getIntegerType(width), number));
  constants.last = slot.getDefiningOp();
  return slot;
}

Value IRArith::valueOf(uint32_t handle) {
  auto slot = sums.find(handle);
  if (slot == sums.end())
    return values[handle];
  const Sum sum = slot->second;
  // ~0u - 3 marks sums in the memo; no LeafOp has that number.
  Key key{~0u - 3, handle, 0, 0, 0};
  if (Value existing = memo.lookup(key))
    return existing;
  Int known = Int::known(sum.known);
  Value value = sum.knownFirst
                    ? create(LeafOp::Add, {known, sum.base}, sum.width)
                    : create(LeafOp::Add, {sum.base, known}, sum.width);
  memo.insert(key, value);
  return value;
}

bool IRArith::sumFits(Int lhs, Int rhs) {
  std::optional<uint64_t> a = ranges.bound(valueOf(lhs.handle())),
                          b = ranges.bound(valueOf(rhs.handle()));
  return a && b && llvm::SaturatingAdd(*a, *b) <= uint64_t(INT32_MAX);
}

Value IRArith::truth(Int leaf) {
  if (leaf.isStatic())
    return constant(leaf.is(0) ? 0 : 1, 1);
  auto known = truths.find(leaf.handle());
  if (known != truths.end())
    return known->second;
  Value value = valueOf(leaf.handle());
  return arith::CmpIOp::create(
      builder, location, arith::CmpIPredicate::ne, value,
      constant(0, value.getType().getIntOrFloatBitWidth()));
}

Value IRArith::materialize(Int leaf, unsigned width) {
  if (width == 1)
    return truth(leaf);
  if (leaf.isStatic())
    return constant(leaf.value(), width);
  Value value = valueOf(leaf.handle());
  unsigned have = value.getType().getIntOrFloatBitWidth();
  if (have == width)
    return value;
  // ~0u marks the change of width in the memo; no LeafOp has that number.
  Key key{~0u, leaf.handle(), width, 0, 0};
  if (Value known = memo.lookup(key))
    return known;
  Type type = builder.getIntegerType(width);
  Value changed;
  if (have > width)
    changed = arith::TruncIOp::create(builder, location, type, value);
  else if (ranges.bound(value))
    changed = arith::ExtUIOp::create(builder, location, type, value);
  else
    changed = arith::ExtSIOp::create(builder, location, type, value);
  memo.insert(key, changed);
  return changed;
}

static std::optional<arith::CmpIPredicate> predicateOf(LeafOp op) {
  switch (op) {
  case LeafOp::Less:
    return arith::CmpIPredicate::slt;
  case LeafOp::LessEqual:
    return arith::CmpIPredicate::sle;
  case LeafOp::Greater:
    return arith::CmpIPredicate::sgt;
  case LeafOp::GreaterEqual:
    return arith::CmpIPredicate::sge;
  case LeafOp::Equal:
    return arith::CmpIPredicate::eq;
  case LeafOp::NotEqual:
    return arith::CmpIPredicate::ne;
  default:
    return std::nullopt;
  }
}

/// `nsw` and `nuw` when numbers up to these bounds cannot overflow.
static arith::IntegerOverflowFlags flagsFor(LeafOp op, KnownRanges &ranges,
                                            Value lhs, Value rhs) {
  std::optional<uint64_t> a = ranges.bound(lhs), b = ranges.bound(rhs);
  if (!a || !b)
    return arith::IntegerOverflowFlags::none;
  bool overflow = false;
  uint64_t last = op == LeafOp::Add
                      ? llvm::SaturatingAdd(*a, *b, &overflow)
                      : llvm::SaturatingMultiply(*a, *b, &overflow);
  unsigned width = lhs.getType().getIntOrFloatBitWidth();
  if (overflow || last >> (width - 1))
    return arith::IntegerOverflowFlags::none;
  return arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
}

Value IRArith::createDivision(LeafOp op, Value lhs, Value rhs) {
  std::optional<uint64_t> a = ranges.bound(lhs), b = ranges.bound(rhs);
  if (!a || !b) {
    if (op == LeafOp::Div)
      return arith::DivSIOp::create(builder, location, lhs, rhs);
    if (op == LeafOp::Mod)
      return arith::RemSIOp::create(builder, location, lhs, rhs);
    return arith::CeilDivSIOp::create(builder, location, lhs, rhs);
  }
  unsigned width = lhs.getType().getIntOrFloatBitWidth();
  std::optional<APInt> divisor = ranges.of(rhs).getConstantValue();
  if (divisor && *a < divisor->getZExtValue() && op != LeafOp::CeilDiv)
    return op == LeafOp::Mod ? lhs : constant(0, width);
  if (op == LeafOp::Mod)
    return arith::RemUIOp::create(builder, location, lhs, rhs);
  if (op == LeafOp::CeilDiv) {
    if (!divisor || divisor->isZero())
      return arith::CeilDivUIOp::create(builder, location, lhs, rhs);
    // Neither has the highest bit: their sum does not wrap.
    lhs = arith::AddIOp::create(builder, location, lhs,
                                constant(divisor->getSExtValue() - 1, width),
                                arith::IntegerOverflowFlags::nuw);
  }
  return arith::DivUIOp::create(builder, location, lhs, rhs);
}

Value IRArith::create(LeafOp op, llvm::ArrayRef<Int> operands, unsigned width) {
  // Logic works on truth values.
  if (op == LeafOp::And)
    return arith::AndIOp::create(builder, location, truth(operands[0]),
                                 truth(operands[1]));
  if (op == LeafOp::Or)
    return arith::OrIOp::create(builder, location, truth(operands[0]),
                                truth(operands[1]));
  if (op == LeafOp::Not)
    return arith::XOrIOp::create(builder, location, truth(operands[0]),
                                 constant(1, 1));
  // Comparisons are as wide as their wider operand.
  std::optional<arith::CmpIPredicate> predicate = predicateOf(op);
  if (predicate) {
    width = 32;
    for (Int operand : operands)
      width = std::max(width, operand.neededWidth());
  }
  Value lhs = materialize(operands[0], width);
  Value rhs = materialize(operands[1], width);
  if (predicate)
    return arith::CmpIOp::create(builder, location, *predicate, lhs, rhs);
  switch (op) {
  case LeafOp::Add:
    return arith::AddIOp::create(builder, location, lhs, rhs,
                                 flagsFor(op, ranges, lhs, rhs));
  case LeafOp::Sub:
    return arith::SubIOp::create(builder, location, lhs, rhs);
  case LeafOp::Mul:
    return arith::MulIOp::create(builder, location, lhs, rhs,
                                 flagsFor(op, ranges, lhs, rhs));
  case LeafOp::Div:
  case LeafOp::Mod:
  case LeafOp::CeilDiv:
    return createDivision(op, lhs, rhs);
  case LeafOp::Min:
    return arith::MinSIOp::create(builder, location, lhs, rhs);
  case LeafOp::Max:
    return arith::MaxSIOp::create(builder, location, lhs, rhs);
  case LeafOp::BitAnd:
    return arith::AndIOp::create(builder, location, lhs, rhs);
  case LeafOp::BitXor:
    return arith::XOrIOp::create(builder, location, lhs, rhs);
  case LeafOp::ShiftLeft:
    return arith::ShLIOp::create(builder, location, lhs, rhs);
  case LeafOp::ShiftRight:
    return arith::ShRUIOp::create(builder, location, lhs, rhs);
  default:
    llvm_unreachable("comparisons and logic are handled above");
  }
}

//===----------------------------------------------------------------------===//
// Divisors
//===----------------------------------------------------------------------===//

void IRArith::noteDivisor(uint32_t handle, int64_t divisor) {
  if (divisors.lookup(handle) < divisor)
    divisors.insert(handle, divisor);
}

int64_t IRArith::knownDivisor(Int leaf) const {
  if (leaf.isStatic())
    return leaf.value() == std::numeric_limits<int64_t>::min()
               ? int64_t(1) << 62
               : std::abs(leaf.value());
  int64_t noted = divisors.lookup(leaf.handle());
  if (std::optional<Sum> sum = sumOf(leaf))
    noted =
        std::gcd(knownDivisor(sum->base), knownDivisor(Int::known(sum->known)));
  return std::max(leaf.divisor(), noted);
}

/// What divides every answer of sums, products and swizzles; 1 for other
/// operations.
int64_t IRArith::divisorOf(LeafOp op, llvm::ArrayRef<Int> operands) const {
  if (op == LeafOp::Add || op == LeafOp::Sub)
    return std::gcd(knownDivisor(operands[0]), knownDivisor(operands[1]));
  auto powerOf2 = [&](Int leaf) {
    int64_t known = knownDivisor(leaf);
    return known & -known;
  };
  if (op == LeafOp::BitXor)
    return std::min(powerOf2(operands[0]), powerOf2(operands[1]));
  if (op == LeafOp::BitAnd)
    return std::max(powerOf2(operands[0]), powerOf2(operands[1]));
  if (op == LeafOp::ShiftRight && operands[1].isStatic() &&
      operands[1].value() >= 0 && operands[1].value() < 63)
    return std::max<int64_t>(1, powerOf2(operands[0]) >> operands[1].value());
  int64_t product;
  if (op == LeafOp::Mul &&
      !llvm::MulOverflow(knownDivisor(operands[0]), knownDivisor(operands[1]),
                         product))
    return product;
  return 1;
}

/// Whether the first operand is known to be a multiple of the second.
bool IRArith::isExact(llvm::ArrayRef<Int> operands) const {
  return operands[0].isDynamic() && operands[1].isStatic() &&
         operands[1].value() > 0 &&
         knownDivisor(operands[0]) % operands[1].value() == 0;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

std::optional<IRArith::Sum> IRArith::sumOf(Int leaf) const {
  if (!leaf.isDynamic())
    return std::nullopt;
  auto slot = sums.find(leaf.handle());
  if (slot == sums.end() || slot->second.width != leaf.width())
    return std::nullopt;
  return slot->second;
}

Int IRArith::sumLeaf(Sum sum, int64_t divisor) {
  if (sum.known == 0)
    return sum.base.withDivisor(divisor);
  auto [slot, isNew] = sumHandles.try_emplace(
      std::make_tuple(sum.base.handle(), sum.known, sum.width), values.size());
  if (isNew) {
    values.push_back(Value());
    sums.try_emplace(slot->second, sum);
  }
  return Int::unknown(sum.width, divisor, slot->second);
}

static bool fits(int64_t number, unsigned width) {
  return width == 64 || llvm::isInt<32>(number);
}

std::optional<Int> IRArith::emitSum(LeafOp op, llvm::ArrayRef<Int> operands,
                                    unsigned width, int64_t divisor) {
  Sum sums[2]; // of each operand; a known number has no base
  for (unsigned i = 0; i < 2; ++i) {
    Int leaf = operands[i];
    if (leaf.isStatic())
      sums[i].known = leaf.value();
    else if (std::optional<Sum> sum = sumOf(leaf); sum && sum->width == width)
      sums[i] = *sum;
    else
      sums[i].base = leaf;
  }
  if (op == LeafOp::Mul)
    for (unsigned i = 0; i < 2; ++i) {
      if (!operands[i].isDynamic() || !operands[1 - i].isStatic())
        continue;
      auto [dividend, by] = dividends.lookup(operands[i].handle());
      if (by && operands[1 - i].value() % by == 0 && dividend.width() == width)
        return mul(dividend, Int::known(operands[1 - i].value() / by))
            .withDivisor(divisor);
    }
  Sum result;
  result.width = width;
  bool overflows = true;
  if (op == LeafOp::Mul) {
    unsigned scale = operands[0].isStatic() ? 0 : 1;
    const Sum &scaled = sums[1 - scale];
    if (!operands[scale].isStatic() || scaled.known == 0)
      return std::nullopt;
    overflows =
        llvm::MulOverflow(sums[scale].known, scaled.known, result.known);
    if (!overflows && fits(result.known, width))
      result.base = scale == 0 ? mul(operands[0], scaled.base)
                               : mul(scaled.base, operands[1]);
  } else {
    if (sums[0].known == 0 && sums[1].known == 0)
      return std::nullopt;
    bool isSum = op == LeafOp::Add;
    if (!isSum && !sums[0].base.isDynamic())
      return std::nullopt; // a known number minus an unknown one
    overflows =
        isSum ? llvm::AddOverflow(sums[0].known, sums[1].known, result.known)
              : llvm::SubOverflow(sums[0].known, sums[1].known, result.known);
    result.knownFirst = operands[0].isStatic();
    if (!overflows && fits(result.known, width))
      result.base = isSum ? add(sums[0].base, sums[1].base)
                          : sub(sums[0].base, sums[1].base);
  }
  // An unknown that a wider sum would have to extend stays as it is.
  if (!result.base.isDynamic() || result.base.width() != width ||
      this->sums.contains(result.base.handle()))
    return std::nullopt;
  return sumLeaf(result, divisor);
}

std::optional<Int> IRArith::emitSwizzle(LeafOp op, llvm::ArrayRef<Int> operands,
                                        unsigned width, int64_t divisor) {
  int64_t period = 0, lowest = 1;
  if (op == LeafOp::BitAnd && operands[1].isStatic() &&
      operands[1].value() > 0 && llvm::isInt<32>(operands[1].value())) {
    period = int64_t(1) << (llvm::Log2_64(operands[1].value()) + 1);
    lowest = operands[1].value() & -operands[1].value();
  } else if (op != LeafOp::BitAnd && operands[1].isDynamic()) {
    period = periods.lookup(operands[1].handle());
    lowest = knownDivisor(operands[1]);
    lowest &= -lowest;
  }
  std::optional<Sum> sum = sumOf(operands[0]);
  if (!period || !sum || sum->width != width)
    return std::nullopt;
  // Multiples of the period stay outside; so does what is below the lowest bit
  // that the swizzle reads or writes, when the rest has no such bits.
  int64_t known = knownDivisor(sum->base);
  int64_t grain = std::min(lowest, known & -known);
  int64_t inside = sum->known & (period - 1) & -grain;
  int64_t outside = sum->known - inside;
  if (!outside)
    return std::nullopt;
  Sum rest = *sum;
  rest.known = inside;
  Int number =
      sumLeaf(rest, std::gcd(operands[0].divisor(), std::abs(outside)));
  if (op == LeafOp::BitAnd)
    return emit(op, {number, operands[1]}, width, divisor);
  Sum result;
  result.width = width;
  result.known = outside;
  result.base = emit(op, {number, operands[1]}, width,
                     std::gcd(divisor, std::abs(outside)));
  return sumLeaf(result, divisor);
}

Int IRArith::emit(LeafOp op, llvm::ArrayRef<Int> operands, unsigned width,
                  int64_t divisor) {
  // Types have room for a division by zero, runs have no answer.
  bool divides =
      op == LeafOp::Div || op == LeafOp::Mod || op == LeafOp::CeilDiv;
  if (divides && operands[1].is(0))
    return fail("division of " + ::fly::layout::IntTuple(operands[0]).str() +
                " by zero");
  std::optional<Int> withoutOp;
  if (op == LeafOp::Add || op == LeafOp::Sub || op == LeafOp::Mul)
    withoutOp = emitSum(op, operands, width, divisor);
  else if (op == LeafOp::BitAnd || op == LeafOp::BitXor)
    withoutOp = emitSwizzle(op, operands, width, divisor);
  else if (op == LeafOp::Mod && isExact(operands))
    withoutOp = Int::unknown(width, divisor, handleOf(constant(0, width)));
  if (withoutOp)
    return *withoutOp;
  auto part = [](Int leaf) -> std::pair<int64_t, int64_t> {
    return leaf.isStatic() ? std::pair<int64_t, int64_t>(-1, leaf.value())
                           : std::pair<int64_t, int64_t>(leaf.handle(), 0);
  };
  auto [lhs, lhsNumber] = part(operands[0]);
  auto [rhs, rhsNumber] = operands.size() > 1
                              ? part(operands[1])
                              : std::pair<int64_t, int64_t>(-2, 0);
  // A handle or a number in each place: both fit one integer with a tag, as
  // handles are never negative.
  Key key{static_cast<unsigned>(op) * 128 + width, lhs, lhsNumber, rhs,
          rhsNumber};
  Value value = memo.lookup(key);
  if (!value) {
    value = create(op, operands, width);
    if (value.getType().isInteger(1)) {
      Value bit = value;
      value =
          arith::ExtUIOp::create(builder, location, builder.getI32Type(), bit);
      truths[handleOf(value)] = bit;
    }
    memo.insert(key, value);
  }
  uint32_t handle = handleOf(value);
  noteDivisor(handle, divisorOf(op, operands));
  if (op == LeafOp::Div && isExact(operands))
    dividends.insert(handle, {operands[0], operands[1].value()});
  if (op == LeafOp::BitAnd && operands[1].isStatic() &&
      operands[1].value() > 0 && llvm::isInt<32>(operands[1].value()))
    periods[handle] = int64_t(1) << (llvm::Log2_64(operands[1].value()) + 1);
  else if (op == LeafOp::ShiftRight && operands[1].isStatic())
    if (int64_t period = periods.lookup(operands[0].handle()))
      periods[handle] = period;
  return Int::unknown(width, divisor, handle);
}
