// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Target resolution: the ranked sources, their conflicts, and what is said
// when there is none. Explicit sources (ranks 1 to 4) are all read and must
// agree; the others are read one after the other, and only when needed.

#include "fly/Target/AMDGPU/Resolve.h"

#include "Resolver.h"

#include "fly/Support/Errors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

using namespace fly::amdgpu;
using fly::support::makeError;
using fly::support::quoted;
using fly::support::takeApart;
using llvm::StringRef;
using llvm::Twine;

std::optional<DetectMode> fly::amdgpu::parseDetectMode(StringRef text) {
  return llvm::StringSwitch<std::optional<DetectMode>>(text)
      .Case("auto", DetectMode::Auto)
      .Case("kfd", DetectMode::Kfd)
      .Case("tool", DetectMode::Tool)
      .Case("none", DetectMode::None)
      .Default(std::nullopt);
}

std::optional<FeaturePolicy> fly::amdgpu::parseFeaturePolicy(StringRef text) {
  return llvm::StringSwitch<std::optional<FeaturePolicy>>(text)
      .Case("portable", FeaturePolicy::Portable)
      .Case("exact", FeaturePolicy::Exact)
      .Default(std::nullopt);
}

std::optional<ConflictPolicy> fly::amdgpu::parseConflictPolicy(StringRef text) {
  return llvm::StringSwitch<std::optional<ConflictPolicy>>(text)
      .Case("error", ConflictPolicy::Error)
      .Case("override", ConflictPolicy::Override)
      .Default(std::nullopt);
}

ResolveRequest fly::amdgpu::requestOf(const ResolveOptions &options,
                                      const support::Environment &environment) {
  ResolveRequest request;
  request.option = options.target;
  request.optionTargets = options.targets;
  request.optionName = options.optionName;
  request.wave = options.wave;
  request.cumode = options.cumode;
  request.abi = options.abi;
  request.environment = environment;
  request.useEnvironment = options.useEnvironment;
  request.deviceName = options.deviceName;
  if (!options.kfdRoot.empty())
    request.kfdRoot = options.kfdRoot;
  request.archTool = options.archTool;
  request.detect = options.detect;
  request.features = options.features;
  request.onConflict = options.onConflict;
  request.allowDefault = options.allowDefault;
  return request;
}

//===----------------------------------------------------------------------===//
// Small parts
//===----------------------------------------------------------------------===//

static std::string listOf(llvm::ArrayRef<Target> targets) {
  std::vector<std::string> texts;
  for (const Target &target : targets)
    texts.push_back(target.text());
  return llvm::join(texts, ", ");
}

void Resolver::ignore(StringRef source, StringRef raw, const Twine &why,
                      StringRef code) {
  result.ignored.push_back({source.str(), raw.str(), why.str()});
  std::string remark = (source + (source.ends_with("=") ? "" : "=") +
                        quoted(raw) + " ignored: " + why)
                           .str();
  if (!code.empty())
    remark += (" [FLY-" + code + "]").str();
  result.remarks.push_back(remark);
}

std::string Resolver::spelled(StringRef name) const {
  // Passes say `target=`, programs `--target`.
  StringRef dashes = request.optionName == "target=" ? "" : "--";
  return (dashes + name).str();
}

