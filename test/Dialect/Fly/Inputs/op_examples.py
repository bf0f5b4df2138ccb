# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of the op descriptions, as one module.

Reads what `mlir-tblgen -gen-op-doc` prints and writes, for each ```mlir block,
one function whose arguments are the operands of the example. Says on stderr
which ops have no example; the exit status is then 1.
"""

import re
import sys


def split_types(text):
    """The comma-separated types of `text`, brackets respected."""
    types, depth, current = [], 0, ""
    for i, c in enumerate(text):
        if c in "<([{":
            depth += 1
        elif c in ">)]}" and not (c == ">" and text[i - 1] == "-"):
            depth -= 1
        if c == "," and depth == 0:
            types.append(current.strip())
            current = ""
        else:
            current += c
    return types + [current.strip()] if current.strip() else types


def operand_types(line):
    """The types of the operands in the signature of an op in form D."""
    start = line.find(" : (")
    if start < 0:
        short = re.search(r" : (<.*>) -> ", line)
        return ["!fly.memref" + short.group(1)] if short else []
    depth, begin = 0, start + 3
    for i in range(begin, len(line)):
        if line[i] == "(":
            depth += 1
        elif line[i] == ")":
            depth -= 1
            if depth == 0:
                return split_types(line[begin + 1 : i])
    raise SystemExit(f"no signature: {line}")


def main():
    text = sys.stdin.read()
    missing = []
    sections = re.split(r"^### `(fly\.[\w.]+)`", text, flags=re.M)[1:]
    for name, body in zip(sections[::2], sections[1::2]):
        blocks = re.findall(r"```mlir\n(.*?)```", body, flags=re.S)
        if not any(name in block for block in blocks):
            missing.append(name)
        for number, block in enumerate(blocks):
            lines = [l.strip() for l in block.strip().splitlines()]
            arguments, defined = [], set()
            for line in lines:
                code = line.split(" = fly", 1)[-1]
                # Names inside of the dictionary or types do not occur.
                uses = [u for u in re.findall(r"%\w+", code)]
                for use, type_ in zip(uses, operand_types(line)):
                    if use not in defined:
                        arguments.append(f"{use}: {type_}")
                        defined.add(use)
            symbol = name.replace(".", "_") + (f"_{number}" if number else "")
            print(f"func.func @{symbol}({', '.join(arguments)}) {{")
            for line in lines:
                print("  " + line)
            print("  return\n}")
    for name in missing:
        print(f"no example: {name}", file=sys.stderr)
    return 1 if missing else 0


sys.exit(main())
