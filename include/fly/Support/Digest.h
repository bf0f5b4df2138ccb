// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests. Bytes go in as a sequence of tagged, length-prefixed items, a
// BLAKE3-256 digest comes out. The law: two sequences of calls give the same
// digest only if they are the same sequence (`addBytes("ab"), addBytes("c")`
// differs from `addBytes("a"), addBytes("bc")`; absent differs from empty).
//
//   Hasher hasher("fly-cache-key", "v1");
//   hasher.addText("gfx942");
//   std::string hex = hasher.finish().hex();

#ifndef FLY_SUPPORT_DIGEST_H
#define FLY_SUPPORT_DIGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace fly::support {

/// A BLAKE3-256 digest; compared and ordered as bytes.
struct Digest {
  std::array<uint8_t, 32> bytes{};

  /// 64 lower-case hexadecimal digits.
  std::string hex() const;
  /// The first 12 digits, for people only.
  std::string shortHex() const;
  /// Exactly 64 digits `[0-9a-f]`, else nothing.
  static std::optional<Digest> fromHex(llvm::StringRef text);

  friend bool operator==(const Digest &a, const Digest &b) {
    return a.bytes == b.bytes;
  }
  friend bool operator!=(const Digest &a, const Digest &b) { return !(a == b); }
  friend bool operator<(const Digest &a, const Digest &b) {
    return a.bytes < b.bytes;
  }
};

/// The digest of plain bytes with nothing added: the name of a blob.
Digest digestOf(llvm::StringRef bytes);

/// Digests a sequence of items. Each item is a tag byte, then for texts, bytes
/// and lists a little-endian 64-bit length or count, then the payload.
class Hasher {
public:
  /// Starts with `domain`, a zero byte, `version`, a zero byte, so that
  /// digests made for different uses never meet. Neither may hold a zero.
  Hasher(llvm::StringRef domain, llvm::StringRef version);
  Hasher(const Hasher &) = delete;
  Hasher &operator=(const Hasher &) = delete;

  /// Human-readable text and raw bytes are different items.
  void addText(llvm::StringRef text);
  void addBytes(llvm::StringRef bytes);
  void addBytes(llvm::ArrayRef<uint8_t> bytes);
  /// A signed number: the two's complement bits of 64-bit width.
  void addInteger(int64_t value);
  void addUnsigned(uint64_t value);
  void addBool(bool value);
  void addDigest(const Digest &digest);
  /// A value that is not there. Differs from every value that is.
  void addAbsent();
  /// The text, or absent.
  void addOptional(std::optional<llvm::StringRef> text);
  /// Announces that `count` items follow. Must come before each list.
  void beginList(uint64_t count);
  /// Announces a named structure (an op, an attribute kind): its own tag, so
  /// that a structure never looks like a list or a text.
  void beginStruct(llvm::StringRef name);

  /// The digest of all that was added; more may be added afterwards.
  Digest finish() const;

private:
  void addTagged(char tag, uint64_t number);
  void flush() const;

  // Small items are gathered first: one call of BLAKE3 per item costs more
  // than the hashing, and it hashes sixteen blocks of a kilobyte at once.
  mutable llvm::BLAKE3 state;
  mutable std::array<uint8_t, 16384> buffer;
  mutable size_t used = 0;
  void append(const void *data, size_t size);
};

} // namespace fly::support

#endif // FLY_SUPPORT_DIGEST_H
