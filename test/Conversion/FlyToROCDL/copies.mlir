// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy atoms in memory form and on values.

// RUN: %fly-opt %s --convert-fly-to-rocdl | FileCheck %s

!u128 = !fly.copy_atom<!fly.universal_copy<128>, 16>
!u64 = !fly.copy_atom<!fly.universal_copy<64>, 16>
!u1024 = !fly.copy_atom<!fly.universal_copy<1024>, 32>

// W12, P41: the access claims what the type proves, not the vector's own alignment.
// CHECK-LABEL: func.func @universal(
func.func @universal(%s: !fly.memref<f16, global, 8:1>, %d: !fly.memref<f16, shared, 8:1, align<16>>) {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !u128
  // CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> vector<8xf16>
  // CHECK: llvm.store %[[V]], %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
  fly.copy_atom_call(%a, %s, %d) : (!u128, !fly.memref<f16, global, 8:1>, !fly.memref<f16, shared, 8:1, align<16>>) -> ()
  return
}

// W12b: a strided side is taken apart, element by element ...
// CHECK-LABEL: func.func @strided(
// CHECK-SAME: %[[S:.*]]: !llvm.ptr<1>, %[[D:.*]]: !llvm.ptr<1>
func.func @strided(%s: !fly.memref<f16, global, 4:8>, %d: !fly.memref<f16, global, 4:1>) {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !u64
  // CHECK: %[[A:.*]] = llvm.load %[[S]] {alignment = 2 : i64} : !llvm.ptr<1> -> f16
  // CHECK: llvm.getelementptr inbounds|nuw %[[S]][8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
  // CHECK: llvm.getelementptr inbounds|nuw %[[S]][16]
  // CHECK: llvm.getelementptr inbounds|nuw %[[S]][24]
  // CHECK: %[[V:.*]] = vector.from_elements %[[A]], %{{.*}}, %{{.*}}, %{{.*}} : vector<4xf16>
  // CHECK: llvm.store %[[V]], %[[D]]
  // CHECK-NOT: memcpy
  fly.copy_atom_call(%a, %s, %d) : (!u64, !fly.memref<f16, global, 4:8>, !fly.memref<f16, global, 4:1>) -> ()
  return
}

// ... or in the runs that it has.
// CHECK-LABEL: func.func @runs(
func.func @runs(%s: !fly.memref<f16, global, (4,2):(1,8), align<16>>) -> vector<8xf16> {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !u128
  // CHECK: %[[A:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf16>
  // CHECK: %[[B:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf16>
  // CHECK: vector.insert_strided_slice %[[A]], %{{.*}} {offsets = [0], strides = [1]}
  // CHECK: vector.insert_strided_slice %[[B]], %{{.*}} {offsets = [4], strides = [1]}
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!u128, !fly.memref<f16, global, (4,2):(1,8), align<16>>) -> vector<8xf16>
  return %v : vector<8xf16>
}

// Size-1 modes count for nothing, whatever their stride.
// CHECK-LABEL: func.func @unit_modes(
func.func @unit_modes(%d: !fly.memref<f16, global, (1,8,1):(?,1,77)>, %v: vector<8xf16>) {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !u128
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 2 : i64} : vector<8xf16>, !llvm.ptr<1>
  fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!u128, vector<8xf16>, !fly.memref<f16, global, (1,8,1):(?,1,77)>) -> ()
  return
}

// Scattered stores.
// CHECK-LABEL: func.func @scatter(
func.func @scatter(%d: !fly.memref<f16, global, 8:2>, %v: vector<8xf16>) {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !u128
  // CHECK-COUNT-8: llvm.store %{{.*}}, %{{.*}} {alignment = 2 : i64} : f16, !llvm.ptr<1>
  fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!u128, vector<8xf16>, !fly.memref<f16, global, 8:2>) -> ()
  return
}

// A composed layout, every element where it says: S<1,1,1> swaps 2 and 3, and
// 6 and 7 of a pair of pairs.
// CHECK-LABEL: func.func @composed(
func.func @composed(%s: !fly.memref<f32, shared, S<1,0,1> o 0 o 4:1>) -> vector<4xf32> {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<2xf32>
  // CHECK: llvm.getelementptr inbounds|nuw %{{.*}}[3]
  // CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
  // CHECK: llvm.getelementptr inbounds|nuw %{{.*}}[2]
  // CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, shared, S<1,0,1> o 0 o 4:1>) -> vector<4xf32>
  return %v : vector<4xf32>
}

// A large copy from memory to memory holds 16 bytes at a time.
// CHECK-LABEL: func.func @large(
func.func @large(%s: !fly.memref<f32, global, (16,2):(1,32), align<16>>, %d: !fly.memref<f32, shared, 32:1, align<16>>) {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !u1024
  // CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK-NOT: llvm.load
  fly.copy_atom_call(%a, %s, %d) : (!u1024, !fly.memref<f32, global, (16,2):(1,32), align<16>>, !fly.memref<f32, shared, 32:1, align<16>>) -> ()
  return
}

