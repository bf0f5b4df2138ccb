// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept texts: what goes in comes out, damage is seen and costs an explanation
// only, and how two texts differ does not depend on the names of values.

#include "Fixture.h"

#include "fly/Store/Explain.h"
#include "fly/Store/Json.h"
#include "fly/Store/Paths.h"

#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"

#include <random>

using namespace fly::store;
using fly::support::Digest;
using fly::support::digestOf;
using llvm::StringRef;

/// Lines `%i = op N : i32`, values named after `prefix`.
static std::string textOf(llvm::ArrayRef<unsigned> ops, StringRef prefix) {
  std::string text = "gpu.module @m {\n";
  for (size_t i = 0; i < ops.size(); ++i)
    text += "  %" + prefix.str() + std::to_string(i) + " = arith.constant " +
            std::to_string(ops[i]) + " : i32\n";
  return text + "}\n";
}

namespace {
/// A store with an entry whose text is kept.
struct Kept {
  TemporaryFolder folder;
  std::vector<std::string> warnings;
  Store store = openStore(folder.path("s"), Mode::ReadWrite, &warnings);
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  Digest ir = *irDigestOf(entry.manifest.key);
  std::string text = textOf({1, 2, 3, 4, 5, 6, 7}, "a");
  std::string file = folder.path("s/" + irPath(ir));

  Kept() {
    publish(store, entry);
    EXPECT_EQ(textOfError(keepText(store, ir, text)), "no error");
  }
  static std::string textOfError(llvm::Error error) {
    return ::fly::store::textOf(std::move(error));
  }
  std::optional<std::string> read() { return keptText({&store}, ir); }
  std::string problems() {
    AuditReport report = store.audit().get();
    std::string all;
    for (const std::string &problem : report.problems)
      all += problem + "\n";
    return all;
  }
};
} // namespace

TEST(Text, comesBackAndIsReplacedOnlyWhenItIsDamaged) {
  if (!llvm::compression::zstd::isAvailable())
    GTEST_SKIP();
  Kept kept;
  EXPECT_EQ(kept.read(), kept.text);
  EXPECT_EQ(kept.problems(), "");
  std::string bytes = readFile(kept.file);
  EXPECT_EQ(Kept::textOfError(keepText(kept.store, kept.ir, "other")),
            "no error");
  EXPECT_EQ(readFile(kept.file), bytes);
  writeFile(kept.file, "damaged");
  EXPECT_EQ(Kept::textOfError(keepText(kept.store, kept.ir, kept.text)),
            "no error");
  EXPECT_EQ(readFile(kept.file), bytes);
  EXPECT_EQ(keptText({&kept.store}, digestOf("another")), std::nullopt);
  EXPECT_TRUE(kept.warnings.empty());
  expectAll(Kept::textOfError(keepText(kept.store, kept.ir, "")),
            {"it has 0 bytes, from 1 to 67108864 are kept"});
}

TEST(Text, anyFlippedByteAndAnyCutIsSeen) {
  if (!llvm::compression::zstd::isAvailable())
    GTEST_SKIP();
  Kept kept;
  std::string bytes = readFile(kept.file);
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string bad = bytes;
    bad[i] ^= char(1 << (i % 8));
    writeFile(kept.file, bad);
    EXPECT_FALSE(kept.read()) << "byte " << i;
    writeFile(kept.file, StringRef(bytes).take_front(i));
    EXPECT_FALSE(kept.read()) << "cut at " << i;
  }
  writeFile(kept.file, bytes + "x");
  EXPECT_FALSE(kept.read());
  EXPECT_EQ(kept.warnings.size(), 2 * bytes.size() + 1);
  writeFile(kept.file, bytes);
  EXPECT_EQ(kept.read(), kept.text);
}

