// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what a caller said to what holds: each option, typed and with its
// default filled in. An unknown hint or a value of the wrong type is FLY-K006,
// never silence.
//
//   opt-level not said, FLYDSL_COMPILE_OPT_LEVEL=3   ->   optLevel 3

#include "fly/Analysis/Options.h"

#include "fly/Analysis/LLVMOptions.h"
#include "fly/Analysis/TargetResolution.h"
#include "fly/Support/Errors.h"
#include "fly/Support/Inputs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::support::quoted;

StringRef mlir::fly::spell(DebugKind kind) {
  switch (kind) {
  case DebugKind::None:
    return "none";
  case DebugKind::Lines:
    return "lines";
  case DebugKind::Full:
    return "full";
  }
  llvm_unreachable("all kinds are handled");
}

/// Emits K006 at `op`: `name` has the value `found` where `expected` is due.
static LogicalResult refuseValue(Operation *op, const Twine &name,
                                 StringRef found, StringRef expected) {
  return emitError(op->getLoc())
         << name << ": expected " << expected << ", found " << quoted(found)
         << " [FLY-K006]";
}

static std::optional<bool> parseBool(StringRef text) {
  return llvm::StringSwitch<std::optional<bool>>(text.lower())
      .Cases({"1", "true", "on", "yes"}, true)
      .Cases({"0", "false", "off", "no", "none"}, false)
      .Default(std::nullopt);
}

/// Reads one hint `name=value` into `options`.
static LogicalResult readHint(Operation *op, StringRef hint,
                              CodegenOptions &options) {
  auto [name, value] = hint.split('=');
  name = name.trim();
  value = value.trim();
  int64_t *number = llvm::StringSwitch<int64_t *>(name)
                        .Case("waves_per_eu", &options.hints.wavesPerEu)
                        .Case("maxnreg", &options.hints.maxVgprs)
                        .Default(nullptr);
  bool *flag = llvm::StringSwitch<bool *>(name)
                   .Case("fast_fp_math", &options.fastMath)
                   .Case("unsafe_fp_math", &options.unsafeMath)
                   .Default(nullptr);
  if (!number && !flag)
    return emitError(op->getLoc())
           << "unknown hint " << quoted(name)
           << ": expected waves_per_eu, maxnreg, fast_fp_math or "
              "unsafe_fp_math [FLY-K006]";
  if (flag) {
    std::optional<bool> on = parseBool(value);
    if (!on)
      return refuseValue(op, "hint " + name, value, "true or false");
    *flag = *on;
    llvm::erase(options.mathHints, name);
    if (*on)
      options.mathHints.push_back(name.str());
    return success();
  }
  // "None" is how a front end spells "no hint".
  if (value.equals_insensitive("none")) {
    *number = 0;
    return success();
  }
  if (value.getAsInteger(10, *number) || *number < 0 ||
      *number > std::numeric_limits<int32_t>::max())
    return refuseValue(op, "hint " + name, value,
                       "an integer from 0 to 2147483647");
  return success();
}

/// Takes what `attribute` says about code generation.
static void takeROCDL(ROCDL::ROCDLTargetAttr attribute,
                      CodegenOptions &options) {
  if (attribute.getO() >= 0)
    options.optLevel = attribute.getO();
  options.fastMath = attribute.hasFastMath();
  options.unsafeMath = attribute.hasUnsafeMath();
  options.finiteOnly = attribute.hasFiniteOnly();
  options.daz = attribute.hasDaz();
  options.correctSqrt = attribute.hasCorrectSqrt();
  if (ArrayAttr link = attribute.getLink())
    for (Attribute file : link)
      if (auto path = dyn_cast<StringAttr>(file))
        options.link.push_back(path.getValue().str());
}

