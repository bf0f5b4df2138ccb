// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a gpu.binary with #fly.explicit_module and its launches become in the
// host's LLVM IR, which compiles.
//
// RUN: split-file %s %t
// RUN: %fly-translate --mlir-to-llvmir %t/launch.mlir -o %t/launch.ll
// RUN: FileCheck %t/launch.mlir --input-file=%t/launch.ll --implicit-check-not=global_ctors
// RUN: %llvm-bin/llc -mtriple=x86_64-linux-gnu -filetype=obj %t/launch.ll -o %t/launch.o
// RUN: %fly-translate --mlir-to-llvmir %t/assembly.mlir | FileCheck %t/assembly.mlir
// RUN: %fly-translate --mlir-to-llvmir %t/empty.mlir | FileCheck %t/empty.mlir
// RUN: %fly-translate --mlir-to-llvmir %t/several.mlir 2>&1 | FileCheck %t/several.mlir
// RUN: %fly-translate --mlir-to-llvmir %t/beside.mlir | FileCheck %t/beside.mlir
// RUN: %fly-translate --mlir-to-llvmir %t/names.mlir | FileCheck %t/names.mlir
// RUN: %fly-translate --mlir-to-llvmir %t/declared.mlir | FileCheck %t/declared.mlir
// RUN: %fly-opt %t/streams.mlir --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 host=llvm})' | %fly-translate --mlir-to-llvmir | FileCheck %t/streams.mlir --implicit-check-not='@mgpuStream'
// RUN: %mlir-opt-fly %t/streams.mlir --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 host=llvm})' | %fly-translate --mlir-to-llvmir | FileCheck %t/streams.mlir --implicit-check-not='@mgpuStream'

// How the host embeds the code is no part of its key.
// RUN: %fly-opt %t/streams.mlir --pass-pipeline='builtin.module(fly-cache-key{target=gfx942})' -o /dev/null > %t/explicit.key
// RUN: sed -e 's/<#fly.explicit_module>//' %t/streams.mlir | %fly-opt --pass-pipeline='builtin.module(fly-cache-key{target=gfx942})' -o /dev/null > %t/default.key
// RUN: grep fly1- %t/explicit.key
// RUN: diff %t/explicit.key %t/default.key

//--- launch.mlir

// CHECK: @a_binary = internal constant [3 x i8] c"xyz", section ".code", align 8
// CHECK: @a_module = internal global ptr null
// One string for both launches of the kernel.
// CHECK: @a_k_name = private unnamed_addr constant [2 x i8] c"k\00"
// CHECK-NOT: constant [2 x i8]

// The host has declared it: the declaration gets the body.
// CHECK-LABEL: define void @flydsl_gpu_module_load_to_device(ptr %module_out, ptr %err_out) {
// CHECK: %[[M:.*]] = call ptr @mgpuModuleLoad(ptr @a_binary, i64 3)
// CHECK: store ptr %[[M]], ptr @a_module
// CHECK: store ptr %[[M]], ptr %module_out
// CHECK: %[[N:.*]] = icmp eq ptr %[[M]], null
// CHECK: %[[E:.*]] = select i1 %[[N]], i32 -1, i32 0
// CHECK: store i32 %[[E]], ptr %err_out
// CHECK: ret void

// CHECK-LABEL: define i32 @main(
// CHECK: call void @flydsl_gpu_module_load_to_device(

// The array of arguments is on the stack once, whatever the loop does; the
// stream is the async object.
// CHECK-LABEL: define void @loop(
// CHECK-SAME: ptr %[[P:.*]], i16 %[[H:.*]], ptr %[[S:.*]], i1 %[[C:.*]])
// CHECK-DAG: %[[ARGS:.*]] = alloca { ptr, i16 }
// CHECK-DAG: %[[PARAMS:.*]] = alloca [2 x ptr]
// CHECK: br label
// CHECK-NOT: alloca
// CHECK: %[[F0:.*]] = getelementptr {{.*}}{ ptr, i16 }, ptr %[[ARGS]], i32 0, i32 0
// CHECK: store ptr %[[P]], ptr %[[F0]]
// CHECK: store ptr %[[F0]], ptr
// CHECK: %[[F1:.*]] = getelementptr {{.*}}{ ptr, i16 }, ptr %[[ARGS]], i32 0, i32 1
// CHECK: store i16 %[[H]], ptr %[[F1]]
// CHECK: store ptr %[[F1]], ptr
// CHECK: %[[L:.*]] = load ptr, ptr @a_module
// CHECK: %[[K:.*]] = call ptr @mgpuModuleGetFunction(ptr %[[L]], ptr @a_k_name)
// CHECK: call void @mgpuLaunchKernel(ptr %[[K]], i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i32 0, ptr %[[S]], ptr %[[PARAMS]], ptr null, i64 2)
// CHECK: br i1 %[[C]]

