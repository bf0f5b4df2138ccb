// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an op of the algebra means, and what it computes with.
//
// Each such op implements one method, `evaluate(Evaluator &, operands)`. Three
// drivers call it: result-type inference (operands from types, TypeArith),
// folding (the same: a static result type is the answer), and lowering
// (operands from SSA values, an arithmetic that creates ops). This file has
// the values and the evaluator; the bridge from and to attributes and types
// is here too. Nothing in this layer creates an operation.
//
//   fly.slice(%m, %c) on a memref: the pointer moved by Q(c), the layout sliced

#ifndef FLY_DIALECT_FLY_IR_EVALUATION_H
#define FLY_DIALECT_FLY_IR_EVALUATION_H

#include "fly/Layout/Algebra.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/TypeRange.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::fly {

class PointerType;

/// A pointer: its type, and the evaluator's name for it (0 in inference).
struct PointerVal {
  Type type; // PointerType; null when there is none
  uint32_t handle = 0;
};

/// The value of an operand or result, as far as the algebra is concerned.
struct AlgebraVal {
  enum class Kind {
    IntTuple,     // tuple
    Layout,       // layout, plain or composed
    Swizzle,      // type alone: swizzle() is the one of a SwizzleType
    CoordSwizzle, // type alone: coordSwizzle()
    Tile,         // type alone: tile()
    Pointer,      // pointer
    MemRef,       // pointer and layout
    CoordTensor,  // tuple (the base) and layout
    Integer,      // integer: a builtin i1, i32 or i64, `width` bits
    Opaque,       // type alone: atoms, tiled copies, tiled MMAs, the rest
  };
  Kind kind = Kind::Opaque;
  Type type; // of an operand: the type it came from; of Opaque: the type
  ::fly::layout::IntTuple tuple;
  ::fly::layout::AnyLayout layout;
  PointerVal pointer;
  ::fly::layout::Int integer;
  unsigned width = 0;

  static AlgebraVal ofTuple(::fly::layout::IntTuple tuple);
  static AlgebraVal ofLayout(::fly::layout::AnyLayout layout);
  static AlgebraVal ofPointer(PointerVal pointer);
  static AlgebraVal ofMemRef(PointerVal pointer,
                             ::fly::layout::AnyLayout layout);
  static AlgebraVal ofCoordTensor(::fly::layout::IntTuple base,
                                  ::fly::layout::AnyLayout layout);
  static AlgebraVal ofInteger(::fly::layout::Int integer, unsigned width);
  static AlgebraVal ofOpaque(Type type);

  /// Of the kinds that always are static: what the type says.
  const ::fly::layout::Swizzle &swizzle() const;
  const ::fly::layout::CoordSwizzle &coordSwizzle() const;
  const ::fly::layout::Tile &tile() const;

  bool isTuple() const { return kind == Kind::IntTuple; }
  bool isLayout() const { return kind == Kind::Layout; }
  bool isTensor() const {
    return kind == Kind::MemRef || kind == Kind::CoordTensor;
  }
  /// Layout, memref or coord_tensor: something with a layout.
  bool hasLayout() const { return isLayout() || isTensor(); }
  /// The same value around another layout.
  AlgebraVal withLayout(::fly::layout::AnyLayout layout) const;
};

/// What `evaluate` computes with: integers through Arith, pointers here. The
/// rules of pointer types stand in the two public functions; what happens at
/// run time is the subclass's.
class Evaluator {
public:
  Evaluator(::fly::layout::Arith &arith, MLIRContext *context)
      : arith(arith), context(context) {}
  virtual ~Evaluator();

  /// `pointer` moved by `offset` elements. The alignment of the answer's type:
  /// value divisibility combined with the offset's divisor (dialect
  /// specification 3.9). A known offset of 0 is the pointer itself.
  PointerVal addOffset(PointerVal pointer, ::fly::layout::Int offset);
  /// As addOffset, for an offset in a codomain: a leaf, else a failure.
  PointerVal addOffset(PointerVal pointer,
                       const ::fly::layout::IntTuple &offset);
  /// `pointer` with `swizzle` for that of its byte addresses. The alignment is
  /// that of gcd(elements, 2^base) elements (dialect specification 7.13); the
  /// trivial swizzle keeps it.
  PointerVal applySwizzle(PointerVal pointer,
                          const ::fly::layout::Swizzle &swizzle);
  /// A fresh register array of `count` elements.
  PointerVal allocateRegisters(Type elementType, int64_t count);

  ::fly::layout::Arith &arith;
  MLIRContext *const context;

protected:
  /// Carries the move out; answers a handle.
  virtual uint32_t emitAddOffset(PointerVal pointer, ::fly::layout::Int offset,
                                 Type resultType) = 0;
  virtual uint32_t emitAllocate(Type pointerType, int64_t count) = 0;
  /// By default the pointer keeps its name.
  virtual uint32_t emitApplySwizzle(PointerVal pointer,
                                    const ::fly::layout::Swizzle &swizzle,
                                    Type resultType);
};

/// Inference: handles are 0, nothing happens.
class TypeEvaluator : public Evaluator {
public:
  explicit TypeEvaluator(MLIRContext *context)
      : Evaluator(typeArith, context) {}

protected:
  uint32_t emitAddOffset(PointerVal, ::fly::layout::Int, Type) override {
    return 0;
  }
  uint32_t emitAllocate(Type, int64_t) override { return 0; }

private:
  ::fly::layout::TypeArith typeArith;
};

/// The value that a type stands for, its dynamic leaves unknown without a
/// name. Types that the algebra does not look into are Opaque.
AlgebraVal valueOfType(Type type);
/// The type of a value. For Integer: the builtin type of its width.
Type typeOfValue(MLIRContext *context, const AlgebraVal &value);

using EvaluateFunction = llvm::function_ref<void(
    Evaluator &, ArrayRef<AlgebraVal>, SmallVectorImpl<AlgebraVal> &)>;

/// Runs `evaluate` on what the operand types stand for and appends the result
/// types. A failure is reported at `location` when there is one.
LogicalResult inferByEvaluation(MLIRContext *context,
                                std::optional<Location> location,
                                TypeRange operandTypes,
                                EvaluateFunction evaluate,
                                SmallVectorImpl<Type> &resultTypes);

/// The same for an op whose answer depends on nothing but the operand types and
/// `attributes`, its inherent ones (null where one is absent): the answer is
/// looked up in the dialect's memo first, and kept there. `op` is the op's
/// TypeID.
LogicalResult inferOnce(MLIRContext *context, std::optional<Location> location,
                        TypeID op, TypeRange operandTypes,
                        ArrayRef<Attribute> attributes,
                        EvaluateFunction evaluate,
                        SmallVectorImpl<Type> &resultTypes);

} // namespace mlir::fly

#endif // FLY_DIALECT_FLY_IR_EVALUATION_H
