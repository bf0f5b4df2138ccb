# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random values of the algebra that cross boundaries, with what must be left.

usage: random_signatures.py COUNT SEED

Prints COUNT pairs of functions: a caller that makes a value of a random type
from its arguments and hands it through a loop, a branch or both to a callee,
and the callee, which answers everything dynamic in it. The law: taking apart
and putting together cancel, so that after inlining the caller answers its
arguments in their order. The CHECK lines say so.
"""

import random
import sys


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.arguments = []  # types, in order
        self.make = []
        self.take = []
        self.answers = []
        self.count = 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def op(self, lines, text):
        name = self.name()
        lines.append(f"    {name} = {text}")
        return name

    def argument(self, ty):
        self.arguments.append(ty)
        return f"%arg{len(self.arguments) - 1}"

    # --- types ----------------------------------------------------------------

    def tree(self, depth=0):
        if depth < 2 and self.rng.random() < (0.75 if depth == 0 else 0.35):
            return [self.tree(depth + 1) for _ in range(self.rng.randrange(1, 4))]
        return None

    def leaf(self, low=1):
        kind = self.rng.random()
        if kind < 0.5:
            return str(self.rng.randrange(low, 9))
        if kind < 0.7:
            return "?"
        if kind < 0.8:
            return "?{div=4}"
        if kind < 0.9:
            return "?{i64}"
        return "?{i64 div=8}"

    def fill(self, tree):
        if tree is None:
            return self.leaf()
        return "(" + ",".join(self.fill(t) for t in tree) + ")"

    @staticmethod
    def dynamic(text):
        """The types of the dynamic leaves of a tuple's text."""
        parts = text.split("?")[1:]
        return ["i64" if p.startswith("{i64") else "i32" for p in parts]

    # --- values: (type, name) in the caller, then their leaves in the callee ----

    def tuple(self, text):
        types = self.dynamic(text)
        names = [self.argument(t) for t in types]
        ty = f"!fly.int_tuple<{text}>"
        return ty, self.op(
            self.make,
            f"fly.make_int_tuple({', '.join(names)}) : ({', '.join(types)}) -> {ty}",
        )

    def take_tuple(self, ty, value):
        types = self.dynamic(ty)
        if not types:
            return
        names = [self.name() for _ in types]
        result = types[0] if len(types) == 1 else f"({', '.join(types)})"
        self.take.append(
            f"    {', '.join(names)} = fly.get_leaves({value}) "
            f"{{dynamicOnly = true}} : ({ty}) -> {result}"
        )
        self.answers += zip(names, types)

    def layout(self):
        tree = self.tree()
        shape, stride = self.fill(tree), self.fill(tree)
        st, s = self.tuple(shape)
        dt, d = self.tuple(stride)
        ty = f"!fly.layout<{shape}:{stride}>"
        return (ty, shape, stride), self.op(
            self.make, f"fly.make_layout({s}, {d}) : ({st}, {dt}) -> {ty}"
        )

    def take_layout(self, kind, value):
        ty, shape, stride = kind
        for what, text in (("shape", shape), ("stride", stride)):
            t = f"!fly.int_tuple<{text}>"
            x = self.op(self.take, f"fly.get_{what}({value}) : ({ty}) -> {t}")
            self.take_tuple(t, x)

    def composed(self):
        """(type, outer kind, offset type), value."""
        outer, o = self.layout()
        offset = self.leaf(low=0)
        ft, f = self.tuple(offset)
        swizzle = "S<2,1,3>"
        s = self.op(self.make, f"fly.static : !fly.swizzle<{swizzle}>")
        body = f"{swizzle} o {offset} o {outer[1]}:{outer[2]}"
        ty = f"!fly.composed_layout<{body}>"
        value = self.op(
            self.make,
            f"fly.make_composed_layout({s}, {f}, {o}) : "
            f"(!fly.swizzle<{swizzle}>, {ft}, {outer[0]}) -> {ty}",
        )
        return (ty, body, outer, ft), value

    def take_composed(self, kind, value):
        ty, _, outer, ft = kind
        o = self.op(self.take, f"fly.composed_get_outer({value}) : ({ty}) -> {outer[0]}")
        self.take_layout(outer, o)
        f = self.op(self.take, f"fly.composed_get_offset({value}) : ({ty}) -> {ft}")
        self.take_tuple(ft, f)

    def memref(self):
        pointer_type = "!fly.ptr<f16, global, align<16>>"
        pointer = self.argument(pointer_type)
        if self.rng.random() < 0.6:
            kind, l = self.layout()
            body, take = f"{kind[1]}:{kind[2]}", self.take_layout
        else:
            kind, l = self.composed()
            body, take = kind[1], self.take_composed
        ty = f"!fly.memref<f16, global, {body}, align<16>>"
        value = self.op(
            self.make,
            f"fly.make_view({pointer}, {l}) : ({pointer_type}, {kind[0]}) -> {ty}",
        )

        def take_all(x):
            p = self.op(self.take, f"fly.get_iter({x}) : ({ty}) -> {pointer_type}")
            self.answers.append((p, pointer_type))
            y = self.op(self.take, f"fly.get_layout({x}) : ({ty}) -> {kind[0]}")
            take(kind, y)

        return ty, value, take_all

    def coords(self):
        base = self.leaf(low=0)
        bt, b = self.tuple(base)
        kind, l = self.layout()
        ty = f"!fly.coord_tensor<{base}, {kind[1]}:{kind[2]}>"
        value = self.op(
            self.make, f"fly.make_view({b}, {l}) : ({bt}, {kind[0]}) -> {ty}"
        )

        def take_all(x):
            i = self.op(self.take, f"fly.get_iter({x}) : ({ty}) -> {bt}")
            self.take_tuple(bt, i)
            y = self.op(self.take, f"fly.get_layout({x}) : ({ty}) -> {kind[0]}")
            self.take_layout(kind, y)

        return ty, value, take_all

    def value(self):
        kind = self.rng.randrange(5)
        if kind == 0:
            ty, v = self.tuple(self.fill(self.tree()))
            return ty, v, lambda x: self.take_tuple(ty, x)
        if kind == 1:
            layout, v = self.layout()
            return layout[0], v, lambda x: self.take_layout(layout, x)
        if kind == 2:
            composed, v = self.composed()
            return composed[0], v, lambda x: self.take_composed(composed, x)
        return self.memref() if kind == 3 else self.coords()


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    for i in range(count):
        maker = Maker(rng)
        ty, value, take = maker.value()
        for way in range(2):
            if rng.random() < 0.5:
                continue
            new = maker.name()
            if way == 0:
                a = maker.name()
                maker.make += [
                    f"    {new} = scf.for %i = %lo to %n step %st iter_args({a} = {value}) -> ({ty}) {{",
                    f"      scf.yield {a} : {ty}",
                    "    }",
                ]
            else:
                maker.make += [
                    f"    {new} = scf.if %c -> ({ty}) {{",
                    f"      scf.yield {value} : {ty}",
                    "    } else {",
                    f"      scf.yield {value} : {ty}",
                    "    }",
                ]
            value = new
        take("%x")
        # The callee answers in the order in which the caller made.
        order = maker.arguments
        names = [n for n, _ in maker.answers]
        types = [t for _, t in maker.answers]
        assert order == types
        results = ", ".join(types)
        print(f"func.func private @callee{i}(%x: {ty}) -> ({results}) {{")
        print("\n".join(maker.take))
        print(f"    return {', '.join(names)}" + (f" : {results}" if names else ""))
        print("}")
        print(f"// CHECK-LABEL: func.func @caller{i}(")
        expected = [f"%arg{k}" for k in range(len(maker.arguments))]
        print("// CHECK-NEXT: return" + (" " + ", ".join(expected) if expected else "") + "{{$|( :)}}")
        arguments = "".join(f"%arg{k}: {t}, " for k, t in enumerate(order))
        print(f"func.func @caller{i}({arguments}%n: index, %c: i1) -> ({results}) {{")
        print("    %lo = arith.constant 0 : index")
        print("    %st = arith.constant 1 : index")
        print("\n".join(maker.make))
        call = f"func.call @callee{i}({value}) : ({ty}) -> ({results})"
        if not names:
            print(f"    {call}\n    return\n}}")
            continue
        print(f"    %r:{len(names)} = {call}")
        answers = ", ".join(f"%r#{k}" for k in range(len(names)))
        print(f"    return {answers} : {results}\n}}")


if __name__ == "__main__":
    main()
