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
    run_kernels.py --compiler build/bin/fly-compile --levels --without each

With `--levels` and `--without` (see variants.py) each kernel is compiled
otherwise as well, and must leave the same bits as the usual code.
"""

from __future__ import annotations

import argparse
import functools
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    np = None  # told by main, which --help does not need

sys.dont_write_bytecode = True

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "amdgpu-sim"))

import matrices  # noqa: E402
import variants  # noqa: E402
import vectors  # noqa: E402
from launches import FAMILY  # noqa: E402

KERNELS = {**vectors.KERNELS, **matrices.KERNELS}

ORDERS = ("forward", "backward", "interleaved")

# --- Compiling and running ----------------------------------------------------


def compile_kernel(compiler, source, chip, out, *options):
    """Runs the compiler; raises RuntimeError with its message."""
    done = subprocess.run(
        [compiler, source, f"--target={chip}", *options, "-o", out],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
    )
    if done.returncode != 0:
        raise RuntimeError(
            f"does not compile: exit status {done.returncode}\n"
            f"{done.stderr}{done.stdout}"
        )
    if not os.path.exists(out):
        raise RuntimeError("does not compile: exit status 0, no output file")


def run_once(runner, name, launch, order, same_as=None):
    """Runs one launch; returns (largest error, instructions executed). Raises
    RuntimeError with what is wrong, also when the result has other bits than
    `same_as`."""
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
    got = launch.decode(launch.out).astype(np.float64)
    error = np.abs(got - launch.want)
    bad = ~(error <= launch.bound)  # NaN is bad
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise RuntimeError(
            f"{int(bad.sum())} of {bad.size} elements are wrong, first {at}: "
            f"got {got[at]}, want {launch.want[at]} "
            f"+- {launch.bound[at]:.2g}"
        )
    if same_as is not None and launch.out.tobytes() != same_as.tobytes():
        raise RuntimeError("the bits are not those of the usual code")
    return float(error.max()), stats["insts"]


def run_size(runner, name, chip, size, orders=ORDERS, same_as=None):
    """Wave orders of one size; returns (error, bound, instructions, result)."""
    largest, bound, count, out = 0.0, 0.0, 0, None
    for order in orders:
        rng = np.random.default_rng([len(name), *size])
        launch = KERNELS[name].launch(chip, size, rng)
        try:
            error, count = run_once(runner, name, launch, order, same_as)
        except RuntimeError as problem:
            raise RuntimeError(f"{order}: {problem}") from None
        largest = max(largest, error)
        bound = max(bound, float(launch.bound.max(initial=0.0)))
        out = launch.out
    return largest, bound, count, out


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


def source_of(options, name, chip, folder):
    """The path of a kernel's source for a chip, edited where the chip or the
    caller asks for it; raises RuntimeError when there is nothing to edit."""
    kernel = KERNELS[name]
    source = os.path.join(HERE, kernel.file.format(family=FAMILY[chip]))
    edits = list(kernel.edits.get(chip, []))
    edits += [options.edit] if options.edit else []
    if not edits:
        return source
    with open(source, encoding="utf-8") as file:
        text = file.read()
    for old, new in edits:
        if old not in text:
            raise RuntimeError(f"nothing to edit: no '{old}'")
        text = text.replace(old, new)
    source = os.path.join(folder, f"{name}-{chip}-edited.mlir")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    return source


def check_isa(options, name, chip, folder, source):
    """For a chip that the simulator lacks: the assembly has the instructions
    that the kernel is about. Raises RuntimeError with those missing."""
    out = os.path.join(folder, f"{name}-{chip}.s")
    compile_kernel(options.compiler, source, chip, out, "--emit=asm")
    with open(out, encoding="utf-8") as file:
        words = set(file.read().split())
    wanted = KERNELS[name].isa[chip]
    missing = [word for word in wanted if word not in words]
    if missing:
        raise RuntimeError(f"the assembly has no {', '.join(missing)}")
    print(f"{name:<14} {chip:<8} ok   compiled, has {', '.join(wanted)}")


def run_kernel(sim, options, name, chip, folder):
    """Compiles and runs one kernel on one chip; returns the failed runs."""
    label = f"{name:<14} {chip:<8}"
    out = os.path.join(folder, f"{name}-{chip}.hsaco")
    if os.path.exists(out):
        os.remove(out)
    try:
        source = source_of(options, name, chip, folder)
        if chip in KERNELS[name].isa:
            check_isa(options, name, chip, folder, source)
            return 0
        compile_kernel(options.compiler, source, chip, out, *options.option)
    except (OSError, RuntimeError, subprocess.TimeoutExpired) as problem:
        print(f"{label} FAIL {problem}")
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
    for size in KERNELS[name].sizes:
        text = KERNELS[name].text.format(*size)
        try:
            error, bound, count, _ = run_size(runner, name, chip, size)
        except RuntimeError as problem:
            print(f"{label} {text:<18} FAIL {problem}")
            failures += 1
            continue
        line = f"{label} {text:<18} ok   largest error {error:9.3g}"
        line += f", allowed {bound:9.3g}"
        print(line + (f", {count} instructions" if options.stats else ""))
    return failures


# --- The same kernel, compiled otherwise --------------------------------------


@functools.lru_cache
def pipeline_of(opt, chip):
    return variants.pipeline(opt, chip)


def variants_of(options, source, chip, folder):
    """(what is different, source, options of the compiler) of each variant; one
    whose lowered text is the usual one is left out and counted."""
    rows, same = [], 0
    if options.levels:
        rows += [(f"-O{n}", source, [f"-O{n}"]) for n in variants.LEVELS]
    left_out = [[name] for name in options.without if name not in ("each", "all")]
    if "each" in options.without:
        left_out += [[name] for name in variants.OPTIONAL]
    if {"each", "all"} & set(options.without):
        left_out.append(variants.OPTIONAL)
    if not left_out:
        return rows, same
    opt = os.path.join(os.path.dirname(options.compiler), "fly-opt")
    whole = pipeline_of(opt, chip)
    stem = os.path.join(folder, os.path.basename(source))
    usual = variants.lowered(opt, whole, source, stem + ".usual.mlir")
    idle = variants.idle(opt, whole, source)
    for k, names in enumerate(left_out):
        if idle.issuperset(names):
            same += 1
            continue
        label = "no " + (names[0] if len(names) == 1 else "optional pass")
        try:
            part = variants.without(whole, names)
            text = variants.lowered(opt, part, source, f"{stem}.{k}.mlir")
        except RuntimeError as problem:
            raise RuntimeError(f"{label}: {problem}") from None
        if text == usual:
            same += 1
        else:
            rows.append((label, f"{stem}.{k}.mlir", []))
    return rows, same


def run_variants(sim, options, name, chip, folder):
    """Compiles a kernel in all ways asked for; returns the failed ones."""
    label = f"{name:<16} {chip:<8}"
    out = os.path.join(folder, f"{name}-{chip}.hsaco")
    kernel, failures = KERNELS[name], 0
    sizes = [kernel.sizes[kernel.small]] if options.small else kernel.sizes
    orders = ORDERS[:1] if options.small else ORDERS
    try:
        source = source_of(options, name, chip, folder)
        compile_kernel(options.compiler, source, chip, out, *options.option)
        rows, same = variants_of(options, source, chip, folder)
        runner = sim.Runner(out)
        usual = [run_size(runner, name, chip, s, orders)[3] for s in sizes]
    except (OSError, RuntimeError, subprocess.TimeoutExpired) as problem:
        print(f"{label} FAIL {problem}")
        return 1
    with open(out, "rb") as file:
        codes = {file.read()}
    runs = 0
    for what, text, extra in rows:
        try:
            compile_kernel(
                options.compiler, text, chip, out, *options.option, *extra
            )
            with open(out, "rb") as file:
                code = file.read()
            if code in codes:  # it has run
                continue
            codes.add(code)
            runner, runs = sim.Runner(out), runs + 1
            for size, bits in zip(sizes, usual):
                run_size(runner, name, chip, size, orders, bits)
        except (OSError, RuntimeError, subprocess.TimeoutExpired) as problem:
            print(f"{label} {what}: FAIL {problem}")
            failures += 1
    if not failures:
        print(
            f"{label} ok   {len(rows) + same} variants, {runs} of them other "
            "code, all of the same bits"
        )
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
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        help="hand this to the compiler too, as --option=-O0",
    )
    parser.add_argument(
        "--levels",
        action="store_true",
        help="compare the optimisation levels",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="PASS",
        help="compare with the code that comes when this optional pass is left "
        "out; 'each' for each of them and all together, 'all' for all together",
    )
    parser.add_argument(
        "--small",
        action="store_true",
        help="of those, the smallest size with work in it, one order of waves",
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

    known = {"each", "all", *variants.OPTIONAL, *variants.NEEDED}
    for name in options.without:
        if name not in known:
            parser.error(f"no pass '{name}'; passes: {', '.join(sorted(known))}")
    if options.small and not (options.levels or options.without):
        parser.error("--small is for --levels and --without")

    jobs = []
    for word in options.which or KERNELS:
        name, _, chip = word.partition(":")
        if name not in KERNELS:
            parser.error(f"no kernel '{name}'; kernels: {', '.join(KERNELS)}")
        chips = KERNELS[name].chips
        if not (options.levels or options.without):
            chips = (*chips, *KERNELS[name].isa)
        if chip and chip not in chips:
            parser.error(f"{name} is for {', '.join(chips)}, not '{chip}'")
        jobs += [(name, one) for one in ([chip] if chip else chips)]

    # The emulator that was built beside the compiler, unless another is named.
    beside = os.path.join(os.path.dirname(options.compiler), "..", "lib")
    emulator = os.path.join(beside, "libamdemu.so")
    if os.path.exists(emulator):
        os.environ.setdefault("AMDEMU_LIB", os.path.abspath(emulator))
    import sim

    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        os.makedirs(folder, exist_ok=True)
        run = run_variants if options.levels or options.without else run_kernel
        failures = sum(run(sim, options, *job, folder) for job in jobs)
    print(f"{len(jobs)} kernels compiled and run, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
