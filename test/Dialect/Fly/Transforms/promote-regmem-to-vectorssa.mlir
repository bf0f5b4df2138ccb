// RUN: %fly-opt %s -allow-unregistered-dialect -split-input-file -fly-promote-regmem-to-vectorssa | FileCheck %s

// The example of the specification, section 9.3.
// CHECK-LABEL: func.func @example
// CHECK-SAME: %[[INIT:[a-z0-9]*]]: vector<4xf16>
// CHECK: %[[U:.*]] = ub.poison : vector<4xf16>
// CHECK: %[[S0:.*]] = vector.insert_strided_slice %[[INIT]], %[[U]] {offsets = [0], strides = [1]} : vector<4xf16> into vector<4xf16>
// CHECK: %[[S:.*]] = scf.for %{{.*}} iter_args(%[[A:.*]] = %[[S0]]) -> (vector<4xf16>) {
// CHECK:   %[[T:.*]] = scf.if %{{.*}} -> (vector<4xf16>) {
// CHECK:     %[[V:.*]] = vector.extract_strided_slice %[[A]] {offsets = [0], sizes = [4], strides = [1]}
// CHECK:     %[[W:.*]] = arith.mulf %[[V]]
// CHECK:     %[[X:.*]] = vector.insert_strided_slice %[[W]], %[[A]] {offsets = [0], strides = [1]}
// CHECK:     scf.yield %[[X]] : vector<4xf16>
// CHECK:   } else {
// CHECK:     scf.yield %[[A]] : vector<4xf16>
// CHECK:   }
// CHECK:   scf.yield %[[T]] : vector<4xf16>
// CHECK: }
// CHECK: %[[R:.*]] = vector.extract_strided_slice %[[S]] {offsets = [0], sizes = [4], strides = [1]}
// CHECK: return %[[R]]
func.func @example(%init: vector<4xf16>, %two: vector<4xf16>, %c: i1, %n: index) -> vector<4xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f16, register>
  fly.ptr.store(%init, %p) : (vector<4xf16>, !fly.ptr<f16, register>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      %v = fly.ptr.load(%p) : (!fly.ptr<f16, register>) -> vector<4xf16>
      %w = arith.mulf %v, %two : vector<4xf16>
      fly.ptr.store(%w, %p) : (vector<4xf16>, !fly.ptr<f16, register>) -> ()
    }
  }
  %r = fly.ptr.load(%p) : (!fly.ptr<f16, register>) -> vector<4xf16>
  return %r : vector<4xf16>
}

// -----

// Case A20: nothing but register memory in the module; scalars.
// CHECK-LABEL: gpu.func @scalar
// CHECK-NOT: register
// CHECK: %[[P:.*]] = ub.poison : vector<2xi32>
// CHECK: %[[S:.*]] = vector.insert %arg1, %[[P]] [0] : i32 into vector<2xi32>
// CHECK: %[[X:.*]] = vector.extract %[[S]][0] : i32 from vector<2xi32>
// CHECK: fly.ptr.store(%[[X]], %arg0)
gpu.module @m {
  gpu.func @scalar(%out: !fly.ptr<i32, global>, %v: i32) kernel {
    %reg = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<i32, register>
    fly.ptr.store(%v, %reg) : (i32, !fly.ptr<i32, register>) -> ()
    %x = fly.ptr.load(%reg) : (!fly.ptr<i32, register>) -> i32
    fly.ptr.store(%x, %out) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }
}

// -----

