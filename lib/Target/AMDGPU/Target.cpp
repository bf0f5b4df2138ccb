// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target value: its texts, its verifier, and the exact reader of target
// IDs. `parseTargetID("gfx942:xnack-:sramecc+")->id()` is
// `gfx942:sramecc+:xnack-`.

#include "fly/Target/AMDGPU/Target.h"

#include "fly/Support/Errors.h"

#include "UnknownChip.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cassert>
#include <tuple>

using namespace fly::amdgpu;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;
using llvm::Twine;

StringRef fly::amdgpu::spell(Setting setting) {
  static constexpr llvm::StringLiteral names[] = {"unsupported", "any", "off",
                                                  "on"};
  return names[unsigned(setting)];
}

std::optional<Setting> fly::amdgpu::parseSetting(StringRef text) {
  for (Setting setting :
       {Setting::Unsupported, Setting::Any, Setting::Off, Setting::On})
    if (text == spell(setting))
      return setting;
  return std::nullopt;
}

llvm::ArrayRef<unsigned> fly::amdgpu::allowedAbis() {
  static constexpr unsigned abis[] = {500, 600};
  return abis;
}

//===----------------------------------------------------------------------===//
// The value
//===----------------------------------------------------------------------===//

static Setting initialSetting(FeatureSupport support) {
  return support == FeatureSupport::Selectable ? Setting::Any
                                               : Setting::Unsupported;
}

Target Target::ofChip(const Chip &chip) {
  Target target;
  target.chip = chip.name.str();
  target.sramecc = initialSetting(chip.sramecc);
  target.xnack = initialSetting(chip.xnack);
  target.wave = chip.defaultWave;
  return target;
}

const Chip &Target::row() const {
  const Chip *chipRow = findChip(chip);
  assert(chipRow && "target was not verified");
  return *chipRow;
}

/// Fails when `setting` of the feature `name` cannot be on `chip`.
static llvm::Error verifySetting(const Chip &chip, StringRef name,
                                 FeatureSupport support, Setting setting) {
  if (support == FeatureSupport::Selectable) {
    if (setting != Setting::Unsupported)
      return llvm::Error::success();
    return makeError("T003", name + " of " + chip.name +
                                 " must be any, off or on, not unsupported");
  }
  if (setting == Setting::Unsupported)
    return llvm::Error::success();
  StringRef why = support == FeatureSupport::Always
                      ? " is always on and cannot be chosen on "
                      : " is not a feature of ";
  return makeError("T003", Twine(name) + why + chip.name +
                               " (its features: " + chip.targetFeatures() +
                               "), found " + name + " " + spell(setting));
}

llvm::Error Target::verify() const {
  const Chip *chipRow = findChip(chip);
  if (!chipRow)
    return unknownChip(chip, /*source=*/"");
  if (llvm::Error error =
          verifySetting(*chipRow, "sramecc", chipRow->sramecc, sramecc))
    return error;
  if (llvm::Error error =
          verifySetting(*chipRow, "xnack", chipRow->xnack, xnack))
    return error;
  if (!chipRow->supportsWave(wave))
    return makeError("T004", "wave size " + Twine(wave) +
                                 " is not supported by " + chip +
                                 " (allowed: " + chipRow->waveSizes() + ")");
  if (cumode && !chipRow->wgp)
    return makeError("T003", "cumode cannot be chosen on " + Twine(chip) +
                                 ", which has no workgroup-processor mode "
                                 "(its features: " +
                                 chipRow->targetFeatures() + ")");
  if (!llvm::is_contained(allowedAbis(), abi))
    return makeError("T003", "abi " + Twine(abi) +
                                 " is not a code-object version that can be "
                                 "made for " +
                                 chip + " (allowed: 500 and 600)");
  return llvm::Error::success();
}

static void addFeature(std::string &text, StringRef separator, StringRef name,
                       Setting setting) {
  if (setting == Setting::On || setting == Setting::Off)
    text += (separator + name + (setting == Setting::On ? "+" : "-")).str();
}

std::string Target::id() const {
  std::string result = chip;
  addFeature(result, ":", "sramecc", sramecc);
  addFeature(result, ":", "xnack", xnack);
  return result;
}

