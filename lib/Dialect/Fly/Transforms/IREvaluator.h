// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bridge between SSA values and values of the algebra.
//
// `valueOf` reads an SSA value: constructors in normal form, static types,
// bare pointers. `materialize` writes one back: constructors in normal form at
// the insertion point. A pointer is kept as base + dynamic + known offset, the
// known one last, so that accesses at constant distances share one dynamic
// base.
//
// The offsets of a tensor's slices and partitions add up to the index of an
// element, which has the width that the tensor's coordinates and strides give
// it: one `add_offset`. In global memory, offsets of different origin (a
// tensor's, and that of the pointer that it was made of) may need more bits
// together: an `add_offset` each, which share what they have in common.

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_IREVALUATOR_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_IREVALUATOR_H

#include "IRArith.h"
#include "fly/Dialect/Fly/IR/Evaluation.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "llvm/Support/Allocator.h"

namespace mlir::fly {

/// Whether addresses in the space of a pointer type have 64 bits.
bool hasWideOffsets(Type pointerType);
/// The same unknown as a number of 64 bits.
::fly::layout::Int widened(::fly::layout::Int leaf);

class IREvaluator : public Evaluator {
public:
  explicit IREvaluator(MLIRContext *context)
      : Evaluator(irArith, context), irArith(context) {}

  /// What an SSA value denotes, or nothing when it is not in normal form (a
  /// block argument of a type with run-time data, say).
  std::optional<AlgebraVal> valueOf(Value value);
  /// Remembers what the result of an evaluated op denotes.
  void remember(Value result, AlgebraVal value);

  /// Takes note that extents are never negative; `maker` makes a layout of
  /// them.
  void noteExtents(Operation *maker, const ::fly::layout::IntTuple &shape);

  /// An SSA value for `value` at the insertion point, in normal form.
  Value materialize(const AlgebraVal &value);
  /// The SSA value that stands for a remembered result, created at most once
  /// in each open scope.
  Value materializeResult(Value result);

  /// Open while a block is walked: what is created in it may be used by what
  /// follows in it and below it.
  class Scope {
  public:
    explicit Scope(IREvaluator &evaluator)
        : integers(evaluator.irArith), results(evaluator.materialized) {}

  private:
    IRArith::Scope integers;
    ScopedTable<Value, Value>::ScopeTy results;
  };

  OpBuilder &builder() { return irArith.builder; }
  void setLocation(Location location) { irArith.location = location; }
  Location location() const { return irArith.location; }
  IRArith &integers() { return irArith; }

  /// A tuple as `make_int_tuple`.
  Value materializeTuple(const ::fly::layout::IntTuple &tuple);
  Value materializeLayout(const ::fly::layout::AnyLayout &layout);
  Value materializePointer(PointerVal pointer);
  /// The evaluator's name for an SSA pointer.
  PointerVal pointerOf(Value pointer);
  /// The same pointer, whose later offsets do not join those that it has.
  PointerVal withNewOrigin(PointerVal pointer);

protected:
  uint32_t emitAddOffset(PointerVal pointer, ::fly::layout::Int offset,
                         Type resultType) override;
  uint32_t emitAllocate(Type pointerType, int64_t count) override;

private:
  struct Pointer {
    Value base;
    ::fly::layout::Int dynamic; // since the last new origin; 0: none
    int64_t known = 0;
    ::fly::layout::Int origin; // the dynamic offset before; 0: none
  };
  std::optional<AlgebraVal> readConstructor(Value value);
  ::fly::layout::Int dynamicOffset(const Pointer &parts);
  Value moved(Value base, ::fly::layout::Int offset);
  Value once(unsigned tag, Type type, Value first, Value second,
             llvm::function_ref<Value()> make);

  IRArith irArith;
  std::vector<Pointer> pointers = {Pointer()};
  llvm::DenseMap<Value, uint32_t> pointerHandles;
  /// What values denote, in the order in which they were met: beside each
  /// other, where a table that has each value in it jumps about in memory.
  llvm::SpecificBumpPtrAllocator<AlgebraVal> knownValues;
  llvm::DenseMap<Value, AlgebraVal *> known;
  ScopedTable<Value, Value> materialized;
};

} // namespace mlir::fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_IREVALUATOR_H
