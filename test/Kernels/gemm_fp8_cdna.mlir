// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * transpose(B), f8E4M3FN in, f32 out: A is (M, K), B is (N, K), C is
// (M, N), all row-major, of any sizes; K and the row strides of A and B are
// multiples of 16. The instruction of gfx942 takes another encoding:
//
// respelt on gfx942: f8E4M3FN -> f8E4M3FNUZ
//
// One workgroup of 2x2 waves of 64 lanes computes 64x64 of C; the grid is
// (ceil(N/64), ceil(M/64)). LDS has two buffers for a tile of A and two for one
// of B, 64 of K each. While one buffer is multiplied, the next tile goes from
// global memory to registers, and then into the other buffer, whose readers are
// behind the last barrier: one barrier a tile.
//
// Predicates keep accesses inside of the matrices: rows and k of the 16 bytes
// that a thread loads (what is outside stays 0), rows and columns of what it
// stores. They come from the partitions of coordinates: a row number is the
// layout (1,0) over the shape of a matrix, a column number (0,1).
//
// LDS rows are 64 bytes, half of the banks. The swizzle
//
//   S<2,4,3>: element index x  ->  x xor ((x >> 3) & 0b110000)
//
// exchanges the four 16-byte groups of a row by the row's bits 1 and 2, so that
// eight rows read at the same k hit all banks.
//
// Kernel arguments: three memrefs, each a pointer and its packed dynamic
// layout, the i32 numbers (rows, columns, row stride).

!Operand = !fly.memref<f8E4M3FN, global, (?,?{div=16}):(?{div=16},1), align<16>>
!Result = !fly.memref<f32, global, (?,?):(?,1)>
!SharedLayout = !fly.composed_layout<S<2,4,3> o 0 o (64,64,2):(64,1,4096)>
!SharedPtr = !fly.ptr<f8E4M3FN, shared, align<16>>

