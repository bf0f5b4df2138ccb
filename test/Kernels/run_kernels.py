#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels of this folder, runs them on the simulator, compares
with NumPy.

In: names `KERNEL:CHIP` (none: all) and the compiler. Out: a table, one line for
each kernel, chip and size, with the largest error; exit status 1 when a line
failed. The law: for every size and every order of the waves, the result equals
NumPy's within the stated bound, the inputs and the bytes between result rows
are untouched, no access leaves a buffer, every wait and every barrier that the
code needs is there.

    run_kernels.py --compiler build/bin/fly-compile vector_add:gfx942
    run_kernels.py --compiler build/bin/fly-compile --stats
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import struct
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    np = None  # told by main, which --help does not need

sys.dont_write_bytecode = True

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "amdgpu-sim"))

CHIPS = ("gfx942", "gfx950", "gfx1100", "gfx1201")
WAVE = {"gfx942": 64, "gfx950": 64, "gfx1100": 32, "gfx1201": 32}
FAMILY = {
    "gfx942": "cdna",
    "gfx950": "cdna",
    "gfx1100": "gfx11",
    "gfx1201": "gfx12",
}
ORDERS = ("forward", "backward", "interleaved")
UNTOUCHED = -12345.0


@dataclasses.dataclass
class Launch:
    """One run of a kernel; `want` and `bound` are for the elements of `out`."""

    grid: tuple
    block: tuple
    args: list  # arrays are device buffers, int and bytes go by value
    out: np.ndarray  # the array of `args` that the kernel writes
    want: np.ndarray  # in f64
    bound: np.ndarray  # the allowed |out - want|; 0: exact


def packed(*numbers):
    """The dynamic leaves of a layout, as the kernel takes them: packed i32."""
    return struct.pack(f"<{len(numbers)}i", *numbers)


