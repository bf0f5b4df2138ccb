// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All spellings of a target that are not exact target IDs: what people, the
// runtime, the kernel driver and the IR write. Each becomes the same value:
// ` GFX942 `, `amdgcn-amd-amdhsa--gfx942`, `9.4.2` and 90402 are all gfx942.

#include "fly/Support/Errors.h"
#include "fly/Target/AMDGPU/Target.h"

#include "UnknownChip.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly::amdgpu;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;
using llvm::Twine;

static constexpr llvm::StringLiteral blanks = " \t\n\v\f\r";

/// Reads a decimal number without sign; nothing on anything else.
static std::optional<unsigned> decimal(StringRef text) {
  unsigned value;
  if (text.empty() || text.size() > 9 ||
      text.find_first_not_of("0123456789") != StringRef::npos ||
      text.getAsInteger(10, value))
    return std::nullopt;
  return value;
}

/// Reads `major.minor.stepping` in decimal, with nothing around it.
static std::optional<Isa> dottedVersion(StringRef text) {
  llvm::SmallVector<StringRef, 4> parts;
  text.split(parts, '.');
  if (parts.size() != 3)
    return std::nullopt;
  std::optional<unsigned> major = decimal(parts[0]), minor = decimal(parts[1]),
                          stepping = decimal(parts[2]);
  if (!major || !minor || !stepping)
    return std::nullopt;
  return Isa{*major, *minor, *stepping};
}

static llvm::Expected<Target> ofVersion(const Isa &isa, StringRef raw,
                                        StringRef source,
                                        bool reportedByDevice) {
  if (const Chip *chip = findChipByVersion(isa.major, isa.minor, isa.stepping))
    return Target::ofChip(*chip);
  return unknownVersion(isa, raw, source, reportedByDevice);
}

llvm::Expected<Target> fly::amdgpu::normalize(StringRef raw, StringRef source) {
  size_t begin = raw.find_first_not_of(blanks);
  if (begin == StringRef::npos)
    return makeError("T002", "target from " + source +
                                 " is blank, expected a processor such as "
                                 "gfx942");
  std::string lower = raw.trim(blanks).lower();
  StringRef text = lower;
  if (text.find_first_of(",;") != StringRef::npos ||
      text.find_first_of(blanks) != StringRef::npos) {
    if (StringRef chip = processorOfProduct(text); !chip.empty())
      return makeError("T002", "target " + quoted(raw) + " from " + source +
                                   " is the name of a product, its processor "
                                   "is " +
                                   chip + "; use " + chip);
    if (text.find_first_of(",;") == StringRef::npos && !text.contains("gfx") &&
        !llvm::isDigit(text.front()))
      return makeError("T002", "target " + quoted(raw) + " from " + source +
                                   " is not the name of a processor, expected "
                                   "one such as gfx942");
    StringRef several = source.starts_with("--")
                            ? "repeat the option for several"
                            : "use targets= for several";
    return makeError("T002", "target " + quoted(raw) + " from " + source +
                                 " is a list: one target per resolution; " +
                                 several);
  }
  if (text.starts_with("amdgcn")) {
    StringRef prefix = "amdgcn-amd-amdhsa--";
    if (!text.consume_front(prefix))
      return makeError(
          "T002",
          "triple " + quoted(raw) + " from " + source +
              " is not one of ours: expected " + prefix + "<processor>; " +
              "nearest names: " +
              llvm::join(nearestChipNames(text.substr(text.rfind('-') + 1)),
                         ", "));
    begin += prefix.size();
  }
  if (std::optional<Isa> isa = dottedVersion(text))
    return ofVersion(*isa, raw, source, /*reportedByDevice=*/false);
  StringRef name = text.take_until([](char c) { return c == ':'; });
  if (!findChipOrAlias(name)) {
    // `9.0.a`: the stepping as it stands in names, in a decimal version.
    unsigned stepping;
    auto [front, last] = name.rsplit('.');
    if (front.contains('.') && last.size() == 1 &&
        !last.getAsInteger(16, stepping) && stepping >= 10)
      return makeError("T002", "version " + quoted(raw) + " from " + source +
                                   ": the three parts are decimal, as in '" +
                                   front + "." + Twine(stepping) +
                                   "' (only names have a hex stepping); "
                                   "nearest names: " +
                                   llvm::join(nearestChipNames(name), ", "));
    return unknownChip(name, source);
  }
  return parseTargetID(text, source, raw, begin);
}

