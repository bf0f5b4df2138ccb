// A file that is linked may need device libraries: they are linked as well, and
// their content is keyed, as if the kernel itself had called them.
//
// RUN: rm -rf %t && mkdir -p %t/libs %t/empty
// RUN: cp %S/Inputs/ocml.ll %t/libs/ocml.bc
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 format=llvm link=%S/Inputs/user.ll device-libs=%t/libs})' \
// RUN:   | FileCheck %s
// CHECK: define amdgpu_kernel void @k(
// CHECK: fadd double %{{[0-9]+}}, 4.200000e+01
//
// RUN: %fly-opt %s -o /dev/null --pass-pipeline='builtin.module(fly-cache-key{target=gfx942 format=explain link=%S/Inputs/user.ll device-libs=%t/libs})' \
// RUN:   | FileCheck %s --check-prefix=KEY
// KEY: bitcode.ocml.bc = {{[0-9a-f]+}}
// KEY: bitcode.link0 = {{[0-9a-f]+}}
//
// RUN: not %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 link=%S/Inputs/user.ll device-libs=%t/empty})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING
// MISSING: error: function '__ocml_sin_f64' needs the device library 'ocml.bc', which was not found; tried {{.*}} [FLY-K007]
gpu.module @m {
  llvm.func @user(f64) -> f64
  gpu.func @k(%dst: !llvm.ptr<1>, %x: f64) kernel {
    %v = llvm.call @user(%x) : (f64) -> f64
    llvm.store %v, %dst : f64, !llvm.ptr<1>
    gpu.return
  }
}
