// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tar archives of stores: the plain ustar form with regular files only.
// Members go in, bytes come out, and back. The law: the reader accepts exactly
// what the writer writes (sorted paths, no times, no owners), so that an
// archive has one form.
//
//   appendMember(os, "store.json", text);
//   finishArchive(os);

#ifndef FLY_LIB_STORE_TAR_H
#define FLY_LIB_STORE_TAR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>

namespace fly::store {

/// Adds a member. Paths must come in increasing order and fit the format: a
/// folder of at most 155 bytes and a name of at most 100.
void appendMember(llvm::raw_ostream &os, llvm::StringRef path,
                  llvm::StringRef bytes);
void finishArchive(llvm::raw_ostream &os);

/// The members by path. The error is a plain sentence.
llvm::Expected<std::map<std::string, llvm::StringRef>>
readArchive(llvm::StringRef archive);

} // namespace fly::store

#endif // FLY_LIB_STORE_TAR_H
