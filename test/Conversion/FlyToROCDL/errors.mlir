// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cannot be lowered is reported where it stands.

// RUN: %fly-opt %s --convert-fly-to-rocdl -split-input-file -verify-diagnostics

func.func @shared() {
  // expected-error@+1 {{allocates shared memory and must be in a gpu.module}}
  %a = fly.make_ptr() {dictAttrs = {allocBytes = 64 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<f32, shared, align<16>>
  return
}

// -----

gpu.module @m {
  gpu.func @k() kernel {
    // expected-error@+1 {{needs 'allocAlign' to be a power of two, got 24}}
    %a = fly.make_ptr() {dictAttrs = {allocBytes = 64 : i64, allocAlign = 24 : i64}} : () -> !fly.ptr<f32, shared, align<8>>
    gpu.return
  }
}

// -----

func.func @size() {
  // expected-error@+1 {{makes '!fly.ptr<f32, register>' and needs an integer 'allocSize' in dictAttrs}}
  %a = fly.make_ptr() : () -> !fly.ptr<f32, register>
  return
}

// -----

func.func @negative() {
  // expected-error@+1 {{needs 'allocSize' to be from 1 to 2^31, got -4}}
  %a = fly.make_ptr() {dictAttrs = {allocSize = -4 : i64}} : () -> !fly.ptr<f32, register>
  return
}

// -----

func.func @descriptor(%p: !fly.ptr<f32, global>, %i: i32) {
  // expected-error@+1 {{'fly.make_ptr' op makes a buffer descriptor of a global pointer, an i16 stride, an i64 number of bytes and i32 flags, got ('!fly.ptr<f32, global>', 'i32')}}
  %a = fly.make_ptr(%p, %i) : (!fly.ptr<f32, global>, i32) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  return
}

// -----

func.func @origin(%p: !fly.ptr<f32, global>) {
  // expected-error@+1 {{makes pointers to registers, to shared memory and to buffers, got '!fly.ptr<f32, global>'}}
  %a = fly.make_ptr() : () -> !fly.ptr<f32, global>
  return
}

// -----

// W34: an address space without a meaning.
// expected-error@+1 {{no address space of the target corresponds to that of '!fly.ptr<f32, "elsewhere">'}}
func.func @space(%p: !fly.ptr<f32, "elsewhere">) {
  return
}

// -----

// P40: an offset that is not made here.
func.func @offset(%p: !fly.ptr<f32, global>, %i: !fly.int_tuple<?>) -> f32 { // expected-note {{the offset is defined here}}
  // expected-error@+1 {{needs its offset made by fly.make_int_tuple of one integer; layout lowering leaves it so}}
  %q = fly.add_offset(%p, %i) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  %v = fly.ptr.load(%q) : (!fly.ptr<f32, global>) -> f32
  return %v : f32
}

// -----

func.func @early(%m: !fly.memref<f32, global, 8:1>, %v: vector<8xf32>) {
  // expected-error@+1 {{is no op of the last stage; layout lowering comes before this pass}}
  fly.memref.store_vec(%v, %m) : (vector<8xf32>, !fly.memref<f32, global, 8:1>) -> ()
  return
}

// -----

func.func @llvm_pointer(%p: !fly.ptr<f32, global>) -> !llvm.ptr<3> {
  // expected-error@+1 {{expected the address space of '!fly.ptr<f32, global>', which is '!llvm.ptr<1>', got '!llvm.ptr<3>'}}
  %q = fly.to_llvm_ptr(%p) {llvm_address_space = 3 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr<3>
  return %q : !llvm.ptr<3>
}

// -----

func.func @bare(%p: !fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8> {
  // expected-error@+1 {{needs a pointer with an address, got '!fly.ptr<f32, #fly_rocdl.buffer_desc>'}}
  %q = fly.to_llvm_ptr(%p) {llvm_address_space = 8 : i32} : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  return %q : !llvm.ptr<8>
}

// -----

func.func @packed(%p: !fly.ptr<f4E2M1FN, global>) -> f4E2M1FN {
  // expected-error@+1 {{1 elements of 'i4' are no whole number of bytes}}
  %v = fly.ptr.load(%p) : (!fly.ptr<f4E2M1FN, global>) -> f4E2M1FN
  return %v : f4E2M1FN
}

// -----

func.func @window(%p: !fly.ptr<f32, shared, S<2,1,3>>) -> f32 {
  // expected-error@+1 {{moves windows of 2 bytes, which elements of 'f32' do not fill}}
  %v = fly.ptr.load(%p) : (!fly.ptr<f32, shared, S<2,1,3>>) -> f32
  return %v : f32
}

// -----

// W13: the width and the operand.
func.func @bits(%s: !fly.memref<f16, #fly_rocdl.buffer_desc, 4:1>) -> vector<4xf16> {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 16>
  // expected-error@+1 {{cdna3.buffer_copy<128> moves 128 bits, but the buffer has 4 x 'f16' = 64 bits}}
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 16>, !fly.memref<f16, #fly_rocdl.buffer_desc, 4:1>) -> vector<4xf16>
  return %v : vector<4xf16>
}

// -----

func.func @result(%s: !fly.memref<f16, global, 8:1>) -> vector<4xf16> {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 16>
  // expected-error@+1 {{universal_copy<128> moves 128 bits, but the result has type 'vector<4xf16>'}}
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<128>, 16>, !fly.memref<f16, global, 8:1>) -> vector<4xf16>
  return %v : vector<4xf16>
}

// -----

// W12b: strides that nobody knows.
func.func @dynamic(%s: !fly.memref<f16, global, 8:?>) -> vector<8xf16> {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 16>
  // expected-error@+1 {{the source needs strides and offsets that are known when it is compiled, got '!fly.memref<f16, global, 8:?>'}}
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<128>, 16>, !fly.memref<f16, global, 8:?>) -> vector<8xf16>
  return %v : vector<8xf16>
}

// -----

func.func @shape(%s: !fly.memref<f16, global, ?:1>) -> vector<8xf16> {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 16>
  // expected-error@+1 {{the source needs a static shape}}
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<128>, 16>, !fly.memref<f16, global, ?:1>) -> vector<8xf16>
  return %v : vector<8xf16>
}

// -----

func.func @sides(%s: !fly.memref<f32, global, 4:1>, %d: !fly.memref<f32, register, 4:1>) {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>
  // expected-error@+1 {{cdna3.buffer_copy<128> needs exactly one side in #fly_rocdl.buffer_desc, got '!fly.memref<f32, global, 4:1>' and '!fly.memref<f32, register, 4:1>'}}
  fly.copy_atom_call(%a, %s, %d) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>, !fly.memref<f32, global, 4:1>, !fly.memref<f32, register, 4:1>) -> ()
  return
}

