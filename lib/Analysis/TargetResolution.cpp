// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between targets as values and targets in IR: what a module says about its
// target goes into the resolution, and the outcome comes back as diagnostics
// and attributes.

#include "fly/Analysis/TargetResolution.h"

#include "fly/Support/Errors.h"

#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::amdgpu::IrCandidate;
using ::fly::amdgpu::IrPlace;
using ::fly::amdgpu::Resolution;
using ::fly::amdgpu::ResolveRequest;
using ::fly::amdgpu::Target;
using ::fly::support::Environment;

Location mlir::fly::placeOf(Operation *op) {
  auto place = dyn_cast<FileLineColLoc>(op->getLoc());
  if (!place || place.getLine() != 0)
    return op->getLoc();
  if (auto module = dyn_cast<ModuleOp>(op))
    if (!module.getBody()->empty())
      return placeOf(&module.getBody()->front());
  return FileLineColLoc::get(place.getFilename(), 1, 1);
}

std::vector<gpu::GPUModuleOp> mlir::fly::gpuModulesOf(ModuleOp module) {
  std::vector<gpu::GPUModuleOp> found;
  for (Operation &op : *module.getBody()) {
    if (auto gpuModule = dyn_cast<gpu::GPUModuleOp>(op)) {
      found.push_back(gpuModule);
    } else if (auto nested = dyn_cast<ModuleOp>(op)) {
      std::vector<gpu::GPUModuleOp> inner = gpuModulesOf(nested);
      found.insert(found.end(), inner.begin(), inner.end());
    }
  }
  return found;
}

//===----------------------------------------------------------------------===//
// #rocdl.target
//===----------------------------------------------------------------------===//

llvm::Expected<Target> mlir::fly::fromROCDL(ROCDL::ROCDLTargetAttr attribute) {
  if (attribute.getTriple() != ::fly::amdgpu::targetTriple)
    return ::fly::support::makeError(
        "T009", "the triple of #rocdl.target contradicts the backend: expected "
                "'" +
                    ::fly::amdgpu::targetTriple + "', found " +
                    ::fly::support::quoted(attribute.getTriple()));
  return ::fly::amdgpu::fromROCDLFields(
      attribute.getChip(), attribute.getFeatures(), attribute.getAbi());
}

bool mlir::fly::namesProcessor(ROCDL::ROCDLTargetAttr attribute) {
  return attribute.getChip() != "gfx900";
}

ROCDL::ROCDLTargetAttr mlir::fly::toROCDL(MLIRContext *context,
                                          const Target &target,
                                          const CodegenOptions &options) {
  Builder b(context);
  SmallVector<NamedAttribute> flags;
  auto addFlag = [&](bool isOn, StringRef name) {
    if (isOn)
      flags.push_back(b.getNamedAttr(name, b.getUnitAttr()));
  };
  addFlag(options.daz, "daz");
  addFlag(options.fastMath, "fast");
  addFlag(options.finiteOnly, "finite_only");
  addFlag(target.wave == 32, "no_wave64");
  addFlag(options.unsafeMath, "unsafe_math");
  addFlag(!options.correctSqrt, "unsafe_sqrt");
  SmallVector<StringRef> link(options.link.begin(), options.link.end());
  return ROCDL::ROCDLTargetAttr::get(
      context, options.optLevel, ::fly::amdgpu::targetTriple, target.chip,
      target.rocdlFeatures(), std::to_string(target.abi),
      flags.empty() ? DictionaryAttr() : b.getDictionaryAttr(flags),
      link.empty() ? ArrayAttr() : b.getStrArrayAttr(link));
}

//===----------------------------------------------------------------------===//
// Candidates in IR
//===----------------------------------------------------------------------===//

/// How `op` is called in messages.
static std::string nameOf(Operation *op) {
  if (auto module = dyn_cast<gpu::GPUModuleOp>(op))
    return ("@" + module.getName()).str();
  return "the module";
}

static std::string textOf(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os);
  return text;
}

/// A `#fly.target` leaves to others what it does not print: the defaults.
static IrCandidate candidateOf(TargetAttr attribute, IrPlace place,
                               std::string where) {
  const Target &target = attribute.getValue();
  Target plain = Target::ofChip(target.row());
  IrCandidate candidate{place, target, std::move(where), textOf(attribute)};
  candidate.waveGiven = target.wave != plain.wave;
  candidate.cumodeGiven = target.cumode != plain.cumode;
  candidate.abiGiven = target.abi != plain.abi;
  return candidate;
}

