# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which numbered items of section 7 no test names.

    named_items.py TEST_DIR

Prints one line for each of 7.1 to 7.36 that no file below TEST_DIR names, but
for those that ask nothing of the dialect; then the number of named ones.
"""

import pathlib
import re
import sys

# 7.22 is about the translation of gpu.binary, 7.36 about the original's guides.
OTHERS = {22, 36}


def main():
    named = set()
    for path in pathlib.Path(sys.argv[1]).rglob("*"):
        if path.suffix in (".mlir", ".test", ".cpp") and path.name != "defects-named.test":
            named |= {int(n) for n in re.findall(r"\b7\.(\d+)\b", path.read_text())}
    wanted = set(range(1, 37)) - OTHERS
    for number in sorted(wanted - named):
        print(f"no test names 7.{number}")
    print(f"named: {len(wanted & named)} of {len(wanted)}")


main()
