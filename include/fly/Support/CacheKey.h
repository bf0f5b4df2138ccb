// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A key as a value: a list of named components, each a set of named fields,
// goes in; one digest and the text `fly1-<64 digits>` come out. No compiler is
// needed to recompute it. The law: the JSON form reads back as the same key,
// and the order in which the fields of a component were added does not matter.
//
//   CacheKey key{{{"schema", {{"schema", "fly-key/1"}}},
//                 {"salt", {}}}};
//   key.text();                                        // "fly1-1c4e..."

#ifndef FLY_SUPPORT_CACHEKEY_H
#define FLY_SUPPORT_CACHEKEY_H

#include "fly/Support/Digest.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace fly::support {

/// The name of the rules by which keys are made.
inline constexpr llvm::StringLiteral keySchema = "fly-key/1";

/// One named value in a component.
struct KeyField {
  std::string name;
  /// Nothing is "absent", which differs from the empty text.
  std::optional<std::string> value;

  friend bool operator==(const KeyField &a, const KeyField &b) {
    return a.name == b.name && a.value == b.value;
  }
};

/// A component of a key. Field names are distinct; their order carries no
/// meaning.
struct KeyComponent {
  std::string name;
  std::vector<KeyField> fields;

  Digest digest() const;
  /// The field, or null.
  const KeyField *find(llvm::StringRef field) const;
};

/// A key and what it was made of.
struct CacheKey {
  /// In the order of the schema.
  std::vector<KeyComponent> components;

  Digest digest() const;
  /// `fly1-` and 64 hexadecimal digits.
  std::string text() const;
  /// The component, or null.
  const KeyComponent *find(llvm::StringRef name) const;
  /// Schema `fly-key/1`: {schema, key, components}.
  llvm::json::Object json() const;
  /// [{name, digest, fields: {name: text, null, or {"hex": digits} for text
  /// that is not UTF-8}}].
  llvm::json::Array componentsJson() const;
  /// Lines `component.field = value`.
  std::string explain() const;

  /// Reads `componentsJson` back. Refuses unknown members, wrong types and
  /// digests that do not fit the fields.
  static llvm::Expected<CacheKey>
  fromComponentsJson(const llvm::json::Array &components);
  /// Reads `json` back; the stated key must be the one of the components.
  static llvm::Expected<CacheKey> fromJson(const llvm::json::Value &value);
};

/// Whether `text` is `fly1-` and 64 lower-case hexadecimal digits.
bool isKeyText(llvm::StringRef text);

} // namespace fly::support

#endif // FLY_SUPPORT_CACHEKEY_H
