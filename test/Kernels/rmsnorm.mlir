// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y[i, :] = x[i, :] / sqrt(mean(x[i, :]^2) + eps) * gamma, bf16 in and out, f32
// between, for any number of rows and columns; row lengths and strides are
// multiples of 8 elements.
//
// 32 lanes own one row, so that the sum of squares needs shuffles only, neither
// LDS nor barriers: eight rows are in a workgroup of 256 threads, and the grid
// is max(1, ceil(rows / 8)). The tiled copy is one of 32 threads: each has
// eight columns, 16 bytes, of each tile of 256. The row is read twice.
//
//   thread t: lane t % 32 of row 8 * block + t / 32
//
// Kernel arguments: x as pointer and packed (rows, columns, row stride), gamma
// as pointer and length, y as x, i32; then eps, f32.

!Matrix = !fly.memref<bf16, global, (?,?{div=8}):(?{div=8},1), align<16>>
!Vector = !fly.memref<bf16, global, ?{div=8}:1, align<16>>
!Predicate = !fly.memref<i1, register, (1,1):(0,0)>

!Atom = !fly.copy_atom<!fly.universal_copy<128>, 16>
!TiledCopy = !fly.tiled_copy<!Atom, <(32,8):(8,1)>, <256>>
!Columns = !fly.coord_tensor<0, ?{div=8}:1>
!Parts = !fly.memref<bf16, global, ((8,1),?):((1,0),256), align<16>>
!ColumnParts = !fly.coord_tensor<?{div=8}, ((8,1),?):((1,0),256)>
!Part = !fly.memref<bf16, global, (8,1):(1,0), align<16>>
!ColumnPart = !fly.coord_tensor<?{div=8}, (8,1):(1,0)>
!Fragment = !fly.memref<bf16, register, (8,1):(1,0)>

