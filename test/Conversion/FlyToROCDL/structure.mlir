// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that only carry fly values carry the converted ones.

// RUN: %fly-opt %s --convert-fly-to-rocdl | FileCheck %s --implicit-check-not=unrealized

// P4, P34: pointers in loops.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>
func.func @loop(%p: !fly.ptr<f32, global>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[P]], %{{.*}} = %{{.*}}) -> (!llvm.ptr<1>, index)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p, %k = %c0) -> (!fly.ptr<f32, global>, index) {
    %o = fly.make_int_tuple() : () -> !fly.int_tuple<8>
    // CHECK: %[[B:.*]] = llvm.getelementptr %[[A]][8]
    %s = fly.add_offset(%q, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<8>) -> !fly.ptr<f32, global>
    // CHECK: scf.yield %[[B]], %{{.*}} : !llvm.ptr<1>, index
    scf.yield %s, %i : !fly.ptr<f32, global>, index
  }
  // CHECK: llvm.load %[[R]]#0
  %v = fly.ptr.load(%r#0) : (!fly.ptr<f32, global>) -> f32
  return %v : f32
}

// CHECK-LABEL: func.func @branches(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<3>, %[[Q:.*]]: !llvm.ptr<3>, %[[C:.*]]: i1) -> !llvm.ptr<3>
func.func @branches(%p: !fly.memref<f32, shared, 8:1>, %q: !fly.memref<f32, shared, 8:1>, %c: i1) -> !fly.memref<f32, shared, 8:1> {
  // CHECK: %[[S:.*]] = arith.select %[[C]], %[[P]], %[[Q]] : !llvm.ptr<3>
  %s = arith.select %c, %p, %q : !fly.memref<f32, shared, 8:1>
  // CHECK: %[[I:.*]] = scf.if %[[C]] -> (!llvm.ptr<3>)
  // CHECK: scf.yield %[[S]] : !llvm.ptr<3>
  // CHECK: scf.yield %[[P]] : !llvm.ptr<3>
  %i = scf.if %c -> (!fly.memref<f32, shared, 8:1>) {
    scf.yield %s : !fly.memref<f32, shared, 8:1>
  } else {
    scf.yield %p : !fly.memref<f32, shared, 8:1>
  }
  // CHECK: %[[F:.*]] = call @callee(%[[I]]) : (!llvm.ptr<3>) -> !llvm.ptr<3>
  %f = func.call @callee(%i) : (!fly.memref<f32, shared, 8:1>) -> !fly.memref<f32, shared, 8:1>
  // CHECK: return %[[F]] : !llvm.ptr<3>
  return %f : !fly.memref<f32, shared, 8:1>
}

// CHECK: func.func private @callee(!llvm.ptr<3> {llvm.noalias}) -> !llvm.ptr<3>
func.func private @callee(!fly.memref<f32, shared, 8:1> {llvm.noalias}) -> !fly.memref<f32, shared, 8:1>

// Blocks in any order.
// CHECK-LABEL: func.func @blocks(
func.func @blocks(%p: !fly.ptr<f32, global>, %c: i1) -> f32 {
  // CHECK: cf.br ^bb[[N:.*]](%{{.*}} : !llvm.ptr<1>)
  cf.br ^first(%p : !fly.ptr<f32, global>)
^second:
  // CHECK: llvm.load
  %v = fly.ptr.load(%r) : (!fly.ptr<f32, global>) -> f32
  return %v : f32
^first(%q: !fly.ptr<f32, global>):
  %o = fly.make_int_tuple() : () -> !fly.int_tuple<8>
  // CHECK: llvm.getelementptr %{{.*}}[8]
  %r = fly.add_offset(%q, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<8>) -> !fly.ptr<f32, global>
  // CHECK: cf.cond_br %{{.*}}, ^bb{{.*}}, ^bb[[N]](%{{.*}} : !llvm.ptr<1>)
  cf.cond_br %c, ^second, ^first(%r : !fly.ptr<f32, global>)
}

// P34, W32: an atom with state is its struct, also around a loop.
// CHECK-LABEL: func.func @state(
func.func @state(%n: index, %b: !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>, %s: i32) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>
  // CHECK: %[[R:.*]] = scf.for {{.*}} -> (!llvm.struct<(i32)>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>) {
    // CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.struct<(i32)>
    %y = fly.atom.set_value(%x, "soffset", %s) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>, i32) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>
    scf.yield %y : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>
  }
  // CHECK: llvm.extractvalue %[[R]][0] : !llvm.struct<(i32)>
  %v = fly.copy_atom_call_ssa(%r, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>, !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>) -> vector<4xf32>
  return %v : vector<4xf32>
}

// An atom without state is the empty struct where something carries it.
// CHECK-LABEL: func.func @stateless(
// CHECK-SAME: -> !llvm.struct<()>
func.func @stateless() -> !fly.copy_atom<!fly.universal_copy<32>, 32> {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<32>, 32>
  // CHECK: %[[E:.*]] = llvm.mlir.poison : !llvm.struct<()>
  // CHECK: return %[[E]]
  return %a : !fly.copy_atom<!fly.universal_copy<32>, 32>
}

// CHECK-LABEL: func.func @casts(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>
func.func @casts(%p: !fly.ptr<f32, global>) -> f32 {
  %q = builtin.unrealized_conversion_cast %p : !fly.ptr<f32, global> to !llvm.ptr<1>
  %r = builtin.unrealized_conversion_cast %q : !llvm.ptr<1> to !fly.ptr<f32, global>
  // CHECK: llvm.load %[[P]]
  %v = fly.ptr.load(%r) : (!fly.ptr<f32, global>) -> f32
  return %v : f32
}

module attributes {gpu.container_module} {
// CHECK: gpu.func @kernel(%{{.*}}: !llvm.ptr<1>) kernel
gpu.module @m {
  gpu.func @kernel(%p: !fly.ptr<f32, global>) kernel {
    gpu.return
  }
}
// CHECK: gpu.launch_func @m::@kernel {{.*}} args(%{{.*}} : !llvm.ptr<1>)
func.func @launch(%p: !fly.ptr<f32, global>, %c: index) {
  gpu.launch_func @m::@kernel blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%p : !fly.ptr<f32, global>)
  return
}
}
