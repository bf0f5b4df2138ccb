// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading plans, sharding them, and comparing them with stores.

#include "fly/Store/Plan.h"

#include "fly/Store/Json.h"
#include "fly/Support/Errors.h"

#include <map>
#include <set>

using namespace fly::store;
namespace support = fly::support;
using fly::amdgpu::Target;
using fly::support::CacheKey;
using fly::support::KeyComponent;
using fly::support::KeyField;
using fly::support::quoted;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static llvm::Error refuse(const llvm::Twine &problem) {
  return llvm::createStringError("plan: " + problem);
}

/// An option's value as a command line spells it.
static std::optional<std::string> optionText(const json::Value &value) {
  if (std::optional<bool> boolean = value.getAsBoolean())
    return *boolean ? "true" : "false";
  if (std::optional<int64_t> number = value.getAsInteger())
    return std::to_string(*number);
  if (std::optional<StringRef> text = value.getAsString())
    return text->str();
  return std::nullopt;
}

static llvm::Error readOptions(const json::Value &value, PlanUnit &unit) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return refuse("unit " + quoted(unit.name) + ": 'options' is not an object");
  for (const auto &entry : *object) {
    std::optional<std::string> text = optionText(entry.second);
    if (!text)
      return refuse("unit " + quoted(unit.name) + ": option " +
                    quoted(StringRef(entry.first)) +
                    " is not a text, a whole number, true or false");
    unit.options.emplace_back(StringRef(entry.first).str(), *text);
  }
  llvm::sort(unit.options);
  return llvm::Error::success();
}

static llvm::Error readTargets(const json::Array &list, PlanUnit &unit) {
  for (const json::Value &value : list) {
    std::optional<StringRef> text = value.getAsString();
    if (!text)
      return refuse("unit " + quoted(unit.name) + ": a target is not a text");
    llvm::Expected<Target> target = parseTargetText(*text);
    if (!target)
      return refuse("unit " + quoted(unit.name) + ": " +
                    llvm::toString(target.takeError()));
    if (llvm::is_contained(unit.targets, *target))
      return refuse("unit " + quoted(unit.name) + ": target " + quoted(*text) +
                    " stands twice");
    unit.targets.push_back(*target);
  }
  if (unit.targets.empty())
    return refuse("unit " + quoted(unit.name) + " has no targets");
  return llvm::Error::success();
}

static llvm::Expected<PlanUnit> readUnit(const json::Value &value) {
  PlanUnit unit;
  MemberReader reader(value, "a unit");
  unit.name = reader.text("name");
  unit.module = reader.text("module");
  const json::Array *targets = reader.array("targets");
  const json::Value *options =
      reader.has("options") ? reader.value("options") : nullptr;
  if (llvm::Error error = reader.finish())
    return refuse(llvm::toString(std::move(error)) +
                  (unit.name.empty() ? "" : ", in " + quoted(unit.name)));
  if (unit.name.empty() || unit.name.size() > maxUnitNameBytes)
    return refuse("unit name " + quoted(unit.name, 40) + " has not 1 to " +
                  llvm::Twine(maxUnitNameBytes) + " bytes");
  if (unit.module.empty())
    return refuse("unit " + quoted(unit.name) + " has an empty 'module'");
  if (llvm::Error error = readTargets(*targets, unit))
    return error;
  if (options)
    if (llvm::Error error = readOptions(*options, unit))
      return error;
  return unit;
}

llvm::Expected<Plan> Plan::parse(StringRef text) {
  llvm::Expected<json::Value> value = parseJson(text);
  if (!value)
    return refuse(llvm::toString(value.takeError()));
  if (std::optional<std::string> name = repeatedMember(text))
    return refuse("member " + quoted(*name) + " stands twice in one object");
  MemberReader reader(*value, "the plan");
  std::string schema = reader.text("schema");
  const json::Array *units = reader.array("units");
  llvm::Error error = reader.finish();
  if (schema != "fly-plan/1" && !schema.empty()) {
    llvm::consumeError(std::move(error));
    return refuse("schema is " + quoted(schema) + ", expected 'fly-plan/1'");
  }
  if (error)
    return refuse(llvm::toString(std::move(error)));
  Plan plan;
  std::set<std::string> names;
  for (const json::Value &item : *units) {
    llvm::Expected<PlanUnit> unit = readUnit(item);
    if (!unit)
      return unit.takeError();
    if (!names.insert(unit->name).second)
      return refuse("unit " + quoted(unit->name) + " stands twice");
    plan.units.push_back(std::move(*unit));
  }
  return plan;
}

