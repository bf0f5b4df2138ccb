// RUN: %fly-opt %s -split-input-file -fly-convert-atom-call-to-ssa-form | FileCheck %s
// RUN: %fly-opt %s -split-input-file -fly-convert-atom-call-to-ssa-form=gather=true | FileCheck %s --check-prefix=GATHER

!Atom = !fly.copy_atom<!fly.universal_copy<64>, 16>

// CHECK-LABEL: func.func @load
// CHECK-SAME: %[[AT:[a-z0-9]*]]: !fly.copy_atom
// CHECK-SAME: %[[G:[a-z0-9]*]]: !fly.memref<f16, global, 4:1>
// CHECK: %[[P:.*]] = fly.make_ptr()
// CHECK: %[[V:.*]] = fly.copy_atom_call_ssa(%[[AT]], %[[G]]) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : ({{.*}}, !fly.memref<f16, global, 4:1>) -> vector<4xf16>
// CHECK: fly.ptr.store(%[[V]], %[[P]]) : (vector<4xf16>, !fly.ptr<f16, register>) -> ()
// CHECK-NOT: copy_atom_call
func.func @load(%at: !Atom, %g: !fly.memref<f16, global, 4:1>) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f16, register>
  %l = fly.static : !fly.layout<4:1>
  %r = fly.make_view(%p, %l) : (!fly.ptr<f16, register>, !fly.layout<4:1>) -> !fly.memref<f16, register, 4:1>
  fly.copy_atom_call(%at, %g, %r) : (!Atom, !fly.memref<f16, global, 4:1>, !fly.memref<f16, register, 4:1>) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly.universal_copy<64>, 16>

// The store from registers: a view with a nested layout that is one run.
// CHECK-LABEL: func.func @store
// CHECK: %[[P:.*]] = fly.make_ptr()
// CHECK: %[[V:.*]] = fly.ptr.load(%[[P]]) : (!fly.ptr<f16, register>) -> vector<4xf16>
// CHECK: fly.copy_atom_call_ssa(%{{.*}}, %[[V]], %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : ({{.*}}, vector<4xf16>, !fly.memref<f16, global, 4:1>) -> ()
func.func @store(%at: !Atom, %g: !fly.memref<f16, global, 4:1>) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f16, register>
  %l = fly.static : !fly.layout<((2,2),1):((1,2),0)>
  %r = fly.make_view(%p, %l) : (!fly.ptr<f16, register>, !fly.layout<((2,2),1):((1,2),0)>) -> !fly.memref<f16, register, ((2,2),1):((1,2),0)>
  fly.copy_atom_call(%at, %r, %g) : (!Atom, !fly.memref<f16, register, ((2,2),1):((1,2),0)>, !fly.memref<f16, global, 4:1>) -> ()
  return
}

// -----

!Atom = !fly.copy_atom<!fly.universal_copy<128>, 32>

// With a predicate the old value is an operand.
// CHECK-LABEL: func.func @predicated
// CHECK: %[[R:.*]] = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}}
// CHECK: %[[P:.*]] = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}}
// CHECK: %[[C:.*]] = fly.ptr.load(%[[P]]) : (!fly.ptr<i1, register>) -> i1
// CHECK: %[[O:.*]] = fly.ptr.load(%[[R]]) : (!fly.ptr<f32, register>) -> vector<4xf32>
// CHECK: %[[N:.*]] = fly.copy_atom_call_ssa(%{{.*}}, %{{.*}}, %[[O]], %[[C]]) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : ({{.*}}, vector<4xf32>, i1) -> vector<4xf32>
// CHECK: fly.ptr.store(%[[N]], %[[R]])
func.func @predicated(%at: !Atom, %g: !fly.memref<f32, global, 4:1>) {
  %r = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  %l = fly.static : !fly.layout<4:1>
  %rv = fly.make_view(%r, %l) : (!fly.ptr<f32, register>, !fly.layout<4:1>) -> !fly.memref<f32, register, 4:1>
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i1, register>
  %l1 = fly.static : !fly.layout<1:0>
  %pv = fly.make_view(%p, %l1) : (!fly.ptr<i1, register>, !fly.layout<1:0>) -> !fly.memref<i1, register, 1:0>
  fly.copy_atom_call(%at, %g, %rv, %pv) : (!Atom, !fly.memref<f32, global, 4:1>, !fly.memref<f32, register, 4:1>, !fly.memref<i1, register, 1:0>) -> ()
  return
}

// -----

// Case A07: the predicate is the only operand in registers.
!Atom = !fly.copy_atom<!fly.universal_copy<32>, 32>

