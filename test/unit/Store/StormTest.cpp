// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// P10: writers, readers and collectors in threads and in processes that are
// killed at random points. Readers get nothing or verified bytes; nothing that
// stays published is lost; afterwards the audit is clean and no staging file is
// left beyond the time of grace.

#include "Fixture.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace fly::store;
using llvm::StringRef;

static std::vector<Entry> makeEntries(unsigned count) {
  std::vector<Entry> entries;
  for (unsigned i = 0; i < count; ++i)
    entries.push_back(makeEntry(i % 3 ? "gfx942" : "gfx1201",
                                {"k" + std::to_string(i % 4)}, i));
  return entries;
}

/// Writes, reads and collects until `end`. Answers what went wrong.
static std::string act(StringRef path, const std::vector<Entry> &entries,
                       unsigned seed, bool collects,
                       std::chrono::steady_clock::time_point end) {
  Store store = openStore(path);
  std::mt19937 random(seed);
  while (std::chrono::steady_clock::now() < end) {
    const Entry &entry = entries[random() % entries.size()];
    unsigned choice = random() % 8;
    if (choice < 3) {
      auto done = store.publish(entry.manifest, entry.bytes,
                                {"u" + std::to_string(random() % 4)});
      if (!done)
        return "publish: " + llvm::toString(done.takeError());
      if (*done == Published::Conflict)
        return "conflict";
    } else if (choice == 3 && collects) {
      GcOptions options;
      options.maxEntries = entries.size() / 2;
      options.grace = 2;
      auto report = store.gc(options);
      if (!report)
        return "gc: " + llvm::toString(report.takeError());
    } else {
      auto found = store.lookUp(entry.key());
      if (!found)
        return "look-up: " + llvm::toString(found.takeError());
      if (*found && (*found)->bytes->getBuffer() != entry.bytes)
        return "wrong bytes";
    }
  }
  return "";
}

static void expectClean(StringRef path, bool all,
                        const std::vector<Entry> &entries) {
  Store store = openStore(path);
  AuditReport report = store.audit().get();
  for (const std::string &problem : report.problems)
    ADD_FAILURE() << problem;
  GcOptions options;
  options.grace = 0;
  (void)store.gc(options).get();
  EXPECT_TRUE(store.files().list("tmp").get().empty());
  EXPECT_EQ(store.audit().get().unreferenced, 0u);
  if (!all)
    return;
  for (const Entry &entry : entries)
    publish(store, entry);
  EXPECT_EQ(store.keys().get().size(), entries.size());
}

TEST(Storm, threads) {
  TemporaryFolder folder;
  std::vector<Entry> entries = makeEntries(24);
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
  std::vector<std::thread> threads;
  std::vector<std::string> problems(6);
  for (unsigned i = 0; i < problems.size(); ++i)
    threads.emplace_back([&, i] {
      problems[i] = act(folder.path("s"), entries, i, i < 2, end);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &problem : problems)
    EXPECT_EQ(problem, "");
  expectClean(folder.path("s"), /*all=*/true, entries);
}

TEST(Storm, processesThatAreKilled) {
  TemporaryFolder folder;
  std::vector<Entry> entries = makeEntries(16);
  openStore(folder.path("s"));
  std::mt19937 random(7);
  unsigned killed = 0;
  for (unsigned round = 0; round < 12; ++round) {
    std::vector<pid_t> children;
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (unsigned i = 0; i < 6; ++i) {
      pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        std::string problem =
            act(folder.path("s"), entries, 100 * round + i, i == 0, end);
        fprintf(stderr, "%s\n", problem.c_str());
        _exit(problem.empty() ? 0 : 1);
      }
      children.push_back(child);
    }
    for (pid_t child : children) {
      std::this_thread::sleep_for(
          std::chrono::microseconds(2000 + random() % 20000));
      kill(child, SIGKILL);
      int status = 0;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      EXPECT_FALSE(WIFEXITED(status)) << "ended with a problem";
      killed += WIFSIGNALED(status);
    }
    Store store = openStore(folder.path("s"));
    for (const Entry &entry : entries) {
      auto found = store.lookUp(entry.key());
      ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
      if (*found)
        EXPECT_EQ((*found)->bytes->getBuffer(), entry.bytes);
    }
  }
  EXPECT_EQ(killed, 72u);
  expectClean(folder.path("s"), /*all=*/true, entries);
}

/// What was published and not collected is there, whoever died meanwhile.
TEST(Storm, publishedEntriesStay) {
  TemporaryFolder folder;
  std::vector<Entry> entries = makeEntries(32);
  openStore(folder.path("s"));
  std::mt19937 random(11);
  for (unsigned i = 0; i < entries.size(); ++i) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Store store = openStore(folder.path("s"));
      while (true)
        publish(store, entries[random() % entries.size()]);
    }
    Store store = openStore(folder.path("s"));
    publish(store, entries[i]);
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    for (unsigned j = 0; j <= i; ++j)
      EXPECT_TRUE(store.lookUp(entries[j].key()).get().has_value());
  }
}
