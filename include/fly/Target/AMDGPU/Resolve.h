// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Target resolution: all the ways to say a target go in, one target (or, for
// fat builds, a sorted list) and a report of where it came from come out. The
// laws: the result depends on what was said, never on which source said it;
// detection runs only when nothing explicit was said; there is no default.
//
//   ResolveRequest request;
//   request.environment = support::Environment::capture();
//   llvm::Expected<Resolution> found = resolve(request);
//
// Ranks, strongest first: 1 option, 2 IR, 3 FLY_TARGET, 4 FLYDSL_GPU_ARCH and
// ARCH, 5 HSA_OVERRIDE_GFX_VERSION, 6 device name, 7 KFD and tools, 8 the
// default that a caller insists on.

#ifndef FLY_TARGET_AMDGPU_RESOLVE_H
#define FLY_TARGET_AMDGPU_RESOLVE_H

#include "fly/Support/Environment.h"
#include "fly/Target/AMDGPU/Target.h"

#include <optional>
#include <string>
#include <vector>

namespace fly::amdgpu {

enum class DetectMode { Auto, Kfd, Tool, None };
/// `Portable` generalises what was detected to `Any`; `Exact` keeps it.
enum class FeaturePolicy { Portable, Exact };
enum class ConflictPolicy { Error, Override };

/// The option spellings `auto|kfd|tool|none`, `portable|exact`,
/// `error|override`; nothing for any other text.
std::optional<DetectMode> parseDetectMode(llvm::StringRef text);
std::optional<FeaturePolicy> parseFeaturePolicy(llvm::StringRef text);
std::optional<ConflictPolicy> parseConflictPolicy(llvm::StringRef text);

/// Where in the IR a target stands; stronger first.
enum class IrPlace {
  /// `fly.target` of the gpu.module.
  GpuModule,
  /// `fly.target` of the builtin.module.
  BuiltinModule,
  /// A `#rocdl.target` in the `targets` of the gpu.module. Several distinct
  /// ones are a fat build.
  RocdlTargets
};

/// A target that the IR carries.
struct IrCandidate {
  IrPlace place;
  Target target;
  /// For messages and the report: "fly.target of @kernels".
  std::string where;
  /// Its text as it stands in the IR.
  std::string raw;
  /// False when the IR leaves the field to the default, so that an option may
  /// still decide it without a conflict.
  bool waveGiven = true;
  bool cumodeGiven = true;
  bool abiGiven = true;
};

/// A source that said something that was not used.
struct Ignored {
  std::string source;
  std::string raw;
  std::string why;
};

/// All that resolution looks at. Empty strings mean "not given".
struct ResolveRequest {
  /// Rank 1 in any spelling of `normalize`.
  std::string option;
  /// Rank 1 for a fat build: several targets, each in any spelling. Not to be
  /// given with `option`.
  std::vector<std::string> optionTargets;
  /// How the option is called in messages: "target=", "--target".
  std::string optionName = "target=";
  /// Given on their own; they also apply to a target from any other source.
  std::optional<unsigned> wave;
  std::optional<bool> cumode;
  std::optional<unsigned> abi;

  std::vector<IrCandidate> ir;
  /// What stands in the IR but says no target, and why.
  std::vector<Ignored> irIgnored;
  support::Environment environment;
  /// False: variables are not looked at.
  bool useEnvironment = true;

  /// `gcnArchName` of a device that the caller holds.
  std::string deviceName;
  /// The folder `nodes` of the KFD topology.
  std::string kfdRoot = "/sys/class/kfd/kfd/topology/nodes";
  /// A program that prints one processor a line, instead of those searched on
  /// PATH (amdgpu-arch, offload-arch, rocm_agent_enumerator).
  std::string archTool;
  /// Seconds that a program may take.
  unsigned toolTimeout = 10;
  DetectMode detect = DetectMode::Auto;
  FeaturePolicy features = FeaturePolicy::Portable;
  ConflictPolicy onConflict = ConflictPolicy::Error;
  /// Rank 8.
  std::string allowDefault;
};

/// What a caller says about finding the target; empty strings mean "not given".
/// A request is this, with the variables and what the IR says.
struct ResolveOptions {
  /// In any spelling.
  std::string target;
  /// Several targets for a fat build; then `target` is empty.
  std::vector<std::string> targets;
  std::optional<unsigned> wave;
  std::optional<bool> cumode;
  std::optional<unsigned> abi;
  DetectMode detect = DetectMode::Auto;
  /// The folder `nodes` of a KFD topology; empty for the system's.
  std::string kfdRoot;
  std::string archTool;
  /// `gcnArchName` of a device that the caller holds.
  std::string deviceName;
  std::string allowDefault;
  FeaturePolicy features = FeaturePolicy::Portable;
  ConflictPolicy onConflict = ConflictPolicy::Error;
  /// False: no variable is looked at.
  bool useEnvironment = true;
  /// How messages call the option that fills `target`.
  std::string optionName = "target=";
};

/// The request of `options` with the variables `environment`, and no IR.
ResolveRequest requestOf(const ResolveOptions &options,
                         const support::Environment &environment);

/// A source that said something valid.
struct Candidate {
  unsigned rank;
  /// "target=", "FLY_TARGET", "kfd:node4".
  std::string source;
  std::string raw;
  /// Usually one.
  std::vector<Target> targets;
};

/// The outcome of a resolution.
struct Resolution {
  /// Sorted, distinct, never empty; more than one only for fat builds.
  std::vector<Target> targets;
  /// The source that decided, and its text.
  std::string source;
  std::string raw;
  std::vector<Candidate> candidates;
  std::vector<Ignored> ignored;
  /// Sentences for remarks: `ARCH='x86_64' ignored: ... [FLY-T011]`.
  std::vector<std::string> remarks;

  const Target &target() const { return targets.front(); }

  /// One line of JSON, schema `fly-target-report/1`, fields in this order:
  /// schema, target (the ID), full, wave, cumode, abi, targets (full texts),
  /// source, raw, candidates [{rank, source, raw, targets}], ignored
  /// [{<source>: raw, "why": text}].
  std::string reportJson() const;
  /// The same for people, some lines.
  std::string reportText() const;
};

/// Resolves. Fails with a coded error: T001 to T008, T010; then `considered`,
/// if given, gets the candidates, the ignored sources and the remarks that were
/// met on the way, and no target.
llvm::Expected<Resolution> resolve(const ResolveRequest &request,
                                   Resolution *considered = nullptr);

/// The reports of a resolution that failed: the JSON has the members schema,
/// error {code, message}, candidates and ignored.
std::string failureReportJson(const Resolution &considered,
                              llvm::StringRef code, llvm::StringRef message);
std::string failureReportText(const Resolution &considered,
                              llvm::StringRef code, llvm::StringRef message);

} // namespace fly::amdgpu

#endif // FLY_TARGET_AMDGPU_RESOLVE_H
