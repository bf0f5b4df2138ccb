// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the shared parts of the store's tests.

#include "Fixture.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstring>
#include <fstream>
#include <sstream>

using namespace fly::store;
namespace amdgpu = fly::amdgpu;
using fly::amdgpu::Setting;
using fly::amdgpu::Target;
using fly::support::CacheKey;
using fly::support::digestOf;
using fly::support::KeyComponent;
using llvm::StringRef;
namespace ELF = llvm::ELF;

TemporaryFolder::TemporaryFolder() {
  llvm::SmallString<128> path;
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("fly-store", path));
  root = path.str().str();
}

TemporaryFolder::~TemporaryFolder() { llvm::sys::fs::remove_directories(root); }

std::string TemporaryFolder::path(StringRef name) const {
  return root + "/" + name.str();
}

//===----------------------------------------------------------------------===//
// Code objects
//===----------------------------------------------------------------------===//

static uint32_t flagsOf(const Target &target) {
  const amdgpu::Chip &row = target.row();
  uint32_t flags = row.elfMachine;
  auto add = [&](Setting setting, uint32_t any, uint32_t off, uint32_t on) {
    flags |= setting == Setting::Any   ? any
             : setting == Setting::Off ? off
             : setting == Setting::On  ? on
                                       : 0;
  };
  add(target.xnack, ELF::EF_AMDGPU_FEATURE_XNACK_ANY_V4,
      ELF::EF_AMDGPU_FEATURE_XNACK_OFF_V4, ELF::EF_AMDGPU_FEATURE_XNACK_ON_V4);
  add(target.sramecc, ELF::EF_AMDGPU_FEATURE_SRAMECC_ANY_V4,
      ELF::EF_AMDGPU_FEATURE_SRAMECC_OFF_V4,
      ELF::EF_AMDGPU_FEATURE_SRAMECC_ON_V4);
  if (row.isGeneric())
    flags |= 1u << ELF::EF_AMDGPU_GENERIC_VERSION_OFFSET;
  return flags;
}

static std::string metadataOf(const Target &target,
                              llvm::ArrayRef<std::string> kernels) {
  std::string blob;
  llvm::raw_string_ostream os(blob);
  llvm::msgpack::Writer writer(os);
  writer.writeMapSize(2);
  writer.write(StringRef("amdhsa.target"));
  writer.write(StringRef("amdgcn-amd-amdhsa--" + target.id()));
  writer.write(StringRef("amdhsa.kernels"));
  writer.writeArraySize(kernels.size());
  for (const std::string &name : kernels) {
    writer.writeMapSize(9);
    writer.write(StringRef(".name"));
    writer.write(StringRef(name));
    writer.write(StringRef(".symbol"));
    writer.write(StringRef(name + ".kd"));
    const std::pair<StringRef, uint64_t> numbers[] = {
        {".kernarg_segment_size", 16},
        {".group_segment_fixed_size", 1024},
        {".private_segment_fixed_size", 0},
        {".vgpr_count", 24},
        {".sgpr_count", 32},
        {".wavefront_size", target.wave},
        {".max_flat_workgroup_size", 256}};
    for (const auto &[key, number] : numbers) {
      writer.write(key);
      writer.write(number);
    }
  }
  return os.str();
}

std::string fly::store::makeCodeObject(const Target &target,
                                       llvm::ArrayRef<std::string> kernels,
                                       unsigned salt) {
  std::string blob = metadataOf(target, kernels);
  ELF::Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELF::ElfMagic, 4);
  header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS64;
  header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  header.e_ident[ELF::EI_OSABI] = ELF::ELFOSABI_AMDGPU_HSA;
  header.e_ident[ELF::EI_ABIVERSION] = target.abi == 500
                                           ? ELF::ELFABIVERSION_AMDGPU_HSA_V5
                                           : ELF::ELFABIVERSION_AMDGPU_HSA_V6;
  header.e_type = ELF::ET_DYN;
  header.e_machine = ELF::EM_AMDGPU;
  header.e_version = ELF::EV_CURRENT;
  header.e_phoff = sizeof(header);
  header.e_flags = flagsOf(target);
  header.e_ehsize = sizeof(header);
  header.e_phentsize = sizeof(ELF::Elf64_Phdr);
  header.e_phnum = 1;
  header.e_shentsize = sizeof(ELF::Elf64_Shdr);
  size_t start = sizeof(header) + sizeof(ELF::Elf64_Phdr);
  size_t padded = (blob.size() + 3) & ~size_t(3);
  ELF::Elf64_Phdr segment = {};
  segment.p_type = ELF::PT_NOTE;
  segment.p_offset = start;
  segment.p_filesz = segment.p_memsz = 12 + 8 + padded;
  segment.p_align = 4;
  uint32_t note[3] = {7, uint32_t(blob.size()), ELF::NT_AMDGPU_METADATA};
  std::string bytes;
  bytes.append(reinterpret_cast<char *>(&header), sizeof(header));
  bytes.append(reinterpret_cast<char *>(&segment), sizeof(segment));
  bytes.append(reinterpret_cast<char *>(note), sizeof(note));
  bytes.append("AMDGPU\0\0", 8);
  bytes += blob;
  bytes.append(padded - blob.size(), '\0');
  bytes.append(reinterpret_cast<char *>(&salt), sizeof(salt));
  return bytes;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

