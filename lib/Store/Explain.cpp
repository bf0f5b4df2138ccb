// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences of keys, the nearest entries, and how they are told.

#include "fly/Store/Explain.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <set>

using namespace fly::store;
namespace support = fly::support;
using fly::support::CacheKey;
using fly::support::KeyComponent;
using fly::support::KeyField;
using llvm::StringRef;
namespace json = llvm::json;

std::string fly::store::shortKey(StringRef key) {
  return key.take_front(5 + 12).str();
}

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

static std::optional<std::string> valueOf(const KeyField *field) {
  if (!field)
    return std::nullopt;
  return field->value.value_or("absent");
}

static void addDifferences(StringRef name, const KeyComponent *wanted,
                           const KeyComponent *stored,
                           std::vector<Difference> &result) {
  std::set<std::string> fields;
  for (const KeyComponent *component : {wanted, stored})
    if (component)
      for (const KeyField &field : component->fields)
        fields.insert(field.name);
  size_t before = result.size();
  for (const std::string &field : fields) {
    const KeyField *a = wanted ? wanted->find(field) : nullptr;
    const KeyField *b = stored ? stored->find(field) : nullptr;
    if (a && b && a->value == b->value)
      continue;
    result.push_back({name.str(), field, valueOf(a), valueOf(b)});
  }
  // A component without fields that only one of the two has.
  if (result.size() == before && !wanted != !stored)
    result.push_back(
        {name.str(), "presence",
         wanted ? std::optional<std::string>("there") : std::nullopt,
         stored ? std::optional<std::string>("there") : std::nullopt});
}

std::vector<Difference> fly::store::differences(const CacheKey &wanted,
                                                const CacheKey &stored) {
  std::vector<Difference> result;
  for (const KeyComponent &component : wanted.components)
    addDifferences(component.name, &component, stored.find(component.name),
                   result);
  for (const KeyComponent &component : stored.components)
    if (!wanted.find(component.name))
      addDifferences(component.name, nullptr, &component, result);
  return result;
}

unsigned fly::store::distance(llvm::ArrayRef<Difference> differing) {
  std::map<std::string, unsigned> fields;
  for (const Difference &difference : differing)
    ++fields[difference.component];
  unsigned sum = 0;
  for (const auto &[component, count] : fields) {
    if (component == "target" || component == "schema")
      sum += 8;
    else if (component == "toolchain" || component == "bitcode" ||
             component == "pipeline")
      sum += 4;
    else if (component == "codegen")
      sum += 2 * count;
    else
      sum += 1;
  }
  return sum;
}

/// A value for one column: long ones keep the part where the two differ.
static std::string shown(const std::optional<std::string> &value,
                         size_t common) {
  if (!value)
    return "nothing";
  constexpr size_t limit = 40;
  if (value->size() <= limit)
    return *value;
  if (support::Digest::fromHex(*value))
    return value->substr(0, 12) + "...";
  size_t begin = common > 8 ? common - 8 : 0;
  std::string part = value->substr(begin, limit);
  return (begin ? "..." : "") + part +
         (begin + part.size() < value->size() ? "..." : "");
}

std::string fly::store::differencesText(llvm::ArrayRef<Difference> differing,
                                        StringRef indent) {
  struct Row {
    std::string name, wanted, stored;
  };
  std::vector<Row> rows;
  size_t nameWidth = 0, wantedWidth = 0;
  for (const Difference &difference : differing) {
    size_t common = 0;
    if (difference.wanted && difference.stored)
      while (common < difference.wanted->size() &&
             common < difference.stored->size() &&
             (*difference.wanted)[common] == (*difference.stored)[common])
        ++common;
    rows.push_back({difference.name(), shown(difference.wanted, common),
                    shown(difference.stored, common)});
    nameWidth = std::max(nameWidth, rows.back().name.size());
    wantedWidth = std::max(wantedWidth, rows.back().wanted.size());
  }
  std::string text;
  for (Row &row : rows) {
    row.name.resize(nameWidth, ' ');
    row.wanted.resize(wantedWidth, ' ');
    text += indent.str() + row.name + "   wanted " + row.wanted + "   stored " +
            row.stored + "\n";
  }
  return text;
}

static constexpr llvm::StringLiteral changedKernel =
    "the kernel changed since the store was built";

