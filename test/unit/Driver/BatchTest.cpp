// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches: whatever happens to one job, the others end as they would alone; the
// number of workers changes nothing but time.

#include "Fixture.h"

#include <csignal>
#include <map>
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::fly;
using ::fly::store::Mode;
using ::fly::support::Environment;

namespace {
/// Dies when a file of the name `fatal.bc` is read, as a compiler with a fault
/// might.
class DyingEnvironment : public KeyEnvironment {
public:
  using KeyEnvironment::KeyEnvironment;

  llvm::Expected<std::string> readFile(StringRef path) const override {
    if (path.ends_with("killed.bc"))
      ::kill(::getpid(), SIGKILL);
    if (path.ends_with("exits.bc"))
      ::_exit(7);
    return KeyEnvironment::readFile(path);
  }
};
} // namespace

static BatchJob jobFor(const WorkFolder &folder, StringRef kernel,
                       StringRef store) {
  BatchJob job;
  job.title = kernel.str();
  job.request.inputPath = folder.writeKernel(kernel);
  job.request.outputPath = "";
  job.request.options.resolve.target = "gfx942";
  job.request.unitName = "unit/" + kernel.str();
  job.request.stores = {{folder.path(store), Mode::ReadWrite}};
  return job;
}

TEST(Batch, jobsThatDieLoseNoOthers) {
  WorkFolder folder;
  std::vector<BatchJob> jobs;
  for (StringRef kernel : {"a", "b", "c", "d", "e"})
    jobs.push_back(jobFor(folder, kernel, "s"));
  jobs[1].request.options.link = {"killed.bc"};
  jobs[3].request.options.link = {"exits.bc"};
  DyingEnvironment environment{Environment()};
  std::string said;
  llvm::raw_string_ostream os(said);
  BatchReport report = runBatch(jobs, environment, {2, false}, os);
  EXPECT_EQ(report.compiled, 3u) << said;
  EXPECT_EQ(report.status, ExitRefused);
  ASSERT_EQ(report.failures.size(), 2u);
  EXPECT_EQ(report.failures[0].title, "b");
  EXPECT_EQ(report.failures[1].title, "d");
  EXPECT_NE(
      said.find("error: the process that compiled this ended with signal 9\n"),
      std::string::npos)
      << said;
  EXPECT_NE(said.find("error: the process that compiled this ended with status "
                      "7, no answer\n"),
            std::string::npos)
      << said;
}

/// A process that may open no more files starts no job, and says why.
TEST(Batch, withoutAPipeNothingStarts) {
  WorkFolder folder;
  std::vector<BatchJob> jobs = {jobFor(folder, "a", "s")};
  KeyEnvironment environment{Environment()};
  std::string said;
  llvm::raw_string_ostream os(said);
  rlimit before, none;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  none = before;
  none.rlim_cur = 0;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  BatchReport report = runBatch(jobs, environment, {1, false}, os);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(report.status, ExitRefused);
  EXPECT_NE(
      said.find("error: no pipe for another compile: Too many open files\n"),
      std::string::npos)
      << said;
}

/// Path and content of every file of a store, but for its notes.
static std::map<std::string, std::string> treeOf(StringRef root) {
  std::map<std::string, std::string> files;
  std::error_code code;
  for (llvm::sys::fs::recursive_directory_iterator it(root, code), end;
       !code && it != end; it.increment(code)) {
    if (it->type() != llvm::sys::fs::file_type::regular_file)
      continue;
    std::string path = StringRef(it->path()).drop_front(root.size()).str();
    if (StringRef(path).starts_with("/meta/"))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    files[path] = buffer ? (*buffer)->getBuffer().str() : "unreadable";
  }
  return files;
}

/// P13: the store does not depend on the number of workers, the order, or how
/// the work is cut into processes.
TEST(Batch, storesAreEqualHoweverTheyAreBuilt) {
  WorkFolder folder;
  std::vector<std::map<std::string, std::string>> trees;
  KeyEnvironment environment{Environment()};
  for (unsigned workers : {1u, 4u}) {
    std::string store = "s" + std::to_string(workers);
    std::vector<BatchJob> jobs;
    for (StringRef kernel : {"a", "b", "c", "d"})
      for (StringRef target : {"gfx942", "gfx1100"}) {
        jobs.push_back(jobFor(folder, kernel, store));
        jobs.back().request.options.resolve.target = target.str();
      }
    if (workers == 4)
      std::reverse(jobs.begin(), jobs.end());
    std::string said;
    llvm::raw_string_ostream os(said);
    BatchReport report = runBatch(jobs, environment, {workers, true}, os);
    EXPECT_EQ(report.compiled, jobs.size()) << said;
    trees.push_back(treeOf(folder.path(store)));
  }
  // All targets in one process.
  for (StringRef kernel : {"d", "b", "a", "c"}) {
    CompileRequest request = jobFor(folder, kernel, "one").request;
    request.targets = {"gfx1100", "gfx942"};
    std::string said;
    llvm::raw_string_ostream os(said);
    EXPECT_EQ(runCompile(request, environment, os), ExitSuccess) << said;
  }
  trees.push_back(treeOf(folder.path("one")));
  EXPECT_GT(trees[0].size(), 16u);
  EXPECT_EQ(trees[0], trees[1]);
  EXPECT_EQ(trees[0], trees[2]);
}

/// Many processes that want one key at once: it is compiled a few times at
/// most, and all get it.
TEST(Batch, oneKeyIsCompiledOnce) {
  WorkFolder folder;
  std::vector<BatchJob> jobs(24, jobFor(folder, "a", "s"));
  KeyEnvironment environment{Environment()};
  std::string said;
  llvm::raw_string_ostream os(said);
  BatchReport report = runBatch(jobs, environment, {24, true}, os);
  EXPECT_EQ(report.status, ExitSuccess) << said;
  EXPECT_EQ(report.hits + report.compiled, jobs.size());
  EXPECT_LE(report.compiled, 3u);
}

/// What the store cannot take is still compiled and written.
TEST(Compile, aStoreThatFailsCostsNoResult) {
  WorkFolder folder;
  CompileRequest request = jobFor(folder, "a", "s").request;
  request.outputPath = folder.path("a.hsaco");
  KeyEnvironment environment{Environment()};
  std::string said;
  llvm::raw_string_ostream os(said);
  // A file stands where the folder of payloads has to be.
  folder.write("s/store.json",
               "{\"format\":\"fly-store/1\",\"hash\":\"blake3-256\"}\n");
  folder.write("s/objects", "");
  EXPECT_EQ(runCompile(request, environment, os), ExitSuccess) << said;
  EXPECT_TRUE(llvm::sys::fs::exists(request.outputPath));
  EXPECT_NE(said.find("not published"), std::string::npos) << said;
  EXPECT_NE(said.find("[FLY-S0"), std::string::npos) << said;
}
