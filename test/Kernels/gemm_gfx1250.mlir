// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * transpose(B), f16 in, f32 out, on gfx1250: A is (M, K), B is (N, K),
// C is (M, N), all row-major. M and N are multiples of 64, K of 32 (0 too); the
// row strides of A and B are multiples of 8 elements.
//
// One workgroup of 2x2 waves of 32 lanes computes 64x64 of C; the grid is
// (N/64, M/64). For each 32 of K, the tiles of A and B go from global memory
// to registers (two accesses of 16 bytes a thread), from there to LDS, and
// from LDS to the operand fragments of the waves. While a tile is multiplied
// the next one is on its way to registers. The accumulator is a register
// fragment, carried through the loop.
//
// LDS rows are 32 f16, half of the banks. The swizzle
//
//   S<2,3,3>: element index x  ->  x xor ((x >> 3) & 0b11000)
//
// exchanges the four groups of eight f16 of a row by the row's bits 1 and 2, so
// that eight rows read at the same k hit all banks.
//
// Kernel arguments: three memrefs, each a pointer and its packed dynamic
// layout, the i32 numbers (rows, columns, row stride).

!Operand = !fly.memref<f16, global, (?,?):(?{div=8},1), align<16>>
!OperandTiles = !fly.memref<f16, global, (64,32,?,?):(?{div=8},1,?{div=512},32), align<16>>
!OperandRow = !fly.memref<f16, global, (64,32,?):(?{div=8},1,32), align<16>>
!Result = !fly.memref<f32, global, (?,?):(?,1)>
!ResultTiles = !fly.memref<f32, global, (64,64,?,?):(?,1,?{div=64},64)>
!ResultTile = !fly.memref<f32, global, (64,64):(?,1)>
!SharedLayout = !fly.composed_layout<S<2,3,3> o 0 o (64,32):(32,1)>
!Shared = !fly.memref<f16, shared, S<2,3,3> o 0 o (64,32):(32,1), align<16>>
!SharedPtr = !fly.ptr<f16, shared, align<16>>

!Mma = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>>
!TiledMma = !fly.tiled_mma<!Mma, <(2,2,1):(2,1,0)>>
!Copy128 = !fly.copy_atom<!fly.universal_copy<128>, 16>
!TiledCopy = !fly.tiled_copy<!Copy128, <((4,32),8):((256,1),32)>, <[32|32]>>

!GlobalParts = !fly.memref<f16, global, ((8,1),2,1,?):((1,0),?{div=256},0,32), align<16>>
!GlobalPart = !fly.memref<f16, global, ((8,1),2,1):((1,0),?{div=256},0), align<16>>
!WritePart = !fly.memref<f16, shared, S<2,3,3> o ?{div=8} o ((8,1),2,1):((1,0),1024,0), align<16>>
!Stage = !fly.memref<f16, register, ((8,1),2,1):((1,0),8,0)>
!ReadPart = !fly.memref<f16, shared, S<2,3,3> o ?{div=8} o ((8,2),2,1):((1,16),1024,0), align<16>>
!ResultPart = !fly.memref<f32, global, (8,2,2):(?,?{div=32},32)>
!FragmentAB = !fly.memref<f16, register, ((8,2),2,1):((1,8),16,0)>
!FragmentC = !fly.memref<f32, register, (8,2,2):(1,16,8)>

