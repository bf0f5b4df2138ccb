// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements runCompile as a chain of steps that each hand on a value or an
// exit status: read, parse, resolve, then for each unit look up or compile,
// write, say what it was. The target is resolved once; what the pass
// fly-to-binary does with a unit is done here with the same functions
// (Pipelines/Compile.h).

#include "fly/Driver/Driver.h"

#include "Steps.h"

#include "fly/Import/Respell.h"
#include "fly/Pipelines/Registration.h"
#include "fly/Support/Errors.h"
#include "fly/Support/Files.h"

#include "mlir/IR/AsmState.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <set>

using namespace mlir;
using namespace mlir::fly;

int mlir::fly::exitStatusOf(StringRef code) {
  if (code.starts_with("T"))
    return ExitNoTarget;
  if (code.starts_with("K"))
    return ExitRefused;
  if (code == "S001")
    return ExitMiss;
  if (code == "S002" || code == "S003" || code == "S004")
    return ExitCorrupt;
  return code == "S007" ? ExitConflict : ExitUsage;
}

int mlir::fly::reportError(llvm::Error error, llvm::raw_ostream &messages) {
  std::string code = ::fly::support::codeOf(error);
  messages << "error: " << llvm::toString(std::move(error)) << "\n";
  return exitStatusOf(code);
}

static StringRef extensionOf(EmitKind emit) {
  switch (emit) {
  case EmitKind::Object:
    return "hsaco";
  case EmitKind::Assembly:
    return "s";
  case EmitKind::LLVMIR:
    return "ll";
  case EmitKind::MLIR:
    return "mlir";
  case EmitKind::Key:
    return "key";
  case EmitKind::Components:
    return "json";
  }
  return "";
}

/// Where the bytes of `unit` go; empty when they go to the store alone.
static std::string outputOf(const CompileRequest &request,
                            const DriverUnit &unit) {
  if (!StringRef(request.outputPath).ends_with("/"))
    return request.outputPath;
  std::string target = unit.unit.target.text();
  llvm::replace(target, ' ', ',');
  return request.outputPath + fileNameOf(unit.name) + "." + fileNameOf(target) +
         "." + extensionOf(request.emit).str();
}

/// Writes `bytes` so that a reader sees the whole file or none.
static int writeOutput(StringRef path, StringRef bytes,
                       llvm::raw_ostream &messages) {
  if (path.empty())
    return ExitSuccess;
  llvm::Error error =
      ::fly::support::writeFile(path, [&](llvm::raw_ostream &os) {
        os << bytes;
        return llvm::Error::success();
      });
  if (!error)
    return ExitSuccess;
  messages << "error: cannot write '" << path
           << "': " << llvm::toString(std::move(error)) << "\n";
  return ExitUsage;
}

/// The folder that the outputs go to, if they go to one.
static int makeOutputFolder(const CompileRequest &request,
                            llvm::raw_ostream &messages) {
  StringRef folder = request.outputPath;
  if (!folder.consume_back("/") || folder.empty())
    return ExitSuccess;
  std::error_code code = llvm::sys::fs::create_directories(folder);
  if (!code && !llvm::sys::fs::is_directory(folder))
    code = std::make_error_code(std::errc::not_a_directory);
  if (!code)
    return ExitSuccess;
  messages << "error: cannot make the folder '" << folder
           << "': " << code.message() << "\n";
  return ExitUsage;
}

static void sayWhatItIs(const DriverRun &run, const DriverUnit &unit,
                        const Produced &produced, bool isOneOfMany) {
  const CompileRequest &request = run.request;
  if (!request.quiet) {
    if (isOneOfMany)
      run.messages << unit.name << ": ";
    run.messages << produced.verb << " " << produced.key.text() << ", target "
                 << unit.unit.target.text() << " from "
                 << StringRef(unit.resolution.source).rtrim('=')
                 << (produced.where.empty() ? "" : ", ") << produced.where
                 << "\n";
  }
  if (request.explain)
    run.messages << unit.resolution.reportText() << produced.key.explain();
}

/// What holds no kernel is no mistake, but seldom what was meant.
static void warnOfNoKernel(ArrayRef<DriverUnit> units) {
  gpu::GPUModuleOp last;
  for (const DriverUnit &unit : units) {
    gpu::GPUModuleOp module = unit.unit.module;
    if (!unit.kernels.empty() || module == last)
      continue;
    last = module;
    emitWarning(module.getLoc())
        << "gpu.module @" << module.getName()
        << " has no kernel, and so has its code object; a kernel is a "
           "gpu.func with the attribute 'kernel'";
  }
}

