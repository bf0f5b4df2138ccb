// RUN: %fly-opt %s -split-input-file -verify-diagnostics

// 7.31: structural indices out of range assert in the original.

func.func @deep_path(%t: !fly.int_tuple<(4,2)>) {
  // expected-error-re @+1 {{cannot index {{.*}}(4,2)}}
  %0 = fly.get(%t) {mode = array<i32: 1, 0>} : (!fly.int_tuple<(4,2)>) -> !fly.int_tuple<2>
  return
}

// -----

func.func @mode_out_of_range(%l: !fly.layout<(4,2):(1,4)>) {
  // expected-error-re @+1 {{{{.*}}2{{.*}}(4,2){{.*}}}}
  %0 = fly.get(%l) {mode = array<i32: 2>} : (!fly.layout<(4,2):(1,4)>) -> !fly.layout<2:4>
  return
}

// -----

func.func @negative_mode(%l: !fly.layout<(4,2):(1,4)>) {
  // expected-error-re @+1 {{{{.*}}-1{{.*}}}}
  %0 = fly.get(%l) {mode = array<i32: -1>} : (!fly.layout<(4,2):(1,4)>) -> !fly.layout<2:4>
  return
}

// -----

func.func @take_past_end(%t: !fly.int_tuple<(4,2)>) {
  // expected-error @+1 {{mode range [1, 3) is empty or out of range for (4,2) of rank 2}}
  %0 = fly.take(%t) {begin = 1 : i32, end = 3 : i32} : (!fly.int_tuple<(4,2)>) -> !fly.int_tuple<2>
  return
}

// -----

func.func @select_leaf(%t: !fly.int_tuple<4>) {
  // expected-error-re @+1 {{{{.*}}4{{.*}}}}
  %0 = fly.select(%t) {indices = array<i32: 0>} : (!fly.int_tuple<4>) -> !fly.int_tuple<4>
  return
}

// -----

func.func @slice_rank(%t: !fly.int_tuple<(4,2)>, %c: !fly.int_tuple<(*,*,1)>) {
  // expected-error-re @+1 {{{{.*}}(*,*,1){{.*}}(4,2){{.*}}}}
  %0 = fly.slice(%t, %c) : (!fly.int_tuple<(4,2)>, !fly.int_tuple<(*,*,1)>) -> !fly.int_tuple<4>
  return
}

// -----

func.func @slice_nothing(%m: !fly.memref<f32, global, (4,2):(1,4)>, %c: !fly.int_tuple<(1,1)>) {
  // expected-error-re @+1 {{{{.*}}keeps nothing}}
  %0 = fly.slice(%m, %c) : (!fly.memref<f32, global, (4,2):(1,4)>, !fly.int_tuple<(1,1)>) -> !fly.memref<f32, global, 4:1>
  return
}

// -----

func.func @mixed_append(%t: !fly.int_tuple<(4,2)>, %l: !fly.layout<1:0>) {
  // expected-error @+1 {{tuple and element are of different kinds, !fly.int_tuple<(4,2)> and !fly.layout<1:0>}}
  %0 = fly.append (%t, %l) : (!fly.int_tuple<(4,2)>, !fly.layout<1:0>) -> !fly.int_tuple<4>
  return
}

// -----

func.func @append_below_rank(%t: !fly.int_tuple<(4,2)>, %e: !fly.int_tuple<1>) {
  // expected-error-re @+1 {{{{.*}}1{{.*}}2{{.*}}}}
  %0 = fly.append<1> (%t, %e) : (!fly.int_tuple<(4,2)>, !fly.int_tuple<1>) -> !fly.int_tuple<4>
  return
}

// -----

// No text makes a tuple of millions of leaves.
func.func @append_millions(%t: !fly.int_tuple<(4,2)>, %e: !fly.int_tuple<1>) {
  // expected-error-re @+1 {{{{.+}}}}
  %0 = fly.append<2147483647> (%t, %e) : (!fly.int_tuple<(4,2)>, !fly.int_tuple<1>) -> !fly.int_tuple<4>
  return
}
