// The stock serialiser works in fly-opt too: the translations that it needs are
// registered.
//
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-lower{chip=gfx942},rocdl-attach-target{chip=gfx942},gpu-module-to-binary{format=isa})' \
// RUN:   | FileCheck %s
//
// CHECK: gpu.binary @m [#gpu.object<#rocdl.target<chip = "gfx942">
// CHECK-SAME: s_endpgm
gpu.module @m {
  gpu.func @k() kernel {
    gpu.return
  }
}
