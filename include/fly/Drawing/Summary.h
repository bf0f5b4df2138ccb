// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the calculator tells about a value besides its text: rank, depth, size,
// cosize, whether a layout maps no two coordinates to one place (injective),
// whether its image is one gapless range (contiguous), and how many
// neighbouring coordinates stay neighbours in memory (run), which is what a
// vector access can use.
//
//   S<3,3,3> o 0 o (64,8):(1,64)    injective, contiguous, run 8
//
// Nothing is guessed: what unknown leaves or sheer size leave open says so.

#ifndef FLY_DRAWING_SUMMARY_H
#define FLY_DRAWING_SUMMARY_H

#include "fly/Layout/Expression.h"

namespace fly::drawing {

enum class Answer { No, Yes, Open };

struct Summary {
  layout::Value value;
  /// Of tuples, layouts and tiles.
  std::optional<unsigned> rank, depth;
  /// Of layouts; unknown leaves stay unknown. `cosize` is the operation's: of
  /// the linear layout.
  std::optional<layout::IntTuple> size, cosize;
  /// Of layouts.
  std::optional<Answer> injective;
  /// Of layouts with integer offsets.
  std::optional<Answer> contiguous;
  /// Largest r that divides the size so that coordinates k*r .. k*r+r-1 have
  /// consecutive offsets for each k. Nothing when open.
  std::optional<int64_t> run;
  /// Why something is open or missing; empty when nothing is.
  std::string note;

  /// The value, then one property a line.
  void print(llvm::raw_ostream &os) const;
  /// One JSON object ("fly-layout/1"). Open answers are null, unknown numbers
  /// are text. `expression` is repeated in it.
  void printJson(llvm::raw_ostream &os, llvm::StringRef expression) const;
};

Summary summarize(const layout::Value &value);

} // namespace fly::drawing

#endif // FLY_DRAWING_SUMMARY_H
