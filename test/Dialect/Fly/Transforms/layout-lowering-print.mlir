// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What fly.print and fly.assume become.

// RUN: %fly-opt %s --fly-layout-lowering --canonicalize -verify-diagnostics --split-input-file | FileCheck %s

gpu.module @m {
  // Static numbers are text, dynamic ones arguments; layouts too.
  // CHECK-LABEL: gpu.func @tuples(
  // CHECK-SAME: %[[I:.*]]: i32, %[[J:.*]]: i64
  // CHECK: gpu.printf "t=(4,%d) l=(8,%ld):(1,%d)\0A", %[[I]], %[[J]], %[[I]] : i32, i64, i32
  gpu.func @tuples(%i: i32, %j: i64) kernel {
    %t = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(4,?)>
    %shape = fly.make_int_tuple(%j) : (i64) -> !fly.int_tuple<(8,?{i64})>
    %stride = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(1,?)>
    %l = fly.make_layout(%shape, %stride) : (!fly.int_tuple<(8,?{i64})>, !fly.int_tuple<(1,?)>) -> !fly.layout<(8,?{i64}):(1,?)>
    fly.print(%t, %l) {format = "t={} l={}"} : (!fly.int_tuple<(4,?)>, !fly.layout<(8,?{i64}):(1,?)>) -> ()
    gpu.return
  }

  // Of a tensor its layout is printed, of coordinates the first one too.
  // CHECK-LABEL: gpu.func @tensors(
  // CHECK: gpu.printf "8:1 (0,%d) o (4,2):(1E0,1E1)\0A", %{{.*}} : i32
  gpu.func @tensors(%p: !fly.ptr<f32, global>, %i: i32) kernel {
    %l = fly.static : !fly.layout<8:1>
    %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<8:1>) -> !fly.memref<f32, global, 8:1>
    %base = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(0,?)>
    %k = fly.static : !fly.layout<(4,2):(1E0,1E1)>
    %c = fly.make_view(%base, %k) : (!fly.int_tuple<(0,?)>, !fly.layout<(4,2):(1E0,1E1)>) -> !fly.coord_tensor<(0,?), (4,2):(1E0,1E1)>
    fly.print(%m, %c) {format = ""} : (!fly.memref<f32, global, 8:1>, !fly.coord_tensor<(0,?), (4,2):(1E0,1E1)>) -> ()
    gpu.return
  }

  // P19: wide numbers have no stray letter, a percent sign is one, a place
  // without a value stays, a value without a place follows.
  // CHECK-LABEL: gpu.func @numbers(
  // CHECK: gpu.printf "%d %ld %.2f\0A", %{{.*}}, %{{.*}}, %{{.*}} : i32, i64, f32
  // CHECK: gpu.printf "100%% of %ld\0A", %{{.*}} : i64
  // CHECK: gpu.printf "x %d {} y\0A", %{{.*}} : i32
  // CHECK: gpu.printf "x %d y %.2lf\0A", %{{.*}}, %{{.*}} : i32, f64
  gpu.func @numbers(%i: i32, %j: i64, %f: f32, %d: f64, %x: index) kernel {
    fly.print(%i, %j, %f) {format = ""} : (i32, i64, f32) -> ()
    fly.print(%x) {format = "100% of {}"} : (index) -> ()
    fly.print(%i) {format = "x {} {} y"} : (i32) -> ()
    fly.print(%i, %d) {format = "x {} y"} : (i32, f64) -> ()
    gpu.return
  }

  // Narrow numbers are extended, a truth value is 0 or 1; vectors go one by one.
  // CHECK-LABEL: gpu.func @narrow(
  // CHECK-SAME: %[[V:.*]]: vector<2xf16>, %[[B:.*]]: i1, %[[S:.*]]: i8
  // CHECK-DAG: %[[B32:.*]] = arith.extui %[[B]] : i1 to i32
  // CHECK-DAG: %[[S32:.*]] = arith.extsi %[[S]] : i8 to i32
  // CHECK: gpu.printf "[%.2f, %.2f] %d %d\0A", %{{.*}}, %{{.*}}, %[[B32]], %[[S32]] : f32, f32, i32, i32
  gpu.func @narrow(%v: vector<2xf16>, %b: i1, %s: i8) kernel {
    fly.print(%v, %b, %s) {format = ""} : (vector<2xf16>, i1, i8) -> ()
    gpu.return
  }
}

// On the host: texts and values by turns.
// CHECK-LABEL: func.func @host(
// CHECK: vector.print str "(2,"
// CHECK: vector.print %{{.*}} : i32 punctuation <no_punctuation>
// CHECK: vector.print str ")!"
// CHECK-NEXT: vector.print{{ *}}
// CHECK-NEXT: return
func.func @host(%i: i32) {
  %t = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(2,?)>
  fly.print(%t) {format = "{}!"} : (!fly.int_tuple<(2,?)>) -> ()
  return
}

// P21: a promise is kept, and nothing is computed for it: the load knows it.
// CHECK-LABEL: func.func @assume(
// CHECK-SAME: %[[P:.*]]: !fly.ptr<f16, global, align<16>>, %[[I:.*]]: i32
// CHECK: %[[O:.*]] = fly.make_int_tuple(%[[I]]) : (i32) -> !fly.int_tuple<?{div=8}>
// CHECK: fly.add_offset(%[[P]], %[[O]]) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?{div=8}>) -> !fly.ptr<f16, global, align<16>>
func.func @assume(%p: !fly.ptr<f16, global, align<16>>, %i: i32) -> vector<8xf16> {
  %any = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %eights = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=8}>
  %o = fly.assume(%eights, %any) : (!fly.int_tuple<?{div=8}>, !fly.int_tuple<?>) -> !fly.int_tuple<?{div=8}>
  %q = fly.add_offset(%p, %o) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?{div=8}>) -> !fly.ptr<f16, global, align<16>>
  %v = fly.ptr.load(%q) : (!fly.ptr<f16, global, align<16>>) -> vector<8xf16>
  return %v : vector<8xf16>
}

// -----

// Nothing converts these before LLVM, which has no such type.
func.func @print_of_eight_bits(%x: f8E4M3FN, %v: vector<4xf4E2M1FN>) {
  // expected-error @below {{prints signless integers of at most 64 bits, floats of 16 to 64, 1-D vectors of them, tuples, layouts and tensors; found 'f8E4M3FN'}}
  fly.print(%x) {format = "{}"} : (f8E4M3FN) -> ()
  return
}

// -----

func.func @print_of_memory(%m: !fly.memref<f32, global, 8:1>, %p: !fly.ptr<f32, global>) {
  // expected-error @below {{prints signless integers of at most 64 bits, floats of 16 to 64, 1-D vectors of them, tuples, layouts and tensors; found '!fly.ptr<f32, global>'}}
  fly.print(%p) {format = "{}"} : (!fly.ptr<f32, global>) -> ()
  return
}

// -----

func.func @assume_of_another_structure(%i: i32, %j: i32) {
  %two = fly.make_int_tuple(%i, %j) : (i32, i32) -> !fly.int_tuple<(?,?)>
  %one = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=8}>
  // expected-error @below {{promises something of a tuple or plain layout of the same structure; expected one as '!fly.int_tuple<?{div=8}>', found '!fly.int_tuple<(?,?)>'}}
  %o = fly.assume(%one, %two) : (!fly.int_tuple<?{div=8}>, !fly.int_tuple<(?,?)>) -> !fly.int_tuple<?{div=8}>
  return
}
