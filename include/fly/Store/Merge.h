// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores that travel. `merge` adds the entries of one store to another; `pack`
// turns a store into one tar archive and `unpack` adds the entries of such an
// archive to a store. The laws: only verified entries travel; what the
// destination has stays, and a disagreement is reported, not decided; equal
// stores give equal archives; any bytes are an archive or an error.
//
//   llvm::Expected<MergeReport> report = merge(wheel, mine);
//   if (!report->conflicts.empty()) ...                    // exit status 5

#ifndef FLY_STORE_MERGE_H
#define FLY_STORE_MERGE_H

#include "fly/Store/Store.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace fly::store {

struct MergeReport {
  uint64_t added = 0;
  uint64_t present = 0;
  uint64_t units = 0;
  /// Keys with another payload, units with another key: coded messages.
  std::vector<std::string> conflicts;
  /// Entries of the source that did not verify: coded messages.
  std::vector<std::string> corrupt;
};

/// Adds the entries and units of `from` to `into`. Fails only when `into`
/// cannot be written (S006, S009) or `from` cannot be listed.
llvm::Expected<MergeReport> merge(const Store &from, const Store &into);

/// Writes the archive of a store: `store.json`, entries, markers and units,
/// sorted by path, without times and owners. A corrupt entry is an error.
/// Answers the number of entries.
llvm::Expected<uint64_t> pack(const Store &store, llvm::raw_ostream &os);

/// Adds the entries of an archive. An archive that `pack` cannot have written
/// is refused as a whole (S002, S005) before anything is added.
llvm::Expected<MergeReport> unpack(llvm::StringRef archive, const Store &into);

} // namespace fly::store

#endif // FLY_STORE_MERGE_H
