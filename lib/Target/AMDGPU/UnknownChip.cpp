// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages for processors that the table lacks: the removed, the misspelt, the
// product names, the wrongly counted steppings, the too new.

#include "UnknownChip.h"

#include "fly/Support/Errors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

#include <tuple>

using namespace fly::amdgpu;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// A product and its processor (LLVM's AMDGPUUsage, table of processors).
struct Product {
  llvm::StringLiteral name;
  llvm::StringLiteral chip;
};
} // namespace

static constexpr Product products[] = {
    {"mi50", "gfx906"},   {"mi60", "gfx906"},   {"mi100", "gfx908"},
    {"mi210", "gfx90a"},  {"mi250", "gfx90a"},  {"mi250x", "gfx90a"},
    {"mi300", "gfx942"},  {"mi300a", "gfx942"}, {"mi300x", "gfx942"},
    {"mi325x", "gfx942"}, {"mi350x", "gfx950"}, {"mi355x", "gfx950"}};

StringRef fly::amdgpu::processorOfProduct(StringRef text) {
  std::string lower = text.lower();
  llvm::SmallVector<StringRef, 8> words;
  llvm::SplitString(lower, words);
  StringRef chip;
  for (StringRef word : words) {
    // Two of them are a list, and not the name of one.
    bool isProcessor = word.starts_with("gfx");
    const Product *product = llvm::find_if(
        products, [&](const Product &row) { return row.name == word; });
    if (isProcessor || (product != std::end(products) && !chip.empty()))
      return "";
    if (product != std::end(products))
      chip = product->chip;
  }
  return chip;
}

static std::string from(StringRef source) {
  return source.empty() ? std::string() : (" from " + source).str();
}

static std::string nearest(StringRef name) {
  return "nearest names: " + llvm::join(nearestChipNames(name), ", ");
}

/// The name of `isa` as LLVM would print it: stepping in hexadecimal.
static std::string nameOf(const Isa &isa) {
  return ("gfx" + Twine(isa.major) + Twine(isa.minor)).str() +
         llvm::utohexstr(isa.stepping, /*LowerCase=*/true);
}

static std::string dotted(const Isa &isa) {
  return (Twine(isa.major) + "." + Twine(isa.minor) + "." + Twine(isa.stepping))
      .str();
}

static llvm::Error tooNew(StringRef raw, StringRef source, StringRef version) {
  return makeError("T010",
                   "device " + quoted(raw) + from(source) + " (" + version +
                       ") is newer than this toolchain: LLVM " +
                       LLVM_VERSION_STRING + " knows no such processor");
}

/// Reads `gfx` and three parts: all digits but two are the major version. The
/// last one is hexadecimal, as in names.
static std::optional<Isa> versionOfName(StringRef name) {
  Isa isa;
  if (!name.consume_front("gfx") || name.size() < 3 || name.size() > 8 ||
      name.drop_back(2).getAsInteger(10, isa.major) ||
      name.drop_back(1).take_back(1).getAsInteger(10, isa.minor) ||
      name.take_back(1).getAsInteger(16, isa.stepping))
    return std::nullopt;
  return isa;
}

/// Whether `isa` is above every processor of the table.
static bool isAboveTable(const Isa &isa) {
  auto key = [](const Isa &v) {
    return std::make_tuple(v.major, v.minor, v.stepping);
  };
  for (const Chip &chip : allChips())
    if (key(isa) <= key(chip.isa))
      return false;
  return true;
}

/// A reading of `gfx9010` or `gfx9.0.10` with a decimal stepping, if that is a
/// processor.
static const Chip *withDecimalStepping(StringRef name) {
  if (!name.consume_front("gfx"))
    return nullptr;
  std::string digits;
  for (char c : name)
    if (c != '.')
      digits += c;
  StringRef rest = digits;
  // Two digits of stepping, one of minor version, the others are the major.
  unsigned major, minor, stepping;
  if (rest.size() < 4 || rest.size() > 6 ||
      rest.drop_back(3).getAsInteger(10, major) ||
      rest.drop_back(2).take_back(1).getAsInteger(10, minor) ||
      rest.take_back(2).getAsInteger(10, stepping) || stepping < 10)
    return nullptr;
  return findChipByVersion(major, minor, stepping);
}

llvm::Error fly::amdgpu::unknownChip(StringRef name, StringRef source) {
  std::string lower = name.lower();
  StringRef base = lower;
  if (base == "gfx940" || base == "gfx941")
    return makeError("T002", "processor " + quoted(name) + from(source) +
                                 " was removed from LLVM; use gfx942");
  // Newer LLVMs name a first silicon revision so.
  if (base.consume_back("-strict") && findChip(base))
    return tooNew(name, source, "a variant of " + base.str());
  std::string message = "unknown processor " + quoted(name) + from(source);
  if (const Chip *chip = findChip(lower))
    return makeError("T002", message + ": names are lower case: " + chip->name);
  if (const Chip *chip = withDecimalStepping(lower))
    return makeError("T002", message + ": the stepping in a name is hex: " +
                                 chip->name + " (" + nearest(lower) + ")");
  for (const Product &product : products)
    if (lower == product.name)
      return makeError("T002", message +
                                   ": this is a product, its processor is " +
                                   product.chip + " (" + nearest(lower) + ")");
  if (std::optional<Isa> isa = versionOfName(lower))
    if (isAboveTable(*isa))
      return tooNew(name, source, "version " + dotted(*isa));
  return makeError("T002", message + "; " + nearest(lower));
}

llvm::Error fly::amdgpu::unknownVersion(const Isa &isa, StringRef raw,
                                        StringRef source,
                                        bool reportedByDevice) {
  if (isa.major == 9 && isa.minor == 4 && isa.stepping < 2)
    return makeError("T002", "processor " + nameOf(isa) + " (" + quoted(raw) +
                                 from(source) +
                                 ") was removed from LLVM; use gfx942 (9.4.2)");
  if (reportedByDevice || isAboveTable(isa))
    return tooNew(raw, source, "version " + dotted(isa));
  return makeError("T002", "unknown processor version " + quoted(raw) +
                               from(source) + ": no processor has version " +
                               dotted(isa) + "; " + nearest(nameOf(isa)));
}
