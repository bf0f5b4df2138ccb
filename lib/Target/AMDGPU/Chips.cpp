// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of the processor table, and look-ups in it.
//
// Sources: processors, aliases, versions, sramecc, xnack, wave sizes and
// workgroup-processor mode from LLVM 22.1's TargetParser (the unit test
// compares every row); LDS bytes from the limit that llc 22.1 enforces; which
// generic processor covers which from LLVM's AMDGPUUsage, "Generic processor
// code objects"; instruction features from the TargetParser feature map and
// from what llc 22.1 selects.

#include "fly/Target/AMDGPU/Chips.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/ELF.h"

#include <algorithm>
#include <array>
#include <iterator>

using namespace fly::amdgpu;
using llvm::StringRef;
namespace ELF = llvm::ELF;

static constexpr FeatureSupport no = FeatureSupport::Unsupported;
static constexpr FeatureSupport yes = FeatureSupport::Selectable;
static constexpr FeatureSupport always = FeatureSupport::Always;
static constexpr uint32_t kib = 1024;

static constexpr uint32_t bit(Feature feature) {
  return uint32_t(1) << unsigned(feature);
}

static constexpr uint32_t noneSet = 0;
static constexpr uint32_t gfx9Set =
    bit(Feature::BufferLoadLds) | bit(Feature::GlobalLoadLds);
static constexpr uint32_t gfx908Set =
    gfx9Set | bit(Feature::Mfma) | bit(Feature::MfmaBf16Pair);
static constexpr uint32_t gfx90aSet = gfx908Set | bit(Feature::MfmaGfx90a);
static constexpr uint32_t gfx94genericSet = gfx9Set | bit(Feature::Mfma) |
                                            bit(Feature::MfmaGfx90a) |
                                            bit(Feature::MfmaGfx942);
static constexpr uint32_t gfx942Set = gfx94genericSet | bit(Feature::MfmaFp8) |
                                      bit(Feature::MfmaXf32) |
                                      bit(Feature::Fp8Fnuz);
static constexpr uint32_t gfx950Set =
    gfx94genericSet | bit(Feature::MfmaFp8) | bit(Feature::MfmaGfx950) |
    bit(Feature::Fp8Ocp) | bit(Feature::LoadLdsWide) |
    bit(Feature::LdsReadTranspose) | bit(Feature::Permlane32Swap);
static constexpr uint32_t gfx10Set = gfx9Set | bit(Feature::BufferFlagsGfx10);
static constexpr uint32_t gfx11Set =
    bit(Feature::WmmaGfx11) | bit(Feature::BufferFlagsGfx10);
static constexpr uint32_t gfx12Set =
    bit(Feature::WmmaGfx12) | bit(Feature::Fp8Ocp) |
    bit(Feature::BufferFlagsGfx10) | bit(Feature::SplitWaitCounters) |
    bit(Feature::SplitBarriers);
static constexpr uint32_t gfx1250Set =
    bit(Feature::WmmaGfx1250) | bit(Feature::Fp8Ocp) |
    bit(Feature::TensorDataMover) | bit(Feature::GlobalLoadAsyncLds) |
    bit(Feature::Clusters) | bit(Feature::SplitWaitCounters) |
    bit(Feature::SplitBarriers);

