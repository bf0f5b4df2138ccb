// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes around targets and keys. The options that they share stand in
// PassOptions.h: those of a resolution (`target`, `targets`, `wave`, `cumode`, `abi`,
// `detect`, `kfd-root`, `arch-tool`, `device-name`, `allow-default`,
// `feature-policy`, `on-conflict`, `env`, `report`) and those of a compile
// (`opt-level`, `debug`, `hints`, `llvm-options`, `llvm-dir`, `link`, `device-libs`, `inputs`, `salt`,
// `prefix-map`, `require-relocatable`, `allow-opaque`).

#ifndef FLY_ANALYSIS_PASSES_TD
#define FLY_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlyResolveTarget
    : PassBase<"fly-resolve-target", "::mlir::fly::TargetPass"> {
  let summary = "Resolve the compile target and write it into the module";
  let description = [{
    Looks at the sources of a target, strongest first: the option `target`, the
    IR (`fly.target` of the gpu.module, of the module around it, `#rocdl.target`
    in `targets`), the variables `FLY_TARGET`, `FLYDSL_GPU_ARCH` and `ARCH`,
    `HSA_OVERRIDE_GFX_VERSION`, the option `device-name`, the GPUs of the
    machine, and `allow-default`. The outcome is the attribute `fly.target` on
    each gpu.module, and on the module when all agree. Where it came from goes
    into remarks only (`report=json|text` for all of it).

    Explicit sources that disagree are an error, no source at all is one, and
    there is no default. A second run finds its own attribute and changes
    nothing.

    ```mlir
    gpu.module @kernels {}
    // becomes, with target=gfx942:xnack-
    gpu.module @kernels attributes {fly.target = #fly.target<"gfx942:xnack-">} {}
    ```
  }];
  let dependentDialects = ["::mlir::fly::FlyDialect"];
}

def FlyMaterializeROCDLTarget
    : PassBase<"fly-materialize-rocdl-target", "::mlir::fly::CompilePass"> {
  let summary = "Give each gpu.module the #rocdl.target of its target";
  let description = [{
    Resolves the target of each gpu.module as `fly-resolve-target` does and
    replaces the attribute `targets` by the `#rocdl.target` (one for each target
    of a fat build) that upstream's passes read.

    ```mlir
    gpu.module @kernels attributes {fly.target = #fly.target<"gfx1100">} {}
    // becomes
    gpu.module @kernels [#rocdl.target<chip = "gfx1100", flags = {no_wave64}>]
        attributes {fly.target = #fly.target<"gfx1100">} {}
    ```
  }];
  let dependentDialects = ["::mlir::fly::FlyDialect",
                           "::mlir::ROCDL::ROCDLDialect"];
}

def FlyCacheKey : PassBase<"fly-cache-key", "::mlir::fly::CompilePass"> {
  let summary = "Print the key of each gpu.module and target";
  let description = [{
    Derives the key under which the code object of each gpu.module for each of
    its targets is stored, and prints it on standard output: the line
    `@kernels gfx942 fly1-...`, or with `format` the components. The module is
    not changed. The options are those of `fly-to-binary`, and so are the keys.

    ```mlir
    gpu.module @kernels attributes {fly.target = #fly.target<"gfx942">} {}
    ```
  }];
  let options = [
    Option<"format", "format", "::mlir::fly::KeyFormat",
           "::mlir::fly::KeyFormat::Hex", "What is printed of a key",
           [{::llvm::cl::values(
             clEnumValN(::mlir::fly::KeyFormat::Hex, "hex", "The key"),
             clEnumValN(::mlir::fly::KeyFormat::Json, "json",
                        "One line of JSON, schema fly-key/1"),
             clEnumValN(::mlir::fly::KeyFormat::Components, "components",
                        "The key and the digest of each component"),
             clEnumValN(::mlir::fly::KeyFormat::Explain, "explain",
                        "The key and each value that it is made of"))}]>
  ];
  let dependentDialects = ["::mlir::fly::FlyDialect"];
}

def FlyAttachCacheKey
    : PassBase<"fly-attach-cache-key", "::mlir::fly::CompilePass"> {
  let summary = "Write the key of each gpu.module into it";
  let description = [{
    Sets the attribute `fly.cache_key` of each gpu.module to its key, or to an
    array of keys for a fat build, in the order of its targets. The attribute
    does not enter the key.

    ```mlir
    gpu.module @kernels attributes {fly.target = #fly.target<"gfx942">} {}
    ```
  }];
  let dependentDialects = ["::mlir::fly::FlyDialect"];
}

def FlyPrintCanonical
    : PassBase<"fly-print-canonical", "::mlir::fly::CompilePass"> {
  let summary = "Print the canonical form of each gpu.module";
  let description = [{
    Prints on standard output what is hashed and compiled of each gpu.module, as
    text that is stable enough to be compared, after a line with its name, its
    target and the digest. The module is not changed.

    ```mlir
    gpu.module @kernels attributes {fly.target = #fly.target<"gfx942">} {}
    ```
  }];
  let dependentDialects = ["::mlir::fly::FlyDialect"];
}

#endif // FLY_ANALYSIS_PASSES_TD
