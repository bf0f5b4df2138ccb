// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts and thread-value layouts as grids, and the colours of cells.
//
// In: a static layout. Out: cells. Colours are computed with integers, so
// that pictures are the same bytes everywhere.

#include "fly/Drawing/Grid.h"

#include "fly/Drawing/PointMap.h"
#include "fly/Layout/Algebra.h"

#include <algorithm>

using namespace fly::drawing;
using namespace fly::layout;

//===----------------------------------------------------------------------===//
// Colours
//===----------------------------------------------------------------------===//

/// The colour of a hue in 1536ths of the circle, mixed with white: `strength`
/// is between 0 (white) and 255 (the pure colour).
static Colour mixed(uint64_t hue, uint64_t strength) {
  uint64_t sector = hue / 256 % 6, ramp = hue % 256;
  uint64_t up = ramp, down = 255 - ramp;
  const uint64_t table[6][3] = {{255, up, 0},   {down, 255, 0}, {0, 255, up},
                                {0, down, 255}, {up, 0, 255},   {255, 0, down}};
  auto mix = [&](uint64_t channel) {
    return static_cast<uint8_t>(255 - (255 - channel) * strength / 255);
  };
  return {mix(table[sector][0]), mix(table[sector][1]), mix(table[sector][2])};
}

Colour fly::drawing::shade(uint64_t step, uint64_t steps) {
  constexpr uint64_t blue = 900;
  uint64_t last = steps > 1 ? steps - 1 : 1;
  // Only the ratio counts; keep the product small.
  while (last > (uint64_t(1) << 32)) {
    last >>= 1;
    step >>= 1;
  }
  return mixed(blue, 12 + std::min(step, last) * 118 / last);
}

Colour fly::drawing::threadColour(uint64_t thread) {
  return mixed(thread % 16 * 96, 50 + thread / 16 % 4 * 28);
}

