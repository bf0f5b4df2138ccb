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
  // CHECK: %[[X:.*]] = fly.make_int_tuple(%[[I]]) : (i32) -> !fly.int_tuple<?>
  // CHECK: %[[P1:.*]] = fly.add_offset(%[[P]], %[[X]])
  // CHECK: %[[Y:.*]] = fly.make_int_tuple(%[[J]]) : (i32) -> !fly.int_tuple<?>
  // CHECK: %[[P2:.*]] = fly.add_offset(%[[P1]], %[[Y]])
  // CHECK: fly.ptr.load(%[[P2]])
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

// The offsets of a slice and of an element in it may each be near the end of 32
// bits: i = 46340 with that stride and 1 more, j = 46000.
// CHECK-LABEL: func.func @one_index(
// CHECK: %[[A:.*]] = arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: %[[S:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
// CHECK: %[[O:.*]] = fly.make_int_tuple(%[[S]]) : (i64)
// CHECK: fly.add_offset(%{{.*}}, %[[O]])
// CHECK-NOT: fly.add_offset
// CHECK: return
func.func @one_index(%p: !fly.ptr<f32, global>, %i: i32, %j: i32) -> f32 {
  %s = fly.make_int_tuple(%i, %j) : (i32, i32) -> !fly.int_tuple<(?,?)>
  %d = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(?,1)>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(?,1)>) -> !fly.layout<(?,?):(?,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(?,?):(?,1)>) -> !fly.memref<f32, global, (?,?):(?,1)>
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,*)>
  %r = fly.slice(%m, %c) : (!fly.memref<f32, global, (?,?):(?,1)>, !fly.int_tuple<(?,*)>) -> !fly.memref<f32, global, ?:1>
  %k = fly.make_coord(%j) : (i32) -> !fly.int_tuple<?>
  %v = fly.memref.load(%r, %k) : (!fly.memref<f32, global, ?:1>, !fly.int_tuple<?>) -> f32
  return %v : f32
}

// Numbers of threads and static strides: 32 bits hold the sum.
// CHECK-LABEL: gpu.func @one_index_near(
// CHECK-NOT: i64
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
// CHECK-NOT: i64
// CHECK: gpu.return
gpu.module @near {
  gpu.func @one_index_near(%p: !fly.ptr<f32, global>, %v: f32) kernel {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %i = arith.index_cast %x : index to i32
    %j = arith.index_cast %y : index to i32
    %l = fly.static : !fly.layout<(1024,1024):(1024,1)>
    %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(1024,1024):(1024,1)>) -> !fly.memref<f32, global, (1024,1024):(1024,1)>
    %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,*)>
    %r = fly.slice(%m, %c) : (!fly.memref<f32, global, (1024,1024):(1024,1)>, !fly.int_tuple<(?,*)>) -> !fly.memref<f32, global, 1024:1>
    %k = fly.make_coord(%j) : (i32) -> !fly.int_tuple<?>
    fly.memref.store(%v, %r, %k) : (f32, !fly.memref<f32, global, 1024:1>, !fly.int_tuple<?>) -> ()
    gpu.return
  }
}

// Each of these two steps fits 32 bits, both together reach 2^31.
// CHECK-LABEL: func.func @one_index_far(
// CHECK: arith.addi %{{.*}}, %{{.*}} : i64
// CHECK: fly.make_int_tuple(%{{.*}}) : (i64) -> !fly.int_tuple<?{i64}>
func.func @one_index_far(%p: !fly.ptr<f32, global>, %i: i32, %j: i32) -> f32 {
  %l = fly.static : !fly.layout<(32768,65537):(65536,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(32768,65537):(65536,1)>) -> !fly.memref<f32, global, (32768,65537):(65536,1)>
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,*)>
  %r = fly.slice(%m, %c) : (!fly.memref<f32, global, (32768,65537):(65536,1)>, !fly.int_tuple<(?,*)>) -> !fly.memref<f32, global, 65537:1>
  %k = fly.make_coord(%j) : (i32) -> !fly.int_tuple<?>
  %v = fly.memref.load(%r, %k) : (!fly.memref<f32, global, 65537:1>, !fly.int_tuple<?>) -> f32
  return %v : f32
}

// Accesses at unknown distances share the address of the first: what they add
// to it is the same for all lanes.
// CHECK-LABEL: func.func @shared_base(
// CHECK-SAME: %[[P:.*]]: !fly.ptr<f32, global>, %[[STEP:.*]]: i32, %[[I:.*]]: i32
// CHECK: %[[A:.*]] = arith.muli %[[I]], %{{.*}} : i32
// CHECK: %[[O:.*]] = fly.make_int_tuple(%[[A]]) : (i32)
// CHECK: %[[BASE:.*]] = fly.add_offset(%[[P]], %[[O]])
// CHECK: fly.ptr.load(%[[BASE]])
// CHECK: %[[Y:.*]] = fly.make_int_tuple(%[[STEP]]) : (i32)
// CHECK: %[[NEXT:.*]] = fly.add_offset(%[[BASE]], %[[Y]])
// CHECK: fly.ptr.load(%[[NEXT]])
func.func @shared_base(%p: !fly.ptr<f32, global>, %step: i32, %i: i32) -> vector<4xf32> {
  %s = fly.make_int_tuple() : () -> !fly.int_tuple<(8,2,2)>
  %d = fly.make_int_tuple(%step) : (i32) -> !fly.int_tuple<(64,1,?)>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(8,2,2)>, !fly.int_tuple<(64,1,?)>) -> !fly.layout<(8,2,2):(64,1,?)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(8,2,2):(64,1,?)>) -> !fly.memref<f32, global, (8,2,2):(64,1,?)>
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,*,*)>
  %r = fly.slice(%m, %c) : (!fly.memref<f32, global, (8,2,2):(64,1,?)>, !fly.int_tuple<(?,*,*)>) -> !fly.memref<f32, global, (2,2):(1,?)>
  %v = fly.memref.load_vec(%r) : (!fly.memref<f32, global, (2,2):(1,?)>) -> vector<4xf32>
  return %v : vector<4xf32>
}
