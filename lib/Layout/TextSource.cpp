// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens of plain text.
//
// In: a string. Out: punctuation, words and numbers, blanks skipped; the first
// error with the column (from 0) of the token that it met. A word is letters,
// digits and underscores, so `o` is not found in `of`.

#include "fly/Layout/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly::layout;

void TextSource::skipBlanks() {
  while (position < text.size() && llvm::isSpace(text[position]))
    ++position;
}

bool TextSource::atEnd() {
  skipBlanks();
  return position == text.size();
}

bool TextSource::consume(char punctuation) {
  skipBlanks();
  if (position == text.size() || text[position] != punctuation)
    return false;
  ++position;
  return true;
}

static bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

/// The word at the start of `text`; empty when it does not start with one.
static llvm::StringRef leadingWord(llvm::StringRef text) {
  if (text.empty() || llvm::isDigit(text.front()))
    return {};
  return text.take_while(isWordCharacter);
}

bool TextSource::consumeKeyword(llvm::StringRef word) {
  skipBlanks();
  if (leadingWord(text.drop_front(position)) != word)
    return false;
  position += word.size();
  return true;
}

bool TextSource::consumeBasisSuffix(std::string &word) {
  skipBlanks();
  llvm::StringRef next = leadingWord(text.drop_front(position));
  if (next.size() < 2 || next[0] != 'E' || !llvm::isDigit(next[1]))
    return false;
  word = next.str();
  position += next.size();
  return true;
}

TokenSource::Number TextSource::consumeInteger(int64_t &value) {
  skipBlanks();
  llvm::StringRef rest = text.drop_front(position);
  bool negative = rest.consume_front("-");
  llvm::StringRef digits = rest.take_while(llvm::isDigit);
  if (digits.empty())
    return Number::Absent;
  llvm::StringRef number = text.substr(position, digits.size() + negative);
  if (number.getAsInteger(10, value))
    return Number::TooLarge;
  position += number.size();
  return Number::Read;
}

std::string fly::layout::leadingToken(llvm::StringRef text) {
  if (text.empty())
    return "the end";
  llvm::StringRef token = text.take_while(isWordCharacter);
  if (token.empty())
    token = text.take_front();
  if (!llvm::all_of(token, llvm::isPrint))
    return "an unprintable character";
  // A long word is cut: its start is enough to find it.
  constexpr size_t longest = 40;
  return token.size() <= longest
             ? "'" + token.str() + "'"
             : "'" + token.take_front(longest).str() + "...'";
}

std::string TextSource::next() {
  skipBlanks();
  return leadingToken(text.drop_front(position));
}

bool TextSource::error(const llvm::Twine &message) {
  if (errorText.empty()) {
    skipBlanks();
    errorAt = position;
    errorText = message.str();
  }
  return false;
}