/// Reads the attribute `fly.target` of `op`.
static LogicalResult readTargetAttr(Operation *op, IrPlace place,
                                    std::vector<IrCandidate> &candidates) {
  Attribute attribute = op->getDiscardableAttr(targetAttrName);
  if (!attribute)
    return success();
  std::string where = targetAttrName.str() + " of " + nameOf(op);
  auto array = dyn_cast<ArrayAttr>(attribute);
  ArrayRef<Attribute> entries = array ? array.getValue() : attribute;
  for (Attribute entry : entries) {
    auto target = dyn_cast<TargetAttr>(entry);
    if (!target)
      return emitError(placeOf(op))
             << "attribute '" << targetAttrName
             << "' must be a #fly.target or an array of them, found " << entry
             << " [FLY-T002]";
    candidates.push_back(candidateOf(target, place, where));
  }
  return success();
}

/// Flags that MLIR's serialiser heeds (ROCDLTargetAttr::hasFlag). It ignores
/// others, and takes each of these as on, whatever its value.
static LogicalResult checkFlags(gpu::GPUModuleOp module,
                                ROCDL::ROCDLTargetAttr attribute) {
  static constexpr llvm::StringLiteral known[] = {
      "daz",         "fast",        "finite_only", "no_wave64",
      "unsafe_math", "unsafe_sqrt", "wave64"};
  DictionaryAttr flags = attribute.getFlags();
  if (!flags)
    return success();
  for (NamedAttribute flag : flags) {
    if (!llvm::is_contained(known, flag.getName().getValue()))
      return emitError(module.getLoc())
             << "unknown flag '" << flag.getName().getValue()
             << "' of #rocdl.target: expected "
             << llvm::join(ArrayRef<llvm::StringLiteral>(known), ", ")
             << " [FLY-K006]";
    if (!isa<UnitAttr>(flag.getValue()))
      return emitError(module.getLoc())
             << "flag '" << flag.getName().getValue()
             << "' of #rocdl.target: expected no value, which means on, found "
             << flag.getValue() << " [FLY-K006]";
  }
  return success();
}

/// Reads the attribute `targets` of a gpu.module. Targets of other vendors say
/// nothing here.
static LogicalResult readTargets(gpu::GPUModuleOp module,
                                 ResolveRequest &request) {
  ArrayAttr targets = module.getTargetsAttr();
  if (!targets)
    return success();
  for (Attribute entry : targets) {
    auto attribute = dyn_cast<ROCDL::ROCDLTargetAttr>(entry);
    if (!attribute)
      continue;
    if (failed(checkFlags(module, attribute)))
      return failure();
    if (!namesProcessor(attribute)) {
      request.irIgnored.push_back(
          {"#rocdl.target of " + nameOf(module), textOf(attribute),
           "it names no processor (MLIR fills in gfx900 then, which is never "
           "taken; fly.target can say it)"});
      continue;
    }
    llvm::Expected<Target> target = fromROCDL(attribute);
    if (!target)
      return emitError(module.getLoc()) << llvm::toString(target.takeError());
    IrCandidate candidate{IrPlace::RocdlTargets, *target,
                          "#rocdl.target of " + nameOf(module),
                          textOf(attribute)};
    StringRef features = attribute.getFeatures();
    candidate.waveGiven = features.contains("wavefrontsize");
    candidate.cumodeGiven = features.contains("cumode");
    candidate.abiGiven = target->abi != Target::ofChip(target->row()).abi;
    request.ir.push_back(std::move(candidate));
  }
  return success();
}

