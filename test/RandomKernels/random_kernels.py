#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels against an interpreter of their meaning.

In: a seed, a number of kernels, the compiler. Out: a line for each kernel that
is wrong, with its text, what it should have left in memory and what it left,
made smaller; then a summary; exit status 1 when any is wrong. The law: what the
compiled kernel writes, on the simulator, is bit for bit what the interpreter
(meaning.py) writes, no wait or barrier is missing, and no byte besides.

    random_kernels.py --compiler build/bin/fly-compile --count 1000 --seed 1
    random_kernels.py --compiler ... --seed 77 --count 1 --print      one kernel
    random_kernels.py --compiler ... --mutate swapped-stride          must fail
    random_kernels.py --compiler ... --edit arith.addi arith.subi     must fail

Kernel k of seed s is the same whatever the count and the batches are; chips
take turns.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "amdgpu-sim"))
sys.path.insert(1, os.path.join(HERE, "..", "Kernels"))

import numpy as np

import kernels
import meaning as me
import program
import values
import variants
from reduce import reduce

CHIPS = ("gfx942", "gfx1100")


class Wrong(Exception):
    """What is wrong with a kernel, in a sentence."""


def module(programs, edit=None):
    body = "\n".join(p.text() for p in programs)
    if edit:
        body = body.replace(*edit)
    return f"gpu.module @kernels {{\n{body}\n}}\n"


