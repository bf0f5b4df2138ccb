// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the registered benchmarks and keeps their numbers, and prints targets.

#include "Bench.h"

#include "benchmark/benchmark.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace flybench;

namespace {
/// Google Benchmark's table, with the numbers kept.
class KeepingReporter : public benchmark::ConsoleReporter {
public:
  KeepingReporter() : ConsoleReporter(OO_Tabular) {}
  void ReportRuns(const std::vector<Run> &runs) override {
    // The median is all that --benchmark_report_aggregates_only tells; beside
    // the runs that it is the median of, it changes nothing.
    for (const Run &run : runs)
      if (!run.error_occurred &&
          (run.run_type == Run::RT_Iteration || run.aggregate_name == "median"))
        seconds[run.run_name.function_name].push_back(run.cpu_accumulated_time /
                                                      double(run.iterations));
    ConsoleReporter::ReportRuns(runs);
  }
  std::map<std::string, std::vector<double>> seconds;
};
} // namespace

Results flybench::runRegistered() {
  KeepingReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  Results results;
  for (auto &[name, seconds] : reporter.seconds) {
    std::sort(seconds.begin(), seconds.end());
    results[name].seconds = seconds[seconds.size() / 2];
  }
  return results;
}

int flybench::judge(llvm::StringRef subject, const Results &results,
                    const std::vector<Target> &targets) {
  // Who asks for a number that is not there leaves a zero.
  if (llvm::none_of(results, [](const auto &entry) {
        return entry.second.seconds > 0;
      })) {
    llvm::errs() << "error: nothing was measured; expected a "
                    "--benchmark_filter that leaves benchmarks of "
                 << subject << "\n";
    return 2;
  }
  bool allMet = true;
#ifndef NDEBUG
  llvm::outs() << "note: this build has asserts; the targets are those of the "
                  "preset release\n";
#endif
  llvm::outs() << "result  measured  target           of\n";
  for (const Target &target : targets) {
    llvm::outs() << (target.isMet() ? "met     " : "MISSED  ")
                 << llvm::format("%8.2f", target.measured)
                 << (target.atLeast ? "  at least " : "  at most  ")
                 << llvm::format("%-5.2f", target.limit) << "  " << target.what
                 << "\n";
    allMet &= target.isMet();
  }
  llvm::outs() << subject << ": "
               << llvm::count_if(targets,
                                 [](const Target &t) { return t.isMet(); })
               << " of " << targets.size() << " targets met\n";
  return allMet ? 0 : 1;
}
