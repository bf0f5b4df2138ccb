// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests, texts and JSON of keys. A component is hashed as its name and its
// fields sorted by name; a key as the names and digests of its components in
// order.

#include "fly/Support/CacheKey.h"

#include "fly/Support/Errors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly::support;
using llvm::StringRef;
namespace json = llvm::json;

Digest KeyComponent::digest() const {
  std::vector<const KeyField *> sorted;
  for (const KeyField &field : fields)
    sorted.push_back(&field);
  llvm::sort(sorted, [](const KeyField *a, const KeyField *b) {
    return a->name < b->name;
  });
  Hasher hasher("fly-key-component", "v1");
  hasher.addText(name);
  hasher.beginList(sorted.size());
  for (const KeyField *field : sorted) {
    hasher.addText(field->name);
    if (field->value)
      hasher.addText(*field->value);
    else
      hasher.addAbsent();
  }
  return hasher.finish();
}

const KeyField *KeyComponent::find(StringRef field) const {
  for (const KeyField &candidate : fields)
    if (candidate.name == field)
      return &candidate;
  return nullptr;
}

Digest CacheKey::digest() const {
  Hasher hasher("fly-cache-key", "v1");
  hasher.beginList(components.size());
  for (const KeyComponent &component : components) {
    hasher.addText(component.name);
    hasher.addDigest(component.digest());
  }
  return hasher.finish();
}

std::string CacheKey::text() const { return "fly1-" + digest().hex(); }

const KeyComponent *CacheKey::find(StringRef name) const {
  for (const KeyComponent &component : components)
    if (component.name == name)
      return &component;
  return nullptr;
}

std::string CacheKey::explain() const {
  std::string text;
  for (const KeyComponent &component : components) {
    if (component.fields.empty())
      text += component.name + " = nothing\n";
    for (const KeyField &field : component.fields)
      text += component.name + "." + field.name + " = " +
              field.value.value_or("absent") + "\n";
  }
  return text;
}

bool fly::support::isKeyText(StringRef text) {
  return text.consume_front("fly1-") && Digest::fromHex(text).has_value();
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value valueJson(const KeyField &field) {
  if (!field.value)
    return nullptr;
  if (json::isUTF8(*field.value))
    return *field.value;
  return json::Object{{"hex", llvm::toHex(*field.value, /*LowerCase=*/true)}};
}

json::Array CacheKey::componentsJson() const {
  json::Array list;
  for (const KeyComponent &component : components) {
    json::Object fields;
    for (const KeyField &field : component.fields)
      fields[json::fixUTF8(field.name)] = valueJson(field);
    list.push_back(json::Object{{"name", component.name},
                                {"digest", component.digest().hex()},
                                {"fields", std::move(fields)}});
  }
  return list;
}

json::Object CacheKey::json() const {
  return json::Object{
      {"schema", keySchema}, {"key", text()}, {"components", componentsJson()}};
}

static llvm::Error refuse(const llvm::Twine &what) {
  return llvm::createStringError(what);
}

static llvm::Expected<std::optional<std::string>>
readValue(const json::Value &value) {
  if (value.getAsNull())
    return std::nullopt;
  if (std::optional<StringRef> text = value.getAsString())
    return text->str();
  const json::Object *object = value.getAsObject();
  std::optional<StringRef> hex =
      object && object->size() == 1 ? object->getString("hex") : std::nullopt;
  std::string bytes;
  if (hex && llvm::tryGetFromHex(*hex, bytes))
    return bytes;
  return refuse("a field is neither a text, null nor {\"hex\": digits}");
}

static llvm::Expected<KeyComponent> readComponent(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  std::optional<StringRef> name, digest;
  const json::Object *fields = nullptr;
  if (object && object->size() == 3) {
    name = object->getString("name");
    digest = object->getString("digest");
    fields = object->getObject("fields");
  }
  if (!name || !digest || !fields)
    return refuse("a component is not {name, digest, fields}");
  KeyComponent component{name->str(), {}};
  for (const auto &entry : *fields) {
    llvm::Expected<std::optional<std::string>> read = readValue(entry.second);
    if (!read)
      return refuse("component " + quoted(*name) + ": " +
                    llvm::toString(read.takeError()));
    component.fields.push_back({StringRef(entry.first).str(), *read});
  }
  // The iteration order of a JSON object is not the order of its text.
  llvm::sort(component.fields, [](const KeyField &a, const KeyField &b) {
    return a.name < b.name;
  });
  std::string expected = component.digest().hex();
  if (expected != *digest)
    return refuse("component " + quoted(*name) + " has digest " +
                  quoted(*digest) + ", its fields give " + expected);
  return component;
}

llvm::Expected<CacheKey>
CacheKey::fromComponentsJson(const json::Array &components) {
  CacheKey key;
  for (const json::Value &value : components) {
    llvm::Expected<KeyComponent> component = readComponent(value);
    if (!component)
      return component.takeError();
    if (key.find(component->name))
      return refuse("component " + quoted(component->name) + " stands twice");
    key.components.push_back(std::move(*component));
  }
  return key;
}

llvm::Expected<CacheKey> CacheKey::fromJson(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return refuse("expected an object of schema 'fly-key/1'");
  std::optional<StringRef> schema = object->getString("schema");
  if (schema != StringRef(keySchema))
    return refuse("expected schema 'fly-key/1', found " +
                  (schema ? quoted(*schema) : std::string("none")));
  const json::Array *components = object->getArray("components");
  std::optional<StringRef> text = object->getString("key");
  if (!components || !text)
    return refuse("expected the members 'key' and 'components'");
  llvm::Expected<CacheKey> key = fromComponentsJson(*components);
  if (key && key->text() != *text)
    return refuse("the key is " + quoted(*text) + ", its components give " +
                  key->text());
  return key;
}
