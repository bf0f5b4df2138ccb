// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as one call: a file with gpu.modules goes in, for each of them
// and each of its targets a file with the code object (or assembly, LLVM IR,
// lowered MLIR, the key) comes out, with one line that says the key, the target
// and where both came from. The laws: the same input, target and options give
// the same bytes and the same key as the pass `fly-to-binary`; what a store
// gives is what a compile would have given; a store that fails costs a warning,
// never the result.
//
//   CompileRequest request;
//   request.inputPath = "k.mlir";
//   request.outputPath = "k.hsaco";
//   request.options.resolve.target = "gfx942";
//   request.stores = {{"cache", ::fly::store::Mode::Auto}};
//   int status = runCompile(request, llvm::errs());

#ifndef FLY_DRIVER_DRIVER_H
#define FLY_DRIVER_DRIVER_H

#include "fly/Analysis/CacheKey.h"
#include "fly/Analysis/Options.h"
#include "fly/Store/Layers.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

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
  Key,
  /// The key with its components, one line of schema fly-key/1.
  Components
};

/// Exit statuses of the project's tools that a compile can end with.
enum ExitStatus : int {
  ExitSuccess = 0,
  /// The input was refused or the compile failed.
  ExitRefused = 1,
  /// Usage, or an input that cannot be read or an output that cannot be
  /// written.
  ExitUsage = 2,
  /// Strict: the code object is in no store.
  ExitMiss = 3,
  /// A corrupt entry, when strict; a direct record that names a wrong key.
  ExitCorrupt = 4,
  /// A compile gives other bytes than the store; two outputs of one name.
  ExitConflict = 5,
  /// No target was found, or it is not one.
  ExitNoTarget = 6
};

/// The compile of one input.
struct CompileRequest {
  /// A path, or `-` for standard input.
  std::string inputPath = "-";
  /// A path, or `-` for standard output; with a slash at its end, a folder that
  /// gets `<gpu.module>.<target>.<hsaco, s, ll, mlir, key or json>`. Empty:
  /// nothing is written, the store gets all.
  std::string outputPath = "-";
  EmitKind emit = EmitKind::Object;
  /// The input is IR that a newer MLIR printed: it is respelt before it is
  /// parsed. The key is that of the respelt text.
  bool import = false;
  /// Adds the report of the target and the components of the key.
  bool explain = false;
  /// Leaves the line about key and target out.
  bool quiet = false;
  /// Says how long each step took.
  bool timeReport = false;
  /// A file that gets what was read, as a rule of make; empty for none.
  std::string depfile;
  /// Targets; each is one more value of `options.resolve.target`. Empty: that
  /// one alone.
  std::vector<std::string> targets;
  CompileOptions options;

  /// Where code objects are looked up and published; none: always compile.
  std::vector<::fly::store::LayerSpec> stores;
  /// A miss is an error, nothing is compiled.
  bool strict = false;
  /// A hit is compiled all the same, and must give the same bytes.
  bool verify = false;
  /// Keeps the canonical text of what is compiled in the store, so that a later
  /// miss can say which lines changed.
  bool keepIR = false;
  /// The name under which the code object is published, in place of the name
  /// of the gpu.module; the input must have one.
  std::string unitName;
  /// Says in the outcomes what would be written, and compiles nothing.
  bool namesOnly = false;
  /// Files that must not be written, besides the input itself.
  std::vector<std::string> kept;
};

/// Files that were read or looked for, with the digest of what they held;
/// nothing for one that was not there.
using FileReads =
    std::vector<std::pair<std::string, std::optional<::fly::support::Digest>>>;

/// What became of one gpu.module and one target.
struct UnitOutcome {
  std::string unit;
  /// The target of the code, and its key.
  std::string target;
  std::string key;
  /// The target stands for a device; nobody has said it.
  bool isForDevice = false;
  /// Found in a store.
  bool isHit = false;
  /// The file that was written, or empty.
  std::string output;
};

struct CompileResult {
  /// Of the bytes that were compiled.
  ::fly::support::Digest input;
  /// A row for each unit that succeeded.
  std::vector<UnitOutcome> outcomes;
  /// Units that failed.
  uint64_t failed = 0;
  /// What was read besides the input and the stores.
  FileReads reads;
  /// Files of the declared inputs, which join the key.
  std::vector<std::string> inputs;
};

/// Compiles. Everything that is said to people goes to `messages`.
int runCompile(const CompileRequest &request, const KeyEnvironment &environment,
               llvm::raw_ostream &messages, CompileResult *result = nullptr);

/// The same with the files and variables of this process.
int runCompile(const CompileRequest &request, llvm::raw_ostream &messages);

/// The exit status that stands for the code of an error (`S001`, `T002`).
int exitStatusOf(llvm::StringRef code);

} // namespace mlir::fly

#endif // FLY_DRIVER_DRIVER_H
