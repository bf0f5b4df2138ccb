// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which a gemm visits (m,n,k) (section 5.13 of the passes).
//
// In: an order and the three sizes. Out: every triple once. The laws: the name
// of an order gives the modes from fastest to slowest; in a serpentine order
// each step changes one number by one, because a loop turns round whenever the
// loops outside of it have made an odd number of steps.
//
//   mnk, 2x2x1: (0,0,0) (1,0,0) (0,1,0) (1,1,0)

#include "Detail.h"
#include "fly/Layout/Views.h"

using namespace fly::layout;
using namespace fly::layout::detail;

/// Orders are unrolled, so more steps than this are a mistake.
static constexpr int64_t maxSteps = int64_t(1) << 24;

/// Modes of the six orders, fastest first: 0 is m, 1 is n, 2 is k.
static constexpr unsigned orders[6][3] = {
    {2, 0, 1}, // kmn
    {2, 1, 0}, // knm
    {0, 2, 1}, // mkn
    {0, 1, 2}, // mnk
    {1, 2, 0}, // nkm
    {1, 0, 2}, // nmk
};

/// The number of steps; 0 when a size is not positive or there are too many.
static int64_t countSteps(int64_t sizeM, int64_t sizeN, int64_t sizeK) {
  if (sizeM < 1 || sizeN < 1 || sizeK < 1)
    return 0;
  int64_t total = 1;
  for (int64_t size : {sizeM, sizeN, sizeK}) {
    if (size > maxSteps / total)
      return 0;
    total *= size;
  }
  return total;
}

/// Marks the first visit of each (m,n).
static void markFirstVisits(std::vector<GemmStep> &steps, int64_t sizeM,
                            int64_t sizeN) {
  std::vector<bool> seen(sizeM * sizeN);
  for (GemmStep &step : steps) {
    size_t place = step.m + sizeM * step.n;
    step.firstVisit = !seen[place];
    seen[place] = true;
  }
}

std::vector<GemmStep> fly::layout::gemmOrder(int32_t order, int64_t sizeM,
                                             int64_t sizeN, int64_t sizeK,
                                             bool hasK) {
  std::vector<GemmStep> steps;
  if (!hasK)
    sizeK = 1;
  if (order < 0 || order >= 12 || countSteps(sizeM, sizeN, sizeK) == 0)
    return steps;
  bool serpentine = order >= 6;
  const unsigned *modes = orders[order % 6];
  int64_t sizes[3] = {sizeM, sizeN, sizeK};
  // Without k the two remaining modes take its place from the outside in.
  unsigned inner = modes[0], middle = modes[1], outer = modes[2];
  if (!hasK) {
    unsigned kept[2];
    unsigned count = 0;
    for (unsigned i = 0; i != 3; ++i)
      if (modes[i] != 2)
        kept[count++] = modes[i];
    inner = kept[0];
    middle = kept[1];
    outer = 2;
  }
  int64_t at[3];
  for (int64_t o = 0; o != sizes[outer]; ++o)
    for (int64_t j = 0; j != sizes[middle]; ++j)
      for (int64_t i = 0; i != sizes[inner]; ++i) {
        bool turnMiddle = serpentine && o % 2 != 0;
        bool turnInner = serpentine && (o * sizes[middle] + j) % 2 != 0;
        at[outer] = o;
        at[middle] = turnMiddle ? sizes[middle] - 1 - j : j;
        at[inner] = turnInner ? sizes[inner] - 1 - i : i;
        steps.push_back({at[0], at[1], at[2], false});
      }
  markFirstVisits(steps, sizeM, sizeN);
  return steps;
}

std::vector<GemmStep> fly::layout::gemmOrder(Arith &arith,
                                             const Layout &traversal,
                                             int64_t sizeM, int64_t sizeN,
                                             int64_t sizeK, bool hasK) {
  std::vector<GemmStep> steps;
  if (!hasK)
    sizeK = 1;
  int64_t total = countSteps(sizeM, sizeN, sizeK);
  if (total == 0) {
    arith.fail("a gemm of " + llvm::Twine(sizeM) + " x " + llvm::Twine(sizeN) +
               " x " + llvm::Twine(sizeK) + " steps cannot be unrolled");
    return steps;
  }
  if (!traversal.isStatic()) {
    arith.fail("traversal layout must be static, got " + traversal.str());
    return steps;
  }
  std::vector<bool> seen(total);
  for (int64_t i = 0; i != total; ++i) {
    Int index = intLeaf(arith, crd2idx(arith, IntTuple(i), traversal),
                        "traversal layout");
    if (arith.failed())
      return {};
    int64_t place = index.value();
    if (place < 0 || place >= total || seen[place]) {
      arith.fail("traversal layout " + traversal.str() +
                 " does not visit each of the " + llvm::Twine(total) +
                 " steps once: step " + llvm::Twine(i) + " goes to " +
                 llvm::Twine(place));
      return {};
    }
    seen[place] = true;
    steps.push_back(
        {place % sizeM, place / sizeM % sizeN, place / sizeM / sizeN, false});
  }
  markFirstVisits(steps, sizeM, sizeN);
  return steps;
}
