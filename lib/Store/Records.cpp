// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sealing of records, and the records of units, of direct mode and of texts.

#include "Records.h"

#include "fly/Store/Manifest.h"
#include "fly/Support/Errors.h"

#include "llvm/Support/Endian.h"

#include <algorithm>

using namespace fly::store;
namespace amdgpu = fly::amdgpu;
using fly::amdgpu::Target;
using fly::support::Digest;
using fly::support::digestOf;
using fly::support::isKeyText;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;
namespace json = llvm::json;
namespace endian = llvm::support::endian;

llvm::Error fly::store::corrupt(StringRef file, const llvm::Twine &problem) {
  return makeError("S002", "corrupt " + quotedPath(file) + ": " + problem);
}

llvm::Error fly::store::otherFormat(StringRef file, StringRef format) {
  return makeError("S005", quotedPath(file) + " has format " + quoted(format) +
                               ", this program knows '" + storeFormat +
                               "'; build the store anew or use a program of "
                               "its version");
}

std::string fly::store::formatText() {
  return printJson(
      json::Object{{"format", storeFormat}, {"hash", "blake3-256"}});
}

llvm::Error fly::store::checkFormatText(StringRef text, StringRef file) {
  std::string expected = formatText();
  if (text == expected)
    return llvm::Error::success();
  llvm::Expected<json::Value> value = parseJson(text);
  if (!value)
    return corrupt(file, llvm::toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  std::optional<StringRef> format =
      object ? object->getString("format") : std::nullopt;
  if (format && *format != storeFormat)
    return otherFormat(file, *format);
  return corrupt(file, "expected " + StringRef(expected).rtrim() + ", found " +
                           quoted(text.rtrim()));
}

std::string fly::store::sealed(json::Object record) {
  std::string plain = printJson(json::Value(json::Object(record)));
  record["checksum"] = digestOf(plain).hex();
  return printJson(std::move(record));
}

/// The text that the checksum of `record` is of; `canonical` is its whole text.
static std::string withoutChecksum(StringRef canonical,
                                   const json::Object &record,
                                   StringRef checksum) {
  // Members are sorted, and in records no other name comes before this one.
  std::string member = ("{\"checksum\":\"" + checksum + "\",").str();
  if (Digest::fromHex(checksum) && canonical.consume_front(member))
    return "{" + canonical.str();
  json::Object plain(record);
  plain.erase("checksum");
  return printJson(std::move(plain));
}

llvm::Expected<json::Value> fly::store::unseal(StringRef text, StringRef file) {
  llvm::Expected<json::Value> value = parseJson(text);
  if (!value)
    return corrupt(file, llvm::toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  std::optional<StringRef> format =
      object ? object->getString("format") : std::nullopt;
  std::optional<StringRef> checksum =
      object ? object->getString("checksum") : std::nullopt;
  if (!format || !checksum)
    return corrupt(file, "expected an object with the texts 'format' and "
                         "'checksum'");
  // Printing takes as long as parsing: only where it is needed.
  std::string printed;
  if (!isPlainlyCanonical(text))
    printed = printJson(*value);
  StringRef canonical = printed.empty() ? text : StringRef(printed);
  Digest digest = digestOf(withoutChecksum(canonical, *object, *checksum));
  if (digest.hex() != *checksum)
    return corrupt(file, "checksum is " + quoted(*checksum) +
                             ", its content gives " + digest.hex());
  // A record of another version seals itself too, so its format can be trusted.
  if (*format != storeFormat)
    return otherFormat(file, *format);
  // Blanks, order and spelling of escapes are not covered by the checksum.
  if (canonical != text)
    return corrupt(file, "its text is not in canonical form");
  return value;
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

std::string UnitRecord::path() const {
  return unitPath(unit, target.fullText());
}

std::string UnitRecord::text() const {
  return sealed(json::Object{{"format", storeFormat},
                             {"key", key},
                             {"target", target.fullText()},
                             {"unit", unit}});
}

llvm::Expected<UnitRecord> UnitRecord::parse(StringRef text, StringRef file) {
  llvm::Expected<json::Value> value = unseal(text, file);
  if (!value)
    return value.takeError();
  MemberReader reader(*value, "the unit");
  reader.text("format");
  reader.text("checksum");
  UnitRecord record;
  record.key = reader.text("key");
  record.unit = reader.text("unit");
  std::string targetText = reader.text("target");
  if (llvm::Error error = reader.finish())
    return corrupt(file, llvm::toString(std::move(error)));
  if (!isKeyText(record.key))
    return corrupt(file, quoted(record.key) + " is not a key");
  llvm::Expected<Target> target = parseTargetText(targetText);
  if (!target)
    return corrupt(file, llvm::toString(target.takeError()));
  record.target = *target;
  if (record.path() != file)
    return makeError("S003", quotedPath(file) + " is the record of unit " +
                                 quoted(record.unit) + ", which stands in '" +
                                 record.path() + "'");
  return record;
}

//===----------------------------------------------------------------------===//
// Direct mode
//===----------------------------------------------------------------------===//

std::string DirectRecord::text() const {
  json::Array list;
  for (const auto &[path, digest] : reads)
    list.push_back(
        json::Array{json::fixUTF8(path), digest ? json::Value(digest->hex())
                                                : json::Value(nullptr)});
  return sealed(json::Object{{"format", storeFormat},
                             {"id", id.hex()},
                             {"key", key},
                             {"target", target.fullText()},
                             {"reads", std::move(list)}});
}

llvm::Expected<DirectRecord> DirectRecord::parse(StringRef text,
                                                 StringRef file) {
  llvm::Expected<json::Value> value = unseal(text, file);
  if (!value)
    return value.takeError();
  MemberReader reader(*value, "the record");
  reader.text("format");
  reader.text("checksum");
  DirectRecord record;
  std::string idText = reader.text("id");
  record.key = reader.text("key");
  std::string targetText = reader.text("target");
  const json::Array *reads = reader.array("reads");
  if (llvm::Error error = reader.finish())
    return corrupt(file, llvm::toString(std::move(error)));
  llvm::Expected<Target> target = parseTargetText(targetText);
  if (!target)
    return corrupt(file, llvm::toString(target.takeError()));
  record.target = *target;
  if (!isKeyText(record.key))
    return corrupt(file, quoted(record.key) + " is not a key");
  std::optional<Digest> id = Digest::fromHex(idText);
  if (!id)
    return corrupt(file, quoted(idText) + " is not a digest");
  record.id = *id;
  if (directPath(record.id) != file)
    return makeError("S003", quotedPath(file) +
                                 " is the record that stands in '" +
                                 directPath(record.id) + "'");
  for (const json::Value &item : *reads) {
    const json::Array *pair = item.getAsArray();
    std::optional<StringRef> path =
        pair && pair->size() == 2 ? (*pair)[0].getAsString() : std::nullopt;
    if (!path)
      return corrupt(file, "an entry of 'reads' is not [path, digest]");
    std::optional<StringRef> hex = (*pair)[1].getAsString();
    std::optional<Digest> digest = hex ? Digest::fromHex(*hex) : std::nullopt;
    if (!digest && !(*pair)[1].getAsNull())
      return corrupt(file, "an entry of 'reads' has no digest");
    record.reads.emplace_back(path->str(), digest);
  }
  return record;
}

//===----------------------------------------------------------------------===//
// Kept texts
//===----------------------------------------------------------------------===//

/// In front of a frame that readers skip; its length follows, in four bytes.
static constexpr uint32_t skippedFrame = 0x184D2A50;
static constexpr size_t prefixBytes = 8;

std::string KeptIR::bytes() const {
  std::string header = sealed(json::Object{{"format", storeFormat},
                                           {"ir", ir.hex()},
                                           {"frame", digestOf(frame).hex()},
                                           {"size", textBytes}});
  char prefix[prefixBytes];
  endian::write32le(prefix, skippedFrame);
  endian::write32le(prefix + 4, uint32_t(header.size()));
  return std::string(prefix, prefixBytes) + header + frame;
}

llvm::Expected<KeptIR> KeptIR::parse(StringRef bytes, StringRef file) {
  if (bytes.size() < prefixBytes ||
      endian::read32le(bytes.data()) != skippedFrame)
    return makeError("S005", quotedPath(file) +
                                 " has no header of this format; it was kept "
                                 "by another version or is damaged; without "
                                 "it, the next compile of its entry with "
                                 "--keep-ir writes it anew, a hit does not");
  uint64_t headerBytes = endian::read32le(bytes.data() + 4);
  bytes = bytes.drop_front(prefixBytes);
  if (headerBytes > bytes.size())
    return corrupt(file, "its header has " + llvm::Twine(headerBytes) +
                             " bytes, " + llvm::Twine(bytes.size()) +
                             " are there");
  llvm::Expected<json::Value> value =
      unseal(bytes.take_front(headerBytes), file);
  if (!value)
    return value.takeError();
  MemberReader reader(*value, "the header");
  reader.text("format");
  reader.text("checksum");
  KeptIR kept;
  std::string irText = reader.text("ir"), frameText = reader.text("frame");
  kept.textBytes = reader.number("size");
  if (llvm::Error error = reader.finish())
    return corrupt(file, llvm::toString(std::move(error)));
  std::optional<Digest> ir = Digest::fromHex(irText);
  if (!ir)
    return corrupt(file, quoted(irText) + " is not a digest");
  kept.ir = *ir;
  if (irPath(kept.ir) != file)
    return makeError("S003", quotedPath(file) +
                                 " is the text that stands in '" +
                                 irPath(kept.ir) + "'");
  kept.frame = bytes.drop_front(headerBytes).str();
  if (std::string found = digestOf(kept.frame).hex(); found != frameText)
    return corrupt(file, "the digest of its text is " + found +
                             ", its header says " + quoted(frameText));
  return kept;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

/// Sets the field `name` of `target`; false when there is no such field or
/// value.
static bool setField(Target &target, StringRef name, StringRef value) {
  auto setting = [&](amdgpu::Setting &result) {
    std::optional<amdgpu::Setting> parsed = amdgpu::parseSetting(value);
    result = parsed.value_or(amdgpu::Setting::Unsupported);
    return parsed.has_value();
  };
  if (name == "backend")
    return value == "rocm";
  if (name == "chip") {
    target.chip = value.str();
    return amdgpu::findChip(value) != nullptr;
  }
  if (name == "sramecc")
    return setting(target.sramecc);
  if (name == "xnack")
    return setting(target.xnack);
  if (name == "wave")
    return !value.getAsInteger(10, target.wave);
  if (name == "abi")
    return !value.getAsInteger(10, target.abi);
  if (name != "cumode" || (value != "true" && value != "false"))
    return false;
  target.cumode = value == "true";
  return true;
}

llvm::Expected<Target> fly::store::parseTargetText(StringRef text) {
  std::string spaced = text.str();
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  llvm::SmallVector<StringRef, 8> words;
  StringRef(spaced).split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (words.empty())
    return makeError("T002", "expected a target, found an empty text");
  Target target;
  llvm::ArrayRef<StringRef> fields = words;
  if (!words.front().contains('=')) {
    llvm::Expected<Target> named = amdgpu::normalize(words.front(), "");
    if (!named)
      return named.takeError();
    target = *named;
    fields = fields.drop_front();
  }
  for (StringRef field : fields) {
    auto [name, value] = field.split('=');
    if (!setField(target, name, value))
      return makeError("T002", "target " + quoted(text) + " has a part " +
                                   quoted(field) + " that is not understood");
  }
  if (!amdgpu::findChip(target.chip))
    return makeError("T002", "target " + quoted(text) + " names no processor");
  if (llvm::Error error = target.verify())
    return error;
  return target;
}
