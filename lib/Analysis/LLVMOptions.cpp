// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of LLVM's code generator. An option belongs to LLVM when its object
// lies in the mapped file that holds LLVM: options of MLIR's drivers and of the
// program lie elsewhere. An option that is given counts even with the value
// that it has by default: LLVM asks many of them whether they were given
// (`getNumOccurrences`), so that `unroll-allow-partial=false` and no word of it
// are different code.

#include "fly/Analysis/LLVMOptions.h"

#include "fly/Analysis/Toolchain.h"
#include "fly/Support/Errors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>
#include <shared_mutex>

using namespace mlir::fly;
using ::fly::support::makeError;
using ::fly::support::quoted;
using llvm::StringRef;
namespace cl = llvm::cl;

/// Options that print, measure or verify: they never change code, and have no
/// business in a compile whose result is kept.
static bool onlyLooks(StringRef name) {
  for (StringRef prefix :
       {"print-", "view-", "dot-", "pass-remarks", "verify-", "stats-"})
    if (name.starts_with(prefix))
      return true;
  return llvm::StringSwitch<bool>(name)
      .Cases({"debug", "debug-only", "debug-buffer-size", "debug-pass"}, true)
      .Cases({"stats", "time-passes", "time-passes-per-run"}, true)
      .Cases({"info-output-file", "track-memory", "filter-print-funcs"}, true)
      .Cases({"color", "help", "help-hidden", "help-list"}, true)
      .Cases({"help-list-hidden", "version", "sort-timers"}, true)
      .Default(false);
}

/// Options after which there is no code object, or not that of the input.
static bool cutsPipeline(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"start-before", "start-after", "stop-before", "stop-after"}, true)
      .Default(false);
}

/// Whether the value of `option` names a file: what is in it would change code
/// and not the key.
static bool namesFile(const cl::Option &option, StringRef name) {
  if (option.getValueExpectedFlag() != cl::ValueRequired)
    return false;
  for (StringRef ending : {"-file", "-path", "-dir", "-directory", "-replay"})
    if (name.ends_with(ending))
      return true;
  return option.ValueStr.contains("file") || option.ValueStr.contains("dir") ||
         option.ValueStr.contains("path");
}

/// Whether `option` is an object of LLVM.
static bool isOfLLVM(const cl::Option *option) {
  static const std::optional<LoadedObject> llvmObject = loadedObjectOf(
      reinterpret_cast<const void *>(&llvm::sys::getDefaultTargetTriple));
  return llvmObject && llvmObject->holds(option);
}

/// Code generators run under it together, one with options of its own alone.
static std::shared_mutex &processMutex() {
  static std::shared_mutex mutex;
  return mutex;
}

namespace {
/// Options of LLVM. To go through the table of all options takes a good part of
/// the time to derive a small key, so those of LLVM are kept until an option
/// comes or goes; objects of LLVM stay where they are.
class OptionsOfLLVM {
public:
  std::vector<std::string> given();

private:
  std::mutex mutex;
  unsigned registered = 0;
  std::vector<const cl::Option *> options;
};
} // namespace

std::vector<std::string> OptionsOfLLVM::given() {
  std::lock_guard<std::mutex> lock(mutex);
  const auto &all = cl::getRegisteredOptions();
  if (registered != all.size()) {
    options.clear();
    for (const auto &entry : all)
      if (isOfLLVM(entry.second))
        options.push_back(entry.second);
    registered = all.size();
  }
  std::vector<std::string> names;
  for (const cl::Option *option : options)
    if (option->getNumOccurrences() && !onlyLooks(option->ArgStr))
      names.push_back(option->ArgStr.str());
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  return names;
}

std::vector<std::string> mlir::fly::givenLLVMOptions() {
  // Not those that another compile has set for itself.
  std::shared_lock<std::shared_mutex> lock(processMutex());
  static OptionsOfLLVM options;
  return options.given();
}

