// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolution from explicit sources: source invariance, ranks, conflicts, the
// fields beside the target ID, and what a report says.

#include "ResolveSupport.h"

#include <set>

using namespace fly::amdgpu;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Source invariance
//===----------------------------------------------------------------------===//

// However a processor is said, the resolved target is the same.
TEST(Resolve, everySourceGivesTheSameTarget) {
  unsigned ways = 0;
  for (const Chip &chip : allChips()) {
    SCOPED_TRACE(chip.name.str());
    Target expected = Target::ofChip(chip);
    auto expectSame = [&](const ResolveRequest &request, StringRef source) {
      llvm::Expected<Resolution> found = resolve(request);
      ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
      EXPECT_EQ(found->targets, std::vector<Target>{expected});
      EXPECT_EQ(found->source, source);
      ++ways;
    };
    std::string name = chip.name.str();
    for (std::string text : {name, StringRef(name).upper(), " " + name + "\n",
                             "amdgcn-amd-amdhsa--" + name}) {
      ResolveRequest request = hermetic();
      request.option = text;
      expectSame(request, "target=");
      request.option.clear();
      request.deviceName = text;
      expectSame(request, "device-name=");
      request.deviceName.clear();
      request.allowDefault = text;
      expectSame(request, "allow-default=");
      for (StringRef variable : {"FLY_TARGET", "FLYDSL_GPU_ARCH", "ARCH"})
        expectSame(hermetic({{variable.str(), text}}), variable);
    }
    ResolveRequest request = hermetic();
    request.ir = {inModule(expected)};
    expectSame(request, "fly.target of @kernels");
    request.ir = {fromRocdl(name, "", "600")};
    expectSame(request, "#rocdl.target of @kernels");
    if (chip.isGeneric())
      continue;
    expectSame(hermetic({{"HSA_OVERRIDE_GFX_VERSION", dottedVersion(chip)}}),
               "HSA_OVERRIDE_GFX_VERSION");
    expectSame(hermetic({{"HSA_OVERRIDE_GFX_VERSION_3", dottedVersion(chip)}}),
               "HSA_OVERRIDE_GFX_VERSION_3");
    TemporaryFolder folder;
    folder.cpuNode(0);
    folder.gpuNode(1, kfdVersion(chip));
    ResolveRequest detected = hermetic();
    detected.detect = DetectMode::Kfd;
    detected.kfdRoot = folder.path();
    expectSame(detected, "kfd:node1");
  }
  EXPECT_GT(ways, 1400u);
}

// Features of a device do not reach a portable target, and reach an exact one.
TEST(Resolve, featurePolicy) {
  ResolveRequest request = hermetic();
  request.deviceName = "gfx942:sramecc+:xnack-";
  EXPECT_EQ(idOf(request), "gfx942");
  request.features = FeaturePolicy::Exact;
  EXPECT_EQ(idOf(request), "gfx942:sramecc+:xnack-");
  // What is said explicitly is never generalised.
  request = hermetic({{"FLY_TARGET", "gfx942:xnack-:sramecc+"}});
  EXPECT_EQ(idOf(request), "gfx942:sramecc+:xnack-");
}

//===----------------------------------------------------------------------===//
// Ranks and conflicts
//===----------------------------------------------------------------------===//

// Each source in the order of its rank: with override, the strongest wins.
TEST(Resolve, ranksUnderOverride) {
  ResolveRequest request = hermetic({{"FLY_TARGET", "gfx908"},
                                     {"FLYDSL_GPU_ARCH", "gfx90a"},
                                     {"ARCH", "gfx950"},
                                     {"HSA_OVERRIDE_GFX_VERSION", "11.0.0"}});
  request.onConflict = ConflictPolicy::Override;
  request.option = "gfx942";
  request.deviceName = "gfx1201";
  request.allowDefault = "gfx1030";
  IrCandidate module = inModule(Target::ofChip(*findChip("gfx906")));
  module.place = IrPlace::BuiltinModule;
  request.ir = {fromRocdl("gfx900", "", "600"), module,
                inModule(Target::ofChip(*findChip("gfx1100")))};
  EXPECT_EQ(idOf(request), "gfx942");
  request.option.clear();
  EXPECT_EQ(idOf(request), "gfx1100");
  request.ir.pop_back();
  EXPECT_EQ(idOf(request), "gfx906");
  request.ir.pop_back();
  EXPECT_EQ(idOf(request), "gfx900");
  request.ir.clear();
  EXPECT_EQ(idOf(request), "gfx908");
  auto environment = [&](std::initializer_list<const char *> names) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const char *name : names)
      pairs.emplace_back(name, request.environment.get(name)->str());
    ResolveRequest next = request;
    next.environment = fly::support::Environment::fromPairs(pairs);
    return next;
  };
  EXPECT_EQ(idOf(environment(
                {"FLYDSL_GPU_ARCH", "ARCH", "HSA_OVERRIDE_GFX_VERSION"})),
            "gfx90a");
  EXPECT_EQ(idOf(environment({"ARCH", "HSA_OVERRIDE_GFX_VERSION"})), "gfx950");
  EXPECT_EQ(idOf(environment({"HSA_OVERRIDE_GFX_VERSION"})), "gfx1100");
  EXPECT_EQ(idOf(environment({})), "gfx1201");
  ResolveRequest last = environment({});
  last.deviceName.clear();
  EXPECT_EQ(idOf(last), "gfx1030");
}

