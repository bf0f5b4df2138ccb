// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader of AMDGPU code objects: ELF header, metadata note, MessagePack.
//
// Sources: LLVM's AMDGPUUsage, "ELF code object", "Code object V4 and later
// metadata"; flag values from llvm/BinaryFormat/ELF.h.

#include "fly/Target/AMDGPU/CodeObject.h"

#include "fly/Support/Errors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/Object/ELF.h"

using namespace fly::amdgpu;
using fly::support::quoted;
using llvm::StringRef;
using llvm::Twine;
namespace ELF = llvm::ELF;
namespace msgpack = llvm::msgpack;

static llvm::Error refuse(const Twine &what) {
  return llvm::createStringError("code object: " + what);
}

//===----------------------------------------------------------------------===//
// MessagePack values
//===----------------------------------------------------------------------===//

namespace {
/// A value of the metadata. Only what kernels need is kept apart; other
/// scalars are `Other`.
struct Value {
  enum Kind { Number, Text, List, Map, Other } kind = Other;
  uint64_t number = 0;
  StringRef text;
  std::vector<Value> items;
  /// Keys of a map, one for each item.
  std::vector<StringRef> keys;

  /// The item under `key`, or null.
  const Value *get(StringRef key) const {
    for (size_t i = 0; i < keys.size(); ++i)
      if (keys[i] == key)
        return &items[i];
    return nullptr;
  }
};
} // namespace

