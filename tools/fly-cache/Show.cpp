// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands that only look: ls, show, diff, explain, stats.

#include "Commands.h"

#include "fly/Support/Files.h"

#include "fly/Store/Json.h"
#include "fly/Store/Paths.h"
#include "fly/Support/Errors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"

#include <map>

using namespace fly::store;
using namespace flycache;
using fly::support::CacheKey;
using fly::support::quoted;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// ls
//===----------------------------------------------------------------------===//

namespace {
/// One line of `ls`.
struct Listed {
  Manifest manifest;
  std::string key;
  std::string store;
  int64_t used = 0;
  std::vector<std::string> units;
};
} // namespace

static bool isWanted(const Listed &entry, const Request &request,
                     const std::optional<fly::amdgpu::Target> &target) {
  if (target && entry.manifest.target != *target)
    return false;
  if (!request.unit.empty() && !llvm::is_contained(entry.units, request.unit))
    return false;
  if (request.kernel.empty())
    return true;
  return llvm::any_of(entry.manifest.kernels, [&](const KernelFacts &kernel) {
    return kernel.name == request.kernel;
  });
}

static llvm::Error list(const Store &store, const Request &request,
                        std::vector<Listed> &entries) {
  std::optional<fly::amdgpu::Target> target;
  if (!request.target.empty()) {
    llvm::Expected<fly::amdgpu::Target> parsed =
        parseTargetText(request.target);
    if (!parsed)
      return parsed.takeError();
    target = *parsed;
  }
  llvm::Expected<std::vector<std::string>> keys = store.keys();
  if (!keys)
    return keys.takeError();
  llvm::Expected<std::vector<UnitRecord>> units = store.units();
  if (!units)
    return units.takeError();
  std::map<std::string, std::vector<std::string>> unitsOf;
  for (const UnitRecord &record : *units)
    unitsOf[record.key].push_back(record.unit);
  for (const std::string &key : *keys) {
    llvm::Expected<std::optional<Manifest>> manifest = store.manifest(key);
    if (!manifest) {
      store.warn(llvm::toString(manifest.takeError()));
      continue;
    }
    llvm::ErrorOr<FileInfo> info = store.manifestInfo(key);
    if (!*manifest || !info)
      continue;
    Listed entry{std::move(**manifest), key, store.path().str(), info->time,
                 unitsOf[key]};
    if (isWanted(entry, request, target))
      entries.push_back(std::move(entry));
  }
  return llvm::Error::success();
}

static json::Array kernelsJson(const Manifest &manifest) {
  json::Array kernels;
  for (const KernelFacts &kernel : manifest.kernels)
    kernels.push_back(kernel.json());
  return kernels;
}

static std::string kernelNames(const Manifest &manifest) {
  std::vector<std::string> names;
  for (const KernelFacts &kernel : manifest.kernels)
    names.push_back(kernel.name);
  return llvm::join(names, ",");
}

int flycache::runLs(const Request &request) {
  if (!request.operands.empty())
    return usage("ls takes no operands; the store is --store=DIR");
  llvm::Expected<Layers> layers = openLayers(request);
  if (!layers)
    return report(layers.takeError());
  std::vector<Listed> entries;
  for (const Store &store : layers->stores())
    if (llvm::Error error = list(store, request, entries))
      return report(std::move(error));
  if (request.json) {
    json::Array array;
    for (const Listed &entry : entries)
      array.push_back(json::Object{{"key", entry.key},
                                   {"target", entry.manifest.target.text()},
                                   {"size", entry.manifest.size},
                                   {"used", entry.used},
                                   {"kernels", kernelsJson(entry.manifest)},
                                   {"units", entry.units},
                                   {"store", json::fixUTF8(entry.store)}});
    printJsonLine(std::move(array));
    return ExitSuccess;
  }
  bool several = layers->stores().size() > 1;
  std::vector<std::vector<std::string>> rows = {
      {"KEY", "TARGET", "SIZE", "USED", "KERNELS", "UNITS"}};
  if (several)
    rows[0].push_back("STORE");
  uint64_t bytes = 0;
  for (const Listed &entry : entries) {
    bytes += entry.manifest.size;
    rows.push_back({shortKey(entry.key), entry.manifest.target.text(),
                    bytesText(entry.manifest.size), agoText(entry.used),
                    kernelNames(entry.manifest),
                    entry.units.empty() ? "-" : llvm::join(entry.units, ",")});
    if (several)
      rows.back().push_back(entry.store);
  }
  if (!entries.empty())
    printTable(llvm::outs(), rows);
  llvm::outs() << entries.size()
               << (entries.size() == 1 ? " entry, " : " entries, ")
               << bytesText(bytes) << "\n";
  return ExitSuccess;
}

