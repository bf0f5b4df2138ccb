// fly-compile writes what is asked for, says key and target in one line, and
// agrees with the pass fly-to-binary.
//
// RUN: %fly-compile %s --target=gfx942 -o %t.hsaco 2> %t.said
// RUN: FileCheck %s --check-prefix=SAID < %t.said
// RUN: llvm-readelf --file-header %t.hsaco | FileCheck %s --check-prefix=ELF
// RUN: %fly-compile - --target=gfx942 -q -o - < %s > %t.again
// RUN: cmp %t.hsaco %t.again
//
// SAID: key fly1-{{[0-9a-f]+}}, target gfx942 from --target
// SAID-NOT: {{.}}
// ELF: Type: {{.*}}Shared object file
// ELF: Flags: {{.*}}gfx942
//
// RUN: %fly-compile %s --target=gfx942 --emit=asm -q | FileCheck %s --check-prefix=ASM
// ASM: .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
// ASM: s_endpgm
//
// RUN: %fly-compile %s --target=gfx942 --emit=llvm -q | FileCheck %s --check-prefix=LLVM
// LLVM: define amdgpu_kernel void @k(
//
// RUN: %fly-compile %s --target=gfx942 --emit=mlir -q | FileCheck %s --check-prefix=MLIR
// MLIR: gpu.module @
// MLIR: llvm.func @k(
//
// The key on its own is the one that the pass puts beside the object.
// RUN: %fly-compile %s --target=gfx942 --emit=key -q > %t.key
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942})' \
// RUN:   | grep -o 'fly1-[0-9a-f]*' > %t.passkey
// RUN: diff %t.key %t.passkey
// RUN: env FLY_TARGET=GFX942 %fly-compile %s --emit=key -q | diff %t.key -
// RUN: %fly-compile %s --target=gfx942 -O2 --emit=key -q | diff %t.key -
// RUN: %fly-compile %s --target=gfx950 --emit=key -q > %t.other
// RUN: not diff %t.key %t.other
//
// RUN: %fly-compile %s --target=gfx942 --emit=key --explain 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: --target
// EXPLAIN: codegen
// EXPLAIN: toolchain
gpu.module @m {
  gpu.func @k(%dst: !llvm.ptr<1>, %x: f32) kernel {
    llvm.store %x, %dst : f32, !llvm.ptr<1>
    gpu.return
  }
}
