// The lowering takes kernels to the LLVM and ROCDL dialects and leaves host
// functions alone, in both hosts of the passes.
//
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-lower{chip=gfx942})' \
// RUN:   | FileCheck %s
// RUN: %mlir-opt-fly %s --pass-pipeline='builtin.module(fly-lower{chip=gfx942})' \
// RUN:   | FileCheck %s
//
// A generic processor is lowered as the numbered one that stands for it.
// RUN: %fly-opt %s \
// RUN:   --pass-pipeline='builtin.module(fly-lower{chip=gfx11-generic})' \
// RUN:   | FileCheck %s
//
// RUN: not %fly-opt %s \
// RUN:   --pass-pipeline='builtin.module(fly-lower{chip=gfx940})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %fly-opt %s --fly-lower 2>&1 | FileCheck %s --check-prefix=NONE
//
// UNKNOWN: lower.mlir:{{.*}}: error: fly-lower: expected a processor such as 'gfx942', found 'gfx940'
// NONE: lower.mlir:{{.*}}: error: fly-lower: expected a processor, found none; give one as --fly-lower=target=gfx942 or fly-lower{target=gfx942}
//
// A target ID names the processor as well; two different ones are refused.
// RUN: %fly-opt %s --fly-lower=target=gfx942:xnack- | FileCheck %s
// The name of the specification does the same.
// RUN: %fly-opt %s --fly-lower-to-rocdl=target=gfx942 | FileCheck %s
// RUN: not %fly-opt %s --fly-lower='target=gfx942 chip=gfx950' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BOTH
// RUN: not %fly-opt %s --fly-lower=target=gfx942:xnak- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TARGET
// BOTH: error: fly-lower: expected one processor, found target=gfx942 and chip=gfx950
// TARGET: lower.mlir:{{.*}}: error: fly-lower: {{.*}}xnak

// CHECK-LABEL: gpu.module @kernels
gpu.module @kernels {
  // CHECK: llvm.func @copy_inside(%[[SRC:.*]]: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %[[N:.*]]: i32)
  // CHECK-SAME: gpu.kernel
  // CHECK-SAME: rocdl.flat_work_group_size = "64,64"
  // CHECK-SAME: rocdl.kernel
  gpu.func @copy_inside(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %n: i32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    // CHECK: rocdl.workitem.id.x
    // CHECK: %[[INSIDE:.*]] = llvm.icmp "slt" %{{.*}}, %[[N]]
    // CHECK: llvm.cond_br %[[INSIDE]]
    // CHECK: llvm.getelementptr %[[SRC]]
    %tid = gpu.thread_id x
    %i = arith.index_cast %tid : index to i32
    %inside = arith.cmpi slt, %i, %n : i32
    scf.if %inside {
      %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %p : !llvm.ptr<1> -> f32
      llvm.store %v, %q : f32, !llvm.ptr<1>
    }
    // CHECK: llvm.return
    gpu.return
  }
}