//===----------------------------------------------------------------------===//
// show
//===----------------------------------------------------------------------===//

/// Who published an entry, as far as the notes of the store know.
static std::string originText(const Store &store, StringRef key) {
  llvm::Expected<json::Value> value = parseJson(store.origin(key));
  const json::Object *object = value ? value->getAsObject() : nullptr;
  std::string text;
  if (object)
    text = "from " + quoted(object->getString("input").value_or("")) + " on " +
           quoted(object->getString("host").value_or("")) + ", " +
           agoText(object->getInteger("time").value_or(0));
  llvm::consumeError(value.takeError());
  return text.empty() ? "unknown" : text;
}

static void showText(const Manifest &manifest, const Store &store) {
  llvm::raw_ostream &os = llvm::outs();
  printTable(os, {{"key", manifest.key.text()},
                  {"target", manifest.target.text()},
                  {"payload", manifest.payload.hex() + ".bin, " +
                                  bytesText(manifest.size)},
                  {"store", store.path().str()},
                  {"made", originText(store, manifest.key.text())}});
  os << "\n";
  std::vector<std::vector<std::string>> rows = {
      {"KERNEL", "WAVE", "VGPR", "AGPR", "SGPR", "LDS", "KERNARG", "SCRATCH",
       "MAX WORKGROUP"}};
  for (const KernelFacts &kernel : manifest.kernels)
    rows.push_back({kernel.name, std::to_string(kernel.wave),
                    std::to_string(kernel.vgprs), std::to_string(kernel.agprs),
                    std::to_string(kernel.sgprs), bytesText(kernel.lds),
                    bytesText(kernel.kernarg), bytesText(kernel.scratch),
                    std::to_string(kernel.maxWorkgroup)});
  printTable(os, rows);
  os << "\n" << manifest.key.explain();
}

/// Writes the code object; a reader sees the whole file or none.
static int extract(const Artefact &artefact, StringRef path) {
  llvm::Error error =
      ::fly::support::writeFile(path, [&](llvm::raw_ostream &os) {
        os << artefact.bytes->getBuffer();
        return llvm::Error::success();
      });
  if (error)
    return usage("cannot write " + quotedPath(path) + ": " +
                 llvm::toString(std::move(error)));
  return ExitSuccess;
}

int flycache::runShow(const Request &request) {
  if (request.operands.size() != 1)
    return usage("show expects one key or unit, found " +
                 llvm::Twine(request.operands.size()));
  llvm::Expected<Layers> layers = openLayers(request);
  if (!layers)
    return report(layers.takeError());
  llvm::Expected<Found> found =
      findEntry(*layers, request.operands[0], request.target);
  if (!found)
    return report(found.takeError());
  llvm::Expected<std::optional<Artefact>> artefact =
      found->store->lookUp(found->key);
  if (!artefact)
    return report(artefact.takeError());
  if (!*artefact)
    return report(
        fly::support::makeError("S001", found->key + " is not stored"));
  if (!request.output.empty())
    return extract(**artefact, request.output);
  if (request.json)
    llvm::outs() << (*artefact)->manifest.text();
  else
    showText((*artefact)->manifest, *found->store);
  return ExitSuccess;
}

//===----------------------------------------------------------------------===//
// diff and explain
//===----------------------------------------------------------------------===//

