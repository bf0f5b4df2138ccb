// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of LLVM: those that a compile asks for are checked, keyed and undone;
// those that were given to the program are refused.

#include "Builds.h"

#include "fly/Analysis/LLVMOptions.h"

#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::fly;
using namespace mlir::fly::test;
using ::fly::amdgpu::expectAll;

namespace {

constexpr char flagName[] = "amdgpu-waitcnt-forcezero";

std::string read(std::vector<std::string> texts) {
  llvm::Expected<LLVMOptions> options = readLLVMOptions(texts);
  if (!options)
    return llvm::toString(options.takeError());
  std::string text;
  for (const auto &[name, value] : *options)
    text += name + "=" + value + ";";
  return text;
}

llvm::cl::Option *flag() {
  return llvm::cl::getRegisteredOptions().lookup(flagName);
}

bool flagIsOn() {
  return static_cast<llvm::cl::opt<bool> *>(flag())->getValue();
}

TEST(LLVMOptions, haveOneSpelling) {
  std::string on = std::string(flagName) + "=true;";
  for (const char *text :
       {"amdgpu-waitcnt-forcezero", "-amdgpu-waitcnt-forcezero",
        "--amdgpu-waitcnt-forcezero=1", " amdgpu-waitcnt-forcezero=TRUE "})
    EXPECT_EQ(read({text}), on);
  EXPECT_EQ(read({"amdgpu-schedule-metric-bias=7", flagName}),
            "amdgpu-schedule-metric-bias=7;" + on);
  EXPECT_FALSE(flagIsOn()) << "reading an option leaves it as it was";
}

TEST(LLVMOptions, wrongOnesAreRefused) {
  expectAll(read({"amdgpu-no-such-thing"}),
            {"'amdgpu-no-such-thing'", "expected", "[FLY-K006]"});
  expectAll(read({""}), {"unknown LLVM option", "[FLY-K006]"});
  expectAll(read({"amdgpu-schedule-metric-bias=many"}),
            {"amdgpu-schedule-metric-bias", "'many'", "[FLY-K006]"});
  expectAll(read({std::string(flagName) + "=maybe"}),
            {flagName, "'maybe'", "[FLY-K006]"});
  expectAll(read({flagName, std::string(flagName) + "=0"}),
            {"given twice", "[FLY-K006]"});
  for (const char *looking :
       {"print-after-all", "verify-machineinstrs", "opt-bisect-limit=3"})
    expectAll(read({looking}), {StringRef(looking).split('=').first,
                                "prints, measures or "
                                "bisects",
                                "[FLY-K006]"});
}

TEST(LLVMOptions, holdInTheirScopeOnly) {
  LLVMOptions options =
      llvm::cantFail(readLLVMOptions({std::string(flagName)}));
  ASSERT_FALSE(flagIsOn());
  {
    LLVMOptionScope scope(options);
    EXPECT_TRUE(flagIsOn());
  }
  EXPECT_FALSE(flagIsOn());
  EXPECT_EQ(flag()->getNumOccurrences(), 0);
  LLVMOptions none;
  LLVMOptionScope first(none), second(none);
}

// Another's fault: a switch of the compiler that changes code and is not in the
// key is a stale hit. Here no key is given.
TEST(LLVMOptions, givenToTheProgramAreRefused) {
  EXPECT_TRUE(givenLLVMOptions().empty());
  flag()->addOccurrence(1, flagName, "true");
  EXPECT_EQ(givenLLVMOptions(), std::vector<std::string>{flagName});
  flag()->reset();
  flag()->setDefault();
  EXPECT_TRUE(givenLLVMOptions().empty());
  // What only looks does not count.
  llvm::cl::Option *looking =
      llvm::cl::getRegisteredOptions().lookup("verify-machineinstrs");
  ASSERT_TRUE(looking);
  looking->addOccurrence(1, "verify-machineinstrs", "true");
  EXPECT_TRUE(givenLLVMOptions().empty());
  looking->reset();
  looking->setDefault();

  Build build;
  build.given = {flagName};
  expectAll(keyText(build),
            {flagName, "not part of a key", "llvm-options=", "[FLY-K006]"});
}

} // namespace
