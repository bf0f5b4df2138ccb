// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of the table of matrix instructions, and look-ups in it.
//
// Sources. Operand types and call forms: LLVM 22.1's ROCDLOps.td and the
// intrinsics that its ops stand for (IntrinsicsAMDGPU.td); which processor
// selects what: llc 22.1. Lane layouts: AMD's instruction set documents of
// CDNA3, RDNA3 and RDNA4 (chapters on matrix instructions): an MFMA lane holds
// consecutive k of one row, and four consecutive rows of one column of the
// result; RDNA3 repeats A and B in both halves of a wave and interleaves rows
// of the result between them; RDNA4 splits k and rows between the halves.

#include "fly/Target/AMDGPU/MmaRows.h"

#include "fly/Layout/Text.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstdlib>
#include <vector>

using namespace fly::amdgpu;
using llvm::StringLiteral;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Spellings
//===----------------------------------------------------------------------===//

StringRef fly::amdgpu::spell(Element element) {
  switch (element) {
  case Element::F64:
    return "f64";
  case Element::F32:
    return "f32";
  case Element::F16:
    return "f16";
  case Element::BF16:
    return "bf16";
  case Element::F8E4M3FN:
    return "f8E4M3FN";
  case Element::F8E5M2:
    return "f8E5M2";
  case Element::F8E4M3FNUZ:
    return "f8E4M3FNUZ";
  case Element::F8E5M2FNUZ:
    return "f8E5M2FNUZ";
  case Element::F6E2M3FN:
    return "f6E2M3FN";
  case Element::F6E3M2FN:
    return "f6E3M2FN";
  case Element::F4E2M1FN:
    return "f4E2M1FN";
  case Element::I64:
    return "i64";
  case Element::I32:
    return "i32";
  case Element::I16:
    return "i16";
  case Element::I8:
    return "i8";
  case Element::I4:
    return "i4";
  }
  llvm_unreachable("element");
}

unsigned fly::amdgpu::bitsOf(Element element) {
  switch (element) {
  case Element::F64:
  case Element::I64:
    return 64;
  case Element::F32:
  case Element::I32:
    return 32;
  case Element::F16:
  case Element::BF16:
  case Element::I16:
    return 16;
  case Element::F8E4M3FN:
  case Element::F8E5M2:
  case Element::F8E4M3FNUZ:
  case Element::F8E5M2FNUZ:
  case Element::I8:
    return 8;
  case Element::F6E2M3FN:
  case Element::F6E3M2FN:
    return 6;
  case Element::F4E2M1FN:
  case Element::I4:
    return 4;
  }
  llvm_unreachable("element");
}

bool fly::amdgpu::isFloat(Element element) { return element < Element::I64; }

