// RUN: %fly-opt %s -split-input-file -fly-promote-regmem-to-vectorssa | FileCheck %s
// RUN: %fly-opt %s -split-input-file -fly-promote-regmem-to-vectorssa=split=false | FileCheck %s --check-prefix=WHOLE
//
// P32: an array whose accesses agree on a partition becomes one vector for each
// granule.

// An accumulator of two tiles: cleared as a whole, updated tile by tile in a
// loop, read as a whole.
// CHECK-LABEL: func.func @accumulator
// CHECK: %[[A0:.*]] = vector.extract_strided_slice %arg0 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
// CHECK: %[[B0:.*]] = vector.extract_strided_slice %arg0 {offsets = [4], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[A0]], %[[B:.*]] = %[[B0]]) -> (vector<4xf32>, vector<4xf32>) {
// CHECK:   %[[AV:.*]] = vector.extract_strided_slice %[[A]] {offsets = [0], sizes = [4], strides = [1]} : vector<4xf32> to vector<4xf32>
// CHECK:   arith.addf %[[AV]], %arg1
// CHECK:   vector.insert_strided_slice %{{.*}}, %[[A]] {offsets = [0], strides = [1]} : vector<4xf32> into vector<4xf32>
// CHECK:   arith.addf
// CHECK:   vector.insert_strided_slice %{{.*}}, %[[B]] {offsets = [0], strides = [1]} : vector<4xf32> into vector<4xf32>
// CHECK: }
// CHECK: %[[U:.*]] = ub.poison : vector<8xf32>
// CHECK: %[[V0:.*]] = vector.insert_strided_slice %[[R]]#0, %[[U]] {offsets = [0], strides = [1]} : vector<4xf32> into vector<8xf32>
// CHECK: %[[V1:.*]] = vector.insert_strided_slice %[[R]]#1, %[[V0]] {offsets = [4], strides = [1]} : vector<4xf32> into vector<8xf32>
// CHECK: return %[[V1]]
// WHOLE-LABEL: func.func @accumulator
// WHOLE: scf.for {{.*}} -> (vector<8xf32>)
func.func @accumulator(%zero: vector<8xf32>, %x: vector<4xf32>, %n: index) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = fly.make_ptr() {dictAttrs = {allocSize = 8 : i64}} : () -> !fly.ptr<f32, register>
  %four = fly.make_int_tuple() : () -> !fly.int_tuple<4>
  %q = fly.add_offset(%p, %four) : (!fly.ptr<f32, register>, !fly.int_tuple<4>) -> !fly.ptr<f32, register>
  fly.ptr.store(%zero, %p) : (vector<8xf32>, !fly.ptr<f32, register>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> vector<4xf32>
    %a1 = arith.addf %a, %x : vector<4xf32>
    fly.ptr.store(%a1, %p) : (vector<4xf32>, !fly.ptr<f32, register>) -> ()
    %b = fly.ptr.load(%q) : (!fly.ptr<f32, register>) -> vector<4xf32>
    %b1 = arith.addf %b, %x : vector<4xf32>
    fly.ptr.store(%b1, %q) : (vector<4xf32>, !fly.ptr<f32, register>) -> ()
  }
  %r = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> vector<8xf32>
  return %r : vector<8xf32>
}

// -----

// Only the granule that a loop stores to is carried.
// CHECK-LABEL: func.func @one_of_two
// CHECK: scf.for {{.*}} -> (vector<1xf32>)
// WHOLE-LABEL: func.func @one_of_two
// WHOLE: scf.for {{.*}} -> (vector<2xf32>)
func.func @one_of_two(%x: f32, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
  %one = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %q = fly.add_offset(%p, %one) : (!fly.ptr<f32, register>, !fly.int_tuple<1>) -> !fly.ptr<f32, register>
  fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, register>) -> ()
  fly.ptr.store(%x, %q) : (f32, !fly.ptr<f32, register>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %a = fly.ptr.load(%q) : (!fly.ptr<f32, register>) -> f32
    %a1 = arith.addf %a, %x : f32
    fly.ptr.store(%a1, %q) : (f32, !fly.ptr<f32, register>) -> ()
  }
  %r = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> f32
  %s = fly.ptr.load(%q) : (!fly.ptr<f32, register>) -> f32
  return %r, %s : f32, f32
}

// -----

// No agreement: accesses that overlap, a whole that is not tiled, and granules
// that are less than a register.
// CHECK-LABEL: func.func @no_agreement
// CHECK: %[[P:.*]] = vector.insert_strided_slice %arg0, %{{.*}} {offsets = [0], strides = [1]} : vector<2xf32> into vector<4xf32>
// CHECK: vector.insert_strided_slice %arg0, %[[P]] {offsets = [1], strides = [1]} : vector<2xf32> into vector<4xf32>
// CHECK: vector.extract_strided_slice %[[P]] {offsets = [0], sizes = [4], strides = [1]}
// CHECK: vector.insert %arg1, %{{.*}} [1] : f16 into vector<2xf16>
func.func @no_agreement(%x: vector<2xf32>, %h: f16) -> (vector<2xf32>, vector<4xf32>, f16) {
  %one = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  %p1 = fly.add_offset(%p, %one) : (!fly.ptr<f32, register>, !fly.int_tuple<1>) -> !fly.ptr<f32, register>
  fly.ptr.store(%x, %p) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
  fly.ptr.store(%x, %p1) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
  %a = fly.ptr.load(%p1) : (!fly.ptr<f32, register>) -> vector<2xf32>
  %q = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  fly.ptr.store(%x, %q) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
  %b = fly.ptr.load(%q) : (!fly.ptr<f32, register>) -> vector<4xf32>
  %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f16, register>
  %r1 = fly.add_offset(%r, %one) : (!fly.ptr<f16, register>, !fly.int_tuple<1>) -> !fly.ptr<f16, register>
  fly.ptr.store(%h, %r) : (f16, !fly.ptr<f16, register>) -> ()
  fly.ptr.store(%h, %r1) : (f16, !fly.ptr<f16, register>) -> ()
  %c = fly.ptr.load(%r1) : (!fly.ptr<f16, register>) -> f16
  return %a, %b, %c : vector<2xf32>, vector<4xf32>, f16
}
