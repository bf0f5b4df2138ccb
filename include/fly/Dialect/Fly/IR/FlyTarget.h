// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the generated class of `#fly.target` needs: the value that it stores
// and the hash that uniques it. The class itself, `TargetAttr`, is generated
// with the other attributes of the dialect.
//
//   TargetAttr attr = TargetAttr::get(context, target);
//   attr.getValue().wave;

#ifndef FLY_DIALECT_FLY_IR_FLYTARGET_H
#define FLY_DIALECT_FLY_IR_FLYTARGET_H

#include "fly/Target/AMDGPU/Target.h"

#include "llvm/ADT/Hashing.h"

namespace fly::amdgpu {
/// In-memory hash of every field, for uniquing.
llvm::hash_code hash_value(const Target &target);
} // namespace fly::amdgpu

#endif // FLY_DIALECT_FLY_IR_FLYTARGET_H
