# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs over register arrays, with what they must answer.

usage: random_regmem.py COUNT SEED

Prints a module of COUNT functions that store to and load from register arrays
in nested control flow and answer a mix of everything that they load, and a
`main` that calls each with constants and answers how many of them differ from
this interpreter of their meaning. The law: `main`
answers 0 after promotion. Programs that read an element which nothing has
stored have no meaning and are not printed.
"""

import random
import sys

MASK = 0xFFFFFFFF
ODD = 0x9E3779B1


class Meaningless(Exception):
    """The program reads an element that nothing has stored."""


class Program:
    """One function: its text, and a closure for each statement."""

    def __init__(self, rng):
        self.rng = rng
        self.count = 0
        self.lines = []

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, depth, text):
        self.lines.append("  " * (depth + 2) + text)

    # --- pointers ----------------------------------------------------------

    def pointer(self, depth, array, offset):
        """A pointer to element `offset`, by one or two moves."""
        pointer = array
        parts = [offset]
        if offset and self.rng.random() < 0.4:
            first = self.rng.randrange(-2, offset + 1)
            parts = [first, offset - first]
        for part in parts:
            if part == 0:
                continue
            t, q = self.name(), self.name()
            ty = f"!fly.int_tuple<{part}>"
            self.emit(depth, f"{t} = fly.make_int_tuple() : () -> {ty}")
            self.emit(
                depth,
                f"{q} = fly.add_offset({pointer}, {t}) : (!fly.ptr<i32, "
                f"register>, {ty}) -> !fly.ptr<i32, register>",
            )
            pointer = q
        return pointer

    # --- statements: each answers a function of the environment -------------

    def allocate(self, depth, arrays):
        name, size = self.name(), self.rng.choice([1, 2, 3, 4, 8])
        self.emit(
            depth,
            f"{name} = fly.make_ptr() {{dictAttrs = {{allocSize = {size} : "
            f"i64}}}} : () -> !fly.ptr<i32, register>",
        )
        arrays.append((name, size))

        def run(env):
            env[name] = [None] * size

        return run

    def compute(self, depth, values):
        name, op = self.name(), self.rng.choice(["addi", "muli", "xori"])
        a, b = self.rng.choice(values), self.rng.choice(values)
        self.emit(depth, f"{name} = arith.{op} {a}, {b} : i32")
        values.append(name)

        def run(env):
            x, y = env[a], env[b]
            z = {"addi": x + y, "muli": x * y, "xori": x ^ y}[op]
            env[name] = z & MASK

        return run

    def fill(self, depth, values, arrays):
        """Stores every element of the newest array."""
        array, size = arrays[-1]
        return self.store_at(depth, values, array, 0, size)

    def store(self, depth, values, arrays):
        array, size = self.rng.choice(arrays)
        length = self.rng.choice([l for l in (1, 1, 2, 3, 4, 8) if l <= size])
        offset = self.rng.randrange(size - length + 1)
        return self.store_at(depth, values, array, offset, length)

    def store_at(self, depth, values, array, offset, length):
        stored = [self.rng.choice(values) for _ in range(length)]
        pointer = self.pointer(depth, array, offset)
        what, ty = stored[0], "i32"
        if length > 1 or self.rng.random() < 0.3:
            what, ty = self.name(), f"vector<{length}xi32>"
            self.emit(
                depth,
                f"{what} = vector.from_elements {', '.join(stored)} : {ty}",
            )
        self.emit(
            depth,
            f"fly.ptr.store({what}, {pointer}) : "
            f"({ty}, !fly.ptr<i32, register>) -> ()",
        )

        def run(env):
            for i, v in enumerate(stored):
                env[array][offset + i] = env[v]

        return run

    def load(self, depth, values, arrays):
        array, size = self.rng.choice(arrays)
        length = self.rng.choice([l for l in (1, 1, 2, 3, 4, 8) if l <= size])
        offset = self.rng.randrange(size - length + 1)
        pointer = self.pointer(depth, array, offset)
        is_vector = length > 1 or self.rng.random() < 0.3
        ty = f"vector<{length}xi32>" if is_vector else "i32"
        loaded = self.name()
        self.emit(
            depth,
            f"{loaded} = fly.ptr.load({pointer}) : "
            f"(!fly.ptr<i32, register>) -> {ty}",
        )
        names = [loaded]
        if is_vector:
            names = [self.name() for _ in range(length)]
            for i, n in enumerate(names):
                self.emit(depth, f"{n} = vector.extract {loaded}[{i}] : i32 from {ty}")
        values.extend(names)
        for n in names:
            self.observe(depth, n)

        def run(env):
            for i, n in enumerate(names):
                if env[array][offset + i] is None:
                    raise Meaningless
                env[n] = env[array][offset + i]
                env["seen"] = ((env["seen"] ^ env[n]) * ODD) & MASK

        return run

    def observe(self, depth, value):
        """Mixes a value into what the function answers."""
        old, mixed, new = self.name(), self.name(), self.name()
        self.emit(depth, f"{old} = memref.load %seen[] : memref<i32>")
        self.emit(depth, f"{mixed} = arith.xori {old}, {value} : i32")
        self.emit(depth, f"{new} = arith.muli {mixed}, %odd : i32")
        self.emit(depth, f"memref.store {new}, %seen[] : memref<i32>")

    def small(self, depth, values):
        """A value & 3, as i32 and as index."""
        v, m, i = self.rng.choice(values), self.name(), self.name()
        self.emit(depth, f"{m} = arith.andi {v}, %three : i32")
        self.emit(depth, f"{i} = arith.index_cast {m} : i32 to index")
        return v, m, i

    def branch(self, depth, values, arrays):
        v, m, _ = self.small(depth, values)
        c = self.name()
        self.emit(depth, f"{c} = arith.cmpi ult, {m}, %two : i32")
        self.emit(depth, f"scf.if {c} {{")
        then = self.block(depth + 1, values, arrays)
        other = None
        if self.rng.random() < 0.5:
            self.emit(depth, "} else {")
            other = self.block(depth + 1, values, arrays)
        self.emit(depth, "}")

        def run(env):
            if env[v] & 3 < 2:
                then(env)
            elif other:
                other(env)

        return run

    def loop(self, depth, values, arrays):
        v, _, n = self.small(depth, values)
        i, x = self.name(), self.name()
        self.emit(depth, f"scf.for {i} = %i0 to {n} step %i1 {{")
        self.emit(depth + 1, f"{x} = arith.index_cast {i} : index to i32")
        body = self.block(depth + 1, values + [x], arrays)
        self.emit(depth, "}")

        def run(env):
            for k in range(env[v] & 3):
                env[x] = k
                body(env)

        return run

    def while_loop(self, depth, values, arrays):
        v, m, _ = self.small(depth, values)
        r, a, b, c, d = (self.name() for _ in range(5))
        self.emit(depth, f"{r} = scf.while ({a} = {m}) : (i32) -> i32 {{")
        before = self.block(depth + 1, values + [a], arrays)
        self.emit(depth + 1, f"{c} = arith.cmpi ugt, {a}, %zero : i32")
        self.emit(depth + 1, f"scf.condition({c}) {a} : i32")
        self.emit(depth, "} do {")
        self.emit(depth, f"^bb0({b}: i32):")
        after = self.block(depth + 1, values + [b], arrays)
        self.emit(depth + 1, f"{d} = arith.subi {b}, %one : i32")
        self.emit(depth + 1, f"scf.yield {d} : i32")
        self.emit(depth, "}")
        values.append(r)

        def run(env):
            k = env[v] & 3
            while True:
                env[a] = k
                before(env)
                if k == 0:
                    break
                env[b] = k
                after(env)
                k -= 1
            env[r] = k

        return run

    def switch(self, depth, values, arrays):
        v, _, i = self.small(depth, values)
        self.emit(depth, f"scf.index_switch {i}")
        cases = []
        for label in ("case 0", "case 2", "default"):
            self.emit(depth, f"{label} {{")
            cases.append(self.block(depth + 1, values, arrays))
            self.emit(depth + 1, "scf.yield")
            self.emit(depth, "}")

        def run(env):
            cases[{0: 0, 2: 1}.get(env[v] & 3, 2)](env)

        return run

    def once(self, depth, values, arrays):
        self.emit(depth, "scf.execute_region {")
        body = self.block(depth + 1, values, arrays)
        self.emit(depth + 1, "scf.yield")
        self.emit(depth, "}")
        return body

    def block(self, depth, values, arrays):
        values, arrays = list(values), list(arrays)
        steps = []
        for _ in range(self.rng.randrange(1, 6 if depth < 3 else 4)):
            kind = self.rng.random()
            if kind < 0.30:
                steps.append(self.store(depth, values, arrays))
            elif kind < 0.55:
                steps.append(self.load(depth, values, arrays))
            elif kind < 0.65:
                steps.append(self.compute(depth, values))
            elif kind < 0.70:
                steps.append(self.allocate(depth, arrays))
            elif depth < 4:
                nested = self.rng.choice(
                    [self.branch, self.branch, self.loop, self.loop,
                     self.while_loop, self.switch, self.once]
                )
                steps.append(nested(depth, values, arrays))

        def run(env):
            for step in steps:
                step(env)

        return run


def function(rng, index):
    """(text, arguments, answer) of one program that has a meaning."""
    while True:
        program = Program(rng)
        values = ["%a", "%b", "%one"]
        arrays = []
        steps = []
        for _ in range(rng.randrange(1, 4)):
            steps.append(program.allocate(0, arrays))
            if rng.random() < 0.8:  # else whatever comes first must store
                steps.append(program.fill(0, values, arrays))
        for _ in range(rng.randrange(1, 5)):
            steps.append(program.block(0, values, arrays))
        arguments = [rng.randrange(1 << 16) for _ in range(2)]
        env = {"%a": arguments[0], "%b": arguments[1], "%one": 1, "seen": 0}
        try:
            for step in steps:
                step(env)
        except Meaningless:
            continue
        text = [f"  func.func @f{index}(%a: i32, %b: i32) -> i32 {{"]
        for constant, number in (
            ("zero", 0), ("one", 1), ("two", 2), ("three", 3),
            ("odd", ODD - (1 << 32)),
        ):
            text.append(f"    %{constant} = arith.constant {number} : i32")
        text.append("    %i0 = arith.constant 0 : index")
        text.append("    %i1 = arith.constant 1 : index")
        text.append("    %seen = memref.alloca() : memref<i32>")
        text.append("    memref.store %zero, %seen[] : memref<i32>")
        text += program.lines
        text.append("    %answer = memref.load %seen[] : memref<i32>")
        text += ["    return %answer : i32", "  }"]
        return "\n".join(text), arguments, env["seen"]


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    print("module {")
    calls = ["  func.func @main() -> i32 {", "    %w = arith.constant 0 : i32"]
    wrong = "%w"
    for i in range(count):
        text, arguments, answer = function(rng, i)
        print(text)
        signed = answer - (1 << 32) if answer >> 31 else answer
        calls += [
            f"    %a{i} = arith.constant {arguments[0]} : i32",
            f"    %b{i} = arith.constant {arguments[1]} : i32",
            f"    %e{i} = arith.constant {signed} : i32",
            f"    %r{i} = func.call @f{i}(%a{i}, %b{i}) : (i32, i32) -> i32",
            f"    %d{i} = arith.cmpi ne, %r{i}, %e{i} : i32",
            f"    %x{i} = arith.extui %d{i} : i1 to i32",
            f"    %w{i} = arith.addi {wrong}, %x{i} : i32",
        ]
        wrong = f"%w{i}"
    print("\n".join(calls))
    print(f"    return {wrong} : i32\n  }}\n}}")


if __name__ == "__main__":
    main()
