// RUN: %fly-opt %s -split-input-file -fly-promote-regmem-to-vectorssa -verify-diagnostics

// P28: an access outside of the array is an error where it is, not an invalid
// vector op.
func.func @too_long() -> vector<4xf32> {
  // expected-note @below {{the array is allocated here}}
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  %two = fly.make_int_tuple() : () -> !fly.int_tuple<2>
  %q = fly.add_offset(%p, %two) : (!fly.ptr<f32, register>, !fly.int_tuple<2>) -> !fly.ptr<f32, register>
  // expected-error @below {{accesses elements 2 to 5 of a register array of 4}}
  %v = fly.ptr.load(%q) : (!fly.ptr<f32, register>) -> vector<4xf32>
  return %v : vector<4xf32>
}

// -----

func.func @before(%x: f32) {
  // expected-note @below {{the array is allocated here}}
  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  %minus = fly.make_int_tuple() : () -> !fly.int_tuple<-1>
  %q = fly.add_offset(%p, %minus) : (!fly.ptr<f32, register>, !fly.int_tuple<-1>) -> !fly.ptr<f32, register>
  // expected-error @below {{accesses elements -1 to -1 of a register array of 4}}
  fly.ptr.store(%x, %q) : (f32, !fly.ptr<f32, register>) -> ()
  return
}
