// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of targets in IR: whichever way a module says its target, it resolves to
// the same value; `#rocdl.target` and back is the identity; the attribute's
// text is canonical.

#include "Fixture.h"

using namespace mlir;
using namespace mlir::fly;
using namespace mlir::fly::test;
using ::fly::amdgpu::Chip;
using ::fly::amdgpu::FeatureSupport;
using ::fly::amdgpu::Setting;
using ::fly::amdgpu::Target;
using ::fly::support::Environment;

namespace {

/// Each valid target.
std::vector<Target> allTargets() {
  std::vector<Target> targets;
  for (const Chip &chip : ::fly::amdgpu::allChips())
    for (Setting sramecc :
         {Setting::Unsupported, Setting::Any, Setting::Off, Setting::On})
      for (Setting xnack :
           {Setting::Unsupported, Setting::Any, Setting::Off, Setting::On})
        for (unsigned wave : {32, 64})
          for (bool cumode : {false, true})
            for (unsigned abi : ::fly::amdgpu::allowedAbis()) {
              Target target{chip.name.str(), sramecc, xnack, wave, cumode, abi};
              if (!llvm::errorToBool(target.verify()))
                targets.push_back(target);
            }
  return targets;
}

std::string print(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os);
  return text;
}

/// Resolves with nothing but the IR, no machine and no variables.
std::string resolved(Fixture &f, const OwningOpRef<ModuleOp> &module,
                     const std::string &option = "",
                     Environment environment = {}) {
  ResolveOptions options;
  options.target = option;
  options.detect = ::fly::amdgpu::DetectMode::None;
  FailureOr<std::vector<ModuleTargets>> found =
      resolveTargets(*module, options, environment);
  if (failed(found))
    return "failed";
  std::string text;
  for (const Target &target : found->front().resolution.targets)
    text += (text.empty() ? "" : "; ") + target.fullText();
  return text;
}

TEST(TargetAttr, textIsCanonical) {
  Fixture f;
  std::vector<Target> targets = allTargets();
  EXPECT_GT(targets.size(), 300u);
  for (const Target &target : targets) {
    auto attribute = TargetAttr::get(&f.context, target);
    std::string text = print(attribute);
    EXPECT_EQ(parseAttribute(text, &f.context), attribute) << text;
  }
}

TEST(TargetAttr, spellingsOfOneTargetAreOneAttribute) {
  Fixture f;
  auto parse = [&](StringRef text) { return parseAttribute(text, &f.context); };
  Attribute plain = parse("#fly.target<\"gfx942\">");
  ASSERT_TRUE(plain);
  EXPECT_EQ(parse("#fly.target<\"gfx942\", abi = 600, wave = 64>"), plain);
  EXPECT_EQ(parse("#fly.target<\"gfx942\", cumode = false>"), plain);
  EXPECT_EQ(parse("#fly.target<\"gfx942:xnack-:sramecc+\">"),
            parse("#fly.target<\"gfx942:sramecc+:xnack-\">"));
  EXPECT_NE(parse("#fly.target<\"gfx942:xnack-\">"), plain);
}

TEST(TargetAttr, refusesWithTheAllowedValues) {
  Fixture f;
  const std::pair<const char *, std::vector<const char *>> cases[] = {
      {"\"gfx9010\"", {"gfx9010", "gfx90a", "[FLY-T002]"}},
      {"\"gfx940\"", {"gfx942", "[FLY-T002]"}},
      {"\"gfx1100:xnack+\"", {"gfx1100", "[FLY-T003]"}},
      {"\"gfx942\", wave = 32", {"gfx942", "64", "[FLY-T004]"}},
      {"\"gfx1250\", wave = 64", {"gfx1250", "32", "[FLY-T004]"}},
      {"\"gfx942\", cumode = true", {"gfx942", "[FLY-T003]"}},
      {"\"gfx942\", abi = 400", {"500", "600"}},
      {"\"gfx942\", waves = 64", {"'waves'", "wave"}},
      {"\"gfx942\", wave = 64, wave = 64", {"twice"}},
      {"gfx942", {}},
      {"\"gfx942\", wave = 99999999999999", {}},
  };
  for (const auto &[body, parts] : cases) {
    f.messages.clear();
    std::string text = "#fly.target<" + std::string(body) + ">";
    EXPECT_FALSE(parseAttribute(text, &f.context)) << text;
    for (const char *part : parts)
      EXPECT_NE(f.messages.find(part), std::string::npos)
          << text << ": " << f.messages;
  }
}

TEST(ROCDL, thereAndBack) {
  Fixture f;
  for (const Target &target : allTargets()) {
    ROCDL::ROCDLTargetAttr attribute = toROCDL(&f.context, target, {});
    llvm::Expected<Target> back = fromROCDL(attribute);
    ASSERT_TRUE(bool(back))
        << print(attribute) << llvm::toString(back.takeError());
    EXPECT_EQ(back->fullText(), target.fullText()) << print(attribute);
    EXPECT_EQ(attribute.hasWave64(), target.wave == 64);
  }
}

