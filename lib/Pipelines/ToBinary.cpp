// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-to-binary: Passes.td says what it does, Compile.h has its steps.
// Everything is compiled before the module is changed, so that a failure
// leaves it as it was. The clones that are compiled stand inside of the module
// while passes run on them, as MLIR wants it of pipelines that a pass runs.

#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Passes.h"

#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::fly {
#define GEN_PASS_DEF_FLYTOBINARY
#include "fly/Pipelines/Passes.h.inc"
} // namespace mlir::fly

using namespace mlir;
using namespace mlir::fly;

namespace {
struct ToBinary : mlir::fly::impl::FlyToBinaryBase<ToBinary> {
  using FlyToBinaryBase::FlyToBinaryBase;

  void getDependentDialects(DialectRegistry &registry) const override;
  void runOnOperation() override;

private:
  FailureOr<gpu::ObjectAttr> compile(const CompileUnit &unit,
                                     const KeyEnvironment &environment);
};
} // namespace

void ToBinary::getDependentDialects(DialectRegistry &registry) const {
  // The passes of the pipeline do not depend on the processor.
  OpPassManager passes(ModuleOp::getOperationName());
  llvm::cantFail(buildLoweringPipeline(passes, {"gfx942", DebugKind::Full}));
  buildHostPipeline(passes, HostForm::LLVM);
  passes.getDependentDialects(registry);
  registry.insert<ROCDL::ROCDLDialect, gpu::GPUDialect>();
  registerCodeGenInterfaces(registry);
}

/// Whether something below an op is of the dialects that are lowered.
static bool mentionsFly(Operation *root) {
  auto isFly = [](Type type) {
    return isa<FlyDialect, fly_rocdl::FlyROCDLDialect>(type.getDialect());
  };
  return root
      ->walk([&](Operation *op) {
        bool found = isa_and_present<FlyDialect, fly_rocdl::FlyROCDLDialect>(
                         op->getDialect()) ||
                     llvm::any_of(op->getOperandTypes(), isFly) ||
                     llvm::any_of(op->getResultTypes(), isFly);
        if (auto function = dyn_cast<FunctionOpInterface>(op))
          found |= llvm::any_of(function.getArgumentTypes(), isFly) ||
                   llvm::any_of(function.getResultTypes(), isFly);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<gpu::ObjectAttr>
ToBinary::compile(const CompileUnit &unit, const KeyEnvironment &environment) {
  FailureOr<CacheKey> key = unitKey(unit, environment);
  if (failed(key))
    return failure();
  OwningOpRef<ModuleOp> clone = canonicalClone(unit);
  if (!clone)
    return failure();
  OpPassManager passes(ModuleOp::getOperationName());
  if (llvm::Error error =
          buildLoweringPipeline(passes, loweringOptionsOf(unit)))
    return emitError(clone->getLoc(), llvm::toString(std::move(error)));

  ModuleOp nested = clone.release();
  getOperation().push_back(nested);
  FailureOr<gpu::ObjectAttr> object = failure();
  if (succeeded(runPipeline(passes, nested)))
    object = serializeUnit(nested, unit, *key, format, environment);
  nested.erase();
  return object;
}

void ToBinary::runOnOperation() {
  CompileOptions said = compileOptions();
  KeyEnvironment environment;
  FailureOr<std::vector<CompileUnit>> units =
      compileUnits(getOperation(), said, environment.environment());
  if (failed(units))
    return signalPassFailure();

  // The objects of each gpu.module, in the order of the modules.
  llvm::MapVector<Operation *, SmallVector<Attribute>> objects;
  for (const CompileUnit &unit : *units) {
    FailureOr<gpu::ObjectAttr> object = compile(unit, environment);
    if (failed(object))
      return signalPassFailure();
    gpu::GPUModuleOp module = unit.module;
    objects[module].push_back(*object);
  }

  for (auto &[op, attributes] : objects) {
    auto module = cast<gpu::GPUModuleOp>(op);
    OpBuilder builder(module);
    gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                          module.getOffloadingHandlerAttr(), attributes);
    module.erase();
  }

  if (host == HostForm::Keep ||
      (host == HostForm::Bare && !mentionsFly(getOperation())))
    return;
  OpPassManager passes(ModuleOp::getOperationName());
  buildHostPipeline(passes, host);
  if (failed(runPipeline(passes, getOperation())))
    signalPassFailure();
}
