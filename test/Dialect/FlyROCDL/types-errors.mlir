// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types for which no instruction exists are refused when they are read, and
// the message names what comes nearest.

// RUN: %fly-opt %s -split-input-file -verify-diagnostics

// W2: K is checked.
// expected-error@+1 {{cdna3.mfma has no instruction for 16x16x7 (f16, f16) -> f32; nearest is 16x16x16}}
func.func private @k(!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x7, (f16, f16) -> f32>>)

// -----

// W3: A and B are checked against each other.
// expected-error@+1 {{cdna3.mfma has no instruction for 16x16x16 (f16, f32) -> f32; with this tile it has (f16, f16) -> f32}}
func.func private @types(!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f32) -> f32>>)

// -----

// W1: several blocks are no tile.
// expected-error@+1 {{32x32x4 (f16, f16) -> f32 computes 2 independent blocks, which an atom of one tile cannot express; nearest is 32x32x8}}
func.func private @blocks(!fly.mma_atom<!fly_rocdl.cdna3.mfma<32x32x4, (f16, f16) -> f32>>)

// -----

// W6: M and N.
// expected-error@+1 {{cdna3.mfma has no instruction for 4x64x4 (f16, f16) -> f32; nearest is 32x32x8}}
func.func private @square(!fly.mma_atom<!fly_rocdl.cdna3.mfma<4x64x4, (f16, f16) -> f32>>)

// -----

// W5: FNUZ and OCP do not mix.
// expected-error@+1 {{cdna3.mfma has no instruction for 16x16x32 (f8E4M3FNUZ, f8E4M3FN) -> f32}}
func.func private @formats(!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x32, (f8E4M3FNUZ, f8E4M3FN) -> f32>>)

// -----

// expected-error@+1 {{cdna3.mfma has no instruction for ('index', 'f16') -> 'f32'}}
func.func private @unknown(!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (index, f16) -> f32>>)

// -----

// expected-error@+1 {{cdna3.mfma has no instruction for ('ui8', 'ui8') -> 'i32'}}
func.func private @sign(!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x32, (ui8, ui8) -> i32>>)

// -----

// expected-error@+1 {{expected a shape MxNxK, got 2 dimensions}}
func.func private @dims(!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16, (f16, f16) -> f32>>)

// -----

// expected-error@+1 {{expected dimensions from 1 to 4096, got 99999999999}}
func.func private @large(!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x99999999999, (f16, f16) -> f32>>)

// -----

// expected-error@+1 {{gfx11.wmma has no instruction for 16x16x16 (f16, f16) -> f16; with this tile it has (f16, f16) -> f32, (bf16, bf16) -> f32, (i8, i8) -> i32, (i4, i4) -> i32}}
func.func private @acc(!fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (f16, f16) -> f16, signA = false, signB = false, clamp = false>>)

// -----

// expected-error@+1 {{signA, signB and clamp belong to integer elements, got 'f16'}}
func.func private @flags(!fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (f16, f16) -> f32, signA = true, signB = false, clamp = false>>)

// -----

// expected-error@+1 {{expected 'true' or 'false'}}
func.func private @flag(!fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (f16, f16) -> f32, signA = 1, signB = false, clamp = false>>)

// -----

// expected-error@+1 {{gfx120x.wmma has no instruction for 16x16x32 (f16, f16) -> f32; nearest is 16x16x16}}
func.func private @gfx120x(!fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>>)

// -----

// W10: no such instruction on gfx1250.
// expected-error@+1 {{gfx1250.wmma has no instruction for 16x16x32 (i4, i4) -> i32}}
func.func private @iu4(!fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x32, (i4, i4) -> i32, signA = false, signB = false, clamp = false>>)

// -----

// expected-error@+1 {{opsel chooses one of four bytes, got 4}}
func.func private @opsel(!fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E4M3FN, f4E2M1FN) -> f32, opselA = 4, opselB = 0>>)

// -----

// expected-error@+1 {{gfx1250.wmma_scale has no instruction for 32x16x128 (f8E4M3FN, f4E2M1FN) -> f32; nearest is 16x16x128}}
func.func private @rows(!fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f8E4M3FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = true, blockSize = 16>>)

// -----

// expected-error@+1 {{expected blocks of 16 or 32 values, got 8}}
func.func private @block(!fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = true, blockSize = 8>>)

// -----

