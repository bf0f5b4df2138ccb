// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At the limits, and all that device code is passed. Limits of a processor hold
// when one is named.

// RUN: %fly-opt %s --fly-check-kernels | FileCheck %s
// RUN: %fly-opt %s --fly-check-kernels=chip=gfx1010 | FileCheck %s
// RUN: not %fly-opt %s --fly-check-kernels=chip=gfx1100 2>&1 | FileCheck %s --check-prefix=GFX11
// RUN: not %fly-opt %s --fly-check-kernels=chip=gfx908 2>&1 | FileCheck %s --check-prefix=GFX9
// RUN: not %fly-opt %s --fly-check-kernels=chip=gfx9000 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: unknown chip 'gfx9000'; did you mean gfx
// GFX11: error: 'gpu.func' op expected rocdl.waves_per_eu to be a number from 1 to 16, found 20 : i32
// GFX9: error: 'gpu.func' op expected rocdl.waves_per_eu to be a number from 1 to 10, found 20 : i32

// CHECK: gpu.module @m
gpu.module @m {
  // CHECK: gpu.func @limits
  gpu.func @limits() kernel attributes {
      known_block_size = array<i32: 32, 32, 1>,
      known_grid_size = array<i32: 134217727, 134217727, 2147483647>,
      rocdl.flat_work_group_size = "1,1024",
      rocdl.max_flat_work_group_size = 1024 : i32,
      rocdl.waves_per_eu = 20 : i32,
      passthrough = [["amdgpu-num-vgpr", "256"], "noinline"]} {
    gpu.return
  }
  // CHECK: gpu.func @arguments
  gpu.func @arguments(%a: i1, %b: index, %c: bf16, %d: f8E4M3FN,
      %e: vector<4xf32>, %f: vector<2x2xf16>, %g: complex<f32>,
      %h: !llvm.ptr<1>, %i: !llvm.struct<(i32, array<2 x ptr>)>,
      %j: memref<4xf32>, %k: memref<4xf32, 3>,
      %l: memref<4xf32, #gpu.address_space<workgroup>>,
      %m: !fly.ptr<f32, global>, %n: !fly.memref<f32, global, (?,4):(4,1)>,
      %o: !fly.int_tuple<(?,4)>) kernel {
    gpu.return
  }
  // CHECK: gpu.func @"a b$\22\C3\A9"
  gpu.func @"a b$\22\C3\A9"() kernel {
    gpu.return
  }
  // A declaration of an intrinsic, and a function that is no kernel.
  llvm.func @llvm.amdgcn.s.barrier()
  func.func @helper(%a: i32) -> i32 attributes {known_block_size = array<i32: 0, 0, 0>} {
    return %a : i32
  }
}
