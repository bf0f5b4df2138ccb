// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-bench passes`: what each Fly pass costs for each op, on `scf.if`s with
// register memory, offsets one after another, views one after another and long
// unrolled gemms. The same ops are given to a pass in one function, and in
// eight that have an eighth of them each: a pass that is linear takes the same
// time for both. And once: a gemm of 160,000 ops through all passes.
//
//   if-chain/fly-promote-regmem-to-vectorssa/32000
//
// Target: the median of that ratio over the rounds, at 32,000 ops, is at most
// 1.3, or that of `cse` on the same text in the same run: anything is slower on
// IR that no cache of the processor holds. One round runs both, so that a
// machine that is faster now and slower then is so to both; caches are emptied
// before each run of a pass.

#include "Bench.h"

#include "fly/Conversion/Passes.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "benchmark/benchmark.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <optional>

using namespace mlir;
using namespace flybench;

namespace {

using Make = std::unique_ptr<Pass> (*)();

/// A kind of IR, and the passes that are run on it. Each pass gets what those
/// before it made, or the text itself.
struct Case {
  llvm::StringLiteral name;
  std::string (*text)(unsigned ops);
  std::vector<Make> passes;
  bool eachOnText;
};

/// The quick size shows that the passes run; targets are for the other one.
constexpr unsigned quickSize = 4000, largeSize = 32000, hugeSize = 160000;
constexpr unsigned parts = 8;

} // namespace

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// A kernel with a body, and the types that bodies use.
static std::string kernel(llvm::StringRef body) {
  return R"(
!regs = !fly.ptr<f32, register>
!glob = !fly.ptr<f32, global, align<16>>
!view = !fly.memref<f32, global, (?,8):(8,1), align<16>>
!lay = !fly.layout<(?,8):(8,1)>
!atom = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
!acc = !fly.memref<f32, register, 4:1>
!arg = !fly.memref<f16, register, 4:1>
gpu.module @m {
  gpu.func @k(%c: i1, %v: vector<4xf32>, %h: vector<4xf16>, %g: !glob,
              %n: i32) kernel {
)" + body.str() +
         "    gpu.return\n  }\n}\n";
}

static const char *const fourRegisters =
    "  %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !regs\n"
    "  fly.ptr.store(%v, %p) : (vector<4xf32>, !regs) -> ()\n";

static const char *const storeResult =
    "  %r = fly.ptr.load(%p) : (!regs) -> vector<4xf32>\n"
    "  fly.ptr.store(%r, %g) : (vector<4xf32>, !glob) -> ()\n";

/// Register memory that changes inside of one `scf.if` after another.
static std::string ifChain(unsigned ops) {
  std::string body = fourRegisters;
  for (unsigned i = 0; i < ops / 5; ++i)
    body += "  scf.if %c {\n"
            "    %x = fly.ptr.load(%p) : (!regs) -> vector<4xf32>\n"
            "    %y = arith.addf %x, %v : vector<4xf32>\n"
            "    fly.ptr.store(%y, %p) : (vector<4xf32>, !regs) -> ()\n"
            "  }\n";
  return kernel(body + storeResult);
}

/// One offset from the last pointer after another, in registers and in memory,
/// with loads between.
static std::string offsetChain(unsigned ops) {
  std::string body = fourRegisters;
  body += "  %q0 = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>\n"
          "  %f = fly.make_int_tuple() : () -> !fly.int_tuple<1>\n"
          "  %b = fly.make_int_tuple() : () -> !fly.int_tuple<-1>\n"
          "  %p0 = fly.add_offset(%p, %b) : (!regs, !fly.int_tuple<-1>) -> "
          "!regs\n"
          "  %g0 = fly.add_offset(%g, %q0) : (!glob, !fly.int_tuple<?>) -> "
          "!fly.ptr<f32, global>\n";
  for (unsigned i = 0; i < ops / 4; ++i) {
    std::string last = std::to_string(i), next = std::to_string(i + 1);
    bool forth = i % 2 == 0;
    std::string step = forth ? "%f) : (!regs, !fly.int_tuple<1>) -> !regs\n"
                             : "%b) : (!regs, !fly.int_tuple<-1>) -> !regs\n";
    body += "  %p" + next + " = fly.add_offset(%p" + last + ", " + step;
    body += "  %g" + next + " = fly.add_offset(%g" + last +
            ", %f) : (!fly.ptr<f32, global>, !fly.int_tuple<1>) -> "
            "!fly.ptr<f32, global>\n";
    std::string from = forth ? next : last;
    body += "  %x" + next + " = fly.ptr.load(%p" + from +
            ") : (!regs) -> f32\n  fly.ptr.store(%x" + next + ", %g" + next +
            ") : (f32, !fly.ptr<f32, global>) -> ()\n";
  }
  return kernel(body + storeResult);
}

/// A view of the pointer of the last view, with a layout of unknown extent.
static std::string viewChain(unsigned ops) {
  std::string body =
      "  %sh = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<(?,8)>\n"
      "  %st = fly.make_int_tuple() : () -> !fly.int_tuple<(8,1)>\n"
      "  %l = fly.make_layout(%sh, %st) : (!fly.int_tuple<(?,8)>, "
      "!fly.int_tuple<(8,1)>) -> !lay\n"
      "  %at = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<(?,3)>\n"
      "  %one = arith.constant 1.0 : f32\n"
      "  %p0 = fly.add_offset(%g, %o) : (!glob, !fly.int_tuple<4>) -> !glob\n";
  body.insert(0, "  %o = fly.make_int_tuple() : () -> !fly.int_tuple<4>\n");
  for (unsigned i = 0; i < ops / 4; ++i) {
    std::string last = std::to_string(i), next = std::to_string(i + 1);
    body += "  %m" + next + " = fly.make_view(%p" + last +
            ", %l) : (!glob, !lay) -> !view\n";
    body += "  fly.memref.store(%one, %m" + next +
            ", %at) : (f32, !view, !fly.int_tuple<(?,3)>) -> ()\n";
    body +=
        "  %i" + next + " = fly.get_iter(%m" + next + ") : (!view) -> !glob\n";
    body += "  %p" + next + " = fly.add_offset(%i" + next +
            ", %o) : (!glob, !fly.int_tuple<4>) -> !glob\n";
  }
  return kernel(body);
}

/// An unrolled gemm: one matrix instruction after another onto sixteen
/// fragments.
static std::string gemm(unsigned ops) {
  std::string body = "  %t = fly.make_mma_atom : !atom\n"
                     "  %l4 = fly.static : !fly.layout<4:1>\n";
  auto fragment = [&](const std::string &name, llvm::StringRef type,
                      llvm::StringRef vector, llvm::StringRef value) {
    body += "  %" + name +
            " = fly.memref.alloca(%l4) : (!fly.layout<4:1>) -> " + type.str() +
            "\n  fly.memref.store_vec(%" + value.str() + ", %" + name +
            ") : (" + vector.str() + ", " + type.str() + ") -> ()\n";
  };
  for (unsigned i = 0; i < 16; ++i)
    fragment("d" + std::to_string(i), "!acc", "vector<4xf32>", "v");
  for (unsigned i = 0; i < 4; ++i) {
    fragment("a" + std::to_string(i), "!arg", "vector<4xf16>", "h");
    fragment("b" + std::to_string(i), "!arg", "vector<4xf16>", "h");
  }
  for (unsigned i = 0; i < ops; ++i) {
    std::string d = "%d" + std::to_string(i % 16);
    body += "  fly.gemm(%t, " + d + ", %a" + std::to_string(i % 4) + ", %b" +
            std::to_string(i / 4 % 4) + ", " + d +
            ") : (!atom, !acc, !arg, !arg, !acc) -> ()\n";
  }
  for (unsigned i = 0; i < 16; ++i) {
    std::string n = std::to_string(i);
    body += "  %r" + n + " = fly.memref.load_vec(%d" + n +
            ") : (!acc) -> vector<4xf32>\n  fly.ptr.store(%r" + n +
            ", %g) : (vector<4xf32>, !glob) -> ()\n";
  }
  return kernel(body);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

static std::unique_ptr<Pass> makeConversion() {
  mlir::fly::ConvertFlyToROCDLOptions options;
  options.chip = "gfx942";
  return mlir::fly::createConvertFlyToROCDL(options);
}
static std::unique_ptr<Pass> makeSignatures() {
  return mlir::fly::createFlyRewriteFuncSignature();
}
static std::unique_ptr<Pass> makeCanonical() {
  return mlir::fly::createFlyCanonicalize();
}
static std::unique_ptr<Pass> makeLowering() {
  return mlir::fly::createFlyLayoutLowering();
}
static std::unique_ptr<Pass> makeSwizzles() {
  return mlir::fly::createFlyIntSwizzleSimplify();
}
static std::unique_ptr<Pass> makeSSAForm() {
  return mlir::fly::createFlyConvertAtomCallToSSAForm();
}
static std::unique_ptr<Pass> makePromotion() {
  return mlir::fly::createFlyPromoteRegmemToVectorSSA();
}
static std::unique_ptr<Pass> makeCSE() { return createCSEPass(); }

static std::vector<Case> allCases() {
  std::vector<Make> inOrder = {makeSignatures, makeCanonical, makeLowering,
                               makeSwizzles,   makeSSAForm,   makePromotion,
                               makeConversion};
  std::vector<Make> onPointers = {makeLowering, makePromotion, makeConversion};
  return {{"if-chain", ifChain, inOrder, false},
          {"offsets", offsetChain, onPointers, true},
          {"views", viewChain, inOrder, false},
          {"gemm", gemm, inOrder, false}};
}

static std::string nameOf(const Case &of, Make make, unsigned size) {
  return (of.name + "/" + make()->getArgument() + "/").str() +
         std::to_string(size);
}

/// Lets small IR start as cold as large IR, which no cache holds.
static void emptyCaches() {
  static std::vector<unsigned char> other(size_t(64) << 20);
  for (size_t i = 0; i < other.size(); i += 64)
    ++other[i];
  benchmark::DoNotOptimize(other.data());
}

/// CPU seconds of the timed passes on what those before them make of the text;
/// nothing when a pass fails, or the text does not parse.
static std::optional<double> timePasses(const std::string &text,
                                        llvm::ArrayRef<Make> before,
                                        llvm::ArrayRef<Make> timed) {
  DialectRegistry registry;
  registry.insert<mlir::fly::FlyDialect, fly_rocdl::FlyROCDLDialect,
                  arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                  scf::SCFDialect, vector::VectorDialect>();
  mlir::fly::registerFlyToROCDLExternalModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  PassManager preparing(&context), measured(&context);
  for (auto [passes, makes] :
       {std::make_pair(&preparing, before), std::make_pair(&measured, timed)}) {
    passes->enableVerifier(false);
    for (Make make : makes)
      passes->addPass(make());
  }
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, config);
  if (!module || failed(preparing.run(*module)))
    return std::nullopt;
  emptyCaches();
  std::clock_t start = std::clock();
  if (failed(measured.run(*module)))
    return std::nullopt;
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Large over small of each benchmark, a round each.
static std::map<std::string, std::vector<double>> ratios;

/// A round: the ops in parts, then in one function. The time shown is that of
/// the latter.
static void runRound(benchmark::State &state, const std::string &name,
                     const std::string &small, const std::string &large,
                     llvm::ArrayRef<Make> before, llvm::ArrayRef<Make> timed) {
  for (auto iteration : state) {
    (void)iteration;
    double apart = 0;
    std::optional<double> seconds;
    for (unsigned i = 0; i < parts; ++i) {
      seconds = timePasses(small, before, timed);
      apart += seconds.value_or(0);
    }
    if (seconds)
      seconds = timePasses(large, before, timed);
    if (!seconds) {
      state.SkipWithError("the text does not go through the passes");
      return;
    }
    state.SetIterationTime(*seconds);
    if (apart > 0)
      ratios[name].push_back(*seconds / apart);
  }
}

/// The median of the ratios; 0 when the benchmark did not run.
static double medianRatio(const std::string &name) {
  std::vector<double> all = ratios[name];
  if (all.empty())
    return 0;
  auto middle = all.begin() + all.size() / 2;
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

static void addRounds(const std::string &name,
                      std::shared_ptr<std::string> small,
                      std::shared_ptr<std::string> large,
                      std::vector<Make> before, Make timed, unsigned rounds) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State &state) {
                                 runRound(state, name, *small, *large, before,
                                          {timed});
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime()
      ->Iterations(rounds);
}

int flybench::runPasses() {
  std::vector<Case> cases = allCases();
  for (const Case &of : cases)
    for (unsigned size : {quickSize, largeSize}) {
      auto small = std::make_shared<std::string>(of.text(size / parts));
      auto large = std::make_shared<std::string>(of.text(size));
      unsigned rounds = size == quickSize ? 1 : 7;
      addRounds(nameOf(of, makeCSE, size), small, large, {}, makeCSE, rounds);
      std::vector<Make> before;
      for (Make make : of.passes) {
        addRounds(nameOf(of, make, size), small, large, before, make, rounds);
        if (!of.eachOnText)
          before.push_back(make);
      }
    }
  double hugeSeconds = 0;
  benchmark::RegisterBenchmark(
      ("gemm/all/" + std::to_string(hugeSize)).c_str(),
      [&](benchmark::State &state) {
        for (auto iteration : state) {
          (void)iteration;
          hugeSeconds =
              timePasses(gemm(hugeSize), {}, cases.back().passes).value_or(0);
          if (!hugeSeconds)
            state.SkipWithError("the text does not go through the passes");
          state.SetIterationTime(hugeSeconds);
        }
      })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime()
      ->Iterations(1);
  Results results = runRegistered();

  std::vector<Target> targets;
  for (const Case &of : cases) {
    double limit = std::max(1.3, medianRatio(nameOf(of, makeCSE, largeSize)));
    for (Make make : of.passes)
      if (double measured = medianRatio(nameOf(of, make, largeSize)))
        targets.push_back({(of.name + ": " + make()->getArgument() +
                            ", time of 32000 ops over that of 8 x 4000 (or "
                            "cse's)")
                               .str(),
                           measured, /*atLeast=*/false, limit});
  }
  if (hugeSeconds)
    targets.push_back({"gemm of 160000 ops through all passes, seconds",
                       hugeSeconds, /*atLeast=*/false, 30});
  return judge("passes", results, targets);
}
