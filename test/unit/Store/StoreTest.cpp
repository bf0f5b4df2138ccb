// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One store: what is published is found, and only that; modes; collection; the
// audit; and P13, that equal entries make equal trees.

#include "Fixture.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <random>
#include <sys/stat.h>
#include <thread>
#include <utime.h>

using namespace fly::store;
using llvm::StringRef;

static std::string openError(StringRef path, Mode mode) {
  llvm::Expected<Store> store = Store::open(path, {mode, {}, nullptr});
  return store ? "no error" : llvm::toString(store.takeError());
}

TEST(Store, servesWhatWasPublished) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  Entry entry = makeEntry("gfx942:xnack-", {"k"}, 1);
  Entry other = makeEntry("gfx942", {"k"}, 1);
  publish(store, entry, {"unit/a", "unit/b"});
  auto found = store.lookUp(entry.key());
  ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->bytes->getBuffer(), entry.bytes);
  EXPECT_EQ((*found)->manifest.kernels[0].name, "k");
  EXPECT_EQ((*found)->store, folder.path("s"));
  for (StringRef unit : {"unit/a", "unit/b"})
    EXPECT_EQ(store.unitKey(unit, targetOf("gfx942:xnack-")).get(),
              entry.key());
  EXPECT_FALSE(store.unitKey("unit/a", targetOf("gfx942")).get().has_value());
  EXPECT_FALSE(store.lookUp(other.key()).get().has_value());
  EXPECT_EQ(store.keysOfKernel("k").get().size(), 1u);
  expectAll(textOf(store.lookUp("fly1-../../x").takeError()), {"FLY-S003"});
}

TEST(Store, lastUnitWinsAndSecondPublicationIsPresent) {
  TemporaryFolder folder;
  std::vector<std::string> warnings;
  Store store = openStore(folder.path("s"), Mode::ReadWrite, &warnings);
  Entry first = makeEntry("gfx942", {"k"}, 1);
  Entry second = makeEntry("gfx942", {"k"}, 2);
  publish(store, first, {"u"});
  publish(store, second, {"u"});
  EXPECT_EQ(store.unitKey("u", targetOf("gfx942")).get(), second.key());
  EXPECT_EQ(store.publish(first.manifest, first.bytes, {}).get(),
            Published::Present);
  EXPECT_TRUE(warnings.empty());
  // Same key, other bytes.
  Entry twin = first;
  twin.bytes = second.bytes;
  twin.manifest.payload = second.manifest.payload;
  EXPECT_EQ(store.publish(twin.manifest, twin.bytes, {}).get(),
            Published::Conflict);
  ASSERT_EQ(warnings.size(), 1u);
  expectAll(warnings[0],
            {"key " + first.key() + " in store '" + folder.path("s") +
             "' has another payload: non-deterministic build, stored " +
             first.manifest.payload.hex() + ", new " +
             second.manifest.payload.hex() +
             "; the stored one stays [FLY-S007]"});
  EXPECT_EQ((*store.lookUp(first.key()).get()).bytes->getBuffer(), first.bytes);
}

TEST(Store, anEntryIsItsPayloadAndAtMostFourKiB) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  uint64_t before = 0, after = 0;
  for (const auto &[path, bytes] : snapshot(folder.path("s")))
    before += bytes == "folder" ? 0 : bytes.size();
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  publish(store, entry, {"some/unit"});
  for (const auto &[path, bytes] : snapshot(folder.path("s")))
    after += bytes == "folder" ? 0 : bytes.size();
  EXPECT_LE(after - before, entry.bytes.size() + 4096);
}

