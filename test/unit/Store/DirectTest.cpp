// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direct mode: a question has one name, every part of it counts, and a record
// is followed only while all that it lists is as it was.

#include "Fixture.h"

#include "fly/Store/Direct.h"
#include "fly/Store/Paths.h"

#include "llvm/Support/FileSystem.h"

#include <set>

using namespace fly::store;
using fly::support::digestOf;
using fly::support::Environment;
using llvm::StringRef;

using Pairs = std::vector<std::pair<std::string, std::string>>;

static DirectQuestion questionFor(Pairs variables, StringRef option = "") {
  DirectQuestion question;
  question.input = digestOf("gpu.module @m {}");
  question.options = {{"opt-level", "2"}};
  question.toolchain = {{"libfly_compiler.so", "aa"}, {"libLLVM.so", "bb"}};
  question.resolve.option = option.str();
  question.resolve.environment = Environment::fromPairs(variables);
  question.resolve.detect = fly::amdgpu::DetectMode::None;
  return question;
}

static std::string nameOf(const DirectQuestion &question,
                          DirectTarget how = DirectTarget::Said) {
  std::optional<fly::support::Digest> id = directId(question, how);
  return id ? id->hex() : "none";
}

TEST(Direct, theNameFollowsTheOutcomeAndNotItsSource) {
  std::string name = nameOf(questionFor({{"ARCH", "gfx942"}}));
  EXPECT_NE(name, "none");
  EXPECT_EQ(name, nameOf(questionFor({{"FLY_TARGET", " GFX942"}})));
  EXPECT_EQ(name, nameOf(questionFor({}, "amdgcn-amd-amdhsa--gfx942")));
  EXPECT_EQ(name, nameOf(questionFor({{"PATH", "/x"}}, "gfx942")));
  EXPECT_EQ(name, nameOf(questionFor({{"ARCH", "x86_64"}}, "gfx942")));
}

TEST(Direct, everyPartOfTheQuestionCounts) {
  std::vector<DirectQuestion> questions(8, questionFor({}, "gfx942"));
  questions[1].input = digestOf("gpu.module  @m {}");
  questions[2].options = {{"opt-level", "3"}};
  questions[3].options.clear();
  questions[4].toolchain[1].second = "bc";
  questions[5].resolve.option = "gfx950";
  questions[6] = questionFor({{"ROCM_PATH", "/opt"}}, "gfx942");
  questions[7] = questionFor({});
  std::set<std::string> names;
  for (const DirectQuestion &question : questions)
    names.insert(nameOf(question));
  EXPECT_EQ(names.size(), questions.size());
  EXPECT_EQ(names.count("none"), 0u);
}

// Variables with an effect are part of the question: by their text, or because
// it holds their effect, build-ids and contents.
TEST(Direct, everyVariableThatIsKeyedByItsEffectIsCovered) {
  const std::string plain = nameOf(questionFor({}, "gfx942"));
  unsigned byText = 0, byEffect = 0, unknown = 0;
  for (const fly::support::Variable &row : fly::support::knownVariables()) {
    if (row.kind != fly::support::VariableClass::KeyedByEffect)
      continue;
    std::string name =
        nameOf(questionFor({{row.name.str(), "some value"}}, "gfx942"));
    ++(name == "none" ? unknown : name == plain ? byEffect : byText);
    EXPECT_EQ(name == "none",
              row.name == "LD_PRELOAD" || row.name == "LD_AUDIT")
        << row.name.str();
  }
  EXPECT_EQ(byText, 10u);
  EXPECT_EQ(byEffect, 5u);
  EXPECT_EQ(unknown, 2u);

  TemporaryFolder folder;
  for (auto [root, text] : Pairs{{"a", "1"}, {"b", "1"}, {"c", "2"}}) {
    ASSERT_FALSE(llvm::sys::fs::create_directories(folder.path(root)));
    writeFile(folder.path(root + "/x.py"), text);
  }
  auto withInput = [&](StringRef root) {
    DirectQuestion question = questionFor({}, "gfx942");
    question.inputs = {folder.path(root)};
    return nameOf(question);
  };
  EXPECT_NE(withInput("a"), plain);
  EXPECT_EQ(withInput("a"), withInput("b"));
  EXPECT_NE(withInput("a"), withInput("c"));
}

