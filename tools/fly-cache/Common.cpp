// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the commands: opening, finding, reading, printing.

#include "Commands.h"

#include "fly/Store/Json.h"
#include "fly/Store/Paths.h"
#include "fly/Support/Errors.h"
#include "fly/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

#include <ctime>
#include <set>

using namespace fly::store;
using fly::support::CacheKey;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;

static int statusOf(StringRef code) {
  if (code.starts_with("T"))
    return flycache::ExitNoTarget;
  if (code == "S001")
    return flycache::ExitMiss;
  if (code == "S002" || code == "S003" || code == "S004")
    return flycache::ExitCorrupt;
  if (code == "S007")
    return flycache::ExitConflict;
  return flycache::ExitUsage;
}

int flycache::report(llvm::Error error) {
  std::string code = fly::support::codeOf(error);
  llvm::WithColor::error(llvm::errs())
      << llvm::toString(std::move(error)) << "\n";
  return statusOf(code);
}

int flycache::usage(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs()) << message << "\n";
  return ExitUsage;
}

static void warn(const std::string &text) {
  llvm::WithColor::warning(llvm::errs()) << text << "\n";
}

llvm::Expected<Layers> flycache::openLayers(const Request &request) {
  if (request.stores.empty())
    return makeError("S005", "no store: expected --store=DIR or FLY_STORE");
  std::vector<LayerSpec> specs = request.stores;
  // Servers take part in look-ups; what lists and checks needs files.
  if (llvm::all_of(specs, [](const LayerSpec &spec) {
        return RemoteSpec::isRemote(spec.path);
      }))
    return makeError("S005", "a server cannot be listed, expected a folder "
                             "among the stores");
  for (LayerSpec &spec : specs)
    spec.mode = Mode::ReadOnly;
  LayersOptions options;
  options.warn = warn;
  llvm::Expected<std::string> auth =
      remoteAuth(fly::support::Environment::capture());
  if (!auth)
    return auth.takeError();
  options.auth = std::move(*auth);
  return Layers::open(specs, options);
}

llvm::Error flycache::expectWritable(const Request &request) {
  if (request.stores.empty() || !allReadOnly(request.stores))
    return llvm::Error::success();
  const std::string &path = request.stores.front().path;
  return makeError("S006", "store " + quotedPath(path) +
                               " is given as ro:, which is only read, and this "
                               "command changes it; expected --store=DIR or "
                               "--store=rw:DIR");
}

