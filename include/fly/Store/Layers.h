// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several stores as one: an ordered list of folders, then servers. A key, or
// the name of a unit and a target, goes in; the first verified entry comes out.
// The laws: the first store that has it wins, servers last; what is written
// goes to the first folder that can be written, and to the servers; what a
// server gives is kept in that folder; a store that is corrupt costs a warning
// and a miss, never a wrong byte; with `strict`, a miss and a corrupt entry are
// errors.
//
//   llvm::Expected<Layers> layers = Layers::open(specs, {});
//   llvm::Expected<std::optional<UnitHit>> hit =
//       layers->lookUpUnit("gemm/bf16", target);

#ifndef FLY_STORE_LAYERS_H
#define FLY_STORE_LAYERS_H

#include "fly/Store/Explain.h"
#include "fly/Store/Ladder.h"
#include "fly/Store/Remote.h"
#include "fly/Store/Store.h"

#include <optional>
#include <string>
#include <vector>

namespace fly::store {

/// A folder or the address of a server, and how to open it.
struct LayerSpec {
  std::string path;
  Mode mode = Mode::Auto;

  /// `DIR`, `http://...`, or one of them behind `ro:` or `rw:`.
  static LayerSpec parse(llvm::StringRef text);
  /// The same for an option, where a prefix that is none of these is S005: a
  /// folder with a colon in its name is given as `./a:b`.
  static llvm::Expected<LayerSpec> parseOption(llvm::StringRef text);
};

/// Whether nothing can be published in any of `specs`: all are `ro:`.
bool allReadOnly(llvm::ArrayRef<LayerSpec> specs);

/// The layers of a list such as the variable FLY_STORE holds: separated by
/// colons, empty parts left out. The colons of an address do not separate.
std::vector<LayerSpec> parseLayerList(llvm::StringRef text);

struct LayersOptions {
  /// A miss is S001, a corrupt entry is its error.
  bool strict = false;
  /// Notes hits and misses in the store that is written.
  bool notes = false;
  std::function<void(const std::string &)> warn;
  FileHook *hook = nullptr;
  /// Maps payloads in place of copying them, see `Folder::map`.
  bool mapped = false;
  /// A store that cannot be opened costs a warning.
  bool skipUnusable = false;
  /// What servers are told, see `httpTransport`.
  std::string auth;
  /// Makes what talks to servers, in place of `httpTransport`.
  std::function<std::unique_ptr<Transport>()> transport;
};

/// An entry that was found by the name of a unit.
struct UnitHit {
  Artefact artefact;
  /// The target under which it was found: the device's or a less specific one.
  amdgpu::Target rung;
};

/// An entry that was found under one of several keys.
struct KeyHit {
  Artefact artefact;
  /// Which of the keys it was.
  size_t index = 0;
};

class Layers {
public:
  static llvm::Expected<Layers> open(llvm::ArrayRef<LayerSpec> specs,
                                     LayersOptions options);

  /// The entry of a key whose components are known. `kernels` helps to explain
  /// a miss.
  llvm::Expected<std::optional<Artefact>>
  lookUp(const support::CacheKey &wanted,
         llvm::ArrayRef<std::string> kernels = {}) const;
  /// The entry of the first of the `wanted` keys that has one; a miss is
  /// explained for the first key, with texts that `textOf` knows. `wanted` is
  /// not empty.
  llvm::Expected<std::optional<KeyHit>>
  lookUpFirst(llvm::ArrayRef<support::CacheKey> wanted,
              llvm::ArrayRef<std::string> kernels = {},
              TextOf textOf = {}) const;
  /// The entry of a key.
  llvm::Expected<std::optional<Artefact>> lookUp(llvm::StringRef key) const;
  /// The entry of a unit for `device` or, unless `exact`, for a less specific
  /// target whose code runs there.
  llvm::Expected<std::optional<UnitHit>>
  lookUpUnit(llvm::StringRef unit, const amdgpu::Target &device,
             bool exact = false) const;

  /// Sends an entry to the servers that are written. Answers their addresses.
  std::vector<std::string>
  publishRemotely(const Manifest &manifest, llvm::StringRef bytes,
                  llvm::ArrayRef<std::string> units) const;

  /// The store that is written, or null.
  const Store *writable() const;
  llvm::ArrayRef<Store> stores() const { return list; }
  std::vector<const Store *> pointers() const;

  /// Why `unit` is not there for `device`: for which targets it is.
  llvm::Expected<std::string> explainUnit(llvm::StringRef unit,
                                          const amdgpu::Target &device) const;

private:
  Layers(std::vector<Store> list, LayersOptions options)
      : list(std::move(list)), options(std::move(options)) {}
  llvm::Error addRemote(const LayerSpec &spec);
  std::optional<Artefact> findRemotely(llvm::StringRef key) const;
  llvm::Expected<std::optional<UnitHit>>
  followUnit(llvm::StringRef unit, llvm::StringRef key,
             const amdgpu::Target &rung, llvm::StringRef store) const;
  llvm::Expected<std::optional<Artefact>> find(llvm::StringRef key) const;
  llvm::Error tolerate(const Store &store, llvm::StringRef key,
                       llvm::Error error) const;
  void note(llvm::StringRef event) const;

  std::vector<Store> list;
  /// Asking a server changes what is known about it.
  std::vector<std::shared_ptr<Remote>> remotes;
  LayersOptions options;
};

} // namespace fly::store

#endif // FLY_STORE_LAYERS_H
