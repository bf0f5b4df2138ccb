// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s --strict-whitespace

// The printed form of every type: no blank inside of bodies but where the
// grammar has one, defaults left out, exactly one blank after a comma (7.35).

// CHECK: func.func private @tuples(!fly.int_tuple<4>, !fly.int_tuple<(4)>, !fly.int_tuple<((4))>, !fly.int_tuple<(4,(2,3))>, !fly.int_tuple<(?,?{i64 div=8},3)>, !fly.int_tuple<(*,3)>, !fly.int_tuple<(1E0,(2E1E0,1E1E1))>)
func.func private @tuples(!fly.int_tuple<4>, !fly.int_tuple<(4)>,
  !fly.int_tuple<((4))>, !fly.int_tuple<( 4 , ( 2 , 3 ) )>,
  !fly.int_tuple<(?, ?{i64 div=8}, 3)>, !fly.int_tuple<(*, 3)>,
  !fly.int_tuple<(1 E0, (2E1E0, 1E1E1))>)

// CHECK: func.func private @leaves(!fly.int_tuple<-7>, !fly.int_tuple<?>, !fly.int_tuple<?>, !fly.int_tuple<?>, !fly.int_tuple<?>, !fly.int_tuple<?{div=4}>, !fly.int_tuple<?{div=4}>, !fly.int_tuple<?{i64}>, !fly.int_tuple<?{i64 div=16}>, !fly.int_tuple<9223372036854775807>)
func.func private @leaves(!fly.int_tuple<-7>, !fly.int_tuple<?>,
  !fly.int_tuple<?{}>, !fly.int_tuple<?{i32}>, !fly.int_tuple<?{div=1}>,
  !fly.int_tuple<?{div = 4}>, !fly.int_tuple<?{i32 div=4}>,
  !fly.int_tuple<?{i64}>, !fly.int_tuple<?{i64 div=16}>,
  !fly.int_tuple<9223372036854775807>)

// 7.12: a negative divisor promises what its magnitude does.
// CHECK: func.func private @negative_divisor(!fly.int_tuple<?{div=8}>)
func.func private @negative_divisor(!fly.int_tuple<?{div=-8}>)

// CHECK: func.func private @layouts(!fly.layout<(4,8):(1,4)>, !fly.layout<4:1>, !fly.layout<(4,(2,?{i64})):(?,(1E0,1E1))>, !fly.basis<4E0E1>, !fly.swizzle<S<3,4,3>>, !fly.coord_swizzle<CS<0,5,[],7,[]>>, !fly.coord_swizzle<CS<3,0,[1, 0],0,[2, 1, 0]>>)
func.func private @layouts(!fly.layout<(4,8) : (1,4)>, !fly.layout< 4 : 1 >,
  !fly.layout<(4,(2,?{i64})):(?,(1E0,1E1))>, !fly.basis<4E0E1>,
  !fly.swizzle<S< 3 , 4 , 3 >>, !fly.coord_swizzle<CS<0,5,[],7,[]>>,
  !fly.coord_swizzle<CS<3,0,[1,0],0,[2,1,0]>>)

// CHECK: func.func private @composed(!fly.composed_layout<S<3,0,3> o 0 o (8,8):(1,8)>, !fly.composed_layout<32:2 o 5 o 8:1 o 4 o 2:1>, !fly.composed_layout<32:2 o 5 o [8:1 o 4 o 2:1]>, !fly.composed_layout<S<1,2,3> o 0 o 8:1>, !fly.composed_layout<CS<2,0,[0],0,[1]> o (0,0) o (4,4):(1E0,1E1)>)
func.func private @composed(
  !fly.composed_layout<S<3,0,3> o 0 o (8,8) : (1,8)>,
  !fly.composed_layout<32:2 o 5 o 8:1 o 4 o 2:1>,
  !fly.composed_layout<32:2 o 5 o [8:1 o 4 o 2:1]>,
  !fly.composed_layout<S<1,2,3> o 0 o [8:1]>,
  !fly.composed_layout<CS<2,0,[0],0,[1]> o (0,0) o (4,4):(1E0,1E1)>)

// CHECK: func.func private @tiles(!fly.tile<4>, !fly.tile<*>, !fly.tile<4:2>, !fly.tile<(4,8):(1,4)>, !fly.tile<[4]>, !fly.tile<[4|*|8]>, !fly.tile<{{\[\[}}4|2]|8]>, !fly.tile<{{\[\[}}*|2:1]|8]>)
func.func private @tiles(!fly.tile<4>, !fly.tile<*>, !fly.tile<4:2>,
  !fly.tile<(4,8):(1,4)>, !fly.tile<[4]>, !fly.tile<[4 | * | 8]>,
  !fly.tile<[[4|2]|8]>, !fly.tile<[[*|2:1]|8]>)

