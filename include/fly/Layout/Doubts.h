// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands that the algebra takes, by the rules of the original, though the
// result is hardly what was meant (section 7 of the dialect's specification,
// 7.28 and 7.34).
//
// In: the operands of a constructor. Out: a sentence that names both sides, or
// an empty string. The law: a sentence only where the result, on known numbers,
// is not injective, or larger than the target.
//
//   doubtOfOrder((3,5), (2,2)) = "modes of shape 3 and 5 both have the
//                                order 2 and share their offsets"

#ifndef FLY_LAYOUT_DOUBTS_H
#define FLY_LAYOUT_DOUBTS_H

#include "fly/Layout/IntTuple.h"
#include <string>

namespace fly::layout {

/// Of make_ordered_layout(shape, order): two modes of one known order overlap.
std::string doubtOfOrder(const IntTuple &shape, const IntTuple &order);
/// Of tile_to_shape(block, target, order), `block` being the block's shape: the
/// block does not divide the target.
std::string doubtOfTarget(const IntTuple &block, const IntTuple &target);

} // namespace fly::layout

#endif // FLY_LAYOUT_DOUBTS_H