/// The value of a variable that says something: blank counts as unset.
std::optional<StringRef> Resolver::variable(StringRef name) {
  if (!request.useEnvironment) {
    tried.push_back((name + " (variables are not looked at)").str());
    return std::nullopt;
  }
  std::optional<StringRef> value = request.environment.get(name);
  if (!value) {
    tried.push_back((name + " (unset)").str());
    return std::nullopt;
  }
  if (value->trim().empty()) {
    tried.push_back((name + " (blank)").str());
    ignore(name, *value, "blank, taken as unset");
    return std::nullopt;
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Explicit sources
//===----------------------------------------------------------------------===//

/// An explicit source that cannot be read is an error, unless a stronger one
/// exists and shall override.
llvm::Error Resolver::refuse(llvm::Error error, StringRef source,
                             StringRef raw) {
  if (given.empty() || request.onConflict == ConflictPolicy::Error)
    return error;
  auto [code, text] = takeApart(std::move(error));
  ignore(source, raw, text, code);
  return llvm::Error::success();
}

/// Takes `wave=64`, `cumode=true` and `abi=500` over; false for others.
static bool takeSetting(StringRef name, StringRef value, Target &target,
                        Source &source) {
  if (name == "wave")
    return source.waveGiven = !value.getAsInteger(10, target.wave);
  if (name == "abi")
    return source.abiGiven = !value.getAsInteger(10, target.abi);
  if (name != "cumode" || (value != "true" && value != "false"))
    return false;
  target.cumode = value == "true";
  return source.cumodeGiven = true;
}

/// Reads a target in any spelling, also as `Target::text` prints it, with
/// settings behind it: `gfx1100 wave=64`.
static llvm::Expected<Source> readText(StringRef name, StringRef raw,
                                       unsigned rank) {
  Source source{{rank, name.str(), raw.str(), {}}};
  llvm::SmallVector<StringRef, 4> words;
  llvm::SplitString(raw, words, " ,");
  bool hasSettings = words.size() > 1 &&
                     llvm::all_of(llvm::drop_begin(words), [](StringRef word) {
                       return word.contains('=');
                     });
  llvm::Expected<Target> target =
      normalize(hasSettings ? words.front() : raw, name);
  if (!target)
    return target.takeError();
  for (StringRef word : llvm::ArrayRef<StringRef>(words).drop_front(
           hasSettings ? 1 : words.size())) {
    auto [setting, value] = word.split('=');
    if (!takeSetting(setting, value, *target, source))
      return makeError("T002", "target " + quoted(raw) + " from " + name +
                                   " has the setting " + quoted(word) +
                                   ", expected wave=32, wave=64, cumode=true, "
                                   "cumode=false, abi=500 or abi=600");
  }
  source.candidate.targets.push_back(std::move(*target));
  return source;
}

llvm::Error Resolver::addText(StringRef source, StringRef raw, unsigned rank) {
  llvm::Expected<Source> read = readText(source, raw, rank);
  if (!read)
    return refuse(read.takeError(), source, raw);
  given.push_back(std::move(*read));
  return llvm::Error::success();
}

/// The targets of a fat build are one source with several targets.
llvm::Error Resolver::readTargets() {
  constexpr llvm::StringLiteral name = "targets=";
  if (!StringRef(request.option).trim().empty())
    return makeError("T005", request.optionName + quoted(request.option) +
                                 " and " + name + "'" +
                                 llvm::join(request.optionTargets, ",") +
                                 "' are both given; expected one of them");
  Source source{{1, name.str(), llvm::join(request.optionTargets, ","), {}}};
  for (const std::string &text : request.optionTargets) {
    llvm::Expected<Target> target = normalize(text, name);
    if (!target)
      return target.takeError();
    source.candidate.targets.push_back(std::move(*target));
  }
  std::vector<Target> &targets = source.candidate.targets;
  llvm::sort(targets);
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  given.push_back(std::move(source));
  return llvm::Error::success();
}

llvm::Error Resolver::readOption() {
  if (!request.optionTargets.empty())
    return readTargets();
  if (StringRef(request.option).trim().empty()) {
    tried.push_back(request.optionName + " (not given)");
    if (!request.option.empty())
      ignore(request.optionName, request.option, "blank, taken as not given");
    return llvm::Error::success();
  }
  return addText(request.optionName, request.option, 1);
}

llvm::Error Resolver::readIr() {
  std::string why = "none";
  for (const Ignored &entry : request.irIgnored) {
    ignore(entry.source, entry.raw, entry.why);
    why = entry.source + ": " + entry.why;
  }
  if (request.ir.empty())
    tried.push_back("targets in the module (" + why + ")");
  for (IrPlace place :
       {IrPlace::GpuModule, IrPlace::BuiltinModule, IrPlace::RocdlTargets}) {
    Source source;
    source.candidate.rank = 2;
    for (const IrCandidate &entry : request.ir) {
      if (entry.place != place)
        continue;
      if (llvm::Error error = entry.target.verify()) {
        if (llvm::Error kept = refuse(std::move(error), entry.where, entry.raw))
          return kept;
        continue;
      }
      Candidate &candidate = source.candidate;
      bool first = candidate.targets.empty();
      candidate.source = first ? entry.where : candidate.source;
      candidate.raw += (first ? "" : ", ") + entry.raw;
      candidate.targets.push_back(entry.target);
      source.waveGiven |= entry.waveGiven;
      source.cumodeGiven |= entry.cumodeGiven;
      source.abiGiven |= entry.abiGiven;
    }
    std::vector<Target> &targets = source.candidate.targets;
    llvm::sort(targets);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    if (!targets.empty())
      given.push_back(std::move(source));
  }
  return llvm::Error::success();
}

llvm::Error Resolver::readVariable(StringRef name, unsigned rank) {
  std::optional<StringRef> value = variable(name);
  return value ? addText(name, *value, rank) : llvm::Error::success();
}

/// `ARCH` is also what Linux builds call the machine: only a processor counts.
/// A text that begins like one must be one.
llvm::Error Resolver::readArch() {
  std::optional<StringRef> value = variable("ARCH");
  if (!value)
    return llvm::Error::success();
  std::string lower = value->trim().lower();
  StringRef name = lower;
  bool meant = name.starts_with("gfx") || name.starts_with("amdgcn") ||
               findChipOrAlias(name.split(':').first);
  if (meant)
    return addText("ARCH", *value, 4);
  tried.push_back("ARCH (" + quoted(*value) + " is not a gfx name)");
  ignore("ARCH", *value, "not a gfx name", "T011");
  return llvm::Error::success();
}

/// Whether two targets agree where both sources say something.
static bool agree(const Target &a, const Source &from, const Target &b,
                  const Source &other) {
  return a.id() == b.id() &&
         (!from.waveGiven || !other.waveGiven || a.wave == b.wave) &&
         (!from.cumodeGiven || !other.cumodeGiven || a.cumode == b.cumode) &&
         (!from.abiGiven || !other.abiGiven || a.abi == b.abi);
}

static bool covers(const Source &a, const Source &b) {
  return llvm::all_of(b.candidate.targets, [&](const Target &target) {
    return llvm::any_of(a.candidate.targets, [&](const Target &own) {
      return agree(own, a, target, b);
    });
  });
}

llvm::Error Resolver::checkConflicts() {
  // The options on their own are a source too, but only against the IR: texts
  // do not speak of them.
  std::vector<std::string> clashes;
  bool clash = false;
  auto option = [&](StringRef name, bool isGiven, const Twine &value,
                    llvm::function_ref<bool(const Source &)> differs) {
    if (!isGiven || llvm::none_of(given, differs))
      return;
    clash = true;
    clashes.push_back((spelled(name) + "=" + value).str());
  };
  auto anyTarget = [](const Source &source,
                      llvm::function_ref<bool(const Target &)> differs) {
    return llvm::any_of(source.candidate.targets, differs);
  };
  option("wave", request.wave.has_value(), Twine(request.wave.value_or(0)),
         [&](const Source &source) {
           return source.waveGiven &&
                  anyTarget(source, [&](const Target &target) {
                    return target.wave != *request.wave;
                  });
         });
  option("cumode", request.cumode.has_value(),
         request.cumode.value_or(false) ? "true" : "false",
         [&](const Source &source) {
           return source.cumodeGiven &&
                  anyTarget(source, [&](const Target &target) {
                    return target.cumode != *request.cumode;
                  });
         });
  option("abi", request.abi.has_value(), Twine(request.abi.value_or(0)),
         [&](const Source &source) {
           return source.abiGiven &&
                  anyTarget(source, [&](const Target &target) {
                    return target.abi != *request.abi;
                  });
         });
  for (size_t i = 0; i < given.size(); ++i)
    for (size_t j = i + 1; j < given.size(); ++j)
      clash |= !covers(given[i], given[j]) || !covers(given[j], given[i]);
  if (!clash)
    return llvm::Error::success();
  for (const Source &source : given) {
    const Candidate &candidate = source.candidate;
    StringRef name = candidate.source;
    clashes.push_back((name + (name.ends_with("=") ? "" : "=") +
                       quoted(candidate.raw) + " (" +
                       listOf(candidate.targets) + ")")
                          .str());
  }
  std::string text =
      "explicit sources of the target disagree: " + llvm::join(clashes, "; ");
  if (request.onConflict == ConflictPolicy::Error)
    return makeError("T005", text + "; make them agree, or let " +
                                 spelled("on-conflict=override") +
                                 " take the first");
  result.remarks.push_back(text + "; the first decides");
  for (const Source &source : llvm::drop_begin(given))
    if (!covers(given.front(), source) || !covers(source, given.front()))
      result.ignored.push_back(
          {source.candidate.source, source.candidate.raw,
           "overridden by " + given.front().candidate.source});
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Notes `tried A, B` in the order of `tried`, each a line that people read.
static std::string triedLines(llvm::ArrayRef<std::string> tried) {
  constexpr size_t width = 90;
  std::string text, line;
  for (const std::string &source : tried) {
    if (!line.empty() && line.size() + source.size() > width) {
      text += "\n  note: tried " + line;
      line.clear();
    }
    line += (line.empty() ? "" : ", ") + source;
  }
  return text + "\n  note: tried " + line;
}

llvm::Error Resolver::noTarget() {
  if (request.detect == DetectMode::None)
    tried.push_back("detection (" + spelled("detect=none") + ")");
  StringRef option = StringRef(request.optionName).rtrim('=');
  return makeError("T001", "no target is given and no GPU was found; say it "
                           "with " +
                               option +
                               "=gfx942 (a processor name), or set FLY_TARGET" +
                               triedLines(tried));
}

/// Ranks 5 and 6 that say something else than the winner are mentioned: the
/// code is then meant for another machine.
void Resolver::noteWeaker(const Source &winner) {
  auto note = [&](StringRef name, StringRef raw, llvm::Expected<Target> said) {
    if (!said) {
      auto [code, text] = takeApart(said.takeError());
      ignore(name, raw, text, code);
      return;
    }
    bool same = llvm::any_of(winner.candidate.targets, [&](const Target &own) {
      return generalise(own).id() == generalise(*said).id();
    });
    if (same)
      return;
    ignore(name, raw,
           "says " + said->id() + ", but " + winner.candidate.source +
               " says " + listOf(winner.candidate.targets));
  };
  if (winner.candidate.rank < 5 && request.useEnvironment) {
    constexpr llvm::StringLiteral name = "HSA_OVERRIDE_GFX_VERSION";
    std::optional<StringRef> value = request.environment.get(name);
    if (value && !value->trim().empty())
      note(name, *value, fromOverride(value->trim(), name));
    for (auto [node, text] : request.environment.numbered(name)) {
      std::string member = name.str() + "_" + std::to_string(node);
      if (!text.trim().empty())
        note(member, text, fromOverride(text.trim(), member));
    }
  }
  StringRef device = request.deviceName;
  if (winner.candidate.rank < 6 && !device.trim().empty())
    note(spelled("device-name="), device,
         normalize(device, spelled("device-name=")));
}

llvm::Expected<Resolution> Resolver::finish(const Source &winner) {
  result.source = winner.candidate.source;
  result.raw = winner.candidate.raw;
  for (const Source &source : given)
    result.candidates.push_back(source.candidate);
  if (given.empty())
    result.candidates.push_back(winner.candidate);
  for (Target target : winner.candidate.targets) {
    // A field that the winner leaves open comes from an option, else from the
    // strongest source that gives it.
    auto strongest = [&](bool Source::*isGiven) -> const Target * {
      if (winner.*isGiven)
        return nullptr;
      for (const Source &source : given)
        if (source.*isGiven)
          for (const Target &other : source.candidate.targets)
            if (other.id() == target.id())
              return &other;
      return nullptr;
    };
    if (const Target *other = strongest(&Source::waveGiven))
      target.wave = other->wave;
    if (const Target *other = strongest(&Source::cumodeGiven))
      target.cumode = other->cumode;
    if (const Target *other = strongest(&Source::abiGiven))
      target.abi = other->abi;
    target.wave = request.wave.value_or(target.wave);
    target.cumode = request.cumode.value_or(target.cumode);
    target.abi = request.abi.value_or(target.abi);
    if (llvm::Error error = target.verify())
      return error;
    result.targets.push_back(std::move(target));
  }
  llvm::sort(result.targets);
  result.targets.erase(
      std::unique(result.targets.begin(), result.targets.end()),
      result.targets.end());
  noteWeaker(winner);
  return std::move(result);
}

Resolution Resolver::considered() const {
  Resolution partial = result;
  partial.targets.clear();
  if (partial.candidates.empty())
    for (const Source &source : given)
      partial.candidates.push_back(source.candidate);
  return partial;
}

llvm::Expected<Resolution> Resolver::run() {
  if (llvm::Error error = readOption())
    return error;
  if (llvm::Error error = readIr())
    return error;
  if (llvm::Error error = readVariable("FLY_TARGET", 3))
    return error;
  if (llvm::Error error = readVariable("FLYDSL_GPU_ARCH", 4))
    return error;
  if (llvm::Error error = readArch())
    return error;
  if (!given.empty()) {
    if (llvm::Error error = checkConflicts())
      return error;
    return finish(given.front());
  }
  for (auto read :
       {&Resolver::readOverride, &Resolver::readDeviceName,
        &Resolver::readKfdTree, &Resolver::readTools, &Resolver::readDefault}) {
    llvm::Expected<std::optional<Source>> found = (this->*read)();
    if (!found)
      return found.takeError();
    if (*found)
      return finish(**found);
  }
  return noTarget();
}

llvm::Expected<Resolution> fly::amdgpu::resolve(const ResolveRequest &request,
                                                Resolution *considered) {
  Resolver resolver(request);
  llvm::Expected<Resolution> found = resolver.run();
  if (!found && considered)
    *considered = resolver.considered();
  return found;
}
