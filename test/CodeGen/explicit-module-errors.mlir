// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What #fly.explicit_module refuses to translate. The second error is MLIR's own.
//
// RUN: %fly-translate --mlir-to-llvmir %s -split-input-file -verify-diagnostics

// expected-note @below {{the first is @a}}
gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">]
// expected-error @below {{a host module holds one gpu.binary with #fly.explicit_module, which defines 'flydsl_gpu_module_init'; @b is a second one}}
// expected-error @below {{LLVM Translation failed for operation}}
gpu.binary @b <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "y">]

// -----

// expected-error @below {{#fly.explicit_module defines 'flydsl_gpu_module_load_to_device', and so does the host}}
// expected-error @below {{LLVM Translation failed for operation}}
gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">]
// expected-note @below {{the host's function}}
llvm.func @flydsl_gpu_module_load_to_device(%m: !llvm.ptr, %e: !llvm.ptr) {
  llvm.return
}

// -----

// expected-error @below {{expected the host's function 'flydsl_gpu_module_init' to be 'void (ptr, ptr)', found 'i32 (ptr)'}}
// expected-error @below {{LLVM Translation failed for operation}}
gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">]
llvm.func @flydsl_gpu_module_init(!llvm.ptr) -> i32

// -----

// expected-error @below {{expected the host's symbol 'mgpuModuleLoad' to be a function, found a variable}}
// expected-error @below {{LLVM Translation failed for operation}}
gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">]
llvm.mlir.global external @mgpuModuleLoad(0 : i32) : i32

// -----

// expected-error @below {{#fly.explicit_module defines 'a_module', and so does the host}}
// expected-error @below {{LLVM Translation failed for operation}}
gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">]
llvm.mlir.global external @a_module(0 : i32) : i32

// -----

// expected-error @below {{expected property 'O' of the object to be an integer of 32 bits, found "fast"}}
// expected-error @below {{LLVM Translation failed for operation}}
gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, properties = {O = "fast"}, assembly = "x">]

// -----

// expected-error @below {{expected property 'O' of the object to be an integer of 32 bits, found 5000000000 : i64}}
// expected-error @below {{LLVM Translation failed for operation}}
gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, properties = {O = 5000000000 : i64}, assembly = "x">]

// -----

module attributes {gpu.container_module} {
  // expected-note @below {{the binary}}
  gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, kernels = #gpu.kernel_table<[#gpu.kernel_metadata<"k", () -> ()>]>, bin = "x">]
  llvm.func @other_kernel(%n: i64) {
    gpu.launch_func @a::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    // expected-error @below {{binary @a has no kernel @gone}}
    // expected-error @below {{LLVM Translation failed for operation}}
    gpu.launch_func @a::@gone blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    llvm.return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">]
  llvm.func @no_pointer(%n: i64) {
    // expected-error @below {{expected the stream of the launch as a pointer, found 'i64'}}
    // expected-error @below {{LLVM Translation failed for operation}}
    gpu.launch_func <%n : i64> @a::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    llvm.return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">]
  llvm.func @own_runtime(%n: i64) {
    // expected-error @below {{expected the host's function 'mgpuModuleGetFunction' to be 'ptr (ptr, ptr)', found 'void ()'}}
    // expected-error @below {{LLVM Translation failed for operation}}
    gpu.launch_func @a::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    llvm.return
  }
  llvm.func @mgpuModuleGetFunction()
}

// -----

module attributes {gpu.container_module} {
  gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "x">]
  llvm.func @no_c_string(%n: i64) {
    // expected-error @below {{the runtime finds kernels by C strings: expected a kernel name without a NUL byte}}
    // expected-error @below {{LLVM Translation failed for operation}}
    gpu.launch_func @a::@"k\00l" blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
    llvm.return
  }
}
