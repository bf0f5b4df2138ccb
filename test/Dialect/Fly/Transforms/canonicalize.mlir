// RUN: %fly-opt %s --fly-canonicalize | FileCheck %s
// RUN: %fly-opt %s --fly-canonicalize --fly-canonicalize | FileCheck %s
// RUN: %mlir-opt-fly %s --pass-pipeline='builtin.module(fly-canonicalize)' | FileCheck %s

// A chain of static algebra is its last type.
// CHECK-LABEL: @chain
// CHECK-NEXT: %[[C:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<32>
// CHECK-NEXT: return %[[C]]
func.func @chain() -> !fly.int_tuple<32> {
  %a = fly.static : !fly.layout<(8,4):(4,1)>
  %b = fly.coalesce(%a) : (!fly.layout<(8,4):(4,1)>) -> !fly.layout<(8,4):(4,1)>
  %c = fly.cosize(%b) : (!fly.layout<(8,4):(4,1)>) -> !fly.int_tuple<32>
  return %c : !fly.int_tuple<32>
}

// CHECK-LABEL: @aliases
// CHECK: %[[S:.*]] = fly.make_int_tuple(%{{.*}}) : (i32) -> !fly.int_tuple<(?,4)>
// CHECK-NEXT: return %[[S]]
func.func @aliases(%n: i32) -> !fly.int_tuple<(?,4)> {
  %s = fly.make_shape(%n) : (i32) -> !fly.int_tuple<(?,4)>
  return %s : !fly.int_tuple<(?,4)>
}

// Swizzles and tiles stay `static`; a layout becomes its constructors.
// CHECK-LABEL: @composed
// CHECK-DAG: %[[SW:.*]] = fly.static : !fly.swizzle<S<3,3,3>>
// CHECK-DAG: %[[O:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<0>
// CHECK-DAG: %[[L:.*]] = fly.make_layout(%{{.*}}, %{{.*}}) : {{.*}} -> !fly.layout<(8,64):(64,1)>
// CHECK: fly.make_composed_layout(%[[SW]], %[[O]], %[[L]])
func.func @composed() -> !fly.composed_layout<S<3,3,3> o 0 o (8,64):(64,1)> {
  %c = fly.static : !fly.composed_layout<S<3,3,3> o 0 o (8,64):(64,1)>
  return %c : !fly.composed_layout<S<3,3,3> o 0 o (8,64):(64,1)>
}

// CHECK-LABEL: @tiled_copy
// CHECK: %[[A:.*]] = fly.make_copy_atom {valBits = 16 : i32}
// CHECK: fly.make_tiled_copy(%[[A]], %{{.*}}, %{{.*}})
func.func @tiled_copy() -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<(32,4):(4,1)>, !fly.tile<[128]>> {
  %c = fly.static : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <(32,4):(4,1)>, <[128]>>
  return %c : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<(32,4):(4,1)>, !fly.tile<[128]>>
}

// Block arguments are left alone, and so is what carries run-time data.
// CHECK-LABEL: @kept
// CHECK-NEXT: %[[S:.*]] = fly.size(%arg1)
// CHECK-NEXT: return %arg0, %[[S]]
func.func @kept(%l: !fly.layout<4:1>, %d: !fly.layout<(?,4):(4,1)>) -> (!fly.layout<4:1>, !fly.int_tuple<?{div=4}>) {
  %s = fly.size(%d) : (!fly.layout<(?,4):(4,1)>) -> !fly.int_tuple<?{div=4}>
  return %l, %s : !fly.layout<4:1>, !fly.int_tuple<?{div=4}>
}
