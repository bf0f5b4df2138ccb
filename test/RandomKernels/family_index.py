# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""out[lane, k] = numbers from int_tuples and layouts with unknown leaves.

In: the choices of a kernel. Out: its ops: arithmetic of int_tuples, sizes,
coordinates to indices and back, through plain and swizzled layouts that are
kernel arguments or are put together from numbers. All leaves that come out are
stored as i64.
"""

from __future__ import annotations

import struct

import numpy as np

import algebra as al
import meaning as me
from program import LayoutType, Tuple


def trunc_div(a, b):
    q = np.abs(a) // np.abs(b)
    return np.where((a < 0) == (b < 0), q, -q)


PAIRS = {
    "int_tuple_add": (al.add, lambda a, b: a + b),
    "int_tuple_sub": (al.sub, lambda a, b: a - b),
    "int_tuple_mul": (al.mul, lambda a, b: a * b),
    "int_tuple_div": (al.div, trunc_div),
    "int_tuple_mod": (al.mod, lambda a, b: a - b * trunc_div(a, b)),
    "ceil_div": (al.ceil_div, lambda a, b: -(-a // b)),
}


def each(f, a, b):
    if isinstance(a, tuple):
        return tuple(each(f, x, y) for x, y in zip(a, b))
    return f(a, b)


def tree(draw, depth=2):
    """A random tree; leaves are None."""
    if depth == 0 or draw.chance(0.25):
        return None
    return tuple(tree(draw, depth - 1) for _ in range(draw.rng.randrange(1, 4)))


class Index:
    def __init__(self, draw):
        self.draw, self.b = draw, draw.b
        self.thread = draw.b.thread()

    def leaf(self, low, high):
        """(type leaf, operand or None): a number, an argument, or by lane."""
        draw, b = self.draw, self.b
        value = draw.rng.randrange(low, high)
        way = draw.rng.random()
        if way < 0.35:
            return value, None
        if way < 0.6:
            hidden = draw.hide(value, 0) if value else al.Dyn()
            return hidden, draw.scalar(value)
        factor = draw.pick(1, 2, 3, 4, 8)
        x = b.arith("muli", self.thread, b.number(factor))
        start = factor * draw.rng.randrange(low, high)
        x = b.arith("addi", x, b.number(start))
        return al.Dyn(32, draw.pick(1, factor)), x

    def tuple_(self, shape, low=0, high=20, op="make_int_tuple"):
        operands = []

        def walk(t):
            if isinstance(t, tuple):
                return tuple(walk(x) for x in t)
            leaf, operand = self.leaf(low, high)
            if operand:
                operands.append(operand)
            return leaf

        return self.b.tuple_(walk(shape), operands, op)

    def pairs(self):
        """Element by element."""
        op = self.draw.rng.choice(list(PAIRS))
        type_of, meaning = PAIRS[op]
        shape = tree(self.draw)
        a, b = self.tuple_(shape, 0, 40), self.tuple_(shape, 1, 9)
        result = Tuple(each(type_of, a.type.value, b.type.value))
        f = lambda x, y: meaning(np.asarray(x, np.int64), np.asarray(y, np.int64))
        return self.b.fly(op, [a, b], result, lambda s: each(f, s[a], s[b]))

    def products(self):
        a = self.tuple_(tree(self.draw), 1, 6)
        if self.draw.chance(0.5) and isinstance(a.type.value, tuple):
            result = Tuple(tuple(al.product(x) for x in a.type.value))
            run = lambda s: tuple(me.size(x) for x in s[a])
            return self.b.fly("int_tuple_product_each", [a], result, run)
        result = Tuple(al.product(a.type.value))
        return self.b.fly("int_tuple_product", [a], result, lambda s: me.size(s[a]))

    def layout(self, shape, nested_strides=False):
        """A layout value, from tuples or as a kernel argument."""
        draw, b = self.draw, self.b
        if nested_strides or draw.chance(0.4):
            made = tuple(
                tuple(draw.rng.randrange(1, 7) for _ in me.flat(x)) if isinstance(x, tuple)
                else draw.rng.randrange(1, 7) for x in shape
            ) if isinstance(shape, tuple) else draw.rng.randrange(1, 7)
            stride = compact(made) if nested_strides else draw.strides(made)
            hidden = []

            def leaf(t):
                if isinstance(t, tuple):
                    return tuple(leaf(x) for x in t)
                if draw.chance(0.4):
                    hidden.append((draw.hide(t), t))
                    return hidden[-1][0]
                return t

            type_ = LayoutType(al.Layout(leaf(made), leaf(stride)))
            words = "".join("q" if d.width == 64 else "i" for d, _ in hidden)
            if not hidden:
                return b.layout(type_.layout), made, stride
            packed = struct.pack("<" + words, *(x for _, x in hidden))
            value = b.argument(type_, [packed], lambda s: me.linear(made, [stride]))
            return value, made, stride
        s, d = self.tuple_(shape, 1, 6, "make_shape"), self.tuple_(shape, 0, 9, "make_stride")
        type_ = LayoutType(al.Layout(s.type.value, d.type.value))
        return b.fly("make_layout", [s, d], type_, lambda st: (st[s], st[d])), s, d

    def to_index(self):
        """crd2idx, perhaps through a swizzle."""
        draw, b = self.draw, self.b
        shape = tree(draw, 2)
        value, s, d = self.layout(shape)

        def coarse(t):
            if isinstance(t, tuple) and draw.chance(0.7):
                return tuple(coarse(x) for x in t)
            return None

        c = self.tuple_(coarse(shape), 0, 30, "make_coord")
        concrete = lambda st, x: st[x] if hasattr(x, "name") else x
        plain = lambda st: me.crd2idx(arrays(st[c]), concrete(st, s), concrete(st, d))
        layout = value.type.layout
        if draw.chance(0.4):
            swizzle = (draw.pick(1, 2, 3), draw.pick(0, 1, 2), draw.pick(3, 4))
            text = "S<%d,%d,%d>" % swizzle
            inner = b.op(f"fly.static : !fly.swizzle<{text}>", [], _Swizzle(text), lambda st: None)
            offset = self.tuple_(None, 0, 50)
            whole = al.Composed(swizzle, offset.type.value, layout)
            value = b.fly(
                "make_composed_layout", [inner, offset, value], LayoutType(whole), lambda st: None
            )
            before, layout = plain, whole
            plain = lambda st: me.swizzle(*swizzle, np.asarray(st[offset]) + before(st))
        result = Tuple(al.crd2idx(c.type.value, layout))
        return b.fly("crd2idx", [c, value], result, plain)

    def to_coordinate(self):
        """idx2crd and what is made of it, for strides that nest."""
        draw, b = self.draw, self.b
        shape = tuple(None if draw.chance(0.7) else (None, None) for _ in range(draw.rng.randrange(1, 4)))
        value, s, d = self.layout(shape, nested_strides=True)
        i = self.tuple_(None, 0, 60)
        layout = value.type.layout
        crd = al.idx2crd(i.type.value, layout.shape, layout.stride)
        find = lambda st: idx2crd(np.asarray(st[i]), s, d)
        op = draw.pick("idx2crd", "get_flat_coord", "get_1d_coord")
        if op == "idx2crd":
            return b.fly(op, [i, value], Tuple(crd), find)
        if op == "get_1d_coord":
            run = lambda st: colex(find(st), s)
            return b.fly(op, [i, value], Tuple(al.colex(crd, layout.shape)), run)
        result = tuple(al.colex(c, x) for c, x in zip(crd, layout.shape))
        run = lambda st: tuple(colex(c, x) for c, x in zip(find(st), s))
        return b.fly(op, [i, value], Tuple(result), run)

    def comparison(self):
        """elem_less or equal of two flat tuples, as a number."""
        b = self.b
        shape = (None,) * self.draw.rng.randrange(1, 4)
        x, y = self.tuple_(shape, 0, 40), self.tuple_(shape, 0, 70)
        less = b.elem_less(x, y)
        one, two = b.number(self.draw.rng.randrange(9)), b.number(11)
        picked = b.select(less, one, two)
        return b.tuple_(al.Dyn(), [picked])


class _Swizzle(str):
    """The type of a swizzle value, by its text."""

    def __new__(cls, text):
        return super().__new__(cls, f"!fly.swizzle<{text}>")


def arrays(t):
    return tuple(arrays(x) for x in t) if isinstance(t, tuple) else np.asarray(t, np.int64)


def compact(shape, start=1):
    out = []
    for s in shape:
        out.append(compact(s, start) if isinstance(s, tuple) else start)
        start *= me.size(s)
    return tuple(out)


def idx2crd(i, shape, stride):
    if isinstance(shape, tuple):
        return tuple(idx2crd(i, s, d) for s, d in zip(shape, stride))
    return i // stride % shape


def colex(c, shape):
    if not isinstance(c, tuple):
        return c
    total, step = 0, 1
    for ci, si in zip(c, shape):
        total = total + step * colex(ci, si)
        step *= me.size(si)
    return total


def index(draw):
    """Fills the program of `draw`."""
    k, b = Index(draw), draw.b
    results = []
    for _ in range(draw.rng.randrange(3, 9)):
        make = draw.pick(
            k.pairs, k.pairs, k.products, k.to_index, k.to_index, k.to_index,
            k.to_coordinate, k.to_coordinate, k.comparison,
        )  # fmt: skip
        value = make()
        paths = leaf_paths(value.type.value)
        for path in paths[:6]:
            leaf = value
            for p in path:
                part = leaf.type.value[p]
                leaf = b.fly(
                    "get", [leaf], Tuple(part),
                    lambda s, leaf=leaf, p=p: s[leaf][p], f"mode = array<i32: {p}>",
                )  # fmt: skip
            results.append(b.scalar(leaf))
    lane = draw.lane(k.thread)
    total = draw.program.grid * draw.program.threads
    out = draw.tensor("i64", (total, len(results)), True, None, 0.2, known_shape=True)
    for column, x in enumerate(results):
        if x.type == "i32":
            x = b.op(f"arith.extsi {x.name} : i32 to i64", [x], "i64", lambda s, x=x: s[x])
        where = b.tuple_((al.Dyn(), column), [lane], "make_coord")
        b.store(x, out, where)


def leaf_paths(t):
    if not isinstance(t, tuple):
        return [()]
    return [(i,) + p for i, x in enumerate(t) for p in leaf_paths(x)]