class Compiler:
    """Runs the compiler on many kernels at once."""

    def __init__(self, options, folder):
        self.options, self.folder, self.seconds = options, folder, 0.0
        self.pipelines = {}

    def lower(self, chip, source, left_out):
        """The path of the kernels lowered without these passes."""
        opt = os.path.join(os.path.dirname(self.options.compiler), "fly-opt")
        out = os.path.join(self.folder, "lowered.mlir")
        try:
            if chip not in self.pipelines:
                self.pipelines[chip] = variants.pipeline(opt, chip)
            part = variants.without(self.pipelines[chip], left_out)
            variants.lowered(opt, part, source, out)
        except RuntimeError as problem:
            raise Wrong(str(problem)) from None
        return out

    def run(self, programs, extra=()):
        """The path of the code object; Wrong with the message otherwise. `extra`
        are options of the compiler, or "without" and the passes left out."""
        source = os.path.join(self.folder, "kernels.mlir")
        out = os.path.join(self.folder, "kernels.hsaco")
        with open(source, "w", encoding="utf-8") as file:
            file.write(module(programs, self.options.edit))
        if extra[:1] == ("without",):
            source, extra = self.lower(programs[0].chip, source, extra[1:]), ()
        command = [self.options.compiler, "-q", source, "-o", out]
        command += [f"--target={programs[0].chip}", *self.options.options.split(), *extra]
        start = time.monotonic()
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=600
        )
        self.seconds += time.monotonic() - start
        if done.returncode > 1:
            raise SystemExit(f"error: {done.stderr or done.stdout}")
        if done.returncode:
            raise Wrong(f"exit status {done.returncode}: {done.stderr or done.stdout}")
        return out

    def all(self, programs, failed, extra=()):
        """Compiles; kernels that do not compile go to `failed`."""
        programs = list(programs)
        while programs:
            try:
                return programs, self.run(programs, extra)
            except Wrong as problem:
                bad = self.culprit(programs, str(problem), extra)
                programs.remove(bad[0])
                failed.append(bad)
        return [], None

    def culprit(self, programs, message, extra):
        """The kernel that an error is in: by its line, else by halves."""
        place = re.search(r"kernels\.mlir:(\d+):\d+: error", message)
        if place:
            line, at = int(place.group(1)), 2
            for p in programs:
                at += p.text().count("\n") + 1
                if line < at:
                    return p, message
        while len(programs) > 1:
            half = programs[: len(programs) // 2]
            try:
                self.run(half, extra)
                programs = programs[len(half) :]
            except Wrong as problem:
                programs, message = half, str(problem)
        return programs[0], message


def same(got, want):
    """Equal bits; a NaN is any NaN."""
    if got.dtype.kind == "f":
        both = np.isnan(got) & np.isnan(want)
        bits = f"u{got.dtype.itemsize}"
        return (got.view(bits) == want.view(bits)) | both
    return got == want


def execute(runner, program, want, order="forward"):
    """Runs a kernel on the simulator; Wrong when it is."""
    buffers = program.fresh()
    fresh = {id(old): new for old, new in zip(program.buffers, buffers)}
    arguments = [
        fresh.get(id(x), x) for _, values, _ in program.arguments for x in values
    ]
    try:
        stats = runner.run(
            program.name, (program.grid,), (program.threads,), arguments,
            strict_waits=True, watch=True, order=order, max_insts=1 << 26,
        )  # fmt: skip
    except RuntimeError as problem:
        raise Wrong(str(problem)) from None
    if stats["report"]:
        raise Wrong(stats["report"][0])
    for number, (got, expected) in enumerate(zip(buffers, want)):
        equal = same(got, expected)
        if not equal.all():
            at = np.flatnonzero(~equal)
            raise Wrong(
                f"buffer {number}: {len(at)} of {got.size} elements are wrong, first "
                + ", ".join(f"[{i}] {got[i]} for {expected[i]}" for i in at[:4])
            )


class Check:
    """One kernel alone, for reduction: is it still wrong?"""

    def __init__(self, compiler, sim):
        self.compiler, self.sim = compiler, sim

    def wrong(self, program):
        try:
            want = program.run()
        except (me.Ill, KeyError, AssertionError):
            return None
        try:
            path = self.compiler.run([program])
            execute(self.sim.Runner(path), program, want)
        except Wrong as problem:
            return str(problem)
        return None


def label(extra):
    """A way to compile, in words."""
    return "without all" if len(extra) > 2 else " ".join(extra)


def report(problem, seed, program, check, options):
    print(f"FAIL seed {seed} {program.chip} @{program.name}: {problem}")
    if options.reduce and check.wrong(program):
        problem = reduce(program, check.wrong, problem)
        print(f"reduced: {problem}")
    print(program.text(), flush=True)


def mutate(name):
    """A wrong rule in the interpreter, to see that it is noticed."""
    right = getattr(me, MUTANTS[name])

    def swapped_stride(shape, strides, post=None):
        two = lambda d: isinstance(d, tuple) and [type(x) for x in d] == [int, int]
        return right(shape, [d[::-1] if two(d) else d for d in strides], post)

    wrong = {
        "swapped-stride": swapped_stride,
        "swizzle-shift": lambda m, b, s, x: right(m, b, s + 1, x),
        "thread-value": lambda view, w, values, tile, thread, active: right(
            view, w, values, tile, np.asarray(thread) ^ 1, active
        ),
        "divide-order": lambda kind, view, tile, active: right(
            "logical_divide", view, tile[::-1], active
        ).with_(tree=right(kind, view, tile, active).tree),
        "buffer-limit": lambda memory, where: right(memory, where + 16),
        # Of the result only: permuted alike, operands give the same sums.
        "permutation": lambda view, *rest: right(
            view, *rest[:-1], rest[-1] if view.memory.constant else
            [me.size(t.tree) if isinstance(t, me.View) else t for t in rest[-1]],
        ),
    }
    setattr(me, MUTANTS[name], wrong[name])
    program.check = values.check = lambda *_: None


# Mutant: the function of meaning.py that it breaks.
MUTANTS = {
    "swapped-stride": "linear",
    "swizzle-shift": "swizzle",
    "thread-value": "copy_partition",
    "divide-order": "divide",
    "buffer-limit": "lost",
    "permutation": "mma_partition",
}


def main(argv):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--compiler", required=True, help="path of fly-compile")
    parser.add_argument("--count", type=int, default=1000, help="how many kernels")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--batch", type=int, default=125, help="kernels a compile")
    parser.add_argument("--chips", default=",".join(CHIPS), help="by turns")
    parser.add_argument("--families", default=",".join(kernels.FAMILIES))
    parser.add_argument("--options", default="", help="more options of the compiler")
    parser.add_argument("--levels", type=int, default=0, metavar="N",
                        help="N kernels also at -O 0, 1, 3")  # fmt: skip
    parser.add_argument("--passes", type=int, default=0, metavar="N",
                        help="N kernels also without each optional pass")  # fmt: skip
    parser.add_argument("--orders", action="store_true", help="three orders of waves")
    parser.add_argument("--mutate", choices=MUTANTS, help="break the interpreter")
    parser.add_argument("--edit", nargs=2, metavar=("OLD", "NEW"),
                        help="break the kernels: replace this text")  # fmt: skip
    parser.add_argument("--most", type=int, default=10, help="failures to print")
    parser.add_argument("--print", action="store_true", help="print the kernels")
    parser.add_argument("--no-reduce", dest="reduce", action="store_false")
    options = parser.parse_args(argv)
    beside = os.path.join(os.path.dirname(options.compiler), "..", "lib", "libamdemu.so")
    if os.path.exists(beside):
        os.environ.setdefault("AMDEMU_LIB", os.path.abspath(beside))
    import sim

    if options.mutate:
        mutate(options.mutate)
    chips, families = options.chips.split(","), options.families.split(",")
    seen, failures, tries, start = collections.Counter(), 0, 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(options, folder)
        check = Check(compiler, sim)
        left = {
            chip: [options.levels // len(chips), options.passes // len(chips)]
            for chip in chips
        }
        seeds = range(options.seed, options.seed + options.count)
        for first in range(0, options.count, options.batch * len(chips)):
            for turn, chip in enumerate(chips):
                batch = seeds[first : first + options.batch * len(chips)]
                made = {}
                for seed in batch[turn :: len(chips)]:
                    program, want, family, n = kernels.make(
                        seed, chip, f"k{seed}", families
                    )
                    made[program.name] = (seed, want)
                    seen[f"{family} {chip}"] += 1
                    tries += n
                    made[program.name] += (program,)
                    if options.print:
                        print(program.text())
                if not made:
                    continue
                programs = [p for _, _, p in made.values()]
                ways = [((), len(programs))]
                if left[chip][0] > 0:
                    levels = [("-O", str(level)) for level in variants.LEVELS]
                    ways += [(way, left[chip][0]) for way in levels]
                if left[chip][1] > 0:
                    passes = [("without", name) for name in variants.OPTIONAL]
                    passes.append(("without", *variants.OPTIONAL))
                    ways += [(way, left[chip][1]) for way in passes]
                for extra, count in ways:
                    some, failed = programs[:count], []
                    good, path = compiler.all(some, failed, extra)
                    runner = sim.Runner(path) if path else None
                    orders = ["forward"]
                    if options.orders:
                        orders += ["backward", "interleaved"]
                    for p in good:
                        try:
                            for order in orders:
                                execute(runner, p, made[p.name][1], order)
                        except Wrong as problem:
                            failed.append((p, f"{label(extra)} {problem}".strip()))
                    for p, problem in failed:
                        failures += 1
                        if failures > options.most:
                            continue
                        report(problem, made[p.name][0], p, check, options)
                    if extra:
                        seen[f"{label(extra)} {chip}"] += len(some)
                left[chip] = [n - len(programs) for n in left[chip]]
    for name in sorted(seen):
        print(f"  {name}: {seen[name]}")
    print(
        f"{options.count} random kernels, {tries} drawn, {failures} failures "
        f"(seed {options.seed})"
    )
    print(
        f"{time.monotonic() - start:.0f} s, of them {compiler.seconds:.0f} s compiling",
        file=sys.stderr,
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
