// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y[i, :] = (x[i, :] - mean) / sqrt(variance + eps) * gamma + beta, f16 in and
// out, f32 between, for any number of rows and up to 2048 columns. Row lengths
// and strides are multiples of 8 elements.
//
// One workgroup of 256 threads owns one row; the grid is the number of rows. A
// thread holds eight columns in registers, loaded by one access of 16 bytes.
// The row is read once: the mean is the sum of what the registers hold, and the
// variance the sum of the squares of their distances from it.
//
// The two sums are two calls of a device function. Each has LDS of its own:
// with one buffer for both, a wave could write its second sum while another
// one still reads the first.
//
// Kernel arguments: x as pointer and packed (rows, columns, row stride), gamma
// and beta as pointer and length, y as x, i32; then eps, f32.

!Matrix = !fly.memref<f16, global, (?,?{div=8}):(?{div=8},1), align<16>>
!Vector = !fly.memref<f16, global, ?{div=8}:1, align<16>>
!Shared = !fly.memref<f32, shared, 8:1, align<16>>
!Slot = !fly.ptr<f32, shared, align<16>>
!Predicate = !fly.memref<i1, register, (1,1):(0,0)>

!Atom = !fly.copy_atom<!fly.universal_copy<128>, 16>
!TiledCopy = !fly.tiled_copy<!Atom, <(256,8):(8,1)>, <2048>>
!Parts = !fly.memref<f16, global, ((8,1),?):((1,0),2048), align<16>>
!Part = !fly.memref<f16, global, (8,1):(1,0), align<16>>
!Fragment = !fly.memref<f16, register, (8,1):(1,0)>

