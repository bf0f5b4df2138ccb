// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of keys: all targets have different keys, one changed thing changes the
// component that it belongs to and no other, files count by content, and
// derivation changes nothing.

#include "Fixture.h"

#include "fly/Support/Files.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::fly;
using namespace mlir::fly::test;
using ::fly::amdgpu::Chip;
using ::fly::amdgpu::FeatureSupport;
using ::fly::amdgpu::Setting;
using ::fly::amdgpu::Target;
using ::fly::support::Environment;

namespace {

/// A world in which files are what the test says.
class FakeEnvironment : public KeyEnvironment {
public:
  FakeEnvironment() : KeyEnvironment(Environment()) {}

  llvm::Expected<Toolchain> toolchain() const override { return parts; }
  llvm::Expected<std::string> readFile(StringRef path) const override {
    auto found = files.find(path.str());
    if (found == files.end())
      return llvm::createStringError("no such file");
    return found->second;
  }
  std::optional<std::string> deviceLibrary(StringRef fileName,
                                           StringRef folder) const override {
    std::string path = (folder + "/" + fileName).str();
    return files.count(path) ? std::optional<std::string>(path) : std::nullopt;
  }

  Toolchain parts{{"fly", "1"}, {"libLLVM", "2"}};
  std::map<std::string, std::string> files;
};

constexpr char plainKernel[] = "gpu.module @m { gpu.func @k(%a: f32) kernel { "
                               "%x = arith.constant 1 : i32 gpu.return } }";
constexpr char mathKernel[] = "gpu.module @m { gpu.func @k(%a: f32) kernel { "
                              "%x = math.sin %a : f32 gpu.return } }";

struct Keys {
  std::string of(StringRef text, const Target &target,
                 const CodegenOptions &options = {}) {
    std::optional<CacheKey> key = derive(text, target, options);
    return key ? key->text() : "failed";
  }
  std::optional<CacheKey> derive(StringRef text, const Target &target,
                                 const CodegenOptions &options = {}) {
    OwningOpRef<ModuleOp> module = f.parse(text);
    CacheKeyAnalysis analysis(f.gpuModule(module));
    FailureOr<CacheKey> key = deriveKey(analysis, target, options, environment);
    if (failed(key))
      return std::nullopt;
    return std::move(*key);
  }