// Clusters, LDS, sizes of 32 bits, which count, no stream.
// CHECK-LABEL: define void @clusters(
// CHECK-SAME: i32 %[[N:.*]], i32 %[[LDS:.*]])
// CHECK: %[[W:.*]] = zext i32 %[[N]] to i64
// CHECK: call void @mgpuLaunchClusterKernel(ptr %{{.*}}, i64 %[[W]], i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i32 %[[LDS]], ptr null, ptr %{{.*}}, ptr null, i64 0)

// CHECK-LABEL: define void @flydsl_gpu_module_init(ptr %module_out, ptr %err_out) {
// CHECK-NEXT: entry:
// CHECK-NEXT: store ptr null, ptr %module_out
// CHECK-NEXT: store i32 0, ptr %err_out
// CHECK-NEXT: ret void

module attributes {gpu.container_module} {
  llvm.func @flydsl_gpu_module_load_to_device(!llvm.ptr, !llvm.ptr)
  gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, properties = {section = ".code"}, bin = "xyz">]
  llvm.func @main() -> i32 {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %m = llvm.alloca %c1 x !llvm.ptr : (i32) -> !llvm.ptr
    %e = llvm.alloca %c1 x i32 : (i32) -> !llvm.ptr
    llvm.call @flydsl_gpu_module_load_to_device(%m, %e) : (!llvm.ptr, !llvm.ptr) -> ()
    %r = llvm.load %e : !llvm.ptr -> i32
    llvm.return %r : i32
  }
  llvm.func @loop(%p: !llvm.ptr, %h: i16, %s: !llvm.ptr, %c: i1) {
    %c4 = llvm.mlir.constant(4 : i64) : i64
    %c5 = llvm.mlir.constant(5 : i64) : i64
    %c6 = llvm.mlir.constant(6 : i64) : i64
    %c7 = llvm.mlir.constant(7 : i64) : i64
    %c8 = llvm.mlir.constant(8 : i64) : i64
    %c9 = llvm.mlir.constant(9 : i64) : i64
    llvm.br ^body
  ^body:
    gpu.launch_func <%s : !llvm.ptr> @a::@k blocks in (%c4, %c5, %c6) threads in (%c7, %c8, %c9) : i64 args(%p : !llvm.ptr, %h : i16)
    llvm.cond_br %c, ^body, ^end
  ^end:
    llvm.return
  }
  llvm.func @clusters(%n: i32, %lds: i32) {
    gpu.launch_func @a::@k clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n) : i32 dynamic_shared_memory_size %lds
    llvm.return
  }
}

//--- assembly.mlir

// Text is compiled when it is loaded, and ends with a NUL.
// CHECK: @a_binary = internal constant [4 x i8] c"xyz\00", align 8
// CHECK: call ptr @mgpuModuleLoadJIT(ptr @a_binary, i32 3)
gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, properties = {O = 3 : i32}, assembly = "xyz">]

//--- empty.mlir

// No bytes: the runtime will not load them, and the host is told.
// CHECK: @a_binary = internal constant [0 x i8] zeroinitializer, align 8
// CHECK: call ptr @mgpuModuleLoad(ptr @a_binary, i64 0)
gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "">]

//--- several.mlir

// CHECK: warning: #fly.explicit_module embeds the first of 2 objects, for #rocdl.target<chip = "gfx942">
// CHECK: @a_binary = internal constant [1 x i8] c"x"
gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">, #gpu.object<#rocdl.target<chip = "gfx950">, bin = "yz">]

//--- beside.mlir

// A second binary may have MLIR's own handler.
// CHECK-DAG: @a_binary = internal constant [1 x i8] c"x"
// CHECK-DAG: c"yz"
// CHECK-LABEL: define void @both(
// CHECK: call ptr @mgpuModuleGetFunction(ptr %module, ptr @a_k_name)
// CHECK: call void @mgpuLaunchKernel(
// CHECK: call void @mgpuLaunchKernel(
module attributes {gpu.container_module} {
  gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">]
  gpu.binary @b [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "yz">]
  llvm.func @both(%n: i64) {
    gpu.launch_func @a::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    gpu.launch_func @b::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    llvm.return
  }
}

//--- names.mlir

