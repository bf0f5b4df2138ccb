// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and evaluates expressions of the layout algebra in one pass.
//
//   expression = NAME "(" [ argument { "," argument } ] ")" | literal | words
//   argument   = [ NAME "=" ] expression
//
// In: text. Out: a value, or the first error with its column. A literal is
// read by the one grammar of Text.h; which production it is follows from how
// it starts and from what follows its first tuple or swizzle (`:` or `o`).

#include "fly/Layout/Expression.h"

#include "fly/Layout/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::layout;

/// Calls inside calls, at most.
static constexpr unsigned maxCalls = 64;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

llvm::StringRef Value::kindName() const {
  switch (kind) {
  case Kind::Tuple:
    return "int_tuple";
  case Kind::Layout:
    return layout.isPlain() ? "layout" : "composed_layout";
  case Kind::Tile:
    return "tile";
  case Kind::Swizzle:
    return "swizzle";
  case Kind::CoordSwizzle:
    break;
  }
  return "coord_swizzle";
}

std::string Value::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (kind) {
  case Kind::Tuple:
    tuple.print(os);
    break;
  case Kind::Layout:
    layout.print(os);
    break;
  case Kind::Tile:
    tile.print(os);
    break;
  case Kind::Swizzle:
    swizzle.print(os);
    break;
  case Kind::CoordSwizzle:
    coordSwizzle.print(os);
    break;
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// What a parameter takes, for messages.
static llvm::StringRef wanted(Argument takes) {
  switch (takes) {
  case Argument::Tuple:
    return "an int_tuple such as (4,8)";
  case Argument::Layout:
    return "a plain layout such as (4,8):(1,4)";
  case Argument::AnyLayout:
    return "a layout such as (4,8):(1,4)";
  case Argument::TupleOrLayout:
    return "an int_tuple or a layout";
  case Argument::Tiler:
    return "a plain layout, a tile such as [4|8], or an integer";
  case Argument::Map:
    return "a layout or a swizzle";
  case Argument::Number:
  case Argument::Numbers:
    break;
  }
  return "a known 32-bit integer";
}

static bool isNumber(const Value &value) {
  if (value.kind != Value::Kind::Tuple || !value.tuple.isInt())
    return false;
  Int leaf = value.tuple.leaf();
  return leaf.isStatic() && !leaf.isNone() && leaf.neededWidth() == 32;
}

/// Turns `value` into what the parameter takes, if it can be that.
static bool convert(Value &value, Argument takes) {
  bool isTuple = value.kind == Value::Kind::Tuple;
  bool isLayout = value.kind == Value::Kind::Layout;
  bool isPlain = isLayout && value.layout.isPlain();
  switch (takes) {
  case Argument::Tuple:
    return isTuple;
  case Argument::Layout:
    return isPlain;
  case Argument::AnyLayout:
    return isLayout;
  case Argument::TupleOrLayout:
    return isTuple || isLayout;
  case Argument::Tiler:
    if (isPlain)
      value = Tile(value.layout.plain());
    else if (isTuple && value.tuple.isInt())
      value = Tile(value.tuple.leaf());
    return value.kind == Value::Kind::Tile;
  case Argument::Map:
    return isLayout || value.kind == Value::Kind::Swizzle ||
           value.kind == Value::Kind::CoordSwizzle;
  case Argument::Number:
  case Argument::Numbers:
    break;
  }
  return isNumber(value);
}

namespace {

/// The arguments of one call as they are read.
struct Given {
  const Function &function;
  std::vector<std::optional<Value>> values;
  std::vector<IntTuple> numbers; // of a parameter that takes any count
  size_t next = 0;               // the parameter that comes by position

  explicit Given(const Function &function)
      : function(function), values(function.parameters.size()) {}
};

//===----------------------------------------------------------------------===//
// The reader
//===----------------------------------------------------------------------===//

class Reader {
public:
  Reader(Arith &arith, llvm::StringRef text, ExpressionError &error,
         Vocabulary words)
      : arith(arith), text(text), error(error), words(words) {}

  bool readAll(Value &out) {
    if (!readExpression(out, 0))
      return false;
    skipBlanks();
    return position == text.size() ||
           failHere("expected the end of the expression, found " +
                    leadingToken(rest()) + hintAtTuple(out));
  }

private:
  /// What else a comma after a number may mean.
  std::string hintAtTuple(const Value &read) const {
    bool isLeaf = read.kind == Value::Kind::Tuple && read.tuple.isLeaf();
    return isLeaf && rest().starts_with(",")
               ? "; a tuple needs parentheses, as in (4,8)"
               : "";
  }
  void skipBlanks() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }
  llvm::StringRef rest() const { return text.drop_front(position); }
  bool consume(char c) {
    skipBlanks();
    if (!rest().starts_with(llvm::StringRef(&c, 1)))
      return false;
    ++position;
    return true;
  }
  bool fail(size_t column, const llvm::Twine &message) {
    error.column = column;
    error.message = message.str();
    return false;
  }
  bool failHere(const llvm::Twine &message) {
    skipBlanks();
    return fail(position, message);
  }
  /// The word at the position, not consumed; empty when there is none.
  llvm::StringRef peekWord() {
    skipBlanks();
    if (rest().empty() || !(llvm::isAlpha(rest().front()) || rest()[0] == '_'))
      return {};
    return rest().take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  }

  bool readExpression(Value &out, unsigned depth);
  bool readWords(llvm::StringRef word, Value &out);
  bool readCall(const Function &function, size_t column, Value &out,
                unsigned depth);
  bool readArgument(Given &given, unsigned depth);
  std::optional<size_t> parameterFor(const Given &given, llvm::StringRef name,
                                     size_t column);
  bool finishCall(Given &given, size_t column, Value &out);
  bool readLiteral(Value &out);
  bool failInLiteral(size_t start, const TextSource &source);

  Arith &arith;
  llvm::StringRef text;
  ExpressionError &error;
  Vocabulary words;
  size_t position = 0;
};

} // namespace

