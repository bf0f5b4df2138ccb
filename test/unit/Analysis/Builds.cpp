// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives the keys of builds in contexts of their own.

#include "Builds.h"

#include "mlir/Bytecode/BytecodeWriter.h"

using namespace mlir;
using namespace mlir::fly;
using namespace mlir::fly::test;

std::optional<CacheKey> test::deriveOne(const Build &build,
                                        std::string *messages) {
  Fixture f;
  if (build.threads)
    f.context.enableMultithreading();
  std::optional<CacheKey> key = deriveOne(f, build);
  if (messages)
    *messages = f.messages;
  return key;
}

std::optional<CacheKey> test::deriveOne(Fixture &f, const Build &build) {
  f.messages.clear();
  // Keys refuse what is unknown; the parser need not.
  f.context.allowUnregisteredDialects();
  std::optional<CacheKey> result;
  OwningOpRef<ModuleOp> module = f.parse(build.text);
  if (!module)
    return result;
  if (build.viaBytecode) {
    std::string bytecode;
    llvm::raw_string_ostream os(bytecode);
    EXPECT_TRUE(succeeded(writeBytecodeToFile(*module, os)));
    module = f.parse(bytecode);
  }
  BuildEnvironment environment(build);
  FailureOr<std::vector<CompileUnit>> units =
      compileUnits(*module, build.options, environment.environment());
  if (succeeded(units)) {
    EXPECT_FALSE(units->empty());
    CacheKeyAnalysis analysis(units->front().module);
    FailureOr<CacheKey> key = deriveKey(analysis, units->front().target,
                                        units->front().options, environment);
    if (succeeded(key))
      result = *key;
  }
  return result;
}

std::string test::keyText(const Build &build) {
  std::string messages;
  std::optional<CacheKey> key = deriveOne(build, &messages);
  return key ? key->text() : "failed: " + messages;
}

std::vector<std::string> test::differing(const CacheKey &a, const CacheKey &b) {
  std::vector<std::string> names;
  EXPECT_EQ(a.components.size(), b.components.size());
  for (size_t i = 0; i < a.components.size(); ++i)
    if (a.components[i].digest() != b.components[i].digest())
      names.push_back(a.components[i].name);
  return names;
}