TEST(Store, modes) {
  TemporaryFolder folder;
  std::string path = folder.path("s");
  expectAll(openError(path, Mode::ReadOnly), {"cannot be opened", "FLY-S005"});
  publish(openStore(path), makeEntry("gfx942", {"k"}, 1));
  auto before = snapshot(path);
  Store reader = openStore(path, Mode::ReadOnly);
  EXPECT_TRUE(
      reader.lookUp(makeEntry("gfx942", {"k"}, 1).key()).get().has_value());
  Entry entry = makeEntry("gfx950", {"k"}, 1);
  expectAll(textOf(reader.publish(entry.manifest, entry.bytes, {}).takeError()),
            {"ro:", "FLY-S006"});
  expectAll(textOf(reader.gc({}).takeError()), {"FLY-S006"});
  EXPECT_FALSE(reader.quarantine(entry.key()));
  EXPECT_EQ(snapshot(path), before);
}

TEST(Store, refusesWhatIsNoStore) {
  TemporaryFolder folder;
  writeFile(folder.path("home/thesis.tex"), "x");
  expectAll(openError(folder.path("home"), Mode::ReadWrite),
            {"not a store", "'store.json' is missing", "FLY-S005"});
  EXPECT_FALSE(llvm::sys::fs::exists(folder.path("home/store.json")));
  ASSERT_FALSE(
      llvm::sys::fs::create_link(folder.path("nowhere"), folder.path("link")));
  expectAll(
      openError(folder.path("link"), Mode::ReadWrite),
      {"store '" + folder.path("link") +
       "' cannot be opened: it is a symbolic link to nothing [FLY-S005]"});
  auto withFormat = [&](StringRef text) {
    writeFile(folder.path("f/store.json"), text);
    return openError(folder.path("f"), Mode::Auto);
  };
  expectAll(withFormat("{\"format\":\"fly-store/2\",\"hash\":\"blake4\"}"),
            {"'fly-store/2'", "'fly-store/1'", "FLY-S005"});
  expectAll(withFormat("{\"format\":\"fly-store/1\",\"hash\":\"md5\"}"),
            {"FLY-S002", "blake3-256"});
  expectAll(withFormat(std::string(4000, '[')), {"FLY-S002"});
  expectAll(withFormat(std::string(5000, ' ')),
            {"is not a store: 'store.json' cannot be read: ", "FLY-S005"});
  EXPECT_EQ(
      withFormat("{\"format\":\"fly-store/1\",\"hash\":\"blake3-256\"}\n"),
      "no error");
}

/// P13: shuffled order and several writers give the same files.
TEST(Store, equalEntriesMakeEqualTrees) {
  std::vector<Entry> entries;
  for (unsigned i = 0; i < 40; ++i)
    entries.push_back(makeEntry(i % 2 ? "gfx942" : "gfx1100",
                                {"k" + std::to_string(i % 7), "x"}, i / 2));
  std::map<std::string, std::string> expected;
  for (unsigned round = 0; round < 6; ++round) {
    TemporaryFolder folder;
    std::vector<unsigned> order(entries.size());
    for (unsigned i = 0; i < order.size(); ++i)
      order[i] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(round));
    unsigned workers = round % 2 ? 4 : 1;
    std::vector<std::thread> threads;
    for (unsigned worker = 0; worker < workers; ++worker)
      threads.emplace_back([&, worker] {
        Store store = openStore(folder.path("s"));
        for (unsigned i = worker; i < order.size(); i += workers)
          publish(store, entries[order[i]],
                  {"unit" + std::to_string(order[i])});
        // Everything once more, from another end.
        for (unsigned i = worker; i < order.size(); i += workers)
          publish(store, entries[i], {"unit" + std::to_string(i)});
      });
    for (std::thread &thread : threads)
      thread.join();
    auto files = snapshot(folder.path("s"));
    if (round == 0)
      expected = files;
    EXPECT_GT(files.size(), 3 * entries.size());
    EXPECT_TRUE(files == expected) << "round " << round;
  }
}

static void age(const Store &store, StringRef key, int64_t seconds) {
  std::string path =
      (store.path() + "/index/" + key.substr(5, 2) + "/" + key + ".json").str();
  struct utimbuf times = {time(nullptr) - seconds, time(nullptr) - seconds};
  ASSERT_EQ(utime(path.c_str(), &times), 0);
}

