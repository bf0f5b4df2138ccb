// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What merging and unpacking share: one verified entry or unit goes in, the
// destination gets it unless it has another one, which is reported.
//
//   if (llvm::Error error = addEntry(manifest, bytes, into, report)) ...

#ifndef FLY_LIB_STORE_MERGEINTO_H
#define FLY_LIB_STORE_MERGEINTO_H

#include "fly/Store/Merge.h"

namespace fly::store {

llvm::Error addEntry(const Manifest &manifest, llvm::StringRef bytes,
                     const Store &into, MergeReport &report);
llvm::Error addUnit(const UnitRecord &record, const Store &into,
                    MergeReport &report);

} // namespace fly::store

#endif // FLY_LIB_STORE_MERGEINTO_H
