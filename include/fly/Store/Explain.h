// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why an entry was not found. The key that was wanted goes in, with its
// components; the stored entries that come nearest come out, with the leaves in
// which they differ. The law: when one knob was turned since the entry was
// made, exactly that knob is named.
//
//   FLY-S001 strict miss for @gemm (fly1-9c41d08b11aa)
//     nearest: fly1-77ab0c5e2f00 (same schema, ir, pipeline, ...)
//       target.xnack   wanted any   stored off
//     looked in: aot (ro, 412 entries, 3 for this kernel)
//     hint: ...

#ifndef FLY_STORE_EXPLAIN_H
#define FLY_STORE_EXPLAIN_H

#include "fly/Store/Store.h"
#include "fly/Store/Text.h"

#include <optional>
#include <string>
#include <vector>

namespace fly::store {

/// One field in which two keys differ.
struct Difference {
  std::string component;
  std::string field;
  /// "absent" is written for a field without a value, nothing stands for a
  /// field that the component does not have.
  std::optional<std::string> wanted;
  std::optional<std::string> stored;

  /// `target.xnack`.
  std::string name() const { return component + "." + field; }
};

/// All differences, in the order of the components, then by field.
std::vector<Difference> differences(const support::CacheKey &wanted,
                                    const support::CacheKey &stored);

/// How far apart: the sum over the components that differ of target 8,
/// schema 8, toolchain, bitcode and pipeline 4, codegen 2 for each field,
/// others 1.
unsigned distance(llvm::ArrayRef<Difference> differing);

/// `name   wanted X   stored Y`, aligned, one line each; long values shortened.
std::string differencesText(llvm::ArrayRef<Difference> differing,
                            llvm::StringRef indent);

/// Answers the canonical text of the module whose component `ir` is given, or
/// nothing.
using TextOf =
    llvm::function_ref<std::optional<std::string>(const support::Digest &ir)>;

/// A stored entry that comes near.
struct Candidate {
  Manifest manifest;
  std::string store;
  std::vector<Difference> differing;
  /// Of `differing`, and where the texts of both are known the ratio of ops
  /// that differ.
  double distance = 0;
  /// Where the modules differ, when their texts are known.
  std::optional<TextDifference> text;
};

/// A store that was searched.
struct Searched {
  std::string path;
  bool writable = false;
  uint64_t entries = 0;
  uint64_t considered = 0;
  /// A server, which cannot be listed.
  bool isRemote = false;
};

struct Explanation {
  support::CacheKey wanted;
  /// What was compiled, for the first line; may be empty.
  std::string title;
  /// Nearest first.
  std::vector<Candidate> nearest;
  std::vector<Searched> searched;
  /// Kernels were named and no entry has one of them.
  bool isOfOtherKernel = false;

  /// Lines as above. `headline` is the first one.
  std::string text(llvm::StringRef headline) const;
  llvm::json::Value json() const;
};

/// Explains why `wanted` is in none of `stores`. Candidates are the entries
/// that share one of `kernels`; when there are none, those with the same
/// target; when there are none, all. At most `limit` are kept. `textOf`, if
/// given, is asked for the texts of two modules that differ.
llvm::Expected<Explanation> explain(const support::CacheKey &wanted,
                                    llvm::ArrayRef<std::string> kernels,
                                    llvm::ArrayRef<const Store *> stores,
                                    unsigned limit = 1, TextOf textOf = {});

/// What to do about the first difference that has a remedy; may be empty.
std::string hintFor(llvm::ArrayRef<Difference> differing);

/// The key shortened for people: `fly1-` and 12 digits.
std::string shortKey(llvm::StringRef key);

} // namespace fly::store

#endif // FLY_STORE_EXPLAIN_H