llvm::Expected<Store> flycache::openOne(const Request &request, Mode mode) {
  if (request.stores.size() != 1)
    return makeError("S005", "expected one store (--store=DIR or FLY_STORE), "
                             "found " +
                                 llvm::Twine(request.stores.size()));
  StringRef path = request.stores[0].path;
  if (RemoteSpec::isRemote(path))
    return makeError("S005",
                     "expected a folder, found the server " + quoted(path));
  return Store::open(path, {mode, warn, nullptr});
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

bool flycache::looksLikeKey(StringRef text) {
  text.consume_front("fly1-");
  return text.size() >= 4 && text.size() <= 64 &&
         text.find_first_not_of("0123456789abcdef") == StringRef::npos;
}

static llvm::Error ambiguous(StringRef text, StringRef what,
                             const std::set<std::string> &names) {
  std::string list;
  for (const std::string &name : names)
    list += "\n  " + name;
  return llvm::createStringError(quoted(text) + " is " + what + " of " +
                                 llvm::Twine(names.size()) +
                                 " entries; expected more digits or "
                                 "--target:" +
                                 list);
}

llvm::Expected<std::vector<std::string>>
flycache::targetsOfUnit(const Layers &layers, StringRef unit) {
  std::set<std::string> targets;
  for (const Store &store : layers.stores()) {
    llvm::Expected<std::vector<UnitRecord>> units = store.units();
    if (!units)
      return units.takeError();
    for (const UnitRecord &record : *units)
      if (record.unit == unit)
        targets.insert(record.target.text());
  }
  return std::vector<std::string>(targets.begin(), targets.end());
}

/// Says that nothing is stored under `text`, and what is there.
static llvm::Error nothingFound(const Layers &layers, StringRef text,
                                StringRef target) {
  llvm::Expected<std::vector<std::string>> others =
      flycache::targetsOfUnit(layers, text);
  if (!others)
    return others.takeError();
  if (!others->empty())
    return makeError("S001", "unit " + quoted(text) + " is not stored for " +
                                 quoted(target) + "; it is stored for: " +
                                 llvm::join(*others, ", "));
  std::string why = quoted(text) + " is neither a key nor a unit of the stores";
  if (text.size() < 4 &&
      text.find_first_not_of("0123456789abcdef") == StringRef::npos)
    why += "; a key is given by at least 4 of its digits";
  return makeError("S001", why);
}

static llvm::Expected<flycache::Found>
findUnit(const Layers &layers, StringRef text, StringRef targetText) {
  std::optional<fly::amdgpu::Target> target;
  if (!targetText.empty()) {
    llvm::Expected<fly::amdgpu::Target> parsed = parseTargetText(targetText);
    if (!parsed)
      return parsed.takeError();
    target = *parsed;
  }
  std::set<std::string> names;
  flycache::Found found{nullptr, ""};
  for (const Store &store : layers.stores()) {
    llvm::Expected<std::vector<UnitRecord>> units = store.units();
    if (!units)
      return units.takeError();
    for (const UnitRecord &record : *units)
      if (record.unit == text && (!target || record.target == *target)) {
        names.insert(record.key + " (" + record.target.text() + ")");
        if (!found.store)
          found = {&store, record.key};
      }
  }
  if (names.size() > 1)
    return ambiguous(text, "the unit", names);
  if (!found.store)
    return nothingFound(layers, text, targetText);
  return found;
}

llvm::Expected<flycache::Found>
flycache::findEntry(const Layers &layers, StringRef text, StringRef target) {
  if (looksLikeKey(text)) {
    std::set<std::string> names;
    Found found{nullptr, ""};
    for (const Store &store : layers.stores()) {
      llvm::Expected<std::vector<std::string>> keys =
          store.keysWithPrefix(text);
      if (!keys)
        return keys.takeError();
      names.insert(keys->begin(), keys->end());
      if (!keys->empty() && !found.store)
        found = {&store, keys->front()};
    }
    if (names.size() > 1)
      return ambiguous(text, "the beginning of the keys", names);
    if (found.store)
      return found;
  }
  return findUnit(layers, text, target);
}

//===----------------------------------------------------------------------===//
// Reading and printing
//===----------------------------------------------------------------------===//

llvm::Expected<std::string> flycache::readInput(StringRef path) {
  uint64_t limit = uint64_t(1) << 30;
  if (llvm::sys::fs::is_regular_file(path))
    limit = std::numeric_limits<uint64_t>::max();
  llvm::Expected<std::string> content = fly::support::readStream(path, limit);
  if (content)
    return content;
  std::string why = llvm::toString(content.takeError());
  StringRef reason = why;
  reason.consume_front("cannot be read: ");
  return llvm::createStringError("cannot read " + quotedPath(path) + ": " +
                                 reason);
}

llvm::Expected<std::vector<CacheKey>> flycache::readKeys(StringRef path) {
  llvm::Expected<std::string> text = readInput(path);
  if (!text)
    return text.takeError();
  std::vector<CacheKey> keys;
  llvm::SmallVector<StringRef> lines;
  StringRef(*text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (size_t i = 0; i < lines.size(); ++i) {
    auto refuse = [&](llvm::Error error) {
      return llvm::createStringError(quotedPath(path) + ", line " +
                                     llvm::Twine(i + 1) + ": " +
                                     llvm::toString(std::move(error)));
    };
    llvm::Expected<llvm::json::Value> value = parseJson(lines[i]);
    if (!value)
      return refuse(value.takeError());
    llvm::Expected<CacheKey> key = CacheKey::fromJson(*value);
    if (!key)
      return refuse(key.takeError());
    keys.push_back(std::move(*key));
  }
  if (keys.empty())
    return llvm::createStringError(quotedPath(path) +
                                   " holds no key: expected "
                                   "lines of schema 'fly-key/1'");
  return keys;
}

std::string flycache::bytesText(uint64_t bytes) {
  if (bytes < 1024)
    return std::to_string(bytes) + " B";
  static constexpr const char *units[] = {"KiB", "MiB", "GiB", "TiB"};
  unsigned unit = 0;
  // Tenths, so that no rounding of halves is needed.
  uint64_t tenths = bytes * 10 / 1024;
  while (tenths >= 10240 && unit < 3) {
    tenths /= 1024;
    ++unit;
  }
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " +
         units[unit];
}

std::string flycache::agoText(int64_t time) {
  int64_t seconds = std::max<int64_t>(std::time(nullptr) - time, 0);
  if (seconds < 60)
    return std::to_string(seconds) + " s ago";
  if (seconds < 3600)
    return std::to_string(seconds / 60) + " min ago";
  if (seconds < 86400)
    return std::to_string(seconds / 3600) + " h ago";
  return std::to_string(seconds / 86400) + " d ago";
}

void flycache::printTable(llvm::raw_ostream &os,
                          const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths;
  for (const auto &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      line.append(widths[i] - row[i].size() + 2, ' ');
    }
    os << StringRef(line).rtrim(' ') << '\n';
  }
}

void flycache::printJsonLine(const llvm::json::Value &value) {
  llvm::outs() << printJson(value);
}
