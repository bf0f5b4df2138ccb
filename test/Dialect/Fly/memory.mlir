// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s

// Specification 3.9.

// CHECK-LABEL: func.func @pointers
func.func @pointers(%i: i64, %j: i32, %g: !fly.ptr<f16, global, align<16>>, %s: !fly.ptr<f32, shared, align<12>>) {
  // CHECK: fly.make_ptr() {dictAttrs = {allocSize = 12 : i64}} : () -> !fly.ptr<bf16, register>
  %0 = fly.make_ptr() {dictAttrs = {allocSize = 12 : i64}} : () -> !fly.ptr<bf16, register>
  // CHECK: fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
  %1 = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
  // CHECK: fly.inttoptr(%{{.*}}) : (i64) -> !fly.ptr<f32, global>
  %2 = fly.inttoptr(%i) : (i64) -> !fly.ptr<f32, global>
  %3 = fly.inttoptr(%j) : (i32) -> !fly.ptr<f32, shared>
  %4 = fly.ptrtoint(%g) : (!fly.ptr<f16, global, align<16>>) -> i64
  %5 = fly.ptrtoint(%s) : (!fly.ptr<f32, shared, align<12>>) -> i32
  // CHECK: fly.to_llvm_ptr(%{{.*}}) {llvm_address_space = 1 : i32} : (!fly.ptr<f16, global, align<16>>) -> !llvm.ptr<1>
  %6 = fly.to_llvm_ptr(%g) {llvm_address_space = 1 : i32} : (!fly.ptr<f16, global, align<16>>) -> !llvm.ptr<1>
  %7 = fly.recast_iter(%1) : (!fly.ptr<i8, shared, align<1024>>) -> !fly.ptr<f32, shared, align<1024>>
  return
}

// What a moved pointer is aligned to.
// CHECK-LABEL: func.func @add_offset
func.func @add_offset(%g: !fly.ptr<f16, global, align<16>>, %s: !fly.ptr<f32, shared, align<12>>, %t: !fly.int_tuple<(4,8)>,
                      %twelve: !fly.int_tuple<12>, %m4: !fly.int_tuple<-4>, %q: !fly.int_tuple<?>, %q8: !fly.int_tuple<?{i64 div=8}>,
                      %zero: !fly.int_tuple<0>, %none: !fly.int_tuple<*>, %two: !fly.int_tuple<2>, %u: !fly.int_tuple<(1,?)>) {
  %0 = fly.add_offset(%g, %twelve) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<12>) -> !fly.ptr<f16, global, align<8>>
  %1 = fly.add_offset(%g, %m4) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<-4>) -> !fly.ptr<f16, global, align<8>>
  %2 = fly.add_offset(%g, %q) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<f16, global>
  %3 = fly.add_offset(%g, %q8) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<?{i64 div=8}>) -> !fly.ptr<f16, global, align<16>>
  %4 = fly.add_offset(%g, %zero) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<0>) -> !fly.ptr<f16, global, align<16>>
  %5 = fly.add_offset(%g, %none) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<*>) -> !fly.ptr<f16, global, align<16>>
  %6 = fly.add_offset(%s, %two) : (!fly.ptr<f32, shared, align<12>>, !fly.int_tuple<2>) -> !fly.ptr<f32, shared>
  %7 = fly.add_offset(%t, %u) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<(1,?)>) -> !fly.int_tuple<(5,?)>
  return
}

// 7.13: the type counts 2^base elements; the trivial swizzle keeps the
// alignment; an earlier swizzle is replaced.
// CHECK-LABEL: func.func @apply_swizzle
func.func @apply_swizzle(%p: !fly.ptr<f16, shared, align<32>>, %s: !fly.swizzle<S<2,3,3>>, %id: !fly.swizzle<S<0,0,0>>) {
  %0 = fly.apply_swizzle(%p, %s) : (!fly.ptr<f16, shared, align<32>>, !fly.swizzle<S<2,3,3>>) -> !fly.ptr<f16, shared, align<16>, S<2,3,3>>
  %1 = fly.apply_swizzle(%p, %id) : (!fly.ptr<f16, shared, align<32>>, !fly.swizzle<S<0,0,0>>) -> !fly.ptr<f16, shared, align<32>>
  return
}

// CHECK-LABEL: func.func @decomposition
func.func @decomposition(%m: !fly.memref<f16, shared, S<2,1,3> o 8 o (8,8):(1,8), align<16>>,
                         %x: !fly.coord_tensor<(0,0), CS<3,0,[0],0,[1]> o (3,1) o (8,8):(1E0,1E1)>,
                         %p: !fly.memref<f16, shared, 4:1>, %n: !fly.memref<f16, shared, 64:2 o 4 o [64:1 o 8 o 4:1], align<64>>) {
  %0 = fly.decomposition(%m) : (!fly.memref<f16, shared, S<2,1,3> o 8 o (8,8):(1,8), align<16>>) -> !fly.memref<f16, shared, (8,8):(1,8), align<16>>
  %1 = fly.decomposition(%x) : (!fly.coord_tensor<(0,0), CS<3,0,[0],0,[1]> o (3,1) o (8,8):(1E0,1E1)>) -> !fly.coord_tensor<(3,2), (8,8):(1E0,1E1)>
  %2 = fly.decomposition(%p) : (!fly.memref<f16, shared, 4:1>) -> !fly.memref<f16, shared, 4:1>
  // (8 through 64:1, plus 4) through 64:2 is 24: 8 elements of promise.
  %3 = fly.decomposition(%n) : (!fly.memref<f16, shared, 64:2 o 4 o [64:1 o 8 o 4:1], align<64>>) -> !fly.memref<f16, shared, 4:1, align<16>>
  return
}

