// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions out of the Fly dialects.

#ifndef FLY_CONVERSION_PASSES_TD
#define FLY_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFlyToROCDL : Pass<"convert-fly-to-rocdl"> {
  let summary = "Turn pointers, views and atom calls into LLVM and ROCDL ops";
  let description = [{
    Runs after layout lowering, when layouts are types and addresses are
    pointers with offsets. A pointer or tensor becomes an `!llvm.ptr` of its
    address space (generic 0, global 1, shared 3, register 5), or
    `!llvm.struct<(ptr<8>, i32)>` for a buffer descriptor with its element
    offset; an atom with state becomes the struct of its state. Atom calls
    become the instructions that the atoms name. Values of these types may pass
    through functions, calls, loops, branches and selects.

    An access claims the alignment that its pointer's type proves, and no more.
    An atom whose operand is not contiguous is split into its contiguous pieces.
    What cannot be lowered is reported where it stands.

    ```mlir
    %i = fly.make_int_tuple(%o) : (i32) -> !fly.int_tuple<?{div=8}>
    %q = fly.add_offset(%p, %i) : (!fly.ptr<f16, global, align<16>>,
        !fly.int_tuple<?{div=8}>) -> !fly.ptr<f16, global, align<16>>
    %v = fly.ptr.load(%q) : (!fly.ptr<f16, global, align<16>>) -> vector<8xf16>
    // becomes
    %q = llvm.getelementptr %p[%o] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %v = llvm.load %q {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "Processor whose instructions atoms are held against; empty: the one "
           "of the enclosing gpu.module's target, if it has one">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect",
                           "::mlir::fly::FlyDialect",
                           "::mlir::fly_rocdl::FlyROCDLDialect"];
}

#endif // FLY_CONVERSION_PASSES_TD