/// Adds the files at and below the declared inputs of `units`, each once.
static void addInputs(ArrayRef<DriverUnit> units,
                      std::vector<std::string> &files) {
  std::set<std::string> all;
  for (const DriverUnit &unit : units)
    for (const std::string &path : unit.unit.options.inputs) {
      if (llvm::sys::fs::is_regular_file(path))
        all.insert(path);
      std::error_code code;
      for (llvm::sys::fs::recursive_directory_iterator it(path, code), end;
           !code && it != end; it.increment(code))
        if (llvm::sys::fs::is_regular_file(it->path()))
          all.insert(it->path());
    }
  files.assign(all.begin(), all.end());
}

/// Refuses to write what is read.
static int checkOverwriting(const CompileRequest &request,
                            ArrayRef<DriverUnit> units,
                            llvm::raw_ostream &messages) {
  std::vector<std::string> kept = request.kept;
  kept.push_back(request.inputPath);
  for (const DriverUnit &unit : units) {
    std::string output = outputOf(request, unit);
    if (!llvm::sys::fs::is_regular_file(output))
      continue;
    for (const std::string &path : kept)
      if (path != "-" && llvm::sys::fs::equivalent(path, output)) {
        messages << "error: the output '" << output << "' is '" << path
                 << "', which is read as well\n";
        return ExitUsage;
      }
  }
  return ExitSuccess;
}

/// Produces and writes every unit of a parsed module. One that fails does not
/// stop the others.
static int compileModule(ModuleOp module, const DriverRun &run,
                         CompileResult &result) {
  const CompileRequest &request = run.request;
  run.times.begin("resolve");
  // The whole file has no place to point at.
  if (gpuModulesOf(module).empty()) {
    run.messages << (request.inputPath == "-" ? "<stdin>" : request.inputPath)
                 << ": error: expected one gpu.module, found none\n";
    return ExitRefused;
  }
  std::vector<DriverUnit> units;
  if (int status = collectUnits(module, request, run.environment, units))
    return status;
  addInputs(units, result.inputs);
  if (request.namesOnly) {
    for (const DriverUnit &unit : units)
      result.outcomes.push_back({unit.name, unit.unit.target.text(), "",
                                 unit.isForDevice, /*isHit=*/false,
                                 outputOf(request, unit)});
    return ExitSuccess;
  }
  if (int status = checkOverwriting(request, units, run.messages))
    return status;
  if (int status = makeOutputFolder(request, run.messages))
    return status;
  if (request.emit == EmitKind::Object || request.emit == EmitKind::Assembly)
    warnOfNoKernel(units);
  int status = ExitSuccess;
  for (const DriverUnit &unit : units) {
    Produced produced;
    int one = produce(run, unit, produced);
    std::string output = outputOf(request, unit);
    run.times.begin("write");
    if (one == ExitSuccess)
      one = writeOutput(output, produced.bytes, run.messages);
    if (one != ExitSuccess) {
      status = status ? status : one;
      ++result.failed;
      continue;
    }
    sayWhatItIs(run, unit, produced,
                units.size() > 1 || !request.unitName.empty());
    result.outcomes.push_back({unit.name, produced.target.text(),
                               produced.key.text(), unit.isForDevice,
                               produced.isHit, output});
  }
  return status;
}

/// The text of `buffer` as 22.1 reads it, under the same name and with the same
/// lines; null when something cannot be respelt, which is said at its place.
static std::unique_ptr<llvm::MemoryBuffer>
respell(std::unique_ptr<llvm::MemoryBuffer> buffer, MLIRContext &context,
        llvm::raw_ostream &messages) {
  std::string name = buffer->getBufferIdentifier().str();
  std::vector<::fly::import::Refusal> refusals;
  std::string text = ::fly::import::respell(buffer->getBuffer(), refusals);
  if (refusals.empty())
    return llvm::MemoryBuffer::getMemBufferCopy(text, name);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context, messages);
  for (const ::fly::import::Refusal &refusal : refusals)
    emitError(FileLineColLoc::get(&context, name, unsigned(refusal.line),
                                  unsigned(refusal.column)))
        << refusal.message;
  return nullptr;
}

/// Compiles the module that `buffer` holds.
static int compileBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer,
                         const DriverRun &run, CompileResult &result) {
  run.times.begin("start");
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  if (run.request.import) {
    run.times.begin("import");
    buffer = respell(std::move(buffer), context, run.messages);
    if (!buffer)
      return ExitRefused;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context, run.messages);

  run.times.begin("parse");
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return ExitRefused;
  return compileModule(*module, run, result);
}

