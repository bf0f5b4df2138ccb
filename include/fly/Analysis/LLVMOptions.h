// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of LLVM itself (`llvm::cl::opt`). They belong to the process and many
// of them change code, so that no key could be trusted if they were set behind
// its back. In go the options that a compile asks for, by name and value; they
// are checked, spelled in one way for the key, and set while that one compile
// runs. The laws: an option that may change code and was given to the program
// is refused; what a compile sets, no other compile sees.
//
//   LLVMOptions options = *readLLVMOptions({"amdgpu-waitcnt-forcezero"});
//   // {{"amdgpu-waitcnt-forcezero", "true"}}
//   LLVMOptionScope scope(options);       // others wait until it ends

#ifndef FLY_ANALYSIS_LLVMOPTIONS_H
#define FLY_ANALYSIS_LLVMOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace mlir::fly {

/// Names and values, sorted by name, no name twice.
using LLVMOptions = std::vector<std::pair<std::string, std::string>>;

/// Reads `name` or `name=value` texts. FLY-K006 for a name that LLVM's code
/// generator does not have, a name that is given twice, an option that prints
/// or measures, cuts the pipeline short or names a file, and a value of the
/// wrong type. An option with its default value stays: LLVM may ask whether it
/// was given.
llvm::Expected<LLVMOptions> readLLVMOptions(llvm::ArrayRef<std::string> texts);

/// The names of options of LLVM that may change code and were given to this
/// program, sorted. Options that only print, measure or verify do not count.
std::vector<std::string> givenLLVMOptions();

/// While it lives, this thread compiles under `options`. Scopes without options
/// share the process; one with options has it alone, and leaves every option as
/// it was by default.
class LLVMOptionScope {
public:
  explicit LLVMOptionScope(const LLVMOptions &options);
  ~LLVMOptionScope();
  LLVMOptionScope(const LLVMOptionScope &) = delete;
  LLVMOptionScope &operator=(const LLVMOptionScope &) = delete;

private:
  const LLVMOptions &options;
};

} // namespace mlir::fly

#endif // FLY_ANALYSIS_LLVMOPTIONS_H