!Mma = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x32, (f8E4M3FN, f8E4M3FN) -> f32>>
!Waves = !fly.layout<(2,2,1):(2,1,0)>
!TiledMma = !fly.tiled_mma<!Mma, <(2,2,1):(2,1,0)>>
!Copy128 = !fly.copy_atom<!fly.universal_copy<128>, 8>
!Copy64 = !fly.copy_atom<!fly.universal_copy<64>, 8>
!Copy32 = !fly.copy_atom<!fly.universal_copy<32>, 32>
!ThreadValue = !fly.layout<((4,64),16):((1024,1),64)>
!TiledCopy = !fly.tiled_copy<!Copy128, <((4,64),16):((1024,1),64)>, <[64|64]>>
!Predicate = !fly.memref<i1, register, ((1,1),1,1):((0,0),0,0)>
!OperandShape = !fly.int_tuple<(?,?{div=16})>
!RowCoords = !fly.coord_tensor<0, (?,?{div=16}):(1,0)>
!KCoords = !fly.coord_tensor<0, (?,?{div=16}):(0,1)>
!ICoords = !fly.coord_tensor<0, (?,?):(1,0)>
!JCoords = !fly.coord_tensor<0, (?,?):(0,1)>
!OperandTiles = !fly.memref<f8E4M3FN, global, (64,64,?,?):(?{div=16},1,?{div=1024},64), align<16>>
!ResultTiles = !fly.memref<f32, global, (64,64,?,?):(?,1,?{div=64},64)>
!RowCoordTiles = !fly.coord_tensor<0, (64,64,?,?):(1,0,64,0)>
!KCoordTiles = !fly.coord_tensor<0, (64,64,?,?):(0,1,0,64)>
!ICoordTiles = !fly.coord_tensor<0, (64,64,?,?):(1,0,64,0)>
!JCoordTiles = !fly.coord_tensor<0, (64,64,?,?):(0,1,0,64)>
!OperandRow = !fly.memref<f8E4M3FN, global, (64,64,?):(?{div=16},1,64), align<16>>
!RowCoordRow = !fly.coord_tensor<?{div=64}, (64,64,?):(1,0,0)>
!KCoordRow = !fly.coord_tensor<0, (64,64,?):(0,1,64)>
!ResultTile = !fly.memref<f32, global, (64,64):(?,1)>
!ICoordTile = !fly.coord_tensor<?{div=64}, (64,64):(1,0)>
!JCoordTile = !fly.coord_tensor<?{div=64}, (64,64):(0,1)>
!Shared = !fly.memref<f8E4M3FN, shared, S<2,4,3> o 0 o (64,64,2):(64,1,4096), align<16>>
!GlobalParts = !fly.memref<f8E4M3FN, global, ((16,1),1,1,?):((1,0),0,0,64), align<16>>
!RowCoordParts = !fly.coord_tensor<?, ((16,1),1,1,?):((0,0),0,0,0)>
!KCoordParts = !fly.coord_tensor<?{div=16}, ((16,1),1,1,?):((1,0),0,0,64)>
!WriteParts = !fly.memref<f8E4M3FN, shared, S<2,4,3> o ?{div=16} o ((16,1),1,1,2):((1,0),0,0,4096), align<16>>
!GlobalPart = !fly.memref<f8E4M3FN, global, ((16,1),1,1):((1,0),0,0), align<16>>
!WritePart = !fly.memref<f8E4M3FN, shared, S<2,4,3> o ?{div=16} o ((16,1),1,1):((1,0),0,0), align<16>>
!Stage = !fly.memref<f8E4M3FN, register, ((16,1),1,1):((1,0),0,0)>
!SharedTile = !fly.memref<f8E4M3FN, shared, S<2,4,3> o 0 o (64,64):(64,1), align<16>>
!FragmentA = !fly.memref<f8E4M3FN, register, (8,2,2):(1,16,8)>
!FragmentB = !fly.memref<f8E4M3FN, register, (8,2,2):(1,16,8)>
!FragmentC = !fly.memref<f32, register, ((4,1),2,2):((1,0),8,4)>
!KCoordPart = !fly.coord_tensor<?{div=16}, ((16,1),1,1):((1,0),0,0)>
!SharedBuffer = !fly.memref<f8E4M3FN, shared, S<2,4,3> o ?{div=4096} o (64,64):(64,1), align<16>>
!ReadA = !fly.memref<f8E4M3FN, shared, S<2,4,3> o ?{div=8} o (8,2,2):(1,2048,32), align<16>>
!ReadB = !fly.memref<f8E4M3FN, shared, S<2,4,3> o ?{div=8} o (8,2,2):(1,2048,32), align<16>>
!WriteBuffer = !fly.memref<f8E4M3FN, shared, S<2,4,3> o ?{div=16} o ((16,1),1,1):((1,0),0,0), align<16>>
!ResultPart = !fly.memref<f32, global, ((4,1),2,2):((?,0),?{div=32},32)>
!IPart = !fly.coord_tensor<?{div=4}, ((4,1),2,2):((1,0),32,0)>
!JPart = !fly.coord_tensor<?, ((4,1),2,2):((0,0),0,32)>
!PredicateC = !fly.memref<i1, register, ((4,1),2,2):((1,0),8,4)>
!FragmentC1 = !fly.memref<f32, register, ((1,4),2,2):((0,1),8,4)>
!ResultPart1 = !fly.memref<f32, global, ((1,4),2,2):((0,?),?{div=32},32)>
!PredicateC1 = !fly.memref<i1, register, ((1,4),2,2):((0,1),8,4)>

