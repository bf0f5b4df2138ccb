// Each gpu.module becomes a gpu.binary of its name with the linked code object,
// its key and the table of its kernels; the host side stays as it is; both
// hosts of the passes give the same bytes and the same key.
//
// RUN: %fly-opt %s \
// RUN:   --pass-pipeline='builtin.module(fly-to-binary{target=gfx942})' > %t.1
// RUN: %mlir-opt-fly %s \
// RUN:   --pass-pipeline='builtin.module(fly-to-binary{target=gfx942})' > %t.2
// RUN: FileCheck %s < %t.1
// RUN: diff %t.1 %t.2
//
// Nothing is looked for outside: no ROCm root, no PATH.
// RUN: env ROCM_PATH=/nonexistent PATH= %fly-opt %s \
// RUN:   --pass-pipeline='builtin.module(fly-to-binary{target=gfx942})' > %t.3
// RUN: diff %t.1 %t.3

// CHECK-LABEL: gpu.container_module
module attributes {gpu.container_module} {
  // CHECK: gpu.binary @first {{.*}}#gpu.object<#rocdl.target<chip = "gfx942">
  // CHECK-SAME: properties = {fly.cache_key = "fly1-[[KEY:[0-9a-f]+]]"}
  // CHECK-SAME: #gpu.kernel_metadata<"copy"
  // CHECK-SAME: bin = "\7FELF
  gpu.module @first {
    gpu.func @copy(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) kernel {
      %tid = gpu.thread_id x
      %i = arith.index_cast %tid : index to i32
      %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %p : !llvm.ptr<1> -> f32
      llvm.store %v, %q : f32, !llvm.ptr<1>
      gpu.return
    }
  }

  // The same content under another name has the same key.
  // CHECK: gpu.binary @second {{.*}}#gpu.object<
  // CHECK-SAME: properties = {fly.cache_key = "fly1-[[KEY]]"}
  gpu.module @second {
    gpu.func @copy(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) kernel {
      %tid = gpu.thread_id x
      %i = arith.index_cast %tid : index to i32
      %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %p : !llvm.ptr<1> -> f32
      llvm.store %v, %q : f32, !llvm.ptr<1>
      gpu.return
    }
  }

  // Nothing else was added to the module.
  // CHECK-NOT: gpu.module
  // CHECK-NOT: llvm.func @
  // CHECK: func.func @host(%[[A:.*]]: !llvm.ptr<1>, %[[B:.*]]: !llvm.ptr<1>)
  // CHECK: gpu.launch_func {{ *}}@first::@copy
  // CHECK-SAME: args(%[[A]] : !llvm.ptr<1>, %[[B]] : !llvm.ptr<1>)
  func.func @host(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @first::@copy blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%a : !llvm.ptr<1>, %b : !llvm.ptr<1>)
    return
  }
}
