// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores that travel: merging and archives. Packing and unpacking gives the
// same tree; whatever the bytes of an archive are, nothing wrong gets in.

#include "Fixture.h"

#include "fly/Store/Merge.h"
#include "fly/Store/Paths.h"

#include <random>

using namespace fly::store;
using llvm::StringRef;

static std::string packed(const Store &store) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::Expected<uint64_t> entries = pack(store, os);
  EXPECT_TRUE(bool(entries)) << llvm::toString(entries.takeError());
  return os.str();
}

static std::string unpackError(StringRef archive, const Store &into) {
  llvm::Expected<MergeReport> report = unpack(archive, into);
  return report ? "no error" : llvm::toString(report.takeError());
}

static void fill(const Store &store, unsigned from, unsigned to) {
  for (unsigned i = from; i < to; ++i)
    publish(store, makeEntry("gfx942", {"k" + std::to_string(i % 3)}, i),
            {"u" + std::to_string(i)});
}

TEST(Pack, unpackGivesTheSameTree) {
  TemporaryFolder folder;
  Store a = openStore(folder.path("a"));
  fill(a, 0, 9);
  std::string archive = packed(a);
  EXPECT_EQ(archive.size() % 512, 0u);
  Store b = openStore(folder.path("b"));
  llvm::Expected<MergeReport> report = unpack(archive, b);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->added, 9u);
  EXPECT_EQ(report->units, 9u);
  EXPECT_TRUE(report->conflicts.empty());
  EXPECT_EQ(snapshot(folder.path("a")), snapshot(folder.path("b")));
  EXPECT_EQ(packed(b), archive);
  EXPECT_EQ(unpack(archive, b)->present, 9u);
}

TEST(Pack, corruptEntriesDoNotTravel) {
  TemporaryFolder folder;
  Store a = openStore(folder.path("a")), b = openStore(folder.path("b"));
  fill(a, 0, 3);
  Entry bad = makeEntry("gfx942", {"k0"}, 0);
  writeFile(folder.path("a/" + objectPath(bad.manifest.payload)), "x");
  std::string ignored;
  llvm::raw_string_ostream os(ignored);
  expectAll(textOf(pack(a, os).takeError()), {"FLY-S002"});
  llvm::Expected<MergeReport> report = merge(a, b);
  ASSERT_TRUE(bool(report));
  EXPECT_EQ(report->added, 2u);
  EXPECT_EQ(report->units, 2u);
  ASSERT_EQ(report->corrupt.size(), 1u);
  EXPECT_TRUE(b.audit().get().problems.empty());
}

/// Merging in any order gives the store of all entries.
TEST(Merge, isTheUnion) {
  TemporaryFolder folder;
  Store a = openStore(folder.path("a")), b = openStore(folder.path("b"));
  fill(a, 0, 6);
  fill(b, 3, 9);
  Store ab = openStore(folder.path("ab")), ba = openStore(folder.path("ba"));
  Store all = openStore(folder.path("all"));
  fill(all, 0, 9);
  for (const auto &[x, y, into] :
       {std::tuple<Store *, Store *, Store *>(&a, &b, &ab), {&b, &a, &ba}})
    for (Store *from : {x, y}) {
      llvm::Expected<MergeReport> report = merge(*from, *into);
      ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
      EXPECT_TRUE(report->conflicts.empty());
    }
  EXPECT_EQ(snapshot(folder.path("ab")), snapshot(folder.path("all")));
  EXPECT_EQ(snapshot(folder.path("ba")), snapshot(folder.path("all")));
}

TEST(Merge, conflictsAreReportedAndTheFirstStays) {
  TemporaryFolder folder;
  Store a = openStore(folder.path("a")), b = openStore(folder.path("b"));
  Entry one = makeEntry("gfx942", {"k"}, 1),
        two = makeEntry("gfx942", {"k"}, 2);
  publish(a, one, {"same"});
  Entry twin = one;
  twin.bytes = two.bytes;
  twin.manifest.payload = two.manifest.payload;
  publish(b, twin);
  publish(b, two, {"same"});
  llvm::Expected<MergeReport> report = merge(b, a);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(report->conflicts.size(), 2u);
  expectAll(report->conflicts[0], {one.key(), "non-deterministic", "FLY-S007"});
  expectAll(report->conflicts[1], {"'same'", one.key(), two.key()});
  EXPECT_EQ((*a.lookUp(one.key()).get()).bytes->getBuffer(), one.bytes);
  EXPECT_EQ(a.unitKey("same", targetOf("gfx942")).get(), one.key());
  EXPECT_TRUE(a.lookUp(two.key()).get().has_value());
}

TEST(Pack, anyFlippedByteIsRefused) {
  TemporaryFolder folder;
  Store a = openStore(folder.path("a"));
  fill(a, 0, 1);
  std::string archive = packed(a);
  Store b = openStore(folder.path("b"));
  for (size_t i = 0; i < archive.size(); ++i) {
    std::string bad = archive;
    bad[i] ^= char(1 << (i % 8));
    EXPECT_TRUE(StringRef(unpackError(bad, b)).contains("FLY-S00"))
        << "byte " << i;
  }
  for (size_t length = 0; length < archive.size(); length += 37)
    EXPECT_NE(unpackError(StringRef(archive).take_front(length), b),
              "no error");
  EXPECT_NE(unpackError(archive + std::string(512, '\0'), b), "no error");
  EXPECT_TRUE(b.keys().get().empty());
  std::mt19937 random(3);
  for (unsigned i = 0; i < 2000; ++i) {
    std::string bad = archive;
    for (unsigned j = random() % 4; j < 4; ++j) {
      size_t at = random() % bad.size();
      if (random() % 2)
        bad[at] = char(random());
      else
        bad.erase(at, random() % 600);
      if (bad.empty())
        break;
    }
    if (bad != archive)
      EXPECT_NE(unpackError(bad, b), "no error");
  }
}
