// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Disassembles kernels with LLVM's MC layer. Which instruction loads or stores
// says its description; its memory and width say the parts of its mnemonic,
// which AMD's instruction set manuals (RDNA3, CDNA3, chapters on memory
// instructions) compose of memory, operation and type: `ds_read2st64_b32`.

#include "IsaCode.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"

using namespace flybench;
using llvm::StringRef;
using llvm::Twine;

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

unsigned flybench::accessBits(StringRef mnemonic) {
  // Two accesses in one: ds_read2_b32, ds_store_2addr_stride64_b64.
  bool isTwo = mnemonic.contains("read2") || mnemonic.contains("write2") ||
               mnemonic.contains("_2addr");
  unsigned bits = 0;
  llvm::SmallVector<StringRef> parts;
  mnemonic.split(parts, '_');
  for (StringRef part : parts) {
    unsigned found = llvm::StringSwitch<unsigned>(part)
                         .Cases({"u8", "i8", "b8", "ubyte", "sbyte", "byte"}, 8)
                         .Cases({"u16", "i16", "b16"}, 16)
                         .Cases({"ushort", "sshort", "short"}, 16)
                         .Cases({"b32", "dword"}, 32)
                         .Cases({"b64", "dwordx2"}, 64)
                         .Cases({"b96", "dwordx3"}, 96)
                         .Cases({"b128", "dwordx4"}, 128)
                         .Default(0);
    if (found && !bits)
      bits = found;
  }
  return isTwo ? 2 * bits : bits;
}

/// The memory that an instruction with this mnemonic accesses, as the table
/// names it; empty for scalar loads and for what is no load or store.
static StringRef memoryOf(StringRef mnemonic) {
  return llvm::StringSwitch<StringRef>(mnemonic.split('_').first)
      .Cases({"global", "buffer", "flat"}, "global")
      .Case("ds", "lds")
      .Case("scratch", "scratch")
      .Default("");
}

namespace {
/// LLVM's parts of a disassembler for one processor; the context must not
/// outlive what it points to.
struct Disassembler {
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> decoder;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};
} // namespace

static llvm::Expected<Disassembler>
makeDisassembler(const fly::amdgpu::CodeObject &object) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUDisassembler();
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError(error);
  bool isWave32 = !object.kernels.empty() && object.kernels.front().wave == 32;
  Disassembler made;
  llvm::MCTargetOptions options;
  made.registers.reset(target->createMCRegInfo(triple));
  made.assembly.reset(
      target->createMCAsmInfo(*made.registers, triple, options));
  made.instructions.reset(target->createMCInstrInfo());
  made.subtarget.reset(target->createMCSubtargetInfo(
      triple, object.chip, isWave32 ? "+wavefrontsize32" : "+wavefrontsize64"));
  made.context = std::make_unique<llvm::MCContext>(
      triple, made.assembly.get(), made.registers.get(), made.subtarget.get());
  made.decoder.reset(
      target->createMCDisassembler(*made.subtarget, *made.context));
  made.printer.reset(target->createMCInstPrinter(
      triple, made.assembly->getAssemblerDialect(), *made.assembly,
      *made.instructions, *made.registers));
  if (!made.decoder || !made.printer)
    return llvm::createStringError("no disassembler for " + object.chip);
  return made;
}

/// The machine code of a function, and its address.
static llvm::Expected<std::pair<llvm::ArrayRef<uint8_t>, uint64_t>>
codeOf(const llvm::object::ObjectFile &file, StringRef name) {
  for (const llvm::object::SymbolRef &symbol : file.symbols()) {
    llvm::Expected<StringRef> symbolName = symbol.getName();
    if (!symbolName)
      return symbolName.takeError();
    if (*symbolName != name)
      continue;
    llvm::Expected<llvm::object::section_iterator> section =
        symbol.getSection();
    if (!section)
      return section.takeError();
    llvm::Expected<uint64_t> address = symbol.getAddress();
    if (!address)
      return address.takeError();
    if (*section == file.section_end())
      break;
    llvm::Expected<StringRef> contents = (*section)->getContents();
    if (!contents)
      return contents.takeError();
    uint64_t size = llvm::object::ELFSymbolRef(symbol).getSize();
    uint64_t start = *address - (*section)->getAddress();
    if (start > contents->size() || size > contents->size() - start)
      return llvm::createStringError("the symbol " + name +
                                     " leaves its section");
    return std::pair(llvm::arrayRefFromStringRef(contents->substr(start, size)),
                     *address);
  }
  return llvm::createStringError("no symbol " + name);
}

llvm::Expected<CodeCounts>
flybench::countCode(StringRef bytes, const fly::amdgpu::CodeObject &object,
                    StringRef name) {
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createELFObjectFile(
          llvm::MemoryBufferRef(bytes, "code object"));
  if (!file)
    return file.takeError();
  auto code = codeOf(**file, name);
  if (!code)
    return code.takeError();
  llvm::Expected<Disassembler> disassembler = makeDisassembler(object);
  if (!disassembler)
    return disassembler.takeError();
  CodeCounts counts;
  for (uint64_t at = 0; at < code->first.size();) {
    llvm::MCInst instruction;
    uint64_t size = 0;
    if (disassembler->decoder->getInstruction(
            instruction, size, code->first.drop_front(at), code->second + at,
            llvm::nulls()) == llvm::MCDisassembler::Fail)
      return llvm::createStringError("an unknown instruction at byte " +
                                     Twine(at) + " of " + name);
    at += size;
    ++counts.instructions;
    const llvm::MCInstrDesc &description =
        disassembler->instructions->get(instruction.getOpcode());
    StringRef mnemonic = disassembler->printer->getMnemonic(instruction).first;
    mnemonic = mnemonic.trim();
    StringRef memory = memoryOf(mnemonic);
    unsigned bits = accessBits(mnemonic);
    if (memory.empty() || !bits)
      continue;
    if (description.mayLoad())
      ++counts.loads[memory.str()][bits];
    if (description.mayStore())
      ++counts.stores[memory.str()][bits];
  }
  return counts;
}
