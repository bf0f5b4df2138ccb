// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks 5 to 8 of the target resolution: the runtime's override, the name of a
// device that the caller holds, detection by the kernel driver's topology and
// by programs, and the default that a caller insists on. Detected features are
// generalised to `any` unless the policy is `exact`.

#include "Resolver.h"

#include "fly/Support/Errors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly::amdgpu;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;

Target Resolver::generalise(Target target) const {
  if (request.features == FeaturePolicy::Exact)
    return target;
  Target portable = Target::ofChip(target.row());
  target.sramecc = portable.sramecc;
  target.xnack = portable.xnack;
  return target;
}

/// The one target of all GPUs found, or an error that lists them.
llvm::Expected<std::optional<Source>>
Resolver::oneOf(const Search &search, unsigned rank, StringRef label) {
  for (const std::string &note : search.notes)
    result.remarks.push_back(note);
  if (search.gpus.empty()) {
    tried.push_back((label + " (" +
                     (search.notes.empty() ? std::string("no GPU")
                                           : llvm::join(search.notes, "; ")) +
                     ")")
                        .str());
    return std::nullopt;
  }
  for (const Gpu &gpu : search.gpus)
    if (!gpu.target)
      return makeError(gpu.code, gpu.problem);
  const Gpu &first = search.gpus.front();
  Target target = generalise(*first.target);
  for (const Gpu &gpu : search.gpus) {
    if (generalise(*gpu.target) == target)
      continue;
    std::vector<std::string> all;
    for (const Gpu &each : search.gpus)
      all.push_back(each.describe());
    std::string notes = search.notes.empty()
                            ? std::string()
                            : " (" + llvm::join(search.notes, "; ") + ")";
    return makeError("T007", "GPUs of different processors are visible: " +
                                 llvm::join(all, ", ") + notes +
                                 "; choose one with " + request.optionName);
  }
  return Source{{rank, first.source, first.raw, {target}}};
}

llvm::Expected<std::optional<Source>> Resolver::readOverride() {
  constexpr llvm::StringLiteral name = "HSA_OVERRIDE_GFX_VERSION";
  std::optional<StringRef> global = variable(name);
  std::optional<Target> everywhere;
  if (global) {
    llvm::Expected<Target> target = fromOverride(global->trim(), name);
    if (!target)
      return target.takeError();
    everywhere = *target;
  }
  std::vector<Gpu> overrides;
  if (request.useEnvironment) {
    for (auto [node, value] : request.environment.numbered(name)) {
      std::string variableName = name.str() + "_" + std::to_string(node);
      if (value.trim().empty()) {
        ignore(variableName, value, "blank, taken as unset");
        continue;
      }
      llvm::Expected<Target> target = fromOverride(value.trim(), variableName);
      if (!target)
        return target.takeError();
      Gpu gpu;
      gpu.node = node;
      gpu.source = variableName;
      gpu.raw = value.str();
      gpu.target = *target;
      overrides.push_back(std::move(gpu));
    }
  }
  if (overrides.empty() && !everywhere)
    return std::nullopt;
  if (overrides.empty())
    return Source{{5, name.str(), global->str(), {*everywhere}}};

  // Some nodes have an override of their own: the nodes must be known.
  Search search;
  if (request.detect == DetectMode::Auto || request.detect == DetectMode::Kfd)
    search = readKfd(request.kfdRoot);
  for (Gpu &gpu : search.gpus) {
    auto own = llvm::find_if(
        overrides, [&](const Gpu &each) { return each.node == gpu.node; });
    if (own != overrides.end()) {
      gpu.set(*own->target);
      gpu.source = own->source;
      gpu.raw = own->raw;
    } else if (everywhere) {
      gpu.set(*everywhere);
      gpu.source = name.str();
      gpu.raw = global->str();
    }
  }
  if (!search.gpus.empty()) {
    applyVisibility(search, request.environment);
    return oneOf(search, 5, name);
  }
  // No node is known: whatever node the code meets, all must give one target.
  search = Search();
  search.gpus = overrides;
  if (everywhere) {
    Gpu gpu;
    gpu.source = name.str();
    gpu.raw = global->str();
    gpu.target = everywhere;
    search.gpus.push_back(std::move(gpu));
  }
  return oneOf(search, 5, name);
}

llvm::Expected<std::optional<Source>> Resolver::readDeviceName() {
  std::string name = spelled("device-name=");
  if (StringRef(request.deviceName).trim().empty()) {
    tried.push_back(name + " (not given)");
    return std::nullopt;
  }
  llvm::Expected<Target> target = normalize(request.deviceName, name);
  if (!target)
    return target.takeError();
  return Source{{6, name, request.deviceName, {generalise(*target)}}};
}

llvm::Expected<std::optional<Source>> Resolver::readKfdTree() {
  if (request.detect != DetectMode::Auto && request.detect != DetectMode::Kfd)
    return std::nullopt;
  Search search = readKfd(request.kfdRoot);
  if (request.useEnvironment)
    applyVisibility(search, request.environment);
  return oneOf(search, 7, "KFD");
}

llvm::Expected<std::optional<Source>> Resolver::readTools() {
  if (request.detect != DetectMode::Auto && request.detect != DetectMode::Tool)
    return std::nullopt;
  // A caller who asks for a program, and for no default, wants to know that it
  // gave nothing.
  bool required =
      (request.detect == DetectMode::Tool || !request.archTool.empty()) &&
      StringRef(request.allowDefault).trim().empty();
  StringRef searchPath;
  if (request.useEnvironment)
    searchPath = request.environment.get("PATH").value_or("");
  std::vector<std::string> names = {"amdgpu-arch", "offload-arch",
                                    "rocm_agent_enumerator"};
  if (!request.archTool.empty())
    names = {request.archTool};
  std::vector<std::string> failures;
  for (const std::string &name : names) {
    std::string path = findTool(name, searchPath);
    if (path.empty()) {
      tried.push_back(name + " (not found)");
      failures.push_back(quoted(name) + " was not found on PATH");
      continue;
    }
    ToolRun run = runArchTool(path, request.toolTimeout);
    if (run.failure.empty())
      return oneOf(run.search, 7, name);
    tried.push_back(name + " (" + run.failure + ")");
    failures.push_back(quoted(path) + " " + run.failure);
  }
  if (required)
    return makeError("T008",
                     "detection of the GPU by a program gave nothing: " +
                         llvm::join(failures, "; ") +
                         "; give the target with " + request.optionName);
  return std::nullopt;
}

llvm::Expected<std::optional<Source>> Resolver::readDefault() {
  std::string name = spelled("allow-default=");
  if (StringRef(request.allowDefault).trim().empty())
    return std::nullopt;
  llvm::Expected<Target> target = normalize(request.allowDefault, name);
  if (!target)
    return target.takeError();
  result.remarks.push_back("nothing says the target: " + target->text() +
                           " is taken because " + name + " asks for it");
  return Source{{8, name, request.allowDefault, {*target}}};
}
