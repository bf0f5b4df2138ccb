// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The derivation of keys: one function a component, in the order of the schema,
// and the digests over them.

#include "fly/Analysis/CacheKey.h"

#include "fly/Analysis/DeviceLibraries.h"
#include "fly/Analysis/LLVMOptions.h"
#include "fly/Support/Errors.h"
#include "fly/Support/Files.h"
#include "fly/Support/Inputs.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::support::Digest;
using ::fly::support::makeError;

StringRef mlir::fly::devicePipelineText() {
  // Target and options have components of their own, so their places are open:
  // a change of one of them changes one component. Pipelines runs exactly these
  // passes in this order; a test holds the two against each other.
  return "builtin.module("
         "fly-check-kernels,"
         "fly-rewrite-func-signature,"
         "fly-canonicalize,"
         "fly-layout-lowering,"
         "fly-int-swizzle-simplify,"
         "canonicalize,"
         "fly-convert-atom-call-to-ssa-form,"
         "fly-promote-regmem-to-vectorssa,"
         "convert-fly-to-rocdl,"
         "canonicalize,"
         "gpu.module("
         "convert-scf-to-cf,"
         "cse,"
         "convert-rocdl-fastmath-ops,"
         "convert-gpu-to-rocdl,"
         "fly-rocdl-cluster-attr),"
         "convert-scf-to-cf,"
         "convert-cf-to-llvm,"
         "convert-vector-to-llvm,"
         "convert-arith-to-llvm,"
         "convert-ub-to-llvm,"
         "convert-func-to-llvm,"
         "reconcile-unrealized-casts,"
         "[ensure-debug-info-scope-on-llvm-func])";
}

//===----------------------------------------------------------------------===//
// What a derivation reads
//===----------------------------------------------------------------------===//

llvm::Expected<Toolchain> KeyEnvironment::toolchain() const {
  return identifyToolchain(loadedObjects());
}

llvm::Expected<Toolchain> KeyEnvironment::externalLLVM(StringRef prefix) const {
  return identifyExternalLLVM(prefix);
}

std::vector<std::string> KeyEnvironment::givenOptions() const {
  return givenLLVMOptions();
}

llvm::Expected<std::string> KeyEnvironment::readFile(StringRef path) const {
  constexpr uint64_t limit = uint64_t(1) << 30;
  return ::fly::support::readSmallFile(path, limit);
}

