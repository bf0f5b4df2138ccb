// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known parts of offsets gather at the end; swizzles are shared (P18).

// RUN: %fly-opt %s --fly-layout-lowering --canonicalize --cse | FileCheck %s

// P18: four atoms of a column, 512 elements apart, which is the period of the
// swizzle: it is computed once, and each address is a known step from it.
// CHECK-LABEL: func.func @column(
// CHECK: arith.andi
// CHECK: arith.shrui
// CHECK: arith.xori
// CHECK-NOT: arith.
// CHECK: fly.add_offset(%{{.*}}, %{{.*}}) : (!fly.ptr<f16, shared, align<16>>, !fly.int_tuple<?{div=8}>)
// CHECK: fly.copy_atom_call
// CHECK: !fly.int_tuple<512>
// CHECK: fly.copy_atom_call
// CHECK: !fly.int_tuple<1024>
// CHECK: fly.copy_atom_call
// CHECK: !fly.int_tuple<1536>
// CHECK-NOT: arith.
// CHECK: fly.copy_atom_call
!at = !fly.copy_atom<!fly.universal_copy<128>, 16>
!sw = !fly.memref<f16, shared, S<3,3,3> o 0 o (8,8,4):(1,64,512), align<16>>
!part = !fly.memref<f16, shared, S<3,3,3> o ?{div=8} o (8,4):(1,512), align<16>>
!reg = !fly.memref<f16, register, (8,4):(1,8)>
func.func @column(%p: !fly.ptr<f16, shared, align<16>>, %i: i32, %r: !reg) {
  %at = fly.make_copy_atom {valBits = 16 : i32} : !at
  %l = fly.static : !fly.composed_layout<S<3,3,3> o 0 o (8,8,4):(1,64,512)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f16, shared, align<16>>, !fly.composed_layout<S<3,3,3> o 0 o (8,8,4):(1,64,512)>) -> !sw
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(*,?,*)>
  %s = fly.slice(%m, %c) : (!sw, !fly.int_tuple<(*,?,*)>) -> !fly.memref<f16, shared, S<3,3,3> o ?{div=64} o (8,4):(1,512), align<16>>
  %ri = fly.get_iter(%r) : (!reg) -> !fly.ptr<f16, register>
  %rl = fly.static : !fly.layout<(8,4):(1,8)>
  %rv = fly.make_view(%ri, %rl) : (!fly.ptr<f16, register>, !fly.layout<(8,4):(1,8)>) -> !reg
  fly.copy(%at, %s, %rv) : (!at, !fly.memref<f16, shared, S<3,3,3> o ?{div=64} o (8,4):(1,512), align<16>>, !reg) -> ()
  return
}

// The known part of a coordinate is a known offset behind one dynamic base,
// also when something dynamic is added after it.
// CHECK-LABEL: func.func @known_parts(
// CHECK-SAME: %[[P:.*]]: !fly.ptr<f32, global>, %[[X:.*]]: i32, %[[Y:.*]]: i32
// CHECK: %[[M:.*]] = arith.muli %[[X]], %{{.*}} : i32
// CHECK: %[[A:.*]] = arith.addi %[[M]], %[[Y]] : i32
// CHECK: %[[D:.*]] = fly.make_int_tuple(%[[A]]) : (i32) -> !fly.int_tuple<?>
// CHECK: %[[Q:.*]] = fly.add_offset(%[[P]], %[[D]])
// CHECK: fly.make_int_tuple() : () -> !fly.int_tuple<3>
// CHECK: fly.add_offset(%[[Q]], %{{.*}}) : (!fly.ptr<f32, global>, !fly.int_tuple<3>)
func.func @known_parts(%p: !fly.ptr<f32, global>, %x: i32, %y: i32) -> f32 {
  %l = fly.static : !fly.layout<(8,4,5):(4,1,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(8,4,5):(4,1,1)>) -> !fly.memref<f32, global, (8,4,5):(4,1,1)>
  %c = fly.make_coord(%x, %y) : (i32, i32) -> !fly.int_tuple<(?,3,?)>
  %v = fly.memref.load(%m, %c) : (!fly.memref<f32, global, (8,4,5):(4,1,1)>, !fly.int_tuple<(?,3,?)>) -> f32
  return %v : f32
}

// P35: the atom of a tiled copy that is made elsewhere carries its state.
!buf = !fly.memref<f32, #fly_rocdl.buffer_desc, 1:1>
!one = !fly.memref<f32, register, 1:1>
!atom = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>
!tiled = !fly.tiled_copy<!atom, <(1,1):(1,1)>, <1>>
// CHECK-LABEL: func.func @state(
// CHECK-SAME: %[[T:[^:]*]]: !fly.tiled_copy
// CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast %[[T]]
// CHECK: fly.copy_atom_call(%[[A]],
func.func @state(%t: !tiled, %p: !fly.ptr<f32, #fly_rocdl.buffer_desc>, %q: !fly.ptr<f32, register>) {
  %l = fly.static : !fly.layout<1:1>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>, !fly.layout<1:1>) -> !buf
  %n = fly.make_view(%q, %l) : (!fly.ptr<f32, register>, !fly.layout<1:1>) -> !one
  fly.copy(%t, %m, %n) : (!tiled, !buf, !one) -> ()
  return
}

// P18: below the lowest bit of the swizzle nothing changes either: the second
// half of eight elements lies four behind the swizzled first.
// CHECK-LABEL: func.func @halves(
// CHECK: %[[X:.*]] = arith.xori
// CHECK-NOT: arith.
// CHECK: %[[T:.*]] = fly.make_int_tuple(%[[X]]) : (i32) -> !fly.int_tuple<?{div=8}>
// CHECK: %[[P:.*]] = fly.add_offset(%{{.*}}, %[[T]])
// CHECK: fly.copy_atom_call
// CHECK: fly.add_offset(%[[P]], %{{.*}}) : (!fly.ptr<f16, shared, align<16>>, !fly.int_tuple<4>)
// CHECK: fly.copy_atom_call
!at64 = !fly.copy_atom<!fly.universal_copy<64>, 16>
!halves = !fly.memref<f16, shared, S<2,3,3> o ?{div=64} o (4,2):(1,4), align<16>>
!regs = !fly.memref<f16, register, (4,2):(1,4)>
func.func @halves(%p: !fly.ptr<f16, shared, align<16>>, %i: i32, %q: !fly.ptr<f16, register>) {
  %at = fly.make_copy_atom {valBits = 16 : i32} : !at64
  %l = fly.static : !fly.composed_layout<S<2,3,3> o 0 o (4,2,8):(1,4,64)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f16, shared, align<16>>, !fly.composed_layout<S<2,3,3> o 0 o (4,2,8):(1,4,64)>) -> !fly.memref<f16, shared, S<2,3,3> o 0 o (4,2,8):(1,4,64), align<16>>
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(*,*,?)>
  %s = fly.slice(%m, %c) : (!fly.memref<f16, shared, S<2,3,3> o 0 o (4,2,8):(1,4,64), align<16>>, !fly.int_tuple<(*,*,?)>) -> !halves
  %rl = fly.static : !fly.layout<(4,2):(1,4)>
  %r = fly.make_view(%q, %rl) : (!fly.ptr<f16, register>, !fly.layout<(4,2):(1,4)>) -> !regs
  fly.copy(%at, %s, %r) : (!at64, !halves, !regs) -> ()
  return
}
