// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs jobs in forked processes. A child compiles one job and sends its status,
// its messages and its outcomes as JSON through a pipe; the parent reads all
// pipes and prints what came as soon as a child has ended.

#include "fly/Driver/Batch.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <cerrno>
#include <map>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlir;
using namespace mlir::fly;
namespace json = llvm::json;

namespace {
/// What a child answered.
struct Answer {
  int status = ExitRefused;
  std::string text;
  std::vector<UnitOutcome> outcomes;
  uint64_t failed = 0;
};

/// A child that runs.
struct Child {
  pid_t process;
  int pipe;
  size_t job;
  std::string received;
};

/// One run of a batch.
struct Batch {
  ArrayRef<BatchJob> jobs;
  const KeyEnvironment &environment;
  const BatchOptions &options;
  llvm::raw_ostream &messages;
  std::vector<Child> children;
  std::vector<int> statuses;
  /// Which job wrote a file.
  std::map<std::string, size_t> outputs;
  /// What each job has answered.
  std::vector<std::vector<UnitOutcome>> outcomes;
  BatchReport report;
  size_t done = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

static std::string answerText(const Answer &answer) {
  json::Array outcomes;
  for (const UnitOutcome &outcome : answer.outcomes)
    outcomes.push_back(json::Object{{"unit", json::fixUTF8(outcome.unit)},
                                    {"target", outcome.target},
                                    {"key", outcome.key},
                                    {"hit", outcome.isHit},
                                    {"output", json::fixUTF8(outcome.output)}});
  std::string text;
  llvm::raw_string_ostream os(text);
  os << json::Value(json::Object{{"status", answer.status},
                                 {"text", json::fixUTF8(answer.text)},
                                 {"failed", answer.failed},
                                 {"outcomes", std::move(outcomes)}});
  return text;
}

static void writeAll(int file, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return;
    bytes = bytes.drop_front(written);
  }
}

[[noreturn]] static void runChild(const Batch &batch, size_t job, int pipe) {
  Answer answer;
  llvm::raw_string_ostream messages(answer.text);
  CompileResult result;
  answer.status =
      runCompile(batch.jobs[job].request, batch.environment, messages, &result);
  answer.outcomes = std::move(result.outcomes);
  answer.failed = result.failed;
  writeAll(pipe, answerText(answer));
  // Nothing of the parent's may be flushed or torn down a second time.
  ::_exit(0);
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

static std::optional<Answer> readAnswer(StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const json::Object *object = value->getAsObject();
  std::optional<int64_t> status =
      object ? object->getInteger("status") : std::nullopt;
  const json::Array *outcomes = object ? object->getArray("outcomes") : nullptr;
  if (!status || !outcomes)
    return std::nullopt;
  Answer answer;
  answer.status = int(*status);
  answer.text = object->getString("text").value_or("").str();
  answer.failed = object->getInteger("failed").value_or(0);
  for (const json::Value &item : *outcomes) {
    const json::Object *row = item.getAsObject();
    if (!row)
      return std::nullopt;
    auto text = [&](StringRef name) {
      return row->getString(name).value_or("").str();
    };
    answer.outcomes.push_back({text("unit"), text("target"), text("key"),
                               /*isForDevice=*/false,
                               row->getBoolean("hit").value_or(false),
                               text("output")});
  }
  return answer;
}

/// The answer of a child that has closed its pipe.
static Answer takeAnswer(const Child &child) {
  int state = 0;
  while (::waitpid(child.process, &state, 0) < 0 && errno == EINTR) {
  }
  if (std::optional<Answer> answer = readAnswer(child.received))
    return *answer;
  Answer answer;
  answer.text = "error: the process that compiled this ended ";
  if (WIFSIGNALED(state))
    answer.text += "with signal " + std::to_string(WTERMSIG(state)) + "\n";
  else
    answer.text +=
        "with status " + std::to_string(WEXITSTATUS(state)) + ", no answer\n";
  return answer;
}

/// A file that another job has written: the job has failed, and nothing of it
/// counts as made.
static void checkOutputs(Batch &batch, size_t job, Answer &answer) {
  std::string clashes;
  for (const UnitOutcome &outcome : answer.outcomes) {
    if (outcome.output.empty())
      continue;
    auto [place, isNew] = batch.outputs.try_emplace(outcome.output, job);
    if (!isNew && place->second != job)
      clashes += "error: '" + outcome.output + "' is the output of " +
                 batch.jobs[place->second].title + " as well\n";
  }
  if (!clashes.empty())
    answer = {ExitConflict, clashes, {}, answer.outcomes.size()};
}

static void settle(Batch &batch, size_t job, Answer answer) {
  if (!batch.jobs[job].request.namesOnly)
    checkOutputs(batch, job, answer);
  ++batch.done;
  batch.statuses[job] = answer.status;
  for (const UnitOutcome &outcome : answer.outcomes)
    ++(outcome.isHit ? batch.report.hits : batch.report.compiled);
  if (answer.status != ExitSuccess)
    batch.report.failed += std::max<uint64_t>(answer.failed, 1);
  batch.outcomes[job] = std::move(answer.outcomes);
  if (batch.options.quiet && answer.status == ExitSuccess)
    return;
  std::string progress = "[" + std::to_string(batch.done) + "/" +
                         std::to_string(batch.jobs.size()) + "] ";
  if (answer.status != ExitSuccess)
    batch.messages << progress << "failed: " << batch.jobs[job].title << "\n";
  else if (!answer.text.empty())
    batch.messages << progress;
  batch.messages << answer.text;
  batch.messages.flush();
}

/// Whether a call that failed with `code` may succeed when a child has ended.
static bool comesFree(int code) {
  return code == EMFILE || code == ENFILE || code == EAGAIN || code == ENOMEM;
}

/// What cannot be started has failed, unless there are children to wait for:
/// then false, and it is tried again.
static bool settleUnstarted(Batch &batch, size_t job, const char *what,
                            int code) {
  if (comesFree(code) && !batch.children.empty())
    return false;
  settle(batch, job,
         {ExitRefused,
          std::string("error: no ") + what +
              " for another compile: " + llvm::sys::StrError(code) + "\n",
          {},
          1});
  return true;
}

/// Starts `job`. False when there is nothing to start it with for now.
static bool start(Batch &batch, size_t job) {
  int ends[2];
  if (::pipe(ends))
    return settleUnstarted(batch, job, "pipe", errno);
  batch.messages.flush();
  pid_t process = ::fork();
  int code = errno;
  if (process == 0) {
    ::close(ends[0]);
    for (const Child &other : batch.children)
      ::close(other.pipe);
    runChild(batch, job, ends[1]);
  }
  ::close(ends[1]);
  if (process > 0) {
    batch.children.push_back({process, ends[0], job, ""});
    return true;
  }
  ::close(ends[0]);
  return settleUnstarted(batch, job, "process", code);
}

/// Waits until some child has sent something, and takes it.
static void receive(Batch &batch) {
  std::vector<pollfd> waits;
  for (const Child &child : batch.children)
    waits.push_back({child.pipe, POLLIN, 0});
  if (::poll(waits.data(), waits.size(), -1) < 0)
    return;
  // Backwards, since children that have ended are taken out.
  for (size_t i = waits.size(); i-- > 0;) {
    if (!waits[i].revents)
      continue;
    char buffer[65536];
    ssize_t count = ::read(waits[i].fd, buffer, sizeof(buffer));
    if (count > 0)
      batch.children[i].received.append(buffer, count);
    if (count > 0 || (count < 0 && errno == EINTR))
      continue;
    Child child = std::move(batch.children[i]);
    batch.children.erase(batch.children.begin() + i);
    ::close(child.pipe);
    settle(batch, child.job, takeAnswer(child));
  }
}

static void sumUp(Batch &batch) {
  for (auto [job, status] : llvm::enumerate(batch.statuses)) {
    if (status == ExitSuccess)
      continue;
    int &whole = batch.report.status;
    whole = batch.report.failures.empty() || whole == status ? status
                                                             : int(ExitRefused);
    batch.report.failures.push_back({batch.jobs[job].title, status});
  }
}

/// Runs all jobs of a fresh batch.
static void runAll(Batch &batch) {
  ArrayRef<BatchJob> jobs = batch.jobs;
  batch.statuses.assign(jobs.size(), ExitSuccess);
  batch.outcomes.resize(jobs.size());
  size_t workers = batch.options.workers ? batch.options.workers
                                         : std::thread::hardware_concurrency();
  workers = std::max<size_t>(workers, 1);
  size_t next = 0;
  while (next < jobs.size() || !batch.children.empty()) {
    while (next < jobs.size() && batch.children.size() < workers &&
           start(batch, next))
      ++next;
    if (!batch.children.empty())
      receive(batch);
  }
  sumUp(batch);
}

BatchReport mlir::fly::runBatch(ArrayRef<BatchJob> jobs,
                                const KeyEnvironment &environment,
                                const BatchOptions &options,
                                llvm::raw_ostream &messages) {
  Batch batch{jobs, environment, options, messages, {}, {}, {}, {}, {}};
  runAll(batch);
  return std::move(batch.report);
}

int mlir::fly::expectDistinctOutputs(ArrayRef<BatchJob> jobs,
                                     const KeyEnvironment &environment,
                                     const BatchOptions &options,
                                     llvm::raw_ostream &messages) {
  std::vector<BatchJob> named;
  for (const BatchJob &job : jobs) {
    // Pipes can be read once: their outputs are checked when they are made.
    if (!llvm::sys::fs::is_regular_file(job.request.inputPath))
      continue;
    named.push_back(job);
    named.back().request.namesOnly = true;
    named.back().request.stores.clear();
  }
  llvm::raw_null_ostream silent;
  Batch batch{named, environment, options, silent, {}, {}, {}, {}, {}};
  runAll(batch);
  std::map<std::string, size_t> writers;
  int status = ExitSuccess;
  for (auto [job, outcomes] : llvm::enumerate(batch.outcomes))
    for (const UnitOutcome &outcome : outcomes) {
      bool isFile = !outcome.output.empty();
      std::string what =
          isFile ? "'" + outcome.output + "'"
                 : "unit '" + outcome.unit + "' for '" + outcome.target + "'";
      auto [place, isNew] = writers.try_emplace(what, job);
      if (isNew || place->second == job)
        continue;
      status = ExitConflict;
      messages << "error: " << what << " would be "
               << (isFile ? "the output of " : "published by ")
               << named[place->second].title << " and "
               << (isFile ? "of " : "by ") << named[job].title
               << "; rename one gpu.module, or use a "
               << (isFile ? "folder" : "store") << " for each\n";
    }
  return status;
}

std::string BatchReport::text() const {
  std::string text = std::to_string(compiled) + " compiled, " +
                     std::to_string(hits) + " from the store, " +
                     std::to_string(failed) + " failed\n";
  for (const BatchFailure &failure : failures)
    text += "  failed: " + failure.title + " (status " +
            std::to_string(failure.status) + ")\n";
  return text;
}
