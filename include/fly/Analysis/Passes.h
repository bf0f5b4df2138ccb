// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes around targets and keys: constructors and registration.
//
//   registerFlyAnalysisPasses();

#ifndef FLY_ANALYSIS_PASSES_H
#define FLY_ANALYSIS_PASSES_H

#include "fly/Analysis/PassOptions.h"

namespace mlir::fly {

/// How `fly-cache-key` prints a key.
enum class KeyFormat { Hex, Json, Components, Explain };

#define GEN_PASS_DECL
#include "fly/Analysis/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fly/Analysis/Passes.h.inc"

} // namespace mlir::fly

#endif // FLY_ANALYSIS_PASSES_H
