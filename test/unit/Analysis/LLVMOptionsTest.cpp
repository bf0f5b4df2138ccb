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
            {"unknown LLVM option 'amdgpu-no-such-thing': expected the name of "
             "an option of LLVM's code generator, such as "
             "amdgpu-waitcnt-forcezero [FLY-K006]"});
  expectAll(read({""}), {"unknown LLVM option", "[FLY-K006]"});
  expectAll(read({"amdgpu-schedule-metric-bias=many"}),
            {"LLVM option 'amdgpu-schedule-metric-bias': expected a value of "
             "its type, found 'many' [FLY-K006]"});
  expectAll(read({std::string(flagName) + "=maybe"}),
            {flagName, "'maybe'", "[FLY-K006]"});
  expectAll(read({flagName, std::string(flagName) + "=0"}),
            {"given twice", "[FLY-K006]"});
  for (const char *looking :
       {"print-after-all", "verify-machineinstrs", "opt-bisect-limit=3"})
    expectAll(read({looking}),
              {"LLVM option '" + StringRef(looking).split('=').first.str() +
               "' prints, measures or bisects: expected an option that changes "
               "code only [FLY-K006]"});
}

// LLVM asks many options whether they were given: also one with its default
// value may change code.
TEST(LLVMOptions, atTheirDefaultStay) {
  EXPECT_EQ(read({"unroll-allow-partial=0", "amdgpu-schedule-metric-bias=10",
                  "inline-threshold=225"}),
            "amdgpu-schedule-metric-bias=10;inline-threshold=225;"
            "unroll-allow-partial=false;");
}

// After these there is no code object, or its code is not a function of what is
// keyed.
TEST(LLVMOptions, thatEndThePipelineOrNameFilesAreRefused) {
  for (const char *name :
       {"stop-after", "stop-before", "start-after", "start-before"})
    expectAll(read({std::string(name) + "=amdgpu-isel"}),
              {"LLVM option '" + std::string(name) +
               "' cuts the pipeline, so that no code object comes out: "
               "expected an option that changes code only [FLY-K006]"});
  for (const char *name :
       {"sample-profile-file", "internalize-public-api-file",
        "cgscc-inline-replay", "rewrite-map-file", "forceattrs-csv-path"})
    expectAll(read({std::string(name) + "=x"}),
              {"LLVM option '" + std::string(name) +
               "' names a file, whose content would change code and not the "
               "key: expected an option whose value says all [FLY-K006]"});
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