std::string Target::text() const {
  std::string result = id();
  const Chip *chipRow = findChip(chip);
  if (!chipRow || wave != chipRow->defaultWave)
    result += " wave=" + std::to_string(wave);
  if (cumode)
    result += " cumode=true";
  if (abi != 600)
    result += " abi=" + std::to_string(abi);
  return result;
}

std::string Target::fullText() const {
  return ("backend=rocm chip=" + Twine(chip) + " sramecc=" + spell(sramecc) +
          " xnack=" + spell(xnack) + " wave=" + Twine(wave) +
          " cumode=" + (cumode ? "true" : "false") + " abi=" + Twine(abi))
      .str();
}

std::string Target::rocdlFeatures() const {
  llvm::SmallVector<std::string, 4> parts;
  auto addSigned = [&](StringRef name, Setting setting) {
    if (setting == Setting::On || setting == Setting::Off)
      parts.push_back(((setting == Setting::On ? "+" : "-") + name).str());
  };
  addSigned("sramecc", sramecc);
  addSigned("xnack", xnack);
  if (wave != row().defaultWave)
    parts.push_back("+wavefrontsize" + std::to_string(wave));
  if (cumode)
    parts.push_back("+cumode");
  return llvm::join(parts, ",");
}

namespace fly::amdgpu {
bool operator==(const Target &a, const Target &b) {
  return std::tie(a.chip, a.sramecc, a.xnack, a.wave, a.cumode, a.abi) ==
         std::tie(b.chip, b.sramecc, b.xnack, b.wave, b.cumode, b.abi);
}

bool operator<(const Target &a, const Target &b) {
  // Rows lie in one array; an unknown chip (null) comes first.
  const Chip *rowA = findChip(a.chip), *rowB = findChip(b.chip);
  return std::tie(rowA, a.chip, a.sramecc, a.xnack, a.wave, a.cumode, a.abi) <
         std::tie(rowB, b.chip, b.sramecc, b.xnack, b.wave, b.cumode, b.abi);
}
} // namespace fly::amdgpu

//===----------------------------------------------------------------------===//
// Target IDs
//===----------------------------------------------------------------------===//

llvm::Expected<Target> fly::amdgpu::parseTargetID(StringRef text,
                                                  StringRef source,
                                                  StringRef shown,
                                                  size_t base) {
  StringRef name = text.take_until([](char c) { return c == ':'; });
  const Chip *chip = findChipOrAlias(name);
  if (!chip)
    return unknownChip(name, source);
  Target target = Target::ofChip(*chip);
  bool sawSramecc = false, sawXnack = false;
  size_t offset = name.size();
  auto fail = [&](const Twine &what) {
    // Positions count from 1 in what the user wrote.
    return makeError("T003", "target " + quoted(shown.empty() ? text : shown) +
                                 (source.empty() ? "" : " from ") + source +
                                 ": " + what + " at character " +
                                 Twine(base + offset + 1) +
                                 " (target-ID features of " + chip->name +
                                 ": " + chip->targetFeatures() + ")");
  };
  while (offset < text.size()) {
    // Here `text[offset]` is the colon.
    ++offset;
    StringRef item =
        text.drop_front(offset).take_until([](char c) { return c == ':'; });
    if (item.empty())
      return offset == text.size()
                 ? fail("trailing colon (write '" + text.drop_back() + "')")
                 : fail("empty feature between colons");
    StringRef feature = item;
    bool on = feature.consume_back("+");
    if (!on && !feature.consume_back("-"))
      return fail("feature " + quoted(item) +
                  " has no sign, expected '+' or '-' after it,");
    if (feature != "sramecc" && feature != "xnack")
      return fail("unknown feature " + quoted(feature));
    bool isSramecc = feature == "sramecc";
    FeatureSupport support = isSramecc ? chip->sramecc : chip->xnack;
    if (support == FeatureSupport::Always)
      return fail("feature " + quoted(feature) +
                  " is always on and cannot be chosen,");
    if (support == FeatureSupport::Unsupported)
      return fail("feature " + quoted(feature) + " is not supported");
    bool &saw = isSramecc ? sawSramecc : sawXnack;
    if (saw)
      return fail("duplicate feature " + quoted(feature));
    saw = true;
    (isSramecc ? target.sramecc : target.xnack) =
        on ? Setting::On : Setting::Off;
    offset += item.size();
  }
  return target;
}
