// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout of 2^32 elements: offsets have 64 bits though its coordinates have
// 32. One of 2^31 elements needs no more than 32.

// RUN: %fly-opt %s --fly-layout-lowering | FileCheck %s

!wide = !fly.memref<f32, global, (65536,65536):(65536,1)>

// CHECK-LABEL: func.func @element(
// CHECK-SAME: %[[P:.*]]: !fly.ptr<f32, global>, %[[I:.*]]: i32, %[[J:.*]]: i32
func.func @element(%p: !fly.ptr<f32, global>, %i: i32, %j: i32) -> f32 {
  %l = fly.static : !fly.layout<(65536,65536):(65536,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(65536,65536):(65536,1)>) -> !wide
  %c = fly.make_int_tuple(%i, %j) : (i32, i32) -> !fly.int_tuple<(?,?)>
  // CHECK-DAG: %[[S:.*]] = arith.constant 65536 : i64
  // CHECK-DAG: %[[X:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK: %[[A:.*]] = arith.muli %[[X]], %[[S]] : i64
  // CHECK: %[[Y:.*]] = arith.extsi %[[J]] : i32 to i64
  // CHECK: %[[B:.*]] = arith.addi %[[A]], %[[Y]] : i64
  // CHECK: %[[O:.*]] = fly.make_int_tuple(%[[B]]) : (i64) -> !fly.int_tuple<?{i64}>
  // CHECK: %[[Q:.*]] = fly.add_offset(%[[P]], %[[O]])
  // CHECK: fly.ptr.load(%[[Q]])
  %v = fly.memref.load(%m, %c) : (!wide, !fly.int_tuple<(?,?)>) -> f32
  return %v : f32
}

// CHECK-LABEL: func.func @row(
// CHECK-SAME: %[[P:.*]]: !fly.ptr<f32, global>, %[[I:.*]]: i32
func.func @row(%p: !fly.ptr<f32, global>, %i: i32, %j: i32) -> f32 {
  %l = fly.static : !fly.layout<(65536,65536):(65536,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(65536,65536):(65536,1)>) -> !wide
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,*)>
  // CHECK: arith.muli {{.*}} : i64
  // CHECK: fly.make_int_tuple({{.*}}) : (i64) -> !fly.int_tuple<?{i64}>
  %r = fly.slice(%m, %c) : (!wide, !fly.int_tuple<(?,*)>) -> !fly.memref<f32, global, 65536:1>
  %d = fly.make_coord(%j) : (i32) -> !fly.int_tuple<?>
  %v = fly.memref.load(%r, %d) : (!fly.memref<f32, global, 65536:1>, !fly.int_tuple<?>) -> f32
  return %v : f32
}

// CHECK-LABEL: func.func @narrow(
// CHECK-NOT: i64
// CHECK: return
func.func @narrow(%p: !fly.ptr<f32, global>, %i: i32, %j: i32) -> f32 {
  %l = fly.static : !fly.layout<(32768,65536):(65536,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(32768,65536):(65536,1)>) -> !fly.memref<f32, global, (32768,65536):(65536,1)>
  %c = fly.make_int_tuple(%i, %j) : (i32, i32) -> !fly.int_tuple<(?,?)>
  %v = fly.memref.load(%m, %c) : (!fly.memref<f32, global, (32768,65536):(65536,1)>, !fly.int_tuple<(?,?)>) -> f32
  return %v : f32
}

// Only the row is unknown, and rows are near one another.
// CHECK-LABEL: func.func @column(
// CHECK-NOT: i64
// CHECK: return
func.func @column(%p: !fly.ptr<f32, global>, %i: i32) -> f32 {
  %l = fly.static : !fly.layout<(65536,65536):(1,65536)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(65536,65536):(1,65536)>) -> !fly.memref<f32, global, (65536,65536):(1,65536)>
  %c = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(?,5)>
  %v = fly.memref.load(%m, %c) : (!fly.memref<f32, global, (65536,65536):(1,65536)>, !fly.int_tuple<(?,5)>) -> f32
  return %v : f32
}

// Two moves that fit 32 bits may not fit them together; addresses of shared
// memory have no more.
// CHECK-LABEL: func.func @two_moves(
// CHECK-SAME: %[[P:.*]]: !fly.ptr<f32, global>, %[[Q:.*]]: !fly.ptr<f32, shared>, %[[I:.*]]: i32, %[[J:.*]]: i32
func.func @two_moves(%p: !fly.ptr<f32, global>, %q: !fly.ptr<f32, shared>, %i: i32, %j: i32) -> (f32, f32) {
  %l = fly.static : !fly.layout<4:1>
  %o = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %c = fly.make_int_tuple(%j) : (i32) -> !fly.int_tuple<?>
  // CHECK: %[[X:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK: %[[Y:.*]] = arith.extsi %[[J]] : i32 to i64
  // CHECK: %[[S:.*]] = arith.addi %[[X]], %[[Y]] : i64
  // CHECK: %[[O:.*]] = fly.make_int_tuple(%[[S]]) : (i64) -> !fly.int_tuple<?{i64}>
  // CHECK: fly.add_offset(%[[P]], %[[O]])
  %p1 = fly.add_offset(%p, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  %m = fly.make_view(%p1, %l) : (!fly.ptr<f32, global>, !fly.layout<4:1>) -> !fly.memref<f32, global, 4:1>
  %v = fly.memref.load(%m, %c) : (!fly.memref<f32, global, 4:1>, !fly.int_tuple<?>) -> f32
  // CHECK: %[[T:.*]] = arith.addi %[[I]], %[[J]] : i32
  // CHECK: %[[R:.*]] = fly.make_int_tuple(%[[T]]) : (i32) -> !fly.int_tuple<?>
  // CHECK: fly.add_offset(%[[Q]], %[[R]])
  %q1 = fly.add_offset(%q, %o) : (!fly.ptr<f32, shared>, !fly.int_tuple<?>) -> !fly.ptr<f32, shared>
  %n = fly.make_view(%q1, %l) : (!fly.ptr<f32, shared>, !fly.layout<4:1>) -> !fly.memref<f32, shared, 4:1>
  %w = fly.memref.load(%n, %c) : (!fly.memref<f32, shared, 4:1>, !fly.int_tuple<?>) -> f32
  return %v, %w : f32, f32
}
