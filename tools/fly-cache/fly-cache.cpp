// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-cache: looks after stores of compiled kernels. This file is the command
// line; each command is a function of Commands.h.
//
//   fly-cache ls --store=aot
//   fly-cache coverage --plan=plan.json --store=aot
//
// Exit statuses: 0 done, 2 usage or a file or store that cannot be used, 3 a
// miss, 4 a corrupt entry, 5 a conflict, 6 a target that is not one.

#include "Commands.h"

#include "fly/Support/Environment.h"
#include "fly/Support/Files.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

namespace cl = llvm::cl;
using namespace flycache;
using fly::store::LayerSpec;

static constexpr char overview[] = R"(looks after stores of compiled kernels

  A store is a folder: code objects under keys of what they were compiled from,
  and under names of units. Stores are --store=DIR (repeated: searched in this
  order; ro:DIR and rw:DIR say how to open), else the list in FLY_STORE.

EXAMPLES
  fly-cache ls --store=aot --target=gfx942      what is in it
  fly-cache show gemm/bf16 --store=aot          one entry, by unit or key digits
  fly-cache show 9c41d08b -o gemm.hsaco         its code object (4 digits or
                                                more of the key)
  fly-cache coverage --plan=plan.json           is every unit of the plan there?
  fly-cache explain key.json                    why is this key not found?
  fly-cache pack --store=aot -o aot.tar         one file, for a wheel

  fly-cache key gemm.mlir --target=gfx942       the key of a module
  fly-cache warm --plan=plan.json --store=aot   build what is missing

  fly-cache COMMAND --help tells more of a command. key, warm and the keys of
  modules in explain and diff are the work of fly-compile.

EXIT STATUS: 0 done, 2 usage or unreadable, 3 miss, 4 corrupt, 5 conflict,
  6 no such target
)";

static cl::OptionCategory category("Options of fly-cache");

static cl::SubCommand
    addCommand("add",
               "publishes a code object under the key in --key=FILE:\n"
               "  fly-cache add k.hsaco --key=k.json --unit=gemm --store=aot");
static cl::SubCommand coverageCommand(
    "coverage",
    "checks that each unit and target of a plan is stored and verified, and "
    "says what is nearest where it is not. Whether a module has changed since "
    "it was built only the compiler can tell:\n"
    "  fly-cache coverage --plan=plan.json --store=aot");
static cl::SubCommand
    diffCommand("diff", "says in which fields two keys differ:\n"
                        "  fly-cache diff 9c41d08b 77ab0c5e --store=aot");
static cl::SubCommand
    explainCommand("explain",
                   "says why a key is not stored: the nearest entries and the "
                   "fields that differ. Takes a module, lines of "
                   "fly-cache-key{format=json}, a key, or a unit:\n"
                   "  fly-cache explain gemm.mlir --target=gfx942 --store=aot");
static cl::SubCommand
    gcCommand("gc",
              "removes entries, least recently used first, until the "
              "bounds hold, and what nobody refers to:\n"
              "  fly-cache gc --max-bytes=500000000 --pin=gemm --dry-run");
static cl::SubCommand keyCommand("key",
                                 "prints the key of a module:\n"
                                 "  fly-cache key gemm.mlir --target=gfx942");
static cl::SubCommand lsCommand("ls", "lists entries:\n"
                                      "  fly-cache ls --target=gfx942");
static cl::SubCommand
    mergeCommand("merge", "adds the entries of other stores to a store, and "
                          "reports conflicts:\n"
                          "  fly-cache merge shard1 shard2 --store=aot");
static cl::SubCommand
    packCommand("pack", "writes a store as one tar archive, the same bytes for "
                        "the same entries:\n"
                        "  fly-cache pack --store=aot -o aot.tar");
static cl::SubCommand
    resolveCommand("resolve",
                   "says which target is meant here, and which source said it: "
                   "--target, variables, the GPUs of this machine:\n"
                   "  fly-cache resolve --device-name=gfx942:xnack-");
static cl::SubCommand
    showCommand("show", "shows one entry, or writes its code object with -o:\n"
                        "  fly-cache show gemm/bf16 --target=gfx942");
static cl::SubCommand statsCommand("stats", "counts entries, hits and misses");
static cl::SubCommand
    unpackCommand("unpack", "adds the entries of an archive to a store:\n"
                            "  fly-cache unpack aot.tar --store=aot");
static cl::SubCommand
    verifyCommand("verify", "checks every file of the stores: keys, digests, "
                            "targets, names");

