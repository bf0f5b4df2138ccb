// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar of layout text: what is printed reads back, blanks are free, and
// each mistake is reported where it stands.

#include "Laws.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::layout;
using namespace fly::layout::laws;

namespace {

TEST(Text, Examples) {
  const std::pair<const char *, const char *> tuples[] = {
      {"4", "4"},
      {"( 4 , ( 2 , 3 ) )", "(4,(2,3))"},
      {"(?, ?{i64 div=8}, 3)", "(?,?{i64 div=8},3)"},
      {"(*, 3)", "(*,3)"},
      {"(1E0, (2E1E0, 1E1E1))", "(1E0,(2E1E0,1E1E1))"},
      {"((4))", "((4))"},
      {"?{}", "?"},
      {"?{i32}", "?"},
      {"?{ i32 div = 4 }", "?{div=4}"},
      {"?{div=-8}", "?{div=8}"},
      {"*E0", "0E0"},
      {"-2 E1", "-2E1"},
      {"?{i64 div=2}E1", "?{i64 div=2}E1"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"007", "7"}};
  for (auto [text, printed] : tuples)
    EXPECT_EQ(readTuple(text).str(), printed);
  const std::pair<const char *, const char *> layouts[] = {
      {"(4,8) : (1,4)", "(4,8):(1,4)"},
      {"S<3,0,3> o 0 o (8,8) : (1,8)", "S<3,0,3> o 0 o (8,8):(1,8)"},
      {"32:2 o 5 o 8:1 o 4 o 2:1", "32:2 o 5 o 8:1 o 4 o 2:1"},
      {"32:2 o 5 o [8:1 o 4 o 2:1]", "32:2 o 5 o [8:1 o 4 o 2:1]"},
      {"S<1,2,3> o 0 o [8:1]", "S<1,2,3> o 0 o 8:1"},
      {"CS< 3,0,[ 1,0 ],0,[2, 1, 0]> o (0,0) o (4,4):(1E0,1E1)",
       "CS<3,0,[1, 0],0,[2, 1, 0]> o (0,0) o (4,4):(1E0,1E1)"},
      {"CS<0,5,[],7,[]>o 0 o 4:1", "CS<0,5,[],7,[]> o 0 o 4:1"}};
  for (auto [text, printed] : layouts)
    EXPECT_EQ(readAnyLayout(text).str(), printed);
  for (const char *text :
       {"4", "*", "4:2", "(4,8):(1,4)", "[4]", "[4|*|8]", "[(4,8):(1,4)|8]",
        "[[4|2]|8]", "[[*|2:1]|8]", "[?{div=4}|2]"})
    EXPECT_EQ(readTile(text).str(), text);
}

TEST(Text, ChainsAssociateToTheLeft) {
  AnyLayout flat = readAnyLayout("32:2 o 5 o 8:1 o 4 o 2:1");
  ASSERT_TRUE(flat.isComposed());
  EXPECT_EQ(flat.composed().inner.layout.str(), "32:2 o 5 o 8:1");
  EXPECT_EQ(flat.composed().outer.str(), "2:1");
  AnyLayout bracketed = readAnyLayout("32:2 o 5 o [8:1 o 4 o 2:1]");
  EXPECT_EQ(bracketed.composed().inner.layout.str(), "32:2");
  EXPECT_EQ(bracketed.composed().outer.str(), "8:1 o 4 o 2:1");
}

enum class What { Tuple, Layout, Any, Tile, Int, IntOrNone, Basis };

std::string problemOf(What what, llvm::StringRef text) {
  TextSource source(text);
  bool read = false;
  IntTuple tuple;
  Layout layout;
  AnyLayout any;
  Tile tile;
  Int number;
  switch (what) {
  case What::Tuple:
    read = parseIntTuple(source, tuple);
    break;
  case What::Layout:
    read = parseLayout(source, layout);
    break;
  case What::Any:
    read = parseAnyLayout(source, any);
    break;
  case What::Tile:
    read = parseTile(source, tile);
    break;
  case What::Int:
    read = parseInt(source, number, /*allowNone=*/false);
    break;
  case What::IntOrNone:
    read = parseInt(source, number, /*allowNone=*/true);
    break;
  case What::Basis:
    read = parseBasis(source, tuple);
    break;
  }
  if (read)
    return source.atEnd() ? "" : "rest";
  return std::to_string(source.errorColumn()) + ": " + source.errorMessage();
}

TEST(Text, Mistakes) {
  const std::tuple<What, const char *, const char *> cases[] = {
      {What::Tuple, "()", "1: expected an integer, '?', '*' or '(', found ')'"},
      {What::Tuple, "(1,)",
       "3: expected an integer, '?', '*' or '(', found ')'"},
      {What::Tuple, "(4", "2: expected ',' or ')' in the tuple, found the end"},
      {What::Tuple, "E0",
       "0: expected an integer, '?', '*' or '(', found 'E0'"},
      {What::Tuple, "1e0", "rest"},
      {What::Tuple, "1E", "rest"},
      {What::Tuple, "0x10", "rest"},
      {What::Tuple, "1E0E",
       "4: expected 'E' and a mode number in the basis "
       "element"},
      {What::Tuple, "1E99999",
       "7: mode number 99999 of a basis element is "
       "larger than 1023"},
      {What::Tuple, "9223372036854775808", "0: integer value too large"},
      {What::Tuple, "?{i16}",
       "2: expected '}' after the width and the divisor, as in ?{i64 div=4}, "
       "found 'i16'"},
      {What::Tuple, "?{div=4 i64}",
       "8: expected '}' after the width and the divisor, as in ?{i64 div=4}, "
       "found 'i64'"},
      {What::Tuple, "?{i64, div=4}",
       "5: expected '}' after the width and the divisor, as in ?{i64 div=4}, "
       "found ','"},
      {What::Tuple, "?{div=0}", "7: divisor must not be 0"},
      {What::IntOrNone, "x", "0: expected an integer, '?' or '*', found 'x'"},
      {What::Int, "*", "0: expected an integer or '?', found '*'"},
      {What::Basis, "4",
       "1: expected 'E' and a mode number after the integer, as in 2E0, found "
       "the end"},
      {What::Layout, "(4,8):1",
       "7: shape (4,8) and stride 1 are not congruent"},
      {What::Layout, "4",
       "1: expected ':' and a stride after the shape 4, as in (4,8):(1,4), "
       "found the end"},
      {What::Any, "S<1,2,3>",
       "8: expected 'o', an offset, 'o' and a layout after the swizzle, as in "
       "S<3,3,3> o 0 o (8,8):(8,1), found the end"},
      {What::Any, "S<-1,2,3> o 0 o 4:1",
       "10: swizzle parameters must not be negative, got S<-1,2,3>"},
      {What::Any, "S<20,8,4> o 0 o 4:1",
       "10: mask, base and shift of a swizzle must add up to at most 31, got "
       "S<20,8,4>"},
      {What::Any, "CS<3,0,[-1],0,[2]> o 0 o 4:1",
       "10: mode number -1 of a path is not between 0 and 1023"},
      {What::Any, "[8:1 o 0 o 4:1] o 4 o 2:1",
       "0: expected an integer, '?', '*' or '(', found '['"},
      {What::Any, "8:1 o 4 2:1",
       "8: expected 'o' and a layout after the offset 4, as in S<3,3,3> o 0 o "
       "(8,8):(8,1), found '2'"},
      {What::Tile, "(4)",
       "3: expected an integer, '*' or a layout in the "
       "tile, got (4); a tile for each mode is written [4|8]"},
      {What::Tile, "[1E0|2]",
       "4: expected an integer, '*' or a layout in the "
       "tile, got 1E0; a tile for each mode is written [4|8]"},
      {What::Tile, "[]", "1: expected an integer, '?', '*' or '(', found ']'"},
      {What::Tile, "[4|2", "4: expected '|' or ']' in the tile, found the end"},
      {What::Tile, "[4,2]", "2: expected '|' or ']' in the tile, found ','"},
      {What::Tile, "4|2",
       "2: a tile for each mode needs brackets, as in [4|8]"},
      {What::Layout, "4\x01",
       "1: expected ':' and a stride after the shape 4, as in (4,8):(1,4), "
       "found an unprintable character"},
  };
  for (auto [what, text, problem] : cases)
    EXPECT_EQ(problemOf(what, text), problem) << text;
}

TEST(Text, NestingIsBounded) {
  auto deep = [](unsigned levels) {
    return std::string(levels, '(') + "4" + std::string(levels, ')');
  };
  EXPECT_EQ(problemOf(What::Tuple, deep(250)), "");
  EXPECT_NE(problemOf(What::Tuple, deep(257)).find("nesting deeper than 256"),
            std::string::npos);
  EXPECT_NE(problemOf(What::Tuple, deep(200000)).find("nesting"),
            std::string::npos);
  std::string tiles = std::string(100000, '[') + "4";
  EXPECT_NE(problemOf(What::Tile, tiles).find("nesting"), std::string::npos);
  std::string chain = "4:1", brackets;
  for (int i = 0; i != 5000; ++i) {
    chain += " o 0 o 4:1";
    brackets += "4:1 o 0 o [";
  }
  EXPECT_NE(problemOf(What::Any, chain).find("nesting"), std::string::npos);
  EXPECT_NE(problemOf(What::Any, brackets).find("nesting"), std::string::npos);
}

Int randomInt(Random &random, bool none) {
  switch (random.between(0, none ? 3 : 2)) {
  case 0:
    return Int::unknown(random.chance(50) ? 32 : 64, random.between(1, 9));
  case 3:
    return Int();
  default:
    return Int::known(random.chance(5) ? random.between(INT64_MIN, INT64_MAX)
                                       : random.between(-9, 99));
  }
}

IntTuple randomLeaves(Random &random, const IntTuple &tree, bool basis) {
  return tree.mapLeaves([&](const IntTuple &) -> IntTuple {
    if (!basis || random.chance(50))
      return randomInt(random, /*none=*/true);
    std::vector<int32_t> path;
    for (int64_t i = 0, e = random.between(1, 3); i != e; ++i)
      path.push_back(random.between(0, 12));
    return IntTuple::basis(randomInt(random, /*none=*/false), path);
  });
}

Layout randomLayout(Random &random) {
  IntTuple tree = randomTuple(random, 4, 0, 0);
  return {randomLeaves(random, tree, false), randomLeaves(random, tree, true)};
}

InnerMap randomInner(Random &random, unsigned depth);

AnyLayout randomAny(Random &random, unsigned depth) {
  if (depth == 0 || random.chance(40))
    return randomLayout(random);
  return ComposedLayout{
      randomInner(random, depth - 1),
      randomLeaves(random, randomTuple(random, 2, 0, 0), true),
      randomAny(random, depth - 1)};
}

InnerMap randomInner(Random &random, unsigned depth) {
  int32_t a = random.between(0, 9), b = random.between(0, 9);
  switch (random.between(0, 2)) {
  case 0:
    return Swizzle{a, b, static_cast<int32_t>(random.between(0, 9))};
  case 1:
    return CoordSwizzle{a, b, {1, a}, 3, {}};
  default:
    return randomAny(random, depth);
  }
}

Tile randomTile(Random &random, unsigned depth) {
  if (depth == 0 || random.chance(40))
    return random.chance(50) ? Tile(randomInt(random, true))
                             : Tile(randomLayout(random));
  std::vector<Tile> elements;
  for (int64_t i = 0, e = random.between(1, 3); i != e; ++i)
    elements.push_back(randomTile(random, depth - 1));
  return Tile::list(elements);
}

/// A blank between tokens, or several, changes nothing.
std::string blanks(Random &random, llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    bool inWord = llvm::isAlnum(c) || c == '-';
    if (!inWord && random.chance(30))
      result += ' ';
    result += c;
    if (!inWord && random.chance(30))
      result += "\t ";
  }
  return result;
}

