// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bank conflicts of an access to LDS.
//
// In: a layout that maps (lane, value) to an element's offset, and how wide
// elements, accesses and the memory are. Out: how many cycles each phase takes.
//
// The model: LDS has banks of one 32-bit word each; word w is in bank w mod
// banks. An access instruction is carried out in phases of some lanes. In one
// cycle each bank gives one word, to however many lanes of the phase want it.
// A phase thus takes as many cycles as the busiest bank has different words
// (its degree; 1 is free of conflicts).
//
//   (64,8):(64,1), 16-bit elements, 128-bit accesses, 32 banks
//     rows of 128 bytes start in bank 0: each phase of 8 lanes takes 8 cycles
//   S<3,3,3> o 0 o (64,8):(64,1)     1 cycle each

#ifndef FLY_DRAWING_BANKS_H
#define FLY_DRAWING_BANKS_H

#include "fly/Drawing/Grid.h"

namespace fly::drawing {

struct BankQuestion {
  int64_t lanes = 64, banks = 32;
  /// Bits of an element, and bits that a lane accesses at once.
  int64_t elementBits = 0, accessBits = 0;
  /// (slot, phase) -> lane: which lanes are served together. None: consecutive
  /// lanes, as many as use all banks once (AMD's documentation of Composable
  /// Kernel, "LDS and bank conflicts", gives these for ds_write_b128).
  std::optional<layout::AnyLayout> phases;
};

struct BankPhase {
  int64_t access = 0; // which access of each lane, from 0
  std::vector<int64_t> lanes;
  int64_t degree = 1;
  int64_t busiestBank = 0;
};

struct BankReport {
  BankQuestion question;
  int64_t elementsPerAccess = 1, accesses = 1;
  std::vector<BankPhase> phases;
  int64_t worstDegree = 1, cycles = 0, cyclesWithoutConflicts = 0;
  /// Something to know about: an access that is not aligned to its width.
  std::string note;

  void print(llvm::raw_ostream &os) const;
  /// One JSON object ("fly-banks/1").
  void printJson(llvm::raw_ostream &os, llvm::StringRef expression) const;
};

/// Mode 0 of `l` counts lanes, the others values; the values of one access
/// must be neighbours. A layout of lanes alone gives where accesses start.
/// Nothing and why when the question makes no sense.
std::optional<BankReport> bankConflicts(const layout::AnyLayout &l,
                                        const BankQuestion &question,
                                        std::string &why);

/// Lanes down, values across; each cell has the offset and the bank.
std::optional<Grid> bankGrid(const layout::AnyLayout &l,
                             const BankQuestion &question, std::string &why);

} // namespace fly::drawing

#endif // FLY_DRAWING_BANKS_H
