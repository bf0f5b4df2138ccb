// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of copy instructions: one row for each width that a kind of copy
// has, with the type that the instruction moves and the features that a
// processor needs; one row for each atomic operation on buffers. Verifiers,
// layouts, emission and tests read the rows.
//
//   findCopyRow(CopyKind::BufferCopyLds, 128)   // needs LoadLdsWide
//   findCopyRow(CopyKind::BufferCopyLds, 64)    // null: no such instruction

#ifndef FLY_TARGET_AMDGPU_COPYROWS_H
#define FLY_TARGET_AMDGPU_COPYROWS_H

#include "fly/Target/AMDGPU/MmaRows.h"

namespace fly::amdgpu {

/// Kinds of copy, `!fly_rocdl.<text>`.
enum class CopyKind : uint8_t {
  /// Between a buffer and registers.
  BufferCopy,
  /// From a buffer to LDS, not through registers.
  BufferCopyLds,
  /// From LDS to registers, transposed among 16 lanes.
  LdsReadTranspose,
  /// From a buffer to LDS; the program waits for it.
  BufferLoadAsyncLds,
  /// From global memory to LDS; the program waits for it.
  GlobalLoadAsyncLds
};

/// "cdna3.buffer_copy" and so on.
llvm::StringRef spell(CopyKind kind);

/// One width of one kind of copy.
struct CopyRow {
  CopyKind kind;
  /// Bits that a lane moves.
  uint16_t bits;
  /// Of transposed reads: bits of one element; 0 for other kinds.
  uint8_t elementBits;
  /// What the instruction moves, as a register type.
  RegisterType payload;
  /// The ROCDL operation without its dialect's name.
  llvm::StringLiteral op;
  /// Features that a processor needs, all of them, as bits.
  uint32_t features;

  bool runsOn(const Chip &chip) const {
    return (chip.features & features) == features;
  }
};

llvm::ArrayRef<CopyRow> allCopyRows();

/// The row of this kind and width, or null; `elementBits` only for transposed
/// reads.
const CopyRow *findCopyRow(CopyKind kind, int64_t bits,
                           int64_t elementBits = 0);

/// The widths of a kind: "8, 16, 32, 64, 96 or 128"; of transposed reads the
/// pairs "4b of 64, ...".
std::string widthsOf(CopyKind kind);

/// Operations of atomics, as in `#fly<atomic_op ...>`.
enum class AtomicOperation : uint8_t { Add, Max, Min, And, Or, Inc, Dec };

/// One atomic operation on a buffer.
struct BufferAtomicRow {
  AtomicOperation operation;
  /// Type that the instruction combines: f32, 2xf16, i32 ...
  RegisterType type;
  /// For integers: whether the operands count as unsigned.
  bool isUnsigned;
  /// Last part of the intrinsic's name: llvm.amdgcn.raw.ptr.buffer.atomic.X.
  llvm::StringLiteral intrinsic;
  /// The processors that select it: numbered names separated by blanks; empty
  /// means all with buffers.
  llvm::StringLiteral chips;

  bool runsOn(const Chip &chip) const;
};

llvm::ArrayRef<BufferAtomicRow> allBufferAtomicRows();
const BufferAtomicRow *findBufferAtomicRow(AtomicOperation operation,
                                           RegisterType type, bool isUnsigned);

} // namespace fly::amdgpu

#endif // FLY_TARGET_AMDGPU_COPYROWS_H
