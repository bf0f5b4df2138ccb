// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one grammar of layout text (fly/Layout/Text.h) over MLIR's AsmParser.
//
// Law: what a print function of the layout library writes, read back here,
// is the same value; any other text is an error at its place.
//
//   AsmTokens tokens(parser);
//   if (!::fly::layout::parseLayout(tokens, layout) || tokens.finish())
//     return {};

#ifndef FLY_LIB_DIALECT_FLY_IR_TEXT_H
#define FLY_LIB_DIALECT_FLY_IR_TEXT_H

#include "fly/Layout/Text.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir::fly {

class AsmTokens : public ::fly::layout::TokenSource {
public:
  /// `word` is a bare word that was read already and belongs to the text.
  explicit AsmTokens(AsmParser &parser, StringRef word = "")
      : parser(parser), pending(word) {}

  bool consume(char punctuation) override;
  bool consumeKeyword(StringRef word) override;
  bool consumeBasisSuffix(std::string &word) override;
  Number consumeInteger(int64_t &value) override;
  std::string next() override;
  bool error(const Twine &message) override;

  /// To be called after the text: a word that was looked at and is not part of
  /// it is an error.
  ParseResult finish();

private:
  AsmParser &parser;
  /// A word that was taken from the parser and not consumed yet.
  std::string pending;
  bool reported = false;
};

/// The next token of the parser for a message: in quotes, or "the end".
std::string nextToken(AsmParser &parser);

// One value each, reported and null on error.
FailureOr<::fly::layout::IntTuple> readIntTuple(AsmParser &parser);
FailureOr<::fly::layout::AnyLayout> readAnyLayout(AsmParser &parser);
/// `S<m,b,s>` after its keyword.
FailureOr<::fly::layout::Swizzle> readSwizzle(AsmParser &parser,
                                              StringRef word = "");

/// The layout as a checked attribute; null when it is reported at `loc`.
Attribute layoutToAttrChecked(AsmParser &parser, SMLoc loc,
                              const ::fly::layout::AnyLayout &layout);

} // namespace mlir::fly

#endif // FLY_LIB_DIALECT_FLY_IR_TEXT_H
