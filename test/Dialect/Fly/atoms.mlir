// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s

// Specification 3.8.

!copy = !fly.copy_atom<!fly.universal_copy<64>, 32>
!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!r2 = !fly.memref<f32, register, 2:1>
!r1 = !fly.memref<f32, register, 1:1>
!pred = !fly.memref<i1, register, 1:1>

// CHECK-LABEL: func.func @atoms
func.func @atoms(%s: !r2, %d: !r2, %p: !pred, %a: !r1, %v: vector<2xf32>, %f: f32, %b: i1) {
  // CHECK: fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 32>
  %c = fly.make_copy_atom {valBits = 32 : i32} : !copy
  // CHECK: fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  %m = fly.make_mma_atom : !fma
  // CHECK: fly.copy_atom_call(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, register, 2:1>, !fly.memref<f32, register, 2:1>) -> ()
  fly.copy_atom_call(%c, %s, %d) : (!copy, !r2, !r2) -> ()
  fly.copy_atom_call(%c, %s, %d, %p) : (!copy, !r2, !r2, !pred) -> ()
  // CHECK: fly.mma_atom_call(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) :
  fly.mma_atom_call(%m, %a, %a, %a, %a) : (!fma, !r1, !r1, !r1, !r1) -> ()
  // The segment sizes are part of the text.
  // CHECK: fly.copy_atom_call_ssa(%{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} :
  %0 = fly.copy_atom_call_ssa(%c, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!copy, !r2) -> vector<2xf32>
  // CHECK: fly.copy_atom_call_ssa(%{{.*}}, %{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} :
  %1 = fly.copy_atom_call_ssa(%c, %s, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!copy, !r2, i1) -> vector<2xf32>
  // CHECK: fly.copy_atom_call_ssa(%{{.*}}, %{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : {{.*}} -> ()
  fly.copy_atom_call_ssa(%c, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!copy, vector<2xf32>, !r2) -> ()
  // The number of operands tells whether d is there.
  // CHECK: fly.mma_atom_call_ssa(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : {{.*}} -> f32
  %2 = fly.mma_atom_call_ssa(%m, %f, %f, %f) : (!fma, f32, f32, f32) -> f32
  // CHECK: fly.mma_atom_call_ssa(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : {{.*}} -> ()
  fly.mma_atom_call_ssa(%m, %a, %f, %f, %f) : (!fma, !r1, f32, f32, f32) -> ()
  return
}

!buffer = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>
// CHECK-LABEL: func.func @state
func.func @state(%a: !buffer, %i: i32) {
  // CHECK: fly.atom.set_value(%{{.*}}, "soffset", %{{.*}}) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>, i32) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>
  %0 = fly.atom.set_value(%a, "soffset", %i) : (!buffer, i32) -> !buffer
  return
}