// CHECK-LABEL: func.func @memory
func.func @memory(%l: !fly.layout<(4,2):(1,4)>, %c: !fly.int_tuple<(?,?)>, %x: !fly.coord_tensor<(0,?), (4,8):(1E0,1E1)>,
                  %y: !fly.coord_tensor<?{i64}, 4:2>, %z: !fly.coord_tensor<5, (4,2):(2,8)>, %p: !fly.ptr<f32, register>, %t: !fly.int_tuple<?>,
                  %matrix: vector<4x2xf32>, %scalar: f32, %one: !fly.memref<f32, register, 1:0>) {
  // CHECK: fly.memref.alloca(%{{.*}}) : (!fly.layout<(4,2):(1,4)>) -> !fly.memref<f32, register, (4,2):(1,4), align<16>>
  %m = fly.memref.alloca(%l) : (!fly.layout<(4,2):(1,4)>) -> !fly.memref<f32, register, (4,2):(1,4), align<16>>
  // CHECK: fly.memref.load_vec
  %0 = fly.memref.load_vec(%m) : (!fly.memref<f32, register, (4,2):(1,4), align<16>>) -> vector<8xf32>
  // CHECK: fly.memref.store_vec(%{{.*}}, %{{.*}}) : (vector<8xf32>, !fly.memref<f32, register, (4,2):(1,4), align<16>>) -> ()
  fly.memref.store_vec(%0, %m) : (vector<8xf32>, !fly.memref<f32, register, (4,2):(1,4), align<16>>) -> ()
  // CHECK: fly.memref.store_vec(%{{.*}}, %{{.*}}) : (vector<4x2xf32>,
  fly.memref.store_vec(%matrix, %m) : (vector<4x2xf32>, !fly.memref<f32, register, (4,2):(1,4), align<16>>) -> ()
  // CHECK: fly.memref.store_vec(%{{.*}}, %{{.*}}) : (f32, !fly.memref<f32, register, 1:0>) -> ()
  fly.memref.store_vec(%scalar, %one) : (f32, !fly.memref<f32, register, 1:0>) -> ()
  %1 = fly.memref.load_vec(%y) : (!fly.coord_tensor<?{i64}, 4:2>) -> vector<4xi64>
  %2 = fly.memref.load_vec(%z) : (!fly.coord_tensor<5, (4,2):(2,8)>) -> vector<8xi32>
  %3 = fly.memref.load(%m, %c) : (!fly.memref<f32, register, (4,2):(1,4), align<16>>, !fly.int_tuple<(?,?)>) -> f32
  %4 = fly.memref.load(%x, %c) : (!fly.coord_tensor<(0,?), (4,8):(1E0,1E1)>, !fly.int_tuple<(?,?)>) -> !fly.int_tuple<(?,?)>
  // CHECK: fly.memref.store(%{{.*}}, %{{.*}}, %{{.*}}) :
  fly.memref.store(%3, %m, %c) : (f32, !fly.memref<f32, register, (4,2):(1,4), align<16>>, !fly.int_tuple<(?,?)>) -> ()
  // CHECK: fly.ptr.load(%{{.*}}) : (!fly.ptr<f32, register>) -> vector<4xf32>
  %5 = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> vector<4xf32>
  // CHECK: fly.ptr.store(%{{.*}}, %{{.*}}) : (vector<4xf32>, !fly.ptr<f32, register>) -> ()
  fly.ptr.store(%5, %p) : (vector<4xf32>, !fly.ptr<f32, register>) -> ()
  %6 = fly.ptr.load(%t) : (!fly.int_tuple<?>) -> !fly.int_tuple<?>
  return
}

// CHECK-LABEL: func.func @utility
func.func @utility(%f: f32, %m: !fly.memref<f16, register, 4:1>, %p: !fly.ptr<f16, global>, %a: !fly.int_tuple<?{div=8}>, %b: !fly.int_tuple<?>) {
  // CHECK: fly.print(%{{.*}}) {format = "x={}"} : (f32) -> ()
  fly.print(%f) {format = "x={}"} : (f32) -> ()
  // CHECK: fly.print() {format = "here"} : () -> ()
  fly.print() {format = "here"} : () -> ()
  // CHECK: fly.assume(%{{.*}}, %{{.*}}) :
  %0 = fly.assume(%a, %b) : (!fly.int_tuple<?{div=8}>, !fly.int_tuple<?>) -> !fly.int_tuple<?{div=8}>
  // CHECK: fly.extract_aligned_pointer_as_index %{{.*}} : <f16, register, 4:1> -> index
  %1 = fly.extract_aligned_pointer_as_index %m : <f16, register, 4:1> -> index
  // CHECK: fly.extract_aligned_pointer_as_index %{{.*}} : <f16, register, 4:1> -> index
  %2 = fly.extract_aligned_pointer_as_index %m : !fly.memref<f16, register, 4:1> -> index
  // CHECK: fly.extract_aligned_pointer_as_index %{{.*}} : !fly.ptr<f16, global> -> !llvm.ptr<1>
  %3 = fly.extract_aligned_pointer_as_index %p : !fly.ptr<f16, global> -> !llvm.ptr<1>
  return
}
