// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// b = transpose(a), for row-major f32 matrices of any sizes that are multiples
// of 32, with row strides that are multiples of 4 elements.
//
// One workgroup of 256 threads moves one tile of 32x32 through LDS; the grid is
// (columns / 32, rows / 32). Global memory is read and written along its rows,
// 16 bytes a lane; the turn happens in LDS, which is written along rows (16
// bytes a lane) and read along columns (4 bytes a lane). The swizzle
//
//   S<3,2,5>: element index x  ->  x xor ((x >> 5) & 0b11100)
//
// lets bits 2..4 of the row (index bits 7..9) move the column in steps of four
// elements: 16-byte rows stay whole, and the 32 lanes that read one column at
// eight rows and four columns hit 32 different banks. Reading and writing use
// one LDS buffer with two layouts, (row, column) and (column, row).
//
// Kernel arguments: two memrefs, each a pointer and its packed dynamic layout,
// the i32 numbers (rows, columns, row stride).

!Matrix = !fly.memref<f32, global, (?,?):(?{div=4},1), align<16>>
!Tiles = !fly.memref<f32, global, ((32,32),(?,?)):((?{div=4},1),(?{div=128},32)), align<16>>
!Tile = !fly.memref<f32, global, (32,32):(?{div=4},1), align<16>>
!Rows = !fly.composed_layout<S<3,2,5> o 0 o (32,32):(32,1)>
!Columns = !fly.composed_layout<S<3,2,5> o 0 o (32,32):(1,32)>
!SharedRows = !fly.memref<f32, shared, S<3,2,5> o 0 o (32,32):(32,1), align<16>>
!SharedColumns = !fly.memref<f32, shared, S<3,2,5> o 0 o (32,32):(1,32), align<16>>

!GlobalPart = !fly.memref<f32, global, ((4,1),1,1):((1,0),0,0), align<16>>
!WritePart = !fly.memref<f32, shared, S<3,2,5> o ?{div=4} o ((4,1),1,1):((1,0),0,0), align<16>>
!ReadPart = !fly.memref<f32, shared, S<3,2,5> o ? o ((1,4),1,1):((0,32),0,0), align<16>>
!Fragment128 = !fly.memref<f32, register, ((4,1),1,1):((1,0),0,0)>
!Fragment32 = !fly.memref<f32, register, ((1,4),1,1):((0,1),0,0)>

!Atom128 = !fly.copy_atom<!fly.universal_copy<128>, 32>
!Atom32 = !fly.copy_atom<!fly.universal_copy<32>, 32>
!ThreadValue = !fly.layout<((8,32),4):((128,1),32)>
!Copy128 = !fly.tiled_copy<!Atom128, <((8,32),4):((128,1),32)>, <[32|32]>>
!Copy32 = !fly.tiled_copy<!Atom32, <((8,32),4):((128,1),32)>, <[32|32]>>

gpu.module @kernels {
  gpu.func @transpose(%a: !Matrix, %b: !Matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block_x = gpu.block_id x
    %block_y = gpu.block_id y
    %thread_id = gpu.thread_id x
    %column = arith.index_cast %block_x : index to i32
    %row = arith.index_cast %block_y : index to i32
    %thread = arith.index_cast %thread_id : index to i32
    %a_coord = fly.make_coord(%row, %column)
        : (i32, i32) -> !fly.int_tuple<(*,(?,?))>
    %b_coord = fly.make_coord(%column, %row)
        : (i32, i32) -> !fly.int_tuple<(*,(?,?))>
    %thread_coord = fly.make_coord(%thread) : (i32) -> !fly.int_tuple<?>

    // Thread t owns row t / 8 of the tile and the four columns from 4 *
    // (t % 8):
    // in one access of 16 bytes, or in four of 4 bytes.
    %atom128 = fly.make_copy_atom {valBits = 32 : i32} : !Atom128
    %atom32 = fly.make_copy_atom {valBits = 32 : i32} : !Atom32
    %thread_value = fly.static : !ThreadValue
    %tile = fly.static : !fly.tile<[32|32]>
    %copy128 = fly.make_tiled_copy(%atom128, %thread_value, %tile)
        : (!Atom128, !ThreadValue, !fly.tile<[32|32]>) -> !Copy128
    %copy32 = fly.make_tiled_copy(%atom32, %thread_value, %tile)
        : (!Atom32, !ThreadValue, !fly.tile<[32|32]>) -> !Copy32

    // One LDS buffer, seen by rows and by columns.
    %lds = fly.make_ptr() {dictAttrs = {allocBytes = 4096 : i64,
        allocAlign = 16 : i64}}
        : () -> !fly.ptr<f32, shared, align<16>>
    %rows = fly.static : !Rows
    %columns = fly.static : !Columns
    %write_tile = fly.make_view(%lds, %rows)
        : (!fly.ptr<f32, shared, align<16>>, !Rows) -> !SharedRows
    %read_tile = fly.make_view(%lds, %columns)
        : (!fly.ptr<f32, shared, align<16>>, !Columns) -> !SharedColumns

    // The tile (row, column) of a goes to the tile (column, row) of b.
    %a_tiles = fly.zipped_divide(%a, %tile)
        : (!Matrix, !fly.tile<[32|32]>) -> !Tiles
    %b_tiles = fly.zipped_divide(%b, %tile)
        : (!Matrix, !fly.tile<[32|32]>) -> !Tiles
    %a_tile = fly.slice(%a_tiles, %a_coord)
        : (!Tiles, !fly.int_tuple<(*,(?,?))>) -> !Tile
    %b_tile = fly.slice(%b_tiles, %b_coord)
        : (!Tiles, !fly.int_tuple<(*,(?,?))>) -> !Tile

    // This thread's share of the four tiles.
    %a_part = fly.tiled_copy.partition_src(%copy128, %a_tile, %thread_coord)
        : (!Copy128, !Tile, !fly.int_tuple<?>) -> !GlobalPart
    %write_part = fly.tiled_copy.partition_dst(%copy128, %write_tile,
        %thread_coord)
        : (!Copy128, !SharedRows, !fly.int_tuple<?>) -> !WritePart
    %read_part = fly.tiled_copy.partition_src(%copy32, %read_tile,
        %thread_coord)
        : (!Copy32, !SharedColumns, !fly.int_tuple<?>) -> !ReadPart
    %b_part = fly.tiled_copy.partition_dst(%copy128, %b_tile, %thread_coord)
        : (!Copy128, !Tile, !fly.int_tuple<?>) -> !GlobalPart
    %a_frag = fly.make_fragment_like(%a_part) : (!GlobalPart) -> !Fragment128
    %read_frag = fly.make_fragment_like(%read_part) : (!ReadPart) -> !Fragment32
    %b_frag = fly.make_fragment_like(%b_part) : (!GlobalPart) -> !Fragment128

    // Global to LDS by rows, LDS to global by columns.
    fly.copy(%copy128, %a_part, %a_frag)
        : (!Copy128, !GlobalPart, !Fragment128) -> ()
    fly.copy(%copy128, %a_frag, %write_part)
        : (!Copy128, !Fragment128, !WritePart) -> ()
    gpu.barrier
    fly.copy(%copy32, %read_part, %read_frag)
        : (!Copy32, !ReadPart, !Fragment32) -> ()
    %values = fly.memref.load_vec(%read_frag) : (!Fragment32) -> vector<4xf32>
    fly.memref.store_vec(%values, %b_frag) : (vector<4xf32>, !Fragment128) -> ()
    fly.copy(%copy128, %b_frag, %b_part)
        : (!Copy128, !Fragment128, !GlobalPart) -> ()
    gpu.return
  }
}
