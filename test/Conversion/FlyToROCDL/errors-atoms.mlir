// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of atoms whose operands are not what the instruction takes.

// RUN: %fly-opt %s --convert-fly-to-rocdl -split-input-file -verify-diagnostics
// RUN: not %fly-opt %s --convert-fly-to-rocdl -split-input-file -o /dev/null 2>&1 | not grep -E "<unknown>|:0:0"

!copy = !fly.copy_atom<!fly.universal_copy<32>, 32>
func.func @none(%a: !copy, %s: !fly.memref<f32, global, 0:1>) -> f32 {
  // expected-error@+1 {{the source must have from 1 to 4096 elements, got '!fly.memref<f32, global, 0:1>'}}
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!copy, !fly.memref<f32, global, 0:1>) -> f32
  return %v : f32
}

// -----

// A type of another dialect as the copy op of an atom.
func.func @foreign(%a: !fly.copy_atom<i32, 32>, %s: !fly.memref<f32, global, 1:1>) -> f32 {
  // expected-error@+1 {{has no emission for 'i32'}}
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<i32, 32>, !fly.memref<f32, global, 1:1>) -> f32
  return %v : f32
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<32>, 32>
// W19: what is no truth value is refused.
func.func @predicate_type(%a: !copy, %s: !fly.memref<f32, global, 1:1>, %d: !fly.memref<f32, register, 1:1>, %p: !fly.memref<f32, register, 1:1>) {
  // expected-error@+1 {{expected a predicate of i1, got '!fly.memref<f32, register, 1:1>'}}
  fly.copy_atom_call(%a, %s, %d, %p) : (!copy, !fly.memref<f32, global, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>) -> ()
  return
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<32>, 32>
func.func @predicate_value(%a: !copy, %s: !fly.memref<f32, global, 1:1>, %d: !fly.memref<f32, register, 1:1>, %p: i32) {
  // expected-error@+1 {{expected a predicate of type i1, got 'i32'}}
  fly.copy_atom_call_ssa(%a, %s, %d, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!copy, !fly.memref<f32, global, 1:1>, !fly.memref<f32, register, 1:1>, i32) -> ()
  return
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<32>, 32>
func.func @no_old_value(%a: !copy, %s: !fly.memref<f32, global, 1:1>, %p: i1) -> f32 {
  // expected-error@+1 {{a predicated copy with a result needs the value that holds where the predicate is false}}
  %v = fly.copy_atom_call_ssa(%a, %s, %p) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!copy, !fly.memref<f32, global, 1:1>, i1) -> f32
  return %v : f32
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<32>, 32>
func.func @old_value(%a: !copy, %s: !fly.memref<f32, global, 1:1>, %o: i32, %p: i1) -> f32 {
  // expected-error@+1 {{expected the old value to have type 'f32', got 'i32'}}
  %v = fly.copy_atom_call_ssa(%a, %s, %o, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!copy, !fly.memref<f32, global, 1:1>, i32, i1) -> f32
  return %v : f32
}

// -----

!copy = !fly.copy_atom<!fly.universal_copy<32>, 32>
func.func @nowhere(%a: !copy, %s: !fly.memref<f32, global, 1:1>) {
  // expected-error@+1 {{universal_copy<32> needs a memref as destination, or a result}}
  fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!copy, !fly.memref<f32, global, 1:1>) -> ()
  return
}

// -----

// 32 bits are copied, of which the destination has half.
!copy = !fly.copy_atom<!fly.universal_copy<32>, 32>
func.func @short(%a: !copy, %s: !fly.memref<f16, global, 2:1>, %d: !fly.memref<f16, register, 1:1>) {
  // expected-error@+1 {{universal_copy<32> moves 32 bits, but the destination has 1 x 'f16' = 16 bits}}
  fly.copy_atom_call(%a, %s, %d) : (!copy, !fly.memref<f16, global, 2:1>, !fly.memref<f16, register, 1:1>) -> ()
  return
}

// -----

!copy = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>
func.func @to_shared(%a: !copy, %s: !fly.memref<f32, #fly_rocdl.buffer_desc, 1:1>, %d: !fly.memref<f32, shared, 1:1>) {
  // expected-error@+1 {{cdna3.buffer_copy<32> needs the other side in registers, got '!fly.memref<f32, shared, 1:1>'}}
  fly.copy_atom_call(%a, %s, %d) : (!copy, !fly.memref<f32, #fly_rocdl.buffer_desc, 1:1>, !fly.memref<f32, shared, 1:1>) -> ()
  return
}

// -----

!atomic = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, f32>, 32>
func.func @atomic_on_global(%a: !atomic, %s: !fly.memref<f32, register, 1:1>, %d: !fly.memref<f32, global, 1:1>) {
  // expected-error@+1 {{cdna3.buffer_atomic needs its destination in #fly_rocdl.buffer_desc}}
  fly.copy_atom_call(%a, %s, %d) : (!atomic, !fly.memref<f32, register, 1:1>, !fly.memref<f32, global, 1:1>) -> ()
  return
}

// -----

!atomic = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>, 32>
func.func @atomic_in_pieces(%a: !atomic, %s: !fly.memref<f16, register, 2:1>, %d: !fly.memref<f16, #fly_rocdl.buffer_desc, 2:4>) {
  // expected-error@+1 {{cdna3.buffer_atomic needs contiguous elements, got '!fly.memref<f16, #fly_rocdl.buffer_desc, 2:4>'}}
  fly.copy_atom_call(%a, %s, %d) : (!atomic, !fly.memref<f16, register, 2:1>, !fly.memref<f16, #fly_rocdl.buffer_desc, 2:4>) -> ()
  return
}

// -----

!lds = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<32>, 32>
func.func @lds_of_global(%a: !lds, %s: !fly.memref<f32, global, 1:1>, %d: !fly.memref<f32, shared, 1:1>) {
  // expected-error@+1 {{cdna3.buffer_copy_lds<32> copies from #fly_rocdl.buffer_desc to shared, got '!fly.memref<f32, global, 1:1>' and '!fly.memref<f32, shared, 1:1>'}}
  fly.copy_atom_call(%a, %s, %d) : (!lds, !fly.memref<f32, global, 1:1>, !fly.memref<f32, shared, 1:1>) -> ()
  return
}

// -----

!trans = !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>, 16>
func.func @transposed_of_global(%a: !trans, %s: !fly.memref<f16, global, 4:1>, %d: !fly.memref<f16, register, 4:1>) {
  // expected-error@+1 {{cdna4.lds_read_trans reads shared memory, got '!fly.memref<f16, global, 4:1>'}}
  fly.copy_atom_call(%a, %s, %d) : (!trans, !fly.memref<f16, global, 4:1>, !fly.memref<f16, register, 4:1>) -> ()
  return
}

// -----

!trans = !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>, 16>
func.func @transposed_to_shared(%a: !trans, %s: !fly.memref<f16, shared, 4:1>, %d: !fly.memref<f16, shared, 4:1>) {
  // expected-error@+1 {{cdna4.lds_read_trans writes registers, got '!fly.memref<f16, shared, 4:1>'}}
  fly.copy_atom_call(%a, %s, %d) : (!trans, !fly.memref<f16, shared, 4:1>, !fly.memref<f16, shared, 4:1>) -> ()
  return
}

// -----

!trans = !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>, 16>
func.func @transposed_in_pieces(%a: !trans, %s: !fly.memref<f16, shared, 4:2>, %d: !fly.memref<f16, register, 4:1>) {
  // expected-error@+1 {{cdna4.lds_read_trans needs 64 neighbouring bits in each lane, got '!fly.memref<f16, shared, 4:2>'}}
  fly.copy_atom_call(%a, %s, %d) : (!trans, !fly.memref<f16, shared, 4:2>, !fly.memref<f16, register, 4:1>) -> ()
  return
}

// -----

!atomic = !fly.copy_atom<!fly.universal_atomic<and, f32>, 32>
func.func @no_operation(%a: !atomic, %s: !fly.memref<f32, register, 1:1>, %d: !fly.memref<f32, global, 1:1>) {
  // expected-error@+1 {{universal_atomic has no and of 'f32'}}
  fly.copy_atom_call(%a, %s, %d) : (!atomic, !fly.memref<f32, register, 1:1>, !fly.memref<f32, global, 1:1>) -> ()
  return
}

// -----

!atomic = !fly.copy_atom<!fly.universal_atomic<add, f32>, 32>
func.func @on_buffer(%a: !atomic, %s: !fly.memref<f32, register, 1:1>, %d: !fly.memref<f32, #fly_rocdl.buffer_desc, 1:1>) {
  // expected-error@+1 {{universal_atomic needs a destination in generic, global, shared or register memory}}
  fly.copy_atom_call(%a, %s, %d) : (!atomic, !fly.memref<f32, register, 1:1>, !fly.memref<f32, #fly_rocdl.buffer_desc, 1:1>) -> ()
  return
}

// -----

!atomic = !fly.copy_atom<!fly.universal_atomic<add, vector<2xf16>>, 32>
func.func @in_pieces(%a: !atomic, %s: !fly.memref<f16, register, 2:1>, %d: !fly.memref<f16, global, 2:4>) {
  // expected-error@+1 {{universal_atomic needs contiguous elements, got '!fly.memref<f16, global, 2:4>'}}
  fly.copy_atom_call(%a, %s, %d) : (!atomic, !fly.memref<f16, register, 2:1>, !fly.memref<f16, global, 2:4>) -> ()
  return
}

// -----

!fma = !fly.mma_atom<!fly.universal_fma<1x1x1, (f8E4M3FN, f8E4M3FN) -> f8E4M3FN>>
func.func @fma_of_bytes(%m: !fma, %x: f8E4M3FN) -> f8E4M3FN {
  // expected-error@+1 {{universal_fma has no arithmetic on 'f8E4M3FN'}}
  %r = fly.mma_atom_call_ssa(%m, %x, %x, %x) : (!fma, f8E4M3FN, f8E4M3FN, f8E4M3FN) -> f8E4M3FN
  return %r : f8E4M3FN
}

// -----

!mma = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
func.func @twice(%m: !mma, %a: vector<4xf16>, %c: vector<4xf32>, %d: !fly.memref<f32, register, 4:1>) -> vector<4xf32> {
  // expected-error@+1 {{expected either a result or d}}
  %r = fly.mma_atom_call_ssa(%m, %d, %a, %a, %c) : (!mma, !fly.memref<f32, register, 4:1>, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}

// -----

!mma = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
func.func @to_a_value(%m: !mma, %a: vector<4xf16>, %c: vector<4xf32>) {
  // expected-error@+1 {{expected d to be a memref, got 'vector<4xf32>'}}
  fly.mma_atom_call_ssa(%m, %c, %a, %a, %c) : (!mma, vector<4xf32>, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> ()
  return
}

// -----

!mma = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
func.func @to_less(%m: !mma, %a: vector<4xf16>, %c: vector<4xf32>, %d: !fly.memref<f32, register, 2:1>) {
  // expected-error@+1 {{the value for operand d has type 'vector<4xf32>', which does not have the bits of 'vector<2xf32>'}}
  fly.mma_atom_call_ssa(%m, %d, %a, %a, %c) : (!mma, !fly.memref<f32, register, 2:1>, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> ()
  return
}
