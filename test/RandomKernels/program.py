# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as a list of ops, each with its text and its meaning.

In: the ops, made by builder.py. Out: `Program.text()`,
the kernel in Fly IR, and `Program.run(...)`, what it does to the buffers, all
lanes of all workgroups at a time. The law: the text is written with the types
of algebra.py, the meaning with the enumerations of meaning.py; where a type is
static, the two are compared, and must agree.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

import algebra as al
import meaning as me


@dataclasses.dataclass(frozen=True)
class Vector:
    n: int
    elem: str


@dataclasses.dataclass(frozen=True)
class Ref:
    """A memref; `align` in bytes."""

    elem: str
    space: str
    layout: object
    align: int

    @property
    def bits(self):
        return 1 if self.elem == "i1" else me.ELEMENTS[self.elem][0]

    @property
    def linear(self):
        return self.layout.outer if isinstance(self.layout, al.Composed) else self.layout

    def at_offset(self, offset):
        """The alignment of an address `offset` elements further."""
        v = self.align * 8 // self.bits
        if not (al.is_static(offset) and offset == 0):
            v = math.gcd(v, al.delta(offset))
        return (self.bits * max(v, 1) + 7) // 8

    def moved(self, offset, layout):
        """The type of a view `offset` elements further."""
        if isinstance(self.layout, al.Composed):
            whole = al.Composed(
                self.layout.swizzle, al.add(self.layout.offset, offset), layout
            )
            return Ref(self.elem, self.space, whole, self.align)
        return Ref(self.elem, self.space, layout, self.at_offset(offset))

    def same(self, layout):
        """Another linear layout, the same address."""
        if isinstance(self.layout, al.Composed):
            layout = al.Composed(self.layout.swizzle, self.layout.offset, layout)
        return Ref(self.elem, self.space, layout, self.align)


@dataclasses.dataclass(frozen=True)
class Coords:
    """A coord_tensor."""

    base: object
    layout: al.Layout

    @property
    def linear(self):
        return self.layout

    def moved(self, offset, layout):
        return Coords(al.oplus(self.base, offset), layout)

    def same(self, layout):
        return Coords(self.base, layout)


@dataclasses.dataclass(frozen=True)
class Pointer:
    elem: str
    space: str
    align: int


@dataclasses.dataclass(frozen=True)
class Named:
    """Any other type, by its text."""

    text: str


@dataclasses.dataclass(frozen=True)
class Tuple:
    value: object


@dataclasses.dataclass(frozen=True)
class LayoutType:
    layout: object

    @property
    def linear(self):
        return self.layout

    def moved(self, offset, layout):
        return LayoutType(layout)

    same = lambda self, layout: LayoutType(layout)


def ty(t):
    """The text of a type."""
    if isinstance(t, str):
        return t
    if isinstance(t, Named):
        return t.text
    if isinstance(t, Vector):
        return f"vector<{t.n}x{t.elem}>"
    if isinstance(t, Tuple):
        return f"!fly.int_tuple<{al.text(t.value)}>"
    if isinstance(t, LayoutType):
        kind = "composed_layout" if isinstance(t.layout, al.Composed) else "layout"
        return f"!fly.{kind}<{al.text(t.layout)}>"
    if isinstance(t, Coords):
        return f"!fly.coord_tensor<{al.text(t.base)}, {al.text(t.layout)}>"
    bits = 1 if t.elem == "i1" else me.ELEMENTS[t.elem][0]
    align = "" if t.align == (bits + 7) // 8 else f", align<{t.align}>"
    if isinstance(t, Pointer):
        return f"!fly.ptr<{t.elem}, {t.space}{align}>"
    return f"!fly.memref<{t.elem}, {t.space}, {al.text(t.layout)}{align}>"


@dataclasses.dataclass(frozen=True)
class Value:
    name: str
    type: object


@dataclasses.dataclass
class Op:
    """`regions` are (opening line, ops) pairs; `tail` closes them."""

    text: str
    run: object
    defs: list
    uses: list
    regions: list = dataclasses.field(default_factory=list)
    tail: str = ""


