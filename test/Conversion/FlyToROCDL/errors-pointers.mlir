// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, offsets, loads and stores that cannot be lowered.

// RUN: %fly-opt %s --convert-fly-to-rocdl -split-input-file -verify-diagnostics
// RUN: not %fly-opt %s --convert-fly-to-rocdl -split-input-file -o /dev/null 2>&1 | not grep -E "<unknown>|:0:0"

// A move of half bytes would be rounded.
func.func @half(%p: !fly.ptr<f4E2M1FN, global, align<16>>, %i: i32) -> !fly.ptr<f4E2M1FN, global> {
  %o = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  // expected-error@+1 {{moves a pointer by an unknown multiple of 1 elements of 'f4E2M1FN', which may be no whole number of bytes; expected a multiple of 2}}
  %q = fly.add_offset(%p, %o) : (!fly.ptr<f4E2M1FN, global, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<f4E2M1FN, global>
  return %q : !fly.ptr<f4E2M1FN, global>
}

// -----

// Six bits: four elements are three bytes.
func.func @six(%p: !fly.ptr<f6E2M3FN, shared>, %i: i32) -> !fly.ptr<f6E2M3FN, shared> {
  %o = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=2}>
  // expected-error@+1 {{an unknown multiple of 2 elements of 'f6E2M3FN', which may be no whole number of bytes; expected a multiple of 4}}
  %q = fly.add_offset(%p, %o) : (!fly.ptr<f6E2M3FN, shared>, !fly.int_tuple<?{div=2}>) -> !fly.ptr<f6E2M3FN, shared>
  return %q : !fly.ptr<f6E2M3FN, shared>
}

// -----

func.func @half_of_buffer(%p: !fly.ptr<i4, #fly_rocdl.buffer_desc>, %i: i32) -> !fly.ptr<i4, #fly_rocdl.buffer_desc> {
  %o = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  // expected-error@+1 {{an unknown multiple of 1 elements of 'i4', which may be no whole number of bytes}}
  %q = fly.add_offset(%p, %o) : (!fly.ptr<i4, #fly_rocdl.buffer_desc>, !fly.int_tuple<?>) -> !fly.ptr<i4, #fly_rocdl.buffer_desc>
  return %q : !fly.ptr<i4, #fly_rocdl.buffer_desc>
}

// -----

func.func @known_half(%p: !fly.ptr<i4, global>) -> !fly.ptr<i4, global> {
  %o = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  // expected-error@+1 {{moves a pointer by 3 elements of 'i4', which may be no whole number of bytes; expected a multiple of 2}}
  %q = fly.add_offset(%p, %o) : (!fly.ptr<i4, global>, !fly.int_tuple<3>) -> !fly.ptr<i4, global>
  return %q : !fly.ptr<i4, global>
}

// -----

// The last element of the source stands in the middle of a byte.
func.func @half_piece(%s: !fly.memref<i4, global, (2,2):(1,3)>) -> vector<4xi4> {
  %a = fly.make_copy_atom {valBits = 4 : i32} : !fly.copy_atom<!fly.universal_copy<16>, 4>
  // expected-error@+1 {{an offset of 3 elements of 'i4' is no whole number of bytes}}
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<16>, 4>, !fly.memref<i4, global, (2,2):(1,3)>) -> vector<4xi4>
  return %v : vector<4xi4>
}

// -----

func.func @half_uniform(%s: !fly.memref<i4, #fly_rocdl.buffer_desc, 8:1>, %i: i32) -> vector<8xi4> {
  %a = fly.make_copy_atom {valBits = 4 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 4>
  %b = fly.atom.set_value(%a, "soffset", %i) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 4>, i32) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 4>
  // expected-error@+1 {{a uniform offset of an unknown number of elements of 'i4' may be no whole number of bytes; expected a known multiple of 2}}
  %v = fly.copy_atom_call_ssa(%b, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 4>, !fly.memref<i4, #fly_rocdl.buffer_desc, 8:1>) -> vector<8xi4>
  return %v : vector<8xi4>
}

// -----

// W20: 2^30 floats are 2^32 bytes, which would be the first one again.
func.func @wraps(%p: !fly.ptr<f32, global>, %n: i64, %s: i16, %f: i32) -> f32 {
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  %o = fly.make_int_tuple() : () -> !fly.int_tuple<1073741824>
  %q = fly.add_offset(%b, %o) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>, !fly.int_tuple<1073741824>) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  // expected-error@+1 {{an offset of 1073741824 elements of 'f32' does not fit a buffer's 32-bit byte offsets}}
  %v = fly.ptr.load(%q) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> f32
  return %v : f32
}

// -----

func.func @too_far(%p: !fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !fly.ptr<f32, #fly_rocdl.buffer_desc> {
  %o = fly.make_int_tuple() : () -> !fly.int_tuple<4294967296>
  // expected-error@+1 {{moves a buffer by 4294967296 elements, which 32 bits do not hold}}
  %q = fly.add_offset(%p, %o) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>, !fly.int_tuple<4294967296>) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  return %q : !fly.ptr<f32, #fly_rocdl.buffer_desc>
}

// -----

func.func @beyond(%s: !fly.memref<i8, global, 2:2305843009213693952>) -> vector<2xi8> {
  %a = fly.make_copy_atom {valBits = 8 : i32} : !fly.copy_atom<!fly.universal_copy<16>, 8>
  // expected-error@+1 {{the source reaches element 2305843009213693952, which no address has, in '!fly.memref<i8, global, 2:2305843009213693952>'}}
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<16>, 8>, !fly.memref<i8, global, 2:2305843009213693952>) -> vector<2xi8>
  return %v : vector<2xi8>
}

