// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix instructions as words of an expression: which lane holds which
// element of an operand, from the table of instructions.
//
//   mma cdna3.mfma 16x16x16 f16 f16 f32 c
//     ((16,4),(4,1)):((16,4),(1,16)) over the tile (16,16)
//
// In: the family, M x N x K, the three element types and the operand (a, b, c
// or d). Out: its (thread, value) layout, or an error that names what the
// table has.

#ifndef FLY_DRAWING_ATOMS_H
#define FLY_DRAWING_ATOMS_H

#include "fly/Drawing/Grid.h"
#include "fly/Layout/Expression.h"

namespace fly::drawing {

/// An operand of a matrix instruction.
struct AtomOperand {
  std::string title;
  layout::Layout threadValue;
  layout::IntTuple tile;
  std::string rowAxis, columnAxis;

  /// The tile with the owners of its elements.
  std::optional<Grid> grid(std::string &why) const;
};

/// Reads an operand at the start of `text` and answers how much of it was
/// read; 0 when `text` does not start with the word `mma`, or after an error.
size_t readAtom(llvm::StringRef text, AtomOperand &out,
                layout::ExpressionError &error);

/// As a vocabulary of expressions: the operand's (thread, value) layout.
size_t atomWords(llvm::StringRef text, layout::Value &value,
                 layout::ExpressionError &error);

} // namespace fly::drawing

#endif // FLY_DRAWING_ATOMS_H
