// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-compile: MLIR files with kernels go in, code objects come out, from a
// store when it has them. This program is small and starts in a millisecond;
// the compiler is a library beside it that is loaded when it is needed.
//
//   fly-compile vector_add.mlir --target=gfx942 -o vector_add.hsaco
//
// Exit statuses: 0 done, 1 the input was refused or the compile failed, 2 usage
// or a file that cannot be read or written, 3 a strict miss, 4 a corrupt entry,
// 5 a conflict, 6 the target was not resolved.

#include "CommandLine.h"
#include "Direct.h"

#include "fly/Support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace flycompile;

/// The compiler's library: `../lib` as seen from this program, or beside it.
static std::string compilerPath(const char *program) {
  std::string self = llvm::sys::fs::getMainExecutable(
      program, reinterpret_cast<void *>(&compilerPath));
  llvm::StringRef folder = llvm::sys::path::parent_path(self);
  llvm::SmallString<256> path(llvm::sys::path::parent_path(folder));
  llvm::sys::path::append(path, "lib", "libfly_compiler.so");
  if (llvm::sys::fs::exists(path))
    return std::string(path);
  path = folder;
  llvm::sys::path::append(path, "libfly_compiler.so");
  return std::string(path);
}

/// Runs the compiler with the same command line.
static int compile(const std::string &path, int argc, const char *const *argv) {
  // Lazy: most of MLIR's functions are never called.
  void *library = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  void *entry = library ? ::dlsym(library, "flyCompilerMain") : nullptr;
  if (!entry) {
    llvm::errs() << "error: the compiler cannot be loaded: " << ::dlerror()
                 << "\n";
    return exitUsage;
  }
  auto run = reinterpret_cast<int (*)(int, const char *const *)>(entry);
  return run(argc, argv);
}

static int run(int argc, char **argv) {
  Arguments arguments;
  if (std::optional<int> status = parseArguments(argc, argv, arguments))
    return *status;
  std::string compiler = compilerPath(argv[0]);
  // Standard input and pipes can be read once: they are left to the compiler.
  if (mayBeDirect(arguments) && !arguments.verifyDirect &&
      llvm::sys::fs::is_regular_file(arguments.inputs.front()))
    if (auto bytes = llvm::MemoryBuffer::getFile(
            arguments.inputs.front(), /*IsText=*/false,
            /*RequiresNullTerminator=*/false))
      if (std::optional<int> status =
              serveDirect(arguments, (*bytes)->getBuffer(), compiler))
        return *status;
  return compile(compiler, argc, argv);
}

int main(int argc, char **argv) {
  fly::support::occupyStandardFiles();
  return fly::support::forgetUnwrittenMessages(run(argc, argv));
}
