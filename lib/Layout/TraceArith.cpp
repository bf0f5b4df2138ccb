// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recorded arithmetic: an expression graph and its evaluation.
//
// In: operations on unknowns; later a number for each variable. Out: the number
// of each recorded answer. The law: evaluation computes what the emitted
// instruction computes, and reports where that would overflow.

#include "fly/Layout/TraceArith.h"

#include "llvm/Support/MathExtras.h"

using namespace fly::layout;

Int TraceArith::variable(unsigned width, int64_t divisor) {
  Node node;
  node.variable = numVariables++;
  nodes.push_back(std::move(node));
  nodes.back().answer = Int::unknown(width, divisor, nodes.size());
  return nodes.back().answer;
}

Int TraceArith::emit(LeafOp op, llvm::ArrayRef<Int> operands, unsigned width,
                     int64_t divisor) {
  Node node;
  node.op = op;
  node.operands.assign(operands.begin(), operands.end());
  nodes.push_back(std::move(node));
  nodes.back().answer = Int::unknown(width, divisor, nodes.size());
  return nodes.back().answer;
}

void TraceArith::assume(Precondition what, llvm::ArrayRef<Int> operands) {
  assumptions.push_back({what, {operands.begin(), operands.end()}});
}

/// The quotient rounded up, as arith.ceildivsi rounds.
static std::optional<int64_t> ceilQuotient(int64_t a, int64_t b) {
  int64_t quotient = a / b, rest = a % b;
  if (rest != 0 && (rest < 0) == (b < 0))
    ++quotient;
  return quotient;
}

/// One operation on known numbers; nothing when it overflows or divides by 0.
static std::optional<int64_t> apply(LeafOp op, int64_t a, int64_t b) {
  int64_t result = 0;
  bool quotientOverflows =
      b == 0 || (a == std::numeric_limits<int64_t>::min() && b == -1);
  switch (op) {
  case LeafOp::Add:
    return llvm::AddOverflow(a, b, result) ? std::nullopt
                                           : std::optional<int64_t>(result);
  case LeafOp::Sub:
    return llvm::SubOverflow(a, b, result) ? std::nullopt
                                           : std::optional<int64_t>(result);
  case LeafOp::Mul:
    return llvm::MulOverflow(a, b, result) ? std::nullopt
                                           : std::optional<int64_t>(result);
  case LeafOp::Div:
    return quotientOverflows ? std::nullopt : std::optional<int64_t>(a / b);
  case LeafOp::Mod:
    return quotientOverflows ? std::nullopt : std::optional<int64_t>(a % b);
  case LeafOp::CeilDiv:
    return quotientOverflows ? std::nullopt : ceilQuotient(a, b);
  case LeafOp::Min:
    return std::min(a, b);
  case LeafOp::Max:
    return std::max(a, b);
  case LeafOp::Less:
    return a < b;
  case LeafOp::LessEqual:
    return a <= b;
  case LeafOp::Greater:
    return a > b;
  case LeafOp::GreaterEqual:
    return a >= b;
  case LeafOp::Equal:
    return a == b;
  case LeafOp::NotEqual:
    return a != b;
  case LeafOp::And:
    return a != 0 && b != 0;
  case LeafOp::Or:
    return a != 0 || b != 0;
  case LeafOp::Not:
    return a == 0;
  case LeafOp::BitAnd:
    return a & b;
  case LeafOp::BitXor:
    return a ^ b;
  case LeafOp::ShiftLeft:
    if (b < 0 || b > 62 || a < 0 ||
        a > (std::numeric_limits<int64_t>::max() >> b))
      return std::nullopt;
    return a << b;
  case LeafOp::ShiftRight:
    if (b < 0 || b > 63)
      return std::nullopt;
    return static_cast<int64_t>(static_cast<uint64_t>(a) >> b);
  }
  return std::nullopt;
}

std::optional<int64_t> TraceArith::Values::of(Int leaf) const {
  if (leaf.isStatic())
    return leaf.value();
  if (leaf.handle() == 0 || leaf.handle() > numbers.size())
    return std::nullopt;
  return numbers[leaf.handle() - 1];
}

IntTuple TraceArith::Values::substitute(const IntTuple &t) const {
  return t.mapLeaves([&](const IntTuple &leaf) -> IntTuple {
    if (leaf.isStatic())
      return leaf;
    std::optional<int64_t> number = of(leaf.leaf());
    Int value = number ? Int::known(*number) : leaf.leaf();
    return leaf.isBasis() ? IntTuple::basis(value, leaf.modes())
                          : IntTuple(value);
  });
}

Layout TraceArith::Values::substitute(const Layout &l) const {
  return {substitute(l.shape), substitute(l.stride)};
}

static bool holds(Precondition what, llvm::ArrayRef<int64_t> n) {
  if (what == Precondition::Divides)
    return n[1] > 0 && n[0] % n[1] == 0;
  if (what == Precondition::AtMost)
    return n[0] <= n[1];
  if (n[0] < 1 || n[1] < 1)
    return false;
  switch (what) {
  case Precondition::Divides:
  case Precondition::AtMost:
  case Precondition::EitherDivides:
    return n[0] % n[1] == 0 || n[1] % n[0] == 0;
  case Precondition::StepsFit:
    return n[0] % n[1] == 0 || n[1] % n[0] == 0 || n[2] == 1 ||
           (n[1] < n[0] && n[2] <= n[0] / n[1] + 1);
  }
  return false;
}

TraceArith::Values
TraceArith::evaluate(llvm::ArrayRef<int64_t> bindings) const {
  Values values;
  values.numbers.reserve(nodes.size());
  for (const Node &node : nodes) {
    std::optional<int64_t> number;
    if (node.operands.empty()) {
      if (node.variable < bindings.size())
        number = bindings[node.variable];
    } else {
      std::optional<int64_t> a = values.of(node.operands.front());
      std::optional<int64_t> b = values.of(node.operands.back());
      bool narrow = node.op == LeafOp::ShiftRight && node.answer.width() == 32;
      if (a && b)
        number = apply(node.op, narrow ? static_cast<uint32_t>(*a) : *a, *b);
    }
    // What does not fit its width has overflowed where it is emitted.
    if (number && node.answer.width() == 32 && !llvm::isInt<32>(*number))
      number = std::nullopt;
    if (number && *number % node.answer.divisor() != 0)
      values.broken.push_back(node.answer);
    values.numbers.push_back(number);
  }
  for (const Assumption &assumption : assumptions) {
    llvm::SmallVector<int64_t, 3> numbers;
    for (Int operand : assumption.operands)
      if (std::optional<int64_t> number = values.of(operand))
        numbers.push_back(*number);
    if (numbers.size() != assumption.operands.size() ||
        !holds(assumption.what, numbers))
      values.fits = false;
  }
  return values;
}

std::optional<int64_t>
TraceArith::evaluate(Int leaf, llvm::ArrayRef<int64_t> bindings) const {
  return evaluate(bindings).of(leaf);
}
