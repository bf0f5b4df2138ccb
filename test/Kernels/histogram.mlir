// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bins[k] += number of i with keys[i] = k, for 0 <= k < 256; keys outside of
// that are not counted. Any number of keys, any grid.
//
// A workgroup of 256 threads counts in LDS first, and then adds its counts to
// global memory, thread t bin t. Both are copies: the atom
//
//   universal_atomic<add, i32, "workgroup">   registers to shared
//   universal_atomic<add, i32, "agent">       registers to global
//
// combines its source with what the destination holds. The scope says who may
// add at the same time: waves of the workgroup, or all of the device. A bin is
// a slice of the bins at the key, so the number that was loaded is a coordinate
// like any other.
//
// Kernel arguments: keys as pointer and length (i32), bins as pointer.

!Keys = !fly.memref<i32, global, ?:1>
!Bins = !fly.memref<i32, global, (1,256):(0,1)>
!Shared = !fly.memref<i32, shared, (1,256):(0,1)>
!One = !fly.memref<i32, register, 1:0>
!Predicate = !fly.memref<i1, register, 1:0>

!Load = !fly.copy_atom<!fly.universal_copy<32>, 32>
!AddShared = !fly.copy_atom<!fly.universal_atomic<add, i32, "workgroup">, 32>
!AddGlobal = !fly.copy_atom<!fly.universal_atomic<add, i32, "agent">, 32>
!KeyTiles = !fly.memref<i32, global, (256,?):(1,256)>

gpu.module @kernels {
  gpu.func @histogram(%keys: !Keys, %bins: !Bins) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block_id = gpu.block_id x
    %thread_id = gpu.thread_id x
    %grid_size = gpu.grid_dim x
    %block = arith.index_cast %block_id : index to i32
    %thread = arith.index_cast %thread_id : index to i32
    %blocks = arith.index_cast %grid_size : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %bin_count = arith.constant 256 : i32
    %zero_index = fly.make_int_tuple() : () -> !fly.int_tuple<0>
    %thread_bin = fly.make_coord(%thread) : (i32) -> !fly.int_tuple<(*,?)>

    %load = fly.make_copy_atom {valBits = 32 : i32} : !Load
    %add_shared = fly.make_copy_atom {valBits = 32 : i32} : !AddShared
    %add_global = fly.make_copy_atom {valBits = 32 : i32} : !AddGlobal
    %single = fly.static : !fly.layout<1:0>
    %count_frag = fly.memref.alloca(%single) : (!fly.layout<1:0>) -> !One
    %one_frag = fly.memref.alloca(%single) : (!fly.layout<1:0>) -> !One
    %predicate = fly.memref.alloca(%single) : (!fly.layout<1:0>) -> !Predicate
    fly.memref.store(%c1, %one_frag, %zero_index)
        : (i32, !One, !fly.int_tuple<0>) -> ()

    // Clear the counts of this workgroup.
    %lds = fly.make_ptr() {dictAttrs = {allocBytes = 1024 : i64,
        allocAlign = 16 : i64}} : () -> !fly.ptr<i32, shared>
    %bin_layout = fly.static : !fly.layout<(1,256):(0,1)>
    %shared = fly.make_view(%lds, %bin_layout)
        : (!fly.ptr<i32, shared>, !fly.layout<(1,256):(0,1)>) -> !Shared
    %own_count = fly.slice(%shared, %thread_bin)
        : (!Shared, !fly.int_tuple<(*,?)>) -> !fly.memref<i32, shared, 1:0>
    fly.memref.store(%c0, %own_count, %zero_index)
        : (i32, !fly.memref<i32, shared, 1:0>, !fly.int_tuple<0>) -> ()
    gpu.barrier

    // Tiles of 256 keys, one key a thread; this workgroup's are block, block +
    // blocks, block + 2 * blocks, ...
    %tile = fly.static : !fly.tile<256>
    %key_tiles = fly.zipped_divide(%keys, %tile)
        : (!Keys, !fly.tile<256>) -> !KeyTiles
    %tiles_mode = fly.get(%key_tiles) {mode = array<i32: 1>}
        : (!KeyTiles) -> !fly.memref<i32, global, ?:256>
    %tile_count = fly.size(%tiles_mode)
        : (!fly.memref<i32, global, ?:256>) -> !fly.int_tuple<?>
    %count = fly.get_scalar(%tile_count) : (!fly.int_tuple<?>) -> i32
    %key_layout = fly.get_layout(%key_tiles)
        : (!KeyTiles) -> !fly.layout<(256,?):(1,256)>
    %length = fly.size(%keys) : (!Keys) -> !fly.int_tuple<?>
    %n = fly.get_scalar(%length) : (!fly.int_tuple<?>) -> i32
    scf.for %k = %block to %count step %blocks : i32 {
      %coord = fly.make_coord(%thread, %k) : (i32, i32) -> !fly.int_tuple<(?,?)>
      %index = fly.crd2idx(%coord, %key_layout)
          : (!fly.int_tuple<(?,?)>, !fly.layout<(256,?):(1,256)>)
          -> !fly.int_tuple<?>
      %i = fly.get_scalar(%index) : (!fly.int_tuple<?>) -> i32
      %inside = arith.cmpi slt, %i, %n : i32
      scf.if %inside {
        %key = fly.memref.load(%key_tiles, %coord)
            : (!KeyTiles, !fly.int_tuple<(?,?)>) -> i32
        %counted = arith.cmpi ult, %key, %bin_count : i32
        fly.memref.store(%counted, %predicate, %zero_index)
            : (i1, !Predicate, !fly.int_tuple<0>) -> ()
        %bin_coord = fly.make_coord(%key) : (i32) -> !fly.int_tuple<(*,?)>
        %bin = fly.slice(%shared, %bin_coord)
            : (!Shared, !fly.int_tuple<(*,?)>) -> !fly.memref<i32, shared, 1:0>
        fly.copy(%add_shared, %one_frag, %bin, %predicate)
            : (!AddShared, !One, !fly.memref<i32, shared, 1:0>, !Predicate)
            -> ()
      }
    }
    gpu.barrier

    // Add the counts of this workgroup to everybody's.
    fly.copy(%load, %own_count, %count_frag)
        : (!Load, !fly.memref<i32, shared, 1:0>, !One) -> ()
    %own_bin = fly.slice(%bins, %thread_bin)
        : (!Bins, !fly.int_tuple<(*,?)>) -> !fly.memref<i32, global, 1:0>
    fly.copy(%add_global, %count_frag, %own_bin)
        : (!AddGlobal, !One, !fly.memref<i32, global, 1:0>) -> ()
    gpu.return
  }
}
