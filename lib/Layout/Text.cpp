// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar of layout text (sections 1.2 to 1.9 of the dialect's
// specification), over a token interface.
//
// In: tokens. Out: a value that is in range and congruent, or an error that
// says what was expected. The law: what a value prints reads back as itself.
// Nesting, chains and mode numbers are bounded, so that no later recursion or
// vector can be driven out of bounds by text.
//
//   S<3,0,3> o 0 o (8,8):(1,8)      [16|*|4:2]      (?{i64 div=8},2E0E1)

#include "fly/Layout/Text.h"

using namespace fly::layout;

/// Deepest nesting of tuples, tiles and composed layouts that is read.
static constexpr unsigned maxNesting = 256;
/// Largest mode number of a basis element or a path.
static constexpr int64_t maxMode = 1023;

TokenSource::~TokenSource() = default;

static bool checkNesting(TokenSource &in, unsigned depth) {
  if (depth <= maxNesting)
    return true;
  return in.error("nesting deeper than " + llvm::Twine(maxNesting) + " levels");
}

/// `where` says what the punctuation belongs to, with an example where the form
/// is easily got wrong.
static bool expect(TokenSource &in, char punctuation,
                   const llvm::Twine &where) {
  if (in.consume(punctuation))
    return true;
  return in.error("expected '" + llvm::Twine(punctuation) + "' " + where +
                  ", found " + in.next());
}

/// A decimal that must be there.
static bool parseNumber(TokenSource &in, int64_t &value) {
  switch (in.consumeInteger(value)) {
  case TokenSource::Number::Read:
    return true;
  case TokenSource::Number::TooLarge:
    return in.error("integer value too large");
  case TokenSource::Number::Absent:
    break;
  }
  return in.error("expected an integer, found " + in.next());
}

/// A decimal that a field of 32 bits holds; its range is the caller's check.
static bool parseSmall(TokenSource &in, int32_t &value) {
  int64_t number = 0;
  if (!parseNumber(in, number))
    return false;
  if (number != static_cast<int32_t>(number))
    return in.error("integer value too large");
  value = static_cast<int32_t>(number);
  return true;
}

//===----------------------------------------------------------------------===//
// Integers and tuples
//===----------------------------------------------------------------------===//

/// What follows `?`.
static bool parseUnknown(TokenSource &in, Int &out) {
  unsigned width = 32;
  int64_t divisor = 1;
  if (in.consume('{')) {
    if (in.consumeKeyword("i64"))
      width = 64;
    else
      in.consumeKeyword("i32");
    if (in.consumeKeyword("div")) {
      if (!expect(in, '=', "after 'div', as in ?{div=4}") ||
          !parseNumber(in, divisor))
        return false;
      if (divisor == 0)
        return in.error("divisor must not be 0");
    }
    if (!expect(in, '}', "after the width and the divisor, as in ?{i64 div=4}"))
      return false;
  }
  out = Int::unknown(width, divisor);
  return true;
}

/// An integer if the next token starts one; `found` tells.
static bool parseOptionalInt(TokenSource &in, Int &out, bool allowNone,
                             bool &found) {
  found = true;
  if (allowNone && in.consume('*')) {
    out = Int();
    return true;
  }
  if (in.consume('?'))
    return parseUnknown(in, out);
  int64_t value = 0;
  switch (in.consumeInteger(value)) {
  case TokenSource::Number::Read:
    out = Int::known(value);
    return true;
  case TokenSource::Number::TooLarge:
    return in.error("integer value too large");
  case TokenSource::Number::Absent:
    found = false;
    return true;
  }
  return false;
}

bool fly::layout::parseInt(TokenSource &in, Int &out, bool allowNone) {
  bool found = false;
  if (!parseOptionalInt(in, out, allowNone, found))
    return false;
  return found ||
         in.error(llvm::Twine(allowNone ? "expected an integer, '?' or '*'"
                                        : "expected an integer or '?'") +
                  ", found " + in.next());
}

/// The mode numbers in `E0E1`.
static bool parseModes(TokenSource &in, llvm::StringRef word,
                       std::vector<int32_t> &modes) {
  while (!word.empty()) {
    unsigned mode = 0;
    if (!word.consume_front("E") || word.consumeInteger(10, mode))
      return in.error("expected 'E' and a mode number in the basis element");
    if (mode > maxMode)
      return in.error("mode number " + llvm::Twine(mode) +
                      " of a basis element is larger than " +
                      llvm::Twine(maxMode));
    modes.push_back(mode);
    if (!checkNesting(in, modes.size()))
      return false;
  }
  return true;
}

