// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements linkCodeObject: writes the object into a private temporary
// folder, calls lld's ELF driver there, reads the result back, and removes the
// folder. lld reads and writes paths only. At its start it sets every command
// line option of LLVM back to its default value; that would undo the host's
// options, hence the build wraps that one function (see __wrap below and the
// link option in this folder's CMakeLists.txt).

#include "fly/CodeGen/Linker.h"

#include "fly/CodeGen/Recovery.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace mlir::fly;

/// Stands in for llvm::cl::ResetAllOptionOccurrences() where lld calls it. The
/// command line given to lld here sets no LLVM option, so nothing is to reset.
extern "C" void __wrap__ZN4llvm2cl25ResetAllOptionOccurrencesEv();
extern "C" void __wrap__ZN4llvm2cl25ResetAllOptionOccurrencesEv() {}

static llvm::Error linkError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

static llvm::Error fileError(std::error_code error) {
  return linkError("cannot use temporary files for the linker: " +
                   error.message());
}

/// Writes `bytes` to the new file `path`.
static llvm::Error writeFile(llvm::StringRef path, llvm::ArrayRef<char> bytes) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error, llvm::sys::fs::CD_CreateNew);
  if (error)
    return fileError(error);
  out.write(bytes.data(), bytes.size());
  out.close();
  if (out.has_error()) {
    error = out.error();
    out.clear_error();
    return fileError(error);
  }
  return llvm::Error::success();
}

/// The messages of lld in one line each, joined by "; ", without its prefix
/// and without the name of the temporary file.
static std::string readableMessages(llvm::StringRef text,
                                    llvm::StringRef objectPath) {
  std::string result;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    // Where lld saw a symbol: a section of the one object that there is.
    if (line.starts_with(">>>"))
      continue;
    line.consume_front("ld.lld: ");
    line.consume_front("error: ");
    if (!result.empty())
      result += "; ";
    result += line.trim();
  }
  for (size_t at; (at = result.find(objectPath.str())) != std::string::npos;)
    result.replace(at, objectPath.size(), "the object");
  return result;
}

/// Calls lld under its lock. `messages` gets what it printed.
static bool runLinker(llvm::StringRef objectPath, llvm::StringRef imagePath,
                      std::string &messages) {
  static std::mutex linkerMutex;
  static bool linkerIsBroken = false;
  std::lock_guard<std::mutex> lock(linkerMutex);
  if (linkerIsBroken) {
    messages = "an earlier link in this process crashed";
    return false;
  }
  std::string object = objectPath.str(), image = imagePath.str();
  const char *arguments[] = {"ld.lld",         "--threads=1",  "-shared",
                             "--no-undefined", object.c_str(), "-o",
                             image.c_str()};
  llvm::raw_string_ostream out(messages);
  lld::Result result = {1, false};
  std::string reason;
  bool finished = runRecovering(
      [&] {
        result =
            lld::lldMain(arguments, out, out, {{lld::Gnu, &lld::elf::link}});
      },
      reason);
  out.flush();
  linkerIsBroken = !finished || !result.canRunAgain;
  if (!finished)
    messages += reason;
  return finished && result.retCode == 0;
}

llvm::Expected<CodeBytes>
mlir::fly::linkCodeObject(llvm::ArrayRef<char> object) {
  llvm::SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("fly-link", folder))
    return fileError(error);
  llvm::scope_exit removeFolder(
      [&] { llvm::sys::fs::remove_directories(folder); });
  llvm::SmallString<128> objectPath = folder, imagePath = folder;
  llvm::sys::path::append(objectPath, "kernel.o");
  llvm::sys::path::append(imagePath, "kernel.hsaco");
  if (llvm::Error error = writeFile(objectPath, object))
    return error;

  std::string messages;
  if (!runLinker(objectPath, imagePath, messages))
    return linkError("linking failed: " +
                     readableMessages(messages, objectPath));

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> image =
      llvm::MemoryBuffer::getFile(imagePath, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (std::error_code error = image.getError())
    return fileError(error);
  llvm::StringRef bytes = (*image)->getBuffer();
  return CodeBytes(bytes.begin(), bytes.end());
}