// CHECK-LABEL: func.func @predicated(
// CHECK-SAME: %[[P:[a-z0-9]*]]: !llvm.ptr<5>
func.func @predicated(%p: !fly.memref<i1, register, 1:0>, %s: !fly.memref<f16, global, 8:1>, %d: !fly.memref<f16, shared, 8:1>, %c: i1, %o: vector<8xf16>) -> vector<8xf16> {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !u128
  // CHECK: %[[B:.*]] = llvm.load %[[P]] {alignment = 1 : i64} : !llvm.ptr<5> -> i8
  // CHECK: %[[C:.*]] = arith.trunci %[[B]] : i8 to i1
  // CHECK: scf.if %[[C]] {
  // CHECK: llvm.load
  // CHECK: llvm.store
  fly.copy_atom_call(%a, %s, %d, %p) : (!u128, !fly.memref<f16, global, 8:1>, !fly.memref<f16, shared, 8:1>, !fly.memref<i1, register, 1:0>) -> ()
  // CHECK: %[[R:.*]] = scf.if %{{.*}} -> (vector<8xf16>) {
  // CHECK: %[[V:.*]] = llvm.load
  // CHECK: scf.yield %[[V]]
  // CHECK: } else {
  // CHECK: scf.yield %{{.*}} : vector<8xf16>
  // CHECK: return %[[R]]
  %v = fly.copy_atom_call_ssa(%a, %s, %o, %c) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!u128, !fly.memref<f16, global, 8:1>, vector<8xf16>, i1) -> vector<8xf16>
  return %v : vector<8xf16>
}

// CHECK-LABEL: func.func @atomic(
func.func @atomic(%d: !fly.memref<f32, global, 1:1>, %v: f32, %i: !fly.memref<ui32, shared, 1:1, S<1,2,3>>, %u: i32) {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_atomic<add, f32, "agent">, 32>
  // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("agent") monotonic : !llvm.ptr<1>, f32
  fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly.universal_atomic<add, f32, "agent">, 32>, f32, !fly.memref<f32, global, 1:1>) -> ()
  %b = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_atomic<max, ui32>, 32>
  // CHECK: arith.xori
  // CHECK: llvm.atomicrmw umax %{{.*}}, %{{.*}} monotonic : !llvm.ptr<3>, i32
  fly.copy_atom_call_ssa(%b, %u, %i) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly.universal_atomic<max, ui32>, 32>, i32, !fly.memref<ui32, shared, 1:1, S<1,2,3>>) -> ()
  return
}

!b128 = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128, cache = 2>, 32>
!b96 = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<96>, 16>

// The uniform offset counts elements of the buffer: 3.5.
// CHECK-LABEL: func.func @buffer(
// CHECK-SAME: %[[B:.*]]: !llvm.struct<(ptr<8>, i32)>, %[[S:.*]]: i32
func.func @buffer(%b: !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>, %s: i32) -> vector<4xf32> {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !b128
  %c = fly.atom.set_value(%a, "soffset", %s) : (!b128, i32) -> !b128
  // CHECK: %[[F:.*]] = arith.constant 4 : i32
  // CHECK: %[[U:.*]] = arith.muli %[[S]], %[[F]] : i32
  // CHECK: %[[C:.*]] = arith.constant 2 : i32
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %{{.*}}, %[[U]], %[[C]] : vector<4xf32>
  %v = fly.copy_atom_call_ssa(%c, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!b128, !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>) -> vector<4xf32>
  return %v : vector<4xf32>
}