bool Reader::readExpression(Value &out, unsigned depth) {
  llvm::StringRef word = peekWord();
  if (word.empty() || word == "S" || word == "CS")
    return readLiteral(out);
  size_t column = position;
  llvm::StringRef after = rest().drop_front(word.size()).ltrim();
  if (!after.starts_with("("))
    return readWords(word, out);
  llvm::StringRef name = word;
  name.consume_front("fly.");
  const Function *function = findExpressionFunction(name);
  if (!function)
    return readWords(word, out);
  if (depth >= maxCalls)
    return fail(column, "calls nested deeper than " + llvm::Twine(maxCalls) +
                            " levels");
  position += word.size();
  consume('(');
  return readCall(*function, column, out, depth);
}

/// The function that is spelt most like `word`, or empty. A word that is part
/// of a name stands for the shortest such name: `add` for `int_tuple_add`.
static llvm::StringRef nearestFunction(llvm::StringRef word) {
  llvm::StringRef best;
  for (const Function &function : expressionFunctions()) {
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(function.name).split(parts, '_');
    if (llvm::is_contained(parts, word) &&
        (best.empty() || function.name.size() < best.size()))
      best = function.name;
  }
  if (!best.empty())
    return best;
  unsigned bestDistance = std::min<unsigned>(4, word.size() / 2 + 1);
  for (const Function &function : expressionFunctions()) {
    unsigned distance = word.edit_distance(function.name, true, bestDistance);
    if (distance < bestDistance) {
      best = function.name;
      bestDistance = distance;
    }
  }
  return best;
}

