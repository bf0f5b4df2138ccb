// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of a store over HTTP. What is read is checked by the same code that
// checks files.

#include "fly/Store/Remote.h"

#include "Records.h"

#include "fly/Support/Errors.h"
#include "fly/Support/Files.h"

#include "llvm/ADT/StringExtras.h"

using namespace fly::store;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;

bool RemoteSpec::isRemote(StringRef text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

llvm::Expected<RemoteSpec> RemoteSpec::parse(StringRef text, Mode mode) {
  auto [address, attribute] = text.split('|');
  RemoteSpec spec{address.rtrim('/').str(), false, mode != Mode::ReadOnly};
  // Addresses are printed; a password would be, too.
  StringRef host = address.split("://").second.split('/').first;
  if (host.contains('@'))
    return makeError("S005", "the address of a server holds a user or a "
                             "password; expected them in FLY_STORE_AUTH or the "
                             "file FLY_STORE_AUTH_FILE");
  if (host.empty() || llvm::any_of(address, [](char letter) {
        return letter <= ' ' || letter > '~';
      }))
    return makeError("S005",
                     "server " + quoted(address) +
                         " is not an address, expected http://host/path");
  if (attribute == "layout=bazel")
    spec.isBazel = true;
  else if (!attribute.empty() && attribute != "layout=webdav")
    return makeError("S005", "server " + quoted(address) +
                                 " has the attribute " + quoted(attribute) +
                                 ", expected layout=webdav or layout=bazel");
  return spec;
}

llvm::Expected<std::string>
fly::store::remoteAuth(const support::Environment &environment) {
  std::optional<StringRef> path = environment.get("FLY_STORE_AUTH_FILE");
  if (!path || path->empty())
    return environment.get("FLY_STORE_AUTH").value_or("").str();
  llvm::Expected<std::string> text = support::readSmallFile(*path, 65536);
  if (!text)
    return makeError("S005", "FLY_STORE_AUTH_FILE " + quoted(*path) + " " +
                                 llvm::toString(text.takeError()));
  return StringRef(*text).trim().str();
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

void Remote::complain(const llvm::Twine &text) {
  if (warn)
    warn(text.str());
}

std::string Remote::address(StringRef path) const {
  if (!spec.isBazel)
    return spec.url + "/" + path.str();
  // The 64 digits in the last part of the path name its content.
  StringRef name = path.substr(path.rfind('/') + 1);
  name.consume_front("fly1-");
  return spec.url + "/ac/" + name.take_front(64).str();
}

std::optional<Transport::Answer> Remote::send(StringRef method, StringRef path,
                                              StringRef body, uint64_t limit) {
  if (isDown)
    return std::nullopt;
  llvm::Expected<Transport::Answer> answer =
      transport->send(method, address(path), body, limit);
  if (answer)
    return std::move(*answer);
  isDown = true;
  complain("server " + quoted(spec.url) + ": " +
           llvm::toString(answer.takeError()) +
           "; going on without it [FLY-S006]");
  return std::nullopt;
}

std::optional<std::string> Remote::get(StringRef path, uint64_t limit) {
  std::optional<Transport::Answer> answer = send("GET", path, "", limit);
  if (!answer || answer->status == 404 || answer->status == 410)
    return std::nullopt;
  if (answer->status == 200)
    return std::move(answer->body);
  isDown = true;
  complain("server " + quoted(spec.url) + " answers " +
           llvm::Twine(answer->status) +
           " to GET; going on without it "
           "[FLY-S006]");
  return std::nullopt;
}

bool Remote::isThere(StringRef path) {
  std::optional<Transport::Answer> answer = send("HEAD", path, "", 0);
  return answer && answer->status == 200;
}

bool Remote::put(StringRef path, StringRef bytes) {
  std::optional<Transport::Answer> answer =
      send("PUT", path, bytes, maxManifestBytes);
  if (!answer)
    return false;
  if (answer->status >= 200 && answer->status < 300)
    return true;
  spec.writable = false;
  complain("server " + quoted(spec.url) + " answers " +
           llvm::Twine(answer->status) +
           " to PUT; it is only read from now on [FLY-S006]");
  return false;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

std::optional<Artefact> Remote::lookUp(StringRef key) {
  if (!support::isKeyText(key))
    return std::nullopt;
  auto refuse = [&](llvm::Error error) {
    complain(llvm::toString(std::move(error)) + "; passed over");
    return std::nullopt;
  };
  std::string path = indexPath(key);
  std::optional<std::string> text = get(path, maxManifestBytes);
  if (!text)
    return std::nullopt;
  llvm::Expected<Manifest> manifest = Manifest::parse(*text, address(path));
  if (!manifest)
    return refuse(manifest.takeError());
  if (std::string found = manifest->key.text(); found != key)
    return refuse(makeError("S003", quotedPath(address(path)) +
                                        " holds the entry of key " + found));
  std::string payload = objectPath(manifest->payload);
  std::optional<std::string> bytes = get(payload, manifest->size);
  if (!bytes)
    return std::nullopt;
  if (llvm::Error error = manifest->check(*bytes, address(payload)))
    return refuse(std::move(error));
  return Artefact{std::move(*manifest),
                  llvm::MemoryBuffer::getMemBufferCopy(*bytes, payload),
                  spec.url};
}

std::optional<std::string> Remote::unitKey(StringRef unit,
                                           const amdgpu::Target &target) {
  std::string path = unitPath(unit, target.fullText());
  std::optional<std::string> text = get(path, maxManifestBytes);
  if (!text)
    return std::nullopt;
  llvm::Expected<UnitRecord> record = UnitRecord::parse(*text, path);
  if (record)
    return std::move(record->key);
  complain(llvm::toString(record.takeError()) + "; passed over");
  return std::nullopt;
}

bool Remote::publish(const Manifest &manifest, StringRef bytes,
                     llvm::ArrayRef<std::string> units) {
  if (!spec.writable)
    return false;
  std::string key = manifest.key.text();
  std::string payload = objectPath(manifest.payload), index = indexPath(key);
  if (!isThere(index)) {
    // Readers never see a manifest without its payload.
    if (!isThere(payload) && !put(payload, bytes))
      return false;
    if (!put(index, manifest.text()))
      return false;
  }
  for (const std::string &unit : units) {
    UnitRecord record{unit, manifest.target, key};
    if (!put(record.path(), record.text()))
      return false;
  }
  return !isDown;
}
