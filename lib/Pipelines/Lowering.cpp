// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the lowering pipeline: three stretches, each a function. Fly IR to
// pointers and integers; the body of the gpu.module to ROCDL; what is left to
// the LLVM dialect. The last stretch runs on the whole module, because its
// passes are anchored there; host functions have none of the ops that it
// converts when `fly-to-binary` runs it on the clone of a gpu.module alone.

#include "fly/Pipelines/Lowering.h"

#include "fly/Conversion/Passes.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Dialect/FlyROCDL/Transforms/Passes.h"
#include "fly/Target/AMDGPU/Chips.h"
#include "fly/Target/AMDGPU/Target.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::fly;

/// Fly IR to `arith`, `vector`, `llvm` pointers and `rocdl` intrinsics.
static void addFlyPasses(OpPassManager &passes, StringRef chip) {
  passes.addPass(createFlyRewriteFuncSignature());
  passes.addPass(createFlyCanonicalize());
  passes.addPass(createFlyLayoutLowering());
  passes.addPass(createFlyIntSwizzleSimplify());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createFlyConvertAtomCallToSSAForm());
  passes.addPass(createFlyPromoteRegmemToVectorSSA());
  ConvertFlyToROCDLOptions options;
  options.chip = chip.str();
  passes.addPass(createConvertFlyToROCDL(options));
  passes.addPass(createCanonicalizerPass());
}

/// Thread ids, barriers and structured control flow of kernels.
static void addKernelPasses(OpPassManager &passes, StringRef chipset) {
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createCSEPass());
  passes.addPass(fly_rocdl::createConvertROCDLFastMathOps());
  ConvertGpuOpsToROCDLOpsOptions options;
  options.chipset = chipset.str();
  options.indexBitwidth = 0;
  options.useBarePtrCallConv = true;
  options.runtime = gpu::amd::Runtime::HIP;
  passes.addPass(createConvertGpuOpsToROCDLOps(options));
  passes.addPass(fly_rocdl::createFlyROCDLClusterAttr());
}

/// What is left to the LLVM dialect.
static void addLLVMPasses(OpPassManager &passes, DebugKind debug) {
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createUBToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  if (debug != DebugKind::None) {
    LLVM::DIScopeForLLVMFuncOpPassOptions options;
    options.emissionKind = debug == DebugKind::Lines
                               ? LLVM::DIEmissionKind::LineTablesOnly
                               : LLVM::DIEmissionKind::Full;
    passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  }
}

llvm::Error mlir::fly::buildLoweringPipeline(OpPassManager &passes,
                                             const LoweringOptions &options) {
  const ::fly::amdgpu::Chip *chip = ::fly::amdgpu::findChip(options.chip);
  if (!chip)
    return llvm::createStringError("expected a processor such as 'gfx942', "
                                   "found '" +
                                   options.chip + "'");
  fly_rocdl::FlyCheckKernelsOptions limits;
  limits.chip = chip->name.str();
  passes.addPass(fly_rocdl::createFlyCheckKernels(limits));
  addFlyPasses(passes, chip->name);
  // Upstream's conversions do not know generic processors.
  addKernelPasses(passes.nest<gpu::GPUModuleOp>(), chip->numberedChipset);
  addLLVMPasses(passes, options.debug);
  return llvm::Error::success();
}

void mlir::fly::buildHostPipeline(OpPassManager &passes, HostForm form) {
  if (form == HostForm::Keep)
    return;
  addFlyPasses(passes, /*chip=*/"");
  if (form == HostForm::Bare)
    return;
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  GpuToLLVMConversionPassOptions options;
  options.hostBarePtrCallConv = true;
  options.kernelBarePtrCallConv = true;
  passes.addPass(createGpuToLLVMConversionPass(options));
  addLLVMPasses(passes, DebugKind::None);
}

llvm::Expected<std::string>
mlir::fly::loweringPipelineText(const LoweringOptions &options) {
  OpPassManager passes(ModuleOp::getOperationName());
  if (llvm::Error error = buildLoweringPipeline(passes, options))
    return error;
  std::string text;
  llvm::raw_string_ostream os(text);
  passes.printAsTextualPipeline(os);
  return os.str();
}

namespace {
struct LowerOptions : PassPipelineOptions<LowerOptions> {
  Option<std::string> chip{
      *this, "chip", llvm::cl::desc("Processor to lower for, such as gfx942")};
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("The same as a target ID, such as gfx942:xnack-")};
  Option<DebugKind> debug{
      *this, "debug", llvm::cl::desc("What locations become"),
      llvm::cl::init(DebugKind::None),
      llvm::cl::values(
          clEnumValN(DebugKind::None, "none", "Nothing"),
          clEnumValN(DebugKind::Lines, "lines", "Line tables"),
          clEnumValN(DebugKind::Full, "full", "Full debug information"))};
};
} // namespace

namespace {
/// Stands for a pipeline that cannot be built: an error at the module, which
/// has a location, where the text of a pipeline has none.
struct RefuseLowering : PassWrapper<RefuseLowering, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RefuseLowering)

  explicit RefuseLowering(std::string why) : why(std::move(why)) {}
  StringRef getArgument() const override { return "fly-lower"; }
  void runOnOperation() override {
    emitError(getOperation().getLoc(), "fly-lower: ") << why;
    signalPassFailure();
  }

  std::string why;
};
} // namespace

/// The processor that the options name.
static llvm::Expected<std::string> processorOf(const LowerOptions &options) {
  if (options.target.empty() && options.chip.empty())
    return llvm::createStringError(
        "expected a processor, found none; give one as "
        "--fly-lower=target=gfx942 or fly-lower{target=gfx942}");
  if (options.target.empty())
    return options.chip.getValue();
  llvm::Expected<::fly::amdgpu::Target> target =
      ::fly::amdgpu::parseTargetID(options.target);
  if (!target)
    return target.takeError();
  if (!options.chip.empty() && options.chip != target->chip)
    return llvm::createStringError(
        "expected one processor, found target=" + options.target.getValue() +
        " and chip=" + options.chip.getValue());
  return target->chip;
}

/// Builds the pipeline from the text of its options; wrong processors are
/// reported when it runs.
static LogicalResult
parseLoweringPipeline(OpPassManager &passes, StringRef text,
                      function_ref<LogicalResult(const Twine &)>) {
  LowerOptions options;
  if (failed(options.parseFromString(text)))
    return failure();
  llvm::Expected<std::string> chip = processorOf(options);
  llvm::Error error =
      chip ? buildLoweringPipeline(passes, {*chip, options.debug})
           : chip.takeError();
  if (error)
    passes.addPass(
        std::make_unique<RefuseLowering>(llvm::toString(std::move(error))));
  return success();
}

void mlir::fly::registerLoweringPipeline() {
  // The second name is the one of the specification.
  for (StringRef name : {"fly-lower", "fly-lower-to-rocdl"})
    registerPassPipeline(
        name, "Lower kernels from Fly IR to the LLVM and ROCDL dialects",
        parseLoweringPipeline,
        [](function_ref<void(const ::mlir::detail::PassOptions &)> visit) {
          visit(LowerOptions());
        });
}