static cl::SubCommand
    warmCommand("warm", "builds the units of a plan that are not stored:\n"
                        "  fly-cache warm --plan=plan.json --store=aot -j 8");

static cl::list<std::string> operands(cl::Positional, cl::desc("<operands>"),
                                      cl::sub(cl::SubCommand::getAll()));
static cl::list<std::string>
    stores("store", cl::desc("A store: DIR, ro:DIR or rw:DIR; repeated"),
           cl::value_desc("folder"), cl::sub(cl::SubCommand::getAll()),
           cl::cat(category));
static cl::opt<bool> json("json", cl::desc("Print JSON for programs"),
                          cl::sub(cl::SubCommand::getAll()), cl::cat(category));
static cl::opt<std::string>
    target("target", cl::desc("Only, or the unit for, this target"),
           cl::value_desc("name"), cl::sub(lsCommand), cl::sub(showCommand),
           cl::sub(diffCommand), cl::sub(explainCommand), cl::sub(keyCommand),
           cl::sub(resolveCommand), cl::cat(category));
static cl::opt<std::string>
    deviceName("device-name", cl::desc("gcnArchName of the device to run on"),
               cl::value_desc("name"), cl::sub(resolveCommand),
               cl::cat(category));
static cl::opt<std::string>
    kfdRoot("kfd-root", cl::desc("Folder 'nodes' of the driver's topology"),
            cl::value_desc("folder"), cl::sub(resolveCommand),
            cl::cat(category));
static cl::opt<bool>
    exact("exact",
          cl::desc("Keep the features of a device, in place of code "
                   "for either setting"),
          cl::sub(resolveCommand), cl::cat(category));
static cl::opt<std::string>
    kernel("kernel",
           cl::desc("Only, or compare with, entries with this kernel"),
           cl::value_desc("name"), cl::sub(lsCommand), cl::sub(explainCommand),
           cl::cat(category));
static cl::opt<std::string>
    unit("unit", cl::desc("Only this unit, or the name to publish under"),
         cl::value_desc("name"), cl::sub(lsCommand), cl::sub(addCommand),
         cl::cat(category));
static cl::opt<std::string> output("o",
                                   cl::desc("Output; - is standard output"),
                                   cl::value_desc("file"), cl::sub(showCommand),
                                   cl::sub(packCommand), cl::cat(category));
static cl::opt<std::string>
    keyFile("key", cl::desc("Key with its components, lines of fly-key/1"),
            cl::value_desc("file"), cl::sub(addCommand), cl::cat(category));
static cl::opt<std::string> plan("plan", cl::desc("Plan, schema fly-plan/1"),
                                 cl::value_desc("file"),
                                 cl::sub(coverageCommand), cl::sub(warmCommand),
                                 cl::cat(category));
static cl::list<std::string> compilerOptions(
    "with", cl::desc("An option for fly-compile: --with=-O3; repeated"),
    cl::value_desc("option"), cl::sub(keyCommand), cl::sub(warmCommand),
    cl::sub(explainCommand), cl::sub(diffCommand), cl::cat(category));
static cl::opt<bool> explainComponents("explain-components",
                                       cl::desc("Say what the key is made of"),
                                       cl::sub(keyCommand), cl::cat(category));
static cl::opt<unsigned> workers("j", cl::desc("Compile so many at once"),
                                 cl::Prefix, cl::value_desc("number"),
                                 cl::sub(warmCommand), cl::cat(category));
static cl::opt<unsigned> nearest("nearest",
                                 cl::desc("How many entries to compare with"),
                                 cl::value_desc("number"), cl::init(1),
                                 cl::sub(explainCommand), cl::cat(category));
static cl::opt<bool> dryRun("dry-run", cl::desc("Only say what would go"),
                            cl::sub(gcCommand), cl::cat(category));
static cl::opt<uint64_t> maxBytes("max-bytes",
                                  cl::desc("Bound of all entries, at least 1"),
                                  cl::value_desc("bytes"), cl::sub(gcCommand),
                                  cl::cat(category));
static cl::opt<uint64_t> maxEntries("max-entries",
                                    cl::desc("Bound of entries, at least 1"),
                                    cl::value_desc("number"),
                                    cl::sub(gcCommand), cl::cat(category));
static cl::opt<uint64_t> maxAge("max-age",
                                cl::desc("Entries not used for so long go"),
                                cl::value_desc("seconds"), cl::sub(gcCommand),
                                cl::cat(category));
