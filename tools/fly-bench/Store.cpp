// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-bench store`: what a look-up costs inside a process that lives, beside a
// plain read and BLAKE3 of the same bytes; how it grows with the store; what a
// whole process costs that serves a hit, beside a bare one; and how often a
// publication waits for the disk. CPU times; a process counts with its kernel
// time.
//
// Targets: a hit of 22 KB at most 0.2 ms and three times read plus BLAKE3;
// flat from 100 to 100,000 entries; listing linear; fly-compile on a direct hit
// at most three bare processes, on a canonical one 1.3 times mlir-opt
// --version; libfly_store from opening to the first hit at most 1 ms; four
// waits for the disk.

#include "Bench.h"

#include "fly-c/Store.h"
#include "fly/Driver/Driver.h"
#include "fly/Store/Layers.h"
#include "fly/Store/Paths.h"

#include "benchmark/benchmark.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <dlfcn.h>
#include <set>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace fly::store;
using namespace flybench;
using llvm::StringRef;
using llvm::Twine;

extern char **environ;

namespace {
/// Counts operations of the file layer.
class CountingHook : public FileHook {
public:
  std::error_code before(FileOp op, StringRef) override {
    waits += op == FileOp::Sync || op == FileOp::SyncFolder;
    return {};
  }
  unsigned waits = 0;
};

/// What the measurements work on.
struct Bench {
  std::string root;
  std::string module;
  std::string bytes;
  std::optional<Manifest> manifest;
  /// Stores that are there, by their number of entries.
  std::set<unsigned> filled;

  std::string path(const Twine &name) const {
    return (root + "/" + name).str();
  }
};

/// How often a store of so many entries is asked.
const unsigned storeSizes[] = {100, 10000, 100000};
} // namespace

[[noreturn]] static void giveUp(const Twine &why) {
  llvm::errs() << "error: " << why << "\n";
  std::exit(1);
}

static void writeFile(const std::string &path, StringRef text) {
  (void)llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    giveUp("cannot write " + path + ": " + code.message());
  os << text;
}

/// A kernel whose code object has about 22 KB.
static std::string moduleText() {
  std::string text = "gpu.module @m {\n  gpu.func @k(%p: !llvm.ptr<1>) kernel "
                     "{\n";
  for (unsigned i = 0; i < 820; ++i) {
    std::string n = std::to_string(i);
    text += "    %c" + n + " = llvm.mlir.constant(" +
            std::to_string(7919 * i + 3) +
            " : i32) : i32\n    llvm.store "
            "volatile %c" +
            n + ", %p : i32, !llvm.ptr<1>\n";
  }
  return text + "    gpu.return\n  }\n}\n";
}

/// Compiles the kernel into the store `cold` and remembers its entry, once:
/// what was filtered out needs none.
static void prepare(Bench &bench) {
  if (bench.manifest)
    return;
  bench.module = bench.path("k.mlir");
  writeFile(bench.module, moduleText());
  mlir::fly::CompileRequest request;
  request.inputPath = bench.module;
  request.outputPath = "";
  request.options.resolve.target = "gfx942";
  request.options.resolve.useEnvironment = false;
  request.stores = {{bench.path("cold"), Mode::ReadWrite}};
  request.quiet = true;
  mlir::fly::CompileResult result;
  if (runCompile(request, mlir::fly::KeyEnvironment(), llvm::errs(), &result))
    giveUp("the kernel was not compiled");
  auto store = Store::open(bench.path("cold"), {});
  if (!store)
    giveUp(llvm::toString(store.takeError()));
  auto found = store->lookUp(result.outcomes.front().key);
  if (!found || !*found)
    giveUp("the kernel was not published");
  bench.manifest = std::move((*found)->manifest);
  bench.bytes = (*found)->bytes->getBuffer().str();
  llvm::outs() << "code object of " << bench.bytes.size() << " bytes, manifest "
               << bench.manifest->text().size() << " bytes\n";
}

/// The manifest of the same code under another key.
static Manifest numbered(const Bench &bench, unsigned number) {
  Manifest manifest = *bench.manifest;
  for (fly::support::KeyComponent &component : manifest.key.components)
    if (component.name == "salt")
      component.fields = {{"text", std::to_string(number)}};
  return manifest;
}

