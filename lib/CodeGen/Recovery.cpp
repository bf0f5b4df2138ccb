// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements runRecovering. LLVM has one fatal-error handler a process and one
// switch for crash recovery a process, but several threads may generate code
// at once: the handler is counted, installed by the first and removed by the
// last; recovery is switched on once and stays on, because switching it off
// would take it from another thread, or from a host that switched it on. The
// message travels in a thread-local pointer: a fatal error is reported on the
// thread that met it.

#include "fly/CodeGen/Recovery.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

#include <mutex>

/// Where the fatal-error handler leaves its text; null outside runRecovering.
static thread_local std::string *fatalErrorText = nullptr;

static std::mutex handlerMutex;
static unsigned handlerUsers = 0;

/// Leaves the abandoned work. Returns, and so lets LLVM do what it would have
/// done without us, on threads that are not inside runRecovering.
static void leaveOnFatalError(void *, const char *text, bool) {
  llvm::CrashRecoveryContext *context =
      llvm::CrashRecoveryContext::GetCurrent();
  if (!context || !fatalErrorText)
    return;
  *fatalErrorText = text;
  context->HandleExit(1);
}

static void acquireHandler() {
  std::lock_guard<std::mutex> lock(handlerMutex);
  if (handlerUsers++ == 0)
    llvm::install_fatal_error_handler(leaveOnFatalError);
}

static void releaseHandler() {
  std::lock_guard<std::mutex> lock(handlerMutex);
  if (--handlerUsers == 0)
    llvm::remove_fatal_error_handler();
}

bool mlir::fly::runRecovering(llvm::function_ref<void()> work,
                              std::string &reason) {
  llvm::CrashRecoveryContext::Enable();
  acquireHandler();
  std::string text;
  std::string *outerText = fatalErrorText;
  fatalErrorText = &text;
  llvm::CrashRecoveryContext context;
  bool finished = context.RunSafely(work);
  fatalErrorText = outerText;
  releaseHandler();
  if (finished)
    return true;
  if (!text.empty())
    reason = llvm::StringRef(text).rtrim(" \t\r\n.").str();
  else if (llvm::CrashRecoveryContext::isCrash(context.RetCode))
    reason = "it crashed with signal " + std::to_string(context.RetCode - 128);
  else
    reason = "it gave up with status " + std::to_string(context.RetCode);
  return false;
}
