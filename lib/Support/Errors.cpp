// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coded errors: construction, printing, and text from outside made printable.
// `makeError("T002", "unknown processor 'x'")` prints
// `unknown processor 'x' [FLY-T002]`.

#include "fly/Support/Errors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::support;
using llvm::StringRef;

char CodedError::ID = 0;

void CodedError::log(llvm::raw_ostream &os) const {
  os << messageText << " [FLY-" << codeText << "]";
}

std::error_code CodedError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::Error fly::support::makeError(StringRef code,
                                    const llvm::Twine &message) {
  return llvm::make_error<CodedError>(code, message.str());
}

std::string fly::support::codeOf(const llvm::Error &error) {
  std::string code;
  llvm::visitErrors(error, [&](const llvm::ErrorInfoBase &info) {
    if (code.empty() && info.isA<CodedError>())
      code = static_cast<const CodedError &>(info).code().str();
  });
  return code;
}

std::pair<std::string, std::string> fly::support::takeApart(llvm::Error error) {
  std::pair<std::string, std::string> parts;
  llvm::handleAllErrors(
      std::move(error),
      [&](const CodedError &info) {
        parts = {info.code().str(), info.text().str()};
      },
      [&](const llvm::ErrorInfoBase &info) { parts = {"", info.message()}; });
  return parts;
}

std::string fly::support::quoted(StringRef text, size_t limit) {
  std::string result = "'";
  for (char c : text.take_front(limit)) {
    unsigned char byte = c;
    if (byte >= 0x20 && byte < 0x7f) {
      result += c;
      continue;
    }
    result += "\\x";
    result += llvm::hexdigit(byte >> 4);
    result += llvm::hexdigit(byte & 15);
  }
  result += text.size() > limit ? "...'" : "'";
  return result;
}
