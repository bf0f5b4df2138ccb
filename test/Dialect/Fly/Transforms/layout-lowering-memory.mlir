// RUN: %fly-opt %s --fly-layout-lowering --split-input-file | FileCheck %s

// A permutation of neighbours is one access and one shuffle (P11).
// CHECK-LABEL: @permuted
// CHECK: %[[V:.*]] = fly.ptr.load(%arg0) : {{.*}} -> vector<8xf32>
// CHECK: vector.shuffle %[[V]], %[[V]] [0, 2, 4, 6, 1, 3, 5, 7]
// CHECK-NOT: fly.ptr.load
func.func @permuted(%p: !fly.ptr<f32, global>) -> vector<8xf32> {
  %l = fly.static : !fly.layout<(4,2):(2,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(4,2):(2,1)>) -> !fly.memref<f32, global, (4,2):(2,1)>
  %v = fly.memref.load_vec(%m) : (!fly.memref<f32, global, (4,2):(2,1)>) -> vector<8xf32>
  return %v : vector<8xf32>
}

// -----

// A mode of size 1 with stride 1 is no second contiguous mode (P12).
// CHECK-LABEL: @unit_mode
// CHECK: %[[V:.*]] = fly.ptr.load(%arg0) : {{.*}} -> vector<4xf32>
// CHECK-NEXT: return %[[V]]
func.func @unit_mode(%p: !fly.ptr<f32, global>) -> vector<4xf32> {
  %l = fly.static : !fly.layout<(4,1):(1,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(4,1):(1,1)>) -> !fly.memref<f32, global, (4,1):(1,1)>
  %v = fly.memref.load_vec(%m) : (!fly.memref<f32, global, (4,1):(1,1)>) -> vector<4xf32>
  return %v : vector<4xf32>
}

// -----

// Broadcast elements are loaded once (P12).
// CHECK-LABEL: @broadcast
// CHECK: %[[V:.*]] = fly.ptr.load(%arg0) : {{.*}} -> vector<4xf32>
// CHECK: vector.shuffle %[[V]], %[[V]] [0, 1, 2, 3, 0, 1, 2, 3]
// CHECK-NOT: fly.ptr.load
func.func @broadcast(%p: !fly.ptr<f32, global>) -> vector<8xf32> {
  %l = fly.static : !fly.layout<(4,2):(1,0)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(4,2):(1,0)>) -> !fly.memref<f32, global, (4,2):(1,0)>
  %v = fly.memref.load_vec(%m) : (!fly.memref<f32, global, (4,2):(1,0)>) -> vector<8xf32>
  return %v : vector<8xf32>
}

// -----

// Of elements stored to one place the last one stays (P12): element 3 of
// (2,2):(1,1) is at offset 2, elements 1 and 2 are both at offset 1.
// CHECK-LABEL: @last_wins
// CHECK: %[[S:.*]] = vector.shuffle %arg1, %arg1 [0, 2, 3]
// CHECK: fly.ptr.store(%[[S]], %arg0) : (vector<3xf32>, !fly.ptr<f32, global>) -> ()
func.func @last_wins(%p: !fly.ptr<f32, global>, %v: vector<4xf32>) {
  %l = fly.static : !fly.layout<(2,2):(1,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(2,2):(1,1)>) -> !fly.memref<f32, global, (2,2):(1,1)>
  fly.memref.store_vec(%v, %m) : (vector<4xf32>, !fly.memref<f32, global, (2,2):(1,1)>) -> ()
  return
}

// -----

