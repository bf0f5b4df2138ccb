// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compile reads besides its input: remembered for direct mode, which
// asks later whether it is still the same, and for make.

#include "Steps.h"

#include "fly/Analysis/DeviceLibraries.h"

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

/// Blanks, `#` and `$` mean something to make.
static void writeMakeWord(llvm::raw_ostream &os, StringRef word) {
  for (char letter : word) {
    if (letter == ' ' || letter == '#' || letter == '\\')
      os << '\\';
    if (letter == '$')
      os << '$';
    os << letter;
  }
}

std::string mlir::fly::depfileText(ArrayRef<std::string> outputs,
                                   StringRef inputPath,
                                   const FileReads &reads) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      outputs, os, [&](StringRef path) { writeMakeWord(os, path); }, " ");
  os << ":";
  auto add = [&](StringRef path) {
    os << " \\\n  ";
    writeMakeWord(os, path);
  };
  if (inputPath != "-")
    add(inputPath);
  for (const auto &[path, digest] : reads)
    if (digest)
      add(path);
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
