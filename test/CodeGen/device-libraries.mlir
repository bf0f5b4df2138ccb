// A kernel that calls a function of the device libraries gets them linked from
// where they are; when they are nowhere the error names the symbol and every
// place with its origin. (That a kernel without such calls reads none is shown
// in Pipelines/to-binary.mlir, whose ROCM_PATH does not exist.)
//
// RUN: mkdir -p %t/empty
// RUN: not %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 device-libs=%t/empty})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION -DDIR=%t/empty
//
// OPTION: device-libraries.mlir:{{[0-9]+}}:1: error: function '__ocml_
// OPTION-SAME: needs the device library 'ocml.bc', which was not found
// OPTION-SAME: tried '[[DIR]]' (option device-libs), '[[DIR]]/amdgcn/bitcode' (option device-libs) [FLY-K007]
//
// RUN: mkdir -p %t/amdgcn/bitcode
// RUN: cp %S/Inputs/ocml.ll %t/amdgcn/bitcode/ocml.bc
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 format=llvm device-libs=%t})' \
// RUN:   | FileCheck %s
// RUN: env ROCM_PATH=%t %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 format=llvm})' \
// RUN:   | FileCheck %s
//
// CHECK: define amdgpu_kernel void @k(
// CHECK-SAME: fadd double %{{[0-9]+}}, 4.200000e+01
gpu.module @m {
  gpu.func @k(%dst: !llvm.ptr<1>, %x: f64) kernel {
    %v = math.sin %x : f64
    llvm.store %v, %dst : f64, !llvm.ptr<1>
    gpu.return
  }
}