//===----------------------------------------------------------------------===//
// Options of one compile
//===----------------------------------------------------------------------===//

static cl::Option *findOption(StringRef name) {
  auto &all = cl::getRegisteredOptions();
  auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

/// Flags have one spelling for each of their values.
static std::string spellValue(const cl::Option &option, StringRef value) {
  if (option.getValueExpectedFlag() != cl::ValueOptional)
    return value.str();
  return llvm::StringSwitch<std::string>(value)
      .Cases({"", "1", "true", "TRUE", "True"}, "true")
      .Cases({"0", "false", "FALSE", "False"}, "false")
      .Default(value.str());
}

/// Sets `option`; false when the value is of the wrong type.
static bool setOption(cl::Option &option, StringRef name, StringRef value) {
  return !option.addOccurrence(/*pos=*/1, name, value);
}

/// LLVM counts occurrences, and some options may occur once only.
static void resetOption(cl::Option &option) {
  option.reset();
  option.setDefault();
}

//===----------------------------------------------------------------------===//
// Options of one compile, read and set
//===----------------------------------------------------------------------===//

/// Why an option cannot be one of a compile whose result is kept, or success.
static llvm::Error checkOption(const cl::Option *option, StringRef name) {
  if (!option || !isOfLLVM(option))
    return makeError("K006", "unknown LLVM option " + quoted(name) +
                                 ": expected the name of an option of LLVM's "
                                 "code generator, such as "
                                 "amdgpu-waitcnt-forcezero");
  if (onlyLooks(name) || name == "opt-bisect-limit")
    return makeError("K006", "LLVM option " + quoted(name) +
                                 " prints, measures or bisects: expected an "
                                 "option that changes code only");
  if (cutsPipeline(name))
    return makeError("K006", "LLVM option " + quoted(name) +
                                 " cuts the pipeline, so that no code object "
                                 "comes out: expected an option that changes "
                                 "code only");
  if (namesFile(*option, name))
    return makeError("K006", "LLVM option " + quoted(name) +
                                 " names a file, whose content would change "
                                 "code and not the key: expected an option "
                                 "whose value says all");
  return llvm::Error::success();
}

llvm::Expected<LLVMOptions>
mlir::fly::readLLVMOptions(llvm::ArrayRef<std::string> texts) {
  LLVMOptions options;
  llvm::SmallVector<StringRef> seen;
  for (StringRef text : texts) {
    StringRef name = text.trim().split('=').first;
    StringRef value = text.trim().split('=').second;
    while (name.consume_front("-"))
      ;
    cl::Option *option = findOption(name);
    if (llvm::Error error = checkOption(option, name))
      return std::move(error);
    if (llvm::is_contained(seen, name))
      return makeError("K006",
                       "LLVM option " + quoted(name) + " is given twice");
    seen.push_back(name);
    std::string spelled = spellValue(*option, value);
    std::unique_lock<std::shared_mutex> lock(processMutex());
    bool fits = setOption(*option, name, spelled);
    resetOption(*option);
    if (!fits)
      return makeError("K006", "LLVM option " + quoted(name) +
                                   ": expected a value of its type, found " +
                                   quoted(value));
    options.emplace_back(name.str(), std::move(spelled));
  }
  llvm::sort(options);
  return options;
}

LLVMOptionScope::LLVMOptionScope(const LLVMOptions &options)
    : options(options) {
  if (options.empty()) {
    processMutex().lock_shared();
    return;
  }
  processMutex().lock();
  for (const auto &[name, value] : options)
    if (cl::Option *option = findOption(name))
      setOption(*option, name, value);
}

LLVMOptionScope::~LLVMOptionScope() {
  if (options.empty()) {
    processMutex().unlock_shared();
    return;
  }
  for (const auto &[name, value] : options)
    if (cl::Option *option = findOption(name))
      resetOption(*option);
  processMutex().unlock();
}
