// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers and nested tuples as values: construction, queries and text.
//
// In: numbers, mode numbers, children. Out: immutable trees. The law: a tuple
// that is printed and read again is the same tuple, but for the handles of its
// unknowns and for a basis element of `*`, which prints as 0.
//
//   IntTuple::tuple({4, IntTuple::basis(Int::known(2), {1})}).str()
//     == "(4,2E1)"

#include "fly/Layout/IntTuple.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::layout;

//===----------------------------------------------------------------------===//
// Int
//===----------------------------------------------------------------------===//

Int Int::known(int64_t value) {
  Int result;
  result.kind = Kind::Static;
  result.bits = 32;
  result.payload = value;
  return result;
}

Int Int::unknown(unsigned width, int64_t divisor, uint32_t handle) {
  Int result;
  result.kind = Kind::Dynamic;
  result.bits = width > 32 ? 64 : 32;
  result.name = handle;
  // A promise is a positive number: a sign says nothing about divisibility,
  // and "a multiple of 0" is not a promise that arithmetic can carry.
  if (divisor == std::numeric_limits<int64_t>::min())
    result.payload = int64_t(1) << 62;
  else if (divisor == 0)
    result.payload = 1;
  else
    result.payload = divisor < 0 ? -divisor : divisor;
  return result;
}

unsigned Int::neededWidth() const {
  if (kind == Kind::Static && !llvm::isInt<32>(payload))
    return 64;
  return bits;
}

Int Int::withDivisor(int64_t divisor) const {
  return isDynamic() ? unknown(bits, divisor, name) : *this;
}

bool Int::operator==(const Int &other) const {
  return kind == other.kind && bits == other.bits && name == other.name &&
         payload == other.payload;
}

//===----------------------------------------------------------------------===//
// IntTuple
//===----------------------------------------------------------------------===//

IntTuple IntTuple::basis(Int value, llvm::ArrayRef<int32_t> modes) {
  IntTuple result(value);
  if (!modes.empty())
    result.parts =
        std::make_shared<const Parts>(Parts{{modes.begin(), modes.end()}, {}});
  return result;
}

IntTuple IntTuple::tuple(std::vector<IntTuple> elements) {
  IntTuple result;
  if (!elements.empty())
    result.parts =
        std::make_shared<const Parts>(Parts{{}, std::move(elements)});
  return result;
}

IntTuple IntTuple::of(llvm::ArrayRef<int64_t> elements) {
  return tuple(std::vector<IntTuple>(elements.begin(), elements.end()));
}

llvm::ArrayRef<IntTuple> IntTuple::elements() const {
  if (!parts)
    return {};
  return parts->children;
}

llvm::ArrayRef<int32_t> IntTuple::modes() const {
  if (!parts)
    return {};
  return parts->modes;
}

unsigned IntTuple::depth() const {
  unsigned deepest = 0;
  for (const IntTuple &child : elements())
    deepest = std::max(deepest, child.depth());
  return isTuple() ? deepest + 1 : 0;
}

IntTuple IntTuple::at(unsigned index) const {
  if (isLeaf())
    return index == 0 ? *this : IntTuple();
  return index < rank() ? parts->children[index] : IntTuple();
}

bool IntTuple::isStatic() const {
  if (isLeaf())
    return leafValue.isStatic();
  return llvm::all_of(elements(),
                      [](const IntTuple &child) { return child.isStatic(); });
}

bool IntTuple::hasNone() const {
  if (isLeaf())
    return isNone();
  return llvm::any_of(elements(),
                      [](const IntTuple &child) { return child.hasNone(); });
}

bool IntTuple::allNone() const {
  if (isLeaf())
    return isNone();
  return llvm::all_of(elements(),
                      [](const IntTuple &child) { return child.allNone(); });
}

unsigned IntTuple::numLeaves() const {
  if (isLeaf())
    return 1;
  unsigned count = 0;
  for (const IntTuple &child : elements())
    count += child.numLeaves();
  return count;
}

unsigned IntTuple::numDynamicLeaves() const {
  unsigned count = 0;
  forEachLeaf([&](const IntTuple &leaf) { count += !leaf.isStatic(); });
  return count;
}

void IntTuple::forEachLeaf(
    llvm::function_ref<void(const IntTuple &)> visit) const {
  if (isLeaf())
    return visit(*this);
  for (const IntTuple &child : elements())
    child.forEachLeaf(visit);
}

std::vector<IntTuple> IntTuple::leaves() const {
  std::vector<IntTuple> result;
  forEachLeaf([&](const IntTuple &leaf) { result.push_back(leaf); });
  return result;
}

IntTuple
IntTuple::mapLeaves(llvm::function_ref<IntTuple(const IntTuple &)> map) const {
  if (isLeaf())
    return map(*this);
  std::vector<IntTuple> result;
  result.reserve(rank());
  for (const IntTuple &child : elements())
    result.push_back(child.mapLeaves(map));
  return tuple(std::move(result));
}

static void printInt(llvm::raw_ostream &os, Int value) {
  if (value.isNone()) {
    os << '*';
    return;
  }
  if (value.isStatic()) {
    os << value.value();
    return;
  }
  os << '?';
  bool wide = value.width() != 32, divides = value.divisor() != 1;
  if (!wide && !divides)
    return;
  os << '{' << (wide ? "i64" : "") << (wide && divides ? " " : "");
  if (divides)
    os << "div=" << value.divisor();
  os << '}';
}

void IntTuple::print(llvm::raw_ostream &os) const {
  if (isTuple()) {
    os << '(';
    bool first = true;
    for (const IntTuple &child : elements()) {
      os << (first ? "" : ",");
      first = false;
      child.print(os);
    }
    os << ')';
    return;
  }
  printInt(os, isBasis() && leafValue.isNone() ? Int::known(0) : leafValue);
  for (int32_t mode : modes())
    os << 'E' << mode;
}

std::string IntTuple::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

bool IntTuple::operator==(const IntTuple &other) const {
  if (isTuple() != other.isTuple())
    return false;
  if (isTuple())
    return parts == other.parts || elements() == other.elements();
  return leafValue == other.leafValue && modes() == other.modes();
}

bool fly::layout::congruent(const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf() || b.isLeaf())
    return a.isLeaf() && b.isLeaf();
  if (a.rank() != b.rank())
    return false;
  for (unsigned i = 0, e = a.rank(); i != e; ++i)
    if (!congruent(a.elements()[i], b.elements()[i]))
      return false;
  return true;
}

bool fly::layout::weaklyCongruent(const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf())
    return true;
  if (b.isLeaf() || a.rank() != b.rank())
    return false;
  for (unsigned i = 0, e = a.rank(); i != e; ++i)
    if (!weaklyCongruent(a.elements()[i], b.elements()[i]))
      return false;
  return true;
}
