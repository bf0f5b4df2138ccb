// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records as texts: each reads back as itself, and nothing else is accepted.
// P11 at this level: each byte flipped in each bit is refused.

#include "Fixture.h"

#include "fly/Store/Json.h"
#include "fly/Store/Paths.h"

using namespace fly::store;
using fly::support::CacheKey;
using fly::support::digestOf;
using llvm::StringRef;

static std::string parseError(StringRef text) {
  llvm::Expected<Manifest> manifest = Manifest::parse(text, "f");
  return manifest ? "no error" : llvm::toString(manifest.takeError());
}

static std::string replaced(StringRef text, StringRef from, StringRef to) {
  std::string edited = text.str();
  size_t at = edited.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str();
  edited.replace(at, from.size(), to.str());
  return edited;
}

/// `text` with `from` replaced by `to` and the checksum made right again, as an
/// attacker or a later version would write it.
static std::string resealed(StringRef text, StringRef from, StringRef to) {
  std::string edited = replaced(text, from, to);
  llvm::Expected<llvm::json::Value> value = parseJson(edited);
  EXPECT_TRUE(bool(value)) << edited;
  llvm::json::Object object(*value->getAsObject());
  object.erase("checksum");
  llvm::json::Object plain(object);
  object["checksum"] = digestOf(printJson(std::move(plain))).hex();
  return printJson(std::move(object));
}

TEST(Manifest, readsBackAsItself) {
  for (StringRef target : {"gfx942", "gfx942:sramecc+:xnack-",
                           "gfx1100 wave=64 cumode=true", "gfx9-4-generic"}) {
    Entry entry = makeEntry(target, {"a", "b"}, 3);
    std::string text = entry.manifest.text();
    llvm::Expected<Manifest> again = Manifest::parse(text, "f");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(again->text(), text);
    EXPECT_EQ(again->key.text(), entry.key());
    EXPECT_EQ(again->target, entry.manifest.target);
    EXPECT_EQ(again->kernels.size(), 2u);
    EXPECT_EQ(again->kernels[1].lds, 1024u);
    EXPECT_EQ(textOf(again->check(entry.bytes, "p")), "no error");
    EXPECT_LE(text.size(), 4096u);
  }
}

TEST(Manifest, anyFlippedBitIsSeen) {
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  std::string text = entry.manifest.text();
  for (size_t i = 0; i < text.size(); ++i)
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string bad = text;
      bad[i] ^= char(1 << bit);
      llvm::Expected<Manifest> parsed = Manifest::parse(bad, "f");
      EXPECT_FALSE(bool(parsed)) << "byte " << i << " bit " << bit;
      llvm::consumeError(parsed.takeError());
    }
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_NE(parseError(StringRef(text).take_front(length)), "no error");
  EXPECT_NE(parseError(text + "\n"), "no error");
}

TEST(Manifest, sealedNonsenseIsRefused) {
  std::string text = makeEntry("gfx942", {"k"}, 1).manifest.text();
  EXPECT_EQ(parseError(text), "no error");
  expectAll(
      parseError(resealed(text, "fly-store/1", "fly-store/2")),
      {"fly-store/2", "fly-store/1", "build the store anew", "[FLY-S005]"});
  expectAll(
      parseError(resealed(text, "\"opt_level\":\"2\"", "\"opt_level\":\"3\"")),
      {"component 'codegen'", "digest", "[FLY-S003]"});
  expectAll(parseError(resealed(text, "xnack=any", "xnack=off")),
            {"'f' says target 'backend=rocm chip=gfx942 sramecc=any xnack=off ",
             ", its key says 'backend=rocm chip=gfx942 sramecc=any xnack=any ",
             "[FLY-S003]"});
  expectAll(parseError(resealed(text, "\"kind\":\"elf\"", "\"kind\":\"py\"")),
            {"payload kind is 'py', expected 'elf'", "[FLY-S002]"});
  expectAll(parseError(resealed(text, "\"lds\":1024", "\"lds\":-1")),
            {"an entry of 'kernels' member 'lds' is not a whole number from 0 "
             "to 4294967295",
             "[FLY-S002]"});
  expectAll(parseError(resealed(text, "\"lds\":1024", "\"lds\":1e30")),
            {"[FLY-S002]"});
  expectAll(parseError(resealed(text, "\"lds\":1024", "\"lds\":\"1024\"")),
            {"'lds'", "[FLY-S002]"});
  expectAll(parseError(resealed(text, "\"kind\":\"elf\"",
                                "\"kind\":\"elf\",\"more\":1")),
            {"member 'payload' has members that are not known", "[FLY-S002]"});
  expectAll(parseError(resealed(text, "chip=gfx942", "chip=gfx941")),
            {"[FLY-S002]"});
  std::string digest = makeEntry("gfx942", {"k"}, 1).manifest.payload.hex();
  expectAll(parseError(resealed(text, digest, "12")),
            {"payload digest '12' is not 64 hexadecimal digits [FLY-S002]"});
  // What is not sealed anew, and blanks, which the seal does not cover.
  expectAll(parseError(replaced(text, "xnack=any", "xnack=off")),
            {"checksum is '", "', its content gives "});
  expectAll(parseError("{ " + text.substr(1)),
            {"its text is not in canonical form"});
}

