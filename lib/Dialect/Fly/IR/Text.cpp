// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens of layout text from MLIR's AsmParser. The parser has no look-ahead for
// bare words, so one word is kept when it turns out not to be a basis suffix:
//
//   4E2 o ...   "4", the word E2 is a suffix; the word o is kept

#include "Text.h"
#include "fly/Dialect/Fly/IR/FlyAttributes.h"

using namespace mlir;
using namespace mlir::fly;
using namespace ::fly::layout;

bool AsmTokens::consume(char punctuation) {
  if (!pending.empty() || reported)
    return false;
  switch (punctuation) {
  case '(':
    return succeeded(parser.parseOptionalLParen());
  case ')':
    return succeeded(parser.parseOptionalRParen());
  case '[':
    return succeeded(parser.parseOptionalLSquare());
  case ']':
    return succeeded(parser.parseOptionalRSquare());
  case '{':
    return succeeded(parser.parseOptionalLBrace());
  case '}':
    return succeeded(parser.parseOptionalRBrace());
  case '<':
    return succeeded(parser.parseOptionalLess());
  case '>':
    return succeeded(parser.parseOptionalGreater());
  case ',':
    return succeeded(parser.parseOptionalComma());
  case ':':
    return succeeded(parser.parseOptionalColon());
  case '|':
    return succeeded(parser.parseOptionalVerticalBar());
  case '*':
    return succeeded(parser.parseOptionalStar());
  case '?':
    return succeeded(parser.parseOptionalQuestion());
  case '=':
    return succeeded(parser.parseOptionalEqual());
  case '-':
    return succeeded(parser.parseOptionalMinus());
  default:
    return false;
  }
}

bool AsmTokens::consumeKeyword(StringRef word) {
  if (reported)
    return false;
  if (!pending.empty()) {
    if (pending != word)
      return false;
    pending.clear();
    return true;
  }
  return succeeded(parser.parseOptionalKeyword(word));
}

bool AsmTokens::consumeBasisSuffix(std::string &word) {
  if (reported)
    return false;
  if (pending.empty()) {
    StringRef next;
    if (failed(parser.parseOptionalKeyword(&next)))
      return false;
    pending = next.str();
  }
  if (pending.size() < 2 || pending[0] != 'E' || !llvm::isDigit(pending[1]))
    return false;
  word = std::move(pending);
  pending.clear();
  return true;
}

TokenSource::Number AsmTokens::consumeInteger(int64_t &value) {
  if (!pending.empty() || reported)
    return Number::Absent;
  APInt number;
  OptionalParseResult result = parser.parseOptionalDecimalInteger(number);
  if (!result.has_value())
    return Number::Absent;
  if (failed(*result)) {
    reported = true;
    return Number::Absent;
  }
  if (number.getSignificantBits() > 64)
    return Number::TooLarge;
  value = number.getSExtValue();
  return Number::Read;
}

std::string mlir::fly::nextToken(AsmParser &parser) {
  // The lexer keeps its buffer terminated by NUL.
  const char *start = parser.getCurrentLocation().getPointer();
  if (!start)
    return "the end";
  size_t length = 0;
  while (length != 64 && start[length] != '\0')
    ++length;
  return leadingToken(StringRef(start, length));
}

std::string AsmTokens::next() {
  return pending.empty() ? nextToken(parser) : "'" + pending + "'";
}

bool AsmTokens::error(const Twine &message) {
  if (!reported)
    parser.emitError(parser.getCurrentLocation(), message);
  reported = true;
  return false;
}

ParseResult AsmTokens::finish() {
  if (reported)
    return failure();
  if (!pending.empty()) {
    reported = true;
    return parser.emitError(parser.getCurrentLocation(), "unexpected word '")
           << pending << "'";
  }
  return success();
}

FailureOr<IntTuple> mlir::fly::readIntTuple(AsmParser &parser) {
  AsmTokens tokens(parser);
  IntTuple value;
  if (!parseIntTuple(tokens, value) || tokens.finish())
    return failure();
  return value;
}

FailureOr<AnyLayout> mlir::fly::readAnyLayout(AsmParser &parser) {
  AsmTokens tokens(parser);
  AnyLayout value;
  if (!parseAnyLayout(tokens, value) || tokens.finish())
    return failure();
  return value;
}

FailureOr<Swizzle> mlir::fly::readSwizzle(AsmParser &parser, StringRef word) {
  AsmTokens tokens(parser, word);
  Swizzle value;
  if (!parseSwizzle(tokens, value) || tokens.finish())
    return failure();
  return value;
}

Attribute mlir::fly::layoutToAttrChecked(AsmParser &parser, SMLoc loc,
                                         const AnyLayout &layout) {
  if (layout.isPlain())
    return parser.getChecked<LayoutAttr>(loc, parser.getContext(),
                                         layout.plain());
  return parser.getChecked<ComposedLayoutAttr>(loc, parser.getContext(),
                                               layout.composed());
}
