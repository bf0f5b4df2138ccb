// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build-ids of shared objects that are not loaded. The dynamic section names
// the libraries and where to search them; only those with LLVM and MLIR in them
// decide what is compiled.
//
// Source of the rules: ld.so(8) for the order of folders and $ORIGIN; elf(5)
// for notes.

#include "fly/Store/Direct.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace fly::store;
using llvm::StringRef;
using ElfFile = llvm::object::ELFFile<llvm::object::ELF64LE>;

namespace {
/// What is read from a shared object.
struct SharedObject {
  std::string buildId;
  std::vector<std::string> needed;
  /// Folders to search before and after those of LD_LIBRARY_PATH, `$ORIGIN`
  /// replaced.
  std::vector<std::string> rpath, runpath;
};
} // namespace

static std::string buildIdOf(const ElfFile &elf) {
  llvm::Expected<ElfFile::Elf_Phdr_Range> headers = elf.program_headers();
  if (!headers) {
    llvm::consumeError(headers.takeError());
    return "";
  }
  std::string id;
  for (const ElfFile::Elf_Phdr &header : *headers) {
    if (header.p_type != llvm::ELF::PT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    for (const ElfFile::Elf_Note &note : elf.notes(header, error))
      if (note.getName() == "GNU" &&
          note.getType() == llvm::ELF::NT_GNU_BUILD_ID)
        id = llvm::toHex(note.getDesc(header.p_align), /*LowerCase=*/true);
    llvm::consumeError(std::move(error));
  }
  return id;
}

/// The text at `offset` of the dynamic string table.
static std::string textAt(StringRef table, uint64_t offset) {
  if (offset >= table.size())
    return "";
  return table.drop_front(offset).split('\0').first.str();
}

static void addFolders(StringRef paths, StringRef origin,
                       std::vector<std::string> &folders) {
  llvm::SmallVector<StringRef> parts;
  paths.split(parts, ':');
  for (StringRef part : parts) {
    std::string folder = part.empty() ? "." : "";
    if (part.consume_front("$ORIGIN") || part.consume_front("${ORIGIN}"))
      folder = origin.str();
    folders.push_back(folder + part.str());
  }
}

static llvm::Expected<SharedObject> readDynamic(const ElfFile &elf,
                                                StringRef origin) {
  llvm::Expected<ElfFile::Elf_Dyn_Range> entries = elf.dynamicEntries();
  if (!entries)
    return entries.takeError();
  uint64_t tableAddress = 0, tableSize = 0;
  for (const ElfFile::Elf_Dyn &entry : *entries) {
    if (entry.d_tag == llvm::ELF::DT_STRTAB)
      tableAddress = entry.d_un.d_ptr;
    if (entry.d_tag == llvm::ELF::DT_STRSZ)
      tableSize = entry.d_un.d_val;
  }
  llvm::Expected<const uint8_t *> start = elf.toMappedAddr(tableAddress);
  if (!start)
    return start.takeError();
  uint64_t offset = *start - elf.base();
  if (offset > elf.getBufSize() || tableSize > elf.getBufSize() - offset)
    return llvm::createStringError("its string table lies outside");
  StringRef table(reinterpret_cast<const char *>(*start), tableSize);
  SharedObject object;
  for (const ElfFile::Elf_Dyn &entry : *entries) {
    if (entry.d_tag == llvm::ELF::DT_NEEDED)
      object.needed.push_back(textAt(table, entry.d_un.d_val));
    if (entry.d_tag == llvm::ELF::DT_RUNPATH)
      addFolders(textAt(table, entry.d_un.d_val), origin, object.runpath);
    if (entry.d_tag == llvm::ELF::DT_RPATH)
      addFolders(textAt(table, entry.d_un.d_val), origin, object.rpath);
  }
  // With both, the older one does not count.
  if (!object.runpath.empty())
    object.rpath.clear();
  object.buildId = buildIdOf(elf);
  return object;
}

/// Reads `path`; a failure gives an object without a build-id.
static SharedObject readObject(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return {};
  llvm::Expected<ElfFile> elf = ElfFile::create((*buffer)->getBuffer());
  if (!elf) {
    llvm::consumeError(elf.takeError());
    return {};
  }
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(path, real))
    real = path;
  llvm::Expected<SharedObject> object =
      readDynamic(*elf, llvm::sys::path::parent_path(real));
  if (object)
    return std::move(*object);
  llvm::consumeError(object.takeError());
  return {};
}

/// Whether `folder` has variants for processors below it, which the loader
/// looks into first. Up to glibc 2.36 it also takes `tls` and the names of
/// platforms and capabilities, one below the other.
static bool hasVariants(StringRef folder) {
  for (StringRef name : {"glibc-hwcaps", "tls", "x86_64", "haswell", "xeon_phi",
                         "avx512_1", "aarch64", "atomics"}) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, name);
    if (llvm::sys::fs::exists(path))
      return true;
  }
  return false;
}

/// Where the loader would find `name`, or empty when that cannot be told.
static std::string findLibrary(StringRef name,
                               llvm::ArrayRef<std::string> folders) {
  for (const std::string &folder : folders) {
    if (hasVariants(folder))
      return "";
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, name);
    if (llvm::sys::fs::exists(path))
      return std::string(path);
  }
  return "";
}

/// The folders of LD_LIBRARY_PATH, an empty one is the current folder; nothing
/// when they hold names that the loader replaces.
static std::optional<std::vector<std::string>>
libraryPath(const fly::support::Environment &environment) {
  StringRef text = environment.get("LD_LIBRARY_PATH").value_or("");
  std::vector<std::string> folders;
  if (text.empty())
    return folders;
  if (text.contains('$'))
    return std::nullopt;
  while (true) {
    size_t end = text.find_first_of(":;");
    StringRef part = text.take_front(end);
    folders.push_back(part.empty() ? "." : part.str());
    if (end == StringRef::npos)
      return folders;
    text = text.drop_front(end + 1);
  }
}

/// Whether the loader adds something to each program, or that cannot be told.
static bool addsLibraries(StringRef preloadList) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> list =
      llvm::MemoryBuffer::getFile(preloadList);
  if (!list)
    return list.getError() != std::errc::no_such_file_or_directory;
  return !(*list)->getBuffer().trim(": \t\r\n").empty();
}

NamedTexts
fly::store::loadedBuildIds(StringRef path,
                           const fly::support::Environment &environment,
                           StringRef preloadList) {
  if (addsLibraries(preloadList))
    return {};
  SharedObject object = readObject(path);
  std::optional<std::vector<std::string>> variable = libraryPath(environment);
  if (!variable)
    return {};
  std::vector<std::string> folders = object.rpath;
  llvm::append_range(folders, *variable);
  llvm::append_range(folders, object.runpath);
  NamedTexts ids = {{llvm::sys::path::filename(path).str(), object.buildId}};
  for (const std::string &name : object.needed)
    if (StringRef(name).starts_with("libLLVM") ||
        StringRef(name).starts_with("libMLIR"))
      ids.emplace_back(name, readObject(findLibrary(name, folders)).buildId);
  for (const auto &[name, id] : ids)
    if (id.empty())
      return {};
  return ids;
}
