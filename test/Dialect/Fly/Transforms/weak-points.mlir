// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weak points of the original in layout lowering that have no file of their
// own, one function each, by the number in the specification of the passes.

// RUN: %fly-opt %s --fly-layout-lowering --canonicalize --cse | FileCheck %s

// P7: a multiple of 8 modulo 4 is 0; divided by 8 and multiplied by 16 it is
// its double; divided by 1 it still is a multiple of 8, whatever its type says.
// CHECK-LABEL: func.func @p7(
// CHECK-SAME: %[[P:.*]]: !fly.ptr<f16, global, align<16>>, %[[I:.*]]: i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i32
// CHECK-NOT: arith.remsi
// CHECK-NOT: arith.divsi
// CHECK: %[[D:.*]] = arith.muli %[[I]], %[[C2]] : i32
// CHECK: %[[O:.*]] = fly.make_int_tuple(%[[I]]) : (i32) -> !fly.int_tuple<?{div=8}>
// CHECK: %[[Q:.*]] = fly.add_offset(%[[P]], %[[O]]) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?{div=8}>) -> !fly.ptr<f16, global, align<16>>
// CHECK: fly.ptr.load(%[[Q]])
// CHECK: return %[[C0]], %[[D]]
func.func @p7(%p: !fly.ptr<f16, global, align<16>>, %i: i32) -> (i32, i32, vector<8xf16>) {
  %t = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=8}>
  %four = fly.make_int_tuple() : () -> !fly.int_tuple<4>
  %eight = fly.make_int_tuple() : () -> !fly.int_tuple<8>
  %sixteen = fly.make_int_tuple() : () -> !fly.int_tuple<16>
  %one = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %m = fly.int_tuple_mod(%t, %four) : (!fly.int_tuple<?{div=8}>, !fly.int_tuple<4>) -> !fly.int_tuple<?{div=4}>
  %d = fly.int_tuple_div(%t, %eight) : (!fly.int_tuple<?{div=8}>, !fly.int_tuple<8>) -> !fly.int_tuple<?>
  %e = fly.int_tuple_mul(%d, %sixteen) : (!fly.int_tuple<?>, !fly.int_tuple<16>) -> !fly.int_tuple<?{div=16}>
  %o = fly.int_tuple_div(%t, %one) : (!fly.int_tuple<?{div=8}>, !fly.int_tuple<1>) -> !fly.int_tuple<?>
  %x = fly.get_scalar(%m) : (!fly.int_tuple<?{div=4}>) -> i32
  %y = fly.get_scalar(%e) : (!fly.int_tuple<?{div=16}>) -> i32
  %q = fly.add_offset(%p, %o) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<f16, global>
  %v = fly.ptr.load(%q) : (!fly.ptr<f16, global>) -> vector<8xf16>
  return %x, %y, %v : i32, i32, vector<8xf16>
}

// P7: a promise that is made in a branch holds there, and not behind it.
// CHECK-LABEL: func.func @p7_branch(
// CHECK: scf.if
// CHECK: !fly.int_tuple<?{div=8}>) -> !fly.ptr<f16, global, align<16>>
// CHECK: fly.make_int_tuple(%{{.*}}) : (i32) -> !fly.int_tuple<?>
// CHECK: fly.add_offset(%{{.*}}) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<f16, global>
func.func @p7_branch(%p: !fly.ptr<f16, global, align<16>>, %i: i32, %c: i1) -> f16 {
  scf.if %c {
    %t = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=8}>
    %q = fly.add_offset(%p, %t) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?{div=8}>) -> !fly.ptr<f16, global, align<16>>
    %v = fly.ptr.load(%q) : (!fly.ptr<f16, global, align<16>>) -> vector<8xf16>
    fly.ptr.store(%v, %p) : (vector<8xf16>, !fly.ptr<f16, global, align<16>>) -> ()
  }
  %t = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %q = fly.add_offset(%p, %t) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<f16, global>
  %v = fly.ptr.load(%q) : (!fly.ptr<f16, global>) -> f16
  return %v : f16
}

