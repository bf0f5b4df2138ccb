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

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::fly {

/// Parts by name, sorted: (`libLLVM`, hexadecimal build-id).
using Toolchain = std::vector<std::pair<std::string, std::string>>;

/// An object that is mapped into the process.
struct LoadedObject {
  /// Empty for the program itself.
  std::string path;
  /// The GNU build-id in hexadecimal, empty when it has none.
  std::string buildId;
  /// Where its segments are mapped: begin and end.
  std::vector<std::pair<uintptr_t, uintptr_t>> segments = {};

  bool holds(const void *address) const;
};

/// The objects that decide the identity of a toolchain.
struct LoadedObjects {
  LoadedObject ours;
  LoadedObject llvm;
  LoadedObject mlir;
};

/// The objects of this process; reads mapped memory only.
LoadedObjects loadedObjects();

/// The identity of the toolchain that consists of `objects`. FLY-K005 names the
/// part that could not be identified and what was tried.
llvm::Expected<Toolchain> identifyToolchain(const LoadedObjects &objects);

/// The identity of an LLVM that is not loaded: of `bin/mlir-opt` below
/// `prefix`, the shared objects below `prefix` that would be loaded with it,
/// and `bin/ld.lld`: by the name of the file, the GNU build-id, or, when it has
/// none, `blake3-` and the digest of the content. The prefix itself does not
/// count. FLY-K005 when it cannot be identified.
llvm::Expected<Toolchain> identifyExternalLLVM(llvm::StringRef prefix);

/// Whether `external` has the libLLVM and the libMLIR of `loaded`.
bool isLoadedLLVM(const Toolchain &external, const Toolchain &loaded);

/// The loaded object that holds `address`; nothing when none does.
std::optional<LoadedObject> loadedObjectOf(const void *address);

/// The build-id in the notes of an ELF file, whose descriptors are padded to
/// four bytes, in hexadecimal; empty when there is none.
std::string buildIdIn(llvm::ArrayRef<uint8_t> notes);

/// LLVM's version, for people; never part of a key.
llvm::StringRef llvmVersion();

} // namespace mlir::fly

#endif // FLY_ANALYSIS_TOOLCHAIN_H
