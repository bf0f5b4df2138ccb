// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direct mode of fly-compile: which command lines it serves, and what it asks
// the stores. `fly/Store/Direct.h` says how it works.

#ifndef FLY_TOOLS_FLYCOMPILE_DIRECT_H
#define FLY_TOOLS_FLYCOMPILE_DIRECT_H

#include "CommandLine.h"

#include "fly/Store/Direct.h"

namespace flycompile {

/// Whether this command line can be served without the compiler: one input, one
/// code object, nothing to be said that only the compiler knows.
bool mayBeDirect(const Arguments &arguments);

/// The question for the input with this digest. `compiler` is the path of the
/// compiler's library.
fly::store::DirectQuestion directQuestion(const Arguments &arguments,
                                          const fly::support::Digest &input,
                                          llvm::StringRef compiler);

/// Serves `arguments` from the stores; nothing when the compiler is needed.
std::optional<int> serveDirect(const Arguments &arguments,
                               llvm::StringRef bytes, llvm::StringRef compiler);

} // namespace flycompile

#endif // FLY_TOOLS_FLYCOMPILE_DIRECT_H