/// A leaf: an integer, perhaps with mode numbers.
static bool parseLeaf(TokenSource &in, IntTuple &out, llvm::StringRef wanted) {
  Int value;
  bool found = false;
  if (!parseOptionalInt(in, value, /*allowNone=*/true, found))
    return false;
  if (!found)
    return in.error("expected " + wanted + ", found " + in.next());
  std::string word;
  if (!in.consumeBasisSuffix(word)) {
    out = value;
    return true;
  }
  std::vector<int32_t> modes;
  if (!parseModes(in, word, modes))
    return false;
  // A basis element has a number: `*` counts as 0 and prints so.
  out = IntTuple::basis(value.isNone() ? Int::known(0) : value, modes);
  return true;
}

bool fly::layout::parseBasis(TokenSource &in, IntTuple &out) {
  if (!parseLeaf(in, out, "a basis element such as 2E0"))
    return false;
  return out.isBasis() ||
         in.error("expected 'E' and a mode number after the integer, as in "
                  "2E0, found " +
                  in.next());
}

static bool parseTuple(TokenSource &in, IntTuple &out, unsigned depth) {
  if (!checkNesting(in, depth))
    return false;
  if (!in.consume('('))
    return parseLeaf(in, out, "an integer, '?', '*' or '('");
  std::vector<IntTuple> elements;
  do {
    elements.emplace_back();
    if (!parseTuple(in, elements.back(), depth + 1))
      return false;
  } while (in.consume(','));
  if (!in.consume(')'))
    return in.error("expected ',' or ')' in the tuple, found " + in.next());
  out = IntTuple::tuple(std::move(elements));
  return true;
}

