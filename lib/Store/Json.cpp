// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounded parsing and canonical printing of JSON.

#include "fly/Store/Json.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <set>
#include <vector>

using namespace fly::store;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr unsigned depthLimit = 16;

/// The deepest nesting of brackets outside of texts. LLVM's parser recurses.
static unsigned depthOf(StringRef text) {
  unsigned depth = 0, deepest = 0;
  bool inText = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inText) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inText = false;
    } else if (c == '"') {
      inText = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth) {
      --depth;
    }
  }
  return deepest;
}

llvm::Expected<json::Value> fly::store::parseJson(StringRef text) {
  if (unsigned depth = depthOf(text); depth > depthLimit)
    return llvm::createStringError("JSON is nested " + std::to_string(depth) +
                                   " deep, at most " +
                                   std::to_string(depthLimit) + " is allowed");
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return llvm::createStringError("not JSON: " +
                                   llvm::toString(value.takeError()));
  return value;
}

std::optional<std::string> fly::store::repeatedMember(StringRef text) {
  // The names in the objects that are open; lists have none.
  std::vector<std::set<StringRef>> names;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '[')
      names.emplace_back();
    if ((text[i] == '}' || text[i] == ']') && !names.empty())
      names.pop_back();
    if (text[i] != '"')
      continue;
    size_t begin = ++i;
    while (i < text.size() && text[i] != '"')
      i += text[i] == '\\' ? 2 : 1;
    StringRef word = text.slice(begin, i);
    bool isName = text.substr(i + 1).ltrim(" \t\r\n").starts_with(":");
    if (isName && !names.empty() && !names.back().insert(word).second)
      return word.str();
  }
  return std::nullopt;
}

std::string fly::store::printJson(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value << '\n';
  return text;
}

bool fly::store::isPlainlyCanonical(StringRef text) {
  if (!text.consume_back("\n"))
    return false;
  // The last name in each object that is open; lists have none. Members stand
  // in the order of their names, none twice.
  llvm::SmallVector<std::optional<StringRef>, 16> names;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '{' || c == '[') {
      names.emplace_back();
    } else if (c == '}' || c == ']') {
      if (names.empty())
        return false;
      names.pop_back();
    } else if (c == '"') {
      StringRef word = text.substr(i + 1).take_until(
          [](char letter) { return letter == '"' || letter == '\\'; });
      i += word.size() + 1;
      if (i == text.size() || text[i] == '\\')
        return false;
      if (!text.substr(i + 1).starts_with(":"))
        continue;
      if (names.empty() || (names.back() && *names.back() >= word))
        return false;
      names.back() = word;
    } else if (llvm::isDigit(c)) {
      StringRef number = text.substr(i).take_while(llvm::isDigit);
      i += number.size() - 1;
      bool hasOneSpelling =
          number.size() == 1 || (c != '0' && number.size() < 19);
      bool isWhole =
          i + 1 == text.size() || StringRef(",]}").contains(text[i + 1]);
      if (!hasOneSpelling || !isWhole)
        return false;
    } else if (c != ',' && c != ':' && !llvm::isLower(c)) {
      return false; // A blank, a sign.
    }
  }
  return true;
}

MemberReader::MemberReader(const json::Value &value, StringRef what)
    : object(value.getAsObject()), what(what.str()) {
  if (!object)
    refuse("is not an object");
}

void MemberReader::refuse(const llvm::Twine &text) {
  if (problem.empty())
    problem = (what + " " + text).str();
}

const json::Value *MemberReader::take(StringRef name) {
  if (!object)
    return nullptr;
  const json::Value *value = object->get(name);
  if (value)
    ++taken;
  else
    refuse("has no member '" + name + "'");
  return value;
}

bool MemberReader::has(StringRef name) const {
  return object && object->get(name);
}

std::string MemberReader::text(StringRef name) {
  const json::Value *value = take(name);
  if (!value)
    return "";
  if (std::optional<StringRef> text = value->getAsString())
    return text->str();
  refuse("member '" + name + "' is not a text");
  return "";
}

uint64_t MemberReader::number(StringRef name, uint64_t max) {
  const json::Value *value = take(name);
  if (!value)
    return 0;
  std::optional<uint64_t> number = value->getAsUINT64();
  if (number && *number <= max)
    return *number;
  refuse("member '" + name + "' is not a whole number from 0 to " +
         llvm::Twine(max));
  return 0;
}

bool MemberReader::boolean(StringRef name) {
  const json::Value *value = take(name);
  if (!value)
    return false;
  if (std::optional<bool> boolean = value->getAsBoolean())
    return *boolean;
  refuse("member '" + name + "' is not true or false");
  return false;
}

const json::Array *MemberReader::array(StringRef name) {
  const json::Value *value = take(name);
  if (!value)
    return nullptr;
  if (const json::Array *array = value->getAsArray())
    return array;
  refuse("member '" + name + "' is not a list");
  return nullptr;
}

const json::Value *MemberReader::value(StringRef name) { return take(name); }

llvm::Error MemberReader::finish() {
  if (object && taken != object->size())
    refuse("has members that are not known");
  if (problem.empty())
    return llvm::Error::success();
  return llvm::createStringError(problem);
}