/// A store of `count` entries that share their payload, once. The files are
/// written as they are: publishing would wait for the disk each time.
static void fill(Bench &bench, unsigned count) {
  prepare(bench);
  if (!bench.filled.insert(count).second)
    return;
  std::string path = bench.path("s" + Twine(count));
  if (auto store = Store::open(path, {Mode::ReadWrite, {}}); !store)
    giveUp(llvm::toString(store.takeError()));
  writeFile(path + "/" + objectPath(bench.manifest->payload), bench.bytes);
  for (unsigned i = 0; i < count; ++i) {
    Manifest manifest = numbered(bench, i);
    writeFile(path + "/" + indexPath(manifest.key.text()), manifest.text());
  }
}

//===----------------------------------------------------------------------===//
// Inside a process
//===----------------------------------------------------------------------===//

static void measurePlainRead(benchmark::State &state, Bench &bench) {
  prepare(bench);
  std::string path = bench.path("cold/") + objectPath(bench.manifest->payload);
  for (auto _ : state) {
    auto buffer = llvm::MemoryBuffer::getFile(path, false, false, true);
    benchmark::DoNotOptimize(fly::support::digestOf((*buffer)->getBuffer()));
  }
}

static Layers openLayers(const Bench &bench, unsigned size) {
  auto layers =
      Layers::open({{bench.path("s" + Twine(size)), Mode::ReadOnly}}, {});
  if (!layers)
    giveUp(llvm::toString(layers.takeError()));
  return std::move(*layers);
}

static void lookUp(const Layers &layers, const std::string &key) {
  auto found = layers.lookUp(StringRef(key));
  if (!found || !*found)
    giveUp("an entry is missing");
  benchmark::DoNotOptimize(found);
}

/// The first look-up of an entry in an open store: nothing of it is known.
static void measureLookUp(benchmark::State &state, Bench &bench,
                          unsigned size) {
  fill(bench, size);
  std::vector<std::string> keys;
  for (unsigned i = 0; i < 64; ++i)
    keys.push_back(numbered(bench, i * 7919 % size).key.text());
  size_t next = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Layers layers = openLayers(bench, size);
    state.ResumeTiming();
    lookUp(layers, keys[next++ % keys.size()]);
  }
}

static void measureRepeated(benchmark::State &state, Bench &bench) {
  fill(bench, storeSizes[0]);
  Layers layers = openLayers(bench, storeSizes[0]);
  std::string key = numbered(bench, 0).key.text();
  for (auto _ : state)
    lookUp(layers, key);
}

static void measureList(benchmark::State &state, Bench &bench, unsigned size) {
  fill(bench, size);
  auto store = Store::open(bench.path("s" + Twine(size)), {});
  for (auto _ : state) {
    auto keys = store->keys();
    if (!keys || keys->size() != size)
      giveUp("the list is not whole");
  }
}

static unsigned countWaits(const Bench &bench) {
  CountingHook hook;
  auto store = Store::open(bench.path("waits"), {Mode::ReadWrite, {}, &hook});
  if (!store)
    giveUp(llvm::toString(store.takeError()));
  hook.waits = 0;
  if (auto done = store->publish(*bench.manifest, bench.bytes, {"unit"}); !done)
    giveUp(llvm::toString(done.takeError()));
  return hook.waits;
}

//===----------------------------------------------------------------------===//
// Whole processes
//===----------------------------------------------------------------------===//