// name, aliases, family, version, sramecc, xnack, default wave, other wave,
// workgroup-processor mode, LDS, ELF bits, features, covering generic,
// numbered chipset.
// clang-format off
static constexpr Chip table[] = {
    {"gfx600", "tahiti", Family::Gfx6, {6, 0, 0}, no, no, 64, 0, false, 32 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX600, noneSet, "", "gfx600"},
    {"gfx601", "pitcairn verde", Family::Gfx6, {6, 0, 1}, no, no, 64, 0, false, 32 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX601, noneSet, "", "gfx601"},
    {"gfx602", "hainan oland", Family::Gfx6, {6, 0, 2}, no, no, 64, 0, false, 32 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX602, noneSet, "", "gfx602"},
    {"gfx700", "kaveri", Family::Gfx7, {7, 0, 0}, no, no, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX700, noneSet, "", "gfx700"},
    {"gfx701", "hawaii", Family::Gfx7, {7, 0, 1}, no, no, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX701, noneSet, "", "gfx701"},
    {"gfx702", "", Family::Gfx7, {7, 0, 2}, no, no, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX702, noneSet, "", "gfx702"},
    {"gfx703", "kabini mullins", Family::Gfx7, {7, 0, 3}, no, no, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX703, noneSet, "", "gfx703"},
    {"gfx704", "bonaire", Family::Gfx7, {7, 0, 4}, no, no, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX704, noneSet, "", "gfx704"},
    {"gfx705", "", Family::Gfx7, {7, 0, 5}, no, no, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX705, noneSet, "", "gfx705"},
    {"gfx801", "carrizo", Family::Gfx8, {8, 0, 1}, no, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX801, noneSet, "", "gfx801"},
    {"gfx802", "iceland tonga", Family::Gfx8, {8, 0, 2}, no, no, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX802, noneSet, "", "gfx802"},
    {"gfx803", "fiji polaris10 polaris11", Family::Gfx8, {8, 0, 3}, no, no, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX803, noneSet, "", "gfx803"},
    {"gfx805", "tongapro", Family::Gfx8, {8, 0, 5}, no, no, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX805, noneSet, "", "gfx805"},
    {"gfx810", "stoney", Family::Gfx8, {8, 1, 0}, no, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX810, noneSet, "", "gfx810"},
    {"gfx900", "", Family::Gfx9, {9, 0, 0}, no, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX900, gfx9Set, "gfx9-generic", "gfx900"},
    {"gfx902", "", Family::Gfx9, {9, 0, 2}, no, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX902, gfx9Set, "gfx9-generic", "gfx902"},
    {"gfx904", "", Family::Gfx9, {9, 0, 4}, no, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX904, gfx9Set, "gfx9-generic", "gfx904"},
    {"gfx906", "", Family::Gfx9, {9, 0, 6}, yes, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX906, gfx9Set, "gfx9-generic", "gfx906"},
    {"gfx908", "", Family::Gfx9, {9, 0, 8}, yes, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX908, gfx908Set, "", "gfx908"},
    {"gfx909", "", Family::Gfx9, {9, 0, 9}, no, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX909, gfx9Set, "gfx9-generic", "gfx909"},
    {"gfx90a", "", Family::Gfx9, {9, 0, 10}, yes, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX90A, gfx90aSet, "", "gfx90a"},
    {"gfx90c", "", Family::Gfx9, {9, 0, 12}, no, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX90C, gfx9Set, "gfx9-generic", "gfx90c"},
    {"gfx942", "", Family::Gfx9, {9, 4, 2}, yes, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX942, gfx942Set, "gfx9-4-generic", "gfx942"},
    {"gfx950", "", Family::Gfx9, {9, 5, 0}, yes, yes, 64, 0, false, 160 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX950, gfx950Set, "gfx9-4-generic", "gfx950"},
    {"gfx1010", "", Family::Gfx10_1, {10, 1, 0}, no, yes, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1010, gfx10Set, "gfx10-1-generic", "gfx1010"},
    {"gfx1011", "", Family::Gfx10_1, {10, 1, 1}, no, yes, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1011, gfx10Set, "gfx10-1-generic", "gfx1011"},
    {"gfx1012", "", Family::Gfx10_1, {10, 1, 2}, no, yes, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1012, gfx10Set, "gfx10-1-generic", "gfx1012"},
    {"gfx1013", "", Family::Gfx10_1, {10, 1, 3}, no, yes, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1013, gfx10Set, "gfx10-1-generic", "gfx1013"},
    {"gfx1030", "", Family::Gfx10_3, {10, 3, 0}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1030, gfx10Set, "gfx10-3-generic", "gfx1030"},
    {"gfx1031", "", Family::Gfx10_3, {10, 3, 1}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1031, gfx10Set, "gfx10-3-generic", "gfx1031"},
    {"gfx1032", "", Family::Gfx10_3, {10, 3, 2}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1032, gfx10Set, "gfx10-3-generic", "gfx1032"},
    {"gfx1033", "", Family::Gfx10_3, {10, 3, 3}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1033, gfx10Set, "gfx10-3-generic", "gfx1033"},
    {"gfx1034", "", Family::Gfx10_3, {10, 3, 4}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1034, gfx10Set, "gfx10-3-generic", "gfx1034"},
    {"gfx1035", "", Family::Gfx10_3, {10, 3, 5}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1035, gfx10Set, "gfx10-3-generic", "gfx1035"},
    {"gfx1036", "", Family::Gfx10_3, {10, 3, 6}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1036, gfx10Set, "gfx10-3-generic", "gfx1036"},
    {"gfx1100", "", Family::Gfx11, {11, 0, 0}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1100, gfx11Set, "gfx11-generic", "gfx1100"},
    {"gfx1101", "", Family::Gfx11, {11, 0, 1}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1101, gfx11Set, "gfx11-generic", "gfx1101"},
    {"gfx1102", "", Family::Gfx11, {11, 0, 2}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1102, gfx11Set, "gfx11-generic", "gfx1102"},
    {"gfx1103", "", Family::Gfx11, {11, 0, 3}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1103, gfx11Set, "gfx11-generic", "gfx1103"},
    {"gfx1150", "", Family::Gfx11, {11, 5, 0}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1150, gfx11Set, "gfx11-generic", "gfx1150"},
    {"gfx1151", "", Family::Gfx11, {11, 5, 1}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1151, gfx11Set, "gfx11-generic", "gfx1151"},
    {"gfx1152", "", Family::Gfx11, {11, 5, 2}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1152, gfx11Set, "gfx11-generic", "gfx1152"},
    {"gfx1153", "", Family::Gfx11, {11, 5, 3}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1153, gfx11Set, "gfx11-generic", "gfx1153"},
    {"gfx1200", "", Family::Gfx12_0, {12, 0, 0}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1200, gfx12Set, "gfx12-generic", "gfx1200"},
    {"gfx1201", "", Family::Gfx12_0, {12, 0, 1}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1201, gfx12Set, "gfx12-generic", "gfx1201"},
    {"gfx1250", "", Family::Gfx12_5, {12, 5, 0}, no, always, 32, 0, false, 320 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1250, gfx1250Set, "", "gfx1250"},
    {"gfx1251", "", Family::Gfx12_5, {12, 5, 1}, no, always, 32, 0, false, 320 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX1251, gfx1250Set, "", "gfx1251"},
    {"gfx9-generic", "", Family::Gfx9, {9, 0, 0}, no, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX9_GENERIC, gfx9Set, "", "gfx900"},
    {"gfx9-4-generic", "", Family::Gfx9, {9, 4, 0}, yes, yes, 64, 0, false, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX9_4_GENERIC, gfx94genericSet, "", "gfx942"},
    {"gfx10-1-generic", "", Family::Gfx10_1, {10, 1, 0}, no, yes, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX10_1_GENERIC, gfx10Set, "", "gfx1010"},
    {"gfx10-3-generic", "", Family::Gfx10_3, {10, 3, 0}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX10_3_GENERIC, gfx10Set, "", "gfx1030"},
    {"gfx11-generic", "", Family::Gfx11, {11, 0, 3}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX11_GENERIC, gfx11Set, "", "gfx1100"},
    {"gfx12-generic", "", Family::Gfx12_0, {12, 0, 0}, no, no, 32, 64, true, 64 * kib, ELF::EF_AMDGPU_MACH_AMDGCN_GFX12_GENERIC, gfx12Set, "", "gfx1200"},
};
// clang-format on

