// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y[i, j] = alpha[i] * x[j] + y[i, j], in place, f32, for any rows x columns.
//
// One workgroup of 256 threads owns a tile of 8x128; the grid is
// (ceil(columns / 128), ceil(rows / 8)), at least (1, 1).
//
// Broadcasting is a stride of zero. The vectors alpha and x are seen as
// matrices of y's shape, which no memory backs more than once:
//
//   alpha  (rows,columns):(1,0)    element (i, j) is alpha[i]
//   x      (rows,columns):(0,1)    element (i, j) is x[j]
//
// so that one tiled copy partitions all three alike. The same two layouts over
// the number 0 instead of a pointer give the row and the column of each
// element, from which the predicate is made: nothing outside of the matrices
// is read or written.
//
// Kernel arguments: alpha and x as pointer and length, y as pointer and packed
// (rows, columns, row stride), all i32.

!Vector = !fly.memref<f32, global, ?:1>
!Matrix = !fly.memref<f32, global, (?,?):(?,1)>

!Atom = !fly.copy_atom<!fly.universal_copy<32>, 32>
!TiledCopy = !fly.tiled_copy<!Atom, <((32,8),4):((8,1),256)>, <[8|128]>>
!ThreadValue = !fly.layout<((32,8),4):((8,1),256)>
!ByRow = !fly.memref<f32, global, (?,?):(1,0)>
!ByColumn = !fly.memref<f32, global, (?,?):(0,1)>
!Rows = !fly.coord_tensor<0, (?,?):(1,0)>
!Columns = !fly.coord_tensor<0, (?,?):(0,1)>
!ByRowTiles = !fly.memref<f32, global, ((8,128),(?,?)):((1,0),(8,0))>
!ByColumnTiles = !fly.memref<f32, global, ((8,128),(?,?)):((0,1),(0,128))>
!Tiles = !fly.memref<f32, global, ((8,128),(?,?)):((?,1),(?{div=8},128))>
!RowTiles = !fly.coord_tensor<0, ((8,128),(?,?)):((1,0),(8,0))>
!ColumnTiles = !fly.coord_tensor<0, ((8,128),(?,?)):((0,1),(0,128))>
!ByRowTile = !fly.memref<f32, global, (8,128):(1,0)>
!ByColumnTile = !fly.memref<f32, global, (8,128):(0,1)>
!Tile = !fly.memref<f32, global, (8,128):(?,1)>
!RowTile = !fly.coord_tensor<?{div=8}, (8,128):(1,0)>
!ColumnTile = !fly.coord_tensor<?{div=128}, (8,128):(0,1)>
!AlphaPart = !fly.memref<f32, global, ((1,4),1,1):((0,0),0,0)>
!Part = !fly.memref<f32, global, ((1,4),1,1):((0,32),0,0)>
!RowPart = !fly.coord_tensor<?, ((1,4),1,1):((0,0),0,0)>
!ColumnPart = !fly.coord_tensor<?, ((1,4),1,1):((0,32),0,0)>
!Predicate = !fly.memref<i1, register, ((1,4),1,1):((0,1),0,0)>
!Fragment = !fly.memref<f32, register, ((1,4),1,1):((0,1),0,0)>