// -----

func.func @elements(%s: !fly.memref<f32, global, 4:1>, %d: !fly.memref<i32, register, 4:1>) {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // expected-error@+1 {{expected equal element types of source and destination, got 'f32' and 'i32'}}
  fly.copy_atom_call(%a, %s, %d) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, 4:1>, !fly.memref<i32, register, 4:1>) -> ()
  return
}

// -----

// W14: what writes linearly cannot follow a swizzle.
func.func @linear(%s: !fly.memref<f32, #fly_rocdl.buffer_desc, 1:1>, %d: !fly.memref<f32, shared, 1:1, S<3,3,3>>) {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<32>, 32>
  // expected-error@+1 {{cdna3.buffer_copy_lds<32> writes LDS linearly and cannot follow the swizzle of}}
  fly.copy_atom_call(%a, %s, %d) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<32>, 32>, !fly.memref<f32, #fly_rocdl.buffer_desc, 1:1>, !fly.memref<f32, shared, 1:1, S<3,3,3>>) -> ()
  return
}

// -----

func.func @width(%i: i64) {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>
  // expected-error@+1 {{expected "soffset" to be an i32, got 'i64'}}
  %b = fly.atom.set_value(%a, "soffset", %i) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>, i64) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>
  return
}

// -----

func.func @predicate(%s: !fly.memref<f32, global, 1:1>, %d: !fly.memref<f32, register, 1:1>, %p: !fly.memref<i1, register, 2:1>) {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<32>, 32>
  // expected-error@+1 {{'fly.copy_atom_call' op expected a predicate of one element, got '!fly.memref<i1, register, 2:1>'}}
  fly.copy_atom_call(%a, %s, %d, %p) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<f32, global, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<i1, register, 2:1>) -> ()
  return
}

// -----

func.func @operand(%a: vector<8xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %m = fly.make_mma_atom : !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
  // expected-error@+1 {{operand a has type 'vector<8xf16>', which does not have the bits of 'vector<4xf16>'}}
  %r = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, vector<8xf16>, vector<8xf16>, vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
