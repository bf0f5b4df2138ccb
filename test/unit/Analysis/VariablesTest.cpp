// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class of every environment variable, seen to hold. A source of the target
// leaves the key that the same target gives without it; one that is keyed by
// effect moves the key with its effect and not with its text; one without
// effect on code never moves it. Every row of the table is flipped.

#include "Builds.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::fly;
using namespace mlir::fly::test;
using ::fly::amdgpu::DetectMode;
using ::fly::support::VariableClass;

namespace {

struct Scenario {
  /// A text, another text of the same effect, and one of another effect; the
  /// last only for variables that this process hears and that have an effect on
  /// code.
  std::string first, sameEffect, otherEffect;
};

/// A build that hears the variable: a device library is needed, a GPU is there,
/// nothing says the target.
Build listening(const TemporaryFolder &folder) {
  Build build;
  build.text = "gpu.module @m { gpu.func @k(%a: f32) kernel { "
               "%x = math.sin %a : f32 gpu.return } }";
  build.options.resolve.target.clear();
  build.options.resolve.detect = DetectMode::Kfd;
  build.options.resolve.kfdRoot = folder.path("nodes");
  build.prefixes = {{"/one", {{"libLLVM.so.22.1", "a"}}},
                    {"/two", {{"libLLVM.so.22.1", "a"}}},
                    {"/three", {{"libLLVM.so.22.1", "b"}}}};
  return build;
}

llvm::StringMap<Scenario> scenarios(const TemporaryFolder &folder) {
  auto at = [&](StringRef name) { return folder.path(name); };
  return {
      // They choose which LLVM is loaded; that is another toolchain.
      {"LD_AUDIT", {"/a", "/b", ""}},
      {"LD_LIBRARY_PATH", {"/a", "/b", ""}},
      {"LD_PRELOAD", {"/a", "/b", ""}},
      {"ARCH", {"gfx950", " GFX950", "gfx942"}},
      {"FLY_TARGET", {"gfx950", "amdgcn-amd-amdhsa--gfx950", "gfx942"}},
      {"FLYDSL_GPU_ARCH", {"gfx950", "9.5.0", "gfx942"}},
      {"HSA_OVERRIDE_GFX_VERSION", {"9.5.0", " 9.5.0 ", "9.4.2"}},
      {"ROCR_VISIBLE_DEVICES",
       {"GPU-0000000000000001", "gpu-0000000000000001",
        "GPU-0000000000000002"}},
      {"HIP_VISIBLE_DEVICES",
       {"GPU-0000000000000001", "gpu-0000000000000001",
        "GPU-0000000000000002"}},
      {"CUDA_VISIBLE_DEVICES",
       {"GPU-0000000000000001", "gpu-0000000000000001",
        "GPU-0000000000000002"}},
      {"GPU_DEVICE_ORDINAL",
       {"GPU-0000000000000001", "gpu-0000000000000001",
        "GPU-0000000000000002"}},
      {"FLY_OPT_LEVEL", {"3", " 3", "1"}},
      {"FLYDSL_COMPILE_OPT_LEVEL", {"3", "3 ", "1"}},
      {"FLY_DEBUG", {"lines", " lines", "none"}},
      {"FLYDSL_DEBUG_ENABLE_DEBUG_INFO", {"1", "True", "0"}},
      // There is one backend: another is refused.
      {"FLY_BACKEND", {"rocm", "ROCM", "cuda"}},
      {"FLYDSL_COMPILE_BACKEND", {"rocm", " rocm", "cuda"}},
      {"FLY_LLVM_DIR", {"/one", "/two", "/three"}},
      {"FLYDSL_COMPILE_LLVM_DIR", {"/one", "/two", "/three"}},
      {"FLY_INPUTS", {at("in"), at("copy"), at("other")}},
      {"FLYDSL_EXTRA_SOURCE_DIRS",
       {at("in"), at("copy") + ":" + at("in"), at("other")}},
      {"FLY_DEVICE_LIBS", {at("rocm"), at("rocm2"), at("rocm3")}},
      {"ROCM_PATH", {at("rocm"), at("rocm2"), at("rocm3")}},
      {"ROCM_ROOT", {at("rocm"), at("rocm2"), at("rocm3")}},
      {"ROCM_HOME", {at("rocm"), at("rocm2"), at("rocm3")}},
  };
}

TEST(Variables, everyRowKeepsItsClass) {
  TemporaryFolder folder;
  folder.write("nodes/1/properties",
               "simd_count 8\ngfx_target_version 90500\nunique_id 1\n");
  folder.write("in/one.py", "1");
  folder.write("copy/one.py", "1");
  folder.write("other/one.py", "2");
  folder.write("rocm/amdgcn/bitcode/ocml.bc", "one");
  folder.write("rocm2/amdgcn/bitcode/ocml.bc", "one");
  folder.write("rocm3/amdgcn/bitcode/ocml.bc", "two");
  llvm::StringMap<Scenario> table = scenarios(folder);
  unsigned flipped = 0, heard = 0;
  for (const ::fly::support::Variable &row : ::fly::support::knownVariables()) {
    SCOPED_TRACE(row.name.str());
    auto found = table.find(row.name);
    // What has no effect may say anything.
    Scenario scenario{"/bin", "/nowhere:/elsewhere", ""};
    if (row.kind != VariableClass::NoEffectOnCode) {
      ASSERT_TRUE(found != table.end()) << "the row has no scenario";
      scenario = found->second;
      ++heard;
    }
    bool isMask = row.name.contains("VISIBLE") || row.name.contains("ORDINAL");
    if (isMask)
      folder.write("nodes/2/properties",
                   "simd_count 8\ngfx_target_version 90402\nunique_id 2\n");
    auto keyWith = [&](const std::string &value) {
      Build build = listening(folder);
      build.variables = {{row.name.str(), value}};
      return keyText(build);
    };
    std::string first = keyWith(scenario.first);
    EXPECT_EQ(first.substr(0, 5), "fly1-") << first;
    EXPECT_EQ(keyWith(scenario.sameEffect), first);
    switch (row.kind) {
    case VariableClass::TargetSource: {
      EXPECT_NE(keyWith(scenario.otherEffect), first);
      Build plain = listening(folder);
      plain.options.resolve.target = "gfx950";
      EXPECT_EQ(keyText(plain), first) << "not what an option gives";
      break;
    }
    case VariableClass::KeyedByEffect: {
      Build build = listening(folder);
      build.variables = {{row.name.str(), scenario.otherEffect}};
      if (scenario.otherEffect.empty())
        build.parts[1].second = "another build";
      EXPECT_NE(keyText(build), first);
      break;
    }
    case VariableClass::NoEffectOnCode:
      EXPECT_EQ(keyText(listening(folder)), first);
      break;
    }
    if (row.numberedFamily) {
      Build build = listening(folder);
      build.variables = {{row.name.str() + "_1", scenario.first}};
      EXPECT_EQ(keyText(build), first) << "a member of the family";
    }
    if (isMask)
      llvm::sys::fs::remove_directories(folder.path("nodes/2"));
    ++flipped;
  }
  printf("%u variables flipped\n", flipped);
  EXPECT_EQ(heard, table.size());
}

struct Refused {
  const char *name, *value;
  std::initializer_list<StringRef> parts;
};

TEST(Variables, wrongTypesAreRefused) {
  const Refused cases[] = {
      {"FLY_OPT_LEVEL", "4", {"FLY_OPT_LEVEL", "0 to 3", "'4'"}},
      {"FLYDSL_COMPILE_OPT_LEVEL", "fast", {"integer", "'fast'"}},
      {"FLY_DEBUG", "yes", {"none, lines or full", "'yes'"}},
      {"FLYDSL_DEBUG_ENABLE_DEBUG_INFO", "2", {"true or false", "'2'"}},
      {"FLY_BACKEND", "cuda", {"expected rocm", "'cuda'"}},
  };
  for (const Refused &each : cases) {
    Build build;
    build.variables = {{each.name, each.value}};
    std::string text = keyText(build);
    ::fly::amdgpu::expectAll(text, each.parts);
    ::fly::amdgpu::expectAll(text, {each.name, "[FLY-K006]"});
  }
  Build missing;
  missing.variables = {{"FLYDSL_EXTRA_SOURCE_DIRS", "/absent/folder"}};
  ::fly::amdgpu::expectAll(keyText(missing),
                           {"'/absent/folder'", "[FLY-K003]"});
}

} // namespace
