// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads `mma FAMILY MxNxK A B ACC OPERAND` and finds the row.

#include "fly/Drawing/Atoms.h"

#include "fly/Target/AMDGPU/MmaRows.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly::drawing;
using namespace fly::layout;
using namespace fly::amdgpu;

namespace {

/// Words separated by blanks; a comma or a bracket ends the last one.
class Words {
public:
  explicit Words(llvm::StringRef text) : text(text) {}
  /// The next word; empty at the end. `column` is where it starts.
  llvm::StringRef next() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
    column = position;
    llvm::StringRef word = text.drop_front(position).take_while(
        [](char c) { return llvm::isAlnum(c) || c == '.' || c == '_'; });
    position += word.size();
    return word;
  }
  size_t column = 0, position = 0;

private:
  llvm::StringRef text;
};

/// What the words said.
struct Request {
  MmaKey key = {};
  char operand = 'a';
};

/// Reads the words after `mma`.
class RequestReader {
public:
  RequestReader(Words &words, ExpressionError &error)
      : words(words), error(error) {}
  bool read(Request &out);

private:
  bool readFamily(MmaFamily &out);
  bool readTile(MmaKey &out);
  bool readElement(Element &out, llvm::StringRef what);
  bool readOperand(char &out);
  bool expected(const llvm::Twine &what, llvm::StringRef got) {
    std::string text = got.empty() ? "the end or another character"
                                   : "'" + got.take_front(60).str() + "'";
    error = {words.column, ("expected " + what + ", got " + text).str()};
    return false;
  }

  Words &words;
  ExpressionError &error;
};

} // namespace

bool RequestReader::readFamily(MmaFamily &out) {
  llvm::StringRef word = words.next();
  std::vector<std::string> known;
  for (const MmaRow &row : allMmaRows()) {
    if (spell(row.family) == word) {
      out = row.family;
      return true;
    }
    if (!llvm::is_contained(known, spell(row.family)))
      known.push_back(spell(row.family).str());
  }
  return expected("a family of matrix instructions (" +
                      llvm::join(known, ", ") + ")",
                  word);
}

bool RequestReader::readTile(MmaKey &out) {
  llvm::StringRef word = words.next(), rest = word;
  auto extent = [&](int32_t &number) {
    return !rest.consumeInteger(10, number) && number > 0;
  };
  if (extent(out.m) && rest.consume_front("x") && extent(out.n) &&
      rest.consume_front("x") && extent(out.k) && rest.empty())
    return true;
  return expected("M, N and K such as 16x16x16", word);
}

bool RequestReader::readElement(Element &out, llvm::StringRef what) {
  llvm::StringRef word = words.next();
  std::vector<std::string> known;
  for (unsigned i = 0; i <= unsigned(Element::I4); ++i) {
    Element element = Element(i);
    if (spell(element) == word) {
      out = element;
      return true;
    }
    known.push_back(spell(element).str());
  }
  return expected("the element type of " + what + " (" +
                      llvm::join(known, ", ") + ")",
                  word);
}

bool RequestReader::readOperand(char &out) {
  llvm::StringRef word = words.next();
  if (word.size() != 1 || !llvm::StringRef("abcd").contains(word[0]))
    return expected("an operand (a, b, c or d)", word);
  out = word[0];
  return true;
}

bool RequestReader::read(Request &out) {
  return readFamily(out.key.family) && readTile(out.key) &&
         readElement(out.key.a, "a") && readElement(out.key.b, "b") &&
         readElement(out.key.acc, "the accumulator") &&
         readOperand(out.operand);
}

/// The tiles that the family has for the types of the key; when it has none,
/// all of its types.
static std::string whatExists(const MmaKey &key) {
  std::vector<std::string> tiles, types;
  for (const MmaRow &row : allMmaRows()) {
    if (row.family != key.family || row.blocks != 1)
      continue;
    std::string text = ("(" + spell(row.aType) + ", " + spell(row.bType) +
                        ") -> " + spell(row.accType))
                           .str();
    if (!llvm::is_contained(types, text))
      types.push_back(text);
    text = (llvm::Twine(row.m) + "x" + llvm::Twine(row.n) + "x" +
            llvm::Twine(row.k))
               .str();
    if (row.aType == key.a && row.bType == key.b && row.accType == key.acc &&
        !llvm::is_contained(tiles, text))
      tiles.push_back(text);
  }
  if (!tiles.empty())
    return "; it has for these types: " + llvm::join(tiles, ", ");
  return "; it has for other types: " + llvm::join(types, ", ");
}

size_t fly::drawing::readAtom(llvm::StringRef text, AtomOperand &out,
                              ExpressionError &error) {
  Words words(text);
  if (words.next() != "mma")
    return 0;
  Request request;
  if (!RequestReader(words, error).read(request))
    return 0;
  const MmaKey &key = request.key;
  const MmaRow *row = findMmaRow(key);
  if (!row) {
    error = {0, explainMissingRow(key) + whatExists(key)};
    return 0;
  }
  const MmaAtomLayouts &layouts = layoutsOf(*row);
  std::string operand(1, request.operand);
  out.title = row->text() + ", operand " + operand;
  switch (request.operand) {
  case 'a':
    out.threadValue = layouts.a;
    out.tile = IntTuple::of({key.m, key.k});
    out.rowAxis = "m";
    out.columnAxis = "k";
    break;
  case 'b':
    out.threadValue = layouts.b;
    out.tile = IntTuple::of({key.n, key.k});
    out.rowAxis = "n";
    out.columnAxis = "k";
    break;
  default:
    out.threadValue = layouts.c;
    out.tile = IntTuple::of({key.m, key.n});
    out.rowAxis = "m";
    out.columnAxis = "n";
    break;
  }
  return words.position;
}

size_t fly::drawing::atomWords(llvm::StringRef text, Value &value,
                               ExpressionError &error) {
  AtomOperand operand;
  size_t read = readAtom(text, operand, error);
  if (read)
    value = operand.threadValue;
  return read;
}

std::optional<Grid> AtomOperand::grid(std::string &why) const {
  std::optional<Grid> grid = threadValueGrid(threadValue, tile, why);
  if (!grid)
    return std::nullopt;
  grid->title = title;
  grid->rowAxis = rowAxis;
  grid->columnAxis = columnAxis;
  return grid;
}
