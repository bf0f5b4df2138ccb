// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, arithmetic on them, loads and stores.

// RUN: %fly-opt %s --convert-fly-to-rocdl | FileCheck %s

// CHECK-LABEL: func.func private @spaces(!llvm.ptr, !llvm.ptr<1>, !llvm.ptr<3>, !llvm.ptr<5>, !llvm.struct<(ptr<8>, i32)>)
func.func private @spaces(!fly.ptr<f32, generic>, !fly.ptr<f32, global>,
    !fly.ptr<f32, shared>, !fly.memref<f32, register, 4:1>,
    !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>)

// Rule 7 of alignments: the greatest power of two that divides the promise.
// CHECK-LABEL: func.func @alignment(
func.func @alignment(%p: !fly.ptr<f32, global, align<48>>, %q: !fly.ptr<f16, global>) -> (vector<4xf32>, vector<4xf16>) {
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  %v = fly.ptr.load(%p) : (!fly.ptr<f32, global, align<48>>) -> vector<4xf32>
  // CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> vector<4xf16>
  %w = fly.ptr.load(%q) : (!fly.ptr<f16, global>) -> vector<4xf16>
  return %v, %w : vector<4xf32>, vector<4xf16>
}

// CHECK-LABEL: func.func @offset(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>, %[[I:.*]]: i32
func.func @offset(%p: !fly.ptr<f16, global, align<16>>, %i: i32) -> vector<8xf16> {
  %o = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=8}>
  %k = fly.make_int_tuple() : () -> !fly.int_tuple<-16>
  // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][%[[I]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
  %q = fly.add_offset(%p, %o) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?{div=8}>) -> !fly.ptr<f16, global, align<16>>
  // CHECK: %[[R:.*]] = llvm.getelementptr %[[Q]][-16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
  %r = fly.add_offset(%q, %k) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<-16>) -> !fly.ptr<f16, global, align<16>>
  // CHECK: llvm.load %[[R]] {alignment = 16 : i64}
  %v = fly.ptr.load(%r) : (!fly.ptr<f16, global, align<16>>) -> vector<8xf16>
  // CHECK-NOT: fly.
  return %v : vector<8xf16>
}

// W15, P39: shared addresses have 32 bits; the swizzle leaves 1 << base bytes.
// CHECK-LABEL: func.func @swizzled(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<3>
func.func @swizzled(%p: !fly.ptr<f16, shared, align<128>, S<3,4,3>>) -> vector<8xf16> {
  // CHECK: %[[A:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<3> to i32
  // CHECK: %[[M:.*]] = arith.andi %[[A]], %{{.*}} : i32
  // CHECK: %[[H:.*]] = arith.shrui %[[M]], %{{.*}} : i32
  // CHECK: %[[X:.*]] = arith.xori %[[A]], %[[H]] : i32
  // CHECK: %[[S:.*]] = llvm.inttoptr %[[X]] : i32 to !llvm.ptr<3>
  // CHECK: llvm.load %[[S]] {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
  %v = fly.ptr.load(%p) : (!fly.ptr<f16, shared, align<128>, S<3,4,3>>) -> vector<8xf16>
  return %v : vector<8xf16>
}

// W15, P23: a constant step of a multiple of the period (1024 bytes) stays outside.
// CHECK-LABEL: func.func @swizzled_far(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<3>
func.func @swizzled_far(%p: !fly.ptr<f16, shared, align<1024>, S<3,4,3>>) -> vector<8xf16> {
  %k = fly.make_int_tuple() : () -> !fly.int_tuple<512>
  %q = fly.add_offset(%p, %k) : (!fly.ptr<f16, shared, align<1024>, S<3,4,3>>, !fly.int_tuple<512>) -> !fly.ptr<f16, shared, align<1024>, S<3,4,3>>
  // CHECK: llvm.ptrtoint %[[P]] : !llvm.ptr<3> to i32
  // CHECK: %[[S:.*]] = llvm.inttoptr
  // CHECK: %[[G:.*]] = llvm.getelementptr %[[S]][1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  // CHECK: llvm.load %[[G]] {alignment = 16 : i64}
  %v = fly.ptr.load(%q) : (!fly.ptr<f16, shared, align<1024>, S<3,4,3>>) -> vector<8xf16>
  return %v : vector<8xf16>
}

