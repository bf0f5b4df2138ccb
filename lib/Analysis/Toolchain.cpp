// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The identity of the toolchain. The digests of our sources and of lld's
// archives were recorded when this was built; LLVM and MLIR are recognised by
// the GNU build-id in the mapped program headers of the object that holds a
// function of theirs, so that no file is opened.

#include "fly/Analysis/Toolchain.h"

#include "fly/Support/Errors.h"

#include "mlir/IR/AsmState.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Host.h"

#include <cstdint>
#include <cstring>
#include <link.h>

// sourcesDigest and linkerDigest.
#include "ToolchainDigests.inc"

using namespace mlir::fly;
using ::fly::support::makeError;
using ::fly::support::quoted;

namespace {
/// What is looked for and found while the loaded objects are visited.
struct Search {
  uintptr_t address;
  bool found = false;
  LoadedObject object;
};
} // namespace

// Each note is a header of three words, a name and a descriptor.
std::string mlir::fly::buildIdIn(llvm::ArrayRef<uint8_t> notes) {
  const size_t header = sizeof(ElfW(Nhdr));
  while (notes.size() >= header) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), header);
    uint64_t nameSize = llvm::alignTo(uint64_t(note.n_namesz), 4);
    uint64_t descSize = llvm::alignTo(uint64_t(note.n_descsz), 4);
    if (notes.size() - header < nameSize + descSize)
      break;
    bool isGnu =
        note.n_namesz == 4 && std::memcmp(notes.data() + header, "GNU", 4) == 0;
    if (isGnu && note.n_type == NT_GNU_BUILD_ID)
      return llvm::toHex(notes.slice(header + nameSize, note.n_descsz),
                         /*LowerCase=*/true);
    notes = notes.drop_front(header + nameSize + descSize);
  }
  return "";
}

/// Called for each loaded object; 1 ends the visit.
static int visitObject(dl_phdr_info *info, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  llvm::ArrayRef<ElfW(Phdr)> headers(info->dlpi_phdr, info->dlpi_phnum);
  for (const ElfW(Phdr) &header : headers) {
    uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    search.found |= header.p_type == PT_LOAD && search.address >= begin &&
                    search.address - begin < header.p_memsz;
  }
  if (!search.found)
    return 0;
  search.object.path = info->dlpi_name ? info->dlpi_name : "";
  for (const ElfW(Phdr) &header : headers)
    if (header.p_type == PT_LOAD) {
      uintptr_t begin = info->dlpi_addr + header.p_vaddr;
      search.object.segments.emplace_back(begin, begin + header.p_memsz);
    }
  for (const ElfW(Phdr) &header : headers) {
    if (header.p_type != PT_NOTE || !search.object.buildId.empty())
      continue;
    auto *begin =
        reinterpret_cast<const uint8_t *>(info->dlpi_addr + header.p_vaddr);
    search.object.buildId = buildIdIn({begin, header.p_memsz});
  }
  return 1;
}

bool LoadedObject::holds(const void *address) const {
  auto at = reinterpret_cast<uintptr_t>(address);
  return llvm::any_of(segments, [at](const auto &segment) {
    return at >= segment.first && at < segment.second;
  });
}

std::optional<LoadedObject> mlir::fly::loadedObjectOf(const void *address) {
  Search search;
  search.address = reinterpret_cast<uintptr_t>(address);
  dl_iterate_phdr(visitObject, &search);
  if (!search.found)
    return std::nullopt;
  return search.object;
}

LoadedObjects mlir::fly::loadedObjects() {
  auto find = [](const void *address) {
    return loadedObjectOf(address).value_or(LoadedObject());
  };
  return {
      find(sourcesDigest),
      find(reinterpret_cast<const void *>(&llvm::sys::getDefaultTargetTriple)),
      find(reinterpret_cast<const void *>(&mlir::registerAsmPrinterCLOptions))};
}

/// Appends the identity of `object`, which holds `library`.
static llvm::Error addLoaded(Toolchain &toolchain, const char *library,
                             const LoadedObject &object,
                             const LoadedObject &ours) {
  if (object.path == ours.path) {
#ifdef FLY_LINKED_LLVM_DIGEST
    // Linked into us: the digest of the archives that were linked.
    toolchain.emplace_back(library, FLY_LINKED_LLVM_DIGEST);
    return llvm::Error::success();
#else
    return makeError("K005", llvm::Twine("toolchain identity unknown: ") +
                                 library +
                                 " is linked into this program, which records "
                                 "no digest of it; expected a shared object");
#endif
  }
  if (object.buildId.empty())
    return makeError("K005", llvm::Twine("toolchain identity unknown: the "
                                         "object of ") +
                                 library + ", " + quoted(object.path) +
                                 ", has no GNU build-id; tried the notes of "
                                 "its program headers");
  toolchain.emplace_back(library, object.buildId);
  return llvm::Error::success();
}

llvm::Expected<Toolchain>
mlir::fly::identifyToolchain(const LoadedObjects &objects) {
  Toolchain toolchain;
  toolchain.emplace_back("fly", sourcesDigest);
  if (llvm::Error error =
          addLoaded(toolchain, "libLLVM", objects.llvm, objects.ours))
    return std::move(error);
  if (llvm::Error error =
          addLoaded(toolchain, "libMLIR", objects.mlir, objects.ours))
    return std::move(error);
  toolchain.emplace_back("lld", linkerDigest);
  return toolchain;
}

llvm::StringRef mlir::fly::llvmVersion() { return LLVM_VERSION_STRING; }
