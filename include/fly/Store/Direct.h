// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direct mode: an input that was compiled before is recognised by its bytes,
// without parsing it. The raw input, the options, what says the target outside
// the input, and the build-ids of the compiler's libraries go in; the key that
// the first compile derived comes out, when everything else that it read still
// holds what it held. The laws: a record can only name a key, never code of its
// own; whatever is in doubt is "not known".
//
//   DirectQuestion question{bytes, options, resolve, toolchain};
//   llvm::Expected<std::optional<DirectHit>> hit = findDirect(question,
//   layers);

#ifndef FLY_STORE_DIRECT_H
#define FLY_STORE_DIRECT_H

#include "fly/Store/Layers.h"
#include "fly/Target/AMDGPU/Resolve.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fly::store {

/// Names and values; their order counts.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct DirectQuestion {
  /// Of the raw bytes of the input.
  support::Digest input;
  /// Every option that may change the key, as it was given.
  NamedTexts options;
  /// What says the target, but for the input. Its environment is the whole one.
  amdgpu::ResolveRequest resolve;
  /// Libraries that would compile, with their build-ids.
  NamedTexts toolchain;
  /// Files and folders whose content joins the key, by option or by variable.
  std::vector<std::string> inputs = {};
};

/// How the target of a compile was found.
enum class DirectTarget {
  /// By an option, a variable that names one, or the input.
  Said,
  /// It stands for a device.
  Device
};

/// The name of the record for `question`, or nothing when direct mode cannot
/// tell: the target outside the input does not resolve, or a variable is set
/// whose effect is not known here.
std::optional<support::Digest> directId(const DirectQuestion &question,
                                        DirectTarget how);

struct DirectHit {
  DirectRecord record;
  /// Who said the target: "FLY_TARGET", "the input", "kfd:node4".
  std::string source;
};

/// The first record of the stores for `question` whose files hold what they
/// held; nothing when there is none. Corrupt records are passed over.
std::optional<DirectHit> findDirect(const DirectQuestion &question,
                                    const Layers &layers);

/// Whether each file still has its digest, or is still not there.
bool isUnchanged(const DirectRecord &record);

/// ld.so(8), FILES.
inline constexpr llvm::StringLiteral systemPreloadList = "/etc/ld.so.preload";

/// The build-ids of the shared object at `path` and of those libraries with
/// LLVM and MLIR in them that the loader would load for it (LD_LIBRARY_PATH of
/// `environment` and its own search path, `$ORIGIN` included), by name. Empty
/// when one cannot be told: also when `preloadList`, the machine's list of what
/// the loader adds to each program, names anything.
NamedTexts loadedBuildIds(llvm::StringRef path,
                          const support::Environment &environment,
                          llvm::StringRef preloadList = systemPreloadList);

} // namespace fly::store

#endif // FLY_STORE_DIRECT_H
