// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// P46: the passes run on any anchor, on several functions at once, and give the
// same there. P44: no `canonicalize` is needed between them.
//
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-rewrite-func-signature,fly-canonicalize,fly-layout-lowering,fly-int-swizzle-simplify,fly-convert-atom-call-to-ssa-form,fly-promote-regmem-to-vectorssa,convert-fly-to-rocdl{chip=gfx942},canonicalize,cse)' -verify-each -mlir-disable-threading -o %t.module
// RUN: %fly-opt %s --pass-pipeline='builtin.module(gpu.module(fly-rewrite-func-signature,fly-canonicalize,fly-layout-lowering,fly-int-swizzle-simplify,fly-convert-atom-call-to-ssa-form,fly-promote-regmem-to-vectorssa,convert-fly-to-rocdl{chip=gfx942},canonicalize,cse))' -verify-each -o %t.gpumodule
// RUN: %fly-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(fly-rewrite-func-signature,fly-canonicalize,fly-layout-lowering,fly-int-swizzle-simplify,fly-convert-atom-call-to-ssa-form,fly-promote-regmem-to-vectorssa,convert-fly-to-rocdl{chip=gfx942},canonicalize,cse)))' -verify-each -o %t.func
// RUN: %fly-opt %s --pass-pipeline='builtin.module(any(fly-rewrite-func-signature,fly-canonicalize,fly-layout-lowering,fly-int-swizzle-simplify,fly-convert-atom-call-to-ssa-form,fly-promote-regmem-to-vectorssa,convert-fly-to-rocdl{chip=gfx942},canonicalize,cse))' -verify-each -o %t.any
// RUN: %mlir-opt-fly %s --pass-pipeline='builtin.module(gpu.module(gpu.func(fly-rewrite-func-signature,fly-canonicalize,fly-layout-lowering,fly-int-swizzle-simplify,fly-convert-atom-call-to-ssa-form,fly-promote-regmem-to-vectorssa,convert-fly-to-rocdl{chip=gfx942},canonicalize,cse)))' -o %t.plugin
// RUN: diff %t.module %t.gpumodule
// RUN: diff %t.module %t.func
// RUN: diff %t.module %t.any
// RUN: diff %t.module %t.plugin
// RUN: FileCheck %s --input-file=%t.module

!Mem = !fly.memref<f32, global, (?,4):(4,1), align<16>>
!Row = !fly.memref<f32, global, 4:1, align<16>>
!Reg = !fly.memref<f32, register, 4:1>
!At = !fly.copy_atom<!fly.universal_copy<128>, 32>

gpu.module @m {
  // CHECK-LABEL: gpu.func @a(
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK: scf.for
  // CHECK-SAME: vector<4xf32>
  // CHECK: llvm.store
  // CHECK-NOT: fly.
  gpu.func @a(%m: !Mem, %end: i32) kernel {
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %l = fly.static : !fly.layout<4:1>
    %at = fly.make_copy_atom {valBits = 32 : i32} : !At
    %c = fly.make_coord(%t) : (i32) -> !fly.int_tuple<(?,*)>
    %s = fly.slice(%m, %c) : (!Mem, !fly.int_tuple<(?,*)>) -> !Row
    %r = fly.memref.alloca(%l) : (!fly.layout<4:1>) -> !Reg
    fly.copy(%at, %s, %r) : (!At, !Row, !Reg) -> ()
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %end step %c1 : i32 {
      %v = fly.memref.load_vec(%r) : (!Reg) -> vector<4xf32>
      %w = arith.addf %v, %v : vector<4xf32>
      fly.memref.store_vec(%w, %r) : (vector<4xf32>, !Reg) -> ()
    }
    fly.copy(%at, %r, %s) : (!At, !Reg, !Row) -> ()
    gpu.return
  }
  // CHECK-LABEL: gpu.func @b(
  gpu.func @b(%m: !Mem, %i: i32) kernel {
    %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,2)>
    %v = fly.memref.load(%m, %c) : (!Mem, !fly.int_tuple<(?,2)>) -> f32
    fly.memref.store(%v, %m, %c) : (f32, !Mem, !fly.int_tuple<(?,2)>) -> ()
    gpu.return
  }
}
