#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what the waves of gfx1250.tdm move, all together.

In: fly-opt, a seed and a number of cases. Each is a random tile, number of
waves, padding and state; its lowering is interpreted for each wave, and the
descriptors are carried out element by element. The law: element n of the tile,
counted row by row, lies in LDS at n + (n / interval) * amount elements, is
written by one wave once, comes from where the strides say, and is zero exactly
past the extents; nothing else is written. What is refused is refused because a
part begins inside of a padding interval.

    tdm_parts.py build/bin/fly-opt --seed=1 --cases=200
"""

import argparse
import itertools
import random
import re
import subprocess
import sys

GLOBAL, SHARED = 0x7F1234567000, 0x400

# --- Cases --------------------------------------------------------------------


class Case:
    def __init__(self, number, rng):
        self.name = f"case{number}"
        rank = rng.randint(1, 5)
        self.warps = rng.choice([1, 2, 4, 8, 16])
        self.bits = rng.choice([8, 16, 32, 64])
        limit = {1: 90, 2: 40, 3: 12, 4: 7, 5: 5}[rank]
        self.tile = [rng.randint(1, limit) for _ in range(rank)]
        if rng.random() < 0.5:
            self.tile = [1 << rng.randint(0, limit.bit_length() - 1) for _ in self.tile]
        self.strides, step = [1], self.tile[-1]
        for size in self.tile[:0:-1]:
            self.strides.insert(0, step + rng.choice([0, 0, 3, 1 << 33]))
            step = self.strides[0] * size
        self.pad = (0, 0)
        if rng.random() < 0.5:
            interval = 1 << rng.randint(1, 4)  # words of 32 bits
            amount = rng.randint(1, 4)
            if interval * 32 % self.bits == 0 and amount * 32 % self.bits == 0:
                self.pad = (interval * 32 // self.bits, amount * 32 // self.bits)
        self.given = [rng.random() < 0.3 for _ in self.strides[:-1]]
        self.extents = [rng.choice([None, rng.randint(-1, n + 2)]) for n in self.tile]
        self.offset = rng.choice([0, 64, -8])

    def text(self):
        op = (
            f"!fly_rocdl.gfx1250.tdm<rank = {len(self.tile)}, warps = {self.warps}, "
            f"pad = {self.pad[0]}, {self.pad[1]}, cache = 0, barrier = false, timeout = false>"
        )
        shape = ",".join(map(str, self.tile))
        stride = ",".join(map(str, self.strides))
        if len(self.tile) > 1:
            shape, stride = f"({shape})", f"({stride})"
        atom = f"!fly.copy_atom<{op}, 0>"
        source = f"!fly.memref<i{self.bits}, global, {shape}:{stride}>"
        target = f"!fly.memref<i{self.bits}, shared, 65536:1>"
        lines = [f"func.func @{self.name}(%g: {source}, %s: {target}) {{"]
        lines.append(f"  %a = fly.make_copy_atom {{valBits = 0 : i32}} : {atom}")
        last = "%a"
        values = [("imm_offset", self.offset, "i64")]
        for i, extent in enumerate(self.extents):
            if extent is not None:
                values.append((f"extent_{i}", extent, "i32"))
        for i, given in enumerate(self.given):
            if given:
                values.append((f"stride_{i}", self.strides[i], "i64"))
        for k, (field, value, kind) in enumerate(values):
            lines.append(f"  %c{k} = arith.constant {value} : {kind}")
            lines.append(
                f'  %a{k} = fly.atom.set_value({last}, "{field}", %c{k}) : ({atom}, {kind}) -> {atom}'
            )
            last = f"%a{k}"
        lines.append(
            f"  fly.copy_atom_call({last}, %g, %s) : ({atom}, {source}, {target}) -> ()"
        )
        return "\n".join([*lines, "  return", "}"])

    def expected(self):
        """LDS address: where the element comes from; None is zero."""
        image = {}
        size = self.bits // 8
        for n, index in enumerate(itertools.product(*map(range, self.tile))):
            inside = all(e is None or i < e for i, e in zip(index, self.extents))
            source = GLOBAL + self.offset
            source += size * sum(i * s for i, s in zip(index, self.strides))
            interval, amount = self.pad
            at = n + (n // interval * amount if interval else 0)
            image[SHARED + size * at] = source if inside else None
        return image


# --- An interpreter of what lowering leaves -----------------------------------


def width_of(kind):
    return {"i1": 1, "i32": 32, "i64": 64}[kind]


def signed(value, width):
    return value - (1 << width) if value >> (width - 1) else value


BINARY = {
    "addi": lambda a, b, w: a + b,
    "subi": lambda a, b, w: a - b,
    "muli": lambda a, b, w: a * b,
    "andi": lambda a, b, w: a & b,
    "ori": lambda a, b, w: a | b,
    "shli": lambda a, b, w: a << b,
    "shrui": lambda a, b, w: a >> b,
    "maxsi": lambda a, b, w: max(signed(a, w), signed(b, w)),
    "minsi": lambda a, b, w: min(signed(a, w), signed(b, w)),
}


def constant(text, kind):
    vector = re.fullmatch(r"vector<(\d+)xi32>", kind)
    if vector:
        numbers = [int(n) for n in re.findall(r"-?\d+", text)]
        count = int(vector[1])
        numbers = numbers * count if len(numbers) == 1 else numbers
        return [n % (1 << 32) for n in numbers]
    if kind == "i1":
        return int(text == "true")
    return int(text) % (1 << width_of(kind))


def interpret(lines, wave):
    """The groups of the descriptors that a wave hands over."""
    values, moves, skipped = {"%arg0": GLOBAL, "%arg1": SHARED}, [], 0
    for line in lines:
        line = line.strip()
        if skipped:
            skipped += line.endswith("{") - (line == "}")
            continue
        test = re.fullmatch(r"scf\.if (%[\w-]+) \{", line)
        if test:
            skipped = 0 if values[test[1]] else 1
            continue
        if line in ("}", "return"):
            continue
        move = re.match(r"rocdl\.tensor\.load\.to\.lds(?:\.d2)? (.*) cachepolicy", line)
        if move:
            moves.append([values[name] for name in move[1].split(", ")])
            continue
        name, text = line.split(" = ", 1)
        if text.startswith("llvm.call_intrinsic"):
            values[name] = wave
        elif text.startswith("llvm.ptrtoint"):
            values[name] = values[text.split()[1]]
        elif text.startswith("vector.from_elements"):
            values[name] = [values[w] for w in re.findall(r"%[\w-]+", text)]
        elif m := re.fullmatch(r"arith\.constant (.*?)(?: : (.*))?", text):
            values[name] = constant(m[1], m[2] or "i1")
        elif m := re.fullmatch(r"arith\.cmpi (eq|ne), (%[\w-]+), (%[\w-]+) : \w+", text):
            values[name] = int((values[m[2]] == values[m[3]]) == (m[1] == "eq"))
        elif m := re.fullmatch(r"arith\.(extui|trunci) (%[\w-]+) : \w+ to (\w+)", text):
            values[name] = values[m[2]] % (1 << width_of(m[3]))
        elif m := re.fullmatch(
            r"arith\.(\w+) (%[\w-]+), (%[\w-]+)(?: overflow<.*>)? : (\w+)", text
        ):
            width = width_of(m[4])
            result = BINARY[m[1]](values[m[2]], values[m[3]], width)
            values[name] = result % (1 << width)
        else:
            raise ValueError(f"not known: {line}")
    return moves


def carry_out(groups, image):
    """Writes what a descriptor says into `image`."""
    a, b = groups[0], groups[1]
    c, d = groups[2:] if len(groups) == 4 else ([0] * 4, [0] * 4)
    assert a[0] == 1 and a[3] >> 30 == 2, a
    source, target = a[2] | (a[3] & 0x1FFFFFF) << 32, a[1]
    size = 1 << (b[0] >> 16 & 3)
    padded = b[0] >> 20 & 1
    interval, amount = 8 << (b[0] >> 22 & 7), 4 * ((b[0] >> 25) + 1)
    low = 0xFFFF
    extents = [
        b[1] >> 16 | (b[2] & low) << 16,
        b[2] >> 16 | (b[3] & low) << 16,
        c[0],
        c[1],
        d[1] >> 16 | (d[2] & low) << 16,
    ]
    sizes = [b[3] >> 16, b[4] & low, b[4] >> 16, c[3] >> 16, d[2] >> 16]
    strides = [
        1,
        b[5] | (b[6] & low) << 32,
        b[6] >> 16 | b[7] << 16,
        c[2] | (c[3] & low) << 32,
        d[0] | (d[1] & low) << 32,
    ]
    rank = max(i for i in range(5) if sizes[i]) + 1
    for n, index in enumerate(itertools.product(*map(range, sizes[rank - 1 :: -1]))):
        index = index[::-1]
        inside = all(i < e for i, e in zip(index, extents))
        at = source + size * sum(i * s for i, s in zip(index, strides))
        to = target + n * size
        to += n * size // interval * amount if padded else 0
        assert to not in image, f"LDS at {to} is written twice"
        image[to] = at if inside else None


# --- The check ----------------------------------------------------------------


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fly_opt")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument(
        "--edit",
        nargs=2,
        metavar=("OLD", "NEW"),
        help="replace a text in what is lowered, to see that it is found",
    )
    options = parser.parse_args(argv)
    rng = random.Random(options.seed)
    cases = [Case(k, rng) for k in range(options.cases)]
    done = subprocess.run(
        [options.fly_opt, "--convert-fly-to-rocdl", "--canonicalize", "--cse"]
        + ["-split-input-file"],
        input="\n// -----\n".join(case.text() for case in cases),
        capture_output=True,
        text=True,
    )
    errors = re.findall(r"error: (.*)", done.stderr)
    strange = [e for e in errors if "begins; use fewer waves" not in e]
    if strange:
        print("unexpected error:", strange[0])
        return 1
    text = done.stdout.replace(*options.edit) if options.edit else done.stdout
    bodies = dict(
        re.findall(r"func\.func @(\w+)\(.*?\) \{\n(.*?)\n  \}\n", text, re.S)
    )
    waves = wrong = 0
    for case in cases:
        if case.name not in bodies:
            continue
        image = {}
        try:
            for wave in range(case.warps):
                for groups in interpret(bodies[case.name].splitlines(), wave):
                    carry_out(groups, image)
                    waves += 1
            assert image == case.expected(), "the image in LDS is another"
        except AssertionError as problem:
            wrong += 1
            if wrong < 4:
                print(f"{case.name}: {problem}\n{case.text()}")
    assert len(bodies) + len(errors) == len(cases), "a case got lost"
    print(
        f"{len(bodies)} tiles moved by {waves} waves, {len(errors)} refused, {wrong} wrong"
    )
    return 1 if wrong or len(bodies) * 2 < len(cases) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