gpu.module @kernels {
  gpu.func @gemm_fp8(%a: !Operand, %b: !Operand, %c: !Result) kernel
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

    // The numbers of rows and of k, and of the rows and columns of C.
    %by_row = fly.make_int_tuple() : () -> !fly.int_tuple<(1,0)>
    %by_column = fly.make_int_tuple() : () -> !fly.int_tuple<(0,1)>
    %a_shape = fly.get_shape(%a) : (!Operand) -> !OperandShape
    %b_shape = fly.get_shape(%b) : (!Operand) -> !OperandShape
    %c_shape = fly.get_shape(%c) : (!Result) -> !fly.int_tuple<(?,?)>
    %m_layout = fly.make_layout(%a_shape, %by_row)
        : (!OperandShape, !fly.int_tuple<(1,0)>)
        -> !fly.layout<(?,?{div=16}):(1,0)>
    %n_layout = fly.make_layout(%b_shape, %by_row)
        : (!OperandShape, !fly.int_tuple<(1,0)>)
        -> !fly.layout<(?,?{div=16}):(1,0)>
    %k_layout = fly.make_layout(%a_shape, %by_column)
        : (!OperandShape, !fly.int_tuple<(0,1)>)
        -> !fly.layout<(?,?{div=16}):(0,1)>
    %i_layout = fly.make_layout(%c_shape, %by_row)
        : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(1,0)>)
        -> !fly.layout<(?,?):(1,0)>
    %j_layout = fly.make_layout(%c_shape, %by_column)
        : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(0,1)>)
        -> !fly.layout<(?,?):(0,1)>
    %m_coords = fly.make_view(%zero_index, %m_layout)
        : (!fly.int_tuple<0>, !fly.layout<(?,?{div=16}):(1,0)>) -> !RowCoords
    %n_coords = fly.make_view(%zero_index, %n_layout)
        : (!fly.int_tuple<0>, !fly.layout<(?,?{div=16}):(1,0)>) -> !RowCoords
    %k_coords = fly.make_view(%zero_index, %k_layout)
        : (!fly.int_tuple<0>, !fly.layout<(?,?{div=16}):(0,1)>) -> !KCoords
    %i_coords = fly.make_view(%zero_index, %i_layout)
        : (!fly.int_tuple<0>, !fly.layout<(?,?):(1,0)>) -> !ICoords
    %j_coords = fly.make_view(%zero_index, %j_layout)
        : (!fly.int_tuple<0>, !fly.layout<(?,?):(0,1)>) -> !JCoords
    %m, %k_size = fly.get_leaves(%a_shape) : (!OperandShape) -> (i32, i32)
    %n, %k_size_b = fly.get_leaves(%b_shape) : (!OperandShape) -> (i32, i32)

    // Cut the matrices into tiles; keep the row of tiles of A and of B, and the
    // tile of C, that this workgroup needs.
    %ab_tile = fly.static : !fly.tile<[64|64]>
    %c_tile = fly.static : !fly.tile<[64|64]>
    %a_coord = fly.make_coord(%row) : (i32) -> !fly.int_tuple<(*,*,?,*)>
    %b_coord = fly.make_coord(%column) : (i32) -> !fly.int_tuple<(*,*,?,*)>
    %c_coord = fly.make_coord(%row, %column)
        : (i32, i32) -> !fly.int_tuple<(*,*,?,?)>
    %a_tiles = fly.flat_divide(%a, %ab_tile)
        : (!Operand, !fly.tile<[64|64]>) -> !OperandTiles
    %b_tiles = fly.flat_divide(%b, %ab_tile)
        : (!Operand, !fly.tile<[64|64]>) -> !OperandTiles
    %c_tiles = fly.flat_divide(%c, %c_tile)
        : (!Result, !fly.tile<[64|64]>) -> !ResultTiles
    %m_tiles = fly.flat_divide(%m_coords, %ab_tile)
        : (!RowCoords, !fly.tile<[64|64]>) -> !RowCoordTiles
    %n_tiles = fly.flat_divide(%n_coords, %ab_tile)
        : (!RowCoords, !fly.tile<[64|64]>) -> !RowCoordTiles
    %k_tiles = fly.flat_divide(%k_coords, %ab_tile)
        : (!KCoords, !fly.tile<[64|64]>) -> !KCoordTiles
    %i_tiles = fly.flat_divide(%i_coords, %c_tile)
        : (!ICoords, !fly.tile<[64|64]>) -> !ICoordTiles
    %j_tiles = fly.flat_divide(%j_coords, %c_tile)
        : (!JCoords, !fly.tile<[64|64]>) -> !JCoordTiles
    %a_row = fly.slice(%a_tiles, %a_coord)
        : (!OperandTiles, !fly.int_tuple<(*,*,?,*)>) -> !OperandRow
    %b_row = fly.slice(%b_tiles, %b_coord)
        : (!OperandTiles, !fly.int_tuple<(*,*,?,*)>) -> !OperandRow
    %m_row = fly.slice(%m_tiles, %a_coord)
        : (!RowCoordTiles, !fly.int_tuple<(*,*,?,*)>) -> !RowCoordRow
    %n_row = fly.slice(%n_tiles, %b_coord)
        : (!RowCoordTiles, !fly.int_tuple<(*,*,?,*)>) -> !RowCoordRow
    %k_row = fly.slice(%k_tiles, %a_coord)
        : (!KCoordTiles, !fly.int_tuple<(*,*,?,*)>) -> !KCoordRow
    %c_block = fly.slice(%c_tiles, %c_coord)
        : (!ResultTiles, !fly.int_tuple<(*,*,?,?)>) -> !ResultTile
    %i_block = fly.slice(%i_tiles, %c_coord)
        : (!ICoordTiles, !fly.int_tuple<(*,*,?,?)>) -> !ICoordTile
    %j_block = fly.slice(%j_tiles, %c_coord)
        : (!JCoordTiles, !fly.int_tuple<(*,*,?,?)>) -> !JCoordTile

    // The copy of a tile by all threads, and the product of tiles by the waves.
    %copy128 = fly.make_copy_atom {valBits = 8 : i32} : !Copy128
    %copy64 = fly.make_copy_atom {valBits = 8 : i32} : !Copy64
    %copy32 = fly.make_copy_atom {valBits = 32 : i32} : !Copy32
    %thread_value = fly.static : !ThreadValue
    %copy = fly.make_tiled_copy(%copy128, %thread_value, %ab_tile)
        : (!Copy128, !ThreadValue, !fly.tile<[64|64]>) -> !TiledCopy
    %mma_atom = fly.make_mma_atom : !Mma
    %waves = fly.static : !Waves
    %mma = fly.make_tiled_mma(%mma_atom, %waves) : (!Mma, !Waves) -> !TiledMma

    // LDS: (row, k, buffer) of A and of B.
    %a_lds = fly.make_ptr() {dictAttrs = {allocBytes = 8192 : i64,
        allocAlign = 16 : i64}} : () -> !SharedPtr
    %b_lds = fly.make_ptr() {dictAttrs = {allocBytes = 8192 : i64,
        allocAlign = 16 : i64}} : () -> !SharedPtr
    %shared_layout = fly.static : !SharedLayout
    %a_shared = fly.make_view(%a_lds, %shared_layout)
        : (!SharedPtr, !SharedLayout) -> !Shared
    %b_shared = fly.make_view(%b_lds, %shared_layout)
        : (!SharedPtr, !SharedLayout) -> !Shared

    // Global to LDS, by way of registers: this thread's share of each tile.
    %a_parts = fly.tiled_copy.partition_src(%copy, %a_row, %thread_coord)
        : (!TiledCopy, !OperandRow, !fly.int_tuple<?>) -> !GlobalParts
    %b_parts = fly.tiled_copy.partition_src(%copy, %b_row, %thread_coord)
        : (!TiledCopy, !OperandRow, !fly.int_tuple<?>) -> !GlobalParts
    %m_parts = fly.tiled_copy.partition_src(%copy, %m_row, %thread_coord)
        : (!TiledCopy, !RowCoordRow, !fly.int_tuple<?>) -> !RowCoordParts
    %n_parts = fly.tiled_copy.partition_src(%copy, %n_row, %thread_coord)
        : (!TiledCopy, !RowCoordRow, !fly.int_tuple<?>) -> !RowCoordParts
    %k_parts = fly.tiled_copy.partition_src(%copy, %k_row, %thread_coord)
        : (!TiledCopy, !KCoordRow, !fly.int_tuple<?>) -> !KCoordParts
    %a_writes = fly.tiled_copy.partition_dst(%copy, %a_shared, %thread_coord)
        : (!TiledCopy, !Shared, !fly.int_tuple<?>) -> !WriteParts
    %b_writes = fly.tiled_copy.partition_dst(%copy, %b_shared, %thread_coord)
        : (!TiledCopy, !Shared, !fly.int_tuple<?>) -> !WriteParts
    %first = fly.make_coord() : () -> !fly.int_tuple<(*,*,*,0)>
    %a_first = fly.slice(%a_parts, %first)
        : (!GlobalParts, !fly.int_tuple<(*,*,*,0)>) -> !GlobalPart
    %b_first = fly.slice(%b_parts, %first)
        : (!GlobalParts, !fly.int_tuple<(*,*,*,0)>) -> !GlobalPart
    %a_write = fly.slice(%a_writes, %first)
        : (!WriteParts, !fly.int_tuple<(*,*,*,0)>) -> !WritePart
    %b_write = fly.slice(%b_writes, %first)
        : (!WriteParts, !fly.int_tuple<(*,*,*,0)>) -> !WritePart
    %a_stage = fly.make_fragment_like(%a_first) : (!GlobalPart) -> !Stage
    %b_stage = fly.make_fragment_like(%b_first) : (!GlobalPart) -> !Stage

    // Is this thread's row of A, and of B, inside? The predicates are completed
    // by k, tile by tile.
    %m_base = fly.get_iter(%m_parts) : (!RowCoordParts) -> !fly.int_tuple<?>
    %n_base = fly.get_iter(%n_parts) : (!RowCoordParts) -> !fly.int_tuple<?>
    %m_index = fly.get_scalar(%m_base) : (!fly.int_tuple<?>) -> i32
    %n_index = fly.get_scalar(%n_base) : (!fly.int_tuple<?>) -> i32
    %a_inside = arith.cmpi slt, %m_index, %m : i32
    %b_inside = arith.cmpi slt, %n_index, %n : i32
    %predicate_layout = fly.static : !fly.layout<((1,1),1,1):((0,0),0,0)>
    %a_predicate = fly.memref.alloca(%predicate_layout)
        : (!fly.layout<((1,1),1,1):((0,0),0,0)>) -> !Predicate
    %b_predicate = fly.memref.alloca(%predicate_layout)
        : (!fly.layout<((1,1),1,1):((0,0),0,0)>) -> !Predicate

    // The operands of the MMA and its results: this thread's share.
    %buffer_0 = fly.make_coord() : () -> !fly.int_tuple<(*,*,0)>
    %a_tile_0 = fly.slice(%a_shared, %buffer_0)
        : (!Shared, !fly.int_tuple<(*,*,0)>) -> !SharedTile
    %b_tile_0 = fly.slice(%b_shared, %buffer_0)
        : (!Shared, !fly.int_tuple<(*,*,0)>) -> !SharedTile
    %a_frag = fly.mma.make_fragment(a, %mma, %a_tile_0)
        : (!TiledMma, !SharedTile) -> !FragmentA
    %b_frag = fly.mma.make_fragment(b, %mma, %b_tile_0)
        : (!TiledMma, !SharedTile) -> !FragmentB
    %c_frag = fly.mma.make_fragment(c, %mma, %c_block)
        : (!TiledMma, !ResultTile) -> !FragmentC

    // The number of tiles along K.
    %k_mode = fly.get(%a_parts) {mode = array<i32: 3>}
        : (!GlobalParts) -> !fly.memref<f8E4M3FN, global, ?:64, align<16>>
    %k_count = fly.size(%k_mode)
        : (!fly.memref<f8E4M3FN, global, ?:64, align<16>>) -> !fly.int_tuple<?>
    %count = fly.get_scalar(%k_count) : (!fly.int_tuple<?>) -> i32

    // Fetch the first tile into the first buffer.
    %zero_stage = arith.constant dense<0.0> : vector<16xf8E4M3FN>
    fly.memref.store_vec(%zero_stage, %a_stage)
        : (vector<16xf8E4M3FN>, !Stage) -> ()
    fly.memref.store_vec(%zero_stage, %b_stage)
        : (vector<16xf8E4M3FN>, !Stage) -> ()
    %k_first = fly.slice(%k_parts, %first)
        : (!KCoordParts, !fly.int_tuple<(*,*,*,0)>) -> !KCoordPart
    %k_first_base = fly.get_iter(%k_first)
        : (!KCoordPart) -> !fly.int_tuple<?{div=16}>
    %k_first_index = fly.get_scalar(%k_first_base)
        : (!fly.int_tuple<?{div=16}>) -> i32
    %k_first_inside = arith.cmpi slt, %k_first_index, %k_size : i32
    %a_first_inside = arith.andi %a_inside, %k_first_inside : i1
    %b_first_inside = arith.andi %b_inside, %k_first_inside : i1
    fly.memref.store(%a_first_inside, %a_predicate, %zero_index)
        : (i1, !Predicate, !fly.int_tuple<0>) -> ()
    fly.memref.store(%b_first_inside, %b_predicate, %zero_index)
        : (i1, !Predicate, !fly.int_tuple<0>) -> ()
    fly.copy(%copy, %a_first, %a_stage, %a_predicate)
        : (!TiledCopy, !GlobalPart, !Stage, !Predicate) -> ()
    fly.copy(%copy, %b_first, %b_stage, %b_predicate)
        : (!TiledCopy, !GlobalPart, !Stage, !Predicate) -> ()
    fly.copy(%copy, %a_stage, %a_write) : (!TiledCopy, !Stage, !WritePart) -> ()
    fly.copy(%copy, %b_stage, %b_write) : (!TiledCopy, !Stage, !WritePart) -> ()
    gpu.barrier

    %zero = arith.constant dense<0.0> : vector<16xf32>
    fly.memref.store_vec(%zero, %c_frag) : (vector<16xf32>, !FragmentC) -> ()
    scf.for %k = %c0 to %count step %c1 : i32 {
      // Fetch the next tile; behind the last one, the predicates are false.
      %k_next = arith.addi %k, %c1 : i32
      %next = fly.make_coord(%k_next) : (i32) -> !fly.int_tuple<(*,*,*,?)>
      %a_next = fly.slice(%a_parts, %next)
          : (!GlobalParts, !fly.int_tuple<(*,*,*,?)>) -> !GlobalPart
      %b_next = fly.slice(%b_parts, %next)
          : (!GlobalParts, !fly.int_tuple<(*,*,*,?)>) -> !GlobalPart
      %k_part = fly.slice(%k_parts, %next)
          : (!KCoordParts, !fly.int_tuple<(*,*,*,?)>) -> !KCoordPart
      %k_base = fly.get_iter(%k_part)
          : (!KCoordPart) -> !fly.int_tuple<?{div=16}>
      %k_index = fly.get_scalar(%k_base) : (!fly.int_tuple<?{div=16}>) -> i32
      %k_inside = arith.cmpi slt, %k_index, %k_size : i32
      %a_next_inside = arith.andi %a_inside, %k_inside : i1
      %b_next_inside = arith.andi %b_inside, %k_inside : i1
      fly.memref.store(%a_next_inside, %a_predicate, %zero_index)
          : (i1, !Predicate, !fly.int_tuple<0>) -> ()
      fly.memref.store(%b_next_inside, %b_predicate, %zero_index)
          : (i1, !Predicate, !fly.int_tuple<0>) -> ()
      fly.memref.store_vec(%zero_stage, %a_stage)
          : (vector<16xf8E4M3FN>, !Stage) -> ()
      fly.memref.store_vec(%zero_stage, %b_stage)
          : (vector<16xf8E4M3FN>, !Stage) -> ()
      fly.copy(%copy, %a_next, %a_stage, %a_predicate)
          : (!TiledCopy, !GlobalPart, !Stage, !Predicate) -> ()
      fly.copy(%copy, %b_next, %b_stage, %b_predicate)
          : (!TiledCopy, !GlobalPart, !Stage, !Predicate) -> ()

      // Multiply the tiles in buffer k mod 2.
      %buffer = arith.andi %k, %c1 : i32
      %buffer_coord = fly.make_coord(%buffer) : (i32) -> !fly.int_tuple<(*,*,?)>
      %a_tile = fly.slice(%a_shared, %buffer_coord)
          : (!Shared, !fly.int_tuple<(*,*,?)>) -> !SharedBuffer
      %b_tile = fly.slice(%b_shared, %buffer_coord)
          : (!Shared, !fly.int_tuple<(*,*,?)>) -> !SharedBuffer
      %a_read = fly.tiled_mma.partition(a, %mma, %a_tile, %thread_coord)
          : (!TiledMma, !SharedBuffer, !fly.int_tuple<?>) -> !ReadA
      %b_read = fly.tiled_mma.partition(b, %mma, %b_tile, %thread_coord)
          : (!TiledMma, !SharedBuffer, !fly.int_tuple<?>) -> !ReadB
      fly.copy(%copy64, %a_read, %a_frag) : (!Copy64, !ReadA, !FragmentA) -> ()
      fly.copy(%copy64, %b_read, %b_frag) : (!Copy64, !ReadB, !FragmentB) -> ()
      fly.gemm(%mma, %c_frag, %a_frag, %b_frag, %c_frag)
          : (!TiledMma, !FragmentC, !FragmentA, !FragmentB, !FragmentC) -> ()

      // The next tile into the other buffer.
      %other = arith.xori %buffer, %c1 : i32
      %other_coord = fly.make_coord(%other) : (i32) -> !fly.int_tuple<(*,*,*,?)>
      %a_other = fly.slice(%a_writes, %other_coord)
          : (!WriteParts, !fly.int_tuple<(*,*,*,?)>) -> !WriteBuffer
      %b_other = fly.slice(%b_writes, %other_coord)
          : (!WriteParts, !fly.int_tuple<(*,*,*,?)>) -> !WriteBuffer
      fly.copy(%copy, %a_stage, %a_other)
          : (!TiledCopy, !Stage, !WriteBuffer) -> ()
      fly.copy(%copy, %b_stage, %b_other)
          : (!TiledCopy, !Stage, !WriteBuffer) -> ()
      gpu.barrier
    }

    // Store what is inside of C, element by element.
    %c_part = fly.tiled_mma.partition(c, %mma, %c_block, %thread_coord)
        : (!TiledMma, !ResultTile, !fly.int_tuple<?>) -> !ResultPart
    %i_part = fly.tiled_mma.partition(c, %mma, %i_block, %thread_coord)
        : (!TiledMma, !ICoordTile, !fly.int_tuple<?>) -> !IPart
    %j_part = fly.tiled_mma.partition(c, %mma, %j_block, %thread_coord)
        : (!TiledMma, !JCoordTile, !fly.int_tuple<?>) -> !JPart
    %i = fly.memref.load_vec(%i_part) : (!IPart) -> vector<16xi32>
    %j = fly.memref.load_vec(%j_part) : (!JPart) -> vector<16xi32>
    %rows = vector.broadcast %m : i32 to vector<16xi32>
    %columns = vector.broadcast %n : i32 to vector<16xi32>
    %i_inside = arith.cmpi slt, %i, %rows : vector<16xi32>
    %j_inside = arith.cmpi slt, %j, %columns : vector<16xi32>
    %inside = arith.andi %i_inside, %j_inside : vector<16xi1>
    %predicate = fly.make_fragment_like(%c_frag, i1)
        : (!FragmentC) -> !PredicateC
    fly.memref.store_vec(%inside, %predicate)
        : (vector<16xi1>, !PredicateC) -> ()
    %one = fly.static : !fly.tile<[1]>
    %c_values = fly.logical_divide(%c_frag, %one)
        : (!FragmentC, !fly.tile<[1]>) -> !FragmentC1
    %c_elements = fly.logical_divide(%c_part, %one)
        : (!ResultPart, !fly.tile<[1]>) -> !ResultPart1
    %predicates = fly.logical_divide(%predicate, %one)
        : (!PredicateC, !fly.tile<[1]>) -> !PredicateC1
    fly.copy(%copy32, %c_values, %c_elements, %predicates)
        : (!Copy32, !FragmentC1, !ResultPart1, !PredicateC1) -> ()
    gpu.return
  }
}
