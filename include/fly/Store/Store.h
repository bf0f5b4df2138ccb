// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One store of compiled kernels in a folder (format `fly-store/1`). Bytes go in
// under a key; under that key the same bytes come out, checked in full. The
// laws: what is served is what was published for exactly that key and target,
// whatever the files hold; a reader never sees half an entry; two stores with
// the same entries are the same files, however they came to be.
//
//   llvm::Expected<Store> store = Store::open("aot", {Mode::ReadWrite});
//   llvm::Expected<Published> done = store->publish(manifest, bytes, {"gemm"});
//   llvm::Expected<std::optional<Artefact>> found = store->lookUp(key);
//
// Correctness needs rename alone: no locks, and nothing is written in
// `ReadOnly`.

#ifndef FLY_STORE_STORE_H
#define FLY_STORE_STORE_H

#include "fly/Store/Folder.h"
#include "fly/Store/Manifest.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fly::store {

enum class Mode {
  /// Opens nothing for writing.
  ReadOnly,
  /// Creates the store when there is none; S006 when it cannot be written.
  ReadWrite,
  /// As `ReadWrite` where that is possible, else `ReadOnly`.
  Auto
};

struct StoreOptions {
  Mode mode = Mode::ReadOnly;
  /// Takes warnings: `text [FLY-S002]`. May be empty.
  std::function<void(const std::string &)> warn;
  FileHook *hook = nullptr;
  /// Maps payloads in place of copying them, see `Folder::map`.
  bool mapped = false;
};

/// An entry that was found and verified.
struct Artefact {
  Manifest manifest;
  Bytes bytes;
  /// The path of the store that had it.
  std::string store;
};

/// What a publication did.
enum class Published {
  New,
  /// The same entry was there.
  Present,
  /// An entry with this key and other bytes was there and stays (S007, a
  /// warning): the build is not deterministic.
  Conflict
};

/// What `gc` may remove. Bounds of 0 mean none.
struct GcOptions {
  uint64_t maxBytes = 0;
  uint64_t maxEntries = 0;
  /// Entries not used for so many seconds go.
  uint64_t maxAge = 0;
  /// Leftovers must be older than this many seconds: their writer may live.
  uint64_t grace = 3600;
  /// Keys or beginnings of keys, and names of units, that stay.
  std::vector<std::string> pins;
  bool dryRun = false;
};

struct GcReport {
  /// Keys of the removed entries, least recently used first.
  std::vector<std::string> removed;
  uint64_t removedBytes = 0;
  uint64_t keptEntries = 0;
  uint64_t keptBytes = 0;
  /// Unreferenced payloads, markers, units, temporary files that went.
  uint64_t leftovers = 0;
};

/// What an audit found.
struct AuditReport {
  uint64_t entries = 0;
  uint64_t bytes = 0;
  uint64_t units = 0;
  /// Payloads and markers without an entry: harmless, gc takes them.
  uint64_t unreferenced = 0;
  /// Kernels of entries without their marker: a writer died before it was made.
  /// A miss is explained less well; publishing the entry again makes it.
  uint64_t unmarked = 0;
  /// Coded messages, one a corrupt file.
  std::vector<std::string> problems;
};

class Store {
public:
  /// Opens or creates. S005: not a store of this format; S006: not writable.
  static llvm::Expected<Store> open(llvm::StringRef path, StoreOptions options);

  llvm::StringRef path() const { return folder.path(); }
  bool isWritable() const { return writable; }

  /// The entry of `key`, verified; nothing when there is none; an error S002
  /// to S005 when its files are not what they should be.
  llvm::Expected<std::optional<Artefact>> lookUp(llvm::StringRef key) const;
  /// As `lookUp`, without the payload.
  llvm::Expected<std::optional<Manifest>> manifest(llvm::StringRef key) const;
  /// The key that `unit` has for exactly this target, or nothing.
  llvm::Expected<std::optional<std::string>>
  unitKey(llvm::StringRef unit, const amdgpu::Target &target) const;
  /// The record of direct mode under `id`, or nothing.
  llvm::Expected<std::optional<DirectRecord>>
  direct(const support::Digest &id) const;

