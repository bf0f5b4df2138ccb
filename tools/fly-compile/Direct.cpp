// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the stores for an input that was compiled before. Whatever goes wrong
// here is left to the compiler, which says it better.

#include "Direct.h"

#include "fly/Support/Files.h"

using namespace flycompile;
using namespace fly::store;
using llvm::StringRef;

bool flycompile::mayBeDirect(const Arguments &arguments) {
  // Debug information holds the paths of the input; extra inputs are folders;
  // what a prefix map says is checked by the compiler.
  return arguments.direct && arguments.plan.empty() &&
         !arguments.stores.empty() && arguments.inputs.size() == 1 &&
         arguments.targets.size() <= 1 && arguments.emit == Emit::Object &&
         !StringRef(arguments.output).ends_with("/") &&
         arguments.debug.value_or(Debug::None) == Debug::None &&
         arguments.extraInputs.empty() && arguments.depfile.empty() &&
         arguments.prefixMap.empty() && !arguments.explain &&
         !arguments.verify && !arguments.timeReport;
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

/// The options that may change a key and are not in the resolution of the
/// target alone: `wave` and the like also decide about a target in the input.
static NamedTexts keyedOptions(const Arguments &arguments) {
  NamedTexts texts;
  addNumber(texts, "opt-level", arguments.optLevel);
  addNumber(texts, "wave", arguments.wave);
  addNumber(texts, "abi", arguments.abi);
  addNumber(texts, "cumode", arguments.cumode);
  addNumber(texts, "on-conflict", unsigned(arguments.onConflict));
  addNumber(texts, "feature-policy", unsigned(arguments.features));
  addNumber(texts, "allow-opaque", arguments.allowOpaque);
  addList(texts, "hint", arguments.hints);
  addList(texts, "link", arguments.link);
  addList(texts, "device-libs", {arguments.deviceLibraries});
  addList(texts, "salt", {arguments.salt});
  return texts;
}

DirectQuestion flycompile::directQuestion(const Arguments &arguments,
                                          const fly::support::Digest &input,
                                          StringRef compiler) {
  DirectQuestion question;
  question.input = input;
  question.options = keyedOptions(arguments);
  question.toolchain = loadedBuildIds(compiler);
  fly::amdgpu::ResolveRequest &resolve = question.resolve;
  if (!arguments.targets.empty())
    resolve.option = arguments.targets.front();
  resolve.optionName = "--target";
  resolve.wave = arguments.wave;
  resolve.cumode = arguments.cumode;
  resolve.abi = arguments.abi;
  resolve.environment = fly::support::Environment::capture();
  resolve.useEnvironment = arguments.useEnvironment;
  resolve.deviceName = arguments.deviceName;
  if (!arguments.kfdRoot.empty())
    resolve.kfdRoot = arguments.kfdRoot;
  resolve.archTool = arguments.archTool;
  resolve.detect = arguments.detect;
  resolve.features = arguments.features;
  resolve.onConflict = arguments.onConflict;
  resolve.allowDefault = arguments.allowDefault;
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
