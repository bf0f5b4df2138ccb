// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W18e: the scope of an atomic decides about its code. With the agent's, which
// the reference page recommends, an addition of f32 is one instruction. None is
// the system's, as the type says: memory that the host sees too, where the
// instruction may do nothing, so that LLVM compares and swaps. On gfx1100 LLVM
// does so for the agent's too, unless the access is known to be to no such
// memory, which MLIR 22.1 has no word for; the numbers are right.

// RUN: %fly-compile %s --target=gfx942 --emit=asm -q -o - | FileCheck %s --check-prefix=ADD
// RUN: %fly-compile %s --target=gfx950 --emit=asm -q -o - | FileCheck %s --check-prefix=ADD
// RUN: %fly-compile %s --target=gfx1201 --emit=asm -q -o - | FileCheck %s --check-prefix=ADD
// RUN: %fly-compile %s --target=gfx1250 --emit=asm -q -o - | FileCheck %s --check-prefix=ADD
// RUN: %fly-compile %s --target=gfx1100 --emit=asm -q -o - | FileCheck %s --check-prefix=SWAP
// RUN: sed 's/, "agent"//' %s | %fly-compile - --target=gfx942 --emit=asm -q -o - | FileCheck %s --check-prefix=SWAP

// ADD-LABEL: add:
// ADD-NOT: cmpswap
// ADD: global_atomic_add_f32
// ADD-NOT: cmpswap
// ADD: s_endpgm
// SWAP-LABEL: add:
// SWAP: global_atomic_cmpswap
// SWAP: s_endpgm
!add = !fly.copy_atom<!fly.universal_atomic<add, f32, "agent">, 32>
gpu.module @m {
  gpu.func @add(%p: !fly.memref<f32, global, 1:1>, %v: f32) kernel {
    %a = fly.make_copy_atom {valBits = 32 : i32} : !add
    fly.copy_atom_call_ssa(%a, %v, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!add, f32, !fly.memref<f32, global, 1:1>) -> ()
    gpu.return
  }
}
