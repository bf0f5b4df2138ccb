// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A picture before it is text or SVG: rows and columns of coloured cells with
// lines of text in them.
//
//   layoutGrid((2,2):(2,1))        0      1
//                                (0,0)  (0,1)
//                                  2      3
//                                (1,0)  (1,1)
//
// The law: each coordinate of a layout is one cell, each (thread, value) of a
// thread-value layout is in one cell, and nothing is drawn that was not asked;
// the same grid gives the same bytes.

#ifndef FLY_DRAWING_GRID_H
#define FLY_DRAWING_GRID_H

#include "fly/Layout/Layout.h"
#include <optional>

namespace fly::drawing {

struct Colour {
  uint8_t red = 255, green = 255, blue = 255;
  bool operator==(const Colour &o) const {
    return red == o.red && green == o.green && blue == o.blue;
  }
};

/// From light to strong, `step` of `steps`; dark text stays readable on it.
Colour shade(uint64_t step, uint64_t steps);
/// One of 64 colours that dark text is readable on: hue by the low four bits,
/// strength by the next two, then again.
Colour threadColour(uint64_t thread);
/// One of `count` hues.
Colour hue(uint64_t index, uint64_t count);

struct Cell {
  std::vector<std::string> lines; // none: nothing is there
  Colour colour;
};

struct Grid {
  std::string title;
  /// What rows and columns count, "m" and "k"; may be empty.
  std::string rowAxis, columnAxis;
  std::vector<std::string> rowLabels, columnLabels;
  /// A stronger line before each of these many rows or columns; 0: none.
  int64_t rowGroup = 0, columnGroup = 0;
  std::vector<Cell> cells; // row after row

  size_t rows() const { return rowLabels.size(); }
  size_t columns() const { return columnLabels.size(); }
  const Cell &at(size_t row, size_t column) const {
    return cells[row * columns() + column];
  }

  void printText(llvm::raw_ostream &os) const;
  void printSvg(llvm::raw_ostream &os) const;
};

/// Cells of one picture, at most.
constexpr int64_t maxCells = 1 << 14;

/// Mode 0 of a layout down, its other modes across (a layout of one mode is
/// one row); in each cell the offset and the coordinate (row, column). Nothing
/// and why for layouts that are not static or too large.
std::optional<Grid> layoutGrid(const layout::AnyLayout &l, std::string &why);

/// A tile (M,N) with the thread and the value that hold each element. `l` maps
/// (thread, value) to the column-major index in the tile, or to a coordinate
/// (m,n) when its strides are basis elements. Without a tile: a single row as
/// long as the cosize, or the coshape.
std::optional<Grid> threadValueGrid(const layout::AnyLayout &l,
                                    const std::optional<layout::IntTuple> &tile,
                                    std::string &why);

} // namespace fly::drawing

#endif // FLY_DRAWING_GRID_H
