// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Damage. P11: whatever byte of a small entry is flipped, nothing wrong is
// served. Truncated, swapped, linked and renamed files; disks that are full or
// broken at any operation; writers that die at any operation.

#include "Fixture.h"

#include "fly/Store/Paths.h"

#include "llvm/Support/FileSystem.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fly::store;
using llvm::StringRef;

/// Looks up: "hit" only with the right bytes, "wrong" with others, else "miss"
/// or the error.
static std::string outcome(const Store &store, const Entry &entry) {
  auto found = store.lookUp(entry.key());
  if (!found)
    return llvm::toString(found.takeError());
  if (!*found)
    return "miss";
  return (*found)->bytes->getBuffer() == entry.bytes ? "hit" : "wrong";
}

TEST(Faults, anyFlippedByteIsSeen) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  publish(store, entry, {"u"});
  unsigned flips = 0;
  for (const auto &[path, bytes] : snapshot(folder.path("s"))) {
    PathKind kind = classify(path);
    if (bytes == "folder" || kind == PathKind::Marker)
      continue;
    std::string file = folder.path("s/" + path);
    for (size_t i = 0; i < bytes.size(); ++i, ++flips) {
      std::string bad = bytes;
      bad[i] ^= char(1 << (i % 8));
      writeFile(file, bad);
      std::string result = outcome(store, entry);
      EXPECT_NE(result, "wrong");
      if (kind == PathKind::Unit) {
        auto key = store.unitKey("u", targetOf("gfx942"));
        EXPECT_FALSE(bool(key)) << path << " byte " << i;
        llvm::consumeError(key.takeError());
      } else if (kind == PathKind::Format) {
        llvm::Expected<Store> again =
            Store::open(folder.path("s"), {Mode::ReadOnly, {}, nullptr});
        EXPECT_FALSE(bool(again)) << path << " byte " << i;
        llvm::consumeError(again.takeError());
      } else {
        EXPECT_TRUE(StringRef(result).contains("FLY-S00"))
            << path << " byte " << i << result;
      }
    }
    writeFile(file, bytes);
  }
  EXPECT_GT(flips, 2000u);
  EXPECT_EQ(outcome(store, entry), "hit");
}