// Offsets add up along a chain. Unused views and casts go away.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: fly.
// CHECK: %[[S:.*]] = vector.insert_strided_slice %arg0, %{{.*}} {offsets = [5], strides = [1]} : vector<2xf32> into vector<8xf32>
// CHECK: vector.extract %[[S]][6]
func.func @chain(%v: vector<2xf32>) -> f32 {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 8 : i64}} : () -> !fly.ptr<f32, register>
  %two = fly.make_int_tuple() : () -> !fly.int_tuple<2>
  %three = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  %minus = fly.make_int_tuple() : () -> !fly.int_tuple<-2>
  %four = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  %a = fly.add_offset(%p, %two) : (!fly.ptr<f32, register>, !fly.int_tuple<2>) -> !fly.ptr<f32, register>
  %b = fly.add_offset(%a, %three) : (!fly.ptr<f32, register>, !fly.int_tuple<3>) -> !fly.ptr<f32, register>
  %c = fly.add_offset(%b, %minus) : (!fly.ptr<f32, register>, !fly.int_tuple<-2>) -> !fly.ptr<f32, register>
  %d = fly.add_offset(%c, %four) : (!fly.ptr<f32, register>, !fly.int_tuple<3>) -> !fly.ptr<f32, register>
  fly.ptr.store(%v, %b) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
  %x = fly.ptr.load(%d) : (!fly.ptr<f32, register>) -> f32
  %l = fly.static : !fly.layout<8:1>
  %view = fly.make_view(%p, %l) : (!fly.ptr<f32, register>, !fly.layout<8:1>) -> !fly.memref<f32, register, 8:1>
  %cast = fly.recast_iter(%p) : (!fly.ptr<f32, register>) -> !fly.ptr<i32, register>
  return %x : f32
}

// -----

// Floats narrower than 16 bits live in integers of their width.
// CHECK-LABEL: func.func @narrow
// CHECK: %[[U:.*]] = ub.poison : vector<4xi8>
// CHECK: %[[V:.*]] = vector.bitcast %arg0 : vector<2xf8E4M3FN> to vector<2xi8>
// CHECK: %[[S:.*]] = vector.insert_strided_slice %[[V]], %[[U]] {offsets = [0], strides = [1]}
// CHECK: %[[O:.*]] = vector.broadcast %arg1 : f8E4M3FN to vector<1xf8E4M3FN>
// CHECK: %[[OI:.*]] = vector.bitcast %[[O]] : vector<1xf8E4M3FN> to vector<1xi8>
// CHECK: %[[S2:.*]] = vector.insert_strided_slice %[[OI]], %[[S]] {offsets = [3], strides = [1]}
// CHECK: %[[E:.*]] = vector.extract_strided_slice %[[S2]] {offsets = [3], sizes = [1], strides = [1]}
// CHECK: %[[F:.*]] = vector.bitcast %[[E]] : vector<1xi8> to vector<1xf8E4M3FN>
// CHECK: vector.extract %[[F]][0] : f8E4M3FN from vector<1xf8E4M3FN>
// The value of an atom call is an integer already.
// CHECK: vector.extract_strided_slice %[[S2]] {offsets = [0], sizes = [4], strides = [1]} : vector<4xi8> to vector<4xi8>
func.func @narrow(%v: vector<2xf8E4M3FN>, %x: f8E4M3FN) -> (f8E4M3FN, vector<4xi8>) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f8E4M3FN, register>
  %three = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  %q = fly.add_offset(%p, %three) : (!fly.ptr<f8E4M3FN, register>, !fly.int_tuple<3>) -> !fly.ptr<f8E4M3FN, register>
  fly.ptr.store(%v, %p) : (vector<2xf8E4M3FN>, !fly.ptr<f8E4M3FN, register>) -> ()
  fly.ptr.store(%x, %q) : (f8E4M3FN, !fly.ptr<f8E4M3FN, register>) -> ()
  %y = fly.ptr.load(%q) : (!fly.ptr<f8E4M3FN, register>) -> f8E4M3FN
  %w = fly.ptr.load(%p) : (!fly.ptr<f8E4M3FN, register>) -> vector<4xi8>
  return %y, %w : f8E4M3FN, vector<4xi8>
}

// -----

