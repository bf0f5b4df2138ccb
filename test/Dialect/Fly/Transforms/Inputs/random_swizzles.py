# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random integer arithmetic with swizzles, with what it must answer.

usage: random_swizzles.py COUNT SEED

Prints a module of COUNT functions that swizzle sums of two arguments, of
products and of constants, and a `main` that calls each with constants and
answers how many of them differ from this interpreter. The law: `main` answers
0 whatever passes have run.
"""

import random
import sys

MASK = 0xFFFFFFFF


def wrap(number):
    """The signed 32-bit spelling of an unsigned number."""
    return number - (1 << 32) if number >> 31 else number


class Function:
    def __init__(self, rng, index):
        self.rng = rng
        self.values = {"%a": rng.randrange(1 << 32), "%b": rng.randrange(1 << 12)}
        self.arguments = [wrap(self.values["%a"]), wrap(self.values["%b"])]
        self.lines = []
        self.count = 0
        self.index = index

    def define(self, text, value):
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"    {name} = {text}")
        self.values[name] = value & MASK
        return name

    def constant(self, value):
        return self.define(f"arith.constant {wrap(value & MASK)} : i32", value)

    def binary(self, op, x, y):
        a, b = self.values[x], self.values[y]
        value = {
            "addi": a + b, "subi": a - b, "muli": a * b, "andi": a & b,
            "ori": a | b, "xori": a ^ b, "shli": a << (b & 31),
            "shrui": a >> (b & 31), "remui": a % b if b else 0,
        }[op]
        return self.define(f"arith.{op} {x}, {y} : i32", value)

    def pick(self):
        return self.rng.choice(list(self.values))

    def term(self):
        """Something that often is a multiple of a power of two."""
        power = 1 << self.rng.randrange(0, 14)
        kind = self.rng.randrange(6)
        if kind == 0:
            return self.constant(power * self.rng.randrange(0, 5))
        if kind == 1:
            return self.binary("shli", self.pick(), self.constant(power.bit_length() - 1))
        if kind == 2:
            return self.binary("andi", self.pick(), self.constant(-power))
        if kind == 3:
            bit = self.binary("andi", self.pick(), self.constant(1))
            condition = f"%c{self.count}"
            zero = self.constant(0)
            self.lines.append(f"    {condition} = arith.cmpi eq, {bit}, {zero} : i32")
            other = self.constant(power)
            value = 0 if self.values[bit] == 0 else power
            return self.define(f"arith.select {condition}, {zero}, {other} : i32", value)
        if kind == 4:
            return self.binary(self.rng.choice(["subi", "ori", "xori"]), self.pick(), self.pick())
        return self.binary("muli", self.pick(), self.constant(power))

    def swizzle(self, x):
        p = self.rng.randrange(1, 5)
        k = self.rng.randrange(0, 10)
        c = self.rng.randrange(0, k + 1)
        mask, shift = self.constant(((1 << p) - 1) << k), self.constant(c)
        operands = [x, mask]
        self.rng.shuffle(operands)
        moved = self.binary("shrui", self.binary("andi", *operands), shift)
        operands = [x, moved]
        self.rng.shuffle(operands)
        return self.binary("xori", *operands)

    def text(self):
        for _ in range(self.rng.randrange(2, 6)):
            self.term()
        for _ in range(self.rng.randrange(1, 5)):
            total = self.pick()
            for _ in range(self.rng.randrange(1, 5)):
                operands = [total, self.term()]
                self.rng.shuffle(operands)
                total = self.binary("addi", *operands)
                if self.rng.random() < 0.4:
                    self.swizzle(total)
        result = self.constant(0)
        for value in list(self.values):
            odd = self.constant(0x9E3779B1)
            result = self.binary("muli", self.binary("xori", result, value), odd)
        return "\n".join(
            [f"  func.func @f{self.index}(%a: i32, %b: i32) -> i32 {{"]
            + self.lines
            + [f"    return {result} : i32", "  }"]
        ), wrap(self.values[result])


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    print("module {")
    calls = ["  func.func @main() -> i32 {", "    %w = arith.constant 0 : i32"]
    wrong = "%w"
    for i in range(count):
        function = Function(rng, i)
        text, answer = function.text()
        print(text)
        calls += [
            f"    %a{i} = arith.constant {function.arguments[0]} : i32",
            f"    %b{i} = arith.constant {function.arguments[1]} : i32",
            f"    %e{i} = arith.constant {answer} : i32",
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
