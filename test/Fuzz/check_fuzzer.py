# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tools that break one law each, to see that fuzz.py finds them.

    check_fuzzer.py RECORDS.json

Each stand-in for fly-opt copies its modules out, but for what its name says,
and that for one module of eight. Prints the module that is found, and the law.
"""

import argparse
import contextlib
import io
import os
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True

import fuzz

TOOLS = {
    "copies": "",
    "dies": "if '@f5(' in text: os.abort()",
    "reports": "if '@f5(' in text: sys.stderr.write('x.cpp:1: runtime error: overflow\\n')",
    "silent": "parts = ['' if '@f5(' in p else p for p in parts]",
    "nowhere": "if '@f5(' in text: sys.stderr.write('error: wrong\\n')",
    "hangs": "if '@f5(' in text: time.sleep(60)",
    "changes": "parts = [p.replace('@f5( ', '@f5(  ') for p in parts]",
}
BODY = """#!{python}
import os, sys, time
text = sys.stdin.read()
parts = text.split("// -----\\n")
{fault}
sys.stdout.write("// -----\\n".join(parts))
"""


def main():
    modules = [f"module {{\n  func.func @f{i}( ) {{\n    return\n  }}\n}}\n" for i in range(8)]
    with tempfile.TemporaryDirectory() as folder:
        for name, fault in TOOLS.items():
            tool = pathlib.Path(folder) / name
            tool.write_text(BODY.format(python=sys.executable, fault=fault))
            tool.chmod(0o755)
            limit = 2 if name == "hangs" else 60
            arguments = argparse.Namespace(
                tool=str(tool), records=sys.argv[1:], seed=1, time_limit=limit, keep=None
            )
            fuzzer = fuzz.Fuzzer(arguments)
            with contextlib.redirect_stdout(io.StringIO()):
                fuzzer.one_by_one(modules, ([], []))
            laws = sorted({law.split("\n")[0] for law in fuzzer.findings})
            print(f"{name}: {len(fuzzer.findings)} {'; '.join(laws)}")


main()