// W13: widths.
// expected-error@+1 {{cdna3.buffer_copy moves 8, 16, 32, 64, 96 or 128 bits, got 7}}
func.func private @copy(!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<7>, 7>)

// -----

// expected-error@+1 {{cdna3.buffer_copy moves 8, 16, 32, 64, 96 or 128 bits, got 256}}
func.func private @wide(!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<256>, 8>)

// -----

// expected-error@+1 {{expected a cache policy of 0 or more, got -1}}
func.func private @cache(!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32, cache = -1>, 8>)

// -----

// expected-error@+1 {{cdna3.buffer_copy_lds moves 32 or 128 bits, got 64}}
func.func private @lds(!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<64>, 8>)

// -----

// expected-error@+1 {{cdna4.lds_read_trans moves 4b of 64, 8b of 64, 6b of 96 or 16b of 64 bits, got 16b of 96}}
func.func private @trans(!fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 96>, 16>)

// -----

// W18: operations without an instruction.
// expected-error@+1 {{cdna3.buffer_atomic has no instruction for and of 'f32'}}
func.func private @atomic(!fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<and, f32>, 32>)

// -----

// expected-error@+1 {{expected add, max, min, and, or, inc or dec, got 'xor'}}
func.func private @operation(!fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<xor, i32>, 32>)

// -----

func.func @space(%p: !fly.ptr<f32, global>) {
  // expected-error@+1 {{expected a !fly.ptr in #fly_rocdl.buffer_desc, got '!fly.ptr<f32, global>'}}
  %r = fly_rocdl.get_buffer_rsrc(%p) : (!fly.ptr<f32, global>) -> !llvm.ptr<8>
  return
}

// -----

// expected-error @+1 {{expected elements of at least one bit, got 0}}
func.func private @no_bits(!fly_rocdl.cdna4.lds_read_trans<trans = 0b, 64>)

// -----

// expected-error@+1 {{opsel chooses one of two halves, got 2}}
func.func private @half(!fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 2, opselB = 1, modC = 0, reuseA = false, reuseB = true, blockSize = 16>>)

// -----

// expected-error@+1 {{expected modC from 0 to 65535, got 65536}}
func.func private @modifier(!fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 65536, reuseA = false, reuseB = true, blockSize = 16>>)

// -----

// expected-error@+1 {{cdna4.buffer_load_async_lds moves 32, 96 or 128 bits, got 64}}
func.func private @async_buffer(!fly.copy_atom<!fly_rocdl.cdna4.buffer_load_async_lds<64>, 32>)

// -----

// expected-error@+1 {{cdna4.global_load_async_lds moves 32, 96 or 128 bits, got -32}}
func.func private @async_global(!fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<-32>, 32>)

// -----

// expected-error@+1 {{expected a rank of 1 to 5, got 6}}
func.func private @tdm_rank(!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 6, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = false>, 0>)

// -----

// expected-error@+1 {{expected a power of two of waves, got 3}}
func.func private @tdm_warps(!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 3, pad = 64, 8, cache = 0, barrier = false, timeout = false>, 0>)

// -----

// expected-error@+1 {{expected a power of two of waves, got 0}}
func.func private @tdm_no_warps(!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 0, pad = 64, 8, cache = 0, barrier = false, timeout = false>, 0>)

// -----

// expected-error@+1 {{expected padding of 0, 0 or of one or more elements after a power of two of them, got 48, 8}}
func.func private @tdm_pad(!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 48, 8, cache = 0, barrier = false, timeout = false>, 0>)

// -----

// expected-error@+1 {{expected padding of 0, 0 or of one or more elements after a power of two of them, got 64, 0}}
func.func private @tdm_half_pad(!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 0, cache = 0, barrier = false, timeout = false>, 0>)

// -----

// expected-error@+1 {{expected a cache policy of 0 to 31, got -1}}
func.func private @tdm_cache(!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = -1, barrier = false, timeout = false>, 0>)

// -----

// expected-error@+1 {{expected a cache policy of 0 to 31, got 32}}
func.func private @tdm_large_cache(!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 32, barrier = false, timeout = false>, 0>)

// -----

// expected-error@+1 {{expected a cache policy of 0 to 31, got 2147483647}}
func.func private @tdm_huge_cache(!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 2147483647, barrier = false, timeout = false>, 0>)

// -----

// expected-error@+1 {{expected 'true' or 'false'}}
func.func private @tdm_flag(!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = maybe, timeout = false>, 0>)
