// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where things stand in a store. A key, a digest or a name goes in, a relative
// path comes out; and back: a path is one of the kinds below or not of the
// format at all. The law: every path is relative, made of ASCII letters,
// digits, `-`, `.` and `/` only, and `classify` knows each one that is made
// here.
//
//   objects/ab/abcd....bin          payload, named by the BLAKE3 of its bytes
//   index/5f/fly1-5f....json        manifest
//   names/<BLAKE3 of a kernel name>/fly1-5f....     empty marker for explain
//   units/<BLAKE3 of unit and target>.json          unit -> key
//   direct/<BLAKE3>.json            what a compile read -> key
//   ir/<digest of ir>.mlir.zst      text of what was compiled, for people
//   tmp/ quarantine/ meta/          staging; what was corrupt; ignorable notes

#ifndef FLY_STORE_PATHS_H
#define FLY_STORE_PATHS_H

#include "fly/Support/Digest.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace fly::store {

inline constexpr llvm::StringLiteral storeFormat = "fly-store/1";
inline constexpr llvm::StringLiteral formatPath = "store.json";

/// `key` must be one that `isKeyText` accepts.
std::string indexPath(llvm::StringRef key);
std::string objectPath(const support::Digest &digest);
std::string markerFolder(llvm::StringRef kernel);
std::string markerPath(llvm::StringRef kernel, llvm::StringRef key);
/// `target` is a full text of a target.
std::string unitPath(llvm::StringRef unit, llvm::StringRef target);
std::string directPath(const support::Digest &id);
/// `digest` is that of the component `ir` of keys.
std::string irPath(const support::Digest &digest);

enum class PathKind { None, Format, Object, Index, Marker, Unit, Direct, IR };

/// What a relative path is. Exact: `index/5f/fly1-60....json` is `None`.
PathKind classify(llvm::StringRef path);

/// The folder of a path: `objects/ab`.
llvm::StringRef folderOf(llvm::StringRef path);

/// Any path in quotes for a message, whole: `support::quoted` would cut it.
std::string quotedPath(llvm::StringRef path);

} // namespace fly::store

#endif // FLY_STORE_PATHS_H
