// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests: the tag bytes and lengths that make each sequence of items a
// distinct byte string, and BLAKE3 over that string.

#include "fly/Support/Digest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

#include <cassert>
#include <cstring>

using namespace fly::support;
using llvm::StringRef;

/// One byte in front of each item. Changing a tag changes every key: the
/// version given to the constructor must then change too.
namespace {
enum Tag : char {
  textTag = 'T',
  bytesTag = 'B',
  integerTag = 'I',
  unsignedTag = 'U',
  boolTag = 'b',
  digestTag = 'D',
  absentTag = '0',
  listTag = 'L',
  structTag = 'S'
};
} // namespace

std::string Digest::hex() const {
  return llvm::toHex(bytes, /*LowerCase=*/true);
}

std::string Digest::shortHex() const { return hex().substr(0, 12); }

std::optional<Digest> Digest::fromHex(StringRef text) {
  Digest digest;
  if (text.size() != 2 * digest.bytes.size() ||
      text.find_first_not_of("0123456789abcdef") != StringRef::npos)
    return std::nullopt;
  for (size_t i = 0; i < digest.bytes.size(); ++i)
    digest.bytes[i] = llvm::hexFromNibbles(text[2 * i], text[2 * i + 1]);
  return digest;
}

Digest fly::support::digestOf(StringRef bytes) {
  llvm::BLAKE3 state;
  state.update(bytes);
  return Digest{state.final()};
}

Hasher::Hasher(StringRef domain, StringRef version) {
  assert(domain.find('\0') == StringRef::npos &&
         version.find('\0') == StringRef::npos && "zero ends each part");
  const char zero = 0;
  append(domain.data(), domain.size());
  append(&zero, 1);
  append(version.data(), version.size());
  append(&zero, 1);
}

void Hasher::flush() const {
  state.update(llvm::ArrayRef<uint8_t>(buffer.data(), used));
  used = 0;
}

void Hasher::append(const void *data, size_t size) {
  if (size == 0)
    return;
  if (size > buffer.size() - used)
    flush();
  if (size > buffer.size()) {
    state.update(
        llvm::ArrayRef<uint8_t>(static_cast<const uint8_t *>(data), size));
    return;
  }
  std::memcpy(buffer.data() + used, data, size);
  used += size;
}

void Hasher::addTagged(char tag, uint64_t number) {
  char item[9];
  item[0] = tag;
  llvm::support::endian::write64le(item + 1, number);
  append(item, sizeof(item));
}

void Hasher::addText(StringRef text) {
  addTagged(textTag, text.size());
  append(text.data(), text.size());
}

void Hasher::addBytes(StringRef bytes) {
  addTagged(bytesTag, bytes.size());
  append(bytes.data(), bytes.size());
}

void Hasher::addBytes(llvm::ArrayRef<uint8_t> bytes) {
  addTagged(bytesTag, bytes.size());
  append(bytes.data(), bytes.size());
}

void Hasher::addInteger(int64_t value) {
  addTagged(integerTag, static_cast<uint64_t>(value));
}

void Hasher::addUnsigned(uint64_t value) { addTagged(unsignedTag, value); }

void Hasher::addBool(bool value) {
  const char item[2] = {boolTag, value ? '\1' : '\0'};
  append(item, sizeof(item));
}

void Hasher::addDigest(const Digest &digest) {
  const char tag = digestTag;
  append(&tag, 1);
  append(digest.bytes.data(), digest.bytes.size());
}

void Hasher::addAbsent() {
  const char tag = absentTag;
  append(&tag, 1);
}

void Hasher::addOptional(std::optional<StringRef> text) {
  if (text)
    addText(*text);
  else
    addAbsent();
}

void Hasher::beginList(uint64_t count) { addTagged(listTag, count); }

void Hasher::beginStruct(StringRef name) {
  addTagged(structTag, name.size());
  append(name.data(), name.size());
}

Digest Hasher::finish() const {
  flush();
  return Digest{state.final()};
}
