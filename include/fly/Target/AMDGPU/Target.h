// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The resolved target: a plain value with every field that may change code.
// Text goes in (`gfx942:xnack-:sramecc+`), a value comes out, and its canonical
// text (`gfx942:sramecc+:xnack-`) reads back as the same value. The law: equal
// targets have equal texts, different targets have different full texts.
//
//   llvm::Expected<Target> target = parseTargetID("gfx942:xnack-");
//   target->wave;        // 64
//   target->fullText();  // chip=gfx942 sramecc=any xnack=off wave=64 ...

#ifndef FLY_TARGET_AMDGPU_TARGET_H
#define FLY_TARGET_AMDGPU_TARGET_H

#include "fly/Target/AMDGPU/Chips.h"

#include "llvm/Support/Error.h"

#include <string>

namespace fly::amdgpu {

/// Triple and calling convention of every target of this backend.
inline constexpr llvm::StringLiteral targetTriple = "amdgcn-amd-amdhsa";

/// State of a target-ID feature. `Any`, `Off` and `On` are three targets: code
/// for `Any` runs on devices with either setting.
enum class Setting : uint8_t { Unsupported, Any, Off, On };

/// "unsupported", "any", "off" or "on"; `parseSetting` reads them back.
llvm::StringRef spell(Setting setting);
std::optional<Setting> parseSetting(llvm::StringRef text);

/// A target of the `rocm` backend.
struct Target {
  /// Canonical processor name.
  std::string chip;
  Setting sramecc = Setting::Unsupported;
  Setting xnack = Setting::Unsupported;
  /// Lanes of a wave.
  unsigned wave = 0;
  /// Compute-unit mode instead of workgroup-processor mode.
  bool cumode = false;
  /// Code-object version times 100.
  unsigned abi = 600;

  /// The target of a processor when nothing else is said: each feature that it
  /// has is `Any`, its default wave, `cumode` off, abi 600.
  static Target ofChip(const Chip &chip);

  /// The row of `chip`. The target must be one that `verify` accepts.
  const Chip &row() const;

  /// Success when every field is allowed for the processor; else T002, T003,
  /// T004, each naming the allowed values.
  llvm::Error verify() const;

  /// The target ID: `gfx942:sramecc+:xnack-`. Says nothing of wave, cumode,
  /// abi.
  std::string id() const;
  /// The ID, then what differs from the processor's defaults, separated by
  /// blanks: `gfx1100 wave=64 cumode=true abi=500`.
  std::string text() const;
  /// Every field spelled, in fixed order; the text that enters keys:
  /// `backend=rocm chip=gfx942 sramecc=any xnack=off wave=64 cumode=false
  /// abi=600`.
  std::string fullText() const;

  /// The features of `#rocdl.target` in fixed order; what is a default of the
  /// processor is not spelled: `+sramecc,-xnack`, `+wavefrontsize64`,
  /// `+cumode`.
  std::string rocdlFeatures() const;

  friend bool operator==(const Target &a, const Target &b);
  friend bool operator!=(const Target &a, const Target &b) { return !(a == b); }
  /// Order of the processor table, then fields: for sorted lists of targets.
  friend bool operator<(const Target &a, const Target &b);
};

/// The values that `abi` may have.
llvm::ArrayRef<unsigned> allowedAbis();

/// Reads a target ID by its exact rules: a canonical processor name or alias,
/// then `:feature+` or `:feature-`, each feature at most once, in any order.
/// Lower case only, no blanks, no trailing colon. T002 or T003 with the
/// position. When `text` is a part of what a user wrote, `shown` is the whole
/// and `base` where the part begins; `source` names its origin.
llvm::Expected<Target> parseTargetID(llvm::StringRef text,
                                     llvm::StringRef source = "",
                                     llvm::StringRef shown = "",
                                     size_t base = 0);

/// Reads the fields of a `#rocdl.target`. Wave, sramecc, xnack and cumode come
/// from `features` (`+wavefrontsize64,-xnack`) and the processor's defaults
/// only; `chip` may carry target-ID features when they agree with `features`.
/// Refuses what a target cannot carry (T003), no or two wave sizes (T004) and
/// unknown abis (T003).
llvm::Expected<Target> fromROCDLFields(llvm::StringRef chip,
                                       llvm::StringRef features,
                                       llvm::StringRef abi);

/// A target given in whatever spelling people use, with the position-preserving
/// clean-up: blanks around it, upper case, alias names, full triples
/// (`amdgcn-amd-amdhsa--gfx942:xnack-`) and dotted decimals (`9.4.2`). Lists,
/// removed, unknown and too new processors are refused (T002, T003, T010);
/// `source` is named in the message.
llvm::Expected<Target> normalize(llvm::StringRef raw, llvm::StringRef source);

/// Reads `HSA_OVERRIDE_GFX_VERSION`: three decimal numbers with dots, nothing
/// after them, major at most 63, the others at most 255 (T006, T002, T010).
llvm::Expected<Target> fromOverride(llvm::StringRef raw,
                                    llvm::StringRef source);

/// Reads a `gfx_target_version` of the KFD: major * 10000 + minor * 100 +
/// stepping. Unknown hardware is T010, removed processors are T002.
llvm::Expected<Target> fromKfdVersion(uint64_t version, llvm::StringRef source);

} // namespace fly::amdgpu

#endif // FLY_TARGET_AMDGPU_TARGET_H
