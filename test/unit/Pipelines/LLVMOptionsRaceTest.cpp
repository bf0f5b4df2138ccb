// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of LLVM belong to the process: a compile that sets one must not be
// seen by another that runs meanwhile. Threads compile one kernel with and
// without such an option at the same time; each gets the key and the bytes that
// it gets alone.

#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Registration.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <thread>

using namespace mlir;
using namespace mlir::fly;
using ::fly::support::Environment;

static constexpr char raceKernel[] = R"(
gpu.module @m {
  gpu.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %a = llvm.load %p : !llvm.ptr<1> -> f32
    %b = llvm.load %q : !llvm.ptr<1> -> f32
    %c = arith.addf %a, %b : f32
    llvm.store %c, %p : f32, !llvm.ptr<1>
    gpu.return
  }
})";

/// Key and bytes of the kernel under `llvmOptions`, in a context of its own.
static std::string compileOnce(const std::vector<std::string> &llvmOptions) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(raceKernel, ParserConfig(&context));
  if (!module)
    return "not parsed";
  CompileOptions options;
  options.resolve.target = "gfx942";
  options.llvmOptions = llvmOptions;
  KeyEnvironment environment{Environment()};
  FailureOr<std::vector<CompileUnit>> units =
      compileUnits(*module, options, environment.environment());
  if (failed(units))
    return "no unit";
  const CompileUnit &unit = units->front();
  FailureOr<CacheKey> key = unitKey(unit, environment);
  OwningOpRef<ModuleOp> clone = canonicalClone(unit);
  if (failed(key) || !clone || failed(lowerUnit(*clone, unit)))
    return "not lowered";
  FailureOr<gpu::ObjectAttr> object =
      serializeUnit(*clone, unit, *key, CodeFormat::Assembly, environment);
  if (failed(object))
    return "not compiled";
  return key->text() + "\n" + object->getObject().str();
}

TEST(LLVMOptions, areNotSeenByOtherCompiles) {
  const std::vector<std::string> none, forced{"amdgpu-waitcnt-forcezero"};
  std::string plain = compileOnce(none), other = compileOnce(forced);
  ASSERT_EQ(plain.substr(0, 5), "fly1-") << plain;
  ASSERT_EQ(other.substr(0, 5), "fly1-") << other;
  ASSERT_NE(plain.substr(70), other.substr(70)) << "the option changes no code";
  constexpr unsigned numThreads = 4, rounds = 3;
  std::vector<std::string> results(numThreads * rounds);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < numThreads; ++i)
    threads.emplace_back([&, i] {
      for (unsigned round = 0; round < rounds; ++round)
        results[i * rounds + round] =
            compileOnce((i + round) % 2 ? forced : none);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (unsigned i = 0; i < numThreads; ++i)
    for (unsigned round = 0; round < rounds; ++round)
      EXPECT_EQ(results[i * rounds + round], (i + round) % 2 ? other : plain)
          << "thread " << i << " round " << round;
}
