// RUN: %fly-opt %s -split-input-file -verify-diagnostics

func.func @value_bits() {
  // expected-error @+1 {{valBits is 16 but the type has 32}}
  %c = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 32>
  return
}

// -----

func.func @stateless(%a: !fly.copy_atom<!fly.universal_copy<64>, 32>, %i: i32) {
  // expected-error @+1 {{atom of '!fly.universal_copy<64>' carries no state}}
  %0 = fly.atom.set_value(%a, "soffset", %i) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, i32) -> !fly.copy_atom<!fly.universal_copy<64>, 32>
  return
}

// -----

func.func @unknown_field(%a: !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>, %i: i32) {
  // expected-error @+1 {{expected a field of '!fly_rocdl.cdna3.buffer_copy<32>': soffset; found 'offset'}}
  %0 = fly.atom.set_value(%a, "offset", %i) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>, i32) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>
  return
}

// -----

func.func @dynamic_tiling(%a: !fly.copy_atom<!fly.universal_copy<64>, 32>, %l: !fly.layout<(?,2):(2,1)>, %t: !fly.tile<8>) {
  // expected-error @+2 {{thread-value layout must be static, found (?,2):(2,1)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fly.make_tiled_copy(%a, %l, %t) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(?,2):(2,1)>, !fly.tile<8>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, <(?,2):(2,1)>, <8>>
  return
}

// -----

// A tiled type may hold anything; using it needs the right atom.
!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
func.func @wrong_atom(%c: !fly.tiled_copy<!fma, <(4,2):(2,1)>, <8>>, %m: !fly.memref<f32, global, 8:1>, %i: !fly.int_tuple<0>) {
  // expected-error @+2 {{tiled copy does not hold a copy atom but !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fly.tiled_copy.partition_src(%c, %m, %i) : (!fly.tiled_copy<!fma, <(4,2):(2,1)>, <8>>, !fly.memref<f32, global, 8:1>, !fly.int_tuple<0>) -> !fly.memref<f32, global, 8:1>
  return
}

// -----

func.func @foreign_op(%c: !fly.tiled_copy<!fly.copy_atom<i32, 32>, <(4,2):(2,1)>, <8>>, %m: !fly.memref<f32, global, 8:1>, %i: !fly.int_tuple<0>) {
  // expected-error @+2 {{expected a copy op in the atom, found i32}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fly.tiled_copy.partition_src(%c, %m, %i) : (!fly.tiled_copy<!fly.copy_atom<i32, 32>, <(4,2):(2,1)>, <8>>, !fly.memref<f32, global, 8:1>, !fly.int_tuple<0>) -> !fly.memref<f32, global, 8:1>
  return
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<64>, 32>
func.func @composed_retile(%c: !fly.tiled_copy<!copy, <((4,2),(2,2)):((2,16),(1,8))>, <[8|4]>>, %m: !fly.memref<f32, register, S<1,2,3> o 0 o (4,2,2):(1,4,8)>) {
  // expected-error @+2 {{a retiled fragment needs a plain layout, found S<1,2,3> o 0 o (4,2,2):(1,4,8)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fly.tiled_copy.retile(%c, %m) : (!fly.tiled_copy<!copy, <((4,2),(2,2)):((2,16),(1,8))>, <[8|4]>>, !fly.memref<f32, register, S<1,2,3> o 0 o (4,2,2):(1,4,8)>) -> !fly.memref<f32, register, 8:1>
  return
}

// -----

!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
func.func @no_stages(%m: !fly.tiled_mma<!fma, <(4,2,1):(1,4,0)>>, %x: !fly.memref<f32, global, (16,8):(1,16)>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error-re @+1 {{stages must be at least 1{{.*}}0}}
  %0 = fly.mma.make_fragment(a, %m, %x, stages = 0) : (!fly.tiled_mma<!fma, <(4,2,1):(1,4,0)>>, !fly.memref<f32, global, (16,8):(1,16)>) -> !fly.memref<f32, register, 8:1>
  return
}

// -----

!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
func.func @bad_operand(%m: !fly.tiled_mma<!fma, <(4,2,1):(1,4,0)>>, %x: !fly.memref<f32, global, (16,8):(1,16)>) {
  // expected-error @+1 {{expected an MMA operand a, b, c or d, found 'e'}}
  %0 = fly.mma.make_fragment(e, %m, %x) : (!fly.tiled_mma<!fma, <(4,2,1):(1,4,0)>>, !fly.memref<f32, global, (16,8):(1,16)>) -> !fly.memref<f32, register, 8:1>
  return
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<64>, 32>
func.func @two_results(%c: !copy, %s: !fly.memref<f32, global, 2:1>) {
  // expected-error @+1 {{expected at most one result, found 2}}
  %0:2 = fly.copy_atom_call_ssa(%c, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!copy, !fly.memref<f32, global, 2:1>) -> (f32, f32)
  return
}

// -----

!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
func.func @no_destination(%m: !fma, %f: f32) {
  // expected-error @+1 {{expected a result or the operand d}}
  fly.mma_atom_call_ssa(%m, %f, %f, %f) : (!fma, f32, f32, f32) -> ()
  return
}

// -----

func.func @copy_without_atom(%i: i32, %s: !fly.memref<f32, global, 2:1>) {
  // expected-error @+1 {{operand #0 must be copy_atom or tiled_copy, but got 'i32'}}
  fly.copy(%i, %s, %s) : (i32, !fly.memref<f32, global, 2:1>, !fly.memref<f32, global, 2:1>) -> ()
  return
}
