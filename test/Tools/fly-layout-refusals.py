# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Holds what the algebra refuses against a table.
#
# In: fly-layout, and a file with lines `EXPRESSION => MESSAGE`. The law: the
# expression is refused with status 1, and the one line of error ends with this
# message. Out: how many held.

import subprocess
import sys


def main():
    tool, table = sys.argv[1:3]
    rows = [line.rstrip("\n").split(" => ") for line in open(table) if " => " in line]
    wrong = 0
    for expression, message in rows:
        run = subprocess.run([tool, expression], capture_output=True, text=True)
        said = run.stderr.split("\n")[0]
        if run.returncode != 1 or not said.endswith("error: " + message):
            wrong += 1
            print(f"{expression}\n  expected: {message}\n  status {run.returncode}: {said}")
    print(f"{len(rows) - wrong} refusals held, {wrong} did not")
    return wrong != 0


sys.exit(main())
