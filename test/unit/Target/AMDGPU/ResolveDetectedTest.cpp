// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detection: KFD trees in temporary folders, visibility masks, the runtime's
// override, and programs that print processors, or fail to.

#include "ResolveSupport.h"

#include <cstdlib>

using namespace fly::amdgpu;
using llvm::StringRef;

using Variables = std::vector<std::pair<std::string, std::string>>;

static ResolveRequest onTree(const TemporaryFolder &folder,
                             const Variables &variables = {}) {
  ResolveRequest request = hermetic(variables);
  request.detect = DetectMode::Kfd;
  request.kfdRoot = folder.path();
  return request;
}

static ResolveRequest withTool(const std::string &path,
                               const Variables &variables = {}) {
  ResolveRequest request = hermetic(variables);
  request.detect = DetectMode::Tool;
  request.archTool = path;
  return request;
}

//===----------------------------------------------------------------------===//
// KFD
//===----------------------------------------------------------------------===//

TEST(Kfd, nodesInNumericalOrder) {
  TemporaryFolder folder;
  folder.cpuNode(0);
  folder.gpuNode(10, 90402);
  folder.gpuNode(9, 90402);
  folder.write("readme/properties", "gfx_target_version 110000\n");
  folder.write("07/properties", "gfx_target_version 110000\n");
  Resolution found = valueOf(onTree(folder));
  EXPECT_EQ(found.source, "kfd:node9");
  EXPECT_EQ(found.raw, "90402");
  EXPECT_EQ(found.target().id(), "gfx942");
}

TEST(Kfd, stubbornNodesAreSkippedWithANote) {
  TemporaryFolder folder;
  folder.cpuNode(0);
  folder.write("1/name", "no properties here");
  folder.write("2/properties", "simd_count 416\ngfx_target_version x\n");
  folder.write("3/properties", "simd_count 416\n");
  folder.write("4/properties/deeper", "");
  folder.gpuNode(5, 90500);
  Resolution found = valueOf(onTree(folder));
  EXPECT_EQ(found.source, "kfd:node5");
  ASSERT_EQ(found.remarks.size(), 4u);
  expectAll(found.remarks[0],
            {"KFD node 1 skipped: properties cannot be read: "});
  expectAll(found.remarks[1],
            {"KFD node 2 skipped: no decimal gfx_target_version"});
  expectAll(found.remarks[2], {"node 3 skipped", "gfx_target_version"});
  expectAll(found.remarks[3], {"node 4 skipped", "not a regular file"});
}

TEST(Kfd, noGpu) {
  TemporaryFolder folder;
  folder.cpuNode(0);
  folder.cpuNode(1);
  expectAll(errorOf(onTree(folder)),
            {"KFD folder '", "' has no GPU node (2 CPU nodes)", "[FLY-T001]"});
  ResolveRequest request = onTree(folder);
  request.kfdRoot = folder.path("absent");
  expectAll(errorOf(request), {"absent", "does not exist", "[FLY-T001]"});
  request.kfdRoot = folder.path("0/properties");
  expectAll(errorOf(request), {"cannot be read", "[FLY-T001]"});
}

TEST(Kfd, newerThanTheToolchain) {
  TemporaryFolder folder;
  folder.gpuNode(1, 130000);
  expectAll(errorOf(onTree(folder)),
            {"kfd:node1", "130000", "13.0.0", "22.1", "[FLY-T010]"});
  TemporaryFolder strict;
  strict.write("1/properties", "simd_count 8\ncapability2 4194304\n"
                               "capability 128\ngfx_target_version 120500\n");
  expectAll(errorOf(onTree(strict)), {"gfx1250-strict", "[FLY-T010]"});
  TemporaryFolder usual;
  usual.write("1/properties", "simd_count 8\ncapability2 0\n"
                              "capability 4194432\n"
                              "gfx_target_version 120500\n");
  EXPECT_EQ(idOf(onTree(usual)), "gfx1250");
}

//===----------------------------------------------------------------------===//
// Visibility and mixed machines
//===----------------------------------------------------------------------===//

/// Two gfx942 and one gfx1100.
static void makeMixed(const TemporaryFolder &folder) {
  folder.cpuNode(0);
  folder.gpuNode(1, 90402, 0xabcdef0123456789);
  folder.gpuNode(2, 90402, 0x1);
  folder.gpuNode(3, 110000, 0x2);
}

