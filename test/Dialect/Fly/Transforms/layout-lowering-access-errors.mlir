// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors, atoms and offsets that layout lowering refuses, each at its op.

// RUN: %fly-opt %s --fly-layout-lowering --split-input-file --verify-diagnostics

// An index of 32 bits does not hold 2^32 - 1.
func.func @index(%i: i32, %j: i32) -> i32 {
  %l = fly.static : !fly.layout<(65536,65536):(65536,1)>
  %c = fly.make_int_tuple(%i, %j) : (i32, i32) -> !fly.int_tuple<(?,?)>
  // expected-error @below {{offsets in (65536,65536):(65536,1) reach 4294967295, which an index of the 32-bit coordinate (?,?) does not hold; give it i64 numbers}}
  %x = fly.crd2idx(%c, %l) : (!fly.int_tuple<(?,?)>, !fly.layout<(65536,65536):(65536,1)>) -> !fly.int_tuple<?>
  %s = fly.get_scalar(%x) : (!fly.int_tuple<?>) -> i32
  return %s : i32
}

// -----

// The offset of a composed layout is part of its type.
func.func @composed(%p: !fly.ptr<f32, global>, %i: i32, %j: i32) -> f32 {
  %l = fly.static : !fly.composed_layout<S<1,2,3> o 0 o (65536,65536):(65536,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.composed_layout<S<1,2,3> o 0 o (65536,65536):(65536,1)>) -> !fly.memref<f32, global, S<1,2,3> o 0 o (65536,65536):(65536,1)>
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,*)>
  // expected-error @below {{offsets in (65536,65536):(65536,1) reach 4294901760, which an index}}
  %r = fly.slice(%m, %c) : (!fly.memref<f32, global, S<1,2,3> o 0 o (65536,65536):(65536,1)>, !fly.int_tuple<(?,*)>) -> !fly.memref<f32, global, S<1,2,3> o ?{div=65536} o 65536:1>
  %d = fly.make_coord(%j) : (i32) -> !fly.int_tuple<?>
  %v = fly.memref.load(%r, %d) : (!fly.memref<f32, global, S<1,2,3> o ?{div=65536} o 65536:1>, !fly.int_tuple<?>) -> f32
  return %v : f32
}

// -----

// W20: fewer than 2^31 elements, but 2^33 bytes.
func.func @buffer(%p: !fly.ptr<f32, #fly_rocdl.buffer_desc>, %i: i32, %j: i32) -> f32 {
  %l = fly.static : !fly.layout<(32768,65536):(65536,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>, !fly.layout<(32768,65536):(65536,1)>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, (32768,65536):(65536,1)>
  %c = fly.make_int_tuple(%i, %j) : (i32, i32) -> !fly.int_tuple<(?,?)>
  // expected-error @below {{offsets in (32768,65536):(65536,1) reach element 2147483647 of 32 bits, but addresses in #fly_rocdl.buffer_desc have 32 bits}}
  %v = fly.memref.load(%m, %c) : (!fly.memref<f32, #fly_rocdl.buffer_desc, (32768,65536):(65536,1)>, !fly.int_tuple<(?,?)>) -> f32
  return %v : f32
}

// -----

// Elements that 64 bits count, and bytes that they do not.
func.func @far(%p: !fly.ptr<f32, global>, %i: i32) -> f32 {
  %l = fly.static : !fly.layout<2:4611686018427387904>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<2:4611686018427387904>) -> !fly.memref<f32, global, 2:4611686018427387904>
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<?>
  // expected-error @below {{offsets in 2:4611686018427387904 reach element 4611686018427387904 of 32 bits, whose byte does not fit 64 bits}}
  %v = fly.memref.load(%m, %c) : (!fly.memref<f32, global, 2:4611686018427387904>, !fly.int_tuple<?>) -> f32
  return %v : f32
}

// -----

func.func @far_at_a_known_place(%p: !fly.ptr<f32, global>) -> f32 {
  %l = fly.static : !fly.layout<2:4611686018427387904>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<2:4611686018427387904>) -> !fly.memref<f32, global, 2:4611686018427387904>
  %c = fly.make_coord() : () -> !fly.int_tuple<1>
  // expected-error @below {{offsets in 2:4611686018427387904 reach element 4611686018427387904 of 32 bits, whose byte does not fit 64 bits}}
  %v = fly.memref.load(%m, %c) : (!fly.memref<f32, global, 2:4611686018427387904>, !fly.int_tuple<1>) -> f32
  return %v : f32
}

// -----

