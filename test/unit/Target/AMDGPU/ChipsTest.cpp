// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processor table against LLVM's TargetParser: each row agrees, and no
// processor that LLVM knows is missing.

#include "TestSupport.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/TargetParser/Triple.h"

#include <set>

using namespace fly::amdgpu;
using llvm::StringRef;
namespace AMDGPU = llvm::AMDGPU;

static const llvm::Triple triple{"amdgcn-amd-amdhsa"};

/// The features that LLVM turns on for a processor by default.
static llvm::StringMap<bool> defaultFeatures(const Chip &chip) {
  llvm::StringMap<bool> features;
  EXPECT_EQ(AMDGPU::fillAMDGPUFeatureMap(chip.name, triple, features).first,
            AMDGPU::NO_ERROR);
  return features;
}

TEST(Chips, counts) {
  unsigned numbered = 0, generic = 0;
  for (const Chip &chip : allChips())
    ++(chip.isGeneric() ? generic : numbered);
  EXPECT_EQ(numbered, 47u);
  EXPECT_EQ(generic, 6u);
}

TEST(Chips, knowsAllThatLlvmKnows) {
  llvm::SmallVector<StringRef> names;
  AMDGPU::fillValidArchListAMDGCN(names);
  std::set<std::string> canonical;
  for (StringRef name : names) {
    StringRef expected =
        AMDGPU::getArchNameAMDGCN(AMDGPU::parseArchAMDGCN(name));
    const Chip *chip = findChipOrAlias(name);
    ASSERT_TRUE(chip) << name.str();
    EXPECT_EQ(chip->name, expected);
    canonical.insert(expected.str());
  }
  EXPECT_EQ(canonical.size(), allChips().size());
  // And no alias that LLVM lacks.
  for (const Chip &chip : allChips()) {
    llvm::SmallVector<StringRef> aliases;
    chip.aliases.split(aliases, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef alias : aliases)
      EXPECT_EQ(AMDGPU::getArchNameAMDGCN(AMDGPU::parseArchAMDGCN(alias)),
                chip.name);
  }
}

TEST(Chips, rowsAgreeWithLlvm) {
  for (const Chip &chip : allChips()) {
    SCOPED_TRACE(chip.name.str());
    AMDGPU::GPUKind kind = AMDGPU::parseArchAMDGCN(chip.name);
    ASSERT_NE(kind, AMDGPU::GK_NONE);
    EXPECT_EQ(AMDGPU::getArchNameAMDGCN(kind), chip.name);
    AMDGPU::IsaVersion isa = AMDGPU::getIsaVersion(chip.name);
    EXPECT_EQ(isa.Major, chip.isa.major);
    EXPECT_EQ(isa.Minor, chip.isa.minor);
    EXPECT_EQ(isa.Stepping, chip.isa.stepping);
    EXPECT_TRUE(
        spell(chip.family).starts_with(AMDGPU::getArchFamilyNameAMDGCN(kind)));

    unsigned bits = AMDGPU::getArchAttrAMDGCN(kind);
    EXPECT_EQ(bool(bits & AMDGPU::FEATURE_SRAMECC),
              chip.sramecc == FeatureSupport::Selectable);
    EXPECT_NE(chip.sramecc, FeatureSupport::Always);
    EXPECT_EQ(bool(bits & AMDGPU::FEATURE_XNACK),
              chip.xnack == FeatureSupport::Selectable);
    EXPECT_EQ(bool(bits & AMDGPU::FEATURE_XNACK_ALWAYS),
              chip.xnack == FeatureSupport::Always);
    EXPECT_EQ(bool(bits & AMDGPU::FEATURE_WAVE32), chip.supportsWave(32));
    EXPECT_EQ(bool(bits & AMDGPU::FEATURE_WGP), chip.wgp);
  }
}

TEST(Chips, waveSizesAreThoseThatLlvmAccepts) {
  for (const Chip &chip : allChips()) {
    SCOPED_TRACE(chip.name.str());
    llvm::StringMap<bool> byDefault = defaultFeatures(chip);
    EXPECT_EQ(byDefault.lookup("wavefrontsize32"), chip.defaultWave == 32);
    EXPECT_EQ(byDefault.lookup("wavefrontsize64"), chip.defaultWave == 64);
    for (unsigned wave : {32u, 64u}) {
      llvm::StringMap<bool> asked;
      asked["wavefrontsize" + std::to_string(wave)] = true;
      auto [error, feature] =
          AMDGPU::fillAMDGPUFeatureMap(chip.name, triple, asked);
      EXPECT_EQ(error == AMDGPU::NO_ERROR, chip.supportsWave(wave)) << wave;
    }
    EXPECT_FALSE(chip.supportsWave(0));
    EXPECT_FALSE(chip.supportsWave(16));
  }
}

/// A feature of ours and the one of LLVM's that it must coincide with.
struct Match {
  Feature ours;
  StringRef theirs;
};

