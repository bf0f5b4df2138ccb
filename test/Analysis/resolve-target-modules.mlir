// Modules that disagree keep their own targets, and the module around them says
// nothing. Several #rocdl.target are a fat build.

// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-resolve-target)' | FileCheck %s

// CHECK-NOT: module attributes
// CHECK: gpu.module @a attributes {fly.target = #fly.target<"gfx942">}
// CHECK: gpu.module @b [#rocdl.target<chip = "gfx1100", features = "+wavefrontsize64", flags = {no_wave64}>]
// CHECK-SAME: attributes {fly.target = #fly.target<"gfx1100", wave = 64>}
// CHECK: gpu.module @c
// CHECK-SAME: attributes {fly.target = [#fly.target<"gfx942:xnack-">, #fly.target<"gfx950">]}

gpu.module @a attributes {fly.target = #fly.target<"gfx942">} {
}
gpu.module @b [#rocdl.target<chip = "gfx1100", features = "+wavefrontsize64", flags = {no_wave64}>] {
}
gpu.module @c [#rocdl.target<chip = "gfx950">, #rocdl.target<chip = "gfx942", features = "-xnack">] {
}
