// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts as functions on numbers. A chain of layouts, offsets and swizzles
// becomes a list of steps; whatever has basis strides or coordinate swizzles
// in it is asked through crd2idx.

#include "fly/Drawing/PointMap.h"

#include "fly/Layout/Algebra.h"
#include "llvm/Support/MathExtras.h"

using namespace fly::drawing;
using namespace fly::layout;

/// Leaves of a chain that are looked at for each point, at most.
static constexpr int64_t maxLeaves = 1024;

static int64_t countLeaves(const AnyLayout &l) {
  if (l.isPlain())
    return l.plain().shape.numLeaves();
  const ComposedLayout &composed = l.composed();
  int64_t inner = composed.inner.kind == InnerMap::Kind::Layout
                      ? countLeaves(composed.inner.layout)
                      : 1;
  return inner + countLeaves(composed.outer);
}

bool PointMap::addDigits(const Layout &l) {
  Step step;
  step.kind = Step::Kind::Digits;
  std::vector<IntTuple> extents = l.shape.leaves(), strides = l.stride.leaves();
  for (size_t i = 0, e = extents.size(); i != e; ++i) {
    if (i >= strides.size() || !strides[i].isInt() || !extents[i].isInt() ||
        extents[i].leaf().value() < 1)
      return false;
    step.digits.push_back(
        {extents[i].leaf().value(), strides[i].leaf().value()});
  }
  steps.push_back(std::move(step));
  return true;
}

bool PointMap::addSteps(const AnyLayout &l) {
  if (l.isPlain())
    return addDigits(l.plain());
  const ComposedLayout &composed = l.composed();
  if (!addSteps(composed.outer) || !composed.offset.isInt())
    return false;
  Step add;
  add.addend = composed.offset.leaf().value();
  steps.push_back(std::move(add));
  switch (composed.inner.kind) {
  case InnerMap::Kind::Swizzle: {
    Step swizzle;
    swizzle.kind = Step::Kind::Swizzle;
    swizzle.swizzle = composed.inner.swizzle;
    steps.push_back(std::move(swizzle));
    return true;
  }
  case InnerMap::Kind::CoordSwizzle:
    return false;
  case InnerMap::Kind::Layout:
    break;
  }
  return addSteps(composed.inner.layout);
}

std::optional<PointMap> PointMap::of(const AnyLayout &l, std::string &why) {
  if (!l.isStatic()) {
    why = "layout " + l.str() + " has unknown leaves";
    return std::nullopt;
  }
  PointMap map;
  map.whole = l;
  map.numLeaves = countLeaves(l);
  if (map.numLeaves > maxLeaves) {
    why = "a layout of " + std::to_string(map.numLeaves) + " leaves, at most " +
          std::to_string(maxLeaves) + " are asked point by point";
    return std::nullopt;
  }
  map.numPoints = 1;
  for (const IntTuple &leaf : l.linear().shape.leaves()) {
    int64_t extent = leaf.isInt() ? leaf.leaf().value() : 0;
    if (extent < 1) {
      why = "expected positive extents, got " + leaf.str() + " in the shape " +
            l.linear().shape.str();
      return std::nullopt;
    }
    if (llvm::MulOverflow(map.numPoints, extent, map.numPoints)) {
      why = "the size of " + l.linear().shape.str() + " exceeds 64 bits";
      return std::nullopt;
    }
  }
  map.scalar = map.addSteps(l);
  return map;
}

/// The inner product of an index's digits with the strides; the last digit is
/// unbounded.
static bool applyDigits(llvm::ArrayRef<std::pair<int64_t, int64_t>> digits,
                        int64_t &value) {
  int64_t sum = 0, rest = value;
  for (size_t i = 0, e = digits.size(); i != e; ++i) {
    auto [extent, stride] = digits[i];
    int64_t digit = i + 1 == e ? rest : rest % extent, term = 0;
    rest /= extent;
    if (llvm::MulOverflow(digit, stride, term) ||
        llvm::AddOverflow(sum, term, sum))
      return false;
  }
  value = sum;
  return true;
}

/// As Arith::swizzle on known numbers: the shift is logical.
static int64_t applySwizzleTo(const Swizzle &s, int64_t value) {
  uint64_t bits = static_cast<uint64_t>(value);
  uint64_t mask = ((uint64_t(1) << s.mask) - 1) << (s.base + s.shift);
  return static_cast<int64_t>(bits ^ ((bits & mask) >> s.shift));
}

std::optional<int64_t> PointMap::scalarAt(int64_t index) const {
  int64_t value = index;
  for (const Step &step : steps) {
    switch (step.kind) {
    case Step::Kind::Digits:
      if (!applyDigits(step.digits, value))
        return std::nullopt;
      break;
    case Step::Kind::Add:
      if (llvm::AddOverflow(value, step.addend, value))
        return std::nullopt;
      break;
    case Step::Kind::Swizzle:
      value = applySwizzleTo(step.swizzle, value);
      break;
    }
  }
  return value;
}

std::optional<IntTuple> PointMap::at(int64_t index, std::string &why) const {
  if (scalar)
    if (std::optional<int64_t> value = scalarAt(index))
      return IntTuple(*value);
  StaticArith arith;
  IntTuple image = crd2idx(arith, IntTuple(index), whole);
  if (!arith.failed())
    return image;
  why = arith.message();
  return std::nullopt;
}
