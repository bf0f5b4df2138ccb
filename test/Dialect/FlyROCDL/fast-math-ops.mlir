// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %fly-opt %s --convert-rocdl-fastmath-ops | FileCheck %s

// CHECK-LABEL: func.func @scalar(
func.func @scalar(%x: f32) -> (f32, f32) {
  // CHECK: rocdl.exp2 %{{.*}} f32 -> f32
  %0 = math.exp2 %x fastmath<afn> : f32
  // CHECK: rocdl.exp2
  %1 = math.exp2 %x fastmath<fast> : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @vector(
func.func @vector(%x: vector<2xf32>, %y: vector<1x2xf32>) -> (vector<2xf32>, vector<1x2xf32>) {
  // CHECK-COUNT-2: rocdl.exp2 %{{.*}} f32 -> f32
  // CHECK: vector.from_elements %{{.*}}, %{{.*}} : vector<2xf32>
  %0 = math.exp2 %x fastmath<afn> : vector<2xf32>
  // CHECK: vector.shape_cast %{{.*}} : vector<1x2xf32> to vector<2xf32>
  // CHECK-COUNT-2: rocdl.exp2
  // CHECK: vector.shape_cast %{{.*}} : vector<2xf32> to vector<1x2xf32>
  %1 = math.exp2 %y fastmath<afn> : vector<1x2xf32>
  return %0, %1 : vector<2xf32>, vector<1x2xf32>
}

// Other flags, types and ops stay.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: rocdl
// CHECK: return
func.func @kept(%x: f32, %h: f16, %d: f64, %b: bf16, %s: vector<[4]xf32>) -> (f32, f32, f16, f64, bf16, f32, vector<[4]xf32>) {
  %0 = math.exp2 %x : f32
  %1 = math.exp2 %x fastmath<nnan,ninf,contract> : f32
  %2 = math.exp2 %h fastmath<afn> : f16
  %3 = math.exp2 %d fastmath<afn> : f64
  %4 = math.exp2 %b fastmath<afn> : bf16
  %5 = math.exp %x fastmath<afn> : f32
  %6 = math.exp2 %s fastmath<afn> : vector<[4]xf32>
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f16, f64, bf16, f32, vector<[4]xf32>
}