gpu.module @kernels {
  gpu.func @gemm(%a: !Operand, %b: !Operand, %c: !Result) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %block_x = gpu.block_id x
    %block_y = gpu.block_id y
    %thread_id = gpu.thread_id x
    %column = arith.index_cast %block_x : index to i32
    %row = arith.index_cast %block_y : index to i32
    %thread = arith.index_cast %thread_id : index to i32
    %thread_coord = fly.make_coord(%thread) : (i32) -> !fly.int_tuple<?>

    // Cut the matrices into tiles; keep the row of tiles of A and of B, and the
    // tile of C, that this workgroup needs.
    %ab_tile = fly.static : !fly.tile<[64|32]>
    %c_tile = fly.static : !fly.tile<[64|64]>
    %a_tiles = fly.flat_divide(%a, %ab_tile)
        : (!Operand, !fly.tile<[64|32]>) -> !OperandTiles
    %b_tiles = fly.flat_divide(%b, %ab_tile)
        : (!Operand, !fly.tile<[64|32]>) -> !OperandTiles
    %c_tiles = fly.flat_divide(%c, %c_tile)
        : (!Result, !fly.tile<[64|64]>) -> !ResultTiles
    %a_coord = fly.make_coord(%row) : (i32) -> !fly.int_tuple<(*,*,?,*)>
    %b_coord = fly.make_coord(%column) : (i32) -> !fly.int_tuple<(*,*,?,*)>
    %c_coord = fly.make_coord(%row, %column)
        : (i32, i32) -> !fly.int_tuple<(*,*,?,?)>
    %a_row = fly.slice(%a_tiles, %a_coord)
        : (!OperandTiles, !fly.int_tuple<(*,*,?,*)>) -> !OperandRow
    %b_row = fly.slice(%b_tiles, %b_coord)
        : (!OperandTiles, !fly.int_tuple<(*,*,?,*)>) -> !OperandRow
    %c_block = fly.slice(%c_tiles, %c_coord)
        : (!ResultTiles, !fly.int_tuple<(*,*,?,?)>) -> !ResultTile

    // The copy of a tile by all threads, and the product of tiles by 2x2 waves.
    %copy128 = fly.make_copy_atom {valBits = 16 : i32} : !Copy128
    %thread_value = fly.static : !fly.layout<((4,32),8):((256,1),32)>
    %copy_tile = fly.static : !fly.tile<[32|32]>
    %copy = fly.make_tiled_copy(%copy128, %thread_value, %copy_tile)
        : (!Copy128, !fly.layout<((4,32),8):((256,1),32)>, !fly.tile<[32|32]>)
        -> !TiledCopy
    %mma_atom = fly.make_mma_atom : !Mma
    %waves = fly.static : !fly.layout<(2,2,1):(2,1,0)>
    %mma = fly.make_tiled_mma(%mma_atom, %waves)
        : (!Mma, !fly.layout<(2,2,1):(2,1,0)>) -> !TiledMma

    // LDS: one tile of A, one of B.
    %a_lds = fly.make_ptr() {dictAttrs = {allocBytes = 4096 : i64,
        allocAlign = 16 : i64}} : () -> !SharedPtr
    %b_lds = fly.make_ptr() {dictAttrs = {allocBytes = 4096 : i64,
        allocAlign = 16 : i64}} : () -> !SharedPtr
    %shared_layout = fly.static : !SharedLayout
    %a_shared = fly.make_view(%a_lds, %shared_layout)
        : (!SharedPtr, !SharedLayout) -> !Shared
    %b_shared = fly.make_view(%b_lds, %shared_layout)
        : (!SharedPtr, !SharedLayout) -> !Shared

    // Global to LDS, by way of registers: this thread's share.
    %a_parts = fly.tiled_copy.partition_src(%copy, %a_row, %thread_coord)
        : (!TiledCopy, !OperandRow, !fly.int_tuple<?>) -> !GlobalParts
    %b_parts = fly.tiled_copy.partition_src(%copy, %b_row, %thread_coord)
        : (!TiledCopy, !OperandRow, !fly.int_tuple<?>) -> !GlobalParts
    %a_write = fly.tiled_copy.partition_dst(%copy, %a_shared, %thread_coord)
        : (!TiledCopy, !Shared, !fly.int_tuple<?>) -> !WritePart
    %b_write = fly.tiled_copy.partition_dst(%copy, %b_shared, %thread_coord)
        : (!TiledCopy, !Shared, !fly.int_tuple<?>) -> !WritePart
    %a_stage = fly.make_fragment_like(%a_write) : (!WritePart) -> !Stage
    %b_stage = fly.make_fragment_like(%b_write) : (!WritePart) -> !Stage

    // LDS to the operands of the MMA, and the results: this thread's share.
    %a_read = fly.tiled_mma.partition(a, %mma, %a_shared, %thread_coord)
        : (!TiledMma, !Shared, !fly.int_tuple<?>) -> !ReadPart
    %b_read = fly.tiled_mma.partition(b, %mma, %b_shared, %thread_coord)
        : (!TiledMma, !Shared, !fly.int_tuple<?>) -> !ReadPart
    %c_part = fly.tiled_mma.partition(c, %mma, %c_block, %thread_coord)
        : (!TiledMma, !ResultTile, !fly.int_tuple<?>) -> !ResultPart
    %a_frag = fly.mma.make_fragment(a, %mma, %a_shared)
        : (!TiledMma, !Shared) -> !FragmentAB
    %b_frag = fly.mma.make_fragment(b, %mma, %b_shared)
        : (!TiledMma, !Shared) -> !FragmentAB
    %c_frag = fly.mma.make_fragment(c, %mma, %c_block)
        : (!TiledMma, !ResultTile) -> !FragmentC

    // The number of tiles along K.
    %k_mode = fly.get(%a_row) {mode = array<i32: 2>}
        : (!OperandRow) -> !fly.memref<f16, global, ?:32, align<16>>
    %k_size = fly.size(%k_mode)
        : (!fly.memref<f16, global, ?:32, align<16>>) -> !fly.int_tuple<?>
    %k_tiles = fly.get_scalar(%k_size) : (!fly.int_tuple<?>) -> i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32

    // Fetch the first tile.
    %any = arith.cmpi sgt, %k_tiles, %c0 : i32
    scf.if %any {
      %first = fly.make_coord() : () -> !fly.int_tuple<(*,*,*,0)>
      %a_first = fly.slice(%a_parts, %first)
          : (!GlobalParts, !fly.int_tuple<(*,*,*,0)>) -> !GlobalPart
      %b_first = fly.slice(%b_parts, %first)
          : (!GlobalParts, !fly.int_tuple<(*,*,*,0)>) -> !GlobalPart
      fly.copy(%copy, %a_first, %a_stage)
          : (!TiledCopy, !GlobalPart, !Stage) -> ()
      fly.copy(%copy, %b_first, %b_stage)
          : (!TiledCopy, !GlobalPart, !Stage) -> ()
    }

    %zero = arith.constant dense<0.0> : vector<32xf32>
    fly.memref.store_vec(%zero, %c_frag) : (vector<32xf32>, !FragmentC) -> ()
    scf.for %k = %c0 to %k_tiles step %c1 : i32 {
      fly.copy(%copy, %a_stage, %a_write)
          : (!TiledCopy, !Stage, !WritePart) -> ()
      fly.copy(%copy, %b_stage, %b_write)
          : (!TiledCopy, !Stage, !WritePart) -> ()
      gpu.barrier

      // Fetch the next tile while this one is multiplied.
      %k_next = arith.addi %k, %c1 : i32
      %more = arith.cmpi slt, %k_next, %k_tiles : i32
      scf.if %more {
        %next = fly.make_coord(%k_next) : (i32) -> !fly.int_tuple<(*,*,*,?)>
        %a_next = fly.slice(%a_parts, %next)
            : (!GlobalParts, !fly.int_tuple<(*,*,*,?)>) -> !GlobalPart
        %b_next = fly.slice(%b_parts, %next)
            : (!GlobalParts, !fly.int_tuple<(*,*,*,?)>) -> !GlobalPart
        fly.copy(%copy, %a_next, %a_stage)
            : (!TiledCopy, !GlobalPart, !Stage) -> ()
        fly.copy(%copy, %b_next, %b_stage)
            : (!TiledCopy, !GlobalPart, !Stage) -> ()
      }

      fly.copy(%copy128, %a_read, %a_frag)
          : (!Copy128, !ReadPart, !FragmentAB) -> ()
      fly.copy(%copy128, %b_read, %b_frag)
          : (!Copy128, !ReadPart, !FragmentAB) -> ()
      fly.gemm(%mma, %c_frag, %a_frag, %b_frag, %c_frag)
          : (!TiledMma, !FragmentC, !FragmentAB, !FragmentAB, !FragmentC) -> ()
      gpu.barrier
    }

    %result = fly.memref.load_vec(%c_frag) : (!FragmentC) -> vector<32xf32>
    fly.memref.store_vec(%result, %c_part) : (vector<32xf32>, !ResultPart) -> ()
    gpu.return
  }
}
