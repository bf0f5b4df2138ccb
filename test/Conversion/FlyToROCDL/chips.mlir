// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W4: an atom is held against the processor that it is compiled for.

// RUN: %fly-opt %s --convert-fly-to-rocdl -split-input-file -verify-diagnostics
// RUN: not %fly-opt %s -split-input-file --convert-fly-to-rocdl=chip=gfx9999 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown chip 'gfx9999'; did you mean gfx

!bf = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x8, (bf16, bf16) -> f32>>

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func @pair(%a: vector<2xbf16>, %c: vector<4xf32>) -> vector<4xf32> {
    %m = fly.make_mma_atom : !bf
    // expected-error@+1 {{gfx942 has no cdna3.mfma<16x16x8, (bf16, bf16) -> f32>; it runs on gfx908, gfx90a}}
    %r = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!bf, vector<2xbf16>, vector<2xbf16>, vector<4xf32>) -> vector<4xf32>
    return %r : vector<4xf32>
  }
}

// -----

!bf = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x8, (bf16, bf16) -> f32>>

gpu.module @m [#rocdl.target<chip = "gfx90a">] {
  func.func @pair(%a: vector<2xbf16>, %c: vector<4xf32>) -> vector<4xf32> {
    %m = fly.make_mma_atom : !bf
    %r = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!bf, vector<2xbf16>, vector<2xbf16>, vector<4xf32>) -> vector<4xf32>
    return %r : vector<4xf32>
  }
}

// -----

// Bits that mean other numbers: OCP on gfx942.
!ocp = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x32, (f8E4M3FN, f8E4M3FN) -> f32>>

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func @ocp(%a: vector<8xi8>, %c: vector<4xf32>) -> vector<4xf32> {
    %m = fly.make_mma_atom : !ocp
    // expected-error@+1 {{gfx942 has no cdna3.mfma<16x16x32, (f8E4M3FN, f8E4M3FN) -> f32>; it runs on gfx950}}
    %r = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!ocp, vector<8xi8>, vector<8xi8>, vector<4xf32>) -> vector<4xf32>
    return %r : vector<4xf32>
  }
}

// -----

!lds = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<128>, 16>

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func @wide(%s: !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1>, %d: !fly.memref<f16, shared, 8:1>) {
    %a = fly.make_copy_atom {valBits = 16 : i32} : !lds
    // expected-error@+1 {{gfx942 has no cdna3.buffer_copy_lds of 128 bits}}
    fly.copy_atom_call(%a, %s, %d) : (!lds, !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1>, !fly.memref<f16, shared, 8:1>) -> ()
    return
  }
}

// -----

!add = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, vector<2xbf16>>, 16>

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func @atomic(%d: !fly.memref<bf16, #fly_rocdl.buffer_desc, 2:1>, %v: vector<2xbf16>) {
    %a = fly.make_copy_atom {valBits = 16 : i32} : !add
    // expected-error@+1 {{gfx942 has no cdna3.buffer_atomic add of vector<2xbf16>}}
    fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!add, vector<2xbf16>, !fly.memref<bf16, #fly_rocdl.buffer_desc, 2:1>) -> ()
    return
  }
}