// CHECK-LABEL: func.func @predicate_only
// CHECK: %[[C:.*]] = fly.ptr.load(%{{.*}}) : (!fly.ptr<i1, register>) -> i1
// CHECK: fly.copy_atom_call_ssa(%{{.*}}, %arg1, %arg2, %[[C]]) {operandSegmentSizes = array<i32: 1, 1, 1, 1>}
// CHECK-SAME: i1) -> ()
func.func @predicate_only(%at: !Atom, %g: !fly.memref<f32, global, 1:1>, %s: !fly.memref<f32, shared, 1:1>) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<i1, register>
  %l = fly.static : !fly.layout<1:1>
  %pv = fly.make_view(%p, %l) : (!fly.ptr<i1, register>, !fly.layout<1:1>) -> !fly.memref<i1, register, 1:1>
  fly.copy_atom_call(%at, %g, %s, %pv) : (!Atom, !fly.memref<f32, global, 1:1>, !fly.memref<f32, shared, 1:1>, !fly.memref<i1, register, 1:1>) -> ()
  return
}

// -----

// P24: a predicate in shared memory is loaded, not handed over as a pointer.
!Atom = !fly.copy_atom<!fly.universal_copy<32>, 32>

// CHECK-LABEL: func.func @predicate_in_shared
// CHECK: %[[C:.*]] = fly.ptr.load(%arg1) : (!fly.ptr<i1, shared>) -> i1
// CHECK: fly.copy_atom_call_ssa(%{{.*}}, %{{.*}}, %{{.*}}, %[[C]]) {operandSegmentSizes = array<i32: 1, 1, 1, 1>}
// CHECK-SAME: f32, i1) -> f32
func.func @predicate_in_shared(%at: !Atom, %pp: !fly.ptr<i1, shared>, %g: !fly.memref<f32, global, 1:1>) {
  %r = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  %l = fly.static : !fly.layout<1:1>
  %rv = fly.make_view(%r, %l) : (!fly.ptr<f32, register>, !fly.layout<1:1>) -> !fly.memref<f32, register, 1:1>
  %pv = fly.make_view(%pp, %l) : (!fly.ptr<i1, shared>, !fly.layout<1:1>) -> !fly.memref<i1, shared, 1:1>
  fly.copy_atom_call(%at, %g, %rv, %pv) : (!Atom, !fly.memref<f32, global, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<i1, shared, 1:1>) -> ()
  return
}

// -----

// P24: a register memref whose pointer is not in sight, here a block argument
// and a select, stays in memory form.
!Atom = !fly.copy_atom<!fly.universal_copy<32>, 32>
!Reg = !fly.memref<f32, register, 1:1>

// CHECK-LABEL: func.func @no_pointer_in_sight
// CHECK: fly.copy_atom_call(%arg0, %arg2, %arg3)
// CHECK: %[[S:.*]] = arith.select
// CHECK: fly.copy_atom_call(%arg0, %[[S]], %arg2)
func.func @no_pointer_in_sight(%at: !Atom, %c: i1, %g: !fly.memref<f32, global, 1:1>, %a: !Reg, %b: !Reg) {
  fly.copy_atom_call(%at, %g, %a) : (!Atom, !fly.memref<f32, global, 1:1>, !Reg) -> ()
  %s = arith.select %c, %a, %b : !Reg
  fly.copy_atom_call(%at, %s, %g) : (!Atom, !Reg, !fly.memref<f32, global, 1:1>) -> ()
  return
}

// -----

// P26: a strided view keeps its memref; with `gather` it becomes a value, one
// access for each contiguous run.
!Atom = !fly.copy_atom<!fly.universal_copy<128>, 16>
!Reg = !fly.memref<f16, register, (4,2):(1,8)>

