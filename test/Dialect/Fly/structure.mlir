// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s

// Specification 3.5, 4.4.

!chain = !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 7 o (4,8):(1,4)]>
!memref = !fly.memref<f16, global, (4,8):(1,4), align<16>>
!coords = !fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>

// CHECK-LABEL: func.func @kinds
func.func @kinds(%t: !fly.int_tuple<(4,(2,8))>, %c: !chain, %m: !memref, %x: !coords) {
  // CHECK: fly.get(%{{.*}}) {mode = array<i32: 1, 0>}
  %0 = fly.get(%t) {mode = array<i32: 1, 0>} : (!fly.int_tuple<(4,(2,8))>) -> !fly.int_tuple<2>
  // CHECK: fly.get(%{{.*}}) {mode = array<i32>}
  %1 = fly.get(%t) {mode = array<i32>} : (!fly.int_tuple<(4,(2,8))>) -> !fly.int_tuple<(4,(2,8))>
  // 7.11: the chain around the linear layout is kept.
  %2 = fly.get(%c) {mode = array<i32: 1>} : (!chain) -> !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 7 o 8:4]>
  %3 = fly.select(%c) {indices = array<i32: 1, 0>} : (!chain) -> !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 7 o (8,4):(4,1)]>
  // CHECK: fly.take(%{{.*}}) {begin = 0 : i32, end = -1 : i32}
  %4 = fly.take(%c) {begin = 0 : i32, end = -1 : i32} : (!chain) -> !chain
  %5 = fly.group(%c) {begin = 0 : i32, end = -1 : i32} : (!chain) -> !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 7 o ((4,8)):((1,4))]>
  // Alignment and base are kept.
  %6 = fly.take(%m) {begin = 1 : i32, end = 2 : i32} : (!memref) -> !fly.memref<f16, global, 8:4, align<16>>
  // 7.10: the base is a coordinate of the codomain and is not indexed.
  %7 = fly.get(%x) {mode = array<i32: 1>} : (!coords) -> !fly.coord_tensor<(0,0), 8:1E1>
  return
}

// CHECK-LABEL: func.func @extend
func.func @extend(%t: !fly.int_tuple<(4,8)>, %e: !fly.int_tuple<(5,6)>, %l: !fly.layout<3:1>,
                  %f: !fly.layout<(5,2):(3,15)>, %c: !chain, %one: !fly.layout<1:0>) {
  // CHECK: fly.append (%{{.*}}, %{{.*}}) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<(5,6)>) -> !fly.int_tuple<(4,8,(5,6))>
  %0 = fly.append(%t, %e) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<(5,6)>) -> !fly.int_tuple<(4,8,(5,6))>
  // CHECK: fly.append<4> (%{{.*}}, %{{.*}}) : (!fly.layout<3:1>, !fly.layout<1:0>) -> !fly.layout<(3,1,1,1):(1,0,0,0)>
  %1 = fly.append<4>(%l, %one) : (!fly.layout<3:1>, !fly.layout<1:0>) -> !fly.layout<(3,1,1,1):(1,0,0,0)>
  // CHECK: fly.append<2> (
  %2 = fly.append (%l, %one) {n = 2 : i32} : (!fly.layout<3:1>, !fly.layout<1:0>) -> !fly.layout<(3,1):(1,0)>
  // CHECK: fly.prepend<3> (
  %3 = fly.prepend<3> (%c, %one) : (!chain, !fly.layout<1:0>) -> !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 7 o (1,4,8):(0,1,4)]>
  return
}

// CHECK-LABEL: func.func @slices
func.func @slices(%m: !memref, %x: !coords, %c: !chain, %s: !fly.memref<f16, global, S<3,0,3> o 1 o (4,8):(1,4), align<16>>,
                  %t: !fly.int_tuple<(3,(5,2),7)>, %l: !fly.layout<(4,8):(1,4)>,
                  %k3: !fly.int_tuple<(*,3)>, %kq: !fly.int_tuple<(*,?)>, %k0: !fly.int_tuple<(*,0)>,
                  %q: !fly.int_tuple<(?{div=2},*)>, %deep: !fly.int_tuple<(*,(2,*),*)>) {
  // 8 elements of promise against an offset of 12: gcd 4, 8 bytes.
  %0 = fly.slice(%m, %k3) : (!memref, !fly.int_tuple<(*,3)>) -> !fly.memref<f16, global, 4:1, align<8>>
  %1 = fly.slice(%m, %kq) : (!memref, !fly.int_tuple<(*,?)>) -> !fly.memref<f16, global, 4:1, align<8>>
  %2 = fly.slice(%m, %k0) : (!memref, !fly.int_tuple<(*,0)>) -> !fly.memref<f16, global, 4:1, align<16>>
  %3 = fly.slice(%x, %q) : (!coords, !fly.int_tuple<(?{div=2},*)>) -> !fly.coord_tensor<(?{div=2},0), 8:1E1>
  %4 = fly.slice(%s, %k3) : (!fly.memref<f16, global, S<3,0,3> o 1 o (4,8):(1,4), align<16>>, !fly.int_tuple<(*,3)>) -> !fly.memref<f16, global, S<3,0,3> o 13 o 4:1, align<16>>
  // The offset goes to the level next to the linear layout.
  %5 = fly.slice(%c, %k3) : (!chain, !fly.int_tuple<(*,3)>) -> !fly.composed_layout<S<1,2,3> o 5 o [32:1 o 19 o 4:1]>
  %6 = fly.slice(%t, %deep) : (!fly.int_tuple<(3,(5,2),7)>, !fly.int_tuple<(*,(2,*),*)>) -> !fly.int_tuple<(3,2,7)>
  %7 = fly.dice(%l, %k3) : (!fly.layout<(4,8):(1,4)>, !fly.int_tuple<(*,3)>) -> !fly.layout<8:4>
  return
}
