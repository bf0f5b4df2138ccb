// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LDS is a global of the gpu.module, which a pass on one function cannot add.

// RUN: %fly-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(convert-fly-to-rocdl)))' -verify-diagnostics

gpu.module @m {
  gpu.func @k() kernel {
    // expected-error@+1 {{allocates shared memory in gpu.module @m, so the pass must run on that module or around it}}
    %a = fly.make_ptr() {dictAttrs = {allocBytes = 64 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<f32, shared, align<16>>
    gpu.return
  }
}