/// The `#rocdl.target` of `module` that means `target`, if any.
static ROCDL::ROCDLTargetAttr
matchingROCDL(gpu::GPUModuleOp module, const ::fly::amdgpu::Target &target) {
  ArrayAttr targets = module.getTargetsAttr();
  if (!targets)
    return nullptr;
  ROCDL::ROCDLTargetAttr general;
  for (Attribute entry : targets) {
    auto attribute = dyn_cast<ROCDL::ROCDLTargetAttr>(entry);
    if (!attribute)
      continue;
    // One that names no processor goes with every target.
    if (!namesProcessor(attribute)) {
      general = attribute;
      continue;
    }
    llvm::Expected<::fly::amdgpu::Target> meant = fromROCDL(attribute);
    if (meant && meant->id() == target.id())
      return attribute;
    llvm::consumeError(meant.takeError());
  }
  return general;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

namespace {
/// A variable that says something.
struct Said {
  StringRef name;
  StringRef value;
};

/// Reads the variables that stand for options, ours before FlyDSL's. A blank
/// one says nothing.
class VariableReader {
public:
  VariableReader(Operation *op, const ::fly::support::Environment &environment)
      : op(op), environment(environment) {}

  LogicalResult read(const CompileOptions &said, CodegenOptions &options,
                     bool hasAttribute);

private:
  std::optional<Said> first(std::initializer_list<llvm::StringLiteral> names);
  LogicalResult readLevel(CodegenOptions &options);
  LogicalResult readDebug(CodegenOptions &options);
  LogicalResult readBackend();

  Operation *op;
  const ::fly::support::Environment &environment;
};
} // namespace

std::optional<Said>
VariableReader::first(std::initializer_list<llvm::StringLiteral> names) {
  for (StringRef name : names)
    if (std::optional<StringRef> value = environment.get(name))
      if (!value->trim().empty())
        return Said{name, value->trim()};
  return std::nullopt;
}

LogicalResult VariableReader::readLevel(CodegenOptions &options) {
  std::optional<Said> said =
      first({"FLY_OPT_LEVEL", "FLYDSL_COMPILE_OPT_LEVEL"});
  if (said &&
      (said->value.getAsInteger(10, options.optLevel) || options.optLevel > 3))
    return refuseValue(op, said->name, said->value, "an integer from 0 to 3");
  return success();
}

LogicalResult VariableReader::readDebug(CodegenOptions &options) {
  if (std::optional<Said> said = first({"FLY_DEBUG"})) {
    auto kind = llvm::StringSwitch<std::optional<DebugKind>>(said->value)
                    .Case("none", DebugKind::None)
                    .Case("lines", DebugKind::Lines)
                    .Case("full", DebugKind::Full)
                    .Default(std::nullopt);
    if (!kind)
      return refuseValue(op, said->name, said->value, "none, lines or full");
    options.debug = *kind;
    return success();
  }
  std::optional<Said> said = first({"FLYDSL_DEBUG_ENABLE_DEBUG_INFO"});
  if (!said)
    return success();
  std::optional<bool> on = parseBool(said->value);
  if (!on)
    return refuseValue(op, said->name, said->value, "true or false");
  options.debug = *on ? DebugKind::Lines : DebugKind::None;
  return success();
}

/// The backend is part of each target, so it is checked and not kept.
LogicalResult VariableReader::readBackend() {
  std::optional<Said> said = first({"FLY_BACKEND", "FLYDSL_COMPILE_BACKEND"});
  if (said && !said->value.equals_insensitive("rocm"))
    return refuseValue(op, said->name, said->value, "rocm");
  return success();
}

LogicalResult VariableReader::read(const CompileOptions &said,
                                   CodegenOptions &options, bool hasAttribute) {
  if (failed(readBackend()) ||
      (!hasAttribute && !said.optLevel && failed(readLevel(options))) ||
      (!said.debug && failed(readDebug(options))))
    return failure();
  if (said.llvmDir.empty())
    if (auto prefix =
            environment.firstOf({"FLY_LLVM_DIR", "FLYDSL_COMPILE_LLVM_DIR"}))
      options.llvmDir = prefix->str();
  if (said.inputs.empty())
    options.inputs = ::fly::support::inputsOf(environment);
  return success();
}

FailureOr<CodegenOptions>
mlir::fly::effectiveOptions(gpu::GPUModuleOp module,
                            const ::fly::amdgpu::Target &target,
                            const CompileOptions &options,
                            const ::fly::support::Environment &environment) {
  CodegenOptions result;
  ROCDL::ROCDLTargetAttr attribute = matchingROCDL(module, target);
  if (options.resolve.useEnvironment &&
      failed(VariableReader(module, environment)
                 .read(options, result, /*hasAttribute=*/bool(attribute))))
    return failure();
  if (attribute)
    takeROCDL(attribute, result);
  if (options.optLevel)
    result.optLevel = *options.optLevel;
  if (result.optLevel > 3)
    return refuseValue(module, "opt-level", std::to_string(result.optLevel),
                       "an integer from 0 to 3");
  if (options.debug)
    result.debug = *options.debug;
  for (const std::string &hint : options.hints)
    if (failed(readHint(module, hint, result)))
      return failure();
  llvm::Expected<LLVMOptions> llvmOptions =
      readLLVMOptions(options.llvmOptions);
  if (!llvmOptions)
    return emitError(module.getLoc())
           << llvm::toString(llvmOptions.takeError());
  result.llvmOptions = std::move(*llvmOptions);
  if (!options.llvmDir.empty())
    result.llvmDir = options.llvmDir;
  if (!options.link.empty())
    result.link = options.link;
  result.deviceLibraries = options.deviceLibraries;
  for (const std::string &entry : options.prefixMap) {
    auto [from, to] = StringRef(entry).split('=');
    if (from.empty() || from.size() == entry.size())
      return refuseValue(module, "prefix-map", entry, "from=to");
    result.prefixMap.emplace_back(from.str(), to.str());
  }
  result.requireRelocatable = options.requireRelocatable;
  result.allowOpaque = options.allowOpaque;
  if (!options.inputs.empty())
    result.inputs = options.inputs;
  result.salt = options.salt;
  return result;
}