// CHECK: func.func private @pointers(!fly.ptr<f16, global>, !fly.ptr<f16, global>, !fly.ptr<f16, shared, align<16>, S<3,3,3>>, !fly.ptr<f16, shared, S<3,3,3>>, !fly.ptr<f32, shared>, !fly.ptr<f32, #gpu.address_space<workgroup>>, !fly.ptr<f32, 3 : i64>, !fly.ptr<f32, "foo">, !fly.ptr<i1, register>, !fly.ptr<f16, global, align<6>>, !fly.ptr<f16, global, S<0,3,3>>, !fly.ptr<f4E2M1FN, generic>)
func.func private @pointers(!fly.ptr<f16,global>, !fly.ptr<f16, global, align<2>>,
  !fly.ptr<f16,  shared,  align<16>, S<3,3,3>>, !fly.ptr<f16, shared, S<3,3,3>>,
  !fly.ptr<f32, #fly<address_space shared>>,
  !fly.ptr<f32, #gpu.address_space<workgroup>>, !fly.ptr<f32, 3>,
  !fly.ptr<f32, "foo">, !fly.ptr<i1, register, align<1>>,
  !fly.ptr<f16, global, align<6>>, !fly.ptr<f16, global, S<0,3,3>>,
  !fly.ptr<f4E2M1FN, generic>)

// CHECK: func.func private @memrefs(!fly.memref<f16, global, (4,8):(1,4)>, !fly.memref<f16, register, 4:1, align<8>>, !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>, !fly.memref<f16, shared, S<3,0,3> o 0 o (8,8):(1,8), align<16>, S<2,3,3>>, !fly.memref<f16, global, (?{i64},?):(?{i64 div=8},1), align<16>>)
func.func private @memrefs(!fly.memref<f16, global, (4,8) : (1,4)>,
  !fly.memref<f16, register, 4:1, align<8>>,
  !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>,
  !fly.memref<f16, shared, S<3,0,3> o 0 o (8,8):(1,8), align<16>, S<2,3,3>>,
  !fly.memref<f16, global, (?{i64},?):(?{i64 div=8},1), align<16>>)

// CHECK: func.func private @coord_tensors(!fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>, !fly.coord_tensor<0, 4:1>, !fly.coord_tensor<(0,?{div=4}), CS<3,0,[0],0,[1]> o (0,0) o (8,8):(1E0,1E1)>)
func.func private @coord_tensors(!fly.coord_tensor<(0,0),(4,8):(1E0,1E1)>,
  !fly.coord_tensor<0, 4:1>,
  !fly.coord_tensor<(0,?{div=4}), CS<3,0,[0],0,[1]> o (0,0) o (8,8):(1E0,1E1)>)

// CHECK: func.func private @descriptors(!fly.universal_copy<128>, !fly.universal_atomic<add, f32>, !fly.universal_atomic<add, f32>, !fly.universal_atomic<inc, i32, "agent">, !fly.universal_fma<1x1x1, (f32, f32) -> f32>)
func.func private @descriptors(!fly.universal_copy<128>,
  !fly.universal_atomic< add, f32>, !fly.universal_atomic<add, f32, "">,
  !fly.universal_atomic<inc, i32, "agent">,
  !fly.universal_fma<1x1x1, (f32, f32) -> f32>)

// The layout and tile of a tiled type are read with or without prefix. The
// permutation that leaves all three modes alone is not printed.
// CHECK: func.func private @tiled(!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.copy_atom<!fly.universal_copy<64>, 0>, !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<(4,2):(1,4)>, !fly.tile<8>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(1,1,1):(0,1,2)>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(1,1,1):(0,1,2)>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(1,1,1):(0,1,2)>, !fly.tile<[*|*]>>)
!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
func.func private @tiled(!fly.copy_atom<!fly.universal_copy<64>, 16>,
  !fly.copy_atom<!fly.universal_copy<64>, 0>,
  !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, <(4,2):(1,4)>, <8>>,
  !fly.tiled_mma<!fma, <(1,1,1):(0,1,2)>>,
  !fly.tiled_mma<!fma, !fly.layout<(1,1,1):(0,1,2)>, !fly.tile<[*|*|*]>>,
  !fly.tiled_mma<!fma, <(1,1,1):(0,1,2)>, <[*|*]>>)
