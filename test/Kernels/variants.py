# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same kernel compiled otherwise: at each optimisation level, and lowered
with optional passes left out.

In: a source, a chip, the names of passes. Out: the path of a source that is
lowered without them, for fly-compile to make code of. The law: what an optional
pass does is seen in the code, never in the numbers.

    lowered(tools, "softmax.mlir", "gfx942", ["cse"], "softmax-cse.mlir")

The passes and their order are asked of fly-opt (`--dump-pass-pipeline`), so
that a pass that comes, goes or moves is noticed here.
"""

from __future__ import annotations

import re
import subprocess

# What may be left out: these make code shorter, faster or better explained.
# A name that stands several times in the pipeline is counted from 0.
OPTIONAL = (
    "fly-check-kernels",
    "fly-canonicalize",
    "fly-int-swizzle-simplify",
    "canonicalize#0",
    "fly-convert-atom-call-to-ssa-form",
    "fly-promote-regmem-to-vectorssa",
    "canonicalize#1",
    "cse",
    "convert-rocdl-fastmath-ops",
    "fly-rocdl-cluster-attr",
)
# What may not: each makes the ops, types or functions that a later one, or the
# translation to LLVM IR, takes.
NEEDED = (
    "fly-rewrite-func-signature",
    "fly-layout-lowering",
    "convert-fly-to-rocdl",
    "convert-scf-to-cf#0",
    "convert-gpu-to-rocdl",
    "convert-scf-to-cf#1",
    "convert-cf-to-llvm",
    "convert-vector-to-llvm",
    "convert-arith-to-llvm",
    "convert-ub-to-llvm",
    "convert-func-to-llvm",
    "reconcile-unrealized-casts",
)
LEVELS = (0, 1, 3)  # the usual one is 2


def run(command, timeout=300):
    """Standard output and error; RuntimeError with what was said."""
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", timeout=timeout
    )
    if done.returncode:
        raise RuntimeError(
            f"does not lower: exit status {done.returncode}\n{done.stderr}"
        )
    return done.stdout, done.stderr


def pipeline(opt, chip):
    """The passes of the lowering, as fly-opt writes them on one line."""
    text = f"--pass-pipeline=builtin.module(fly-lower{{target={chip}}})"
    _, said = run([opt, text, "--dump-pass-pipeline", "/dev/null", "-o", "/dev/null"])
    said = said[said.index("builtin.module(") :].strip()
    return re.sub(r"\s*\n\s*", "", said)


def passes(text):
    """(name, begin, end) of each pass of a pipeline, names that repeat with
    `#n`; anchors, which hold passes, are none."""
    found = []
    for m in re.finditer(r"(?<=[(,])([a-z][\w-]*)(\{[^{}]*\})?(?=[,)])", text):
        found.append((m.group(1), m.start(), m.end()))
    names = [name for name, _, _ in found]
    rows = []
    for i, (name, begin, end) in enumerate(found):
        if names.count(name) > 1:
            name += f"#{names[:i].count(name)}"
        rows.append((name, begin, end))
    return rows


def without(text, left_out):
    """The pipeline without these passes; RuntimeError for one it lacks."""
    rows = passes(text)
    names = {name for name, _, _ in rows}
    if names != {*OPTIONAL, *NEEDED}:
        raise RuntimeError(
            "the pipeline has other passes than variants.py says: "
            + ", ".join(sorted(names ^ {*OPTIONAL, *NEEDED}))
        )
    if set(left_out) - names:
        raise RuntimeError(f"no pass {', '.join(sorted(set(left_out) - names))}")
    for name, begin, end in reversed(rows):
        if name in left_out:
            text = text[:begin] + text[end:].removeprefix(",")
    return text.replace(",)", ")")


def idle(opt, text, source):
    """The passes of a pipeline that change nothing in this source."""
    dump = ["--mlir-disable-threading", "--mlir-print-ir-after-all"]
    dump.append("--mlir-print-ir-module-scope")
    _, said = run([opt, source, f"--pass-pipeline={text}", *dump, "-o", "/dev/null"])
    texts = re.split(r"(?m)^// -----// IR Dump After .*\n", said)[1:]
    names = [name for name, _, _ in passes(text)]
    if len(texts) != len(names):
        raise RuntimeError(f"{len(names)} passes, but {len(texts)} dumps of them")
    return {n for n, old, new in zip(names[1:], texts, texts[1:]) if old == new}


def lowered(opt, passes_text, source, out):
    """Runs a pipeline; the text that it leaves goes to `out`."""
    run([opt, source, f"--pass-pipeline={passes_text}", "-o", out])
    with open(out, encoding="utf-8") as file:
        return file.read()
