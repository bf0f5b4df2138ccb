// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers that were not promoted are stack slots of the entry block; shared
// memory is a global of its gpu.module.

// RUN: %fly-opt %s --convert-fly-to-rocdl | FileCheck %s

// W25, P38: names are new in the module, counted for each prefix.
// CHECK-LABEL: gpu.module @m
// CHECK-DAG: llvm.mlir.global external @__dynamic_shared_0() {addr_space = 3 : i32, alignment = 1024 : i64, dso_local} : !llvm.array<0 x i8>
// CHECK-DAG: llvm.mlir.global external @__shared_alloc_2() {addr_space = 3 : i32, alignment = 16 : i64, dso_local} : !llvm.array<64 x i8>
// CHECK-DAG: llvm.mlir.global external @__shared_alloc_0() {addr_space = 3 : i32, alignment = 128 : i64, dso_local} : !llvm.array<4096 x i8>
gpu.module @m {
  func.func private @__shared_alloc_1()
  // CHECK-LABEL: gpu.func @shared(
  gpu.func @shared() kernel {
    // CHECK: llvm.mlir.addressof @__shared_alloc_0 : !llvm.ptr<3>
    %a = fly.make_ptr() {dictAttrs = {allocBytes = 4096 : i64, allocAlign = 128 : i64}} : () -> !fly.ptr<f32, shared, align<128>>
    // CHECK: llvm.mlir.addressof @__shared_alloc_2 : !llvm.ptr<3>
    %b = fly.make_ptr() {dictAttrs = {allocBytes = 64 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<f32, shared, align<16>>
    // CHECK: llvm.mlir.addressof @__dynamic_shared_0 : !llvm.ptr<3>
    // CHECK-NOT: llvm.getelementptr
    %c = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    // CHECK: llvm.mlir.addressof @__dynamic_shared_0 : !llvm.ptr<3>
    %d = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    %v = fly.ptr.load(%a) : (!fly.ptr<f32, shared, align<128>>) -> f32
    fly.ptr.store(%v, %b) : (f32, !fly.ptr<f32, shared, align<16>>) -> ()
    %w = fly.ptr.load(%c) : (!fly.ptr<i8, shared, align<1024>>) -> i8
    fly.ptr.store(%w, %d) : (i8, !fly.ptr<i8, shared, align<1024>>) -> ()
    gpu.return
  }
}

// W16: a swizzle reads address bits up to 1 << (3+4+3) bytes.
// CHECK-LABEL: gpu.module @swizzled
// CHECK: llvm.mlir.global external @__shared_alloc_0() {addr_space = 3 : i32, alignment = 1024 : i64, dso_local}
gpu.module @swizzled {
  gpu.func @k(%i: i32) kernel {
    %a = fly.make_ptr() {dictAttrs = {allocBytes = 4096 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<f16, shared, align<16>>
    %o = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=8}>
    %b = fly.add_offset(%a, %o) : (!fly.ptr<f16, shared, align<16>>, !fly.int_tuple<?{div=8}>) -> !fly.ptr<f16, shared, align<16>>
    %s = fly.static : !fly.swizzle<S<3,4,3>>
    %c = fly.apply_swizzle(%b, %s) : (!fly.ptr<f16, shared, align<16>>, !fly.swizzle<S<3,4,3>>) -> !fly.ptr<f16, shared, align<16>, S<3,4,3>>
    %v = fly.ptr.load(%c) : (!fly.ptr<f16, shared, align<16>, S<3,4,3>>) -> vector<8xf16>
    fly.ptr.store(%v, %a) : (vector<8xf16>, !fly.ptr<f16, shared, align<16>>) -> ()
    gpu.return
  }
}

// W26, P37: in a loop, too.
// CHECK-LABEL: func.func @registers(
// CHECK: llvm.alloca %{{.*}} x !llvm.array<4 x f16> {alignment = 16 : i64} : (i64) -> !llvm.ptr<5>
// CHECK: scf.for
// CHECK-NOT: llvm.alloca
func.func @registers(%n: index, %v: vector<4xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f16, register, align<16>>
    fly.ptr.store(%v, %p) : (vector<4xf16>, !fly.ptr<f16, register, align<16>>) -> ()
  }
  return
}

// CHECK-LABEL: func.func @small(
// CHECK-DAG: llvm.alloca %{{.*}} x !llvm.array<6 x i8>
// CHECK-DAG: llvm.alloca %{{.*}} x !llvm.array<12 x i8>
func.func @small(%x: f4E2M1FN, %y: i1) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 12 : i64}} : () -> !fly.ptr<f4E2M1FN, register>
  %q = fly.make_ptr() {dictAttrs = {allocSize = 12 : i64}} : () -> !fly.ptr<i1, register>
  fly.ptr.store(%y, %q) : (i1, !fly.ptr<i1, register>) -> ()
  return
}