// No variable with the name of a kernel is another's: not that of a kernel of
// MLIR's handler, before or after, nor the host's.
// CHECK-DAG: @a_l_name = {{.*}}c"other\00"
// CHECK-DAG: @[[BK:a_b_k_name.explicit]] = private unnamed_addr constant [4 x i8] c"b_k\00"
// CHECK-DAG: @[[K:a_b_k_name]] = private unnamed_addr constant [2 x i8] c"k\00"
// CHECK-DAG: @[[L:a_l_name[.0-9]+]] = private unnamed_addr constant [2 x i8] c"l\00"
// CHECK-DAG: @a_w_name = weak constant [2 x i8] c"w\00"
// CHECK-DAG: @[[W:a_w_name[.0-9]+]] = private unnamed_addr constant [2 x i8] c"w\00"
// CHECK-LABEL: define void @names(
// CHECK: @mgpuModuleGetFunction(ptr %{{.*}}, ptr @[[BK]])
// CHECK: @mgpuModuleGetFunction(ptr %{{.*}}, ptr @[[K]])
// CHECK: @mgpuModuleGetFunction(ptr %{{.*}}, ptr @[[BK]])
// CHECK: @mgpuModuleGetFunction(ptr %{{.*}}, ptr @[[L]])
// CHECK: @mgpuModuleGetFunction(ptr %{{.*}}, ptr @[[W]])
module attributes {gpu.container_module} {
  llvm.mlir.global private unnamed_addr constant @a_l_name("other\00")
  llvm.mlir.global weak constant @a_w_name("w\00")
  gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">]
  gpu.binary @a_b [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "yz">]
  llvm.func @names(%n: i64) {
    gpu.launch_func @a::@b_k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    gpu.launch_func @a_b::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    gpu.launch_func @a::@b_k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    gpu.launch_func @a::@l blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    gpu.launch_func @a::@w blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    llvm.return
  }
}

//--- declared.mlir

// What the host's declarations say is no promise of the bodies.
// CHECK-DAG: define void @flydsl_gpu_module_init(ptr %module_out, ptr %err_out) {
// CHECK-DAG: define void @flydsl_gpu_module_load_to_device(ptr %module_out, ptr %err_out) {
llvm.func extern_weak @flydsl_gpu_module_init(!llvm.ptr, !llvm.ptr)
llvm.func @flydsl_gpu_module_load_to_device(!llvm.ptr {llvm.readonly}, !llvm.ptr {llvm.byval = i32}) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>}
gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">]

//--- streams.mlir

// A stream of the host reaches the launch: as the async object, as the token
// that it stands behind, as a token that the host was given. None is made,
// waited for or destroyed.
// CHECK-LABEL: define void @object(
// CHECK-SAME: ptr %[[S:[0-9]+]])
// CHECK: call void @mgpuLaunchKernel({{.*}}, i32 0, ptr %[[S]], ptr
// CHECK-LABEL: define void @behind_a_token(
// CHECK-SAME: ptr %[[S:[0-9]+]])
// CHECK: call void @mgpuLaunchKernel({{.*}}, i32 0, ptr %[[S]], ptr
// CHECK: call void @mgpuLaunchKernel({{.*}}, i32 0, ptr %[[S]], ptr
// CHECK-LABEL: define void @token(
// CHECK-SAME: ptr %[[S:[0-9]+]])
// CHECK: call void @mgpuLaunchClusterKernel({{.*}}, i32 0, ptr %[[S]], ptr
// CHECK-LABEL: define void @chain(
// CHECK-SAME: ptr %[[S:[0-9]+]])
// CHECK: call void @mgpuLaunchKernel({{.*}}, i32 0, ptr %[[S]], ptr
// CHECK: call void @mgpuLaunchKernel({{.*}}, i32 0, ptr %[[S]], ptr
// CHECK: call void @mgpuLaunchKernel({{.*}}, i32 0, ptr %[[S]], ptr
// CHECK-LABEL: define void @none(
// CHECK: call void @mgpuLaunchKernel({{.*}}, i32 0, ptr null, ptr
module attributes {gpu.container_module} {
  gpu.module @a <#fly.explicit_module> {
    gpu.func @k(%p: !fly.ptr<f32, global>) kernel { gpu.return }
  }
  func.func @object(%p: !fly.ptr<f32, global>, %s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    gpu.launch_func <%s : !llvm.ptr> @a::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !fly.ptr<f32, global>)
    return
  }
  func.func @behind_a_token(%p: !fly.ptr<f32, global>, %s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    %t = builtin.unrealized_conversion_cast %s : !llvm.ptr to !gpu.async.token
    gpu.launch_func [%t] @a::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !fly.ptr<f32, global>)
    %v = builtin.unrealized_conversion_cast %s : !llvm.ptr to !gpu.async.token
    %u = gpu.launch_func async [%v] @a::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !fly.ptr<f32, global>)
    return
  }
  func.func @token(%p: !fly.ptr<f32, global>, %t: !gpu.async.token) {
    %c1 = arith.constant 1 : index
    gpu.launch_func [%t] @a::@k clusters in (%c1, %c1, %c1) blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !fly.ptr<f32, global>)
    return
  }
  func.func @chain(%p: !fly.ptr<f32, global>, %s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    %t = gpu.launch_func async <%s : !llvm.ptr> @a::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !fly.ptr<f32, global>)
    %u = gpu.launch_func async [%t] @a::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !fly.ptr<f32, global>)
    gpu.launch_func [%u] @a::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !fly.ptr<f32, global>)
    return
  }
  func.func @none(%p: !fly.ptr<f32, global>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @a::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !fly.ptr<f32, global>)
    return
  }
}
