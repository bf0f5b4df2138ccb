// The stock mlir-opt knows our passes and pipelines once it has the plugin, and
// does not without it.
//
// RUN: %mlir-opt-fly --help | FileCheck %s
// RUN: not %mlir-opt %s --pass-pipeline='builtin.module(fly-lower{chip=gfx942})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
//
// CHECK-DAG: --fly-to-binary
// CHECK-DAG: --fly-lower
// WITHOUT: 'fly-lower' does not refer to a registered pass
