// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What needs the compiler: key, warm, and the keys of modules for explain and
// diff. The work is fly-compile's, which stands beside this program.

#include "Commands.h"

#include "fly/Support/Errors.h"
#include "fly/Support/Files.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace flycache;
using fly::support::CacheKey;
using fly::support::quoted;
using llvm::StringRef;

/// `fly-compile` in the folder of this program.
static std::string compilerProgram() {
  std::string self = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&compilerProgram));
  llvm::SmallString<256> path(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(path, "fly-compile");
  return std::string(path);
}

/// Runs fly-compile; with `output`, its standard output goes to that file.
static int runCompiler(const std::vector<std::string> &arguments,
                       std::optional<StringRef> output = std::nullopt) {
  std::string program = compilerProgram();
  std::vector<StringRef> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {std::nullopt, output, std::nullopt};
  llvm::outs().flush();
  std::string why;
  int status = llvm::sys::ExecuteAndWait(program, words, std::nullopt,
                                         redirects, 0, 0, &why);
  if (status < 0)
    return usage(quoted(program) + " cannot be run: " +
                 (why.empty() ? "it ended abnormally" : why));
  return status;
}

/// `--target` and `--with` as fly-compile takes them.
static std::vector<std::string> compileOptions(const Request &request) {
  std::vector<std::string> words = request.compilerOptions;
  if (!request.target.empty())
    words.push_back("--target=" + request.target);
  return words;
}

int flycache::runKey(const Request &request) {
  if (request.operands.size() != 1)
    return usage("key expects one module, found " +
                 llvm::Twine(request.operands.size()));
  std::vector<std::string> words = compileOptions(request);
  words.push_back(request.operands.front());
  words.push_back(request.json ? "--emit=key-json" : "--emit=key");
  words.push_back(request.explainComponents ? "--explain" : "-q");
  return runCompiler(words);
}

int flycache::runWarm(const Request &request) {
  if (request.plan.empty() || !request.operands.empty())
    return usage("warm expects --plan=FILE and no operands");
  if (request.stores.empty())
    return usage("warm publishes what it builds and has no store: expected "
                 "--store=DIR or FLY_STORE");
  if (llvm::Error error = expectWritable(request))
    return report(std::move(error));
  std::vector<std::string> words = request.compilerOptions;
  words.push_back("--aot=" + request.plan);
  for (const fly::store::LayerSpec &spec : request.stores) {
    StringRef mode = spec.mode == fly::store::Mode::ReadOnly    ? "ro:"
                     : spec.mode == fly::store::Mode::ReadWrite ? "rw:"
                                                                : "";
    words.push_back("--store=" + mode.str() + spec.path);
  }
  if (request.workers)
    words.push_back("-j" + std::to_string(request.workers));
  return runCompiler(words);
}

bool flycache::isModule(StringRef path) {
  StringRef extension = llvm::sys::path::extension(path);
  return extension == ".mlir" || extension == ".mlirbc";
}

llvm::Expected<CacheKey> flycache::keyOfModule(const Request &request,
                                               StringRef path) {
  llvm::SmallString<128> file;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("fly-cache", "json", file))
    return llvm::createStringError("no temporary file: " + code.message());
  auto remove = llvm::scope_exit([&] { (void)llvm::sys::fs::remove(file); });
  std::vector<std::string> words = compileOptions(request);
  words.insert(words.end(), {path.str(), "--emit=key-json", "-q"});
  if (int status = runCompiler(words, file.str()))
    return llvm::createStringError("the key of " + quoted(path) +
                                   " was not made: fly-compile ended with "
                                   "status " +
                                   llvm::Twine(status));
  llvm::Expected<std::vector<CacheKey>> keys = readKeys(file);
  if (!keys)
    return keys.takeError();
  return keys->front();
}
