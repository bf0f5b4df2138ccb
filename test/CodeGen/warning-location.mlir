// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM warns about stands at the kernel that it is about: all of LDS for
// one workgroup leaves no room for eight waves.

// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942})' -verify-diagnostics -o /dev/null

gpu.module @m {
  gpu.func @other() kernel {
    gpu.return
  }
  // expected-warning @below {{LLVM warns: failed to meet occupancy target}}
  gpu.func @k(%out: !fly.ptr<f32, global>, %i: i32, %x: f32) kernel
      attributes {rocdl.waves_per_eu = 8 : i32, known_block_size = array<i32: 64, 1, 1>} {
    %p = fly.make_ptr() {dictAttrs = {allocBytes = 65536 : i64, allocAlign = 16 : i64}} : () -> !fly.ptr<f32, shared>
    %o = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
    %q = fly.add_offset(%p, %o) : (!fly.ptr<f32, shared>, !fly.int_tuple<?>) -> !fly.ptr<f32, shared>
    fly.ptr.store(%x, %q) : (f32, !fly.ptr<f32, shared>) -> ()
    gpu.barrier
    %v = fly.ptr.load(%p) : (!fly.ptr<f32, shared>) -> f32
    fly.ptr.store(%v, %out) : (f32, !fly.ptr<f32, global>) -> ()
    gpu.return
  }
}
