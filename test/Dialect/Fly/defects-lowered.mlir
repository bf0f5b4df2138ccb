// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specification section 7: defects of the original that show when IR is folded
// or lowered.

// RUN: %fly-opt %s -fly-rewrite-func-signature -fly-canonicalize -fly-layout-lowering \
// RUN:   -convert-fly-to-rocdl -canonicalize | FileCheck %s

// 7.33: one false comparison decides the conjunction.
// CHECK-LABEL: func.func @conjunction
func.func @conjunction(%a: !fly.int_tuple<(9,?)>, %b: !fly.int_tuple<(4,8)>) -> i1 {
  // CHECK: %[[FALSE:.*]] = arith.constant false
  // CHECK-NEXT: return %[[FALSE]]
  %0 = fly.elem_less(%a, %b) : (!fly.int_tuple<(9,?)>, !fly.int_tuple<(4,8)>) -> i1
  return %0 : i1
}

// 7.23: what follows a predicated copy is not predicated.
!atom = !fly.copy_atom<!fly.universal_copy<32>, 32>
!global = !fly.memref<f32, global, 1:1>
!shared = !fly.memref<f32, shared, 1:1>
!predicate = !fly.memref<i1, register, 1:1>
// CHECK-LABEL: func.func @predicated
func.func @predicated(%s: !global, %d: !shared, %p: !predicate) {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !atom
  // CHECK: scf.if
  // CHECK: llvm.load %{{.*}} : !llvm.ptr<1>
  // CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
  // CHECK-NEXT: }
  // CHECK-NEXT: llvm.load %{{.*}} : !llvm.ptr<3>
  // CHECK-NEXT: llvm.store %{{.*}} : f32, !llvm.ptr<1>
  // CHECK-NEXT: return
  fly.copy_atom_call(%a, %s, %d, %p) : (!atom, !global, !shared, !predicate) -> ()
  fly.copy_atom_call(%a, %d, %s) : (!atom, !shared, !global) -> ()
  return
}
