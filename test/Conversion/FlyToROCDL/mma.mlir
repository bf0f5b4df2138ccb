// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix instructions: operands in the instruction's types, results where d is.

// RUN: %fly-opt %s --convert-fly-to-rocdl | FileCheck %s

!mfma = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
!bf = !fly.mma_atom<!fly_rocdl.cdna3.mfma<32x32x8, (bf16, bf16) -> f32>>
!fp8 = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x32, (f8E4M3FNUZ, f8E5M2FNUZ) -> f32>>
!f32 = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32>>

// CHECK-LABEL: func.func @values(
func.func @values(%a: vector<4xf16>, %c: vector<4xf32>, %b: vector<4xbf16>, %d: vector<16xf32>, %e: vector<8xi8>, %f: f32) -> (vector<4xf32>, vector<16xf32>, vector<4xf32>, vector<4xf32>) {
  %m = fly.make_mma_atom : !mfma
  // CHECK: rocdl.mfma.f32.16x16x16f16 %{{.*}} : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %0 = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!mfma, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> vector<4xf32>
  %n = fly.make_mma_atom : !bf
  // CHECK: llvm.bitcast %{{.*}} : vector<4xbf16> to vector<4xi16>
  // CHECK: rocdl.mfma.f32.32x32x8bf16.1k %{{.*}} : (vector<4xi16>, vector<4xi16>, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
  %1 = fly.mma_atom_call_ssa(%n, %b, %b, %d) : (!bf, vector<4xbf16>, vector<4xbf16>, vector<16xf32>) -> vector<16xf32>
  %o = fly.make_mma_atom : !fp8
  // CHECK: llvm.bitcast %{{.*}} : vector<8xi8> to i64
  // CHECK: rocdl.mfma.f32.16x16x32.fp8.bf8 %{{.*}} : (i64, i64, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %2 = fly.mma_atom_call_ssa(%o, %e, %e, %c) : (!fp8, vector<8xi8>, vector<8xi8>, vector<4xf32>) -> vector<4xf32>
  %p = fly.make_mma_atom : !f32
  // CHECK: rocdl.mfma.f32.16x16x4f32 %{{.*}} : (f32, f32, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %3 = fly.mma_atom_call_ssa(%p, %f, %f, %c) : (!f32, f32, f32, vector<4xf32>) -> vector<4xf32>
  return %0, %1, %2, %3 : vector<4xf32>, vector<16xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @memory(
func.func @memory(%d: !fly.memref<f32, register, (4,1):(1,0)>, %a: !fly.memref<f16, register, 4:1, align<8>>, %c: !fly.memref<f32, global, ((4,1),1):((16,0),0)>) {
  %m = fly.make_mma_atom : !mfma
  // CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<5> -> vector<4xf16>
  // CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
  // CHECK: %[[R:.*]] = rocdl.mfma
  // CHECK: llvm.store %[[R]], %{{.*}} {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr<5>
  fly.mma_atom_call(%m, %d, %a, %a, %c) : (!mfma, !fly.memref<f32, register, (4,1):(1,0)>, !fly.memref<f16, register, 4:1, align<8>>, !fly.memref<f16, register, 4:1, align<8>>, !fly.memref<f32, global, ((4,1),1):((16,0),0)>) -> ()
  return
}

// W11, P25: a d that is memory is stored, also when the rest are values.
// CHECK-LABEL: func.func @stored(
func.func @stored(%d: !fly.memref<f32, global, 4:16>, %a: vector<4xf16>, %c: vector<4xf32>) {
  %m = fly.make_mma_atom : !mfma
  // CHECK: rocdl.mfma
  // CHECK-COUNT-4: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
  fly.mma_atom_call_ssa(%m, %d, %a, %a, %c) : (!mfma, !fly.memref<f32, global, 4:16>, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> ()
  return
}

!iu8 = !fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (i8, ui8) -> i32, signA = true, signB = false, clamp = true>>
!w11 = !fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (bf16, bf16) -> f32, signA = false, signB = false, clamp = false>>
!w12 = !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = false>>
!w12fp8 = !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x16, (f8E4M3FN, f8E5M2) -> f32, signA = false, signB = false, clamp = false>>
!w12i8 = !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x16, (i8, i8) -> i32, signA = true, signB = true, clamp = false>>
!w125 = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f16, signA = false, signB = false, clamp = false>>

// CHECK-LABEL: func.func @wmma(
func.func @wmma(%a: vector<16xi8>, %c: vector<8xi32>, %b: vector<16xbf16>, %d: vector<8xf32>, %e: vector<8xf16>, %f: vector<16xf16>) {
  %m = fly.make_mma_atom : !iu8
  // CHECK: rocdl.wmma.i32.16x16x16.iu8 %{{.*}} {clamp = true, signA = true} : (vector<4xi32>, vector<4xi32>, vector<8xi32>) -> vector<8xi32>
  %0 = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!iu8, vector<16xi8>, vector<16xi8>, vector<8xi32>) -> vector<8xi32>
  %n = fly.make_mma_atom : !w11
  // CHECK: rocdl.wmma.f32.16x16x16.bf16 %{{.*}} : (vector<16xi16>, vector<16xi16>, vector<8xf32>) -> vector<8xf32>
  %1 = fly.mma_atom_call_ssa(%n, %b, %b, %d) : (!w11, vector<16xbf16>, vector<16xbf16>, vector<8xf32>) -> vector<8xf32>
  %o = fly.make_mma_atom : !w12
  // CHECK: rocdl.wmma.f32.16x16x16.f16 %{{.*}} : (vector<8xf16>, vector<8xf16>, vector<8xf32>) -> vector<8xf32>
  %2 = fly.mma_atom_call_ssa(%o, %e, %e, %d) : (!w12, vector<8xf16>, vector<8xf16>, vector<8xf32>) -> vector<8xf32>
  %p = fly.make_mma_atom : !w125
  // CHECK: rocdl.wmma.f16.16x16x32.f16 %{{.*}} : (vector<16xf16>, vector<16xf16>, vector<8xf16>) -> vector<8xf16>
  %3 = fly.mma_atom_call_ssa(%p, %f, %f, %e) : (!w125, vector<16xf16>, vector<16xf16>, vector<8xf16>) -> vector<8xf16>
  return
}

// CHECK-LABEL: func.func @wmma_gfx12_bytes(
func.func @wmma_gfx12_bytes(%a: vector<8xi8>, %c: vector<8xi32>, %d: vector<8xf32>) {
  %m = fly.make_mma_atom : !w12fp8
  // CHECK: rocdl.wmma.f32.16x16x16.fp8_bf8 %{{.*}} : (vector<2xi32>, vector<2xi32>, vector<8xf32>) -> vector<8xf32>
  %0 = fly.mma_atom_call_ssa(%m, %a, %a, %d) : (!w12fp8, vector<8xi8>, vector<8xi8>, vector<8xf32>) -> vector<8xf32>
  %n = fly.make_mma_atom : !w12i8
  // CHECK: rocdl.wmma.i32.16x16x16.iu8 %{{.*}} {signA = true, signB = true} : (vector<2xi32>, vector<2xi32>, vector<8xi32>) -> vector<8xi32>
  %1 = fly.mma_atom_call_ssa(%n, %a, %a, %c) : (!w12i8, vector<8xi8>, vector<8xi8>, vector<8xi32>) -> vector<8xi32>
  return
}

!scale = !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E5M2, f4E2M1FN) -> f32, opselA = 1, opselB = 2>>

// W9: a fresh atom has the scale 1.0, bytes 0x7F.
// CHECK-LABEL: func.func @scaled(
// CHECK-SAME: %[[S:[a-z0-9]*]]: vector<4xi8>
func.func @scaled(%a: vector<32xi8>, %b: vector<32xi4>, %c: vector<4xf32>, %s: vector<4xi8>) -> vector<4xf32> {
  %m = fly.make_mma_atom : !scale
  // CHECK-DAG: arith.constant 2139062143 : i32
  // CHECK: rocdl.mfma.scale.f32.16x16x128.f8f6f4 %{{.*}} : (vector<8xi32>, vector<4xi32>, vector<4xf32>, i32, i32, i32, i32, i32, i32) -> vector<4xf32>
  %0 = fly.mma_atom_call_ssa(%m, %a, %b, %c) : (!scale, vector<32xi8>, vector<32xi4>, vector<4xf32>) -> vector<4xf32>
  // CHECK: llvm.bitcast %[[S]] : vector<4xi8> to i32
  %n = fly.atom.set_value(%m, "scale_a", %s) : (!scale, vector<4xi8>) -> !scale
  // CHECK: rocdl.mfma.scale
  %1 = fly.mma_atom_call_ssa(%n, %a, %b, %0) : (!scale, vector<32xi8>, vector<32xi4>, vector<4xf32>) -> vector<4xf32>
  return %1 : vector<4xf32>
}

!scale16 = !fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E5M2, f4E2M1FN) -> f32, opselA = 1, opselB = 0, modC = 0, reuseA = false, reuseB = true, blockSize = 16>>

