// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-resolve-target{target=gfx942:xnack-:sramecc+})' | FileCheck %s
// RUN: %mlir-opt-fly %s --pass-pipeline='builtin.module(fly-resolve-target{target=gfx942:xnack-:sramecc+})' | FileCheck %s

// A second run finds its own attribute and changes nothing.
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-resolve-target{target=gfx942:xnack-:sramecc+})' -o %t.once
// RUN: %fly-opt %t.once --pass-pipeline='builtin.module(fly-resolve-target)' | diff %t.once -

// Wave, mode and version have options of their own; defaults are not printed.
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-resolve-target{target=gfx1100 wave=64 cumode=true abi=500})' | FileCheck %s --check-prefix=FIELDS
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-resolve-target{target=gfx1100 wave=32 cumode=false abi=600})' | FileCheck %s --check-prefix=PLAIN

// CHECK: module attributes {fly.target = #fly.target<"gfx942:sramecc+:xnack-">}
// CHECK: gpu.module @a attributes {fly.target = #fly.target<"gfx942:sramecc+:xnack-">}
// CHECK: gpu.module @b attributes {fly.target = #fly.target<"gfx942:sramecc+:xnack-">}

// FIELDS: #fly.target<"gfx1100", wave = 64, cumode = true, abi = 500>
// PLAIN: gpu.module @a attributes {fly.target = #fly.target<"gfx1100">}

gpu.module @a {
}
gpu.module @b {
}
