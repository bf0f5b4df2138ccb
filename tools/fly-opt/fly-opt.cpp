// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-opt: MLIR text or bytecode goes in, passes run over it, MLIR comes out.
// It is the stock mlir-opt with the dialects, passes and pipelines of this
// project added; `mlir-opt` with FlyPlugin.so loaded does the same. Everything
// here is registration: nothing is looked up, read or computed at start.
//
//   fly-opt k.mlir \
//     --pass-pipeline='builtin.module(fly-to-binary{target=gfx942})'

#include "fly/Pipelines/Registration.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

static constexpr char examples[] =
    R"(Optimiser driver of Fly for LLVM: mlir-opt with the fly dialects

EXAMPLES

  Check a kernel and print it.
  $ fly-opt kernel.mlir

  Compile it for a processor; gpu.binary has the code object.
  $ fly-opt kernel.mlir --pass-pipeline='builtin.module(fly-to-binary{target=gfx942})'

  Its key in the cache, and what enters the key.
  $ fly-opt kernel.mlir --pass-pipeline='builtin.module(fly-cache-key{target=gfx942 format=explain})'

  See what the passes of the lowering do, one after the other.
  $ fly-opt kernel.mlir --fly-lower=target=gfx942 --mlir-print-ir-after-all

  Options of LLVM itself are shown by --help-hidden only.

PASSES AND PIPELINES OF FLY

)";

/// Ours, in the order in which a newcomer needs them.
static constexpr llvm::StringLiteral ourPasses[] = {
    "fly-to-binary",
    "fly-lower",
    "fly-cache-key",
    "fly-attach-cache-key",
    "fly-print-canonical",
    "fly-resolve-target",
    "fly-materialize-rocdl-target",
    "fly-check-strict",
    "fly-check-kernels",
    "fly-rewrite-func-signature",
    "fly-canonicalize",
    "fly-layout-lowering",
    "fly-int-swizzle-simplify",
    "fly-convert-atom-call-to-ssa-form",
    "fly-promote-regmem-to-vectorssa",
    "convert-fly-to-rocdl",
    "convert-rocdl-fastmath-ops",
    "fly-rocdl-cluster-attr"};

/// The text at the top of --help, with what the registry knows of our passes.
static std::string overviewText() {
  std::string text = examples;
  for (llvm::StringRef name : ourPasses) {
    const mlir::PassRegistryEntry *entry = mlir::PassInfo::lookup(name);
    if (!entry)
      entry = mlir::PassPipelineInfo::lookup(name);
    if (!entry)
      continue;
    text += "  --" + name.str();
    text.append(name.size() < 36 ? 36 - name.size() : 1, ' ');
    text += entry->getPassDescription().str() + "\n";
  }
  return text;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "Fly for LLVM version " << FLY_VERSION << "\n";
  });
  mlir::fly::hideLLVMOptions();
  mlir::registerAllPasses();
  mlir::fly::registerPasses();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  mlir::fly::registerDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, overviewText(), registry));
}
