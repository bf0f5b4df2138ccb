// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the pipeline layer; Passes.td describes them.

#ifndef FLY_PIPELINES_PASSES_H
#define FLY_PIPELINES_PASSES_H

#include "fly/Analysis/PassOptions.h"
#include "fly/CodeGen/Serializer.h"
#include "fly/Pipelines/Lowering.h"

#include "mlir/Pass/Pass.h"

namespace mlir::fly {

#define GEN_PASS_DECL
#include "fly/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fly/Pipelines/Passes.h.inc"

} // namespace mlir::fly

#endif // FLY_PIPELINES_PASSES_H
