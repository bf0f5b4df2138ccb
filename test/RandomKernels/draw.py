# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The random choices that all families of kernels share.

In: a seed, a chip. Out: elements, data, layouts, tensor arguments, arithmetic,
conditions, each drawn; the data of a kernel are a function of its seed.
"""

from __future__ import annotations

import math
import random
import struct

import numpy as np

import algebra as al
import meaning as me
from builder import Builder
from program import Pointer, Program, Ref, Vector

WAVE = {"gfx942": 64, "gfx950": 64, "gfx1100": 32, "gfx1201": 32}
INTEGERS = ("i8", "i16", "i32", "i64")
FLOATS = ("f16", "f32", "f64")
RAW = ("bf16", "f8E4M3FN")
UNTOUCHED = 0x5A


class Draw:
    """The random choices of one kernel, and what it is built with."""

    def __init__(self, seed, chip, name):
        self.rng = random.Random(seed)
        self.wave = WAVE[chip]
        self.chip = chip
        waves = self.rng.choice((1, 1, 1, 2))
        grid = self.rng.choice((1, 2, 2, 3))
        self.program = Program(name, chip, grid, self.wave * waves)
        self.b = Builder(self.program)
        self.numbers = np.random.default_rng(self.rng.getrandbits(32))

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, *choices):
        return self.rng.choice(choices)

    def element(self, moved_only=False):
        return self.rng.choice(INTEGERS + FLOATS + (RAW if moved_only else ()))

    # --- Data -----------------------------------------------------------------

    def data(self, elem, count):
        _, dtype, kind = me.ELEMENTS[elem]
        if kind == "float":
            return self.numbers.integers(-8, 9, count).astype(dtype)
        if kind == "bool":
            return self.numbers.integers(0, 2, count).astype(dtype)
        info = np.iinfo(dtype)
        return self.numbers.integers(info.min, info.max, count, dtype, endpoint=True)

    def buffer(self, elem, count, out):
        dtype = me.ELEMENTS[elem][1]
        if out:
            array = np.full(count * dtype.itemsize, UNTOUCHED, np.uint8).view(dtype)
            self.program.outputs.append(len(self.program.buffers))
        else:
            array = self.data(elem, count)
        self.program.buffers.append(array)
        return len(self.program.buffers) - 1, array

    def scalar(self, value):
        """An i32 argument."""
        return self.b.argument("i32", [int(value)], lambda s: np.full(s.lanes, value))

    # --- Layouts --------------------------------------------------------------

    def strides(self, shape, first=None, pad=True):
        """Injective strides for a shape: the leaves in random order, with gaps.
        `first` is the leaf that gets stride 1."""
        leaves = al.flat(shape)
        order = list(range(len(leaves)))
        self.rng.shuffle(order)
        if first is not None:
            order.remove(first)
            order.insert(0, first)
        steps, step = [0] * len(leaves), 1
        for i in order:
            steps[i] = step
            step *= leaves[i]
            if pad and self.chance(0.25):
                step += self.pick(1, 2, 4, 8)
        steps = iter(steps)
        build = lambda t: tuple(map(build, t)) if isinstance(t, tuple) else next(steps)
        return build(shape)

    def hide(self, value, wide=0.1):
        """An unknown in place of a number, with a divisor that it has."""
        choices = [d for d in (1, 2, 4, 8, 16, 3) if value % d == 0]
        return al.Dyn(64 if self.chance(wide) else 32, self.rng.choice(choices))

    def tensor(
        self, elem, shape, out=False, first=None, unknown=0.3, align=None,
        known_shape=False, buffers=0,
    ):
        """A global tensor argument; strides and top-level extents may be unknown.
        With the chance `buffers` it is seen through a buffer resource."""
        stride = self.strides(shape, first)
        count = 1 + sum((s - 1) * d for s, d in zip(al.flat(shape), al.flat(stride)))
        itemsize = me.ELEMENTS[elem][1].itemsize
        buffer = itemsize <= 16 and buffers and self.chance(buffers)
        if buffer:
            count = -(-count * itemsize // 16) * 16 // itemsize
            align = 16
        number, array = self.buffer(elem, count, out)
        hidden = []

        def leaf(x, p):
            if p and self.chance(p) and x > 1:
                hidden.append(None)
                hidden[-1] = (self.hide(x), x)
                return hidden[-1][0]
            return x

        def shapes(t, top):
            if isinstance(t, tuple):
                return tuple(shapes(x, not isinstance(x, tuple)) for x in t)
            return leaf(t, unknown if top and not known_shape else 0)

        def strides(t):
            return tuple(map(strides, t)) if isinstance(t, tuple) else leaf(t, unknown)

        layout = al.Layout(shapes(shape, True), strides(stride))
        align = align or max(itemsize, self.pick(itemsize, 4, 8, 16, 16))
        type_ = Ref(elem, "global", layout, align)
        values = [array]
        if hidden:
            words = "".join("q" if d.width == 64 else "i" for d, _ in hidden)
            values.append(struct.pack("<" + words, *(x for _, x in hidden)))
        view = me.linear(shape, [stride])
        argument = self.b.argument(
            type_, values, lambda s: view.with_(memory=s.buffers[number], elem=elem)
        )
        if not buffer:
            return argument
        size = array.nbytes
        if self.chance(0.3):  # the end is cut off
            size = 16 * self.rng.randrange(1, size // 16 + 1)
        if self.chance(0.3):
            size = self.scalar(size)
        return self.b.buffer(argument, size, self.chip)

    def pointer(self, elem, count, align):
        """A pointer argument to a buffer of `count` elements."""
        number, array = self.buffer(elem, count, False)
        return self.b.argument(
            Pointer(elem, "global", align), [array], lambda s: (s.buffers[number], elem)
        )

    # --- Arithmetic -----------------------------------------------------------

    def combine(self, a, b):
        """Some arithmetic of two values of one type."""
        elem = a.type.elem if isinstance(a.type, Vector) else a.type
        kind = me.ELEMENTS[elem][2]
        if kind == "float":
            names = ("addf", "subf", "mulf", "maximumf", "minimumf")
        else:
            names = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi")
        result = self.b.arith(self.rng.choice(names), a, b)
        if self.chance(0.2):
            cond = self.b.compare(self.pick("lt", "le", "gt", "ge", "eq", "ne"), a, b)
            result = self.b.select(cond, result, self.pick(a, b))
        return result

    def condition(self, thread):
        """An i1 that differs from lane to lane, or is the same for all."""
        b = self.b
        limit = self.scalar(self.rng.randrange(self.wave)) if self.chance(0.5) else b.number(self.rng.randrange(self.wave))
        left = thread if self.chance(0.7) else b.block()
        return b.compare(self.pick("lt", "ge", "eq", "ne"), left, limit)

    def mix(self, a, b):
        """Like combine, for elements that are only moved too."""
        if me.ELEMENTS[a.type.elem][2] == "raw":
            return self.pick(a, b)
        return self.combine(a, b)

    def lane(self, thread):
        """The number of the lane in the grid, an i32."""
        b = self.b
        return b.arith(
            "addi",
            b.arith("muli", b.block(), b.number(self.program.threads)),
            thread,
        )

    def small(self, *elems):
        """Makes the inputs of these types so far small integers."""
        for k, array in enumerate(self.program.buffers):
            if k not in self.program.outputs:
                array[...] = self.numbers.integers(-4, 5, array.shape).astype(array.dtype)
