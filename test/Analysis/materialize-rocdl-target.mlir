// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-materialize-rocdl-target{opt-level=3 hints=fast_fp_math=true})' | FileCheck %s
// RUN: %mlir-opt-fly %s --pass-pipeline='builtin.module(fly-materialize-rocdl-target{opt-level=3 hints=fast_fp_math=true})' | FileCheck %s

// CHECK: gpu.module @features [#rocdl.target<O = 3, chip = "gfx942", features = "+sramecc,-xnack", flags = {fast}>]
gpu.module @features attributes {fly.target = #fly.target<"gfx942:sramecc+:xnack-">} {
}
// CHECK: gpu.module @wave_of_32 [#rocdl.target<O = 3, chip = "gfx1100", flags = {fast, no_wave64}>]
gpu.module @wave_of_32 attributes {fly.target = #fly.target<"gfx1100">} {
}
// CHECK: gpu.module @fields [#rocdl.target<O = 3, chip = "gfx1100", features = "+wavefrontsize64,+cumode", abi = "500", flags = {fast}>]
gpu.module @fields attributes {fly.target = #fly.target<"gfx1100", wave = 64, cumode = true, abi = 500>} {
}
// The target that was there is replaced, not joined.
// CHECK: gpu.module @replaced [#rocdl.target<O = 3, chip = "gfx942", flags = {fast}>]
gpu.module @replaced [#rocdl.target<O = 1, chip = "gfx942">] {
}