  Fixture f;
  FakeEnvironment environment;
};

/// The names of the components in which two keys differ.
std::vector<std::string> differing(const CacheKey &a, const CacheKey &b) {
  std::vector<std::string> names;
  EXPECT_EQ(a.components.size(), b.components.size());
  for (size_t i = 0; i < a.components.size(); ++i)
    if (a.components[i].digest() != b.components[i].digest())
      names.push_back(a.components[i].name);
  return names;
}

std::vector<Setting> settings(FeatureSupport support) {
  if (support != FeatureSupport::Selectable)
    return {Setting::Unsupported};
  return {Setting::Any, Setting::Off, Setting::On};
}

TEST(CacheKey, hasItsForm) {
  Keys keys;
  std::optional<CacheKey> key = keys.derive(plainKernel, target("gfx942"));
  ASSERT_TRUE(key);
  EXPECT_EQ(key->text().size(), 5u + 64u);
  EXPECT_EQ(key->text().substr(0, 5), "fly1-");
  std::vector<std::string> names;
  for (const KeyComponent &component : key->components)
    names.push_back(component.name);
  EXPECT_EQ(names, (std::vector<std::string>{"schema", "target", "ir",
                                             "pipeline", "codegen", "toolchain",
                                             "bitcode", "inputs", "salt"}));
  llvm::json::Object json = key->json();
  EXPECT_EQ(json.getString("schema"), "fly-key/1");
  EXPECT_EQ(json.getString("key"), key->text());
  EXPECT_EQ(json.getArray("components")->size(), names.size());
  EXPECT_NE(key->explain().find("target.sramecc = any\n"), std::string::npos);
}

TEST(CacheKey, allTargetsDiffer) {
  Keys keys;
  OwningOpRef<ModuleOp> module = keys.f.parse(plainKernel);
  CacheKeyAnalysis analysis(keys.f.gpuModule(module));
  std::set<std::string> seen;
  unsigned count = 0;
  for (const Chip &chip : ::fly::amdgpu::allChips())
    for (Setting sramecc : settings(chip.sramecc))
      for (Setting xnack : settings(chip.xnack))
        for (unsigned wave : {32, 64})
          for (bool cumode : {false, true})
            for (unsigned abi : ::fly::amdgpu::allowedAbis()) {
              Target target = Target::ofChip(chip);
              target.sramecc = sramecc;
              target.xnack = xnack;
              target.wave = wave;
              target.cumode = cumode;
              target.abi = abi;
              if (llvm::errorToBool(target.verify()))
                continue;
              FailureOr<CacheKey> key =
                  deriveKey(analysis, target, {}, keys.environment);
              ASSERT_TRUE(succeeded(key));
              ++count;
              EXPECT_TRUE(seen.insert(key->text()).second) << target.fullText();
            }
  printf("P2: %u targets, each with a key of its own\n", count);
  EXPECT_GT(count, 300u);
}

TEST(CacheKey, oneThingMovesOneComponent) {
  Keys keys;
  keys.environment.files = {
      {"/a/one.bc", "one"}, {"/b/two.bc", "one"}, {"/a/three.bc", "three"}};
  CacheKey base = *keys.derive(plainKernel, target("gfx942"));
  using Names = std::vector<std::string>;
  auto moved = [&](const CodegenOptions &options) {
    return differing(base,
                     *keys.derive(plainKernel, target("gfx942"), options));
  };
  EXPECT_EQ(moved({}), Names());
  EXPECT_EQ(differing(base, *keys.derive(plainKernel, target("gfx950"))),
            Names{"target"});
  EXPECT_EQ(differing(base, *keys.derive(plainKernel, target("gfx942:xnack-"))),
            Names{"target"});
  EXPECT_EQ(differing(base, *keys.derive("gpu.module @m { gpu.func @k(%a: f32) "
                                         "kernel { %x = arith.constant 2 : i32 "
                                         "gpu.return } }",
                                         target("gfx942"))),
            Names{"ir"});
  CodegenOptions options;
  options.optLevel = 3;
  EXPECT_EQ(moved(options), Names{"codegen"});
  options = {};
  options.salt = "mine";
  EXPECT_EQ(moved(options), Names{"salt"});
  options = {};
  options.hints.wavesPerEu = 2;
  EXPECT_EQ(moved(options), Names{"ir"});
  options = {};
  options.fastMath = options.daz = true;
  EXPECT_EQ(moved(options), Names()) << "no device library is linked";
  options = {};
  options.deviceLibraries = "/elsewhere";
  EXPECT_EQ(moved(options), Names());
  keys.environment.parts[1].second = "3";
  EXPECT_EQ(moved({}), Names{"toolchain"});
}

TEST(CacheKey, linkedFilesCountByContentAndOrder) {
  Keys keys;
  keys.environment.files = {
      {"/a/one.bc", "one"}, {"/b/two.bc", "one"}, {"/a/three.bc", "three"}};
  auto with = [&](std::vector<std::string> files) {
    CodegenOptions options;
    options.link = std::move(files);
    return keys.of(plainKernel, target("gfx942"), options);
  };
  EXPECT_EQ(with({"/a/one.bc"}), with({"/b/two.bc"}));
  EXPECT_NE(with({"/a/one.bc"}), with({}));
  EXPECT_NE(with({"/a/one.bc", "/a/three.bc"}),
            with({"/a/three.bc", "/a/one.bc"}));
  EXPECT_EQ(with({"/gone.bc"}), "failed");
  EXPECT_NE(keys.f.messages.find("'/gone.bc'"), std::string::npos);
  EXPECT_NE(keys.f.messages.find("[FLY-K007]"), std::string::npos);
}

TEST(CacheKey, deviceLibrariesCountWhenTheyMayBeNeeded) {
  Keys keys;
  CodegenOptions options;
  options.deviceLibraries = "/lib";
  std::string none = keys.of(mathKernel, target("gfx942"), options);
  std::string plain = keys.of(plainKernel, target("gfx942"), options);
  keys.environment.files["/lib/ocml.bc"] = "first";
  std::string first = keys.of(mathKernel, target("gfx942"), options);
  EXPECT_NE(first, none);
  keys.environment.files["/lib/ocml.bc"] = "second";
  EXPECT_NE(keys.of(mathKernel, target("gfx942"), options), first);
  EXPECT_EQ(keys.of(plainKernel, target("gfx942"), options), plain);
  keys.environment.files["/elsewhere/ocml.bc"] = "first";
  options.deviceLibraries = "/elsewhere";
  EXPECT_EQ(keys.of(mathKernel, target("gfx942"), options), first);
  options.fastMath = true;
  EXPECT_NE(keys.of(mathKernel, target("gfx942"), options), first)
      << "math flags choose constants that the library reads";
}

TEST(CacheKey, derivationChangesNothing) {
  Keys keys;
  OwningOpRef<ModuleOp> module = keys.f.parse(plainKernel);
  std::string before = textOf(*module);
  CacheKeyAnalysis analysis(keys.f.gpuModule(module));
  CodegenOptions options;
  options.hints.maxVgprs = 32;
  ASSERT_TRUE(succeeded(
      deriveKey(analysis, target("gfx942"), options, keys.environment)));
  EXPECT_EQ(textOf(*module), before);
  // With the key attached, the key is the same.
  std::string key = keys.of(before, target("gfx942"), options);
  Builder b(&keys.f.context);
  keys.f.gpuModule(module)->setAttr(keyAttrName, b.getStringAttr(key));
  EXPECT_EQ(keys.of(textOf(*module), target("gfx942"), options), key);
}

// The analyses are MLIR's: kept until a pass does not preserve them.
TEST(CacheKey, analysesArePreservedAndInvalidated) {
  Keys keys;
  OwningOpRef<ModuleOp> module = keys.f.parse(plainKernel);
  ModuleAnalysisManager manager(*module, /*passInstrumentor=*/nullptr);
  AnalysisManager analyses = manager;
  gpu::GPUModuleOp op = keys.f.gpuModule(module);
  auto &first = analyses.getChildAnalysis<CacheKeyAnalysis>(op);
  FailureOr<::fly::support::Digest> before = first.irDigest({});
  ASSERT_TRUE(succeeded(before));
  ::mlir::detail::PreservedAnalyses kept;
  kept.preserve<CacheKeyAnalysis>();
  analyses.invalidate(kept);
  auto cached = analyses.getCachedChildAnalysis<CacheKeyAnalysis>(op);
  ASSERT_TRUE(cached);
  EXPECT_EQ(&cached->get(), &first);
  op->setDiscardableAttr("my.note", UnitAttr::get(&keys.f.context));
  analyses.invalidate(::mlir::detail::PreservedAnalyses());
  EXPECT_FALSE(analyses.getCachedChildAnalysis<CacheKeyAnalysis>(op));
  FailureOr<::fly::support::Digest> after =
      analyses.getChildAnalysis<CacheKeyAnalysis>(op).irDigest({});
  ASSERT_TRUE(succeeded(after));
  EXPECT_NE(*after, *before);
}

TEST(Options, unsetAndTheExplicitDefaultAreTheSame) {
  Keys keys;
  OwningOpRef<ModuleOp> module = keys.f.parse(plainKernel);
  auto level = [&](std::optional<unsigned> said, const char *variable) {
    CompileOptions options;
    options.optLevel = said;
    Environment environment;
    if (variable)
      environment =
          Environment::fromPairs({{"FLYDSL_COMPILE_OPT_LEVEL", variable}});
    FailureOr<CodegenOptions> effective = effectiveOptions(
        keys.f.gpuModule(module), target("gfx942"), options, environment);
    return failed(effective) ? -1 : int(effective->optLevel);
  };
  EXPECT_EQ(level(std::nullopt, nullptr), 2);
  EXPECT_EQ(level(2, nullptr), 2);
  EXPECT_EQ(level(std::nullopt, ""), 2);
  EXPECT_EQ(level(std::nullopt, "3"), 3);
  EXPECT_EQ(level(1, "3"), 1);
  EXPECT_EQ(level(std::nullopt, "fast"), -1);
  EXPECT_NE(keys.f.messages.find("'fast'"), std::string::npos);
  EXPECT_NE(keys.f.messages.find("FLYDSL_COMPILE_OPT_LEVEL"),
            std::string::npos);
  EXPECT_EQ(level(7, nullptr), -1);
}

TEST(Options, hints) {
  Keys keys;
  OwningOpRef<ModuleOp> module = keys.f.parse(plainKernel);
  auto read = [&](std::vector<std::string> hints) {
    CompileOptions options;
    options.hints = std::move(hints);
    keys.f.messages.clear();
    return effectiveOptions(keys.f.gpuModule(module), target("gfx942"), options,
                            Environment());
  };
  FailureOr<CodegenOptions> good =
      read({"waves_per_eu=2", "maxnreg=64", "fast_fp_math=ON"});
  ASSERT_TRUE(succeeded(good));
  EXPECT_EQ(good->hints.wavesPerEu, 2);
  EXPECT_EQ(good->hints.maxVgprs, 64);
  EXPECT_TRUE(good->fastMath);
  good = read({"waves_per_eu=None", "maxnreg=0"});
  ASSERT_TRUE(succeeded(good));
  EXPECT_EQ(good->hints.wavesPerEu, 0);
  for (const char *bad : {"waves_per_eu=-1", "maxnreg=many", "maxnreg=",
                          "wave_per_eu=1", "fast_fp_math=2", "maxnreg=1.5"}) {
    EXPECT_TRUE(failed(read({bad}))) << bad;
    EXPECT_NE(keys.f.messages.find("[FLY-K006]"), std::string::npos) << bad;
  }
}

} // namespace
