// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonical texts beside the entries of a store. A digest says that a module
// has changed; the text says where:
//
//   ir: 1 of 9 lines differ
//     wanted   %c2_i32 = arith.constant 2 : i32
//     stored   %c1_i32 = arith.constant 1 : i32
//
// Source of the frame's header: RFC 8878, 3.1.1.1.

#include "Steps.h"

#include "fly/Store/Manifest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mlir::fly;
namespace zstd = llvm::compression::zstd;

static constexpr uint64_t maxTextBytes = uint64_t(64) << 20;

/// The text that `fly-print-canonical` prints for `unit`, or empty.
static std::string canonicalText(const DriverUnit &unit) {
  FailureOr<CanonicalPlan> plan =
      CanonicalPlan::of(unit.unit.module, PlanOptions::of(unit.unit.options));
  if (failed(plan))
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  plan->print(os);
  return text;
}

/// How large the content of a compressed frame says that it is; nothing when
/// it does not say, or is no frame.
static std::optional<uint64_t> contentSize(StringRef frame) {
  using namespace llvm::support::endian;
  if (frame.size() < 5 || read32le(frame.data()) != 0xFD2FB528)
    return std::nullopt;
  uint8_t descriptor = frame[4];
  bool isSingle = descriptor & 0x20;
  static constexpr unsigned nameSizes[] = {0, 1, 2, 4};
  static constexpr unsigned fieldSizes[] = {0, 2, 4, 8};
  unsigned size = fieldSizes[descriptor >> 6];
  if (size == 0 && isSingle)
    size = 1;
  StringRef field = frame.drop_front(5).drop_front(std::min<size_t>(
      frame.size() - 5, (isSingle ? 0 : 1) + nameSizes[descriptor & 3]));
  if (size == 0 || field.size() < size)
    return std::nullopt;
  switch (size) {
  case 1:
    return uint8_t(field[0]);
  case 2:
    return uint64_t(read16le(field.data())) + 256;
  case 4:
    return read32le(field.data());
  default:
    return read64le(field.data());
  }
}

/// The text in `frame`; nothing when it is damaged or too large.
static std::optional<std::string> decompress(StringRef frame) {
  std::optional<uint64_t> size = contentSize(frame);
  if (!zstd::isAvailable() || !size || *size > maxTextBytes)
    return std::nullopt;
  SmallVector<uint8_t, 0> text;
  llvm::Error error =
      zstd::decompress(llvm::arrayRefFromStringRef(frame), text, *size);
  if (!error)
    return llvm::toStringRef(text).str();
  llvm::consumeError(std::move(error));
  return std::nullopt;
}

void mlir::fly::keepIR(const DriverRun &run, const DriverUnit &unit,
                       const CacheKey &key) {
  const ::fly::store::Store *store = run.layers->writable();
  std::optional<::fly::support::Digest> digest = ::fly::store::irDigestOf(key);
  if (!run.request.keepIR || !store || !digest)
    return;
  std::string text = canonicalText(unit);
  if (text.empty() || text.size() > maxTextBytes || !zstd::isAvailable()) {
    run.messages << "warning: the text of " << unit.name << " is not kept: "
                 << (zstd::isAvailable() ? "it is too large"
                                         : "this LLVM has no zstd")
                 << "\n";
    return;
  }
  SmallVector<uint8_t, 0> frame;
  zstd::compress(llvm::arrayRefFromStringRef(text), frame);
  if (llvm::Error error = store->publishIR(*digest, llvm::toStringRef(frame)))
    run.messages << "warning: " << llvm::toString(std::move(error)) << "\n";
}

/// The kept text of the entry `nearest`.
static std::optional<std::string>
textOf(const DriverRun &run, const ::fly::store::Candidate &nearest) {
  std::optional<::fly::support::Digest> digest =
      ::fly::store::irDigestOf(nearest.manifest.key);
  for (const ::fly::store::Store &store : run.layers->stores())
    if (digest && store.path() == nearest.store)
      if (std::optional<std::string> frame = store.keptIR(*digest))
        return decompress(*frame);
  return std::nullopt;
}

/// `text` with values numbered in the order of their first use: constants are
/// printed with their number as a name, which would make every use differ.
static std::string renumbered(StringRef text) {
  std::string result;
  llvm::StringMap<size_t> numbers;
  while (!text.empty()) {
    auto [before, after] = text.split('%');
    result += before;
    if (before.size() == text.size())
      return result;
    StringRef name = after.take_while(
        [](char letter) { return llvm::isAlnum(letter) || letter == '_'; });
    size_t number = numbers.try_emplace(name, numbers.size()).first->second;
    result += "%" + std::to_string(number);
    text = after.drop_front(name.size());
  }
  return result;
}

/// At most this many lines of each side are shown.
static constexpr size_t maxLines = 3;

static void addLines(std::string &text, StringRef side,
                     ArrayRef<StringRef> lines) {
  for (StringRef line : lines.take_front(maxLines))
    text += ("    " + side + "   " + line.trim() + "\n").str();
  if (lines.size() > maxLines)
    text += ("    " + side + "   ... and " + Twine(lines.size() - maxLines) +
             " more\n")
                .str();
}

std::string mlir::fly::irDifference(const DriverRun &run,
                                    const DriverUnit &unit,
                                    const ::fly::store::Candidate &nearest) {
  std::optional<std::string> stored = textOf(run, nearest);
  if (!stored)
    return "";
  std::string wanted = canonicalText(unit);
  SmallVector<StringRef> a, b, shownA, shownB;
  std::string plainA = renumbered(wanted), plainB = renumbered(*stored);
  StringRef(plainA).split(a, '\n');
  StringRef(plainB).split(b, '\n');
  StringRef(wanted).split(shownA, '\n');
  StringRef(*stored).split(shownB, '\n');
  size_t shorter = std::min(a.size(), b.size()), same = 0, sameAtEnd = 0;
  while (same < shorter && a[same] == b[same])
    ++same;
  while (sameAtEnd < shorter - same &&
         a[a.size() - 1 - sameAtEnd] == b[b.size() - 1 - sameAtEnd])
    ++sameAtEnd;
  size_t all = std::max(a.size(), b.size());
  auto middle = [&](ArrayRef<StringRef> lines) {
    return lines.drop_front(same).drop_back(sameAtEnd);
  };
  ArrayRef<StringRef> mine = middle(shownA), theirs = middle(shownB);
  size_t differing = std::max(mine.size(), theirs.size());
  if (differing == 0)
    return "";
  std::string text = "  ir: " + std::to_string(differing) + " of " +
                     std::to_string(all) + " lines differ\n";
  addLines(text, "wanted", mine);
  addLines(text, "stored", theirs);
  return text;
}
