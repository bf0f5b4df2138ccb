// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who compiles: the identity of the toolchain, as named parts. Ours is a digest
// of the sources that decide what comes out, LLVM's and MLIR's are the GNU
// build-ids of the shared objects that are loaded, lld's is a digest of the
// archives that are linked into us. The law: it does not depend on where any
// of them is installed, nor on which program asks.
//
//   llvm::Expected<Toolchain> toolchain = identifyToolchain();
//   // {fly: 9c41..., libLLVM: 1133..., libMLIR: 77ab..., lld: 5b5a...}

#ifndef FLY_ANALYSIS_TOOLCHAIN_H
#define FLY_ANALYSIS_TOOLCHAIN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace mlir::fly {

/// Parts by name, sorted: (`libLLVM`, hexadecimal build-id).
using Toolchain = std::vector<std::pair<std::string, std::string>>;

/// The identity of the toolchain of this process; reads mapped memory only.
/// FLY-K005 names the part that could not be identified and what was tried.
llvm::Expected<Toolchain> identifyToolchain();

/// The GNU build-id of the loaded object that holds `address`, in hexadecimal,
/// empty when it has none; `objectPath` gets the object's path, for messages.
std::string buildIdOfLoadedObject(const void *address, std::string &objectPath);

/// LLVM's version, for people; never part of a key.
llvm::StringRef llvmVersion();

} // namespace mlir::fly

#endif // FLY_ANALYSIS_TOOLCHAIN_H
