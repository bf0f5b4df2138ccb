// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of matrix instructions: one row each. A row says what a tile is
// (M, N, K and element types), which lane holds which element of A, B and C
// as thread-value layouts, how operands are packed into registers, which
// ROCDL operation computes it and how that one is called, and which features
// a processor needs. Verifiers, layouts, emission and tests read the rows;
// adding an instruction is adding a row.
//
// The law: the layout of each operand covers its tile evenly, and lanes times
// registers hold exactly what the layout says (test/unit/Target/AMDGPU).
//
//   const MmaRow *row = findMmaRow({MmaFamily::Cdna3Mfma, 16, 16, 16,
//                                   Element::F16, Element::F16, Element::F32});
//   row->c   // ((16,4),(4,1)):((16,4),(1,16)): lane 17, value 2 is (6,1)

#ifndef FLY_TARGET_AMDGPU_MMAROWS_H
#define FLY_TARGET_AMDGPU_MMAROWS_H

#include "fly/Layout/Views.h"
#include "fly/Target/AMDGPU/Chips.h"

#include <string>

namespace fly::amdgpu {

/// Types of matrix elements and of the registers that carry them.
enum class Element : uint8_t {
  F64,
  F32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  F6E2M3FN,
  F6E3M2FN,
  F4E2M1FN,
  I64,
  I32,
  I16,
  I8,
  I4
};

/// "f16", "f8E4M3FN", "i8": the builtin type's own spelling.
llvm::StringRef spell(Element element);
unsigned bitsOf(Element element);
bool isFloat(Element element);

/// What an operand is passed as: a scalar (count 1) or a vector.
struct RegisterType {
  Element element;
  uint8_t count;

  unsigned bits() const { return bitsOf(element) * count; }
};

/// The types that instructions belong to, `!fly_rocdl.<text>`.
enum class MmaFamily : uint8_t {
  Cdna3Mfma,
  Cdna4MfmaScale,
  Gfx11Wmma,
  Gfx120xWmma,
  Gfx1250Wmma,
  Gfx1250WmmaScale
};

/// "cdna3.mfma" and so on.
llvm::StringRef spell(MmaFamily family);

/// How the ROCDL operation takes its operands (LLVM 22.1's ROCDLOps.td).
enum class MmaCall : uint8_t {
  /// a, b, c, then cbsz, abid, blgp as i32 constants 0.
  Mfma,
  /// a, b, c, format of a, format of b, opsel a, scale a, opsel b, scale b.
  MfmaScale,
  /// a, b, c.
  Wmma,
  /// a, b, c and the attributes signA, signB, clamp.
  WmmaInteger,
  /// a, b, c and the attributes signA, signB, modC, reuseA, reuseB (defaults).
  WmmaModifiers,
  /// a, b, c and the attributes modC, reuseA, reuseB (defaults).
  WmmaModifierC,
  /// a, b, c and the attributes signA, signB, reuseA, reuseB, clamp.
  WmmaIntegerReuse,
  /// a, b, c, scale a, scale b and attributes: formats, modC, which scales,
  /// reuse. Blocks of 16 have `scale16` in the name.
  WmmaScale,
  /// As WmmaScale, without formats.
  WmmaScaleF4
};

/// What a type says: enough to find the row.
struct MmaKey {
  MmaFamily family;
  int32_t m, n, k;
  Element a, b, acc;
};

/// One matrix instruction.
struct MmaRow {
  MmaFamily family;
  uint16_t m, n, k;
  /// Independent products that one instruction computes. Rows with more than
  /// one have no layouts: an atom is one tile.
  uint8_t blocks;
  Element aType, bType, accType;
  /// Thread-value layouts over (M,K), (N,K), (M,N), column-major, as text.
  llvm::StringLiteral thread, a, b, c;
  RegisterType aRegister, bRegister, accRegister;
  /// The operation without its dialect's name: "mfma.f32.16x16x16f16".
  llvm::StringLiteral op;
  MmaCall call;
  /// Features that a processor needs, all of them, as bits.
  uint32_t features;

  bool runsOn(const Chip &chip) const {
    return (chip.features & features) == features;
  }
  /// "cdna3.mfma<16x16x16, (f16, f16) -> f32>".
  std::string text() const;
};

/// Every row.
llvm::ArrayRef<MmaRow> allMmaRows();

/// The row of one tile (`blocks` is 1), or null.
const MmaRow *findMmaRow(const MmaKey &key);

/// The layouts of a row with one block, as values; read once.
const layout::MmaAtomLayouts &layoutsOf(const MmaRow &row);

/// Why no row has this key, and which tile comes nearest: the second half of
/// a message, "... has no instruction; nearest is 16x16x16".
std::string explainMissingRow(const MmaKey &key);

/// The processors that a row runs on, for messages and tables: "gfx942,
/// gfx950".
std::string chipsOf(const MmaRow &row);

} // namespace fly::amdgpu

#endif // FLY_TARGET_AMDGPU_MMAROWS_H
