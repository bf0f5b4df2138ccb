// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of the tables of copy instructions, and look-ups in them.
//
// Sources: intrinsics in LLVM 22.1's IntrinsicsAMDGPU.td and ROCDLOps.td;
// which widths and atomics a processor selects: llc 22.1. Integers of 96 and
// 256 bits and vectors of 16 bytes do not select; vectors of dwords do, so
// those are the payloads.

#include "fly/Target/AMDGPU/CopyRows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"

using namespace fly::amdgpu;
using llvm::StringRef;

static constexpr uint32_t bit(Feature feature) {
  return uint32_t(1) << unsigned(feature);
}

StringRef fly::amdgpu::spell(CopyKind kind) {
  switch (kind) {
  case CopyKind::BufferCopy:
    return "cdna3.buffer_copy";
  case CopyKind::BufferCopyLds:
    return "cdna3.buffer_copy_lds";
  case CopyKind::LdsReadTranspose:
    return "cdna4.lds_read_trans";
  case CopyKind::BufferLoadAsyncLds:
    return "cdna4.buffer_load_async_lds";
  case CopyKind::GlobalLoadAsyncLds:
    return "cdna4.global_load_async_lds";
  }
  llvm_unreachable("copy kind");
}

namespace {
constexpr CopyKind buffer = CopyKind::BufferCopy;
constexpr CopyKind bufferLds = CopyKind::BufferCopyLds;
constexpr CopyKind transpose = CopyKind::LdsReadTranspose;
constexpr CopyKind bufferAsync = CopyKind::BufferLoadAsyncLds;
constexpr CopyKind globalAsync = CopyKind::GlobalLoadAsyncLds;
constexpr Element i8 = Element::I8, i16 = Element::I16, i32 = Element::I32;
constexpr uint32_t lds = bit(Feature::BufferLoadLds);
constexpr uint32_t wide = lds | bit(Feature::LoadLdsWide);
constexpr uint32_t wideGlobal =
    bit(Feature::GlobalLoadLds) | bit(Feature::LoadLdsWide);
constexpr uint32_t readTr = bit(Feature::LdsReadTranspose);

// clang-format off
constexpr CopyRow copies[] = {
    {buffer, 8, 0, {i8, 1}, "raw.ptr.buffer.load", 0},
    {buffer, 16, 0, {i16, 1}, "raw.ptr.buffer.load", 0},
    {buffer, 32, 0, {i32, 1}, "raw.ptr.buffer.load", 0},
    {buffer, 64, 0, {i32, 2}, "raw.ptr.buffer.load", 0},
    {buffer, 96, 0, {i32, 3}, "raw.ptr.buffer.load", 0},
    {buffer, 128, 0, {i32, 4}, "raw.ptr.buffer.load", 0},
    {bufferLds, 32, 0, {i32, 1}, "raw.ptr.buffer.load.lds", lds},
    {bufferLds, 128, 0, {i32, 4}, "raw.ptr.buffer.load.lds", wide},
    {transpose, 64, 4, {i32, 2}, "ds.read.tr4.b64", readTr},
    {transpose, 64, 8, {i32, 2}, "ds.read.tr8.b64", readTr},
    {transpose, 96, 6, {i32, 3}, "ds.read.tr6.b96", readTr},
    {transpose, 64, 16, {i16, 4}, "ds.read.tr16.b64", readTr},
    // LLVM 22.1 has no form of these whose waits are left to the program.
    {bufferAsync, 32, 0, {i32, 1}, "raw.ptr.buffer.load.lds", wide},
    {bufferAsync, 96, 0, {i32, 3}, "raw.ptr.buffer.load.lds", wide},
    {bufferAsync, 128, 0, {i32, 4}, "raw.ptr.buffer.load.lds", wide},
    {globalAsync, 32, 0, {i32, 1}, "global.load.lds", wideGlobal},
    {globalAsync, 96, 0, {i32, 3}, "global.load.lds", wideGlobal},
    {globalAsync, 128, 0, {i32, 4}, "global.load.lds", wideGlobal},
};

constexpr BufferAtomicRow atomics[] = {
    {AtomicOperation::Add, {Element::F32, 1}, false, "fadd", "gfx908 gfx90a gfx942 gfx950 gfx1100 gfx1200 gfx1250"},
    {AtomicOperation::Add, {Element::F16, 2}, false, "fadd", "gfx908 gfx90a gfx942 gfx950 gfx1200 gfx1250"},
    {AtomicOperation::Add, {Element::BF16, 2}, false, "fadd", "gfx950 gfx1200 gfx1250"},
    {AtomicOperation::Add, {Element::F64, 1}, false, "fadd", "gfx90a gfx942 gfx950 gfx1250"},
    {AtomicOperation::Max, {Element::F32, 1}, false, "fmax", "gfx1010 gfx1030 gfx1100 gfx1200 gfx1250"},
    {AtomicOperation::Min, {Element::F32, 1}, false, "fmin", "gfx1010 gfx1030 gfx1100 gfx1200 gfx1250"},
    {AtomicOperation::Add, {Element::I32, 1}, false, "add", ""},
    {AtomicOperation::Add, {Element::I32, 1}, true, "add", ""},
    {AtomicOperation::Max, {Element::I32, 1}, false, "smax", ""},
    {AtomicOperation::Max, {Element::I32, 1}, true, "umax", ""},
    {AtomicOperation::Min, {Element::I32, 1}, false, "smin", ""},
    {AtomicOperation::Min, {Element::I32, 1}, true, "umin", ""},
    {AtomicOperation::And, {Element::I32, 1}, false, "and", ""},
    {AtomicOperation::Or, {Element::I32, 1}, false, "or", ""},
    {AtomicOperation::Inc, {Element::I32, 1}, false, "inc", ""},
    {AtomicOperation::Dec, {Element::I32, 1}, false, "dec", ""},
};
// clang-format on
} // namespace

