// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compatibility checklist, specification section 8, line by line. Line 4 is
// layout-vectors.test, 5 legacy-types.mlir, 6 the unit tests of the types and 8
// EvaluationTest.NoLocationNoDiagnostic.

// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s --strict-whitespace

// 8.1: both spellings of tiled type parameters, any blanks; the full one is printed.
// CHECK-LABEL: func.func private @tiled(
// CHECK-SAME: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(4,2):(2,1)>, !fly.tile<[4|2]>>,
// CHECK-SAME: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(4,2):(2,1)>, !fly.tile<[4|2]>>)
func.func private @tiled(
    !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy< 64 >,32>, < ( 4 , 2 ) : (2,1) >, <[ 4 |2]>>,
    !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(4,2):(2,1)>, !fly.tile<[4|2]>>)

// CHECK-LABEL: func.func @short_form(
// CHECK: fly.extract_aligned_pointer_as_index %arg0 : <f16, register, 4:1> -> index
// CHECK: fly.extract_aligned_pointer_as_index %arg0 : <f16, register, 4:1> -> index
func.func @short_form(%m: !fly.memref<f16, register, 4:1>) {
  %0 = fly.extract_aligned_pointer_as_index %m : <f16, register, 4:1> -> index
  %1 = fly.extract_aligned_pointer_as_index %m : !fly.memref<f16, register, 4:1> -> index
  return
}

// 8.2: what stands in the dictionary, and what does not.
!atom = !fly.copy_atom<!fly.universal_copy<64>, 16>
!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!mma = !fly.tiled_mma<!fma, <(4,2,1):(1,4,0)>>
!a = !fly.memref<f32, global, (16,8):(8,1)>
// CHECK-LABEL: func.func @dictionaries(
func.func @dictionaries(%c: !atom, %s: !fly.memref<f16, global, 4:1>, %t: !fly.int_tuple<(4,?)>, %m: !mma, %x: !a) {
  // CHECK: fly.copy_atom_call_ssa(%arg0, %arg1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} :
  %0 = fly.copy_atom_call_ssa(%c, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!atom, !fly.memref<f16, global, 4:1>) -> vector<4xf16>
  // CHECK: fly.make_ptr() {dictAttrs = {allocSize = 12 : i64}} : () -> !fly.ptr<bf16, register>
  %1 = fly.make_ptr() {dictAttrs = {allocSize = 12 : i64}} : () -> !fly.ptr<bf16, register>
  // CHECK: fly.get_leaves(%arg2) : (!fly.int_tuple<(4,?)>) -> (i32, i32)
  %2:2 = fly.get_leaves(%t) {dynamicOnly = false} : (!fly.int_tuple<(4,?)>) -> (i32, i32)
  // CHECK: fly.get_leaves(%arg2) {dynamicOnly = true} : (!fly.int_tuple<(4,?)>) -> i32
  %3 = fly.get_leaves(%t) {dynamicOnly = true} : (!fly.int_tuple<(4,?)>) -> i32
  // CHECK: fly.mma.make_fragment(a, %arg3, %arg4, stages = 3) :
  %4 = fly.mma.make_fragment(a, %m, %x, stages = 3) : (!mma, !a) -> !fly.memref<f32, register, (1,4,8,3):(0,8,1,32)>
  return
}

// 8.3: where blanks are, and where none are.
// CHECK-LABEL: func.func private @blanks(
// CHECK-SAME: !fly.layout<(4,(2,?{i64 div=8})):(1,(4,?))>,
// CHECK-SAME: !fly.coord_swizzle<CS<3,0,[1, 0],0,[2, 1, 0]>>,
// CHECK-SAME: !fly.composed_layout<S<3,0,3> o 0 o (8,8):(1,8)>,
// CHECK-SAME: !fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>,
// CHECK-SAME: !fly.tile<[4|*|8:2]>)
func.func private @blanks(
    !fly.layout<( 4 , ( 2, ?{i64 div = 8} ) ) : ( 1, (4, ?) )>,
    !fly.coord_swizzle<CS< 3, 0, [ 1,0 ], 0, [2,1,0] >>,
    !fly.composed_layout<S<3, 0, 3>o 0 o(8,8) : (1,8)>,
    !fly.coord_tensor<(0, 0),(4,8):(1 E0,1E1)>,
    !fly.tile<[ 4 | * | 8 : 2 ]>)

// 8.7: static leaves of 64 bits; with one of them arithmetic is 64 wide.
// CHECK-LABEL: func.func @wide(
func.func @wide(%a: !fly.int_tuple<65536>, %q: !fly.int_tuple<?>, %big: !fly.int_tuple<4294967296>) {
  %0 = fly.int_tuple_mul(%a, %a) : (!fly.int_tuple<65536>, !fly.int_tuple<65536>) -> !fly.int_tuple<4294967296>
  %1 = fly.int_tuple_mul(%q, %a) : (!fly.int_tuple<?>, !fly.int_tuple<65536>) -> !fly.int_tuple<?{div=65536}>
  %2 = fly.int_tuple_add(%q, %big) : (!fly.int_tuple<?>, !fly.int_tuple<4294967296>) -> !fly.int_tuple<?{i64}>
  return
}