// A global address is mixed in its low half only.
// CHECK-LABEL: func.func @swizzled_global(
func.func @swizzled_global(%p: !fly.ptr<f32, global, align<16>, S<2,4,3>>) -> f32 {
  // CHECK: %[[A:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<1> to i64
  // CHECK: arith.trunci %[[A]] : i64 to i32
  // CHECK: %[[E:.*]] = arith.extui %{{.*}} : i32 to i64
  // CHECK: arith.xori %[[A]], %[[E]] : i64
  %v = fly.ptr.load(%p) : (!fly.ptr<f32, global, align<16>, S<2,4,3>>) -> f32
  return %v : f32
}

// A vector wider than the windows that a swizzle moves is loaded in parts.
// CHECK-LABEL: func.func @torn(
func.func @torn(%p: !fly.ptr<f16, shared, align<16>, S<3,3,3>>) -> vector<8xf16> {
  // CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<4xf16>
  %v = fly.ptr.load(%p) : (!fly.ptr<f16, shared, align<16>, S<3,3,3>>) -> vector<8xf16>
  return %v : vector<8xf16>
}

// P42, W24: small floats are integers in memory.
// CHECK-LABEL: func.func @small_floats(
func.func @small_floats(%p: !fly.ptr<f8E4M3FN, global, align<16>>, %q: !fly.ptr<f8E4M3FN, shared>) -> f32 {
  // CHECK: %[[I:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> i8
  // CHECK: %[[F:.*]] = arith.bitcast %[[I]] : i8 to f8E4M3FN
  %x = fly.ptr.load(%p) : (!fly.ptr<f8E4M3FN, global, align<16>>) -> f8E4M3FN
  // CHECK: arith.extf %[[F]]
  %y = arith.extf %x : f8E4M3FN to f32
  // CHECK: %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> vector<16xi8>
  // CHECK: %[[W:.*]] = arith.bitcast %[[V]] : vector<16xi8> to vector<16xf8E4M3FN>
  %v = fly.ptr.load(%p) : (!fly.ptr<f8E4M3FN, global, align<16>>) -> vector<16xf8E4M3FN>
  // CHECK: %[[B:.*]] = arith.bitcast %[[W]] : vector<16xf8E4M3FN> to vector<16xi8>
  // CHECK: llvm.store %[[B]], %{{.*}} {alignment = 1 : i64} : vector<16xi8>, !llvm.ptr<3>
  fly.ptr.store(%v, %q) : (vector<16xf8E4M3FN>, !fly.ptr<f8E4M3FN, shared>) -> ()
  return %y : f32
}

// W23: elements below a byte are packed; bits have a byte each.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>, %[[Q:.*]]: !llvm.ptr<1>, %[[I:.*]]: i32
func.func @packed(%p: !fly.ptr<f4E2M1FN, global, align<16>>, %q: !fly.ptr<i1, global>, %i: i32) -> (vector<8xi4>, vector<4xi1>) {
  %k = fly.make_int_tuple() : () -> !fly.int_tuple<8>
  %o = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=2}>
  // CHECK: %[[A:.*]] = llvm.getelementptr %[[P]][4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %a = fly.add_offset(%p, %k) : (!fly.ptr<f4E2M1FN, global, align<16>>, !fly.int_tuple<8>) -> !fly.ptr<f4E2M1FN, global, align<4>>
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: %[[S:.*]] = arith.shrsi %[[I]], %[[ONE]] : i32
  // CHECK: %[[B:.*]] = llvm.getelementptr %[[A]][%[[S]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  %b = fly.add_offset(%a, %o) : (!fly.ptr<f4E2M1FN, global, align<4>>, !fly.int_tuple<?{div=2}>) -> !fly.ptr<f4E2M1FN, global>
  // CHECK: %[[V:.*]] = llvm.load %[[B]] {alignment = 1 : i64} : !llvm.ptr<1> -> i32
  // CHECK: llvm.bitcast %[[V]] : i32 to vector<8xi4>
  %v = fly.ptr.load(%b) : (!fly.ptr<f4E2M1FN, global>) -> vector<8xi4>
  // CHECK: %[[W:.*]] = llvm.load %[[Q]] {alignment = 1 : i64} : !llvm.ptr<1> -> vector<4xi8>
  // CHECK: arith.trunci %[[W]] : vector<4xi8> to vector<4xi1>
  %w = fly.ptr.load(%q) : (!fly.ptr<i1, global>) -> vector<4xi1>
  return %v, %w : vector<8xi4>, vector<4xi1>
}

