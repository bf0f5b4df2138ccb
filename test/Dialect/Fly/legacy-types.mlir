// RUN: %fly-opt %s -split-input-file -verify-diagnostics

// Specification section 7, "accept legacy": the type that the original writes
// verifies, each other wrong type does not.

// 7.3
func.func @make_layout_like(%l: !fly.layout<(3,5):(0,1)>, %one: !fly.layout<4:0>) {
  %0 = fly.make_layout_like(%l) : (!fly.layout<(3,5):(0,1)>) -> !fly.layout<(3,5):(0,1)>
  %1 = fly.make_layout_like(%l) : (!fly.layout<(3,5):(0,1)>) -> !fly.layout<(3,5):(1,1)>
  %2 = fly.make_layout_like(%one) : (!fly.layout<4:0>) -> !fly.layout<4:1>
  return
}

// -----

func.func @make_layout_like_wrong(%l: !fly.layout<(3,5):(0,1)>) {
  // expected-error @+1 {{result type: written '!fly.layout<(3,5):(2,1)>', expected }}
  %0 = fly.make_layout_like(%l) : (!fly.layout<(3,5):(0,1)>) -> !fly.layout<(3,5):(2,1)>
  return
}

// -----

// 7.6
func.func @cosize(%l: !fly.layout<(6,2):(-1,6)>) {
  %0 = fly.cosize(%l) : (!fly.layout<(6,2):(-1,6)>) -> !fly.int_tuple<12>
  %1 = fly.cosize(%l) : (!fly.layout<(6,2):(-1,6)>) -> !fly.int_tuple<2>
  return
}

// -----

func.func @cosize_wrong(%l: !fly.layout<(6,2):(1,6)>) {
  // expected-error @+1 {{result type: written '!fly.int_tuple<2>', expected }}
  %0 = fly.cosize(%l) : (!fly.layout<(6,2):(1,6)>) -> !fly.int_tuple<2>
  return
}

// -----

// 7.7: tile and rest in one mode, where the layout has two.
func.func @divides(%l: !fly.layout<(12,10):(10,1)>, %t: !fly.tile<[3]>) {
  %0 = fly.zipped_divide(%l, %t) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<((3,4),10):((10,30),1)>
  %1 = fly.tiled_divide(%l, %t) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<((3,4),10):((10,30),1)>
  %2 = fly.flat_divide(%l, %t) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<(3,4,10):(10,30,1)>
  return
}

// -----

func.func @divide_wrong(%l: !fly.layout<(12,10):(10,1)>, %t: !fly.tile<[3|5]>) {
  // expected-error @+1 {{op result type: written }}
  %0 = fly.zipped_divide(%l, %t) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,4),(5,2)):((10,30),(1,5))>
  return
}

// -----

// 7.10: the base is indexed too.
func.func @get(%x: !fly.coord_tensor<(0,3), (4,8):(1E0,1E1)>) {
  %0 = fly.get(%x) {mode = array<i32: 1>} : (!fly.coord_tensor<(0,3), (4,8):(1E0,1E1)>) -> !fly.coord_tensor<3, 8:1E1>
  return
}

// -----

// 7.13: the trivial swizzle destroys the alignment.
// P48.
func.func @apply_swizzle(%p: !fly.ptr<f16, shared, align<32>>, %s: !fly.swizzle<S<0,0,0>>) {
  %0 = fly.apply_swizzle(%p, %s) : (!fly.ptr<f16, shared, align<32>>, !fly.swizzle<S<0,0,0>>) -> !fly.ptr<f16, shared>
  return
}

// -----

func.func @apply_swizzle_wrong(%p: !fly.ptr<f16, shared, align<32>>, %s: !fly.swizzle<S<2,3,3>>) {
  // expected-error @+1 {{op result type: written }}
  %0 = fly.apply_swizzle(%p, %s) : (!fly.ptr<f16, shared, align<32>>, !fly.swizzle<S<2,3,3>>) -> !fly.ptr<f16, shared, S<2,3,3>>
  return
}

// -----

// 7.18: where a partition of a nested chain puts its offset.
!copy = !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, <((4,2),(2,2)):((2,16),(1,8))>, <[8|4]>>
!m = !fly.memref<f32, shared, S<1,2,3> o 0 o [512:1 o 32 o (16,8):(1,16)]>
func.func @partition(%c: !copy, %m: !m, %i: !fly.int_tuple<3>) {
  %0 = fly.tiled_copy.partition_src(%c, %m, %i) : (!copy, !m, !fly.int_tuple<3>) -> !fly.memref<f32, shared, S<1,2,3> o 0 o [512:1 o 38 o ((2,2),2,2):((1,16),8,64)]>
  %1 = fly.tiled_copy.partition_src(%c, %m, %i) : (!copy, !m, !fly.int_tuple<3>) -> !fly.memref<f32, shared, S<1,2,3> o 6 o [512:1 o 32 o ((2,2),2,2):((1,16),8,64)]>
  return
}

// -----

// 4.16: an integer thread read as a number over (thr, (n0, n1)). Thread 3 of a
// (2,2,1):(2,1,0) tiling is (1,1) by the atom layout, (1,1) by the number too;
// thread 1 is (0,1) and (1,0).
!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!tiled = !fly.tiled_mma<!fma, <(2,2,1):(2,1,0)>>
!x = !fly.memref<f32, global, (4,4):(1,4), align<16>>
func.func @thread(%m: !tiled, %x: !x, %i: !fly.int_tuple<1>) {
  %0 = fly.tiled_mma.partition(c, %m, %x, %i) : (!tiled, !x, !fly.int_tuple<1>) -> !fly.memref<f32, global, (1,2,2):(0,2,8), align<16>>
  %1 = fly.tiled_mma.partition(c, %m, %x, %i) : (!tiled, !x, !fly.int_tuple<1>) -> !fly.memref<f32, global, (1,2,2):(0,2,8)>
  return
}