// P8: what divides a product is positive, and does not wrap.
// CHECK-LABEL: func.func @p8(
// CHECK: fly.add_offset(%{{.*}}) : (!fly.ptr<i8, global, align<64>>, !fly.int_tuple<?{div=16}>) -> !fly.ptr<i8, global, align<16>>
// CHECK: fly.add_offset(%{{.*}}) : (!fly.ptr<i8, global, align<64>>, !fly.int_tuple<?{div=4294967296}>) -> !fly.ptr<i8, global, align<64>>
func.func @p8(%p: !fly.ptr<i8, global, align<64>>, %i: i32) -> (vector<16xi8>, vector<64xi8>) {
  %t = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=8}>
  %u = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=65536}>
  %minus = fly.make_int_tuple() : () -> !fly.int_tuple<-2>
  %big = fly.make_int_tuple() : () -> !fly.int_tuple<65536>
  %a = fly.int_tuple_mul(%t, %minus) : (!fly.int_tuple<?{div=8}>, !fly.int_tuple<-2>) -> !fly.int_tuple<?{div=16}>
  %b = fly.int_tuple_mul(%u, %big) : (!fly.int_tuple<?{div=65536}>, !fly.int_tuple<65536>) -> !fly.int_tuple<?{div=4294967296}>
  %pa = fly.add_offset(%p, %a) : (!fly.ptr<i8, global, align<64>>, !fly.int_tuple<?{div=16}>) -> !fly.ptr<i8, global, align<16>>
  %pb = fly.add_offset(%p, %b) : (!fly.ptr<i8, global, align<64>>, !fly.int_tuple<?{div=4294967296}>) -> !fly.ptr<i8, global, align<64>>
  %x = fly.ptr.load(%pa) : (!fly.ptr<i8, global, align<16>>) -> vector<16xi8>
  %y = fly.ptr.load(%pb) : (!fly.ptr<i8, global, align<64>>) -> vector<64xi8>
  return %x, %y : vector<16xi8>, vector<64xi8>
}

// P13: a vector that is put together starts from nothing.
// CHECK-LABEL: func.func @p13(
// CHECK: ub.poison : vector<4xf32>
// CHECK-NOT: dense<0
// CHECK: return
func.func @p13(%m: !fly.ptr<f32, global>) -> vector<4xf32> {
  %l = fly.static : !fly.layout<(2,2):(1,8)>
  %v = fly.make_view(%m, %l) : (!fly.ptr<f32, global>, !fly.layout<(2,2):(1,8)>) -> !fly.memref<f32, global, (2,2):(1,8)>
  %x = fly.memref.load_vec(%v) : (!fly.memref<f32, global, (2,2):(1,8)>) -> vector<4xf32>
  return %x : vector<4xf32>
}

// P14: 2 x 3 x 4 calls, and a slice for each (m,k), (n,k) and (m,n): no more.
// CHECK-LABEL: func.func @p14(
// CHECK-COUNT-26: fly.make_view
// CHECK-NOT: fly.make_view
// CHECK: return
!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!d14 = !fly.memref<f32, register, (1,2,3):(1,1,2)>
!a14 = !fly.memref<f32, register, (1,2,4):(1,1,2)>
!b14 = !fly.memref<f32, register, (1,3,4):(1,1,3)>
func.func @p14(%pd: !fly.ptr<f32, register>, %pa: !fly.ptr<f32, register>, %pb: !fly.ptr<f32, register>) {
  %at = fly.make_mma_atom : !fma
  %ld = fly.static : !fly.layout<(1,2,3):(1,1,2)>
  %la = fly.static : !fly.layout<(1,2,4):(1,1,2)>
  %lb = fly.static : !fly.layout<(1,3,4):(1,1,3)>
  %d = fly.make_view(%pd, %ld) : (!fly.ptr<f32, register>, !fly.layout<(1,2,3):(1,1,2)>) -> !d14
  %a = fly.make_view(%pa, %la) : (!fly.ptr<f32, register>, !fly.layout<(1,2,4):(1,1,2)>) -> !a14
  %b = fly.make_view(%pb, %lb) : (!fly.ptr<f32, register>, !fly.layout<(1,3,4):(1,1,3)>) -> !b14
  fly.gemm(%at, %d, %a, %b, %d) : (!fma, !d14, !a14, !b14, !d14) -> ()
  return
}

// P17: of a composed layout of composed layouts only the innermost offset takes
// the coordinate: S1 o 0 o (S2 o 4 o (8,4):(1,8)), column 1, is S1 o 0 o
// (S2 o 12 o 8:1), whose element 3 is S1(S2(15)).
// CHECK-LABEL: func.func @p17(
// CHECK: %[[V:.*]] = arith.constant 15 : i32
// CHECK: return %[[V]]
func.func @p17() -> i32 {
  %l = fly.static : !fly.composed_layout<S<1,0,2> o 0 o [S<1,0,3> o 4 o (8,4):(1,8)]>
  %c = fly.make_int_tuple() : () -> !fly.int_tuple<(*,1)>
  %s = fly.slice(%l, %c) : (!fly.composed_layout<S<1,0,2> o 0 o [S<1,0,3> o 4 o (8,4):(1,8)]>, !fly.int_tuple<(*,1)>) -> !fly.composed_layout<S<1,0,2> o 0 o [S<1,0,3> o 12 o 8:1]>
  %three = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  %i = fly.crd2idx(%three, %s) : (!fly.int_tuple<3>, !fly.composed_layout<S<1,0,2> o 0 o [S<1,0,3> o 12 o 8:1]>) -> !fly.int_tuple<15>
  %x = fly.get_scalar(%i) : (!fly.int_tuple<15>) -> i32
  return %x : i32
}
