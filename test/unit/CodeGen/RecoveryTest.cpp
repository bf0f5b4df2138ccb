// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of runRecovering: a fatal error of LLVM comes back as text, leaves the
// process usable, and touches neither another thread nor an outer call.

#include "fly/CodeGen/Recovery.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using mlir::fly::runRecovering;

TEST(Recovery, workThatEndsIsSuccess) {
  int steps = 0;
  std::string reason = "untouched";
  EXPECT_TRUE(runRecovering([&] { ++steps; }, reason));
  EXPECT_EQ(steps, 1);
  EXPECT_EQ(reason, "untouched");
}

TEST(Recovery, fatalErrorBecomesItsText) {
  volatile bool after = false;
  std::string reason;
  EXPECT_FALSE(runRecovering(
      [&] {
        llvm::report_fatal_error("cannot select this");
        after = true;
      },
      reason));
  EXPECT_FALSE(after);
  EXPECT_EQ(reason, "cannot select this");
}

/// LLVM leaves with exit(1) instead of abort() where it blames the user.
TEST(Recovery, usageErrorBecomesItsText) {
  std::string reason;
  EXPECT_FALSE(runRecovering(
      [] { llvm::report_fatal_error("bad option", /*gen_crash_diag=*/false); },
      reason));
  EXPECT_EQ(reason, "bad option");
}

TEST(Recovery, signalNamesItsNumber) {
  std::string reason;
  EXPECT_FALSE(runRecovering([] { abort(); }, reason));
  EXPECT_EQ(reason, "it crashed with signal 6");
}

TEST(Recovery, exitNamesItsStatus) {
  std::string reason;
  EXPECT_FALSE(runRecovering(
      [] { llvm::CrashRecoveryContext::GetCurrent()->HandleExit(7); }, reason));
  EXPECT_EQ(reason, "it gave up with status 7");
}

TEST(Recovery, innerFailureLeavesOuterWorkRunning) {
  std::string inner, outer;
  bool innerFinished = true, reachedEnd = false;
  EXPECT_TRUE(runRecovering(
      [&] {
        innerFinished =
            runRecovering([] { llvm::report_fatal_error("inner"); }, inner);
        reachedEnd = true;
      },
      outer));
  EXPECT_FALSE(innerFinished);
  EXPECT_TRUE(reachedEnd);
  EXPECT_EQ(inner, "inner");

  EXPECT_FALSE(runRecovering(
      [&] {
        runRecovering([] {}, inner);
        llvm::report_fatal_error("outer");
      },
      outer));
  EXPECT_EQ(outer, "outer");
}

TEST(Recovery, eachThreadGetsItsOwnText) {
  constexpr unsigned threadCount = 8, rounds = 50;
  std::vector<std::thread> threads;
  std::vector<unsigned> wrong(threadCount, 0);
  for (unsigned t = 0; t < threadCount; ++t)
    threads.emplace_back([t, &wrong] {
      for (unsigned i = 0; i < rounds; ++i) {
        std::string text = std::to_string(t) + "/" + std::to_string(i), reason;
        bool fails = (t + i) % 2;
        bool finished = runRecovering(
            [&] {
              if (fails)
                llvm::report_fatal_error(llvm::StringRef(text));
            },
            reason);
        if (finished == fails || reason != (fails ? text : ""))
          ++wrong[t];
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<unsigned>(threadCount, 0));
}
