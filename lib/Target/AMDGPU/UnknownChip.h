// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages for processors that the table lacks. A name goes in, T002
// ("unknown", with the nearest names and why this one is not among them) or
// T010 (newer than the toolchain) comes out.

#ifndef FLY_LIB_TARGET_AMDGPU_UNKNOWNCHIP_H
#define FLY_LIB_TARGET_AMDGPU_UNKNOWNCHIP_H

#include "fly/Target/AMDGPU/Chips.h"

#include "llvm/Support/Error.h"

namespace fly::amdgpu {

/// The error for `name`, which is neither a name nor an alias. `source` is
/// where it came from ("FLY_TARGET"), or empty.
llvm::Error unknownChip(llvm::StringRef name, llvm::StringRef source);

/// The processor of the product that `text` names among other words, as in
/// `AMD Instinct MI300X`, or empty.
llvm::StringRef processorOfProduct(llvm::StringRef text);

/// The error for a version with no processor in the table. `raw` is what the
/// source said. Versions that a device reported are always T010; those that a
/// person wrote only when they are above all that is known.
llvm::Error unknownVersion(const Isa &isa, llvm::StringRef raw,
                           llvm::StringRef source, bool reportedByDevice);

} // namespace fly::amdgpu

#endif // FLY_LIB_TARGET_AMDGPU_UNKNOWNCHIP_H
