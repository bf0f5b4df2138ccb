// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles between global memory and LDS by the tensor data mover: the words of
// the descriptor, and the instructions of gfx1250. tdm-parts.test has the law.
//
// RUN: grep -v 'fly.copy(' %s | %fly-opt --convert-fly-to-rocdl --canonicalize | FileCheck %s
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-lower{chip=gfx1250})' | FileCheck %s --check-prefix=WHOLE
// RUN: %fly-compile %s -q --target=gfx1250 --emit=asm -o - 2>/dev/null | FileCheck %s --check-prefix=ISA

// Functions of a module stand by their names.
// ISA-LABEL: deep:
// ISA: tensor_load_to_lds s[{{[0-9:]+}}], s[{{[0-9:]+}}], s[{{[0-9:]+}}], s[{{[0-9:]+}}]{{$}}
// ISA-LABEL: padded:
// ISA: tensor_load_to_lds s[{{[0-9:]+}}], s[{{[0-9:]+}}]{{$}}
// ISA-LABEL: store:
// ISA: tensor_store_from_lds s[{{[0-9:]+}}], s[{{[0-9:]+}}] th:TH_STORE_HT
// ISA-LABEL: uneven:
// ISA: s_cbranch
// ISA: tensor_load_to_lds s[{{[0-9:]+}}], s[{{[0-9:]+}}]{{$}}

!Pad = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = false>, 0>
!Split = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 8, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!Store = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 1, warps = 1, pad = 0, 0, cache = 2, barrier = true, timeout = true>, 0>
!Deep = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 5, warps = 2, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!Dynamic = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>

!G = !fly.memref<f16, global, (128,64):(64,1), align<16>>
!S = !fly.memref<f16, shared, (128,64):(72,1), align<16>>