Target fly::store::targetOf(StringRef text) {
  llvm::Expected<Target> target = parseTargetText(text);
  EXPECT_TRUE(bool(target))
      << text.str() << ": " << llvm::toString(target.takeError());
  return target ? *target : Target();
}

CacheKey fly::store::makeKey(const Target &target, unsigned salt) {
  CacheKey key;
  key.components.push_back({"schema", {{"schema", "fly-key/1"}}});
  KeyComponent fields{"target", {}};
  std::string text = target.fullText();
  llvm::SmallVector<StringRef> words;
  StringRef(text).split(words, ' ');
  for (StringRef word : words) {
    auto [name, value] = word.split('=');
    fields.fields.push_back({name.str(), value.str()});
  }
  key.components.push_back(fields);
  key.components.push_back(
      {"ir", {{"digest", digestOf("ir" + std::to_string(salt)).hex()}}});
  key.components.push_back({"pipeline", {{"passes", "builtin.module(cse)"}}});
  key.components.push_back(
      {"codegen", {{"opt_level", "2"}, {"debug", "none"}}});
  key.components.push_back({"toolchain",
                            {{"fly", digestOf("fly").hex()},
                             {"libLLVM.so.22.1", digestOf("llvm").hex()}}});
  key.components.push_back({"bitcode", {{"ocml.bc", std::nullopt}}});
  key.components.push_back({"inputs", {}});
  key.components.push_back({"salt", {}});
  return key;
}

Entry fly::store::makeEntry(StringRef text, llvm::ArrayRef<std::string> kernels,
                            unsigned salt) {
  Target target = targetOf(text);
  Entry entry;
  entry.bytes = makeCodeObject(target, kernels, salt);
  llvm::Expected<Manifest> manifest =
      Manifest::describe(makeKey(target, salt), target, entry.bytes);
  EXPECT_TRUE(bool(manifest)) << llvm::toString(manifest.takeError());
  if (manifest)
    entry.manifest = *manifest;
  return entry;
}

Store fly::store::openStore(StringRef path, Mode mode,
                            std::vector<std::string> *warnings,
                            FileHook *hook) {
  StoreOptions options;
  options.mode = mode;
  options.hook = hook;
  if (warnings)
    options.warn = [warnings](const std::string &text) {
      warnings->push_back(text);
    };
  llvm::Expected<Store> store = Store::open(path, options);
  if (!store)
    llvm::report_fatal_error(store.takeError());
  return std::move(*store);
}

void fly::store::publish(const Store &store, const Entry &entry,
                         llvm::ArrayRef<std::string> units) {
  llvm::Expected<Published> done =
      store.publish(entry.manifest, entry.bytes, units);
  EXPECT_TRUE(bool(done)) << llvm::toString(done.takeError());
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::string fly::store::readFile(StringRef path) {
  std::ifstream stream(path.str(), std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void fly::store::writeFile(StringRef path, StringRef bytes) {
  llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
  std::ofstream stream(path.str(), std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), bytes.size());
  ASSERT_TRUE(stream.good()) << path.str();
}

std::map<std::string, std::string> fly::store::snapshot(StringRef path) {
  std::map<std::string, std::string> files;
  std::error_code code;
  for (llvm::sys::fs::recursive_directory_iterator it(path, code), end;
       !code && it != end; it.increment(code)) {
    StringRef relative = StringRef(it->path()).drop_front(path.size() + 1);
    if (relative.starts_with("meta") || relative.starts_with("tmp/"))
      continue;
    bool isFolder = it->type() == llvm::sys::fs::file_type::directory_file;
    files[relative.str()] = isFolder ? "folder" : readFile(it->path());
  }
  return files;
}

std::string fly::store::textOf(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "no error";
}

void fly::store::expectAll(StringRef text, std::vector<std::string> parts) {
  for (const std::string &part : parts)
    EXPECT_TRUE(text.contains(part))
        << "'" << part << "' is not in: " << text.str();
}