static llvm::Expected<CacheKey> keyOf(const Layers &layers,
                                      const Request &request, StringRef text) {
  if (isModule(text) && llvm::sys::fs::exists(text))
    return keyOfModule(request, text);
  if (text == "-" || llvm::sys::fs::exists(text)) {
    llvm::Expected<std::vector<CacheKey>> keys = readKeys(text);
    if (!keys)
      return keys.takeError();
    if (keys->size() != 1)
      return llvm::createStringError(quoted(text) +
                                     " holds several keys, expected one");
    return keys->front();
  }
  llvm::Expected<Found> found = findEntry(layers, text, request.target);
  if (!found)
    return found.takeError();
  llvm::Expected<std::optional<Manifest>> manifest =
      found->store->manifest(found->key);
  if (!manifest)
    return manifest.takeError();
  if (!*manifest)
    return fly::support::makeError("S001", found->key + " is not stored");
  return std::move((*manifest)->key);
}

/// How the modules of two keys differ, when the stores have kept their texts.
static std::optional<TextDifference>
keptDifference(const Layers &layers, const CacheKey &a, const CacheKey &b) {
  std::optional<fly::support::Digest> ours = irDigestOf(a);
  std::optional<fly::support::Digest> theirs = irDigestOf(b);
  if (!ours || !theirs || *ours == *theirs)
    return std::nullopt;
  std::optional<std::string> one = keptText(layers.pointers(), *ours);
  std::optional<std::string> other =
      one ? keptText(layers.pointers(), *theirs) : std::nullopt;
  return other ? textDifference(*one, *other) : std::nullopt;
}

int flycache::runDiff(const Request &request) {
  if (request.operands.size() != 2)
    return usage("diff expects two keys, units or key files, found " +
                 llvm::Twine(request.operands.size()));
  llvm::Expected<Layers> layers = openLayers(request);
  if (!layers)
    return report(layers.takeError());
  std::vector<CacheKey> keys;
  for (const std::string &text : request.operands) {
    llvm::Expected<CacheKey> key = keyOf(*layers, request, text);
    if (!key)
      return report(key.takeError());
    keys.push_back(std::move(*key));
  }
  std::vector<Difference> differing = differences(keys[0], keys[1]);
  std::optional<TextDifference> text =
      keptDifference(*layers, keys[0], keys[1]);
  double far = distance(differing) + (text ? text->ratio() : 0);
  if (request.json) {
    json::Array array;
    auto value = [](const std::optional<std::string> &text) {
      return text ? json::Value(json::fixUTF8(*text)) : json::Value(nullptr);
    };
    for (const Difference &difference : differing)
      array.push_back(json::Object{{"component", difference.component},
                                   {"field", difference.field},
                                   {"a", value(difference.wanted)},
                                   {"b", value(difference.stored)}});
    json::Object object{{"a", keys[0].text()},
                        {"b", keys[1].text()},
                        {"distance", far},
                        {"differing", std::move(array)}};
    if (text)
      object["ir"] = text->json();
    printJsonLine(std::move(object));
    return ExitSuccess;
  }
  llvm::outs() << shortKey(keys[0].text()) << " and "
               << shortKey(keys[1].text());
  if (differing.empty()) {
    llvm::outs() << " are the same key\n";
    return ExitSuccess;
  }
  llvm::outs() << " differ, distance " << llvm::format("%.3g", far) << "\n";
  std::vector<std::vector<std::string>> rows = {
      {"  FIELD", shortKey(keys[0].text()), shortKey(keys[1].text())}};
  for (const Difference &difference : differing)
    rows.push_back({"  " + difference.name(),
                    difference.wanted.value_or("nothing"),
                    difference.stored.value_or("nothing")});
  printTable(llvm::outs(), rows);
  if (text)
    llvm::outs() << text->text("  ", shortKey(keys[0].text()),
                               shortKey(keys[1].text()));
  return ExitSuccess;
}

