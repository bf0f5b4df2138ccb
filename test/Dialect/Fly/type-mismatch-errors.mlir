// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wrong result type says where it departs from the right one: the first place
// in the order of the text.

// RUN: %fly-opt %s -split-input-file -verify-diagnostics

!swizzled = !fly.composed_layout<S<1,2,3> o 0 o (4,8):(1,4)>
func.func @plain_for_composed(%l: !swizzled) {
  // expected-error @+1 {{'fly.coalesce' op result type: written '!fly.layout<32:1>', expected '!fly.composed_layout<S<1,2,3> o 0 o 32:1>'}}
  %0 = fly.coalesce(%l) : (!swizzled) -> !fly.layout<32:1>
  return
}

// -----

!swizzled = !fly.composed_layout<S<1,2,3> o 0 o (4,8):(1,4)>
func.func @plain_view(%p: !fly.ptr<f32, global>, %l: !swizzled) {
  // expected-error @+1 {{; layout: written a plain one, expected a composed one}}
  %0 = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !swizzled) -> !fly.memref<f32, global, (4,8):(1,4)>
  return
}

// -----

func.func @composed_view(%p: !fly.ptr<f32, global>, %l: !fly.layout<(4,8):(1,4)>) {
  // expected-error @+1 {{; layout: written a composed one, expected a plain one}}
  %0 = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(4,8):(1,4)>) -> !fly.memref<f32, global, S<1,2,3> o 0 o (4,8):(1,4)>
  return
}

// -----

!swizzled = !fly.composed_layout<S<1,2,3> o 0 o (4,8):(1,4)>
func.func @inner(%l: !swizzled) {
  // expected-error @+1 {{'fly.coalesce' op result type: written '!fly.composed_layout<S<2,2,3> o 0 o 32:1>', expected '!fly.composed_layout<S<1,2,3> o 0 o 32:1>'; inner map of the layout: written S<2,2,3>, expected S<1,2,3>}}
  %0 = fly.coalesce(%l) : (!swizzled) -> !fly.composed_layout<S<2,2,3> o 0 o 32:1>
  return
}

// -----

!swizzled = !fly.composed_layout<S<1,2,3> o 0 o (4,8):(1,4)>
func.func @offset(%l: !swizzled) {
  // expected-error @+1 {{'fly.coalesce' op result type: written '!fly.composed_layout<S<1,2,3> o 4 o 32:1>', expected '!fly.composed_layout<S<1,2,3> o 0 o 32:1>'; offset of the layout: written 4, expected 0}}
  %0 = fly.coalesce(%l) : (!swizzled) -> !fly.composed_layout<S<1,2,3> o 4 o 32:1>
  return
}

// -----

func.func @stride(%l: !fly.layout<(4,(2,8)):(1,(4,16))>) {
  // expected-error @+1 {{'fly.get_stride' op result type: written '!fly.int_tuple<(1,(4,8))>', expected '!fly.int_tuple<(1,(4,16))>'; element of mode 1.1: written 8, expected 16}}
  %0 = fly.get_stride(%l) : (!fly.layout<(4,(2,8)):(1,(4,16))>) -> !fly.int_tuple<(1,(4,8))>
  return
}
