// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that does the whole job. The named pipelines of this project are in
// Lowering.h.

#ifndef FLY_PIPELINES_PASSES_TD
#define FLY_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlyToBinary : PassBase<"fly-to-binary", "::mlir::fly::CompilePass"> {
  let summary = "Compile each gpu.module for its target into a gpu.binary";
  let description = [{
    For each `gpu.module` of the module and each target that it resolves to: a
    clone of the gpu.module alone is brought into canonical form, its key is
    derived from what it then is, that same clone is lowered with the complete
    pipeline (`fly-lower`) and serialised. A `gpu.binary` of the old name takes
    the place of the gpu.module, with one object a target, which carries the key
    in its properties. What is hashed is what is compiled.

    ```mlir
    gpu.module @m { gpu.func @k(%p: !llvm.ptr<1>) kernel { gpu.return } }
    // becomes, with target=gfx942
    gpu.binary @m [#gpu.object<#rocdl.target<chip = "gfx942">,
      properties = {fly.cache_key = "fly1-..."}, bin = "...">]
    ```

    Host functions that mention fly types or ops are lowered to func, gpu and
    llvm, so that what launches a kernel hands over what the kernel takes;
    others stay as they are. `host=llvm` lowers all of them to the LLVM dialect
    with calls of the `mgpu` runtime, `host=keep` leaves all as they are.
    Nothing outside the process is run: the linker is part of this library.
  }];
  let options = [
    Option<"format", "format", "::mlir::fly::CodeFormat",
           "::mlir::fly::CodeFormat::Object", "What the objects hold",
           [{::llvm::cl::values(
             clEnumValN(::mlir::fly::CodeFormat::Object, "obj",
                        "Linked code objects"),
             clEnumValN(::mlir::fly::CodeFormat::Assembly, "asm",
                        "Assembly text"),
             clEnumValN(::mlir::fly::CodeFormat::LLVMIR, "llvm",
                        "Text of the optimised LLVM IR"))}]>,
    Option<"host", "host", "::mlir::fly::HostForm",
           "::mlir::fly::HostForm::Bare", "What becomes of host functions",
           [{::llvm::cl::values(
             clEnumValN(::mlir::fly::HostForm::Bare, "bare",
                        "Without fly types and ops"),
             clEnumValN(::mlir::fly::HostForm::LLVM, "llvm",
                        "In the LLVM dialect"),
             clEnumValN(::mlir::fly::HostForm::Keep, "keep",
                        "As they are"))}]>,
  ];
}

#endif // FLY_PIPELINES_PASSES_TD
