// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonical texts beside the entries of a store. A digest says that a module
// has changed; the text says where. The text of a module goes in, compressed,
// under the digest that is its component `ir`; the same text comes out, or
// what is wrong with the file. Only explanations read it.
//
//   llvm::Error error = keepText(store, ir, "gpu.module @m {...");
//   std::optional<std::string> text = keptText({&store}, ir);
//   textDifference(wanted, *text)->text("  ");
//     //   ir: 1 of 9 lines differ
//     //     wanted   %c2_i32 = arith.constant 2 : i32
//     //     stored   %c1_i32 = arith.constant 1 : i32

#ifndef FLY_STORE_TEXT_H
#define FLY_STORE_TEXT_H

#include "fly/Store/Store.h"

namespace fly::store {

/// The largest text that is kept.
inline constexpr uint64_t maxTextBytes = uint64_t(64) << 20;

/// Keeps `text` in `store`. An error when it is too large, when this LLVM
/// cannot compress, and as `Store::publishIR`.
llvm::Error keepText(const Store &store, const support::Digest &ir,
                     llvm::StringRef text);

/// The text under `ir` in the first of `stores` that has one; a damaged file is
/// passed over with a warning.
std::optional<std::string> keptText(llvm::ArrayRef<const Store *> stores,
                                    const support::Digest &ir);

/// How two texts of modules differ, op by op: a line is an op, and the names of
/// values do not count unless nothing else differs.
struct TextDifference {
  /// Lines of `wanted` and of `stored` that the other has not, in order.
  std::vector<std::string> wanted;
  std::vector<std::string> stored;
  /// Lines of the longer text.
  size_t all = 0;

  size_t count() const { return std::max(wanted.size(), stored.size()); }
  /// `count` of `all`: above 0 and at most 1.
  double ratio() const { return double(count()) / double(all); }
  /// {differing, lines, wanted: [...], stored: [...]}.
  llvm::json::Object json() const;
  /// `ir: 1 of 9 lines differ`, and at most three lines of each side, which
  /// are named so.
  std::string text(llvm::StringRef indent, llvm::StringRef mine = "wanted",
                   llvm::StringRef theirs = "stored") const;
};

/// Nothing when the two are the same but for the names of values.
std::optional<TextDifference> textDifference(llvm::StringRef wanted,
                                             llvm::StringRef stored);

} // namespace fly::store

#endif // FLY_STORE_TEXT_H
