// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The side of the commuting square that a compiled kernel runs: for every
// function of the algebra, the ops that the IR arithmetic creates, evaluated on
// a binding of the unknowns, answer the numbers that the recorded expressions
// answer, leaf by leaf; and no op breaks a promise (`nsw`, `nuw`) that it
// makes.

#include "../../../lib/Dialect/Fly/Transforms/IRArith.h"
#include "../Layout/Squares.h"
#include "fly/Layout/TraceArith.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fly;
using namespace ::fly::layout;
using namespace ::fly::layout::laws;

namespace {

/// Runs straight-line code of `arith` on integers.
class Machine {
public:
  void bind(Value value, int64_t number) {
    numbers[value] = APInt(value.getType().getIntOrFloatBitWidth(), number,
                           /*isSigned=*/true);
  }

  /// False at an op that has no value on these operands.
  bool run(Block &block) {
    for (Operation &op : block)
      if (!step(op))
        return false;
    return true;
  }

  std::optional<int64_t> of(Value value) const {
    auto found = numbers.find(value);
    if (found == numbers.end())
      return std::nullopt;
    return found->second.getSExtValue();
  }

  /// The ops that overflowed though they say that they do not.
  std::vector<std::string> broken;

private:
  bool step(Operation &op) {
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands())
      operands.push_back(
          IntegerAttr::get(operand.getType(), numbers.at(operand)));
    checkPromise(op);
    SmallVector<OpFoldResult> results;
    // An op may fold to one of its operands.
    if (failed(op.fold(operands, results)) || results.size() != 1)
      return false;
    if (auto attribute = dyn_cast<Attribute>(results.front()))
      numbers[op.getResult(0)] = cast<IntegerAttr>(attribute).getValue();
    else
      numbers[op.getResult(0)] = numbers.at(cast<Value>(results.front()));
    return true;
  }

  void checkPromise(Operation &op) {
    auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
    if (!flags || op.getNumOperands() != 2)
      return;
    const APInt &a = numbers.at(op.getOperand(0)),
                &b = numbers.at(op.getOperand(1));
    bool isSigned = false, isUnsigned = false;
    if (isa<arith::AddIOp>(op)) {
      (void)a.sadd_ov(b, isSigned);
      (void)a.uadd_ov(b, isUnsigned);
    } else if (isa<arith::SubIOp>(op)) {
      (void)a.ssub_ov(b, isSigned);
      (void)a.usub_ov(b, isUnsigned);
    } else if (isa<arith::MulIOp>(op)) {
      (void)a.smul_ov(b, isSigned);
      (void)a.umul_ov(b, isUnsigned);
    } else if (isa<arith::ShLIOp>(op)) {
      (void)a.sshl_ov(b, isSigned);
      (void)a.ushl_ov(b, isUnsigned);
    }
    if ((flags.hasNoSignedWrap() && isSigned) ||
        (flags.hasNoUnsignedWrap() && isUnsigned)) {
      std::string text;
      llvm::raw_string_ostream os(text);
      os << op << " on " << a.getSExtValue() << " and " << b.getSExtValue();
      broken.push_back(text);
    }
  }

  struct Less {
    bool operator()(Value a, Value b) const {
      return a.getAsOpaquePointer() < b.getAsOpaquePointer();
    }
  };
  std::map<Value, APInt, Less> numbers;
};

/// One case. How many leaves had an op to compare; nothing without an answer.
std::optional<size_t> runSquare(const Square &square, Random &random,
                                MLIRContext *context) {
  Trees known = square.operands(random);
  TraceArith trace;
  Block block;
  IRArith arith(context);
  IRArith::Scope scope(arith);
  (void)arith.enterFunction(&block);
  arith.builder.setInsertionPointToEnd(&block);

  // The same unknowns for both: variable i of the trace is argument i.
  std::vector<int64_t> binding;
  std::vector<Int> arguments;
  Machine machine;
  bool tellSigns = random.chance(50);
  Trees hidden = hideLeaves(
      known, random, [&](int64_t value, unsigned width, int64_t divisor) {
        binding.push_back(value);
        Value argument = block.addArgument(IntegerType::get(context, width),
                                           UnknownLoc::get(context));
        machine.bind(argument, value);
        arguments.push_back(arith.leafOf(argument, divisor));
        if (tellSigns && value >= 0)
          arith.assumeNonNegative(arguments.back());
        return trace.variable(width, divisor);
      });
  Trees operands;
  for (const IntTuple &operand : hidden)
    operands.push_back(operand.mapLeaves([&](const IntTuple &leaf) {
      if (leaf.isStatic())
        return leaf;
      // A variable's handle is its number, from 1.
      Int argument = arguments[leaf.leaf().handle() - 1];
      return leaf.isBasis() ? IntTuple::basis(argument, leaf.modes())
                            : IntTuple(argument);
    }));
  auto where = [&] {
    std::string text = square.name;
    for (const IntTuple &operand : hidden)
      text += " " + operand.str();
    return text;
  };

  Trees recorded = square.run(trace, hidden);
  Trees emitted = square.run(arith, operands);
  EXPECT_EQ(trace.message(), arith.message()) << where();
  if (trace.failed() || arith.failed())
    return std::nullopt;
  for (auto [record, answer] : llvm::zip_equal(recorded, emitted))
    EXPECT_EQ(nameless(record), nameless(answer)) << where();
  if (testing::Test::HasFailure())
    return std::nullopt;

  std::vector<std::pair<Int, Value>> leaves;
  for (auto [record, answer] : llvm::zip_equal(recorded, emitted))
    for (auto [left, right] : llvm::zip_equal(record.leaves(), answer.leaves()))
      if (right.leaf().isDynamic())
        leaves.push_back(
            {left.leaf(),
             arith.materialize(right.leaf(), right.leaf().width())});
  TraceArith::Values values = trace.evaluate(binding);
  if (!values.preconditionsHold() || !machine.run(block))
    return std::nullopt;
  // A number that does not fit the width it was promised has no answer.
  for (auto [left, right] : leaves)
    if (!values.of(left))
      return std::nullopt;
  EXPECT_TRUE(machine.broken.empty()) << where() << machine.broken.front();
  for (auto [left, right] : leaves)
    EXPECT_EQ(machine.of(right), values.of(left)) << where();
  return leaves.size();
}

TEST(EmittedSquare, EveryFunction) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<arith::ArithDialect>();
  size_t leaves = 0;
  for (const Square &square : everySquare()) {
    SCOPED_TRACE(square.name);
    unsigned answered = 0;
    forEachCase(
        [&](Random &random) {
          std::optional<size_t> count = runSquare(square, random, &context);
          answered += count.has_value();
          leaves += count.value_or(0);
        },
        /*share=*/10);
    EXPECT_GT(answered, 0u) << square.name << " never had an answer";
    if (HasFailure())
      return;
  }
  // What folds needs no op; enough does not.
  EXPECT_GT(leaves, numCases);
}

} // namespace
