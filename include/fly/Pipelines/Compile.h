// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of one compile, for everyone who compiles: the pass `fly-to-binary`
// and fly-compile. In goes a unit (a gpu.module, one of its targets, the
// options that hold); out comes a GPU object that carries its key. The law:
// what is hashed is what is compiled, and nothing but the unit decides it.
//
//   FailureOr<CacheKey> key = unitKey(unit, environment);
//   OwningOpRef<ModuleOp> clone = canonicalClone(unit);
//   lowerUnit(*clone, unit);                       // or in a pass: runPipeline
//   FailureOr<gpu::ObjectAttr> object =
//       serializeUnit(*clone, unit, *key, CodeFormat::Object, environment);

#ifndef FLY_PIPELINES_COMPILE_H
#define FLY_PIPELINES_COMPILE_H

#include "fly/Analysis/CacheKey.h"
#include "fly/CodeGen/Serializer.h"
#include "fly/Pipelines/Lowering.h"

namespace mlir::fly {

/// The key of `unit`; emits the diagnostics of its derivation.
FailureOr<CacheKey> unitKey(const CompileUnit &unit,
                            const KeyEnvironment &environment);

/// A module that holds the canonical form of the unit's gpu.module and nothing
/// else; null after a diagnostic.
OwningOpRef<ModuleOp> canonicalClone(const CompileUnit &unit);

/// What the lowering of `unit` depends on.
LoweringOptions loweringOptionsOf(const CompileUnit &unit);

/// Lowers a canonical clone that is not nested in another op.
LogicalResult lowerUnit(ModuleOp clone, const CompileUnit &unit);

/// Serialises a lowered clone into a `#gpu.object` with the key (and, in code
/// objects, the table of its kernels) in it.
FailureOr<gpu::ObjectAttr> serializeUnit(ModuleOp clone,
                                         const CompileUnit &unit,
                                         const CacheKey &key, CodeFormat format,
                                         const KeyEnvironment &environment);

} // namespace mlir::fly

#endif // FLY_PIPELINES_COMPILE_H
