// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the stores for an input that was compiled before. Whatever goes wrong
// here is left to the compiler, which says it better.

#include "Direct.h"

#include "fly/Support/Files.h"
#include "fly/Support/Inputs.h"

using namespace flycompile;
using namespace fly::store;
using fly::support::Environment;
using llvm::StringRef;

bool flycompile::mayBeDirect(const Arguments &arguments) {
  return arguments.direct && arguments.plan.empty() &&
         !arguments.stores.empty() && arguments.inputs.size() == 1 &&
         arguments.targets.size() <= 1 && arguments.emit == Emit::Object &&
         !StringRef(arguments.output).ends_with("/") &&
         arguments.depfile.empty() && !arguments.explain && !arguments.verify &&
         !arguments.timeReport;
}

static void addList(NamedTexts &texts, StringRef name,
                    const std::vector<std::string> &values) {
  for (const std::string &value : values)
    texts.emplace_back(name.str(), value);
}

static void addNumber(NamedTexts &texts, StringRef name,
                      std::optional<unsigned> value) {
  if (value)
    texts.emplace_back(name.str(), std::to_string(*value));
}

/// Whether there may be debug information, which holds the path of the input as
/// it was given.
static bool mayHaveDebugInfo(const Arguments &arguments,
                             const Environment &environment) {
  if (arguments.debug)
    return *arguments.debug != Debug::None;
  return arguments.resolve.useEnvironment &&
         environment.firstOf({"FLY_DEBUG", "FLYDSL_DEBUG_ENABLE_DEBUG_INFO"});
}

/// The options that may change a key and are not in the resolution of the
/// target alone: `wave` and the like also decide about a target in the input.
static NamedTexts keyedOptions(const Arguments &arguments,
                               const Environment &environment) {
  const fly::amdgpu::ResolveOptions &resolve = arguments.resolve;
  NamedTexts texts;
  addNumber(texts, "import", arguments.import);
  addNumber(texts, "opt-level", arguments.optLevel);
  addNumber(texts, "wave", resolve.wave);
  addNumber(texts, "abi", resolve.abi);
  addNumber(texts, "cumode", resolve.cumode);
  addNumber(texts, "on-conflict", unsigned(resolve.onConflict));
  addNumber(texts, "feature-policy", unsigned(resolve.features));
  addNumber(texts, "allow-opaque", arguments.allowOpaque);
  addList(texts, "hint", arguments.hints);
  addList(texts, "llvm-option", arguments.llvmOptions);
  addList(texts, "link", arguments.link);
  addList(texts, "device-libs", {arguments.deviceLibraries.value_or("")});
  addList(texts, "salt", {arguments.salt});
  addList(texts, "prefix-map", arguments.prefixMap);
  addNumber(texts, "require-relocatable", arguments.requireRelocatable);
  if (arguments.debug)
    addNumber(texts, "debug", unsigned(*arguments.debug));
  if (mayHaveDebugInfo(arguments, environment))
    addList(texts, "input", arguments.inputs);
  return texts;
}

/// The libraries that would compile, with their build-ids; empty when that is
/// another LLVM than the compiler's.
static NamedTexts toolchainOf(const Arguments &arguments,
                              const Environment &environment,
                              StringRef compiler) {
  NamedTexts ids = loadedBuildIds(compiler, environment);
  std::string prefix = arguments.llvmDir;
  if (prefix.empty() && arguments.resolve.useEnvironment)
    prefix = environment.firstOf({"FLY_LLVM_DIR", "FLYDSL_COMPILE_LLVM_DIR"})
                 .value_or("");
  if (prefix.empty())
    return ids;
  NamedTexts asked = loadedBuildIds(prefix + "/bin/mlir-opt", environment);
  for (const auto &[name, id] : llvm::drop_begin(ids))
    if (!llvm::is_contained(asked, std::make_pair(name, id)))
      return {};
  return ids;
}

DirectQuestion flycompile::directQuestion(const Arguments &arguments,
                                          const fly::support::Digest &input,
                                          StringRef compiler) {
  Environment environment = Environment::capture();
  fly::amdgpu::ResolveOptions resolve = arguments.resolve;
  if (!arguments.targets.empty())
    resolve.target = arguments.targets.front();
  DirectQuestion question;
  question.input = input;
  question.options = keyedOptions(arguments, environment);
  question.resolve = fly::amdgpu::requestOf(resolve, environment);
  question.toolchain = toolchainOf(arguments, environment, compiler);
  question.inputs = arguments.extraInputs;
  if (question.inputs.empty() && resolve.useEnvironment)
    question.inputs = fly::support::inputsOf(environment);
  return question;
}

static void warn(const std::string &text) {
  llvm::errs() << "warning: " << text << "\n";
}

std::optional<int> flycompile::serveDirect(const Arguments &arguments,
                                           StringRef bytes,
                                           StringRef compiler) {
  LayersOptions options;
  options.notes = true;
  // A damaged entry is then left for the compiler to refuse.
  options.strict = arguments.strict;
  options.warn = warn;
  llvm::Expected<Layers> layers = Layers::open(arguments.stores, options);
  if (!layers) {
    llvm::consumeError(layers.takeError());
    return std::nullopt;
  }
  std::optional<DirectHit> hit = findDirect(
      directQuestion(arguments, fly::support::digestOf(bytes), compiler),
      *layers);
  if (!hit)
    return std::nullopt;
  llvm::Expected<std::optional<Artefact>> found =
      layers->lookUp(StringRef(hit->record.key));
  if (!found) {
    llvm::consumeError(found.takeError());
    return std::nullopt;
  }
  if (!*found || (*found)->manifest.target != hit->record.target)
    return std::nullopt;
  if (!arguments.output.empty()) {
    llvm::Error error =
        fly::support::writeFile(arguments.output, [&](llvm::raw_ostream &os) {
          os << (*found)->bytes->getBuffer();
          return llvm::Error::success();
        });
    if (error) {
      llvm::errs() << "error: cannot write '" << arguments.output
                   << "': " << llvm::toString(std::move(error)) << "\n";
      return exitUsage;
    }
  }
  if (!arguments.quiet)
    llvm::errs() << "hit " << hit->record.key << ", target "
                 << hit->record.target.text() << " from " << hit->source
                 << ", in " << (*found)->store << ", direct\n";
  return 0;
}
