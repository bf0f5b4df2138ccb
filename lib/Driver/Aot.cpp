// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan as jobs: each unit and target of the shard is one compile. Options of
// a unit have the names that the passes give them. The target of a job is the
// plan's, whatever variables say.

#include "fly/Driver/Batch.h"

#include "fly/Store/Plan.h"
#include "fly/Support/Errors.h"
#include "fly/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::fly;
using ::fly::store::Plan;
using ::fly::store::PlanUnit;
using ::fly::support::quoted;

static constexpr uint64_t maxPlanBytes = uint64_t(64) << 20;

namespace {
/// Where the options of a unit go.
struct OptionTarget {
  CompileOptions &options;
  /// Folder of the plan.
  StringRef folder;
};

/// An option that a plan may give.
struct PlanOption {
  llvm::StringLiteral name;
  llvm::StringLiteral expected;
  /// False when the value is not of the right kind.
  bool (*set)(const OptionTarget &target, StringRef value);
};
} // namespace

/// `path` as seen from the folder of the plan.
static std::string besidePlan(StringRef folder, StringRef path) {
  if (llvm::sys::path::is_absolute(path))
    return path.str();
  SmallString<256> whole(folder);
  llvm::sys::path::append(whole, path);
  return std::string(whole);
}

static std::vector<std::string> splitList(StringRef value) {
  SmallVector<StringRef> parts;
  value.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return std::vector<std::string>(parts.begin(), parts.end());
}

static std::vector<std::string> splitPaths(const OptionTarget &target,
                                           StringRef value) {
  std::vector<std::string> paths = splitList(value);
  for (std::string &path : paths)
    path = besidePlan(target.folder, path);
  return paths;
}

static bool setBool(bool &flag, StringRef value) {
  flag = value == "true";
  return flag || value == "false";
}

static const PlanOption planOptions[] = {
    {"opt-level", "0 to 3",
     [](const OptionTarget &target, StringRef value) {
       unsigned level;
       if (value.getAsInteger(10, level) || level > 3)
         return false;
       target.options.optLevel = level;
       return true;
     }},
    {"debug", "none, lines or full",
     [](const OptionTarget &target, StringRef value) {
       for (DebugKind kind :
            {DebugKind::None, DebugKind::Lines, DebugKind::Full})
         if (value == spell(kind)) {
           target.options.debug = kind;
           return true;
         }
       return false;
     }},
    {"hints", "name=value, separated by commas",
     [](const OptionTarget &target, StringRef value) {
       target.options.hints = splitList(value);
       return true;
     }},
    {"llvm-options", "name=value, separated by commas",
     [](const OptionTarget &target, StringRef value) {
       target.options.llvmOptions = splitList(value);
       return true;
     }},
    {"llvm-dir", "a folder",
     [](const OptionTarget &target, StringRef value) {
       target.options.llvmDir = besidePlan(target.folder, value);
       return !value.empty();
     }},
    {"link", "files, separated by commas",
     [](const OptionTarget &target, StringRef value) {
       target.options.link = splitPaths(target, value);
       return true;
     }},
    {"device-libs", "a folder",
     [](const OptionTarget &target, StringRef value) {
       target.options.deviceLibraries = besidePlan(target.folder, value);
       return !value.empty();
     }},
    {"inputs", "files and folders, separated by commas",
     [](const OptionTarget &target, StringRef value) {
       target.options.inputs = splitPaths(target, value);
       return true;
     }},
    {"salt", "a text",
     [](const OptionTarget &target, StringRef value) {
       target.options.salt = value.str();
       return true;
     }},
    {"prefix-map", "from=to, separated by commas",
     [](const OptionTarget &target, StringRef value) {
       target.options.prefixMap = splitList(value);
       return true;
     }},
    {"require-relocatable", "true or false",
     [](const OptionTarget &target, StringRef value) {
       return setBool(target.options.requireRelocatable, value);
     }},
    {"allow-opaque", "true or false",
     [](const OptionTarget &target, StringRef value) {
       return setBool(target.options.allowOpaque, value);
     }},
};

static llvm::Error setOption(const OptionTarget &target, const PlanUnit &unit,
                             StringRef name, StringRef value) {
  std::string names;
  for (const PlanOption &option : planOptions) {
    names += (names.empty() ? "" : ", ") + option.name.str();
    if (name != option.name)
      continue;
    if (option.set(target, value))
      return llvm::Error::success();
    return llvm::createStringError(
        "plan: unit " + quoted(unit.name) + ": option " + quoted(name) +
        " is " + quoted(value) + ", expected " + option.expected);
  }
  return llvm::createStringError("plan: unit " + quoted(unit.name) +
                                 ": unknown option " + quoted(name) +
                                 ", expected one of: " + names);
}

static llvm::Error addJobs(const AotRequest &request, StringRef folder,
                           const PlanUnit &unit, std::vector<BatchJob> &jobs) {
  CompileRequest common = request.base;
  common.inputPath = besidePlan(folder, unit.module);
  common.outputPath = "";
  common.emit = EmitKind::Object;
  common.unitName = unit.name;
  common.options.resolve.optionName = "the plan";
  common.options.resolve.useEnvironment = false;
  for (const auto &[name, value] : unit.options)
    if (llvm::Error error =
            setOption({common.options, folder}, unit, name, value))
      return error;
  for (const ::fly::amdgpu::Target &target : unit.targets) {
    BatchJob job{unit.name + " for " + target.text(), common};
    ResolveOptions &resolve = job.request.options.resolve;
    resolve.target = target.id();
    resolve.wave = target.wave;
    // Not every processor knows this one.
    if (target.cumode)
      resolve.cumode = true;
    resolve.abi = target.abi;
    jobs.push_back(std::move(job));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<BatchJob>>
mlir::fly::planJobs(const AotRequest &request) {
  auto refuse = [&](llvm::Error error) {
    return llvm::createStringError(quoted(request.planPath) + ": " +
                                   llvm::toString(std::move(error)));
  };
  llvm::Expected<std::string> text =
      ::fly::support::readSmallFile(request.planPath, maxPlanBytes);
  if (!text)
    return refuse(text.takeError());
  llvm::Expected<Plan> plan = Plan::parse(*text);
  if (!plan)
    return refuse(plan.takeError());
  StringRef folder = llvm::sys::path::parent_path(request.planPath);
  std::vector<BatchJob> jobs;
  for (const PlanUnit &unit : plan->units) {
    if (::fly::store::shardOf(unit.name, request.shards) != request.shard)
      continue;
    if (llvm::Error error = addJobs(request, folder, unit, jobs))
      return refuse(std::move(error));
  }
  return jobs;
}
