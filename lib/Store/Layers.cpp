// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking up through several stores.

#include "fly/Store/Layers.h"

#include "fly/Store/Paths.h"
#include "fly/Support/Errors.h"

#include <set>

using namespace fly::store;
using fly::amdgpu::Target;
using fly::support::CacheKey;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;

LayerSpec LayerSpec::parse(StringRef text) {
  Mode mode = Mode::Auto;
  if (text.consume_front("ro:"))
    mode = Mode::ReadOnly;
  else if (text.consume_front("rw:"))
    mode = Mode::ReadWrite;
  return {text.str(), mode};
}

std::vector<LayerSpec> fly::store::parseLayerList(StringRef text) {
  std::vector<LayerSpec> specs;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ':');
  Mode mode = Mode::Auto;
  for (size_t i = 0; i < parts.size(); ++i) {
    bool more = i + 1 < parts.size();
    if (more && (parts[i] == "ro" || parts[i] == "rw")) {
      mode = parts[i] == "ro" ? Mode::ReadOnly : Mode::ReadWrite;
      continue;
    }
    if (!parts[i].empty())
      specs.push_back({parts[i].str(), mode});
    mode = Mode::Auto;
  }
  return specs;
}

llvm::Expected<Layers> Layers::open(llvm::ArrayRef<LayerSpec> specs,
                                    LayersOptions options) {
  std::vector<Store> list;
  for (const LayerSpec &spec : specs) {
    llvm::Expected<Store> store =
        Store::open(spec.path, {spec.mode, options.warn, options.hook});
    if (!store)
      return store.takeError();
    list.push_back(std::move(*store));
  }
  return Layers(std::move(list), std::move(options));
}

const Store *Layers::writable() const {
  for (const Store &store : list)
    if (store.isWritable())
      return &store;
  return nullptr;
}

std::vector<const Store *> Layers::pointers() const {
  std::vector<const Store *> result;
  for (const Store &store : list)
    result.push_back(&store);
  return result;
}

void Layers::note(StringRef event) const {
  const Store *store = options.notes ? writable() : nullptr;
  if (store)
    store->note(event);
}

/// A corrupt entry: the error itself when strict, else a warning, and the entry
/// out of the way when the store can be written.
llvm::Error Layers::tolerate(const Store &store, StringRef key,
                             llvm::Error error) const {
  note("corrupt");
  if (options.strict)
    return error;
  bool moved = store.quarantine(key);
  store.warn(llvm::toString(std::move(error)) +
             (moved ? "; moved to quarantine" : "; passed over"));
  return llvm::Error::success();
}

llvm::Expected<std::optional<Artefact>> Layers::find(StringRef key) const {
  for (const Store &store : list) {
    llvm::Expected<std::optional<Artefact>> found = store.lookUp(key);
    if (!found) {
      if (llvm::Error error = tolerate(store, key, found.takeError()))
        return error;
      continue;
    }
    if (*found) {
      store.markUsed(key);
      note("hit");
      return found;
    }
  }
  return std::nullopt;
}

static std::string searchedText(llvm::ArrayRef<Store> list) {
  std::string text;
  for (const Store &store : list)
    text += (text.empty() ? "" : ", ") + quotedPath(store.path());
  return text.empty() ? "no store" : text;
}

llvm::Expected<std::optional<Artefact>> Layers::lookUp(StringRef key) const {
  llvm::Expected<std::optional<Artefact>> found = find(key);
  if (!found || *found)
    return found;
  note("miss");
  if (!options.strict)
    return std::nullopt;
  return makeError("S001", "strict miss: key " + quoted(key) +
                               " is not stored; looked in " +
                               searchedText(list));
}

llvm::Expected<std::optional<Artefact>>
Layers::lookUp(const CacheKey &wanted,
               llvm::ArrayRef<std::string> kernels) const {
  llvm::Expected<std::optional<Artefact>> found = find(wanted.text());
  if (!found || *found)
    return found;
  if (!options.strict && !options.notes)
    return std::nullopt;
  llvm::Expected<Explanation> explanation =
      explain(wanted, kernels, pointers());
  if (!explanation)
    return explanation.takeError();
  std::string event = "miss";
  if (!explanation->nearest.empty() &&
      !explanation->nearest.front().differing.empty())
    event += " " + explanation->nearest.front().differing.front().component;
  note(event);
  if (!options.strict)
    return std::nullopt;
  std::string text = explanation->text("strict miss");
  return makeError("S001", StringRef(text).rtrim());
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

llvm::Expected<std::optional<UnitHit>>
Layers::lookUpUnit(StringRef unit, const Target &device, bool exact) const {
  for (const Target &rung : ladder(device, exact)) {
    for (const Store &store : list) {
      llvm::Expected<std::optional<std::string>> key =
          store.unitKey(unit, rung);
      if (!key) {
        if (options.strict)
          return key.takeError();
        store.warn(llvm::toString(key.takeError()) + "; passed over");
        continue;
      }
      if (!*key)
        continue;
      llvm::Expected<std::optional<Artefact>> found = find(**key);
      if (!found)
        return found.takeError();
      if (*found && (*found)->manifest.target == rung)
        return UnitHit{std::move(**found), rung};
      std::string problem =
          "unit " + quoted(unit) + " of store " + quotedPath(store.path()) +
          (*found ? " names an entry for target " +
                        quoted((*found)->manifest.target.text())
                  : " names key " + **key + ", which is not stored");
      if (options.strict)
        return makeError("S003", problem);
      store.warn(problem + "; passed over [FLY-S003]");
    }
  }
  note("miss");
  if (!options.strict)
    return std::nullopt;
  llvm::Expected<std::string> text = explainUnit(unit, device);
  if (!text)
    return text.takeError();
  return makeError("S001", StringRef(*text).rtrim());
}

llvm::Expected<std::string> Layers::explainUnit(StringRef unit,
                                                const Target &device) const {
  std::string text = "strict miss for unit " + quoted(unit) + " and target '" +
                     device.text() + "'\n";
  std::set<std::string> targets;
  for (const Store &store : list) {
    llvm::Expected<std::vector<UnitRecord>> units = store.units();
    if (!units)
      return units.takeError();
    size_t count = 0;
    for (const UnitRecord &record : *units)
      if (record.unit == unit) {
        targets.insert(record.target.text());
        ++count;
      }
    text += "  looked in: " + store.path().str() + " (" +
            (store.isWritable() ? "rw" : "ro") + ", " +
            std::to_string(units->size()) + " units, " + std::to_string(count) +
            " of this name)\n";
  }
  if (list.empty())
    text += "  looked in: no store\n";
  for (const std::string &target : targets)
    text += "  stored for: " + target + "\n";
  if (targets.empty())
    text += "  hint: no unit of this name is stored; compare with the plan\n";
  else
    text += "  hint: code for one setting of a feature is used only when the "
            "device's exact name is given\n";
  return text;
}
