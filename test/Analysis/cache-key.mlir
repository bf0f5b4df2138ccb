// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-cache-key{target=gfx942 format=components})' -o /dev/null | FileCheck %s --check-prefix=COMPONENTS
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-cache-key{target=gfx942 format=explain})' -o /dev/null | FileCheck %s --check-prefix=EXPLAIN
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-cache-key{target=gfx942 format=json})' -o /dev/null | FileCheck %s --check-prefix=JSON

// The module is not changed, through either driver.
// RUN: %fly-opt %s -o %t.plain
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-cache-key{target=gfx942})' -o %t.keyed
// RUN: diff %t.plain %t.keyed
// RUN: %mlir-opt-fly %s --pass-pipeline='builtin.module(fly-cache-key{target=gfx942},fly-print-canonical{target=gfx942})' -o %t.keyed
// RUN: diff %t.plain %t.keyed

// The attached key is the printed one, once and again.
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-attach-cache-key{target=gfx942},fly-attach-cache-key{target=gfx942},fly-cache-key{target=gfx942})' | FileCheck %s --check-prefix=ATTACH

// COMPONENTS: {{^}}@kernels gfx942 fly1-{{[0-9a-f]+$}}
// COMPONENTS-NEXT: {{^}}  schema {{[0-9a-f]+$}}
// COMPONENTS-NEXT: {{^}}  target
// COMPONENTS-NEXT: {{^}}  ir
// COMPONENTS-NEXT: {{^}}  pipeline
// COMPONENTS-NEXT: {{^}}  codegen
// COMPONENTS-NEXT: {{^}}  toolchain
// COMPONENTS-NEXT: {{^}}  bitcode
// COMPONENTS-NEXT: {{^}}  inputs
// COMPONENTS-NEXT: {{^}}  salt

// EXPLAIN: schema.schema = fly-key/1
// EXPLAIN: target.chip = gfx942
// EXPLAIN: target.xnack = any
// EXPLAIN: ir.digest = {{[0-9a-f]+$}}
// EXPLAIN: codegen.opt_level = 2
// EXPLAIN: codegen.debug = none
// EXPLAIN: toolchain.fly = {{[0-9a-f]+$}}
// EXPLAIN: toolchain.libLLVM = {{[0-9a-f]+$}}
// EXPLAIN: bitcode = nothing
// EXPLAIN: salt = nothing

// JSON: "key":"fly1-{{[0-9a-f]+}}"
// JSON-SAME: "module":"kernels","schema":"fly-key/1","target":"gfx942"

// ATTACH: @kernels gfx942 [[KEY:fly1-[0-9a-f]+]]
// ATTACH: gpu.module @kernels attributes {fly.cache_key = "[[KEY]]"}

gpu.module @kernels {
  gpu.func @k(%a: i32) kernel {
    %x = arith.addi %a, %a : i32
    gpu.return
  }
}
