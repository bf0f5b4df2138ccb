// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The asynchronous copies to LDS of gfx950. LLVM 22.1 has no form of them that
// leaves the waits to the program; the compiler's own are kept, so that what
// reads LDS afterwards sees what was copied, with or without the program's.
//
// RUN: %fly-opt %s --fly-rewrite-func-signature --fly-canonicalize --fly-layout-lowering --convert-fly-to-rocdl --canonicalize | FileCheck %s
// RUN: %fly-compile %s -q --target=gfx950 --emit=asm -o - | FileCheck %s --check-prefix=ISA

!Buffer = !fly.copy_atom<!fly_rocdl.cdna4.buffer_load_async_lds<96>, 32>
!Global = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>

gpu.module @m {
  // Soffset counts elements, imm_offset bytes.
  // CHECK-LABEL: gpu.func @buffer(
  // CHECK-SAME: %[[B:[^:]*]]: !llvm.struct<(ptr<8>, i32)>, %[[S:[^:]*]]: !llvm.ptr<3>, %[[N:[^:]*]]: i32)
  // CHECK-DAG: %[[SIXTEEN:.*]] = arith.constant 16 : i32
  // CHECK-DAG: %[[TWELVE:.*]] = arith.constant 12 : i32
  // CHECK: %[[BYTES:.*]] = arith.muli %[[N]], %{{.*}} : i32
  // CHECK: rocdl.raw.ptr.buffer.load.lds %{{.*}}, %[[S]], %[[TWELVE]], %{{.*}}, %[[BYTES]], %[[SIXTEEN]], %{{.*}}
  gpu.func @buffer(%b: !fly.memref<f32, #fly_rocdl.buffer_desc, 3:1>, %s: !fly.memref<f32, shared, 3:1>, %n: i32) {
    %c16 = arith.constant 16 : i32
    %a = fly.make_copy_atom {valBits = 32 : i32} : !Buffer
    %a1 = fly.atom.set_value(%a, "soffset", %n) : (!Buffer, i32) -> !Buffer
    %a2 = fly.atom.set_value(%a1, "imm_offset", %c16) : (!Buffer, i32) -> !Buffer
    fly.copy_atom_call(%a2, %b, %s) : (!Buffer, !fly.memref<f32, #fly_rocdl.buffer_desc, 3:1>, !fly.memref<f32, shared, 3:1>) -> ()
    gpu.return
  }

  // CHECK-LABEL: gpu.func @global(
  // CHECK: rocdl.global.load.lds %{{.*}}, %{{.*}}, 16, 0, 0
  // ISA-LABEL: global:
  // ISA: global_load_lds_dwordx4
  // ISA: s_waitcnt vmcnt(0)
  // ISA: ds_read_b128
  gpu.func @global(%g: !fly.memref<f32, global, (64,4):(4,1)>, %o: !fly.memref<f32, global, 4:1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %p = fly.make_ptr() {dictAttrs = {allocBytes = 1024 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<f32, shared, align<16>>
    %l4 = fly.static : !fly.layout<4:1>
    %s = fly.make_view(%p, %l4) : (!fly.ptr<f32, shared, align<16>>, !fly.layout<4:1>) -> !fly.memref<f32, shared, 4:1, align<16>>
    %row = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,*)>
    %r = fly.slice(%g, %row) : (!fly.memref<f32, global, (64,4):(4,1)>, !fly.int_tuple<(?,*)>) -> !fly.memref<f32, global, 4:1>
    %a = fly.make_copy_atom {valBits = 32 : i32} : !Global
    fly.copy_atom_call(%a, %r, %s) : (!Global, !fly.memref<f32, global, 4:1>, !fly.memref<f32, shared, 4:1, align<16>>) -> ()
    %v = fly.memref.load_vec(%s) : (!fly.memref<f32, shared, 4:1, align<16>>) -> vector<4xf32>
    fly.memref.store_vec(%v, %o) : (vector<4xf32>, !fly.memref<f32, global, 4:1>) -> ()
    gpu.return
  }
}
