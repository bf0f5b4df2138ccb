// RUN: %fly-opt %s -fly-check-strict -split-input-file -verify-diagnostics

// Each place that verifies only because the original wrote it so (dialect
// specification, section 7), and beside it the type that ours infers, which is
// never reported.

// 7.3
func.func @make_layout_like(%l: !fly.layout<(3,5):(0,1)>) {
  %0 = fly.make_layout_like(%l) : (!fly.layout<(3,5):(0,1)>) -> !fly.layout<(3,5):(0,1)>
  // expected-error @+1 {{'fly.make_layout_like' op relies on a type of the original: broadcast modes got the running stride; written '!fly.layout<(3,5):(1,1)>', expected '!fly.layout<(3,5):(0,1)>'}}
  %1 = fly.make_layout_like(%l) : (!fly.layout<(3,5):(0,1)>) -> !fly.layout<(3,5):(1,1)>
  return
}

// -----

// 7.6
func.func @cosize(%l: !fly.layout<(6,2):(-1,6)>) {
  %0 = fly.cosize(%l) : (!fly.layout<(6,2):(-1,6)>) -> !fly.int_tuple<12>
  // expected-error @+1 {{'fly.cosize' op relies on a type of the original: negative strides counted with their sign; written '!fly.int_tuple<2>', expected '!fly.int_tuple<12>'}}
  %1 = fly.cosize(%l) : (!fly.layout<(6,2):(-1,6)>) -> !fly.int_tuple<2>
  return
}

// -----

// 7.7, the three forms
func.func @divides(%l: !fly.layout<(12,10):(10,1)>, %n: !fly.layout<(12,(5,2)):(10,(1,5))>, %t: !fly.tile<[3]>) {
  %0 = fly.zipped_divide(%l, %t) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<((3),(4,10)):((10),(30,1))>
  // expected-error @+1 {{'fly.zipped_divide' op relies on a type of the original: a tile list of one element left tile and rest in one mode; written '!fly.layout<((3,4),10):((10,30),1)>', expected '!fly.layout<((3),(4,10)):((10),(30,1))>'}}
  %1 = fly.zipped_divide(%l, %t) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<((3,4),10):((10,30),1)>
  // expected-error @+1 {{'fly.tiled_divide' op relies on a type of the original: a tile list of one element left tile and rest in one mode; written '!fly.layout<((3,4),10):((10,30),1)>', expected '!fly.layout<((3),4,10):((10),30,1)>'}}
  %2 = fly.tiled_divide(%l, %t) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<((3,4),10):((10,30),1)>
  %3 = fly.flat_divide(%l, %t) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<(3,4,10):(10,30,1)>
  // expected-error @+1 {{'fly.flat_divide' op relies on a type of the original: a tile list of one element left tile and rest in one mode; written '!fly.layout<(3,4,5,2):(10,30,1,5)>', expected '!fly.layout<(3,4,(5,2)):(10,30,(1,5))>'}}
  %4 = fly.flat_divide(%n, %t) : (!fly.layout<(12,(5,2)):(10,(1,5))>, !fly.tile<[3]>) -> !fly.layout<(3,4,5,2):(10,30,1,5)>
  return
}

// -----

// 7.10
func.func @get(%x: !fly.coord_tensor<(0,3), (4,8):(1E0,1E1)>) {
  %0 = fly.get(%x) {mode = array<i32: 1>} : (!fly.coord_tensor<(0,3), (4,8):(1E0,1E1)>) -> !fly.coord_tensor<(0,3), 8:1E1>
  // expected-error @+1 {{'fly.get' op relies on a type of the original: a mode of a coord_tensor was taken from its base as well; written '!fly.coord_tensor<3, 8:1E1>', expected '!fly.coord_tensor<(0,3), 8:1E1>'}}
  %1 = fly.get(%x) {mode = array<i32: 1>} : (!fly.coord_tensor<(0,3), (4,8):(1E0,1E1)>) -> !fly.coord_tensor<3, 8:1E1>
  return
}

// -----

// 7.13
func.func @apply_swizzle(%p: !fly.ptr<f16, shared, align<32>>, %s: !fly.swizzle<S<0,0,0>>) {
  %0 = fly.apply_swizzle(%p, %s) : (!fly.ptr<f16, shared, align<32>>, !fly.swizzle<S<0,0,0>>) -> !fly.ptr<f16, shared, align<32>>
  // expected-error @+1 {{'fly.apply_swizzle' op relies on a type of the original: the trivial swizzle weakened the alignment; written '!fly.ptr<f16, shared>', expected '!fly.ptr<f16, shared, align<32>>'}}
  %1 = fly.apply_swizzle(%p, %s) : (!fly.ptr<f16, shared, align<32>>, !fly.swizzle<S<0,0,0>>) -> !fly.ptr<f16, shared>
  return
}

// -----