// The same bits as elements of another width.
// CHECK-LABEL: func.func @other_width
// CHECK: %[[E:.*]] = vector.extract_strided_slice %{{.*}} {offsets = [2], sizes = [2], strides = [1]} : vector<4xf16> to vector<2xf16>
// CHECK: %[[B:.*]] = vector.bitcast %[[E]] : vector<2xf16> to vector<1xi32>
// CHECK: vector.extract %[[B]][0] : i32
func.func @other_width(%v: vector<4xf16>) -> i32 {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f16, register>
  %two = fly.make_int_tuple() : () -> !fly.int_tuple<2>
  %q = fly.add_offset(%p, %two) : (!fly.ptr<f16, register>, !fly.int_tuple<2>) -> !fly.ptr<f16, register>
  fly.ptr.store(%v, %p) : (vector<4xf16>, !fly.ptr<f16, register>) -> ()
  %x = fly.ptr.load(%q) : (!fly.ptr<f16, register>) -> i32
  return %x : i32
}

// -----

// Through scf.while: inits, both argument lists, condition, yield, results.
// CHECK-LABEL: func.func @while
// CHECK: %[[W:.*]]:2 = scf.while (%[[I:.*]] = %arg1, %[[A:.*]] = %[[S0:.*]]) : (i32, vector<1xf32>) -> (i32, vector<1xf32>) {
// CHECK:   scf.condition(%{{.*}}) %[[I]], %[[A]] : i32, vector<1xf32>
// CHECK: } do {
// CHECK: ^bb0(%[[J:.*]]: i32, %[[B:.*]]: vector<1xf32>):
// CHECK:   %[[E:.*]] = vector.extract %[[B]][0]
// CHECK:   %[[N:.*]] = vector.insert %{{.*}}, %[[B]] [0]
// CHECK:   scf.yield %{{.*}}, %[[N]] : i32, vector<1xf32>
// CHECK: }
// CHECK: vector.extract %[[W]]#1[0]
func.func @while(%v: f32, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  fly.ptr.store(%v, %p) : (f32, !fly.ptr<f32, register>) -> ()
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %go = arith.cmpi sgt, %i, %c0 : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    %x = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> f32
    %y = arith.addf %x, %v : f32
    fly.ptr.store(%y, %p) : (f32, !fly.ptr<f32, register>) -> ()
    %next = arith.subi %i, %c1 : i32
    scf.yield %next : i32
  }
  %z = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> f32
  return %z : f32
}

// -----

// Arrays follow the original results in the order of allocation. The unsigned
// comparison, hints and other attributes of the loop stay (P29).
// CHECK-LABEL: func.func @order_and_attributes
// CHECK: %[[R:.*]]:3 = scf.for unsigned %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (i32, vector<1xi32>, vector<2xi32>)
// CHECK: } {unroll_hint = 4 : i32}
// CHECK: vector.extract %[[R]]#1[0]
// CHECK: vector.extract %[[R]]#2[1]
func.func @order_and_attributes(%n: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  %q = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<i32, register>
  %one = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %q1 = fly.add_offset(%q, %one) : (!fly.ptr<i32, register>, !fly.int_tuple<1>) -> !fly.ptr<i32, register>
  %r = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    fly.ptr.store(%i, %q1) : (i32, !fly.ptr<i32, register>) -> ()
    fly.ptr.store(%s, %p) : (i32, !fly.ptr<i32, register>) -> ()
    %t = arith.addi %s, %i : i32
    scf.yield %t : i32
  } {unroll_hint = 4 : i32}
  %x = fly.ptr.load(%p) : (!fly.ptr<i32, register>) -> i32
  %y = fly.ptr.load(%q1) : (!fly.ptr<i32, register>) -> i32
  return %r, %x, %y : i32, i32, i32
}

// -----

// P31: what is only read in a loop is not carried.
// CHECK-LABEL: func.func @read_only
// CHECK: %[[S:.*]] = vector.insert_strided_slice
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: vector.extract_strided_slice %[[S]]
// CHECK: return
func.func @read_only(%v: vector<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  fly.ptr.store(%v, %p) : (vector<4xf32>, !fly.ptr<f32, register>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %x = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> vector<4xf32>
    "test.use"(%x) : (vector<4xf32>) -> ()
  }
  return
}

