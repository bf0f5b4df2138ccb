// RUN: %fly-opt %s -allow-unregistered-dialect -split-input-file -fly-promote-regmem-to-vectorssa=report=true -verify-diagnostics | FileCheck %s
//
// Arrays that stay in memory, with the remark that `report` gives. (Accesses that
// are errors: promote-regmem-to-vectorssa-errors.mlir.)

// Case A03: an offset known only at run time.
// CHECK-LABEL: func.func @dynamic_offset
// CHECK: fly.make_ptr() {dictAttrs = {allocSize = 8 : i64}}
// CHECK: fly.ptr.load
// CHECK-NOT: vector.extract
func.func @dynamic_offset(%i: i32) -> f32 {
  // expected-remark @below {{register array stays in memory: it is moved by an offset known only at run time}}
  %reg = fly.make_ptr() {dictAttrs = {allocSize = 8 : i64}} : () -> !fly.ptr<f32, register>
  %two = fly.make_int_tuple() : () -> !fly.int_tuple<2>
  %dyn = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  // expected-note @below {{here}}
  %p1 = fly.add_offset(%reg, %dyn) : (!fly.ptr<f32, register>, !fly.int_tuple<?>) -> !fly.ptr<f32, register>
  %p2 = fly.add_offset(%p1, %two) : (!fly.ptr<f32, register>, !fly.int_tuple<2>) -> !fly.ptr<f32, register>
  %v = fly.ptr.load(%p2) : (!fly.ptr<f32, register>) -> f32
  return %v : f32
}

// -----

// P26, P27: a view that an atom call uses keeps its array in memory; the other
// array is promoted all the same, and no pointer becomes poison.
!Atom = !fly.copy_atom<!fly.universal_copy<128>, 16>
!Reg = !fly.memref<f16, register, (4,2):(1,8)>

// CHECK-LABEL: func.func @strided_view
// CHECK: %[[P:.*]] = fly.make_ptr() {dictAttrs = {allocSize = 16 : i64}}
// CHECK-NOT: fly.make_ptr
// CHECK: %[[V:.*]] = fly.make_view(%[[P]]
// CHECK: fly.copy_atom_call(%{{.*}}, %{{.*}}, %[[V]])
// CHECK: vector.insert
// CHECK-NOT: poison : !fly.ptr
func.func @strided_view(%at: !Atom, %g: !fly.memref<f16, global, 8:1>, %x: f32) -> f32 {
  // expected-remark @below {{register array stays in memory: it is used by 'fly.copy_atom_call'}}
  %p = fly.make_ptr() {dictAttrs = {allocSize = 16 : i64}} : () -> !fly.ptr<f16, register>
  %l = fly.static : !fly.layout<(4,2):(1,8)>
  %r = fly.make_view(%p, %l) : (!fly.ptr<f16, register>, !fly.layout<(4,2):(1,8)>) -> !Reg
  // expected-note @below {{here}}
  fly.copy_atom_call(%at, %g, %r) : (!Atom, !fly.memref<f16, global, 8:1>, !Reg) -> ()
  %q = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  fly.ptr.store(%x, %q) : (f32, !fly.ptr<f32, register>) -> ()
  %y = fly.ptr.load(%q) : (!fly.ptr<f32, register>) -> f32
  return %y : f32
}

// -----

// Casts, selects and block arguments.
// CHECK-LABEL: func.func @other_uses
// CHECK-COUNT-3: fly.make_ptr()
// CHECK: fly.recast_iter
// CHECK: arith.select
func.func @other_uses(%c: i1, %x: i32) -> i32 {
  // expected-remark @below {{register array stays in memory: it is used by 'fly.recast_iter'}}
  %a = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  // expected-remark @below {{register array stays in memory: it is used by 'arith.select'}}
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  // expected-remark @below {{register array stays in memory: it is used by 'arith.select'}}
  %q = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  // expected-note @below {{here}}
  %i = fly.recast_iter(%a) : (!fly.ptr<f32, register>) -> !fly.ptr<i32, register>
  fly.ptr.store(%x, %i) : (i32, !fly.ptr<i32, register>) -> ()
  // expected-note @below {{here}}
  %s = arith.select %c, %p, %q : !fly.ptr<i32, register>
  fly.ptr.store(%x, %s) : (i32, !fly.ptr<i32, register>) -> ()
  %y = fly.ptr.load(%s) : (!fly.ptr<i32, register>) -> i32
  return %y : i32
}

// -----