gpu.module @kernels {
  // The sum of %x over 256 threads, in each of them: over 32 lanes by shuffles,
  // over the eight groups of lanes through LDS.
  func.func private @workgroup_sum(%x: f32, %shared: !Shared) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32
    %lanes = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %x)
        -> (f32) : i32 {
      %offset = arith.shli %c1, %i : i32
      %other, %valid = gpu.shuffle xor %acc, %offset, %c32 : f32
      %next = arith.addf %acc, %other : f32
      scf.yield %next : f32
    }
    %thread_id = gpu.thread_id x
    %thread = arith.index_cast %thread_id : index to i32
    %thread_coord = fly.make_coord(%thread) : (i32) -> !fly.int_tuple<?>
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
    return %sum : f32
  }

  gpu.func @layernorm(%x: !Matrix, %gamma: !Vector, %beta: !Vector, %y: !Matrix,
      %eps: f32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block_id = gpu.block_id x
    %thread_id = gpu.thread_id x
    %row_index = arith.index_cast %block_id : index to i32
    %thread = arith.index_cast %thread_id : index to i32
    %thread_coord = fly.make_coord(%thread) : (i32) -> !fly.int_tuple<?>

    // This thread's eight columns: of the one tile of 2048 that holds a row.
    %atom = fly.make_copy_atom {valBits = 16 : i32} : !Atom
    %thread_value = fly.static : !fly.layout<(256,8):(8,1)>
    %tile = fly.static : !fly.tile<2048>
    %copy = fly.make_tiled_copy(%atom, %thread_value, %tile)
        : (!Atom, !fly.layout<(256,8):(8,1)>, !fly.tile<2048>) -> !TiledCopy
    %row_coord = fly.make_coord(%row_index) : (i32) -> !fly.int_tuple<(?,*)>
    %x_row = fly.slice(%x, %row_coord)
        : (!Matrix, !fly.int_tuple<(?,*)>) -> !Vector
    %y_row = fly.slice(%y, %row_coord)
        : (!Matrix, !fly.int_tuple<(?,*)>) -> !Vector
    %x_parts = fly.tiled_copy.partition_src(%copy, %x_row, %thread_coord)
        : (!TiledCopy, !Vector, !fly.int_tuple<?>) -> !Parts
    %gamma_parts = fly.tiled_copy.partition_src(%copy, %gamma, %thread_coord)
        : (!TiledCopy, !Vector, !fly.int_tuple<?>) -> !Parts
    %beta_parts = fly.tiled_copy.partition_src(%copy, %beta, %thread_coord)
        : (!TiledCopy, !Vector, !fly.int_tuple<?>) -> !Parts
    %y_parts = fly.tiled_copy.partition_dst(%copy, %y_row, %thread_coord)
        : (!TiledCopy, !Vector, !fly.int_tuple<?>) -> !Parts
    %first = fly.make_coord() : () -> !fly.int_tuple<(*,0)>
    %x_part = fly.slice(%x_parts, %first)
        : (!Parts, !fly.int_tuple<(*,0)>) -> !Part
    %gamma_part = fly.slice(%gamma_parts, %first)
        : (!Parts, !fly.int_tuple<(*,0)>) -> !Part
    %beta_part = fly.slice(%beta_parts, %first)
        : (!Parts, !fly.int_tuple<(*,0)>) -> !Part
    %y_part = fly.slice(%y_parts, %first)
        : (!Parts, !fly.int_tuple<(*,0)>) -> !Part

    // They are inside of the row if the first of them is.
    %length = fly.size(%x_row) : (!Vector) -> !fly.int_tuple<?{div=8}>
    %n = fly.get_scalar(%length) : (!fly.int_tuple<?{div=8}>) -> i32
    %c8 = arith.constant 8 : i32
    %column = arith.muli %thread, %c8 : i32
    %inside = arith.cmpi slt, %column, %n : i32
    %predicate_layout = fly.static : !fly.layout<(1,1):(0,0)>
    %predicate = fly.memref.alloca(%predicate_layout)
        : (!fly.layout<(1,1):(0,0)>) -> !Predicate
    %zero_index = fly.make_int_tuple() : () -> !fly.int_tuple<0>
    fly.memref.store(%inside, %predicate, %zero_index)
        : (i1, !Predicate, !fly.int_tuple<0>) -> ()

    // Load; behind the end of the row there are zeros.
    %zero_f16 = arith.constant dense<0.0> : vector<8xf16>
    %zero_f32 = arith.constant dense<0.0> : vector<8xf32>
    %x_frag = fly.make_fragment_like(%x_part) : (!Part) -> !Fragment
    %gamma_frag = fly.make_fragment_like(%x_part) : (!Part) -> !Fragment
    %beta_frag = fly.make_fragment_like(%x_part) : (!Part) -> !Fragment
    fly.memref.store_vec(%zero_f16, %x_frag) : (vector<8xf16>, !Fragment) -> ()
    fly.copy(%copy, %x_part, %x_frag, %predicate)
        : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
    fly.copy(%copy, %gamma_part, %gamma_frag, %predicate)
        : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
    fly.copy(%copy, %beta_part, %beta_frag, %predicate)
        : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
    %x_f16 = fly.memref.load_vec(%x_frag) : (!Fragment) -> vector<8xf16>
    %gamma_f16 = fly.memref.load_vec(%gamma_frag) : (!Fragment) -> vector<8xf16>
    %beta_f16 = fly.memref.load_vec(%beta_frag) : (!Fragment) -> vector<8xf16>
    %x_f32 = arith.extf %x_f16 : vector<8xf16> to vector<8xf32>
    %gamma_f32 = arith.extf %gamma_f16 : vector<8xf16> to vector<8xf32>
    %beta_f32 = arith.extf %beta_f16 : vector<8xf16> to vector<8xf32>

    // LDS of the two sums.
    %mean_lds = fly.make_ptr() {dictAttrs = {allocBytes = 32 : i64,
        allocAlign = 16 : i64}} : () -> !Slot
    %variance_lds = fly.make_ptr() {dictAttrs = {allocBytes = 32 : i64,
        allocAlign = 16 : i64}} : () -> !Slot
    %group_layout = fly.static : !fly.layout<8:1>
    %mean_shared = fly.make_view(%mean_lds, %group_layout)
        : (!Slot, !fly.layout<8:1>) -> !Shared
    %variance_shared = fly.make_view(%variance_lds, %group_layout)
        : (!Slot, !fly.layout<8:1>) -> !Shared

    // Mean, distances from it (0 behind the end), variance.
    %n_f32 = arith.sitofp %n : i32 to f32
    %one = arith.constant 1.0 : f32
    %inverse_n = arith.divf %one, %n_f32 : f32
    %own_sum = vector.reduction <add>, %x_f32 : vector<8xf32> into f32
    %sum = func.call @workgroup_sum(%own_sum, %mean_shared)
        : (f32, !Shared) -> f32
    %mean = arith.mulf %sum, %inverse_n : f32
    %mean8 = vector.broadcast %mean : f32 to vector<8xf32>
    %all = arith.subf %x_f32, %mean8 : vector<8xf32>
    %centred = arith.select %inside, %all, %zero_f32 : vector<8xf32>
    %squares = arith.mulf %centred, %centred : vector<8xf32>
    %own_squares = vector.reduction <add>, %squares : vector<8xf32> into f32
    %sum_squares = func.call @workgroup_sum(%own_squares, %variance_shared)
        : (f32, !Shared) -> f32
    %variance = arith.mulf %sum_squares, %inverse_n : f32
    %positive = arith.addf %variance, %eps : f32
    %deviation = math.sqrt %positive : f32
    %scale = arith.divf %one, %deviation : f32

    %scale8 = vector.broadcast %scale : f32 to vector<8xf32>
    %normal = arith.mulf %centred, %scale8 : vector<8xf32>
    %result = math.fma %normal, %gamma_f32, %beta_f32 : vector<8xf32>
    %y_f16 = arith.truncf %result : vector<8xf32> to vector<8xf16>
    fly.memref.store_vec(%y_f16, %x_frag) : (vector<8xf16>, !Fragment) -> ()
    fly.copy(%copy, %x_frag, %y_part, %predicate)
        : (!TiledCopy, !Fragment, !Part, !Predicate) -> ()
    gpu.return
  }
}
