// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the records of a store share: a record is a JSON object with its format
// and a checksum of itself. An object goes in, its sealed text comes out; the
// text goes in, the object comes out only if not one byte is different.
//
//   std::string text = sealed(json::Object{{"format", storeFormat}, ...});
//   llvm::Expected<json::Value> value = unseal(text, "units/ab.json");

#ifndef FLY_LIB_STORE_RECORDS_H
#define FLY_LIB_STORE_RECORDS_H

#include "fly/Store/Json.h"
#include "fly/Store/Paths.h"

namespace fly::store {

/// The text of `record` with the member `checksum` added.
std::string sealed(llvm::json::Object record);

/// Reads a sealed text. Errors S002 (bytes differ) and S005 (a format that is
/// newer or older); `file` is named.
llvm::Expected<llvm::json::Value> unseal(llvm::StringRef text,
                                         llvm::StringRef file);

/// Checks the text of `store.json`: S005 for another format, S002 for anything
/// else that is not our text; `file` is named.
llvm::Error checkFormatText(llvm::StringRef text, llvm::StringRef file);

/// The one text of `store.json`.
std::string formatText();

/// S002 for `file`.
llvm::Error corrupt(llvm::StringRef file, const llvm::Twine &problem);

/// S005 for `file`, which has `format` instead of ours.
llvm::Error otherFormat(llvm::StringRef file, llvm::StringRef format);

} // namespace fly::store

#endif // FLY_LIB_STORE_RECORDS_H