func.func @long_vector(%p: !fly.ptr<i8, global>) -> vector<65537xi8> {
  %l = fly.static : !fly.layout<65537:1>
  %m = fly.make_view(%p, %l) : (!fly.ptr<i8, global>, !fly.layout<65537:1>) -> !fly.memref<i8, global, 65537:1>
  // expected-error @below {{a vector access needs a static shape of 1 to 65536 elements, found 65537:1}}
  %v = fly.memref.load_vec(%m) : (!fly.memref<i8, global, 65537:1>) -> vector<65537xi8>
  return %v : vector<65537xi8>
}

// -----

func.func @wide_element(%p: !fly.ptr<f32, global>, %x: f64) {
  %l = fly.static : !fly.layout<4:1>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<4:1>) -> !fly.memref<f32, global, 4:1>
  %c = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  // expected-error @below {{expected a value as wide as 'f32', found 'f64'}}
  fly.memref.store(%x, %m, %c) : (f64, !fly.memref<f32, global, 4:1>, !fly.int_tuple<1>) -> ()
  return
}

// -----

// P20: no array of unknown size.
func.func @registers(%n: i32) {
  %s = fly.make_int_tuple() : () -> !fly.int_tuple<4>
  %d = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<4>, !fly.int_tuple<?>) -> !fly.layout<4:?>
  // expected-error @below {{registers need a static size, found the layout 4:?}}
  %m = fly.memref.alloca(%l) : (!fly.layout<4:?>) -> !fly.memref<f32, register, 4:?>
  return
}

// -----

!tiled = !fly.tiled_copy<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(1,1):(1,1)>, <1>>
func.func @copies_by_mma(%t: !tiled, %p: !fly.ptr<f32, global>) {
  %l = fly.static : !fly.layout<1:1>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<1:1>) -> !fly.memref<f32, global, 1:1>
  // expected-error @below {{expected a copy atom or a tiled copy, found '!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>'}}
  fly.copy(%t, %m, %m) : (!tiled, !fly.memref<f32, global, 1:1>, !fly.memref<f32, global, 1:1>) -> ()
  return
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<32>, 32>
!acc = !fly.memref<f32, register, 1:1>
func.func @multiplies_by_copy(%t: !fly.tiled_mma<!copy, <(1,1,1):(0,0,0)>>, %d: !acc) {
  // expected-error @below {{expected an MMA atom or a tiled MMA made in this function, found '!fly.tiled_mma<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<(1,1,1):(0,0,0)>>'}}
  fly.gemm(%t, %d, %d, %d, %d) : (!fly.tiled_mma<!copy, <(1,1,1):(0,0,0)>>, !acc, !acc, !acc, !acc) -> ()
  return
}

// -----

!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!acc = !fly.memref<f32, register, (1,?,2):(0,1,2)>
!rhs = !fly.memref<f32, register, (1,2,2):(0,1,2)>
func.func @dynamic_gemm(%p: !fly.ptr<f32, register>, %n: i32, %b: !rhs) {
  %s = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<(1,?,2)>
  %t = fly.make_int_tuple() : () -> !fly.int_tuple<(0,1,2)>
  %l = fly.make_layout(%s, %t) : (!fly.int_tuple<(1,?,2)>, !fly.int_tuple<(0,1,2)>) -> !fly.layout<(1,?,2):(0,1,2)>
  %d = fly.make_view(%p, %l) : (!fly.ptr<f32, register>, !fly.layout<(1,?,2):(0,1,2)>) -> !acc
  %m = fly.make_mma_atom : !fma
  // expected-error @below {{cannot unroll over dynamic extents: d is (1,?,2):(0,1,2), a is (1,2,2):(0,1,2)}}
  fly.gemm(%m, %d, %b, %b, %d) : (!fma, !acc, !rhs, !rhs, !acc) -> ()
  return
}

// -----

!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!acc = !fly.memref<f32, register, (1,2,2):(0,1,2)>
func.func @dynamic_order(%d: !acc, %n: i32) {
  %s = fly.make_int_tuple() : () -> !fly.int_tuple<8>
  %t = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
  %l = fly.make_layout(%s, %t) : (!fly.int_tuple<8>, !fly.int_tuple<?>) -> !fly.layout<8:?>
  %m = fly.make_mma_atom : !fma
  // expected-error @below {{the traversal layout 8:? is not static}}
  fly.gemm(%m, %d, %d, %d, %d) traversalLayout = %l : (!fma, !acc, !acc, !acc, !acc, !fly.layout<8:?>) -> ()
  return
}
