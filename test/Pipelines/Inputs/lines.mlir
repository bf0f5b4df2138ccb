// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose lines debug-locations.test looks for: mind the numbers.

gpu.module @m {
  gpu.func @lines(%g: !fly.ptr<f32, global>, %v: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %c0 = fly.make_int_tuple() : () -> !fly.int_tuple<0>
    %l = fly.static : !fly.layout<(1,64):(1,1)>
    %one = fly.static : !fly.layout<1:1>
    %m = fly.make_view(%g, %l) : (!fly.ptr<f32, global>, !fly.layout<(1,64):(1,1)>) -> !fly.memref<f32, global, (1,64):(1,1)>
    %c = fly.make_coord(%t) : (i32) -> !fly.int_tuple<(*,?)>
    %s = fly.slice(%m, %c) : (!fly.memref<f32, global, (1,64):(1,1)>, !fly.int_tuple<(*,?)>) -> !fly.memref<f32, global, 1:1>
    %at = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<32>, 32>
    %r = fly.memref.alloca(%one) : (!fly.layout<1:1>) -> !fly.memref<f32, register, 1:1>
    fly.copy(%at, %s, %r) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<f32, global, 1:1>, !fly.memref<f32, register, 1:1>) -> ()
    %x = fly.memref.load(%r, %c0) : (!fly.memref<f32, register, 1:1>, !fly.int_tuple<0>) -> f32
    %y = arith.addf %x, %v : f32
    fly.ptr.store(%y, %g) : (f32, !fly.ptr<f32, global>) -> ()
    gpu.return
  }
}