TEST(Faults, truncatedGrownSwappedAndLinked) {
  TemporaryFolder folder;
  std::string root = folder.path("s") + "/";
  Entry a = makeEntry("gfx942", {"k"}, 1), b = makeEntry("gfx942", {"k"}, 2);
  {
    Store store = openStore(folder.path("s"));
    publish(store, a);
    publish(store, b);
  }
  Store store = openStore(folder.path("s"), Mode::ReadOnly);
  std::string manifestA = root + indexPath(a.key());
  std::string manifestB = root + indexPath(b.key());
  std::string payloadA = root + objectPath(a.manifest.payload);
  std::string payloadB = root + objectPath(b.manifest.payload);
  auto with = [&](const std::string &path, const std::string &bytes) {
    std::string old = readFile(path);
    writeFile(path, bytes);
    std::string result = outcome(store, a);
    writeFile(path, old);
    return result;
  };
  expectAll(with(payloadA, a.bytes.substr(1)),
            {"bytes, the manifest says", "FLY-S002"});
  expectAll(with(payloadA, a.bytes + "x"), {"FLY-S002"});
  expectAll(with(payloadA, ""), {"FLY-S002"});
  expectAll(with(payloadA, b.bytes), {a.manifest.payload.hex(), "FLY-S002"});
  expectAll(with(manifestA, b.manifest.text()),
            {indexPath(a.key()) + "' holds the entry of key " + b.key() +
             " [FLY-S003]"});
  expectAll(with(manifestA, ""), {"FLY-S002"});
  expectAll(with(manifestA, std::string(2 << 20, ' ')), {"FLY-S002"});
  // A manifest whose payload is code for something else.
  Entry liar = a;
  std::string other = makeCodeObject(targetOf("gfx950"), {"k"}, 1);
  liar.manifest.payload = fly::support::digestOf(other);
  liar.manifest.size = other.size();
  writeFile(root + objectPath(liar.manifest.payload), other);
  expectAll(with(manifestA, liar.manifest.text()),
            {"gfx950", "gfx942", "FLY-S004"});
  liar = a;
  liar.manifest.kernels[0].lds = 7;
  expectAll(with(manifestA, liar.manifest.text()),
            {": the kernels of the code object are not those of the manifest "
             "[FLY-S004]"});
  EXPECT_EQ(outcome(store, a), "hit");
  // Links, folders and pipes in the place of files.
  auto replace = [&](const std::string &path, llvm::function_ref<void()> make) {
    std::string saved = path + ".saved";
    EXPECT_EQ(::rename(path.c_str(), saved.c_str()), 0);
    make();
    std::string result = outcome(store, a);
    EXPECT_EQ(::remove(path.c_str()), 0);
    EXPECT_EQ(::rename(saved.c_str(), path.c_str()), 0);
    return result;
  };
  for (const std::string &path : {manifestA, payloadA}) {
    expectAll(replace(path,
                      [&] {
                        EXPECT_EQ(
                            symlink((path + ".saved").c_str(), path.c_str()),
                            0);
                      }),
              {"it is a symbolic link", "FLY-S002"});
    expectAll(replace(path, [&] { EXPECT_EQ(mkdir(path.c_str(), 0777), 0); }),
              {"FLY-S002"});
    expectAll(replace(path, [&] { EXPECT_EQ(mkfifo(path.c_str(), 0666), 0); }),
              {"FLY-S002"});
  }
  std::string index = root + "index";
  ASSERT_EQ(::rename(index.c_str(), (index + ".real").c_str()), 0);
  ASSERT_EQ(symlink("index.real", index.c_str()), 0);
  EXPECT_NE(outcome(store, a), "hit");
  (void)manifestB;
  (void)payloadB;
}

TEST(Faults, corruptEntriesAreRepairedByPublishing) {
  TemporaryFolder folder;
  std::vector<std::string> warnings;
  Store store = openStore(folder.path("s"), Mode::ReadWrite, &warnings);
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  publish(store, entry);
  std::string payload = folder.path("s/" + objectPath(entry.manifest.payload));
  std::string bad = entry.bytes;
  bad.back() ^= 1;
  writeFile(payload, bad);
  EXPECT_TRUE(store.quarantine(entry.key()));
  EXPECT_EQ(outcome(store, entry), "miss");
  EXPECT_EQ(readFile(folder.path("s/quarantine/" +
                                 entry.manifest.payload.hex() + ".bin")),
            bad);
  publish(store, entry);
  EXPECT_EQ(outcome(store, entry), "hit");
  EXPECT_FALSE(store.quarantine(entry.key()));
  // Without quarantine, too.
  writeFile(payload, bad);
  publish(store, entry);
  EXPECT_EQ(outcome(store, entry), "hit");
  ASSERT_EQ(warnings.size(), 1u);
  expectAll(warnings[0], {"FLY-S002", "published anew"});
  llvm::sys::fs::remove(payload);
  publish(store, entry);
  EXPECT_EQ(outcome(store, entry), "hit");
}

namespace {
/// Fails, or ends the process, at the n-th operation that changes something.
class FailAt : public FileHook {
public:
  FailAt(unsigned n, std::error_code code) : left(n), code(code) {}
  std::error_code before(FileOp op, StringRef path) override {
    if (op == FileOp::Read || op == FileOp::List)
      return {};
    ++seen;
    syncs += op == FileOp::Sync || op == FileOp::SyncFolder;
    if (left-- != 0)
      return {};
    if (!code)
      _exit(0);
    return code;
  }
  unsigned seen = 0;
  unsigned syncs = 0;

private:
  unsigned left;
  std::error_code code;
};
} // namespace

