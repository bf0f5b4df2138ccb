// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W7, W8: which element of a tile stands where in a lane's registers.

// RUN: %fly-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// W7: 16-bit accumulators of gfx1250: register element i of a lane is row i, of
// the upper half of the wave row 8 + i.
!mma = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f16, signA = false, signB = false, clamp = false>>
!tiled = !fly.tiled_mma<!mma, !fly.layout<(1,1,1):(0,0,0)>>
// CHECK-LABEL: func.func @w7(
// CHECK: fly.tiled_mma.partition(c, {{.*}} -> !fly.memref<f16, global, (8,1,1):(1,0,0)>
func.func @w7(%c: !fly.memref<f16, global, (16,16):(1,16)>, %t: !fly.int_tuple<?>) {
  %a = fly.make_mma_atom : !mma
  %l = fly.static : !fly.layout<(1,1,1):(0,0,0)>
  %m = fly.make_tiled_mma(%a, %l) : (!mma, !fly.layout<(1,1,1):(0,0,0)>) -> !tiled
  %p = fly.tiled_mma.partition(c, %m, %c, %t) : (!tiled, !fly.memref<f16, global, (16,16):(1,16)>, !fly.int_tuple<?>) -> !fly.memref<f16, global, (8,1,1):(1,0,0)>
  return
}

// -----

// W7: the original's rows 0 2 4 6 1 3 5 7 are refused, with both layouts.
!mma = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f16, signA = false, signB = false, clamp = false>>
!tiled = !fly.tiled_mma<!mma, !fly.layout<(1,1,1):(0,0,0)>>
func.func @w7_permuted(%c: !fly.memref<f16, global, (16,16):(1,16)>, %t: !fly.int_tuple<?>) {
  %a = fly.make_mma_atom : !mma
  %l = fly.static : !fly.layout<(1,1,1):(0,0,0)>
  %m = fly.make_tiled_mma(%a, %l) : (!mma, !fly.layout<(1,1,1):(0,0,0)>) -> !tiled
  // expected-error @below {{written '!fly.memref<f16, global, ((4,2),1,1):((2,1),0,0)>', expected '!fly.memref<f16, global, (8,1,1):(1,0,0)>'}}
  %p = fly.tiled_mma.partition(c, %m, %c, %t) : (!tiled, !fly.memref<f16, global, (16,16):(1,16)>, !fly.int_tuple<?>) -> !fly.memref<f16, global, ((4,2),1,1):((2,1),0,0)>
  return
}

// -----

// W8: a lane of the scaled MFMA holds 32 values of K in a row, whatever their
// width: lane l those from 32 * (l / 16). The same for both operands, so that
// what is multiplied belongs together, and shares a scale.
!mma = !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E4M3FN, f4E2M1FN) -> f32, opselA = 0, opselB = 0>>
!tiled = !fly.tiled_mma<!mma, !fly.layout<(1,1,1):(0,0,0)>>
// CHECK-LABEL: func.func @w8(
// CHECK: fly.tiled_mma.partition(a, {{.*}} -> !fly.memref<f8E4M3FN, global, (32,1,1):(1,0,0), align<32>>
// CHECK: fly.tiled_mma.partition(b, {{.*}} -> !fly.memref<f4E2M1FN, global, (32,1,1):(1,0,0), align<16>>
func.func @w8(%a: !fly.memref<f8E4M3FN, global, (16,128):(128,1), align<64>>, %b: !fly.memref<f4E2M1FN, global, (16,128):(128,1), align<64>>, %t: !fly.int_tuple<?>) {
  %at = fly.make_mma_atom : !mma
  %l = fly.static : !fly.layout<(1,1,1):(0,0,0)>
  %m = fly.make_tiled_mma(%at, %l) : (!mma, !fly.layout<(1,1,1):(0,0,0)>) -> !tiled
  %p = fly.tiled_mma.partition(a, %m, %a, %t) : (!tiled, !fly.memref<f8E4M3FN, global, (16,128):(128,1), align<64>>, !fly.int_tuple<?>) -> !fly.memref<f8E4M3FN, global, (32,1,1):(1,0,0), align<32>>
  %q = fly.tiled_mma.partition(b, %m, %b, %t) : (!tiled, !fly.memref<f4E2M1FN, global, (16,128):(128,1), align<64>>, !fly.int_tuple<?>) -> !fly.memref<f4E2M1FN, global, (32,1,1):(1,0,0), align<16>>
  return
}
