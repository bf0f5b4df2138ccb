// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-bench: how long things take, on Google Benchmark. A subject goes in, its
// table and targets come out; the exit status is 1 when a target is missed.
// Options of Google Benchmark follow the subject. The subject `isa` measures
// code instead of time, and has arguments of its own.
//
//   fly-bench dialect --benchmark_repetitions=5
//   fly-bench isa test/Kernels

#include "Bench.h"

#include "benchmark/benchmark.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace {
struct Subject {
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
  int (*run)();
};

const Subject subjects[] = {
    {"dialect", "parse, verify, fold and print IR of the algebra",
     flybench::runDialect},
    {"key", "derive keys, resolve targets, identify the toolchain",
     flybench::runKeys},
    {"passes", "each Fly pass on long chains of each kind of op",
     flybench::runPasses},
    {"store", "look-ups, and whole processes that serve a hit",
     flybench::runStore},
};
} // namespace

static void printHelp(llvm::raw_ostream &os) {
  os << "usage: fly-bench SUBJECT [options of Google Benchmark]\n\nsubjects:\n";
  for (const Subject &subject : subjects)
    os << "  " << llvm::left_justify(subject.name, 10) << subject.summary
       << "\n";
  os << "\nand the code of kernels: fly-bench isa FOLDER [--compare TABLE]\n";
  os << "\nexample: fly-bench dialect --benchmark_repetitions=5\n";
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  llvm::StringRef word = argc > 1 ? argv[1] : "";
  if (word == "--help" || word == "-h") {
    printHelp(llvm::outs());
    return 0;
  }
  if (word == "isa")
    return flybench::runIsa(
        llvm::ArrayRef<const char *>(argv, argc).drop_front(2));
  const Subject *subject =
      llvm::find_if(subjects, [&](const Subject &s) { return s.name == word; });
  if (subject == std::end(subjects)) {
    llvm::errs() << "error: expected a subject, found '" << word << "'\n";
    printHelp(llvm::errs());
    return 2;
  }
  // What follows the subject is Google Benchmark's.
  std::vector<char *> rest{argv[0]};
  rest.insert(rest.end(), argv + 2, argv + argc);
  int count = static_cast<int>(rest.size());
  rest.push_back(nullptr);
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data()))
    return 2;
  return subject->run();
}
