# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the reference pages of the dialects from their TableGen files.

usage: reference.py LLVM_BIN SOURCE [--check]

Each page is the README.md of the dialect's folder: what the dialect is, an index
of its ops with one line each, then every op, attribute, type, enum and pass.
`--check` writes nothing and fails when a page is not what would be written;
`ninja -C build fly-reference` refreshes them.
"""

import pathlib
import re
import sys
import textwrap

from pages import DIALECTS, tblgen

HEAD = (
    "<!-- Generated from the TableGen files beside it by\n"
    "     `ninja -C build fly-reference`; a test fails when it is stale. -->\n"
)


def index(sections):
    """One line for each op: its name and its summary."""
    lines = ["| op | |", "|---|---|"]
    for name, summary in sections:
        anchor = re.sub(r"[^a-z0-9_ -]", "", name.lower()).replace(" ", "-")
        lines.append(f"| [`{name.split()[0].strip('`')}`](#{anchor}) | {summary} |")
    return "\n".join(lines) + "\n"


def page(llvm_bin, source, dialect):
    file, passes, _ = DIALECTS[dialect]
    text = tblgen(llvm_bin, source, "-gen-dialect-doc", file, f"-dialect={dialect}")
    text = re.sub(r"<!--.*?-->\n*", "", text, count=1)
    # What ODS says of itself and not of the op.
    text = re.sub(r"^(Traits|Interfaces|Effects): .*\n\n?", purity, text, flags=re.M)
    # It begins sentences with a capital, formulas and names too.
    text = re.sub(r"^_([A-Z])(?=\w*[^\w\s,]\w|\w*\d)", lower_first, text, flags=re.M)
    ops = re.findall(
        r"^### (`[\w.]+` \([\w:]+\))\n\n_(.*?)_\n", text, flags=re.M | re.S
    )
    ops = [(name, summary.replace("|", "\\|")) for name, summary in ops]
    text = text.replace("[TOC]\n", index(ops))
    for file in passes:
        text += "\n## Passes\n\n"
        text += re.sub(
            r"<!--.*?-->\n*", "", tblgen(llvm_bin, source, "-gen-pass-doc", file)
        )
    # Descriptions that are put together from parts keep their indentation.
    text = re.sub(
        r"^( +)```mlir\n.*?^ +```$",
        lambda m: textwrap.dedent(m.group(0)),
        text,
        flags=re.M | re.S,
    )
    text = re.sub(r"[ \t]+$", "", text, flags=re.M)
    return HEAD + "\n" + re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def lower_first(match):
    return "_" + match.group(1).lower()


def purity(match):
    """`Pure.` in place of the lists of traits that say so."""
    if match.group(1) == "Effects" and match.group(0).strip() == (
        "Effects: `MemoryEffects::Effect{}`"
    ):
        return "Pure: no effects, may be speculated.\n\n"
    return ""


def main():
    llvm_bin, source, *rest = sys.argv[1:]
    stale = 0
    for dialect, (_, _, name) in DIALECTS.items():
        path = pathlib.Path(source) / "include" / name
        text = page(llvm_bin, source, dialect)
        if "--check" not in rest:
            path.write_text(text)
            print(f"{path}: {text.count(chr(10))} lines")
            continue
        found = path.read_text() if path.is_file() else ""
        if found != text:
            stale += 1
            print(f"include/{name} is stale: ninja -C build fly-reference")
        else:
            print(f"include/{name} is fresh")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
