// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that are known to be never negative, predicates on buffers, atoms
// with state from elsewhere.

// RUN: %fly-opt %s --convert-fly-to-rocdl=chip=gfx942 | FileCheck %s --check-prefixes=CHECK,CDNA
// RUN: %fly-opt %s --convert-fly-to-rocdl=chip=gfx1100 | FileCheck %s --check-prefixes=CHECK,RDNA
// RUN: %fly-opt %s --convert-fly-to-rocdl | FileCheck %s --check-prefixes=CHECK,RDNA

!buf = !fly.ptr<f32, #fly_rocdl.buffer_desc>
!one = !fly.memref<f32, #fly_rocdl.buffer_desc, 1:1>
!copy = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>

// P36: an offset that is never negative and fits 32 bits as bytes is an
// unsigned 32-bit number of bytes; one of unknown sign is not.
// CHECK-LABEL: func.func @offsets(
// CHECK: %[[B:.*]] = arith.muli %{{.*}}, %{{.*}} overflow<nuw> : i32
// CHECK: %[[W:.*]] = arith.extui %[[B]] : i32 to i64
// CHECK: llvm.getelementptr nuw %{{.*}}[%[[W]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK: llvm.getelementptr nuw %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
func.func @offsets(%g: !fly.ptr<f32, global>, %s: !fly.ptr<f32, shared>, %x: i32) -> (f32, f32, f32) {
  %id = gpu.thread_id x
  %t = arith.index_cast %id : index to i32
  %o = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
  %u = fly.make_int_tuple(%x) : (i32) -> !fly.int_tuple<?>
  %p = fly.add_offset(%g, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  %q = fly.add_offset(%s, %o) : (!fly.ptr<f32, shared>, !fly.int_tuple<?>) -> !fly.ptr<f32, shared>
  %r = fly.add_offset(%g, %u) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  %a = fly.ptr.load(%p) : (!fly.ptr<f32, global>) -> f32
  %b = fly.ptr.load(%q) : (!fly.ptr<f32, shared>) -> f32
  %c = fly.ptr.load(%r) : (!fly.ptr<f32, global>) -> f32
  return %a, %b, %c : f32, f32, f32
}

// W17: a masked load of a buffer of known size whose flags ask for a check is
// out of range where it is masked, and needs no branch; else it branches.
// CHECK-LABEL: func.func @masked(
// CDNA: %[[O:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
// CDNA: %[[L:.*]] = rocdl.raw.ptr.buffer.load
// CDNA: arith.select %{{.*}}, %[[L]], %{{.*}} : f32
// CDNA-NOT: scf.if
// RDNA: scf.if
// CHECK: rocdl.raw.ptr.buffer.store
// CHECK: return
func.func @masked(%g: !fly.ptr<f32, global>, %t: i32, %p: i1, %old: f32) -> f32 {
  %stride = arith.constant 0 : i16
  %bytes = arith.constant 4096 : i64
  %flags = arith.constant 159744 : i32
  %b = fly.make_ptr(%g, %stride, %bytes, %flags) : (!fly.ptr<f32, global>, i16, i64, i32) -> !buf
  %o = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
  %q = fly.add_offset(%b, %o) : (!buf, !fly.int_tuple<?>) -> !buf
  %l = fly.static : !fly.layout<1:1>
  %m = fly.make_view(%q, %l) : (!buf, !fly.layout<1:1>) -> !one
  %at = fly.make_copy_atom {valBits = 32 : i32} : !copy
  %v = fly.copy_atom_call_ssa(%at, %m, %old, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!copy, !one, f32, i1) -> f32
  fly.copy_atom_call_ssa(%at, %v, %m, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!copy, f32, !one, i1) -> ()
  return %v : f32
}

// Neither the unlimited size nor one from outside, and no scalar offset.
// CHECK-LABEL: func.func @masked_branches(
// CHECK-COUNT-3: scf.if
// CHECK: return
func.func @masked_branches(%g: !fly.ptr<f32, global>, %n: i64, %p: i1, %old: f32) -> (f32, f32, f32) {
  %stride = arith.constant 0 : i16
  %all = arith.constant 4294967295 : i64
  %some = arith.constant 64 : i64
  %flags = arith.constant 159744 : i32
  %two = arith.constant 2 : i32
  %l = fly.static : !fly.layout<1:1>
  %at = fly.make_copy_atom {valBits = 32 : i32} : !copy
  %moved = fly.atom.set_value(%at, "soffset", %two) : (!copy, i32) -> !copy
  %a = fly.make_ptr(%g, %stride, %all, %flags) : (!fly.ptr<f32, global>, i16, i64, i32) -> !buf
  %b = fly.make_ptr(%g, %stride, %n, %flags) : (!fly.ptr<f32, global>, i16, i64, i32) -> !buf
  %c = fly.make_ptr(%g, %stride, %some, %flags) : (!fly.ptr<f32, global>, i16, i64, i32) -> !buf
  %ma = fly.make_view(%a, %l) : (!buf, !fly.layout<1:1>) -> !one
  %mb = fly.make_view(%b, %l) : (!buf, !fly.layout<1:1>) -> !one
  %mc = fly.make_view(%c, %l) : (!buf, !fly.layout<1:1>) -> !one
  %x = fly.copy_atom_call_ssa(%at, %ma, %old, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!copy, !one, f32, i1) -> f32
  %y = fly.copy_atom_call_ssa(%at, %mb, %old, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!copy, !one, f32, i1) -> f32
  %z = fly.copy_atom_call_ssa(%moved, %mc, %old, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!copy, !one, f32, i1) -> f32
  return %x, %y, %z : f32, f32, f32
}

// W21: the known part of a buffer's offset stands behind the multiplication,
// where the immediate of the instruction takes it.
// CHECK-LABEL: func.func @known_part(
// CHECK: %[[T:.*]] = arith.addi %{{.*}}, %arg1 : i32
// CHECK: %[[M:.*]] = arith.muli %[[T]], %{{.*}} : i32
// CHECK: %[[A:.*]] = arith.addi %[[M]], %{{.*}} : i32
// CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[A]]
func.func @known_part(%b: !buf, %t: i32) -> f32 {
  %o = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
  %three = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  %q = fly.add_offset(%b, %o) : (!buf, !fly.int_tuple<?>) -> !buf
  %r = fly.add_offset(%q, %three) : (!buf, !fly.int_tuple<3>) -> !buf
  %v = fly.ptr.load(%r) : (!buf) -> f32
  return %v : f32
}

// P35: the atom of a tiled copy from elsewhere has the state of the copy.
// CHECK-LABEL: func.func @tiled_from_elsewhere(
// CHECK-SAME: %[[S:.*]]: !llvm.struct<(i32)>
// CHECK: llvm.extractvalue %[[S]][0] : !llvm.struct<(i32)>
!tiled = !fly.tiled_copy<!copy, <(1,1):(1,1)>, <1>>
func.func @tiled_from_elsewhere(%tc: !tiled, %b: !buf) -> f32 {
  %at = builtin.unrealized_conversion_cast %tc : !tiled to !copy
  %l = fly.static : !fly.layout<1:1>
  %m = fly.make_view(%b, %l) : (!buf, !fly.layout<1:1>) -> !one
  %v = fly.copy_atom_call_ssa(%at, %m) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!copy, !one) -> f32
  return %v : f32
}