// -----

// The half of a float is no float.
func.func @recast_between(%p: !fly.ptr<f16, global>, %n: i64, %s: i16, %f: i32) -> !fly.ptr<f32, #fly_rocdl.buffer_desc> {
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f16, global>, i16, i64, i32) -> !fly.ptr<f16, #fly_rocdl.buffer_desc, align<4>>
  %o = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %q = fly.add_offset(%b, %o) : (!fly.ptr<f16, #fly_rocdl.buffer_desc, align<4>>, !fly.int_tuple<1>) -> !fly.ptr<f16, #fly_rocdl.buffer_desc>
  // expected-error@+1 {{stands at element 1 of '!fly.ptr<f16, #fly_rocdl.buffer_desc>', which is no element of '!fly.ptr<f32, #fly_rocdl.buffer_desc>'}}
  %r = fly.recast_iter(%q) : (!fly.ptr<f16, #fly_rocdl.buffer_desc>) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  return %r : !fly.ptr<f32, #fly_rocdl.buffer_desc>
}

// -----

func.func @recast_space(%p: !fly.ptr<f32, global>) -> !fly.ptr<f32, shared> {
  // expected-error@+1 {{cannot take '!fly.ptr<f32, global>' to the space of '!fly.ptr<f32, shared>'}}
  %q = fly.recast_iter(%p) : (!fly.ptr<f32, global>) -> !fly.ptr<f32, shared>
  return %q : !fly.ptr<f32, shared>
}

// -----

func.func @buffer_of_integer(%i: i64) -> !fly.ptr<f32, #fly_rocdl.buffer_desc> {
  // expected-error@+1 {{cannot make '!fly.ptr<f32, #fly_rocdl.buffer_desc>' of an integer}}
  %p = fly.inttoptr(%i) : (i64) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  return %p : !fly.ptr<f32, #fly_rocdl.buffer_desc>
}

// -----

func.func @matrix_load(%p: !fly.ptr<f32, global>) -> vector<2x2xf32> {
  // expected-error@+1 {{loads integers, floats and 1-D vectors of them, got 'vector<2x2xf32>'}}
  %v = fly.ptr.load(%p) : (!fly.ptr<f32, global>) -> vector<2x2xf32>
  return %v : vector<2x2xf32>
}

// -----

func.func @matrix_store(%p: !fly.ptr<f32, global>, %v: vector<2x2xf32>) {
  // expected-error@+1 {{stores integers, floats and 1-D vectors of them, got 'vector<2x2xf32>'}}
  fly.ptr.store(%v, %p) : (vector<2x2xf32>, !fly.ptr<f32, global>) -> ()
  return
}

// -----

func.func @bits_of_buffer(%p: !fly.ptr<i1, #fly_rocdl.buffer_desc>) -> i1 {
  // expected-error@+1 {{buffers of 'i1' have no load or store; use i8}}
  %v = fly.ptr.load(%p) : (!fly.ptr<i1, #fly_rocdl.buffer_desc>) -> i1
  return %v : i1
}

// -----

func.func @part_of_buffer(%p: !fly.ptr<i4, #fly_rocdl.buffer_desc>) -> vector<3xi4> {
  // expected-error@+1 {{no buffer instruction moves 1 x 'i4' at element 2 of '!fly.ptr<i4, #fly_rocdl.buffer_desc>'}}
  %v = fly.ptr.load(%p) : (!fly.ptr<i4, #fly_rocdl.buffer_desc>) -> vector<3xi4>
  return %v : vector<3xi4>
}

// -----

func.func @pointer_as_float(%m: !fly.memref<f32, global, 8:1>) -> f32 {
  // expected-error@+1 {{gives an index, an integer or an !llvm.ptr, got 'f32'}}
  %p = fly.extract_aligned_pointer_as_index %m : <f32, global, 8:1> -> f32
  return %p : f32
}

// -----

func.func @described_registers(%i: i32) {
  // expected-error@+1 {{takes operands only for a buffer descriptor, got '!fly.ptr<f32, register>'}}
  %a = fly.make_ptr(%i) {dictAttrs = {allocSize = 4 : i64}} : (i32) -> !fly.ptr<f32, register>
  return
}

// -----

// expected-error@+1 {{allocates registers and must be in a function}}
%a = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>

// -----

// An unreachable block may use what comes later.
func.func @later(%x: f32) -> f32 {
  return %x : f32
^dead:
  // expected-error@+1 {{takes a value of type '!fly.ptr<f32, global>' that this pass does not lower}}
  %v = fly.ptr.load(%p) : (!fly.ptr<f32, global>) -> f32
  // expected-note@+1 {{it is defined here}}
  %p = fly.inttoptr(%i) : (i64) -> !fly.ptr<f32, global>
  %i = arith.constant 0 : i64
  return %v : f32
}

// -----

func.func @too_far(%p: !fly.ptr<f32, global>) -> f32 {
  %o = fly.make_int_tuple() : () -> !fly.int_tuple<9223372036854775807>
  // expected-error@+1 {{an offset of 9223372036854775807 elements of 4 bytes exceeds 64 bits}}
  %q = fly.add_offset(%p, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<9223372036854775807>) -> !fly.ptr<f32, global>
  %x = fly.ptr.load(%q) : (!fly.ptr<f32, global>) -> f32
  return %x : f32
}
