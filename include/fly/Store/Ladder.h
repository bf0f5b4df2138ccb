// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which other targets' code a device can run. The target of a device goes in, a
// list of targets comes out, most specific first; code built for any of them
// runs on the device. The law: the list begins with the target itself, has no
// repetitions, and never trades `off` for `on`.
//
//   ladder(gfx942:sramecc+:xnack-)
//     gfx942:sramecc+:xnack-, gfx942:sramecc+, gfx942:xnack-, gfx942,
//     gfx9-4-generic:sramecc+:xnack-, ..., gfx9-4-generic

#ifndef FLY_STORE_LADDER_H
#define FLY_STORE_LADDER_H

#include "fly/Target/AMDGPU/Target.h"

#include <vector>

namespace fly::store {

/// The targets to look for. `exact` gives only the target itself.
std::vector<amdgpu::Target> ladder(const amdgpu::Target &device,
                                   bool exact = false);

} // namespace fly::store

#endif // FLY_STORE_LADDER_H
