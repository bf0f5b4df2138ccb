// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold between the arguments of fly-compile: a wrong combination is
// refused before anything is read or compiled, and what is read is never
// written.

#include "CommandLine.h"

#include "fly/Support/Environment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace flycompile;
using llvm::StringRef;

int flycompile::refuse(const llvm::Twine &text) {
  llvm::errs() << "error: " << text << "\n";
  return exitUsage;
}

//===----------------------------------------------------------------------===//
// Targets and outputs
//===----------------------------------------------------------------------===//

/// What `text` says as a target, on its own.
static llvm::Expected<fly::amdgpu::Resolution>
targetOf(const Arguments &arguments, StringRef text) {
  fly::amdgpu::ResolveOptions options;
  options.target = text.str();
  options.optionName = "--target";
  options.useEnvironment = false;
  options.detect = fly::amdgpu::DetectMode::None;
  options.wave = arguments.resolve.wave;
  options.cumode = arguments.resolve.cumode;
  options.abi = arguments.resolve.abi;
  return fly::amdgpu::resolve(
      fly::amdgpu::requestOf(options, fly::support::Environment()));
}

/// Leaves out a target that was said before, in whatever spelling. What is no
/// target stays, and is refused when it is used.
static void dropRepeatedTargets(Arguments &arguments) {
  std::vector<fly::amdgpu::Target> seen;
  llvm::erase_if(arguments.targets, [&](const std::string &text) {
    llvm::Expected<fly::amdgpu::Resolution> found = targetOf(arguments, text);
    if (!found) {
      llvm::consumeError(found.takeError());
      return false;
    }
    if (llvm::is_contained(seen, found->target()))
      return true;
    seen.push_back(found->target());
    return false;
  });
}

/// Refuses where the output goes to; a wrong input or target is said first.
static std::optional<int> refuseOutput(const Arguments &arguments,
                                       const llvm::Twine &text) {
  for (const std::string &input : arguments.inputs)
    if (input != "-" && !llvm::sys::fs::exists(input))
      return refuse(
          "cannot read '" + input + "': " +
          std::make_error_code(std::errc::no_such_file_or_directory).message());
  for (const std::string &target : arguments.targets) {
    llvm::Expected<fly::amdgpu::Resolution> found = targetOf(arguments, target);
    if (found || StringRef(target).trim().empty()) {
      llvm::consumeError(found.takeError());
      continue;
    }
    (void)refuse(llvm::toString(found.takeError()));
    return exitNoTarget;
  }
  return refuse(text);
}

/// Whether `folder` is one that holds device libraries, itself or as a ROCm
/// root.
static bool holdsBitcode(StringRef folder) {
  llvm::SmallString<256> inRoot(folder);
  llvm::sys::path::append(inRoot, "amdgcn", "bitcode");
  for (StringRef place : {folder, StringRef(inRoot)}) {
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(place, code), end;
         !code && it != end; it.increment(code))
      if (StringRef(it->path()).ends_with(".bc"))
        return true;
  }
  return false;
}

static bool isSameFile(StringRef a, StringRef b) {
  return a == b || llvm::sys::fs::equivalent(a, b);
}

/// Refuses an output that is read as well, or that two options name.
static std::optional<int> checkOverwriting(const Arguments &arguments) {
  std::vector<std::pair<StringRef, StringRef>> reads;
  for (const std::string &path : arguments.inputs)
    reads.emplace_back("an input", path);
  for (const std::string &path : arguments.link)
    reads.emplace_back("a file of --link", path);
  for (const std::string &path : arguments.extraInputs)
    reads.emplace_back("an --extra-input", path);
  for (auto [name, path] :
       {std::pair<StringRef, StringRef>("-o", arguments.output),
        std::pair<StringRef, StringRef>("--depfile", arguments.depfile)}) {
    if (path.empty() || path == "-" ||
        (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path)))
      continue;
    for (auto [what, read] : reads)
      if (isSameFile(path, read))
        return refuse(name + " is '" + path + "', which is " + what +
                      " as well");
  }
  if (!arguments.depfile.empty() &&
      isSameFile(arguments.depfile, arguments.output))
    return refuse("-o and --depfile are both '" + arguments.output + "'");
  return std::nullopt;
}

