// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B for one 16x16 tile and k = 32, f16 in, f32 out, all row-major, on
// gfx1250: one wave, one gfx1250.wmma instruction.
//
// Lane l of the wave of 32 holds A[l % 16, k] and B[k, l % 16] for the eight k
// from 8 * (l / 16) and the eight from 16 + 8 * (l / 16), and the results C[8 *
// (l / 16) + v, l % 16]. The atom's layouts say so; the kernel only asks for
// partitions. The operand B of an MMA has the modes (N, K), so the row-major B
// is described as (16,32):(1,16).
//
// Kernel arguments: three pointers (the layouts are static).

!A = !fly.memref<f16, global, (16,32):(32,1), align<16>>
!B = !fly.memref<f16, global, (16,32):(1,16), align<16>>
!C = !fly.memref<f32, global, (16,16):(16,1), align<16>>
!Mma = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>>
!TiledMma = !fly.tiled_mma<!Mma, <(1,1,1):(0,0,0)>>
!CopyA = !fly.copy_atom<!fly.universal_copy<128>, 16>

!PartA = !fly.memref<f16, global, ((8,2),1,1):((1,16),0,0), align<16>>
!PartB = !fly.memref<f16, global, ((8,2),1,1):((16,256),0,0)>
!PartC = !fly.memref<f32, global, (8,1,1):(16,0,0)>
!FragmentAB = !fly.memref<f16, register, ((8,2),1,1):((1,8),0,0)>
!FragmentC = !fly.memref<f32, register, (8,1,1):(1,0,0)>

gpu.module @kernels {
  gpu.func @mma_tile(%a: !A, %b: !B, %c: !C) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread_id = gpu.thread_id x
    %thread = arith.index_cast %thread_id : index to i32
    %lane = fly.make_coord(%thread) : (i32) -> !fly.int_tuple<?>
    %atom = fly.make_mma_atom : !Mma
    %one_wave = fly.static : !fly.layout<(1,1,1):(0,0,0)>
    %mma = fly.make_tiled_mma(%atom, %one_wave)
        : (!Mma, !fly.layout<(1,1,1):(0,0,0)>) -> !TiledMma

    // What this lane holds of each matrix, in memory and in registers.
    %a_part = fly.tiled_mma.partition(a, %mma, %a, %lane)
        : (!TiledMma, !A, !fly.int_tuple<?>) -> !PartA
    %b_part = fly.tiled_mma.partition(b, %mma, %b, %lane)
        : (!TiledMma, !B, !fly.int_tuple<?>) -> !PartB
    %c_part = fly.tiled_mma.partition(c, %mma, %c, %lane)
        : (!TiledMma, !C, !fly.int_tuple<?>) -> !PartC
    %a_frag = fly.mma.make_fragment(a, %mma, %a)
        : (!TiledMma, !A) -> !FragmentAB
    %b_frag = fly.mma.make_fragment(b, %mma, %b)
        : (!TiledMma, !B) -> !FragmentAB
    %c_frag = fly.mma.make_fragment(c, %mma, %c) : (!TiledMma, !C) -> !FragmentC

    // The k of a lane are contiguous in A: one access of 16 bytes.
    %copy_a = fly.make_copy_atom {valBits = 16 : i32} : !CopyA
    fly.copy(%copy_a, %a_part, %a_frag) : (!CopyA, !PartA, !FragmentAB) -> ()

    // In B they are a row apart: one access a value.
    %b_values = fly.memref.load_vec(%b_part) : (!PartB) -> vector<16xf16>
    fly.memref.store_vec(%b_values, %b_frag)
        : (vector<16xf16>, !FragmentAB) -> ()

    %zero = arith.constant dense<0.0> : vector<8xf32>
    fly.memref.store_vec(%zero, %c_frag) : (vector<8xf32>, !FragmentC) -> ()
    fly.gemm(%mma, %c_frag, %a_frag, %b_frag, %c_frag)
        : (!TiledMma, !FragmentC, !FragmentAB, !FragmentAB, !FragmentC) -> ()
    %c_values = fly.memref.load_vec(%c_frag) : (!FragmentC) -> vector<8xf32>
    fly.memref.store_vec(%c_values, %c_part) : (vector<8xf32>, !PartC) -> ()
    gpu.return
  }
}
