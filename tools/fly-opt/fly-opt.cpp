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
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "Fly for LLVM version " << FLY_VERSION << "\n";
  });
  mlir::registerAllPasses();
  mlir::fly::registerPasses();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  mlir::fly::registerDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Optimiser driver of Fly for LLVM\n", registry));
}
