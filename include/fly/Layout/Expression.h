// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calculator: text goes in, the value of an expression of the layout
// algebra comes out, or one error with its column. Literals are those of the
// dialect's text; functions have the names of the dialect's operations
// (sections 3.2 to 3.7 of its specification), operands first, then attributes
// by position or by name:
//
//   composition((6,2):(8,2), (4,3):(3,1))         ((2,2),3):((24,2),8)
//   recast_layout((6,5):(1,6), new_type_bits=32, old_type_bits=16)
//   take(zipped_divide((12,10):(10,1), [3|5]), 0, 1)
//
// The law: an expression of one function answers what the function of
// Algebra.h answers for the same operands (test/unit/Layout runs the vectors
// of the specification through it). Unknown leaves are fine: the arithmetic
// decides what they become.

#ifndef FLY_LAYOUT_EXPRESSION_H
#define FLY_LAYOUT_EXPRESSION_H

#include "fly/Layout/Arith.h"
#include "fly/Layout/Layout.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace fly::layout {

/// What an expression can be.
struct Value {
  enum class Kind { Tuple, Layout, Tile, Swizzle, CoordSwizzle };
  Kind kind = Kind::Tuple;
  IntTuple tuple;
  AnyLayout layout;
  Tile tile;
  Swizzle swizzle;
  CoordSwizzle coordSwizzle;

  Value() = default;
  Value(IntTuple t) : kind(Kind::Tuple), tuple(std::move(t)) {}
  Value(AnyLayout l) : kind(Kind::Layout), layout(std::move(l)) {}
  Value(Layout l) : kind(Kind::Layout), layout(std::move(l)) {}
  Value(Tile t) : kind(Kind::Tile), tile(std::move(t)) {}
  Value(Swizzle s) : kind(Kind::Swizzle), swizzle(s) {}
  Value(CoordSwizzle s)
      : kind(Kind::CoordSwizzle), coordSwizzle(std::move(s)) {}

  /// "int_tuple", "layout", "composed_layout", "tile", "swizzle",
  /// "coord_swizzle": the dialect's word for what it is.
  llvm::StringRef kindName() const;
  /// Text as the dialect prints it.
  std::string str() const;
};

/// What a parameter of a function takes.
enum class Argument : uint8_t {
  Tuple,         ///< an int_tuple
  Layout,        ///< a plain layout
  AnyLayout,     ///< a plain or composed layout
  TupleOrLayout, ///< either
  Tiler,         ///< a tile, a plain layout, or an integer
  Map,           ///< what maps a coordinate: any layout or a swizzle
  Number,        ///< a known number of 32 bits
  Numbers,       ///< any count of them; the last parameter
};

struct Parameter {
  llvm::StringLiteral name;
  Argument takes;
  bool isOptional = false;
};

/// A function of the calculator.
struct Function {
  llvm::StringLiteral name;
  llvm::ArrayRef<Parameter> parameters;
  /// Arguments have the kinds that the parameters ask for; optional ones that
  /// were not given are missing at the end, or none in between. `Numbers`
  /// arrive as one tuple.
  Value (*run)(Arith &arith, llvm::ArrayRef<Value> arguments);

  /// "composition(outer, inner)"; optional parameters in brackets.
  std::string signature() const;
};

/// Every function, in the order of the specification.
llvm::ArrayRef<Function> expressionFunctions();
/// The function of that name, or null.
const Function *findExpressionFunction(llvm::StringRef name);

/// Where an expression is wrong and why; columns count from 0.
struct ExpressionError {
  size_t column = 0;
  std::string message;
};

/// Gives other words a meaning. It gets the text from the word on and answers
/// how much of it was read, with the value; 0 when it does not know the word;
/// or it fills in the error, whose column counts from the word.
using Vocabulary = llvm::function_ref<size_t(llvm::StringRef text, Value &value,
                                             ExpressionError &error)>;

/// The value of `text`, or nothing and the error.
std::optional<Value> evaluateExpression(Arith &arith, llvm::StringRef text,
                                        ExpressionError &error,
                                        Vocabulary words = nullptr);

} // namespace fly::layout

#endif // FLY_LAYOUT_EXPRESSION_H