TEST(Direct, whatIsInDoubtHasNoName) {
  // The loader adds what was not read, or looks elsewhere.
  EXPECT_EQ(nameOf(questionFor({{"LD_PRELOAD", "/x"}}, "gfx942")), "none");
  EXPECT_EQ(nameOf(questionFor({{"LD_AUDIT", "/x"}}, "gfx942")), "none");
  DirectQuestion absent = questionFor({}, "gfx942");
  absent.inputs = {"/no/such/input"};
  EXPECT_EQ(nameOf(absent), "none");
  // The compiler says what is wrong here.
  EXPECT_EQ(nameOf(questionFor({}, "gfx9010")), "none");
  EXPECT_EQ(nameOf(questionFor({{"FLY_TARGET", "gfx950"}}, "gfx942")), "none");
  DirectQuestion unknown = questionFor({}, "gfx942");
  unknown.toolchain.clear();
  EXPECT_EQ(nameOf(unknown), "none");
  // Nothing stands for a device.
  EXPECT_EQ(nameOf(questionFor({}), DirectTarget::Device), "none");
}

TEST(Direct, theFeaturesOfADeviceCount) {
  auto device = [](StringRef name) {
    DirectQuestion question = questionFor({});
    question.resolve.deviceName = name.str();
    return nameOf(question, DirectTarget::Device);
  };
  std::set<std::string> names = {device("gfx942"), device("gfx942:xnack-"),
                                 device("gfx942:sramecc+:xnack-"),
                                 device("gfx950")};
  EXPECT_EQ(names.size(), 4u);
  EXPECT_EQ(names.count("none"), 0u);
}

namespace {
/// A store with a record for a question.
struct Known {
  TemporaryFolder folder;
  std::string key = makeEntry("gfx942", {"k"}, 1).key();
  std::vector<std::string> warnings;

  Layers layers() {
    LayersOptions options;
    options.warn = [this](const std::string &text) {
      warnings.push_back(text);
    };
    return std::move(
        *Layers::open({{folder.path("s"), Mode::ReadWrite}}, options));
  }

  void publish(const DirectQuestion &question, DirectTarget how) {
    DirectRecord record{*directId(question, how), key, targetOf("gfx942"), {}};
    record.reads = {{folder.path("a.bc"), digestOf("a")},
                    {folder.path("absent.bc"), std::nullopt}};
    EXPECT_EQ(textOf(layers().writable()->publishDirect(record)), "no error");
  }

  bool isFound(const DirectQuestion &question) {
    std::optional<DirectHit> hit = findDirect(question, layers());
    if (hit)
      EXPECT_EQ(hit->record.key, key);
    return hit.has_value();
  }
};
} // namespace

TEST(Direct, isFollowedWhileTheFilesAreAsTheyWere) {
  Known known;
  DirectQuestion question = questionFor({}, "gfx942");
  EXPECT_FALSE(known.isFound(question));
  writeFile(known.folder.path("a.bc"), "a");
  known.publish(question, DirectTarget::Said);
  EXPECT_TRUE(known.isFound(question));
  EXPECT_TRUE(known.isFound(questionFor({{"ARCH", "gfx942"}})));
  EXPECT_FALSE(known.isFound(questionFor({}, "gfx950")));
  writeFile(known.folder.path("a.bc"), "b");
  EXPECT_FALSE(known.isFound(question));
  writeFile(known.folder.path("a.bc"), "a");
  EXPECT_TRUE(known.isFound(question));
  // A file that was not there and would be taken now.
  writeFile(known.folder.path("absent.bc"), "");
  EXPECT_FALSE(known.isFound(question));
}

TEST(Direct, aDeviceIsLookedAtOnlyWhenNothingIsSaid) {
  Known known;
  writeFile(known.folder.path("a.bc"), "a");
  DirectQuestion device = questionFor({});
  device.resolve.deviceName = "gfx942:sramecc+:xnack-";
  known.publish(device, DirectTarget::Device);
  EXPECT_TRUE(known.isFound(device));
  DirectQuestion said = device;
  said.resolve.option = "gfx942";
  EXPECT_FALSE(known.isFound(said));
  // The input names the target: no device changes that.
  Known inInput;
  writeFile(inInput.folder.path("a.bc"), "a");
  inInput.publish(questionFor({}), DirectTarget::Said);
  EXPECT_TRUE(inInput.isFound(device));
  EXPECT_TRUE(inInput.isFound(questionFor({})));
}

