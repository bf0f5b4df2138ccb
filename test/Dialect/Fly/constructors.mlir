// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s

// Specification 3.2. Written result types are held against the inferred ones,
// so a function that parses is right; CHECK lines are about the text.

// CHECK-LABEL: func.func @tuples
func.func @tuples(%m: i32, %n: i64) {
  // CHECK: fly.make_int_tuple() : () -> !fly.int_tuple<(4,8)>
  %0 = fly.make_int_tuple() : () -> !fly.int_tuple<(4,8)>
  // CHECK: fly.make_int_tuple(%{{.*}}, %{{.*}}) : (i32, i64) -> !fly.int_tuple<(?,(3,?{i64 div=8}))>
  %1 = fly.make_int_tuple(%m, %n) : (i32, i64) -> !fly.int_tuple<(?,(3,?{i64 div=8}))>
  // CHECK: fly.make_shape(%{{.*}}) : (i32) -> !fly.int_tuple<(?,4)>
  %2 = fly.make_shape(%m) : (i32) -> !fly.int_tuple<(?,4)>
  // A basis leaf of unknown scale is one operand.
  // CHECK: fly.make_stride(%{{.*}}) : (i32) -> !fly.int_tuple<(?E0,1E1)>
  %3 = fly.make_stride(%m) : (i32) -> !fly.int_tuple<(?E0,1E1)>
  // CHECK: fly.make_coord(%{{.*}}) : (i32) -> !fly.int_tuple<(?,*)>
  %4 = fly.make_coord(%m) : (i32) -> !fly.int_tuple<(?,*)>
  // The generic form is read too.
  // CHECK: fly.make_coord() : () -> !fly.int_tuple<(*,3)>
  %5 = "fly.make_coord"() : () -> !fly.int_tuple<(*,3)>
  return
}

// CHECK-LABEL: func.func @static
func.func @static() {
  // CHECK: fly.static : !fly.tile<[16|*]>
  %0 = fly.static : !fly.tile<[16|*]>
  // Older IR carries its elements; they are ignored.
  // CHECK: fly.static {elems = [4 : i32, 8 : i32]} : !fly.int_tuple<(4,8)>
  %1 = fly.static {elems = [4 : i32, 8 : i32]} : !fly.int_tuple<(4,8)>
  // CHECK: fly.static : !fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>
  %2 = fly.static : !fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>
  // CHECK: fly.static : !fly.copy_atom<!fly.universal_copy<64>, 16>
  %3 = fly.static : !fly.copy_atom<!fly.universal_copy<64>, 16>
  return
}

// CHECK-LABEL: func.func @layouts
func.func @layouts(%s: !fly.int_tuple<(4,?)>, %d: !fly.int_tuple<(1,4)>,
                   %t: !fly.int_tuple<(3,5,2)>, %o: !fly.int_tuple<(1,2,0)>) {
  %0 = fly.make_layout(%s, %d) : (!fly.int_tuple<(4,?)>, !fly.int_tuple<(1,4)>) -> !fly.layout<(4,?):(1,4)>
  %1 = fly.make_ordered_layout(%t, %o) : (!fly.int_tuple<(3,5,2)>, !fly.int_tuple<(1,2,0)>) -> !fly.layout<(3,5,2):(2,6,1)>
  // 7.28: equal orders start at the same stride, as in the original.
  %2 = fly.make_ordered_layout(%d, %d) : (!fly.int_tuple<(1,4)>, !fly.int_tuple<(1,4)>) -> !fly.layout<(1,4):(1,1)>
  %3 = fly.make_identity_layout(%t) : (!fly.int_tuple<(3,5,2)>) -> !fly.layout<(3,5,2):(1E0,1E1,1E2)>
  return
}

