// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adding the entries of one store to another.

#include "MergeInto.h"

#include "fly/Store/Paths.h"
#include "fly/Support/Errors.h"

using namespace fly::store;
using fly::support::quoted;

llvm::Error fly::store::addEntry(const Manifest &manifest,
                                 llvm::StringRef bytes, const Store &into,
                                 MergeReport &report) {
  std::string key = manifest.key.text();
  llvm::Expected<std::optional<Artefact>> present = into.lookUp(key);
  if (present && *present && (*present)->manifest.payload != manifest.payload) {
    report.conflicts.push_back(
        "key " + key + " has another payload in " + quotedPath(into.path()) +
        ": non-deterministic build, stored " +
        (*present)->manifest.payload.hex() + ", new " + manifest.payload.hex() +
        "; the stored one stays [FLY-S007]");
    return llvm::Error::success();
  }
  llvm::consumeError(present.takeError());
  llvm::Expected<Published> done = into.publish(manifest, bytes, {});
  if (!done)
    return done.takeError();
  ++(*done == Published::New ? report.added : report.present);
  return llvm::Error::success();
}

llvm::Error fly::store::addUnit(const UnitRecord &record, const Store &into,
                                MergeReport &report) {
  llvm::Expected<std::optional<std::string>> present =
      into.unitKey(record.unit, record.target);
  if (present && *present && **present != record.key) {
    report.conflicts.push_back(
        "unit " + quoted(record.unit) + " for '" + record.target.text() +
        "' names " + **present + " in " + quotedPath(into.path()) + ", new " +
        record.key + "; the stored one stays [FLY-S007]");
    return llvm::Error::success();
  }
  llvm::consumeError(present.takeError());
  if (llvm::Error error = into.publishUnit(record))
    return error;
  ++report.units;
  return llvm::Error::success();
}

llvm::Expected<MergeReport> fly::store::merge(const Store &from,
                                              const Store &into) {
  MergeReport report;
  llvm::Expected<std::vector<std::string>> keys = from.keys();
  if (!keys)
    return keys.takeError();
  for (const std::string &key : *keys) {
    llvm::Expected<std::optional<Artefact>> found = from.lookUp(key);
    if (!found) {
      report.corrupt.push_back(llvm::toString(found.takeError()));
      continue;
    }
    if (!*found)
      continue;
    if (llvm::Error error = addEntry(
            (*found)->manifest, (*found)->bytes->getBuffer(), into, report))
      return error;
  }
  llvm::Expected<std::vector<UnitRecord>> units = from.units();
  if (!units)
    return units.takeError();
  for (const UnitRecord &record : *units) {
    // A name without its entry would only mislead.
    if (!into.manifestInfo(record.key))
      continue;
    if (llvm::Error error = addUnit(record, into, report))
      return error;
  }
  return report;
}