TEST(ROCDL, featuresDecideAndFlagsDoNot) {
  Fixture f;
  auto read = [&](StringRef text) {
    auto attribute = dyn_cast_or_null<ROCDL::ROCDLTargetAttr>(
        parseAttribute(text, &f.context));
    llvm::Expected<Target> target = fromROCDL(attribute);
    return target ? target->text() : llvm::toString(target.takeError());
  };
  EXPECT_EQ(read("#rocdl.target<chip = \"gfx1100\", features = "
                 "\"+wavefrontsize64\", flags = {no_wave64}>"),
            "gfx1100 wave=64");
  EXPECT_EQ(read("#rocdl.target<chip = \"gfx1100\", flags = {wave64}>"),
            "gfx1100");
  EXPECT_NE(
      read("#rocdl.target<triple = \"amdgcn--amdhsa\", chip = \"gfx942\">")
          .find("[FLY-T009]"),
      std::string::npos);
  EXPECT_NE(read("#rocdl.target<chip = \"gfx1100\", features = "
                 "\"+wavefrontsize64,+wavefrontsize32\">")
                .find("[FLY-T004]"),
            std::string::npos);
}

TEST(Resolution, everyWayInIRSaysTheSame) {
  for (const Target &target : allTargets()) {
    if (target.abi != 600 || target.cumode)
      continue;
    Fixture f;
    std::string attribute = print(TargetAttr::get(&f.context, target));
    std::string rocdl = print(toROCDL(&f.context, target, {}));
    std::vector<std::string> texts = {
        "gpu.module @m attributes {fly.target = " + attribute + "} {}",
        "module attributes {fly.target = " + attribute +
            "} { gpu.module @m {} }",
        "gpu.module @m attributes {fly.target = [" + attribute + "]} {}",
        "gpu.module @m [" + rocdl + "] attributes {fly.target = " + attribute +
            "} {}"};
    // MLIR's attribute cannot tell gfx900 from no processor.
    if (target.chip != "gfx900")
      texts.push_back("gpu.module @m [" + rocdl + "] {}");
    for (const std::string &text : texts) {
      OwningOpRef<ModuleOp> module = f.parse(text);
      EXPECT_EQ(resolved(f, module), target.fullText()) << text << "\n"
                                                        << f.messages;
    }
  }
}

TEST(Resolution, optionsAndVariablesSayTheSame) {
  Fixture f;
  OwningOpRef<ModuleOp> bare = f.parse("gpu.module @m {}");
  std::string expected = target("gfx942").fullText();
  for (const char *spelling :
       {"gfx942", "GFX942", " gfx942 ", "9.4.2", "amdgcn-amd-amdhsa--gfx942"})
    EXPECT_EQ(resolved(f, bare, spelling), expected) << spelling;
  for (const char *name : {"FLY_TARGET", "FLYDSL_GPU_ARCH", "ARCH"})
    EXPECT_EQ(resolved(f, bare, "", Environment::fromPairs({{name, "gfx942"}})),
              expected)
        << name;
}

TEST(Resolution, errorsStandAtTheModule) {
  Fixture f;
  OwningOpRef<ModuleOp> bare = f.parse("gpu.module @m {}");
  EXPECT_EQ(resolved(f, bare), "failed");
  EXPECT_NE(f.messages.find("[FLY-T001]"), std::string::npos) << f.messages;
  f.messages.clear();
  OwningOpRef<ModuleOp> said = f.parse(
      "gpu.module @m attributes {fly.target = #fly.target<\"gfx950\">} {}");
  EXPECT_EQ(resolved(f, said, "gfx942"), "failed");
  EXPECT_NE(f.messages.find("gfx950"), std::string::npos) << f.messages;
  EXPECT_NE(f.messages.find("gfx942"), std::string::npos) << f.messages;
  EXPECT_NE(f.messages.find("[FLY-T005]"), std::string::npos) << f.messages;
  f.messages.clear();
  OwningOpRef<ModuleOp> wrong =
      f.parse("gpu.module @m attributes {fly.target = \"gfx942\"} {}");
  EXPECT_EQ(resolved(f, wrong), "failed");
  EXPECT_NE(f.messages.find("#fly.target"), std::string::npos) << f.messages;
}

TEST(Resolution, severalTargetsAreAFatBuild) {
  Fixture f;
  OwningOpRef<ModuleOp> module = f.parse(
      "gpu.module @m [#rocdl.target<chip = \"gfx950\">, "
      "#rocdl.target<chip = \"gfx942\">, #rocdl.target<chip = \"gfx942\">] {}");
  EXPECT_EQ(resolved(f, module),
            target("gfx942").fullText() + "; " + target("gfx950").fullText());
  FailureOr<std::vector<CompileUnit>> units =
      compileUnits(*module, {}, Environment());
  ASSERT_TRUE(succeeded(units));
  EXPECT_EQ(units->size(), 2u);
}