TEST(Text, WhatIsPrintedReadsBack) {
  forEachCase([](Random &random) {
    AnyLayout layout = randomAny(random, 3);
    ASSERT_EQ(readAnyLayout(layout.str()), layout) << layout.str();
    ASSERT_EQ(readAnyLayout(blanks(random, layout.str())), layout);
    Tile tile = randomTile(random, 3);
    ASSERT_EQ(readTile(tile.str()), tile) << tile.str();
    ASSERT_EQ(readTile(blanks(random, tile.str())), tile) << tile.str();
  });
}

/// Text with one character changed is read or refused, never more.
TEST(Text, DamagedTextIsRefusedOrRead) {
  unsigned refused = 0;
  forEachCase([&](Random &random) {
    std::string text = randomAny(random, 3).str();
    static const char characters[] = "()[]{}<>,:|*?=-0123456789EoSCdivi64 x";
    for (int64_t i = 0, e = random.between(1, 3); i != e; ++i)
      text[random.between(0, text.size() - 1)] =
          characters[random.between(0, sizeof(characters) - 2)];
    TextSource source(text);
    AnyLayout layout;
    if (parseAnyLayout(source, layout)) {
      ASSERT_EQ(readAnyLayout(layout.str()), layout) << text;
      return;
    }
    ++refused;
    ASSERT_FALSE(source.errorMessage().empty()) << text;
    ASSERT_LE(source.errorColumn(), text.size()) << text;
  });
  EXPECT_GE(refused * 10, numCases);
}

} // namespace
