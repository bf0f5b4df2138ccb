// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y[i, :] = softmax(x[i, :]), f32, for any number of rows and columns.
//
// One workgroup of 256 threads owns one row; the grid is the number of rows.
// The row is read twice. The first time, every thread keeps the largest value m
// that it has met and the sum s of exp(x - m); two such pairs join to one:
//
//   m = max(m1, m2)      s = s1 * exp(m1 - m) + s2 * exp(m2 - m)
//
// tile by tile in a thread, then across 32 lanes, then across the 8 groups of
// lanes, as in row_sum.mlir. The second time, exp(x - m) / s is written.
//
// exp(d) is exp2(d * log2(e)), and exp2 with the flag afn is the hardware's
// instruction. What lies behind the row's end counts as -inf, and m starts at
// the lowest finite number, so that no difference is inf - inf.
//
// Kernel arguments: x and y as pointer and packed (rows, columns, row stride),
// all i32.

!Matrix = !fly.memref<f32, global, (?,?):(?,1)>
!Shared = !fly.memref<f32, shared, (8,2):(1,8), align<16>>

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
  gpu.func @softmax(%x: !Matrix, %y: !Matrix) kernel
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
    %log2e = arith.constant 1.44269504 : f32
    %log2e4 = arith.constant dense<1.44269504> : vector<4xf32>
    %log2e8 = arith.constant dense<1.44269504> : vector<8xf32>
    %lowest = arith.constant -3.40282347E+38 : f32
    %minus_inf4 = arith.constant dense<0xFF800000> : vector<4xf32>
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32

    // The rows of this workgroup, and the numbers of their columns.
    %atom = fly.make_copy_atom {valBits = 32 : i32} : !Atom
    %thread_value = fly.static : !fly.layout<(256,4):(1,256)>
    %tile = fly.static : !fly.tile<1024>
    %copy = fly.make_tiled_copy(%atom, %thread_value, %tile)
        : (!Atom, !fly.layout<(256,4):(1,256)>, !fly.tile<1024>) -> !TiledCopy
    %row_coord = fly.make_coord(%row_index) : (i32) -> !fly.int_tuple<(?,*)>
    %x_row = fly.slice(%x, %row_coord)
        : (!Matrix, !fly.int_tuple<(?,*)>) -> !Row
    %y_row = fly.slice(%y, %row_coord)
        : (!Matrix, !fly.int_tuple<(?,*)>) -> !Row
    %layout = fly.get_layout(%x_row) : (!Row) -> !fly.layout<?:1>
    %zero_index = fly.make_int_tuple() : () -> !fly.int_tuple<0>
    %columns = fly.make_view(%zero_index, %layout)
        : (!fly.int_tuple<0>, !fly.layout<?:1>) -> !fly.coord_tensor<0, ?:1>

    // This thread's share: of every tile, four columns that are 256 apart.
    %x_parts = fly.tiled_copy.partition_src(%copy, %x_row, %thread_coord)
        : (!TiledCopy, !Row, !fly.int_tuple<?>) -> !Parts
    %y_parts = fly.tiled_copy.partition_dst(%copy, %y_row, %thread_coord)
        : (!TiledCopy, !Row, !fly.int_tuple<?>) -> !Parts
    %column_parts = fly.tiled_copy.partition_src(%copy, %columns, %thread_coord)
        : (!TiledCopy, !fly.coord_tensor<0, ?:1>, !fly.int_tuple<?>)
        -> !ColumnParts
    %tiles = fly.get(%x_parts) {mode = array<i32: 1>}
        : (!Parts) -> !fly.memref<f32, global, ?:1024>
    %tile_count = fly.size(%tiles)
        : (!fly.memref<f32, global, ?:1024>) -> !fly.int_tuple<?>
    %count = fly.get_scalar(%tile_count) : (!fly.int_tuple<?>) -> i32
    %length = fly.size(%layout) : (!fly.layout<?:1>) -> !fly.int_tuple<?>
    %n = fly.get_scalar(%length) : (!fly.int_tuple<?>) -> i32
    %n4 = vector.broadcast %n : i32 to vector<4xi32>

    // First time: m and s of this thread's values.
    %m1, %s1 = scf.for %k = %c0 to %count step %c1
        iter_args(%m = %lowest, %s = %zero) -> (f32, f32) : i32 {
      %k_coord = fly.make_coord(%k) : (i32) -> !fly.int_tuple<(*,?)>
      %x_part = fly.slice(%x_parts, %k_coord)
          : (!Parts, !fly.int_tuple<(*,?)>) -> !Part
      %column_part = fly.slice(%column_parts, %k_coord)
          : (!ColumnParts, !fly.int_tuple<(*,?)>) -> !ColumnPart
      %j = fly.memref.load_vec(%column_part) : (!ColumnPart) -> vector<4xi32>
      %inside = arith.cmpi slt, %j, %n4 : vector<4xi32>
      %predicate = fly.make_fragment_like(%x_part, i1) : (!Part) -> !Predicate
      fly.memref.store_vec(%inside, %predicate)
          : (vector<4xi1>, !Predicate) -> ()
      %frag = fly.make_fragment_like(%x_part) : (!Part) -> !Fragment
      fly.memref.store_vec(%minus_inf4, %frag)
          : (vector<4xf32>, !Fragment) -> ()
      fly.copy(%copy, %x_part, %frag, %predicate)
          : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
      %values = fly.memref.load_vec(%frag) : (!Fragment) -> vector<4xf32>

      %largest = vector.reduction <maxnumf>, %values, %m
          : vector<4xf32> into f32
      %largest4 = vector.broadcast %largest : f32 to vector<4xf32>
      %d4 = arith.subf %values, %largest4 : vector<4xf32>
      %e4 = arith.mulf %d4, %log2e4 : vector<4xf32>
      %p4 = math.exp2 %e4 fastmath<afn> : vector<4xf32>
      %d = arith.subf %m, %largest : f32
      %e = arith.mulf %d, %log2e : f32
      %p = math.exp2 %e fastmath<afn> : f32
      %old = arith.mulf %s, %p : f32
      %next = vector.reduction <add>, %p4, %old : vector<4xf32> into f32
      scf.yield %largest, %next : f32, f32
    }

    // Join the pairs of 32 lanes.
    %m32, %s32 = scf.for %i = %c0 to %c5 step %c1
        iter_args(%m = %m1, %s = %s1) -> (f32, f32) : i32 {
      %offset = arith.shli %c1, %i : i32
      %m_other, %m_valid = gpu.shuffle xor %m, %offset, %c32 : f32
      %s_other, %s_valid = gpu.shuffle xor %s, %offset, %c32 : f32
      %largest = arith.maxnumf %m, %m_other : f32
      %d = arith.subf %m, %largest : f32
      %e = arith.mulf %d, %log2e : f32
      %p = math.exp2 %e fastmath<afn> : f32
      %d_other = arith.subf %m_other, %largest : f32
      %e_other = arith.mulf %d_other, %log2e : f32
      %p_other = math.exp2 %e_other fastmath<afn> : f32
      %own = arith.mulf %s, %p : f32
      %add = arith.mulf %s_other, %p_other : f32
      %next = arith.addf %own, %add : f32
      scf.yield %largest, %next : f32, f32
    }

    // Join the eight groups through LDS, which holds (group, m or s).
    %lds = fly.make_ptr() {dictAttrs = {allocBytes = 64 : i64,
        allocAlign = 16 : i64}} : () -> !fly.ptr<f32, shared, align<16>>
    %group_layout = fly.static : !fly.layout<(8,2):(1,8)>
    %shared = fly.make_view(%lds, %group_layout)
        : (!fly.ptr<f32, shared, align<16>>, !fly.layout<(8,2):(1,8)>)
        -> !Shared
    %lane_and_group = fly.static : !fly.layout<(32,8):(1,32)>
    %where = fly.idx2crd(%thread_coord, %lane_and_group)
        : (!fly.int_tuple<?>, !fly.layout<(32,8):(1,32)>)
        -> !fly.int_tuple<(?,?)>
    %lane, %group = fly.get_leaves(%where)
        : (!fly.int_tuple<(?,?)>) -> (i32, i32)
    %first_lane = arith.cmpi eq, %lane, %c0 : i32
    scf.if %first_lane {
      %m_coord = fly.make_coord(%group) : (i32) -> !fly.int_tuple<(?,0)>
      %s_coord = fly.make_coord(%group) : (i32) -> !fly.int_tuple<(?,1)>
      fly.memref.store(%m32, %shared, %m_coord)
          : (f32, !Shared, !fly.int_tuple<(?,0)>) -> ()
      fly.memref.store(%s32, %shared, %s_coord)
          : (f32, !Shared, !fly.int_tuple<(?,1)>) -> ()
    }
    gpu.barrier
    %m_slot = fly.make_coord() : () -> !fly.int_tuple<(*,0)>
    %s_slot = fly.make_coord() : () -> !fly.int_tuple<(*,1)>
    %m_shared = fly.slice(%shared, %m_slot)
        : (!Shared, !fly.int_tuple<(*,0)>)
        -> !fly.memref<f32, shared, 8:1, align<16>>
    %s_shared = fly.slice(%shared, %s_slot)
        : (!Shared, !fly.int_tuple<(*,1)>)
        -> !fly.memref<f32, shared, 8:1, align<16>>
    %m8 = fly.memref.load_vec(%m_shared)
        : (!fly.memref<f32, shared, 8:1, align<16>>) -> vector<8xf32>
    %s8 = fly.memref.load_vec(%s_shared)
        : (!fly.memref<f32, shared, 8:1, align<16>>) -> vector<8xf32>
    %max = vector.reduction <maxnumf>, %m8 : vector<8xf32> into f32
    %max8 = vector.broadcast %max : f32 to vector<8xf32>
    %d8 = arith.subf %m8, %max8 : vector<8xf32>
    %e8 = arith.mulf %d8, %log2e8 : vector<8xf32>
    %p8 = math.exp2 %e8 fastmath<afn> : vector<8xf32>
    %scaled8 = arith.mulf %s8, %p8 : vector<8xf32>
    %sum = vector.reduction <add>, %scaled8 : vector<8xf32> into f32
    %inverse = arith.divf %one, %sum : f32

    // Second time: exp(x - max) / sum.
    %max4 = vector.broadcast %max : f32 to vector<4xf32>
    %inverse4 = vector.broadcast %inverse : f32 to vector<4xf32>
    scf.for %k = %c0 to %count step %c1 : i32 {
      %k_coord = fly.make_coord(%k) : (i32) -> !fly.int_tuple<(*,?)>
      %x_part = fly.slice(%x_parts, %k_coord)
          : (!Parts, !fly.int_tuple<(*,?)>) -> !Part
      %y_part = fly.slice(%y_parts, %k_coord)
          : (!Parts, !fly.int_tuple<(*,?)>) -> !Part
      %column_part = fly.slice(%column_parts, %k_coord)
          : (!ColumnParts, !fly.int_tuple<(*,?)>) -> !ColumnPart
      %j = fly.memref.load_vec(%column_part) : (!ColumnPart) -> vector<4xi32>
      %inside = arith.cmpi slt, %j, %n4 : vector<4xi32>
      %predicate = fly.make_fragment_like(%x_part, i1) : (!Part) -> !Predicate
      fly.memref.store_vec(%inside, %predicate)
          : (vector<4xi1>, !Predicate) -> ()
      %frag = fly.make_fragment_like(%x_part) : (!Part) -> !Fragment
      fly.copy(%copy, %x_part, %frag, %predicate)
          : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
      %values = fly.memref.load_vec(%frag) : (!Fragment) -> vector<4xf32>
      %d4 = arith.subf %values, %max4 : vector<4xf32>
      %e4 = arith.mulf %d4, %log2e4 : vector<4xf32>
      %p4 = math.exp2 %e4 fastmath<afn> : vector<4xf32>
      %result = arith.mulf %p4, %inverse4 : vector<4xf32>
      fly.memref.store_vec(%result, %frag) : (vector<4xf32>, !Fragment) -> ()
      fly.copy(%copy, %frag, %y_part, %predicate)
          : (!TiledCopy, !Fragment, !Part, !Predicate) -> ()
    }
    gpu.return
  }
}
