// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small passes that prepare device code for the AMDGPU backend.

#ifndef FLY_DIALECT_FLYROCDL_TRANSFORMS_PASSES_TD
#define FLY_DIALECT_FLYROCDL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlyCheckKernels : Pass<"fly-check-kernels"> {
  let summary = "Refuse kernels that no processor can run as they are";
  let description = [{
    Looks at the symbols of each gpu.module and changes nothing. An error:

    - workgroup, grid and cluster sizes that are not three positive numbers,
      more than 1024 work-items in a workgroup, a grid of 2^32 work-items or
      more in one direction, `rocdl.waves_per_eu` and `amdgpu-num-vgpr` (the
      hint `maxnreg`) out of the processor's range;
    - arguments that device code is not passed, such as tensors and memrefs of
      unknown shape;
    - names that no symbol of a code object can have: with control characters
      or an `@`, that of an intrinsic, that of another kernel's descriptor.

    ```mlir
    gpu.module @m {
      gpu.func @k() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
        gpu.return
      }
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"\"",
           "Processor whose limits hold; without one, those of any">,
  ];
}

def FlyROCDLClusterAttr : Pass<"fly-rocdl-cluster-attr"> {
  let summary = "Turn rocdl.cluster_dims into a function attribute for LLVM";
  let description = [{
    LLVM 22.1 does not translate `rocdl.cluster_dims`. Each `llvm.func` that has
    the string `"x,y,z"` gets it as an entry of `passthrough`; entries that are
    there stay.

    ```mlir
    llvm.func @k() attributes {rocdl.cluster_dims = "2,2,1", rocdl.kernel}
    // becomes
    llvm.func @k() attributes {
      passthrough = [["amdgpu-cluster-dims", "2,2,1"]], rocdl.kernel}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertROCDLFastMathOps : Pass<"convert-rocdl-fastmath-ops"> {
  let summary = "Use the hardware's exponential where accuracy is waived";
  let description = [{
    `math.exp2` on f32 whose fast-math flags contain `afn` becomes
    `rocdl.exp2`, which is one instruction; vectors are taken apart. Other types,
    flags and ops stay.

    ```mlir
    %y = math.exp2 %x fastmath<afn> : f32
    // becomes
    %y = rocdl.exp2 %x f32 -> f32
    ```
  }];
  let dependentDialects = ["::mlir::ROCDL::ROCDLDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // FLY_DIALECT_FLYROCDL_TRANSFORMS_PASSES_TD
