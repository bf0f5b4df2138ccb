// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of fly-compile.

#include "CommandLine.h"

#include "fly/Support/Environment.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

namespace cl = llvm::cl;
using namespace flycompile;
using fly::amdgpu::ConflictPolicy;
using fly::amdgpu::DetectMode;
using fly::amdgpu::FeaturePolicy;
using fly::store::LayerSpec;
using llvm::StringRef;

static constexpr char overview[] = R"(compiles gpu.modules into code objects

  fly-compile vector_add.mlir --target=gfx942 -o vector_add.hsaco
  fly-compile a.mlir b.mlir --target=gfx942 --target=gfx950 -o objects/
  fly-compile gemm.mlir --store=cache -o gemm.hsaco     look up, else compile
  fly-compile --aot plan.json --store=aot -j 8          all units of a plan

  The target is said by --target, by the input (fly.target, #rocdl.target), or
  by FLY_TARGET, FLYDSL_GPU_ARCH or ARCH; else it is the GPU of this machine.
  There is no default. The key depends on the resolved target, never on how it
  was said.

  With a store (--store=DIR, repeated: searched in this order, ro:DIR and rw:DIR
  say how to open; else the list in FLY_STORE) a code object that is there is
  not compiled, and one that is compiled is published in the first store that
  can be written. --strict makes a miss an error and says what is nearest.

EXIT STATUS: 0 done, 1 refused or failed, 2 usage or unreadable, 3 strict miss,
  4 corrupt entry, 5 conflict, 6 no target
)";

static cl::OptionCategory category("Options of fly-compile");

//===----------------------------------------------------------------------===//
// Input and output
//===----------------------------------------------------------------------===//

static cl::list<std::string> inputs(cl::Positional, cl::desc("<inputs, or ->"),
                                    cl::cat(category));
static cl::opt<std::string>
    output("o",
           cl::desc("Output: a file for one gpu.module and one target, or a "
                    "folder with a slash at its end, which gets "
                    "<gpu.module>.<target>.hsaco (no two inputs may give the "
                    "same name); - is standard output, the "
                    "default for text"),
           cl::value_desc("file or folder/"), cl::cat(category));
static cl::opt<Emit> emitKind(
    "emit", cl::desc("What to write"), cl::init(Emit::Object),
    cl::values(clEnumValN(Emit::Object, "obj", "code object (default)"),
               clEnumValN(Emit::Assembly, "asm", "assembly"),
               clEnumValN(Emit::LLVMIR, "llvm", "optimised LLVM IR"),
               clEnumValN(Emit::MLIR, "mlir", "lowered MLIR"),
               clEnumValN(Emit::Key, "key", "the key; compile nothing"),
               clEnumValN(Emit::Components, "key-json",
                          "the key and its components, schema fly-key/1")),
    cl::cat(category));
static cl::opt<bool>
    importIR("import",
             cl::desc("Respell inputs that a newer MLIR printed, as fly-import "
                      "does; the key is that of the respelt text"),
             cl::cat(category));
static cl::opt<std::string>
    depfile("depfile", cl::desc("Write what was read, as a rule of make"),
            cl::value_desc("file"), cl::cat(category));
static cl::opt<bool> explain("explain",
                             cl::desc("Say where the target came from, what "
                                      "the key is made of, and what is nearest "
                                      "to a miss"),
                             cl::cat(category));
static cl::opt<bool> quiet("q", cl::desc("Do not say key and target"),
                           cl::cat(category));
static cl::opt<bool> timeReport("time-report",
                                cl::desc("Say the CPU time of each step"),
                                cl::cat(category));

//===----------------------------------------------------------------------===//
// Target
//===----------------------------------------------------------------------===//

static cl::list<std::string>
    targets("target",
            cl::desc("The GPU, in any spelling: gfx942:xnack-, "
                     "gfx9-4-generic, 9.4.2, 'gfx1100 wave=64'; repeated for "
                     "several"),
            cl::value_desc("name"), cl::cat(category));
static cl::opt<unsigned> wave("wave", cl::desc("Lanes of a wave: 32 or 64"),
                              cl::value_desc("lanes"), cl::cat(category));
static cl::opt<bool> cumode("cumode",
                            cl::desc("Compute-unit mode of the workgroup"),
                            cl::cat(category));
static cl::opt<unsigned> abi("abi", cl::desc("Code-object version: 500, 600"),
                             cl::value_desc("version"), cl::cat(category));
static cl::opt<std::string>
    deviceName("device-name", cl::desc("gcnArchName of the device to run on"),
               cl::value_desc("name"), cl::cat(category));
static cl::opt<ConflictPolicy>
    onConflict("on-conflict",
               cl::desc("When explicit sources of the target disagree"),
               cl::values(clEnumValN(ConflictPolicy::Error, "error",
                                     "refuse, and list them (default)"),
                          clEnumValN(ConflictPolicy::Override, "override",
                                     "take the strongest")),
               cl::init(ConflictPolicy::Error), cl::cat(category));
