// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s

// Specification 3.3.

// CHECK-LABEL: func.func @scalars
func.func @scalars(%a: !fly.int_tuple<((?))>, %b: !fly.int_tuple<?{i64}>,
                   %c: !fly.int_tuple<7>, %d: !fly.int_tuple<?{i64}E1>,
                   %e: !fly.int_tuple<4294967296>) {
  %0 = fly.get_scalar(%a) : (!fly.int_tuple<((?))>) -> i32
  %1 = fly.get_scalar(%b) : (!fly.int_tuple<?{i64}>) -> i64
  %2 = fly.get_scalar(%c) : (!fly.int_tuple<7>) -> i32
  %3 = fly.get_scalar(%d) : (!fly.int_tuple<?{i64}E1>) -> i64
  // A known number that needs 64 bits has them.
  %4 = fly.get_scalar(%e) : (!fly.int_tuple<4294967296>) -> i64
  return
}

// CHECK-LABEL: func.func @leaves
func.func @leaves(%a: !fly.int_tuple<(4,(?{i64},?))>, %b: !fly.int_tuple<(4,2)>) {
  // CHECK: fly.get_leaves(%{{.*}}) : (!fly.int_tuple<(4,(?{i64},?))>) -> (i32, i64, i32)
  %0:3 = fly.get_leaves(%a) {dynamicOnly = false} : (!fly.int_tuple<(4,(?{i64},?))>) -> (i32, i64, i32)
  // CHECK: fly.get_leaves(%{{.*}}) {dynamicOnly = true} : (!fly.int_tuple<(4,(?{i64},?))>) -> (i64, i32)
  %1:2 = fly.get_leaves(%a) {dynamicOnly = true} : (!fly.int_tuple<(4,(?{i64},?))>) -> (i64, i32)
  // CHECK: fly.get_leaves(%{{.*}}) {dynamicOnly = true} : (!fly.int_tuple<(4,2)>) -> ()
  fly.get_leaves(%b) {dynamicOnly = true} : (!fly.int_tuple<(4,2)>) -> ()
  return
}

!chain = !fly.composed_layout<S<2,1,3> o 4 o [32:2 o 5 o 8:1]>
!swizzled = !fly.memref<f16, shared, S<2,1,3> o 0 o (4,8):(8,1), align<16>, S<3,3,3>>
!coords = !fly.coord_tensor<(0,?), (4,8):(1E0,1E1)>
// CHECK-LABEL: func.func @parts
func.func @parts(%c: !chain, %m: !swizzled, %t: !coords, %l: !fly.layout<(4,8):(1,4)>) {
  %0 = fly.get_shape(%m) : (!swizzled) -> !fly.int_tuple<(4,8)>
  %1 = fly.get_shape(%c) : (!chain) -> !fly.int_tuple<8>
  %2 = fly.get_stride(%t) : (!coords) -> !fly.int_tuple<(1E0,1E1)>
  %3 = fly.get_stride(%l) : (!fly.layout<(4,8):(1,4)>) -> !fly.int_tuple<(1,4)>
  %4 = fly.get_layout(%m) : (!swizzled) -> !fly.composed_layout<S<2,1,3> o 0 o (4,8):(8,1)>
  %5 = fly.get_layout(%t) : (!coords) -> !fly.layout<(4,8):(1E0,1E1)>
  %6 = fly.get_iter(%m) : (!swizzled) -> !fly.ptr<f16, shared, align<16>, S<3,3,3>>
  %7 = fly.get_iter(%t) : (!coords) -> !fly.int_tuple<(0,?)>
  %8 = fly.composed_get_inner(%c) : (!chain) -> !fly.swizzle<S<2,1,3>>
  %9 = fly.composed_get_offset(%c) : (!chain) -> !fly.int_tuple<4>
  %10 = fly.composed_get_outer(%c) : (!chain) -> !fly.composed_layout<32:2 o 5 o 8:1>
  %11 = fly.composed_get_inner(%10) : (!fly.composed_layout<32:2 o 5 o 8:1>) -> !fly.layout<32:2>
  return
}