TEST(Visibility, mixedMachineNeedsATarget) {
  TemporaryFolder folder;
  makeMixed(folder);
  expectAll(errorOf(onTree(folder)),
            {"GPUs of different processors are visible: node 1 gfx942 "
             "GPU-abcdef0123456789, ",
             "node 2 gfx942 GPU-0000000000000001",
             "node 3 gfx1100 GPU-0000000000000002; choose one with target= "
             "[FLY-T007]"});
  // Ordinals do not choose, in whatever variable.
  for (const char *name : {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                           "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"})
    expectAll(errorOf(onTree(folder, {{name, "0"}})),
              {std::string(name) + "='0' counts devices in an order that is "
                                   "not known here, so it chooses no processor",
               "[FLY-T007]"});
  // With a target nothing is detected.
  ResolveRequest request = onTree(folder);
  request.option = "gfx950";
  EXPECT_EQ(idOf(request), "gfx950");
}

TEST(Visibility, identifiersChoose) {
  TemporaryFolder folder;
  makeMixed(folder);
  auto masked = [&](StringRef value) {
    return onTree(folder, {{"ROCR_VISIBLE_DEVICES", value.str()}});
  };
  EXPECT_EQ(idOf(masked("GPU-abcdef0123456789")), "gfx942");
  EXPECT_EQ(idOf(masked("GPU-0000000000000002")), "gfx1100");
  EXPECT_EQ(idOf(masked("GPU-ABCDEF0123456789, gpu-0000000000000001")),
            "gfx942");
  expectAll(errorOf(masked("GPU-0000000000000001,GPU-0000000000000002")),
            {"[FLY-T007]"});
  // The list ends at the first entry that names no device.
  EXPECT_EQ(idOf(masked("GPU-0000000000000002,GPU-5,GPU-0000000000000001")),
            "gfx1100");
  expectAll(errorOf(masked("GPU-77")), {"hides all 3 GPUs", "[FLY-T001]"});
  // Then ordinals count among those that are left.
  EXPECT_EQ(
      idOf(onTree(folder, {{"ROCR_VISIBLE_DEVICES", "GPU-0000000000000002"},
                           {"HIP_VISIBLE_DEVICES", "0"}})),
      "gfx1100");
}

TEST(Visibility, ordinalsOfEqualGpus) {
  TemporaryFolder folder;
  folder.gpuNode(1, 90402);
  folder.gpuNode(2, 90402);
  auto masked = [&](const Variables &variables) {
    return onTree(folder, variables);
  };
  EXPECT_EQ(idOf(masked({{"HIP_VISIBLE_DEVICES", "1"}})), "gfx942");
  EXPECT_EQ(idOf(masked({{"ROCR_VISIBLE_DEVICES", "0,1"},
                         {"HIP_VISIBLE_DEVICES", "1"},
                         {"GPU_DEVICE_ORDINAL", "0"}})),
            "gfx942");
  for (const char *hidden : {"-1", "2", "x", "99999999999999999999999"})
    expectAll(
        errorOf(masked({{"HIP_VISIBLE_DEVICES", hidden}})),
        {"HIP_VISIBLE_DEVICES", hidden, "hides all 2 GPUs", "[FLY-T001]"});
  expectAll(errorOf(masked(
                {{"ROCR_VISIBLE_DEVICES", "0"}, {"HIP_VISIBLE_DEVICES", "1"}})),
            {"HIP_VISIBLE_DEVICES", "hides all 1 GPUs", "[FLY-T001]"});
  // HIP's variable goes before CUDA's.
  EXPECT_EQ(idOf(masked({{"CUDA_VISIBLE_DEVICES", "-1"},
                         {"HIP_VISIBLE_DEVICES", "0"}})),
            "gfx942");
  // Blank is unset.
  Resolution blank = valueOf(masked({{"HIP_VISIBLE_DEVICES", " "}}));
  EXPECT_EQ(blank.target().id(), "gfx942");
  EXPECT_EQ(blank.remarks, std::vector<std::string>{
                               "HIP_VISIBLE_DEVICES is blank: taken as unset"});
  // Without the environment masks do not count.
  ResolveRequest request = masked({{"HIP_VISIBLE_DEVICES", "-1"}});
  request.useEnvironment = false;
  EXPECT_EQ(idOf(request), "gfx942");
}