llvm::ArrayRef<CopyRow> fly::amdgpu::allCopyRows() { return copies; }

const CopyRow *fly::amdgpu::findCopyRow(CopyKind kind, int64_t bits,
                                        int64_t elementBits) {
  for (const CopyRow &row : copies)
    if (row.kind == kind && row.bits == bits && row.elementBits == elementBits)
      return &row;
  return nullptr;
}

std::string fly::amdgpu::widthsOf(CopyKind kind) {
  llvm::SmallVector<std::string> parts;
  for (const CopyRow &row : copies)
    if (row.kind == kind)
      parts.push_back((row.elementBits
                           ? std::to_string(row.elementBits) + "b of "
                           : std::string()) +
                      std::to_string(row.bits));
  std::string text;
  for (auto [index, part] : llvm::enumerate(parts)) {
    if (index)
      text += index + 1 == parts.size() ? " or " : ", ";
    text += part;
  }
  return text;
}

/// Whether `names` has the processor itself, or the first of its family that
/// behaves alike (gfx1101 as gfx1100, gfx1201 as gfx1200).
static bool listed(StringRef names, const Chip &chip) {
  while (!names.empty()) {
    StringRef name;
    std::tie(name, names) = names.split(' ');
    if (name == chip.numberedChipset)
      return true;
    const Chip *other = findChip(name);
    if (other && other->family == chip.family && other->family != Family::Gfx9)
      return true;
  }
  return false;
}

bool BufferAtomicRow::runsOn(const Chip &chip) const {
  return chips.empty() || listed(chips, chip);
}

llvm::ArrayRef<BufferAtomicRow> fly::amdgpu::allBufferAtomicRows() {
  return atomics;
}

const BufferAtomicRow *
fly::amdgpu::findBufferAtomicRow(AtomicOperation operation, RegisterType type,
                                 bool isUnsigned) {
  for (const BufferAtomicRow &row : atomics)
    if (row.operation == operation && row.type.element == type.element &&
        row.type.count == type.count && row.isUnsigned == isUnsigned)
      return &row;
  return nullptr;
}
