#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The laws of fly-import, over texts that are there and texts that are drawn.

In: the tools, a folder of IR, a number of seeds. Out: a line for each law that
is broken, with its seed; exit status 1 when any is. The laws:

    what 22.1 prints is unchanged, byte for byte;
    respelling twice is respelling once;
    every line stays on its line, and a line without a newer spelling stays as
    it is, comments, strings, indents and line ends included;
    what is respelt, 22.1 reads;
    of damaged text nothing is written unless the laws above hold for it, and
    what is refused is named with a place that the text has.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

MASKS = (
    "none non_mem_non_side_effect valu salu mfma_wmma all_vmem vmem_read "
    "vmem_write all_ds ds_read ds_write transcendental"
).split()
HEAD = (
    "llvm.func @f{n}(%a: f32, %c: vector<4xf32>, %r: !llvm.ptr<8>, %o: i32, "
    "%l: !llvm.ptr<3>, %g4: vector<4xi32>, %g8: vector<8xi32>) {{"
)


class Draw:
    """One text: lines, and which of them have a newer spelling."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.count = 0

    def name(self):
        self.count += 1
        return self.rng.choice((f"%{self.count}", f"%v{self.count}", f"%fly_import{self.count}"))

    def mask(self):
        count = self.rng.choice((1, 1, 2, 3))
        return self.rng.choice(("|", " | ")).join(self.rng.sample(MASKS, count))

    def numbers(self, count):
        return ", ".join(str(self.rng.randrange(-1, 9)) for _ in range(count))

    def newer(self):
        """A statement as newer MLIR prints it."""
        rng, n = self.rng, self.name()
        wide = f"{n} = llvm.fpext %a fastmath<{rng.choice(('fast', 'nnan, contract'))}> : f32 to f64"
        return rng.choice((
            f"rocdl.sched.group.barrier {self.mask()}, {self.numbers(2)}",
            f"rocdl.sched.barrier {self.mask()}",
            f"{n} = rocdl.mfma.f32.4x4x1f32 %a, %a, %c, {self.numbers(2)}, "
            f"{rng.choice(('none', '0', '4'))} : (f32, f32, vector<4xf32>) -> vector<4xf32>",
            f"{n} = rocdl.raw.ptr.buffer.load %r, %o, %o, {self.numbers(1)} : f32",
            f"rocdl.raw.ptr.buffer.store %a, %r, %o, %o, {self.numbers(1)} : f32",
            f"rocdl.raw.ptr.buffer.load.lds %r, %l, %o, %o, %o, {self.numbers(2)}",
            f"{n} = rocdl.raw.ptr.buffer.atomic.fadd %a, %r, %o, %o, {self.numbers(1)} : f32",
            wide,
            wide.replace("fpext", "fptrunc").replace("f64", "f16"),
            f"{n} = rocdl.wave.id : i32",
            f"{n} = rocdl.cluster.workgroup.id.{rng.choice('xyz')} : i32",
            "rocdl.tensor.load.to.lds %g4, %g8, %g4, %g4, %g8, 0 : vector<4xi32>, vector<8xi32>",
        ))  # fmt: skip

    def older(self):
        """A statement, or none, as 22.1 prints it."""
        rng, n = self.rng, self.name()
        return rng.choice((
            "",
            "// rocdl.sched.barrier none",
            f"rocdl.sched.barrier {rng.randrange(2048)}",
            f"rocdl.sched.group.barrier {rng.randrange(2048)}, 4, 0",
            f'{n} = llvm.mlir.constant("rocdl.wave.id : i32 // none") : !llvm.array<27 x i8>',
            f"{n} = llvm.fpext %a : f32 to f64",
            f"{n} = llvm.fadd %a, %a {{fastmathFlags = #llvm.fastmath<fast>}} : f32",
            f"{n} = llvm.mlir.constant({rng.randrange(9)} : i32) : i32",
            f"{n} = rocdl.mfma.f32.4x4x1f32 %a, %a, %c, %o, %o, %o : "
            "(f32, f32, vector<4xf32>, i32, i32, i32) -> vector<4xf32>",
            f"{n} = rocdl.raw.ptr.buffer.load %r, %o, %o, %o : f32",
        ))  # fmt: skip

    def text(self):
        """The lines, each with whether its spelling is newer."""
        rng = self.rng
        end = rng.choice(("\n", "\n", "\r\n"))
        lines = []
        for n in range(rng.randrange(1, 4)):
            self.count = 0
            lines.append((HEAD.format(n=n), False))
            for _ in range(rng.randrange(12)):
                newer = rng.random() < 0.6
                line = self.newer() if newer else self.older()
                if newer and rng.random() < 0.2:
                    line += ' loc("k.py":7:3)'
                if rng.random() < 0.2:
                    line += rng.choice((" // none, 0", " // \"", "  "))
                lines.append((rng.choice(("", "  ", "\t")) + line, newer))
            lines += [("  llvm.return", False), ("}", False)]
        return [(line + end, newer) for line, newer in lines]


class Laws:
    def __init__(self, options, folder):
        self.options, self.folder, self.broken = options, folder, 0
        self.texts = 0

    def fail(self, what, text=b""):
        self.broken += 1
        print(f"FAIL {what}")
        if self.broken < 4:
            sys.stdout.write(text[:2000].decode(errors="replace") + "\n")

    def respell(self, data):
        """(status, what is written or None, messages)."""
        source = os.path.join(self.folder, "in.mlir")
        out = os.path.join(self.folder, "out.mlir")
        with open(source, "wb") as file:
            file.write(data)
        if os.path.exists(out):
            os.remove(out)
        done = subprocess.run(
            [self.options.importer, source, "-o", out], capture_output=True, timeout=60
        )
        self.texts += 1
        written = None
        if os.path.exists(out):
            with open(out, "rb") as file:
                written = file.read()
        return done.returncode, written, done.stderr.decode(errors="replace")

    def unchanged(self, what, data):
        status, out, said = self.respell(data)
        if (status, out) != (0, data):
            self.fail(f"{what} is changed or refused: {said}")

    def stays(self, what, data, out):
        """Line by line, and a second time."""
        if out.count(b"\n") != data.count(b"\n"):
            self.fail(f"{what}: lines have moved", data)
        self.unchanged(f"{what}, what was respelt,", out)

    def drawn(self, seed):
        lines = Draw(seed).text()
        data = "".join(line for line, _ in lines).encode()
        status, out, said = self.respell(data)
        if status or out is None:
            return self.fail(f"seed {seed} is refused: {said}", data)
        self.stays(f"seed {seed}", data, out)
        for k, ((line, newer), now) in enumerate(
            zip(lines, out.decode().splitlines(keepends=True))
        ):
            if (line != now) != newer:
                self.fail(f"seed {seed}: line {k + 1} is {now}, was {line}")
        done = subprocess.run(
            [self.options.opt, os.path.join(self.folder, "out.mlir"), "-o", "/dev/null"],
            capture_output=True, text=True, errors="replace", timeout=60,
        ) if seed % 8 == 0 else None  # fmt: skip
        if done and done.returncode:
            # `out.mlir` now holds what was respelt twice, which is the same.
            self.fail(f"seed {seed}: 22.1 does not read it: {done.stderr}", out)

    def damaged(self, seed):
        rng = random.Random(seed)
        data = bytearray("".join(l for l, _ in Draw(seed).text()).encode())
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(data))
            way = rng.randrange(4)
            if way == 0:
                del data[at : at + rng.randrange(1, 30)]
            elif way == 1:
                data[at] = rng.choice(b'\x00\n"%,:|<>{} =n\xff')
            elif way == 2:
                data[at:at] = data[rng.randrange(len(data)) :][: rng.randrange(40)]
            else:
                data[at:at] = rng.choice((b"\n", b"none", b" fastmath<", b"%fly_import__"))
        data = bytes(data)
        status, out, said = self.respell(data)
        if status == 0 and out is not None:
            return self.stays(f"damaged seed {seed}", data, out)
        places = re.findall(r"in\.mlir:(\d+):(\d+): error: \S", said)
        lines = data.split(b"\n")
        right = places and all(
            0 < int(l) <= len(lines) and 0 < int(c) <= len(lines[int(l) - 1]) + 1
            for l, c in places
        )
        if status != 1 or out is not None or not right:
            self.fail(f"damaged seed {seed}: status {status}, {said}", data)


def main(argv):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--importer", required=True, help="path of fly-import")
    parser.add_argument("--opt", required=True, help="path of fly-opt")
    parser.add_argument("--count", type=int, default=200, help="how many seeds")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("folders", nargs="*", help="IR that 22.1 reads or prints")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        laws = Laws(options, folder)
        files = 0
        for top in options.folders:
            for where, _, names in os.walk(top):
                for name in sorted(names):
                    if name.endswith(".mlir") and not name.startswith("newer"):
                        files += 1
                        with open(os.path.join(where, name), "rb") as file:
                            laws.unchanged(os.path.join(where, name), file.read())
        for seed in range(options.seed, options.seed + options.count):
            laws.drawn(seed)
            laws.damaged(seed)
    print(
        f"{files} files, {options.count} drawn texts whole and damaged, "
        f"{laws.broken} laws broken"
    )
    return 1 if laws.broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
