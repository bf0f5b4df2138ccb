// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many compiles at once. Requests go in, the outcome of each comes out, and a
// line for each as it ends. Every compile runs in a process of its own, since
// lld and LLVM's options are process-wide. The laws: what one compile does, a
// crash included, never touches another; the outcome does not depend on the
// number of workers; the calling process must have one thread only.
//
//   BatchReport report = runBatch(jobs, {/*workers=*/8}, llvm::errs());
//   return report.status;

#ifndef FLY_DRIVER_BATCH_H
#define FLY_DRIVER_BATCH_H

#include "fly/Driver/Driver.h"

namespace mlir::fly {

struct BatchJob {
  /// For people: "gemm/bf16 for gfx942", "k.mlir".
  std::string title;
  CompileRequest request;
};

struct BatchOptions {
  /// 0: as many as there are processors.
  unsigned workers = 0;
  /// Leaves out the lines of jobs that succeed.
  bool quiet = false;
};

struct BatchFailure {
  std::string title;
  int status;
};

struct BatchReport {
  /// Units, not jobs; a job that failed before its units were known counts as
  /// one that failed.
  uint64_t hits = 0;
  uint64_t compiled = 0;
  uint64_t failed = 0;
  /// In the order of the jobs.
  std::vector<BatchFailure> failures;
  /// Success, the status that all failures share, or `ExitRefused`.
  int status = ExitSuccess;

  /// `12 compiled, 3 from the store, 1 failed`, then a line for each failure.
  std::string text() const;
};

BatchReport runBatch(ArrayRef<BatchJob> jobs, const KeyEnvironment &environment,
                     const BatchOptions &options, llvm::raw_ostream &messages);

/// Whether every job writes files, and publishes units, of its own. Compiles
/// nothing; two jobs that would write one file or name one unit are said in
/// `messages`, and `ExitConflict` is answered. A job that fails says why when
/// it is run.
int expectDistinctOutputs(ArrayRef<BatchJob> jobs,
                          const KeyEnvironment &environment,
                          const BatchOptions &options,
                          llvm::raw_ostream &messages);

/// The jobs of a plan (schema fly-plan/1, `Store/Plan.h`), one for each unit
/// and target of the shard.
struct AotRequest {
  /// The path of the plan; paths in it are relative to it.
  std::string planPath;
  unsigned shard = 0;
  unsigned shards = 1;
  /// Stores, strictness and so on of every job.
  CompileRequest base;
};

/// Fails with a sentence for a plan that cannot be read or says something that
/// is not understood; then nothing is compiled.
llvm::Expected<std::vector<BatchJob>> planJobs(const AotRequest &request);

} // namespace mlir::fly

#endif // FLY_DRIVER_BATCH_H
