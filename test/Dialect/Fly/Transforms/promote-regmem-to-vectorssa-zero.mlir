// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// P33: what nothing has stored is unspecified, or zero where that is asked for:
// then a masked load of a fresh fragment gives zero where it is masked.

// RUN: %fly-opt %s --fly-promote-regmem-to-vectorssa | FileCheck %s --check-prefixes=CHECK,POISON
// RUN: %fly-opt %s --fly-promote-regmem-to-vectorssa=zero-fill=true | FileCheck %s --check-prefixes=CHECK,ZERO

// CHECK-LABEL: gpu.func @masked(
// POISON: %[[Z:.*]] = ub.poison : vector<4xf32>
// ZERO: %[[Z:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK: %[[OLD:.*]] = vector.extract_strided_slice %[[Z]] {offsets = [0], sizes = [4], strides = [1]}
// CHECK: fly.copy_atom_call_ssa(%{{.*}}, %{{.*}}, %[[OLD]], %{{.*}})
gpu.module @m {
  gpu.func @masked(%g: !fly.memref<f32, global, 4:1, align<16>>, %p: i1, %out: !fly.ptr<f32, global, align<16>>) kernel {
    %at = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
    %r = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
    %old = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> vector<4xf32>
    %v = fly.copy_atom_call_ssa(%at, %g, %old, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, 4:1, align<16>>, vector<4xf32>, i1) -> vector<4xf32>
    fly.ptr.store(%v, %r) : (vector<4xf32>, !fly.ptr<f32, register>) -> ()
    %w = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> vector<4xf32>
    fly.ptr.store(%w, %out) : (vector<4xf32>, !fly.ptr<f32, global, align<16>>) -> ()
    gpu.return
  }
}
