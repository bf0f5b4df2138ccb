// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ustar writer and its strict reader.
//
// Source of the layout: POSIX.1-2017, pax, "ustar Interchange Format".

#include "Tar.h"

#include "fly/Store/Paths.h"
#include "fly/Support/Errors.h"

#include <cassert>
#include <cstring>

using namespace fly::store;
using fly::support::quoted;
using llvm::StringRef;

static constexpr size_t blockSize = 512;

/// Writes `value` in octal with leading zeros, `width` digits, and a zero byte.
static void putOctal(char *field, unsigned width, uint64_t value) {
  for (unsigned i = width; i-- > 0; value >>= 3)
    field[i] = char('0' + (value & 7));
  field[width] = '\0';
}

/// Folder and name as two fields of a header hold them.
static std::pair<StringRef, StringRef> splitPath(StringRef path) {
  size_t slash = path.size() > 100 ? path.rfind('/') : StringRef::npos;
  if (slash == StringRef::npos)
    return {"", path};
  return {path.take_front(slash), path.substr(slash + 1)};
}

static bool fits(StringRef path) {
  auto [prefix, name] = splitPath(path);
  return !path.empty() && path.front() != '/' && prefix.size() <= 155 &&
         name.size() <= 100;
}

/// The header of a member; its form is unique for path and size.
static std::string headerOf(StringRef path, uint64_t size) {
  std::string block(blockSize, '\0');
  assert(fits(path) && "path is too long");
  auto [prefix, name] = splitPath(path);
  std::memcpy(&block[0], name.data(), name.size());
  putOctal(&block[100], 7, 0644); // mode
  putOctal(&block[108], 7, 0);    // owner
  putOctal(&block[116], 7, 0);    // group
  putOctal(&block[124], 11, size);
  putOctal(&block[136], 11, 0); // time
  std::memset(&block[148], ' ', 8);
  block[156] = '0'; // a regular file
  std::memcpy(&block[257],
              "ustar\0"
              "00",
              8);
  putOctal(&block[329], 7, 0); // device
  putOctal(&block[337], 7, 0);
  std::memcpy(&block[345], prefix.data(), prefix.size());
  unsigned sum = 0;
  for (unsigned char byte : block)
    sum += byte;
  putOctal(&block[148], 6, sum); // then the blank that is there
  return block;
}

static size_t paddingOf(uint64_t size) {
  return (blockSize - size % blockSize) % blockSize;
}

void fly::store::appendMember(llvm::raw_ostream &os, StringRef path,
                              StringRef bytes) {
  os << headerOf(path, bytes.size()) << bytes;
  os.write_zeros(paddingOf(bytes.size()));
}

void fly::store::finishArchive(llvm::raw_ostream &os) {
  os.write_zeros(2 * blockSize);
}

/// The text of a field up to its first zero byte.
static StringRef textOf(StringRef field) {
  return field.take_until([](char c) { return c == '\0'; });
}

llvm::Expected<std::map<std::string, StringRef>>
fly::store::readArchive(StringRef archive) {
  std::map<std::string, StringRef> members;
  auto refuse = [&](StringRef rest, const llvm::Twine &problem) {
    return llvm::createStringError(
        "archive, byte " + llvm::Twine(uint64_t(archive.size() - rest.size())) +
        ": " + problem);
  };
  StringRef rest = archive;
  const std::string zeros(2 * blockSize, '\0');
  while (true) {
    if (rest == zeros)
      return members;
    if (rest.size() < blockSize)
      return refuse(rest, "it ends early");
    StringRef header = rest.take_front(blockSize);
    StringRef prefix = textOf(header.substr(345, 155));
    std::string path = textOf(header.substr(0, 100)).str();
    if (!prefix.empty())
      path = (prefix + "/" + path).str();
    uint64_t size = 0;
    if (textOf(header.substr(124, 12)).getAsInteger(8, size))
      return refuse(rest, "the size of a member is not an octal number");
    // One comparison covers mode, owner, time, type, magic and checksum.
    if (!fits(path) || headerOf(path, size) != header)
      return refuse(rest, "not a header as a store's archive has it, for " +
                              quotedPath(path));
    rest = rest.drop_front(blockSize);
    if (size > rest.size() || paddingOf(size) > rest.size() - size)
      return refuse(rest, quotedPath(path) + " is cut short");
    if (rest.substr(size, paddingOf(size)).find_first_not_of('\0') !=
        StringRef::npos)
      return refuse(rest, quotedPath(path) + " is followed by stray bytes");
    if (!members.empty() && members.rbegin()->first >= path)
      return refuse(rest, quotedPath(path) + " is out of order");
    members.emplace(path, rest.take_front(size));
    rest = rest.drop_front(size + paddingOf(size));
  }
}