Colour fly::drawing::hue(uint64_t index, uint64_t count) {
  return mixed(count ? index % count * 1536 / count : 0, 110);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// The coordinate of a column-major index in a shape, with the shape's tree:
/// 5 in (2,(2,3)) is (1,(0,1)).
static IntTuple coordinateAt(const IntTuple &shape, int64_t &index) {
  if (shape.isLeaf()) {
    int64_t extent = shape.leaf().value();
    int64_t digit = index % extent;
    index /= extent;
    return IntTuple(digit);
  }
  std::vector<IntTuple> digits;
  for (const IntTuple &child : shape.elements())
    digits.push_back(coordinateAt(child, index));
  return IntTuple::tuple(std::move(digits));
}

/// One label a coordinate of `shape`.
static std::vector<std::string> labelsOf(const IntTuple &shape, int64_t size) {
  std::vector<std::string> labels;
  for (int64_t i = 0; i != size; ++i) {
    int64_t index = i;
    labels.push_back(coordinateAt(shape, index).str());
  }
  return labels;
}

/// Coordinates that make one block: the first leaf's, when there are more.
static int64_t groupOf(const IntTuple &shape) {
  std::vector<IntTuple> leaves = shape.leaves();
  return leaves.size() > 1 ? leaves.front().leaf().value() : 0;
}

static bool checkCells(int64_t rows, int64_t columns, std::string &why) {
  if (rows <= maxCells && columns <= maxCells && rows * columns <= maxCells)
    return true;
  why = "the picture would have " + std::to_string(rows) + " x " +
        std::to_string(columns) + " cells, at most " +
        std::to_string(maxCells) + " are drawn";
  return false;
}

/// The shape down and the shape across.
static std::pair<IntTuple, IntTuple> sidesOf(const IntTuple &shape) {
  if (shape.isLeaf() || shape.rank() == 1)
    return {IntTuple(1), shape.isLeaf() ? shape : shape.at(0)};
  if (shape.rank() == 2)
    return {shape.at(0), shape.at(1)};
  std::vector<IntTuple> others(shape.elements().begin() + 1,
                               shape.elements().end());
  return {shape.at(0), IntTuple::tuple(std::move(others))};
}

/// The number of coordinates of a shape that a PointMap has accepted.
static int64_t sizeOf(const IntTuple &shape) {
  int64_t size = 1;
  shape.forEachLeaf([&](const IntTuple &leaf) { size *= leaf.leaf().value(); });
  return size;
}

/// The coordinate of a cell, each mode of the layout as one number: row 1,
/// column 5 of (2,3,4) is (1,2,1).
static std::string coordinateOf(const IntTuple &shape, int64_t row,
                                int64_t column) {
  if (shape.isLeaf() || shape.rank() == 1)
    return std::to_string(column);
  std::string text = "(" + std::to_string(row);
  for (unsigned i = 1, e = shape.rank(); i != e; ++i) {
    int64_t extent = sizeOf(shape.at(i));
    text += "," + std::to_string(i + 1 == e ? column : column % extent);
    column /= extent;
  }
  return text + ")";
}

std::optional<Grid> fly::drawing::layoutGrid(const AnyLayout &l,
                                             std::string &why) {
  std::optional<PointMap> map = PointMap::of(l, why);
  if (!map)
    return std::nullopt;
  const IntTuple &shape = l.linear().shape;
  auto [down, across] = sidesOf(shape);
  int64_t rows = sizeOf(down), columns = sizeOf(across);
  if (!checkCells(rows, columns, why))
    return std::nullopt;
  Grid grid;
  grid.title = l.str();
  grid.rowLabels = labelsOf(down, rows);
  grid.columnLabels = labelsOf(across, columns);
  grid.rowGroup = groupOf(down);
  grid.columnGroup = groupOf(across);
  std::vector<int64_t> offsets;
  for (int64_t i = 0; i != rows * columns; ++i) {
    int64_t row = i / columns, column = i % columns;
    std::optional<IntTuple> image = map->at(row + column * rows, why);
    if (!image)
      return std::nullopt;
    Cell cell;
    cell.lines = {image->str(), coordinateOf(shape, row, column)};
    grid.cells.push_back(std::move(cell));
    if (image->isInt())
      offsets.push_back(image->leaf().value());
  }
  // Light to strong by offset; coordinates as offsets have no order.
  if (offsets.size() == grid.cells.size()) {
    auto [low, high] = std::minmax_element(offsets.begin(), offsets.end());
    uint64_t first = *low, steps = uint64_t(*high) - first + 1;
    for (size_t i = 0; i != offsets.size(); ++i)
      grid.cells[i].colour = shade(uint64_t(offsets[i]) - first, steps);
  }
  return grid;
}

//===----------------------------------------------------------------------===//
// Thread-value layouts
//===----------------------------------------------------------------------===//

/// Owners that a cell names before it counts the rest.
static constexpr size_t maxOwners = 4;

/// The two extents of a tile; nothing and why for other tuples.
static std::optional<std::pair<int64_t, int64_t>>
extentsOf(const IntTuple &tile, std::string &why) {
  std::vector<int64_t> extents;
  for (unsigned i = 0, e = tile.rank(); i != e; ++i) {
    IntTuple leaf = tile.at(i);
    if (leaf.isInt() && leaf.isStatic() && leaf.leaf().value() > 0)
      extents.push_back(leaf.leaf().value());
  }
  if (extents.size() != tile.rank() || extents.size() > 2) {
    why =
        "expected a tile of one or two positive extents such as (16,8), got " +
        tile.str();
    return std::nullopt;
  }
  if (extents.size() == 1)
    extents.insert(extents.begin(), 1);
  return std::make_pair(extents[0], extents[1]);
}

/// The tile when none is given: what the layout reaches.
static std::optional<IntTuple> reachOf(const Layout &l, std::string &why) {
  StaticArith arith;
  IntTuple reach = coshape(arith, l);
  if (!arith.failed())
    return reach;
  why = arith.message();
  return std::nullopt;
}

/// The cell, row after row, that an image names; nothing when it is outside.
static std::optional<int64_t> cellOf(const IntTuple &image, int64_t rows,
                                     int64_t columns) {
  int64_t row = 0, column = 0;
  if (image.isInt()) {
    int64_t index = image.leaf().value();
    if (index < 0)
      return std::nullopt;
    row = index % rows;
    column = index / rows;
  } else {
    IntTuple place = image.isBasis() ? basisToTuple(image) : image;
    if (place.rank() > 2 || !place.at(0).isInt())
      return std::nullopt;
    row = place.at(0).leaf().value();
    if (place.rank() == 2 && !place.at(1).isInt())
      return std::nullopt;
    column = place.rank() == 2 ? place.at(1).leaf().value() : 0;
  }
  if (row < 0 || row >= rows || column < 0 || column >= columns)
    return std::nullopt;
  return row * columns + column;
}

std::optional<Grid> fly::drawing::threadValueGrid(
    const AnyLayout &l, const std::optional<IntTuple> &tile, std::string &why) {
  std::optional<PointMap> map = PointMap::of(l, why);
  if (!map)
    return std::nullopt;
  const IntTuple &shape = l.linear().shape;
  if (shape.rank() != 2) {
    why = "expected a layout of two modes, (thread, value), got " + l.str();
    return std::nullopt;
  }
  std::optional<IntTuple> wanted = tile ? tile : reachOf(l.linear(), why);
  if (!wanted)
    return std::nullopt;
  std::optional<std::pair<int64_t, int64_t>> extents = extentsOf(*wanted, why);
  if (!extents || !checkCells(extents->first, extents->second, why))
    return std::nullopt;
  auto [rows, columns] = *extents;
  if (map->size() > maxCells) {
    why = "a layout of " + std::to_string(map->size()) + " values, at most " +
          std::to_string(maxCells) + " are drawn";
    return std::nullopt;
  }
  Grid grid;
  grid.title = l.str();
  grid.rowLabels = labelsOf(IntTuple(rows), rows);
  grid.columnLabels = labelsOf(IntTuple(columns), columns);
  grid.cells.resize(rows * columns);
  std::vector<size_t> owners(grid.cells.size());
  int64_t threads = sizeOf(shape.at(0));
  for (int64_t i = 0; i != map->size(); ++i) {
    std::optional<IntTuple> image = map->at(i, why);
    if (!image)
      return std::nullopt;
    int64_t thread = i % threads, value = i / threads;
    std::string name =
        "T" + std::to_string(thread) + " V" + std::to_string(value);
    std::optional<int64_t> place = cellOf(*image, rows, columns);
    if (!place) {
      why = name + " is at " + image->str() + ", outside of the tile (" +
            std::to_string(rows) + "," + std::to_string(columns) + ")";
      return std::nullopt;
    }
    Cell &cell = grid.cells[*place];
    size_t count = ++owners[*place];
    if (count == 1)
      cell.colour = threadColour(thread);
    if (count <= maxOwners)
      cell.lines.push_back(std::move(name));
    else if (count == maxOwners + 1)
      cell.lines.push_back("+1");
    else
      cell.lines.back() = "+" + std::to_string(count - maxOwners);
  }
  return grid;
}