/// Explains one key whose components are known.
static int explainKey(const Layers &layers, const Request &request,
                      const CacheKey &wanted) {
  llvm::Expected<std::optional<Artefact>> found = layers.lookUp(wanted.text());
  if (!found)
    return report(found.takeError());
  if (*found) {
    if (request.json)
      printJsonLine(json::Object{{"key", wanted.text()},
                                 {"stored", json::fixUTF8((*found)->store)}});
    else
      llvm::outs() << wanted.text() << " is stored in " << (*found)->store
                   << "\n";
    return ExitSuccess;
  }
  std::vector<std::string> kernels;
  if (!request.kernel.empty())
    kernels.push_back(request.kernel);
  auto textOf = [&](const fly::support::Digest &ir) {
    return keptText(layers.pointers(), ir);
  };
  llvm::Expected<Explanation> explanation =
      explain(wanted, kernels, layers.pointers(), request.nearest, textOf);
  if (!explanation)
    return report(explanation.takeError());
  if (request.json)
    printJsonLine(explanation->json());
  else
    llvm::outs() << explanation->text("FLY-S001 miss");
  return ExitMiss;
}

int flycache::runExplain(const Request &request) {
  if (request.operands.size() != 1)
    return usage("explain expects one key file, key or unit, found " +
                 llvm::Twine(request.operands.size()));
  llvm::Expected<Layers> layers = openLayers(request);
  if (!layers)
    return report(layers.takeError());
  StringRef text = request.operands[0];
  if (text != "-" && !llvm::sys::fs::exists(text)) {
    llvm::Expected<Found> found = findEntry(*layers, text, request.target);
    if (found) {
      llvm::Expected<CacheKey> key = keyOf(*layers, request, text);
      return key ? explainKey(*layers, request, *key) : report(key.takeError());
    }
    llvm::Error error = found.takeError();
    if (fly::support::codeOf(error) != "S001")
      return report(std::move(error));
    llvm::Expected<std::vector<std::string>> targets =
        targetsOfUnit(*layers, text);
    // What was looked for can be named better than by a digest.
    if (!targets || !targets->empty() || !looksLikeKey(text)) {
      llvm::consumeError(targets.takeError());
      return report(std::move(error));
    }
    llvm::consumeError(std::move(error));
    return report(fly::support::makeError(
        "S001", quoted(text) +
                    " is not stored, and a digest does not say what it was "
                    "made of; give its components, as the pass "
                    "fly-cache-key{format=json} prints them"));
  }
  if (isModule(text)) {
    llvm::Expected<CacheKey> key = keyOfModule(request, text);
    return key ? explainKey(*layers, request, *key) : report(key.takeError());
  }
  llvm::Expected<std::vector<CacheKey>> keys = readKeys(text);
  if (!keys)
    return report(keys.takeError());
  int status = ExitSuccess;
  for (const CacheKey &key : *keys)
    if (int one = explainKey(*layers, request, key))
      status = one;
  return status;
}

//===----------------------------------------------------------------------===//
// stats
//===----------------------------------------------------------------------===//

int flycache::runStats(const Request &request) {
  llvm::Expected<Layers> layers = openLayers(request);
  if (!layers)
    return report(layers.takeError());
  json::Array array;
  for (const Store &store : layers->stores()) {
    std::vector<Listed> entries;
    if (llvm::Error error = list(store, Request(), entries))
      return report(std::move(error));
    uint64_t bytes = 0;
    std::map<std::string, uint64_t> targets;
    for (const Listed &entry : entries) {
      bytes += entry.manifest.size;
      ++targets[entry.manifest.target.text()];
    }
    std::vector<std::pair<std::string, uint64_t>> notes = store.notes();
    if (request.json) {
      json::Object byTarget, events;
      for (const auto &[target, count] : targets)
        byTarget[target] = count;
      for (const auto &[event, count] : notes)
        events[json::fixUTF8(event)] = count;
      array.push_back(json::Object{{"store", json::fixUTF8(store.path())},
                                   {"entries", uint64_t(entries.size())},
                                   {"bytes", bytes},
                                   {"targets", std::move(byTarget)},
                                   {"events", std::move(events)}});
      continue;
    }
    llvm::outs() << store.path() << "\n";
    std::vector<std::vector<std::string>> rows = {
        {"  entries", std::to_string(entries.size())},
        {"  code objects", bytesText(bytes)}};
    for (const auto &[target, count] : targets)
      rows.push_back({"  " + target, std::to_string(count)});
    for (const auto &[event, count] : notes)
      rows.push_back({"  " + event, std::to_string(count)});
    printTable(llvm::outs(), rows);
  }
  if (request.json)
    printJsonLine(std::move(array));
  return ExitSuccess;
}
