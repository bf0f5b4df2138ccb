// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking up through several stores.

#include "fly/Store/Layers.h"

#include "fly/Store/Paths.h"
#include "fly/Support/Errors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

llvm::Expected<LayerSpec> LayerSpec::parseOption(StringRef text) {
  LayerSpec spec = parse(text);
  StringRef path = spec.path;
  StringRef prefix = path.take_until([](char c) { return c == ':'; });
  if (prefix.size() == path.size() || prefix.contains('/') ||
      RemoteSpec::isRemote(path))
    return spec;
  return makeError("S005", "store " + quotedPath(text) +
                               " has the unknown prefix " +
                               quoted((prefix + ":").str()) +
                               ", expected ro:, rw:, http:// or https://, or "
                               "./ before a folder with a colon in its name");
}

bool fly::store::allReadOnly(llvm::ArrayRef<LayerSpec> specs) {
  return llvm::all_of(
      specs, [](const LayerSpec &spec) { return spec.mode == Mode::ReadOnly; });
}

std::vector<LayerSpec> fly::store::parseLayerList(StringRef text) {
  std::vector<LayerSpec> specs;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ':');
  Mode mode = Mode::Auto;
  for (size_t i = 0; i < parts.size(); ++i) {
    bool more = i + 1 < parts.size();
    if (more && (parts[i] == "http" || parts[i] == "https") &&
        parts[i + 1].starts_with("//")) {
      std::string url = (parts[i] + ":" + parts[i + 1]).str();
      ++i;
      // A port, and the path behind it.
      if (i + 1 < parts.size() && !parts[i + 1].empty() &&
          llvm::isDigit(parts[i + 1].front())) {
        url += (":" + parts[i + 1]).str();
        ++i;
      }
      specs.push_back({std::move(url), mode});
      mode = Mode::Auto;
      continue;
    }
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
  std::vector<LayerSpec> servers;
  for (const LayerSpec &spec : specs) {
    if (RemoteSpec::isRemote(spec.path)) {
      servers.push_back(spec);
      continue;
    }
    llvm::Expected<Store> store = Store::open(
        spec.path, {spec.mode, options.warn, options.hook, options.mapped});
    if (!store && options.skipUnusable) {
      std::string why = llvm::toString(store.takeError());
      if (options.warn)
        options.warn(why + "; passed over");
      continue;
    }
    if (!store)
      return store.takeError();
    list.push_back(std::move(*store));
  }
  Layers layers(std::move(list), std::move(options));
  for (const LayerSpec &spec : servers)
    if (llvm::Error error = layers.addRemote(spec))
      return error;
  return layers;
}

llvm::Error Layers::addRemote(const LayerSpec &spec) {
  llvm::Expected<RemoteSpec> remote = RemoteSpec::parse(spec.path, spec.mode);
  if (!remote)
    return remote.takeError();
  std::unique_ptr<Transport> transport =
      options.transport ? options.transport() : httpTransport(options.auth);
  remotes.push_back(std::make_shared<Remote>(
      std::move(*remote), std::move(transport), options.warn));
  return llvm::Error::success();
}

std::optional<Artefact> Layers::findRemotely(StringRef key) const {
  for (const std::shared_ptr<Remote> &remote : remotes) {
    std::optional<Artefact> found = remote->lookUp(key);
    if (!found)
      continue;
    const Store *store = writable();
    if (!store)
      return found;
    llvm::Expected<Published> kept =
        store->publish(found->manifest, found->bytes->getBuffer(), {});
    if (!kept)
      store->warn(llvm::toString(kept.takeError()));
    return found;
  }
  return std::nullopt;
}

std::vector<std::string>
Layers::publishRemotely(const Manifest &manifest, StringRef bytes,
                        llvm::ArrayRef<std::string> units) const {
  std::vector<std::string> done;
  for (const std::shared_ptr<Remote> &remote : remotes)
    if (remote->publish(manifest, bytes, units))
      done.push_back(remote->url().str());
  return done;
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
  std::optional<Artefact> found = findRemotely(key);
  if (found)
    note("hit remote");
  return found;
}

static std::string
searchedText(llvm::ArrayRef<Store> list,
             llvm::ArrayRef<std::shared_ptr<Remote>> remotes) {
  std::string text;
  for (const Store &store : list)
    text += (text.empty() ? "" : ", ") + quotedPath(store.path());
  for (const std::shared_ptr<Remote> &remote : remotes)
    text += (text.empty() ? "" : ", ") + quoted(remote->url());
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
                               searchedText(list, remotes));
}

llvm::Expected<std::optional<KeyHit>>
Layers::lookUpFirst(llvm::ArrayRef<CacheKey> wanted,
                    llvm::ArrayRef<std::string> kernels, TextOf textOf) const {
  for (auto [index, key] : llvm::enumerate(wanted)) {
    llvm::Expected<std::optional<Artefact>> found = find(key.text());
    if (!found)
      return found.takeError();
    if (*found)
      return KeyHit{std::move(**found), index};
  }
  if (!options.strict && !(options.notes && writable()))
    return std::nullopt;
  // A note names one component; only people want to know the lines.
  llvm::Expected<Explanation> explanation =
      explain(wanted.front(), kernels, pointers(), /*limit=*/1,
              options.strict ? textOf : TextOf());
  if (!explanation)
    return explanation.takeError();
  for (const std::shared_ptr<Remote> &remote : remotes)
    explanation->searched.push_back(
        {remote->url().str(), remote->isWritable(), 0, 0, /*isRemote=*/true});
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

llvm::Expected<std::optional<Artefact>>
Layers::lookUp(const CacheKey &wanted,
               llvm::ArrayRef<std::string> kernels) const {
  llvm::Expected<std::optional<KeyHit>> found = lookUpFirst(wanted, kernels);
  if (!found)
    return found.takeError();
  if (!*found)
    return std::nullopt;
  return std::move((*found)->artefact);
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

/// The entry that `store` names for `unit`, when it is code for `rung`.
llvm::Expected<std::optional<UnitHit>>
Layers::followUnit(StringRef unit, StringRef key, const Target &rung,
                   StringRef store) const {
  llvm::Expected<std::optional<Artefact>> found = find(key);
  if (!found)
    return found.takeError();
  if (*found && (*found)->manifest.target == rung)
    return UnitHit{std::move(**found), rung};
  std::string problem =
      "unit " + quoted(unit) + " of store " + quotedPath(store) +
      (*found ? " names an entry for target " +
                    quoted((*found)->manifest.target.text())
              : " names key " + key.str() + ", which is not stored");
  if (options.strict)
    return makeError("S003", problem);
  if (options.warn)
    options.warn(problem + "; passed over [FLY-S003]");
  return std::nullopt;
}

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
      llvm::Expected<std::optional<UnitHit>> hit =
          followUnit(unit, **key, rung, store.path());
      if (!hit || *hit)
        return hit;
    }
    for (const std::shared_ptr<Remote> &remote : remotes) {
      std::optional<std::string> key = remote->unitKey(unit, rung);
      if (!key)
        continue;
      llvm::Expected<std::optional<UnitHit>> hit =
          followUnit(unit, *key, rung, remote->url());
      if (!hit || *hit)
        return hit;
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
  for (const std::shared_ptr<Remote> &remote : remotes)
    text += "  looked in: " + remote->url().str() + " (a server)\n";
  if (list.empty() && remotes.empty())
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
