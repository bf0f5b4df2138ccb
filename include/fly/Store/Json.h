// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON as the store writes and reads it: a value goes in, one canonical text
// (sorted members, no blanks, one line feed at the end) comes out; a text goes
// in, a value or a sentence comes out. The law: any bytes give a value or an
// error, and a text that the store wrote reads back and prints the same.
//
//   llvm::Expected<llvm::json::Value> value = parseJson("{\"a\":1}\n");
//   printJson(*value);                                   // the same text

#ifndef FLY_STORE_JSON_H
#define FLY_STORE_JSON_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace fly::store {

/// Parses JSON of bounded nesting, so that no input exhausts the stack.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);
/// A member that stands twice in one object of `text`, which is JSON: the
/// parser takes the last one, and people may have meant either.
std::optional<std::string> repeatedMember(llvm::StringRef text);

/// The canonical text of `value`.
std::string printJson(const llvm::json::Value &value);

/// Whether `text`, which `parseJson` has accepted, is what `printJson` prints
/// for its value, as far as that can be seen without printing: a text with an
/// escape, a sign or a fraction gets a no.
bool isPlainlyCanonical(llvm::StringRef text);

/// Reads the members of one object by name and keeps the first thing that is
/// wrong: `llvm::Error error = reader.finish();` is success only when each
/// member that was asked for was there and none was left over.
class MemberReader {
public:
  /// `what` names the object in messages: "payload".
  MemberReader(const llvm::json::Value &value, llvm::StringRef what);

  std::string text(llvm::StringRef name);
  uint64_t number(llvm::StringRef name, uint64_t max = UINT64_MAX);
  bool boolean(llvm::StringRef name);
  /// Null when it is missing or of another type.
  const llvm::json::Array *array(llvm::StringRef name);
  const llvm::json::Value *value(llvm::StringRef name);
  /// Whether the member is there; asking does not demand it.
  bool has(llvm::StringRef name) const;

  llvm::Error finish();

private:
  const llvm::json::Value *take(llvm::StringRef name);
  void refuse(const llvm::Twine &problem);

  const llvm::json::Object *object;
  std::string what;
  size_t taken = 0;
  std::string problem;
};

} // namespace fly::store

#endif // FLY_STORE_JSON_H
