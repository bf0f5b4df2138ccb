// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One place that makes everything of this project known to MLIR, for every
// program that hosts it: fly-opt, the plugin, fly-compile, the bindings. The
// law: what one host registers, all do.
//
//   mlir::DialectRegistry registry;
//   mlir::fly::registerDialects(registry);
//   mlir::fly::registerPasses();

#ifndef FLY_PIPELINES_REGISTRATION_H
#define FLY_PIPELINES_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::fly {

/// Adds our dialects, their external interface models, and the translation of
/// lowered kernels to LLVM IR to `registry`.
void registerDialects(DialectRegistry &registry);

/// Adds our passes and named pipelines to MLIR's global pass registry.
void registerPasses();

/// Leaves the options that LLVM has registered by now to --help-hidden; they
/// are accepted as before. To be called before our own are registered.
void hideLLVMOptions();

} // namespace mlir::fly

#endif // FLY_PIPELINES_REGISTRATION_H