/// Reads one value with all that it holds. Depth is bounded, so that no input
/// exhausts the stack; each value takes at least a byte, so that no input
/// makes more values than it has bytes.
static llvm::Expected<Value> readValue(msgpack::Reader &reader,
                                       unsigned depth) {
  if (depth == 0)
    return refuse("metadata is nested too deeply");
  msgpack::Object object;
  llvm::Expected<bool> more = reader.read(object);
  if (!more)
    return refuse("metadata is not MessagePack: " +
                  llvm::toString(more.takeError()));
  if (!*more)
    return refuse("metadata ends early");
  Value value;
  switch (object.Kind) {
  case msgpack::Type::UInt:
    value.kind = Value::Number;
    value.number = object.UInt;
    return value;
  case msgpack::Type::Int:
    // Writers use unsigned forms for what is not negative.
    value.kind = object.Int >= 0 ? Value::Number : Value::Other;
    value.number = object.Int;
    return value;
  case msgpack::Type::String:
    value.kind = Value::Text;
    value.text = object.Raw;
    return value;
  case msgpack::Type::Array:
    value.kind = Value::List;
    for (size_t i = 0; i < object.Length; ++i) {
      llvm::Expected<Value> item = readValue(reader, depth - 1);
      if (!item)
        return item.takeError();
      value.items.push_back(std::move(*item));
    }
    return value;
  case msgpack::Type::Map:
    value.kind = Value::Map;
    for (size_t i = 0; i < object.Length; ++i) {
      llvm::Expected<Value> key = readValue(reader, depth - 1);
      if (!key)
        return key.takeError();
      if (key->kind != Value::Text)
        return refuse("metadata has a map key that is no text");
      llvm::Expected<Value> item = readValue(reader, depth - 1);
      if (!item)
        return item.takeError();
      value.keys.push_back(key->text);
      value.items.push_back(std::move(*item));
    }
    return value;
  default:
    return value;
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Reads a 32-bit number; absent is an error only when it is required.
static llvm::Error readNumber(const Value &kernel, StringRef key,
                              uint32_t &result, bool required) {
  const Value *value = kernel.get(key);
  if (!value) {
    if (!required)
      return llvm::Error::success();
    return refuse("kernel metadata lacks " + key);
  }
  if (value->kind != Value::Number || value->number > UINT32_MAX)
    return refuse("kernel metadata " + key + " is not a 32-bit number");
  result = value->number;
  return llvm::Error::success();
}

static llvm::Error readText(const Value &kernel, StringRef key,
                            std::string &result) {
  const Value *value = kernel.get(key);
  if (!value || value->kind != Value::Text || value->text.empty())
    return refuse("kernel metadata lacks the text " + key);
  result = value->text.str();
  return llvm::Error::success();
}

static llvm::Expected<KernelInfo> readKernel(const Value &value) {
  if (value.kind != Value::Map)
    return refuse("an entry of amdhsa.kernels is no map");
  KernelInfo info;
  if (llvm::Error error = readText(value, ".name", info.name))
    return error;
  if (llvm::Error error = readText(value, ".symbol", info.symbol))
    return error;
  struct Field {
    llvm::StringLiteral key;
    uint32_t &result;
    bool required;
  };
  const Field fields[] = {
      {".kernarg_segment_size", info.kernargBytes, true},
      {".group_segment_fixed_size", info.ldsBytes, true},
      {".private_segment_fixed_size", info.privateBytes, true},
      {".vgpr_count", info.vgprs, true},
      {".sgpr_count", info.sgprs, true},
      {".wavefront_size", info.wave, true},
      {".max_flat_workgroup_size", info.maxWorkgroupSize, true},
      {".agpr_count", info.agprs, false},
      {".vgpr_spill_count", info.vgprSpills, false},
      {".sgpr_spill_count", info.sgprSpills, false}};
  for (const Field &field : fields)
    if (llvm::Error error =
            readNumber(value, field.key, field.result, field.required))
      return error;
  return info;
}

static llvm::Error readMetadata(StringRef blob, CodeObject &object) {
  msgpack::Reader reader(blob);
  llvm::Expected<Value> root = readValue(reader, /*depth=*/16);
  if (!root)
    return root.takeError();
  if (root->kind != Value::Map)
    return refuse("metadata is no map");
  const Value *target = root->get("amdhsa.target");
  if (!target || target->kind != Value::Text)
    return refuse("metadata lacks the text amdhsa.target");
  object.metadataTarget = target->text.str();
  const Value *kernels = root->get("amdhsa.kernels");
  if (!kernels)
    return llvm::Error::success();
  if (kernels->kind != Value::List)
    return refuse("amdhsa.kernels is no list");
  for (const Value &value : kernels->items) {
    llvm::Expected<KernelInfo> kernel = readKernel(value);
    if (!kernel)
      return kernel.takeError();
    object.kernels.push_back(std::move(*kernel));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// ELF
//===----------------------------------------------------------------------===//

static Setting settingOf(uint32_t flags, uint32_t mask, uint32_t any,
                         uint32_t off, uint32_t on) {
  uint32_t bits = flags & mask;
  return bits == any   ? Setting::Any
         : bits == off ? Setting::Off
         : bits == on  ? Setting::On
                       : Setting::Unsupported;
}

static llvm::Error readFlags(uint32_t flags, CodeObject &object) {
  object.flags = flags;
  constexpr uint32_t known =
      ELF::EF_AMDGPU_MACH | ELF::EF_AMDGPU_FEATURE_XNACK_V4 |
      ELF::EF_AMDGPU_FEATURE_SRAMECC_V4 | ELF::EF_AMDGPU_GENERIC_VERSION;
  const Chip *chip = findChipByElfMachine(flags & ELF::EF_AMDGPU_MACH);
  if (!chip || (flags & ~known))
    return refuse("flags 0x" + llvm::utohexstr(flags, /*LowerCase=*/true) +
                  " name no known processor");
  object.chip = chip->name.str();
  object.xnack = settingOf(flags, ELF::EF_AMDGPU_FEATURE_XNACK_V4,
                           ELF::EF_AMDGPU_FEATURE_XNACK_ANY_V4,
                           ELF::EF_AMDGPU_FEATURE_XNACK_OFF_V4,
                           ELF::EF_AMDGPU_FEATURE_XNACK_ON_V4);
  object.sramecc = settingOf(flags, ELF::EF_AMDGPU_FEATURE_SRAMECC_V4,
                             ELF::EF_AMDGPU_FEATURE_SRAMECC_ANY_V4,
                             ELF::EF_AMDGPU_FEATURE_SRAMECC_OFF_V4,
                             ELF::EF_AMDGPU_FEATURE_SRAMECC_ON_V4);
  object.genericVersion = (flags & ELF::EF_AMDGPU_GENERIC_VERSION) >>
                          ELF::EF_AMDGPU_GENERIC_VERSION_OFFSET;
  if (chip->isGeneric() != (object.genericVersion != 0))
    return refuse("generic version " + Twine(object.genericVersion) +
                  " does not fit " + chip->name);
  return llvm::Error::success();
}

using File = llvm::object::ELF64LEFile;

/// The descriptor of the metadata note among `notes`, or nothing.
static llvm::Expected<std::optional<StringRef>>
findNote(llvm::iterator_range<File::Elf_Note_Iterator> notes, size_t align,
         llvm::Error &error) {
  std::optional<StringRef> found;
  for (const File::Elf_Note &note : notes)
    if (!found && note.getName() == "AMDGPU" &&
        note.getType() == ELF::NT_AMDGPU_METADATA)
      found = note.getDescAsStringRef(align);
  if (error)
    return refuse("notes: " + llvm::toString(std::move(error)));
  return found;
}

/// The metadata note: in a segment of a linked object, else in a section.
static llvm::Expected<StringRef> findMetadata(const File &file) {
  llvm::Expected<File::Elf_Phdr_Range> segments = file.program_headers();
  if (!segments)
    return refuse(llvm::toString(segments.takeError()));
  for (const File::Elf_Phdr &segment : *segments) {
    if (segment.p_type != ELF::PT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    auto found = findNote(file.notes(segment, error),
                          std::max<size_t>(segment.p_align, 4), error);
    if (!found)
      return found.takeError();
    if (*found)
      return **found;
  }
  llvm::Expected<File::Elf_Shdr_Range> sections = file.sections();
  if (!sections)
    return refuse(llvm::toString(sections.takeError()));
  for (const File::Elf_Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    auto found = findNote(file.notes(section, error),
                          std::max<size_t>(section.sh_addralign, 4), error);
    if (!found)
      return found.takeError();
    if (*found)
      return **found;
  }
  return refuse("no AMDGPU metadata note");
}

llvm::Expected<CodeObject> fly::amdgpu::readCodeObject(StringRef bytes) {
  if (!bytes.starts_with(ELF::ElfMagic))
    return refuse("not an ELF file");
  llvm::Expected<File> file = File::create(bytes);
  if (!file)
    return refuse(llvm::toString(file.takeError()));
  const File::Elf_Ehdr &header = file->getHeader();
  if (header.e_ident[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      header.e_ident[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return refuse("not a 64-bit little-endian ELF file");
  if (header.e_machine != ELF::EM_AMDGPU ||
      header.e_ident[ELF::EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA)
    return refuse("not for AMDGPU with the HSA runtime (machine " +
                  Twine(header.e_machine) + ", OS ABI " +
                  Twine(unsigned(header.e_ident[ELF::EI_OSABI])) + ")");
  CodeObject object;
  unsigned version = header.e_ident[ELF::EI_ABIVERSION];
  switch (version) {
  case ELF::ELFABIVERSION_AMDGPU_HSA_V4:
    object.abi = 400;
    break;
  case ELF::ELFABIVERSION_AMDGPU_HSA_V5:
    object.abi = 500;
    break;
  case ELF::ELFABIVERSION_AMDGPU_HSA_V6:
    object.abi = 600;
    break;
  default:
    return refuse("ABI version " + Twine(version) +
                  " is not one of code object versions 4 to 6");
  }
  if (llvm::Error error = readFlags(header.e_flags, object))
    return error;
  llvm::Expected<StringRef> metadata = findMetadata(*file);
  if (!metadata)
    return metadata.takeError();
  if (llvm::Error error = readMetadata(*metadata, object))
    return error;
  return object;
}

/// Whether the state of a feature in the flags fits the target. Where no
/// target ID can spell the feature, LLVM 22.1 sets the flags of gfx12.5 to
/// "any" nevertheless.
static bool fits(Setting found, Setting expected, FeatureSupport support) {
  switch (support) {
  case FeatureSupport::Selectable:
    return found == expected;
  case FeatureSupport::Unsupported:
    return found == Setting::Unsupported || found == Setting::Any;
  case FeatureSupport::Always:
    return found != Setting::Off;
  }
  return false;
}

std::optional<std::string> fly::amdgpu::disagreement(const CodeObject &object,
                                                     const Target &target) {
  auto differ = [](const Twine &what, const Twine &found,
                   const Twine &expected) {
    return (what + " of the code object is " + found + ", the target says " +
            expected)
        .str();
  };
  if (object.chip != target.chip)
    return differ("processor", object.chip, target.chip);
  const Chip &row = target.row();
  if (!fits(object.sramecc, target.sramecc, row.sramecc))
    return differ("sramecc", spell(object.sramecc), spell(target.sramecc));
  if (!fits(object.xnack, target.xnack, row.xnack))
    return differ("xnack", spell(object.xnack), spell(target.xnack));
  if (object.abi != target.abi)
    return differ("abi", Twine(object.abi), Twine(target.abi));
  for (const KernelInfo &kernel : object.kernels)
    if (kernel.wave != target.wave)
      return differ("wave size of kernel " + quoted(kernel.name),
                    Twine(kernel.wave), Twine(target.wave));
  return std::nullopt;
}
