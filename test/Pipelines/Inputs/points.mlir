// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small kernels, one for each thing that the lowering does with addresses,
// predicates and unsigned numbers; run_points.py says what each must give.
// Everywhere: one workgroup of 64 threads, %t is the thread.

!In = !fly.ptr<f32, global>
!Buf = !fly.ptr<f32, #fly_rocdl.buffer_desc>
!One = !fly.memref<f32, #fly_rocdl.buffer_desc, 1:1>
!Reg = !fly.memref<f32, register, 1:1>
!Truth = !fly.memref<i1, register, 1:1>
!BufCopy = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>
!Tiled = !fly.tiled_copy<!BufCopy, <(64,1):(1,1)>, <64>>
!Half = !fly.ptr<f16, global, align<16>>
!Lds = !fly.ptr<f16, shared, align<1024>>
!Wide = !fly.copy_atom<!fly.universal_copy<128>, 16>

gpu.module @points {
  // W17: out[t] = t < n ? in[t] : 7, and the same stored under the predicate.
  // The buffer has 40 elements; the flags ask for a check of the range.
  gpu.func @masked_cdna(%in: !In, %out: !In, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %flags = arith.constant 159744 : i32
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %stride = arith.constant 0 : i16
    %bytes = arith.constant 160 : i64
    %out_bytes = arith.constant 512 : i64
    %from = fly.make_ptr(%in, %stride, %bytes, %flags) : (!In, i16, i64, i32) -> !Buf
    %to = fly.make_ptr(%out, %stride, %out_bytes, %flags) : (!In, i16, i64, i32) -> !Buf
    %one = fly.static : !fly.layout<1:1>
    %at = fly.make_copy_atom {valBits = 32 : i32} : !BufCopy
    %truth = fly.memref.alloca(%one) : (!fly.layout<1:1>) -> !Truth
    %reg = fly.memref.alloca(%one) : (!fly.layout<1:1>) -> !Reg
    %seven = arith.constant dense<7.0> : vector<1xf32>
    fly.memref.store_vec(%seven, %reg) : (vector<1xf32>, !Reg) -> ()
    %inside = arith.cmpi slt, %t, %n : i32
    %p = vector.broadcast %inside : i1 to vector<1xi1>
    fly.memref.store_vec(%p, %truth) : (vector<1xi1>, !Truth) -> ()
    %o = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
    %at_t = fly.add_offset(%from, %o) : (!Buf, !fly.int_tuple<?>) -> !Buf
    %src = fly.make_view(%at_t, %one) : (!Buf, !fly.layout<1:1>) -> !One
    fly.copy_atom_call(%at, %src, %reg, %truth) : (!BufCopy, !One, !Reg, !Truth) -> ()
    // Everything to out[0, 64), what the predicate lets to out[64, 128).
    %to_t = fly.add_offset(%to, %o) : (!Buf, !fly.int_tuple<?>) -> !Buf
    %dst = fly.make_view(%to_t, %one) : (!Buf, !fly.layout<1:1>) -> !One
    fly.copy_atom_call(%at, %reg, %dst) : (!BufCopy, !Reg, !One) -> ()
    %far = fly.make_int_tuple() : () -> !fly.int_tuple<64>
    %to_far = fly.add_offset(%to_t, %far) : (!Buf, !fly.int_tuple<64>) -> !Buf
    %dst2 = fly.make_view(%to_far, %one) : (!Buf, !fly.layout<1:1>) -> !One
    fly.copy_atom_call(%at, %reg, %dst2, %truth) : (!BufCopy, !Reg, !One, !Truth) -> ()
    gpu.return
  }
  // The same without a check: OOB_SELECT is 2. It branches.
  gpu.func @masked_rdna(%in: !In, %out: !In, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %flags = arith.constant 553807872 : i32
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %stride = arith.constant 0 : i16
    %bytes = arith.constant 160 : i64
    %out_bytes = arith.constant 512 : i64
    %from = fly.make_ptr(%in, %stride, %bytes, %flags) : (!In, i16, i64, i32) -> !Buf
    %to = fly.make_ptr(%out, %stride, %out_bytes, %flags) : (!In, i16, i64, i32) -> !Buf
    %one = fly.static : !fly.layout<1:1>
    %at = fly.make_copy_atom {valBits = 32 : i32} : !BufCopy
    %truth = fly.memref.alloca(%one) : (!fly.layout<1:1>) -> !Truth
    %reg = fly.memref.alloca(%one) : (!fly.layout<1:1>) -> !Reg
    %seven = arith.constant dense<7.0> : vector<1xf32>
    fly.memref.store_vec(%seven, %reg) : (vector<1xf32>, !Reg) -> ()
    %inside = arith.cmpi slt, %t, %n : i32
    %p = vector.broadcast %inside : i1 to vector<1xi1>
    fly.memref.store_vec(%p, %truth) : (vector<1xi1>, !Truth) -> ()
    %o = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
    %at_t = fly.add_offset(%from, %o) : (!Buf, !fly.int_tuple<?>) -> !Buf
    %src = fly.make_view(%at_t, %one) : (!Buf, !fly.layout<1:1>) -> !One
    fly.copy_atom_call(%at, %src, %reg, %truth) : (!BufCopy, !One, !Reg, !Truth) -> ()
    // Everything to out[0, 64), what the predicate lets to out[64, 128).
    %to_t = fly.add_offset(%to, %o) : (!Buf, !fly.int_tuple<?>) -> !Buf
    %dst = fly.make_view(%to_t, %one) : (!Buf, !fly.layout<1:1>) -> !One
    fly.copy_atom_call(%at, %reg, %dst) : (!BufCopy, !Reg, !One) -> ()
    %far = fly.make_int_tuple() : () -> !fly.int_tuple<64>
    %to_far = fly.add_offset(%to_t, %far) : (!Buf, !fly.int_tuple<64>) -> !Buf
    %dst2 = fly.make_view(%to_far, %one) : (!Buf, !fly.layout<1:1>) -> !One
    fly.copy_atom_call(%at, %reg, %dst2, %truth) : (!BufCopy, !Reg, !One, !Truth) -> ()
    gpu.return
  }
  // OOB_SELECT is 3: raw buffers are checked.
  gpu.func @masked_checked(%in: !In, %out: !In, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %flags = arith.constant 822243328 : i32
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %stride = arith.constant 0 : i16
    %bytes = arith.constant 160 : i64
    %out_bytes = arith.constant 512 : i64
    %from = fly.make_ptr(%in, %stride, %bytes, %flags) : (!In, i16, i64, i32) -> !Buf
    %to = fly.make_ptr(%out, %stride, %out_bytes, %flags) : (!In, i16, i64, i32) -> !Buf
    %one = fly.static : !fly.layout<1:1>
    %at = fly.make_copy_atom {valBits = 32 : i32} : !BufCopy
    %truth = fly.memref.alloca(%one) : (!fly.layout<1:1>) -> !Truth
    %reg = fly.memref.alloca(%one) : (!fly.layout<1:1>) -> !Reg
    %seven = arith.constant dense<7.0> : vector<1xf32>
    fly.memref.store_vec(%seven, %reg) : (vector<1xf32>, !Reg) -> ()
    %inside = arith.cmpi slt, %t, %n : i32
    %p = vector.broadcast %inside : i1 to vector<1xi1>
    fly.memref.store_vec(%p, %truth) : (vector<1xi1>, !Truth) -> ()
    %o = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
    %at_t = fly.add_offset(%from, %o) : (!Buf, !fly.int_tuple<?>) -> !Buf
    %src = fly.make_view(%at_t, %one) : (!Buf, !fly.layout<1:1>) -> !One
    fly.copy_atom_call(%at, %src, %reg, %truth) : (!BufCopy, !One, !Reg, !Truth) -> ()
    // Everything to out[0, 64), what the predicate lets to out[64, 128).
    %to_t = fly.add_offset(%to, %o) : (!Buf, !fly.int_tuple<?>) -> !Buf
    %dst = fly.make_view(%to_t, %one) : (!Buf, !fly.layout<1:1>) -> !One
    fly.copy_atom_call(%at, %reg, %dst) : (!BufCopy, !Reg, !One) -> ()
    %far = fly.make_int_tuple() : () -> !fly.int_tuple<64>
    %to_far = fly.add_offset(%to_t, %far) : (!Buf, !fly.int_tuple<64>) -> !Buf
    %dst2 = fly.make_view(%to_far, %one) : (!Buf, !fly.layout<1:1>) -> !One
    fly.copy_atom_call(%at, %reg, %dst2, %truth) : (!BufCopy, !Reg, !One, !Truth) -> ()
    gpu.return
  }
  // P9, P43: the offset of (t mod 12, t / 12) in (12,10):(10,1), of t in
  // (64,2):(1,4096), and of x, which may be negative, in (8,?):(3,100).
  gpu.func @quotients(%out: !fly.ptr<i32, global>, %x: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %l = fly.static : !fly.layout<(3,64):(64,1)>
    %m = fly.make_view(%out, %l) : (!fly.ptr<i32, global>, !fly.layout<(3,64):(64,1)>) -> !fly.memref<i32, global, (3,64):(64,1)>
    %c = fly.make_coord(%t) : (i32) -> !fly.int_tuple<?>
    %a = fly.static : !fly.layout<(12,10):(10,1)>
    %i = fly.crd2idx(%c, %a) : (!fly.int_tuple<?>, !fly.layout<(12,10):(10,1)>) -> !fly.int_tuple<?>
    %is = fly.get_scalar(%i) : (!fly.int_tuple<?>) -> i32
    %c0 = fly.make_coord(%t) : (i32) -> !fly.int_tuple<(0,?)>
    fly.memref.store(%is, %m, %c0) : (i32, !fly.memref<i32, global, (3,64):(64,1)>, !fly.int_tuple<(0,?)>) -> ()
    %b = fly.static : !fly.layout<(64,2):(1,4096)>
    %j = fly.crd2idx(%c, %b) : (!fly.int_tuple<?>, !fly.layout<(64,2):(1,4096)>) -> !fly.int_tuple<?>
    %js = fly.get_scalar(%j) : (!fly.int_tuple<?>) -> i32
    %c1 = fly.make_coord(%t) : (i32) -> !fly.int_tuple<(1,?)>
    fly.memref.store(%js, %m, %c1) : (i32, !fly.memref<i32, global, (3,64):(64,1)>, !fly.int_tuple<(1,?)>) -> ()
    %d = fly.make_coord(%x) : (i32) -> !fly.int_tuple<?>
    %e = fly.static : !fly.layout<(8,64):(3,100)>
    %k = fly.crd2idx(%d, %e) : (!fly.int_tuple<?>, !fly.layout<(8,64):(3,100)>) -> !fly.int_tuple<?>
    %ks = fly.get_scalar(%k) : (!fly.int_tuple<?>) -> i32
    %c2 = fly.make_coord(%t) : (i32) -> !fly.int_tuple<(2,?)>
    fly.memref.store(%ks, %m, %c2) : (i32, !fly.memref<i32, global, (3,64):(64,1)>, !fly.int_tuple<(2,?)>) -> ()
    gpu.return
  }

  // P18: rows of 8 f16 into a swizzled tile of LDS, four of them a period
  // apart, and out again. Thread t has the rows t mod 8 + 8 * j of column
  // block t / 8.
  gpu.func @swizzled(%in: !Half, %out: !Half) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %at = fly.make_copy_atom {valBits = 16 : i32} : !Wide
    %lds = fly.make_ptr() {dictAttrs = {allocBytes = 4096 : i64, allocAlign = 1024 : i64}} : () -> !Lds
    // (element, row, column block, j): row i of a tile of 8 x 64 starts at 64 i.
    %tile = fly.static : !fly.composed_layout<S<3,3,3> o 0 o (8,8,8,4):(1,64,8,512)>
    %m = fly.make_view(%lds, %tile) : (!Lds, !fly.composed_layout<S<3,3,3> o 0 o (8,8,8,4):(1,64,8,512)>) -> !fly.memref<f16, shared, S<3,3,3> o 0 o (8,8,8,4):(1,64,8,512), align<1024>>
    %eight = fly.make_int_tuple() : () -> !fly.int_tuple<8>
    %tt = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
    %r = fly.int_tuple_mod(%tt, %eight) : (!fly.int_tuple<?>, !fly.int_tuple<8>) -> !fly.int_tuple<?>
    %q = fly.int_tuple_div(%tt, %eight) : (!fly.int_tuple<?>, !fly.int_tuple<8>) -> !fly.int_tuple<?>
    %rs = fly.get_scalar(%r) : (!fly.int_tuple<?>) -> i32
    %qs = fly.get_scalar(%q) : (!fly.int_tuple<?>) -> i32
    %c = fly.make_coord(%rs, %qs) : (i32, i32) -> !fly.int_tuple<(*,?,?,*)>
    %mine = fly.slice(%m, %c) : (!fly.memref<f16, shared, S<3,3,3> o 0 o (8,8,8,4):(1,64,8,512), align<1024>>, !fly.int_tuple<(*,?,?,*)>) -> !fly.memref<f16, shared, S<3,3,3> o ?{div=8} o (8,4):(1,512), align<1024>>
    %plain = fly.static : !fly.layout<(8,8,8,4):(1,64,8,512)>
    %gi = fly.make_view(%in, %plain) : (!Half, !fly.layout<(8,8,8,4):(1,64,8,512)>) -> !fly.memref<f16, global, (8,8,8,4):(1,64,8,512), align<16>>
    %gs = fly.slice(%gi, %c) : (!fly.memref<f16, global, (8,8,8,4):(1,64,8,512), align<16>>, !fly.int_tuple<(*,?,?,*)>) -> !fly.memref<f16, global, (8,4):(1,512), align<16>>
    %frag = fly.make_fragment_like(%gs) : (!fly.memref<f16, global, (8,4):(1,512), align<16>>) -> !fly.memref<f16, register, (8,4):(1,8)>
    fly.copy(%at, %gs, %frag) : (!Wide, !fly.memref<f16, global, (8,4):(1,512), align<16>>, !fly.memref<f16, register, (8,4):(1,8)>) -> ()
    fly.copy(%at, %frag, %mine) : (!Wide, !fly.memref<f16, register, (8,4):(1,8)>, !fly.memref<f16, shared, S<3,3,3> o ?{div=8} o (8,4):(1,512), align<1024>>) -> ()
    gpu.barrier
    // Linear bytes of LDS: what the swizzle did is seen in the output.
    %line = fly.static : !fly.layout<(8,64,4):(1,8,512)>
    %lm = fly.make_view(%lds, %line) : (!Lds, !fly.layout<(8,64,4):(1,8,512)>) -> !fly.memref<f16, shared, (8,64,4):(1,8,512), align<1024>>
    %om = fly.make_view(%out, %line) : (!Half, !fly.layout<(8,64,4):(1,8,512)>) -> !fly.memref<f16, global, (8,64,4):(1,8,512), align<16>>
    %tc = fly.make_coord(%t) : (i32) -> !fly.int_tuple<(*,?,*)>
    %ls = fly.slice(%lm, %tc) : (!fly.memref<f16, shared, (8,64,4):(1,8,512), align<1024>>, !fly.int_tuple<(*,?,*)>) -> !fly.memref<f16, shared, (8,4):(1,512), align<16>>
    %os = fly.slice(%om, %tc) : (!fly.memref<f16, global, (8,64,4):(1,8,512), align<16>>, !fly.int_tuple<(*,?,*)>) -> !fly.memref<f16, global, (8,4):(1,512), align<16>>
    fly.copy(%at, %ls, %frag) : (!Wide, !fly.memref<f16, shared, (8,4):(1,512), align<16>>, !fly.memref<f16, register, (8,4):(1,8)>) -> ()
    fly.copy(%at, %frag, %os) : (!Wide, !fly.memref<f16, register, (8,4):(1,8)>, !fly.memref<f16, global, (8,4):(1,512), align<16>>) -> ()
    gpu.return
  }

  // P35: a tiled copy with state as an argument: out[t] = in[t + 16], where 16
  // is the scalar offset that the caller has set. W21: and 3 a known part.
  gpu.func @handed_on(%in: !In, %out: !In) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %at = fly.make_copy_atom {valBits = 32 : i32} : !BufCopy
    %c16 = arith.constant 16 : i32
    %moved = fly.atom.set_value(%at, "soffset", %c16) : (!BufCopy, i32) -> !BufCopy
    %tv = fly.static : !fly.layout<(64,1):(1,1)>
    %tile = fly.static : !fly.tile<64>
    %tc = fly.make_tiled_copy(%moved, %tv, %tile) : (!BufCopy, !fly.layout<(64,1):(1,1)>, !fly.tile<64>) -> !Tiled
    func.call @copy_with(%tc, %in, %out) : (!Tiled, !In, !In) -> ()
    gpu.return
  }
  func.func private @copy_with(%tc: !Tiled, %in: !In, %out: !In) {
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %stride = arith.constant 0 : i16
    %bytes = arith.constant 512 : i64
    %flags = arith.constant 159744 : i32
    %from = fly.make_ptr(%in, %stride, %bytes, %flags) : (!In, i16, i64, i32) -> !Buf
    %l = fly.static : !fly.layout<64:1>
    %three = fly.make_int_tuple() : () -> !fly.int_tuple<3>
    %from3 = fly.add_offset(%from, %three) : (!Buf, !fly.int_tuple<3>) -> !Buf
    %m = fly.make_view(%from3, %l) : (!Buf, !fly.layout<64:1>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, 64:1>
    %c = fly.make_coord(%t) : (i32) -> !fly.int_tuple<?>
    %src = fly.tiled_copy.partition_src(%tc, %m, %c) : (!Tiled, !fly.memref<f32, #fly_rocdl.buffer_desc, 64:1>, !fly.int_tuple<?>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, ((1,1),1):((0,0),0)>
    %frag = fly.make_fragment_like(%src) : (!fly.memref<f32, #fly_rocdl.buffer_desc, ((1,1),1):((0,0),0)>) -> !fly.memref<f32, register, ((1,1),1):((0,0),0)>
    fly.copy(%tc, %src, %frag) : (!Tiled, !fly.memref<f32, #fly_rocdl.buffer_desc, ((1,1),1):((0,0),0)>, !fly.memref<f32, register, ((1,1),1):((0,0),0)>) -> ()
    %v = fly.memref.load_vec(%frag) : (!fly.memref<f32, register, ((1,1),1):((0,0),0)>) -> vector<1xf32>
    %x = vector.extract %v[0] : f32 from vector<1xf32>
    %om = fly.make_view(%out, %l) : (!In, !fly.layout<64:1>) -> !fly.memref<f32, global, 64:1>
    fly.memref.store(%x, %om, %c) : (f32, !fly.memref<f32, global, 64:1>, !fly.int_tuple<?>) -> ()
    return
  }
}
