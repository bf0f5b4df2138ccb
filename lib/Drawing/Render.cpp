// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid as text and as SVG.
//
// In: a grid. Out: lines of ASCII, or one self-contained SVG document with
// generic fonts. Sizes follow from the longest text, in whole pixels, so that
// the bytes depend on the grid alone.
//
//         0       1
//     +-------+-------+
//   0 |   0   |   1   |
//     | (0,0) | (0,1) |
//     +-------+-------+

#include "fly/Drawing/Grid.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::drawing;

/// The widest and the tallest text of all cells.
static std::pair<size_t, size_t> textSize(const Grid &grid) {
  size_t width = 1, height = 1;
  for (const Cell &cell : grid.cells) {
    height = std::max(height, cell.lines.size());
    for (const std::string &line : cell.lines)
      width = std::max(width, line.size());
  }
  for (const std::string &label : grid.columnLabels)
    width = std::max(width, label.size());
  return {width, height};
}

static size_t labelWidth(const Grid &grid) {
  size_t width = 0;
  for (const std::string &label : grid.rowLabels)
    width = std::max(width, label.size());
  return width;
}

/// "m down, k across": which way the axes go; empty without names.
static std::string axesText(const Grid &grid) {
  if (grid.rowAxis.empty() || grid.columnAxis.empty())
    return "";
  return grid.rowAxis + " down, " + grid.columnAxis + " across";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string centred(llvm::StringRef text, size_t width) {
  size_t free = width > text.size() ? width - text.size() : 0;
  return std::string(free / 2, ' ') + text.str() +
         std::string(free - free / 2, ' ');
}

/// Writes a line without blanks at its end.
static void printLine(llvm::raw_ostream &os, llvm::StringRef line) {
  os << line.rtrim() << "\n";
}

/// True when a stronger line goes before this row or column.
static bool startsGroup(int64_t group, size_t index) {
  return group > 0 && index != 0 && index % static_cast<size_t>(group) == 0;
}

void Grid::printText(llvm::raw_ostream &os) const {
  auto [width, height] = textSize(*this);
  std::string margin(labelWidth(*this), ' ');
  os << title << "\n";
  if (std::string axes = axesText(*this); !axes.empty())
    os << axes << "\n";
  std::string header = margin + " ";
  std::string plain = margin + " ", strong = margin + " ";
  for (size_t column = 0; column != columns(); ++column) {
    header += " " + centred(columnLabels[column], width + 2);
    plain += "+" + std::string(width + 2, '-');
    strong += "+" + std::string(width + 2, '=');
  }
  printLine(os, header);
  for (size_t row = 0; row != rows(); ++row) {
    os << (startsGroup(rowGroup, row) ? strong : plain) << "+\n";
    for (size_t line = 0; line != height; ++line) {
      std::string text =
          line ? margin
               : std::string(margin.size() - rowLabels[row].size(), ' ') +
                     rowLabels[row];
      text += " ";
      for (size_t column = 0; column != columns(); ++column) {
        const std::vector<std::string> &lines = at(row, column).lines;
        llvm::StringRef word;
        if (line < lines.size())
          word = lines[line];
        text += startsGroup(columnGroup, column) ? "#" : "|";
        text += centred(word, width + 2);
      }
      printLine(os, text + "|");
    }
  }
  os << plain << "+\n";
}

//===----------------------------------------------------------------------===//
// SVG
//===----------------------------------------------------------------------===//

/// Pixels: the font's size, the height of a line, and what is left around.
static constexpr size_t fontSize = 12, lineHeight = 15, padding = 7;

/// Pixels of `count` letters of a fixed-width font of that size, rounded up.
static size_t pixels(size_t count) {
  return (count * fontSize * 61 + 99) / 100;
}

static std::string escaped(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

static void printSvgText(llvm::raw_ostream &os, size_t x, size_t y,
                         llvm::StringRef anchor, llvm::StringRef extra,
                         llvm::StringRef text) {
  os << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor
     << "\"" << extra << ">" << escaped(text) << "</text>\n";
}

static void printColour(llvm::raw_ostream &os, Colour colour) {
  os << "#" << llvm::format_hex_no_prefix(colour.red, 2)
     << llvm::format_hex_no_prefix(colour.green, 2)
     << llvm::format_hex_no_prefix(colour.blue, 2);
}

namespace {
/// Where things are, in pixels.
struct Places {
  size_t cellWidth, cellHeight, left, top, right, bottom, width, height;
};
} // namespace

static Places placesOf(const Grid &grid) {
  auto [letters, lines] = textSize(grid);
  Places p;
  p.cellHeight = std::max<size_t>(lines, 2) * lineHeight + padding;
  p.cellWidth = std::max(pixels(letters) + 2 * padding, p.cellHeight);
  p.left = pixels(labelWidth(grid)) + 2 * padding;
  size_t head = grid.rowAxis.empty() ? 2 : 3;
  p.top = head * (lineHeight + 4);
  p.right = p.left + grid.columns() * p.cellWidth;
  p.bottom = p.top + grid.rows() * p.cellHeight;
  p.width = std::max(p.right, padding + pixels(grid.title.size())) + padding;
  p.height = p.bottom + padding;
  return p;
}

static void printCell(llvm::raw_ostream &os, const Grid &grid, const Places &p,
                      size_t row, size_t column) {
  const Cell &cell = grid.at(row, column);
  size_t x = p.left + column * p.cellWidth, y = p.top + row * p.cellHeight;
  os << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << p.cellWidth
     << "\" height=\"" << p.cellHeight << "\" fill=\"";
  printColour(os, cell.colour);
  os << "\" stroke=\"#888888\"/>\n";
  size_t textHeight = cell.lines.size() * lineHeight;
  size_t baseline =
      y + (p.cellHeight - std::min(textHeight, p.cellHeight)) / 2 + fontSize;
  for (size_t i = 0; i != cell.lines.size(); ++i)
    printSvgText(os, x + p.cellWidth / 2, baseline + i * lineHeight, "middle",
                 "", cell.lines[i]);
}

/// The stronger lines between groups.
static void printGroups(llvm::raw_ostream &os, const Grid &grid,
                        const Places &p) {
  auto line = [&](size_t x1, size_t y1, size_t x2, size_t y2) {
    os << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2
       << "\" y2=\"" << y2 << "\" stroke=\"#111111\" stroke-width=\"2\"/>\n";
  };
  for (size_t row = 1; row < grid.rows(); ++row)
    if (startsGroup(grid.rowGroup, row))
      line(p.left, p.top + row * p.cellHeight, p.right,
           p.top + row * p.cellHeight);
  for (size_t column = 1; column < grid.columns(); ++column)
    if (startsGroup(grid.columnGroup, column))
      line(p.left + column * p.cellWidth, p.top, p.left + column * p.cellWidth,
           p.bottom);
}

void Grid::printSvg(llvm::raw_ostream &os) const {
  Places p = placesOf(*this);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << p.width
     << "\" height=\"" << p.height << "\" viewBox=\"0 0 " << p.width << " "
     << p.height << "\" role=\"img\" font-family=\"DejaVu Sans Mono, Menlo, "
     << "Consolas, monospace\" font-size=\"" << fontSize
     << "\" fill=\"#111111\">\n<title>" << escaped(title) << "</title>\n"
     << "<rect width=\"" << p.width << "\" height=\"" << p.height
     << "\" fill=\"#ffffff\"/>\n";
  printSvgText(os, padding, fontSize + 4, "start", " font-weight=\"bold\"",
               title);
  if (std::string axes = axesText(*this); !axes.empty())
    printSvgText(os, padding, fontSize + 4 + lineHeight + 4, "start", "", axes);
  for (size_t column = 0; column != columns(); ++column)
    printSvgText(os, p.left + column * p.cellWidth + p.cellWidth / 2, p.top - 5,
                 "middle", " fill=\"#555555\"", columnLabels[column]);
  for (size_t row = 0; row != rows(); ++row) {
    printSvgText(os, p.left - padding,
                 p.top + row * p.cellHeight + p.cellHeight / 2 + 4, "end",
                 " fill=\"#555555\"", rowLabels[row]);
    for (size_t column = 0; column != columns(); ++column)
      printCell(os, *this, p, row, column);
  }
  printGroups(os, *this, p);
  os << "</svg>\n";
}
