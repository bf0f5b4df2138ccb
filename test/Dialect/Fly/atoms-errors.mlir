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
  // expected-error @+1 {{thread-value layout must be static, found (?,2):(2,1)}}
  %0 = fly.make_tiled_copy(%a, %l, %t) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(?,2):(2,1)>, !fly.tile<8>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, <(?,2):(2,1)>, <8>>
  return
}

// -----

// A tiled type may hold anything; using it needs the right atom.
!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
func.func @wrong_atom(%c: !fly.tiled_copy<!fma, <(4,2):(2,1)>, <8>>, %m: !fly.memref<f32, global, 8:1>, %i: !fly.int_tuple<0>) {
  // expected-error @+1 {{tiled copy does not hold a copy atom but !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>}}
  %0 = fly.tiled_copy.partition_src(%c, %m, %i) : (!fly.tiled_copy<!fma, <(4,2):(2,1)>, <8>>, !fly.memref<f32, global, 8:1>, !fly.int_tuple<0>) -> !fly.memref<f32, global, 8:1>
  return
}

// -----

func.func @foreign_op(%c: !fly.tiled_copy<!fly.copy_atom<i32, 32>, <(4,2):(2,1)>, <8>>, %m: !fly.memref<f32, global, 8:1>, %i: !fly.int_tuple<0>) {
  // expected-error @+1 {{expected a copy op in the atom, found i32}}
  %0 = fly.tiled_copy.partition_src(%c, %m, %i) : (!fly.tiled_copy<!fly.copy_atom<i32, 32>, <(4,2):(2,1)>, <8>>, !fly.memref<f32, global, 8:1>, !fly.int_tuple<0>) -> !fly.memref<f32, global, 8:1>
  return
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<64>, 32>
// P20.
func.func @composed_retile(%c: !fly.tiled_copy<!copy, <((4,2),(2,2)):((2,16),(1,8))>, <[8|4]>>, %m: !fly.memref<f32, register, S<1,2,3> o 0 o (4,2,2):(1,4,8)>) {
  // expected-error @+1 {{a retiled fragment needs a plain layout, found S<1,2,3> o 0 o (4,2,2):(1,4,8)}}
  %0 = fly.tiled_copy.retile(%c, %m) : (!fly.tiled_copy<!copy, <((4,2),(2,2)):((2,16),(1,8))>, <[8|4]>>, !fly.memref<f32, register, S<1,2,3> o 0 o (4,2,2):(1,4,8)>) -> !fly.memref<f32, register, 8:1>
  return
}

// -----

!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
func.func @no_stages(%m: !fly.tiled_mma<!fma, <(4,2,1):(1,4,0)>>, %x: !fly.memref<f32, global, (16,8):(1,16)>) {
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

// -----

func.func @foreign_mma(%m: !fly.tiled_mma<!fly.mma_atom<i32>, <(1,1,1):(0,0,0)>>, %x: !fly.memref<f32, global, (16,8):(1,16)>, %i: !fly.int_tuple<0>) {
  // expected-error @+1 {{expected an MMA op in the atom, found i32}}
  %0 = "fly.tiled_mma.partition"(%m, %x, %i) <{operand_id = #fly<mma_operand a>}> : (!fly.tiled_mma<!fly.mma_atom<i32>, <(1,1,1):(0,0,0)>>, !fly.memref<f32, global, (16,8):(1,16)>, !fly.int_tuple<0>) -> !fly.memref<f32, global, 1:1>
  return
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<64>, 32>
func.func @copy_in_mma(%m: !fly.tiled_mma<!copy, <(1,1,1):(0,0,0)>>, %x: !fly.memref<f32, global, (16,8):(1,16)>, %i: !fly.int_tuple<0>) {
  // expected-error @+1 {{tiled MMA does not hold an MMA atom but !fly.copy_atom<!fly.universal_copy<64>, 32>}}
  %0 = "fly.tiled_mma.partition"(%m, %x, %i) <{operand_id = #fly<mma_operand a>}> : (!fly.tiled_mma<!copy, <(1,1,1):(0,0,0)>>, !fly.memref<f32, global, (16,8):(1,16)>, !fly.int_tuple<0>) -> !fly.memref<f32, global, 1:1>
  return
}

// -----

// 32 places of threads and values in a tile of 16.
!copy = !fly.copy_atom<!fly.universal_copy<64>, 32>
func.func @larger_than_tile(%a: !copy) {
  %l = fly.static : !fly.layout<((4,2),(2,2)):((2,16),(1,8))>
  %t = fly.static : !fly.tile<[8|2]>
  // expected-error @+1 {{thread-value layout ((4,2),(2,2)):((2,16),(1,8)) spans 32 points, but its tile [8|2] has only 16}}
  %c = fly.make_tiled_copy(%a, %l, %t) : (!copy, !fly.layout<((4,2),(2,2)):((2,16),(1,8))>, !fly.tile<[8|2]>) -> !fly.tiled_copy<!copy, !fly.layout<((4,2),(2,2)):((2,16),(1,8))>, !fly.tile<[8|2]>>
  return
}

// -----

// An atom moves four values, the layout gives a thread three.
!copy = !fly.copy_atom<!fly.universal_copy<128>, 32>
func.func @values_of_no_atoms(%a: !copy) {
  %l = fly.static : !fly.layout<(4,3):(3,1)>
  %t = fly.static : !fly.tile<12>
  // expected-error @+1 {{thread-value layout (4,3):(3,1) has 4 threads with 3 values, which are no whole atoms of 1 threads with 4 values}}
  %c = fly.make_tiled_copy(%a, %l, %t) : (!copy, !fly.layout<(4,3):(3,1)>, !fly.tile<12>) -> !fly.tiled_copy<!copy, !fly.layout<(4,3):(3,1)>, !fly.tile<12>>
  return
}

// -----

!mma = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
func.func @part_of_an_atom(%a: !mma) {
  %l = fly.static : !fly.layout<(1,1,1):(0,0,0)>
  %t = fly.static : !fly.tile<[32|8:2|*]>
  // expected-error @+1 {{permutation [32|8:2|*] has 8 points in N, which are no whole atoms of 16}}
  %m = fly.make_tiled_mma(%a, %l, %t) : (!mma, !fly.layout<(1,1,1):(0,0,0)>, !fly.tile<[32|8:2|*]>) -> !fly.tiled_mma<!mma, !fly.layout<(1,1,1):(0,0,0)>, !fly.tile<[32|8:2|*]>>
  return
}

// -----

// What does not fit is said first, then which numbers.
!copy = !fly.copy_atom<!fly.universal_copy<64>, 32>
!tiled = !fly.tiled_copy<!copy, <((4,2),(2,2)):((2,16),(1,8))>, <[8|4]>>
func.func @tensor_of_no_tiles(%c: !tiled, %m: !fly.memref<f32, global, ((3,4),8):((4,1),12)>, %i: !fly.int_tuple<0>) {
  // expected-error @+1 {{tensor ((3,4),8):((4,1),12) does not consist of whole tiles [8|4]: }}
  %0 = fly.tiled_copy.partition_src(%c, %m, %i) : (!tiled, !fly.memref<f32, global, ((3,4),8):((4,1),12)>, !fly.int_tuple<0>) -> !fly.memref<f32, global, 1:1>
  return
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<64>, 32>
!tiled = !fly.tiled_copy<!copy, <(4,(3,2)):(3,(1,12))>, <24>>
func.func @layout_of_no_atoms(%c: !tiled, %m: !fly.memref<f32, global, 24:1>, %i: !fly.int_tuple<0>) {
  // expected-error @+1 {{thread-value layout (4,(3,2)):(3,(1,12)) does not consist of whole atoms of 1 threads with 2 values: }}
  %0 = fly.tiled_copy.partition_src(%c, %m, %i) : (!tiled, !fly.memref<f32, global, 24:1>, !fly.int_tuple<0>) -> !fly.memref<f32, global, 1:1>
  return
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<32>, 32>
!tiled = !fly.tiled_copy<!copy, <(4,2):(3,1)>, <[2|8]>>
func.func @layout_across_tile(%c: !tiled, %m: !fly.memref<f32, global, (4,8):(8,1)>, %i: !fly.int_tuple<0>) {
  // expected-error @+1 {{thread-value layout (4,2):(3,1) does not fit the tile (2,8):(8,1) of the tensor: }}
  %0 = fly.tiled_copy.partition_src(%c, %m, %i) : (!tiled, !fly.memref<f32, global, (4,8):(8,1)>, !fly.int_tuple<0>) -> !fly.memref<f32, global, 1:1>
  return
}

// -----

!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!tiled = !fly.tiled_mma<!fma, <(4,2,1):(1,4,0)>>
func.func @operand_of_no_tiles(%c: !tiled, %m: !fly.memref<f32, global, ((3,2),8):((2,1),16)>, %i: !fly.int_tuple<0>) {
  // expected-error @+1 {{tensor ((3,2),8):((2,1),16) does not consist of whole tiles [4|1]: }}
  %0 = "fly.tiled_mma.partition"(%c, %m, %i) <{operand_id = #fly<mma_operand a>}> : (!tiled, !fly.memref<f32, global, ((3,2),8):((2,1),16)>, !fly.int_tuple<0>) -> !fly.memref<f32, global, 1:1>
  return
}
