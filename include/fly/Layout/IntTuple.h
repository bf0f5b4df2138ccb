// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers as leaves, and nested tuples of them.
//
// A leaf is none (`*`), a known number, or an unknown one: a handle into
// whatever the arithmetic in use keeps its unknowns in (SSA values, recorded
// expressions, nothing), with a width in bits and a promised divisor. A leaf
// with mode numbers is a scaled basis element: `4E2` is four times the unit
// vector of mode 2. A tuple is a leaf or a non-empty list of tuples:
//
//   (4,(?{i64 div=8},2))    rank 2, depth 2, one dynamic leaf
//
// All are values: copying is cheap, nothing is ever changed in place.

#ifndef FLY_LAYOUT_INTTUPLE_H
#define FLY_LAYOUT_INTTUPLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace fly::layout {

/// One integer. Three families exist, and the constructors normalise to them:
/// none (value 0, width 0), static (width 32 whatever the value) and dynamic
/// (width 32 or 64, divisor >= 1, handle).
class Int {
public:
  /// The none leaf `*`; arithmetic counts it as a static zero.
  Int() = default;
  /// A known number.
  static Int known(int64_t value);
  /// An unknown number: `width` is 32 or 64, `divisor` >= 1 divides every
  /// value that it can take, `handle` is the arithmetic's own name for it (0
  /// when it has none).
  static Int unknown(unsigned width, int64_t divisor, uint32_t handle = 0);

  bool isNone() const { return kind == Kind::None; }
  /// True for known numbers and for none.
  bool isStatic() const { return kind != Kind::Dynamic; }
  bool isDynamic() const { return kind == Kind::Dynamic; }
  /// True when the number is known (none counts as 0) and equals `number`.
  bool is(int64_t number) const { return isStatic() && payload == number; }
  /// The known number; 0 for none. Only for static leaves.
  int64_t value() const { return isStatic() ? payload : 0; }
  /// What the arithmetic of divisors uses: the value of a static leaf, the
  /// promised divisor of a dynamic one.
  int64_t divisor() const { return payload; }
  /// 0 for none, 32 for known numbers, 32 or 64 for unknown ones.
  unsigned width() const { return bits; }
  /// Width that arithmetic needs to hold the leaf: as width(), but 64 for a
  /// known number that does not fit 32 bits.
  unsigned neededWidth() const;
  uint32_t handle() const { return name; }
  /// The same unknown with another promise.
  Int withDivisor(int64_t divisor) const;

  bool operator==(const Int &other) const;
  bool operator!=(const Int &other) const { return !(*this == other); }

private:
  enum class Kind : uint8_t { None, Static, Dynamic };
  Kind kind = Kind::None;
  uint8_t bits = 0;
  uint32_t name = 0;
  int64_t payload = 0; // the value, or the divisor of an unknown
};

/// A leaf or a non-empty list of tuples. Every query is total: an index out
/// of range answers a none leaf, never undefined behaviour, so that code
/// which runs on after Arith::fail is harmless.
class IntTuple {
public:
  /// The none leaf.
  IntTuple() = default;
  IntTuple(Int leaf) : leafValue(leaf) {}
  IntTuple(int64_t known) : leafValue(Int::known(known)) {}
  /// A scaled basis element; `modes` outermost first, not empty.
  static IntTuple basis(Int value, llvm::ArrayRef<int32_t> modes);
  /// A tuple; `elements` must not be empty (an empty list gives none).
  static IntTuple tuple(std::vector<IntTuple> elements);
  /// A tuple of known numbers, for tables and tests.
  static IntTuple of(llvm::ArrayRef<int64_t> elements);

  bool isLeaf() const { return !isTuple(); }
  bool isTuple() const { return parts && !parts->children.empty(); }
  bool isBasis() const { return parts && !parts->modes.empty(); }
  /// A leaf that is a plain integer (none included).
  bool isInt() const { return !parts; }
  bool isNone() const { return isInt() && leafValue.isNone(); }
  /// A plain integer leaf with this known value; none counts as 0.
  bool isKnown(int64_t value) const { return isInt() && leafValue.is(value); }

  /// The integer of a leaf (the scale of a basis element); none for a tuple.
  Int leaf() const { return leafValue; }
  /// Mode numbers of a basis element, outermost first; empty otherwise.
  llvm::ArrayRef<int32_t> modes() const;
  /// Children of a tuple; a leaf answers an empty list.
  llvm::ArrayRef<IntTuple> elements() const;

  /// 1 for a leaf.
  unsigned rank() const { return isTuple() ? parts->children.size() : 1; }
  /// 0 for a leaf, else one more than the deepest child.
  unsigned depth() const;
  /// Child `index`; a leaf answers itself for index 0.
  IntTuple at(unsigned index) const;
  bool isStatic() const;
  bool hasNone() const;
  bool allNone() const;
  unsigned numLeaves() const;
  unsigned numDynamicLeaves() const;
  /// Leaves from left to right.
  void forEachLeaf(llvm::function_ref<void(const IntTuple &)> visit) const;
  std::vector<IntTuple> leaves() const;
  /// The same tree with every leaf replaced.
  IntTuple mapLeaves(llvm::function_ref<IntTuple(const IntTuple &)> map) const;

  /// Text as the dialect prints it: `(4,(?{i64 div=8},2E0E1))`.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

  bool operator==(const IntTuple &other) const;
  bool operator!=(const IntTuple &other) const { return !(*this == other); }

private:
  /// What a plain integer does not have: the mode numbers of a basis element
  /// or the children of a tuple; one of the lists is empty. Shared by copies.
  struct Parts {
    std::vector<int32_t> modes;
    std::vector<IntTuple> children;
  };
  Int leafValue;
  std::shared_ptr<const Parts> parts;
};

/// Same tree.
bool congruent(const IntTuple &a, const IntTuple &b);
/// `a` is a leaf, or both are tuples of equal rank with weakly congruent
/// children (`b` may be deeper).
bool weaklyCongruent(const IntTuple &a, const IntTuple &b);

} // namespace fly::layout

#endif // FLY_LAYOUT_INTTUPLE_H