TEST(Store, gcKeepsTheRecentThePinnedAndTheBounds) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  std::vector<Entry> entries;
  for (unsigned i = 0; i < 10; ++i) {
    entries.push_back(makeEntry("gfx942", {"k"}, i));
    publish(store, entries[i], {"u" + std::to_string(i)});
    age(store, entries[i].key(), 10000 - 100 * int64_t(i));
  }
  GcOptions options;
  options.maxEntries = 4;
  options.pins = {"u0", entries[1].key().substr(5, 20)};
  options.grace = 0;
  options.dryRun = true;
  auto before = snapshot(folder.path("s"));
  GcReport planned = store.gc(options).get();
  EXPECT_EQ(snapshot(folder.path("s")), before);
  options.dryRun = false;
  GcReport report = store.gc(options).get();
  EXPECT_EQ(planned.removed, report.removed);
  EXPECT_EQ(planned.removedBytes, report.removedBytes);
  ASSERT_EQ(report.removed.size(), 6u);
  EXPECT_EQ(report.removed[0], entries[2].key());
  EXPECT_EQ(report.keptEntries, 4u);
  for (unsigned i = 0; i < 10; ++i) {
    bool kept = i < 2 || i >= 8;
    EXPECT_EQ(store.lookUp(entries[i].key()).get().has_value(), kept) << i;
    EXPECT_EQ(store.unitKey("u" + std::to_string(i), targetOf("gfx942"))
                  .get()
                  .has_value(),
              kept);
  }
  AuditReport audit = store.audit().get();
  EXPECT_TRUE(audit.problems.empty());
  EXPECT_EQ(audit.entries, 4u);
  EXPECT_EQ(audit.unreferenced, 0u);
  // What is left is the store of the four, file by file; empty folders aside.
  TemporaryFolder fresh;
  Store four = openStore(fresh.path("s"));
  for (unsigned i : {0, 1, 8, 9})
    publish(four, entries[i], {"u" + std::to_string(i)});
  auto filesOnly = [](std::map<std::string, std::string> files) {
    for (auto it = files.begin(); it != files.end();)
      it = it->second == "folder" ? files.erase(it) : std::next(it);
    return files;
  };
  EXPECT_EQ(filesOnly(snapshot(folder.path("s"))),
            filesOnly(snapshot(fresh.path("s"))));
}

TEST(Store, gcByAgeAndBytesAndSharedPayloads) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  Entry a = makeEntry("gfx942", {"k"}, 1), b = a;
  b.manifest.key = makeKey(targetOf("gfx942"), 2);
  publish(store, a);
  publish(store, b);
  age(store, a.key(), 5000);
  GcOptions options;
  options.maxAge = 1000;
  options.grace = 0;
  EXPECT_EQ(store.gc(options).get().removed, std::vector<std::string>{a.key()});
  // The payload of both stays for the other.
  EXPECT_TRUE(store.lookUp(b.key()).get().has_value());
  options = {};
  options.maxBytes = 1;
  options.grace = 0;
  GcReport report = store.gc(options).get();
  EXPECT_EQ(report.keptBytes, 0u);
  EXPECT_GE(report.leftovers, 1u);
  EXPECT_FALSE(store.lookUp(b.key()).get().has_value());
}

TEST(Store, gcLeavesYoungLeftoversAlone) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  writeFile(folder.path("s/tmp/1-ab"), "staging");
  GcOptions options;
  EXPECT_EQ(store.gc(options).get().leftovers, 0u);
  options.grace = 0;
  EXPECT_EQ(store.gc(options).get().leftovers, 1u);
  EXPECT_FALSE(llvm::sys::fs::exists(folder.path("s/tmp/1-ab")));
}

TEST(Store, notesAreCounted) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  for (StringRef event : {"hit", "miss target", "hit"})
    store.note(event);
  std::vector<std::pair<std::string, uint64_t>> expected = {{"hit", 2},
                                                            {"miss target", 1}};
  EXPECT_EQ(store.notes(), expected);
}