/// CPU seconds of one run.
static double runOnce(const std::vector<std::string> &words) {
  std::vector<char *> argv;
  for (const std::string &word : words)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
  pid_t process = 0;
  int failed =
      posix_spawn(&process, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage used;
  if (failed || ::wait4(process, &status, 0, &used) < 0 || status)
    giveUp(words.front() + " failed");
  auto seconds = [](const timeval &time) {
    return double(time.tv_sec) + 1e-6 * double(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// The median of some runs.
static double medianOf(const std::vector<std::string> &words) {
  std::vector<double> seconds;
  for (unsigned i = 0; i < 25; ++i)
    seconds.push_back(runOnce(words));
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// From loading the library to the bytes, the library unloaded each time.
static double medianOfServing(const Bench &bench, const std::string &library) {
  std::vector<double> seconds;
  std::string folder = bench.path("cold");
  const char *folders[] = {folder.c_str()};
  for (unsigned i = 0; i < 25; ++i) {
    clock_t begin = ::clock();
    void *handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      giveUp(::dlerror());
    auto open = reinterpret_cast<decltype(&flyStoreOpen)>(
        ::dlsym(handle, "flyStoreOpen"));
    auto find = reinterpret_cast<decltype(&flyStoreFindUnit)>(
        ::dlsym(handle, "flyStoreFindUnit"));
    auto close = reinterpret_cast<decltype(&flyStoreClose)>(
        ::dlsym(handle, "flyStoreClose"));
    auto release = reinterpret_cast<decltype(&flyArtefactFree)>(
        ::dlsym(handle, "flyArtefactFree"));
    FlyStore *store = nullptr;
    FlyArtefact *code = nullptr;
    if (open(folders, 1, &store) || find(store, "m", "gfx942", &code))
      giveUp("libfly_store does not serve the kernel");
    seconds.push_back(double(::clock() - begin) / CLOCKS_PER_SEC);
    release(code);
    close(store);
    ::dlclose(handle);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

static std::string besideThis(StringRef name) {
  static const std::string self = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&besideThis));
  llvm::SmallString<256> path(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(path, name);
  return std::string(path);
}

static void measureProcesses(const Bench &bench, std::vector<Target> &targets) {
  std::string compile = besideThis("fly-compile");
  std::vector<std::string> words = {compile,
                                    bench.module,
                                    "--target=gfx942",
                                    "--store=" + bench.path("cold"),
                                    "-q",
                                    "-o",
                                    bench.path("out.hsaco")};
  std::vector<std::string> canonical = words;
  canonical.push_back("--direct=false");
  runOnce(words);
  double bare = medianOf({besideThis("fly-bench-bare")});
  double direct = medianOf(words);
  double parsed = medianOf(canonical);
  double version = medianOf({FLY_MLIR_OPT, "--version"});
  double serving = medianOfServing(bench, besideThis("../lib/libfly_store.so"));
  llvm::outs()
      << llvm::format("bare process           %8.2f ms\n", bare * 1e3)
      << llvm::format("direct hit             %8.2f ms\n", direct * 1e3)
      << llvm::format("canonical hit          %8.2f ms\n", parsed * 1e3)
      << llvm::format("mlir-opt --version     %8.2f ms\n", version * 1e3)
      << llvm::format("libfly_store, cold     %8.2f ms\n", serving * 1e3);
  targets.push_back({"fly-compile, direct hit, over a bare process",
                     direct / bare, /*atLeast=*/false, 3});
  targets.push_back({"fly-compile, canonical hit, over mlir-opt --version",
                     parsed / version, /*atLeast=*/false, 1.3});
  targets.push_back({"libfly_store, load, open and first hit, ms",
                     serving * 1e3, /*atLeast=*/false, 1});
}

int flybench::runStore() {
  llvm::SmallString<128> root;
  if (llvm::sys::fs::createUniqueDirectory("fly-bench", root))
    giveUp("no temporary folder");
  auto remove =
      llvm::scope_exit([&] { (void)llvm::sys::fs::remove_directories(root); });
  Bench bench{std::string(root), "", "", std::nullopt, {}};
  benchmark::RegisterBenchmark("read and BLAKE3", [&](benchmark::State &state) {
    measurePlainRead(state, bench);
  })->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark(
      "repeated look-up",
      [&](benchmark::State &state) { measureRepeated(state, bench); })
      ->Unit(benchmark::kMicrosecond);
  auto nameOf = [](StringRef what, unsigned size) {
    return (what + "/" + Twine(size)).str();
  };
  for (unsigned size : storeSizes) {
    benchmark::RegisterBenchmark(nameOf("look-up", size).c_str(),
                                 [&bench, size](benchmark::State &state) {
                                   measureLookUp(state, bench, size);
                                 })
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(nameOf("list", size).c_str(),
                                 [&bench, size](benchmark::State &state) {
                                   measureList(state, bench, size);
                                 })
        ->Unit(benchmark::kMicrosecond);
  }
  Results results = runRegistered();
  auto seconds = [&](const std::string &name) { return results[name].seconds; };
  std::vector<Target> targets;
  if (!bench.manifest)
    return judge("store", results, targets);
  // What was filtered out has no numbers.
  auto add = [&](const char *what, double above, double below, double scale,
                 double limit) {
    if (above > 0 && below > 0)
      targets.push_back(
          {what, above / below * scale, /*atLeast=*/false, limit});
  };
  double hit = seconds(nameOf("look-up", 100));
  add("a first hit with full verification, ms", hit, 1, 1e3, 0.2);
  add("a repeated hit over read and BLAKE3", seconds("repeated look-up"),
      seconds("read and BLAKE3"), 1, 3);
  add("look-up at 100000 entries over 100", seconds(nameOf("look-up", 100000)),
      hit, 1, 1.5);
  add("list: time per entry at 100000 over 10000",
      seconds(nameOf("list", 100000)), seconds(nameOf("list", 10000)), 0.1,
      1.5);
  targets.push_back({"waits for the disk of a publication",
                     double(countWaits(bench)), false, 4});
  measureProcesses(bench, targets);
  return judge("store", results, targets);
}