std::optional<std::string>
KeyEnvironment::deviceLibrary(StringRef fileName, StringRef option) const {
  llvm::Expected<std::string> path = findDeviceLibrary(
      {fileName, ""}, deviceLibraryPlaces(option, environment()));
  if (path)
    return *path;
  llvm::consumeError(path.takeError());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

gpu::GPUModuleOp CacheKeyAnalysis::module() const {
  return cast<gpu::GPUModuleOp>(op);
}

FailureOr<CanonicalPlan> CacheKeyAnalysis::plan(const PlanOptions &options) {
  return CanonicalPlan::of(module(), options);
}

FailureOr<Digest> CacheKeyAnalysis::irDigest(const PlanOptions &options) {
  if (failed(analyse(options)))
    return failure();
  return known.back().digest;
}

FailureOr<std::vector<std::string>>
CacheKeyAnalysis::deviceLibraries(const PlanOptions &options) {
  if (failed(analyse(options)))
    return failure();
  return known.back().libraries;
}

LogicalResult CacheKeyAnalysis::analyse(const PlanOptions &options) {
  for (size_t i = 0; i < known.size(); ++i)
    if (known[i].options == options) {
      std::swap(known[i], known.back());
      return success();
    }
  FailureOr<CanonicalPlan> made = plan(options);
  if (failed(made))
    return failure();
  FailureOr<Digest> digest = made->digest();
  if (failed(digest))
    return failure();
  known.push_back({options, *digest, mayNeedDeviceLibraries(*made)});
  return success();
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

static KeyComponent targetComponent(const ::fly::amdgpu::Target &target) {
  KeyComponent component{"target", {}};
  std::string text = target.fullText();
  SmallVector<StringRef> fields;
  StringRef(text).split(fields, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef field : fields) {
    auto [name, value] = field.split('=');
    component.fields.push_back({name.str(), value.str()});
  }
  return component;
}

static std::string spellBool(bool value) { return value ? "true" : "false"; }

/// `linksLibrary`: whether bitcode of a device library may be linked. Math
/// flags only choose constants that such a library reads.
static KeyComponent codegenComponent(const CodegenOptions &options,
                                     bool linksLibrary) {
  KeyComponent component{"codegen", {}};
  component.fields.push_back({"opt_level", std::to_string(options.optLevel)});
  component.fields.push_back({"debug", spell(options.debug).str()});
  for (const auto &[name, value] : options.llvmOptions)
    component.fields.push_back({"llvm." + name, value});
  if (!linksLibrary)
    return component;
  component.fields.push_back({"fast", spellBool(options.fastMath)});
  component.fields.push_back({"unsafe_math", spellBool(options.unsafeMath)});
  component.fields.push_back({"finite_only", spellBool(options.finiteOnly)});
  component.fields.push_back({"daz", spellBool(options.daz)});
  component.fields.push_back({"correct_sqrt", spellBool(options.correctSqrt)});
  return component;
}

llvm::Expected<Toolchain>
mlir::fly::otherLLVM(const CodegenOptions &options,
                     const KeyEnvironment &environment) {
  if (options.llvmDir.empty())
    return Toolchain();
  llvm::Expected<Toolchain> loaded = environment.toolchain();
  if (!loaded)
    return loaded.takeError();
  llvm::Expected<Toolchain> external =
      environment.externalLLVM(options.llvmDir);
  if (external && isLoadedLLVM(*external, *loaded))
    return Toolchain();
  return external;
}

static llvm::Expected<KeyComponent>
toolchainComponent(const CodegenOptions &options,
                   const KeyEnvironment &environment) {
  llvm::Expected<Toolchain> toolchain = environment.toolchain();
  if (!toolchain)
    return toolchain.takeError();
  KeyComponent component{"toolchain", {}};
  for (const auto &[name, identity] : *toolchain)
    component.fields.push_back({name, identity});
  llvm::Expected<Toolchain> other = otherLLVM(options, environment);
  if (!other)
    return other.takeError();
  for (const auto &[name, identity] : *other)
    component.fields.push_back({"external." + name, identity});
  return component;
}

/// Refuses what changes code and cannot be keyed, and says which hints do
/// nothing.
static LogicalResult checkOptions(gpu::GPUModuleOp module,
                                  const CodegenOptions &options,
                                  bool linksLibrary,
                                  const KeyEnvironment &environment) {
  std::vector<std::string> given = environment.givenOptions();
  if (!given.empty())
    return emitError(module.getLoc())
           << "LLVM option '" << given.front()
           << "' was given to this program; it may change code and is not part "
              "of a key: expected it as llvm-options="
           << given.front() << " [FLY-K006]";
  if (!linksLibrary)
    for (const std::string &hint : options.mathHints)
      emitRemark(module.getLoc())
          << "hint " << hint
          << " has no effect here: only device libraries heed it, and this "
             "module needs none; fast-math flags of ops do the rest";
  return success();
}

/// Device libraries by content, those that may be needed, also by the files
/// that the user links, and exist; then these files, in order.
static llvm::Expected<KeyComponent>
bitcodeComponent(std::vector<std::string> libraries,
                 const CodegenOptions &options,
                 const KeyEnvironment &environment) {
  KeyComponent component{"bitcode", {}};
  std::vector<KeyField> links;
  for (auto [index, path] : llvm::enumerate(options.link)) {
    llvm::Expected<std::string> content = environment.readFile(path);
    if (!content)
      return makeError("K007", "file to link '" + path + "' " +
                                   llvm::toString(content.takeError()));
    addLibrariesNamedIn(*content, libraries);
    links.push_back({"link" + std::to_string(index),
                     ::fly::support::digestOf(*content).hex()});
  }
  for (const std::string &library : libraries) {
    std::optional<std::string> path =
        environment.deviceLibrary(library, options.deviceLibraries);
    std::optional<std::string> digest;
    if (path) {
      llvm::Expected<std::string> content = environment.readFile(*path);
      if (!content)
        return makeError("K007", "device library '" + *path + "' " +
                                     llvm::toString(content.takeError()));
      digest = ::fly::support::digestOf(*content).hex();
    }
    component.fields.push_back({library, digest});
  }
  llvm::append_range(component.fields, links);
  return component;
}

static llvm::Expected<KeyComponent>
inputsComponent(const CodegenOptions &options) {
  KeyComponent component{"inputs", {}};
  if (options.inputs.empty())
    return component;
  llvm::Expected<Digest> digest = ::fly::support::digestInputs(options.inputs);
  if (!digest)
    return digest.takeError();
  component.fields.push_back({"digest", digest->hex()});
  return component;
}

FailureOr<CacheKey> mlir::fly::deriveKey(CacheKeyAnalysis &analysis,
                                         const ::fly::amdgpu::Target &target,
                                         const CodegenOptions &options,
                                         const KeyEnvironment &environment) {
  PlanOptions plan = PlanOptions::of(options);
  FailureOr<Digest> ir = analysis.irDigest(plan);
  if (failed(ir))
    return failure();
  FailureOr<std::vector<std::string>> libraries =
      analysis.deviceLibraries(plan);
  if (failed(libraries))
    return failure();
  bool linksLibrary = !libraries->empty() || !options.link.empty();
  if (failed(
          checkOptions(analysis.module(), options, linksLibrary, environment)))
    return failure();
  CacheKey key;
  auto add = [&](llvm::Expected<KeyComponent> component) -> LogicalResult {
    if (!component)
      return emitError(analysis.module().getLoc())
             << llvm::toString(component.takeError());
    key.components.push_back(std::move(*component));
    return success();
  };
  KeyComponent salt{"salt", {}};
  if (!options.salt.empty())
    salt.fields.push_back({"text", options.salt});
  if (failed(add(KeyComponent{"schema", {{"schema", keySchema.str()}}})) ||
      failed(add(targetComponent(target))) ||
      failed(add(KeyComponent{"ir", {{"digest", ir->hex()}}})) ||
      failed(add(KeyComponent{"pipeline",
                              {{"passes", devicePipelineText().str()}}})) ||
      failed(add(codegenComponent(options, linksLibrary))) ||
      failed(add(toolchainComponent(options, environment))) ||
      failed(add(bitcodeComponent(*libraries, options, environment))) ||
      failed(add(inputsComponent(options))) || failed(add(salt)))
    return failure();
  return key;
}

std::string mlir::fly::unitTitle(const CompileUnit &unit) {
  std::string title;
  llvm::raw_string_ostream os(title);
  gpu::GPUModuleOp module = unit.module;
  os << FlatSymbolRefAttr::get(module.getNameAttr()) << ' ';
  std::string target = unit.target.text();
  llvm::replace(target, ' ', ',');
  os << target;
  return title;
}

FailureOr<std::vector<CompileUnit>>
mlir::fly::compileUnits(ModuleOp module, const CompileOptions &options,
                        const ::fly::support::Environment &environment) {
  FailureOr<std::vector<ModuleTargets>> resolved =
      resolveTargets(module, options.resolve, environment);
  if (failed(resolved))
    return failure();
  if (resolved->empty())
    emitWarning(module.getLoc(),
                "no gpu.module found, so there is nothing to compile");
  std::vector<CompileUnit> units;
  for (ModuleTargets &entry : *resolved)
    for (const ::fly::amdgpu::Target &target : entry.resolution.targets) {
      FailureOr<CodegenOptions> codegen =
          effectiveOptions(entry.module, target, options, environment);
      if (failed(codegen))
        return failure();
      units.push_back({entry.module, target, std::move(*codegen)});
    }
  return units;
}