static cl::opt<FeaturePolicy> features(
    "feature-policy", cl::desc("What becomes of the features of a device"),
    cl::values(clEnumValN(FeaturePolicy::Portable, "portable",
                          "compile for either setting (default)"),
               clEnumValN(FeaturePolicy::Exact, "exact",
                          "compile for, and look up, the setting of the "
                          "device only")),
    cl::init(FeaturePolicy::Portable), cl::cat(category));
static cl::opt<DetectMode> detect(
    "detect", cl::desc("Where to look for a GPU when no target is given"),
    cl::values(clEnumValN(DetectMode::Auto, "auto",
                          "the kernel driver, then programs (default)"),
               clEnumValN(DetectMode::Kfd, "kfd", "the kernel driver only"),
               clEnumValN(DetectMode::Tool, "tool", "programs only"),
               clEnumValN(DetectMode::None, "none", "nowhere")),
    cl::init(DetectMode::Auto), cl::cat(category));
static cl::opt<std::string>
    kfdRoot("kfd-root", cl::desc("Folder 'nodes' of the driver's topology"),
            cl::value_desc("folder"), cl::cat(category));
static cl::opt<std::string>
    archTool("arch-tool", cl::desc("Program that prints the processors"),
             cl::value_desc("program"), cl::cat(category));
static cl::opt<std::string>
    allowDefault("allow-default",
                 cl::desc("The target when there is no other source"),
                 cl::value_desc("name"), cl::cat(category));
static cl::opt<bool> useEnvironment("env",
                                    cl::desc("Whether variables may say the "
                                             "target (true)"),
                                    cl::init(true), cl::cat(category));

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

static cl::opt<unsigned> optLevel("O", cl::desc("Optimisation level, 0 to 3"),
                                  cl::Prefix, cl::value_desc("level"),
                                  cl::cat(category));
static cl::opt<Debug>
    debugKind("debug-info", cl::desc("Debug information"),
              cl::init(Debug::None),
              cl::values(clEnumValN(Debug::None, "none", "none (default)"),
                         clEnumValN(Debug::Lines, "lines", "line tables"),
                         clEnumValN(Debug::Full, "full", "all")),
              cl::cat(category));
static cl::list<std::string>
    hints("hint",
          cl::desc("waves_per_eu=N, maxnreg=N, fast_fp_math=B, "
                   "unsafe_fp_math=B"),
          cl::value_desc("name=value"), cl::cat(category));
static cl::list<std::string> llvmOptions(
    "llvm-options",
    cl::desc("Options of LLVM's code generator, separated by commas; they "
             "join the key"),
    cl::CommaSeparated, cl::value_desc("name[=value],..."), cl::cat(category));
static cl::opt<std::string>
    llvmDir("llvm-dir",
            cl::desc("Prefix of the LLVM that shall compile, which must be the "
                     "one that is loaded; its build-ids join the key"),
            cl::value_desc("folder"), cl::cat(category));