TEST(Manifest, hostileJson) {
  std::string deep(1 << 20, '[');
  expectAll(parseError(deep), {"nested", "[FLY-S002]"});
  for (StringRef text : {"", "null", "[]", "{}", "{\"format\":1}", "\xff\xfe",
                         "{\"checksum\":\"\",\"format\":\"fly-store/1\"}",
                         "{\"checksum\":\"\",\"checksum\":\"\"}"})
    EXPECT_NE(parseError(text), "no error") << text.str();
}

TEST(Manifest, describeRefusesWhatDoesNotFit) {
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  auto describe = [&](const CacheKey &key, StringRef target, StringRef bytes) {
    llvm::Expected<Manifest> made =
        Manifest::describe(key, targetOf(target), bytes);
    return made ? "no error" : llvm::toString(made.takeError());
  };
  CacheKey key = entry.manifest.key;
  EXPECT_EQ(describe(key, "gfx942", entry.bytes), "no error");
  expectAll(describe(key, "gfx950", entry.bytes),
            {"the entry says target 'backend=rocm chip=gfx950 ",
             ", its key says 'backend=rocm chip=gfx942 ", "[FLY-S003]"});
  expectAll(describe(makeKey(targetOf("gfx950"), 1), "gfx950", entry.bytes),
            {"processor", "gfx942", "gfx950", "[FLY-S004]"});
  expectAll(describe(key, "gfx942", "not an object"), {"[FLY-S004]"});
  std::string wide = makeCodeObject(targetOf("gfx1100 wave=64"), {"k"}, 1);
  expectAll(describe(makeKey(targetOf("gfx1100"), 1), "gfx1100", wide),
            {"wave", "64", "32", "[FLY-S004]"});
  CacheKey other = key;
  for (auto &component : other.components)
    if (component.name == "schema")
      component.fields[0].value = "fly-key/9";
  expectAll(
      describe(other, "gfx942", entry.bytes),
      {"the entry has key schema 'fly-key/9', this program knows '",
       "'; build the store anew or use a program of its version [FLY-S005]"});
  std::vector<std::string> many;
  for (unsigned i = 0; i < 9000; ++i)
    many.push_back("kernel" + std::to_string(i));
  expectAll(
      describe(key, "gfx942", makeCodeObject(targetOf("gfx942"), many, 1)),
      {"the manifest would have ", " are allowed [FLY-S002]"});
  // The digest of a name that is no UTF-8 cannot be recomputed from JSON.
  key.components.back().fields.push_back({"\xff", std::string("x")});
  expectAll(describe(key, "gfx942", entry.bytes), {"the new manifest"});
}

TEST(Manifest, valuesOfAnyBytes) {
  CacheKey key = makeKey(targetOf("gfx942"), 1);
  key.components.back().fields.push_back(
      {"text", std::string("\xff\x00 \"\\\n\xe2\x82\xac", 9)});
  llvm::Expected<CacheKey> again =
      CacheKey::fromJson(llvm::json::Value(key.json()));
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->text(), key.text());
  EXPECT_EQ(again->components.back().fields[0].value,
            key.components.back().fields[0].value);
}