TEST(Chips, featuresAgreeWithLlvm) {
  const Match matches[] = {{Feature::Mfma, "mai-insts"},
                           {Feature::MfmaGfx90a, "gfx90a-insts"},
                           {Feature::MfmaGfx942, "gfx940-insts"},
                           {Feature::MfmaFp8, "fp8-insts"},
                           {Feature::MfmaXf32, "xf32-insts"},
                           {Feature::MfmaGfx950, "gfx950-insts"},
                           {Feature::LoadLdsWide, "gfx950-insts"},
                           {Feature::LdsReadTranspose, "gfx950-insts"},
                           {Feature::Permlane32Swap, "permlane32-swap"},
                           {Feature::WmmaGfx1250, "gfx1250-insts"},
                           {Feature::TensorDataMover, "gfx1250-insts"},
                           {Feature::GlobalLoadAsyncLds, "gfx1250-insts"},
                           {Feature::Clusters, "clusters"},
                           {Feature::BufferLoadLds, "vmem-to-lds-load-insts"},
                           {Feature::GlobalLoadLds, "vmem-to-lds-load-insts"},
                           {Feature::SplitBarriers, "gfx12-insts"},
                           {Feature::SplitWaitCounters, "gfx12-insts"}};
  for (const Chip &chip : allChips()) {
    SCOPED_TRACE(chip.name.str());
    llvm::StringMap<bool> features = defaultFeatures(chip);
    // TargetParser gives this one to later generations too, by inheritance;
    // llc 22.1 selects none of its instructions there.
    if (chip.isa.major >= 11)
      features["vmem-to-lds-load-insts"] = false;
    for (const Match &match : matches)
      EXPECT_EQ(chip.has(match.ours), features.lookup(match.theirs))
          << spell(match.ours).str();
    EXPECT_EQ(chip.has(Feature::WmmaGfx11), chip.family == Family::Gfx11);
    EXPECT_EQ(chip.has(Feature::WmmaGfx12), chip.family == Family::Gfx12_0);
    EXPECT_EQ(chip.has(Feature::BufferFlagsGfx10),
              features.lookup("gfx10-insts") &&
                  !features.lookup("gfx1250-insts"));
    // One kind of 8-bit floats at most, and one where conversions exist,
    // except on the generic that covers one of each kind.
    EXPECT_FALSE(chip.has(Feature::Fp8Fnuz) && chip.has(Feature::Fp8Ocp));
    EXPECT_EQ(chip.has(Feature::Fp8Fnuz) || chip.has(Feature::Fp8Ocp),
              features.lookup("fp8-conversion-insts"));
  }
}

TEST(Chips, spellingsAreDistinct) {
  std::set<StringRef> names;
  for (Feature feature : allFeatures())
    names.insert(spell(feature));
  EXPECT_EQ(names.size(), allFeatures().size());
}

TEST(Chips, genericsCoverWithoutMoreFeatures) {
  for (const Chip &chip : allChips()) {
    SCOPED_TRACE(chip.name.str());
    const Chip *chipset = findChip(chip.numberedChipset);
    ASSERT_TRUE(chipset);
    EXPECT_FALSE(chipset->isGeneric());
    if (chip.isGeneric()) {
      EXPECT_EQ(chipset->coveringGeneric, chip.name);
      continue;
    }
    EXPECT_EQ(chipset, &chip);
    if (chip.coveringGeneric.empty())
      continue;
    const Chip *generic = findChip(chip.coveringGeneric);
    ASSERT_TRUE(generic);
    EXPECT_TRUE(generic->isGeneric());
    EXPECT_EQ(generic->features & ~chip.features, 0u);
    EXPECT_LE(generic->ldsBytes, chip.ldsBytes);
    EXPECT_EQ(generic->defaultWave, chip.defaultWave);
  }
}

TEST(Chips, lookUps) {
  EXPECT_FALSE(findChip("tahiti"));
  EXPECT_EQ(findChipOrAlias("tahiti")->name, "gfx600");
  for (StringRef no : {"", "GFX942", "gfx", "gfx9", "gfx940", "gfx1206",
                       "generic", "generic-hsa", "gfx942 ", "verde ", " "})
    EXPECT_FALSE(findChipOrAlias(no)) << no.str();
  for (const Chip &chip : allChips()) {
    if (!chip.isGeneric()) {
      EXPECT_EQ(
          findChipByVersion(chip.isa.major, chip.isa.minor, chip.isa.stepping),
          &chip);
    }
    EXPECT_EQ(findChipByElfMachine(chip.elfMachine), &chip);
  }
  EXPECT_FALSE(findChipByVersion(9, 4, 0));
  EXPECT_FALSE(findChipByElfMachine(0));
  EXPECT_EQ(nearestChipNames("gfx943", 1).size(), 1u);
  EXPECT_EQ(nearestChipNames("gfx11-generc", 1)[0], "gfx11-generic");
  EXPECT_EQ(nearestChipNames("tahti", 1)[0], "tahiti");
}
