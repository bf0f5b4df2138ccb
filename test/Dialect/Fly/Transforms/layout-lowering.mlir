// RUN: %fly-opt %s --fly-layout-lowering --split-input-file | FileCheck %s
// RUN: %mlir-opt-fly %s --pass-pipeline='builtin.module(fly-layout-lowering)' --split-input-file | FileCheck %s

// CHECK-LABEL: @crd2idx
// CHECK-SAME: (%[[X:.*]]: i32, %[[Y:.*]]: i32)
// CHECK: %[[C8:.*]] = arith.constant 8 : i32
// CHECK: %[[M:.*]] = arith.muli %[[Y]], %[[C8]] : i32
// CHECK: %[[A:.*]] = arith.addi %[[X]], %[[M]] : i32
// CHECK-NEXT: return %[[A]]
func.func @crd2idx(%x: i32, %y: i32) -> i32 {
  %l = fly.static : !fly.layout<(8,12):(1,8)>
  %c = fly.make_coord(%x, %y) : (i32, i32) -> !fly.int_tuple<(?,?)>
  %i = fly.crd2idx(%c, %l) : (!fly.int_tuple<(?,?)>, !fly.layout<(8,12):(1,8)>) -> !fly.int_tuple<?>
  %r = fly.get_scalar(%i) : (!fly.int_tuple<?>) -> i32
  return %r : i32
}

// -----

// The same coordinate is computed once, in a nested region too; what a region
// computed is not used after it.
// CHECK-LABEL: @once
// CHECK: %[[Q:.*]] = arith.divsi
// CHECK: scf.if
// CHECK-NOT: arith.divsi
// CHECK: arith.remsi
// CHECK: else
// CHECK-NOT: arith.divsi
// CHECK: arith.remsi
func.func @once(%x: i32, %c: i1) -> (i32, i32) {
  %eight = fly.make_int_tuple() : () -> !fly.int_tuple<8>
  %t = fly.make_int_tuple(%x) : (i32) -> !fly.int_tuple<?>
  %q = fly.int_tuple_div(%t, %eight) : (!fly.int_tuple<?>, !fly.int_tuple<8>) -> !fly.int_tuple<?>
  %s = fly.get_scalar(%q) : (!fly.int_tuple<?>) -> i32
  %r = scf.if %c -> (i32) {
    %m = fly.int_tuple_mod(%t, %eight) : (!fly.int_tuple<?>, !fly.int_tuple<8>) -> !fly.int_tuple<?>
    %d = fly.int_tuple_div(%t, %eight) : (!fly.int_tuple<?>, !fly.int_tuple<8>) -> !fly.int_tuple<?>
    %a = fly.int_tuple_add(%m, %d) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
    %y = fly.get_scalar(%a) : (!fly.int_tuple<?>) -> i32
    scf.yield %y : i32
  } else {
    %m = fly.int_tuple_mod(%t, %eight) : (!fly.int_tuple<?>, !fly.int_tuple<8>) -> !fly.int_tuple<?>
    %y = fly.get_scalar(%m) : (!fly.int_tuple<?>) -> i32
    scf.yield %y : i32
  }
  return %s, %r : i32, i32
}

// -----

// A conjunction of comparisons needs no extension.
// CHECK-LABEL: @elem_less
// CHECK: %[[A:.*]] = arith.cmpi slt
// CHECK: %[[B:.*]] = arith.cmpi slt
// CHECK: %[[AND:.*]] = arith.andi %[[A]], %[[B]] : i1
// CHECK: return %[[AND]]
func.func @elem_less(%x: i32, %y: i32) -> i1 {
  %c = fly.make_coord(%x, %y) : (i32, i32) -> !fly.int_tuple<(?,?)>
  %s = fly.make_int_tuple() : () -> !fly.int_tuple<(64,32)>
  %r = fly.elem_less(%c, %s) : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(64,32)>) -> i1
  return %r : i1
}

// -----