  /// Moves the files of a corrupt entry to `quarantine/`; true when it is out
  /// of the way. An entry that was published anew meanwhile stays.
  bool quarantine(llvm::StringRef key) const;
  /// Remembers that the entry was used, at most hourly.
  void markUsed(llvm::StringRef key) const;

  /// Publishes `bytes` under `manifest` and under the names of units. The old
  /// entry stays intact when writing fails (S009; S006 when it is refused).
  llvm::Expected<Published> publish(const Manifest &manifest,
                                    llvm::StringRef bytes,
                                    llvm::ArrayRef<std::string> units) const;
  llvm::Error publishUnit(const UnitRecord &record) const;
  llvm::Error publishDirect(const DirectRecord &record) const;
  /// Keeps a compressed text, unless it is there. See `keepText`.
  llvm::Error publishIR(const KeptIR &kept) const;
  /// What `publishIR` has kept for the component `ir`, or nothing.
  llvm::Expected<std::optional<KeptIR>> keptIR(const support::Digest &ir) const;

  /// All keys that have a manifest, sorted. Other files are passed over.
  llvm::Expected<std::vector<std::string>> keys() const;
  /// Keys that begin like `prefix` (with or without `fly1-`).
  llvm::Expected<std::vector<std::string>>
  keysWithPrefix(llvm::StringRef prefix) const;
  /// Keys whose markers name `kernel`, sorted.
  llvm::Expected<std::vector<std::string>>
  keysOfKernel(llvm::StringRef kernel) const;
  /// All units that can be read, sorted by name and target; `warn` hears of
  /// the others.
  llvm::Expected<std::vector<UnitRecord>> units() const;
  /// Size and last use of an entry's manifest.
  llvm::ErrorOr<FileInfo> manifestInfo(llvm::StringRef key) const;

  /// Looks at every file. Never changes anything.
  llvm::Expected<AuditReport> audit() const;
  /// Removes what is not wanted. S006 unless writable.
  llvm::Expected<GcReport> gc(const GcOptions &options) const;

  /// Adds to `meta/origins` where an entry was made: host, time and `input`.
  /// Nothing reads it but people; failures are silent.
  void noteOrigin(llvm::StringRef key, llvm::StringRef input) const;
  /// The last line that `noteOrigin` left for `key`, or empty.
  std::string origin(llvm::StringRef key) const;

  /// Adds a line to the notes `meta/events`; failures are silent.
  void note(llvm::StringRef event) const;
  /// The lines of `meta/events` with how often each stands there, sorted.
  std::vector<std::pair<std::string, uint64_t>> notes() const;

  const Folder &files() const { return folder; }
  void warn(const llvm::Twine &message) const;

private:
  Store(Folder folder, bool writable, StoreOptions options);

  /// Entries that were verified, so that a repeated look-up need not parse.
  struct Memo;

  std::optional<Manifest> verifiedBefore(llvm::StringRef key,
                                         llvm::StringRef text) const;
  void rememberVerified(llvm::StringRef key, llvm::StringRef text,
                        const Manifest &manifest) const;
  llvm::Error refuseUnlessWritable() const;
  std::error_code place(llvm::StringRef path, llvm::StringRef bytes,
                        bool sync) const;
  std::error_code publishPayload(const Manifest &manifest,
                                 llvm::StringRef bytes) const;
  void publishMarkers(const Manifest &manifest) const;
  llvm::Error writeFailure(llvm::StringRef path, std::error_code code) const;

  Folder folder;
  bool writable;
  StoreOptions options;
  std::shared_ptr<Memo> memo;
};

/// Calls `visit` with the path of each file below `top`, which has folders of
/// one level (`index`, `objects`, `names`) or none (`units`, `direct`), sorted.
std::error_code forEachFile(const Folder &folder, llvm::StringRef top,
                            llvm::function_ref<void(llvm::StringRef)> visit);

} // namespace fly::store

#endif // FLY_STORE_STORE_H
