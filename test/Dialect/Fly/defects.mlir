// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specification section 7: what crashes the original or gives a wrong type has
// the right one here. Items that other files name are not repeated; their list
// is checked by defects-named.test.

// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s

// 7.5 (a): modes of other coordinates do not merge, those of one do.
// CHECK-LABEL: func.func @basis_coalesce
func.func @basis_coalesce(%a: !fly.layout<(3,2):(1E0,3E1)>, %b: !fly.layout<(3,2):(1E0,3E0)>) {
  %0 = fly.coalesce(%a) : (!fly.layout<(3,2):(1E0,3E1)>) -> !fly.layout<(3,2):(1E0,3E1)>
  %1 = fly.coalesce(%b) : (!fly.layout<(3,2):(1E0,3E0)>) -> !fly.layout<6:1E0>
  return
}

// 7.5 (b): a basis stride picks the mode.
// CHECK-LABEL: func.func @basis_composition
func.func @basis_composition(%a: !fly.layout<(6,4):(4,1)>, %b: !fly.layout<(3,2):(2E0,1E1)>) {
  %0 = fly.composition(%a, %b) : (!fly.layout<(6,4):(4,1)>, !fly.layout<(3,2):(2E0,1E1)>) -> !fly.layout<(3,2):(8,1)>
  return
}

// 7.5 (c): a lone basis has a codomain of rank 1.
// CHECK-LABEL: func.func @basis_coshape
func.func @basis_coshape(%l: !fly.layout<7:1E0>) {
  %0 = fly.coshape(%l) : (!fly.layout<7:1E0>) -> !fly.int_tuple<(7)>
  %1 = fly.cosize(%l) : (!fly.layout<7:1E0>) -> !fly.int_tuple<7>
  return
}

// 7.5 (d): the value is divided, the mode stays.
// CHECK-LABEL: func.func @basis_upcast
func.func @basis_upcast(%l: !fly.layout<(6,4):(2E0,4E1)>) {
  %0 = fly.recast_layout(%l) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.layout<(6,4):(2E0,4E1)>) -> !fly.layout<(6,4):(1E0,2E1)>
  return
}

// 7.5 (e): inverses take the coordinate, complements are vectors.
// CHECK-LABEL: func.func @basis_inverses
func.func @basis_inverses(%l: !fly.layout<(4,8):(1E0,1E1)>, %gap: !fly.layout<(4,8):(2E0,1E1)>, %two: !fly.layout<2:1>) {
  %0 = fly.right_inverse(%l) : (!fly.layout<(4,8):(1E0,1E1)>) -> !fly.layout<(4,8):(1,4)>
  %1 = fly.left_inverse(%l) : (!fly.layout<(4,8):(1E0,1E1)>) -> !fly.layout<(4,8):(1,4)>
  %2 = fly.complement(%l) : (!fly.layout<(4,8):(1E0,1E1)>) -> !fly.layout<1:0>
  %3 = fly.complement(%gap) : (!fly.layout<(4,8):(2E0,1E1)>) -> !fly.layout<2:1E0>
  %4 = fly.logical_product(%l, %two) : (!fly.layout<(4,8):(1E0,1E1)>, !fly.layout<2:1>) -> !fly.layout<((4,8),2):((1E0,1E1),8E1)>
  return
}

// 7.5 (f): basis strides have an order, by mode.
// CHECK-LABEL: func.func @basis_order
func.func @basis_order(%l: !fly.layout<(4,8):(1E1,1E0)>) {
  %0 = fly.make_layout_like(%l) : (!fly.layout<(4,8):(1E1,1E0)>) -> !fly.layout<(4,8):(8,1)>
  return
}

