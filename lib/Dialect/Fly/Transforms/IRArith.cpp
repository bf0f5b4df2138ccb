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
  return Int::unknown(width, divisor, handleOf(value));
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
  Value changed =
      have < width
          ? arith::ExtSIOp::create(builder, location, type, value).getResult()
          : arith::TruncIOp::create(builder, location, type, value).getResult();
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
    return arith::AddIOp::create(builder, location, lhs, rhs);
  case LeafOp::Sub:
    return arith::SubIOp::create(builder, location, lhs, rhs);
  case LeafOp::Mul:
    return arith::MulIOp::create(builder, location, lhs, rhs);
  case LeafOp::Div:
    return arith::DivSIOp::create(builder, location, lhs, rhs);
  case LeafOp::Mod:
    return arith::RemSIOp::create(builder, location, lhs, rhs);
  case LeafOp::Min:
    return arith::MinSIOp::create(builder, location, lhs, rhs);
  case LeafOp::Max:
    return arith::MaxSIOp::create(builder, location, lhs, rhs);
  case LeafOp::CeilDiv:
    return arith::CeilDivSIOp::create(builder, location, lhs, rhs);
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

Int IRArith::emit(LeafOp op, llvm::ArrayRef<Int> operands, unsigned width,
                  int64_t divisor) {
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
  return Int::unknown(width, divisor, handleOf(value));
}
