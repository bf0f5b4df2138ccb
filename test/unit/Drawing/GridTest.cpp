// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures show each coordinate, or each (thread, value), once and in its
// place; text and SVG hold what the grid holds; text on each colour can be
// read.

#include "fly/Drawing/Grid.h"

#include "RandomLayouts.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <set>

using namespace fly::drawing;
using namespace fly::layout;

namespace {

std::string textOf(const Grid &grid) {
  std::string text;
  llvm::raw_string_ostream os(text);
  grid.printText(os);
  return text;
}

std::string svgOf(const Grid &grid) {
  std::string text;
  llvm::raw_string_ostream os(text);
  grid.printSvg(os);
  return text;
}

TEST(Grid, EachCoordinateIsOneCell) {
  laws::forEachCase(
      [&](laws::Random &random) {
        AnyLayout l = randomLayout(random, 4, 60);
        std::string why;
        std::optional<Grid> grid = layoutGrid(l, why);
        ASSERT_TRUE(grid) << l.str() << ": " << why;
        std::vector<int64_t> expected = offsets(l);
        ASSERT_EQ(grid->cells.size(), expected.size());
        ASSERT_EQ(grid->rows() * grid->columns(), expected.size());
        // Rows are mode 0 unless there is only one.
        bool isRow = l.linear().isLeaf() || l.rank() == 1;
        int64_t rows = isRow ? 1 : laws::numPoints(l.linear().at(0));
        ASSERT_EQ(static_cast<int64_t>(grid->rows()), rows) << l.str();
        for (size_t i = 0; i != expected.size(); ++i) {
          const Cell &cell = grid->at(i % rows, i / rows);
          EXPECT_EQ(cell.lines.front(), std::to_string(expected[i]));
          // One number a mode, the first mode fastest.
          std::string coordinate;
          size_t rest = i;
          for (unsigned mode = 0; mode != l.rank() && !isRow; ++mode) {
            size_t points = laws::numPoints(l.linear().at(mode));
            coordinate += (mode ? "," : "(") + std::to_string(rest % points);
            rest /= points;
          }
          coordinate = isRow ? std::to_string(i) : coordinate + ")";
          EXPECT_EQ(cell.lines.back(), coordinate);
        }
      },
      10);
}

/// The text reads back: rows of cells between bars.
TEST(Grid, TextHoldsTheCells) {
  laws::forEachCase(
      [&](laws::Random &random) {
        std::string why;
        std::optional<Grid> grid = layoutGrid(randomLayout(random, 3, 40), why);
        ASSERT_TRUE(grid);
        std::string text = textOf(*grid);
        llvm::SmallVector<llvm::StringRef> lines;
        llvm::StringRef(text).split(lines, '\n');
        std::vector<std::vector<std::string>> found;
        for (llvm::StringRef line : lines) {
          EXPECT_EQ(line, line.rtrim());
          std::string bars = line.str();
          std::replace(bars.begin(), bars.end(), '#', '|');
          llvm::SmallVector<llvm::StringRef> words;
          llvm::StringRef(bars).split(words, '|');
          if (words.size() < 2)
            continue;
          found.emplace_back();
          for (llvm::StringRef word :
               llvm::ArrayRef(words).drop_front().drop_back())
            found.back().push_back(word.trim().str());
        }
        ASSERT_EQ(found.size(), grid->rows() * 2) << text;
        for (size_t row = 0; row != grid->rows(); ++row)
          for (size_t column = 0; column != grid->columns(); ++column)
            for (size_t line = 0; line != 2; ++line)
              EXPECT_EQ(found[row * 2 + line][column],
                        grid->at(row, column).lines[line]);
      },
      20);
}

TEST(Grid, EachThreadAndValueIsInItsPlace) {
  unsigned shared = 0;
  laws::forEachCase(
      [&](laws::Random &random) {
        Layout l = {IntTuple::tuple({}), IntTuple::tuple({})};
        Layout thread = laws::mixedLayout(random, 2, 12);
        Layout value = laws::mixedLayout(random, 2, 8);
        l = {IntTuple::tuple({thread.shape, value.shape}),
             IntTuple::tuple({thread.stride, value.stride})};
        StaticArith arith;
        int64_t reach = cosize(arith, l).leaf().value();
        int64_t rows = random.between(1, 8), columns = reach / rows + 1;
        std::string why;
        std::optional<Grid> grid =
            threadValueGrid(l, IntTuple::of({rows, columns}), why);
        ASSERT_TRUE(grid) << l.str() << ": " << why;
        // Owners by place, in the order of values, then threads.
        std::vector<std::vector<std::string>> owners(rows * columns);
        std::vector<int64_t> points = offsets(AnyLayout(l));
        int64_t threads = laws::numPoints(thread);
        for (int64_t i = 0, e = points.size(); i != e; ++i)
          owners[points[i]].push_back("T" + std::to_string(i % threads) + " V" +
                                      std::to_string(i / threads));
        for (int64_t i = 0; i != rows * columns; ++i) {
          std::vector<std::string> expected = owners[i];
          if (expected.size() > 4) {
            std::string others = "+" + std::to_string(expected.size() - 4);
            expected.resize(4);
            expected.push_back(others);
            ++shared;
          }
          EXPECT_EQ(grid->at(i % rows, i / rows).lines, expected) << l.str();
        }
      },
      10);
  EXPECT_GT(shared, 0u);
}

TEST(Grid, BasisStridesNameTheCell) {
  std::string why;
  std::optional<Grid> grid = threadValueGrid(
      readAnyLayout("((2,4),2):((1E1,1E0),4E0)"), std::nullopt, why);
  ASSERT_TRUE(grid) << why;
  EXPECT_EQ(grid->rows(), 8u);
  EXPECT_EQ(grid->columns(), 2u);
  EXPECT_EQ(grid->at(5, 1).lines.front(), "T3 V1"); // thread (1,1), value 1
  EXPECT_EQ(grid->at(5, 1).colour, threadColour(3));
}

TEST(Grid, RefusesWithReasons) {
  std::string why;
  EXPECT_FALSE(layoutGrid(readAnyLayout("(256,256):(1,256)"), why));
  EXPECT_EQ(why, "the picture would have 256 x 256 cells, at most 16384 are "
                 "drawn");
  EXPECT_FALSE(layoutGrid(readAnyLayout("(2,?):(1,2)"), why));
  EXPECT_FALSE(threadValueGrid(readAnyLayout("8:1"), std::nullopt, why));
  EXPECT_EQ(why, "expected a layout of two modes, (thread, value), got 8:1");
  EXPECT_FALSE(
      threadValueGrid(readAnyLayout("(4,2):(1,4)"), IntTuple::of({2, 3}), why));
  EXPECT_EQ(why, "T2 V1 is at 6, outside of the tile (2,3)");
  EXPECT_FALSE(threadValueGrid(readAnyLayout("(4,2):(1,4)"),
                               IntTuple::of({2, 2, 2}), why));
  EXPECT_EQ(why, "expected a tile of one or two positive extents such as "
                 "(16,8), got (2,2,2)");
}

TEST(Grid, SvgHasARectangleAndATextForEach) {
  std::string why;
  std::optional<Grid> grid =
      layoutGrid(readAnyLayout("S<1,0,1> o 0 o (2,4):(1,2)"), why);
  ASSERT_TRUE(grid);
  std::string svg = svgOf(*grid);
  EXPECT_EQ(svg, svgOf(*grid));
  EXPECT_EQ(llvm::StringRef(svg).count("<rect "), 9u); // the ground and 8 cells
  EXPECT_EQ(llvm::StringRef(svg).count("<text "), 1u + 2 + 4 + 16);
  EXPECT_NE(svg.find("S&lt;1,0,1&gt; o 0 o (2,4):(1,2)"), std::string::npos);
  EXPECT_EQ(svg.find("S<1"), std::string::npos);
}

/// Relative luminance and contrast as the Web Content Accessibility
/// Guidelines define them; 4.5 is what they ask for.
double luminance(Colour colour) {
  auto linear = [](uint8_t channel) {
    double c = channel / 255.0;
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) +
         0.0722 * linear(colour.blue);
}

TEST(Grid, TextIsReadableOnEachColour) {
  Colour ink{0x11, 0x11, 0x11};
  auto check = [&](Colour colour) {
    double contrast = (luminance(colour) + 0.05) / (luminance(ink) + 0.05);
    EXPECT_GE(contrast, 4.5) << int(colour.red) << " " << int(colour.green)
                             << " " << int(colour.blue);
  };
  std::set<std::tuple<int, int, int>> different;
  for (uint64_t i = 0; i != 64; ++i) {
    Colour colour = threadColour(i);
    check(colour);
    different.insert({colour.red, colour.green, colour.blue});
    check(hue(i, 64));
    check(shade(i, 64));
  }
  EXPECT_EQ(different.size(), 64u);
  check(shade(~uint64_t(0), ~uint64_t(0)));
  check(shade(0, 0));
  check(hue(5, 0));
}

} // namespace