TEST(Resolution, anAttributeWithoutProcessorNamesNone) {
  Fixture f;
  OwningOpRef<ModuleOp> bare = f.parse("gpu.module @m [#rocdl.target] {}");
  EXPECT_EQ(resolved(f, bare), "failed");
  for (const char *part :
       {"#rocdl.target of @m: it names no processor (MLIR fills in gfx900 "
        "then, which is never taken; fly.target can say it)",
        "[FLY-T001]"})
    EXPECT_NE(f.messages.find(part), std::string::npos) << f.messages;
  EXPECT_EQ(resolved(f, bare, "gfx942"), target("gfx942").fullText());
  // What it says of code generation holds for whatever target is said.
  OwningOpRef<ModuleOp> level = f.parse("gpu.module @m [#rocdl.target<O = 3, "
                                        "flags = {fast}>] {}");
  CompileOptions options;
  options.resolve.target = "gfx942";
  FailureOr<std::vector<CompileUnit>> units =
      compileUnits(*level, options, Environment());
  ASSERT_TRUE(succeeded(units));
  EXPECT_EQ(units->front().options.optLevel, 3u);
  EXPECT_TRUE(units->front().options.fastMath);
}

TEST(Resolution, flagsOfTheAttributeAreKnown) {
  Fixture f;
  auto with = [&](StringRef flags) {
    f.messages.clear();
    return resolved(f, f.parse(("gpu.module @m [#rocdl.target<chip = "
                                "\"gfx942\", flags = {" +
                                flags + "}>] {}")
                                   .str()));
  };
  EXPECT_EQ(with("fast, daz, finite_only, unsafe_math, unsafe_sqrt, wave64"),
            target("gfx942").fullText());
  EXPECT_EQ(with("fats"), "failed");
  EXPECT_NE(f.messages.find("unknown flag 'fats' of #rocdl.target: expected "
                            "daz, fast, finite_only"),
            std::string::npos)
      << f.messages;
  EXPECT_EQ(with("fast = false"), "failed");
  EXPECT_NE(f.messages.find("flag 'fast' of #rocdl.target: expected no value, "
                            "which means on, found false"),
            std::string::npos)
      << f.messages;
}

TEST(Resolution, severalTargetsByOption) {
  Fixture f;
  OwningOpRef<ModuleOp> bare = f.parse("gpu.module @m {}");
  auto units = [&](std::vector<std::string> targets, std::string one = "") {
    CompileOptions options;
    options.resolve.targets = std::move(targets);
    options.resolve.target = std::move(one);
    f.messages.clear();
    std::string text;
    FailureOr<std::vector<CompileUnit>> found =
        compileUnits(*bare, options, Environment());
    if (failed(found))
      return f.messages;
    for (const CompileUnit &unit : *found)
      text += unit.target.text() + ";";
    return text;
  };
  EXPECT_EQ(units({"gfx950", "gfx942"}), "gfx942;gfx950;");
  EXPECT_EQ(units({"gfx942", " GFX942", "9.4.2"}), "gfx942;");
  EXPECT_NE(units({"gfx942", ""}).find("targets= is blank"), std::string::npos);
  EXPECT_NE(units({"gfx942"}, "gfx950").find("both given"), std::string::npos);
  bare = f.parse("gpu.module @m attributes {fly.target = "
                 "#fly.target<\"gfx942\">} {}");
  EXPECT_NE(units({"gfx942", "gfx950"}).find("[FLY-T005]"), std::string::npos);
}

TEST(Resolution, messagesOfAFileWithoutModulesHaveALine) {
  Fixture f;
  OwningOpRef<ModuleOp> empty = f.parse("");
  auto place = dyn_cast<FileLineColLoc>(placeOf(*empty));
  ASSERT_TRUE(place);
  EXPECT_EQ(place.getLine(), 1u);
  OwningOpRef<ModuleOp> host = f.parse("\n\nfunc.func @f() { return }");
  place = dyn_cast<FileLineColLoc>(placeOf(*host));
  ASSERT_TRUE(place);
  EXPECT_EQ(place.getLine(), 3u);
}

TEST(Resolution, analysisReadsWhatWasResolved) {
  Fixture f;
  OwningOpRef<ModuleOp> module =
      f.parse("module attributes {fly.target = #fly.target<\"gfx942\">} { "
              "gpu.module @m {} gpu.module @n attributes {fly.target = "
              "#fly.target<\"gfx950\">} {} }");
  std::vector<gpu::GPUModuleOp> modules = gpuModulesOf(*module);
  EXPECT_EQ(TargetAnalysis(modules[0]).targets().front().chip, "gfx942");
  EXPECT_EQ(TargetAnalysis(modules[1]).targets().front().chip, "gfx950");
}

} // namespace
