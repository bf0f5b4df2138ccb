// RUN: %fly-opt %s -split-input-file -verify-diagnostics

func.func @two_leaves(%t: !fly.int_tuple<(4,2)>) {
  // expected-error @+1 {{expected a tuple of exactly one integer, found (4,2)}}
  %0 = fly.get_scalar(%t) : (!fly.int_tuple<(4,2)>) -> i32
  return
}

// -----

// 7.16: the original infers i0.
func.func @none_leaf(%t: !fly.int_tuple<*>) {
  // expected-error @+1 {{expected a tuple of exactly one integer, found *}}
  %0 = fly.get_scalar(%t) : (!fly.int_tuple<*>) -> i32
  return
}

// -----

func.func @stride_of_composed(%m: !fly.memref<f32, shared, S<1,2,3> o 0 o 8:1>) {
  // expected-error @+1 {{a composed layout has no stride, found S<1,2,3> o 0 o 8:1}}
  %0 = fly.get_stride(%m) : (!fly.memref<f32, shared, S<1,2,3> o 0 o 8:1>) -> !fly.int_tuple<1>
  return
}
