// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extra inputs of a key: files and folders that a caller says its kernels
// depend on. Roots go in, one digest comes out. The law: it depends on the
// content of regular files and on their paths below their root, not on where
// the roots lie, their names, their order, or how often one is given; a
// symbolic link counts as what it leads to.
//
//   llvm::Expected<Digest> digest = digestInputs({"kernels", "common.py"});

#ifndef FLY_SUPPORT_INPUTS_H
#define FLY_SUPPORT_INPUTS_H

#include "fly/Support/Digest.h"
#include "fly/Support/Environment.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fly::support {

/// The digest of all `roots`. FLY-K003 for a root that is missing, a file that
/// cannot be read, or links in a cycle. Files that tools leave behind (version
/// control, byte code, editor backups) do not count.
llvm::Expected<Digest> digestInputs(llvm::ArrayRef<std::string> roots);

/// The roots that variables declare (FLY_INPUTS, else FLYDSL_EXTRA_SOURCE_DIRS)
/// where no option does.
std::vector<std::string> inputsOf(const Environment &environment);

} // namespace fly::support

#endif // FLY_SUPPORT_INPUTS_H