unsigned fly::store::shardOf(StringRef name, unsigned count) {
  uint64_t rest = 0;
  for (uint8_t byte : support::digestOf(name).bytes)
    rest = (rest << 8 | byte) % count;
  return rest;
}

//===----------------------------------------------------------------------===//
// Coverage
//===----------------------------------------------------------------------===//

StringRef fly::store::spell(Coverage::State state) {
  switch (state) {
  case Coverage::Present:
    return "present";
  case Coverage::Missing:
    return "missing";
  case Coverage::Stale:
    return "stale";
  case Coverage::Corrupt:
    return "corrupt";
  }
  return "";
}

/// Options of a plan that stand in a field of a key under another name.
struct KeyedOption {
  llvm::StringLiteral option;
  llvm::StringLiteral component;
  llvm::StringLiteral field;
};
static constexpr KeyedOption keyedOptions[] = {
    {"opt-level", "codegen", "opt_level"},
    {"debug", "codegen", "debug"},
    {"salt", "salt", "text"},
};

/// The options in which an entry differs from its plan.
static std::vector<Difference> optionDifferences(const PlanUnit &unit,
                                                 const CacheKey &stored) {
  std::vector<Difference> result;
  for (const auto &[name, value] : unit.options)
    for (const KeyedOption &row : keyedOptions) {
      if (row.option != name)
        continue;
      const KeyComponent *component = stored.find(row.component);
      const KeyField *field = component ? component->find(row.field) : nullptr;
      if (!field || field->value != value)
        result.push_back({row.component.str(), row.field.str(), value,
                          field ? field->value : std::nullopt});
    }
  return result;
}

namespace {
/// A unit of a store, with the store.
struct Stored {
  const Store *store;
  UnitRecord record;
};
} // namespace

/// Fields in which two targets differ.
static std::vector<Difference> targetDifferences(const Target &wanted,
                                                 const Target &stored) {
  auto keyOf = [](const Target &target) {
    CacheKey key;
    KeyComponent component{"target", {}};
    std::string text = target.fullText();
    llvm::SmallVector<StringRef> fields;
    StringRef(text).split(fields, ' ');
    for (StringRef field : fields) {
      auto [name, value] = field.split('=');
      component.fields.push_back({name.str(), value.str()});
    }
    key.components.push_back(std::move(component));
    return key;
  };
  return differences(keyOf(wanted), keyOf(stored));
}

/// Says which entry of the same name comes nearest.
static std::string missingText(const Target &wanted,
                               llvm::ArrayRef<Stored> sameName) {
  const Stored *nearest = nullptr;
  std::vector<Difference> fewest;
  for (const Stored &stored : sameName) {
    std::vector<Difference> differing =
        targetDifferences(wanted, stored.record.target);
    if (nearest && differing.size() >= fewest.size())
      continue;
    nearest = &stored;
    fewest = std::move(differing);
  }
  if (!nearest)
    return "  nearest: none; no entry of this name is stored\n";
  return "  nearest: " + shortKey(nearest->record.key) + " in " +
         nearest->store->path().str() + "\n" + differencesText(fewest, "    ");
}

static Coverage cover(const PlanUnit &unit, const Target &target,
                      llvm::ArrayRef<Stored> sameName) {
  Coverage row;
  row.unit = unit.name;
  row.target = target;
  for (const Stored &stored : sameName) {
    if (stored.record.target != target)
      continue;
    row.key = stored.record.key;
    llvm::Expected<std::optional<Artefact>> found =
        stored.store->lookUp(row.key);
    if (!found) {
      row.state = Coverage::Corrupt;
      row.detail = "  " + llvm::toString(found.takeError()) + "\n";
      continue;
    }
    if (!*found || (*found)->manifest.target != target)
      continue;
    std::vector<Difference> differing =
        optionDifferences(unit, (*found)->manifest.key);
    row.state = differing.empty() ? Coverage::Present : Coverage::Stale;
    row.detail = differencesText(differing, "    ");
    // The first store that has a whole entry is the one that serves it.
    return row;
  }
  if (row.state == Coverage::Missing)
    row.detail = missingText(target, sameName);
  return row;
}

llvm::Expected<std::vector<Coverage>>
fly::store::coverage(const Plan &plan, const Layers &layers) {
  std::map<std::string, std::vector<Stored>> byName;
  for (const Store &store : layers.stores()) {
    llvm::Expected<std::vector<UnitRecord>> units = store.units();
    if (!units)
      return units.takeError();
    for (UnitRecord &record : *units)
      byName[record.unit].push_back({&store, std::move(record)});
  }
  std::vector<Coverage> rows;
  for (const PlanUnit &unit : plan.units)
    for (const Target &target : unit.targets)
      rows.push_back(cover(unit, target, byName[unit.name]));
  return rows;
}
