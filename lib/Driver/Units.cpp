// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which units an input has: each gpu.module with each of its targets. A target
// that was said (by an option, the IR, a variable that names one) is meant
// exactly; one that stands for a device also runs code for less specific
// targets, so that these are looked up as well.

#include "Steps.h"

#include "fly/Store/Ladder.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::amdgpu::FeaturePolicy;
using ::fly::amdgpu::Resolution;
using ::fly::amdgpu::Target;

/// Ranks of sources that say a target; those behind say a device.
static constexpr unsigned lastExplicitRank = 4;

/// The rank of the source that decided.
static unsigned rankOf(const Resolution &resolution) {
  for (const ::fly::amdgpu::Candidate &candidate : resolution.candidates)
    if (candidate.source == resolution.source &&
        candidate.raw == resolution.raw)
      return candidate.rank;
  return 1;
}

/// The targets to look up, and whether they stand for a device.
static FailureOr<std::vector<Target>>
rungsOf(gpu::GPUModuleOp module, const Resolution &resolution,
        const Target &target, const ResolveOptions &options,
        const KeyEnvironment &environment) {
  if (rankOf(resolution) <= lastExplicitRank ||
      options.features == FeaturePolicy::Exact)
    return std::vector<Target>{target};
  ResolveOptions exact = options;
  exact.features = FeaturePolicy::Exact;
  exact.report = ReportFormat::None;
  // Only a name tells the features of a device; other sources are not asked
  // twice.
  if (options.deviceName.empty())
    return ::fly::store::ladder(target);
  FailureOr<Resolution> device =
      resolveTarget(module, exact, environment.environment());
  if (failed(device))
    return failure();
  return ::fly::store::ladder(device->target());
}

static std::vector<std::string> kernelsOf(gpu::GPUModuleOp module) {
  std::vector<std::string> names;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    auto gpuFunction = dyn_cast<gpu::GPUFuncOp>(function.getOperation());
    if (gpu::GPUDialect::isKernel(function) ||
        (gpuFunction && gpuFunction.isKernel()) ||
        function->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName()))
      names.push_back(function.getName().str());
  }
  return names;
}

static bool hasUnit(ArrayRef<DriverUnit> units, gpu::GPUModuleOp module,
                    const Target &target) {
  return llvm::any_of(units, [&](const DriverUnit &unit) {
    return unit.unit.module == module && unit.unit.target == target;
  });
}

/// Adds the units of `module` with the target options of `options`.
static int addUnits(ModuleOp module, const CompileRequest &request,
                    const CompileOptions &options,
                    const KeyEnvironment &environment,
                    std::vector<DriverUnit> &units) {
  FailureOr<std::vector<ModuleTargets>> resolved =
      resolveTargets(module, options.resolve, environment.environment());
  if (failed(resolved))
    return ExitNoTarget;
  for (ModuleTargets &entry : *resolved)
    for (const Target &target : entry.resolution.targets) {
      if (hasUnit(units, entry.module, target))
        continue;
      FailureOr<CodegenOptions> effective = effectiveOptions(
          entry.module, target, options, environment.environment());
      if (failed(effective))
        return ExitRefused;
      FailureOr<std::vector<Target>> rungs = rungsOf(
          entry.module, entry.resolution, target, options.resolve, environment);
      if (failed(rungs))
        return ExitNoTarget;
      std::string name = request.unitName.empty() ? entry.module.getName().str()
                                                  : request.unitName;
      units.push_back({{entry.module, target, std::move(*effective)},
                       entry.resolution,
                       std::move(name),
                       std::move(*rungs),
                       rankOf(entry.resolution) > lastExplicitRank,
                       kernelsOf(entry.module)});
    }
  return ExitSuccess;
}

/// Refuses several gpu.modules where one output is wanted.
static int expectOneModule(ModuleOp module) {
  std::vector<gpu::GPUModuleOp> found = gpuModulesOf(module);
  if (found.size() < 2)
    return ExitSuccess;
  InFlightDiagnostic diagnostic =
      emitError(found[1].getLoc(), "expected one gpu.module, found ")
      << found.size();
  for (gpu::GPUModuleOp gpuModule : found)
    diagnostic.attachNote(gpuModule.getLoc())
        << "gpu.module @" << gpuModule.getName();
  return ExitRefused;
}

/// Refuses several targets where one output is wanted.
static int expectOneUnit(ArrayRef<DriverUnit> units) {
  if (units.size() == 1)
    return ExitSuccess;
  gpu::GPUModuleOp module = units.front().unit.module;
  InFlightDiagnostic diagnostic =
      emitError(module.getLoc(), "expected one target, found ")
      << units.size() << ":";
  for (const DriverUnit &unit : units)
    diagnostic << " " << unit.unit.target.id();
  diagnostic << "; '-o FOLDER/' takes them all";
  return ExitRefused;
}

int mlir::fly::collectUnits(ModuleOp module, const CompileRequest &request,
                            const KeyEnvironment &environment,
                            std::vector<DriverUnit> &units) {
  bool takesAll = request.outputPath.empty() ||
                  StringRef(request.outputPath).ends_with("/");
  if (!takesAll || !request.unitName.empty())
    if (int status = expectOneModule(module))
      return status;
  std::vector<std::string> targets = request.targets;
  if (targets.empty())
    targets.push_back(request.options.resolve.target);
  for (const std::string &target : targets) {
    CompileOptions options = request.options;
    options.resolve.target = target;
    if (int status = addUnits(module, request, options, environment, units))
      return status;
  }
  return takesAll ? int(ExitSuccess) : expectOneUnit(units);
}
