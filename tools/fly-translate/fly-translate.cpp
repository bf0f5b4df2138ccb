// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-translate: a host program in the LLVM dialect, with its gpu.binary and
// launches, goes in; its LLVM IR comes out. It is mlir-translate
// --mlir-to-llvmir with our dialects, which the stock one cannot load: a
// gpu.binary may have the handler #fly.explicit_module.
//
//   fly-opt program.mlir \
//     --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 host=llvm})'
//     \ | fly-translate --mlir-to-llvmir | llc -filetype=obj -o program.o

#include "fly/CodeGen/Recovery.h"
#include "fly/Pipelines/Registration.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/InitLLVM.h"

/// The LLVM IR of the host program `op`. Fatal errors of LLVM become
/// diagnostics.
static llvm::LogicalResult printLLVMIR(mlir::Operation *op,
                                       llvm::raw_ostream &os) {
  bool isDone = false;
  std::string reason;
  bool isAlive = mlir::fly::runRecovering(
      [&] {
        llvm::LLVMContext context;
        std::unique_ptr<llvm::Module> module =
            mlir::translateModuleToLLVMIR(op, context);
        if (!module)
          return;
        module->print(os, /*AAW=*/nullptr);
        isDone = true;
      },
      reason);
  if (!isAlive)
    return op->emitError("LLVM cannot translate this: ")
           << llvm::StringRef(reason).split('\n').first;
  return llvm::success(isDone);
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  mlir::fly::hideLLVMOptions();
  mlir::TranslateFromMLIRRegistration registration(
      "mlir-to-llvmir", "Print the LLVM IR of a host program", printLLVMIR,
      [](mlir::DialectRegistry &registry) {
        registry.insert<mlir::DLTIDialect, mlir::func::FuncDialect>();
        mlir::registerAllToLLVMIRTranslations(registry);
        mlir::fly::registerDialects(registry);
      });
  return llvm::failed(mlir::mlirTranslateMain(
      argc, argv, "Translator of host programs with fly kernels"));
}
