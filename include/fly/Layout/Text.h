// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one grammar of layout text, over a token interface.
//
// Whoever reads layout text (the calculator's own lexer, MLIR's AsmParser)
// implements TokenSource; the productions of sections 1.2 to 1.9 of the
// dialect's specification stand here once. Every parse function answers false
// after TokenSource::error has been told what was expected.

#ifndef FLY_LAYOUT_TEXT_H
#define FLY_LAYOUT_TEXT_H

#include "fly/Layout/Layout.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace fly::layout {

/// Tokens as the grammar needs them. Blanks between tokens are skipped.
class TokenSource {
public:
  virtual ~TokenSource();
  /// Consumes one of `( ) [ ] { } < > , : | * ? = -` when it is next.
  virtual bool consume(char punctuation) = 0;
  /// Consumes this bare word when it is next (`o`, `S`, `CS`, `div`, `i64`).
  virtual bool consumeKeyword(llvm::StringRef word) = 0;
  /// Consumes a bare word that starts with `E` and a digit and gives it back;
  /// otherwise consumes nothing.
  virtual bool consumeBasisSuffix(std::string &word) = 0;
  enum class Number { Absent, Read, TooLarge };
  /// Consumes a decimal with optional sign (no hexadecimal).
  virtual Number consumeInteger(int64_t &value) = 0;
  /// The next token for a message: in quotes, or "the end". Consumes nothing.
  virtual std::string next() = 0;
  /// Reports an error at the next token; answers false.
  virtual bool error(const llvm::Twine &message) = 0;
};

bool parseInt(TokenSource &in, Int &out, bool allowNone);
bool parseBasis(TokenSource &in, IntTuple &out);
bool parseIntTuple(TokenSource &in, IntTuple &out);
bool parseLayout(TokenSource &in, Layout &out);
bool parseSwizzle(TokenSource &in, Swizzle &out);
bool parseCoordSwizzle(TokenSource &in, CoordSwizzle &out);
/// A plain or composed layout; a lone head that is no layout is an error.
bool parseAnyLayout(TokenSource &in, AnyLayout &out);
bool parseTile(TokenSource &in, Tile &out);

/// The token at the start of `text`, as TokenSource::next gives it.
std::string leadingToken(llvm::StringRef text);

/// A TokenSource over plain text, with the column of the first error.
class TextSource : public TokenSource {
public:
  explicit TextSource(llvm::StringRef text) : text(text) {}
  bool consume(char punctuation) override;
  bool consumeKeyword(llvm::StringRef word) override;
  bool consumeBasisSuffix(std::string &word) override;
  Number consumeInteger(int64_t &value) override;
  std::string next() override;
  bool error(const llvm::Twine &message) override;
  bool atEnd();
  /// Where reading goes on, from 0; blanks may come first.
  size_t column() const { return position; }
  size_t errorColumn() const { return errorAt; }
  const std::string &errorMessage() const { return errorText; }

private:
  void skipBlanks();
  llvm::StringRef text;
  size_t position = 0, errorAt = 0;
  std::string errorText;
};

} // namespace fly::layout

#endif // FLY_LAYOUT_TEXT_H
