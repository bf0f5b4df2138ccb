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

#include "mlir/Interfaces/CallInterfaces.h"
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

/// Whether the stream behind a token is the host's: an async object, or what
/// stands behind a token that a function was given, or made of a pointer.
static bool isHostStream(Value token) {
  SmallPtrSet<Operation *, 4> seen; // Dead blocks can have cycles.
  while (auto op = token.getDefiningOp<gpu::AsyncOpInterface>()) {
    auto launch = dyn_cast<gpu::LaunchFuncOp>(*op);
    if (launch && launch.getAsyncObject())
      return true;
    if (isa<gpu::WaitOp>(op) || op.getAsyncDependencies().empty() ||
        !seen.insert(op).second)
      return false;
    token = op.getAsyncDependencies().front();
  }
  return isa<BlockArgument>(token) ||
         isa<UnrealizedConversionCastOp, CallOpInterface>(
             token.getDefiningOp());
}

/// Whether the host's half can have its form, for what upstream's lowering to
/// calls would get wrong or leave without a word. It keeps a stream for each
/// token, and destroys it where the token is waited for.
static LogicalResult checkHost(ModuleOp module, HostForm form) {
  bool isFine = true;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (isa<gpu::LaunchOp>(op)) {
      const char *why = "no kernel is compiled from gpu.launch: expected "
                        "gpu.launch_func of a kernel in a gpu.module, which "
                        "gpu-kernel-outlining makes";
      if (form == HostForm::LLVM)
        op->emitError(why);
      else
        op->emitWarning(why);
      isFine &= form != HostForm::LLVM;
    }
    if (form != HostForm::LLVM)
      return WalkResult::advance();
    auto async = dyn_cast<gpu::AsyncOpInterface>(op);
    for (Value operand : op->getOperands())
      if (isa<gpu::AsyncTokenType>(operand.getType()) && !async) {
        op->emitError("host=llvm takes no token through this op: expected "
                      "tokens between gpu ops of one block alone");
        isFine = false;
      }
    if (!async)
      return WalkResult::advance();
    if (isa<gpu::LaunchFuncOp>(op) && async.getAsyncDependencies().size() > 1) {
      op->emitError("host=llvm launches after one token, found ")
          << async.getAsyncDependencies().size()
          << ": join them by gpu.wait async";
      isFine = false;
    }
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (launch && launch.getAsyncObject() &&
        !async.getAsyncDependencies().empty()) {
      op->emitError("host=llvm launches on a stream or after a token: expected "
                    "no token beside the stream");
      isFine = false;
    }
    if (isa<gpu::WaitOp>(op) &&
        llvm::any_of(async.getAsyncDependencies(), isHostStream)) {
      op->emitError("host=llvm waits for streams of its own alone: the stream "
                    "behind this token is the host's, synchronise it there");
      isFine = false;
    }
    Value token = async.getAsyncToken();
    if (token && !token.use_empty() && !token.hasOneUse()) {
      op->emitError("host=llvm has one stream for a token: expected one op to "
                    "depend on it, found ")
          << llvm::range_size(token.getUses());
      isFine = false;
    }
    return WalkResult::advance();
  });
  return success(isFine);
}

/// The stream of the host that a launch gets as a pointer, or as a token where
/// it makes none itself; null if there is none.
static Value givenStream(gpu::LaunchFuncOp launch) {
  if (Value object = launch.getAsyncObject())
    return object;
  if (launch.getAsyncToken() || launch.getAsyncDependencies().size() != 1)
    return {};
  Value token = launch.getAsyncDependencies().front();
  return isHostStream(token) ? token : Value();
}

/// Makes launches on streams of the host asynchronous: upstream's lowering to
/// calls loses an async object, and waits after a launch that is not async,
/// where it takes one that depends on a token at all. What depends on the
/// stream is then the host's to wait for.
static void keepStreams(ModuleOp module) {
  SmallVector<gpu::LaunchFuncOp> launches;
  module->walk([&](gpu::LaunchFuncOp launch) {
    if (givenStream(launch))
      launches.push_back(launch);
  });
  for (gpu::LaunchFuncOp launch : launches) {
    OpBuilder b(launch);
    Value stream = givenStream(launch);
    Type tokenType = b.getType<gpu::AsyncTokenType>();
    if (stream.getType() != tokenType)
      stream = UnrealizedConversionCastOp::create(b, launch.getLoc(), tokenType,
                                                  stream)
                   .getResult(0);
    std::optional<gpu::KernelDim3> clusters;
    if (launch.hasClusterSize())
      clusters = launch.getClusterSizeOperandValues();
    auto async = gpu::LaunchFuncOp::create(
        b, launch.getLoc(), launch.getKernel(),
        launch.getGridSizeOperandValues(), launch.getBlockSizeOperandValues(),
        launch.getDynamicSharedMemorySize(), launch.getKernelOperands(),
        tokenType, stream, clusters);
    async->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
    if (Value token = launch.getAsyncToken())
      token.replaceAllUsesWith(async.getAsyncToken());
    launch.erase();
  }
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
  if (failed(checkHost(getOperation(), host)))
    return signalPassFailure();
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
  if (host == HostForm::LLVM)
    keepStreams(getOperation());
  OpPassManager passes(ModuleOp::getOperationName());
  buildHostPipeline(passes, host);
  if (failed(runPipeline(passes, getOperation())))
    signalPassFailure();
}