bool Reader::readWords(llvm::StringRef word, Value &out) {
  if (words) {
    ExpressionError problem;
    size_t read = words(rest(), out, problem);
    if (!problem.message.empty())
      return fail(position + problem.column, problem.message);
    if (read) {
      position += read;
      return true;
    }
  }
  std::string message = "expected a function or a literal, got '" +
                        word.take_front(60).str() + "'";
  llvm::StringRef nearest = nearestFunction(word.take_front(60));
  if (const Function *known = findExpressionFunction(word))
    message = "expected '(' after " + known->name.str();
  else if (!nearest.empty())
    message += "; did you mean '" + nearest.str() + "'?";
  return failHere(message);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

bool Reader::readCall(const Function &function, size_t column, Value &out,
                      unsigned depth) {
  Given given(function);
  if (!consume(')')) {
    do {
      if (!readArgument(given, depth))
        return false;
    } while (consume(','));
    if (!consume(')'))
      return failHere("expected ',' or ')' in the call of " +
                      function.signature() + ", found " + leadingToken(rest()));
  }
  return finishCall(given, column, out);
}

/// Which parameter the next argument is for; nothing after an error.
std::optional<size_t>
Reader::parameterFor(const Given &given, llvm::StringRef name, size_t column) {
  const Function &function = given.function;
  llvm::ArrayRef<Parameter> parameters = function.parameters;
  if (name.empty()) {
    if (given.next < parameters.size())
      return given.next;
    fail(column, function.signature() + " has no parameter left for this "
                                        "argument");
    return std::nullopt;
  }
  for (size_t i = 0, e = parameters.size(); i != e; ++i)
    if (parameters[i].name == name)
      return i;
  fail(column,
       "no parameter '" + name.take_front(60) + "' in " + function.signature());
  return std::nullopt;
}

bool Reader::readArgument(Given &given, unsigned depth) {
  llvm::StringRef name = peekWord();
  size_t column = position;
  if (!name.empty() &&
      rest().drop_front(name.size()).ltrim().starts_with("=")) {
    position += name.size();
    consume('=');
  } else {
    name = {};
  }
  std::optional<size_t> index = parameterFor(given, name, column);
  if (!index)
    return false;
  const Parameter &parameter = given.function.parameters[*index];
  skipBlanks();
  column = position;
  Value value;
  if (!readExpression(value, depth + 1))
    return false;
  if (!convert(value, parameter.takes))
    return fail(column, "expected " + wanted(parameter.takes) + " as " +
                            parameter.name + " of " +
                            given.function.signature() + ", got the " +
                            value.kindName() + " " + value.str());
  if (parameter.takes == Argument::Numbers) {
    given.numbers.push_back(value.tuple);
    given.next = *index;
    return true;
  }
  if (given.values[*index])
    return fail(column, parameter.name + " of " + given.function.signature() +
                            " is given twice");
  given.values[*index] = std::move(value);
  while (given.next < given.values.size() && given.values[given.next])
    ++given.next;
  return true;
}

/// Checks that nothing is missing and runs the function; `position` is just
/// behind the call.
bool Reader::finishCall(Given &given, size_t column, Value &out) {
  const Function &function = given.function;
  std::vector<Value> arguments;
  for (size_t i = 0, e = given.values.size(); i != e; ++i) {
    const Parameter &parameter = function.parameters[i];
    if (parameter.takes == Argument::Numbers)
      given.values[i] = IntTuple::tuple(std::move(given.numbers));
    if (given.values[i])
      arguments.push_back(*given.values[i]);
    else if (!parameter.isOptional)
      return fail(position - 1, "expected " + wanted(parameter.takes) + " as " +
                                    parameter.name + " of " +
                                    function.signature() + ", found none");
  }
  out = function.run(arith, arguments);
  if (!arith.failed())
    return true;
  // Some messages begin with the name.
  std::string message = arith.message();
  llvm::StringRef rest = message;
  if (!rest.consume_front(function.name) ||
      !(rest.starts_with(":") || rest.starts_with(" ")))
    message = function.name.str() + ": " + message;
  return fail(column, message);
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

bool Reader::failInLiteral(size_t start, const TextSource &source) {
  return fail(start + source.errorColumn(), source.errorMessage());
}

bool Reader::readLiteral(Value &out) {
  skipBlanks();
  size_t start = position;
  TextSource source(rest());
  // The first token tells most; what follows a tuple or swizzle, the rest.
  bool isChain = false;
  if (rest().starts_with("[")) {
    Tile tile;
    if (!parseTile(source, tile))
      return failInLiteral(start, source);
    out = std::move(tile);
  } else if (rest().starts_with("CS")) {
    CoordSwizzle swizzle;
    if (!parseCoordSwizzle(source, swizzle))
      return failInLiteral(start, source);
    out = std::move(swizzle);
    isChain = TextSource(source).consumeKeyword("o");
  } else if (rest().starts_with("S")) {
    Swizzle swizzle;
    if (!parseSwizzle(source, swizzle))
      return failInLiteral(start, source);
    out = swizzle;
    isChain = TextSource(source).consumeKeyword("o");
  } else {
    // Nothing that a literal can start with: say what an expression can be.
    if (rest().empty() ||
        !llvm::StringRef("(*?-0123456789").contains(rest()[0]))
      return failHere("expected a function, a layout, an int_tuple, a tile or "
                      "a swizzle");
    IntTuple tuple;
    if (!parseIntTuple(source, tuple))
      return failInLiteral(start, source);
    out = std::move(tuple);
    isChain = TextSource(source).consume(':');
  }
  if (isChain) {
    source = TextSource(rest());
    AnyLayout layout;
    if (!parseAnyLayout(source, layout))
      return failInLiteral(start, source);
    out = std::move(layout);
  }
  position = start + source.column();
  return true;
}

std::optional<Value> fly::layout::evaluateExpression(Arith &arith,
                                                     llvm::StringRef text,
                                                     ExpressionError &error,
                                                     Vocabulary words) {
  Value value;
  if (!Reader(arith, text, error, words).readAll(value))
    return std::nullopt;
  return value;
}