// 7.18, source and destination
!copy = !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, <((4,2),(2,2)):((2,16),(1,8))>, <[8|4]>>
!m = !fly.memref<f32, shared, S<1,2,3> o 0 o [512:1 o 32 o (16,8):(1,16)]>
func.func @partition(%c: !copy, %m: !m, %i: !fly.int_tuple<3>) {
  %0 = fly.tiled_copy.partition_src(%c, %m, %i) : (!copy, !m, !fly.int_tuple<3>) -> !fly.memref<f32, shared, S<1,2,3> o 0 o [512:1 o 38 o ((2,2),2,2):((1,16),8,64)]>
  // expected-error @+1 {{'fly.tiled_copy.partition_src' op relies on a type of the original: the offset went to the top of the chain, not next to the linear layout; written '!fly.memref<f32, shared, S<1,2,3> o 6 o [512:1 o 32 o ((2,2),2,2):((1,16),8,64)]>', expected '!fly.memref<f32, shared, S<1,2,3> o 0 o [512:1 o 38 o ((2,2),2,2):((1,16),8,64)]>'}}
  %1 = fly.tiled_copy.partition_src(%c, %m, %i) : (!copy, !m, !fly.int_tuple<3>) -> !fly.memref<f32, shared, S<1,2,3> o 6 o [512:1 o 32 o ((2,2),2,2):((1,16),8,64)]>
  %2 = fly.tiled_copy.partition_dst(%c, %m, %i) : (!copy, !m, !fly.int_tuple<3>) -> !fly.memref<f32, shared, S<1,2,3> o 0 o [512:1 o 38 o ((2,2),2,2):((1,16),8,64)]>
  // expected-error @+1 {{'fly.tiled_copy.partition_dst' op relies on a type of the original: the offset went to the top of the chain, not next to the linear layout; written '!fly.memref<f32, shared, S<1,2,3> o 6 o [512:1 o 32 o ((2,2),2,2):((1,16),8,64)]>', expected '!fly.memref<f32, shared, S<1,2,3> o 0 o [512:1 o 38 o ((2,2),2,2):((1,16),8,64)]>'}}
  %3 = fly.tiled_copy.partition_dst(%c, %m, %i) : (!copy, !m, !fly.int_tuple<3>) -> !fly.memref<f32, shared, S<1,2,3> o 6 o [512:1 o 32 o ((2,2),2,2):((1,16),8,64)]>
  return
}

// -----

// 4.16: an integer thread
!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!tiled = !fly.tiled_mma<!fma, <(2,2,1):(2,1,0)>>
!x = !fly.memref<f32, global, (4,4):(1,4), align<16>>
func.func @thread(%m: !tiled, %x: !x, %i: !fly.int_tuple<1>) {
  %0 = fly.tiled_mma.partition(c, %m, %x, %i) : (!tiled, !x, !fly.int_tuple<1>) -> !fly.memref<f32, global, (1,2,2):(0,2,8), align<16>>
  // expected-error @+1 {{'fly.tiled_mma.partition' op relies on a type of the original: the offset went to the top of the chain, or an integer thread counted over (thread, (atoms)); written '!fly.memref<f32, global, (1,2,2):(0,2,8)>', expected '!fly.memref<f32, global, (1,2,2):(0,2,8), align<16>>'}}
  %1 = fly.tiled_mma.partition(c, %m, %x, %i) : (!tiled, !x, !fly.int_tuple<1>) -> !fly.memref<f32, global, (1,2,2):(0,2,8)>
  return
}

// -----

// 7.15, P10: the tail of the longer tuple is kept, and a number meets the first mode
// alone. Sums of vectors of different length are what they should be.
func.func @ragged(%two: !fly.int_tuple<2>, %pair: !fly.int_tuple<(4,8)>, %three: !fly.int_tuple<(2,3,5)>,
                  %deep: !fly.int_tuple<((4,4),8)>, %zero: !fly.int_tuple<(1E0,0)>) {
  %0 = fly.int_tuple_sub(%pair, %pair) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<(4,8)>) -> !fly.int_tuple<(0,0)>
  // expected-error @+1 {{'fly.int_tuple_sub' op expected tuples of the same shape, found (4,8) and (2,3,5)}}
  %1 = fly.int_tuple_sub(%pair, %three) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<(2,3,5)>) -> !fly.int_tuple<(2,5,5)>
  // expected-error @+1 {{'fly.int_tuple_mul' op expected tuples of the same shape, found (4,8) and 2}}
  %2 = fly.int_tuple_mul(%pair, %two) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<2>) -> !fly.int_tuple<(8,8)>
  // expected-error @+1 {{'fly.int_tuple_div' op expected tuples of the same shape, found (4,4) and 4}}
  %3 = fly.int_tuple_div(%deep, %pair) : (!fly.int_tuple<((4,4),8)>, !fly.int_tuple<(4,8)>) -> !fly.int_tuple<((1,4),1)>
  // expected-error @+1 {{'fly.int_tuple_mod' op expected tuples of the same shape, found (2,3,5) and (4,8)}}
  %4 = fly.int_tuple_mod(%three, %pair) : (!fly.int_tuple<(2,3,5)>, !fly.int_tuple<(4,8)>) -> !fly.int_tuple<(2,3,5)>
  %5 = fly.int_tuple_add(%three, %pair) : (!fly.int_tuple<(2,3,5)>, !fly.int_tuple<(4,8)>) -> !fly.int_tuple<(6,11,5)>
  // expected-error @+1 {{'fly.int_tuple_add' op expected tuples of the same shape, found (4,8) and 2}}
  %6 = fly.int_tuple_add(%pair, %two) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<2>) -> !fly.int_tuple<(6,8)>
  return
}
