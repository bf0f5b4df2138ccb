// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s

// Specification 3.6, 3.7: which operands the ops take and what they keep. The
// functions themselves are tested with the layout library and by
// layout-vectors.test.

!chain = !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 7 o (4,8):(1,4)]>
!memref = !fly.memref<f16, global, (12,10):(10,1), align<16>>
!nested = !fly.memref<f16, shared, S<1,2,3> o 5 o [32:1 o 7 o (4,8):(1,4)], align<16>>
!coords = !fly.coord_tensor<(0,?), (12,10):(1E0,1E1)>

// 7.11: a composed layout keeps its chain, as a memref does.
// CHECK-LABEL: func.func @chains
func.func @chains(%c: !chain, %m: !nested, %p: !fly.int_tuple<(1,1)>, %t: !fly.tile<[2|4]>, %l: !fly.layout<2:1>) {
  // CHECK: fly.coalesce(%{{.*}}) : (!fly.composed_layout
  %0 = fly.coalesce(%c) : (!chain) -> !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 7 o 32:1]>
  // CHECK: fly.coalesce(%{{.*}}, %{{.*}}) : (!fly.composed_layout
  %1 = fly.coalesce(%c, %p) : (!chain, !fly.int_tuple<(1,1)>) -> !chain
  %2 = fly.coalesce(%m) : (!nested) -> !fly.memref<f16, shared, S<1,2,3> o 5 o [32:1 o 7 o 32:1], align<16>>
  %3 = fly.zipped_divide(%c, %t) : (!chain, !fly.tile<[2|4]>) -> !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 7 o ((2,4),(2,2)):((1,4),(2,16))]>
  %4 = fly.composition(%c, %t) : (!chain, !fly.tile<[2|4]>) -> !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 7 o (2,4):(1,4)]>
  %5 = fly.logical_product(%c, %l) : (!chain, !fly.layout<2:1>) -> !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 7 o ((4,8),2):((1,4),32)]>
  %6 = fly.right_inverse(%c) : (!chain) -> !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 7 o 32:1]>
  return
}

// Pointer, alignment and base stay.
// CHECK-LABEL: func.func @tensors
func.func @tensors(%m: !memref, %x: !coords, %t: !fly.tile<[3|5]>) {
  %0 = fly.zipped_divide(%m, %t) : (!memref, !fly.tile<[3|5]>) -> !fly.memref<f16, global, ((3,5),(4,2)):((10,1),(30,5)), align<16>>
  %1 = fly.flat_divide(%m, %t) : (!memref, !fly.tile<[3|5]>) -> !fly.memref<f16, global, (3,5,4,2):(10,1,30,5), align<16>>
  %2 = fly.zipped_divide(%x, %t) : (!coords, !fly.tile<[3|5]>) -> !fly.coord_tensor<(0,?), ((3,5),(4,2)):((1E0,1E1),(3E0,5E1))>
  %3 = fly.size(%m) : (!memref) -> !fly.int_tuple<120>
  %4 = fly.coshape(%x) : (!coords) -> !fly.int_tuple<(12,10)>
  return
}

// 7.7: a list of one element. The coordinate of a `*` stays as it is elsewhere.
// CHECK-LABEL: func.func @one_element
func.func @one_element(%l: !fly.layout<(12,10):(10,1)>, %v: !fly.layout<12:1>, %t: !fly.tile<[3]>) {
  %0 = fly.zipped_divide(%l, %t) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<((3),(4,10)):((10),(30,1))>
  %1 = fly.zipped_divide(%v, %t) : (!fly.layout<12:1>, !fly.tile<[3]>) -> !fly.layout<((3),(4)):((1),(3))>
  return
}

// The whole chain is recast: swizzle base and offset too.
// CHECK-LABEL: func.func @recast
func.func @recast(%c: !fly.composed_layout<S<2,3,3> o 4 o (8,8):(1,8)>) {
  // CHECK: fly.recast_layout(%{{.*}}) {new_type_bits = 32 : i32, old_type_bits = 16 : i32}
  %0 = fly.recast_layout(%c) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.composed_layout<S<2,3,3> o 4 o (8,8):(1,8)>) -> !fly.composed_layout<S<2,2,3> o 2 o (4,8):(1,4)>
  return
}

// CHECK-LABEL: func.func @maps
func.func @maps(%i: !fly.int_tuple<24>, %c: !fly.int_tuple<(6,3)>, %s: !fly.swizzle<S<2,0,3>>,
                %x: !fly.coord_swizzle<CS<2,0,[0],0,[1]>>, %l: !fly.composed_layout<S<2,0,3> o 0 o 32:1>) {
  %0 = fly.crd2idx(%i, %s) : (!fly.int_tuple<24>, !fly.swizzle<S<2,0,3>>) -> !fly.int_tuple<27>
  %1 = fly.crd2idx(%c, %x) : (!fly.int_tuple<(6,3)>, !fly.coord_swizzle<CS<2,0,[0],0,[1]>>) -> !fly.int_tuple<(6,1)>
  %2 = fly.crd2idx(%i, %l) : (!fly.int_tuple<24>, !fly.composed_layout<S<2,0,3> o 0 o 32:1>) -> !fly.int_tuple<27>
  return
}

// CHECK-LABEL: func.func @optional
func.func @optional(%l: !fly.layout<3:5>, %m: !fly.int_tuple<15>) {
  // CHECK: fly.complement(%{{.*}}, %{{.*}}) :
  %0 = fly.complement(%l, %m) : (!fly.layout<3:5>, !fly.int_tuple<15>) -> !fly.layout<5:1>
  // CHECK: fly.complement(%{{.*}}) :
  %1 = fly.complement(%l) : (!fly.layout<3:5>) -> !fly.layout<5:1>
  return
}
