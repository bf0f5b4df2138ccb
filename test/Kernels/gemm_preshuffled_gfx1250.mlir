// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * transpose(B), bf16 in, f32 out, on gfx1250, where B's memory has
// been shuffled for the matrix cores (weights, once and for all). A is (M, K),
// C is (M, N), row-major, for any M; N is a multiple of 64, K of 32.
//
// B is (N, K) still, but its layout is a nested one: element (n, k) lies at
//
//   k0 + 8 * k2 + 16 * n0 + 256 * k1 + 512 * k3 + 16 * K * n1
//
// for n = n0 + 16 * n1 and k = k0 + 8 * k1 + 16 * k2 + 32 * k3, k0 and n0
// counting fastest. Lane n0 + 16 * k1 of a wave finds its 16 values of a 16x32
// block in 32 bytes, and the wave the block in 1024. Nothing else in the kernel
// knows of the shuffle: B is cut into tiles and partitioned like any other
// matrix.
//
// One workgroup of 2x4 waves of 32 lanes computes 64x64 of C; the grid is
// (N/64, ceil(M/64)). A goes through LDS (two buffers, swizzled, see
// gemm_bf16_gfx1250.mlir), because two or four waves share it; B goes from
// global memory to the registers of the MMA, one tile ahead of its use.
//
// Kernel arguments: three memrefs, each a pointer and its packed dynamic
// layout: of A and C (rows, columns, row stride), of B (N/16, K/32, 16 * K).

!OperandA = !fly.memref<bf16, global, (?,?{div=32}):(?{div=8},1), align<16>>
!OperandB = !fly.memref<bf16, global, ((16,?),(8,2,2,?)):((16,?{div=512}),(1,256,8,512)), align<16>>
!Result = !fly.memref<f32, global, (?,?):(?,1)>
!SharedLayout = !fly.composed_layout<S<2,3,3> o 0 o (64,32,2):(32,1,2048)>
!SharedPtr = !fly.ptr<bf16, shared, align<16>>

