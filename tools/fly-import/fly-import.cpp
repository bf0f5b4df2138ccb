// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-import: IR that a newer MLIR printed goes in, the same IR as 22.1 reads
// it comes out. This file is the command line; the rules are in lib/Import.
//
//   fly-import dumped.mlir -o kernel.mlir

#include "fly/Import/Respell.h"
#include "fly/Support/Files.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

static cl::OptionCategory category("Options of fly-import");
static cl::opt<std::string> inputPath(cl::Positional, cl::desc("<file>"),
                                      cl::init("-"), cl::cat(category));
static cl::opt<std::string> outputPath("o",
                                       cl::desc("Output; - is standard "
                                                "output, the default"),
                                       cl::init("-"), cl::value_desc("file"),
                                       cl::cat(category));

static cl::extrahelp
    help("\nRespells IR that a newer MLIR printed, so that MLIR 22.1 reads it;"
         "\nall else stays as it is. Exit status: 0 done, 1 something cannot be"
         "\nrespelt, 2 a file cannot be read or written.\n");

/// The largest text that is read.
static constexpr uint64_t inputLimit = uint64_t(1) << 30;

static int run() {
  llvm::Expected<std::string> text =
      fly::support::readStream(inputPath, inputLimit);
  if (!text) {
    llvm::errs() << inputPath << ": error: " << llvm::toString(text.takeError())
                 << "\n";
    return 2;
  }
  std::vector<fly::import::Refusal> refusals;
  std::string respelt = fly::import::respell(*text, refusals);
  for (const fly::import::Refusal &refusal : refusals)
    llvm::errs() << inputPath << ":" << refusal.line << ":" << refusal.column
                 << ": error: " << refusal.message << "\n";
  if (!refusals.empty())
    return 1;
  if (llvm::Error error = fly::support::writeFile(
          outputPath, [&](llvm::raw_ostream &os) -> llvm::Error {
            os << respelt;
            return llvm::Error::success();
          })) {
    llvm::errs() << outputPath
                 << ": error: " << llvm::toString(std::move(error)) << "\n";
    return 2;
  }
  return 0;
}

int main(int argc, char **argv) {
  fly::support::occupyStandardFiles();
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, "", &llvm::errs()))
    return 2;
  return fly::support::forgetUnwrittenMessages(run());
}
