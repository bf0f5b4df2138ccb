// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of `fly-layout --help`. In the examples a line that starts with
// `$ ` is a command, and what follows, up to the next blank line, is all that
// it prints.

#include "Help.h"

#include "fly/Layout/Expression.h"

static constexpr char examples[] = R"(calculates with layouts and draws them

  fly-layout EXPRESSION                value and properties
  fly-layout --draw=text EXPRESSION    a picture; --draw=svg -o FILE
  fly-layout banks EXPRESSION ...      bank conflicts of an access to LDS

  An expression is a layout, an int_tuple, a tile or a swizzle as the dialect
  writes them, a function of them, or an operand of a matrix instruction. Words
  are joined with blanks, so quotes are for the shell.

EXAMPLES

  $ fly-layout 'composition((6,2):(8,2), (4,3):(3,1))'
  ((2,2),3):((24,2),8)
  kind        layout
  rank        2
  depth       2
  size        12
  cosize      43
  injective   yes
  contiguous  no
  run         1

  Unknown leaves: what is known stays known.

  $ fly-layout 'size(flat_divide((?{div=8},16):(16,1), [8|4]))'
  ?{div=128}
  kind        int_tuple
  rank        1
  depth       0

  A swizzle moves places, and keeps 8 neighbours together (run).

  $ fly-layout 'S<3,3,3> o 0 o (64,8):(1,64)'
  S<3,3,3> o 0 o (64,8):(1,64)
  kind        composed_layout
  rank        2
  depth       1
  size        512
  cosize      512
  injective   yes
  contiguous  yes
  run         8

  Each cell has the offset and the coordinate.

  $ fly-layout --draw=text '(2,3):(3,1)'
  (2,3):(3,1)
        0       1       2
    +-------+-------+-------+
  0 |   0   |   1   |   2   |
    | (0,0) | (0,1) | (0,2) |
    +-------+-------+-------+
  1 |   3   |   4   |   5   |
    | (1,0) | (1,1) | (1,2) |
    +-------+-------+-------+

  Which thread (T) and which of its values (V) hold an element: by any layout
  (thread, value) -> column-major index in a tile, and by an instruction.

  $ fly-layout --draw=text --tv --tile=4,4 '((2,2),(2,2)):((2,8),(1,4))'
  ((2,2),(2,2)):((2,8),(1,4))
        0       1       2       3
    +-------+-------+-------+-------+
  0 | T0 V0 | T0 V2 | T2 V0 | T2 V2 |
    +-------+-------+-------+-------+
  1 | T0 V1 | T0 V3 | T2 V1 | T2 V3 |
    +-------+-------+-------+-------+
  2 | T1 V0 | T1 V2 | T3 V0 | T3 V2 |
    +-------+-------+-------+-------+
  3 | T1 V1 | T1 V3 | T3 V1 | T3 V3 |
    +-------+-------+-------+-------+

  $ fly-layout mma cdna3.mfma 16x16x16 f16 f16 f32 a
  ((16,4),4):((1,64),16)
  kind        layout
  rank        2
  depth       2
  size        256
  cosize      256
  injective   yes
  contiguous  yes
  run         16

  Rows of 128 bytes all start in bank 0: eight lanes that read 16 bytes of one
  column each take eight cycles. A swizzle spreads them.

  $ fly-layout banks --element-bits=16 --width=128 --lanes=16 '(16,8):(64,1)'
  16 lanes, each 8 elements of 16 bits at once (128 bits); 32 banks of 32 bits
  phase  lanes  cycles  busiest bank
      0  0-7         8             0
      1  8-15        8             0
  worst degree 8, 16 cycles instead of 2

  $ fly-layout banks --element-bits=16 --width=128 --lanes=16 'S<3,3,3> o 0 o (16,8):(64,1)'
  16 lanes, each 8 elements of 16 bits at once (128 bits); 32 banks of 32 bits
  phase  lanes  cycles  busiest bank
      0  0-7         1             -
      1  8-15        1             -
  worst degree 1, 2 cycles instead of 2

EXIT STATUS: 0 done, 1 the expression was refused, 2 usage or unwritable file

FUNCTIONS
)";

std::string fly::drawing::overviewText() {
  std::string text = examples;
  for (const layout::Function &function : layout::expressionFunctions())
    text += "  " + function.signature() + "\n";
  return text;
}
