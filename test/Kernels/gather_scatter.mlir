// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// b[to[i], :] = a[from[i], :] for 0 <= i < n: rows are gathered from one table
// and scattered into another. Pairs of which a number is no row of its table
// are skipped. f32; row lengths and strides are multiples of 4 elements.
//
// One workgroup of 256 threads moves 8 rows, 128 columns of each; the grid is
// (ceil(columns / 128), ceil(n / 8)), at least (1, 1). A slice of a table at a
// coordinate that was loaded from memory is a row like any other: it is cut
// into tiles and partitioned over 32 threads, 16 bytes a thread.
//
//   thread t: lane t % 32, pair 8 * block + t / 32
//
// Kernel arguments: from and to as pointer and length, a and b as pointer and
// packed (rows, columns, row stride), all i32.

!Indices = !fly.memref<i32, global, ?:1>
!Table = !fly.memref<f32, global, (?,?{div=4}):(?{div=4},1), align<16>>

!Atom = !fly.copy_atom<!fly.universal_copy<128>, 32>
!TiledCopy = !fly.tiled_copy<!Atom, <(32,4):(4,1)>, <128>>
!Predicate = !fly.memref<i1, register, ((1,1),1):((0,0),0)>
!Row = !fly.memref<f32, global, ?{div=4}:1, align<16>>
!Tiles = !fly.memref<f32, global, (128,?):(1,128), align<16>>
!Tile = !fly.memref<f32, global, 128:1, align<16>>
!Part = !fly.memref<f32, global, ((4,1),1):((1,0),0), align<16>>
!Columns = !fly.coord_tensor<0, ?{div=4}:1>
!ColumnTiles = !fly.coord_tensor<0, (128,?):(1,128)>
!ColumnTile = !fly.coord_tensor<?{div=128}, 128:1>
!ColumnPart = !fly.coord_tensor<?{div=4}, ((4,1),1):((1,0),0)>
!Fragment = !fly.memref<f32, register, ((4,1),1):((1,0),0)>

