// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The identity of the toolchain: every part is there, says something, and does
// not change; what cannot be identified is named; an LLVM that is not loaded
// has the same identity wherever it lies.

#include "Builds.h"

using namespace mlir;
using namespace mlir::fly;
using namespace mlir::fly::test;
using ::fly::amdgpu::expectAll;

namespace {

bool isHex(llvm::StringRef text) {
  return text.size() >= 16 &&
         text.find_first_not_of("0123456789abcdef") == llvm::StringRef::npos;
}

std::string textOf(llvm::Expected<Toolchain> toolchain) {
  if (!toolchain)
    return llvm::toString(toolchain.takeError());
  std::string text;
  for (const auto &[name, identity] : *toolchain)
    text += name + "=" + identity + "\n";
  return text;
}

TEST(Toolchain, namesEachPart) {
  llvm::Expected<Toolchain> toolchain = identifyToolchain(loadedObjects());
  ASSERT_TRUE(bool(toolchain)) << llvm::toString(toolchain.takeError());
  std::vector<std::string> names;
  for (const auto &[name, identity] : *toolchain) {
    names.push_back(name);
    EXPECT_TRUE(isHex(identity)) << name << " " << identity;
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"fly", "libLLVM", "libMLIR", "lld"}));
  EXPECT_EQ(textOf(identifyToolchain(loadedObjects())), textOf(*toolchain));
}

TEST(Toolchain, doesNotRecogniseAddressesOfNothing) {
  EXPECT_FALSE(loadedObjectOf(nullptr));
}

// FLY-K005 names the object and what was tried.
TEST(Toolchain, whatCannotBeIdentifiedIsNamed) {
  LoadedObjects objects{
      {"", ""}, {"/lib/libLLVM.so", "12"}, {"/lib/libMLIR.so", "34"}};
  std::string good = textOf(identifyToolchain(objects));
  expectAll(good, {"libLLVM=12\n", "libMLIR=34\n"});
  // Where it is installed does not count.
  objects.llvm.path = "/elsewhere/libLLVM.so";
  EXPECT_EQ(textOf(identifyToolchain(objects)), good);
  objects.llvm.buildId.clear();
  expectAll(textOf(identifyToolchain(objects)),
            {"toolchain identity unknown: the object of libLLVM, "
             "'/elsewhere/libLLVM.so', has no GNU build-id; tried the notes of "
             "its program headers [FLY-K005]"});
  objects.llvm = objects.ours;
  expectAll(
      textOf(identifyToolchain(objects)),
      {"toolchain identity unknown: libLLVM is linked into this program, which "
       "records no digest of it; expected a shared object [FLY-K005]"});
}

TEST(Toolchain, buildIdsInNotes) {
  auto note = [](uint32_t nameSize, uint32_t descSize, uint32_t type,
                 llvm::StringRef name, llvm::StringRef desc) {
    std::string bytes;
    for (uint32_t word : {nameSize, descSize, type})
      bytes.append(reinterpret_cast<const char *>(&word), 4);
    return bytes + name.str() + desc.str();
  };
  auto read = [](const std::string &bytes) {
    return buildIdIn(
        {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  };
  std::string gnu("GNU\0", 4);
  std::string id = note(4, 4, 3, gnu, "\x01\x02\xab\xcd");
  EXPECT_EQ(read(id), "0102abcd");
  EXPECT_EQ(read(note(4, 4, 1, gnu, "abcd") + id), "0102abcd");
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read(id.substr(0, 11)), "");
  EXPECT_EQ(read(id.substr(0, 17)), "");
  EXPECT_EQ(read(note(0xffffffff, 0xffffffff, 3, gnu, "abcd")), "");
}

class External : public ::testing::Test {
protected:
  /// An installation of scripts, which have no build-ids.
  void install(const std::string &prefix, const std::string &content) {
    folder.program(prefix + "/bin/mlir-opt", content);
    folder.program(prefix + "/bin/ld.lld", "exit 0");
  }
  std::string identity(const std::string &prefix) {
    return textOf(identifyExternalLLVM(folder.path(prefix)));
  }
  TemporaryFolder folder;
};

TEST_F(External, countsByContentAndNotByPlace) {
  install("one", "exit 0");
  install("two/deeper", "exit 0");
  install("other", "exit 1");
  std::string one = identity("one");
  expectAll(one, {"ld.lld=blake3-", "mlir-opt=blake3-"});
  EXPECT_EQ(identity("two/deeper"), one);
  EXPECT_NE(identity("other"), one);
  ASSERT_FALSE(
      llvm::sys::fs::create_link(folder.path("one"), folder.path("link")));
  EXPECT_EQ(identity("link"), one);
}

TEST_F(External, whatIsNotThereIsNamed) {
  expectAll(identity("absent"),
            {"absent", "No such file or directory", "[FLY-K005]"});
  folder.write("empty/lib/x", "");
  expectAll(identity("empty"),
            {"toolchain identity unknown: LLVM below '",
             "empty' has no file 'bin/mlir-opt' [FLY-K005]"});
  // Files that look like ELF and are not have a content all the same.
  folder.write("odd/bin/mlir-opt", "\177ELF, but no more");
  expectAll(identity("odd"), {"mlir-opt=blake3-"});
}

// The LLVM that is loaded here, reached by its prefix, is the loaded one.
TEST_F(External, theLoadedOneIsRecognised) {
  llvm::Expected<Toolchain> loaded = identifyToolchain(loadedObjects());
  ASSERT_TRUE(bool(loaded));
  llvm::Expected<Toolchain> external = identifyExternalLLVM(FLY_LLVM_PREFIX);
  ASSERT_TRUE(bool(external)) << llvm::toString(external.takeError());
  EXPECT_TRUE(isLoadedLLVM(*external, *loaded)) << textOf(*external);
  EXPECT_FALSE(isLoadedLLVM({{"mlir-opt", "1"}}, *loaded));
  Build plain, asked;
  plain.parts = asked.parts = *loaded;
  asked.options.llvmDir = FLY_LLVM_PREFIX;
  EXPECT_EQ(keyText(asked), keyText(plain));
  install("other", "exit 0");
  asked.options.llvmDir = folder.path("other");
  EXPECT_NE(keyText(asked), keyText(plain));
}

/// A toolchain without identity is an error at the module.
class Unidentified : public BuildEnvironment {
public:
  using BuildEnvironment::BuildEnvironment;
  llvm::Expected<Toolchain> toolchain() const override {
    return identifyToolchain({{"", ""}, {"/lib/libLLVM.so", ""}, {"x", "1"}});
  }
};

TEST(Toolchain, noKeyWithoutIdentity) {
  Fixture f;
  Build build;
  OwningOpRef<ModuleOp> module = f.parse(build.text);
  CacheKeyAnalysis analysis(f.gpuModule(module));
  Unidentified environment(build);
  EXPECT_TRUE(failed(deriveKey(analysis, target("gfx942"), {}, environment)));
  expectAll(f.messages, {"'/lib/libLLVM.so'", "[FLY-K005]"});
}

} // namespace