bool fly::layout::parseIntTuple(TokenSource &in, IntTuple &out) {
  return parseTuple(in, out, 0);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// What follows the shape: `:stride`.
static bool parseStride(TokenSource &in, IntTuple shape, Layout &out) {
  IntTuple stride;
  if (!expect(in, ':',
              "and a stride after the shape " + shape.str() +
                  ", as in (4,8):(1,4)") ||
      !parseIntTuple(in, stride))
    return false;
  if (!congruent(shape, stride))
    return in.error("shape " + shape.str() + " and stride " + stride.str() +
                    " are not congruent");
  out = {std::move(shape), std::move(stride)};
  return true;
}

bool fly::layout::parseLayout(TokenSource &in, Layout &out) {
  IntTuple shape;
  return parseIntTuple(in, shape) && parseStride(in, std::move(shape), out);
}

/// What follows `S`.
static bool parseSwizzleBody(TokenSource &in, Swizzle &out) {
  const char *where = "in the swizzle S<mask,base,shift>";
  if (!expect(in, '<', where) || !parseSmall(in, out.mask) ||
      !expect(in, ',', where) || !parseSmall(in, out.base) ||
      !expect(in, ',', where) || !parseSmall(in, out.shift) ||
      !expect(in, '>', where))
    return false;
  std::string problem = out.check();
  return problem.empty() || in.error(problem);
}

bool fly::layout::parseSwizzle(TokenSource &in, Swizzle &out) {
  if (!in.consumeKeyword("S"))
    return in.error("expected a swizzle S<mask,base,shift>, found " +
                    in.next());
  return parseSwizzleBody(in, out);
}

static bool parsePath(TokenSource &in, std::vector<int32_t> &path) {
  path.clear();
  if (!expect(in, '[', "before the mode numbers of a path, as in [1, 0]"))
    return false;
  if (in.consume(']'))
    return true;
  do {
    int32_t mode = 0;
    if (!parseSmall(in, mode))
      return false;
    if (mode < 0 || mode > maxMode)
      return in.error("mode number " + llvm::Twine(mode) +
                      " of a path is not between 0 and " +
                      llvm::Twine(maxMode));
    path.push_back(mode);
    if (!checkNesting(in, path.size()))
      return false;
  } while (in.consume(','));
  if (in.consume(']'))
    return true;
  return in.error("expected ',' or ']' in the path, found " + in.next());
}

/// What follows `CS`.
static bool parseCoordSwizzleBody(TokenSource &in, CoordSwizzle &out) {
  const char *where =
      "in the coordinate swizzle CS<mask,rowBase,[path],colBase,[path]>";
  if (!expect(in, '<', where) || !parseSmall(in, out.mask) ||
      !expect(in, ',', where) || !parseSmall(in, out.rowBase) ||
      !expect(in, ',', where) || !parsePath(in, out.rowPath) ||
      !expect(in, ',', where) || !parseSmall(in, out.colBase) ||
      !expect(in, ',', where) || !parsePath(in, out.colPath) ||
      !expect(in, '>', where))
    return false;
  std::string problem = out.check();
  return problem.empty() || in.error(problem);
}

bool fly::layout::parseCoordSwizzle(TokenSource &in, CoordSwizzle &out) {
  if (!in.consumeKeyword("CS"))
    return in.error("expected a coordinate swizzle "
                    "CS<mask,rowBase,[path],colBase,[path]>, found " +
                    in.next());
  return parseCoordSwizzleBody(in, out);
}

//===----------------------------------------------------------------------===//
// Composed layouts
//===----------------------------------------------------------------------===//

static bool parseHead(TokenSource &in, InnerMap &out) {
  if (in.consumeKeyword("S")) {
    Swizzle swizzle;
    if (!parseSwizzleBody(in, swizzle))
      return false;
    out = swizzle;
    return true;
  }
  if (in.consumeKeyword("CS")) {
    CoordSwizzle swizzle;
    if (!parseCoordSwizzleBody(in, swizzle))
      return false;
    out = swizzle;
    return true;
  }
  Layout layout;
  if (!parseLayout(in, layout))
    return false;
  out = AnyLayout(layout);
  return true;
}

static bool parseChain(TokenSource &in, AnyLayout &out, unsigned depth);

/// What is applied first: a layout, or a chain in brackets.
static bool parseTail(TokenSource &in, AnyLayout &out, unsigned depth) {
  if (in.consume('['))
    return parseChain(in, out, depth + 1) &&
           expect(in, ']', "after the composed layout");
  Layout layout;
  if (!parseLayout(in, layout))
    return false;
  out = layout;
  return true;
}

static bool parseChain(TokenSource &in, AnyLayout &out, unsigned depth) {
  if (!checkNesting(in, depth))
    return false;
  InnerMap inner;
  if (!parseHead(in, inner))
    return false;
  // `A o x o B o y o C` is (A o x o B) o y o C.
  for (unsigned links = depth + 1; in.consumeKeyword("o"); ++links) {
    ComposedLayout composed;
    if (!checkNesting(in, links) || !parseIntTuple(in, composed.offset))
      return false;
    if (!in.consumeKeyword("o"))
      return in.error("expected 'o' and a layout after the offset " +
                      composed.offset.str() +
                      ", as in S<3,3,3> o 0 o (8,8):(8,1), found " + in.next());
    if (!parseTail(in, composed.outer, depth))
      return false;
    composed.inner = std::move(inner);
    inner = AnyLayout(std::move(composed));
  }
  if (inner.kind != InnerMap::Kind::Layout)
    return in.error("expected 'o', an offset, 'o' and a layout after the "
                    "swizzle, as in S<3,3,3> o 0 o (8,8):(8,1), found " +
                    in.next());
  out = inner.layout;
  return true;
}

bool fly::layout::parseAnyLayout(TokenSource &in, AnyLayout &out) {
  return parseChain(in, out, 0);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static bool parseTileElement(TokenSource &in, Tile &out, unsigned depth) {
  if (!checkNesting(in, depth))
    return false;
  if (in.consume('[')) {
    std::vector<Tile> elements;
    do {
      elements.emplace_back();
      if (!parseTileElement(in, elements.back(), depth + 1))
        return false;
    } while (in.consume('|'));
    if (!in.consume(']'))
      return in.error("expected '|' or ']' in the tile, found " + in.next());
    out = Tile::list(std::move(elements));
    return true;
  }
  IntTuple shape;
  if (!parseIntTuple(in, shape))
    return false;
  if (in.consume(':')) {
    IntTuple stride;
    if (!parseIntTuple(in, stride))
      return false;
    if (!congruent(shape, stride))
      return in.error("shape " + shape.str() + " and stride " + stride.str() +
                      " are not congruent");
    out = Tile(Layout{std::move(shape), std::move(stride)});
    return true;
  }
  if (!shape.isInt())
    return in.error("expected an integer, '*' or a layout in the tile, got " +
                    shape.str() + "; a tile for each mode is written [4|8]");
  out = Tile(shape.leaf());
  return true;
}

bool fly::layout::parseTile(TokenSource &in, Tile &out) {
  if (!parseTileElement(in, out, 0))
    return false;
  return !in.consume('|') ||
         in.error("a tile for each mode needs brackets, as in [4|8]");
}