static constexpr unsigned never = UINT_MAX;

TEST(Faults, fourSyncsAPublication) {
  TemporaryFolder folder;
  FailAt hook(never, {});
  Store store = openStore(folder.path("s"), Mode::ReadWrite, nullptr, &hook);
  hook.syncs = 0;
  publish(store, makeEntry("gfx942", {"k"}, 1), {"u"});
  EXPECT_EQ(hook.syncs, 4u);
}

TEST(Faults, fullOrBrokenDiskAtEveryOperation) {
  Entry old = makeEntry("gfx942", {"k"}, 1),
        fresh = makeEntry("gfx942", {"k"}, 2);
  for (std::errc number : {std::errc::no_space_on_device, std::errc::io_error,
                           std::errc::read_only_file_system}) {
    std::error_code code = std::make_error_code(number);
    unsigned failures = 0;
    for (unsigned at = 0;; ++at) {
      TemporaryFolder folder;
      publish(openStore(folder.path("s")), old, {"u"});
      FailAt hook(at, code);
      std::vector<std::string> warnings;
      Store store =
          openStore(folder.path("s"), Mode::ReadWrite, &warnings, &hook);
      auto done = store.publish(fresh.manifest, fresh.bytes, {"u"});
      bool failed = !done;
      if (failed) {
        ++failures;
        expectAll(
            llvm::toString(done.takeError()),
            number == std::errc::read_only_file_system
                ? std::vector<std::string>{"store '" + folder.path("s") +
                                               "' is not writable: ",
                                           code.message() +
                                               "; ro:DIR reads it [FLY-S006]"}
                : std::vector<std::string>{
                      "store '" + folder.path("s") + "': writing ",
                      " failed: " + code.message() +
                          "; the temporary file is removed, entries that were "
                          "there are intact [FLY-S009]"});
      }
      Store after = openStore(folder.path("s"));
      EXPECT_EQ(outcome(after, old), "hit");
      std::string result = outcome(after, fresh);
      EXPECT_TRUE(result == "hit" || (failed && result == "miss")) << result;
      EXPECT_TRUE(after.audit().get().problems.empty());
      EXPECT_TRUE(after.files().list("tmp").get().empty()) << at;
      publish(after, fresh, {"u"});
      EXPECT_EQ(outcome(after, fresh), "hit");
      if (hook.seen <= at)
        break;
    }
    EXPECT_GE(failures, 8u);
  }
}

