// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thing at a time: each row changes one thing of a build and says which
// components of the key move, and that no other does. A row that names none is
// something that must never move a key. The number of rows is printed.

#include "Builds.h"

#include "llvm/Support/Process.h"

#include <functional>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::fly;
using namespace mlir::fly::test;
using ::fly::amdgpu::DetectMode;

namespace {

using Change = std::function<void(Build &)>;

struct Row {
  const char *what;
  /// Components that move.
  std::vector<std::string> moved;
  Change change;
  /// Made to both builds first.
  Change base = nullptr;
};

void replace(std::string &text, StringRef from, StringRef to) {
  size_t place = text.find(from.str());
  ASSERT_NE(place, std::string::npos) << from.str();
  text.replace(place, from.size(), to.str());
}

/// A change of the text.
Change edit(const char *from, const char *to) {
  return [from, to](Build &build) { replace(build.text, from, to); };
}

Change text(const char *whole) {
  return [whole](Build &build) { build.text = whole; };
}

Change target(const char *name) {
  return [name](Build &build) { build.options.resolve.target = name; };
}

Change variable(const char *name, const std::string &value) {
  return [name, value](Build &build) {
    build.variables.emplace_back(name, value);
  };
}

const std::vector<std::string> nothing, ofTarget{"target"}, ofIR{"ir"},
    ofCodegen{"codegen"}, ofToolchain{"toolchain"}, ofBitcode{"bitcode"},
    ofInputs{"inputs"}, ofSalt{"salt"};

constexpr char mathKernel[] = "gpu.module @m { gpu.func @k(%a: f32) kernel { "
                              "%x = math.sin %a : f32 gpu.return } }";

/// Files and folders that the rows name.
struct Files {
  Files() {
    folder.write("a.bc", "first");
    folder.write("b.bc", "second");
    folder.write("else/where/a.bc", "first");
    folder.write("libs/ocml.bc", "ocml one");
    folder.write("libs2/amdgcn/bitcode/ocml.bc", "ocml one");
    folder.write("newer/ocml.bc", "ocml two");
    folder.write("in/x/one.py", "1");
    folder.write("in2/deep/x/one.py", "1");
    folder.write("changed/x/one.py", "2");
    folder.write("renamed/x/two.py", "1");
    EXPECT_FALSE(llvm::sys::fs::create_link(at("libs"), at("linked")));
  }
  std::string at(StringRef name) const { return folder.path(name); }
  TemporaryFolder folder;
};

std::vector<Row> mustMove(const Files &files) {
  Change mathBuild = [&files](Build &build) {
    build.text = mathKernel;
    build.options.deviceLibraries = files.at("libs");
  };
  Change lines = [](Build &build) { build.options.debug = DebugKind::Lines; };
  Change linked = [&files](Build &build) {
    build.options.link = {files.at("a.bc"), files.at("b.bc")};
  };
  Change inputs = [&files](Build &build) {
    build.options.inputs = {files.at("in")};
  };
  auto part = [](size_t index) {
    return [index](Build &build) { build.parts[index].second = "other"; };
  };
  return {
      {"chip", ofTarget, target("gfx950")},
      {"sramecc on", ofTarget, target("gfx942:sramecc+")},
      {"sramecc off", ofTarget, target("gfx942:sramecc-")},
      {"xnack on", ofTarget, target("gfx942:xnack+")},
      {"xnack off", ofTarget, target("gfx942:xnack-")},
      {"xnack from on to off", ofTarget, target("gfx942:xnack-"),
       target("gfx942:xnack+")},
      {"generic processor", ofTarget, target("gfx9-4-generic")},
      {"wave", ofTarget, [](Build &b) { b.options.resolve.wave = 64; },
       target("gfx1100")},
      {"cumode", ofTarget, [](Build &b) { b.options.resolve.cumode = true; },
       target("gfx1100")},
      {"abi", ofTarget, [](Build &b) { b.options.resolve.abi = 500; }},
      {"op", ofIR, edit("arith.addi", "arith.muli")},
      {"type", ofIR, edit("%a: f32, %i", "%a: f32, %b: i8, %i")},
      {"attribute", ofIR, edit("kernel {", "kernel attributes {my.note} {")},
      {"constant", ofIR, edit("constant 1", "constant 2")},
      {"operand", ofIR, edit("%i, %x : i32", "%x, %i : i32")},
      {"name of the kernel", ofIR, edit("@k", "@other")},
      {"fast-math flags", ofIR,
       edit("%a, %a : f32", "%a, %a fastmath<contract> : f32")},
      {"block size of the kernel", ofIR,
       edit("kernel {", "kernel attributes {known_block_size = "
                        "array<i32: 64, 1, 1>} {")},
      {"optimisation level", ofCodegen,
       [](Build &b) { b.options.optLevel = 3; }},
      {"level by variable", ofCodegen, variable("FLY_OPT_LEVEL", "0")},
      {"level by FlyDSL's variable", ofCodegen,
       variable("FLYDSL_COMPILE_OPT_LEVEL", "3")},
      {"debug kind", {"ir", "codegen"}, lines},
      {"debug by variable", {"ir", "codegen"}, variable("FLY_DEBUG", "full")},
      {"debug by FlyDSL's variable",
       {"ir", "codegen"},
       variable("FLYDSL_DEBUG_ENABLE_DEBUG_INFO", "1")},
      {"lines to full", ofCodegen,
       [](Build &b) { b.options.debug = DebugKind::Full; }, lines},
      {"location with debug", ofIR,
       edit("%i, %x : i32", "%i, %x : i32 loc(\"x.py\":1:2)"), lines},
      {"prefix map with debug", ofIR,
       [](Build &b) { b.options.prefixMap = {"input=other"}; }, lines},
      {"hint waves_per_eu", ofIR,
       [](Build &b) { b.options.hints = {"waves_per_eu=2"}; }},
      {"hint maxnreg", ofIR,
       [](Build &b) { b.options.hints = {"maxnreg=64"}; }},
      {"math flag with a device library", ofCodegen,
       [](Build &b) { b.options.hints = {"fast_fp_math=1"}; }, mathBuild},
      {"option of LLVM", ofCodegen,
       [](Build &b) { b.options.llvmOptions = {"amdgpu-waitcnt-forcezero"}; }},
      {"value of an option of LLVM", ofCodegen,
       [](Build &b) {
         b.options.llvmOptions = {"amdgpu-schedule-metric-bias=7"};
       },
       [](Build &b) {
         b.options.llvmOptions = {"amdgpu-schedule-metric-bias=8"};
       }},
      {"option of LLVM that is given with its default value", ofCodegen,
       [](Build &b) { b.options.llvmOptions = {"inline-threshold=225"}; }},
      {"our sources", ofToolchain, part(0)},
      {"build of libLLVM", ofToolchain, part(1)},
      {"build of libMLIR", ofToolchain, part(2)},
      {"build of lld", ofToolchain,
       [](Build &b) { b.parts.emplace_back("lld", "9"); }},
      {"another LLVM", ofToolchain,
       [](Build &b) {
         b.prefixes["/p"] = {{"libLLVM.so.22.1", "7"}, {"mlir-opt", "8"}};
         b.options.llvmDir = "/p";
       }},
      {"another LLVM by variable", ofToolchain,
       [](Build &b) {
         b.prefixes["/p"] = {{"libLLVM.so.22.1", "7"}, {"mlir-opt", "8"}};
         b.variables = {{"FLYDSL_COMPILE_LLVM_DIR", "/p"}};
       }},
      {"linked bitcode", {"codegen", "bitcode"}, linked},
      {"content of linked bitcode", ofBitcode,
       [&files](Build &b) { b.options.link[0] = files.at("b.bc"); }, linked},
      {"order of linked bitcode", ofBitcode,
       [](Build &b) { std::swap(b.options.link[0], b.options.link[1]); },
       linked},
      {"content of a device library", ofBitcode,
       [&files](Build &b) { b.options.deviceLibraries = files.at("newer"); },
       mathBuild},
      {"device library by variable", ofBitcode,
       [&files](Build &b) {
         b.options.deviceLibraries.clear();
         b.variables = {{"FLY_DEVICE_LIBS", files.at("newer")}};
       },
       mathBuild},
      {"extra input", ofInputs, inputs},
      {"content of an extra input", ofInputs,
       [&files](Build &b) { b.options.inputs = {files.at("changed")}; },
       inputs},
      {"name of an extra input", ofInputs,
       [&files](Build &b) { b.options.inputs = {files.at("renamed")}; },
       inputs},
      {"extra input by FlyDSL's variable", ofInputs,
       variable("FLYDSL_EXTRA_SOURCE_DIRS", files.at("changed")),
       variable("FLY_TARGET", "gfx942")},
      {"salt", ofSalt, [](Build &b) { b.options.salt = "mine"; }},
  };
}

std::vector<Row> mustNotMove(const Files &files) {
  Change mathBuild = [&files](Build &build) {
    build.text = mathKernel;
    build.options.deviceLibraries = files.at("libs");
  };
  Change linked = [&files](Build &build) {
    build.options.link = {files.at("a.bc")};
  };
  Change inputs = [&files](Build &build) {
    build.options.inputs = {files.at("in")};
  };
  auto by = [](const char *name, const char *value) {
    return [name, value](Build &build) {
      build.options.resolve.target.clear();
      build.variables = {{name, value}};
    };
  };
  return {
      {"target by FLY_TARGET", nothing, by("FLY_TARGET", "gfx942")},
      {"target by ARCH, in capitals", nothing, by("ARCH", " GFX942 ")},
      {"target by override", nothing, by("HSA_OVERRIDE_GFX_VERSION", "9.4.2")},
      {"target twice", nothing, variable("FLY_TARGET", "gfx942")},
      {"ARCH of the host", nothing, variable("ARCH", "x86_64")},
      {"visibility masks", nothing,
       [](Build &b) {
         b.variables = {{"ROCR_VISIBLE_DEVICES", "3"},
                        {"HIP_VISIBLE_DEVICES", "0,1"},
                        {"CUDA_VISIBLE_DEVICES", "7"},
                        {"GPU_DEVICE_ORDINAL", "1"}};
       }},
      {"number of GPUs", nothing,
       [&files](Build &b) {
         for (unsigned node : {1, 2, 10})
           files.folder.gpuNode(node, 90402);
         b.options.resolve.target.clear();
         b.options.resolve.detect = DetectMode::Kfd;
         b.options.resolve.kfdRoot = files.folder.path();
       }},
      {"the search path", nothing, variable("PATH", "/nowhere")},
      {"the store", nothing, variable("FLY_STORE", "/nowhere")},
      {"default level, said", nothing,
       [](Build &b) { b.options.optLevel = 2; }},
      {"default level by variable", nothing, variable("FLY_OPT_LEVEL", " 2 ")},
      {"blank variables", nothing,
       [](Build &b) {
         b.variables = {{"FLY_OPT_LEVEL", ""},
                        {"FLY_DEBUG", " "},
                        {"FLYDSL_EXTRA_SOURCE_DIRS", ""},
                        {"FLYDSL_COMPILE_LLVM_DIR", ""}};
       }},
      {"default debug, said", nothing,
       [](Build &b) { b.options.debug = DebugKind::None; }},
      {"default debug by variable", nothing,
       variable("FLYDSL_DEBUG_ENABLE_DEBUG_INFO", "OFF")},
      {"the one backend, said", nothing,
       variable("FLYDSL_COMPILE_BACKEND", "rocm")},
      {"an option above a variable", nothing,
       [](Build &b) {
         b.options.optLevel = 2;
         b.variables = {{"FLY_OPT_LEVEL", "3"}};
       }},
      {"hints that are none", nothing,
       [](Build &b) { b.options.hints = {"waves_per_eu=0", "maxnreg=None"}; }},
      {"math flags without a device library", nothing,
       [](Build &b) {
         b.options.hints = {"fast_fp_math=1", "unsafe_fp_math=1"};
       }},
      {"spelling of a flag of LLVM", nothing,
       [](Build &b) {
         b.options.llvmOptions = {"--amdgpu-waitcnt-forcezero=1"};
       },
       [](Build &b) { b.options.llvmOptions = {"amdgpu-waitcnt-forcezero"}; }},
      {"order of options of LLVM", nothing,
       [](Build &b) {
         std::swap(b.options.llvmOptions[0], b.options.llvmOptions[1]);
       },
       [](Build &b) {
         b.options.llvmOptions = {"amdgpu-waitcnt-forcezero",
                                  "amdgpu-schedule-metric-bias=7"};
       }},
      {"the loaded LLVM elsewhere", nothing,
       [](Build &b) {
         b.prefixes["/p"] = {{"ld.lld", "5"},
                             {"libLLVM.so.22.1", "2"},
                             {"libMLIR.so.22.1", "3"},
                             {"mlir-opt", "8"}};
         b.options.llvmDir = "/p";
       }},
      {"path of linked bitcode", nothing,
       [&files](Build &b) { b.options.link = {files.at("else/where/a.bc")}; },
       linked},
      {"device libraries by a symbolic link", nothing,
       [&files](Build &b) { b.options.deviceLibraries = files.at("linked"); },
       mathBuild},
      {"device libraries of a ROCm root elsewhere", nothing,
       [&files](Build &b) {
         b.options.deviceLibraries.clear();
         b.variables = {{"ROCM_PATH", files.at("libs2")}};
       },
       mathBuild},
      {"a device library that is not linked", nothing,
       [&files](Build &b) { b.options.deviceLibraries = files.at("newer"); }},
      {"place of an extra input", nothing,
       [&files](Build &b) { b.options.inputs = {files.at("in2/deep")}; },
       inputs},
      {"an extra input twice", nothing,
       [&files](Build &b) { b.options.inputs.push_back(files.at("in2/deep")); },
       inputs},
      {"an extra input by variable", nothing,
       [&files](Build &b) {
         b.options.inputs.clear();
         b.variables = {{"FLYDSL_EXTRA_SOURCE_DIRS", files.at("in2/deep")}};
       },
       inputs},
      {"locations without debug", nothing,
       edit("%i, %x : i32", "%i, %x : i32 loc(\"x.py\":1:2)")},
      {"blank lines above the kernel", nothing,
       edit("gpu.func", "\n\n// hm\n\ngpu.func")},
      {"prefix map without debug", nothing,
       [](Build &b) { b.options.prefixMap = {"a=b"}; }},
      {"names of values", nothing, edit("%z =", "%other =")},
      {"an alias", nothing,
       text(
           "#n = 1 : i32 !t = f32 gpu.module @m { gpu.func @k(%a: !t, %i: i32) "
           "kernel { %x = arith.constant #n %y = arith.addi %i, %x : i32 "
           "%z = arith.addf %a, %a : !t gpu.return } }")},
      {"spelling of a constant", nothing,
       edit("constant 1 :", "constant 0x1 :")},
      {"generic form", nothing,
       edit("arith.addi %i, %x : i32",
            "\"arith.addi\"(%i, %x) : (i32, i32) -> i32")},
      {"an empty flag list", nothing,
       edit("arith.addi %i, %x", "arith.addi %i, %x overflow<none>")},
      {"host code", nothing,
       edit("gpu.module @m", "func.func @host() { return } gpu.module @m")},
      {"another gpu.module", nothing,
       [](Build &b) {
         b.text += " gpu.module @n { gpu.func @k() kernel { gpu.return } }";
       }},
      {"name of the gpu.module", nothing, edit("@m", "@renamed")},
      {"name of the module", nothing,
       [](Build &b) { b.text = "module @around { " + b.text + " }"; }},
      {"a private symbol that is dead", nothing,
       edit("{ gpu.func", "{ func.func private @dead() { return } gpu.func")},
      {"name of a private symbol", nothing, edit("@f", "@g"),
       text("gpu.module @m { gpu.func @k() kernel { gpu.return } func.func "
            "private @f() "
            "attributes {a.ref = @k} { return } }")},
      {"order of symbols", nothing,
       text("gpu.module @m { gpu.func @b() kernel { gpu.return } gpu.func @a() "
            "kernel { gpu.return } }"),
       text("gpu.module @m { gpu.func @a() kernel { gpu.return } gpu.func @b() "
            "kernel { gpu.return } }")},
      {"explicit public", nothing, edit("func.func @f", "func.func public @f"),
       text("gpu.module @m { func.func @f() { return } }")},
      {"order of attributes", nothing, edit("b.x, a.x", "a.x, b.x"),
       text("gpu.module @m { gpu.func @k() kernel attributes {b.x, a.x} { "
            "gpu.return } }")},
      {"a key that is attached", nothing,
       edit("gpu.module @m",
            "gpu.module @m attributes {fly.cache_key = \"fly1-0\"}")},
      {"a target that is attached", nothing,
       edit("gpu.module @m",
            "gpu.module @m attributes {fly.target = #fly.target<\"gfx942\">}")},
      {"bytecode", nothing, [](Build &b) { b.viaBytecode = true; }},
      {"threads", nothing, [](Build &b) { b.threads = true; }},
      {"the current folder", nothing,
       [&files](Build &) {
         EXPECT_EQ(::chdir(files.folder.path().c_str()), 0);
       }},
      {"a relative path", nothing,
       [&files](Build &b) {
         EXPECT_EQ(::chdir(files.folder.path().c_str()), 0);
         b.options.link = {"else/../a.bc"};
       },
       linked},
      {"umask", nothing, [](Build &) { ::umask(077); }},
      {"home, user, language, zone", nothing,
       [](Build &) {
         ::setenv("HOME", "/elsewhere", 1);
         ::setenv("USER", "somebody", 1);
         ::setenv("LC_ALL", "tr_TR.UTF-8", 1);
         ::setenv("TZ", "Asia/Tokyo", 1);
       }},
  };
}

void run(const char *title, const std::vector<Row> &rows) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::current_path(folder));
  mode_t mask = ::umask(022);
  unsigned ran = 0;
  for (const Row &row : rows) {
    SCOPED_TRACE(row.what);
    Build base, changed;
    if (row.base) {
      row.base(base);
      row.base(changed);
    }
    std::string messages, why;
    std::optional<CacheKey> before = deriveOne(base, &why);
    row.change(changed);
    std::optional<CacheKey> after = deriveOne(changed, &messages);
    EXPECT_EQ(::chdir(folder.c_str()), 0);
    ::umask(022);
    ASSERT_TRUE(before) << why;
    ASSERT_TRUE(after) << messages;
    EXPECT_EQ(differing(*before, *after), row.moved);
    EXPECT_EQ(before->text() != after->text(), !row.moved.empty());
    ++ran;
  }
  ::umask(mask);
  printf("P3 and P9: %u rows that %s\n", ran, title);
  EXPECT_EQ(ran, rows.size());
}

TEST(SingleKnob, movesExactlyItsComponent) {
  Files files;
  run("move a key", mustMove(files));
}

TEST(SingleKnob, movesNothing) {
  Files files;
  run("do not move a key", mustNotMove(files));
}

/// A schema or a pipeline is a constant of the program: as values.
TEST(SingleKnob, schemaAndPipelineAreKeyed) {
  std::optional<CacheKey> key = deriveOne(Build());
  ASSERT_TRUE(key);
  for (size_t index : {0, 3}) {
    CacheKey other = *key;
    *other.components[index].fields.front().value += "x";
    EXPECT_NE(other.text(), key->text()) << other.components[index].name;
  }
}

} // namespace
