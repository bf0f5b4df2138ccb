// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the store says when something is wrong, word for word where other tests
// look at the outcome only.

#include "Fixture.h"

#include "fly/Store/Flight.h"
#include "fly/Store/Json.h"
#include "fly/Store/Merge.h"
#include "fly/Store/Paths.h"
#include "fly/Store/Plan.h"

#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <sys/stat.h>

using namespace fly::store;
using fly::support::digestOf;
using llvm::StringRef;

TEST(Messages, hints) {
  auto hint = [](StringRef component, StringRef field) {
    return hintFor(
        Difference{component.str(), field.str(), std::nullopt, std::nullopt});
  };
  EXPECT_EQ(hint("schema", "schema"),
            "the store was made by another version; build it anew");
  EXPECT_EQ(hint("target", "xnack"),
            "give the device's exact name (gcnArchName) to look for xnack any, "
            "or build for xnack any");
  EXPECT_EQ(hint("target", "chip"), "build for the wanted target, or check "
                                    "where the target came from");
  EXPECT_EQ(hint("toolchain", "lld"),
            "the store was built by another toolchain; build it with this one, "
            "or look up by unit name");
  for (StringRef component : {"bitcode", "inputs"})
    EXPECT_EQ(hint(component, "x"),
              "a linked or declared file differs from the one of the build");
  EXPECT_EQ(hint("ir", "digest"),
            "the kernel changed since the store was built");
  for (StringRef component : {"codegen", "pipeline"})
    EXPECT_EQ(hint(component, "x"), "build with the same options");
  EXPECT_EQ(hint("salt", "text"), "the salt of the build differs");
  EXPECT_EQ(hintFor({}), "");
}

TEST(Messages, explanationsAtTheirEnds) {
  Explanation nothing;
  nothing.wanted = makeEntry("gfx942", {"k"}, 1).manifest.key;
  expectAll(nothing.text("miss"), {"nearest: none", "looked in: no store"});
  Candidate candidate;
  candidate.manifest = makeEntry("gfx942", {"k"}, 1).manifest;
  nothing.nearest = {candidate};
  expectAll(nothing.text("miss"),
            {"this is the entry, but its files are corrupt"});
  for (const auto &component : nothing.wanted.components)
    nothing.nearest[0].differing.push_back({component.name, "x", "1", "2"});
  expectAll(nothing.text("miss"), {"(nothing is the same)"});
}

TEST(Messages, coverageOfAnUnknownName) {
  TemporaryFolder folder;
  openStore(folder.path("s"));
  auto layers = Layers::open({{folder.path("s"), Mode::ReadOnly}}, {});
  auto plan = Plan::parse(R"({"schema":"fly-plan/1","units":[
      {"name":"a","module":"m","targets":["gfx942"]}]})");
  auto rows = coverage(*plan, *layers);
  ASSERT_TRUE(bool(rows));
  EXPECT_EQ(rows->front().detail,
            "  nearest: none; no entry of this name is stored\n");
}

TEST(Messages, aLockThatIsHalfWritten) {
  TemporaryFolder folder;
  std::vector<std::string> warnings;
  Store store = openStore(folder.path("s"), Mode::ReadWrite, &warnings);
  std::string key = makeEntry("gfx942", {"k"}, 1).key();
  for (StringRef text : {"", "{\"host\":\"x\"", "[1,2]\n"}) {
    std::string lock = folder.path("s/tmp/" + key + ".lock");
    writeFile(lock, text);
    timespec old[] = {{1000, 0}, {1000, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, lock.c_str(), old, 0), 0);
    EXPECT_TRUE(Flight::board(store, key, {}).owns());
    expectAll(warnings.back(), {"lock of " + key +
                                ": an unreadable owner has left it half "
                                "written; taken over [FLY-S008]"});
  }
}

TEST(Messages, members) {
  auto problem = [](StringRef text,
                    llvm::function_ref<void(MemberReader &)> f) {
    llvm::json::Value value = *parseJson(text);
    MemberReader reader(value, "it");
    f(reader);
    return textOf(reader.finish());
  };
  auto text = [](MemberReader &r) { r.text("a"); };
  auto number = [](MemberReader &r) { r.number("a", 7); };
  auto boolean = [](MemberReader &r) { r.boolean("a"); };
  auto list = [](MemberReader &r) { r.array("a"); };
  EXPECT_EQ(problem("[]", text), "it is not an object");
  EXPECT_EQ(problem("{}", text), "it has no member 'a'");
  EXPECT_EQ(problem("{\"a\":1}", text), "it member 'a' is not a text");
  EXPECT_EQ(problem("{\"a\":8}", number),
            "it member 'a' is not a whole number from 0 to 7");
  EXPECT_EQ(problem("{\"a\":1}", boolean),
            "it member 'a' is not true or false");
  EXPECT_EQ(problem("{\"a\":1}", list), "it member 'a' is not a list");
  EXPECT_EQ(problem("{\"a\":\"x\",\"b\":1}", text),
            "it has members that are not known");
  expectAll(textOf(parseJson(std::string(500, '[')).takeError()),
            {"JSON is nested", "deep, at most", "is allowed"});
}