llvm::Expected<Target> fly::amdgpu::fromOverride(StringRef raw,
                                                 StringRef source) {
  auto malformed = [&](const Twine &why) {
    std::string hint;
    auto [front, last] = raw.rsplit('.');
    unsigned stepping;
    // A name's stepping instead of the number: 9.0.a for 9.0.10.
    if (last.size() == 1 && !last.getAsInteger(16, stepping) && stepping >= 10)
      hint = (", here " + front + "." + Twine(stepping)).str();
    return makeError("T006", source + "=" + quoted(raw) + " " + why +
                                 ": expected three decimal numbers "
                                 "major.minor.stepping (gfx90a is 9.0.10)" +
                                 hint);
  };
  std::optional<Isa> isa = dottedVersion(raw);
  if (!isa)
    return malformed("is malformed");
  if (isa->major > 63 || isa->minor > 255 || isa->stepping > 255)
    return malformed("is out of range (63.255.255 at most)");
  return ofVersion(*isa, raw, source, /*reportedByDevice=*/false);
}

llvm::Expected<Target> fly::amdgpu::fromKfdVersion(uint64_t version,
                                                   StringRef source) {
  std::string raw = std::to_string(version);
  if (version > 999999)
    return makeError("T010", "gfx_target_version " + raw + " from " + source +
                                 " is not major * 10000 + minor * 100 + "
                                 "stepping");
  Isa isa{unsigned(version / 10000), unsigned(version / 100 % 100),
          unsigned(version % 100)};
  return ofVersion(isa, raw, source, /*reportedByDevice=*/true);
}

//===----------------------------------------------------------------------===//
// The fields of #rocdl.target
//===----------------------------------------------------------------------===//

llvm::Expected<Target> fly::amdgpu::fromROCDLFields(StringRef chip,
                                                    StringRef features,
                                                    StringRef abi) {
  llvm::Expected<Target> parsed = normalize(chip, "#rocdl.target");
  if (!parsed)
    return parsed;
  Target target = *parsed;
  const Chip &row = target.row();
  std::optional<bool> wave32, wave64, cumode, sramecc, xnack;
  llvm::SmallVector<StringRef, 8> items;
  features.split(items, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef item : items) {
    StringRef name = item.trim(blanks);
    bool on = name.consume_front("+");
    if (!on && !name.consume_front("-"))
      return makeError("T003", "feature " + quoted(item) +
                                   " of #rocdl.target for " + row.name +
                                   " has no sign, expected '+' or '-' before "
                                   "it");
    std::optional<bool> *slot = name == "wavefrontsize32"   ? &wave32
                                : name == "wavefrontsize64" ? &wave64
                                : name == "cumode"          ? &cumode
                                : name == "sramecc"         ? &sramecc
                                : name == "xnack"           ? &xnack
                                                            : nullptr;
    if (!slot)
      return makeError("T003",
                       "feature " + quoted(name) + " of #rocdl.target for " +
                           row.name +
                           " is not one that a target carries (sramecc, "
                           "xnack, wavefrontsize32, wavefrontsize64, cumode)");
    if (*slot && **slot != on)
      return makeError("T003", "feature " + quoted(name) +
                                   " of #rocdl.target for " + row.name +
                                   " is given both on and off");
    *slot = on;
  }

  auto select = [&](Setting &setting, std::optional<bool> given,
                    StringRef name) -> llvm::Error {
    if (!given)
      return llvm::Error::success();
    Setting wanted = *given ? Setting::On : Setting::Off;
    if (setting == Setting::Unsupported)
      return makeError("T003", "feature '" + name + "' of #rocdl.target " +
                                   "cannot be chosen on " + row.name +
                                   " (its features: " + row.targetFeatures() +
                                   ")");
    if (setting != Setting::Any && setting != wanted)
      return makeError("T003", "chip " + quoted(chip) +
                                   " of #rocdl.target says " + name + " " +
                                   spell(setting) + ", its features say " +
                                   spell(wanted));
    setting = wanted;
    return llvm::Error::success();
  };
  if (llvm::Error error = select(target.sramecc, sramecc, "sramecc"))
    return error;
  if (llvm::Error error = select(target.xnack, xnack, "xnack"))
    return error;

  // What is not said keeps the processor's default, unless the other size is
  // switched on.
  bool use32 =
      wave32.value_or(row.defaultWave == 32 && !wave64.value_or(false));
  bool use64 =
      wave64.value_or(row.defaultWave == 64 && !wave32.value_or(false));
  if (use32 == use64)
    return makeError("T004",
                     "features " + quoted(features) + " of #rocdl.target for " +
                         row.name + " ask " +
                         (use32 ? "for two wave sizes" : "for no wave size") +
                         " (allowed: " + row.waveSizes() + ")");
  target.wave = use32 ? 32 : 64;
  target.cumode = cumode.value_or(false);
  std::optional<unsigned> number = decimal(abi);
  if (!number)
    return makeError("T003", "abi " + quoted(abi) + " of #rocdl.target for " +
                                 row.name + " is not 500 or 600");
  target.abi = *number;
  if (llvm::Error error = target.verify())
    return error;
  return target;
}