TEST(Text, damageIsNamed) {
  if (!llvm::compression::zstd::isAvailable())
    GTEST_SKIP();
  Kept kept;
  KeptIR good = std::move(**kept.store.keptIR(kept.ir));
  std::string bytes = good.bytes();
  EXPECT_EQ(bytes, readFile(kept.file));
  auto put = [&](StringRef content) {
    writeFile(kept.file, content);
    return kept.problems();
  };
  // As it was kept before there was a header.
  expectAll(put(good.frame),
            {irPath(kept.ir), "has no header of this format; it was kept by "
                              "another version or is damaged; without it, the "
                              "next compile of its entry with --keep-ir "
                              "writes it anew, a hit does not [FLY-S005]"});
  expectAll(put(StringRef(bytes).take_front(100)),
            {"its header has ", " bytes, 92 are there [FLY-S002]"});
  expectAll(
      put(StringRef(bytes).drop_back()),
      {"the digest of its text is ", ", its header says '", "[FLY-S002]"});
  KeptIR other = good;
  other.ir = digestOf("another");
  expectAll(put(other.bytes()), {"is the text that stands in '" +
                                 irPath(other.ir) + "' [FLY-S003]"});
  writeFile(kept.folder.path("s/ir/readme"), "x");
  expectAll(put(bytes), {"ir/readme': it is not a file of the format"});
  ASSERT_FALSE(llvm::sys::fs::remove(kept.folder.path("s/ir/readme")));
  EXPECT_EQ(kept.problems(), "");

  // A header that is whole and does not tell the truth.
  auto warningFor = [&](KeptIR liar) {
    writeFile(kept.file, liar.bytes());
    EXPECT_FALSE(kept.read());
    return kept.warnings.back();
  };
  KeptIR huge = good, shorter = good, longer = good, noFrame = good;
  huge.textBytes = uint64_t(1) << 40;
  expectAll(warningFor(huge), {"its text would have 1099511627776 bytes, at "
                               "most 67108864 are read [FLY-S002]; passed "
                               "over"});
  shorter.textBytes -= 1;
  expectAll(warningFor(shorter), {"[FLY-S002]"});
  longer.textBytes += 1;
  expectAll(warningFor(longer),
            {"its text has " + std::to_string(kept.text.size()) +
             " bytes, its header says " + std::to_string(longer.textBytes)});
  noFrame.frame = "no frame";
  expectAll(warningFor(noFrame), {"[FLY-S002]"});
}

TEST(Text, gcRemovesWhatIsOfNoUse) {
  if (!llvm::compression::zstd::isAvailable())
    GTEST_SKIP();
  Kept kept;
  std::string bytes = readFile(kept.file);
  GcOptions options;
  options.grace = 0;
  GcReport plain = kept.store.gc(options).get();
  EXPECT_EQ(plain.leftovers, 0u);
  EXPECT_EQ(plain.keptBytes, kept.entry.manifest.text().size() +
                                 kept.entry.bytes.size() + bytes.size());
  // Damaged, though an entry refers to it: not while its writer may live.
  writeFile(kept.file, StringRef(bytes).drop_back());
  EXPECT_EQ(kept.store.gc({}).get().leftovers, 0u);
  EXPECT_EQ(kept.store.gc(options).get().leftovers, 1u);
  EXPECT_FALSE(llvm::sys::fs::exists(kept.file));
  EXPECT_TRUE(kept.store.lookUp(kept.entry.key()).get().has_value());
  // A text counts among the bytes of its entry, and goes with it.
  writeFile(kept.file, bytes);
  options.maxBytes = plain.keptBytes;
  EXPECT_TRUE(kept.store.gc(options).get().removed.empty());
  options.maxBytes = plain.keptBytes - 1;
  GcReport report = kept.store.gc(options).get();
  EXPECT_EQ(report.removed.size(), 1u);
  EXPECT_EQ(report.removedBytes, plain.keptBytes);
  EXPECT_FALSE(llvm::sys::fs::exists(kept.file));
}

// The ratio is the share of ops that were put in, left out or changed, however
// the values are named.
TEST(TextDifference, countsWhatWasChanged) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 300; ++round) {
    std::vector<unsigned> ops(1 + random() % 40);
    for (size_t i = 0; i < ops.size(); ++i)
      ops[i] = i;
    std::string stored = textOf(ops, "a");
    EXPECT_FALSE(textDifference(textOf(ops, "other"), stored));
    size_t all = ops.size() + 2, changed = 0, dropped = 0;
    std::vector<unsigned> edited;
    for (unsigned op : ops) {
      unsigned what = random() % 6;
      changed += what == 0;
      dropped += what == 1;
      if (what != 1)
        edited.push_back(what == 0 ? op + 1000 : op);
    }
    std::optional<TextDifference> found =
        textDifference(textOf(edited, "b"), stored);
    ASSERT_EQ(found.has_value(), changed + dropped != 0);
    if (!found)
      continue;
    EXPECT_EQ(found->wanted.size(), changed);
    EXPECT_EQ(found->stored.size(), changed + dropped);
    EXPECT_EQ(found->all, all);
    EXPECT_DOUBLE_EQ(found->ratio(), double(changed + dropped) / double(all));
  }
}

