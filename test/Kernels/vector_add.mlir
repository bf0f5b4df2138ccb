// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c[i] = a[i] + b[i] for 0 <= i < n, with n = size(c), any n >= 0.
//
// One workgroup of 256 threads owns a tile of 1024 elements; the grid has
// max(1, ceil(n / 1024)) workgroups. The tiled copy gives every thread four
// elements, 256 apart, so that neighbouring lanes touch neighbouring addresses:
//
//   thread t, value v  ->  element t + 256 * v of the tile
//
// Nothing outside of [0, n) is read or written: the same partition, applied to
// the identity tensor (element i holds the coordinate i), tells each thread the
// coordinates of its four elements, and the comparison with n is the predicate
// of all three copies. No wave size and no target instruction appears, so this
// one file serves all chips.
//
// Kernel arguments: three memrefs, each a pointer and its dynamic length (i32).

!Vector = !fly.memref<f32, global, ?:1, align<16>>
!Tiled = !fly.memref<f32, global, (1024,?):(1,1024), align<16>>
!Tile = !fly.memref<f32, global, 1024:1, align<16>>
!Part = !fly.memref<f32, global, ((1,4),1):((0,256),0)>
!Fragment = !fly.memref<f32, register, ((1,4),1):((0,1),0)>
!Predicate = !fly.memref<i1, register, ((1,4),1):((0,1),0)>
!CoordPart = !fly.coord_tensor<?, ((1,4),1):((0,256),0)>

!Atom = !fly.copy_atom<!fly.universal_copy<32>, 32>
!TiledCopy = !fly.tiled_copy<!Atom, <(256,4):(1,256)>, <1024>>

gpu.module @kernels {
  gpu.func @vector_add(%a: !Vector, %b: !Vector, %c: !Vector) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block_id = gpu.block_id x
    %thread_id = gpu.thread_id x
    %block = arith.index_cast %block_id : index to i32
    %thread = arith.index_cast %thread_id : index to i32
    %tile_coord = fly.make_coord(%block) : (i32) -> !fly.int_tuple<(*,?)>
    %thread_coord = fly.make_coord(%thread) : (i32) -> !fly.int_tuple<?>

    // Who copies what: (thread, value) -> element of a tile of 1024.
    %atom = fly.make_copy_atom {valBits = 32 : i32} : !Atom
    %thread_value = fly.static : !fly.layout<(256,4):(1,256)>
    %tile = fly.static : !fly.tile<1024>
    %copy = fly.make_tiled_copy(%atom, %thread_value, %tile)
        : (!Atom, !fly.layout<(256,4):(1,256)>, !fly.tile<1024>) -> !TiledCopy

    // The identity tensor 0, 1, ..., n - 1.
    %layout = fly.get_layout(%c) : (!Vector) -> !fly.layout<?:1>
    %zero = fly.make_int_tuple() : () -> !fly.int_tuple<0>
    %coords = fly.make_view(%zero, %layout)
        : (!fly.int_tuple<0>, !fly.layout<?:1>) -> !fly.coord_tensor<0, ?:1>

    // Cut into tiles; take the tile of this workgroup.
    %a_tiles = fly.zipped_divide(%a, %tile)
        : (!Vector, !fly.tile<1024>) -> !Tiled
    %b_tiles = fly.zipped_divide(%b, %tile)
        : (!Vector, !fly.tile<1024>) -> !Tiled
    %c_tiles = fly.zipped_divide(%c, %tile)
        : (!Vector, !fly.tile<1024>) -> !Tiled
    %x_tiles = fly.zipped_divide(%coords, %tile)
        : (!fly.coord_tensor<0, ?:1>, !fly.tile<1024>)
        -> !fly.coord_tensor<0, (1024,?):(1,1024)>
    %a_tile = fly.slice(%a_tiles, %tile_coord)
        : (!Tiled, !fly.int_tuple<(*,?)>) -> !Tile
    %b_tile = fly.slice(%b_tiles, %tile_coord)
        : (!Tiled, !fly.int_tuple<(*,?)>) -> !Tile
    %c_tile = fly.slice(%c_tiles, %tile_coord)
        : (!Tiled, !fly.int_tuple<(*,?)>) -> !Tile
    %x_tile = fly.slice(%x_tiles, %tile_coord)
        : (!fly.coord_tensor<0, (1024,?):(1,1024)>, !fly.int_tuple<(*,?)>)
        -> !fly.coord_tensor<?{div=1024}, 1024:1>

    // This thread's share of each tile: ((one atom, four values), one tile).
    %a_part = fly.tiled_copy.partition_src(%copy, %a_tile, %thread_coord)
        : (!TiledCopy, !Tile, !fly.int_tuple<?>) -> !Part
    %b_part = fly.tiled_copy.partition_src(%copy, %b_tile, %thread_coord)
        : (!TiledCopy, !Tile, !fly.int_tuple<?>) -> !Part
    %c_part = fly.tiled_copy.partition_dst(%copy, %c_tile, %thread_coord)
        : (!TiledCopy, !Tile, !fly.int_tuple<?>) -> !Part
    %x_part = fly.tiled_copy.partition_dst(%copy, %x_tile, %thread_coord)
        : (!TiledCopy, !fly.coord_tensor<?{div=1024}, 1024:1>,
           !fly.int_tuple<?>) -> !CoordPart

    // The predicate: coordinate < n.
    %size = fly.size(%layout) : (!fly.layout<?:1>) -> !fly.int_tuple<?>
    %n = fly.get_scalar(%size) : (!fly.int_tuple<?>) -> i32
    %n4 = vector.broadcast %n : i32 to vector<4xi32>
    %x = fly.memref.load_vec(%x_part) : (!CoordPart) -> vector<4xi32>
    %inside = arith.cmpi slt, %x, %n4 : vector<4xi32>
    %predicate = fly.make_fragment_like(%x_part, i1)
        : (!CoordPart) -> !Predicate
    fly.memref.store_vec(%inside, %predicate) : (vector<4xi1>, !Predicate) -> ()

    // Load, add, store, through register fragments.
    %a_frag = fly.make_fragment_like(%a_part) : (!Part) -> !Fragment
    %b_frag = fly.make_fragment_like(%b_part) : (!Part) -> !Fragment
    %c_frag = fly.make_fragment_like(%c_part) : (!Part) -> !Fragment
    fly.copy(%copy, %a_part, %a_frag, %predicate)
        : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
    fly.copy(%copy, %b_part, %b_frag, %predicate)
        : (!TiledCopy, !Part, !Fragment, !Predicate) -> ()
    %va = fly.memref.load_vec(%a_frag) : (!Fragment) -> vector<4xf32>
    %vb = fly.memref.load_vec(%b_frag) : (!Fragment) -> vector<4xf32>
    %vc = arith.addf %va, %vb : vector<4xf32>
    fly.memref.store_vec(%vc, %c_frag) : (vector<4xf32>, !Fragment) -> ()
    fly.copy(%copy, %c_frag, %c_part, %predicate)
        : (!TiledCopy, !Fragment, !Part, !Predicate) -> ()
    gpu.return
  }
}
