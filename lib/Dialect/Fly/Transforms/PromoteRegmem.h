// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `fly-promote-regmem-to-vectorssa` knows about a function before it
// changes anything: its register arrays, which elements each access touches,
// and which arrays a region op has to carry.
//
//   array 0: vector<4xf16>, accessed at [0,4) by a load and a store
//   scf.for: stores array 0, reads what the iteration before wrote: carried
//
// Everything is computed once, bottom-up and then top-down, in time linear in
// accesses and in (region op, array touched inside) pairs.

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_PROMOTEREGMEM_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_PROMOTEREGMEM_H

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::fly {

/// The integer of the same width for floats narrower than 16 bits, any other
/// type itself: the element of a register value.
Type registerElementType(Type type);

/// What becomes one vector: the array of a `make_ptr` in register space, or
/// one granule of it when its accesses agree on a partition.
struct RegisterArray {
  MakePtrOp op;
  int64_t size = 0;
  VectorType stateType;
  /// Pointer arithmetic and unused views of it, definitions before users; with
  /// the first granule.
  SmallVector<Operation *> pointers;
};

/// A load or store: elements [offset, offset + count) of an array, or all of
/// `granules` arrays from that one on (then the offset is 0).
struct RegisterAccess {
  unsigned array = 0;
  unsigned granules = 1;
  int64_t offset = 0, count = 0;
};

/// Elements read before they are written, and elements surely written.
struct ElementFlow {
  llvm::BitVector read, written;
  /// Appends what runs afterwards.
  void then(const ElementFlow &next);
};

/// An array that is touched inside a region op and allocated outside.
struct TouchedArray {
  unsigned array = 0;
  bool stored = false;
  /// The state crosses the op's boundary as operand, argument or result.
  bool carried = false;
  /// The first value of a carried state is never read.
  bool initUnread = false;
  /// Per region: its flow, and whether the state it starts with is read.
  SmallVector<ElementFlow, 2> flow;
  SmallVector<bool, 2> startRead;
};

/// How a region op runs its regions.
enum class RegionForm {
  Choice,  // one of them, at most once: scf.if, scf.index_switch
  Once,    // its one region, once: scf.execute_region
  For,     // its one region, any number of times
  While,   // before, (after, before)*
  Unknown, // anything else: states may be read inside, not written
};
RegionForm regionForm(Operation *op);

/// The facts about one function.
class RegisterFacts {
public:
  struct Options {
    bool split = true;   // into granules
    bool report = false; // a remark for each array that stays
  };
  /// Finds arrays and accesses. A failure (an access outside of its array)
  /// has been reported.
  LogicalResult collect(FunctionOpInterface function, Options options);
  /// Fills in what region ops carry.
  void computeFlow(FunctionOpInterface function);

  /// In the order of allocation.
  SmallVector<RegisterArray> arrays;
  /// By make_ptr: the first array, and how many there are.
  llvm::DenseMap<Operation *, std::pair<unsigned, unsigned>> arraysOf;
  llvm::DenseMap<Operation *, RegisterAccess> accesses;
  /// By region op, arrays in the order of allocation.
  llvm::DenseMap<Operation *, std::vector<TouchedArray>> touched;

private:
  struct Candidate;
  struct Refusal;
  static std::optional<Refusal> climb(Candidate &candidate, unsigned granule,
                                      Operation *access);
  std::optional<Refusal> examine(Candidate &candidate);
  std::optional<Refusal> examineUse(Candidate &candidate, OpOperand &use,
                                    int64_t offset);
  std::optional<Refusal> examineAccess(Candidate &candidate, Operation *access,
                                       Type type, int64_t offset);
  void commit(Candidate &candidate);

  using FlowMap = llvm::DenseMap<unsigned, ElementFlow>;
  using LiveMap = llvm::DenseMap<unsigned, llvm::BitVector>;
  /// The ranges of an access, array by array.
  void forEachGranule(
      const RegisterAccess &access,
      llvm::function_ref<void(unsigned array, int64_t begin, int64_t end)>
          visit) const;
  void forward(Block &block, FlowMap &flow);
  ElementFlow forwardOp(Operation *op, const TouchedArray &array) const;
  void backward(Block &block, LiveMap &live);
  void backwardOp(Operation *op, LiveMap &live);
  llvm::BitVector emptySet(unsigned array) const {
    return llvm::BitVector(arrays[array].size);
  }
};

} // namespace mlir::fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_PROMOTEREGMEM_H