static cl::list<std::string>
    linkFiles("link", cl::desc("Bitcode file to link, in order"),
              cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string>
    deviceLibraries("device-libs",
                    cl::desc("Folder of the device libraries, or a ROCm root"),
                    cl::value_desc("folder"), cl::cat(category));
static cl::list<std::string>
    extraInputs("extra-input",
                cl::desc("File or folder whose content joins the key"),
                cl::value_desc("path"), cl::cat(category));
static cl::opt<std::string> salt("salt", cl::desc("Text that joins the key"),
                                 cl::value_desc("text"), cl::cat(category));
static cl::list<std::string>
    prefixMap("prefix-map", cl::desc("Rewrites paths in debug information"),
              cl::value_desc("from=to"), cl::cat(category));
static cl::opt<bool>
    requireRelocatable("require-relocatable",
                       cl::desc("Refuse absolute paths in debug information"),
                       cl::cat(category));
static cl::opt<bool>
    allowOpaque("allow-opaque",
                cl::desc("Hash unregistered ops and attributes as they print"),
                cl::cat(category));

//===----------------------------------------------------------------------===//
// Stores and plans
//===----------------------------------------------------------------------===//

static cl::list<std::string>
    stores("store", cl::desc("A store: DIR, ro:DIR or rw:DIR; repeated"),
           cl::value_desc("folder"), cl::cat(category));
static cl::opt<bool> noStore("no-store", cl::desc("Always compile"),
                             cl::cat(category));
static cl::opt<bool> strict("strict",
                            cl::desc("Never compile: a miss is an error"),
                            cl::cat(category));
static cl::opt<bool> verify("verify",
                            cl::desc("Compile hits too, and compare bytes"),
                            cl::cat(category));
static cl::opt<bool> direct("direct",
                            cl::desc("Find known inputs without parsing them "
                                     "(true)"),
                            cl::init(true), cl::cat(category));
static cl::opt<bool>
    verifyDirect("verify-direct",
                 cl::desc("Check that direct mode names the right key"),
                 cl::cat(category));
static cl::opt<bool>
    keepIR("keep-ir",
           cl::desc("Keep the text of what is compiled in the store, so that a "
                    "later miss says which lines changed"),
           cl::cat(category));
static cl::opt<std::string> plan("aot",
                                 cl::desc("Publish all units of a plan, schema "
                                          "fly-plan/1"),
                                 cl::value_desc("plan.json"),
                                 cl::cat(category));
static cl::opt<std::string>
    shard("shard", cl::desc("Of a plan, only shard i (from 0) of n"),
          cl::value_desc("i/n"), cl::cat(category));
static cl::opt<unsigned> workers("j",
                                 cl::desc("Compile so many at once (all "
                                          "processors)"),
                                 cl::Prefix, cl::value_desc("number"),
                                 cl::cat(category));

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The name of an option of LLVM itself that was given, or empty. Such options
/// change the code that is generated and are not part of the key.
static StringRef foreignOption() {
  for (const auto &[name, option] : cl::getRegisteredOptions())
    if (option->getNumOccurrences() &&
        !llvm::is_contained(option->Categories, &category))
      return name;
  return "";
}

static std::optional<int> readStores(Arguments &arguments) {
  if (noStore)
    return std::nullopt;
  for (const std::string &text : stores) {
    llvm::Expected<LayerSpec> spec = LayerSpec::parseOption(text);
    if (!spec)
      return refuse(llvm::toString(spec.takeError()));
    arguments.stores.push_back(std::move(*spec));
  }
  if (!stores.empty())
    return std::nullopt;
  auto environment = fly::support::Environment::capture();
  if (std::optional<StringRef> list = environment.get("FLY_STORE"))
    arguments.stores = fly::store::parseLayerList(*list);
  return std::nullopt;
}

static std::optional<int> readShard(Arguments &arguments) {
  if (shard.getNumOccurrences() == 0)
    return std::nullopt;
  if (plan.empty())
    return refuse("--shard goes with --aot");
  auto [index, count] = StringRef(shard).split('/');
  if (index.getAsInteger(10, arguments.shard) ||
      count.getAsInteger(10, arguments.shards) || arguments.shards == 0 ||
      arguments.shard >= arguments.shards)
    return refuse("--shard is '" + shard +
                  "', expected i/n with 0 <= i < n, as in 0/4");
  return std::nullopt;
}

/// Copies the options into `arguments`.
static void read(Arguments &arguments) {
  arguments.inputs = inputs;
  arguments.output = output;
  arguments.outputIsGiven = output.getNumOccurrences() != 0;
  arguments.emit = emitKind;
  arguments.import = importIR;
  arguments.targets = targets;
  if (optLevel.getNumOccurrences())
    arguments.optLevel = optLevel;
  if (debugKind.getNumOccurrences())
    arguments.debug = debugKind;
  fly::amdgpu::ResolveOptions &resolve = arguments.resolve;
  resolve.optionName = "--target=";
  if (wave.getNumOccurrences())
    resolve.wave = wave;
  if (cumode.getNumOccurrences())
    resolve.cumode = cumode;
  if (abi.getNumOccurrences())
    resolve.abi = abi;
  resolve.deviceName = deviceName;
  resolve.onConflict = onConflict;
  resolve.features = features;
  resolve.detect = detect;
  resolve.kfdRoot = kfdRoot;
  resolve.archTool = archTool;
  resolve.allowDefault = allowDefault;
  resolve.useEnvironment = useEnvironment;
  if (deviceLibraries.getNumOccurrences())
    arguments.deviceLibraries = deviceLibraries;
  arguments.hints = hints;
  arguments.llvmOptions = llvmOptions;
  arguments.llvmDir = llvmDir;
  arguments.link = linkFiles;
  arguments.extraInputs = extraInputs;
  arguments.prefixMap = prefixMap;
  arguments.salt = salt;
  arguments.requireRelocatable = requireRelocatable;
  arguments.allowOpaque = allowOpaque;
  arguments.strict = strict;
  arguments.verify = verify;
  arguments.direct = direct;
  arguments.verifyDirect = verifyDirect;
  arguments.keepIR = keepIR;
  arguments.plan = plan;
  if (workers.getNumOccurrences())
    arguments.workers = workers;
  arguments.explain = explain;
  arguments.quiet = quiet;
  arguments.timeReport = timeReport;
  arguments.depfile = depfile;
}

std::optional<int> flycompile::parseArguments(int argc, const char *const *argv,
                                              Arguments &arguments) {
  cl::HideUnrelatedOptions(category);
  cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "Fly for LLVM version " << FLY_VERSION << "\n";
  });
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return exitUsage;
  if (StringRef name = foreignOption(); !name.empty())
    return refuse("option '" + name +
                  "' is not one of fly-compile; see --help");
  read(arguments);
  for (auto *readMore : {readStores, readShard})
    if (std::optional<int> status = readMore(arguments))
      return status;
  return checkArguments(arguments);
}