TEST(Records, unitsAndDirect) {
  UnitRecord unit{"gemm/bf16", targetOf("gfx942"),
                  makeEntry("gfx942", {}, 1).key()};
  llvm::Expected<UnitRecord> again =
      UnitRecord::parse(unit.text(), unit.path());
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->unit, unit.unit);
  EXPECT_EQ(again->key, unit.key);
  llvm::Expected<UnitRecord> elsewhere =
      UnitRecord::parse(unit.text(), "units/x.json");
  expectAll(
      textOf(elsewhere.takeError()),
      {"'units/x.json' is the record of unit 'gemm/bf16', which stands in '" +
       unit.path() + "' [FLY-S003]"});

  DirectRecord direct{digestOf("question"),
                      unit.key,
                      unit.target,
                      {{"a.bc", digestOf("a")}, {"b.bc", std::nullopt}}};
  std::string path = directPath(direct.id);
  llvm::Expected<DirectRecord> read = DirectRecord::parse(direct.text(), path);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->reads, direct.reads);
  std::string bad = direct.text();
  bad[bad.size() / 2] ^= 1;
  llvm::Expected<DirectRecord> flipped = DirectRecord::parse(bad, path);
  EXPECT_NE(textOf(flipped.takeError()), "no error");
  // A whole record in the place of another one would name a foreign key.
  llvm::Expected<DirectRecord> swapped =
      DirectRecord::parse(direct.text(), directPath(digestOf("other")));
  expectAll(textOf(swapped.takeError()),
            {"' is the record that stands in '" + path + "' [FLY-S003]"});
  auto problem = [&](StringRef from, StringRef to) {
    return textOf(DirectRecord::parse(resealed(direct.text(), from, to), path)
                      .takeError());
  };
  expectAll(problem(direct.id.hex(), "zz"), {"'zz' is not a digest"});
  expectAll(problem("[\"b.bc\",null]", "[\"b.bc\"]"),
            {"an entry of 'reads' is not [path, digest]"});
  expectAll(problem("[\"b.bc\",null]", "[\"b.bc\",\"1\"]"),
            {"an entry of 'reads' has no digest"});
}

TEST(Paths, classifyKnowsWhatIsMade) {
  std::string key = makeEntry("gfx942", {}, 1).key();
  EXPECT_EQ(classify("store.json"), PathKind::Format);
  EXPECT_EQ(classify(indexPath(key)), PathKind::Index);
  EXPECT_EQ(classify(objectPath(digestOf("x"))), PathKind::Object);
  EXPECT_EQ(classify(markerPath("k", key)), PathKind::Marker);
  EXPECT_EQ(classify(unitPath("u", "t")), PathKind::Unit);
  EXPECT_EQ(classify(directPath(digestOf("x"))), PathKind::Direct);
  std::string hex = digestOf("x").hex();
  for (std::string path :
       {std::string(""), std::string("/"), "../" + hex, "objects/" + hex,
        "objects/../" + hex + ".bin", "objects/00/" + hex + ".bin",
        "index/xx/" + key + ".json", indexPath(key) + "/",
        "units/" + hex.substr(1) + ".json", "names/" + hex + "/x",
        std::string("store.json/")})
    EXPECT_EQ(classify(path), PathKind::None) << path;
  // Same name, other target: another file.
  EXPECT_NE(unitPath("a", "bc"), unitPath("ab", "c"));
}

TEST(Targets, textsReadBack) {
  for (StringRef text :
       {"gfx942", "gfx942:sramecc+:xnack-", "gfx1100 wave=64",
        "gfx1100 wave=64 cumode=true abi=500", "gfx11-generic"}) {
    fly::amdgpu::Target target = targetOf(text);
    EXPECT_EQ(target.text(), text);
    EXPECT_EQ(targetOf(target.fullText()), target);
  }
  for (StringRef text : {"", " ", "gfx942 wave=32", "gfx942 lanes=64",
                         "wave=64", "gfx942 wave=", "gfx942 cumode=yes",
                         "backend=cuda chip=gfx942", "gfx942 gfx950"}) {
    llvm::Expected<fly::amdgpu::Target> target = parseTargetText(text);
    EXPECT_FALSE(bool(target)) << text.str();
    llvm::consumeError(target.takeError());
  }
}
