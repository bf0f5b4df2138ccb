// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `fly` dialect: the layout algebra, tensors over it, and the atoms that
// move and multiply tiles. Its types carry what is known at compile time; its
// values carry what is not.
//
//   %c = fly.composition(%a, %b)
//      : (!fly.layout<(6,2):(8,2)>, !fly.layout<(4,3):(3,1)>)
//      -> !fly.layout<((2,2),3):((24,2),8)>

#ifndef FLY_DIALECT_FLY_IR_FLYDIALECT_TD
#define FLY_DIALECT_FLY_IR_FLYDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def Fly_Dialect : Dialect {
  let name = "fly";
  let cppNamespace = "::mlir::fly";
  let summary = "Layout algebra, tensors and tile operations of GPU kernels";
  let description = [{
    A layout `shape:stride` maps coordinates to indices. Tensors (`memref`,
    `coord_tensor`) are iterators with a layout; atoms say what one instruction
    moves or multiplies, and which thread holds which value; tiled copies and
    tiled MMAs repeat atoms over threads and values.

    Every type says what is known at compile time. A leaf `?` in a type is a
    number that an SSA value carries at run time; a type without one is static
    and its value can be rebuilt anywhere. The result type of an op is the
    algebra's answer on the operand types, and the verifier holds the written
    type against it.

    No op has folders or canonicalisation patterns: folding is what the pass
    `fly-canonicalize` does.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Attributes: the generated dispatcher, and the spellings of
    /// specification 1.12 that run a mnemonic and its body together.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;

    /// What inference has answered so far in this context (InferenceMemo.h).
    InferenceMemo &getInferenceMemo() { return *memo; }

  private:
    std::unique_ptr<InferenceMemo> memo;
    void registerAttributes();
    void registerTypes();
    void registerOps();

  public:
  }];
}

#endif // FLY_DIALECT_FLY_IR_FLYDIALECT_TD
