// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// s[i] = x[i, 0] + x[i, 1] + ..., f32, for any number of rows and columns (0
// too, whose sum is 0).
//
// One workgroup of 256 threads reduces one row; the grid is the number of rows.
// Every thread sums its four columns of each tile of 1024; then sums meet in
// two steps:
//
//   32 lanes   gpu.shuffle with lane ^ 1, ^ 2, ^ 4, ^ 8, ^ 16
//   8 groups   lane 0 of each puts its sum into LDS, everybody reads all eight
//
// Groups of 32 lanes exist for every wave size, so that one file serves all
// chips. A predicated copy leaves what it does not load as it was: the fragment
// is cleared first, and elements behind the row's end count as zeros.
//
// Kernel arguments: x as pointer and packed (rows, columns, row stride), s as
// pointer and length, all i32.

!Matrix = !fly.memref<f32, global, (?,?):(?,1)>
!Vector = !fly.memref<f32, global, ?:1>
!Shared = !fly.memref<f32, shared, 8:1, align<16>>

!Atom = !fly.copy_atom<!fly.universal_copy<32>, 32>
!TiledCopy = !fly.tiled_copy<!Atom, <(256,4):(1,256)>, <1024>>
!Row = !fly.memref<f32, global, ?:1>
!Parts = !fly.memref<f32, global, ((1,4),?):((0,256),1024)>
!ColumnParts = !fly.coord_tensor<?, ((1,4),?):((0,256),1024)>
!Part = !fly.memref<f32, global, (1,4):(0,256)>
!ColumnPart = !fly.coord_tensor<?, (1,4):(0,256)>
!Predicate = !fly.memref<i1, register, (1,4):(0,1)>
!Fragment = !fly.memref<f32, register, (1,4):(0,1)>

