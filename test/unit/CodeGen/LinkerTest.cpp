// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of linkCodeObject: the output is an ELF image, depends on the input
// bytes alone, is the same from any number of threads, and the options of the
// process are left as they were.

#include "fly/CodeGen/Linker.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "llvm/Support/CommandLine.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/resource.h>
#include <thread>

using namespace mlir;
using namespace mlir::fly;

static llvm::cl::opt<int> probe("fly-linker-test-probe", llvm::cl::init(1));

/// The object of an assembly text for gfx942.
static CodeBytes assemble(StringRef text) {
  ROCDL::SerializeGPUModuleBase::init();
  MLIRContext context;
  FailureOr<CodeBytes> object =
      ROCDL::assembleIsa(text, "amdgcn-amd-amdhsa", "gfx942", "",
                         [&] { return emitError(UnknownLoc::get(&context)); });
  EXPECT_TRUE(succeeded(object));
  return succeeded(object) ? *object : CodeBytes();
}

static std::string link(ArrayRef<char> object) {
  llvm::Expected<CodeBytes> image = linkCodeObject(object);
  if (!image)
    return "error: " + llvm::toString(image.takeError());
  return std::string(image->begin(), image->end());
}

TEST(Linker, givesASharedElfImage) {
  std::string image = link(assemble(".globl f\nf:\ns_endpgm\n"));
  ASSERT_GT(image.size(), 64u);
  EXPECT_EQ(image.substr(0, 4), "\177ELF");
  EXPECT_EQ(image[16], 3) << "e_type is ET_DYN";
}

TEST(Linker, outputIsAFunctionOfTheBytes) {
  CodeBytes first = assemble(".globl f\nf:\ns_endpgm\n");
  CodeBytes second = assemble(".globl f\nf:\ns_nop 0\ns_endpgm\n");
  std::string image = link(first);
  EXPECT_NE(image, link(second));
  EXPECT_EQ(image, link(first));
}

TEST(Linker, threadsTakeTurns) {
  CodeBytes object = assemble(".globl f\nf:\ns_endpgm\n");
  std::string expected = link(object);
  std::vector<std::string> images(16);
  std::vector<std::thread> threads;
  for (std::string &image : images)
    threads.emplace_back([&] { image = link(object); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &image : images)
    EXPECT_EQ(image, expected);
}

TEST(Linker, undefinedSymbolIsNamed) {
  std::string text = link(assemble(".globl f\nf:\n.long missing\n"));
  EXPECT_EQ(text, "error: linking failed: undefined symbol: missing");
}

TEST(Linker, otherBytesAreAnErrorAndTheNextLinkWorks) {
  CodeBytes object = assemble(".globl f\nf:\ns_endpgm\n");
  std::string expected = link(object);
  EXPECT_EQ(link(StringRef("not an object")).rfind("error: linking failed", 0),
            0u);
  EXPECT_EQ(link({}).rfind("error: linking failed", 0), 0u);
  EXPECT_EQ(link(object), expected);
}

/// Runs in a process of its own, for what a process cannot take back.
static void expectInChild(llvm::function_ref<std::string()> run,
                          const char *expected) {
  EXPECT_EXIT(
      {
        std::string text = run();
        llvm::errs() << text << "\n";
        exit(text == expected ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(Linker, noPlaceForTemporaryFiles) {
  CodeBytes object = assemble(".globl f\nf:\ns_endpgm\n");
  expectInChild(
      [&] {
        setenv("TMPDIR", "/nowhere/at/all", 1);
        return link(object);
      },
      "error: cannot use temporary files for the linker: No such file or "
      "directory");
}

TEST(Linker, fullDisk) {
  CodeBytes object = assemble(".globl f\nf:\ns_endpgm\n");
  expectInChild(
      [&] {
        struct rlimit whole, none;
        getrlimit(RLIMIT_FSIZE, &whole);
        none = {0, whole.rlim_max};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &none);
        std::string text = link(object);
        setrlimit(RLIMIT_FSIZE, &whole);
        return text;
      },
      "error: cannot use temporary files for the linker: File too large");
}

/// The one object that lld gives up on instead of refusing it: its table of
/// sections lies behind its end.
TEST(Linker, afterACrashNothingIsLinkedAnyMore) {
  CodeBytes object = assemble(".globl f\nf:\ns_endpgm\n");
  CodeBytes broken = object;
  ASSERT_GT(broken.size(), 64u);
  broken[0x28 + 5] = 1; // e_shoff
  expectInChild(
      [&] {
        std::string first = link(broken);
        return first.rfind("error: linking failed: ", 0) ? first : link(object);
      },
      "error: linking failed: an earlier link in this process crashed");
}

TEST(Linker, optionsOfTheProcessStay) {
  probe = 5;
  link(assemble(".globl f\nf:\ns_endpgm\n"));
  EXPECT_EQ(int(probe), 5);
}