TEST(Direct, anyFlippedByteIsSeen) {
  Known known;
  DirectQuestion question = questionFor({}, "gfx942");
  writeFile(known.folder.path("a.bc"), "a");
  known.publish(question, DirectTarget::Said);
  std::string path = known.folder.path(
      "s/" + directPath(*directId(question, DirectTarget::Said)));
  std::string bytes = readFile(path);
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string bad = bytes;
    bad[i] ^= char(1 << (i % 8));
    writeFile(path, bad);
    EXPECT_FALSE(known.isFound(question)) << "byte " << i;
  }
  EXPECT_EQ(known.warnings.size(), bytes.size());
  writeFile(path, bytes);
  EXPECT_TRUE(known.isFound(question));
}

/// A record may list anything: nothing but regular files is read.
TEST(Direct, recordsCannotMakeAReaderWait) {
  DirectRecord record{
      digestOf("q"), makeEntry("gfx942", {}, 1).key(), targetOf("gfx942"), {}};
  for (StringRef path : {"/dev/zero", "/dev/stdin", "/", ""}) {
    record.reads = {{path.str(), digestOf("x")}};
    EXPECT_FALSE(isUnchanged(record)) << path.str();
  }
}

TEST(BuildIds, ofThisProgramAndItsLibraries) {
  std::string self = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&questionFor));
  NamedTexts ids = loadedBuildIds(self, Environment());
  ASSERT_GE(ids.size(), 2u);
  bool hasLLVM = false;
  for (const auto &[name, id] : ids) {
    EXPECT_GE(id.size(), 16u) << name;
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
    hasLLVM |= StringRef(name).starts_with("libLLVM");
  }
  EXPECT_TRUE(hasLLVM);

  // Folders that the loader is told to look into come first; what is found
  // there and has no build-id, or what would be chosen by the processor, is in
  // doubt.
  TemporaryFolder folder;
  auto under = [&](const std::string &path) {
    return loadedBuildIds(self,
                          Environment::fromPairs({{"LD_LIBRARY_PATH", path}}));
  };
  EXPECT_EQ(under(folder.path("absent") + ":" + folder.path("")), ids);
  EXPECT_TRUE(under("$ORIGIN/x").empty());
  for (const auto &[name, id] : llvm::drop_begin(ids))
    writeFile(folder.path(name), "another");
  EXPECT_TRUE(under(folder.path("")).empty());
  for (StringRef name : {"glibc-hwcaps", "tls", "x86_64", "haswell"}) {
    TemporaryFolder variants;
    ASSERT_FALSE(llvm::sys::fs::create_directories(variants.path(name.str())));
    EXPECT_TRUE(under(variants.path("")).empty()) << name.str();
  }

  // An empty folder of the list is the current one; an empty list is none.
  llvm::SmallString<256> before;
  ASSERT_FALSE(llvm::sys::fs::current_path(before));
  ASSERT_FALSE(llvm::sys::fs::set_current_path(folder.path("")));
  for (StringRef list : {":", ":/absent", "/absent:", "/absent::/other", "."})
    EXPECT_TRUE(under(list.str()).empty()) << list.str();
  EXPECT_EQ(under(""), ids);
  ASSERT_FALSE(llvm::sys::fs::set_current_path(before));
}

// As LD_PRELOAD for the whole machine.
TEST(BuildIds, aPreloadListLeavesThemInDoubt) {
  std::string self = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&questionFor));
  TemporaryFolder folder;
  std::string list = folder.path("ld.so.preload");
  NamedTexts ids = loadedBuildIds(self, Environment(), list);
  EXPECT_FALSE(ids.empty());
  for (StringRef empty : {"", "\n", " : \t\n"}) {
    writeFile(list, empty);
    EXPECT_EQ(loadedBuildIds(self, Environment(), list), ids);
  }
  for (StringRef names : {"/lib/libx.so", "\n libx.so\n", "# a word\n"}) {
    writeFile(list, names);
    EXPECT_TRUE(loadedBuildIds(self, Environment(), list).empty());
  }
  EXPECT_TRUE(loadedBuildIds(self, Environment(), folder.path("")).empty());
}

TEST(BuildIds, ofWhatIsNoSharedObject) {
  TemporaryFolder folder;
  EXPECT_TRUE(loadedBuildIds(folder.path("absent"), Environment()).empty());
  writeFile(folder.path("text"), "no ELF");
  EXPECT_TRUE(loadedBuildIds(folder.path("text"), Environment()).empty());
  // Any bytes behind the magic number.
  std::string elf = makeEntry("gfx942", {"k"}, 1).bytes;
  for (size_t i = 0; i < elf.size(); i += 3) {
    std::string bad = elf;
    bad[i] = char(0xff);
    writeFile(folder.path("elf"), bad);
    (void)loadedBuildIds(folder.path("elf"), Environment());
  }
}
