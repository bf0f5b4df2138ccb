// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every error code of targets and keys, once more in one table: how it is met,
// and what its message must contain.

#include "Builds.h"

#include "fly/Analysis/DeviceLibraries.h"

#include <functional>
#include <set>
#include <sys/stat.h>

using namespace mlir;
using namespace mlir::fly;
using namespace mlir::fly::test;
using ::fly::amdgpu::DetectMode;

namespace {

struct Case {
  const char *code;
  std::function<void(Build &)> change;
  std::vector<StringRef> parts;
};

std::function<void(Build &)> target(const char *name) {
  return [name](Build &build) { build.options.resolve.target = name; };
}

std::function<void(Build &)> variables(const Variables &values) {
  return [values](Build &build) {
    build.options.resolve.target.clear();
    build.variables = values;
  };
}

std::function<void(Build &)> text(const std::string &whole) {
  return [whole](Build &build) { build.text = whole; };
}

std::vector<Case> targetCases(const TemporaryFolder &folder) {
  folder.gpuNode(1, 90402, 0x11);
  folder.gpuNode(2, 110000, 0x22);
  folder.write("new/3/properties", "simd_count 8\ngfx_target_version 130000\n");
  std::string silent = folder.program("silent", "echo no driver >&2; exit 0");
  auto kfd = [&](StringRef root) {
    std::string path = folder.path(root);
    return [path](Build &build) {
      build.options.resolve.target.clear();
      build.options.resolve.detect = DetectMode::Kfd;
      build.options.resolve.kfdRoot = path;
    };
  };
  return {
      {"T001",
       variables({}),
       {"target= (not given)", "FLY_TARGET (unset)", "FLYDSL_GPU_ARCH",
        "ARCH (unset)", "HSA_OVERRIDE_GFX_VERSION", "device-name=", "say it",
        "FLY_TARGET"}},
      {"T002", target("gfx9010"), {"'gfx9010'", "target=", "gfx90a"}},
      {"T002", target("gfx940"), {"'gfx940'", "removed", "use gfx942"}},
      {"T002", target("mi300x"), {"'mi300x'", "product", "gfx942", "nearest"}},
      {"T002", target("9.0.a"), {"'9.0.a'", "decimal", "9.0.10", "gfx90a"}},
      {"T002", target("gfx942;gfx950"), {"list", "targets="}},
      {"T003",
       target("gfx1100:xnack+"),
       {"gfx1100", "'xnack'", "none", "character 9"}},
      {"T003",
       target("gfx942:nope+"),
       {"'nope'", "sramecc and xnack", "character 8"}},
      {"T003", target("gfx942:xnack"), {"no sign", "character 8", "gfx942"}},
      {"T003", target("gfx942:xnack+:xnack+"), {"duplicate", "character 15"}},
      {"T003", target("gfx942:"), {"trailing colon", "write 'gfx942'"}},
      {"T003", target("gfx1250:xnack+"), {"always on", "gfx1250"}},
      {"T004",
       [](Build &build) { build.options.resolve.wave = 32; },
       {"32", "gfx942", "allowed: 64"}},
      {"T005",
       variables({{"FLY_TARGET", " GFX942"}, {"FLYDSL_GPU_ARCH", "gfx950"}}),
       {"FLY_TARGET", "' GFX942'", "(gfx942)", "FLYDSL_GPU_ARCH", "'gfx950'",
        "(gfx950)"}},
      {"T006",
       variables({{"HSA_OVERRIDE_GFX_VERSION", "9.4"}}),
       {"'9.4'", "three decimal numbers"}},
      {"T006",
       variables({{"HSA_OVERRIDE_GFX_VERSION", "9.0.a"}}),
       {"'9.0.a'", "9.0.10"}},
      {"T006",
       variables({{"HSA_OVERRIDE_GFX_VERSION", "9.4.2x"}}),
       {"'9.4.2x'", "three decimal numbers"}},
      {"T006",
       variables({{"HSA_OVERRIDE_GFX_VERSION", "64.0.0"}}),
       {"'64.0.0'", "out of range", "63.255.255"}},
      {"T007",
       kfd(""),
       {"node 1 gfx942 GPU-0000000000000011",
        "node 2 gfx1100 GPU-0000000000000022", "target="}},
      {"T008",
       [silent](Build &build) {
         build.options.resolve.target.clear();
         build.options.resolve.detect = DetectMode::Tool;
         build.options.resolve.archTool = silent;
       },
       {"silent'", "printed nothing", "exit status 0", "no driver"}},
      {"T009",
       text("gpu.module @m attributes {llvm.target_triple = \"nvptx64\"} {}"),
       {"\"nvptx64\"", "\"amdgcn-amd-amdhsa\""}},
      {"T009",
       text("gpu.module @m attributes {llvm.data_layout = \"e-p:32:32\"} {}"),
       {"\"e-p:32:32\"", "expected \"e-m:e-p:64:64"}},
      {"T009",
       text("gpu.module @m attributes {dlti.dl_spec = #dlti.dl_spec<"
            "\"dlti.endianness\" = \"big\">} {}"),
       {"attribute 'dlti.dl_spec' contradicts the target: found ", "big",
        ", expected an entry of ", "little"}},
      {"T009",
       text("gpu.module @m [#rocdl.target<triple = \"amdgcn--amdhsa\", "
            "chip = \"gfx942\">] {}"),
       {"'amdgcn--amdhsa'", "'amdgcn-amd-amdhsa'"}},
      {"T010", kfd("new"), {"130000", "13.0.0", "LLVM 22.1"}},
      {"T010", target("gfx1250-strict"), {"'gfx1250-strict'", "LLVM 22.1"}},
      {"T011",
       [](Build &build) { build.variables = {{"ARCH", "x86_64"}}; },
       {"ARCH='x86_64' ignored", "not a gfx name"}},
  };
}

std::string kernel(StringRef body) {
  return ("gpu.module @m { gpu.func @k() kernel { " + body + " gpu.return } }")
      .str();
}

std::vector<Case> keyCases(const TemporaryFolder &folder) {
  folder.write("in/around/x", "");
  EXPECT_FALSE(llvm::sys::fs::create_link(folder.path("in"),
                                          folder.path("in/around/up")));
  std::string pipe = folder.path("pipe");
  EXPECT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  auto input = [&](const std::string &path) {
    return [path](Build &build) { build.options.inputs = {path}; };
  };
  auto hint = [](const char *said) {
    return [said](Build &build) { build.options.hints = {said}; };
  };
  return {
      {"K001",
       text("gpu.module @m { gpu.func @k() kernel attributes {a.b = "
            "#nowhere<x>} { gpu.return } }"),
       {"attribute of the unknown dialect 'nowhere' cannot be hashed by "
        "meaning; allow-opaque=true hashes it as it prints"}},
      {"K001",
       text("gpu.module @m { gpu.func @k(%a: !nowhere<x>) kernel { "
            "gpu.return } }"),
       {"type of the unknown dialect 'nowhere' cannot be hashed by meaning; "
        "allow-opaque=true hashes it as it prints"}},
      {"K002",
       [](Build &build) {
         build.text = kernel("%x = arith.constant 1 : i32 "
                             "loc(\"/x/a.py\":1:2)");
         build.options.debug = DebugKind::Lines;
         build.options.requireRelocatable = true;
       },
       {"'/x/a.py'", "prefix-map"}},
      {"K003",
       input("/absent/root"),
       {"'/absent/root'", "No such file or directory"}},
      {"K003",
       input(folder.path("in")),
       {"extra input '",
        "in/around/up' is a symbolic link to a folder around it"}},
      {"K003", input(pipe), {"pipe' is neither a file nor a folder"}},
      {"K004",
       text(kernel("%x = arith.constant dense_resource<gone> : tensor<1xi32>")),
       {"'gone'", "dialect_resources"}},
      {"K005",
       [](Build &build) { build.options.llvmDir = "/absent/llvm"; },
       {"'/absent/llvm'", "No such file or directory"}},
      {"K006", hint("waves_per_ue=2"), {"'waves_per_ue'", "waves_per_eu"}},
      {"K006", hint("maxnreg=many"), {"maxnreg", "an integer", "'many'"}},
      {"K006",
       hint("fast_fp_math=2"),
       {"fast_fp_math", "true or false", "'2'"}},
      {"K006",
       [](Build &build) { build.options.optLevel = 4; },
       {"opt-level", "0 to 3", "'4'"}},
      {"K006",
       [](Build &build) { build.options.prefixMap = {"nothing"}; },
       {"prefix-map", "from=to", "'nothing'"}},
      {"K006",
       [](Build &build) { build.options.llvmOptions = {"no-such"}; },
       {"'no-such'", "LLVM"}},
      {"K007",
       [](Build &build) { build.options.link = {"/absent/a.bc"}; },
       {"'/absent/a.bc'", "No such file or directory"}},
  };
}

TEST(ErrorCodes, messagesContainWhatTheyMust) {
  TemporaryFolder folder, files;
  std::vector<Case> cases = targetCases(folder);
  std::vector<Case> more = keyCases(files);
  cases.insert(cases.end(), more.begin(), more.end());
  std::set<std::string> codes;
  for (const Case &each : cases) {
    Build build;
    each.change(build);
    std::string messages;
    std::optional<CacheKey> key = deriveOne(build, &messages);
    SCOPED_TRACE(messages);
    bool isRemark = StringRef(each.code) == "T011";
    EXPECT_EQ(key.has_value(), isRemark) << each.code;
    std::string code = "[FLY-" + std::string(each.code) + "]";
    EXPECT_TRUE(StringRef(messages).contains(code)) << code;
    for (StringRef part : each.parts)
      EXPECT_TRUE(StringRef(messages).contains(part)) << part.str();
    codes.insert(each.code);
  }
  printf("%zu codes of targets and keys, %zu messages\n", codes.size(),
         cases.size());
  EXPECT_EQ(codes.size(), 18u) << "T001 to T011 and K001 to K007";
}

// A library that lowered code turns out to need: the symbol, and each place
// with what named it.
TEST(ErrorCodes, missingDeviceLibraryNamesSymbolAndPlaces) {
  NeededDeviceLibrary library{"ocml.bc", "__ocml_sin_f32"};
  auto missing = [&](ArrayRef<DeviceLibraryPlace> places) {
    llvm::Expected<std::string> path = findDeviceLibrary(library, places);
    return path ? *path : llvm::toString(path.takeError());
  };
  ::fly::amdgpu::expectAll(missing({{"/absent/one", "ROCM_PATH"},
                                    {"/absent/two", "FLY_DEVICE_LIBS"}}),
                           {"'__ocml_sin_f32'", "'ocml.bc'",
                            "'/absent/one' (ROCM_PATH)",
                            "'/absent/two' (FLY_DEVICE_LIBS)", "[FLY-K007]"});
  ::fly::amdgpu::expectAll(
      missing({}), {"tried no place, since none of the option device-libs and "
                    "the variables FLY_DEVICE_LIBS, ROCM_PATH, ROCM_ROOT and "
                    "ROCM_HOME is set [FLY-K007]"});
}

} // namespace