!Mma = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x32, (bf16, bf16) -> f32, signA = false, signB = false, clamp = false>>
!Waves = !fly.layout<(2,4,1):(4,1,0)>
!TiledMma = !fly.tiled_mma<!Mma, <(2,4,1):(4,1,0)>>
!Copy128 = !fly.copy_atom<!fly.universal_copy<128>, 16>
!Copy32 = !fly.copy_atom<!fly.universal_copy<32>, 32>
!ThreadValue = !fly.layout<((4,64),8):((512,1),64)>
!TiledCopy = !fly.tiled_copy<!Copy128, <((4,64),8):((512,1),64)>, <[64|32]>>
!Predicate = !fly.memref<i1, register, ((1,1),1,1):((0,0),0,0)>
!MCoords = !fly.coord_tensor<0, (?,?{div=32}):(1,0)>
!ICoords = !fly.coord_tensor<0, (?,?):(1,0)>
!TilesA = !fly.memref<bf16, global, (64,32,?,?):(?{div=8},1,?{div=512},32), align<16>>
!TilesB = !fly.memref<bf16, global, ((16,4),(8,2,2),?,?):((16,?{div=512}),(1,256,8),?{div=2048},512), align<16>>
!TilesC = !fly.memref<f32, global, (64,64,?,?):(?,1,?{div=64},64)>
!MTiles = !fly.coord_tensor<0, (64,32,?,?):(1,0,64,0)>
!ITiles = !fly.coord_tensor<0, (64,64,?,?):(1,0,64,0)>
!RowA = !fly.memref<bf16, global, (64,32,?):(?{div=8},1,32), align<16>>
!RowB = !fly.memref<bf16, global, ((16,4),(8,2,2),?):((16,?{div=512}),(1,256,8),512), align<16>>
!MRow = !fly.coord_tensor<?{div=64}, (64,32,?):(1,0,0)>
!TileC = !fly.memref<f32, global, (64,64):(?,1)>
!ITile = !fly.coord_tensor<?{div=64}, (64,64):(1,0)>
!Shared = !fly.memref<bf16, shared, S<2,3,3> o 0 o (64,32,2):(32,1,2048), align<16>>
!PartsA = !fly.memref<bf16, global, ((8,1),1,1,?):((1,0),0,0,32), align<16>>
!MParts = !fly.coord_tensor<?, ((8,1),1,1,?):((0,0),0,0,0)>
!WriteParts = !fly.memref<bf16, shared, S<2,3,3> o ?{div=8} o ((8,1),1,1,2):((1,0),0,0,2048), align<16>>
!PartA = !fly.memref<bf16, global, ((8,1),1,1):((1,0),0,0), align<16>>
!WritePart = !fly.memref<bf16, shared, S<2,3,3> o ?{div=8} o ((8,1),1,1):((1,0),0,0), align<16>>
!Stage = !fly.memref<bf16, register, ((8,1),1,1):((1,0),0,0)>
!TileB = !fly.memref<bf16, global, ((16,4),(8,2,2)):((16,?{div=512}),(1,256,8)), align<16>>
!PartB = !fly.memref<bf16, global, ((8,2),1,1):((1,8),0,0), align<16>>
!FragmentB = !fly.memref<bf16, register, ((8,2),1,1):((1,8),0,0)>
!SharedTile = !fly.memref<bf16, shared, S<2,3,3> o 0 o (64,32):(32,1), align<16>>
!FragmentA = !fly.memref<bf16, register, ((8,2),2,1):((1,8),16,0)>
!FragmentC = !fly.memref<f32, register, (8,2,1):(1,8,0)>
!SharedBuffer = !fly.memref<bf16, shared, S<2,3,3> o ?{div=2048} o (64,32):(32,1), align<16>>
!ReadA = !fly.memref<bf16, shared, S<2,3,3> o ?{div=8} o ((8,2),2,1):((1,16),1024,0), align<16>>
!WriteBuffer = !fly.memref<bf16, shared, S<2,3,3> o ?{div=8} o ((8,1),1,1):((1,0),0,0), align<16>>
!PartC = !fly.memref<f32, global, (8,2,1):(?,?{div=32},0)>
!IPart = !fly.coord_tensor<?{div=8}, (8,2,1):(1,32,0)>
!PredicateC = !fly.memref<i1, register, (8,2,1):(1,8,0)>
!FragmentC1 = !fly.memref<f32, register, ((1,8),2,1):((0,1),8,0)>
!PartC1 = !fly.memref<f32, global, ((1,8),2,1):((0,?),?{div=32},0)>
!PredicateC1 = !fly.memref<i1, register, ((1,8),2,1):((0,1),8,0)>

