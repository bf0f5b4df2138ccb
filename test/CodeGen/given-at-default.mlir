// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM asks whether an option was given: with the value that it has by default
// it changes code and key all the same.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %fly-compile %s --target=gfx942 --emit=llvm --store=s -o plain.ll
// RUN: %fly-compile %s --target=gfx942 --emit=llvm --store=s --llvm-options=unroll-allow-partial=false -o given.ll
// RUN: grep -c fmul plain.ll | FileCheck %s --check-prefix=PLAIN
// RUN: grep -c fmul given.ll | FileCheck %s --check-prefix=GIVEN
// PLAIN: {{^([2-9]|[1-9][0-9]+)$}}
// GIVEN: {{^1$}}
// RUN: %fly-compile %s --target=gfx942 --emit=key -o plain.key
// RUN: %fly-compile %s --target=gfx942 --emit=key --llvm-options=unroll-allow-partial=false -o given.key
// RUN: not diff plain.key given.key

gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %f0 = arith.constant 0.0 : f32
    %s = scf.for %i = %c0 to %c100 step %c1 iter_args(%a = %f0) -> f32 {
      %ii = arith.index_cast %i : index to i32
      %q = llvm.getelementptr %p[%ii] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %q : !llvm.ptr<1> -> f32
      %t = arith.mulf %v, %v : f32
      %b = arith.addf %a, %t : f32
      scf.yield %b : f32
    }
    llvm.store %s, %p : f32, !llvm.ptr<1>
    gpu.return
  }
}
