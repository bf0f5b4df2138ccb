// RUN: %fly-opt %s --fly-layout-lowering --split-input-file --verify-diagnostics

// P5: what cannot be expanded is an error at its place, not a leftover.
func.func @dynamic_rest(%p: !fly.ptr<f32, global>, %q: !fly.ptr<f32, global>, %n: i32) {
  %s = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<(4,?)>
  %d = fly.make_int_tuple() : () -> !fly.int_tuple<(1,4)>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(4,?)>, !fly.int_tuple<(1,4)>) -> !fly.layout<(4,?):(1,4)>
  %a = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(4,?):(1,4)>) -> !fly.memref<f32, global, (4,?):(1,4)>
  %b = fly.make_view(%q, %l) : (!fly.ptr<f32, global>, !fly.layout<(4,?):(1,4)>) -> !fly.memref<f32, global, (4,?):(1,4)>
  %at = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // expected-error @below {{cannot unroll over the dynamic modes (?) of the source (4,?):(1,4)}}
  fly.copy(%at, %a, %b) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, (4,?):(1,4)>, !fly.memref<f32, global, (4,?):(1,4)>) -> ()
  return
}

// -----

// What an unknown number divided by a known zero is has a type, as in original
// IR, and no code.
func.func @by_zero(%n: i32) -> i32 {
  %a = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
  %z = fly.make_int_tuple() : () -> !fly.int_tuple<0>
  // expected-error @below {{division of ? by zero}}
  %q = fly.int_tuple_mod(%a, %z) : (!fly.int_tuple<?>, !fly.int_tuple<0>) -> !fly.int_tuple<?>
  %s = fly.get_scalar(%q) : (!fly.int_tuple<?>) -> i32
  return %s : i32
}

// -----

func.func @ranks(%p: !fly.ptr<f32, global>) {
  %l = fly.static : !fly.layout<(4,2):(1,4)>
  %k = fly.static : !fly.layout<8:1>
  %a = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(4,2):(1,4)>) -> !fly.memref<f32, global, (4,2):(1,4)>
  %b = fly.make_view(%p, %k) : (!fly.ptr<f32, global>, !fly.layout<8:1>) -> !fly.memref<f32, global, 8:1>
  %at = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // expected-error @below {{source (4,2):(1,4) and destination 8:1 have different ranks}}
  fly.copy(%at, %a, %b) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, (4,2):(1,4)>, !fly.memref<f32, global, 8:1>) -> ()
  return
}

// -----

func.func @parts(%p: !fly.ptr<f32, global>) {
  %l = fly.static : !fly.layout<(4,2):(1,4)>
  %k = fly.static : !fly.layout<(4,3):(1,4)>
  %a = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(4,2):(1,4)>) -> !fly.memref<f32, global, (4,2):(1,4)>
  %b = fly.make_view(%p, %k) : (!fly.ptr<f32, global>, !fly.layout<(4,3):(1,4)>) -> !fly.memref<f32, global, (4,3):(1,4)>
  %at = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // expected-error @below {{source (4,2):(1,4) has 2 parts, destination (4,3):(1,4) has 3}}
  fly.copy(%at, %a, %b) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, (4,2):(1,4)>, !fly.memref<f32, global, (4,3):(1,4)>) -> ()
  return
}

// -----

func.func @predicate_rank(%p: !fly.ptr<f32, global>, %q: !fly.ptr<i1, register>) {
  %l = fly.static : !fly.layout<(4,2,2):(1,4,8)>
  %k = fly.static : !fly.layout<4:1>
  %a = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(4,2,2):(1,4,8)>) -> !fly.memref<f32, global, (4,2,2):(1,4,8)>
  %b = fly.make_view(%q, %k) : (!fly.ptr<i1, register>, !fly.layout<4:1>) -> !fly.memref<i1, register, 4:1>
  %at = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // expected-error @below {{predicate 4:1 has rank 1, expected 3 or 2 as the source (4,2,2):(1,4,8)}}
  fly.copy(%at, %a, %a, %b) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, (4,2,2):(1,4,8)>, !fly.memref<f32, global, (4,2,2):(1,4,8)>, !fly.memref<i1, register, 4:1>) -> ()
  return
}

// -----

// P15: extents that disagree are named.
!acc = !fly.memref<f32, register, (1,2,2):(0,1,2)>
!lhs = !fly.memref<f32, register, (1,3,2):(0,1,3)>
!rhs = !fly.memref<f32, register, (1,2,2):(0,1,2)>
func.func @extents(%d: !acc, %a: !lhs, %b: !rhs) {
  %at = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  // expected-error @below {{the extents of M differ: 2 in d (1,2,2):(0,1,2), 3 in a (1,3,2):(0,1,3)}}
  fly.gemm(%at, %d, %a, %b, %d) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !acc, !lhs, !rhs, !acc) -> ()
  return
}

// -----

// P16: mixed ranks.
!acc = !fly.memref<f32, register, (1,2,2):(0,1,2)>
!lhs = !fly.memref<f32, register, 1:1>
func.func @gemm_ranks(%d: !acc, %a: !lhs) {
  %at = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  // expected-error @below {{'fly.gemm' op expected d and c of rank 3 (V,M,N) with a and b of rank 3 (V,M,K), (V,N,K) or of rank 2 (V,M), (V,N), or all of rank 1; found d (1,2,2):(0,1,2), a 1:1, b 1:1, c (1,2,2):(0,1,2)}}
  fly.gemm(%at, %d, %a, %a, %d) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !acc, !lhs, !lhs, !acc) -> ()
  return
}
