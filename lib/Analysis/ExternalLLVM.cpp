// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The identity of an LLVM that is installed below a prefix and not loaded. What
// its mlir-opt would load is found as the dynamic linker finds it (DT_NEEDED
// in the folders of DT_RUNPATH or DT_RPATH, then `lib` of the prefix), as far
// as it lies below the prefix; each file counts by its build-id. Where the
// prefix lies, or by which links it is reached, does not count.

#include "fly/Analysis/Toolchain.h"

#include "fly/Support/Digest.h"
#include "fly/Support/Errors.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <map>
#include <vector>

using namespace mlir::fly;
using ::fly::support::makeError;
using ::fly::support::quoted;
using llvm::StringRef;
using llvm::Twine;
using llvm::object::ELF64LEFile;
namespace fs = llvm::sys::fs;

namespace {
/// What an ELF file says of itself; all empty for other files.
struct ElfFacts {
  std::string buildId;
  std::vector<std::string> needed;
  std::vector<std::string> folders;
};

/// The files of one installation, by name, with their identities.
class Installation {
public:
  explicit Installation(StringRef prefix) : prefix(prefix.str()) {}

  llvm::Expected<Toolchain> identify();

private:
  llvm::Error add(StringRef name, StringRef path);
  std::string find(StringRef name, StringRef folderOfUser,
                   llvm::ArrayRef<std::string> folders) const;

  /// Its real path.
  std::string prefix;
  std::map<std::string, std::string> identities;
};
} // namespace

static llvm::Error cannotIdentify(const Twine &what, const Twine &why) {
  return makeError("K005", "toolchain identity unknown: " + what + " " + why);
}

/// The text at `address` of the string table, empty when there is none.
static std::string textAt(StringRef table, uint64_t address) {
  if (address >= table.size())
    return "";
  return table.drop_front(address).split('\0').first.str();
}

/// The build-id of `file`.
static std::string buildIdOf(const ELF64LEFile &file) {
  auto headers = file.program_headers();
  if (!headers) {
    llvm::consumeError(headers.takeError());
    return "";
  }
  StringRef bytes(reinterpret_cast<const char *>(file.base()),
                  file.getBufSize());
  for (const ELF64LEFile::Elf_Phdr &header : *headers) {
    if (header.p_type != llvm::ELF::PT_NOTE || header.p_offset > bytes.size())
      continue;
    StringRef notes = bytes.substr(header.p_offset, header.p_filesz);
    std::string id = buildIdIn(
        {reinterpret_cast<const uint8_t *>(notes.data()), notes.size()});
    if (!id.empty())
      return id;
  }
  return "";
}

/// Reads what `bytes` say as an ELF file; what is damaged says nothing.
static ElfFacts factsOf(StringRef bytes) {
  ElfFacts facts;
  if (!bytes.starts_with("\177ELF"))
    return facts;
  llvm::Expected<ELF64LEFile> file = ELF64LEFile::create(bytes);
  if (!file) {
    llvm::consumeError(file.takeError());
    return facts;
  }
  facts.buildId = buildIdOf(*file);
  auto entries = file->dynamicEntries();
  if (!entries) {
    llvm::consumeError(entries.takeError());
    return facts;
  }
  StringRef strings;
  for (const ELF64LEFile::Elf_Dyn &entry : *entries) {
    if (entry.getTag() != llvm::ELF::DT_STRTAB)
      continue;
    llvm::Expected<const uint8_t *> start = file->toMappedAddr(entry.getVal());
    if (!start) {
      llvm::consumeError(start.takeError());
      return facts;
    }
    const char *begin = reinterpret_cast<const char *>(*start);
    strings = StringRef(begin, bytes.end() - begin);
  }
  for (const ELF64LEFile::Elf_Dyn &entry : *entries) {
    std::string text = textAt(strings, entry.getVal());
    if (entry.getTag() == llvm::ELF::DT_NEEDED)
      facts.needed.push_back(text);
    if (entry.getTag() != llvm::ELF::DT_RUNPATH &&
        entry.getTag() != llvm::ELF::DT_RPATH)
      continue;
    llvm::SmallVector<StringRef, 4> folders;
    StringRef(text).split(folders, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    facts.folders.assign(folders.begin(), folders.end());
  }
  return facts;
}

/// The path of the shared object `name` below the prefix, or empty.
std::string Installation::find(StringRef name, StringRef folderOfUser,
                               llvm::ArrayRef<std::string> folders) const {
  std::vector<std::string> places(folders.begin(), folders.end());
  places.push_back(prefix + "/lib");
  for (StringRef place : places) {
    std::string folder = place.str();
    for (StringRef origin : {"$ORIGIN", "${ORIGIN}"})
      if (place.starts_with(origin))
        folder = (folderOfUser + place.drop_front(origin.size())).str();
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    if (path.str().starts_with(prefix + "/") && fs::is_regular_file(path))
      return path.str().str();
  }
  return "";
}

/// Adds the file `path` under `name`, and what it needs below the prefix.
llvm::Error Installation::add(StringRef name, StringRef path) {
  std::vector<std::pair<std::string, std::string>> work{
      {name.str(), path.str()}};
  while (!work.empty()) {
    auto [current, file] = std::move(work.back());
    work.pop_back();
    if (identities.count(current))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return cannotIdentify(quoted(file),
                            "cannot be read: " + buffer.getError().message());
    StringRef bytes = (*buffer)->getBuffer();
    ElfFacts facts = factsOf(bytes);
    // A script or a file without a build-id counts by its content.
    identities[current] =
        facts.buildId.empty()
            ? "blake3-" + ::fly::support::digestOf(bytes).hex()
            : facts.buildId;
    StringRef folder = llvm::sys::path::parent_path(file);
    for (const std::string &library : facts.needed)
      if (std::string found = find(library, folder, facts.folders);
          !found.empty())
        work.emplace_back(library, found);
  }
  return llvm::Error::success();
}

llvm::Expected<Toolchain> Installation::identify() {
  std::string driver = prefix + "/bin/mlir-opt";
  if (!fs::is_regular_file(driver))
    return cannotIdentify("LLVM below " + quoted(prefix),
                          "has no file 'bin/mlir-opt'");
  if (llvm::Error error = add("mlir-opt", driver))
    return std::move(error);
  std::string linker = prefix + "/bin/ld.lld";
  if (fs::is_regular_file(linker))
    if (llvm::Error error = add("ld.lld", linker))
      return std::move(error);
  return Toolchain(identities.begin(), identities.end());
}

llvm::Expected<Toolchain> mlir::fly::identifyExternalLLVM(StringRef prefix) {
  llvm::SmallString<128> real;
  if (std::error_code error = fs::real_path(prefix, real))
    return cannotIdentify("LLVM below " + quoted(prefix),
                          "cannot be found: " + error.message());
  return Installation(real).identify();
}

bool mlir::fly::isLoadedLLVM(const Toolchain &external,
                             const Toolchain &loaded) {
  for (const auto &[library, identity] : loaded) {
    if (!StringRef(library).starts_with("lib"))
      continue;
    bool same = false;
    for (const auto &[name, otherIdentity] : external)
      same |= StringRef(name).starts_with(library + ".so") &&
              otherIdentity == identity;
    if (!same)
      return false;
  }
  return true;
}