gpu.module @kernels {
  gpu.func @rmsnorm(%x: !Matrix, %gamma: !Vector, %y: !Matrix, %eps: f32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block_id = gpu.block_id x
    %thread_id = gpu.thread_id x
    %block = arith.index_cast %block_id : index to i32
    %thread = arith.index_cast %thread_id : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32
    %zero_index = fly.make_int_tuple() : () -> !fly.int_tuple<0>

    // (thread, block) to (lane, row): a layout's coordinate and a layout's
    // index.
    %lanes_and_rows = fly.static : !fly.layout<(32,8):(1,32)>
    %thread_index = fly.make_int_tuple(%thread) : (i32) -> !fly.int_tuple<?>
    %where = fly.idx2crd(%thread_index, %lanes_and_rows)
        : (!fly.int_tuple<?>, !fly.layout<(32,8):(1,32)>)
        -> !fly.int_tuple<(?,?)>
    %lane, %row_in_block = fly.get_leaves(%where)
        : (!fly.int_tuple<(?,?)>) -> (i32, i32)
    %rows_in_blocks = fly.static : !fly.layout<(8,1048576):(1,8)>
    %row_where = fly.make_coord(%row_in_block, %block)
        : (i32, i32) -> !fly.int_tuple<(?,?)>
    %row_tuple = fly.crd2idx(%row_where, %rows_in_blocks)
        : (!fly.int_tuple<(?,?)>, !fly.layout<(8,1048576):(1,8)>)
        -> !fly.int_tuple<?>
    %row_index = fly.get_scalar(%row_tuple) : (!fly.int_tuple<?>) -> i32
    %lane_coord = fly.make_coord(%lane) : (i32) -> !fly.int_tuple<?>

    // This lane's share of the row, of gamma, and of the column numbers.
    %atom = fly.make_copy_atom {valBits = 16 : i32} : !Atom
    %thread_value = fly.static : !fly.layout<(32,8):(8,1)>
    %tile = fly.static : !fly.tile<256>
    %copy = fly.make_tiled_copy(%atom, %thread_value, %tile)
        : (!Atom, !fly.layout<(32,8):(8,1)>, !fly.tile<256>) -> !TiledCopy
    %row_coord = fly.make_coord(%row_index) : (i32) -> !fly.int_tuple<(?,*)>
    %x_row = fly.slice(%x, %row_coord)
        : (!Matrix, !fly.int_tuple<(?,*)>) -> !Vector
    %y_row = fly.slice(%y, %row_coord)
        : (!Matrix, !fly.int_tuple<(?,*)>) -> !Vector
    %layout = fly.get_layout(%x_row) : (!Vector) -> !fly.layout<?{div=8}:1>
    %columns = fly.make_view(%zero_index, %layout)
        : (!fly.int_tuple<0>, !fly.layout<?{div=8}:1>) -> !Columns
    %x_parts = fly.tiled_copy.partition_src(%copy, %x_row, %lane_coord)
        : (!TiledCopy, !Vector, !fly.int_tuple<?>) -> !Parts
    %gamma_parts = fly.tiled_copy.partition_src(%copy, %gamma, %lane_coord)
        : (!TiledCopy, !Vector, !fly.int_tuple<?>) -> !Parts
    %y_parts = fly.tiled_copy.partition_dst(%copy, %y_row, %lane_coord)
        : (!TiledCopy, !Vector, !fly.int_tuple<?>) -> !Parts
    %column_parts = fly.tiled_copy.partition_src(%copy, %columns, %lane_coord)
        : (!TiledCopy, !Columns, !fly.int_tuple<?>) -> !ColumnParts
    %tiles = fly.get(%x_parts) {mode = array<i32: 1>}
        : (!Parts) -> !fly.memref<bf16, global, ?:256, align<16>>
    %tile_count = fly.size(%tiles)
        : (!fly.memref<bf16, global, ?:256, align<16>>) -> !fly.int_tuple<?>
    %count = fly.get_scalar(%tile_count) : (!fly.int_tuple<?>) -> i32

    // Is there such a row? Columns are looked at tile by tile.
    %shape = fly.get_shape(%x) : (!Matrix) -> !fly.int_tuple<(?,?{div=8})>
    %rows, %n = fly.get_leaves(%shape)
        : (!fly.int_tuple<(?,?{div=8})>) -> (i32, i32)
    %row_inside = arith.cmpi slt, %row_index, %rows : i32
    %predicate_layout = fly.static : !fly.layout<(1,1):(0,0)>
    %predicate = fly.memref.alloca(%predicate_layout)
        : (!fly.layout<(1,1):(0,0)>) -> !Predicate

    // The sum of squares of this lane's elements.
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<8xbf16>
    %own = scf.for %k = %c0 to %count step %c1 iter_args(%acc = %zero)
        -> (f32) : i32 {
      %k_coord = fly.make_coord(%k) : (i32) -> !fly.int_tuple<(*,?)>
      %part = fly.slice(%x_parts, %k_coord)
          : (!Parts, !fly.int_tuple<(*,?)>) -> !Part
      %column_part = fly.slice(%column_parts, %k_coord)
          : (!ColumnParts, !fly.int_tuple<(*,?)>) -> !ColumnPart
      %first = fly.get_iter(%column_part)
          : (!ColumnPart) -> !fly.int_tuple<?{div=8}>
      %column = fly.get_scalar(%first) : (!fly.int_tuple<?{div=8}>) -> i32
      %column_inside = arith.cmpi slt, %column, %n : i32
      %inside = arith.andi %row_inside, %column_inside : i1
      fly.memref.store(%inside, %predicate, %zero_index)
          : (i1, !Predicate, !fly.int_tuple<0>) -> ()
      %frag = fly.make_fragment_like(%part) : (!Part) -> !Fragment
      fly.memref.store_vec(%zeros, %frag) : (vector<8xbf16>, !Fragment) -> ()
      fly.copy(%copy, %part, %frag, %predicate)
          : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
      %x_bf16 = fly.memref.load_vec(%frag) : (!Fragment) -> vector<8xbf16>
      %x_f32 = arith.extf %x_bf16 : vector<8xbf16> to vector<8xf32>
      %squares = arith.mulf %x_f32, %x_f32 : vector<8xf32>
      %next = vector.reduction <add>, %squares, %acc : vector<8xf32> into f32
      scf.yield %next : f32
    }

    // The sum of the row, in all its lanes.
    %sum = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %own)
        -> (f32) : i32 {
      %offset = arith.shli %c1, %i : i32
      %other, %valid = gpu.shuffle xor %acc, %offset, %c32 : f32
      %next = arith.addf %acc, %other : f32
      scf.yield %next : f32
    }
    %one = arith.constant 1.0 : f32
    %n_f32 = arith.sitofp %n : i32 to f32
    %mean = arith.divf %sum, %n_f32 : f32
    %positive = arith.addf %mean, %eps : f32
    %root = math.sqrt %positive : f32
    %scale = arith.divf %one, %root : f32
    %scale8 = vector.broadcast %scale : f32 to vector<8xf32>

    scf.for %k = %c0 to %count step %c1 : i32 {
      %k_coord = fly.make_coord(%k) : (i32) -> !fly.int_tuple<(*,?)>
      %x_part = fly.slice(%x_parts, %k_coord)
          : (!Parts, !fly.int_tuple<(*,?)>) -> !Part
      %gamma_part = fly.slice(%gamma_parts, %k_coord)
          : (!Parts, !fly.int_tuple<(*,?)>) -> !Part
      %y_part = fly.slice(%y_parts, %k_coord)
          : (!Parts, !fly.int_tuple<(*,?)>) -> !Part
      %column_part = fly.slice(%column_parts, %k_coord)
          : (!ColumnParts, !fly.int_tuple<(*,?)>) -> !ColumnPart
      %first = fly.get_iter(%column_part)
          : (!ColumnPart) -> !fly.int_tuple<?{div=8}>
      %column = fly.get_scalar(%first) : (!fly.int_tuple<?{div=8}>) -> i32
      %column_inside = arith.cmpi slt, %column, %n : i32
      %inside = arith.andi %row_inside, %column_inside : i1
      fly.memref.store(%inside, %predicate, %zero_index)
          : (i1, !Predicate, !fly.int_tuple<0>) -> ()
      %x_frag = fly.make_fragment_like(%x_part) : (!Part) -> !Fragment
      %gamma_frag = fly.make_fragment_like(%x_part) : (!Part) -> !Fragment
      fly.copy(%copy, %x_part, %x_frag, %predicate)
          : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
      fly.copy(%copy, %gamma_part, %gamma_frag, %predicate)
          : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
      %x_bf16 = fly.memref.load_vec(%x_frag) : (!Fragment) -> vector<8xbf16>
      %gamma_bf16 = fly.memref.load_vec(%gamma_frag)
          : (!Fragment) -> vector<8xbf16>
      %x_f32 = arith.extf %x_bf16 : vector<8xbf16> to vector<8xf32>
      %gamma_f32 = arith.extf %gamma_bf16 : vector<8xbf16> to vector<8xf32>
      %normal = arith.mulf %x_f32, %scale8 : vector<8xf32>
      %result = arith.mulf %normal, %gamma_f32 : vector<8xf32>
      %y_bf16 = arith.truncf %result : vector<8xf32> to vector<8xbf16>
      fly.memref.store_vec(%y_bf16, %x_frag) : (vector<8xbf16>, !Fragment) -> ()
      fly.copy(%copy, %x_frag, %y_part, %predicate)
          : (!TiledCopy, !Fragment, !Part, !Predicate) -> ()
    }
    gpu.return
  }
}