/// Opens the stores of `request`, if there are any.
static llvm::Expected<std::optional<::fly::store::Layers>>
openStores(const CompileRequest &request, const KeyEnvironment &environment,
           llvm::raw_ostream &messages) {
  if (request.stores.empty())
    return std::nullopt;
  ::fly::store::LayersOptions options;
  options.strict = request.strict;
  options.notes = true;
  llvm::Expected<std::string> auth =
      ::fly::store::remoteAuth(environment.environment());
  if (!auth)
    return auth.takeError();
  options.auth = std::move(*auth);
  options.warn = [&messages](const std::string &text) {
    messages << "warning: " << text << "\n";
  };
  llvm::Expected<::fly::store::Layers> layers =
      ::fly::store::Layers::open(request.stores, std::move(options));
  if (!layers)
    return layers.takeError();
  return std::optional<::fly::store::Layers>(std::move(*layers));
}

static int writeDepfile(const CompileRequest &request,
                        const CompileResult &result,
                        llvm::raw_ostream &messages) {
  if (request.depfile.empty())
    return ExitSuccess;
  std::vector<std::string> outputs;
  for (const UnitOutcome &outcome : result.outcomes)
    outputs.push_back(outcome.output);
  FileReads reads = result.reads;
  for (const std::string &path : result.inputs)
    reads.emplace_back(path, result.input);
  llvm::Expected<std::string> text =
      depfileText(outputs, request.inputPath, reads);
  if (!text) {
    messages << "error: cannot write '" << request.depfile
             << "': " << llvm::toString(text.takeError()) << "\n";
    return ExitUsage;
  }
  return writeOutput(request.depfile, *text, messages);
}

/// The input, or null when it cannot be read. Files are mapped; what may never
/// end is read up to a bound.
static std::unique_ptr<llvm::MemoryBuffer>
readInput(const std::string &path, llvm::raw_ostream &messages) {
  constexpr uint64_t maxFileBytes = uint64_t(4) << 30;
  constexpr uint64_t maxStreamBytes = uint64_t(1) << 29;
  auto refuse = [&](const Twine &why) {
    messages << "error: cannot read '" << path << "': " << why << "\n";
    return nullptr;
  };
  if (llvm::sys::fs::is_regular_file(path)) {
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
        llvm::MemoryBuffer::getFile(path);
    if (std::error_code error = buffer.getError())
      return refuse(error.message());
    if ((*buffer)->getBufferSize() > maxFileBytes)
      return refuse("it is larger than " + Twine(maxFileBytes) + " bytes");
    return std::move(*buffer);
  }
  bool isStdin = path == "-" || path == "/dev/stdin";
  llvm::Expected<std::string> text =
      ::fly::support::readStream(isStdin ? "-" : path, maxStreamBytes);
  if (!text) {
    std::string why = llvm::toString(text.takeError());
    StringRef reason = why;
    bool isUnreadable = reason.consume_front("cannot be read: ");
    return refuse(isUnreadable ? Twine(reason) : "it " + Twine(reason));
  }
  return llvm::MemoryBuffer::getMemBufferCopy(*text,
                                              path == "-" ? "<stdin>" : path);
}

int mlir::fly::runCompile(const CompileRequest &request,
                          const KeyEnvironment &environment,
                          llvm::raw_ostream &messages, CompileResult *result) {
  StepTimes times;
  times.begin("read");
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      readInput(request.inputPath, messages);
  if (!buffer)
    return ExitUsage;
  llvm::Expected<std::optional<::fly::store::Layers>> layers =
      openStores(request, environment, messages);
  if (!layers)
    return reportError(layers.takeError(), messages);
  RecordingEnvironment recording(environment);
  DriverRun run{request, recording, *layers ? &**layers : nullptr, messages,
                times};
  CompileResult local;
  CompileResult &found = result ? *result : local;
  found.input = ::fly::support::digestOf(buffer->getBuffer());
  int status = compileBuffer(std::move(buffer), run, found);
  found.reads = recording.reads();
  if (status == ExitSuccess)
    status = writeDepfile(request, found, messages);
  if (request.timeReport)
    messages << times.text();
  return status;
}

int mlir::fly::runCompile(const CompileRequest &request,
                          llvm::raw_ostream &messages) {
  return runCompile(request, KeyEnvironment(), messages);
}
