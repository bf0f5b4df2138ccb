// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The difference of two canonical texts as that of two bags of lines: an op
// that was put in or left out renumbers all that follow, and constants carry
// their number in their name, so lines are compared without the names of
// values. Where that shows nothing, values are numbered in the order of their
// first use and the lines compared one by one.

#include "fly/Store/Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace fly::store;
using llvm::StringRef;
using Lines = llvm::SmallVector<StringRef, 0>;

/// At most this many lines of each side are shown.
static constexpr size_t maxLines = 3;

/// `text` with the name behind each `%` replaced by what `rename` makes of it.
static std::string
renamed(StringRef text,
        llvm::function_ref<std::string(StringRef name)> rename) {
  std::string result;
  while (true) {
    size_t at = text.find('%');
    result += text.take_front(at);
    if (at == StringRef::npos)
      return result;
    text = text.drop_front(at + 1);
    StringRef name = text.take_while(
        [](char letter) { return llvm::isAlnum(letter) || letter == '_'; });
    result += "%" + rename(name);
    text = text.drop_front(name.size());
  }
}

static std::string nameless(StringRef line) {
  return renamed(line, [](StringRef) { return ""; });
}

static std::string renumbered(StringRef text) {
  llvm::StringMap<size_t> numbers;
  return renamed(text, [&](StringRef name) {
    return std::to_string(
        numbers.try_emplace(name, numbers.size()).first->second);
  });
}

static Lines linesOf(StringRef text) {
  Lines lines;
  text.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return lines;
}

/// The lines of `some` that are not among `others`, each as often as it is
/// missing there.
static std::vector<std::string> missing(const Lines &some,
                                        const Lines &others) {
  llvm::StringMap<size_t> counts;
  for (StringRef line : others)
    ++counts[nameless(line)];
  std::vector<std::string> result;
  for (StringRef line : some)
    if (size_t &count = counts[nameless(line)]; count)
      --count;
    else
      result.push_back(line.trim().str());
  return result;
}

std::optional<TextDifference> fly::store::textDifference(StringRef wanted,
                                                         StringRef stored) {
  Lines mine = linesOf(wanted), theirs = linesOf(stored);
  TextDifference difference;
  difference.all = std::max(mine.size(), theirs.size());
  difference.wanted = missing(mine, theirs);
  difference.stored = missing(theirs, mine);
  if (difference.count())
    return difference;
  // The same ops: others are their operands, or their order.
  std::string plainMine = renumbered(wanted), plainTheirs = renumbered(stored);
  Lines a = linesOf(plainMine), b = linesOf(plainTheirs);
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (a[i] != b[i]) {
      difference.wanted.push_back(mine[i].trim().str());
      difference.stored.push_back(theirs[i].trim().str());
    }
  if (!difference.count())
    return std::nullopt;
  return difference;
}

llvm::json::Object TextDifference::json() const {
  auto list = [](llvm::ArrayRef<std::string> lines) {
    llvm::json::Array array;
    for (const std::string &line : lines)
      array.push_back(llvm::json::fixUTF8(line));
    return array;
  };
  return llvm::json::Object{{"differing", uint64_t(count())},
                            {"lines", uint64_t(all)},
                            {"wanted", list(wanted)},
                            {"stored", list(stored)}};
}

static void addLines(std::string &text, const llvm::Twine &side,
                     llvm::ArrayRef<std::string> lines) {
  for (const std::string &line : lines.take_front(maxLines))
    text += (side + line + "\n").str();
  if (lines.size() > maxLines)
    text +=
        (side + "... and " + llvm::Twine(lines.size() - maxLines) + " more\n")
            .str();
}

std::string TextDifference::text(StringRef indent, StringRef mine,
                                 StringRef theirs) const {
  std::string result = (indent + "ir: " + llvm::Twine(count()) + " of " +
                        llvm::Twine(all) + " lines differ\n")
                           .str();
  addLines(result, indent + "  " + mine + "   ", wanted);
  addLines(result, indent + "  " + theirs + "   ", stored);
  return result;
}
