// RUN: %fly-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(fly-resolve-target{detect=none})'
// RUN: %mlir-opt-fly %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(fly-resolve-target{detect=none})'

// expected-error@+4 {{no target is given and no GPU was found; say it with target=gfx942 (a processor name), or set FLY_TARGET [FLY-T001]}}
// expected-note@+3 {{tried target= (not given), targets in the module (none), FLY_TARGET (unset)}}
// expected-note@+2 {{tried FLYDSL_GPU_ARCH (unset), ARCH (unset), HSA_OVERRIDE_GFX_VERSION (unset)}}
// expected-note@+1 {{tried device-name= (not given), detection (detect=none)}}
gpu.module @no_source {
}

// -----

// expected-error@+1 {{attribute 'fly.target' must be a #fly.target or an array of them, found "gfx942"}}
gpu.module @not_a_target attributes {fly.target = "gfx942"} {
}

// -----

// expected-error@+1 {{explicit sources of the target disagree: fly.target of @conflict='#fly.target<"gfx942">' (gfx942); #rocdl.target of @conflict='#rocdl.target<chip = "gfx950">' (gfx950); make them agree, or let on-conflict=override take the first [FLY-T005]}}
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

// expected-error@+1 {{unknown processor 'gfx9010' from #rocdl.target: the stepping in a name is hex: gfx90a}}
gpu.module @unknown [#rocdl.target<chip = "gfx9010">] {
}

// -----

// expected-error@+1 {{features '+wavefrontsize32,+wavefrontsize64' of #rocdl.target for gfx1100 ask for two wave sizes (allowed: 32 and 64) [FLY-T004]}}
gpu.module @two_waves [#rocdl.target<chip = "gfx1100", features = "+wavefrontsize32,+wavefrontsize64">] {
}
