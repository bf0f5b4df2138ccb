// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of AMDGPU processors: one row each for the 47 numbered ones and
// the 6 generic ones that LLVM 22.1 knows. Code asks a row (`chip.has(...)`)
// and never compares names or version numbers. The law: each row agrees with
// LLVM's TargetParser, and no processor is missing (test/unit/Target).
//
//   const Chip *chip = findChip("gfx942");
//   if (chip && chip->has(Feature::Mfma)) ...

#ifndef FLY_TARGET_AMDGPU_CHIPS_H
#define FLY_TARGET_AMDGPU_CHIPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fly::amdgpu {

/// Whether a processor has a target-ID feature.
enum class FeatureSupport : uint8_t {
  /// The processor has no such mode.
  Unsupported,
  /// Code may ask for on, off or any.
  Selectable,
  /// Always on: not a target-ID feature of this processor.
  Always
};

/// The column "family" of the table.
enum class Family : uint8_t {
  Gfx6,
  Gfx7,
  Gfx8,
  Gfx9,
  Gfx10_1,
  Gfx10_3,
  Gfx11,
  Gfx12_0,
  Gfx12_5
};

/// What instruction rows ask of a processor. Sources: the feature map of
/// LLVM's TargetParser and the subtarget features of `llc -mattr=help`.
enum class Feature : uint8_t {
  /// Matrix cores of gfx908 and later CDNA (`v_mfma_*`).
  Mfma,
  /// The first bf16 forms with two values per lane; gone with gfx942.
  MfmaBf16Pair,
  /// The `_1k` bf16 forms and f64, of gfx90a.
  MfmaGfx90a,
  /// i8 with K = 32 and 16, of gfx942.
  MfmaGfx942,
  /// 8-bit floats in matrix cores, of gfx942 and gfx950.
  MfmaFp8,
  /// xf32 forms: gfx942 only.
  MfmaXf32,
  /// Doubled K for f16, bf16, i8, and the scaled forms, of gfx950.
  MfmaGfx950,
  /// `v_wmma_*` of gfx11: replicated operands.
  WmmaGfx11,
  /// `v_wmma_*` of gfx12.0: no replication.
  WmmaGfx12,
  /// `v_wmma_*` of gfx12.5: larger K, scaled forms.
  WmmaGfx1250,
  /// 8-bit floats are E4M3FNUZ and E5M2FNUZ.
  Fp8Fnuz,
  /// 8-bit floats are E4M3FN and E5M2.
  Fp8Ocp,
  /// Buffer descriptors need the mandatory bit 24 and an out-of-bounds select
  /// (gfx10, gfx11, gfx12.0).
  BufferFlagsGfx10,
  /// Buffer loads that write LDS, 1, 2 or 4 bytes a lane (gfx9, gfx10).
  BufferLoadLds,
  /// `global_load_lds_*`, on the same processors.
  GlobalLoadLds,
  /// Both of them with 12 and 16 bytes a lane, of gfx950.
  LoadLdsWide,
  /// `ds_read_tr*`, of gfx950.
  LdsReadTranspose,
  /// `v_permlane32_swap`.
  Permlane32Swap,
  /// Tensor data mover, of gfx12.5.
  TensorDataMover,
  /// `global_load_async_to_lds_*`, of gfx12.5.
  GlobalLoadAsyncLds,
  /// Workgroup clusters, of gfx12.5.
  Clusters,
  /// Wait counters are split (`s_wait_loadcnt`, ...), from gfx12.
  SplitWaitCounters,
  /// Workgroup barriers are split into signal and wait, from gfx12.
  SplitBarriers
};

/// ISA version, all three parts as numbers: gfx90a is 9.0.10.
struct Isa {
  unsigned major;
  unsigned minor;
  unsigned stepping;
};

/// One processor.
struct Chip {
  /// Canonical name: `gfx942`, `gfx9-4-generic`.
  llvm::StringLiteral name;
  /// Other names for the same processor, separated by one blank; may be empty.
  llvm::StringLiteral aliases;
  Family family;
  /// As `AMDGPU::getIsaVersion` reports. For generic processors never invert.
  Isa isa;
  FeatureSupport sramecc;
  FeatureSupport xnack;
  /// Lanes of a wave when nothing is said.
  uint8_t defaultWave;
  /// The other size that the processor can run, or 0.
  uint8_t otherWave;
  /// Whether workgroup-processor mode exists, and hence `cumode` may be asked.
  bool wgp;
  /// Bytes of LDS that one workgroup can use.
  uint32_t ldsBytes;
  /// Bits of `e_flags` that name the processor (llvm/BinaryFormat/ELF.h).
  uint32_t elfMachine;
  /// Set of `Feature`, as bits.
  uint32_t features;
  /// The generic processor whose code runs here too, or empty.
  llvm::StringLiteral coveringGeneric;
  /// The numbered processor that upstream passes are given, since they do not
  /// know generic names: `gfx942` for `gfx9-4-generic`, else the name itself.
  llvm::StringLiteral numberedChipset;

  bool has(Feature feature) const {
    return features & (uint32_t(1) << unsigned(feature));
  }
  bool isGeneric() const { return name != numberedChipset; }
  bool supportsWave(unsigned lanes) const {
    return lanes != 0 && (lanes == defaultWave || lanes == otherWave);
  }
  /// "32 and 64", "64": for messages.
  std::string waveSizes() const;
  /// "sramecc and xnack", "xnack", "none": the target-ID features.
  std::string targetFeatures() const;
};

/// Every row, numbered processors first, by version.
llvm::ArrayRef<Chip> allChips();

/// The row with this exact canonical name, or null.
const Chip *findChip(llvm::StringRef name);

/// As `findChip`, and aliases (`tahiti`) count too.
const Chip *findChipOrAlias(llvm::StringRef name);

/// The numbered processor with this version, or null; never a generic one.
const Chip *findChipByVersion(unsigned major, unsigned minor,
                              unsigned stepping);

/// The processor with these bits (`EF_AMDGPU_MACH`) in its ELF flags, or null.
const Chip *findChipByElfMachine(uint32_t machine);

/// Up to `count` names (canonical or alias) that are spelt most like `text`,
/// best first.
std::vector<std::string> nearestChipNames(llvm::StringRef text,
                                          unsigned count = 3);

/// "gfx10.3" and so on.
llvm::StringRef spell(Family family);
/// "mfma-gfx950" and so on: names for pages and messages.
llvm::StringRef spell(Feature feature);
/// All features, for tables.
llvm::ArrayRef<Feature> allFeatures();

} // namespace fly::amdgpu

#endif // FLY_TARGET_AMDGPU_CHIPS_H
