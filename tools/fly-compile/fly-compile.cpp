// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-compile: an MLIR file with one kernel module goes in, a code object for
// one GPU comes out. This file is the command line; the work is Driver.h.
//
//   fly-compile vector_add.mlir --target=gfx942 -o vector_add.hsaco
//
// Exit statuses: 0 done, 1 the input was refused or the compile failed, 2 usage
// or a file that cannot be read or written, 6 the target was not resolved.

#include "fly/Driver/Driver.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

namespace cl = llvm::cl;
using namespace mlir::fly;

static constexpr char overview[] = R"(compiles one gpu.module into a code object

EXAMPLE: fly-compile vector_add.mlir --target=gfx942 -o vector_add.hsaco

  The target is said by --target, by the input (fly.target, #rocdl.target), or
  by FLY_TARGET, FLYDSL_GPU_ARCH or ARCH; else it is the GPU of this machine.
  There is no default. The key depends on the resolved target, never on how it
  was said.

EXIT STATUS: 0 done, 1 refused or failed, 2 usage or unreadable, 6 no target
)";

static cl::OptionCategory category("Options of fly-compile");

static cl::opt<std::string> inputPath(cl::Positional, cl::desc("<input, or ->"),
                                      cl::Required, cl::cat(category));
static cl::opt<std::string>
    outputPath("o",
               cl::desc("Output; - is standard output, the default for "
                        "text. A code object needs a file"),
               cl::value_desc("file"), cl::cat(category));
static cl::opt<EmitKind> emitKind(
    "emit", cl::desc("What to write"), cl::init(EmitKind::Object),
    cl::values(clEnumValN(EmitKind::Object, "obj", "code object (default)"),
               clEnumValN(EmitKind::Assembly, "asm", "assembly"),
               clEnumValN(EmitKind::LLVMIR, "llvm", "optimised LLVM IR"),
               clEnumValN(EmitKind::MLIR, "mlir", "lowered MLIR"),
               clEnumValN(EmitKind::Key, "key", "the key; compile nothing")),
    cl::cat(category));
static cl::opt<std::string>
    target("target",
           cl::desc("The GPU, in any spelling: gfx942:xnack-, "
                    "gfx9-4-generic, 9.4.2"),
           cl::value_desc("name"), cl::cat(category));
static cl::opt<unsigned> optLevel("O", cl::desc("Optimisation level, 0 to 3"),
                                  cl::Prefix, cl::value_desc("level"),
                                  cl::cat(category));
static cl::opt<::fly::amdgpu::ConflictPolicy> onConflict(
    "on-conflict", cl::desc("When explicit sources of the target disagree"),
    cl::values(clEnumValN(::fly::amdgpu::ConflictPolicy::Error, "error",
                          "refuse, and list them (default)"),
               clEnumValN(::fly::amdgpu::ConflictPolicy::Override, "override",
                          "take the strongest")),
    cl::init(::fly::amdgpu::ConflictPolicy::Error), cl::cat(category));
static cl::opt<unsigned> wave("wave", cl::desc("Lanes of a wave: 32 or 64"),
                              cl::value_desc("lanes"), cl::cat(category));
static cl::opt<bool> cumode("cumode",
                            cl::desc("Compute-unit mode of the workgroup"),
                            cl::cat(category));
static cl::opt<unsigned> abi("abi", cl::desc("Code-object version: 500, 600"),
                             cl::value_desc("version"), cl::cat(category));
static cl::opt<std::string>
    deviceName("device-name", cl::desc("gcnArchName of the device to run on"),
               cl::value_desc("name"), cl::cat(category));
static cl::opt<std::string>
    deviceLibraries("device-libs",
                    cl::desc("Folder of the device libraries, or a ROCm root"),
                    cl::value_desc("folder"), cl::cat(category));
static cl::list<std::string>
    hints("hint",
          cl::desc("waves_per_eu=N, maxnreg=N, fast_fp_math=B, "
                   "unsafe_fp_math=B"),
          cl::value_desc("name=value"), cl::cat(category));
static cl::list<std::string>
    linkFiles("link", cl::desc("Bitcode file to link, in order"),
              cl::value_desc("file"), cl::cat(category));
static cl::opt<DebugKind>
    debugKind("debug-info", cl::desc("Debug information"),
              cl::init(DebugKind::None),
              cl::values(clEnumValN(DebugKind::None, "none", "none (default)"),
                         clEnumValN(DebugKind::Lines, "lines", "line tables"),
                         clEnumValN(DebugKind::Full, "full", "all")),
              cl::cat(category));
static cl::opt<bool> explain("explain",
                             cl::desc("Say where the target came from and what "
                                      "the key is made of"),
                             cl::cat(category));
static cl::opt<bool> quiet("q", cl::desc("Do not say key and target"),
                           cl::cat(category));

/// The request that the options make.
static CompileRequest makeRequest() {
  CompileRequest request;
  request.inputPath = inputPath;
  request.outputPath = outputPath.empty() ? "-" : outputPath.getValue();
  request.emit = emitKind;
  request.explain = explain;
  request.quiet = quiet;
  CompileOptions &options = request.options;
  options.resolve.target = target;
  options.resolve.optionName = "--target=";
  options.resolve.deviceName = deviceName;
  options.resolve.onConflict = onConflict;
  if (wave.getNumOccurrences())
    options.resolve.wave = wave;
  if (cumode.getNumOccurrences())
    options.resolve.cumode = cumode;
  if (abi.getNumOccurrences())
    options.resolve.abi = abi;
  if (optLevel.getNumOccurrences())
    options.optLevel = optLevel;
  if (debugKind.getNumOccurrences())
    options.debug = debugKind;
  options.hints = hints;
  options.link = linkFiles;
  options.deviceLibraries = deviceLibraries;
  return request;
}

/// The name of an option of LLVM itself that was given, or empty. Such options
/// change the code that is generated and are not part of the key.
static llvm::StringRef foreignOption() {
  for (const auto &[name, option] : cl::getRegisteredOptions())
    if (option->getNumOccurrences() &&
        !llvm::is_contained(option->Categories, &category))
      return name;
  return "";
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "Fly for LLVM version " << FLY_VERSION << "\n";
  });
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return ExitUsage;
  if (llvm::StringRef name = foreignOption(); !name.empty()) {
    llvm::errs() << "error: option '" << name
                 << "' is not one of fly-compile; see --help\n";
    return ExitUsage;
  }
  if (emitKind == EmitKind::Object && outputPath.empty()) {
    llvm::errs() << "error: a code object needs an output file; expected "
                    "'-o FILE' ('-o -' is standard output)\n";
    return ExitUsage;
  }
  return runCompile(makeRequest(), llvm::errs());
}
