// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `fly-bench isa` counts. A code object goes in; for each of its kernels
// the instructions, decoded by LLVM's disassembler, and the memory accesses by
// space and width come out. The law: every byte of a kernel is decoded, or the
// reading fails.
//
//   llvm::Expected<CodeCounts> counts = countCode(bytes, object, "vector_add");
//   counts->loads["global"][128];   // how many load 16 bytes

#ifndef FLY_TOOLS_FLYBENCH_ISACODE_H
#define FLY_TOOLS_FLYBENCH_ISACODE_H

#include "fly/Target/AMDGPU/CodeObject.h"

#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace flybench {

/// Number of accesses by memory ("global", "lds", "scratch") and by bits of a
/// lane.
using Accesses = std::map<std::string, std::map<unsigned, unsigned>>;

struct CodeCounts {
  unsigned instructions = 0;
  Accesses loads;
  Accesses stores;
};

/// Decodes the kernel `name` of the code object in `bytes`.
llvm::Expected<CodeCounts> countCode(llvm::StringRef bytes,
                                     const fly::amdgpu::CodeObject &object,
                                     llvm::StringRef name);

/// The bits that a lane moves by an instruction with this mnemonic, or 0 when
/// it moves none: `global_load_dwordx4` 128, `ds_read2_b32` 64.
unsigned accessBits(llvm::StringRef mnemonic);

} // namespace flybench

#endif // FLY_TOOLS_FLYBENCH_ISACODE_H