StringRef fly::amdgpu::spell(MmaFamily family) {
  switch (family) {
  case MmaFamily::Cdna3Mfma:
    return "cdna3.mfma";
  case MmaFamily::Cdna4MfmaScale:
    return "cdna4.mfma_scale";
  case MmaFamily::Gfx11Wmma:
    return "gfx11.wmma";
  case MmaFamily::Gfx120xWmma:
    return "gfx120x.wmma";
  case MmaFamily::Gfx1250Wmma:
    return "gfx1250.wmma";
  case MmaFamily::Gfx1250WmmaScale:
    return "gfx1250.wmma_scale";
  }
  llvm_unreachable("family");
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr uint32_t bit(Feature feature) {
  return uint32_t(1) << unsigned(feature);
}

namespace {
constexpr MmaFamily mfma = MmaFamily::Cdna3Mfma;
constexpr MmaFamily scaled = MmaFamily::Cdna4MfmaScale;
constexpr MmaFamily gfx11 = MmaFamily::Gfx11Wmma;
constexpr MmaFamily gfx12 = MmaFamily::Gfx120xWmma;
constexpr MmaFamily gfx125 = MmaFamily::Gfx1250Wmma;
constexpr MmaFamily scaled125 = MmaFamily::Gfx1250WmmaScale;

constexpr Element f32 = Element::F32;
constexpr Element f16 = Element::F16;
constexpr Element bf16 = Element::BF16;
constexpr Element fp8 = Element::F8E4M3FN;
constexpr Element bf8 = Element::F8E5M2;
constexpr Element fp8z = Element::F8E4M3FNUZ;
constexpr Element bf8z = Element::F8E5M2FNUZ;
constexpr Element fp6 = Element::F6E2M3FN;
constexpr Element bf6 = Element::F6E3M2FN;
constexpr Element fp4 = Element::F4E2M1FN;
constexpr Element i64 = Element::I64;
constexpr Element i32 = Element::I32;
constexpr Element i16 = Element::I16;
constexpr Element i8 = Element::I8;
constexpr Element i4 = Element::I4;

// (lane, value) -> index in a column-major tile.
constexpr StringLiteral lanes64 = "64:1";
constexpr StringLiteral lanes32 = "32:1";
constexpr StringLiteral none = "";

// MFMA operands: 16 or 32 rows, then k in runs of KP = K / (64 / rows).
constexpr StringLiteral r16k1 = "((16,4),1):((1,16),16)";
constexpr StringLiteral r16k2 = "((16,4),2):((1,32),16)";
constexpr StringLiteral r16k4 = "((16,4),4):((1,64),16)";
constexpr StringLiteral r16k8 = "((16,4),8):((1,128),16)";
constexpr StringLiteral r16k16 = "((16,4),16):((1,256),16)";
constexpr StringLiteral r16k32 = "((16,4),32):((1,512),16)";
constexpr StringLiteral r32k1 = "((32,2),1):((1,32),32)";
constexpr StringLiteral r32k2 = "((32,2),2):((1,64),32)";
constexpr StringLiteral r32k4 = "((32,2),4):((1,128),32)";
constexpr StringLiteral r32k8 = "((32,2),8):((1,256),32)";
constexpr StringLiteral r32k16 = "((32,2),16):((1,512),32)";
constexpr StringLiteral r32k32 = "((32,2),32):((1,1024),32)";
// MFMA results: a lane has one column and runs of four rows.
constexpr StringLiteral c16 = "((16,4),(4,1)):((16,4),(1,16))";
constexpr StringLiteral c32 = "((32,2),(4,4)):((32,4),(1,8))";

// gfx11: both halves of the wave hold the same A and B.
constexpr StringLiteral ab11 = "((16,2),16):((1,0),16)";
constexpr StringLiteral c11 = "((16,2),8):((16,1),2)";
// gfx12: the upper half has the upper half of k, and of the rows.
constexpr StringLiteral ab12 = "((16,2),8):((1,128),16)";
constexpr StringLiteral c12 = "((16,2),8):((16,8),1)";
// gfx12.5: 32-bit elements; others in runs of eight k.
constexpr StringLiteral ab125k4 = "((16,2),2):((1,32),16)";
constexpr StringLiteral ab125k32 = "((16,2),(8,2)):((1,128),(16,256))";
constexpr StringLiteral ab125k64 = "((16,2),(8,4)):((1,128),(16,256))";
constexpr StringLiteral ab125k128 = "((16,2),(8,8)):((1,128),(16,256))";

// gfx12.5, 32 rows of 4-bit values; the original marks them provisional.
constexpr StringLiteral a125m32 = "(32,128):(1,32)";
// Lane l holds column l mod 16, rows 16 * (l / 16) + v: a column is 32 apart.
constexpr StringLiteral c125m32 = "((16,2),16):((32,16),1)";

constexpr MmaCall callMfma = MmaCall::Mfma;
constexpr MmaCall callScale = MmaCall::MfmaScale;
constexpr MmaCall callWmma = MmaCall::Wmma;
constexpr MmaCall callIU = MmaCall::WmmaInteger;
constexpr MmaCall callMods = MmaCall::WmmaModifiers;
constexpr MmaCall callModC = MmaCall::WmmaModifierC;
constexpr MmaCall callIUReuse = MmaCall::WmmaIntegerReuse;

constexpr uint32_t cdna1 = bit(Feature::Mfma);
constexpr uint32_t pair = bit(Feature::Mfma) | bit(Feature::MfmaBf16Pair);
constexpr uint32_t cdna2 = bit(Feature::MfmaGfx90a);
constexpr uint32_t cdna3 = bit(Feature::MfmaGfx942);
constexpr uint32_t cdna4 = bit(Feature::MfmaGfx950);
constexpr uint32_t fnuz = bit(Feature::MfmaFp8) | bit(Feature::Fp8Fnuz);
constexpr uint32_t ocp = bit(Feature::MfmaFp8) | bit(Feature::Fp8Ocp);
constexpr uint32_t rdna3 = bit(Feature::WmmaGfx11);
constexpr uint32_t rdna4 = bit(Feature::WmmaGfx12);
constexpr uint32_t gfx1250 = bit(Feature::WmmaGfx1250);

// clang-format off
constexpr MmaRow handWritten[] = {
    // --- cdna3.mfma: f32 and f64 ---
    {mfma, 32, 32, 2, 1, f32, f32, f32, lanes64, r32k1, r32k1, c32, {f32, 1}, {f32, 1}, {f32, 16}, "mfma.f32.32x32x2f32", callMfma, cdna1},
    {mfma, 16, 16, 4, 1, f32, f32, f32, lanes64, r16k1, r16k1, c16, {f32, 1}, {f32, 1}, {f32, 4}, "mfma.f32.16x16x4f32", callMfma, cdna1},
    {mfma, 32, 32, 1, 2, f32, f32, f32, lanes64, none, none, none, {f32, 1}, {f32, 1}, {f32, 32}, "mfma.f32.32x32x1f32", callMfma, cdna1},
    {mfma, 16, 16, 1, 4, f32, f32, f32, lanes64, none, none, none, {f32, 1}, {f32, 1}, {f32, 16}, "mfma.f32.16x16x1f32", callMfma, cdna1},
    {mfma, 4, 4, 1, 16, f32, f32, f32, lanes64, none, none, none, {f32, 1}, {f32, 1}, {f32, 4}, "mfma.f32.4x4x1f32", callMfma, cdna1},
    // --- cdna3.mfma: f16 ---
    {mfma, 32, 32, 8, 1, f16, f16, f32, lanes64, r32k4, r32k4, c32, {f16, 4}, {f16, 4}, {f32, 16}, "mfma.f32.32x32x8f16", callMfma, cdna1},
    {mfma, 16, 16, 16, 1, f16, f16, f32, lanes64, r16k4, r16k4, c16, {f16, 4}, {f16, 4}, {f32, 4}, "mfma.f32.16x16x16f16", callMfma, cdna1},
    {mfma, 16, 16, 32, 1, f16, f16, f32, lanes64, r16k8, r16k8, c16, {f16, 8}, {f16, 8}, {f32, 4}, "mfma.f32.16x16x32.f16", callMfma, cdna4},
    {mfma, 32, 32, 16, 1, f16, f16, f32, lanes64, r32k8, r32k8, c32, {f16, 8}, {f16, 8}, {f32, 16}, "mfma.f32.32x32x16.f16", callMfma, cdna4},
    {mfma, 32, 32, 4, 2, f16, f16, f32, lanes64, none, none, none, {f16, 4}, {f16, 4}, {f32, 32}, "mfma.f32.32x32x4f16", callMfma, cdna1},
    {mfma, 16, 16, 4, 4, f16, f16, f32, lanes64, none, none, none, {f16, 4}, {f16, 4}, {f32, 16}, "mfma.f32.16x16x4f16", callMfma, cdna1},
    {mfma, 4, 4, 4, 16, f16, f16, f32, lanes64, none, none, none, {f16, 4}, {f16, 4}, {f32, 4}, "mfma.f32.4x4x4f16", callMfma, cdna1},
    // --- cdna3.mfma: bf16 ---
    {mfma, 32, 32, 8, 1, bf16, bf16, f32, lanes64, r32k4, r32k4, c32, {i16, 4}, {i16, 4}, {f32, 16}, "mfma.f32.32x32x8bf16.1k", callMfma, cdna2},
    {mfma, 16, 16, 16, 1, bf16, bf16, f32, lanes64, r16k4, r16k4, c16, {i16, 4}, {i16, 4}, {f32, 4}, "mfma.f32.16x16x16bf16.1k", callMfma, cdna2},
    {mfma, 16, 16, 32, 1, bf16, bf16, f32, lanes64, r16k8, r16k8, c16, {bf16, 8}, {bf16, 8}, {f32, 4}, "mfma.f32.16x16x32.bf16", callMfma, cdna4},
    {mfma, 32, 32, 16, 1, bf16, bf16, f32, lanes64, r32k8, r32k8, c32, {bf16, 8}, {bf16, 8}, {f32, 16}, "mfma.f32.32x32x16.bf16", callMfma, cdna4},
    {mfma, 16, 16, 8, 1, bf16, bf16, f32, lanes64, r16k2, r16k2, c16, {i16, 2}, {i16, 2}, {f32, 4}, "mfma.f32.16x16x8bf16", callMfma, pair},
    {mfma, 32, 32, 4, 1, bf16, bf16, f32, lanes64, r32k2, r32k2, c32, {i16, 2}, {i16, 2}, {f32, 16}, "mfma.f32.32x32x4bf16", callMfma, pair},
    {mfma, 32, 32, 2, 2, bf16, bf16, f32, lanes64, none, none, none, {i16, 2}, {i16, 2}, {f32, 32}, "mfma.f32.32x32x2bf16", callMfma, pair},
    {mfma, 16, 16, 2, 4, bf16, bf16, f32, lanes64, none, none, none, {i16, 2}, {i16, 2}, {f32, 16}, "mfma.f32.16x16x2bf16", callMfma, pair},
    {mfma, 4, 4, 2, 16, bf16, bf16, f32, lanes64, none, none, none, {i16, 2}, {i16, 2}, {f32, 4}, "mfma.f32.4x4x2bf16", callMfma, pair},
    // --- cdna3.mfma: 8-bit floats; the bits mean FNUZ on gfx942, OCP on gfx950 ---
    {mfma, 16, 16, 32, 1, fp8z, fp8z, f32, lanes64, r16k8, r16k8, c16, {i64, 1}, {i64, 1}, {f32, 4}, "mfma.f32.16x16x32.fp8.fp8", callMfma, fnuz},
    {mfma, 16, 16, 32, 1, fp8z, bf8z, f32, lanes64, r16k8, r16k8, c16, {i64, 1}, {i64, 1}, {f32, 4}, "mfma.f32.16x16x32.fp8.bf8", callMfma, fnuz},
    {mfma, 16, 16, 32, 1, bf8z, fp8z, f32, lanes64, r16k8, r16k8, c16, {i64, 1}, {i64, 1}, {f32, 4}, "mfma.f32.16x16x32.bf8.fp8", callMfma, fnuz},
    {mfma, 16, 16, 32, 1, bf8z, bf8z, f32, lanes64, r16k8, r16k8, c16, {i64, 1}, {i64, 1}, {f32, 4}, "mfma.f32.16x16x32.bf8.bf8", callMfma, fnuz},
    {mfma, 32, 32, 16, 1, fp8z, fp8z, f32, lanes64, r32k8, r32k8, c32, {i64, 1}, {i64, 1}, {f32, 16}, "mfma.f32.32x32x16.fp8.fp8", callMfma, fnuz},
    {mfma, 32, 32, 16, 1, fp8z, bf8z, f32, lanes64, r32k8, r32k8, c32, {i64, 1}, {i64, 1}, {f32, 16}, "mfma.f32.32x32x16.fp8.bf8", callMfma, fnuz},
    {mfma, 32, 32, 16, 1, bf8z, fp8z, f32, lanes64, r32k8, r32k8, c32, {i64, 1}, {i64, 1}, {f32, 16}, "mfma.f32.32x32x16.bf8.fp8", callMfma, fnuz},
    {mfma, 32, 32, 16, 1, bf8z, bf8z, f32, lanes64, r32k8, r32k8, c32, {i64, 1}, {i64, 1}, {f32, 16}, "mfma.f32.32x32x16.bf8.bf8", callMfma, fnuz},
    {mfma, 16, 16, 32, 1, fp8, fp8, f32, lanes64, r16k8, r16k8, c16, {i64, 1}, {i64, 1}, {f32, 4}, "mfma.f32.16x16x32.fp8.fp8", callMfma, ocp},
    {mfma, 16, 16, 32, 1, fp8, bf8, f32, lanes64, r16k8, r16k8, c16, {i64, 1}, {i64, 1}, {f32, 4}, "mfma.f32.16x16x32.fp8.bf8", callMfma, ocp},
    {mfma, 16, 16, 32, 1, bf8, fp8, f32, lanes64, r16k8, r16k8, c16, {i64, 1}, {i64, 1}, {f32, 4}, "mfma.f32.16x16x32.bf8.fp8", callMfma, ocp},
    {mfma, 16, 16, 32, 1, bf8, bf8, f32, lanes64, r16k8, r16k8, c16, {i64, 1}, {i64, 1}, {f32, 4}, "mfma.f32.16x16x32.bf8.bf8", callMfma, ocp},
    {mfma, 32, 32, 16, 1, fp8, fp8, f32, lanes64, r32k8, r32k8, c32, {i64, 1}, {i64, 1}, {f32, 16}, "mfma.f32.32x32x16.fp8.fp8", callMfma, ocp},
    {mfma, 32, 32, 16, 1, fp8, bf8, f32, lanes64, r32k8, r32k8, c32, {i64, 1}, {i64, 1}, {f32, 16}, "mfma.f32.32x32x16.fp8.bf8", callMfma, ocp},
    {mfma, 32, 32, 16, 1, bf8, fp8, f32, lanes64, r32k8, r32k8, c32, {i64, 1}, {i64, 1}, {f32, 16}, "mfma.f32.32x32x16.bf8.fp8", callMfma, ocp},
    {mfma, 32, 32, 16, 1, bf8, bf8, f32, lanes64, r32k8, r32k8, c32, {i64, 1}, {i64, 1}, {f32, 16}, "mfma.f32.32x32x16.bf8.bf8", callMfma, ocp},
    // --- cdna3.mfma: i8 ---
    {mfma, 16, 16, 32, 1, i8, i8, i32, lanes64, r16k8, r16k8, c16, {i64, 1}, {i64, 1}, {i32, 4}, "mfma.i32.16x16x32.i8", callMfma, cdna3},
    {mfma, 32, 32, 16, 1, i8, i8, i32, lanes64, r32k8, r32k8, c32, {i64, 1}, {i64, 1}, {i32, 16}, "mfma.i32.32x32x16.i8", callMfma, cdna3},
    {mfma, 16, 16, 64, 1, i8, i8, i32, lanes64, r16k16, r16k16, c16, {i32, 4}, {i32, 4}, {i32, 4}, "mfma.i32.16x16x64.i8", callMfma, cdna4},
    {mfma, 32, 32, 32, 1, i8, i8, i32, lanes64, r32k16, r32k16, c32, {i32, 4}, {i32, 4}, {i32, 16}, "mfma.i32.32x32x32.i8", callMfma, cdna4},
    // --- gfx11.wmma ---
    {gfx11, 16, 16, 16, 1, f16, f16, f32, lanes32, ab11, ab11, c11, {f16, 16}, {f16, 16}, {f32, 8}, "wmma.f32.16x16x16.f16", callWmma, rdna3},
    {gfx11, 16, 16, 16, 1, bf16, bf16, f32, lanes32, ab11, ab11, c11, {i16, 16}, {i16, 16}, {f32, 8}, "wmma.f32.16x16x16.bf16", callWmma, rdna3},
    {gfx11, 16, 16, 16, 1, i8, i8, i32, lanes32, ab11, ab11, c11, {i32, 4}, {i32, 4}, {i32, 8}, "wmma.i32.16x16x16.iu8", callIU, rdna3},
    {gfx11, 16, 16, 16, 1, i4, i4, i32, lanes32, ab11, ab11, c11, {i32, 2}, {i32, 2}, {i32, 8}, "wmma.i32.16x16x16.iu4", callIU, rdna3},
    // --- gfx120x.wmma ---
    {gfx12, 16, 16, 16, 1, f16, f16, f32, lanes32, ab12, ab12, c12, {f16, 8}, {f16, 8}, {f32, 8}, "wmma.f32.16x16x16.f16", callWmma, rdna4},
    {gfx12, 16, 16, 16, 1, bf16, bf16, f32, lanes32, ab12, ab12, c12, {i16, 8}, {i16, 8}, {f32, 8}, "wmma.f32.16x16x16.bf16", callWmma, rdna4},
    {gfx12, 16, 16, 16, 1, fp8, fp8, f32, lanes32, ab12, ab12, c12, {i32, 2}, {i32, 2}, {f32, 8}, "wmma.f32.16x16x16.fp8_fp8", callWmma, rdna4},
    {gfx12, 16, 16, 16, 1, fp8, bf8, f32, lanes32, ab12, ab12, c12, {i32, 2}, {i32, 2}, {f32, 8}, "wmma.f32.16x16x16.fp8_bf8", callWmma, rdna4},
    {gfx12, 16, 16, 16, 1, bf8, fp8, f32, lanes32, ab12, ab12, c12, {i32, 2}, {i32, 2}, {f32, 8}, "wmma.f32.16x16x16.bf8_fp8", callWmma, rdna4},
    {gfx12, 16, 16, 16, 1, bf8, bf8, f32, lanes32, ab12, ab12, c12, {i32, 2}, {i32, 2}, {f32, 8}, "wmma.f32.16x16x16.bf8_bf8", callWmma, rdna4},
    {gfx12, 16, 16, 16, 1, i8, i8, i32, lanes32, ab12, ab12, c12, {i32, 2}, {i32, 2}, {i32, 8}, "wmma.i32.16x16x16.iu8", callIU, rdna4},
    // --- gfx1250.wmma_scale, 32 rows; more below ---
    {scaled125, 32, 16, 128, 1, fp4, fp4, f32, lanes32, a125m32, ab125k128, c125m32, {i32, 16}, {i32, 8}, {f32, 16}, "wmma.scale.f32.32x16x128.f4", MmaCall::WmmaScaleF4, gfx1250},
    // --- gfx1250.wmma ---
    {gfx125, 16, 16, 4, 1, f32, f32, f32, lanes32, ab125k4, ab125k4, c12, {f32, 2}, {f32, 2}, {f32, 8}, "wmma.f32.16x16x4.f32", callMods, gfx1250},
    {gfx125, 16, 16, 32, 1, f16, f16, f32, lanes32, ab125k32, ab125k32, c12, {f16, 16}, {f16, 16}, {f32, 8}, "wmma.f32.16x16x32.f16", callMods, gfx1250},
    {gfx125, 16, 16, 32, 1, f16, f16, f16, lanes32, ab125k32, ab125k32, c12, {f16, 16}, {f16, 16}, {f16, 8}, "wmma.f16.16x16x32.f16", callMods, gfx1250},
    {gfx125, 16, 16, 32, 1, bf16, bf16, f32, lanes32, ab125k32, ab125k32, c12, {bf16, 16}, {bf16, 16}, {f32, 8}, "wmma.f32.16x16x32.bf16", callMods, gfx1250},
    {gfx125, 16, 16, 32, 1, bf16, bf16, bf16, lanes32, ab125k32, ab125k32, c12, {bf16, 16}, {bf16, 16}, {bf16, 8}, "wmma.bf16.16x16x32.bf16", callMods, gfx1250},
    {gfx125, 16, 16, 64, 1, fp8, fp8, f32, lanes32, ab125k64, ab125k64, c12, {i32, 8}, {i32, 8}, {f32, 8}, "wmma.f32.16x16x64.fp8_fp8", callModC, gfx1250},
    {gfx125, 16, 16, 64, 1, fp8, bf8, f32, lanes32, ab125k64, ab125k64, c12, {i32, 8}, {i32, 8}, {f32, 8}, "wmma.f32.16x16x64.fp8_bf8", callModC, gfx1250},
    {gfx125, 16, 16, 64, 1, bf8, fp8, f32, lanes32, ab125k64, ab125k64, c12, {i32, 8}, {i32, 8}, {f32, 8}, "wmma.f32.16x16x64.bf8_fp8", callModC, gfx1250},
    {gfx125, 16, 16, 64, 1, bf8, bf8, f32, lanes32, ab125k64, ab125k64, c12, {i32, 8}, {i32, 8}, {f32, 8}, "wmma.f32.16x16x64.bf8_bf8", callModC, gfx1250},
    {gfx125, 16, 16, 64, 1, fp8, fp8, f16, lanes32, ab125k64, ab125k64, c12, {i32, 8}, {i32, 8}, {f16, 8}, "wmma.f16.16x16x64.fp8_fp8", callModC, gfx1250},
    {gfx125, 16, 16, 64, 1, fp8, bf8, f16, lanes32, ab125k64, ab125k64, c12, {i32, 8}, {i32, 8}, {f16, 8}, "wmma.f16.16x16x64.fp8_bf8", callModC, gfx1250},
    {gfx125, 16, 16, 64, 1, bf8, fp8, f16, lanes32, ab125k64, ab125k64, c12, {i32, 8}, {i32, 8}, {f16, 8}, "wmma.f16.16x16x64.bf8_fp8", callModC, gfx1250},
    {gfx125, 16, 16, 64, 1, bf8, bf8, f16, lanes32, ab125k64, ab125k64, c12, {i32, 8}, {i32, 8}, {f16, 8}, "wmma.f16.16x16x64.bf8_bf8", callModC, gfx1250},
    {gfx125, 16, 16, 128, 1, fp8, fp8, f32, lanes32, ab125k128, ab125k128, c12, {i32, 16}, {i32, 16}, {f32, 8}, "wmma.f32.16x16x128.fp8_fp8", callModC, gfx1250},
    {gfx125, 16, 16, 128, 1, fp8, bf8, f32, lanes32, ab125k128, ab125k128, c12, {i32, 16}, {i32, 16}, {f32, 8}, "wmma.f32.16x16x128.fp8_bf8", callModC, gfx1250},
    {gfx125, 16, 16, 128, 1, bf8, fp8, f32, lanes32, ab125k128, ab125k128, c12, {i32, 16}, {i32, 16}, {f32, 8}, "wmma.f32.16x16x128.bf8_fp8", callModC, gfx1250},
    {gfx125, 16, 16, 128, 1, bf8, bf8, f32, lanes32, ab125k128, ab125k128, c12, {i32, 16}, {i32, 16}, {f32, 8}, "wmma.f32.16x16x128.bf8_bf8", callModC, gfx1250},
    {gfx125, 16, 16, 128, 1, fp8, fp8, f16, lanes32, ab125k128, ab125k128, c12, {i32, 16}, {i32, 16}, {f16, 8}, "wmma.f16.16x16x128.fp8_fp8", callModC, gfx1250},
    {gfx125, 16, 16, 128, 1, fp8, bf8, f16, lanes32, ab125k128, ab125k128, c12, {i32, 16}, {i32, 16}, {f16, 8}, "wmma.f16.16x16x128.fp8_bf8", callModC, gfx1250},
    {gfx125, 16, 16, 128, 1, bf8, fp8, f16, lanes32, ab125k128, ab125k128, c12, {i32, 16}, {i32, 16}, {f16, 8}, "wmma.f16.16x16x128.bf8_fp8", callModC, gfx1250},
    {gfx125, 16, 16, 128, 1, bf8, bf8, f16, lanes32, ab125k128, ab125k128, c12, {i32, 16}, {i32, 16}, {f16, 8}, "wmma.f16.16x16x128.bf8_bf8", callModC, gfx1250},
    {gfx125, 16, 16, 64, 1, i8, i8, i32, lanes32, ab125k64, ab125k64, c12, {i32, 8}, {i32, 8}, {i32, 8}, "wmma.i32.16x16x64.iu8", callIUReuse, gfx1250},
};
// clang-format on
} // namespace

/// Dwords that hold `values` values.
static RegisterType dwords(Element element, unsigned values) {
  return {i32, uint8_t(values * bitsOf(element) / 32)};
}

/// The rows of scaled instructions for one pair of types.
static void addScaledRows(std::vector<MmaRow> &rows, Element a, Element b) {
  // 32 values a lane.
  RegisterType a32 = dwords(a, 32), b32 = dwords(b, 32);
  rows.push_back({scaled,
                  16,
                  16,
                  128,
                  1,
                  a,
                  b,
                  f32,
                  lanes64,
                  r16k32,
                  r16k32,
                  c16,
                  a32,
                  b32,
                  {f32, 4},
                  "mfma.scale.f32.16x16x128.f8f6f4",
                  callScale,
                  cdna4});
  rows.push_back({scaled,
                  32,
                  32,
                  64,
                  1,
                  a,
                  b,
                  f32,
                  lanes64,
                  r32k32,
                  r32k32,
                  c32,
                  a32,
                  b32,
                  {f32, 16},
                  "mfma.scale.f32.32x32x64.f8f6f4",
                  callScale,
                  cdna4});
  // 16 rows of 128 values over 32 lanes.
  rows.push_back({scaled125,
                  16,
                  16,
                  128,
                  1,
                  a,
                  b,
                  f32,
                  lanes32,
                  ab125k128,
                  ab125k128,
                  c12,
                  dwords(a, 64),
                  dwords(b, 64),
                  {f32, 8},
                  "wmma.scale.f32.16x16x128.f8f6f4",
                  MmaCall::WmmaScale,
                  gfx1250});
}

/// The hand-written rows and those of the scaled instructions, which take any
/// two of five types.
static std::vector<MmaRow> buildTable() {
  std::vector<MmaRow> rows(std::begin(handWritten), std::end(handWritten));
  constexpr Element types[] = {fp8, bf8, fp6, bf6, fp4};
  for (Element a : types)
    for (Element b : types)
      addScaledRows(rows, a, b);
  return rows;
}

llvm::ArrayRef<MmaRow> fly::amdgpu::allMmaRows() {
  static const std::vector<MmaRow> rows = buildTable();
  return rows;
}

//===----------------------------------------------------------------------===//
// Look-ups
//===----------------------------------------------------------------------===//

static bool sameTypes(const MmaRow &row, const MmaKey &key) {
  return row.family == key.family && row.aType == key.a && row.bType == key.b &&
         row.accType == key.acc;
}

static bool sameTile(const MmaRow &row, const MmaKey &key) {
  return row.m == key.m && row.n == key.n && row.k == key.k;
}

const MmaRow *fly::amdgpu::findMmaRow(const MmaKey &key) {
  for (const MmaRow &row : allMmaRows())
    if (row.blocks == 1 && sameTile(row, key) && sameTypes(row, key))
      return &row;
  return nullptr;
}

static fly::layout::Layout parsed(StringRef text) {
  fly::layout::TextSource source(text);
  fly::layout::Layout layout;
  if (!fly::layout::parseLayout(source, layout) || !source.atEnd())
    llvm_unreachable("a row's layout does not parse");
  return layout;
}

const fly::layout::MmaAtomLayouts &fly::amdgpu::layoutsOf(const MmaRow &row) {
  // One entry a row, in the table's order.
  static const std::vector<layout::MmaAtomLayouts> all = [] {
    std::vector<layout::MmaAtomLayouts> result;
    for (const MmaRow &each : allMmaRows()) {
      layout::MmaAtomLayouts layouts;
      if (each.blocks == 1) {
        layouts.shape = layout::IntTuple::of({each.m, each.n, each.k});
        layouts.thread = parsed(each.thread);
        layouts.a = parsed(each.a);
        layouts.b = parsed(each.b);
        layouts.c = parsed(each.c);
      }
      result.push_back(std::move(layouts));
    }
    return result;
  }();
  return all[&row - allMmaRows().data()];
}

static std::string tileText(int64_t m, int64_t n, int64_t k) {
  return (Twine(m) + "x" + Twine(n) + "x" + Twine(k)).str();
}

static std::string typesText(Element a, Element b, Element acc) {
  return ("(" + spell(a) + ", " + spell(b) + ") -> " + spell(acc)).str();
}

std::string MmaRow::text() const {
  return (spell(family) + "<" + tileText(m, n, k) + ", " +
          typesText(aType, bType, accType) + ">")
      .str();
}

/// How far a row's tile is from the key's.
static int64_t distance(const MmaRow &row, const MmaKey &key) {
  return std::abs(int64_t(row.m) - key.m) * 4 +
         std::abs(int64_t(row.n) - key.n) * 4 +
         std::abs(int64_t(row.k) - key.k);
}

std::string fly::amdgpu::explainMissingRow(const MmaKey &key) {
  const MmaRow *nearest = nullptr, *blocked = nullptr;
  std::string types;
  for (const MmaRow &row : allMmaRows()) {
    if (row.family != key.family)
      continue;
    if (!sameTypes(row, key)) {
      std::string text = typesText(row.aType, row.bType, row.accType);
      if (row.blocks == 1 && sameTile(row, key) &&
          types.find(text) == std::string::npos)
        types += (types.empty() ? "" : ", ") + text;
      continue;
    }
    if (row.blocks != 1) {
      if (sameTile(row, key))
        blocked = &row;
      continue;
    }
    if (!nearest || distance(row, key) < distance(*nearest, key))
      nearest = &row;
  }
  std::string what = spell(key.family).str() + " has no instruction for " +
                     tileText(key.m, key.n, key.k) + " " +
                     typesText(key.a, key.b, key.acc);
  if (blocked)
    what = tileText(key.m, key.n, key.k) + " " +
           typesText(key.a, key.b, key.acc) + " computes " +
           std::to_string(blocked->blocks) +
           " independent blocks, which an atom of one tile cannot express";
  if (nearest)
    return what + "; nearest is " +
           tileText(nearest->m, nearest->n, nearest->k);
  if (!types.empty())
    return what + "; with this tile it has " + types;
  return what;
}

std::string fly::amdgpu::chipsOf(const MmaRow &row) {
  std::string names;
  for (const Chip &chip : allChips())
    if (row.runsOn(chip))
      names += (names.empty() ? "" : ", ") + chip.name.str();
  return names;
}