gpu.module @kernels {
  gpu.func @axpy(%alpha: !Vector, %x: !Vector, %y: !Matrix) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block_x = gpu.block_id x
    %block_y = gpu.block_id y
    %thread_id = gpu.thread_id x
    %column = arith.index_cast %block_x : index to i32
    %row = arith.index_cast %block_y : index to i32
    %thread = arith.index_cast %thread_id : index to i32
    %tile_coord = fly.make_coord(%row, %column)
        : (i32, i32) -> !fly.int_tuple<(*,(?,?))>
    %thread_coord = fly.make_coord(%thread) : (i32) -> !fly.int_tuple<?>

    // Thread t owns row t / 32 of the tile and the columns t % 32 + 32 * v.
    %atom = fly.make_copy_atom {valBits = 32 : i32} : !Atom
    %thread_value = fly.static : !ThreadValue
    %tile = fly.static : !fly.tile<[8|128]>
    %copy = fly.make_tiled_copy(%atom, %thread_value, %tile)
        : (!Atom, !ThreadValue, !fly.tile<[8|128]>) -> !TiledCopy

    // The vectors as matrices, and the rows and columns of the elements.
    %shape = fly.get_shape(%y) : (!Matrix) -> !fly.int_tuple<(?,?)>
    %by_row = fly.make_int_tuple() : () -> !fly.int_tuple<(1,0)>
    %by_column = fly.make_int_tuple() : () -> !fly.int_tuple<(0,1)>
    %row_layout = fly.make_layout(%shape, %by_row)
        : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(1,0)>)
        -> !fly.layout<(?,?):(1,0)>
    %column_layout = fly.make_layout(%shape, %by_column)
        : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(0,1)>)
        -> !fly.layout<(?,?):(0,1)>
    %alpha_ptr = fly.get_iter(%alpha) : (!Vector) -> !fly.ptr<f32, global>
    %x_ptr = fly.get_iter(%x) : (!Vector) -> !fly.ptr<f32, global>
    %zero = fly.make_int_tuple() : () -> !fly.int_tuple<0>
    %alphas = fly.make_view(%alpha_ptr, %row_layout)
        : (!fly.ptr<f32, global>, !fly.layout<(?,?):(1,0)>) -> !ByRow
    %xs = fly.make_view(%x_ptr, %column_layout)
        : (!fly.ptr<f32, global>, !fly.layout<(?,?):(0,1)>) -> !ByColumn
    %rows = fly.make_view(%zero, %row_layout)
        : (!fly.int_tuple<0>, !fly.layout<(?,?):(1,0)>) -> !Rows
    %columns = fly.make_view(%zero, %column_layout)
        : (!fly.int_tuple<0>, !fly.layout<(?,?):(0,1)>) -> !Columns

    // Cut all of them into tiles; take the tile of this workgroup.
    %alpha_tiles = fly.zipped_divide(%alphas, %tile)
        : (!ByRow, !fly.tile<[8|128]>) -> !ByRowTiles
    %x_tiles = fly.zipped_divide(%xs, %tile)
        : (!ByColumn, !fly.tile<[8|128]>) -> !ByColumnTiles
    %y_tiles = fly.zipped_divide(%y, %tile)
        : (!Matrix, !fly.tile<[8|128]>) -> !Tiles
    %row_tiles = fly.zipped_divide(%rows, %tile)
        : (!Rows, !fly.tile<[8|128]>) -> !RowTiles
    %column_tiles = fly.zipped_divide(%columns, %tile)
        : (!Columns, !fly.tile<[8|128]>) -> !ColumnTiles
    %alpha_tile = fly.slice(%alpha_tiles, %tile_coord)
        : (!ByRowTiles, !fly.int_tuple<(*,(?,?))>) -> !ByRowTile
    %x_tile = fly.slice(%x_tiles, %tile_coord)
        : (!ByColumnTiles, !fly.int_tuple<(*,(?,?))>) -> !ByColumnTile
    %y_tile = fly.slice(%y_tiles, %tile_coord)
        : (!Tiles, !fly.int_tuple<(*,(?,?))>) -> !Tile
    %row_tile = fly.slice(%row_tiles, %tile_coord)
        : (!RowTiles, !fly.int_tuple<(*,(?,?))>) -> !RowTile
    %column_tile = fly.slice(%column_tiles, %tile_coord)
        : (!ColumnTiles, !fly.int_tuple<(*,(?,?))>) -> !ColumnTile

    // This thread's share: one row, four columns of each.
    %alpha_part = fly.tiled_copy.partition_src(%copy, %alpha_tile,
        %thread_coord)
        : (!TiledCopy, !ByRowTile, !fly.int_tuple<?>) -> !AlphaPart
    %x_part = fly.tiled_copy.partition_src(%copy, %x_tile, %thread_coord)
        : (!TiledCopy, !ByColumnTile, !fly.int_tuple<?>) -> !Part
    %y_part = fly.tiled_copy.partition_src(%copy, %y_tile, %thread_coord)
        : (!TiledCopy, !Tile, !fly.int_tuple<?>) -> !Part
    %row_part = fly.tiled_copy.partition_src(%copy, %row_tile, %thread_coord)
        : (!TiledCopy, !RowTile, !fly.int_tuple<?>) -> !RowPart
    %column_part = fly.tiled_copy.partition_src(%copy, %column_tile,
        %thread_coord)
        : (!TiledCopy, !ColumnTile, !fly.int_tuple<?>) -> !ColumnPart

    // The predicate: row < rows and column < columns.
    %row_count, %column_count = fly.get_leaves(%shape)
        : (!fly.int_tuple<(?,?)>) -> (i32, i32)
    %row_counts = vector.broadcast %row_count : i32 to vector<4xi32>
    %column_counts = vector.broadcast %column_count : i32 to vector<4xi32>
    %i = fly.memref.load_vec(%row_part) : (!RowPart) -> vector<4xi32>
    %j = fly.memref.load_vec(%column_part) : (!ColumnPart) -> vector<4xi32>
    %i_inside = arith.cmpi slt, %i, %row_counts : vector<4xi32>
    %j_inside = arith.cmpi slt, %j, %column_counts : vector<4xi32>
    %inside = arith.andi %i_inside, %j_inside : vector<4xi1>
    %predicate = fly.make_fragment_like(%y_part, i1) : (!Part) -> !Predicate
    fly.memref.store_vec(%inside, %predicate) : (vector<4xi1>, !Predicate) -> ()

    // Load, multiply and add with one rounding, store.
    %x_frag = fly.make_fragment_like(%x_part) : (!Part) -> !Fragment
    %alpha_frag = fly.make_fragment_like(%x_part) : (!Part) -> !Fragment
    %y_frag = fly.make_fragment_like(%y_part) : (!Part) -> !Fragment
    fly.copy(%copy, %alpha_part, %alpha_frag, %predicate)
        : (!TiledCopy, !AlphaPart, !Fragment, !Predicate) -> ()
    fly.copy(%copy, %x_part, %x_frag, %predicate)
        : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
    fly.copy(%copy, %y_part, %y_frag, %predicate)
        : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
    %va = fly.memref.load_vec(%alpha_frag) : (!Fragment) -> vector<4xf32>
    %vx = fly.memref.load_vec(%x_frag) : (!Fragment) -> vector<4xf32>
    %vy = fly.memref.load_vec(%y_frag) : (!Fragment) -> vector<4xf32>
    %result = math.fma %va, %vx, %vy : vector<4xf32>
    fly.memref.store_vec(%result, %y_frag) : (vector<4xf32>, !Fragment) -> ()
    fly.copy(%copy, %y_frag, %y_part, %predicate)
        : (!TiledCopy, !Fragment, !Part, !Predicate) -> ()
    gpu.return
  }
}