// -----

// P31: what each iteration overwrites before it reads, and nobody reads later,
// is not carried: it starts from poison.
// CHECK-LABEL: func.func @overwritten
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: %[[P:.*]] = ub.poison : vector<4xf32>
// CHECK: %[[S0:.*]] = vector.insert_strided_slice %arg0, %[[P]] {offsets = [0]
// CHECK: %[[S1:.*]] = vector.insert_strided_slice %arg0, %[[S0]] {offsets = [1]
// CHECK: vector.insert_strided_slice %arg0, %[[S1]] {offsets = [2]
// CHECK: return
func.func @overwritten(%v: vector<2xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  %two = fly.make_int_tuple() : () -> !fly.int_tuple<2>
  %q = fly.add_offset(%p, %two) : (!fly.ptr<f32, register>, !fly.int_tuple<2>) -> !fly.ptr<f32, register>
  %one = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %m = fly.add_offset(%p, %one) : (!fly.ptr<f32, register>, !fly.int_tuple<1>) -> !fly.ptr<f32, register>
  scf.for %i = %c0 to %n step %c1 {
    fly.ptr.store(%v, %p) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
    fly.ptr.store(%v, %m) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
    fly.ptr.store(%v, %q) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
    %x = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> vector<4xf32>
    "test.use"(%x) : (vector<4xf32>) -> ()
  }
  return
}

// -----

// Half overwritten: the other half comes from the iteration before.
// CHECK-LABEL: func.func @half_overwritten
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (vector<4xf32>)
// CHECK: vector.insert_strided_slice %arg0, %[[A]]
// CHECK: return
func.func @half_overwritten(%v: vector<2xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  scf.for %i = %c0 to %n step %c1 {
    fly.ptr.store(%v, %p) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
    %x = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> vector<4xf32>
    "test.use"(%x) : (vector<4xf32>) -> ()
  }
  return
}

// -----

// P28: scf.index_switch and scf.execute_region.
// CHECK-LABEL: func.func @switch
// CHECK: %[[R:.*]] = scf.index_switch %{{.*}} -> vector<1xi32>
// CHECK: case 3 {
// CHECK: %[[S:.*]] = vector.insert
// CHECK: scf.yield %[[S]] : vector<1xi32>
// CHECK: default {
// CHECK: scf.yield %{{.*}} : vector<1xi32>
// CHECK: %[[E:.*]] = scf.execute_region -> vector<1xi32>
// CHECK: vector.extract %[[R]][0]
// CHECK: scf.yield
// CHECK: vector.extract %[[E]][0]
func.func @switch(%v: i32, %c: index) -> i32 {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  fly.ptr.store(%v, %p) : (i32, !fly.ptr<i32, register>) -> ()
  scf.index_switch %c
  case 3 {
    %x = arith.muli %v, %v : i32
    fly.ptr.store(%x, %p) : (i32, !fly.ptr<i32, register>) -> ()
    scf.yield
  }
  default {
    scf.yield
  }
  scf.execute_region {
    %x = fly.ptr.load(%p) : (!fly.ptr<i32, register>) -> i32
    %y = arith.addi %x, %v : i32
    fly.ptr.store(%y, %p) : (i32, !fly.ptr<i32, register>) -> ()
    scf.yield
  }
  %z = fly.ptr.load(%p) : (!fly.ptr<i32, register>) -> i32
  return %z : i32
}

// -----