gpu.module @kernels {
  gpu.func @row_sum(%x: !Matrix, %s: !Vector) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block_id = gpu.block_id x
    %thread_id = gpu.thread_id x
    %row_index = arith.index_cast %block_id : index to i32
    %thread = arith.index_cast %thread_id : index to i32
    %thread_coord = fly.make_coord(%thread) : (i32) -> !fly.int_tuple<?>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32

    // The row of this workgroup, and the numbers of its columns.
    %atom = fly.make_copy_atom {valBits = 32 : i32} : !Atom
    %thread_value = fly.static : !fly.layout<(256,4):(1,256)>
    %tile = fly.static : !fly.tile<1024>
    %copy = fly.make_tiled_copy(%atom, %thread_value, %tile)
        : (!Atom, !fly.layout<(256,4):(1,256)>, !fly.tile<1024>) -> !TiledCopy
    %row_coord = fly.make_coord(%row_index) : (i32) -> !fly.int_tuple<(?,*)>
    %row = fly.slice(%x, %row_coord) : (!Matrix, !fly.int_tuple<(?,*)>) -> !Row
    %layout = fly.get_layout(%row) : (!Row) -> !fly.layout<?:1>
    %zero_index = fly.make_int_tuple() : () -> !fly.int_tuple<0>
    %columns = fly.make_view(%zero_index, %layout)
        : (!fly.int_tuple<0>, !fly.layout<?:1>) -> !fly.coord_tensor<0, ?:1>

    // This thread's share: of every tile, four columns that are 256 apart.
    %parts = fly.tiled_copy.partition_src(%copy, %row, %thread_coord)
        : (!TiledCopy, !Row, !fly.int_tuple<?>) -> !Parts
    %column_parts = fly.tiled_copy.partition_src(%copy, %columns, %thread_coord)
        : (!TiledCopy, !fly.coord_tensor<0, ?:1>, !fly.int_tuple<?>)
        -> !ColumnParts
    %tiles = fly.get(%parts) {mode = array<i32: 1>}
        : (!Parts) -> !fly.memref<f32, global, ?:1024>
    %tile_count = fly.size(%tiles)
        : (!fly.memref<f32, global, ?:1024>) -> !fly.int_tuple<?>
    %count = fly.get_scalar(%tile_count) : (!fly.int_tuple<?>) -> i32
    %length = fly.size(%layout) : (!fly.layout<?:1>) -> !fly.int_tuple<?>
    %n = fly.get_scalar(%length) : (!fly.int_tuple<?>) -> i32
    %n4 = vector.broadcast %n : i32 to vector<4xi32>

    // Sum the tiles into four values.
    %zero4 = arith.constant dense<0.0> : vector<4xf32>
    %sum4 = scf.for %k = %c0 to %count step %c1 iter_args(%acc = %zero4)
        -> (vector<4xf32>) : i32 {
      %k_coord = fly.make_coord(%k) : (i32) -> !fly.int_tuple<(*,?)>
      %part = fly.slice(%parts, %k_coord)
          : (!Parts, !fly.int_tuple<(*,?)>) -> !Part
      %column_part = fly.slice(%column_parts, %k_coord)
          : (!ColumnParts, !fly.int_tuple<(*,?)>) -> !ColumnPart
      %j = fly.memref.load_vec(%column_part) : (!ColumnPart) -> vector<4xi32>
      %inside = arith.cmpi slt, %j, %n4 : vector<4xi32>
      %predicate = fly.make_fragment_like(%part, i1) : (!Part) -> !Predicate
      fly.memref.store_vec(%inside, %predicate)
          : (vector<4xi1>, !Predicate) -> ()
      %frag = fly.make_fragment_like(%part) : (!Part) -> !Fragment
      fly.memref.store_vec(%zero4, %frag) : (vector<4xf32>, !Fragment) -> ()
      fly.copy(%copy, %part, %frag, %predicate)
          : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
      %values = fly.memref.load_vec(%frag) : (!Fragment) -> vector<4xf32>
      %next = arith.addf %acc, %values : vector<4xf32>
      scf.yield %next : vector<4xf32>
    }
    %own = vector.reduction <add>, %sum4 : vector<4xf32> into f32

    // The sum of 32 lanes, in each of them.
    %lanes = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %own)
        -> (f32) : i32 {
      %offset = arith.shli %c1, %i : i32
      %other, %valid = gpu.shuffle xor %acc, %offset, %c32 : f32
      %next = arith.addf %acc, %other : f32
      scf.yield %next : f32
    }

    // The sum of the eight groups.
    %lds = fly.make_ptr() {dictAttrs = {allocBytes = 32 : i64,
        allocAlign = 16 : i64}} : () -> !fly.ptr<f32, shared, align<16>>
    %group_layout = fly.static : !fly.layout<8:1>
    %shared = fly.make_view(%lds, %group_layout)
        : (!fly.ptr<f32, shared, align<16>>, !fly.layout<8:1>) -> !Shared
    %lane_and_group = fly.static : !fly.layout<(32,8):(1,32)>
    %where = fly.idx2crd(%thread_coord, %lane_and_group)
        : (!fly.int_tuple<?>, !fly.layout<(32,8):(1,32)>)
        -> !fly.int_tuple<(?,?)>
    %lane, %group = fly.get_leaves(%where)
        : (!fly.int_tuple<(?,?)>) -> (i32, i32)
    %first_lane = arith.cmpi eq, %lane, %c0 : i32
    scf.if %first_lane {
      %group_coord = fly.make_coord(%group) : (i32) -> !fly.int_tuple<?>
      fly.memref.store(%lanes, %shared, %group_coord)
          : (f32, !Shared, !fly.int_tuple<?>) -> ()
    }
    gpu.barrier
    %sums = fly.memref.load_vec(%shared) : (!Shared) -> vector<8xf32>
    %sum = vector.reduction <add>, %sums : vector<8xf32> into f32

    %first_thread = arith.cmpi eq, %thread, %c0 : i32
    scf.if %first_thread {
      %s_coord = fly.make_coord(%row_index) : (i32) -> !fly.int_tuple<?>
      fly.memref.store(%sum, %s, %s_coord)
          : (f32, !Vector, !fly.int_tuple<?>) -> ()
    }
    gpu.return
  }
}
