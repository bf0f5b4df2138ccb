// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manifests: text, reading, and the comparison with a payload.

#include "fly/Store/Manifest.h"

#include "Records.h"

#include "fly/Support/Errors.h"

using namespace fly::store;
using fly::amdgpu::CodeObject;
using fly::amdgpu::KernelInfo;
using fly::amdgpu::Target;
using fly::support::CacheKey;
using fly::support::Digest;
using fly::support::digestOf;
using fly::support::KeyComponent;
using fly::support::KeyField;
using fly::support::keySchema;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

KernelFacts KernelFacts::of(const KernelInfo &info) {
  KernelFacts facts;
  facts.name = info.name;
  facts.kernarg = info.kernargBytes;
  facts.lds = info.ldsBytes;
  facts.scratch = info.privateBytes;
  facts.vgprs = info.vgprs;
  facts.sgprs = info.sgprs;
  facts.agprs = info.agprs;
  facts.wave = info.wave;
  facts.maxWorkgroup = info.maxWorkgroupSize;
  return facts;
}

bool fly::store::operator==(const KernelFacts &a, const KernelFacts &b) {
  return a.name == b.name && a.kernarg == b.kernarg && a.lds == b.lds &&
         a.scratch == b.scratch && a.vgprs == b.vgprs && a.sgprs == b.sgprs &&
         a.agprs == b.agprs && a.wave == b.wave &&
         a.maxWorkgroup == b.maxWorkgroup;
}

json::Value KernelFacts::json() const {
  return json::Object{{"name", name},
                      {"kernarg", kernarg},
                      {"lds", lds},
                      {"scratch", scratch},
                      {"vgpr", vgprs},
                      {"sgpr", sgprs},
                      {"agpr", agprs},
                      {"wave", wave},
                      {"max_workgroup", maxWorkgroup}};
}

static llvm::Expected<KernelFacts> readKernel(const json::Value &value) {
  MemberReader reader(value, "an entry of 'kernels'");
  KernelFacts facts;
  auto number = [&](StringRef name) -> uint32_t {
    return reader.number(name, UINT32_MAX);
  };
  facts.name = reader.text("name");
  facts.kernarg = number("kernarg");
  facts.lds = number("lds");
  facts.scratch = number("scratch");
  facts.vgprs = number("vgpr");
  facts.sgprs = number("sgpr");
  facts.agprs = number("agpr");
  facts.wave = number("wave");
  facts.maxWorkgroup = number("max_workgroup");
  if (llvm::Error error = reader.finish())
    return error;
  return facts;
}

static std::vector<KernelFacts> kernelsOf(const CodeObject &object) {
  std::vector<KernelFacts> kernels;
  for (const KernelInfo &info : object.kernels)
    kernels.push_back(KernelFacts::of(info));
  return kernels;
}

//===----------------------------------------------------------------------===//
// Making a manifest
//===----------------------------------------------------------------------===//

/// The target that the component `target` of a key spells, as a full text.
static std::string targetOfKey(const CacheKey &key) {
  const KeyComponent *component = key.find("target");
  if (!component)
    return "";
  std::string text;
  for (StringRef name :
       {"backend", "chip", "sramecc", "xnack", "wave", "cumode", "abi"}) {
    const KeyField *field = component->find(name);
    if (!text.empty())
      text += ' ';
    text += (name + "=" + (field ? field->value.value_or("") : "")).str();
  }
  return text;
}

/// A key must be of a schema that we know and for the target that is claimed.
static llvm::Error checkKey(const CacheKey &key, const Target &target,
                            StringRef what) {
  const KeyComponent *component = key.find("schema");
  const KeyField *schema = component ? component->find("schema") : nullptr;
  if (!schema || schema->value != std::string(keySchema))
    return makeError(
        "S005", what + " has key schema " +
                    quoted(schema ? schema->value.value_or("none") : "none") +
                    ", this program knows '" + keySchema +
                    "'; build the store anew or use a program of "
                    "its version");
  std::string keyed = targetOfKey(key);
  if (keyed != target.fullText())
    return makeError("S003", what + " says target " +
                                 quoted(target.fullText()) + ", its key says " +
                                 quoted(keyed));
  return llvm::Error::success();
}

llvm::Expected<Manifest> Manifest::describe(CacheKey key, const Target &target,
                                            StringRef bytes) {
  if (llvm::Error error = target.verify())
    return error;
  if (llvm::Error error = checkKey(key, target, "the entry"))
    return error;
  if (bytes.size() > maxPayloadBytes)
    return makeError("S002", "the code object has " +
                                 llvm::Twine(bytes.size()) +
                                 " bytes, at most " +
                                 llvm::Twine(maxPayloadBytes) + " are stored");
  llvm::Expected<CodeObject> object = amdgpu::readCodeObject(bytes);
  if (!object)
    return makeError("S004", llvm::toString(object.takeError()));
  if (std::optional<std::string> problem =
          amdgpu::disagreement(*object, target))
    return makeError("S004", *problem);
  Manifest manifest;
  manifest.key = std::move(key);
  manifest.target = target;
  manifest.payload = digestOf(bytes);
  manifest.size = bytes.size();
  manifest.kernels = kernelsOf(*object);
  // What cannot be written down without a loss cannot be found again.
  std::string text = manifest.text();
  if (text.size() > maxManifestBytes)
    return makeError("S002", "the manifest would have " +
                                 llvm::Twine(text.size()) + " bytes, at most " +
                                 llvm::Twine(maxManifestBytes) +
                                 " are allowed");
  llvm::Expected<Manifest> again = parse(text, "the new manifest");
  if (!again)
    return again.takeError();
  return manifest;
}

