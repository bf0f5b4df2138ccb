// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host program with fly types: two gpu.modules, a call that gives and takes
// them, launches with a cluster size and with async tokens, a device function
// that hands them on. What the host launches with is what the kernel takes.
//
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx1250})' -verify-each | FileCheck %s
// RUN: %mlir-opt-fly %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx1250})' | FileCheck %s
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx1250 host=keep})' | FileCheck %s --check-prefix=KEEP
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx1250 host=llvm})' | FileCheck %s --check-prefix=LLVM
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx1250 host=llvm})' | %mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR
// RUN: not %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx1250 host=gone})' 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: 'gone'

// CHECK: gpu.binary @a
// CHECK: gpu.binary @b
// CHECK-NOT: !fly.
// CHECK-LABEL: func.func @make(
// CHECK-SAME: -> (!llvm.ptr<1>, !llvm.struct<packed (struct<packed (i32)>)>)
// CHECK-LABEL: func.func @main(
// CHECK: %[[M:.*]]:2 = call @make
// CHECK: gpu.launch_func @a::@k clusters in
// CHECK-SAME: args(%[[M]]#0 : !llvm.ptr<1>, %{{.*}} : !llvm.struct<packed (struct<packed (i32)>)>, %{{.*}} : !llvm.struct<packed (i32)>)
// CHECK: %[[T:.*]] = gpu.wait async
// CHECK: %[[U:.*]] = gpu.launch_func async [%[[T]]] @b::@k2
// CHECK: gpu.wait [%[[U]]]

// KEEP: func.func @make(%{{.*}}: !fly.ptr<f32, global>

// LLVM-LABEL: llvm.func @main(
// LLVM: gpu.launch_func
// IR: define {{.*}}@main(
// IR: call {{.*}}@mgpu

!Mem = !fly.memref<f32, global, (?,8):(8,1)>
!Tup = !fly.int_tuple<(?,4)>

module attributes {gpu.container_module} {
  gpu.module @a {
    func.func private @twice(%x: !Tup, %m: !Mem) -> (!Tup, !Mem) {
      return %x, %m : !Tup, !Mem
    }
    gpu.func @k(%m: !Mem, %n: !Tup) kernel {
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %x, %y = func.call @twice(%n, %m) : (!Tup, !Mem) -> (!Tup, !Mem)
      %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,3)>
      %v = fly.memref.load(%y, %c) : (!Mem, !fly.int_tuple<(?,3)>) -> f32
      %s = fly.size(%x) : (!Tup) -> !fly.int_tuple<?{div=4}>
      %g = fly.get_scalar(%s) : (!fly.int_tuple<?{div=4}>) -> i32
      %f = arith.sitofp %g : i32 to f32
      %w = arith.addf %v, %f : f32
      fly.memref.store(%w, %y, %c) : (f32, !Mem, !fly.int_tuple<(?,3)>) -> ()
      gpu.return
    }
  }
  gpu.module @b {
    gpu.func @k2(%m: !fly.memref<f32, global, 8:1>) kernel {
      gpu.return
    }
  }
  func.func @make(%p: !fly.ptr<f32, global>, %n: i32) -> !Mem {
    %sh = fly.make_shape(%n) : (i32) -> !fly.int_tuple<(?,8)>
    %st = fly.make_stride() : () -> !fly.int_tuple<(8,1)>
    %l = fly.make_layout(%sh, %st) : (!fly.int_tuple<(?,8)>, !fly.int_tuple<(8,1)>) -> !fly.layout<(?,8):(8,1)>
    %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(?,8):(8,1)>) -> !Mem
    return %m : !Mem
  }
  func.func @main(%p: !fly.ptr<f32, global>, %n: i32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : i32
    %m = call @make(%p, %n) : (!fly.ptr<f32, global>, i32) -> !Mem
    %x = fly.make_shape(%n) : (i32) -> !Tup
    %l = fly.static : !fly.layout<8:1>
    %m8 = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<8:1>) -> !fly.memref<f32, global, 8:1>
    gpu.launch_func @a::@k clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%c2, %c1, %c1) dynamic_shared_memory_size %c0 args(%m : !Mem, %x : !Tup)
    %t = gpu.wait async
    %u = gpu.launch_func async [%t] @b::@k2 blocks in (%c2, %c1, %c1) threads in (%c2, %c1, %c1) args(%m8 : !fly.memref<f32, global, 8:1>)
    gpu.wait [%u]
    return
  }
}
