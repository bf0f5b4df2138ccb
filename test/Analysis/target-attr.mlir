// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s
// RUN: %mlir-opt-fly %s | FileCheck %s

// Each target has one text: defaults are not printed, features are in
// alphabetical order.

// CHECK-LABEL: @defaults
// CHECK-SAME: #fly.target<"gfx942">}
gpu.module @defaults attributes {fly.target = #fly.target<"gfx942", wave = 64, cumode = false, abi = 600>} {
}
// CHECK-LABEL: @features_in_any_order
// CHECK-SAME: #fly.target<"gfx942:sramecc+:xnack-">}
gpu.module @features_in_any_order attributes {fly.target = #fly.target<"gfx942:xnack-:sramecc+">} {
}
// CHECK-LABEL: @wave
// CHECK-SAME: #fly.target<"gfx1100", wave = 64>}
gpu.module @wave attributes {fly.target = #fly.target<"gfx1100", wave = 64>} {
}
// CHECK-LABEL: @alias
// CHECK-SAME: #fly.target<"gfx600">}
gpu.module @alias attributes {fly.target = #fly.target<"tahiti">} {
}
// CHECK-LABEL: @generic
// CHECK-SAME: #fly.target<"gfx11-generic", cumode = true, abi = 500>}
gpu.module @generic attributes {fly.target = #fly.target<"gfx11-generic", abi = 500, cumode = true>} {
}