//===----------------------------------------------------------------------===//
// HSA_OVERRIDE_GFX_VERSION
//===----------------------------------------------------------------------===//

TEST(Override, replacesDetection) {
  TemporaryFolder folder;
  makeMixed(folder);
  Resolution found =
      valueOf(onTree(folder, {{"HSA_OVERRIDE_GFX_VERSION", " 9.5.0 "}}));
  EXPECT_EQ(found.target().id(), "gfx950");
  EXPECT_EQ(found.source, "HSA_OVERRIDE_GFX_VERSION");
  EXPECT_EQ(found.raw, " 9.5.0 ");
  expectAll(errorOf(onTree(folder, {{"HSA_OVERRIDE_GFX_VERSION", "9.0.a"}})),
            {"'9.0.a'", "9.0.10", "[FLY-T006]"});
}

TEST(Override, nodesHaveTheirOwn) {
  TemporaryFolder folder;
  makeMixed(folder);
  // The one node that differs is made equal.
  EXPECT_EQ(idOf(onTree(folder, {{"HSA_OVERRIDE_GFX_VERSION_3", "9.4.2"}})),
            "gfx942");
  // A node's own value goes before the common one.
  expectAll(errorOf(onTree(folder, {{"HSA_OVERRIDE_GFX_VERSION", "9.4.2"},
                                    {"HSA_OVERRIDE_GFX_VERSION_3", "11.0.1"}})),
            {"node 1 gfx942", "node 3 gfx1101", "[FLY-T007]"});
  // A node that does not exist takes no part.
  expectAll(errorOf(onTree(folder, {{"HSA_OVERRIDE_GFX_VERSION_7", "9.4.2"}})),
            {"node 3 gfx1100", "[FLY-T007]"});
  EXPECT_EQ(idOf(onTree(folder, {{"HSA_OVERRIDE_GFX_VERSION", "11.0.0"},
                                 {"HSA_OVERRIDE_GFX_VERSION_7", "9.4.2"}})),
            "gfx1100");
  expectAll(errorOf(onTree(folder, {{"HSA_OVERRIDE_GFX_VERSION_1", "9.4"}})),
            {"HSA_OVERRIDE_GFX_VERSION_1", "[FLY-T006]"});
}

