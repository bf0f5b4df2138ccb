// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeping of canonical texts. What is served without a compiler has no part in
// it, so that libzstd is linked only where texts are kept or told.

#include "fly/Store/Text.h"

#include "Records.h"

#include "fly/Support/Errors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"

using namespace fly::store;
using fly::support::Digest;
using llvm::StringRef;
namespace zstd = llvm::compression::zstd;

llvm::Error fly::store::keepText(const Store &store, const Digest &ir,
                                 StringRef text) {
  if (!zstd::isAvailable())
    return llvm::createStringError("this LLVM has no zstd");
  if (text.empty() || text.size() > maxTextBytes)
    return llvm::createStringError("it has " + llvm::Twine(text.size()) +
                                   " bytes, from 1 to " +
                                   llvm::Twine(maxTextBytes) + " are kept");
  llvm::SmallVector<uint8_t, 0> frame;
  zstd::compress(llvm::arrayRefFromStringRef(text), frame);
  KeptIR kept{ir, text.size(), llvm::toStringRef(frame).str()};
  return store.publishIR(kept);
}

/// The text of `kept`, of the file `file`.
static llvm::Expected<std::string> decompress(const KeptIR &kept,
                                              StringRef file) {
  if (!zstd::isAvailable())
    return llvm::createStringError(quotedPath(file) +
                                   ": this LLVM has no zstd");
  if (kept.textBytes > maxTextBytes)
    return corrupt(file, "its text would have " + llvm::Twine(kept.textBytes) +
                             " bytes, at most " + llvm::Twine(maxTextBytes) +
                             " are read");
  llvm::SmallVector<uint8_t, 0> text;
  if (llvm::Error error = zstd::decompress(
          llvm::arrayRefFromStringRef(kept.frame), text, kept.textBytes))
    return corrupt(file, llvm::toString(std::move(error)));
  if (text.size() != kept.textBytes)
    return corrupt(file, "its text has " + llvm::Twine(text.size()) +
                             " bytes, its header says " +
                             llvm::Twine(kept.textBytes));
  return llvm::toStringRef(text).str();
}

std::optional<std::string>
fly::store::keptText(llvm::ArrayRef<const Store *> stores, const Digest &ir) {
  for (const Store *store : stores) {
    llvm::Expected<std::optional<KeptIR>> kept = store->keptIR(ir);
    if (kept && !*kept)
      continue;
    llvm::Error error = kept ? llvm::Error::success() : kept.takeError();
    if (!error) {
      llvm::Expected<std::string> text =
          decompress(**kept, (store->path() + "/" + irPath(ir)).str());
      if (text)
        return std::move(*text);
      error = text.takeError();
    }
    store->warn(llvm::toString(std::move(error)) + "; passed over");
  }
  return std::nullopt;
}