gpu.module @kernels {
  gpu.func @gemm_preshuffled(%a: !OperandA, %b: !OperandB, %c: !Result) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block_x = gpu.block_id x
    %block_y = gpu.block_id y
    %thread_id = gpu.thread_id x
    %column = arith.index_cast %block_x : index to i32
    %row = arith.index_cast %block_y : index to i32
    %thread = arith.index_cast %thread_id : index to i32
    %thread_coord = fly.make_coord(%thread) : (i32) -> !fly.int_tuple<?>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero_index = fly.make_int_tuple() : () -> !fly.int_tuple<0>

    // Row numbers of A and of C.
    %by_row = fly.make_int_tuple() : () -> !fly.int_tuple<(1,0)>
    %a_shape = fly.get_shape(%a) : (!OperandA) -> !fly.int_tuple<(?,?{div=32})>
    %c_shape = fly.get_shape(%c) : (!Result) -> !fly.int_tuple<(?,?)>
    %m_layout = fly.make_layout(%a_shape, %by_row)
        : (!fly.int_tuple<(?,?{div=32})>, !fly.int_tuple<(1,0)>)
        -> !fly.layout<(?,?{div=32}):(1,0)>
    %i_layout = fly.make_layout(%c_shape, %by_row)
        : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(1,0)>)
        -> !fly.layout<(?,?):(1,0)>
    %m_coords = fly.make_view(%zero_index, %m_layout)
        : (!fly.int_tuple<0>, !fly.layout<(?,?{div=32}):(1,0)>) -> !MCoords
    %i_coords = fly.make_view(%zero_index, %i_layout)
        : (!fly.int_tuple<0>, !fly.layout<(?,?):(1,0)>) -> !ICoords
    %m, %k_size = fly.get_leaves(%a_shape)
        : (!fly.int_tuple<(?,?{div=32})>) -> (i32, i32)

    // Cut the matrices into tiles; keep the row of tiles of A and of B, and the
    // tile of C, that this workgroup needs.
    %ab_tile = fly.static : !fly.tile<[64|32]>
    %c_tile = fly.static : !fly.tile<[64|64]>
    %a_coord = fly.make_coord(%row) : (i32) -> !fly.int_tuple<(*,*,?,*)>
    %b_coord = fly.make_coord(%column) : (i32) -> !fly.int_tuple<(*,*,?,*)>
    %c_coord = fly.make_coord(%row, %column)
        : (i32, i32) -> !fly.int_tuple<(*,*,?,?)>
    %a_tiles = fly.flat_divide(%a, %ab_tile)
        : (!OperandA, !fly.tile<[64|32]>) -> !TilesA
    %b_tiles = fly.flat_divide(%b, %ab_tile)
        : (!OperandB, !fly.tile<[64|32]>) -> !TilesB
    %c_tiles = fly.flat_divide(%c, %c_tile)
        : (!Result, !fly.tile<[64|64]>) -> !TilesC
    %m_tiles = fly.flat_divide(%m_coords, %ab_tile)
        : (!MCoords, !fly.tile<[64|32]>) -> !MTiles
    %i_tiles = fly.flat_divide(%i_coords, %c_tile)
        : (!ICoords, !fly.tile<[64|64]>) -> !ITiles
    %a_row = fly.slice(%a_tiles, %a_coord)
        : (!TilesA, !fly.int_tuple<(*,*,?,*)>) -> !RowA
    %b_row = fly.slice(%b_tiles, %b_coord)
        : (!TilesB, !fly.int_tuple<(*,*,?,*)>) -> !RowB
    %m_row = fly.slice(%m_tiles, %a_coord)
        : (!MTiles, !fly.int_tuple<(*,*,?,*)>) -> !MRow
    %c_block = fly.slice(%c_tiles, %c_coord)
        : (!TilesC, !fly.int_tuple<(*,*,?,?)>) -> !TileC
    %i_block = fly.slice(%i_tiles, %c_coord)
        : (!ITiles, !fly.int_tuple<(*,*,?,?)>) -> !ITile

    // The copy of a tile of A by all threads, and the product of tiles.
    %copy128 = fly.make_copy_atom {valBits = 16 : i32} : !Copy128
    %copy32 = fly.make_copy_atom {valBits = 32 : i32} : !Copy32
    %thread_value = fly.static : !ThreadValue
    %copy = fly.make_tiled_copy(%copy128, %thread_value, %ab_tile)
        : (!Copy128, !ThreadValue, !fly.tile<[64|32]>) -> !TiledCopy
    %mma_atom = fly.make_mma_atom : !Mma
    %waves = fly.static : !Waves
    %mma = fly.make_tiled_mma(%mma_atom, %waves) : (!Mma, !Waves) -> !TiledMma

    // A: global to LDS by way of registers. LDS is (row, k, buffer).
    %a_lds = fly.make_ptr() {dictAttrs = {allocBytes = 8192 : i64,
        allocAlign = 16 : i64}} : () -> !SharedPtr
    %shared_layout = fly.static : !SharedLayout
    %a_shared = fly.make_view(%a_lds, %shared_layout)
        : (!SharedPtr, !SharedLayout) -> !Shared
    %a_parts = fly.tiled_copy.partition_src(%copy, %a_row, %thread_coord)
        : (!TiledCopy, !RowA, !fly.int_tuple<?>) -> !PartsA
    %m_parts = fly.tiled_copy.partition_src(%copy, %m_row, %thread_coord)
        : (!TiledCopy, !MRow, !fly.int_tuple<?>) -> !MParts
    %a_writes = fly.tiled_copy.partition_dst(%copy, %a_shared, %thread_coord)
        : (!TiledCopy, !Shared, !fly.int_tuple<?>) -> !WriteParts
    %first = fly.make_coord() : () -> !fly.int_tuple<(*,*,*,0)>
    %a_first = fly.slice(%a_parts, %first)
        : (!PartsA, !fly.int_tuple<(*,*,*,0)>) -> !PartA
    %a_write = fly.slice(%a_writes, %first)
        : (!WriteParts, !fly.int_tuple<(*,*,*,0)>) -> !WritePart
    %a_stage = fly.make_fragment_like(%a_first) : (!PartA) -> !Stage
    %m_base = fly.get_iter(%m_parts) : (!MParts) -> !fly.int_tuple<?>
    %m_index = fly.get_scalar(%m_base) : (!fly.int_tuple<?>) -> i32
    %a_inside = arith.cmpi slt, %m_index, %m : i32
    %predicate_layout = fly.static : !fly.layout<((1,1),1,1):((0,0),0,0)>
    %a_predicate = fly.memref.alloca(%predicate_layout)
        : (!fly.layout<((1,1),1,1):((0,0),0,0)>) -> !Predicate
    fly.memref.store(%a_inside, %a_predicate, %zero_index)
        : (i1, !Predicate, !fly.int_tuple<0>) -> ()

    // B: this lane's share of each tile, 16 bytes at a time.
    %first_tile = fly.make_coord() : () -> !fly.int_tuple<(*,*,0)>
    %b_first = fly.slice(%b_row, %first_tile)
        : (!RowB, !fly.int_tuple<(*,*,0)>) -> !TileB
    %b_part_0 = fly.tiled_mma.partition(b, %mma, %b_first, %thread_coord)
        : (!TiledMma, !TileB, !fly.int_tuple<?>) -> !PartB
    %b_stage = fly.mma.make_fragment(b, %mma, %b_first)
        : (!TiledMma, !TileB) -> !FragmentB
    %b_frag = fly.mma.make_fragment(b, %mma, %b_first)
        : (!TiledMma, !TileB) -> !FragmentB

    // LDS to the operand A, and the results.
    %a_tile_0 = fly.slice(%a_shared, %first_tile)
        : (!Shared, !fly.int_tuple<(*,*,0)>) -> !SharedTile
    %a_frag = fly.mma.make_fragment(a, %mma, %a_tile_0)
        : (!TiledMma, !SharedTile) -> !FragmentA
    %c_frag = fly.mma.make_fragment(c, %mma, %c_block)
        : (!TiledMma, !TileC) -> !FragmentC

    // The number of tiles along K.
    %k_mode = fly.get(%a_row) {mode = array<i32: 2>}
        : (!RowA) -> !fly.memref<bf16, global, ?:32, align<16>>
    %k_count = fly.size(%k_mode)
        : (!fly.memref<bf16, global, ?:32, align<16>>) -> !fly.int_tuple<?>
    %count = fly.get_scalar(%k_count) : (!fly.int_tuple<?>) -> i32

    // Fetch the first tiles; rows of A behind the last one are 0.
    %zero_stage = arith.constant dense<0.0> : vector<8xbf16>
    fly.memref.store_vec(%zero_stage, %a_stage) : (vector<8xbf16>, !Stage) -> ()
    %any = arith.cmpi sgt, %count, %c0 : i32
    scf.if %any {
      fly.copy(%copy, %a_first, %a_stage, %a_predicate)
          : (!TiledCopy, !PartA, !Stage, !Predicate) -> ()
      fly.copy(%copy, %a_stage, %a_write)
          : (!TiledCopy, !Stage, !WritePart) -> ()
      fly.copy(%copy128, %b_part_0, %b_stage)
          : (!Copy128, !PartB, !FragmentB) -> ()
    }
    gpu.barrier

    %zero = arith.constant dense<0.0> : vector<16xf32>
    fly.memref.store_vec(%zero, %c_frag) : (vector<16xf32>, !FragmentC) -> ()
    scf.for %k = %c0 to %count step %c1 : i32 {
      // The tile of B that was fetched is used now; fetch the next ones.
      %b_values = fly.memref.load_vec(%b_stage)
          : (!FragmentB) -> vector<16xbf16>
      fly.memref.store_vec(%b_values, %b_frag)
          : (vector<16xbf16>, !FragmentB) -> ()
      %k_next = arith.addi %k, %c1 : i32
      %more = arith.cmpi slt, %k_next, %count : i32
      scf.if %more {
        %a_next_coord = fly.make_coord(%k_next)
            : (i32) -> !fly.int_tuple<(*,*,*,?)>
        %b_next_coord = fly.make_coord(%k_next)
            : (i32) -> !fly.int_tuple<(*,*,?)>
        %a_next = fly.slice(%a_parts, %a_next_coord)
            : (!PartsA, !fly.int_tuple<(*,*,*,?)>) -> !PartA
        fly.copy(%copy, %a_next, %a_stage, %a_predicate)
            : (!TiledCopy, !PartA, !Stage, !Predicate) -> ()
        %b_next = fly.slice(%b_row, %b_next_coord)
            : (!RowB, !fly.int_tuple<(*,*,?)>) -> !TileB
        %b_part = fly.tiled_mma.partition(b, %mma, %b_next, %thread_coord)
            : (!TiledMma, !TileB, !fly.int_tuple<?>) -> !PartB
        fly.copy(%copy128, %b_part, %b_stage)
            : (!Copy128, !PartB, !FragmentB) -> ()
      }

      // Multiply the tile in buffer k mod 2.
      %buffer = arith.andi %k, %c1 : i32
      %buffer_coord = fly.make_coord(%buffer) : (i32) -> !fly.int_tuple<(*,*,?)>
      %a_tile = fly.slice(%a_shared, %buffer_coord)
          : (!Shared, !fly.int_tuple<(*,*,?)>) -> !SharedBuffer
      %a_read = fly.tiled_mma.partition(a, %mma, %a_tile, %thread_coord)
          : (!TiledMma, !SharedBuffer, !fly.int_tuple<?>) -> !ReadA
      fly.copy(%copy128, %a_read, %a_frag)
          : (!Copy128, !ReadA, !FragmentA) -> ()
      fly.gemm(%mma, %c_frag, %a_frag, %b_frag, %c_frag)
          : (!TiledMma, !FragmentC, !FragmentA, !FragmentB, !FragmentC) -> ()

      // The next tile of A into the other buffer.
      %other = arith.xori %buffer, %c1 : i32
      %other_coord = fly.make_coord(%other) : (i32) -> !fly.int_tuple<(*,*,*,?)>
      %a_other = fly.slice(%a_writes, %other_coord)
          : (!WriteParts, !fly.int_tuple<(*,*,*,?)>) -> !WriteBuffer
      fly.copy(%copy, %a_stage, %a_other)
          : (!TiledCopy, !Stage, !WriteBuffer) -> ()
      gpu.barrier
    }

    // Store the rows that are inside of C, element by element.
    %c_part = fly.tiled_mma.partition(c, %mma, %c_block, %thread_coord)
        : (!TiledMma, !TileC, !fly.int_tuple<?>) -> !PartC
    %i_part = fly.tiled_mma.partition(c, %mma, %i_block, %thread_coord)
        : (!TiledMma, !ITile, !fly.int_tuple<?>) -> !IPart
    %i = fly.memref.load_vec(%i_part) : (!IPart) -> vector<16xi32>
    %rows = vector.broadcast %m : i32 to vector<16xi32>
    %inside = arith.cmpi slt, %i, %rows : vector<16xi32>
    %predicate = fly.make_fragment_like(%c_frag, i1)
        : (!FragmentC) -> !PredicateC
    fly.memref.store_vec(%inside, %predicate)
        : (vector<16xi1>, !PredicateC) -> ()
    %one = fly.static : !fly.tile<[1]>
    %c_values = fly.logical_divide(%c_frag, %one)
        : (!FragmentC, !fly.tile<[1]>) -> !FragmentC1
    %c_elements = fly.logical_divide(%c_part, %one)
        : (!PartC, !fly.tile<[1]>) -> !PartC1
    %predicates = fly.logical_divide(%predicate, %one)
        : (!PredicateC, !fly.tile<[1]>) -> !PredicateC1
    fly.copy(%copy32, %c_values, %c_elements, %predicates)
        : (!Copy32, !FragmentC1, !PartC1, !PredicateC1) -> ()
    gpu.return
  }
}
