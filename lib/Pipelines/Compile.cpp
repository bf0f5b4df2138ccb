// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the steps of one compile. Each is a call into the layer that knows
// it: keys and canonical form in Analysis, passes in Lowering.cpp, bytes in
// CodeGen.

#include "fly/Pipelines/Compile.h"

#include "mlir/Target/LLVM/ROCDL/Utils.h"

using namespace mlir;
using namespace mlir::fly;

FailureOr<CacheKey> mlir::fly::unitKey(const CompileUnit &unit,
                                       const KeyEnvironment &environment) {
  gpu::GPUModuleOp module = unit.module;
  CacheKeyAnalysis analysis(module.getOperation());
  return deriveKey(analysis, unit.target, unit.options, environment);
}

OwningOpRef<ModuleOp> mlir::fly::canonicalClone(const CompileUnit &unit) {
  FailureOr<CanonicalPlan> plan =
      CanonicalPlan::of(unit.module, PlanOptions::of(unit.options));
  if (failed(plan))
    return nullptr;
  OwningOpRef<gpu::GPUModuleOp> clone = plan->materialize();
  if (!clone)
    return nullptr;
  // The location becomes the file of the debug information: the rewritten one.
  OwningOpRef<ModuleOp> holder = ModuleOp::create(clone->getLoc());
  holder->push_back(clone.release());
  return holder;
}

LoweringOptions mlir::fly::loweringOptionsOf(const CompileUnit &unit) {
  return {unit.target.chip, unit.options.debug};
}

LogicalResult mlir::fly::lowerUnit(ModuleOp clone, const CompileUnit &unit) {
  PassManager passes(clone.getContext());
  if (llvm::Error error =
          buildLoweringPipeline(passes, loweringOptionsOf(unit)))
    return emitError(clone.getLoc(), llvm::toString(std::move(error)));
  return passes.run(clone);
}

/// The format as MLIR's attribute names it.
static gpu::CompilationTarget objectFormat(CodeFormat format) {
  switch (format) {
  case CodeFormat::Object:
    return gpu::CompilationTarget::Binary;
  case CodeFormat::Assembly:
    return gpu::CompilationTarget::Assembly;
  case CodeFormat::LLVMIR:
    return gpu::CompilationTarget::Offload;
  }
  llvm_unreachable("all formats are listed");
}

/// Refuses to compile with another LLVM than the one that was asked for.
static LogicalResult checkLoadedLLVM(const CompileUnit &unit,
                                     const KeyEnvironment &environment) {
  gpu::GPUModuleOp module = unit.module;
  llvm::Expected<Toolchain> other = otherLLVM(unit.options, environment);
  if (!other)
    return emitError(module.getLoc(), llvm::toString(other.takeError()));
  if (other->empty())
    return success();
  InFlightDiagnostic diagnostic =
      emitError(module.getLoc())
      << "the LLVM in '" << unit.options.llvmDir
      << "' is not the one that is loaded, and this compiler generates code in "
         "its own process: expected a prefix with the same libLLVM and "
         "libMLIR, found";
  for (const auto &[name, identity] : *other)
    diagnostic << " " << name << " " << StringRef(identity).take_front(12);
  return diagnostic << " [FLY-K005]";
}

FailureOr<gpu::ObjectAttr>
mlir::fly::serializeUnit(ModuleOp clone, const CompileUnit &unit,
                         const CacheKey &key, CodeFormat format,
                         const KeyEnvironment &environment) {
  if (failed(checkLoadedLLVM(unit, environment)))
    return failure();
  auto modules = clone.getOps<gpu::GPUModuleOp>();
  gpu::GPUModuleOp lowered = *modules.begin();
  Builder builder(clone.getContext());
  ROCDL::ROCDLTargetAttr target =
      toROCDL(clone.getContext(), unit.target, unit.options);
  SerializeOptions options;
  options.format = format;
  options.deviceLibraries = unit.options.deviceLibraries;
  options.llvmOptions = unit.options.llvmOptions;
  options.environment = environment.environment();
  options.bitcode = key.find("bitcode");
  FailureOr<CodeBytes> bytes = serializeGPUModule(lowered, target, options);
  if (failed(bytes))
    return failure();
  gpu::KernelTableAttr kernels;
  if (format == CodeFormat::Object)
    kernels = ROCDL::getKernelMetadata(lowered, *bytes);
  return builder.getAttr<gpu::ObjectAttr>(
      target, objectFormat(format),
      builder.getStringAttr(StringRef(bytes->data(), bytes->size())),
      builder.getDictionaryAttr(
          builder.getNamedAttr(keyAttrName, builder.getStringAttr(key.text()))),
      kernels);
}