TEST(Resolve, conflictNamesEverySource) {
  ResolveRequest request =
      hermetic({{"FLY_TARGET", " GFX950"}, {"ARCH", "gfx942"}});
  request.option = "gfx942";
  request.ir = {inModule(*parseTargetID("gfx942"))};
  expectAll(
      errorOf(request),
      {"explicit sources of the target disagree: target='gfx942' (gfx942); ",
       "FLY_TARGET=' GFX950' (gfx950)", "ARCH='gfx942' (gfx942)",
       "fly.target of @kernels",
       "; make them agree, or let on-conflict=override take the first "
       "[FLY-T005]"});
}

// Any, off and on are three targets.
TEST(Resolve, featuresConflict) {
  ResolveRequest request = hermetic({{"FLY_TARGET", "gfx942"}});
  request.option = "gfx942:xnack-";
  expectAll(errorOf(request), {"(gfx942:xnack-)", "(gfx942)", "[FLY-T005]"});
}

TEST(Resolve, agreementIsSilent) {
  ResolveRequest request = hermetic({{"FLY_TARGET", "GFX942:xnack-:sramecc+"},
                                     {"ARCH", "gfx942:sramecc+:xnack-"},
                                     {"HSA_OVERRIDE_GFX_VERSION", "9.4.2"}});
  request.option = "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-";
  request.deviceName = "gfx942:sramecc-:xnack+";
  Resolution found = valueOf(request);
  EXPECT_EQ(found.target().id(), "gfx942:sramecc+:xnack-");
  EXPECT_TRUE(found.remarks.empty()) << found.remarks.front();
  EXPECT_TRUE(found.ignored.empty());
  EXPECT_EQ(found.candidates.size(), 3u);
}

TEST(Resolve, crossCompilingIsRemarked) {
  ResolveRequest request = hermetic({{"HSA_OVERRIDE_GFX_VERSION", "11.0.0"},
                                     {"HSA_OVERRIDE_GFX_VERSION_1", "oops"}});
  request.option = "gfx942";
  request.deviceName = "gfx950";
  Resolution found = valueOf(request);
  EXPECT_EQ(found.target().id(), "gfx942");
  ASSERT_EQ(found.remarks.size(), 3u);
  expectAll(found.remarks[0],
            {"HSA_OVERRIDE_GFX_VERSION='11.0.0'", "gfx1100", "gfx942"});
  expectAll(found.remarks[1], {"HSA_OVERRIDE_GFX_VERSION_1", "[FLY-T006]"});
  expectAll(found.remarks[2], {"device-name='gfx950'", "gfx942"});
}

// A broken explicit source is an error even when a stronger one is there,
// unless the stronger one shall override.
TEST(Resolve, brokenExplicitSource) {
  ResolveRequest request = hermetic({{"FLYDSL_GPU_ARCH", "gfx9010"}});
  request.option = "gfx942";
  expectAll(errorOf(request), {"FLYDSL_GPU_ARCH", "gfx9010", "[FLY-T002]"});
  request.onConflict = ConflictPolicy::Override;
  Resolution found = valueOf(request);
  EXPECT_EQ(found.target().id(), "gfx942");
  ASSERT_EQ(found.ignored.size(), 1u);
  EXPECT_EQ(found.ignored[0].source, "FLYDSL_GPU_ARCH");
  // One that can be read is named too.
  request.environment =
      fly::support::Environment::fromPairs({{"FLY_TARGET", "gfx950"}});
  found = valueOf(request);
  ASSERT_EQ(found.ignored.size(), 1u);
  EXPECT_EQ(found.ignored[0].why, "overridden by target=");
}

