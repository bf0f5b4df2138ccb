// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tests' main: `--cases=N` sets how many random cases each law sees, and
// `--seed=N` where they start. The defaults are fixed, so that a run repeats.

#include "Laws.h"

#include "llvm/ADT/StringRef.h"

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument(argv[i]);
    if (argument.consume_front("--cases="))
      argument.getAsInteger(10, fly::layout::laws::numCases);
    else if (argument.consume_front("--seed="))
      argument.getAsInteger(10, fly::layout::laws::firstSeed);
  }
  return RUN_ALL_TESTS();
}