TEST(TextDifference, operandsAndOrderCountWhenNothingElseDoes) {
  StringRef stored = "%0 = a\n%1 = b\n%2 = sub %0, %1\n";
  std::optional<TextDifference> found =
      textDifference("%x = a\n%y = b\n%z = sub %y, %x\n", stored);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text("  "), "  ir: 1 of 3 lines differ\n"
                               "    wanted   %z = sub %y, %x\n"
                               "    stored   %2 = sub %0, %1\n");
  EXPECT_EQ(
      textDifference("%1 = b\n%0 = a\n%2 = sub %0, %1\n", stored)->count(), 3u);
  found = textDifference("a\nb\nc\nd\ne\n", "e\n");
  EXPECT_EQ(found->text(""), "ir: 4 of 5 lines differ\n  wanted   a\n"
                             "  wanted   b\n  wanted   c\n"
                             "  wanted   ... and 1 more\n");
}

// Of entries that differ in the same components, the one with more ops in
// common is nearer.
TEST(TextDifference, decidesBetweenEntriesOfOneDistance) {
  if (!llvm::compression::zstd::isAvailable())
    GTEST_SKIP();
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  std::string wantedText = textOf({0, 1, 2, 3, 4, 5, 6, 7}, "w");
  std::string expected;
  for (unsigned salt = 1; salt < 8; ++salt) {
    std::vector<unsigned> ops = {0, 1, 2, 3, 4, 5, 6, 7};
    for (unsigned i = 0; i < (salt == 5 ? 1 : 3); ++i)
      ops[i] += 100 * salt;
    Entry entry = makeEntry("gfx942", {"gemm"}, salt);
    publish(store, entry);
    ASSERT_FALSE(bool(
        keepText(store, *irDigestOf(entry.manifest.key), textOf(ops, "s"))));
    if (salt == 5)
      expected = entry.key();
  }
  auto wanted = makeKey(targetOf("gfx942"), 9);
  auto textOfIR = [&](const Digest &ir) -> std::optional<std::string> {
    if (ir == irDigestOf(wanted))
      return wantedText;
    return keptText({&store}, ir);
  };
  auto found = explain(wanted, {"gemm"}, {&store}, /*limit=*/2, textOfIR);
  ASSERT_TRUE(bool(found));
  ASSERT_EQ(found->nearest.size(), 2u);
  EXPECT_EQ(found->nearest[0].manifest.key.text(), expected);
  EXPECT_DOUBLE_EQ(found->nearest[0].distance, 1.1);
  EXPECT_DOUBLE_EQ(found->nearest[1].distance, 1.3);
  expectAll(found->text("miss"), {"    ir: 1 of 10 lines differ\n"});
  EXPECT_EQ(printJson(found->json()).find("\"distance\":1.1") ==
                std::string::npos,
            false);
  // Without texts the digests are all that is known.
  found = explain(wanted, {"gemm"}, {&store}, /*limit=*/2);
  ASSERT_TRUE(bool(found));
  EXPECT_DOUBLE_EQ(found->nearest[0].distance, 1);
  EXPECT_FALSE(found->nearest[0].text);
}

// What is taken for canonical without printing it is what would be printed.
TEST(Json, whatIsPlainlyCanonicalPrintsAsItself) {
  std::mt19937 random(11);
  const std::string base = makeEntry("gfx942", {"k", "l"}, 1).manifest.text();
  ASSERT_TRUE(isPlainlyCanonical(base));
  const StringRef pieces[] = {"\"",   "\\u0041", " ", "\n", "{}",      "[]",
                              ",",    "1",       "0", "-",  "1.5",     "1e3",
                              "null", "true",    ":", "}",  "\xc3\xa9"};
  unsigned plain = 0, other = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    std::string text = base;
    size_t at = random() % text.size();
    // Between two values, where more of the edits are JSON again.
    at = random() % 2 ? text.find_first_of(",:[{}]", at) : at;
    if (at == std::string::npos)
      continue;
    StringRef piece = pieces[random() % std::size(pieces)];
    if (random() % 3 == 0)
      text.replace(at, std::min<size_t>(random() % 30, text.size() - at), "");
    else
      text.insert(at + random() % 2, piece.str());
    llvm::Expected<llvm::json::Value> value = parseJson(text);
    if (!value) {
      llvm::consumeError(value.takeError());
      continue;
    }
    if (!isPlainlyCanonical(text)) {
      ++other;
      continue;
    }
    ++plain;
    EXPECT_EQ(printJson(*value), text);
  }
  EXPECT_GT(plain, 100u);
  EXPECT_GT(other, 100u);
  for (StringRef text :
       {"{\"b\":1,\"a\":2}\n", "{\"a\":1,\"a\":2}\n", "[01]\n", "[-0]\n",
        "[1.0]\n", "[1E2]\n", "[ 1]\n", "[\"\\u0041\"]\n", "[1]", "[1]\n\n",
        "[12345678901234567890]\n", "{\"a\":[{\"d\":1,\"c\":2}]}\n"})
    EXPECT_FALSE(isPlainlyCanonical(text)) << text.str();
}