std::string fly::store::hintFor(llvm::ArrayRef<Difference> differing) {
  for (const Difference &difference : differing) {
    StringRef component = difference.component;
    if (component == "schema")
      return "the store was made by another version; build it anew";
    if (component == "target" &&
        (difference.field == "xnack" || difference.field == "sramecc"))
      return "give the device's exact name (gcnArchName) to look for " +
             difference.field + " " + difference.stored.value_or("any") +
             ", or build for " + difference.field + " " +
             difference.wanted.value_or("any");
    if (component == "target")
      return "build for the wanted target, or check where the target came "
             "from";
    if (component == "toolchain")
      return "the store was built by another toolchain; build it with this "
             "one, or look up by unit name";
    if (component == "bitcode" || component == "inputs")
      return "a linked or declared file differs from the one of the build";
    if (component == "ir")
      return changedKernel.str();
    if (component == "codegen" || component == "pipeline")
      return "build with the same options";
    if (component == "salt")
      return "the salt of the build differs";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Nearest entries
//===----------------------------------------------------------------------===//

static std::string targetText(const CacheKey &key) {
  const KeyComponent *component = key.find("target");
  return component ? component->digest().hex() : "";
}

/// Manifests of `keys`; unreadable ones are left out.
static std::vector<Manifest> readAll(const Store &store,
                                     llvm::ArrayRef<std::string> keys) {
  std::vector<Manifest> manifests;
  for (const std::string &key : keys) {
    llvm::Expected<std::optional<Manifest>> manifest = store.manifest(key);
    if (manifest && *manifest)
      manifests.push_back(std::move(**manifest));
    llvm::consumeError(manifest.takeError());
  }
  return manifests;
}

static std::vector<Manifest> candidatesIn(const Store &store,
                                          const CacheKey &wanted,
                                          llvm::ArrayRef<std::string> kernels,
                                          llvm::ArrayRef<std::string> all) {
  std::set<std::string> named;
  for (const std::string &kernel : kernels) {
    llvm::Expected<std::vector<std::string>> keys = store.keysOfKernel(kernel);
    if (keys)
      named.insert(keys->begin(), keys->end());
    llvm::consumeError(keys.takeError());
  }
  std::vector<Manifest> found =
      readAll(store, std::vector<std::string>(named.begin(), named.end()));
  if (!found.empty())
    return found;
  found = readAll(store, all);
  std::string target = targetText(wanted);
  bool any = llvm::any_of(found, [&](const Manifest &manifest) {
    return targetText(manifest.key) == target;
  });
  if (any)
    llvm::erase_if(found, [&](const Manifest &manifest) {
      return targetText(manifest.key) != target;
    });
  return found;
}

static bool hasKernel(const Manifest &manifest,
                      llvm::ArrayRef<std::string> kernels) {
  return llvm::any_of(manifest.kernels, [&](const KernelFacts &kernel) {
    return llvm::is_contained(kernels, kernel.name);
  });
}

/// Adds the differences of modules whose texts are known to those of
/// `candidates` that may be among the `limit` nearest: a ratio is at most 1.
static void addTexts(std::vector<Candidate> &candidates, const CacheKey &wanted,
                     size_t limit, TextOf textOf) {
  std::optional<support::Digest> mine = irDigestOf(wanted);
  if (!textOf || !mine || candidates.empty() || limit == 0)
    return;
  std::vector<double> distances;
  for (const Candidate &candidate : candidates)
    distances.push_back(candidate.distance);
  llvm::sort(distances);
  double bound = distances[std::min(limit, distances.size()) - 1] + 1;
  std::optional<std::string> wantedText = textOf(*mine);
  for (Candidate &candidate : candidates) {
    std::optional<support::Digest> theirs = irDigestOf(candidate.manifest.key);
    if (!wantedText || candidate.distance > bound || !theirs ||
        *theirs == *mine)
      continue;
    std::optional<std::string> storedText = textOf(*theirs);
    if (!storedText)
      continue;
    candidate.text = textDifference(*wantedText, *storedText);
    if (candidate.text)
      candidate.distance += candidate.text->ratio();
  }
}

llvm::Expected<Explanation>
fly::store::explain(const CacheKey &wanted, llvm::ArrayRef<std::string> kernels,
                    llvm::ArrayRef<const Store *> stores, unsigned limit,
                    TextOf textOf) {
  Explanation explanation;
  explanation.wanted = wanted;
  if (!kernels.empty())
    explanation.title = "@" + kernels.front();
  explanation.isOfOtherKernel = !kernels.empty();
  for (const Store *store : stores) {
    llvm::Expected<std::vector<std::string>> all = store->keys();
    if (!all)
      return all.takeError();
    std::vector<Manifest> manifests =
        candidatesIn(*store, wanted, kernels, *all);
    explanation.searched.push_back({store->path().str(), store->isWritable(),
                                    all->size(), manifests.size()});
    for (Manifest &manifest : manifests) {
      if (hasKernel(manifest, kernels))
        explanation.isOfOtherKernel = false;
      Candidate candidate;
      candidate.differing = differences(wanted, manifest.key);
      candidate.distance = distance(candidate.differing);
      candidate.store = store->path().str();
      candidate.manifest = std::move(manifest);
      explanation.nearest.push_back(std::move(candidate));
    }
  }
  addTexts(explanation.nearest, wanted, limit, textOf);
  auto nearer = [](const Candidate &a, const Candidate &b) {
    if (a.distance != b.distance)
      return a.distance < b.distance;
    return a.differing.size() < b.differing.size();
  };
  // The stores' order and the keys' order decide between equals.
  for (size_t i = 0; i < explanation.nearest.size() && i < limit; ++i) {
    auto begin = explanation.nearest.begin() + i;
    auto best = std::min_element(begin, explanation.nearest.end(), nearer);
    std::rotate(begin, best, best + 1);
  }
  if (explanation.nearest.size() > limit)
    explanation.nearest.erase(explanation.nearest.begin() + limit,
                              explanation.nearest.end());
  return explanation;
}

static std::string sameComponents(const CacheKey &wanted,
                                  llvm::ArrayRef<Difference> differing) {
  std::string text;
  for (const KeyComponent &component : wanted.components) {
    bool differs = llvm::any_of(differing, [&](const Difference &difference) {
      return difference.component == component.name;
    });
    if (!differs)
      text += (text.empty() ? "" : ", ") + component.name;
  }
  return text.empty() ? "nothing is the same" : "same " + text;
}

/// ` (@axpy, @gemm)`, or nothing.
static std::string kernelNames(const Manifest &manifest) {
  std::string names;
  for (const KernelFacts &kernel : manifest.kernels)
    names += (names.empty() ? "@" : ", @") + kernel.name;
  return names.empty() ? "" : " (" + names + ")";
}

std::string Explanation::text(StringRef headline) const {
  std::string text = headline.str();
  if (!title.empty())
    text += " for " + title;
  text += " (" + shortKey(wanted.text()) + ")\n";
  if (nearest.empty())
    text += "  nearest: none\n";
  for (const Candidate &candidate : nearest) {
    text += "  nearest: " + shortKey(candidate.manifest.key.text()) + " (" +
            sameComponents(wanted, candidate.differing) + ")\n";
    text += differencesText(candidate.differing, "    ");
    if (candidate.text)
      text += candidate.text->text("    ");
    if (candidate.differing.empty())
      text += "      this is the entry, but its files are corrupt\n";
  }
  for (const Searched &store : searched)
    text += "  looked in: " + store.path + " (" +
            (store.writable ? "rw" : "ro") +
            (store.isRemote
                 ? std::string(", a server)\n")
                 : ", " + std::to_string(store.entries) + " entries, " +
                       std::to_string(store.considered) + " considered)\n");
  if (searched.empty())
    text += "  looked in: no store\n";
  if (nearest.empty())
    return text;
  const Candidate &first = nearest.front();
  std::string hint = hintFor(first.differing);
  if (isOfOtherKernel)
    hint = "no entry of " + title + "; the nearest is of another kernel" +
           kernelNames(first.manifest);
  else if (title.empty() && hint == changedKernel)
    hint +=
        ", or the nearest is of another kernel" + kernelNames(first.manifest);
  if (!hint.empty())
    text += "  hint: " + hint + "\n";
  return text;
}

static json::Value textOrNull(const std::optional<std::string> &text) {
  return text ? json::Value(json::fixUTF8(*text)) : json::Value(nullptr);
}

json::Value Explanation::json() const {
  json::Array candidates, stores;
  for (const Candidate &candidate : nearest) {
    json::Array list;
    for (const Difference &difference : candidate.differing)
      list.push_back(json::Object{{"component", difference.component},
                                  {"field", difference.field},
                                  {"wanted", textOrNull(difference.wanted)},
                                  {"stored", textOrNull(difference.stored)}});
    json::Object object{{"key", candidate.manifest.key.text()},
                        {"store", json::fixUTF8(candidate.store)},
                        {"distance", candidate.distance},
                        {"differing", std::move(list)}};
    if (candidate.text)
      object["ir"] = candidate.text->json();
    candidates.push_back(std::move(object));
  }
  for (const Searched &store : searched)
    stores.push_back(json::Object{{"path", json::fixUTF8(store.path)},
                                  {"writable", store.writable},
                                  {"entries", store.entries},
                                  {"considered", store.considered}});
  return json::Object{{"key", wanted.text()},
                      {"nearest", std::move(candidates)},
                      {"searched", std::move(stores)}};
}
