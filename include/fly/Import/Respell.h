// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR that a newer MLIR printed goes in, the same IR as 22.1 reads it comes out.
// Only the statements of the table in Respell.cpp change; every other byte and
// every line number stays. Law: respelling twice is respelling once.
//
//   rocdl.sched.barrier none   ->   rocdl.sched.barrier 0

#ifndef FLY_IMPORT_RESPELL_H
#define FLY_IMPORT_RESPELL_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <string>
#include <vector>

namespace fly::import {

/// What could not be respelt, and where: line and column count from 1.
struct Refusal {
  size_t line;
  size_t column;
  std::string message;
};

/// The text as 22.1 reads it. A statement that cannot be respelt is left as it
/// is and added to `refusals`, in order. Bytecode stays as it is. Linear in the
/// size of the text.
std::string respell(llvm::StringRef text, std::vector<Refusal> &refusals);

} // namespace fly::import

#endif // FLY_IMPORT_RESPELL_H