gpu.module @kernels {
  gpu.func @gather_scatter(%from: !Indices, %to: !Indices, %a: !Table,
      %b: !Table) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block_x = gpu.block_id x
    %block_y = gpu.block_id y
    %thread_id = gpu.thread_id x
    %column_block = arith.index_cast %block_x : index to i32
    %pair_block = arith.index_cast %block_y : index to i32
    %thread = arith.index_cast %thread_id : index to i32

    // Thread to (lane, pair); the pairs of the grid are 8 in a block.
    %threads = fly.static : !fly.layout<(32,8):(1,32)>
    %thread_index = fly.make_int_tuple(%thread) : (i32) -> !fly.int_tuple<?>
    %where = fly.idx2crd(%thread_index, %threads)
        : (!fly.int_tuple<?>, !fly.layout<(32,8):(1,32)>)
        -> !fly.int_tuple<(?,?)>
    %lane, %pair_in_block = fly.get_leaves(%where)
        : (!fly.int_tuple<(?,?)>) -> (i32, i32)
    %pairs = fly.static : !fly.layout<(8,1048576):(1,8)>
    %pair_coord = fly.make_coord(%pair_in_block, %pair_block)
        : (i32, i32) -> !fly.int_tuple<(?,?)>
    %pair_index = fly.crd2idx(%pair_coord, %pairs)
        : (!fly.int_tuple<(?,?)>, !fly.layout<(8,1048576):(1,8)>)
        -> !fly.int_tuple<?>
    %pair = fly.get_scalar(%pair_index) : (!fly.int_tuple<?>) -> i32

    // The row numbers, -1 where there is no pair.
    %length_tuple = fly.size(%from) : (!Indices) -> !fly.int_tuple<?>
    %length = fly.get_scalar(%length_tuple) : (!fly.int_tuple<?>) -> i32
    %exists = arith.cmpi slt, %pair, %length : i32
    %from_row, %to_row = scf.if %exists -> (i32, i32) {
      %f = fly.memref.load(%from, %pair_index)
          : (!Indices, !fly.int_tuple<?>) -> i32
      %t = fly.memref.load(%to, %pair_index)
          : (!Indices, !fly.int_tuple<?>) -> i32
      scf.yield %f, %t : i32, i32
    } else {
      %none = arith.constant -1 : i32
      scf.yield %none, %none : i32, i32
    }

    // The two rows, cut into tiles of 128; this thread's four columns of them.
    %from_coord = fly.make_coord(%from_row) : (i32) -> !fly.int_tuple<(?,*)>
    %to_coord = fly.make_coord(%to_row) : (i32) -> !fly.int_tuple<(?,*)>
    %a_row = fly.slice(%a, %from_coord)
        : (!Table, !fly.int_tuple<(?,*)>) -> !Row
    %b_row = fly.slice(%b, %to_coord) : (!Table, !fly.int_tuple<(?,*)>) -> !Row
    %tile = fly.static : !fly.tile<128>
    %tile_coord = fly.make_coord(%column_block) : (i32) -> !fly.int_tuple<(*,?)>
    %a_tiles = fly.zipped_divide(%a_row, %tile)
        : (!Row, !fly.tile<128>) -> !Tiles
    %b_tiles = fly.zipped_divide(%b_row, %tile)
        : (!Row, !fly.tile<128>) -> !Tiles
    %a_tile = fly.slice(%a_tiles, %tile_coord)
        : (!Tiles, !fly.int_tuple<(*,?)>) -> !Tile
    %b_tile = fly.slice(%b_tiles, %tile_coord)
        : (!Tiles, !fly.int_tuple<(*,?)>) -> !Tile
    %atom = fly.make_copy_atom {valBits = 32 : i32} : !Atom
    %thread_value = fly.static : !fly.layout<(32,4):(4,1)>
    %copy = fly.make_tiled_copy(%atom, %thread_value, %tile)
        : (!Atom, !fly.layout<(32,4):(4,1)>, !fly.tile<128>) -> !TiledCopy
    %lane_coord = fly.make_coord(%lane) : (i32) -> !fly.int_tuple<?>
    %a_part = fly.tiled_copy.partition_src(%copy, %a_tile, %lane_coord)
        : (!TiledCopy, !Tile, !fly.int_tuple<?>) -> !Part
    %b_part = fly.tiled_copy.partition_dst(%copy, %b_tile, %lane_coord)
        : (!TiledCopy, !Tile, !fly.int_tuple<?>) -> !Part

    // The same partition of the columns 0, 1, ... gives this thread's first
    // one; its four stand or fall together, as row lengths are multiples of 4.
    %row_layout = fly.get_layout(%a_row) : (!Row) -> !fly.layout<?{div=4}:1>
    %zero = fly.make_int_tuple() : () -> !fly.int_tuple<0>
    %columns = fly.make_view(%zero, %row_layout)
        : (!fly.int_tuple<0>, !fly.layout<?{div=4}:1>) -> !Columns
    %column_tiles = fly.zipped_divide(%columns, %tile)
        : (!Columns, !fly.tile<128>) -> !ColumnTiles
    %column_tile = fly.slice(%column_tiles, %tile_coord)
        : (!ColumnTiles, !fly.int_tuple<(*,?)>) -> !ColumnTile
    %column_part = fly.tiled_copy.partition_src(%copy, %column_tile,
        %lane_coord)
        : (!TiledCopy, !ColumnTile, !fly.int_tuple<?>) -> !ColumnPart
    %first = fly.get_iter(%column_part)
        : (!ColumnPart) -> !fly.int_tuple<?{div=4}>
    %column = fly.get_scalar(%first) : (!fly.int_tuple<?{div=4}>) -> i32

    // In bounds: a row of a, a row of b, a column. Unsigned, so -1 is not.
    %a_shape = fly.get_shape(%a) : (!Table) -> !fly.int_tuple<(?,?{div=4})>
    %b_shape = fly.get_shape(%b) : (!Table) -> !fly.int_tuple<(?,?{div=4})>
    %a_rows, %a_columns = fly.get_leaves(%a_shape)
        : (!fly.int_tuple<(?,?{div=4})>) -> (i32, i32)
    %b_rows, %b_columns = fly.get_leaves(%b_shape)
        : (!fly.int_tuple<(?,?{div=4})>) -> (i32, i32)
    %a_inside = arith.cmpi ult, %from_row, %a_rows : i32
    %b_inside = arith.cmpi ult, %to_row, %b_rows : i32
    %column_inside = arith.cmpi ult, %column, %a_columns : i32
    %rows_inside = arith.andi %a_inside, %b_inside : i1
    %inside = arith.andi %rows_inside, %column_inside : i1
    %predicate_layout = fly.static : !fly.layout<((1,1),1):((0,0),0)>
    %predicate = fly.memref.alloca(%predicate_layout)
        : (!fly.layout<((1,1),1):((0,0),0)>) -> !Predicate
    fly.memref.store(%inside, %predicate, %zero)
        : (i1, !Predicate, !fly.int_tuple<0>) -> ()

    %frag = fly.make_fragment_like(%a_part) : (!Part) -> !Fragment
    fly.copy(%copy, %a_part, %frag, %predicate)
        : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
    fly.copy(%copy, %frag, %b_part, %predicate)
        : (!TiledCopy, !Fragment, !Part, !Predicate) -> ()
    gpu.return
  }
}
