// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compile reads besides its input: remembered for direct mode, which
// asks later whether it is still the same, and for make.

#include "Steps.h"

#include "fly/Analysis/DeviceLibraries.h"
#include "fly/Support/Errors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <ctime>

using namespace mlir;
using namespace mlir::fly;
using ::fly::support::Digest;

void RecordingEnvironment::add(StringRef path,
                               std::optional<Digest> digest) const {
  for (const auto &[known, _] : seen)
    if (known == path)
      return;
  seen.emplace_back(path.str(), digest);
}

llvm::Expected<Toolchain> RecordingEnvironment::toolchain() const {
  return base.toolchain();
}

llvm::Expected<std::string>
RecordingEnvironment::readFile(StringRef path) const {
  llvm::Expected<std::string> content = base.readFile(path);
  if (content)
    add(path, ::fly::support::digestOf(*content));
  return content;
}

std::optional<std::string>
RecordingEnvironment::deviceLibrary(StringRef fileName,
                                    StringRef option) const {
  std::optional<std::string> found = base.deviceLibrary(fileName, option);
  // A file that appears later in an earlier place would be taken instead.
  for (const DeviceLibraryPlace &place :
       deviceLibraryPlaces(option, environment())) {
    SmallString<128> path(place.folder);
    llvm::sys::path::append(path, fileName);
    if (found && *found == path)
      break;
    add(path, std::nullopt);
  }
  return found;
}

/// Writes `path` as a word of a rule. Blanks, `#`, `:` and `$` mean something
/// to make, in targets `%` does too; a backslash only in front of one of these.
/// What no quoting helps, a line's end or a semicolon, is an error.
static llvm::Error writeMakeWord(llvm::raw_ostream &os, StringRef path,
                                 bool isTarget) {
  if (path.find_first_of("\n\r;") != StringRef::npos)
    return llvm::createStringError(
        "the path " + ::fly::support::quoted(path) +
        " cannot stand in a rule of make, which knows no quoting for "
        "line ends and ';'");
  for (auto [index, letter] : llvm::enumerate(path)) {
    if (letter == '$')
      os << '$';
    bool isSpecial =
        StringRef(" \t#:").contains(letter) || (isTarget && letter == '%');
    if (isSpecial) {
      // Backslashes that stand before it count, so each is doubled.
      for (size_t at = index; at > 0 && path[at - 1] == '\\'; --at)
        os << '\\';
      os << '\\';
    }
    os << letter;
  }
  return llvm::Error::success();
}

llvm::Expected<std::string>
mlir::fly::depfileText(ArrayRef<std::string> outputs, StringRef inputPath,
                       const FileReads &reads) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [index, path] : llvm::enumerate(outputs)) {
    os << (index ? " " : "");
    if (llvm::Error error = writeMakeWord(os, path, /*isTarget=*/true))
      return std::move(error);
  }
  os << ":";
  std::vector<StringRef> sources;
  if (inputPath != "-")
    sources.push_back(inputPath);
  for (const auto &[path, digest] : reads)
    if (digest)
      sources.push_back(path);
  for (StringRef path : sources) {
    os << " \\\n  ";
    if (llvm::Error error = writeMakeWord(os, path, /*isTarget=*/false))
      return std::move(error);
  }
  os << "\n";
  return text;
}

std::string mlir::fly::fileNameOf(StringRef text) {
  std::string name;
  llvm::raw_string_ostream os(name);
  for (auto [index, letter] : llvm::enumerate(text)) {
    bool isPlain = llvm::isAlnum(letter) ||
                   StringRef("_-+:,").contains(letter) ||
                   (letter == '.' && index != 0);
    if (isPlain)
      os << letter;
    else
      os << '%' << llvm::toHex(StringRef(&letter, 1), /*LowerCase=*/true);
  }
  return name;
}

static double cpuSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

void StepTimes::begin(StringRef step) {
  double now = cpuSeconds();
  if (!steps.empty())
    steps.back().second += now - since;
  since = now;
  // Steps of several units add up.
  for (auto it = steps.begin(); it != steps.end(); ++it)
    if (it->first == step) {
      std::rotate(it, it + 1, steps.end());
      return;
    }
  steps.emplace_back(step.str(), 0);
}

std::string StepTimes::text() {
  begin("end");
  steps.pop_back();
  std::string text;
  llvm::raw_string_ostream os(text);
  double total = 0;
  for (const auto &[step, seconds] : steps) {
    os << llvm::format("  %-10s %8.1f ms\n", step.c_str(), seconds * 1000);
    total += seconds;
  }
  os << llvm::format("  %-10s %8.1f ms\n", "total", total * 1000);
  return text;
}
