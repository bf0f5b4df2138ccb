// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The records of a store as values. A record goes in, its one text comes out;
// a text goes in, the record or a coded error comes out. The law: a text that
// is accepted is exactly the text that the record prints, its checksum is right
// and its key is the one of its components, so that no flipped byte passes.
//
//   {"checksum":"<BLAKE3 of the text without this member>",
//    "components":[{"digest":"...","fields":{...},"name":"schema"}, ...],
//    "format":"fly-store/1","key":"fly1-...",
//    "payload":{"digest":"...","kernels":[{"name":"gemm","lds":16384, ...}],
//               "kind":"elf","size":22160},
//    "target":"backend=rocm chip=gfx942 sramecc=any ..."}

#ifndef FLY_STORE_MANIFEST_H
#define FLY_STORE_MANIFEST_H

#include "fly/Support/CacheKey.h"
#include "fly/Target/AMDGPU/CodeObject.h"

#include <optional>
#include <string>
#include <vector>

namespace fly::store {

/// Bounds that are checked before anything is allocated.
inline constexpr uint64_t maxManifestBytes = uint64_t(1) << 20;
inline constexpr uint64_t maxPayloadBytes = uint64_t(1) << 30;
inline constexpr size_t maxUnitNameBytes = 1024;

/// What a launch needs to know of a kernel. Sizes in bytes.
struct KernelFacts {
  std::string name;
  uint32_t kernarg = 0;
  uint32_t lds = 0;
  uint32_t scratch = 0;
  uint32_t vgprs = 0;
  uint32_t sgprs = 0;
  uint32_t agprs = 0;
  uint32_t wave = 0;
  uint32_t maxWorkgroup = 0;

  static KernelFacts of(const amdgpu::KernelInfo &info);
  llvm::json::Value json() const;

  friend bool operator==(const KernelFacts &a, const KernelFacts &b);
};

/// The manifest of an entry.
struct Manifest {
  support::CacheKey key;
  amdgpu::Target target;
  support::Digest payload;
  uint64_t size = 0;
  /// In the order of the code object.
  std::vector<KernelFacts> kernels;

  /// The manifest of `bytes`. The code object must be code for `target` (S004)
  /// and `key` a key for it (S003).
  static llvm::Expected<Manifest> describe(support::CacheKey key,
                                           const amdgpu::Target &target,
                                           llvm::StringRef bytes);

  std::string text() const;
  /// Errors S002 (not such a text), S003 (key and components differ), S005
  /// (another format or key schema). `file` is named in them. With `wanted`,
  /// S003 also for an entry of another key.
  static llvm::Expected<Manifest> parse(llvm::StringRef text,
                                        llvm::StringRef file,
                                        llvm::StringRef wanted = "");

  /// What in `bytes` is not what the manifest says: size and digest (S002),
  /// target and kernels (S004). `file` is named.
  llvm::Error check(llvm::StringRef bytes, llvm::StringRef file) const;
  /// The first half of `check`: size and digest. Enough for bytes of a payload
  /// that `check` has accepted before.
  llvm::Error checkBytes(llvm::StringRef bytes, llvm::StringRef file) const;
};

/// The record under `units/`.
struct UnitRecord {
  std::string unit;
  amdgpu::Target target;
  std::string key;

  std::string path() const;
  std::string text() const;
  /// Errors S002 and S005.
  static llvm::Expected<UnitRecord> parse(llvm::StringRef text,
                                          llvm::StringRef file);
};

/// The record under `direct/`: what else a compile of some input read, each
/// with the digest that it had (nothing: it was not there), and the key that
/// came out. Belongs to one machine: never packed or merged.
struct DirectRecord {
  /// The name that the record stands under.
  support::Digest id;
  std::string key;
  amdgpu::Target target;
  std::vector<std::pair<std::string, std::optional<support::Digest>>> reads;

  std::string text() const;
  /// Errors S002, S003 (it stands under another name) and S005.
  static llvm::Expected<DirectRecord> parse(llvm::StringRef text,
                                            llvm::StringRef file);
};

/// The file under `ir/`: a compressed text, behind a header that says whose it
/// is. The header is a frame that readers of zstd skip (RFC 8878, 3.1.2), so
/// that `zstdcat` shows the text. Belongs to one machine: never packed or
/// merged.
struct KeptIR {
  /// The component `ir` of the keys that the text belongs to.
  support::Digest ir;
  /// Of the text.
  uint64_t textBytes = 0;
  /// The compressed text.
  std::string frame;

  std::string bytes() const;
  /// Errors S002 (damaged), S003 (it stands under another name) and S005 (kept
  /// by another version). `file`, below the store's root, is named.
  static llvm::Expected<KeptIR> parse(llvm::StringRef bytes,
                                      llvm::StringRef file);
};

/// Reads a target that was printed by `Target::text` or `Target::fullText`;
/// commas count as blanks.
llvm::Expected<amdgpu::Target> parseTargetText(llvm::StringRef text);

/// The digest of the component `ir`, or nothing for a key without one.
std::optional<support::Digest> irDigestOf(const support::CacheKey &key);

} // namespace fly::store

#endif // FLY_STORE_MANIFEST_H