/// Puts what `op` says of its target into `request`.
static LogicalResult readCandidates(Operation *op, ResolveRequest &request) {
  request.ir.clear();
  request.irIgnored.clear();
  if (auto module = dyn_cast<gpu::GPUModuleOp>(op))
    if (failed(readTargetAttr(op, IrPlace::GpuModule, request.ir)) ||
        failed(readTargets(module, request)))
      return failure();
  for (Operation *around = op; around; around = around->getParentOp()) {
    if (!isa<ModuleOp>(around) || !around->hasAttr(targetAttrName))
      continue;
    return readTargetAttr(around, IrPlace::BuiltinModule, request.ir);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Resolution
//===----------------------------------------------------------------------===//

static void emitReport(Operation *op, ReportFormat format,
                       function_ref<std::string()> json,
                       function_ref<std::string()> text) {
  if (format == ReportFormat::Json)
    emitRemark(placeOf(op)) << json();
  else if (format == ReportFormat::Text)
    emitRemark(placeOf(op)) << text();
}

/// Resolves with the candidates that `op` has in IR; emits errors at `op`, and
/// the report before them.
static FailureOr<Resolution>
resolveAt(Operation *op, const ResolveRequest &request, ReportFormat report) {
  Resolution considered;
  llvm::Expected<Resolution> found =
      ::fly::amdgpu::resolve(request, &considered);
  if (found)
    return std::move(*found);
  auto [code, message] = ::fly::support::takeApart(found.takeError());
  StringRef codeText = code, messageText = message;
  emitReport(
      op, report,
      [&] { return failureReportJson(considered, codeText, messageText); },
      [&] { return failureReportText(considered, codeText, messageText); });
  SmallVector<StringRef> parts;
  messageText.split(parts, "\n  note: ");
  InFlightDiagnostic diagnostic = emitError(placeOf(op))
                                  << parts.front() << " [FLY-" << code << "]";
  for (StringRef note : llvm::drop_begin(parts))
    diagnostic.attachNote() << note;
  return diagnostic;
}

/// Emits what the resolution has to say, each sentence once.
static void emitRemarks(Operation *op, const Resolution &resolution,
                        ReportFormat report, llvm::StringSet<> &said) {
  for (const std::string &remark : resolution.remarks)
    if (said.insert(remark).second)
      emitRemark(placeOf(op)) << remark;
  emitReport(
      op, report, [&] { return resolution.reportJson(); },
      [&] { return resolution.reportText(); });
}

FailureOr<Resolution> mlir::fly::resolveTarget(Operation *op,
                                               const ResolveOptions &options,
                                               const Environment &environment) {
  ResolveRequest request = ::fly::amdgpu::requestOf(options, environment);
  if (failed(readCandidates(op, request)))
    return failure();
  FailureOr<Resolution> found = resolveAt(op, request, options.report);
  llvm::StringSet<> said;
  if (succeeded(found))
    emitRemarks(op, *found, options.report, said);
  return found;
}

FailureOr<std::vector<ModuleTargets>>
mlir::fly::resolveTargets(ModuleOp module, const ResolveOptions &options,
                          const Environment &environment) {
  std::vector<ModuleTargets> result;
  ResolveRequest request = ::fly::amdgpu::requestOf(options, environment);
  // Modules that say nothing share one look at the machine.
  std::optional<Resolution> shared;
  llvm::StringSet<> said;
  for (gpu::GPUModuleOp gpuModule : gpuModulesOf(module)) {
    if (failed(readCandidates(gpuModule, request)))
      return failure();
    bool saysNothing = request.ir.empty() && request.irIgnored.empty();
    FailureOr<Resolution> found =
        saysNothing && shared ? FailureOr<Resolution>(*shared)
                              : resolveAt(gpuModule, request, options.report);
    if (failed(found))
      return failure();
    if (saysNothing)
      shared = *found;
    emitRemarks(gpuModule, *found, options.report, said);
    result.push_back({gpuModule, std::move(*found)});
  }
  return result;
}

Attribute mlir::fly::targetAttribute(MLIRContext *context,
                                     ArrayRef<Target> targets) {
  SmallVector<Attribute> attributes;
  for (const Target &target : targets)
    attributes.push_back(TargetAttr::get(context, target));
  if (attributes.size() == 1)
    return attributes.front();
  return ArrayAttr::get(context, attributes);
}

TargetAnalysis::TargetAnalysis(Operation *op) {
  for (Operation *around = op; around; around = around->getParentOp()) {
    Attribute attribute = around->getDiscardableAttr(targetAttrName);
    if (!attribute || !isa<ModuleOp, gpu::GPUModuleOp>(around))
      continue;
    auto array = dyn_cast<ArrayAttr>(attribute);
    ArrayRef<Attribute> entries = array ? array.getValue() : attribute;
    for (Attribute entry : entries)
      if (auto target = dyn_cast<TargetAttr>(entry))
        found.push_back(target.getValue());
    return;
  }
}