/// What must hold for a compile of inputs.
static std::optional<int> checkInputs(Arguments &arguments) {
  if (arguments.inputs.empty())
    return refuse("expected an input; - is standard input, see --help");
  size_t fromStdin = llvm::count(arguments.inputs, "-");
  if (fromStdin > 1)
    return refuse("standard input stands " + llvm::Twine(fromStdin) +
                  " times among the inputs, expected at most once");
  bool given = arguments.outputIsGiven;
  bool isObject = arguments.emit == Emit::Object;
  if (given && arguments.output.empty())
    return refuse("-o is empty, expected a file or a folder with a slash at "
                  "its end");
  if (!given)
    arguments.output = isObject ? "" : "-";
  if (!given && isObject && arguments.stores.empty())
    return refuseOutput(arguments, "a code object needs an output file; "
                                   "expected '-o FILE' "
                                   "('-o -' is standard output) or a store");
  if (llvm::sys::fs::is_directory(arguments.output) &&
      !StringRef(arguments.output).ends_with("/"))
    arguments.output += "/";
  bool isFolder = StringRef(arguments.output).ends_with("/");
  if (arguments.inputs.size() > 1 && !arguments.output.empty() && !isFolder)
    return refuseOutput(
        arguments,
        llvm::Twine(arguments.inputs.size()) +
            " inputs need a folder as output; expected '-o FOLDER/'");
  if (arguments.targets.size() > 1 && !arguments.output.empty() && !isFolder)
    return refuseOutput(
        arguments,
        llvm::Twine(arguments.targets.size()) +
            " targets need a folder as output; expected '-o FOLDER/'");
  if (!arguments.depfile.empty() && arguments.inputs.size() > 1)
    return refuse("--depfile goes with one input, found " +
                  llvm::Twine(arguments.inputs.size()));
  if (!arguments.depfile.empty() &&
      (arguments.output.empty() || arguments.output == "-"))
    return refuse("--depfile needs an output file; expected '-o FILE'");
  return checkOverwriting(arguments);
}

/// What must hold for a plan.
static std::optional<int> checkPlan(const Arguments &arguments) {
  if (!arguments.inputs.empty())
    return refuse("--aot takes its inputs from the plan, found '" +
                  arguments.inputs.front() + "' as well");
  if (arguments.outputIsGiven || arguments.emit != Emit::Object ||
      !arguments.depfile.empty())
    return refuse("--aot publishes in a store; -o, --emit and --depfile do not "
                  "go with it");
  const fly::amdgpu::ResolveOptions &resolve = arguments.resolve;
  if (!arguments.targets.empty() || resolve.wave || resolve.cumode ||
      resolve.abi || !resolve.deviceName.empty())
    return refuse("--aot takes its targets from the plan");
  if (arguments.stores.empty())
    return refuse("--aot needs a store; expected --store=DIR or FLY_STORE");
  if (!arguments.strict && fly::store::allReadOnly(arguments.stores))
    return refuse("--aot publishes what it compiles, and every store is ro:; "
                  "expected one that can be written, or --strict to compile "
                  "nothing");
  return std::nullopt;
}

std::optional<int> flycompile::checkArguments(Arguments &arguments) {
  dropRepeatedTargets(arguments);
  if (arguments.optLevel && *arguments.optLevel > 3)
    return refuse("-O is " + llvm::Twine(*arguments.optLevel) +
                  ", expected 0 to 3");
  if (arguments.workers && *arguments.workers == 0)
    return refuse("-j is 0, expected a number of processes");
  if (arguments.deviceLibraries && !holdsBitcode(*arguments.deviceLibraries))
    return refuse("--device-libs is '" + *arguments.deviceLibraries +
                  "', which holds no bitcode; expected a folder with .bc "
                  "files or a ROCm root");
  bool needsStore =
      arguments.strict || arguments.verify || arguments.verifyDirect;
  if (needsStore &&
      (arguments.stores.empty() || arguments.emit != Emit::Object))
    return refuse("--strict, --verify and --verify-direct go with code objects "
                  "and a store; expected --store=DIR or FLY_STORE");
  if (arguments.keepIR && (arguments.emit != Emit::Object || arguments.strict ||
                           fly::store::allReadOnly(arguments.stores)))
    return refuse("--keep-ir keeps text beside what is published; expected "
                  "--store=DIR that can be written, and no --strict");
  if (arguments.strict && arguments.verify)
    return refuse("--strict never compiles, --verify always does; expected "
                  "one of them");
  return arguments.plan.empty() ? checkInputs(arguments) : checkPlan(arguments);
}