TEST(Override, nodesWithoutTopology) {
  EXPECT_EQ(idOf(hermetic({{"HSA_OVERRIDE_GFX_VERSION", "9.4.2"},
                           {"HSA_OVERRIDE_GFX_VERSION_1", "9.4.2"}})),
            "gfx942");
  expectAll(errorOf(hermetic({{"HSA_OVERRIDE_GFX_VERSION", "9.4.2"},
                              {"HSA_OVERRIDE_GFX_VERSION_1", "9.5.0"}})),
            {"HSA_OVERRIDE_GFX_VERSION_1", "gfx950", "gfx942", "[FLY-T007]"});
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

TEST(Tool, printsProcessors) {
  TemporaryFolder folder;
  std::string tool = folder.program(
      "enumerator", "echo gfx000; echo gfx942:sramecc+:xnack-; echo; "
                    "echo ' gfx942 '; echo sm_90");
  Resolution found = valueOf(withTool(tool));
  EXPECT_EQ(found.target().id(), "gfx942");
  EXPECT_EQ(found.source, tool);
  EXPECT_EQ(found.raw, "gfx942:sramecc+:xnack-");
}

// Whatever processor a program prints, in whatever spelling, the target is the
// one that every other source gives.
TEST(Tool, everyProcessor) {
  TemporaryFolder folder;
  for (const Chip &chip : allChips()) {
    std::string tool = folder.program(
        "tool",
        ("echo '" + chip.name + "'; echo ' " + chip.name.upper() + "'").str());
    Resolution found = valueOf(withTool(tool));
    EXPECT_EQ(found.targets, std::vector<Target>{Target::ofChip(chip)});
  }
}

TEST(Tool, mixedMachine) {
  TemporaryFolder folder;
  std::string tool = folder.program("tool", "echo gfx942; echo gfx1100");
  expectAll(errorOf(withTool(tool)), {tool, "gfx942", "gfx1100", "[FLY-T007]"});
}

TEST(Tool, failures) {
  TemporaryFolder folder;
  auto fails = [&](StringRef name, StringRef body,
                   std::initializer_list<StringRef> parts) {
    std::string tool = folder.program(name, body);
    ResolveRequest request = withTool(tool);
    request.toolTimeout = 1;
    std::string text = errorOf(request);
    expectAll(text, parts);
    expectAll(text, {"detection of the GPU by a program gave nothing: '" +
                         tool + "' ",
                     "; give the target with target= [FLY-T008]"});
  };
  fails("silent", "exit 0", {"printed nothing (exit status 0)"});
  fails("loud", "echo no driver >&2; exit 3",
        {"failed (exit status 3); stderr: 'no driver'"});
  fails("slow", "sleep 30", {"timed out after 1 s"});
  fails("cpu", "echo gfx000", {"printed no GPU (exit status 0): 'gfx000'"});
  fails("crash", "kill -SEGV $$", {"crashed: "});
  expectAll(errorOf(withTool(folder.path("absent"))),
            {"absent' could not be started: ", "[FLY-T008]"});
  expectAll(errorOf(withTool("absent-tool")),
            {"'absent-tool' was not found on PATH", "[FLY-T008]"});
  expectAll(errorOf(withTool(folder.program("big", "yes gfx942 | head -c "
                                                   "2000000"))),
            {"printed something that is larger than", "[FLY-T008]"});
}

TEST(Tool, withoutAFolderForTemporaryFiles) {
  TemporaryFolder folder;
  std::string tool = folder.program("tool", "echo gfx942");
  const char *before = ::getenv("TMPDIR");
  std::string kept = before ? before : "";
  ::setenv("TMPDIR", folder.path("absent").c_str(), 1);
  std::string text = errorOf(withTool(tool));
  if (before)
    ::setenv("TMPDIR", kept.c_str(), 1);
  else
    ::unsetenv("TMPDIR");
  expectAll(text, {tool, "could not run: no temporary file can be made",
                   "[FLY-T008]"});
}

TEST(Kfd, versionsOutOfRange) {
  TemporaryFolder folder;
  folder.gpuNode(1, 12345678);
  expectAll(errorOf(onTree(folder)),
            {"gfx_target_version 12345678 from kfd:node1 is not major * 10000 "
             "+ minor * 100 + stepping [FLY-T010]"});
}

TEST(Tool, unknownProcessors) {
  TemporaryFolder folder;
  expectAll(errorOf(withTool(folder.program("new", "echo gfx1250-strict"))),
            {"gfx1250-strict", folder.path("new"), "[FLY-T010]"});
  expectAll(errorOf(withTool(folder.program("odd", "echo hello"))),
            {"'hello'", folder.path("odd"), "[FLY-T002]"});
}

// KFD goes first, then the programs on PATH in their order; a program that
// gives nothing is passed over when nobody asked for it.
TEST(Tool, orderOfDetection) {
  TemporaryFolder folder, tree;
  folder.program("amdgpu-arch", "exit 0");
  folder.program("offload-arch", "echo gfx950");
  folder.program("rocm_agent_enumerator", "echo gfx1100");
  ResolveRequest request = hermetic({{"PATH", folder.path()}});
  request.detect = DetectMode::Auto;
  request.kfdRoot = tree.path();
  Resolution found = valueOf(request);
  EXPECT_EQ(found.source, folder.path("offload-arch"));
  tree.gpuNode(4, 90402);
  EXPECT_EQ(valueOf(request).source, "kfd:node4");
  request.detect = DetectMode::Tool;
  EXPECT_EQ(idOf(request), "gfx950");
}

TEST(Tool, nothingAnywhere) {
  TemporaryFolder folder;
  folder.program("amdgpu-arch", "exit 0");
  ResolveRequest request = hermetic({{"PATH", folder.path()}});
  request.detect = DetectMode::Auto;
  request.kfdRoot = folder.path("nodes");
  expectAll(errorOf(request),
            {"KFD", "does not exist", "amdgpu-arch (printed nothing",
             "offload-arch (not found)", "rocm_agent_enumerator (not found)",
             "[FLY-T001]"});
  request.allowDefault = "gfx942";
  Resolution found = valueOf(request);
  EXPECT_EQ(found.source, "allow-default=");
  EXPECT_EQ(found.remarks.back(), "nothing says the target: gfx942 is taken "
                                  "because allow-default= asks for it");
}
