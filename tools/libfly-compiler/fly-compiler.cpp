// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libfly_compiler.so: the compiler behind one C function, which fly-compile
// loads when the stores do not have what is wanted. The command line goes in,
// the exit status comes out. No type of LLVM crosses the border: the program
// has an LLVMSupport of its own.

#include "../fly-compile/Direct.h"

#include "fly/Driver/Batch.h"
#include "fly/Support/Errors.h"
#include "fly/Support/Files.h"

#include <dlfcn.h>
#include <sys/resource.h>

using namespace mlir::fly;
using flycompile::Arguments;

static EmitKind emitKindOf(flycompile::Emit emit) {
  switch (emit) {
  case flycompile::Emit::Object:
    return EmitKind::Object;
  case flycompile::Emit::Assembly:
    return EmitKind::Assembly;
  case flycompile::Emit::LLVMIR:
    return EmitKind::LLVMIR;
  case flycompile::Emit::MLIR:
    return EmitKind::MLIR;
  case flycompile::Emit::Key:
    return EmitKind::Key;
  case flycompile::Emit::Components:
    return EmitKind::Components;
  }
  return EmitKind::Object;
}

static DebugKind debugKindOf(flycompile::Debug debug) {
  switch (debug) {
  case flycompile::Debug::None:
    return DebugKind::None;
  case flycompile::Debug::Lines:
    return DebugKind::Lines;
  case flycompile::Debug::Full:
    return DebugKind::Full;
  }
  return DebugKind::None;
}

/// The options of the compile.
static CompileOptions optionsOf(const Arguments &arguments) {
  CompileOptions options;
  static_cast<::fly::amdgpu::ResolveOptions &>(options.resolve) =
      arguments.resolve;
  options.optLevel = arguments.optLevel;
  if (arguments.debug)
    options.debug = debugKindOf(*arguments.debug);
  options.hints = arguments.hints;
  options.llvmOptions = arguments.llvmOptions;
  options.llvmDir = arguments.llvmDir;
  options.link = arguments.link;
  options.deviceLibraries = arguments.deviceLibraries.value_or("");
  options.inputs = arguments.extraInputs;
  options.prefixMap = arguments.prefixMap;
  options.salt = arguments.salt;
  options.requireRelocatable = arguments.requireRelocatable;
  options.allowOpaque = arguments.allowOpaque;
  return options;
}

/// The request without its input.
static CompileRequest requestOf(const Arguments &arguments) {
  CompileRequest request;
  request.outputPath = arguments.output;
  request.emit = emitKindOf(arguments.emit);
  request.import = arguments.import;
  request.explain = arguments.explain;
  request.quiet = arguments.quiet;
  request.timeReport = arguments.timeReport;
  request.depfile = arguments.depfile;
  request.targets = arguments.targets;
  request.options = optionsOf(arguments);
  request.stores = arguments.stores;
  request.strict = arguments.strict;
  request.verify = arguments.verify;
  request.keepIR = arguments.keepIR;
  request.kept = arguments.inputs;
  llvm::append_range(request.kept, arguments.link);
  llvm::append_range(request.kept, arguments.extraInputs);
  return request;
}

/// One job for each input and target.
static std::vector<BatchJob> jobsOf(const Arguments &arguments) {
  std::vector<BatchJob> jobs;
  for (const std::string &input : arguments.inputs) {
    CompileRequest request = requestOf(arguments);
    request.inputPath = input;
    // Standard input can be read once, and a depfile is about all targets.
    if (arguments.targets.size() < 2 || input == "-" ||
        !arguments.depfile.empty()) {
      jobs.push_back({input, std::move(request)});
      continue;
    }
    for (const std::string &target : arguments.targets) {
      request.targets = {target};
      jobs.push_back({input + " for " + target, request});
    }
  }
  return jobs;
}

//===----------------------------------------------------------------------===//
// Direct mode
//===----------------------------------------------------------------------===//

/// The path of this library.
static std::string ownPath() {
  Dl_info info;
  if (::dladdr(reinterpret_cast<void *>(&ownPath), &info) && info.dli_fname)
    return info.dli_fname;
  return "";
}

/// Whether the libraries in `question`, which were found by their paths, are
/// those that are loaded.
static bool isLoaded(const ::fly::store::NamedTexts &found,
                     const KeyEnvironment &environment) {
  llvm::Expected<Toolchain> toolchain = environment.toolchain();
  if (!toolchain) {
    llvm::consumeError(toolchain.takeError());
    return false;
  }
  for (const auto &[name, identity] : *toolchain) {
    if (name != "libLLVM" && name != "libMLIR")
      continue;
    const std::string &id = identity;
    if (llvm::none_of(found, [&](const auto &row) { return row.second == id; }))
      return false;
  }
  return !found.empty();
}

