// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// O = softmax(Q * transpose(K) / 8) * V, one head of dimension 64, f16 in and
// out, f32 between, on gfx1250. Q and O are (S, 64), K and V are (T, 64), for
// any S and T > 0. With causal != 0, query i meets the keys 0..i only (S = T
// then, or fewer keys than queries).
//
// One workgroup of 8 waves of 32 lanes owns 128 queries, 16 a wave; the
// grid is ceil(S/128). Keys come in tiles of 32 through LDS. Both products are
// taken transposed, so that a query is a column, and a column belongs to the
// same lanes everywhere:
//
//   S^T = K * Q^T          (32 keys, queries),   k = the 64 of a head
//   O^T = V^T * P^T        (64, queries),        k = 32 keys
//
//   results of S, 2x16x16: lane l has query l % 16, keys j and 16 + j
//   operand B, 16x32:      lane l has column l % 16, k j and 16 + j
//
// with j = 8 * (l / 16) + 0..7.
//
// So the largest score m and the sum s of a query are one number a lane, joined
// with the other lanes of its column by gpu.shuffle xor 16; the result O^T is
// rescaled by one factor a lane; and P = exp(S - m) becomes an operand without
// LDS.
//
// LDS: K is (key, d) with 128-byte rows and the swizzle S<3,3,3>, which moves
// the eight 16-byte groups of a row by the row's lower three bits. V is stored
// so that keys are contiguous, as operand A of V^T wants them; d are 40
// elements apart, so that neighbouring ones begin at other banks.
//
// Kernel arguments: Q, K, V, O as pointer and packed (rows, row stride);
// causal. All numbers are i32.

!Matrix = !fly.memref<f16, global, (?,64):(?{div=8},1), align<16>>
!SharedPtr = !fly.ptr<f16, shared, align<16>>
!KeyLayout = !fly.composed_layout<S<3,3,3> o 0 o (32,64):(64,1)>
!ValueLayout = !fly.layout<(32,64):(1,40)>
!ValueTLayout = !fly.layout<(64,32):(40,1)>

!Mma = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>>
!Waves = !fly.layout<(1,8,1):(0,1,0)>
!TiledMma = !fly.tiled_mma<!Mma, <(1,8,1):(0,1,0)>>
!Copy128 = !fly.copy_atom<!fly.universal_copy<128>, 16>
!Copy16 = !fly.copy_atom<!fly.universal_copy<16>, 16>
!ThreadValue = !fly.layout<((8,32),8):((256,1),32)>
!TiledCopy = !fly.tiled_copy<!Copy128, <((8,32),8):((256,1),32)>, <[32|64]>>
!TiledWrite = !fly.tiled_copy<!Copy16, <((8,32),8):((256,1),32)>, <[32|64]>>
!Predicate = !fly.memref<i1, register, ((1,1),1,1):((0,0),0,0)>
!QueryTiles = !fly.memref<f16, global, (128,64,?,1):(?{div=8},1,?{div=1024},0), align<16>>
!KeyTiles1 = !fly.memref<f16, global, (32,64,?,1):(?{div=8},1,?{div=256},0), align<16>>
!QueryTile = !fly.memref<f16, global, (128,64):(?{div=8},1), align<16>>
!KeyTiles = !fly.memref<f16, global, (32,64,?):(?{div=8},1,?{div=256}), align<16>>
!OTile = !fly.memref<f16, global, (64,128):(1,?{div=8}), align<16>>
!KeyNumbers = !fly.coord_tensor<0, (32,128):(1,0)>
!QueryNumbers = !fly.coord_tensor<0, (32,128):(0,1)>
!KeyShared = !fly.memref<f16, shared, S<3,3,3> o 0 o (32,64):(64,1), align<16>>
!ValueShared = !fly.memref<f16, shared, (32,64):(1,40), align<16>>
!ValueTShared = !fly.memref<f16, shared, (64,32):(40,1), align<16>>
!KeyParts = !fly.memref<f16, global, ((8,1),1,1,?):((1,0),0,0,?{div=256}), align<16>>
!KeyWrite = !fly.memref<f16, shared, S<3,3,3> o ?{div=8} o ((8,1),1,1):((1,0),0,0), align<16>>
!ValueWrite = !fly.memref<f16, shared, ((1,8),1,1):((0,40),0,0)>
!CopyKeys = !fly.coord_tensor<0, (32,64):(1,0)>
!CopyKey = !fly.coord_tensor<?, ((8,1),1,1):((0,0),0,0)>
!KeyPart = !fly.memref<f16, global, ((8,1),1,1):((1,0),0,0), align<16>>
!Stage = !fly.memref<f16, register, ((8,1),1,1):((1,0),0,0)>
!QueryPart = !fly.memref<f16, global, ((8,2),1,2):((1,16),0,32), align<16>>
!KeyRead = !fly.memref<f16, shared, S<3,3,3> o ?{div=8} o ((8,2),2,2):((1,16),1024,32), align<16>>
!ValueRead = !fly.memref<f16, shared, ((8,2),4,1):((1,16),640,0), align<16>>
!OPart = !fly.memref<f16, global, (8,4,1):(1,16,0), align<16>>
!KeyNumberPart = !fly.coord_tensor<?{div=8}, (8,2,1):(1,16,0)>
!QueryNumberPart = !fly.coord_tensor<?, (8,2,1):(0,0,0)>
!QueryFragment = !fly.memref<f16, register, ((8,2),1,2):((1,8),0,16)>
!KeyFragment = !fly.memref<f16, register, ((8,2),2,2):((1,8),32,16)>
!ValueFragment = !fly.memref<f16, register, ((8,2),4,1):((1,8),16,0)>
!ScoreFragment = !fly.memref<f32, register, (8,2,1):(1,8,0)>
!OFragment = !fly.memref<f32, register, (8,4,1):(1,8,0)>
!PNumbers = !fly.coord_tensor<0, (128,32):(32,1)>
!PPart = !fly.coord_tensor<?{div=8}, ((8,2),1,1):((1,16),0,0)>
!PFragment = !fly.memref<f16, register, ((8,2),1,1):((1,8),0,0)>
!OHalf = !fly.memref<f16, register, (8,4,1):(1,8,0)>

