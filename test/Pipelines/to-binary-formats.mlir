// The objects hold what `format` says; the key does not depend on it, and the
// optimisation level is seen in what comes out.
//
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 format=asm})' \
// RUN:   | FileCheck %s --check-prefix=ASM
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx1100 format=asm})' \
// RUN:   | FileCheck %s --check-prefix=GFX11
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 format=llvm})' \
// RUN:   | FileCheck %s --check-prefix=LLVM
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 format=llvm opt-level=0})' \
// RUN:   | FileCheck %s --check-prefix=O0
//
// ASM: gpu.binary @m {{.*}}#gpu.object<#rocdl.target<
// ASM-SAME: assembly = "{{.*}}.amdgcn_target \22amdgcn-amd-amdhsa--gfx942\22
// ASM-SAME: v_lshlrev_b32
// ASM-SAME: .wavefront_size: 64
//
// GFX11: .amdgcn_target \22amdgcn-amd-amdhsa--gfx1100\22
// GFX11-SAME: .wavefront_size: 32
//
// LLVM: offload = "{{.*}}define amdgpu_kernel void @k(
// LLVM-SAME: shl nuw nsw i32 %{{[0-9]+}}, 3
//
// O0: offload = "{{.*}}define amdgpu_kernel void @k(
// O0-SAME: mul i32 %{{[0-9]+}}, 8
gpu.module @m {
  gpu.func @k(%dst: !llvm.ptr<1>, %x: i32) kernel {
    %c8 = arith.constant 8 : i32
    %tid = gpu.thread_id x
    %i = arith.index_cast %tid : index to i32
    %y = arith.muli %i, %c8 : i32
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %y, %q : i32, !llvm.ptr<1>
    gpu.return
  }
}