TEST(Faults, aWriterThatDiesAtEveryOperation) {
  Entry old = makeEntry("gfx942", {"k"}, 1),
        fresh = makeEntry("gfx942", {"k"}, 2);
  unsigned deaths = 0;
  for (unsigned at = 0;; ++at) {
    TemporaryFolder folder;
    publish(openStore(folder.path("s")), old, {"u"});
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      FailAt hook(at, {});
      Store store =
          openStore(folder.path("s"), Mode::ReadWrite, nullptr, &hook);
      publish(store, fresh, {"u"});
      _exit(1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    Store store = openStore(folder.path("s"));
    EXPECT_EQ(outcome(store, old), "hit");
    std::string result = outcome(store, fresh);
    EXPECT_TRUE(result == "hit" || result == "miss") << result;
    EXPECT_TRUE(store.audit().get().problems.empty());
    GcOptions options;
    options.grace = 0;
    (void)store.gc(options).get();
    EXPECT_TRUE(store.files().list("tmp").get().empty());
    EXPECT_EQ(store.audit().get().unreferenced, 0u);
    publish(store, fresh, {"u"});
    EXPECT_EQ(outcome(store, fresh), "hit");
    if (WEXITSTATUS(status) == 1)
      break;
    ++deaths;
  }
  EXPECT_GE(deaths, 10u);
}

TEST(Faults, staleNetworkHandleIsAMiss) {
  class Stale : public FileHook {
    std::error_code before(FileOp op, StringRef) override {
      return op == FileOp::Read && armed
                 ? std::error_code(ESTALE, std::generic_category())
                 : std::error_code();
    }

  public:
    bool armed = false;
  } hook;
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"), Mode::ReadWrite, nullptr, &hook);
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  publish(store, entry);
  hook.armed = true;
  EXPECT_EQ(outcome(store, entry), "miss");
}

TEST(Faults, auditNamesEachProblem) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  std::vector<Entry> entries;
  for (unsigned i = 0; i < 3; ++i) {
    entries.push_back(makeEntry("gfx942", {"k"}, i));
    publish(store, entries[i], {"u" + std::to_string(i)});
  }
  EXPECT_TRUE(store.audit().get().problems.empty());
  writeFile(folder.path("s/index/zz/readme.txt"), "x");
  writeFile(folder.path("s/objects/evil;name"), "x");
  writeFile(folder.path("s/" + objectPath(entries[0].manifest.payload)), "x");
  writeFile(
      folder.path("s/" + unitPath("u1", entries[1].manifest.target.fullText())),
      "{}");
  AuditReport report = store.audit().get();
  EXPECT_EQ(report.entries, 2u);
  ASSERT_EQ(report.problems.size(), 4u);
  std::string all;
  for (const std::string &problem : report.problems)
    all += problem + "\n";
  expectAll(all, {"readme.txt': it is not a file of the format", "evil;name",
                  "units/", entries[0].manifest.payload.hex()});
}

TEST(Faults, auditLooksAtMarkers) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  Entry a = makeEntry("gfx942", {"k", "l"}, 1);
  Entry b = makeEntry("gfx942", {"m"}, 2);
  publish(store, a);
  publish(store, b);
  EXPECT_TRUE(store.audit().get().problems.empty());
  EXPECT_EQ(store.audit().get().unmarked, 0u);
  auto file = [&](StringRef kernel, const Entry &entry) {
    return folder.path("s/" + markerPath(kernel, entry.key()));
  };
  // A writer may have died before it made this one: no fault, but told.
  ASSERT_EQ(::unlink(file("l", a).c_str()), 0);
  EXPECT_TRUE(store.audit().get().problems.empty());
  EXPECT_EQ(store.audit().get().unmarked, 1u);
  // No writer makes these.
  writeFile(file("k", a), "x");
  writeFile(file("m", a), "");
  AuditReport report = store.audit().get();
  ASSERT_EQ(report.problems.size(), 2u);
  expectAll(report.problems[0] + report.problems[1],
            {"a marker is empty, this one has 1 bytes",
             "the entry that it names has no kernel of this name", "FLY-S002"});
}

/// What was verified once is remembered; damage that comes later is seen.
TEST(Faults, damageAfterAHitIsSeen) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  Entry other = makeEntry("gfx942", {"k"}, 2);
  publish(store, entry);
  publish(store, other);
  EXPECT_EQ(outcome(store, entry), "hit");
  std::string manifest = folder.path("s/" + indexPath(entry.key()));
  std::string payload = folder.path("s/" + objectPath(entry.manifest.payload));
  for (const std::string &file : {manifest, payload}) {
    std::string bytes = readFile(file);
    for (size_t i = 0; i < bytes.size(); i += 5) {
      std::string bad = bytes;
      bad[i] ^= char(1 << (i % 8));
      writeFile(file, bad);
      EXPECT_TRUE(StringRef(outcome(store, entry)).contains("FLY-S00"))
          << file << " byte " << i;
    }
    writeFile(file, bytes);
    EXPECT_EQ(outcome(store, entry), "hit");
  }
  writeFile(manifest, other.manifest.text());
  expectAll(outcome(store, entry), {"FLY-S003"});
  ASSERT_EQ(::unlink(manifest.c_str()), 0);
  EXPECT_EQ(outcome(store, entry), "miss");
}
