// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The law for which the project exists: for every target and every way that can
// say it, the key is the same. Ways that cannot say a target (a version has no
// features, a generic processor has no version, MLIR's attribute cannot tell
// gfx900 from nothing) are left out for it, and counted.

#include "Builds.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::fly;
using namespace mlir::fly::test;
using ::fly::amdgpu::Chip;
using ::fly::amdgpu::DetectMode;
using ::fly::amdgpu::FeaturePolicy;
using ::fly::amdgpu::Setting;
using ::fly::amdgpu::Target;

namespace {

constexpr char body[] = "{ gpu.func @k(%a: f32) kernel { "
                        "%x = arith.addf %a, %a : f32 gpu.return } }";

std::string printed(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os);
  return text;
}

/// Checks ways of saying one target; counts them.
class Ways {
public:
  Ways(Fixture &f, const Target &target, TemporaryFolder &folder)
      : f(f), target(target), chip(target.row()), folder(folder) {
    Build build = plain();
    build.options.resolve.target = target.id();
    addFields(build);
    reference = keyOf(build);
    EXPECT_EQ(reference.substr(0, 5), "fly1-") << reference;
  }

  /// All ways to say the target ID, the other fields by options.
  void all();
  /// The ways that can say wave, cumode and abi themselves.
  void inIR();

  unsigned count = 0;

private:
  std::string keyOf(const Build &build) {
    std::optional<CacheKey> key = deriveOne(f, build);
    return key ? key->text() : "failed: " + f.messages;
  }
  Build plain() {
    Build build;
    build.text = "gpu.module @m " + std::string(body);
    build.options.resolve.target.clear();
    return build;
  }
  /// Options for the fields that an ID does not say.
  void addFields(Build &build) {
    Target usual = Target::ofChip(chip);
    if (target.wave != usual.wave)
      build.options.resolve.wave = target.wave;
    if (target.cumode)
      build.options.resolve.cumode = true;
    if (target.abi != usual.abi)
      build.options.resolve.abi = target.abi;
  }
  void expectSame(const std::string &way, const Build &build) {
    ++count;
    EXPECT_EQ(keyOf(build), reference) << target.fullText() << " by " << way;
  }
  void options();
  void texts(const std::string &id);
  void versions();
  void devices();

  Fixture &f;
  Target target;
  const Chip &chip;
  TemporaryFolder &folder;
  std::string reference;
};

/// Each text of a target ID through each source that takes texts.
void Ways::texts(const std::string &id) {
  auto with = [&](const std::string &way, auto set) {
    Build build = plain();
    addFields(build);
    set(build);
    expectSame(way, build);
  };
  with("option", [&](Build &b) { b.options.resolve.target = id; });
  with("targets=", [&](Build &b) { b.options.resolve.targets = {id, id}; });
  with("allow-default=",
       [&](Build &b) { b.options.resolve.allowDefault = id; });
  with("device-name=", [&](Build &b) {
    b.options.resolve.deviceName = id;
    b.options.resolve.features = FeaturePolicy::Exact;
  });
  for (const char *name : {"FLY_TARGET", "FLYDSL_GPU_ARCH"})
    with(name, [&](Build &b) { b.variables = {{name, id}}; });
  // ARCH counts when it is a name.
  if (!llvm::isDigit(id.front()))
    with("ARCH", [&](Build &b) { b.variables = {{"ARCH", id}}; });
  with("all at once", [&](Build &b) {
    b.options.resolve.target = id;
    b.variables = {{"FLY_TARGET", id}, {"FLYDSL_GPU_ARCH", id}, {"ARCH", id}};
  });
}

/// Spellings of the ID.
void Ways::options() {
  std::string id = target.id();
  texts(id);
  texts(" " + StringRef(id).upper() + "\t");
  texts("amdgcn-amd-amdhsa--" + id);
  SmallVector<StringRef, 4> features;
  StringRef(id).split(features, ':');
  if (features.size() == 3)
    texts((features[0] + ":" + features[2] + ":" + features[1]).str());
  SmallVector<StringRef, 4> aliases;
  chip.aliases.split(aliases, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef alias : aliases)
    texts((alias + StringRef(id).drop_front(chip.name.size())).str());
}

