// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests: different sequences of items give different digests, equal ones
// equal digests, at every length around the internal buffer.

#include "fly/Support/Digest.h"

#include "gtest/gtest.h"

#include <functional>
#include <random>
#include <set>
#include <vector>

using namespace fly::support;
using llvm::StringRef;

static Digest of(const std::function<void(Hasher &)> &add) {
  Hasher hasher("test", "v1");
  add(hasher);
  return hasher.finish();
}

// The test vector of the BLAKE3 authors for the empty input.
TEST(Digest, knownValue) {
  EXPECT_EQ(digestOf("").hex(),
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
  EXPECT_EQ(digestOf("").shortHex(), "af1349b9f5f9");
}

TEST(Digest, hexReadsBack) {
  Digest digest = digestOf("some bytes");
  EXPECT_EQ(Digest::fromHex(digest.hex()), digest);
  EXPECT_FALSE(Digest::fromHex(digest.hex().substr(1)));
  EXPECT_FALSE(Digest::fromHex(StringRef(digest.hex()).upper()));
  EXPECT_FALSE(Digest::fromHex(digest.hex() + "0"));
  EXPECT_FALSE(Digest::fromHex(""));
}

// Pairs that a careless concatenation would confuse.
TEST(Digest, itemsAreSeparate) {
  std::vector<Digest> digests = {
      of([](Hasher &) {}),
      of([](Hasher &h) { h.addAbsent(); }),
      of([](Hasher &h) { h.addText(""); }),
      of([](Hasher &h) { h.addBytes(""); }),
      of([](Hasher &h) { h.beginList(0); }),
      of([](Hasher &h) { h.beginStruct(""); }),
      of([](Hasher &h) { h.addInteger(0); }),
      of([](Hasher &h) { h.addUnsigned(0); }),
      of([](Hasher &h) { h.addBool(false); }),
      of([](Hasher &h) { h.addBool(true); }),
      of([](Hasher &h) { h.addInteger(-1); }),
      of([](Hasher &h) { h.addUnsigned(UINT64_MAX); }),
      of([](Hasher &h) { h.addText("ab"), h.addText("c"); }),
      of([](Hasher &h) { h.addText("a"), h.addText("bc"); }),
      of([](Hasher &h) { h.addText("abc"); }),
      of([](Hasher &h) { h.addBytes("abc"); }),
      of([](Hasher &h) { h.beginStruct("abc"); }),
      of([](Hasher &h) { h.beginList(1), h.addText("abc"); }),
      of([](Hasher &h) { h.addDigest(digestOf("")); }),
      of([](Hasher &h) { h.addText(digestOf("").hex()); }),
  };
  std::set<Digest> distinct(digests.begin(), digests.end());
  EXPECT_EQ(distinct.size(), digests.size());
}

TEST(Digest, optionalIsTextOrAbsent) {
  EXPECT_EQ(of([](Hasher &h) { h.addOptional(std::nullopt); }),
            of([](Hasher &h) { h.addAbsent(); }));
  EXPECT_EQ(of([](Hasher &h) { h.addOptional(StringRef("x")); }),
            of([](Hasher &h) { h.addText("x"); }));
}

TEST(Digest, domainAndVersionSeparate) {
  std::set<Digest> distinct;
  for (auto [domain, version] : std::vector<std::pair<StringRef, StringRef>>{
           {"a", "bc"}, {"ab", "c"}, {"abc", ""}, {"", "abc"}})
    distinct.insert(Hasher(domain, version).finish());
  EXPECT_EQ(distinct.size(), 4u);
}

// The gathering buffer must not show: a Hasher that is asked for its digest
// after each item, and one that is asked once, agree; and the bytes are those
// of the documented encoding.
TEST(Digest, bufferingDoesNotShow) {
  std::mt19937_64 random(20260101);
  for (unsigned round = 0; round < 200; ++round) {
    Hasher eager("d", "v"), lazy("d", "v");
    std::string encoding("d\0v\0", 4);
    for (unsigned item = 0; item < 12; ++item) {
      size_t size = random() % (round % 3 == 0 ? 9000 : 300);
      std::string bytes(size, char('a' + item));
      eager.addBytes(bytes);
      eager.finish();
      lazy.addBytes(bytes);
      encoding += 'B';
      for (unsigned i = 0; i < 8; ++i)
        encoding += char(uint64_t(size) >> (8 * i));
      encoding += bytes;
    }
    ASSERT_EQ(eager.finish(), lazy.finish());
    ASSERT_EQ(lazy.finish(), digestOf(encoding));
  }
}
