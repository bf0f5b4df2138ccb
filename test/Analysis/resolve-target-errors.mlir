// RUN: %fly-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(fly-resolve-target{detect=none})'
// RUN: %mlir-opt-fly %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(fly-resolve-target{detect=none})'

// expected-error@+1 {{no target is given and no GPU was found; tried target= (not given), targets in the module (none), FLY_TARGET (unset), FLYDSL_GPU_ARCH (unset), ARCH (unset)}}
gpu.module @no_source {
}

// -----

// expected-error@+1 {{attribute 'fly.target' must be a #fly.target or an array of them, found "gfx942"}}
gpu.module @not_a_target attributes {fly.target = "gfx942"} {
}

// -----

// expected-error@+1 {{explicit sources of the target disagree}}
gpu.module @conflict [#rocdl.target<chip = "gfx950">] attributes {fly.target = #fly.target<"gfx942">} {
}

// -----

// expected-error@+1 {{the triple of #rocdl.target contradicts the backend: expected 'amdgcn-amd-amdhsa', found 'amdgcn--amdhsa' [FLY-T009]}}
gpu.module @triple [#rocdl.target<triple = "amdgcn--amdhsa", chip = "gfx942">] {
}

// -----

// expected-error@+1 {{attribute 'llvm.target_triple' contradicts the target: expected "amdgcn-amd-amdhsa", found "nvptx64" [FLY-T009]}}
gpu.module @layout attributes {fly.target = #fly.target<"gfx942">, llvm.target_triple = "nvptx64"} {
}

// -----

// expected-error@+1 {{[FLY-T002]}}
gpu.module @unknown [#rocdl.target<chip = "gfx9010">] {
}

// -----

// expected-error@+1 {{[FLY-T004]}}
gpu.module @two_waves [#rocdl.target<chip = "gfx1100", features = "+wavefrontsize32,+wavefrontsize64">] {
}