llvm::ArrayRef<Chip> fly::amdgpu::allChips() { return table; }

const Chip *fly::amdgpu::findChip(StringRef name) {
  for (const Chip &chip : table)
    if (chip.name == name)
      return &chip;
  return nullptr;
}

static llvm::SmallVector<StringRef, 4> aliasesOf(const Chip &chip) {
  llvm::SmallVector<StringRef, 4> names;
  chip.aliases.split(names, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return names;
}

const Chip *fly::amdgpu::findChipOrAlias(StringRef name) {
  if (const Chip *chip = findChip(name))
    return chip;
  for (const Chip &chip : table)
    if (llvm::is_contained(aliasesOf(chip), name))
      return &chip;
  return nullptr;
}

const Chip *fly::amdgpu::findChipByVersion(unsigned major, unsigned minor,
                                           unsigned stepping) {
  for (const Chip &chip : table)
    if (!chip.isGeneric() && chip.isa.major == major &&
        chip.isa.minor == minor && chip.isa.stepping == stepping)
      return &chip;
  return nullptr;
}

const Chip *fly::amdgpu::findChipByElfMachine(uint32_t machine) {
  for (const Chip &chip : table)
    if (chip.elfMachine == machine)
      return &chip;
  return nullptr;
}

std::vector<std::string> fly::amdgpu::nearestChipNames(StringRef text,
                                                       unsigned count) {
  // Edit distance is quadratic, and no name is longer than this.
  text = text.take_front(32);
  std::vector<std::pair<unsigned, StringRef>> ranked;
  for (const Chip &chip : table) {
    ranked.emplace_back(text.edit_distance(chip.name), chip.name);
    for (StringRef alias : aliasesOf(chip))
      ranked.emplace_back(text.edit_distance(alias), alias);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (const auto &[distance, name] : ranked)
    if (names.size() < count)
      names.push_back(name.str());
  return names;
}

std::string Chip::waveSizes() const {
  std::string text = std::to_string(defaultWave);
  if (otherWave)
    text = std::to_string(std::min(defaultWave, otherWave)) + " and " +
           std::to_string(std::max(defaultWave, otherWave));
  return text;
}

std::string Chip::targetFeatures() const {
  if (sramecc == yes && xnack == yes)
    return "sramecc and xnack";
  if (sramecc == yes)
    return "sramecc";
  return xnack == yes ? "xnack" : "none";
}

StringRef fly::amdgpu::spell(Family family) {
  static constexpr llvm::StringLiteral names[] = {
      "gfx6",    "gfx7",  "gfx8",    "gfx9",   "gfx10.1",
      "gfx10.3", "gfx11", "gfx12.0", "gfx12.5"};
  return names[unsigned(family)];
}

/// In the order of the enumeration.
static constexpr llvm::StringLiteral featureNames[] = {"mfma",
                                                       "mfma-bf16-pair",
                                                       "mfma-gfx90a",
                                                       "mfma-gfx942",
                                                       "mfma-fp8",
                                                       "mfma-xf32",
                                                       "mfma-gfx950",
                                                       "wmma-gfx11",
                                                       "wmma-gfx12",
                                                       "wmma-gfx1250",
                                                       "fp8-fnuz",
                                                       "fp8-ocp",
                                                       "buffer-flags-gfx10",
                                                       "buffer-load-lds",
                                                       "global-load-lds",
                                                       "load-lds-wide",
                                                       "lds-read-transpose",
                                                       "permlane32-swap",
                                                       "tensor-data-mover",
                                                       "global-load-async-lds",
                                                       "clusters",
                                                       "split-wait-counters",
                                                       "split-barriers"};

StringRef fly::amdgpu::spell(Feature feature) {
  return featureNames[unsigned(feature)];
}

llvm::ArrayRef<Feature> fly::amdgpu::allFeatures() {
  constexpr size_t count = std::size(featureNames);
  static_assert(count == unsigned(Feature::SplitBarriers) + 1 && count <= 32);
  static const std::array<Feature, count> features = [] {
    std::array<Feature, count> all{};
    for (size_t i = 0; i < count; ++i)
      all[i] = Feature(i);
    return all;
  }();
  return features;
}
