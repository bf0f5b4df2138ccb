// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random plain and composed layouts for the laws of this folder, and the list
// of what a layout maps its coordinates to, asked through crd2idx.

#ifndef FLY_TEST_UNIT_DRAWING_RANDOMLAYOUTS_H
#define FLY_TEST_UNIT_DRAWING_RANDOMLAYOUTS_H

#include "../Layout/Laws.h"

namespace fly::drawing {

/// A plain layout, or one with a swizzle, an offset or a layout around it.
layout::AnyLayout randomLayout(layout::laws::Random &random, unsigned maxModes,
                               int64_t maxPoints);

/// The images of all coordinates in column-major order.
std::vector<layout::IntTuple> images(const layout::AnyLayout &l);
/// As images, of a layout of numbers.
std::vector<int64_t> offsets(const layout::AnyLayout &l);

} // namespace fly::drawing

#endif // FLY_TEST_UNIT_DRAWING_RANDOMLAYOUTS_H