// W13: 96 bits move as three dwords; what needs no other payload has none.
// CHECK-LABEL: func.func @payloads(
func.func @payloads(%b: !fly.memref<f16, #fly_rocdl.buffer_desc, 6:1>, %c: !fly.memref<i8, #fly_rocdl.buffer_desc, 16:1>, %r: !fly.memref<i8, register, 16:1, align<16>>, %v: vector<6xf16>) {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !b96
  // CHECK: %[[W:.*]] = llvm.bitcast %{{.*}} : vector<6xf16> to vector<3xi32>
  // CHECK: rocdl.raw.ptr.buffer.store %[[W]], %{{.*}} : vector<3xi32>
  fly.copy_atom_call_ssa(%a, %v, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!b96, vector<6xf16>, !fly.memref<f16, #fly_rocdl.buffer_desc, 6:1>) -> ()
  %d = fly.make_copy_atom {valBits = 8 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 8>
  // CHECK: %[[L:.*]] = rocdl.raw.ptr.buffer.load %{{.*}} : vector<4xi32>
  // CHECK: %[[I:.*]] = llvm.bitcast %[[L]] : vector<4xi32> to vector<16xi8>
  // CHECK: llvm.store %[[I]], %{{.*}} {alignment = 16 : i64} : vector<16xi8>, !llvm.ptr<5>
  fly.copy_atom_call(%d, %c, %r) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 8>, !fly.memref<i8, #fly_rocdl.buffer_desc, 16:1>, !fly.memref<i8, register, 16:1, align<16>>) -> ()
  return
}

// W12b on buffers: the constant part goes behind the scaled offset.
// CHECK-LABEL: func.func @buffer_runs(
func.func @buffer_runs(%b: !fly.memref<f16, #fly_rocdl.buffer_desc, (2,2):(1,64)>) -> vector<4xf16> {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16>
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}} : vector<2xf16>
  // CHECK: %[[K:.*]] = arith.constant 128 : i32
  // CHECK: %[[O:.*]] = arith.addi %{{.*}}, %[[K]] : i32
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[O]], %{{.*}} : vector<2xf16>
  %v = fly.copy_atom_call_ssa(%a, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16>, !fly.memref<f16, #fly_rocdl.buffer_desc, (2,2):(1,64)>) -> vector<4xf16>
  return %v : vector<4xf16>
}

// W18a: integers without a sign are signed in max and in min.
// CHECK-LABEL: func.func @buffer_atomic(
func.func @buffer_atomic(%b: !fly.memref<i32, #fly_rocdl.buffer_desc, 1:1>, %h: !fly.memref<f16, #fly_rocdl.buffer_desc, 2:1>, %v: i32, %w: vector<2xf16>) {
  %max = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<max, i32>, 32>
  %min = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<min, i32>, 32>
  %add = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>, 16>
  // CHECK: rocdl.raw.ptr.buffer.atomic.smax
  fly.copy_atom_call_ssa(%max, %v, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<max, i32>, 32>, i32, !fly.memref<i32, #fly_rocdl.buffer_desc, 1:1>) -> ()
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.smin"
  fly.copy_atom_call_ssa(%min, %v, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<min, i32>, 32>, i32, !fly.memref<i32, #fly_rocdl.buffer_desc, 1:1>) -> ()
  // CHECK: rocdl.raw.ptr.buffer.atomic.fadd %{{.*}} : vector<2xf16>
  fly.copy_atom_call_ssa(%add, %w, %h) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>, 16>, vector<2xf16>, !fly.memref<f16, #fly_rocdl.buffer_desc, 2:1>) -> ()
  return
}

!lds = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<128>, 16>

// imm_offset counts bytes and is an immediate; one that is not known is added
// to both addresses, which it moves.
// CHECK-LABEL: func.func @to_lds(
// CHECK-SAME: %[[D:[a-z0-9]*]]: !llvm.ptr<3>, %[[U:[a-z0-9]*]]: i32
func.func @to_lds(%s: !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1>, %d: !fly.memref<f16, shared, 8:1>, %u: i32) {
  %k = arith.constant 64 : i32
  %a = fly.make_copy_atom {valBits = 16 : i32} : !lds
  %b = fly.atom.set_value(%a, "imm_offset", %k) : (!lds, i32) -> !lds
  // CHECK: %[[N:.*]] = arith.constant 16 : i32
  // CHECK: rocdl.raw.ptr.buffer.load.lds %{{.*}}, %[[D]], %[[N]], %{{.*}}, %{{.*}}, %c64_i32, %{{.*}}
  fly.copy_atom_call(%b, %s, %d) : (!lds, !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1>, !fly.memref<f16, shared, 8:1>) -> ()
  %c = fly.atom.set_value(%a, "imm_offset", %u) : (!lds, i32) -> !lds
  // CHECK: arith.addi %{{.*}}, %[[U]] : i32
  // CHECK: %[[E:.*]] = llvm.getelementptr %[[D]][%[[U]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK: rocdl.raw.ptr.buffer.load.lds %{{.*}}, %[[E]],
  fly.copy_atom_call(%c, %s, %d) : (!lds, !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1>, !fly.memref<f16, shared, 8:1>) -> ()
  return
}

// W14, P41: the swizzle is followed.
// CHECK-LABEL: func.func @read_trans(
func.func @read_trans(%s: !fly.memref<f16, shared, 4:1, align<16>, S<3,3,3>>) -> vector<4xf16> {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>, 16>
  // CHECK: %[[S:.*]] = llvm.inttoptr
  // CHECK: %[[V:.*]] = rocdl.ds.read.tr16.b64 %[[S]] : <3> -> vector<4xi16>
  // CHECK: llvm.bitcast %[[V]] : vector<4xi16> to vector<4xf16>
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>, 16>, !fly.memref<f16, shared, 4:1, align<16>, S<3,3,3>>) -> vector<4xf16>
  return %v : vector<4xf16>
}