!tiledCopy = !fly.tiled_copy<!copy, <((4,2),(2,2)):((2,16),(1,8))>, <[8|4]>>
!tiledMma = !fly.tiled_mma<!fma, <(4,2,1):(1,4,0)>>
!tensor = !fly.memref<f32, global, (16,8):(1,16), align<16>>
// CHECK-LABEL: func.func @tiled
func.func @tiled(%c: !copy, %w: !fly.layout<((4,2),(2,2)):((2,16),(1,8))>, %t: !fly.tile<[8|4]>, %m: !fma,
                 %l: !fly.layout<(4,2,1):(1,4,0)>, %p: !fly.tile<[*|4|*]>, %x: !tensor, %i: !fly.int_tuple<3>, %q: !fly.int_tuple<?>,
                 %y: !fly.coord_tensor<(0,0), (16,8):(1E0,1E1)>, %f: !fly.memref<f32, register, (4,2,2):(1,4,8)>, %s: !fly.int_tuple<(16,8)>) {
  // CHECK: -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<((4,2),(2,2)):((2,16),(1,8))>, !fly.tile<[8|4]>>
  %tc = fly.make_tiled_copy(%c, %w, %t) : (!copy, !fly.layout<((4,2),(2,2)):((2,16),(1,8))>, !fly.tile<[8|4]>) -> !tiledCopy
  // CHECK: fly.make_tiled_mma(%{{.*}}, %{{.*}}) : {{.*}} -> !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(4,2,1):(1,4,0)>>
  %tm = fly.make_tiled_mma(%m, %l) : (!fma, !fly.layout<(4,2,1):(1,4,0)>) -> !tiledMma
  // CHECK: fly.make_tiled_mma(%{{.*}}, %{{.*}}, %{{.*}}) : {{.*}}, !fly.tile<[*|4|*]>>
  %tp = fly.make_tiled_mma(%m, %l, %p) : (!fma, !fly.layout<(4,2,1):(1,4,0)>, !fly.tile<[*|4|*]>) -> !fly.tiled_mma<!fma, <(4,2,1):(1,4,0)>, <[*|4|*]>>
  // Thread 3 starts at element 6: 8 bytes.
  %0 = fly.tiled_copy.partition_src(%tc, %x, %i) : (!tiledCopy, !tensor, !fly.int_tuple<3>) -> !fly.memref<f32, global, ((2,2),2,2):((1,16),8,64), align<8>>
  %1 = fly.tiled_copy.partition_dst(%tc, %x, %q) : (!tiledCopy, !tensor, !fly.int_tuple<?>) -> !fly.memref<f32, global, ((2,2),2,2):((1,16),8,64), align<8>>
  %2 = fly.tiled_copy.partition_src(%tc, %y, %i) : (!tiledCopy, !fly.coord_tensor<(0,0), (16,8):(1E0,1E1)>, !fly.int_tuple<3>) -> !fly.coord_tensor<(6,0), ((2,2),2,2):((1E0,1E1),8E0,4E1)>
  %3 = fly.tiled_copy.retile(%tc, %f) : (!tiledCopy, !fly.memref<f32, register, (4,2,2):(1,4,8)>) -> !fly.memref<f32, register, ((2,2),2,2):((1,2),4,8)>
  // CHECK: fly.tiled_mma.partition(a, %{{.*}}, %{{.*}}, %{{.*}}) :
  %4 = fly.tiled_mma.partition(a, %tm, %x, %q) : (!tiledMma, !tensor, !fly.int_tuple<?>) -> !fly.memref<f32, global, (1,4,8):(0,4,16)>
  // CHECK: fly.tiled_mma.partition_shape(%{{.*}}, %{{.*}}) {operand_id = #fly<mma_operand b>} :
  %5 = fly.tiled_mma.partition_shape(%tm, %s) {operand_id = #fly<mma_operand b>} : (!tiledMma, !fly.int_tuple<(16,8)>) -> !fly.int_tuple<(1,8,8)>
  // CHECK: fly.mma.make_fragment(b, %{{.*}}, %{{.*}}) :
  %6 = fly.mma.make_fragment(b, %tm, %x) : (!tiledMma, !tensor) -> !fly.memref<f32, register, (1,8,8):(0,1,8)>
  // CHECK: fly.mma.make_fragment(b, %{{.*}}, %{{.*}}, stages = 2) :
  %7 = fly.mma.make_fragment(b, %tm, %x, stages = 2) : (!tiledMma, !tensor) -> !fly.memref<f32, register, (1,8,8,2):(0,1,8,64)>
  return
}

!d = !fly.memref<f32, register, (1,2,2):(0,1,2)>
!ab = !fly.memref<f32, register, (1,2):(0,1)>
// CHECK-LABEL: func.func @loops
func.func @loops(%c: !copy, %m: !fma, %s: !fly.memref<f32, global, (2,4):(1,2)>, %r: !fly.memref<f32, register, (2,4):(1,2)>,
                 %p: !fly.memref<i1, register, 4:1>, %d: !d, %ab: !ab, %l: !fly.layout<4:1>) {
  // CHECK: fly.copy(%{{.*}}, %{{.*}}, %{{.*}}) : ({{.*}}) -> ()
  fly.copy(%c, %s, %r) : (!copy, !fly.memref<f32, global, (2,4):(1,2)>, !fly.memref<f32, register, (2,4):(1,2)>) -> ()
  // CHECK: fly.copy(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : ({{.*}}) -> ()
  fly.copy(%c, %s, %r, %p) : (!copy, !fly.memref<f32, global, (2,4):(1,2)>, !fly.memref<f32, register, (2,4):(1,2)>, !fly.memref<i1, register, 4:1>) -> ()
  // CHECK: fly.gemm(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : ({{.*}}) -> ()
  fly.gemm(%m, %d, %ab, %ab, %d) : (!fma, !d, !ab, !ab, !d) -> ()
  // CHECK: fly.gemm(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) traversalLayout = %{{.*}} {traversalOrder = #fly<gemm_traversal_order kmn>} : ({{.*}}, !fly.layout<4:1>) -> ()
  fly.gemm(%m, %d, %ab, %ab, %d) traversalLayout = %l {traversalOrder = #fly<gemm_traversal_order kmn>} : (!fma, !d, !ab, !ab, !d, !fly.layout<4:1>) -> ()
  return
}