// P28: no size, or none that is positive; no crash on a missing dictionary.
// CHECK-LABEL: func.func @no_size
// CHECK-COUNT-3: fly.make_ptr()
func.func @no_size(%x: i32) {
  // expected-remark @below {{has no positive 'allocSize'}}
  // expected-note @below {{here}}
  %a = fly.make_ptr() : () -> !fly.ptr<i32, register>
  // expected-remark @below {{has no positive 'allocSize'}}
  // expected-note @below {{here}}
  %b = fly.make_ptr() {dictAttrs = {allocSize = 0 : i64}} : () -> !fly.ptr<i32, register>
  // expected-remark @below {{has more than 16384 elements}}
  // expected-note @below {{here}}
  %c = fly.make_ptr() {dictAttrs = {allocSize = 16385 : i64}} : () -> !fly.ptr<i32, register>
  fly.ptr.store(%x, %a) : (i32, !fly.ptr<i32, register>) -> ()
  return
}

// -----

// A region op that nobody here knows: stores inside keep the array in memory,
// loads alone do not.
// CHECK-LABEL: func.func @unknown_region
// CHECK: %[[P:.*]] = fly.make_ptr()
// CHECK-NOT: fly.make_ptr()
// CHECK: "test.region"
// CHECK: vector.extract
// CHECK: fly.ptr.store(%{{.*}}, %[[P]])
func.func @unknown_region(%x: i32) {
  // expected-remark @below {{is stored to inside 'test.region'}}
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  %q = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  fly.ptr.store(%x, %q) : (i32, !fly.ptr<i32, register>) -> ()
  "test.region"() ({
    %y = fly.ptr.load(%q) : (!fly.ptr<i32, register>) -> i32
    // expected-note @below {{here}}
    fly.ptr.store(%y, %p) : (i32, !fly.ptr<i32, register>) -> ()
    "test.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// A pointer that is stored itself, a value of no vector kind, a width that does
// not divide.
// CHECK-LABEL: func.func @odd_accesses
// CHECK-COUNT-3: fly.make_ptr()
func.func @odd_accesses(%x: index, %slot: !fly.ptr<i64, global>) -> i24 {
  // expected-remark @below {{is used by 'fly.ptr.store'}}
  %a = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i32, register>
  // expected-remark @below {{is accessed as a value of another kind}}
  %b = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i64, register>
  // expected-remark @below {{is accessed in elements of another width}}
  %c = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<i32, register>
  // expected-note @below {{here}}
  fly.ptr.store(%a, %slot) : (!fly.ptr<i32, register>, !fly.ptr<i64, global>) -> ()
  // expected-note @below {{here}}
  fly.ptr.store(%x, %b) : (index, !fly.ptr<i64, register>) -> ()
  // expected-note @below {{here}}
  %y = fly.ptr.load(%c) : (!fly.ptr<i32, register>) -> i24
  return %y : i24
}

// -----

// CHECK-LABEL: func.func @region_of_blocks
// CHECK: fly.ptr.store
func.func @region_of_blocks(%x: f32, %c: i1) -> f32 {
  // expected-remark @below {{register array stays in memory: it is stored to in a region of several blocks}}
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  scf.execute_region {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    // expected-note @below {{here}}
    fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, register>) -> ()
    cf.br ^bb2
  ^bb2:
    scf.yield
  }
  %v = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> f32
  return %v : f32
}

// -----

// CHECK-LABEL: func.func @other_block
// CHECK: fly.ptr.load
func.func @other_block(%x: f32) -> f32 {
  // expected-remark @below {{register array stays in memory: it is used in another block}}
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, register>) -> ()
  cf.br ^bb1
^bb1:
  // expected-note @below {{here}}
  %v = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> f32
  return %v : f32
}

// -----

// CHECK-LABEL: func.func @out_of_range
// CHECK: fly.ptr.load
func.func @out_of_range() -> f32 {
  // expected-remark @below {{register array stays in memory: it is moved out of range}}
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  %far = fly.make_int_tuple() : () -> !fly.int_tuple<9223372036854775807>
  %q = fly.add_offset(%p, %far) : (!fly.ptr<f32, register>, !fly.int_tuple<9223372036854775807>) -> !fly.ptr<f32, register>
  // expected-note @below {{here}}
  %r = fly.add_offset(%q, %far) : (!fly.ptr<f32, register>, !fly.int_tuple<9223372036854775807>) -> !fly.ptr<f32, register>
  %v = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
  return %v : f32
}

// -----

// CHECK-LABEL: func.func @swizzled
// CHECK: fly.ptr.load
func.func @swizzled() -> f32 {
  // expected-remark @below {{register array stays in memory: it has a swizzled address}}
  // expected-note @below {{here}}
  %p = fly.make_ptr() {dictAttrs = {allocSize = 16 : i64}} : () -> !fly.ptr<f32, register, S<1,2,3>>
  %v = fly.ptr.load(%p) : (!fly.ptr<f32, register, S<1,2,3>>) -> f32
  return %v : f32
}
