// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FlyPlugin.so: the dialects, passes and pipelines of this project for the
// stock mlir-opt of the LLVM that it was built with. The law: the plugin
// exports the two functions below and nothing else, and names neither libMLIR
// nor libLLVM as a library that it needs: it uses the copy of its host, and a
// host without one refuses to load it.
//
//   mlir-opt --load-dialect-plugin=FlyPlugin.so \
//     --load-pass-plugin=FlyPlugin.so k.mlir \
//     --pass-pipeline='builtin.module(fly-to-binary{target=gfx942})'

#include "fly/Pipelines/Registration.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Compiler.h"

static constexpr char pluginName[] = "Fly";

/// Entry point that mlir-opt looks for after --load-dialect-plugin.
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT ::mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, pluginName, FLY_VERSION,
          [](mlir::DialectRegistry *registry) {
            mlir::fly::registerDialects(*registry);
          }};
}

/// Entry point that mlir-opt looks for after --load-pass-plugin.
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT ::mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, pluginName, FLY_VERSION,
          [] { mlir::fly::registerPasses(); }};
}