TEST(Resolve, archThatIsNoProcessor) {
  for (StringRef text : {"x86_64", "arm64", "9.4.2", "sm_90"}) {
    ResolveRequest request = hermetic({{"ARCH", text.str()}});
    expectAll(errorOf(request),
              {"ARCH ('" + text.str() + "' is not a gfx name)", "[FLY-T001]"});
    request.allowDefault = "gfx942";
    Resolution found = valueOf(request);
    ASSERT_EQ(found.ignored.size(), 1u);
    EXPECT_EQ(found.ignored[0].source, "ARCH");
    expectAll(found.remarks[0],
              {"ARCH='" + text.str() + "' ignored: not a gfx name [FLY-T011]"});
  }
  // A text that means a processor must be one.
  expectAll(errorOf(hermetic({{"ARCH", "gfx9010"}})), {"ARCH", "[FLY-T002]"});
  EXPECT_EQ(idOf(hermetic({{"ARCH", "Tahiti"}})), "gfx600");
}

TEST(Resolve, blankIsUnset) {
  ResolveRequest request = hermetic({{"FLY_TARGET", ""},
                                     {"FLYDSL_GPU_ARCH", "  "},
                                     {"ARCH", "\t"},
                                     {"HSA_OVERRIDE_GFX_VERSION", ""},
                                     {"HSA_OVERRIDE_GFX_VERSION_2", " "}});
  expectAll(errorOf(request), {"FLY_TARGET (blank)", "[FLY-T001]"});
  request.option = " ";
  request.allowDefault = "gfx942";
  Resolution found = valueOf(request);
  EXPECT_EQ(found.ignored.size(), 6u);
  EXPECT_EQ(found.remarks[0], "target=' ' ignored: blank, taken as not given");
  EXPECT_EQ(found.remarks[1], "FLY_TARGET='' ignored: blank, taken as unset");
  EXPECT_EQ(found.source, "allow-default=");
}

TEST(Resolve, environmentCanBeLeftOut) {
  ResolveRequest request = hermetic(
      {{"FLY_TARGET", "gfx942"}, {"HSA_OVERRIDE_GFX_VERSION", "9.4.2"}});
  request.useEnvironment = false;
  expectAll(errorOf(request),
            {"FLY_TARGET (variables are not looked at)", "[FLY-T001]"});
}

//===----------------------------------------------------------------------===//
// Fields beside the target ID
//===----------------------------------------------------------------------===//

TEST(Resolve, optionsApplyToAnySource) {
  for (ResolveRequest request :
       {hermetic({{"FLY_TARGET", "gfx1100"}}),
        hermetic({{"HSA_OVERRIDE_GFX_VERSION", "11.0.0"}})}) {
    request.wave = 64;
    request.cumode = true;
    request.abi = 500;
    EXPECT_EQ(valueOf(request).target().text(),
              "gfx1100 wave=64 cumode=true abi=500");
  }
}

TEST(Resolve, optionsAreVerified) {
  ResolveRequest request = hermetic();
  request.option = "gfx942";
  request.wave = 32;
  expectAll(
      errorOf(request),
      {"wave size 32 is not supported by gfx942 (allowed: 64)", "[FLY-T004]"});
  request.wave.reset();
  request.cumode = true;
  expectAll(errorOf(request), {"cumode", "gfx942", "[FLY-T003]"});
  request.cumode.reset();
  request.abi = 400;
  expectAll(errorOf(request), {"400", "500 and 600", "[FLY-T003]"});
}

// A second run finds its own attribute and says the same, with the options
// and without them.
TEST(Resolve, idempotent) {
  for (const Target &target : allTargets()) {
    ResolveRequest first = hermetic({{"FLY_TARGET", target.id()}});
    first.wave = target.wave;
    first.cumode = target.cumode;
    first.abi = target.abi;
    ASSERT_EQ(valueOf(first).targets, std::vector<Target>{target});
    ResolveRequest second = first;
    second.ir = {inModule(target)};
    EXPECT_EQ(valueOf(second).targets, std::vector<Target>{target});
    second.wave.reset();
    second.cumode.reset();
    second.abi.reset();
    EXPECT_EQ(valueOf(second).targets, std::vector<Target>{target});
    EXPECT_TRUE(valueOf(second).remarks.empty());
  }
}

TEST(Resolve, optionAgainstTheModule) {
  ResolveRequest request = hermetic();
  request.ir = {inModule(*parseTargetID("gfx1100"))};
  request.wave = 64;
  expectAll(errorOf(request),
            {"wave=64", "fly.target of @kernels", "(gfx1100)", "[FLY-T005]"});
  request.onConflict = ConflictPolicy::Override;
  Resolution found = valueOf(request);
  EXPECT_EQ(found.target().text(), "gfx1100 wave=64");
  ASSERT_EQ(found.remarks.size(), 1u);
  expectAll(found.remarks[0],
            {"explicit sources of the target disagree: wave=64; ",
             "; the first decides"});
  // A field that the module leaves open is free.
  request.onConflict = ConflictPolicy::Error;
  request.ir[0].waveGiven = false;
  EXPECT_EQ(valueOf(request).target().text(), "gfx1100 wave=64");
}

