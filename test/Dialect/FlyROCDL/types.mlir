// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every type reads and prints as it is written; defaults are not printed.

// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func private @buffer_copy(
// CHECK-SAME: !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 16>
// CHECK-SAME: !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<96, cache = 2>, 32>
// CHECK-SAME: !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<8>, 8>
func.func private @buffer_copy(
    !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 16>,
    !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy< 96 , cache=2>, 32>,
    !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<8, cache = 0>, 8>)

// CHECK-LABEL: func.func private @buffer_copy_lds(
// CHECK-SAME: !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<32>, 16>
// CHECK-SAME: !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<128>, 16>
func.func private @buffer_copy_lds(
    !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<32>, 16>,
    !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<128>, 16>)

// W31: any blanks are read, one spelling is printed. W18c: vectors have a width.
// CHECK-LABEL: func.func private @buffer_atomic(
// CHECK-SAME: !fly_rocdl.cdna3.buffer_atomic<add, f32>
// CHECK-SAME: !fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>
// CHECK-SAME: !fly_rocdl.cdna3.buffer_atomic<min, ui32>
func.func private @buffer_atomic(
    !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic< add, f32>, 32>,
    !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>, 16>,
    !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<min, ui32>, 32>)

// CHECK-LABEL: func.func private @lds_read_trans(
// CHECK-SAME: !fly_rocdl.cdna4.lds_read_trans<trans = 4b, 64>
// CHECK-SAME: !fly_rocdl.cdna4.lds_read_trans<trans = 6b, 96>
// CHECK-SAME: !fly_rocdl.cdna4.lds_read_trans<trans = 8b, 64>
// CHECK-SAME: !fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>
func.func private @lds_read_trans(
    !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 4b, 64>, 4>,
    !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 6b, 96>, 6>,
    !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 8b, 64>, 8>,
    !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>, 16>)

// CHECK-LABEL: func.func private @async_lds(
// CHECK-SAME: !fly_rocdl.cdna4.buffer_load_async_lds<32>
// CHECK-SAME: !fly_rocdl.cdna4.buffer_load_async_lds<96>
// CHECK-SAME: !fly_rocdl.cdna4.buffer_load_async_lds<128>
// CHECK-SAME: !fly_rocdl.cdna4.global_load_async_lds<32>
// CHECK-SAME: !fly_rocdl.cdna4.global_load_async_lds<96>
// CHECK-SAME: !fly_rocdl.cdna4.global_load_async_lds<128>
func.func private @async_lds(
    !fly.copy_atom<!fly_rocdl.cdna4.buffer_load_async_lds<32>, 32>,
    !fly.copy_atom<!fly_rocdl.cdna4.buffer_load_async_lds<96>, 32>,
    !fly.copy_atom<!fly_rocdl.cdna4.buffer_load_async_lds<128>, 32>,
    !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<32>, 32>,
    !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<96>, 32>,
    !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>)

// Whole tiles have no bits of one value.
// CHECK-LABEL: func.func private @tdm(
// CHECK-SAME: !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = false>, 0>
// CHECK-SAME: !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 5, warps = 1, pad = 0, 0, cache = 3, barrier = true, timeout = true>, 16>
func.func private @tdm(
    !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = false>, 0>,
    !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank=5,warps=1,pad=0,0,cache=3,barrier=true,timeout=true>, 16>)

// CHECK-LABEL: func.func private @mfma(
// CHECK-SAME: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
// CHECK-SAME: !fly.mma_atom<!fly_rocdl.cdna3.mfma<32x32x16, (f8E4M3FNUZ, f8E5M2FNUZ) -> f32>>
// CHECK-SAME: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x32, (i8, i8) -> i32>>
func.func private @mfma(
    !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16,(f16,f16)->f32>>,
    !fly.mma_atom<!fly_rocdl.cdna3.mfma<32x32x16, (f8E4M3FNUZ, f8E5M2FNUZ) -> f32>>,
    !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x32, (i8, i8) -> i32>>)

// CHECK-LABEL: func.func private @mfma_scale(
// CHECK-SAME: !fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E4M3FN, f4E2M1FN) -> f32, opselA = 0, opselB = 3>
func.func private @mfma_scale(
    !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E4M3FN, f4E2M1FN) -> f32, opselA = 0, opselB = 3>>)

// CHECK-LABEL: func.func private @wmma(
// CHECK-SAME: !fly_rocdl.gfx11.wmma<16x16x16, (ui8, si8) -> i32, signA = false, signB = true, clamp = true>
// CHECK-SAME: !fly_rocdl.gfx120x.wmma<16x16x16, (bf16, bf16) -> f32, signA = false, signB = false, clamp = false>
// CHECK-SAME: !fly_rocdl.gfx1250.wmma<16x16x4, (f32, f32) -> f32, signA = false, signB = false, clamp = false>
func.func private @wmma(
    !fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (ui8, si8) -> i32, signA = false, signB = true, clamp = true>>,
    !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x16, (bf16, bf16) -> f32, signA = false, signB = false, clamp = false>>,
    !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x4, (f32, f32) -> f32, signA = false, signB = false, clamp = false>>)

// CHECK-LABEL: func.func private @wmma_scale(
// CHECK-SAME: !fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = true, blockSize = 16>
func.func private @wmma_scale(
    !fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = true, blockSize = 16>>)

// CHECK-LABEL: func.func @rsrc(
// CHECK: fly_rocdl.get_buffer_rsrc(%{{.*}}) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
func.func @rsrc(%p: !fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8> {
  %r = fly_rocdl.get_buffer_rsrc(%p) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  return %r : !llvm.ptr<8>
}
