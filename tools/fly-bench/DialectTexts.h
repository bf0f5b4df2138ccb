// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules of a given number of ops to measure with: one function, as real
// kernels have it, always the same text for the same number.
//
//   algebraText(1000)   fly ops, half of them static, on 240 layouts
//   upstreamText(1000)  arith and scf ops

#ifndef FLY_TOOLS_FLYBENCH_DIALECTTEXTS_H
#define FLY_TOOLS_FLYBENCH_DIALECTTEXTS_H

#include <string>

namespace flybench {

/// Tiling, slicing and indexing by one unknown that runs through all of it.
std::string algebraText(unsigned numOps);
/// Integer arithmetic and branches, as lowered index computations have them.
std::string upstreamText(unsigned numOps);

} // namespace flybench

#endif // FLY_TOOLS_FLYBENCH_DIALECTTEXTS_H