static cl::opt<uint64_t>
    grace("grace", cl::desc("Leftovers younger than this stay (3600)"),
          cl::value_desc("seconds"), cl::init(3600), cl::sub(gcCommand),
          cl::cat(category));
static cl::list<std::string>
    pins("pin", cl::desc("Unit, key, or beginning of keys that stays"),
         cl::value_desc("name"), cl::sub(gcCommand), cl::cat(category));

namespace {
struct Command {
  cl::SubCommand &name;
  int (*run)(const Request &);
};
} // namespace

/// Bounds of 0 would mean none to gc, and all to people.
static int checkBounds() {
  for (const auto *bound : {&maxBytes, &maxEntries, &maxAge})
    if (bound->getNumOccurrences() && bound->getValue() == 0)
      return usage("--" + bound->ArgStr +
                   " is 0, expected at least 1; left out, there is no bound");
  return ExitSuccess;
}

static llvm::Expected<Request> makeRequest() {
  Request request;
  for (const std::string &text : stores) {
    llvm::Expected<LayerSpec> spec = LayerSpec::parseOption(text);
    if (!spec)
      return spec.takeError();
    request.stores.push_back(std::move(*spec));
  }
  if (stores.empty()) {
    auto environment = fly::support::Environment::capture();
    if (std::optional<llvm::StringRef> list = environment.get("FLY_STORE"))
      request.stores = fly::store::parseLayerList(*list);
  }
  request.operands = operands;
  request.json = json;
  request.target = target;
  request.kernel = kernel;
  request.unit = unit;
  request.output = output;
  request.keyFile = keyFile;
  request.plan = plan;
  request.nearest = nearest;
  request.compilerOptions = compilerOptions;
  request.explainComponents = explainComponents;
  request.workers = workers;
  request.dryRun = dryRun;
  request.gc.maxBytes = maxBytes;
  request.gc.maxEntries = maxEntries;
  request.gc.maxAge = maxAge;
  request.gc.grace = grace;
  request.gc.pins = pins;
  request.resolve.deviceName = deviceName;
  request.resolve.kfdRoot = kfdRoot;
  if (exact)
    request.resolve.features = fly::amdgpu::FeaturePolicy::Exact;
  return request;
}

static int run(const Command &command) {
  if (int status = checkBounds())
    return status;
  if (target.getNumOccurrences() > 1)
    return usage("--target is given " +
                 std::to_string(target.getNumOccurrences()) +
                 " times, expected one target");
  llvm::Expected<Request> request = makeRequest();
  return request ? command.run(*request) : report(request.takeError());
}

/// Output that was not written makes a success a failure.
static int finish(int status) {
  llvm::Error error = fly::support::flushStandardOutput();
  if (!error)
    return status;
  int failed = usage("cannot write " + llvm::toString(std::move(error)));
  return status ? status : failed;
}

static int runProgram(int argc, char **argv) {
  const Command commands[] = {
      {addCommand, runAdd},       {coverageCommand, runCoverage},
      {diffCommand, runDiff},     {explainCommand, runExplain},
      {gcCommand, runGc},         {keyCommand, runKey},
      {lsCommand, runLs},         {mergeCommand, runMerge},
      {packCommand, runPack},     {resolveCommand, runResolve},
      {showCommand, runShow},     {statsCommand, runStats},
      {unpackCommand, runUnpack}, {verifyCommand, runVerify},
      {warmCommand, runWarm}};
  for (const Command &command : commands)
    cl::HideUnrelatedOptions(category, command.name);
  cl::HideUnrelatedOptions(category);
  cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "Fly for LLVM version " << FLY_VERSION << "\n";
  });
  // The help of a command begins with the command.
  bool isCommand =
      argc > 1 && llvm::any_of(commands, [&](const Command &command) {
        return command.name.getName() == argv[1];
      });
  llvm::StringRef about = isCommand ? "" : overview;
  if (!cl::ParseCommandLineOptions(argc, argv, about, &llvm::errs()))
    return ExitUsage;
  for (const Command &command : commands)
    if (command.name)
      return finish(run(command));
  std::string names;
  for (const Command &command : commands)
    names += (names.empty() ? "" : ", ") + command.name.getName().str();
  if (operands.empty())
    return usage("expected a command: " + names + "; see --help");
  return usage("unknown command '" + operands.front() +
               "', expected one of: " + names);
}

int main(int argc, char **argv) {
  fly::support::occupyStandardFiles();
  llvm::InitLLVM initLLVM(argc, argv);
  return fly::support::forgetUnwrittenMessages(runProgram(argc, argv));
}
