// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known to be never negative, and how large numbers become (P9, P43).

// RUN: %fly-opt %s --fly-layout-lowering --canonicalize --cse | FileCheck %s

gpu.module @m {
  // P9: ids are never negative: no sign in quotients, no wrapping in products.
  // CHECK-LABEL: gpu.func @ids(
  // CHECK: arith.remui %{{.*}}, %{{.*}} : i32
  // CHECK: arith.divui %{{.*}}, %{{.*}} : i32
  // CHECK-NOT: si %
  // CHECK: arith.muli %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
  gpu.func @ids(%out: !fly.ptr<i32, global>) kernel {
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %c = fly.make_coord(%t) : (i32) -> !fly.int_tuple<?>
    %l = fly.static : !fly.layout<(12,10):(10,1)>
    %i = fly.crd2idx(%c, %l) : (!fly.int_tuple<?>, !fly.layout<(12,10):(10,1)>) -> !fly.int_tuple<?>
    %s = fly.get_scalar(%i) : (!fly.int_tuple<?>) -> i32
    fly.ptr.store(%s, %out) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }

  // P43: with 64 threads in a workgroup, thread mod 64 is the thread and
  // thread / 64 is 0.
  // CHECK-LABEL: gpu.func @one_wave(
  // CHECK: %[[ID:.*]] = gpu.thread_id
  // CHECK: %[[T:.*]] = arith.index_cast %[[ID]]
  // CHECK-NOT: arith.
  // CHECK: fly.ptr.store(%[[T]]
  gpu.func @one_wave(%out: !fly.ptr<i32, global>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %c = fly.make_coord(%t) : (i32) -> !fly.int_tuple<?>
    %l = fly.static : !fly.layout<(64,2):(1,4096)>
    %i = fly.crd2idx(%c, %l) : (!fly.int_tuple<?>, !fly.layout<(64,2):(1,4096)>) -> !fly.int_tuple<?>
    %s = fly.get_scalar(%i) : (!fly.int_tuple<?>) -> i32
    fly.ptr.store(%s, %out) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }

  // Extents are never negative, arguments may be: this quotient of a block id
  // by an extent has no sign, that of an argument has.
  // CHECK-LABEL: gpu.func @extents(
  // CHECK: arith.remui
  // CHECK: arith.divui
  // CHECK: arith.remsi
  // CHECK: arith.divsi
  gpu.func @extents(%out: !fly.ptr<i32, global>, %n: i32, %x: i32) kernel {
    %id = gpu.block_id x
    %b = arith.index_cast %id : index to i32
    %shape = fly.make_shape(%n) : (i32) -> !fly.int_tuple<(?,4)>
    %stride = fly.make_stride() : () -> !fly.int_tuple<(4,1)>
    %l = fly.make_layout(%shape, %stride) : (!fly.int_tuple<(?,4)>, !fly.int_tuple<(4,1)>) -> !fly.layout<(?,4):(4,1)>
    %c = fly.make_coord(%b) : (i32) -> !fly.int_tuple<?>
    %i = fly.crd2idx(%c, %l) : (!fly.int_tuple<?>, !fly.layout<(?,4):(4,1)>) -> !fly.int_tuple<?>
    %s = fly.get_scalar(%i) : (!fly.int_tuple<?>) -> i32
    fly.ptr.store(%s, %out) : (i32, !fly.ptr<i32, global>) -> ()
    %d = fly.make_coord(%x) : (i32) -> !fly.int_tuple<?>
    %j = fly.crd2idx(%d, %l) : (!fly.int_tuple<?>, !fly.layout<(?,4):(4,1)>) -> !fly.int_tuple<?>
    %r = fly.get_scalar(%j) : (!fly.int_tuple<?>) -> i32
    fly.ptr.store(%r, %out) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }

  // The counter of a loop between known bounds; one from a negative number.
  // CHECK-LABEL: gpu.func @counters(
  // CHECK: scf.for
  // CHECK: arith.remui
  // CHECK: scf.for
  // CHECK: arith.remsi
  gpu.func @counters(%out: !fly.ptr<i32, global>, %end: i32) kernel {
    %m1 = arith.constant -1 : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %seven = fly.make_int_tuple() : () -> !fly.int_tuple<7>
    scf.for %k = %c0 to %end step %c1 : i32 {
      %t = fly.make_int_tuple(%k) : (i32) -> !fly.int_tuple<?>
      %q = fly.int_tuple_mod(%t, %seven) : (!fly.int_tuple<?>, !fly.int_tuple<7>) -> !fly.int_tuple<?>
      %s = fly.get_scalar(%q) : (!fly.int_tuple<?>) -> i32
      fly.ptr.store(%s, %out) : (i32, !fly.ptr<i32, global>) -> ()
    }
    scf.for %k = %m1 to %end step %c1 : i32 {
      %t = fly.make_int_tuple(%k) : (i32) -> !fly.int_tuple<?>
      %q = fly.int_tuple_mod(%t, %seven) : (!fly.int_tuple<?>, !fly.int_tuple<7>) -> !fly.int_tuple<?>
      %s = fly.get_scalar(%q) : (!fly.int_tuple<?>) -> i32
      fly.ptr.store(%s, %out) : (i32, !fly.ptr<i32, global>) -> ()
    }
    gpu.return
  }

  // An extent that is known only where a branch is taken says nothing about
  // what is computed elsewhere.
  // CHECK-LABEL: gpu.func @inside_a_branch(
  // CHECK: scf.if
  // CHECK: arith.remsi
  gpu.func @inside_a_branch(%out: !fly.ptr<i32, global>, %n: i32, %c: i1) kernel {
    %seven = fly.make_int_tuple() : () -> !fly.int_tuple<7>
    scf.if %c {
      %shape = fly.make_shape(%n) : (i32) -> !fly.int_tuple<(?,4)>
      %stride = fly.make_stride() : () -> !fly.int_tuple<(4,1)>
      %l = fly.make_layout(%shape, %stride) : (!fly.int_tuple<(?,4)>, !fly.int_tuple<(4,1)>) -> !fly.layout<(?,4):(4,1)>
      %z = fly.size(%l) : (!fly.layout<(?,4):(4,1)>) -> !fly.int_tuple<?{div=4}>
      %s = fly.get_scalar(%z) : (!fly.int_tuple<?{div=4}>) -> i32
      fly.ptr.store(%s, %out) : (i32, !fly.ptr<i32, global>) -> ()
    }
    %t = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
    %q = fly.int_tuple_mod(%t, %seven) : (!fly.int_tuple<?>, !fly.int_tuple<7>) -> !fly.int_tuple<?>
    %s = fly.get_scalar(%q) : (!fly.int_tuple<?>) -> i32
    fly.ptr.store(%s, %out) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }
}