// Column 1 of a swizzled tile, element 3: 8 xor ((8 & 8) >> 2) + 3 = 13.
// CHECK-LABEL: @decomposition
// CHECK: %[[O:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<13>
// CHECK: %[[P:.*]] = fly.add_offset(%arg0, %[[O]])
// CHECK: fly.ptr.load(%[[P]])
func.func @decomposition(%p: !fly.ptr<f32, global, align<16>>) -> f32 {
  %l = fly.static : !fly.composed_layout<S<1,1,2> o 0 o (8,4):(1,8)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global, align<16>>, !fly.composed_layout<S<1,1,2> o 0 o (8,4):(1,8)>) -> !fly.memref<f32, global, S<1,1,2> o 0 o (8,4):(1,8), align<16>>
  %c = fly.make_int_tuple() : () -> !fly.int_tuple<(*,1)>
  %s = fly.slice(%m, %c) : (!fly.memref<f32, global, S<1,1,2> o 0 o (8,4):(1,8), align<16>>, !fly.int_tuple<(*,1)>) -> !fly.memref<f32, global, S<1,1,2> o 8 o 8:1, align<16>>
  %e = fly.decomposition(%s) : (!fly.memref<f32, global, S<1,1,2> o 8 o 8:1, align<16>>) -> !fly.memref<f32, global, 8:1, align<8>>
  %three = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  %x = fly.memref.load(%e, %three) : (!fly.memref<f32, global, 8:1, align<8>>, !fly.int_tuple<3>) -> f32
  return %x : f32
}

// -----

// Offsets: dynamic first, the known ones as one sum behind it; 0 is no offset
// (P6). Accesses at constant distances share the dynamic base.
// CHECK-LABEL: @offsets
// CHECK: %[[B:.*]] = fly.add_offset(%arg0, %{{.*}}) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?{div=8}>)
// CHECK: fly.ptr.load(%[[B]])
// CHECK: %[[C:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<24>
// CHECK: %[[D:.*]] = fly.add_offset(%[[B]], %[[C]])
// CHECK: fly.ptr.load(%[[D]])
// CHECK-NOT: int_tuple<0>
func.func @offsets(%p: !fly.ptr<f16, global, align<16>>, %i: i32) -> (f16, f16) {
  %eight = fly.make_int_tuple() : () -> !fly.int_tuple<8>
  %sixteen = fly.make_int_tuple() : () -> !fly.int_tuple<16>
  %zero = fly.make_int_tuple() : () -> !fly.int_tuple<0>
  %d = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=8}>
  %p1 = fly.add_offset(%p, %eight) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<8>) -> !fly.ptr<f16, global, align<16>>
  %p2 = fly.add_offset(%p1, %d) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?{div=8}>) -> !fly.ptr<f16, global, align<16>>
  %p3 = fly.add_offset(%p2, %sixteen) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<16>) -> !fly.ptr<f16, global, align<16>>
  %p4 = fly.add_offset(%p, %d) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?{div=8}>) -> !fly.ptr<f16, global, align<16>>
  %p5 = fly.add_offset(%p4, %zero) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<0>) -> !fly.ptr<f16, global, align<16>>
  %b = fly.ptr.load(%p5) : (!fly.ptr<f16, global, align<16>>) -> f16
  %a = fly.ptr.load(%p3) : (!fly.ptr<f16, global, align<16>>) -> f16
  return %a, %b : f16, f16
}

// -----

// The coordinate at an iterator over coordinates is the coordinate.
// CHECK-LABEL: @coord_load
// CHECK: %[[S:.*]] = arith.addi %arg0, %arg1
// CHECK: return %[[S]]
func.func @coord_load(%b: i32, %i: i32) -> i32 {
  %base = fly.make_int_tuple(%b) : (i32) -> !fly.int_tuple<?>
  %l = fly.static : !fly.layout<16:1>
  %t = fly.make_view(%base, %l) : (!fly.int_tuple<?>, !fly.layout<16:1>) -> !fly.coord_tensor<?, 16:1>
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<?>
  %v = fly.memref.load(%t, %c) : (!fly.coord_tensor<?, 16:1>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
  %r = fly.get_scalar(%v) : (!fly.int_tuple<?>) -> i32
  return %r : i32
}

// -----

// An op on a memref argument waits for the signature rewrite.
// CHECK-LABEL: @waits
// CHECK: fly.slice(%arg0, %{{.*}})
func.func @waits(%m: !fly.memref<f32, global, (4,8):(1,4)>) -> !fly.memref<f32, global, 4:1, align<4>> {
  %c = fly.make_int_tuple() : () -> !fly.int_tuple<(*,3)>
  %s = fly.slice(%m, %c) : (!fly.memref<f32, global, (4,8):(1,4)>, !fly.int_tuple<(*,3)>) -> !fly.memref<f32, global, 4:1>
  return %s : !fly.memref<f32, global, 4:1>
}