gpu.module @m {
  // The worked example of the specification: word 0 of group 1 is 118554624 (E
  // = 2 bytes, 64 elements are 32 words and code 4, 8 are 4 words and code 3),
  // four waves take 32 rows each, 4608 bytes apart in LDS.
  // W29: two groups for two dimensions.
  // CHECK-LABEL: gpu.func @padded(
  // CHECK-DAG: %[[C31:.*]] = arith.constant -2147483648 : i32
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK-DAG: %[[PAD:.*]] = arith.constant 118554624 : i32
  // CHECK-DAG: %[[ROWS:.*]] = arith.constant 32 : i32
  // CHECK-DAG: %[[STRIDE:.*]] = arith.constant 64 : i32
  // CHECK: %[[W:.*]] = llvm.call_intrinsic "llvm.amdgcn.wave.id"() : () -> i32
  // CHECK: %[[G0:.*]] = vector.from_elements %[[ONE]], %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi32>
  // CHECK: %[[G1:.*]] = vector.from_elements %[[PAD]], %{{.*}}, %{{.*}}, %{{.*}}, %[[ROWS]], %[[STRIDE]], %{{.*}}, %{{.*}} : vector<8xi32>
  // CHECK: rocdl.tensor.load.to.lds.d2 %[[G0]], %[[G1]] cachepolicy 0
  // CHECK-NOT: scf.if
  gpu.func @padded(%g: !G) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = fly.make_ptr() {dictAttrs = {allocBytes = 18432 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<f16, shared, align<16>>
    %l = fly.static : !fly.layout<(128,64):(72,1)>
    %v = fly.make_view(%s, %l) : (!fly.ptr<f16, shared, align<16>>, !fly.layout<(128,64):(72,1)>) -> !S
    %a = fly.make_copy_atom {valBits = 0 : i32} : !Pad
    fly.copy_atom_call(%a, %g, %v) : (!Pad, !G, !S) -> ()
    gpu.return
  }

  // W27: 8 waves of 6 rows: a row each, and two waves have none, where the
  // original gave 2 x 32 elements to each, in rows that the tile does not have.
  // CHECK-LABEL: gpu.func @uneven(
  // CHECK: %[[W:.*]] = llvm.call_intrinsic "llvm.amdgcn.wave.id"() : () -> i32
  // CHECK: %[[R:.*]] = arith.andi %[[W]], %{{.*}} : i32
  // CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[R]] : i32
  // CHECK: %[[SOME:.*]] = arith.cmpi ne
  // CHECK: scf.if %[[SOME]] {
  // CHECK: rocdl.tensor.load.to.lds.d2
  gpu.func @uneven(%g: !fly.memref<f32, global, (6,64):(64,1)>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %s = fly.make_ptr() {dictAttrs = {allocBytes = 1536 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<f32, shared, align<16>>
    %l = fly.static : !fly.layout<(6,64):(64,1)>
    %v = fly.make_view(%s, %l) : (!fly.ptr<f32, shared, align<16>>, !fly.layout<(6,64):(64,1)>) -> !fly.memref<f32, shared, (6,64):(64,1), align<16>>
    %a = fly.make_copy_atom {valBits = 0 : i32} : !Split
    fly.copy_atom_call(%a, %g, %v) : (!Split, !fly.memref<f32, global, (6,64):(64,1)>, !fly.memref<f32, shared, (6,64):(64,1), align<16>>) -> ()
    gpu.return
  }

  // A store of one dimension: flags for barrier and timeout, no wave number.
  // fly.copy makes one call of a whole tile.
  // CHECK-LABEL: gpu.func @store(
  // CHECK-NOT: wave.id
  // CHECK: %[[G1:.*]] = arith.constant dense<[2555904, -65536, 32767, 4194304, 0, 0, 0, 0]> : vector<8xi32>
  // CHECK: rocdl.tensor.store.from.lds.d2 %{{.*}}, %[[G1]] cachepolicy 2
  gpu.func @store(%g: !fly.memref<i64, global, 64:1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = fly.make_ptr() {dictAttrs = {allocBytes = 512 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<i64, shared, align<16>>
    %l = fly.static : !fly.layout<64:1>
    %v = fly.make_view(%s, %l) : (!fly.ptr<i64, shared, align<16>>, !fly.layout<64:1>) -> !fly.memref<i64, shared, 64:1, align<16>>
    %a = fly.make_copy_atom {valBits = 0 : i32} : !Store
    fly.copy_atom_call(%a, %v, %g) : (!Store, !fly.memref<i64, shared, 64:1, align<16>>, !fly.memref<i64, global, 64:1>) -> ()
    gpu.return
  }

  // fly.copy of a whole tile is one call.
  // WHOLE-LABEL: llvm.func @copy(
  // WHOLE: rocdl.tensor.load.to.lds.d2
  // WHOLE-NOT: rocdl.tensor.load
  // WHOLE: rocdl.s.wait.tensorcnt 0
  gpu.func @copy(%g: !G) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = fly.make_ptr() {dictAttrs = {allocBytes = 18432 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<f16, shared, align<16>>
    %l = fly.static : !fly.layout<(128,64):(72,1)>
    %v = fly.make_view(%s, %l) : (!fly.ptr<f16, shared, align<16>>, !fly.layout<(128,64):(72,1)>) -> !S
    %a = fly.make_copy_atom {valBits = 0 : i32} : !Pad
    fly.copy(%a, %g, %v) : (!Pad, !G, !S) -> ()
    rocdl.s.wait.tensorcnt 0
    gpu.return
  }

  // Five dimensions take four groups.
  // CHECK-LABEL: gpu.func @deep(
  // CHECK: rocdl.tensor.load.to.lds %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} cachepolicy 0
  gpu.func @deep(%g: !fly.memref<i8, global, (2,3,4,5,16):(960,320,80,16,1)>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %s = fly.make_ptr() {dictAttrs = {allocBytes = 1920 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<i8, shared, align<16>>
    %l = fly.static : !fly.layout<1920:1>
    %v = fly.make_view(%s, %l) : (!fly.ptr<i8, shared, align<16>>, !fly.layout<1920:1>) -> !fly.memref<i8, shared, 1920:1, align<16>>
    %a = fly.make_copy_atom {valBits = 0 : i32} : !Deep
    fly.copy_atom_call(%a, %g, %v) : (!Deep, !fly.memref<i8, global, (2,3,4,5,16):(960,320,80,16,1)>, !fly.memref<i8, shared, 1920:1, align<16>>) -> ()
    gpu.return
  }

  // The state: a dynamic stride, extents, an offset, a mask.
  // CHECK-LABEL: gpu.func @state(
  // CHECK-SAME: %[[STRIDE:[^:]*]]: i64, %[[N:[^:]*]]: i32, %[[MASK:[^:]*]]: i32, %[[OFF:[^:]*]]: i64)
  // CHECK: arith.addi %{{.*}}, %[[OFF]] : i64
  // CHECK-DAG: arith.andi %[[MASK]], %{{.*}} : i32
  // CHECK-DAG: arith.maxsi %[[N]], %{{.*}} : i32
  // CHECK-DAG: arith.trunci %[[STRIDE]] : i64 to i32
  // CHECK: rocdl.tensor.load.to.lds.d2
  gpu.func @state(%g: !fly.ptr<f32, global>, %stride: i64, %n: i32, %mask: i32, %off: i64) {
    %s = fly.make_ptr() {dictAttrs = {allocBytes = 4096 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<f32, shared, align<16>>
    %l = fly.static : !fly.layout<1024:1>
    %v = fly.make_view(%s, %l) : (!fly.ptr<f32, shared, align<16>>, !fly.layout<1024:1>) -> !fly.memref<f32, shared, 1024:1, align<16>>
    %sh = fly.make_shape() : () -> !fly.int_tuple<(16,64)>
    %st = fly.make_stride(%stride) : (i64) -> !fly.int_tuple<(?{i64},1)>
    %gl = fly.make_layout(%sh, %st) : (!fly.int_tuple<(16,64)>, !fly.int_tuple<(?{i64},1)>) -> !fly.layout<(16,64):(?{i64},1)>
    %gv = fly.make_view(%g, %gl) : (!fly.ptr<f32, global>, !fly.layout<(16,64):(?{i64},1)>) -> !fly.memref<f32, global, (16,64):(?{i64},1)>
    %a0 = fly.make_copy_atom {valBits = 0 : i32} : !Dynamic
    %a1 = fly.atom.set_value(%a0, "stride_0", %stride) : (!Dynamic, i64) -> !Dynamic
    %a2 = fly.atom.set_value(%a1, "extent_0", %n) : (!Dynamic, i32) -> !Dynamic
    %a3 = fly.atom.set_value(%a2, "workgroup_mask", %mask) : (!Dynamic, i32) -> !Dynamic
    %a4 = fly.atom.set_value(%a3, "imm_offset", %off) : (!Dynamic, i64) -> !Dynamic
    fly.copy_atom_call(%a4, %gv, %v) : (!Dynamic, !fly.memref<f32, global, (16,64):(?{i64},1)>, !fly.memref<f32, shared, 1024:1, align<16>>) -> ()
    gpu.return
  }

  // A predicate guards it.
  // CHECK-LABEL: gpu.func @guarded(
  // CHECK: scf.if
  // CHECK: rocdl.tensor.load.to.lds.d2
  // CHECK-NOT: rocdl.tensor
  gpu.func @guarded(%g: !G, %s: !S, %p: !fly.memref<i1, register, 1:1>) {
    %a = fly.make_copy_atom {valBits = 0 : i32} : !Pad
    fly.copy_atom_call(%a, %g, %s, %p) : (!Pad, !G, !S, !fly.memref<i1, register, 1:1>) -> ()
    gpu.return
  }
}
