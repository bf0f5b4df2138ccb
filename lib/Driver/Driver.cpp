// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements runCompile as a chain of steps that each hand on a value or an
// exit status: read, parse, resolve, derive the key, compile, write. The target
// is resolved once; what the pass fly-to-binary does with a unit is done here
// with the same functions (Pipelines/Compile.h).

#include "fly/Driver/Driver.h"

#include "fly/Support/Files.h"

#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Registration.h"

#include "mlir/IR/AsmState.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::fly;

namespace {
/// What a resolved input is: one unit, and the report of its target.
struct ResolvedInput {
  CompileUnit unit;
  ::fly::amdgpu::Resolution resolution;
};
} // namespace

/// The gpu.module of the input; null after a diagnostic when there is not
/// exactly one.
static gpu::GPUModuleOp onlyGPUModule(ModuleOp module) {
  std::vector<gpu::GPUModuleOp> found = gpuModulesOf(module);
  if (found.size() == 1)
    return found.front();
  InFlightDiagnostic diagnostic =
      emitError(module.getLoc(), "expected one gpu.module, found ");
  if (found.empty())
    diagnostic << "none";
  else
    diagnostic << found.size();
  for (gpu::GPUModuleOp gpuModule : found)
    diagnostic.attachNote(gpuModule.getLoc())
        << "gpu.module @" << gpuModule.getName();
  return nullptr;
}

/// Resolves the one target of `module`. Answers an exit status.
static int resolveUnit(gpu::GPUModuleOp module, const CompileOptions &options,
                       const KeyEnvironment &environment,
                       ResolvedInput &input) {
  FailureOr<::fly::amdgpu::Resolution> resolution =
      resolveTarget(module, options.resolve, environment.environment());
  if (failed(resolution))
    return ExitNoTarget;
  if (resolution->targets.size() != 1) {
    InFlightDiagnostic diagnostic =
        emitError(module.getLoc(), "expected one target, found ")
        << resolution->targets.size() << ":";
    for (const ::fly::amdgpu::Target &target : resolution->targets)
      diagnostic << " " << target.id();
    return ExitRefused;
  }
  FailureOr<CodegenOptions> effective = effectiveOptions(
      module, resolution->target(), options, environment.environment());
  if (failed(effective))
    return ExitRefused;
  input.unit = {module, resolution->target(), std::move(*effective)};
  input.resolution = std::move(*resolution);
  return ExitSuccess;
}

static CodeFormat formatOf(EmitKind emit) {
  switch (emit) {
  case EmitKind::Assembly:
    return CodeFormat::Assembly;
  case EmitKind::LLVMIR:
    return CodeFormat::LLVMIR;
  default:
    return CodeFormat::Object;
  }
}

/// The bytes of the output.
static FailureOr<std::string> compileTo(EmitKind emit, const CompileUnit &unit,
                                        const CacheKey &key,
                                        const KeyEnvironment &environment) {
  if (emit == EmitKind::Key)
    return key.text() + "\n";
  OwningOpRef<ModuleOp> clone = canonicalClone(unit);
  if (!clone || failed(lowerUnit(*clone, unit)))
    return failure();
  if (emit == EmitKind::MLIR) {
    std::string text;
    llvm::raw_string_ostream os(text);
    clone->print(os, OpPrintingFlags().useLocalScope());
    os << "\n";
    return os.str();
  }
  FailureOr<gpu::ObjectAttr> object =
      serializeUnit(*clone, unit, key, formatOf(emit), environment);
  if (failed(object))
    return failure();
  return object->getObject().str();
}

/// Writes `bytes` so that a reader sees the whole file or none.
static int writeOutput(llvm::StringRef path, llvm::StringRef bytes,
                       llvm::raw_ostream &messages) {
  llvm::Error error =
      ::fly::support::writeFile(path, [&](llvm::raw_ostream &os) {
        os << bytes;
        return llvm::Error::success();
      });
  if (!error)
    return ExitSuccess;
  messages << "error: cannot write '" << path
           << "': " << llvm::toString(std::move(error)) << "\n";
  return ExitUsage;
}

static void sayWhatItIs(const ResolvedInput &input, const CacheKey &key,
                        const CompileRequest &request,
                        llvm::raw_ostream &messages) {
  if (!request.quiet)
    messages << "key " << key.text() << ", target " << input.unit.target.id()
             << " from " << StringRef(input.resolution.source).rtrim('=')
             << "\n";
  if (request.explain)
    messages << input.resolution.reportText() << key.explain();
}

/// Compiles the module that `buffer` holds.
static int compileBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer,
                         const CompileRequest &request,
                         llvm::raw_ostream &messages) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context, messages);

  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return ExitRefused;
  gpu::GPUModuleOp gpuModule = onlyGPUModule(*module);
  if (!gpuModule)
    return ExitRefused;
  KeyEnvironment environment;
  ResolvedInput input;
  if (int status = resolveUnit(gpuModule, request.options, environment, input))
    return status;
  FailureOr<CacheKey> key = unitKey(input.unit, environment);
  if (failed(key))
    return ExitRefused;
  sayWhatItIs(input, *key, request, messages);
  FailureOr<std::string> bytes =
      compileTo(request.emit, input.unit, *key, environment);
  if (failed(bytes))
    return ExitRefused;
  return writeOutput(request.outputPath, *bytes, messages);
}

int mlir::fly::runCompile(const CompileRequest &request,
                          llvm::raw_ostream &messages) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(request.inputPath);
  if (std::error_code error = buffer.getError()) {
    messages << "error: cannot read '" << request.inputPath
             << "': " << error.message() << "\n";
    return ExitUsage;
  }
  return compileBuffer(std::move(*buffer), request, messages);
}