TEST(Messages, keysAndTargets) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  expectAll(textOf(store.lookUp("fly1-12").takeError()),
            {"'fly1-12' is not a key: expected 'fly1-' and 64 hexadecimal "
             "digits [FLY-S003]"});
  auto target = [](StringRef text) {
    return textOf(parseTargetText(text).takeError());
  };
  expectAll(target(""), {"expected a target, found an empty text [FLY-T002]"});
  expectAll(target("gfx942 wave=x"),
            {"has a part 'wave=x' that is not understood"});
  expectAll(target("wave=64"), {"target 'wave=64' names no processor"});
  Store reader = openStore(folder.path("s"), Mode::ReadOnly);
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  expectAll(textOf(reader.publish(entry.manifest, entry.bytes, {}).takeError()),
            {"was opened to be read only (ro:DIR) [FLY-S006]"});
  for (const std::string &unit :
       {std::string(), std::string(2000, 'x'), std::string("\xff")})
    expectAll(
        textOf(store.publish(entry.manifest, entry.bytes, {unit}).takeError()),
        {"is refused: expected 1 to 1024 bytes of UTF-8 [FLY-S002]"});
  expectAll(
      textOf(
          store.publish(entry.manifest, makeEntry("gfx942", {"k"}, 2).bytes, {})
              .takeError()),
      {"the code object of " + entry.key(), "FLY-S002"});
}

TEST(Messages, damagedEntriesArePublishedAnew) {
  TemporaryFolder folder;
  std::vector<std::string> warnings;
  Store store = openStore(folder.path("s"), Mode::ReadWrite, &warnings);
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  publish(store, entry);
  writeFile(folder.path("s/" + indexPath(entry.key())), "{}");
  publish(store, entry);
  expectAll(warnings.back(),
            {"expected an object with the texts 'format' and 'checksum'",
             "; it is published anew"});
  writeFile(folder.path("s/index/aa/fly1-" + std::string(64, 'a') + ".json"),
            "{}");
  (void)store.gc({}).get();
  expectAll(warnings.back(), {"; gc leaves it for verify"});
}

//===----------------------------------------------------------------------===//
// Archives
//===----------------------------------------------------------------------===//

/// The members of an archive as they stand in it, the end apart.
static std::vector<std::string> membersOf(StringRef archive) {
  std::vector<std::string> members;
  while (archive.front()) {
    uint64_t size = 0;
    archive.substr(124, 11).getAsInteger(8, size);
    size_t whole = 512 + (size + 511) / 512 * 512;
    members.push_back(archive.take_front(whole).str());
    archive = archive.drop_front(whole);
  }
  return members;
}

static std::string joined(const std::vector<std::string> &members) {
  std::string archive;
  for (const std::string &member : members)
    archive += member;
  return archive + std::string(1024, '\0');
}

static std::string packed(const Store &store) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  EXPECT_EQ(textOf(pack(store, os).takeError()), "no error");
  return os.str();
}

TEST(Messages, archives) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s")),
        other = openStore(folder.path("o"));
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  publish(store, entry, {"u"});
  publish(other, makeEntry("gfx942", {"l"}, 2));
  std::string archive = packed(store);
  std::vector<std::string> members = membersOf(archive);
  std::vector<std::string> foreign = membersOf(packed(other));
  ASSERT_EQ(members.size(), 5u); // index, names, objects, store.json, units
  auto problem = [&](const std::string &bytes) {
    return textOf(unpack(bytes, openStore(folder.path("n"))).takeError());
  };
  EXPECT_EQ(problem(archive), "no error");
  auto without = [&](size_t index) {
    std::vector<std::string> rest = members;
    rest.erase(rest.begin() + index);
    return problem(joined(rest));
  };
  expectAll(without(2), {"the archive lacks its payload", "FLY-S002"});
  expectAll(without(3),
            {"the archive is not a store: 'store.json' is missing [FLY-S005]"});
  expectAll(problem(archive.substr(0, archive.size() - 600)),
            {"it ends early", "FLY-S002"});
  expectAll(problem(members[0].substr(0, 700)), {"is cut short", "FLY-S002"});
  std::vector<std::string> changed = members;
  changed[0].back() = 'x';
  expectAll(problem(joined(changed)), {"is followed by stray bytes"});
  changed = members;
  std::swap(changed[0], changed[1]);
  expectAll(problem(joined(changed)), {"is out of order"});
  changed = members;
  changed[0][100] ^= 1; // the mode
  expectAll(problem(joined(changed)),
            {"not a header as a store's archive has it, for 'index/"});
  changed = members;
  changed.insert(changed.begin() + (foreign[1] > members[1] ? 2 : 1),
                 foreign[1]);
  expectAll(problem(joined(changed)),
            {"it belongs to no entry of the archive"});
}