/// Sources that know versions only.
void Ways::versions() {
  std::string dotted = ::fly::amdgpu::dottedVersion(chip);
  texts(dotted);
  Build build = plain();
  addFields(build);
  build.variables = {{"HSA_OVERRIDE_GFX_VERSION", dotted}};
  expectSame("HSA_OVERRIDE_GFX_VERSION", build);
  build.variables = {{"HSA_OVERRIDE_GFX_VERSION_1", dotted}};
  expectSame("HSA_OVERRIDE_GFX_VERSION_1", build);
  build.variables.clear();
  folder.cpuNode(0);
  folder.gpuNode(1, ::fly::amdgpu::kfdVersion(chip), 0x1234);
  build.options.resolve.detect = DetectMode::Kfd;
  build.options.resolve.kfdRoot = folder.path();
  expectSame("KFD", build);
  build.variables = {{"ROCR_VISIBLE_DEVICES", "GPU-0000000000001234"},
                     {"HIP_VISIBLE_DEVICES", "0"}};
  expectSame("KFD with masks", build);
}

/// Sources that name a device with its features, which are generalised.
void Ways::devices() {
  std::string full = chip.name.str();
  if (target.sramecc == Setting::Any)
    full += ":sramecc+";
  if (target.xnack == Setting::Any)
    full += ":xnack-";
  Build build = plain();
  addFields(build);
  build.options.resolve.deviceName = full;
  expectSame("gcnArchName", build);
  build.options.resolve.deviceName.clear();
  build.options.resolve.detect = DetectMode::Tool;
  build.options.resolve.archTool =
      folder.program("arch", "echo gfx000; echo '" + full + "'");
  expectSame("a program", build);
}

void Ways::inIR() {
  std::string ours = printed(TargetAttr::get(&f.context, target));
  auto with = [&](const std::string &way, const std::string &text) {
    Build build = plain();
    build.text = text;
    expectSame(way, build);
  };
  std::string kernels = body;
  with("fly.target of the gpu.module",
       "gpu.module @m attributes {fly.target = " + ours + "} " + kernels);
  with("fly.target of the module", "module attributes {fly.target = " + ours +
                                       "} { gpu.module @m " + kernels + " }");
  with("an array of one",
       "gpu.module @m attributes {fly.target = [" + ours + "]} " + kernels);
  ROCDL::ROCDLTargetAttr rocdl = toROCDL(&f.context, target, {});
  if (namesProcessor(rocdl))
    with("#rocdl.target", "gpu.module @m [" + printed(rocdl) + "] " + kernels);
  Build build = plain();
  build.text = "gpu.module @m attributes {fly.target = " + ours + "} " + body;
  build.options.resolve.target = target.id();
  addFields(build);
  build.variables = {{"FLY_TARGET", target.id()}};
  expectSame("all at once", build);
}

void Ways::all() {
  options();
  inIR();
  Target usual = Target::ofChip(chip);
  if (target.id() != usual.id())
    return;
  devices();
  if (!chip.isGeneric())
    versions();
}

TEST(SourceInvariance, everyTargetByEveryWay) {
  Fixture f;
  TemporaryFolder folder;
  unsigned targets = 0, ways = 0;
  for (const Target &target : ::fly::amdgpu::allTargets()) {
    // The fields beside the ID once for each processor, with every way.
    Target usual = Target::ofChip(target.row());
    bool fields =
        target.wave != usual.wave || target.cumode || target.abi != usual.abi;
    Ways way(f, target, folder);
    if (fields && target.id() != usual.id())
      way.inIR();
    else
      way.all();
    ++targets;
    ways += way.count;
  }
  printf("P1: %u targets, %u ways to say one\n", targets, ways);
  EXPECT_GT(targets, 300u);
  EXPECT_GT(ways, 10000u);
}

} // namespace
