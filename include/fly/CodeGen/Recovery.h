// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM ends the process where it meets something that it cannot compile ("LLVM
// ERROR: Cannot select"). A compiler that is a library may not do that. In goes
// work that calls LLVM or lld; out comes whether it ran to its end, and if not,
// what LLVM said. The law: no fatal error of LLVM that is met by the work ends
// the process.
//
//   std::string why;
//   if (!runRecovering([&] { passes.run(llvmModule); }, why))
//     return op.emitError("LLVM cannot compile this: ") << why;
//
// How it works: llvm::CrashRecoveryContext, and a fatal-error handler that
// leaves through it. What the abandoned work had allocated is lost (an
// LLVMContext or so); a fatal error of the code generator is met outside
// LLVM's own locks, so later work is not harmed. Signals (a crash of LLVM) are
// caught in the same way, so that the input that provoked it can be named.

#ifndef FLY_CODEGEN_RECOVERY_H
#define FLY_CODEGEN_RECOVERY_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace mlir::fly {

/// Runs `work` on this thread and answers true when it came to its end. When
/// LLVM gave up, answers false and puts the reason into `reason`: as LLVM
/// worded it, which may be several lines. May be called from several threads at
/// once and nested. Work that is abandoned does not run destructors: it owns
/// nothing that the caller relies on.
bool runRecovering(llvm::function_ref<void()> work, std::string &reason);

} // namespace mlir::fly

#endif // FLY_CODEGEN_RECOVERY_H
