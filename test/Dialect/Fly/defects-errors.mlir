// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specification section 7: what crashes the original or gives a meaningless
// type is refused here, with both sides named.

// RUN: %fly-opt %s -split-input-file -verify-diagnostics

// 7.6: only the function itself is defined for negative strides.
func.func @negative_right_inverse(%l: !fly.layout<(4,8):(-1,4)>) {
  // expected-error @+1 {{inverse needs positive shapes and strides, got 4:-1}}
  %0 = fly.right_inverse(%l) : (!fly.layout<(4,8):(-1,4)>) -> !fly.layout<4:1>
  return
}

// -----

func.func @negative_left_inverse(%l: !fly.layout<(4,8):(-1,4)>) {
  // expected-error @+1 {{inverse needs positive shapes and strides, got 4:-1}}
  %0 = fly.left_inverse(%l) : (!fly.layout<(4,8):(-1,4)>) -> !fly.layout<4:1>
  return
}

// -----

func.func @negative_product(%l: !fly.layout<(4,8):(1,4)>, %b: !fly.layout<4:-1>) {
  // expected-error @+1 {{complement needs positive strides, got 4:-1}}
  %0 = fly.logical_product(%b, %l) : (!fly.layout<4:-1>, !fly.layout<(4,8):(1,4)>) -> !fly.layout<4:1>
  return
}

// -----

func.func @negative_composition(%l: !fly.layout<(4,8):(8,1)>, %b: !fly.layout<8:-1>) {
  // expected-error-re @+1 {{{{.*}}-1{{.*}}(4,8):(8,1)}}
  %0 = fly.composition(%l, %b) : (!fly.layout<(4,8):(8,1)>, !fly.layout<8:-1>) -> !fly.layout<4:1>
  return
}

// -----

// 7.7: more elements than modes.
func.func @long_list(%l: !fly.layout<12:1>, %t: !fly.tile<[3|4]>) {
  // expected-error @+1 {{tile [3|4] has 2 modes, the layout 12:1 has 1}}
  %0 = fly.flat_divide(%l, %t) : (!fly.layout<12:1>, !fly.tile<[3|4]>) -> !fly.layout<4:1>
  return
}

// -----

// 7.16: nothing divides by `*`.
func.func @none_divisor(%a: !fly.int_tuple<4>, %n: !fly.int_tuple<*>) {
  // expected-error-re @+1 {{{{.*}}zero}}
  %0 = fly.ceil_div(%a, %n) : (!fly.int_tuple<4>, !fly.int_tuple<*>) -> !fly.int_tuple<4>
  return
}

// -----

// 7.20: an offset that the width change does not divide.
func.func @recast_offset(%c: !fly.composed_layout<S<2,3,3> o 3 o (8,8):(1,8)>) {
  // expected-error @+1 {{2 does not divide 3}}
  %0 = fly.recast_layout(%c) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.composed_layout<S<2,3,3> o 3 o (8,8):(1,8)>) -> !fly.layout<4:1>
  return
}

// -----

// 7.27: the block's modes have no partner.
func.func @nested_block(%l: !fly.layout<((2,3)):((3,1))>, %t: !fly.layout<4:1>) {
  // expected-error @+1 {{cannot zip (2,3) with 4, which has fewer modes}}
  %0 = fly.blocked_product(%l, %t) : (!fly.layout<((2,3)):((3,1))>, !fly.layout<4:1>) -> !fly.layout<4:1>
  return
}

// -----

// 7.29: basis strides divide nothing.
func.func @idx2crd_basis(%i: !fly.int_tuple<3>, %l: !fly.layout<(4,6):(1E0,1E1)>) {
  // expected-error-re @+1 {{{{.*}}1E0{{.*}}}}
  %0 = fly.idx2crd(%i, %l) : (!fly.int_tuple<3>, !fly.layout<(4,6):(1E0,1E1)>) -> !fly.int_tuple<(0,3)>
  return
}
