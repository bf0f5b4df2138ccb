// lld sets all options of LLVM's command line back when it starts; ours must
// not: the options of the host still hold when the result is printed.
//
// RUN: %fly-opt %s --mlir-print-op-generic \
// RUN:   --mlir-elide-elementsattrs-if-larger=2 \
// RUN:   --pass-pipeline='builtin.module(fly-to-binary{target=gfx942})' \
// RUN:   | FileCheck %s
// RUN: %mlir-opt-fly %s --mlir-print-op-generic \
// RUN:   --mlir-elide-elementsattrs-if-larger=2 \
// RUN:   --pass-pipeline='builtin.module(fly-to-binary{target=gfx942})' \
// RUN:   | FileCheck %s
//
// CHECK: "builtin.module"()
// CHECK: "gpu.binary"()
// CHECK: "func.func"()
// CHECK: dense_resource<__elided__>
gpu.module @m {
  gpu.func @k() kernel {
    gpu.return
  }
}
func.func private @table() attributes {values = dense<[1, 2, 3]> : tensor<3xi32>}
