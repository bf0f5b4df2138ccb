// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that the tensor data mover cannot do. W28: what a field of the
// descriptor does not hold is refused.
//
// RUN: %fly-opt %s --convert-fly-to-rocdl -split-input-file -verify-diagnostics

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!S = !fly.memref<f16, shared, 8192:1>

func.func @spaces(%a: !Atom, %s: !S) {
  // expected-error @below {{gfx1250.tdm copies between global and shared, got '!fly.memref<f16, shared, 8192:1>' and '!fly.memref<f16, shared, 8192:1>'}}
  fly.copy_atom_call(%a, %s, %s) : (!Atom, !S, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
// W14
func.func @swizzle(%a: !Atom, %g: !fly.memref<f16, global, (128,64):(64,1)>, %s: !fly.memref<f16, shared, 8192:1, S<3,3,3>>) {
  // expected-error @below {{gfx1250.tdm moves memory linearly and cannot follow the swizzle of '!fly.memref<f16, shared, 8192:1, S<3,3,3>>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !fly.memref<f16, global, (128,64):(64,1)>, !fly.memref<f16, shared, 8192:1, S<3,3,3>>) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
func.func @element(%a: !Atom, %g: !fly.memref<f4E2M1FN, global, (128,64):(64,1)>, %s: !fly.memref<f4E2M1FN, shared, 8192:1>) {
  // expected-error @below {{gfx1250.tdm moves elements of 8, 16, 32 or 64 bits, got 'f4E2M1FN'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !fly.memref<f4E2M1FN, global, (128,64):(64,1)>, !fly.memref<f4E2M1FN, shared, 8192:1>) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 3, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!S = !fly.memref<f16, shared, 8192:1>
func.func @rank(%a: !Atom, %g: !fly.memref<f16, global, (128,64):(64,1)>, %s: !S) {
  // expected-error @below {{gfx1250.tdm needs a plain layout of static leaves, one for each of its 3 dimensions, got '!fly.memref<f16, global, (128,64):(64,1)>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !fly.memref<f16, global, (128,64):(64,1)>, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!S = !fly.memref<f16, shared, 8192:1>
func.func @nested(%a: !Atom, %g: !fly.memref<f16, global, ((2,64),64):((64,128),1)>, %s: !S) {
  // expected-error @below {{gfx1250.tdm needs a plain layout of static leaves}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !fly.memref<f16, global, ((2,64),64):((64,128),1)>, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!S = !fly.memref<f16, shared, 8192:1>
func.func @dynamic_shape(%a: !Atom, %g: !fly.memref<f16, global, (?,64):(64,1)>, %s: !S) {
  // expected-error @below {{gfx1250.tdm needs a plain layout of static leaves}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !fly.memref<f16, global, (?,64):(64,1)>, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!S = !fly.memref<f16, shared, 65536:1>
func.func @w28_large(%a: !Atom, %g: !fly.memref<f16, global, (1,65536):(65536,1)>, %s: !S) {
  // expected-error @below {{gfx1250.tdm moves 1 to 65535 elements along a dimension, got 65536 in}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !fly.memref<f16, global, (1,65536):(65536,1)>, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 5, warps = 1073741824, pad = 64, 8, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (65535,65535,65535,65535,65535):(?,?,?,?,1)>
!S = !fly.memref<f16, shared, 1:1>
func.func @w28_huge(%a: !Atom, %g: !G, %s: !S) {
  // expected-error @below {{gfx1250.tdm moves tiles of at most 327680 bytes, what LDS has, got '!fly.memref<f16, global, (65535,65535,65535,65535,65535):(?,?,?,?,1)>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !G, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!S = !fly.memref<f16, shared, 8192:1>
func.func @columns(%a: !Atom, %g: !fly.memref<f16, global, (128,64):(1,128)>, %s: !S) {
  // expected-error @below {{gfx1250.tdm needs neighbours along the last dimension, got}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !fly.memref<f16, global, (128,64):(1,128)>, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!S = !fly.memref<f16, shared, 8192:1>
func.func @w28_stride(%a: !Atom, %g: !fly.memref<f16, global, (128,64):(-64,1)>, %s: !S) {
  // expected-error @below {{gfx1250.tdm has strides of 0 to 281474976710655, got -64 in}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !fly.memref<f16, global, (128,64):(-64,1)>, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!S = !fly.memref<f16, shared, 8192:1>
func.func @w28_unset(%g: !fly.memref<f16, global, (128,64):(?,1)>, %s: !S) {
  %a = fly.make_copy_atom {valBits = 0 : i32} : !Atom
  // expected-error @below {{gfx1250.tdm has a dynamic stride in dimension 0, which fly.atom.set_value must set as 'stride_0'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !fly.memref<f16, global, (128,64):(?,1)>, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!S = !fly.memref<f16, shared, 8192:1>
func.func @w28_set(%g: !fly.memref<f16, global, (128,64):(64,1)>, %s: !S) {
  %c = arith.constant -1 : i64
  %a = fly.make_copy_atom {valBits = 0 : i32} : !Atom
  %b = fly.atom.set_value(%a, "stride_0", %c) : (!Atom, i64) -> !Atom
  // expected-error @below {{gfx1250.tdm has strides of 0 to 281474976710655, got stride_0 = -1}}
  fly.copy_atom_call(%b, %g, %s) : (!Atom, !fly.memref<f16, global, (128,64):(64,1)>, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
func.func @state(%n: i64) {
  %a = fly.make_copy_atom {valBits = 0 : i32} : !Atom
  // expected-error @below {{expected "extent_0" to be an 'i32', got 'i64'}}
  %b = fly.atom.set_value(%a, "extent_0", %n) : (!Atom, i64) -> !Atom
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 1, 1, cache = 0, barrier = false, timeout = false>, 0>
!S = !fly.memref<f16, shared, 8192:1>
func.func @pad(%a: !Atom, %g: !fly.memref<f16, global, (128,64):(64,1)>, %s: !S) {
  // expected-error @below {{gfx1250.tdm pads by 1 to 128 words of 32 bits after 2 to 256, got 1 after 1 elements of 16 bits}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !fly.memref<f16, global, (128,64):(64,1)>, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = false>, 0>
!S = !fly.memref<f16, shared, 8192:1>
// Waves of 2 rows of 48 elements: the second begins inside of an interval.
func.func @pad_of_part(%a: !Atom, %g: !fly.memref<f16, global, (8,48):(48,1)>, %s: !S) {
  // expected-error @below {{gfx1250.tdm pads after 64 elements, inside of which a wave's part of 96 begins; use fewer waves}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !fly.memref<f16, global, (8,48):(48,1)>, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (128,64):(64,1)>
!S = !fly.memref<f16, shared, 8192:1>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  func.func @chip(%a: !Atom, %g: !G, %s: !S) {
    // expected-error @below {{gfx950 has no gfx1250.tdm}}
    fly.copy_atom_call(%a, %g, %s) : (!Atom, !G, !S) -> ()
    return
  }
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>
!B = !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>
!S = !fly.memref<f32, shared, 4:1>
func.func @async_space(%a: !Async, %g: !B, %s: !S) {
  // expected-error @below {{cdna4.global_load_async_lds<128> copies from global to shared, got '!fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>' and '!fly.memref<f32, shared, 4:1>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !B, !S) -> ()
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>
!G = !fly.memref<f32, global, 4:1>
!S = !fly.memref<f32, shared, 4:1, S<1,4,3>>
func.func @async_swizzle(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{cdna4.global_load_async_lds<128> writes LDS linearly and cannot follow the swizzle of}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>
!G = !fly.memref<f32, global, 4:1, S<1,3,3>>
!S = !fly.memref<f32, shared, 4:1>
func.func @async_source(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{cdna4.global_load_async_lds<128> needs 128 neighbouring bits in each lane, got}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (4,64):(64,?)>
!S = !fly.memref<f16, shared, 256:1>
func.func @w28_dynamic_inner(%a: !Atom, %g: !G, %s: !S) {
  // expected-error @below {{gfx1250.tdm needs neighbours along the last dimension, got '!fly.memref<f16, global, (4,64):(64,?)>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !G, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (8,64):(64,1)>
!S = !fly.memref<f16, shared, 16:1>
func.func @lds_small(%a: !Atom, %g: !G, %s: !S) {
  // expected-error @below {{gfx1250.tdm fills LDS with the rows of the tile one after the other, which is not '!fly.memref<f16, shared, 16:1>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !G, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (8,64):(64,1)>
!S = !fly.memref<f16, shared, 512:-1>
func.func @lds_backwards(%a: !Atom, %g: !G, %s: !S) {
  // expected-error @below {{gfx1250.tdm fills LDS with the rows of the tile one after the other, which is not '!fly.memref<f16, shared, 512:-1>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !G, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (8,64):(64,1)>
!S = !fly.memref<f16, shared, (8,64):(128,1)>
func.func @lds_apart(%a: !Atom, %g: !G, %s: !S) {
  // expected-error @below {{gfx1250.tdm fills LDS with the rows of the tile one after the other, which is not '!fly.memref<f16, shared, (8,64):(128,1)>'}}
  fly.copy_atom_call(%a, %s, %g) : (!Atom, !S, !G) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (8,64):(64,1)>
!S = !fly.memref<f16, shared, (8,64):(1,8)>
func.func @lds_columns(%a: !Atom, %g: !G, %s: !S) {
  // expected-error @below {{gfx1250.tdm fills LDS with the rows of the tile one after the other, which is not '!fly.memref<f16, shared, (8,64):(1,8)>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !G, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (8,64):(64,1)>
!S = !fly.memref<f16, shared, (64,8):(8,1)>
func.func @lds_shape(%a: !Atom, %g: !G, %s: !S) {
  // expected-error @below {{gfx1250.tdm fills LDS with the rows of the tile one after the other, which is not '!fly.memref<f16, shared, (64,8):(8,1)>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !G, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (8,64):(64,1)>
!S = !fly.memref<f16, shared, (8,64):(?,1)>
func.func @lds_dynamic(%a: !Atom, %g: !G, %s: !S) {
  // expected-error @below {{gfx1250.tdm fills LDS with the rows of the tile one after the other, which is not '!fly.memref<f16, shared, (8,64):(?,1)>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !G, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (8,64):(64,1)>
!S = !fly.memref<f16, shared, S<0,4,3> o 8 o (8,64):(64,1)>
func.func @lds_composed(%a: !Atom, %g: !G, %s: !S) {
  // expected-error @below {{gfx1250.tdm fills LDS with the rows of the tile one after the other, which is not '!fly.memref<f16, shared, S<0,4,3> o 8 o (8,64):(64,1)>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !G, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 64, 8, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (8,64):(64,1)>
!S = !fly.memref<f16, shared, (8,64):(64,1)>
func.func @lds_unpadded(%a: !Atom, %g: !G, %s: !S) {
  // expected-error @below {{gfx1250.tdm fills LDS with the rows of the tile one after the other, 8 elements further after each 64, which is not '!fly.memref<f16, shared, (8,64):(64,1)>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Atom, !G, !S) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (128,64):(64,1)>
!S = !fly.memref<f16, shared, 8192:1>
gpu.module @m {
  gpu.func @waves(%a: !Atom, %g: !G, %s: !S) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    // expected-error @below {{gfx1250.tdm cuts the tile among 4 waves, but workgroups of 64 threads have 2}}
    fly.copy_atom_call(%a, %g, %s) : (!Atom, !G, !S) -> ()
    gpu.return
  }
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
func.func @w28_mask() {
  %c = arith.constant 65536 : i32
  %a = fly.make_copy_atom {valBits = 0 : i32} : !Atom
  // expected-error @below {{gfx1250.tdm has a workgroup_mask of 16 bits, got 65536}}
  %b = fly.atom.set_value(%a, "workgroup_mask", %c) : (!Atom, i32) -> !Atom
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
func.func @w28_mask_sign() {
  %c = arith.constant -1 : i32
  %a = fly.make_copy_atom {valBits = 0 : i32} : !Atom
  // expected-error @below {{gfx1250.tdm has a workgroup_mask of 16 bits, got -1}}
  %b = fly.atom.set_value(%a, "workgroup_mask", %c) : (!Atom, i32) -> !Atom
  return
}

// -----

!Atom = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
func.func @w28_default() {
  %c = arith.constant -2147483648 : i64
  %a = fly.make_copy_atom {valBits = 0 : i32} : !Atom
  // expected-error @below {{gfx1250.tdm has strides of 0 to 281474976710655, got stride_0 = -2147483648}}
  %b = fly.atom.set_value(%a, "stride_0", %c) : (!Atom, i64) -> !Atom
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>
!G = !fly.memref<f32, global, 4:1>
!S = !fly.memref<f32, shared, 4:2>
func.func @async_apart(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{cdna4.global_load_async_lds<128> needs contiguous elements, got '!fly.memref<f32, shared, 4:2>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>
!G = !fly.memref<f32, global, 4:1>
!S = !fly.memref<f32, shared, 4:?>
func.func @async_dynamic(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{the destination needs strides and offsets that are known when it is compiled, got '!fly.memref<f32, shared, 4:?>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>
!G = !fly.memref<f32, global, 4:1>
!S = !fly.memref<f32, shared, 4:-1>
func.func @async_backwards(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{cdna4.global_load_async_lds<128> needs contiguous elements, got '!fly.memref<f32, shared, 4:-1>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>
!G = !fly.memref<f32, global, 4:1>
!S = !fly.memref<f32, shared, 1:1>
func.func @async_small(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{cdna4.global_load_async_lds<128> moves 128 bits, but the destination has 1 x 'f32' = 32 bits}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>
!G = !fly.memref<f32, global, 4:1>
!S = !fly.memref<f32, shared, (2,2):(1,100)>
func.func @async_two_pieces(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{cdna4.global_load_async_lds<128> needs contiguous elements, got '!fly.memref<f32, shared, (2,2):(1,100)>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>
!G = !fly.memref<f32, global, 4:1>
!S = !fly.memref<f32, shared, S<0,4,3> o 8 o 4:1>
func.func @async_offset(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{cdna4.global_load_async_lds<128> writes LDS from the destination's pointer on, got '!fly.memref<f32, shared, S<0,4,3> o 8 o 4:1>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna4.buffer_load_async_lds<128>, 32>
!G = !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>
!S = !fly.memref<f32, shared, 4:2>
func.func @buffer_async_apart(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{cdna4.buffer_load_async_lds<128> needs contiguous elements, got '!fly.memref<f32, shared, 4:2>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna4.buffer_load_async_lds<128>, 32>
!G = !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>
!S = !fly.memref<f32, shared, 1:1>
func.func @buffer_async_small(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{cdna4.buffer_load_async_lds<128> moves 128 bits, but the destination has 1 x 'f32' = 32 bits}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<128>, 32>
!G = !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>
!S = !fly.memref<f32, shared, 4:2>
func.func @buffer_copy_apart(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{cdna3.buffer_copy_lds<128> needs contiguous elements, got '!fly.memref<f32, shared, 4:2>'}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}

// -----

!Async = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<128>, 32>
!G = !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>
!S = !fly.memref<f32, shared, 1:1>
func.func @buffer_copy_small(%a: !Async, %g: !G, %s: !S) {
  // expected-error @below {{cdna3.buffer_copy_lds<128> moves 128 bits, but the destination has 1 x 'f32' = 32 bits}}
  fly.copy_atom_call(%a, %g, %s) : (!Async, !G, !S) -> ()
  return
}
