// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-bench key`: what a key costs. The derivation of a key against parsing
// the text that it is the key of, at 1,000 to 100,000 ops; a resolution of
// the target from a variable; the identity of the toolchain. Each parse and
// derivation starts with a fresh context.

#include "Bench.h"
#include "DialectTexts.h"

#include "fly/Analysis/CacheKey.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Target/AMDGPU/Resolve.h"

#include "benchmark/benchmark.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace flybench;
using ::fly::support::Environment;

static constexpr unsigned keySizes[] = {1000, 10000, 100000};

static std::string nameOf(bool derives, bool isFly, unsigned size) {
  return std::string(derives ? "derive" : "parse") +
         (isFly ? "/fly/" : "/upstream/") + std::to_string(size);
}

/// Parses `text` and derives its key; one of the two is measured.
static void runKey(benchmark::State &state, const std::string &text,
                   bool derives) {
  for (auto iteration : state) {
    (void)iteration;
    state.PauseTiming();
    {
      DialectRegistry registry;
      registry.insert<mlir::fly::FlyDialect, arith::ArithDialect,
                      func::FuncDialect, gpu::GPUDialect, scf::SCFDialect>();
      MLIRContext context(registry, MLIRContext::Threading::DISABLED);
      context.loadAllAvailableDialects();
      ParserConfig config(&context);
      if (!derives)
        state.ResumeTiming();
      OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, config);
      if (!module)
        return state.SkipWithError("the text does not parse");
      if (derives)
        state.ResumeTiming();
      if (derives) {
        mlir::fly::CompileOptions options;
        options.resolve.target = "gfx942";
        mlir::fly::KeyEnvironment environment{Environment()};
        auto units = mlir::fly::compileUnits(*module, options,
                                             environment.environment());
        if (failed(units))
          return state.SkipWithError("no unit");
        mlir::fly::CacheKeyAnalysis analysis(units->front().module);
        auto key = mlir::fly::deriveKey(analysis, units->front().target,
                                        units->front().options, environment);
        if (failed(key))
          return state.SkipWithError("no key");
        std::string digits = key->text();
        benchmark::DoNotOptimize(digits);
      }
      state.PauseTiming();
    }
    state.ResumeTiming();
  }
}

static void runResolution(benchmark::State &state) {
  for (auto iteration : state) {
    (void)iteration;
    ::fly::amdgpu::ResolveRequest request;
    request.environment = Environment::capture();
    std::vector<std::pair<std::string, std::string>> said{
        {"FLY_TARGET", "gfx942:xnack-"}};
    request.environment = Environment::fromPairs(said);
    llvm::Expected<::fly::amdgpu::Resolution> found =
        ::fly::amdgpu::resolve(request);
    if (!found) {
      llvm::consumeError(found.takeError());
      return state.SkipWithError("no target");
    }
    benchmark::DoNotOptimize(found->targets.data());
  }
}

static void runToolchain(benchmark::State &state) {
  for (auto iteration : state) {
    (void)iteration;
    llvm::Expected<mlir::fly::Toolchain> parts =
        mlir::fly::identifyToolchain(mlir::fly::loadedObjects());
    if (!parts) {
      llvm::consumeError(parts.takeError());
      return state.SkipWithError("no identity");
    }
    benchmark::DoNotOptimize(parts->data());
  }
}

int flybench::runKeys() {
  std::vector<std::string> texts;
  texts.reserve(2 * std::size(keySizes));
  for (unsigned size : keySizes)
    for (bool isFly : {true, false}) {
      texts.push_back("gpu.module @kernels {\n" +
                      (isFly ? algebraText(size) : upstreamText(size)) + "}\n");
      const std::string &text = texts.back();
      for (bool derives : {false, true})
        benchmark::RegisterBenchmark(nameOf(derives, isFly, size).c_str(),
                                     [&text, derives](benchmark::State &state) {
                                       runKey(state, text, derives);
                                     })
            ->Unit(benchmark::kMillisecond);
    }
  benchmark::RegisterBenchmark("resolve/variable", runResolution)
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("toolchain", runToolchain)
      ->Unit(benchmark::kMicrosecond);
  Results results = runRegistered();

  std::vector<Target> targets;
  auto seconds = [&](const std::string &name) { return results[name].seconds; };
  for (bool isFly : {true, false}) {
    std::string kind = isFly ? "of the algebra" : "of upstream's dialects";
    for (unsigned size : keySizes) {
      double parse = seconds(nameOf(false, isFly, size));
      double derive = seconds(nameOf(true, isFly, size));
      if (parse > 0 && derive > 0)
        targets.push_back({"per cent of the time to parse " +
                               std::to_string(size) + " ops " + kind,
                           100 * derive / parse, /*atLeast=*/false, 20});
    }
    double small = seconds(nameOf(true, isFly, 1000));
    double large = seconds(nameOf(true, isFly, 100000));
    if (small > 0 && large > 0)
      targets.push_back({"ops per second at 100000 over those at 1000, " + kind,
                         100 * small / large, /*atLeast=*/true, 0.8});
  }
  if (double time = seconds("resolve/variable"); time > 0)
    targets.push_back({"milliseconds of a resolution from a variable",
                       1000 * time, /*atLeast=*/false, 0.2});
  if (double time = seconds("toolchain"); time > 0)
    targets.push_back({"milliseconds of the toolchain's identity", 1000 * time,
                       /*atLeast=*/false, 0.1});
  return judge("key", results, targets);
}