// CHECK-LABEL: func.func @casts(
// CHECK-SAME: %[[I:.*]]: i64, %[[S:.*]]: !llvm.ptr<3>
func.func @casts(%i: i64, %s: !fly.ptr<i8, shared, align<16>>) -> (i32, i64, !llvm.ptr<1>) {
  // CHECK: %[[P:.*]] = llvm.inttoptr %[[I]] : i64 to !llvm.ptr<1>
  %p = fly.inttoptr(%i) : (i64) -> !fly.ptr<f32, global>
  %q = fly.recast_iter(%s) : (!fly.ptr<i8, shared, align<16>>) -> !fly.ptr<f32, shared, align<16>>
  // CHECK: %[[A:.*]] = llvm.ptrtoint %[[S]] : !llvm.ptr<3> to i32
  %a = fly.ptrtoint(%q) : (!fly.ptr<f32, shared, align<16>>) -> i32
  // CHECK: %[[B:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<1> to i64
  %b = fly.ptrtoint(%p) : (!fly.ptr<f32, global>) -> i64
  %c = fly.to_llvm_ptr(%p) {llvm_address_space = 1 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr<1>
  // CHECK: return %[[A]], %[[B]], %[[P]]
  return %a, %b, %c : i32, i64, !llvm.ptr<1>
}

// A swizzle acts on the bytes of a buffer's offset.
// CHECK-LABEL: func.func @buffer(
// CHECK-SAME: %[[P:.*]]: !llvm.struct<(ptr<8>, i32)>, %[[T:.*]]: i32
func.func @buffer(%p: !fly.ptr<f32, #fly_rocdl.buffer_desc, S<2,4,3>>, %t: i32) -> f32 {
  %i = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
  // CHECK-DAG: %[[R:.*]] = llvm.extractvalue %[[P]][0]
  // CHECK-DAG: %[[O:.*]] = llvm.extractvalue %[[P]][1]
  // CHECK: %[[A:.*]] = arith.addi %[[O]], %[[T]] : i32
  %q = fly.add_offset(%p, %i) : (!fly.ptr<f32, #fly_rocdl.buffer_desc, S<2,4,3>>, !fly.int_tuple<?>) -> !fly.ptr<f32, #fly_rocdl.buffer_desc, S<2,4,3>>
  // CHECK: %[[B:.*]] = arith.muli %[[A]], %{{.*}} : i32
  // CHECK: %[[M:.*]] = arith.andi %[[B]], %{{.*}} : i32
  // CHECK: %[[H:.*]] = arith.shrui %[[M]], %{{.*}} : i32
  // CHECK: %[[S:.*]] = arith.xori %[[B]], %[[H]] : i32
  // CHECK: rocdl.raw.ptr.buffer.load %[[R]], %[[S]], %{{.*}}, %{{.*}} : f32
  %v = fly.ptr.load(%q) : (!fly.ptr<f32, #fly_rocdl.buffer_desc, S<2,4,3>>) -> f32
  // CHECK-NOT: llvm.insertvalue
  return %v : f32
}

// A recast of a buffer rescales its offset, which counts elements.
// CHECK-LABEL: func.func @buffer_recast(
func.func @buffer_recast(%p: !fly.ptr<f16, #fly_rocdl.buffer_desc, align<4>>) -> f32 {
  // CHECK: %[[O:.*]] = llvm.extractvalue %{{.*}}[1]
  // CHECK: %[[C:.*]] = arith.constant 2 : i32
  // CHECK: %[[D:.*]] = arith.divui %[[O]], %[[C]] : i32
  // CHECK: %[[F:.*]] = arith.constant 4 : i32
  // CHECK: %[[M:.*]] = arith.muli %[[D]], %[[F]] : i32
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[M]], %{{.*}} : f32
  %q = fly.recast_iter(%p) : (!fly.ptr<f16, #fly_rocdl.buffer_desc, align<4>>) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  %v = fly.ptr.load(%q) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> f32
  return %v : f32
}

// More than one instruction moves is loaded in parts.
// CHECK-LABEL: func.func @buffer_wide(
func.func @buffer_wide(%p: !fly.ptr<f32, #fly_rocdl.buffer_desc>) -> vector<7xf32> {
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}} : vector<4xf32>
  // CHECK: rocdl.raw.ptr.buffer.load %{{.*}} : vector<3xf32>
  %v = fly.ptr.load(%p) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> vector<7xf32>
  return %v : vector<7xf32>
}

// CHECK-LABEL: func.func @descriptor(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>, %[[S:.*]]: i16, %[[N:.*]]: i64, %[[F:.*]]: i32
func.func @descriptor(%p: !fly.ptr<f16, global>, %s: i16, %n: i64, %f: i32) -> !llvm.ptr<8> {
  // CHECK: %[[R:.*]] = rocdl.make.buffer.rsrc %[[P]], %[[S]], %[[N]], %[[F]] : <1> to <8>
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f16, global>, i16, i64, i32) -> !fly.ptr<f16, #fly_rocdl.buffer_desc>
  %r = fly_rocdl.get_buffer_rsrc(%b) : (!fly.ptr<f16, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  // CHECK: return %[[R]]
  return %r : !llvm.ptr<8>
}

// CHECK-LABEL: func.func @address(
func.func @address(%m: !fly.memref<f16, register, 4:1>, %g: !fly.ptr<f16, global>) -> (index, !llvm.ptr, i64) {
  // CHECK: llvm.ptrtoint %{{.*}} : !llvm.ptr<5> to i64
  // CHECK: arith.index_cast
  %i = fly.extract_aligned_pointer_as_index %m : <f16, register, 4:1> -> index
  // CHECK: llvm.addrspacecast %{{.*}} : !llvm.ptr<1> to !llvm.ptr
  %p = fly.extract_aligned_pointer_as_index %g : !fly.ptr<f16, global> -> !llvm.ptr
  // CHECK: llvm.ptrtoint %{{.*}} : !llvm.ptr<1> to i64
  %a = fly.extract_aligned_pointer_as_index %g : !fly.ptr<f16, global> -> i64
  return %i, %p, %a : index, !llvm.ptr, i64
}

// A getelementptr holds constants of 29 bits, larger ones are values.
// CHECK-LABEL: func.func @far(
func.func @far(%p: !fly.ptr<i8, global>) -> (i8, i8, i8) {
  %a = fly.make_int_tuple() : () -> !fly.int_tuple<268435455>
  %b = fly.make_int_tuple() : () -> !fly.int_tuple<268435456>
  %c = fly.make_int_tuple() : () -> !fly.int_tuple<-1342177280>
  // CHECK: llvm.getelementptr %{{.*}}[268435455] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %q = fly.add_offset(%p, %a) : (!fly.ptr<i8, global>, !fly.int_tuple<268435455>) -> !fly.ptr<i8, global>
  // CHECK: %[[B:.*]] = arith.constant 268435456 : i64
  // CHECK: llvm.getelementptr %{{.*}}[%[[B]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %r = fly.add_offset(%p, %b) : (!fly.ptr<i8, global>, !fly.int_tuple<268435456>) -> !fly.ptr<i8, global>
  // CHECK: %[[C:.*]] = arith.constant -1342177280 : i64
  // CHECK: llvm.getelementptr %{{.*}}[%[[C]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %s = fly.add_offset(%p, %c) : (!fly.ptr<i8, global>, !fly.int_tuple<-1342177280>) -> !fly.ptr<i8, global>
  %x = fly.ptr.load(%q) : (!fly.ptr<i8, global>) -> i8
  %y = fly.ptr.load(%r) : (!fly.ptr<i8, global>) -> i8
  %z = fly.ptr.load(%s) : (!fly.ptr<i8, global>) -> i8
  return %x, %y, %z : i8, i8, i8
}