TEST(Resolve, invalidTargetInTheModule) {
  ResolveRequest request = hermetic();
  IrCandidate candidate = inModule(*parseTargetID("gfx942"));
  candidate.target.wave = 32;
  request.ir = {candidate};
  expectAll(errorOf(request), {"gfx942", "[FLY-T004]"});
}

TEST(Resolve, fatBuild) {
  ResolveRequest request = hermetic();
  request.ir = {fromRocdl("gfx950", "", "600"),
                fromRocdl("gfx942", "+xnack", "600"),
                fromRocdl("gfx942", "", "600"), fromRocdl("gfx950", "", "600")};
  Resolution found = valueOf(request);
  ASSERT_EQ(found.targets.size(), 3u);
  EXPECT_EQ(found.targets[0].id(), "gfx942");
  EXPECT_EQ(found.targets[1].id(), "gfx942:xnack+");
  EXPECT_EQ(found.targets[2].id(), "gfx950");
  request.option = "gfx942";
  expectAll(errorOf(request), {"gfx950", "[FLY-T005]"});
}

//===----------------------------------------------------------------------===//
// Errors and reports
//===----------------------------------------------------------------------===//

TEST(Resolve, nothingGiven) {
  std::string text = errorOf(hermetic());
  expectAll(
      text,
      {"no target is given and no GPU was found; say it with target=gfx942 (a "
       "processor name), or set FLY_TARGET\n  note: tried target= (not "
       "given), ",
       "[FLY-T001]"});
  // In the order in which they were tried.
  size_t position = 0;
  for (StringRef source :
       {"target= (not given)", "targets in the module (none)",
        "FLY_TARGET (unset)", "FLYDSL_GPU_ARCH (unset)", "ARCH (unset)",
        "HSA_OVERRIDE_GFX_VERSION (unset)", "device-name= (not given)",
        "detect=none"}) {
    size_t next = StringRef(text).find(source, position);
    ASSERT_NE(next, StringRef::npos) << source.str() << " in " << text;
    position = next;
  }
}

TEST(Resolve, optionNameIsTheCallers) {
  ResolveRequest request = hermetic();
  request.optionName = "--target=";
  expectAll(errorOf(request), {"--target="});
  request.option = "gfx9010";
  expectAll(errorOf(request), {"--target=", "[FLY-T002]"});
}

TEST(Resolve, jsonReport) {
  ResolveRequest request = hermetic(
      {{"ARCH", "x86_64\xff"}, {"FLY_TARGET", "amdgcn-amd-amdhsa--gfx950"}});
  std::string text = valueOf(request).reportJson();
  EXPECT_TRUE(StringRef(text).starts_with(
      "{\"schema\":\"fly-target-report/1\",\"target\":\"gfx950\""))
      << text;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  ASSERT_TRUE(bool(parsed));
  const llvm::json::Object &report = *parsed->getAsObject();
  EXPECT_EQ(report.getString("target"), "gfx950");
  EXPECT_EQ(report.getInteger("wave"), 64);
  EXPECT_EQ(report.getInteger("abi"), 600);
  EXPECT_EQ(report.getBoolean("cumode"), false);
  EXPECT_EQ(report.getString("source"), "FLY_TARGET");
  EXPECT_EQ(report.getString("raw"), "amdgcn-amd-amdhsa--gfx950");
  ASSERT_EQ(report.getArray("candidates")->size(), 1u);
  ASSERT_EQ(report.getArray("ignored")->size(), 1u);
  const llvm::json::Object &ignored =
      *(*report.getArray("ignored"))[0].getAsObject();
  EXPECT_TRUE(ignored.getString("ARCH")->starts_with("x86_64"));
  EXPECT_EQ(ignored.getString("why"), "not a gfx name");
}

TEST(Resolve, textReport) {
  expectAll(valueOf(hermetic({{"ARCH", "x86_64"}, {"FLY_TARGET", "gfx950"}}))
                .reportText(),
            {"target gfx950 (backend=rocm chip=gfx950",
             "source FLY_TARGET 'gfx950'",
             "candidate rank 3 FLY_TARGET 'gfx950'\n",
             "ignored ARCH 'x86_64': not a gfx name\n"});
}

TEST(Resolve, optionSpellings) {
  EXPECT_EQ(parseDetectMode("kfd"), DetectMode::Kfd);
  EXPECT_EQ(parseDetectMode("Kfd"), std::nullopt);
  EXPECT_EQ(parseFeaturePolicy("exact"), FeaturePolicy::Exact);
  EXPECT_EQ(parseFeaturePolicy(""), std::nullopt);
  EXPECT_EQ(parseConflictPolicy("override"), ConflictPolicy::Override);
  EXPECT_EQ(parseConflictPolicy("ignore"), std::nullopt);
}
