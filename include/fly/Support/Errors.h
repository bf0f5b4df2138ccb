// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coded errors. Every failure that a user can cause carries a code from the
// project's table (FLY-T001, FLY-K004, ...) and prints as `message [FLY-T001]`.
// The law: the code survives joining and handling, so that a tool can choose
// its exit status and a test can name what it expects.
//
//   return makeError("T002", "unknown processor 'gfx9010'");

#ifndef FLY_SUPPORT_ERRORS_H
#define FLY_SUPPORT_ERRORS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>

namespace fly::support {

/// An error with a code such as `T001` (without the prefix `FLY-`) and a
/// message: lower case, no full stop.
class CodedError : public llvm::ErrorInfo<CodedError> {
public:
  static char ID;

  CodedError(llvm::StringRef code, std::string message)
      : codeText(code.str()), messageText(std::move(message)) {}

  llvm::StringRef code() const { return codeText; }
  llvm::StringRef text() const { return messageText; }

  /// Prints `message [FLY-code]`.
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string codeText;
  std::string messageText;
};

/// Makes a `CodedError`; `code` is without the prefix `FLY-`.
llvm::Error makeError(llvm::StringRef code, const llvm::Twine &message);

/// The code of the first coded error in `error` (empty when none), which is
/// left untouched: `exitStatusOf(codeOf(error))`.
std::string codeOf(const llvm::Error &error);

/// The code and the text of a coded error, which is consumed. An error without
/// a code gives an empty code and its text.
std::pair<std::string, std::string> takeApart(llvm::Error error);

/// Text from outside (a variable, a file, an option) made fit for a message:
/// single quotes around it, control and non-ASCII bytes as `\xNN`, and no
/// more than `limit` bytes of it.
std::string quoted(llvm::StringRef text, size_t limit = 120);

} // namespace fly::support

#endif // FLY_SUPPORT_ERRORS_H