// An array allocated in a loop is a fresh one in each iteration.
// CHECK-LABEL: func.func @local
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: %[[P:.*]] = ub.poison : vector<1xi32>
// CHECK: scf.if %{{.*}} -> (vector<1xi32>)
// CHECK: return
func.func @local(%v: i32, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
    scf.if %c {
      fly.ptr.store(%v, %p) : (i32, !fly.ptr<i32, register>) -> ()
    }
    %x = fly.ptr.load(%p) : (!fly.ptr<i32, register>) -> i32
    "test.use"(%x) : (i32) -> ()
  }
  return
}

// -----

// P28: several blocks. What stays in one of them is promoted, what crosses
// them stays in memory.
// CHECK-LABEL: func.func @blocks
// CHECK: %[[P:.*]] = fly.make_ptr()
// CHECK: fly.ptr.store(%arg0, %[[P]])
// CHECK: cf.br
// CHECK: %[[X:.*]] = fly.ptr.load(%[[P]])
// CHECK: %[[S:.*]] = vector.insert %[[X]]
// CHECK: vector.extract %[[S]][0]
func.func @blocks(%v: i32) -> i32 {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  fly.ptr.store(%v, %p) : (i32, !fly.ptr<i32, register>) -> ()
  cf.br ^next
^next:
  %x = fly.ptr.load(%p) : (!fly.ptr<i32, register>) -> i32
  %q = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  fly.ptr.store(%x, %q) : (i32, !fly.ptr<i32, register>) -> ()
  %y = fly.ptr.load(%q) : (!fly.ptr<i32, register>) -> i32
  return %y : i32
}

// -----

// What an iteration stores under a condition and only the next one reads is
// read later, although nobody reads it after the loop.
// CHECK-LABEL: func.func @next_iteration
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (vector<1xi32>)
// CHECK: vector.extract %[[A]][0]
// CHECK: %[[T:.*]] = scf.if %{{.*}} -> (vector<1xi32>)
// CHECK: scf.yield %[[T]] : vector<1xi32>
func.func @next_iteration(%v: i32, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  fly.ptr.store(%v, %p) : (i32, !fly.ptr<i32, register>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %x = fly.ptr.load(%p) : (!fly.ptr<i32, register>) -> i32
    "test.use"(%x) : (i32) -> ()
    scf.if %c {
      %y = arith.addi %x, %v : i32
      fly.ptr.store(%y, %p) : (i32, !fly.ptr<i32, register>) -> ()
    }
  }
  return
}

// -----

// A branch that stores only in one arm has not surely written.
// CHECK-LABEL: func.func @one_arm
// CHECK: %[[S:.*]] = vector.insert %arg0
// CHECK: %[[T:.*]] = scf.if
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: vector.extract %[[T]][0]
func.func @one_arm(%v: i32, %w: i32, %c: i1) -> i32 {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  fly.ptr.store(%v, %p) : (i32, !fly.ptr<i32, register>) -> ()
  scf.if %c {
    fly.ptr.store(%w, %p) : (i32, !fly.ptr<i32, register>) -> ()
  }
  %x = fly.ptr.load(%p) : (!fly.ptr<i32, register>) -> i32
  return %x : i32
}

// -----

// P31: the first state of an scf.while that overwrites before it reads is not
// needed.
// CHECK-LABEL: func.func @while_overwrites
// CHECK: %[[S:.*]] = vector.insert %arg0
// CHECK-NOT: = %[[S]]
// CHECK: scf.while
func.func @while_overwrites(%v: i32, %n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  fly.ptr.store(%v, %p) : (i32, !fly.ptr<i32, register>) -> ()
  %first = fly.ptr.load(%p) : (!fly.ptr<i32, register>) -> i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    fly.ptr.store(%i, %p) : (i32, !fly.ptr<i32, register>) -> ()
    %go = arith.cmpi sgt, %i, %first : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%i: i32):
    %x = fly.ptr.load(%p) : (!fly.ptr<i32, register>) -> i32
    %next = arith.subi %x, %c1 : i32
    scf.yield %next : i32
  }
  %z = fly.ptr.load(%p) : (!fly.ptr<i32, register>) -> i32
  return %z : i32
}
