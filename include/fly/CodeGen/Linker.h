// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker: the bytes of one relocatable AMDGPU object go in, the bytes of
// the loadable code object (what a .hsaco file holds) come out. lld is linked
// into this library and called in process, so that no tool is looked for on
// any path. The law: the output depends on the input bytes alone, not on file
// names, folders, threads or earlier calls.
//
//   llvm::Expected<CodeBytes> hsaco = linkCodeObject(objectBytes);
//
// lld is not re-entrant: calls take turns on one process-wide lock.

#ifndef FLY_CODEGEN_LINKER_H
#define FLY_CODEGEN_LINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace mlir::fly {

/// Bytes of generated code: text or an ELF image.
using CodeBytes = llvm::SmallVector<char, 0>;

/// Links `object` into a shared ELF image. A symbol that stays undefined is an
/// error; the error's text is what lld says, without lld's own prefix.
llvm::Expected<CodeBytes> linkCodeObject(llvm::ArrayRef<char> object);

} // namespace mlir::fly

#endif // FLY_CODEGEN_LINKER_H
