// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random layouts, a third of them composed.

#include "RandomLayouts.h"

using namespace fly::drawing;
using namespace fly::layout;

AnyLayout fly::drawing::randomLayout(laws::Random &random, unsigned maxModes,
                                     int64_t maxPoints) {
  AnyLayout result = random.chance(50)
                         ? laws::anyLayout(random, maxModes, maxPoints)
                         : laws::mixedLayout(random, maxModes, maxPoints);
  while (random.chance(35)) {
    ComposedLayout composed;
    if (random.chance(70))
      composed.inner = Swizzle{static_cast<int32_t>(random.between(0, 3)),
                               static_cast<int32_t>(random.between(0, 3)),
                               static_cast<int32_t>(random.between(0, 3))};
    else
      composed.inner = AnyLayout(laws::anyLayout(random, maxModes, maxPoints));
    composed.offset = IntTuple(random.between(0, 9));
    composed.outer = result;
    result = AnyLayout(std::move(composed));
  }
  return result;
}

std::vector<IntTuple> fly::drawing::images(const AnyLayout &l) {
  std::vector<IntTuple> result;
  StaticArith arith;
  for (int64_t i = 0, e = laws::numPoints(l.linear()); i != e; ++i)
    result.push_back(crd2idx(arith, IntTuple(i), l));
  EXPECT_FALSE(arith.failed()) << l.str() << ": " << arith.message();
  return result;
}

std::vector<int64_t> fly::drawing::offsets(const AnyLayout &l) {
  std::vector<int64_t> result;
  for (const IntTuple &image : images(l))
    result.push_back(image.leaf().value());
  return result;
}
