// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the subjects of fly-bench share: a subject registers benchmarks with
// Google Benchmark, is run, and judges the numbers against its targets.
//
//   benchmark::RegisterBenchmark("parse/fly/1000", ...);
//   Results results = runRegistered();
//   results.at("parse/fly/1000").seconds

#ifndef FLY_TOOLS_FLYBENCH_BENCH_H
#define FLY_TOOLS_FLYBENCH_BENCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace flybench {

/// One benchmark: CPU seconds of one iteration (the median when it was
/// repeated).
struct Result {
  double seconds = 0;
};

/// By the name that the benchmark was registered with.
using Results = std::map<std::string, Result>;

/// Runs what is registered, prints Google Benchmark's table, answers the
/// numbers. Benchmarks that were filtered out have none.
Results runRegistered();

/// A target, and what was measured: met when `measured` is at least (or at
/// most) `limit`.
struct Target {
  std::string what;
  double measured;
  bool atLeast;
  double limit;
  bool isMet() const { return atLeast ? measured >= limit : measured <= limit; }
};

/// Prints one line for each target, and answers the exit status: 0 when all
/// are met, else 1.
/// Nothing was measured when there are no results: an error, status 2.
int judge(llvm::StringRef subject, const Results &results,
          const std::vector<Target> &targets);

/// `fly-bench dialect`: parse, verify, fold and print.
int runDialect();

/// `fly-bench isa FOLDER [--compare TABLE]`: the code of kernels; takes what
/// follows the subject and answers the exit status.
int runIsa(llvm::ArrayRef<const char *> arguments);

/// `fly-bench key`: derivation of keys, resolution, identity of the toolchain.
int runKeys();

/// `fly-bench passes`: each Fly pass, for each op, at two sizes.
int runPasses();

/// `fly-bench store`: look-ups, whole processes that serve a hit.
int runStore();

} // namespace flybench

#endif // FLY_TOOLS_FLYBENCH_BENCH_H