// CHECK-LABEL: func.func @strided
// CHECK: %[[V:.*]] = fly.make_view
// CHECK: fly.copy_atom_call(%arg0, %arg1, %[[V]])
// CHECK: fly.copy_atom_call(%arg0, %[[V]], %arg1)
// GATHER-LABEL: func.func @strided
// GATHER: %[[P:.*]] = fly.make_ptr()
// GATHER: %[[N:.*]] = fly.copy_atom_call_ssa({{.*}}) -> vector<8xf16>
// GATHER: %[[N0:.*]] = vector.extract_strided_slice %[[N]] {offsets = [0], sizes = [4], strides = [1]}
// GATHER: fly.ptr.store(%[[N0]], %[[P]])
// GATHER: %[[N1:.*]] = vector.extract_strided_slice %[[N]] {offsets = [4], sizes = [4], strides = [1]}
// GATHER: %[[Q:.*]] = fly.add_offset(%[[P]], %{{.*}}) : (!fly.ptr<f16, register>, !fly.int_tuple<8>)
// GATHER: fly.ptr.store(%[[N1]], %[[Q]])
// GATHER: %[[L0:.*]] = fly.ptr.load(%[[P]]) : (!fly.ptr<f16, register>) -> vector<4xf16>
// GATHER: vector.insert_strided_slice %[[L0]], %{{.*}} {offsets = [0], strides = [1]}
// GATHER: vector.insert_strided_slice %{{.*}}, %{{.*}} {offsets = [4], strides = [1]}
// GATHER: fly.copy_atom_call_ssa
// GATHER-NEXT: return
func.func @strided(%at: !Atom, %g: !fly.memref<f16, global, 8:1>) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 16 : i64}} : () -> !fly.ptr<f16, register>
  %l = fly.static : !fly.layout<(4,2):(1,8)>
  %r = fly.make_view(%p, %l) : (!fly.ptr<f16, register>, !fly.layout<(4,2):(1,8)>) -> !Reg
  fly.copy_atom_call(%at, %g, %r) : (!Atom, !fly.memref<f16, global, 8:1>, !Reg) -> ()
  fly.copy_atom_call(%at, %r, %g) : (!Atom, !Reg, !fly.memref<f16, global, 8:1>) -> ()
  return
}

// -----

// A multiply-add: single elements are scalars.
!Mma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>

// CHECK-LABEL: func.func @mma
// CHECK: %[[P:.*]] = fly.make_ptr()
// CHECK: %[[A:.*]] = fly.ptr.load(%[[P]]) : (!fly.ptr<f32, register>) -> f32
// CHECK: %[[B:.*]] = fly.ptr.load(%[[P]])
// CHECK: %[[C:.*]] = fly.ptr.load(%[[P]])
// CHECK: %[[D:.*]] = fly.mma_atom_call_ssa(%arg0, %[[A]], %[[B]], %[[C]]) : ({{.*}}, f32, f32, f32) -> f32
// CHECK: fly.ptr.store(%[[D]], %[[P]])
func.func @mma(%at: !Mma) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  %l = fly.static : !fly.layout<1:1>
  %v = fly.make_view(%p, %l) : (!fly.ptr<f32, register>, !fly.layout<1:1>) -> !fly.memref<f32, register, 1:1>
  fly.mma_atom_call(%at, %v, %v, %v, %v) : (!Mma, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>) -> ()
  return
}

// -----

// W11: D in memory is an operand, and no result that nobody stores appears.
!Mma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!G = !fly.memref<f32, global, 1:1>

// CHECK-LABEL: func.func @mma_into_memory
// CHECK: %[[A:.*]] = fly.ptr.load
// CHECK: fly.mma_atom_call_ssa(%arg0, %arg1, %[[A]], %arg1, %arg1)
// CHECK-SAME: -> ()
func.func @mma_into_memory(%at: !Mma, %g: !G) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  %l = fly.static : !fly.layout<1:1>
  %v = fly.make_view(%p, %l) : (!fly.ptr<f32, register>, !fly.layout<1:1>) -> !fly.memref<f32, register, 1:1>
  fly.mma_atom_call(%at, %g, %v, %g, %g) : (!Mma, !G, !fly.memref<f32, register, 1:1>, !G, !G) -> ()
  return
}

// -----

// Floats narrower than 16 bits are integers of their width. Calls without a
// register operand stay.
!Atom = !fly.copy_atom<!fly.universal_copy<32>, 8>

// CHECK-LABEL: func.func @narrow
// CHECK: %[[V:.*]] = fly.copy_atom_call_ssa({{.*}}) -> vector<4xi8>
// CHECK: fly.ptr.store(%[[V]], %{{.*}}) : (vector<4xi8>, !fly.ptr<f8E4M3FN, register>) -> ()
// CHECK: fly.copy_atom_call(%arg0, %arg1, %arg1)
func.func @narrow(%at: !Atom, %g: !fly.memref<f8E4M3FN, global, 4:1>) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f8E4M3FN, register>
  %l = fly.static : !fly.layout<4:1>
  %r = fly.make_view(%p, %l) : (!fly.ptr<f8E4M3FN, register>, !fly.layout<4:1>) -> !fly.memref<f8E4M3FN, register, 4:1>
  fly.copy_atom_call(%at, %g, %r) : (!Atom, !fly.memref<f8E4M3FN, global, 4:1>, !fly.memref<f8E4M3FN, register, 4:1>) -> ()
  fly.copy_atom_call(%at, %g, %g) : (!Atom, !fly.memref<f8E4M3FN, global, 4:1>, !fly.memref<f8E4M3FN, global, 4:1>) -> ()
  return
}
