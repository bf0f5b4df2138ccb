// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-bench dialect`: what reading, checking, folding and writing IR of the
// algebra costs, beside the same for upstream's arith and scf. Every iteration
// starts with a fresh context, so that nothing is uniqued or remembered yet.
// Folding is fly-canonicalize here and canonicalize there.
//
// Targets: linear (the rate of ops at 100,000 is at least 0.8 of that at 1,000,
// or upstream's ratio), and per byte of text at most twice upstream's time.

#include "Bench.h"
#include "DialectTexts.h"

#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "benchmark/benchmark.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace flybench;

namespace {

enum class Phase { Parse, Verify, Fold, Print };
const Phase allPhases[] = {Phase::Parse, Phase::Verify, Phase::Fold,
                           Phase::Print};
const unsigned allSizes[] = {1000, 10000, 100000};

/// A text, and whether it is ours.
struct Subject {
  bool isFly;
  std::string text;
};

} // namespace

static llvm::StringRef nameOf(Phase phase) {
  switch (phase) {
  case Phase::Parse:
    return "parse";
  case Phase::Verify:
    return "verify";
  case Phase::Fold:
    return "fold";
  case Phase::Print:
    return "print";
  }
  llvm_unreachable("all phases are listed");
}

static std::string nameOf(Phase phase, bool isFly, unsigned size) {
  return (nameOf(phase) + (isFly ? "/fly/" : "/upstream/")).str() +
         std::to_string(size);
}

/// One iteration of a phase; `state` is paused around what prepares it.
static void runPhase(benchmark::State &state, Phase phase,
                     const Subject &subject) {
  for (auto iteration : state) {
    (void)iteration;
    state.PauseTiming();
    {
      DialectRegistry registry;
      registry.insert<mlir::fly::FlyDialect, arith::ArithDialect,
                      func::FuncDialect, scf::SCFDialect>();
      MLIRContext context(registry, MLIRContext::Threading::DISABLED);
      context.loadAllAvailableDialects();
      ParserConfig config(&context, /*verifyAfterParse=*/false);
      OwningOpRef<ModuleOp> module;
      PassManager passes(&context);
      passes.enableVerifier(false);
      passes.addPass(subject.isFly ? mlir::fly::createFlyCanonicalize()
                                   : createCanonicalizerPass());
      std::string printed;
      bool succeeds = true;
      if (phase == Phase::Parse)
        state.ResumeTiming();
      module = parseSourceString<ModuleOp>(subject.text, config);
      if (!module) {
        state.SkipWithError("the text does not parse");
        return;
      }
      if (phase != Phase::Parse)
        state.ResumeTiming();
      switch (phase) {
      case Phase::Parse:
        break;
      case Phase::Verify:
        succeeds = succeeded(verify(*module));
        break;
      case Phase::Fold:
        succeeds = succeeded(passes.run(*module));
        break;
      case Phase::Print: {
        llvm::raw_string_ostream os(printed);
        module->print(os);
        break;
      }
      }
      benchmark::DoNotOptimize(printed);
      state.PauseTiming();
      if (!succeeds) {
        state.SkipWithError("the phase failed");
        return;
      }
    }
    state.ResumeTiming();
  }
  state.SetBytesProcessed(state.iterations() * subject.text.size());
}

int flybench::runDialect() {
  std::vector<Subject> subjects;
  subjects.reserve(2 * std::size(allSizes));
  std::map<std::string, double> bytes;
  for (unsigned size : allSizes)
    for (bool isFly : {true, false}) {
      subjects.push_back(
          {isFly, isFly ? algebraText(size) : upstreamText(size)});
      const Subject &subject = subjects.back();
      for (Phase phase : allPhases) {
        std::string name = nameOf(phase, isFly, size);
        bytes[name] = double(subject.text.size());
        benchmark::RegisterBenchmark(
            name.c_str(),
            [phase, &subject](benchmark::State &state) {
              runPhase(state, phase, subject);
            })
            ->Unit(benchmark::kMillisecond);
      }
    }
  Results results = runRegistered();

  std::vector<Target> targets;
  for (Phase phase : allPhases) {
    auto seconds = [&](bool isFly, unsigned size) {
      return results[nameOf(phase, isFly, size)].seconds;
    };
    // Rate at 100,000 ops over rate at 1,000.
    auto linearity = [&](bool isFly) {
      return 100 * seconds(isFly, 1000) / seconds(isFly, 100000);
    };
    auto perByte = [&](bool isFly, unsigned size) {
      return seconds(isFly, size) / bytes[nameOf(phase, isFly, size)];
    };
    bool isComplete = true;
    for (unsigned size : allSizes)
      for (bool isFly : {true, false})
        isComplete &= seconds(isFly, size) > 0;
    if (!isComplete)
      continue; // filtered out
    targets.push_back(
        {(nameOf(phase) + ": ops per second at 100000 over those at 1000 " +
          "(or upstream's ratio)")
             .str(),
         linearity(true), /*atLeast=*/true, std::min(0.8, linearity(false))});
    for (unsigned size : allSizes)
      targets.push_back(
          {(nameOf(phase) + ": time per byte over upstream's at " +
            llvm::Twine(size) + " ops")
               .str(),
           perByte(true, size) / perByte(false, size),
           /*atLeast=*/false, 2.0});
  }
  return judge("dialect", results, targets);
}
