#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles points.mlir, runs its kernels on the simulator, compares with what
their comments say, computed here.

    run_points.py FLY-COMPILE FOLDER-OF-THE-SIMULATOR CHIP...

Out: a line for each kernel and chip; exit status 1 when one is wrong. It can
fail: with --edit OLD NEW a text of the kernels is replaced first.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
UNTOUCHED = -1.0


def remainder(x, n):
    """C's, as the algebra has it."""
    return abs(x) % n * (1 if x >= 0 else -1)


def quotient(x, n):
    return abs(x) // n * (1 if x >= 0 else -1)


def masked(n):
    given = np.arange(40, dtype=np.float32) + 0.5
    out = np.full(128, UNTOUCHED, np.float32)
    want = out.copy()
    for t in range(64):
        want[t] = (given[t] if t < 40 else 0.0) if t < n else 7.0
        if t < n:
            want[64 + t] = want[t]
    return [given, out, n], out, want


def quotients(x):
    out = np.full(192, UNTOUCHED, np.int32)
    t = np.arange(64)
    want = np.concatenate(
        [
            t % 12 * 10 + t // 12,
            t,
            np.full(64, remainder(x, 8) * 3 + quotient(x, 8) * 100),
        ]
    )
    return [out, x], out, want.astype(np.int32)


def swizzled():
    given = np.arange(2048, dtype=np.float16)
    out = np.zeros(2048, np.float16)
    at = np.arange(2048)
    want = np.zeros(2048, np.float16)
    want[at ^ ((at & 0b111000000) >> 3)] = given
    return [given, out], out, want


def handed_on():
    given = np.arange(128, dtype=np.float32)
    out = np.full(64, UNTOUCHED, np.float32)
    return [given, out], out, given[19 : 19 + 64].copy()


def launches(chip):
    rdna = chip[3:5] in ("10", "11", "12")
    for name in ("masked_rdna", "masked_checked") if rdna else ("masked_cdna",):
        for n in (0, 1, 33, 40) + (() if name == "masked_rdna" else (64,)):
            yield name, masked(n)
    for x in (0, 7, 8, 511, -1, -9):
        yield "quotients", quotients(x)
    yield "swizzled", swizzled()
    yield "handed_on", handed_on()


def compiled(compiler, source, chip, folder):
    out = os.path.join(folder, f"points-{chip}.hsaco")
    done = subprocess.run(
        [compiler, source, f"--target={chip}", "-o", out],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise RuntimeError(f"does not compile for {chip}: {done.stderr}")
    return out


def main(arguments):
    edit = None
    if "--edit" in arguments:
        at = arguments.index("--edit")
        edit = arguments[at + 1 : at + 3]
        del arguments[at : at + 3]
    compiler, simulator, *chips = arguments
    beside = os.path.join(os.path.dirname(compiler), "..", "lib")
    emulator = os.path.join(beside, "libamdemu.so")
    if os.path.exists(emulator):
        os.environ.setdefault("AMDEMU_LIB", os.path.abspath(emulator))
    sys.path.insert(0, simulator)
    import sim

    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(HERE, "points.mlir")
        if edit:
            with open(source, encoding="utf-8") as file:
                text = file.read()
            if edit[0] not in text:
                raise RuntimeError(f"nothing to edit: no '{edit[0]}'")
            source = os.path.join(folder, "edited.mlir")
            with open(source, "w", encoding="utf-8") as file:
                file.write(text.replace(*edit))
        for chip in chips:
            runner = sim.Runner(compiled(compiler, source, chip, folder))
            if runner.unimpl:
                raise RuntimeError(f"the simulator lacks {runner.unimpl}")
            wrong = {}
            for name, (args, out, want) in launches(chip):
                problem = None
                try:
                    stats = runner.run(
                        name, (1,), (64,), args, strict_waits=True, watch=True
                    )
                    if stats["report"]:
                        problem = stats["report"][0]
                    elif not np.array_equal(out, want):
                        i = int(np.argwhere(out != want)[0][0])
                        problem = f"at {i}: got {out[i]}, want {want[i]}"
                except RuntimeError as fault:
                    problem = str(fault)
                wrong[name] = wrong.get(name) or problem
            for name, problem in wrong.items():
                print(f"{chip} {name}: {problem or 'ok'}")
                failures += problem is not None
    print(f"{failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
