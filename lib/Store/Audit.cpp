// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit of a whole store: each entry is looked up with full verification,
// each other file must be one that the format knows. Nothing is changed.

#include "fly/Store/Store.h"

#include "Records.h"

#include "fly/Support/Errors.h"

#include <map>
#include <set>

using namespace fly::store;
using llvm::StringRef;

namespace {
/// What the audit has seen so far.
struct Audit {
  const Store &store;
  AuditReport report;
  std::set<std::string> keys;
  std::set<std::string> payloads;
  std::set<std::string> texts;
  /// The markers of each entry that have not been seen yet.
  std::map<std::string, std::set<std::string>> markers;

  void problem(llvm::Error error) {
    report.problems.push_back(llvm::toString(std::move(error)));
  }
  /// A file below `top` of another kind than `kind` does not belong there.
  bool belongs(StringRef path, PathKind kind) {
    if (classify(path) == kind)
      return true;
    problem(corrupt((store.path() + "/" + path).str(),
                    "it is not a file of the format"));
    return false;
  }
};
} // namespace

static void auditEntry(Audit &audit, StringRef path) {
  if (!audit.belongs(path, PathKind::Index))
    return;
  std::string key = path.substr(path.rfind('/') + 1).drop_back(5).str();
  llvm::Expected<std::optional<Artefact>> found = audit.store.lookUp(key);
  if (!found)
    return audit.problem(found.takeError());
  if (!*found)
    return;
  audit.keys.insert(key);
  std::set<std::string> &markers = audit.markers[key];
  for (const KernelFacts &kernel : (*found)->manifest.kernels)
    markers.insert(markerPath(kernel.name, key));
  if (audit.payloads.insert(objectPath((*found)->manifest.payload)).second)
    audit.report.bytes += (*found)->manifest.size;
  if (std::optional<fly::support::Digest> ir =
          irDigestOf((*found)->manifest.key))
    audit.texts.insert(irPath(*ir));
  ++audit.report.entries;
}

static void auditUnit(Audit &audit, StringRef path) {
  if (!audit.belongs(path, PathKind::Unit))
    return;
  llvm::ErrorOr<Bytes> bytes = audit.store.files().read(path, maxManifestBytes);
  if (!bytes)
    return audit.problem(
        corrupt(path, "cannot be read: " + bytes.getError().message()));
  llvm::Expected<UnitRecord> record =
      UnitRecord::parse((*bytes)->getBuffer(), path);
  if (!record)
    return audit.problem(record.takeError());
  ++audit.report.units;
  if (!audit.keys.count(record->key))
    ++audit.report.unreferenced;
}

static void auditDirect(Audit &audit, StringRef path) {
  if (!audit.belongs(path, PathKind::Direct))
    return;
  llvm::ErrorOr<Bytes> bytes = audit.store.files().read(path, maxManifestBytes);
  if (!bytes)
    return audit.problem(
        corrupt(path, "cannot be read: " + bytes.getError().message()));
  llvm::Expected<DirectRecord> record =
      DirectRecord::parse((*bytes)->getBuffer(), path);
  if (!record)
    return audit.problem(record.takeError());
  if (!audit.keys.count(record->key))
    ++audit.report.unreferenced;
}

/// A marker is an empty file that the entry which it names has as a kernel;
/// its folder is the digest of that kernel's name.
static void auditMarker(Audit &audit, StringRef path) {
  if (!audit.belongs(path, PathKind::Marker))
    return;
  std::string key = path.substr(path.rfind('/') + 1).str();
  std::string shown = (audit.store.path() + "/" + path).str();
  llvm::ErrorOr<FileInfo> info = audit.store.files().info(path);
  if (!info)
    return audit.problem(
        corrupt(shown, "cannot be read: " + info.getError().message()));
  if (info->size != 0)
    return audit.problem(corrupt(shown, "a marker is empty, this one has " +
                                            llvm::Twine(info->size) +
                                            " bytes"));
  auto entry = audit.markers.find(key);
  if (entry == audit.markers.end()) {
    ++audit.report.unreferenced;
    return;
  }
  if (entry->second.erase(path.str()) == 0)
    audit.problem(
        corrupt(shown, "the entry that it names has no kernel of this name"));
}

static void auditText(Audit &audit, StringRef path) {
  if (!audit.belongs(path, PathKind::IR))
    return;
  StringRef name = path.substr(path.rfind('/') + 1).split('.').first;
  llvm::Expected<std::optional<KeptIR>> kept =
      audit.store.keptIR(*fly::support::Digest::fromHex(name));
  if (!kept)
    return audit.problem(kept.takeError());
  if (*kept && !audit.texts.count(path.str()))
    ++audit.report.unreferenced;
}

llvm::Expected<AuditReport> Store::audit() const {
  Audit audit{*this, {}, {}, {}, {}, {}};
  struct Part {
    llvm::StringLiteral top;
    llvm::function_ref<void(StringRef)> visit;
  };
  auto entry = [&](StringRef path) { auditEntry(audit, path); };
  auto object = [&](StringRef path) {
    if (audit.belongs(path, PathKind::Object) &&
        !audit.payloads.count(path.str()))
      ++audit.report.unreferenced;
  };
  auto marker = [&](StringRef path) { auditMarker(audit, path); };
  auto unit = [&](StringRef path) { auditUnit(audit, path); };
  auto direct = [&](StringRef path) { auditDirect(audit, path); };
  auto text = [&](StringRef path) { auditText(audit, path); };
  const Part parts[] = {{"index", entry},   {"objects", object},
                        {"names", marker},  {"units", unit},
                        {"direct", direct}, {"ir", text}};
  for (const Part &part : parts)
    if (std::error_code code = forEachFile(folder, part.top, part.visit))
      return corrupt((path() + "/" + part.top).str(),
                     "cannot be read: " + code.message());
  for (const auto &[key, missing] : audit.markers)
    audit.report.unmarked += missing.size();
  return std::move(audit.report);
}