// Trivial swizzles are kept: nothing is simplified.
// CHECK-LABEL: func.func @composed
func.func @composed(%sw: !fly.swizzle<S<0,4,3>>, %zero: !fly.int_tuple<0>,
                    %l: !fly.layout<8:1>, %c: !fly.composed_layout<32:2 o 5 o 8:1>) {
  // CHECK: -> !fly.composed_layout<S<0,4,3> o 0 o 8:1>
  %0 = fly.make_composed_layout(%sw, %zero, %l) : (!fly.swizzle<S<0,4,3>>, !fly.int_tuple<0>, !fly.layout<8:1>) -> !fly.composed_layout<S<0,4,3> o 0 o 8:1>
  // CHECK: -> !fly.composed_layout<32:2 o 5 o 8:1 o 0 o 8:1>
  %1 = fly.make_composed_layout(%c, %zero, %l) : (!fly.composed_layout<32:2 o 5 o 8:1>, !fly.int_tuple<0>, !fly.layout<8:1>) -> !fly.composed_layout<32:2 o 5 o 8:1 o 0 o 8:1>
  // CHECK: -> !fly.composed_layout<8:1 o 0 o [32:2 o 5 o 8:1]>
  %2 = fly.make_composed_layout(%l, %zero, %c) : (!fly.layout<8:1>, !fly.int_tuple<0>, !fly.composed_layout<32:2 o 5 o 8:1>) -> !fly.composed_layout<8:1 o 0 o [32:2 o 5 o 8:1]>
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%p: !fly.ptr<f16, shared, align<16>, S<3,3,3>>, %b: !fly.int_tuple<(0,?)>,
                 %l: !fly.layout<8:1>, %i: !fly.layout<(4,8):(1E0,1E1)>) {
  %0 = fly.make_view(%p, %l) : (!fly.ptr<f16, shared, align<16>, S<3,3,3>>, !fly.layout<8:1>) -> !fly.memref<f16, shared, 8:1, align<16>, S<3,3,3>>
  %1 = fly.make_view(%b, %i) : (!fly.int_tuple<(0,?)>, !fly.layout<(4,8):(1E0,1E1)>) -> !fly.coord_tensor<(0,?), (4,8):(1E0,1E1)>
  return
}

// CHECK-LABEL: func.func @fragments
func.func @fragments(%l: !fly.layout<(3,5):(10,2)>,
                     %m: !fly.memref<f16, global, S<2,1,3> o 0 o (3,5):(10,2), align<16>>,
                     %c: !fly.coord_tensor<(0,0,0), (2,3,4):(1E0,1E1,1E2)>,
                     %b: !fly.layout<((3,2),5):((0,1),2)>) {
  // CHECK: fly.make_fragment_like(%{{.*}}, f32) : (!fly.layout<(3,5):(10,2)>) -> !fly.memref<f32, register, (3,5):(1,3)>
  %0 = fly.make_fragment_like(%l, f32) : (!fly.layout<(3,5):(10,2)>) -> !fly.memref<f32, register, (3,5):(1,3)>
  // CHECK: fly.make_fragment_like(%{{.*}}) : (!fly.memref<f16, global, S<2,1,3> o 0 o (3,5):(10,2), align<16>>)
  %1 = fly.make_fragment_like(%m) : (!fly.memref<f16, global, S<2,1,3> o 0 o (3,5):(10,2), align<16>>) -> !fly.memref<f16, register, (3,5):(1,3)>
  // 7.5 (f): fragments of an identity tensor of rank 3 crash the original.
  %2 = fly.make_fragment_like(%c, i1) : (!fly.coord_tensor<(0,0,0), (2,3,4):(1E0,1E1,1E2)>) -> !fly.memref<i1, register, (2,3,4):(1,2,6)>
  // 7.3: a broadcast leaf keeps stride 0; the original divides by zero.
  %3 = fly.make_fragment_layout_like(%b) : (!fly.layout<((3,2),5):((0,1),2)>) -> !fly.layout<((3,2),5):((0,1),2)>
  return
}
