// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The complete lowering: a module with one or more gpu.modules in Fly IR (and
// arith, scf, vector, gpu ...) goes in, the same gpu.modules in the LLVM and
// ROCDL dialects come out, ready for the serialiser. This file alone orders
// passes. Registered as the pipeline `fly-lower`:
//
//   fly-opt k.mlir --pass-pipeline='builtin.module(fly-lower{chip=gfx942})'
//
// Host functions are left as they are.

#ifndef FLY_PIPELINES_LOWERING_H
#define FLY_PIPELINES_LOWERING_H

#include "fly/Analysis/Options.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::fly {

/// What the lowering depends on besides the module.
struct LoweringOptions {
  /// The processor, numbered or generic, by its canonical name.
  std::string chip;
  /// What of the locations becomes debug information.
  DebugKind debug = DebugKind::None;
};

/// Appends the passes of the lowering to `passes`, which is anchored on
/// builtin.module. Fails with the reason when the processor is unknown.
llvm::Error buildLoweringPipeline(OpPassManager &passes,
                                  const LoweringOptions &options);

/// The textual form of the lowering with every option spelled; what the key
/// records as component `pipeline`.
llvm::Expected<std::string>
loweringPipelineText(const LoweringOptions &options);

/// What becomes of the host's half when its kernels have been compiled.
enum class HostForm {
  Keep, ///< as it was given
  Bare, ///< without fly types and ops, in func, gpu and llvm
  LLVM, ///< in the LLVM dialect, launches as calls of the runtime
};

/// Appends what brings a module without gpu.modules into such a form; anchored
/// on builtin.module.
void buildHostPipeline(OpPassManager &passes, HostForm form);

/// Registers `fly-lower`.
void registerLoweringPipeline();

} // namespace mlir::fly

#endif // FLY_PIPELINES_LOWERING_H