/// Compiles the one job, with direct mode around it: a known input must have
/// the key that its record names, an unknown one gets a record.
static int runOne(const Arguments &arguments, const CompileRequest &request,
                  const KeyEnvironment &environment) {
  CompileResult result;
  int status = runCompile(request, environment, llvm::errs(), &result);
  if (status || !flycompile::mayBeDirect(arguments) ||
      result.outcomes.size() != 1)
    return status;
  llvm::Expected<::fly::store::Layers> layers =
      ::fly::store::Layers::open(request.stores, {});
  if (!layers) {
    llvm::consumeError(layers.takeError());
    return status;
  }
  const UnitOutcome &outcome = result.outcomes.front();
  ::fly::store::DirectQuestion question =
      flycompile::directQuestion(arguments, result.input, ownPath());
  std::optional<::fly::store::DirectHit> hit =
      ::fly::store::findDirect(question, *layers);
  if (hit && arguments.verifyDirect && hit->record.key != outcome.key) {
    llvm::errs() << "error: direct mode names key " << hit->record.key
                 << ", the input has key " << outcome.key << " [FLY-S003]\n";
    return ExitCorrupt;
  }
  const ::fly::store::Store *store = layers->writable();
  std::optional<fly::support::Digest> id = ::fly::store::directId(
      question, outcome.isForDevice ? ::fly::store::DirectTarget::Device
                                    : ::fly::store::DirectTarget::Said);
  llvm::Expected<::fly::amdgpu::Target> target =
      ::fly::store::parseTargetText(outcome.target);
  if (!target)
    llvm::consumeError(target.takeError());
  else if (store && id && isLoaded(question.toolchain, environment) &&
           (!hit || hit->record.key != outcome.key))
    // A record that cannot be written costs the next look-up some time.
    llvm::consumeError(
        store->publishDirect({*id, outcome.key, *target, result.reads}));
  return status;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// Whether what a plan compiles can be published somewhere.
static int expectWritableStore(const Arguments &arguments) {
  if (arguments.strict)
    return ExitSuccess;
  std::vector<::fly::store::LayerSpec> folders;
  for (const ::fly::store::LayerSpec &spec : arguments.stores) {
    if (!::fly::store::RemoteSpec::isRemote(spec.path))
      folders.push_back(spec);
    else if (spec.mode != ::fly::store::Mode::ReadOnly)
      return ExitSuccess;
  }
  llvm::Expected<::fly::store::Layers> layers =
      ::fly::store::Layers::open(folders, {});
  if (!layers) {
    llvm::errs() << "error: " << llvm::toString(layers.takeError()) << "\n";
    return ExitUsage;
  }
  if (layers->writable())
    return ExitSuccess;
  llvm::errs() << "error: --aot publishes what it compiles, and no store can "
                  "be written\n";
  return ExitUsage;
}

static int run(const Arguments &arguments) {
  KeyEnvironment environment;
  std::vector<BatchJob> jobs;
  if (arguments.plan.empty()) {
    jobs = jobsOf(arguments);
    if (jobs.size() == 1)
      return runOne(arguments, jobs.front().request, environment);
    if (llvm::StringRef(arguments.output).ends_with("/") ||
        !::fly::store::allReadOnly(arguments.stores))
      if (int status = expectDistinctOutputs(
              jobs, environment, {arguments.workers.value_or(0), true},
              llvm::errs()))
        return status;
  } else {
    AotRequest request{arguments.plan, arguments.shard, arguments.shards,
                       requestOf(arguments)};
    llvm::Expected<std::vector<BatchJob>> planned = planJobs(request);
    if (!planned) {
      llvm::errs() << "error: " << llvm::toString(planned.takeError()) << "\n";
      return ExitUsage;
    }
    jobs = std::move(*planned);
    if (int status = expectWritableStore(arguments))
      return status;
  }
  BatchReport report =
      runBatch(jobs, environment,
               {arguments.workers.value_or(0), arguments.quiet}, llvm::errs());
  if (!arguments.quiet || report.status != ExitSuccess)
    llvm::errs() << report.text();
  return report.status;
}

/// As many descriptors as this user may have: each compile that runs takes one.
static void raiseDescriptorLimit() {
  struct rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
    return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

extern "C" int flyCompilerMain(int argc, const char *const *argv) {
  Arguments arguments;
  if (std::optional<int> status =
          flycompile::parseArguments(argc, argv, arguments))
    return fly::support::forgetUnwrittenMessages(*status);
  raiseDescriptorLimit();
  int status = run(arguments);
  if (llvm::Error error = fly::support::flushStandardOutput()) {
    llvm::errs() << "error: cannot write: " << llvm::toString(std::move(error))
                 << "\n";
    status = status ? status : int(ExitUsage);
  }
  return fly::support::forgetUnwrittenMessages(status);
}