// 7.8 (c): nested singletons are unwrapped. (d): a leaf tile is a layout.
// CHECK-LABEL: func.func @composition
func.func @composition(%w: !fly.layout<((4)):((2))>, %two: !fly.layout<2:1>, %l: !fly.layout<(6,4):(4,1)>,
                       %n: !fly.tile<3>, %t: !fly.tile<2:2>, %none: !fly.tile<*>) {
  %0 = fly.composition(%w, %two) : (!fly.layout<((4)):((2))>, !fly.layout<2:1>) -> !fly.layout<2:2>
  %1 = fly.composition(%l, %n) : (!fly.layout<(6,4):(4,1)>, !fly.tile<3>) -> !fly.layout<3:4>
  %2 = fly.composition(%l, %t) : (!fly.layout<(6,4):(4,1)>, !fly.tile<2:2>) -> !fly.layout<2:8>
  %3 = fly.composition(%l, %none) : (!fly.layout<(6,4):(4,1)>, !fly.tile<*>) -> !fly.layout<(6,4):(4,1)>
  return
}

// 7.15: ragged tuples have the original's type; fly-check-strict reports them.
// CHECK-LABEL: func.func @ragged
func.func @ragged(%a: !fly.int_tuple<(4,8)>, %b: !fly.int_tuple<(2,3,5)>, %c: !fly.int_tuple<2>) {
  %0 = fly.int_tuple_sub(%a, %b) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<(2,3,5)>) -> !fly.int_tuple<(2,5,5)>
  %1 = fly.int_tuple_mul(%a, %c) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<2>) -> !fly.int_tuple<(8,8)>
  return
}

// 7.17: the complement of a broadcast into 1 is written 1:1.
// CHECK-LABEL: func.func @complement_into_one
func.func @complement_into_one(%z: !fly.layout<4:0>, %one: !fly.int_tuple<1>) {
  %0 = fly.complement(%z) : (!fly.layout<4:0>) -> !fly.layout<1:1>
  %1 = fly.complement(%z, %one) : (!fly.layout<4:0>, !fly.int_tuple<1>) -> !fly.layout<1:1>
  return
}

// 7.20: a coordinate swizzle is recast on both bases.
// CHECK-LABEL: func.func @coordinate_swizzle
func.func @coordinate_swizzle(%l: !fly.composed_layout<CS<2,1,[0],1,[1]> o (0,0) o (4,8):(2E0,2E1)>) {
  %0 = fly.recast_layout(%l) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.composed_layout<CS<2,1,[0],1,[1]> o (0,0) o (4,8):(2E0,2E1)>) -> !fly.composed_layout<CS<2,0,[0],0,[1]> o (0,0) o (4,8):(1E0,1E1)>
  return
}

// 7.27: the raked product of a nested rank-1 block; the blocked one is refused.
// CHECK-LABEL: func.func @nested_block
func.func @nested_block(%l: !fly.layout<((2,3)):((3,1))>, %t: !fly.layout<4:1>) {
  %0 = fly.raked_product(%l, %t) : (!fly.layout<((2,3)):((3,1))>, !fly.layout<4:1>) -> !fly.layout<(4,(2,3)):(6,(3,1))>
  return
}

// 7.30: a wrapped unknown stride is a lone one.
// CHECK-LABEL: func.func @wrapped_stride
func.func @wrapped_stride(%l: !fly.layout<(4):(?)>, %m: !fly.int_tuple<60>) {
  %0 = fly.complement(%l, %m) : (!fly.layout<(4):(?)>, !fly.int_tuple<60>) -> !fly.layout<(?,?):(1,?{div=4})>
  return
}

// 7.34: a target that the block does not divide is rounded up.
// CHECK-LABEL: func.func @tile_to_shape
func.func @tile_to_shape(%l: !fly.layout<5:1>, %s: !fly.int_tuple<18>, %o: !fly.int_tuple<0>) {
  %0 = fly.tile_to_shape(%l, %s, %o) : (!fly.layout<5:1>, !fly.int_tuple<18>, !fly.int_tuple<0>) -> !fly.layout<(5,4):(1,5)>
  return
}
