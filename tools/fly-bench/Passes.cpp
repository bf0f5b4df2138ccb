// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-bench passes`: what each Fly pass costs for each op, at 4,000 and at
// 32,000 ops of the same kind: `scf.if`s with register memory, offsets one
// after another, views one after another, long unrolled gemms. And once: a
// gemm of 160,000 ops through all passes.
//
//   if-chain/fly-promote-regmem-to-vectorssa/32000
//
// Target: the time for an op at 32,000 is at most 1.3 times that at 4,000, or
// the ratio of `cse` on the same text in the same run. Caches are emptied
// before each run: otherwise what is seen is that they hold 4,000 ops and not
// 32,000.

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

#include <ctime>

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

constexpr unsigned smallSize = 4000, largeSize = 32000, hugeSize = 160000;

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

/// CPU seconds of the fastest run of each benchmark: what it costs when nothing
/// else is in the way.
static std::map<std::string, double> fastest;

/// Lets small IR start as cold as large IR, which no cache holds.
static void emptyCaches() {
  static std::vector<unsigned char> other(size_t(64) << 20);
  for (size_t i = 0; i < other.size(); i += 64)
    ++other[i];
  benchmark::DoNotOptimize(other.data());
}

/// Runs a pass once in each iteration, on what the passes before it made.
static void runPass(benchmark::State &state, const std::string &name,
                    const std::string &text, llvm::ArrayRef<Make> before,
                    llvm::ArrayRef<Make> timed) {
  for (auto iteration : state) {
    (void)iteration;
    state.PauseTiming();
    {
      DialectRegistry registry;
      registry.insert<mlir::fly::FlyDialect, fly_rocdl::FlyROCDLDialect,
                      arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                      scf::SCFDialect, vector::VectorDialect>();
      mlir::fly::registerFlyToROCDLExternalModels(registry);
      MLIRContext context(registry, MLIRContext::Threading::DISABLED);
      context.loadAllAvailableDialects();
      ParserConfig config(&context, /*verifyAfterParse=*/false);
      PassManager preparing(&context), measured(&context);
      for (auto [passes, makes] : {std::make_pair(&preparing, before),
                                   std::make_pair(&measured, timed)}) {
        passes->enableVerifier(false);
        for (Make make : makes)
          passes->addPass(make());
      }
      OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, config);
      if (!module || failed(preparing.run(*module))) {
        state.SkipWithError("the text does not reach the pass");
        return;
      }
      emptyCaches();
      state.ResumeTiming();
      std::clock_t start = std::clock();
      bool succeeds = succeeded(measured.run(*module));
      double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
      state.PauseTiming();
      auto [slot, isNew] = fastest.try_emplace(name, seconds);
      if (!isNew)
        slot->second = std::min(slot->second, seconds);
      if (!succeeds) {
        state.SkipWithError("the pass failed");
        return;
      }
    }
    state.ResumeTiming();
  }
}

static void add(const std::string &name, std::shared_ptr<std::string> text,
                std::vector<Make> before, std::vector<Make> timed,
                unsigned times) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State &state) {
                                 runPass(state, name, *text, before, timed);
                               })
      ->Unit(benchmark::kMillisecond)
      ->Iterations(times);
}

int flybench::runPasses() {
  std::vector<Case> cases = allCases();
  for (const Case &of : cases)
    for (unsigned size : {smallSize, largeSize}) {
      auto text = std::make_shared<std::string>(of.text(size));
      unsigned times = size == smallSize ? 10 : 5;
      add(nameOf(of, makeCSE, size), text, {}, {makeCSE}, times);
      std::vector<Make> before;
      for (Make make : of.passes) {
        add(nameOf(of, make, size), text, before, {make}, times);
        if (!of.eachOnText)
          before.push_back(make);
      }
    }
  std::string hugeName = "gemm/all/" + std::to_string(hugeSize);
  add(hugeName, std::make_shared<std::string>(gemm(hugeSize)), {},
      cases.back().passes, 1);
  Results results = runRegistered();

  std::vector<Target> targets;
  double factor = double(largeSize) / smallSize;
  for (const Case &of : cases) {
    auto ratio = [&](Make make) {
      double small = fastest[nameOf(of, make, smallSize)];
      double large = fastest[nameOf(of, make, largeSize)];
      return small > 0 && large > 0 ? large / small / factor : 0;
    };
    double limit = std::max(1.3, ratio(makeCSE));
    for (Make make : of.passes)
      if (double measured = ratio(make))
        targets.push_back({(of.name + ": " + make()->getArgument() +
                            ", time for an op at 32000 over that at 4000 (or "
                            "cse's)")
                               .str(),
                           measured, /*atLeast=*/false, limit});
  }
  if (double seconds = fastest[hugeName])
    targets.push_back({"gemm of 160000 ops through all passes, seconds",
                       seconds, /*atLeast=*/false, 30});
  return judge("passes", results, targets);
}
