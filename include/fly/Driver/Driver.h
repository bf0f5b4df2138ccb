// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as one call: a file with one gpu.module goes in, a file with the
// code object (or assembly, LLVM IR, lowered MLIR, the key) comes out, with one
// line that says the key, the target and where the target came from. The law:
// the same input, target and options give the same bytes and the same key as
// the pass `fly-to-binary`.
//
//   CompileRequest request;
//   request.inputPath = "k.mlir";
//   request.outputPath = "k.hsaco";
//   request.options.resolve.target = "gfx942";
//   int status = runCompile(request, llvm::errs());

#ifndef FLY_DRIVER_DRIVER_H
#define FLY_DRIVER_DRIVER_H

#include "fly/Analysis/Options.h"

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace mlir::fly {

/// What the output file holds.
enum class EmitKind {
  /// The code object.
  Object,
  Assembly,
  /// Text of the optimised LLVM IR.
  LLVMIR,
  /// The lowered gpu.module, in the LLVM and ROCDL dialects.
  MLIR,
  /// The key, one line; nothing is compiled.
  Key
};

/// Exit statuses of the project's tools that a compile can end with.
enum ExitStatus : int {
  ExitSuccess = 0,
  /// The input was refused or the compile failed.
  ExitRefused = 1,
  /// Usage, or an input that cannot be read or an output that cannot be
  /// written.
  ExitUsage = 2,
  /// No target was found, or it is not one.
  ExitNoTarget = 6
};

/// One compile.
struct CompileRequest {
  /// A path, or `-` for standard input.
  std::string inputPath = "-";
  /// A path, or `-` for standard output.
  std::string outputPath = "-";
  EmitKind emit = EmitKind::Object;
  /// Adds the report of the target and the components of the key.
  bool explain = false;
  /// Leaves the line about key and target out.
  bool quiet = false;
  CompileOptions options;
};

/// Compiles. Everything that is said to people goes to `messages`.
int runCompile(const CompileRequest &request, llvm::raw_ostream &messages);

} // namespace mlir::fly

#endif // FLY_DRIVER_DRIVER_H