def ceil_div(a, b):
    return -(-a // b)


def dot_bound(a, b):
    """What f32 accumulation of a @ b may err: k roundings of partial sums, each
    at most 2^-23 of the sum of magnitudes (also if sums are truncated), with
    exact products."""
    k = a.shape[1]
    return (k + 1) * 2.0**-23 * (np.abs(a) @ np.abs(b))


# --- The kernels --------------------------------------------------------------


def vector_add(chip, size, rng):
    """One f32 addition an element: exactly NumPy's."""
    (n,) = size
    a, b = rng.standard_normal((2, n)).astype(np.float32)
    out = np.full(n, UNTOUCHED, np.float32)
    want = (a + b).astype(np.float64)
    grid = (max(1, ceil_div(n, 1024)),)
    return Launch(grid, (256,), [a, n, b, n, out, n], out, want, np.zeros(n))


def transpose(chip, size, rng):
    """Moves values: exact. Row strides are wider than the rows."""
    rows, columns, pad = size
    a = rng.standard_normal((rows, columns + pad)).astype(np.float32)
    out = np.full((columns, rows + pad), UNTOUCHED, np.float32)
    want = out.astype(np.float64)
    want[:, :rows] = a[:, :columns].T
    args = [a, packed(rows, columns, columns + pad)]
    args += [out, packed(columns, rows, rows + pad)]
    grid = (columns // 32, rows // 32)
    return Launch(grid, (256,), args, out, want, np.zeros(out.shape))


def mma_tile(chip, size, rng):
    """f16 products are exact in f32; the bound is that of the sum."""
    a, b = rng.standard_normal((2, 16, 16)).astype(np.float16)
    out = np.full((16, 16), UNTOUCHED, np.float32)
    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    return Launch(
        (1,), (WAVE[chip],), [a, b, out], out, a64 @ b64, dot_bound(a64, b64)
    )


def gemm(chip, size, rng):
    """As mma_tile, for (M, K) times (N, K) transposed; rows are padded."""
    m, n, k, pad = size
    a = rng.standard_normal((m, k + pad)).astype(np.float16)
    b = rng.standard_normal((n, k + pad)).astype(np.float16)
    out = np.full((m, n + pad), UNTOUCHED, np.float32)
    want = out.astype(np.float64)
    bound = np.zeros(out.shape)
    a64, b64 = a[:, :k].astype(np.float64), b[:, :k].T.astype(np.float64)
    want[:, :n] = a64 @ b64
    bound[:, :n] = dot_bound(a64, b64)
    args = [a, packed(m, k, k + pad), b, packed(n, k, k + pad)]
    args += [out, packed(m, n, n + pad)]
    block = (4 * WAVE[chip],)
    return Launch((n // 64, m // 64), block, args, out, want, bound)


# name: launch, file (by family of the chip, or one for all), how a size is
# printed, sizes
KERNELS = {
    "vector_add": (
        vector_add,
        "vector_add.mlir",
        "n={}",
        [
            (0,),
            (1,),
            (255,),
            (1000,),
            (1023,),
            (1024,),
            (1025,),
            (2048,),
            (4099,),
        ],
    ),
    "transpose": (
        transpose,
        "transpose.mlir",
        "{}x{} pad {}",
        [(32, 32, 0), (32, 96, 4), (64, 32, 8), (128, 160, 12)],
    ),
    "mma_tile": (
        mma_tile,
        "mma_tile_{family}.mlir",
        "{}x{}x{}",
        [(16, 16, 16)],
    ),
    "gemm": (
        gemm,
        "gemm_{family}.mlir",
        "{}x{}x{} pad {}",
        [(64, 64, 0, 8), (64, 64, 32, 0), (64, 128, 96, 8), (192, 64, 256, 16)],
    ),
}


# --- Compiling and running ----------------------------------------------------


def compile_kernel(compiler, source, chip, out):
    """Runs the compiler; raises RuntimeError with its message."""
    done = subprocess.run(
        [compiler, source, f"--target={chip}", "-o", out],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
    )
    if done.returncode != 0:
        raise RuntimeError(
            f"exit status {done.returncode}\n{done.stderr}{done.stdout}"
        )
    if not os.path.exists(out):
        raise RuntimeError("exit status 0 but no output file")


def run_once(runner, name, launch, order):
    """Runs one launch; returns (largest error, instructions executed). Raises
    RuntimeError with what is wrong."""
    before = [x.copy() if isinstance(x, np.ndarray) else x for x in launch.args]
    stats = runner.run(
        name,
        launch.grid,
        launch.block,
        launch.args,
        strict_waits=True,
        order=order,
        watch=True,
    )
    if stats["report"]:
        more = len(stats["report"]) - 1
        raise RuntimeError(
            stats["report"][0] + (f"; and {more} more" if more else "")
        )
    for i, x in enumerate(launch.args):
        if isinstance(x, np.ndarray) and x is not launch.out:
            if not np.array_equal(x, before[i]):
                raise RuntimeError(f"argument {i} was written")
    if launch.out.size == 0:
        return 0.0, stats["insts"]
    error = np.abs(launch.out.astype(np.float64) - launch.want)
    bad = ~(error <= launch.bound)  # NaN is bad
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise RuntimeError(
            f"{int(bad.sum())} of {bad.size} elements are wrong, first {at}: "
            f"got {launch.out[at]}, want {launch.want[at]} "
            f"+- {launch.bound[at]:.2g}"
        )
    return float(error.max()), stats["insts"]


def run_size(runner, name, chip, size):
    """All wave orders of one size; returns (error, bound, instructions)."""
    largest, bound, count = 0.0, 0.0, 0
    for order in ORDERS:
        rng = np.random.default_rng([len(name), *size])
        launch = KERNELS[name][0](chip, size, rng)
        try:
            error, count = run_once(runner, name, launch, order)
        except RuntimeError as problem:
            raise RuntimeError(f"{order}: {problem}") from None
        largest = max(largest, error)
        bound = max(bound, float(launch.bound.max(initial=0.0)))
    return largest, bound, count


def object_stats(sim, path, name):
    """Static facts of the kernel in a code object."""
    obj = sim.CodeObject(path)
    kernel = obj.kernels[name]
    words = sim.disasm(obj.text(kernel), kernel.entry, obj.target)
    return {
        "instructions": sum(1 for _ in words),
        "vgprs": kernel.vgprs,
        "sgprs": kernel.md.get(".sgpr_count"),
        "lds": kernel.lds,
        "scratch": kernel.scratch,
    }


def run_kernel(sim, options, name, chip, folder):
    """Compiles and runs one kernel on one chip; returns the failed runs."""
    label = f"{name:<11} {chip:<8}"
    source = os.path.join(HERE, KERNELS[name][1].format(family=FAMILY[chip]))
    if options.edit:
        with open(source, encoding="utf-8") as file:
            text = file.read()
        old, new = options.edit
        if old not in text:
            print(f"{label} FAIL nothing to edit: no '{old}'")
            return 1
        source = os.path.join(folder, f"{name}-{chip}-edited.mlir")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
    out = os.path.join(folder, f"{name}-{chip}.hsaco")
    if os.path.exists(out):
        os.remove(out)
    try:
        compile_kernel(options.compiler, source, chip, out)
    except (OSError, RuntimeError, subprocess.TimeoutExpired) as problem:
        print(f"{label} FAIL does not compile: {problem}")
        return 1
    runner = sim.Runner(out)
    if runner.co.target != chip:
        print(f"{label} FAIL the code object is for {runner.co.target}")
        return 1
    if runner.unimpl:
        print(
            f"{label} FAIL unknown to the simulator: "
            f"{sorted(set(runner.unimpl))}"
        )
        return 1
    if options.stats:
        facts = object_stats(sim, out, name)
        print(label, " ".join(f"{key}={value}" for key, value in facts.items()))
    failures = 0
    for size in KERNELS[name][3]:
        text = KERNELS[name][2].format(*size)
        try:
            error, bound, count = run_size(runner, name, chip, size)
        except RuntimeError as problem:
            print(f"{label} {text:<17} FAIL {problem}")
            failures += 1
            continue
        line = f"{label} {text:<17} ok   largest error {error:9.3g}"
        line += f", allowed {bound:9.3g}"
        print(line + (f", {count} instructions" if options.stats else ""))
    return failures


def main(argv):
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--compiler", required=True, help="path of fly-compile")
    parser.add_argument(
        "--stats",
        action="store_true",
        help="also print instructions, registers, LDS",
    )
    parser.add_argument(
        "--folder",
        help="where the code objects go (default: a " "temporary folder)",
    )
    parser.add_argument(
        "--edit",
        nargs=2,
        metavar=("OLD", "NEW"),
        help="replace a text in the kernel first, to see that an "
        "error in it is found",
    )
    parser.add_argument("which", nargs="*", metavar="KERNEL[:CHIP]")
    options = parser.parse_args(argv)
    if np is None:
        print(
            f"{parser.prog}: error: this needs the package numpy, which the "
            f"python {sys.executable} does not have",
            file=sys.stderr,
        )
        return 2

    jobs = []
    for word in options.which or KERNELS:
        name, _, chip = word.partition(":")
        if name not in KERNELS or (chip and chip not in CHIPS):
            parser.error(
                f"no kernel or chip '{word}'; kernels: {', '.join(KERNELS)}; "
                f"chips: {', '.join(CHIPS)}"
            )
        jobs += [(name, one) for one in ([chip] if chip else CHIPS)]

    # The emulator that was built beside the compiler, unless another is named.
    beside = os.path.join(os.path.dirname(options.compiler), "..", "lib")
    emulator = os.path.join(beside, "libamdemu.so")
    if os.path.exists(emulator):
        os.environ.setdefault("AMDEMU_LIB", os.path.abspath(emulator))
    import sim

    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        os.makedirs(folder, exist_ok=True)
        failures = sum(run_kernel(sim, options, *job, folder) for job in jobs)
    print(f"{len(jobs)} kernels compiled and run, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