// A scalar is one element, a matrix its elements in row-major order: here rows
// of the vector are columns of the memref.
// CHECK-LABEL: @scalar_and_matrix
// CHECK: fly.ptr.store(%arg1, %arg0) : (f32, !fly.ptr<f32, global>) -> ()
// CHECK: fly.ptr.store(%{{.*}}, %arg0) : (vector<1xf32>, !fly.ptr<f32, global>) -> ()
// CHECK: %[[F:.*]] = vector.shape_cast %arg2 : vector<2x2xf32> to vector<4xf32>
// CHECK: %[[T:.*]] = vector.shuffle %[[F]], %[[F]] [0, 2, 1, 3]
// CHECK: fly.ptr.store(%[[T]], %arg0) : (vector<4xf32>, !fly.ptr<f32, global>) -> ()
func.func @scalar_and_matrix(%p: !fly.ptr<f32, global>, %s: f32, %v: vector<2x2xf32>, %z: vector<f32>) {
  %one = fly.static : !fly.layout<1:0>
  %m = fly.make_view(%p, %one) : (!fly.ptr<f32, global>, !fly.layout<1:0>) -> !fly.memref<f32, global, 1:0>
  fly.memref.store_vec(%s, %m) : (f32, !fly.memref<f32, global, 1:0>) -> ()
  fly.memref.store_vec(%z, %m) : (vector<f32>, !fly.memref<f32, global, 1:0>) -> ()
  %l = fly.static : !fly.layout<(2,2):(2,1)>
  %n = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(2,2):(2,1)>) -> !fly.memref<f32, global, (2,2):(2,1)>
  fly.memref.store_vec(%v, %n) : (vector<2x2xf32>, !fly.memref<f32, global, (2,2):(2,1)>) -> ()
  return
}

// -----

// Runs of two at a dynamic distance.
// CHECK-LABEL: @dynamic_stride
// CHECK: fly.ptr.store(%{{.*}}, %arg0) : (vector<2xf32>
// CHECK: %[[H:.*]] = vector.extract_strided_slice %arg2 {offsets = [2], sizes = [2], strides = [1]}
// CHECK: %[[Q:.*]] = fly.add_offset(%arg0, %{{.*}}) : (!fly.ptr<f32, global>, !fly.int_tuple<?>)
// CHECK: fly.ptr.store(%[[H]], %[[Q]]) : (vector<2xf32>
func.func @dynamic_stride(%p: !fly.ptr<f32, global>, %n: i32, %v: vector<4xf32>) {
  %s = fly.make_int_tuple() : () -> !fly.int_tuple<(2,2)>
  %d = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<(1,?)>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(2,2)>, !fly.int_tuple<(1,?)>) -> !fly.layout<(2,2):(1,?)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(2,2):(1,?)>) -> !fly.memref<f32, global, (2,2):(1,?)>
  fly.memref.store_vec(%v, %m) : (vector<4xf32>, !fly.memref<f32, global, (2,2):(1,?)>) -> ()
  return
}

// -----

// CHECK-LABEL: @coordinates
// CHECK: vector.from_elements %arg0, %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi32>
func.func @coordinates(%b: i32) -> vector<4xi32> {
  %base = fly.make_int_tuple(%b) : (i32) -> !fly.int_tuple<?>
  %l = fly.static : !fly.layout<4:8>
  %t = fly.make_view(%base, %l) : (!fly.int_tuple<?>, !fly.layout<4:8>) -> !fly.coord_tensor<?, 4:8>
  %v = fly.memref.load_vec(%t) : (!fly.coord_tensor<?, 4:8>) -> vector<4xi32>
  return %v : vector<4xi32>
}

// -----

// A fragment becomes an array of its cosize.
// CHECK-LABEL: @fragment
// CHECK: %[[A:.*]] = fly.make_ptr() {dictAttrs = {allocSize = 16 : i64}} : () -> !fly.ptr<f16, register>
// CHECK: fly.ptr.load(%[[A]]) : {{.*}} -> vector<16xf16>
func.func @fragment() -> vector<16xf16> {
  %l = fly.static : !fly.layout<((8,1),2,1):((1,0),2048,0)>
  %f = fly.make_fragment_like(%l, f16) : (!fly.layout<((8,1),2,1):((1,0),2048,0)>) -> !fly.memref<f16, register, ((8,1),2,1):((1,0),8,0)>
  %v = fly.memref.load_vec(%f) : (!fly.memref<f16, register, ((8,1),2,1):((1,0),8,0)>) -> vector<16xf16>
  return %v : vector<16xf16>
}