std::string Manifest::text() const {
  json::Array list;
  for (const KernelFacts &kernel : kernels)
    list.push_back(kernel.json());
  json::Object object{{"format", storeFormat},
                      {"key", key.text()},
                      {"target", target.fullText()},
                      {"components", key.componentsJson()},
                      {"payload", json::Object{{"digest", payload.hex()},
                                               {"kind", "elf"},
                                               {"size", size},
                                               {"kernels", std::move(list)}}}};
  return sealed(std::move(object));
}

//===----------------------------------------------------------------------===//
// Reading a manifest
//===----------------------------------------------------------------------===//

static llvm::Error readPayload(const json::Value &value, Manifest &manifest) {
  MemberReader reader(value, "member 'payload'");
  std::string digest = reader.text("digest"), kind = reader.text("kind");
  manifest.size = reader.number("size", maxPayloadBytes);
  const json::Array *kernels = reader.array("kernels");
  if (llvm::Error error = reader.finish())
    return error;
  if (kind != "elf")
    return llvm::createStringError("payload kind is " + quoted(kind) +
                                   ", expected 'elf'");
  std::optional<Digest> parsed = Digest::fromHex(digest);
  if (!parsed)
    return llvm::createStringError("payload digest " + quoted(digest) +
                                   " is not 64 hexadecimal digits");
  manifest.payload = *parsed;
  for (const json::Value &kernel : *kernels) {
    llvm::Expected<KernelFacts> facts = readKernel(kernel);
    if (!facts)
      return facts.takeError();
    manifest.kernels.push_back(std::move(*facts));
  }
  return llvm::Error::success();
}

llvm::Expected<Manifest> Manifest::parse(StringRef text, StringRef file,
                                         StringRef wanted) {
  llvm::Expected<json::Value> value = unseal(text, file);
  if (!value)
    return value.takeError();
  MemberReader reader(*value, "the manifest");
  reader.text("format");
  reader.text("checksum");
  std::string keyText = reader.text("key"), targetText = reader.text("target");
  const json::Array *components = reader.array("components");
  const json::Value *payload = reader.value("payload");
  if (llvm::Error error = reader.finish())
    return corrupt(file, llvm::toString(std::move(error)));
  Manifest manifest;
  llvm::Expected<CacheKey> key = CacheKey::fromComponentsJson(*components);
  if (!key)
    return makeError("S003",
                     quotedPath(file) + ": " + llvm::toString(key.takeError()));
  manifest.key = std::move(*key);
  if (std::string derived = manifest.key.text(); derived != keyText)
    return makeError("S003", quotedPath(file) + " says key " + quoted(keyText) +
                                 ", its components give " + derived);
  llvm::Expected<Target> target = parseTargetText(targetText);
  if (!target)
    return corrupt(file, llvm::toString(target.takeError()));
  manifest.target = *target;
  if (llvm::Error error = checkKey(manifest.key, *target, quotedPath(file)))
    return error;
  if (llvm::Error error = readPayload(*payload, manifest))
    return corrupt(file, llvm::toString(std::move(error)));
  if (!wanted.empty() && keyText != wanted)
    return makeError("S003",
                     quotedPath(file) + " holds the entry of key " + keyText);
  return manifest;
}

llvm::Error Manifest::checkBytes(StringRef bytes, StringRef file) const {
  if (bytes.size() != size)
    return corrupt(file, "it has " + llvm::Twine(bytes.size()) +
                             " bytes, the manifest says " + llvm::Twine(size));
  if (Digest digest = digestOf(bytes); digest != payload)
    return corrupt(file, "its digest is " + digest.hex() +
                             ", the manifest says " + payload.hex());
  return llvm::Error::success();
}

llvm::Error Manifest::check(StringRef bytes, StringRef file) const {
  if (llvm::Error error = checkBytes(bytes, file))
    return error;
  llvm::Expected<CodeObject> object = amdgpu::readCodeObject(bytes);
  if (!object)
    return makeError("S004", quotedPath(file) + ": " +
                                 llvm::toString(object.takeError()));
  if (std::optional<std::string> problem =
          amdgpu::disagreement(*object, target))
    return makeError("S004", quotedPath(file) + ": " + *problem);
  if (!(kernelsOf(*object) == kernels))
    return makeError("S004", quotedPath(file) +
                                 ": the kernels of the code object "
                                 "are not those of the manifest");
  return llvm::Error::success();
}

std::optional<fly::support::Digest>
fly::store::irDigestOf(const support::CacheKey &key) {
  const support::KeyComponent *component = key.find("ir");
  const support::KeyField *field =
      component ? component->find("digest") : nullptr;
  return field && field->value ? support::Digest::fromHex(*field->value)
                               : std::nullopt;
}
