// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files from outside, read with a bound. A path goes in, the content or a
// sentence about why not comes out; devices, pipes and folders are refused, so
// that reading never blocks and never ends in a gigabyte.
//
//   llvm::Expected<std::string> text = readSmallFile(path, 1 << 20);

#ifndef FLY_SUPPORT_FILES_H
#define FLY_SUPPORT_FILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace fly::support {

/// The content of a regular file of at most `limit` bytes. Works on kernel
/// pseudo files, whose size is not known beforehand. The error is plain text
/// without a code: "cannot be read: Permission denied".
llvm::Expected<std::string> readSmallFile(llvm::StringRef path, uint64_t limit);

/// As `readSmallFile`, but a pipe is read to its end too, and `-` is standard
/// input, whatever it is.
llvm::Expected<std::string> readStream(llvm::StringRef path, uint64_t limit);

/// Writes what `produce` prints to `path` (`-` is standard output). A regular
/// file appears whole or not at all, also behind a symbolic link; a device or
/// a pipe is written to, never replaced.
llvm::Error
writeFile(llvm::StringRef path,
          llvm::function_ref<llvm::Error(llvm::raw_ostream &)> produce);

/// Writes out what standard output still holds, and answers whether all of it
/// was written. A program calls this before it ends: LLVM stops the process
/// with a fatal error when nobody has asked.
llvm::Error flushStandardOutput();

/// To be called first in a program. Where standard input, output or error is
/// closed, the next file that is opened would take its place, and messages
/// would go into it: the place is taken by what reads as empty and, for output,
/// cannot be written.
void occupyStandardFiles();

/// To be called last: messages that could not be written are no failure of what
/// the program did, and LLVM would end the process over them. Answers `status`.
int forgetUnwrittenMessages(int status);

} // namespace fly::support

#endif // FLY_SUPPORT_FILES_H
