// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-lsp-server: the language server of MLIR with our dialects, for editors.
// Requests of the Language Server Protocol come in on standard input, answers
// go out on standard output: diagnostics while one types, completion of
// dialects, ops and values, hover with the definition, go to definition and
// references.
//
//   nvim: vim.lsp.start({ name = "fly", cmd = { "fly-lsp-server" } })

#include "fly/Pipelines/Registration.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/LogicalResult.h"

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  mlir::fly::hideLLVMOptions();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::fly::registerDialects(registry);
  return llvm::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