// CHECK-LABEL: func.func @scaled_wmma(
func.func @scaled_wmma(%a: vector<64xi8>, %b: vector<64xi4>, %c: vector<8xf32>, %s: i64) -> vector<8xf32> {
  // CHECK: arith.constant 9187201950435737471 : i64
  %m = fly.make_mma_atom : !scale16
  %n = fly.atom.set_value(%m, "scale_b", %s) : (!scale16, i64) -> !scale16
  // CHECK: rocdl.wmma.scale16.f32.16x16x128.f8f6f4 %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %arg3 {fmtA = 1 : i32, fmtB = 4 : i32, reuseB = true, scaleAType = 1 : i32} : (vector<16xi32>, vector<8xi32>, vector<8xf32>, i64, i64) -> vector<8xf32>
  %0 = fly.mma_atom_call_ssa(%n, %a, %b, %c) : (!scale16, vector<64xi8>, vector<64xi4>, vector<8xf32>) -> vector<8xf32>
  return %0 : vector<8xf32>
}

!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!imad = !fly.mma_atom<!fly.universal_fma<1x1x1, (i32, i32) -> i32>>

// W30: floats fuse, integers are integers.
// CHECK-LABEL: func.func @fma(
func.func @fma(%a: f32, %i: i32, %d: !fly.memref<f32, register, 1:1>) -> (f32, i32) {
  %m = fly.make_mma_atom : !fma
  // CHECK: %[[R:.*]] = llvm.intr.fma(%{{.*}}) : (f32, f32, f32) -> f32
  %0 = fly.mma_atom_call_ssa(%m, %a, %a, %a) : (!fma, f32, f32, f32) -> f32
  %n = fly.make_mma_atom : !imad
  // CHECK: arith.muli
  // CHECK: arith.addi
  %1 = fly.mma_atom_call_ssa(%n, %i, %i, %i) : (!imad, i32, i32, i32) -> i32
  // CHECK: %[[S:.*]] = llvm.intr.fma
  // CHECK: llvm.store %[[S]], %{{.*}} : f32, !llvm.ptr<5>
  fly.mma_atom_call_ssa(%m, %d, %a, %a, %a) : (!fma, !fly.memref<f32, register, 1:1>, f32, f32, f32) -> ()
  return %0, %1 : f32, i32
}
