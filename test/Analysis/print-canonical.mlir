// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-print-canonical{target=gfx942 hints=waves_per_eu=2})' -o /dev/null | FileCheck %s
// RUN: %fly-opt %s --mlir-elide-elementsattrs-if-larger=2 --mlir-print-op-generic --mlir-print-debuginfo --pass-pipeline='builtin.module(fly-print-canonical{target=gfx942 hints=waves_per_eu=2})' -o /dev/null | FileCheck %s

// Kernels by name, then functions, named ones first; private symbols by first
// use; what nothing reaches, an explicit public and the module's name are gone;
// hints are attributes. Options that change printing change nothing here.

// CHECK: // @kernels gfx942 {{[0-9a-f]+}}
// CHECK-NEXT: gpu.module @fly_module {
// P47: hints are attributes of the function before anything is hashed.
// CHECK-NEXT: gpu.func @a() kernel attributes {rocdl.waves_per_eu = 2 : i32} {
// CHECK-NEXT: func.call @__p0
// CHECK: gpu.func @b() kernel
// CHECK: arith.constant dense<[1, 2, 3, 4]>
// CHECK: func.func @named() {
// CHECK: func.func private @__p0() {
// CHECK-NEXT: call @__p1
// CHECK: func.func private @__p1() {
// CHECK-NOT: func.func

gpu.module @kernels {
  func.func private @second() { return }
  func.func public @named() { return }
  gpu.func @b() kernel {
    %x = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
    gpu.return
  }
  func.func private @dead() { return }
  gpu.func @a() kernel {
    func.call @first() : () -> ()
    gpu.return
  }
  func.func private @first() {
    func.call @second() : () -> ()
    return
  }
}