gpu.module @kernels {
  gpu.func @flash_attention(%q: !Matrix, %k: !Matrix, %v: !Matrix, %o: !Matrix,
      %causal: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %block_id = gpu.block_id x
    %thread_id = gpu.thread_id x
    %block = arith.index_cast %block_id : index to i32
    %thread = arith.index_cast %thread_id : index to i32
    %thread_coord = fly.make_coord(%thread) : (i32) -> !fly.int_tuple<?>
    %zero_index = fly.make_int_tuple() : () -> !fly.int_tuple<0>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %c31 = arith.constant 31 : i32
    %one_f32 = arith.constant 1.0 : f32
    %zero_f32 = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %minus_inf = arith.constant dense<0xFF800000> : vector<16xf32>
    // log2(e) / 8: exp is exp2 of that much more, and 8 is the root of 64.
    %to_exp2 = arith.constant dense<0.180336877> : vector<16xf32>
    %q_shape = fly.get_shape(%q) : (!Matrix) -> !fly.int_tuple<(?,64)>
    %k_shape = fly.get_shape(%k) : (!Matrix) -> !fly.int_tuple<(?,64)>
    %queries, %q_dim = fly.get_leaves(%q_shape)
        : (!fly.int_tuple<(?,64)>) -> (i32, i32)
    %keys, %k_dim = fly.get_leaves(%k_shape)
        : (!fly.int_tuple<(?,64)>) -> (i32, i32)

    // Tiles of 128 queries; tiles of 32 keys.
    %q_tile = fly.static : !fly.tile<[128|64]>
    %k_tile = fly.static : !fly.tile<[32|64]>
    %block_coord = fly.make_coord(%block) : (i32) -> !fly.int_tuple<(*,*,?,0)>
    %all_tiles = fly.make_coord() : () -> !fly.int_tuple<(*,*,*,0)>
    %q_tiles = fly.flat_divide(%q, %q_tile)
        : (!Matrix, !fly.tile<[128|64]>) -> !QueryTiles
    %o_tiles = fly.flat_divide(%o, %q_tile)
        : (!Matrix, !fly.tile<[128|64]>) -> !QueryTiles
    %k_tiles_1 = fly.flat_divide(%k, %k_tile)
        : (!Matrix, !fly.tile<[32|64]>) -> !KeyTiles1
    %v_tiles_1 = fly.flat_divide(%v, %k_tile)
        : (!Matrix, !fly.tile<[32|64]>) -> !KeyTiles1
    %q_block = fly.slice(%q_tiles, %block_coord)
        : (!QueryTiles, !fly.int_tuple<(*,*,?,0)>) -> !QueryTile
    %o_block = fly.slice(%o_tiles, %block_coord)
        : (!QueryTiles, !fly.int_tuple<(*,*,?,0)>) -> !QueryTile
    %k_tiles = fly.slice(%k_tiles_1, %all_tiles)
        : (!KeyTiles1, !fly.int_tuple<(*,*,*,0)>) -> !KeyTiles
    %v_tiles = fly.slice(%v_tiles_1, %all_tiles)
        : (!KeyTiles1, !fly.int_tuple<(*,*,*,0)>) -> !KeyTiles

    // The transpose of O's tile: its modes exchanged.
    %o_ptr = fly.get_iter(%o_block)
        : (!QueryTile) -> !fly.ptr<f16, global, align<16>>
    %o_layout = fly.get_layout(%o_block)
        : (!QueryTile) -> !fly.layout<(128,64):(?{div=8},1)>
    %o_turned = fly.select(%o_layout) {indices = array<i32: 1, 0>}
        : (!fly.layout<(128,64):(?{div=8},1)>)
        -> !fly.layout<(64,128):(1,?{div=8})>
    %o_transposed = fly.make_view(%o_ptr, %o_turned)
        : (!fly.ptr<f16, global, align<16>>, !fly.layout<(64,128):(1,?{div=8})>)
        -> !OTile

    // Numbers of keys in a tile and of queries in the block, as S^T has them.
    %key_layout = fly.static : !fly.layout<(32,128):(1,0)>
    %query_layout = fly.static : !fly.layout<(32,128):(0,1)>
    %key_numbers = fly.make_view(%zero_index, %key_layout)
        : (!fly.int_tuple<0>, !fly.layout<(32,128):(1,0)>) -> !KeyNumbers
    %query_numbers = fly.make_view(%zero_index, %query_layout)
        : (!fly.int_tuple<0>, !fly.layout<(32,128):(0,1)>) -> !QueryNumbers

    %copy128 = fly.make_copy_atom {valBits = 16 : i32} : !Copy128
    %copy16 = fly.make_copy_atom {valBits = 16 : i32} : !Copy16
    %thread_value = fly.static : !ThreadValue
    %copy = fly.make_tiled_copy(%copy128, %thread_value, %k_tile)
        : (!Copy128, !ThreadValue, !fly.tile<[32|64]>) -> !TiledCopy
    %write = fly.make_tiled_copy(%copy16, %thread_value, %k_tile)
        : (!Copy16, !ThreadValue, !fly.tile<[32|64]>) -> !TiledWrite
    %mma_atom = fly.make_mma_atom : !Mma
    %waves = fly.static : !Waves
    %mma = fly.make_tiled_mma(%mma_atom, %waves) : (!Mma, !Waves) -> !TiledMma

    // LDS: a tile of K, one of V, and V's transpose.
    %k_lds = fly.make_ptr() {dictAttrs = {allocBytes = 4096 : i64,
        allocAlign = 16 : i64}} : () -> !SharedPtr
    %v_lds = fly.make_ptr() {dictAttrs = {allocBytes = 5120 : i64,
        allocAlign = 16 : i64}} : () -> !SharedPtr
    %k_shared_layout = fly.static : !KeyLayout
    %v_shared_layout = fly.static : !ValueLayout
    %vt_shared_layout = fly.static : !ValueTLayout
    %k_shared = fly.make_view(%k_lds, %k_shared_layout)
        : (!SharedPtr, !KeyLayout) -> !KeyShared
    %v_shared = fly.make_view(%v_lds, %v_shared_layout)
        : (!SharedPtr, !ValueLayout) -> !ValueShared
    %vt_shared = fly.make_view(%v_lds, %vt_shared_layout)
        : (!SharedPtr, !ValueTLayout) -> !ValueTShared

    // Global to LDS: this thread's 16 bytes of each tile of K and V, and the
    // key that they belong to.
    %k_parts = fly.tiled_copy.partition_src(%copy, %k_tiles, %thread_coord)
        : (!TiledCopy, !KeyTiles, !fly.int_tuple<?>) -> !KeyParts
    %v_parts = fly.tiled_copy.partition_src(%copy, %v_tiles, %thread_coord)
        : (!TiledCopy, !KeyTiles, !fly.int_tuple<?>) -> !KeyParts
    %k_write = fly.tiled_copy.partition_dst(%copy, %k_shared, %thread_coord)
        : (!TiledCopy, !KeyShared, !fly.int_tuple<?>) -> !KeyWrite
    %v_write = fly.tiled_copy.partition_dst(%write, %v_shared, %thread_coord)
        : (!TiledWrite, !ValueShared, !fly.int_tuple<?>) -> !ValueWrite
    %copy_keys_layout = fly.static : !fly.layout<(32,64):(1,0)>
    %copy_keys = fly.make_view(%zero_index, %copy_keys_layout)
        : (!fly.int_tuple<0>, !fly.layout<(32,64):(1,0)>) -> !CopyKeys
    %copy_key = fly.tiled_copy.partition_src(%copy, %copy_keys, %thread_coord)
        : (!TiledCopy, !CopyKeys, !fly.int_tuple<?>) -> !CopyKey
    %copy_key_base = fly.get_iter(%copy_key) : (!CopyKey) -> !fly.int_tuple<?>
    %my_key = fly.get_scalar(%copy_key_base) : (!fly.int_tuple<?>) -> i32
    %first = fly.make_coord() : () -> !fly.int_tuple<(*,*,*,0)>
    %k_first = fly.slice(%k_parts, %first)
        : (!KeyParts, !fly.int_tuple<(*,*,*,0)>) -> !KeyPart
    %k_stage = fly.make_fragment_like(%k_first) : (!KeyPart) -> !Stage
    %v_stage = fly.make_fragment_like(%k_first) : (!KeyPart) -> !Stage
    %predicate_layout = fly.static : !fly.layout<((1,1),1,1):((0,0),0,0)>
    %predicate = fly.memref.alloca(%predicate_layout)
        : (!fly.layout<((1,1),1,1):((0,0),0,0)>) -> !Predicate

    // What this lane holds of the operands and results.
    %q_part = fly.tiled_mma.partition(b, %mma, %q_block, %thread_coord)
        : (!TiledMma, !QueryTile, !fly.int_tuple<?>) -> !QueryPart
    %k_read = fly.tiled_mma.partition(a, %mma, %k_shared, %thread_coord)
        : (!TiledMma, !KeyShared, !fly.int_tuple<?>) -> !KeyRead
    %v_read = fly.tiled_mma.partition(a, %mma, %vt_shared, %thread_coord)
        : (!TiledMma, !ValueTShared, !fly.int_tuple<?>) -> !ValueRead
    %o_part = fly.tiled_mma.partition(c, %mma, %o_transposed, %thread_coord)
        : (!TiledMma, !OTile, !fly.int_tuple<?>) -> !OPart
    %key_part = fly.tiled_mma.partition(c, %mma, %key_numbers, %thread_coord)
        : (!TiledMma, !KeyNumbers, !fly.int_tuple<?>) -> !KeyNumberPart
    %query_part = fly.tiled_mma.partition(c, %mma, %query_numbers,
        %thread_coord)
        : (!TiledMma, !QueryNumbers, !fly.int_tuple<?>) -> !QueryNumberPart
    %q_frag = fly.mma.make_fragment(b, %mma, %q_block)
        : (!TiledMma, !QueryTile) -> !QueryFragment
    %k_frag = fly.mma.make_fragment(a, %mma, %k_shared)
        : (!TiledMma, !KeyShared) -> !KeyFragment
    %v_frag = fly.mma.make_fragment(a, %mma, %vt_shared)
        : (!TiledMma, !ValueTShared) -> !ValueFragment
    %s_frag = fly.make_fragment_like(%key_part, f32)
        : (!KeyNumberPart) -> !ScoreFragment
    %o_frag = fly.mma.make_fragment(c, %mma, %o_transposed)
        : (!TiledMma, !OTile) -> !OFragment
    // P^T is operand B, (queries, keys); only its fragment exists.
    %p_layout = fly.static : !fly.layout<(128,32):(32,1)>
    %p_numbers = fly.make_view(%zero_index, %p_layout)
        : (!fly.int_tuple<0>, !fly.layout<(128,32):(32,1)>) -> !PNumbers
    %p_part = fly.tiled_mma.partition(b, %mma, %p_numbers, %thread_coord)
        : (!TiledMma, !PNumbers, !fly.int_tuple<?>) -> !PPart
    %p_frag = fly.make_fragment_like(%p_part, f16) : (!PPart) -> !PFragment

    // This lane's query, and its numbers of keys in a tile.
    %key_in_tile = fly.memref.load_vec(%key_part)
        : (!KeyNumberPart) -> vector<16xi32>
    %query_base = fly.get_iter(%query_part)
        : (!QueryNumberPart) -> !fly.int_tuple<?>
    %query_in_block = fly.get_scalar(%query_base) : (!fly.int_tuple<?>) -> i32
    %block_size = arith.constant 128 : i32
    %block_start = arith.muli %block, %block_size : i32
    %query = arith.addi %block_start, %query_in_block : i32
    %query_inside = arith.cmpi slt, %query, %queries : i32

    // Load Q; queries behind the last one are 0.
    %q_zero = arith.constant dense<0.0> : vector<32xf16>
    fly.memref.store_vec(%q_zero, %q_frag)
        : (vector<32xf16>, !QueryFragment) -> ()
    scf.if %query_inside {
      fly.copy(%copy128, %q_part, %q_frag)
          : (!Copy128, !QueryPart, !QueryFragment) -> ()
    }

    // The tiles of keys that any query of this block meets.
    %keys_31 = arith.addi %keys, %c31 : i32
    %tiles_all = arith.divsi %keys_31, %c32 : i32
    %block_end = arith.addi %block_start, %block_size : i32
    %tiles_before = arith.divsi %block_end, %c32 : i32
    %tiles_causal = arith.minsi %tiles_all, %tiles_before : i32
    %is_causal = arith.cmpi ne, %causal, %c0 : i32
    %count = arith.select %is_causal, %tiles_causal, %tiles_all : i32
    %last_key = arith.subi %keys, %c1 : i32
    %query_or_last = arith.minsi %query, %last_key : i32
    %last = arith.select %is_causal, %query_or_last, %last_key : i32
    %last_keys = vector.broadcast %last : i32 to vector<16xi32>

    %stage_zero = arith.constant dense<0.0> : vector<8xf16>
    %s_zero = arith.constant dense<0.0> : vector<16xf32>
    %o_zero = arith.constant dense<0.0> : vector<32xf32>
    fly.memref.store_vec(%o_zero, %o_frag) : (vector<32xf32>, !OFragment) -> ()
    %m, %s = scf.for %tile = %c0 to %count step %c1
        iter_args(%m_old = %lowest, %s_old = %zero_f32) -> (f32, f32) : i32 {
      // The tile into LDS; keys behind the last one are 0.
      %tile_start = arith.muli %tile, %c32 : i32
      %copied_key = arith.addi %tile_start, %my_key : i32
      %key_inside = arith.cmpi slt, %copied_key, %keys : i32
      fly.memref.store(%key_inside, %predicate, %zero_index)
          : (i1, !Predicate, !fly.int_tuple<0>) -> ()
      %tile_coord = fly.make_coord(%tile) : (i32) -> !fly.int_tuple<(*,*,*,?)>
      %k_part = fly.slice(%k_parts, %tile_coord)
          : (!KeyParts, !fly.int_tuple<(*,*,*,?)>) -> !KeyPart
      %v_part = fly.slice(%v_parts, %tile_coord)
          : (!KeyParts, !fly.int_tuple<(*,*,*,?)>) -> !KeyPart
      fly.memref.store_vec(%stage_zero, %k_stage)
          : (vector<8xf16>, !Stage) -> ()
      fly.memref.store_vec(%stage_zero, %v_stage)
          : (vector<8xf16>, !Stage) -> ()
      fly.copy(%copy, %k_part, %k_stage, %predicate)
          : (!TiledCopy, !KeyPart, !Stage, !Predicate) -> ()
      fly.copy(%copy, %v_part, %v_stage, %predicate)
          : (!TiledCopy, !KeyPart, !Stage, !Predicate) -> ()
      fly.copy(%copy, %k_stage, %k_write)
          : (!TiledCopy, !Stage, !KeyWrite) -> ()
      %v_values = fly.memref.load_vec(%v_stage) : (!Stage) -> vector<8xf16>
      fly.memref.store_vec(%v_values, %v_write)
          : (vector<8xf16>, !ValueWrite) -> ()
      gpu.barrier

      // S^T = K * Q^T, -inf where the query does not meet the key.
      fly.memref.store_vec(%s_zero, %s_frag)
          : (vector<16xf32>, !ScoreFragment) -> ()
      fly.copy(%copy128, %k_read, %k_frag)
          : (!Copy128, !KeyRead, !KeyFragment) -> ()
      fly.gemm(%mma, %s_frag, %k_frag, %q_frag, %s_frag)
          : (!TiledMma, !ScoreFragment, !KeyFragment, !QueryFragment,
             !ScoreFragment) -> ()
      %raw = fly.memref.load_vec(%s_frag) : (!ScoreFragment) -> vector<16xf32>
      %scaled = arith.mulf %raw, %to_exp2 : vector<16xf32>
      %tile_starts = vector.broadcast %tile_start : i32 to vector<16xi32>
      %key = arith.addi %key_in_tile, %tile_starts : vector<16xi32>
      %met = arith.cmpi sle, %key, %last_keys : vector<16xi32>
      %score = arith.select %met, %scaled, %minus_inf
          : vector<16xi1>, vector<16xf32>

      // The largest score of the query, in all its lanes.
      %m_own = vector.reduction <maxnumf>, %score, %m_old
          : vector<16xf32> into f32
      %m_16, %m_16_valid = gpu.shuffle xor %m_own, %c16, %c32 : f32
      %m_new = arith.maxnumf %m_own, %m_16 : f32

      // P = exp2(S - m); what was summed with the old m is scaled by exp2(old m
      // - m).
      %m_vector = vector.broadcast %m_new : f32 to vector<16xf32>
      %below = arith.subf %score, %m_vector : vector<16xf32>
      %p = math.exp2 %below fastmath<afn> : vector<16xf32>
      %m_step = arith.subf %m_old, %m_new : f32
      %factor = math.exp2 %m_step fastmath<afn> : f32
      %s_kept = arith.mulf %s_old, %factor : f32
      %s_new = vector.reduction <add>, %p, %s_kept : vector<16xf32> into f32
      %factors = vector.broadcast %factor : f32 to vector<32xf32>
      %o_old = fly.memref.load_vec(%o_frag) : (!OFragment) -> vector<32xf32>
      %o_kept = arith.mulf %o_old, %factors : vector<32xf32>
      fly.memref.store_vec(%o_kept, %o_frag)
          : (vector<32xf32>, !OFragment) -> ()

      // They are already where operand B wants them.
      %p_f16 = arith.truncf %p : vector<16xf32> to vector<16xf16>
      fly.memref.store_vec(%p_f16, %p_frag) : (vector<16xf16>, !PFragment) -> ()

      // O^T += V^T * P^T.
      fly.copy(%copy128, %v_read, %v_frag)
          : (!Copy128, !ValueRead, !ValueFragment) -> ()
      fly.gemm(%mma, %o_frag, %v_frag, %p_frag, %o_frag)
          : (!TiledMma, !OFragment, !ValueFragment, !PFragment, !OFragment)
          -> ()
      gpu.barrier
      scf.yield %m_new, %s_new : f32, f32
    }

    // The sum of the query; O^T / sum.
    %s_16, %s_16_valid = gpu.shuffle xor %s, %c16, %c32 : f32
    %sum = arith.addf %s, %s_16 : f32
    %inverse = arith.divf %one_f32, %sum : f32
    %inverses = vector.broadcast %inverse : f32 to vector<32xf32>
    %o_sum = fly.memref.load_vec(%o_frag) : (!OFragment) -> vector<32xf32>
    %o_f32 = arith.mulf %o_sum, %inverses : vector<32xf32>
    %o_f16 = arith.truncf %o_f32 : vector<32xf32> to vector<32xf16>
    scf.if %query_inside {
      %o_half = fly.make_fragment_like(%o_part) : (!OPart) -> !OHalf
      fly.memref.store_vec(%o_f16, %o_half) : (vector<32xf16>, !OHalf) -> ()
      fly.copy(%copy128, %o_half, %o_part) : (!Copy128, !OHalf, !OPart) -> ()
    }
    gpu.return
  }
}
