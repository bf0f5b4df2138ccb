// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of direct records and the search for them. The outcome of a target
// resolution enters the name, never a variable's text. A record whose target
// was in the input has the outcome "unsaid".

#include "fly/Store/Direct.h"

#include "fly/Support/Errors.h"
#include "fly/Support/Files.h"
#include "fly/Support/Inputs.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::store;
namespace amdgpu = fly::amdgpu;
namespace support = fly::support;
using fly::amdgpu::ResolveRequest;
using fly::support::Digest;
using fly::support::Environment;
using fly::support::Hasher;
using llvm::StringRef;

/// Variables whose text may stand for their effect: the files behind them are
/// in the record.
static constexpr llvm::StringLiteral knownTexts[] = {
    "FLYDSL_COMPILE_BACKEND",
    "FLYDSL_COMPILE_OPT_LEVEL",
    "FLYDSL_DEBUG_ENABLE_DEBUG_INFO",
    "FLY_BACKEND",
    "FLY_DEBUG",
    "FLY_DEVICE_LIBS",
    "FLY_OPT_LEVEL",
    "ROCM_HOME",
    "ROCM_PATH",
    "ROCM_ROOT"};

/// Variables whose effect the question holds: build-ids and inputs.
static constexpr llvm::StringLiteral inQuestion[] = {
    "FLYDSL_COMPILE_LLVM_DIR", "FLYDSL_EXTRA_SOURCE_DIRS", "FLY_INPUTS",
    "FLY_LLVM_DIR", "LD_LIBRARY_PATH"};

/// Adds the variables that are keyed by effect; false when one has an effect
/// that cannot be told.
static bool addEffects(Hasher &hasher, const Environment &environment) {
  for (const support::Variable &row : support::knownVariables()) {
    if (row.kind != support::VariableClass::KeyedByEffect ||
        llvm::is_contained(inQuestion, row.name))
      continue;
    std::optional<StringRef> value = environment.get(row.name);
    if (value && !value->empty() && !llvm::is_contained(knownTexts, row.name))
      return false;
    hasher.addText(row.name);
    hasher.addOptional(value);
  }
  return true;
}

namespace {
/// What the sources outside the input say.
struct Outcome {
  std::string text;
  std::string source;
};
} // namespace

/// The request without sources that stand for a device.
static ResolveRequest onlySaid(const ResolveRequest &request) {
  ResolveRequest said = request;
  std::vector<std::pair<std::string, std::string>> variables;
  for (StringRef name : {"FLY_TARGET", "FLYDSL_GPU_ARCH", "ARCH"})
    if (std::optional<StringRef> value = request.environment.get(name))
      variables.emplace_back(name.str(), value->str());
  said.environment = Environment::fromPairs(variables);
  said.deviceName.clear();
  said.allowDefault.clear();
  said.detect = amdgpu::DetectMode::None;
  return said;
}

/// The outcome of `request`; "unsaid" when nothing says a target.
static std::optional<Outcome> outcomeOf(const ResolveRequest &request) {
  llvm::Expected<amdgpu::Resolution> found = amdgpu::resolve(request);
  if (!found) {
    llvm::Error error = found.takeError();
    bool isUnsaid = support::codeOf(error) == "T001";
    llvm::consumeError(std::move(error));
    if (!isUnsaid)
      return std::nullopt;
    return Outcome{"unsaid", "the input"};
  }
  return Outcome{found->target().fullText(),
                 StringRef(found->source).rtrim('=').str()};
}

static std::optional<Outcome> outcomeOf(const DirectQuestion &question,
                                        DirectTarget how) {
  if (how == DirectTarget::Said)
    return outcomeOf(onlySaid(question.resolve));
  std::optional<Outcome> portable = outcomeOf(question.resolve);
  ResolveRequest exact = question.resolve;
  exact.features = amdgpu::FeaturePolicy::Exact;
  std::optional<Outcome> device =
      exact.deviceName.empty() ? portable : outcomeOf(exact);
  if (!portable || !device || portable->text == "unsaid")
    return std::nullopt;
  return Outcome{"device " + portable->text + " exact " + device->text,
                 portable->source};
}

static void addTexts(Hasher &hasher, const NamedTexts &texts) {
  hasher.beginList(texts.size());
  for (const auto &[name, value] : texts) {
    hasher.addText(name);
    hasher.addText(value);
  }
}

static std::optional<Digest> idOf(const DirectQuestion &question,
                                  const Outcome &outcome) {
  if (question.toolchain.empty())
    return std::nullopt;
  Hasher hasher("fly-direct", "v2");
  hasher.addDigest(question.input);
  addTexts(hasher, question.options);
  addTexts(hasher, question.toolchain);
  hasher.addText(outcome.text);
  hasher.addText(support::keySchema);
  llvm::Expected<Digest> inputs = support::digestInputs(question.inputs);
  if (!inputs) {
    llvm::consumeError(inputs.takeError());
    return std::nullopt;
  }
  hasher.addDigest(*inputs);
  if (!addEffects(hasher, question.resolve.environment))
    return std::nullopt;
  return hasher.finish();
}

std::optional<Digest> fly::store::directId(const DirectQuestion &question,
                                           DirectTarget how) {
  std::optional<Outcome> outcome = outcomeOf(question, how);
  return outcome ? idOf(question, *outcome) : std::nullopt;
}

bool fly::store::isUnchanged(const DirectRecord &record) {
  for (const auto &[path, digest] : record.reads) {
    // A record may come from anywhere: nothing but files of bounded size.
    llvm::Expected<std::string> content =
        support::readSmallFile(path, maxPayloadBytes);
    std::optional<Digest> now;
    if (content)
      now = support::digestOf(*content);
    else
      llvm::consumeError(content.takeError());
    if (now != digest)
      return false;
  }
  return true;
}

/// The record `id` of the first store that has a usable one.
static std::optional<DirectRecord> recordOf(const Layers &layers,
                                            const Digest &id) {
  for (const Store &store : layers.stores()) {
    llvm::Expected<std::optional<DirectRecord>> found = store.direct(id);
    if (!found) {
      store.warn(llvm::toString(found.takeError()) + "; passed over");
      continue;
    }
    if (*found && isUnchanged(**found))
      return std::move(**found);
  }
  return std::nullopt;
}

std::optional<DirectHit> fly::store::findDirect(const DirectQuestion &question,
                                                const Layers &layers) {
  std::optional<Outcome> outcome = outcomeOf(question, DirectTarget::Said);
  for (DirectTarget how : {DirectTarget::Said, DirectTarget::Device}) {
    // What is said is meant; the machine is looked at only when nothing is.
    if (how == DirectTarget::Device) {
      if (!outcome || outcome->text != "unsaid")
        return std::nullopt;
      outcome = outcomeOf(question, how);
    }
    std::optional<Digest> id =
        outcome ? idOf(question, *outcome) : std::nullopt;
    if (!id)
      continue;
    if (std::optional<DirectRecord> record = recordOf(layers, *id))
      return DirectHit{std::move(*record), outcome->source};
    // A second look with the machine's answer.
  }
  return std::nullopt;
}