class State:
    """What a running kernel knows: the values, and which lanes are active."""

    def __init__(self, program, buffers):
        self.program = program
        self.lanes = program.grid * program.threads
        lane = np.arange(self.lanes)
        self.thread, self.block = lane % program.threads, lane // program.threads
        self.active = np.ones(self.lanes, bool)
        self.env, self.buffers = {}, buffers

    def memory(self, count, row, rows):
        shape = (rows, count)
        return me.Memory(np.zeros(shape, np.uint8), np.zeros(shape, bool), row)

    def __getitem__(self, value):
        return self.env[value.name]


def run_ops(ops, state):
    for op in ops:
        op.run(state)


def concrete(shape, tree):
    """A type's shape with its unknowns, from the sizes that it has."""
    if isinstance(shape, tuple):
        if isinstance(tree, tuple) and len(tree) == len(shape):
            return tuple(concrete(s, t) for s, t in zip(shape, tree))
        n = me.size(tree)
        known = [x for x in al.flat(shape) if not isinstance(x, al.Dyn)]
        if len(al.flat(shape)) - len(known) > 1:
            return tree
        missing = n // math.prod(known)
        build = lambda s: tuple(map(build, s)) if isinstance(s, tuple) else (
            missing if isinstance(s, al.Dyn) else s
        )
        return build(shape)
    n = me.size(tree)
    if not isinstance(shape, al.Dyn) and shape != n:
        raise AssertionError(f"a mode of {n} has the type {shape}")
    return n


def check(type_, view):
    """A static type says what the enumeration found, up to where it starts."""
    layout = type_.linear
    leaves = al.flat(layout.shape) + al.flat(layout.stride)
    if any(isinstance(x, (al.Dyn, al.Basis)) for x in leaves):
        return
    if isinstance(getattr(type_, "layout", None), al.Composed):
        return
    n = me.size(layout.shape)
    want = me.crd2idx(np.arange(n), layout.shape, layout.stride)
    for table in view.tables:
        if table.shape[1] != n or (table - table[:, :1] != want).any():
            raise AssertionError(
                f"{al.text(layout)} is not {(table - table[:, :1])[0].tolist()}"
            )


@dataclasses.dataclass
class Program:
    name: str
    chip: str
    grid: int
    threads: int
    arguments: list = dataclasses.field(default_factory=list)
    buffers: list = dataclasses.field(default_factory=list)  # arrays, in order
    outputs: list = dataclasses.field(default_factory=list)  # buffer numbers
    ops: list = dataclasses.field(default_factory=list)

    def text(self):
        arguments = ", ".join(f"{v.name}: {ty(v.type)}" for v, _, _ in self.arguments)
        lines = [f"  gpu.func @{self.name}({arguments}) kernel"]
        lines.append(
            "      attributes {known_block_size = "
            f"array<i32: {self.threads}, 1, 1>}} {{"
        )
        _print(self.ops, 2, lines)
        return "\n".join(lines + ["    gpu.return", "  }"])

    def fresh(self):
        return [b.copy() for b in self.buffers]

    def run(self):
        """The buffers afterwards, and for the outputs which bytes are written."""
        state, memories = State(self, None), []
        row = np.zeros(state.lanes, np.int64)
        for number, array in enumerate(self.fresh()):
            data = array.reshape(1, -1).view(np.uint8)
            out = number in self.outputs
            written = np.full(data.shape, not out)
            memories.append(me.Memory(data, written, row, constant=not out))
        state.buffers = memories
        for value, _, make in self.arguments:
            state.env[value.name] = make(state)
        with np.errstate(all="ignore"):
            run_ops(self.ops, state)
        return [
            m.data[0].view(b.dtype).reshape(b.shape)
            for m, b in zip(memories, self.buffers)
        ]


def _print(ops, depth, lines):
    pad = "  " * depth
    for op in ops:
        lines.append(pad + op.text)
        for k, (opening, body) in enumerate(op.regions):
            if opening:
                lines.append(pad + opening)
            _print(body, depth + 1, lines)
        if op.tail:
            lines.append(pad + op.tail)
