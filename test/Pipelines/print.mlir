// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// P19: fly.print and gpu.printf through the whole pipeline. Both call the
// device library that prints; the key knows that before anything is lowered.
//
// RUN: mkdir -p %t/amdgcn/bitcode %t/empty
// RUN: cp %S/Inputs/ockl.ll %t/amdgcn/bitcode/ockl.bc
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 format=llvm device-libs=%t})' | FileCheck %s
// RUN: not %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 device-libs=%t/empty})' 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: c\22at (%d,3) of 100%%: %.2f\\0A\\00\22
// CHECK: define amdgpu_kernel void @k(
// CHECK: c\22hello %d\\0A\\00\22
// CHECK: define amdgpu_kernel void @k(
// NONE: error: function '__ockl_printf_{{[a-z_]*}}' needs the device library 'ockl.bc', which was not found

gpu.module @fly {
  gpu.func @k(%x: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %i = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<(?,3)>
    fly.print(%i, %x) {format = "at {} of 100%: {}"} : (!fly.int_tuple<(?,3)>, f32) -> ()
    gpu.return
  }
}

gpu.module @upstream {
  gpu.func @k(%i: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    gpu.printf "hello %d\n", %i : i32
    gpu.return
  }
}
