# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers, tuples, layouts and views: one method for each op of theirs.

What builder.py adds memory, copies and control flow to, under the same law.
"""

from __future__ import annotations

import dataclasses

import numpy as np

import algebra as al
import meaning as me
from program import (
    Coords, LayoutType, Named, Op, Ref, Tuple, Value, Vector, check, concrete, ty,
)  # fmt: skip

class ValueBuilder:
    """Appends ops to a program; `ops` is where the next one goes."""

    def __init__(self, program):
        self.program, self.ops, self.count = program, program.ops, 0
        self.scopes = [{}]

    def once(self, text, type_, run):
        """A constant: the one that is in scope already, or a new one."""
        for scope in self.scopes:
            if text in scope:
                return scope[text]
        self.scopes[-1][text] = self.op(text, [], type_, run)
        return self.scopes[-1][text]

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def op(self, text, operands, result, run):
        """An op with at most one result; `run(state)` gives its meaning."""
        uses = [o.name for o in operands]
        if result is None:
            self.ops.append(Op(text, run, [], uses))
            return None
        value = Value(self.name(), result)

        def bind(state):
            state.env[value.name] = run(state)

        self.ops.append(Op(f"{value.name} = {text}", bind, [value.name], uses))
        return value

    def fly(self, name, operands, result, run, attributes="", before=""):
        """An op of the default form."""
        names = ", ".join([before] * bool(before) + [o.name for o in operands])
        types = ", ".join(ty(o.type) for o in operands)
        res = "()" if result is None else ty(result)
        attributes = f" {{{attributes}}}" if attributes else ""
        return self.op(
            f"fly.{name}({names}){attributes} : ({types}) -> {res}",
            operands,
            result,
            run,
        )

    def view(self, name, operands, result, run, attributes="", before=""):
        """An op whose result is a view, checked against its type."""

        def checked(state):
            view = run(state)
            view = me.reshape(view, concrete(result.linear.shape, view.tree))
            check(result, view)
            return view

        return self.fly(name, operands, result, checked, attributes, before)

    # --- Arguments and numbers ------------------------------------------------

    def argument(self, type_, values, make):
        """A kernel argument; `values` are what the launch passes for it, `make`
        is its meaning."""
        value = Value(f"%a{len(self.program.arguments)}", type_)
        self.program.arguments.append((value, values, make))
        return value

    def number(self, n, type_="i32"):
        return self.once(
            f"arith.constant {n} : {type_}", type_, lambda s: np.full(s.lanes, n)
        )

    def thread(self):
        return self.index("gpu.thread_id x", lambda s: s.thread.astype(np.int64))

    def block(self):
        return self.index("gpu.block_id x", lambda s: s.block.astype(np.int64))

    def index(self, text, run):
        i = self.op(text, [], "index", run)
        return self.op(
            f"arith.index_cast {i.name} : index to i32", [i], "i32", lambda s: s[i]
        )

    def arith(self, name, a, b):
        """Two-operand arithmetic on numbers or vectors of one type."""
        function = ARITH[name]
        elem = a.type.elem if isinstance(a.type, Vector) else a.type
        dtype = me.ELEMENTS[elem][1]

        def run(s):
            x, y = s[a].astype(dtype), s[b].astype(dtype)
            r = function(x, y)
            return r if isinstance(a.type, Vector) else r.astype(np.int64)

        return self.op(f"arith.{name} {a.name}, {b.name} : {ty(a.type)}", [a, b], a.type, run)

    def compare(self, predicate, a, b):
        kind = "cmpf" if isinstance(a.type, Vector) and a.type.elem[0] == "f" else "cmpi"
        spelled = ("o" if kind == "cmpf" else "s" * (predicate not in ("eq", "ne"))) + predicate
        result = Vector(a.type.n, "i1") if isinstance(a.type, Vector) else "i1"
        function = {
            "lt": np.less, "le": np.less_equal, "gt": np.greater,
            "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal,
        }[predicate]  # fmt: skip
        if kind == "cmpf" and predicate == "ne":
            spelled = "une"
        return self.op(
            f"arith.{kind} {spelled}, {a.name}, {b.name} : {ty(a.type)}",
            [a, b],
            result,
            lambda s: function(s[a], s[b]),
        )

    def select(self, c, a, b):
        def run(s):
            return np.where(s[c], s[a], s[b])

        kinds = f"{ty(c.type)}, {ty(a.type)}" if isinstance(a.type, Vector) else ty(a.type)
        return self.op(
            f"arith.select {c.name}, {a.name}, {b.name} : {kinds}", [c, a, b], a.type, run
        )

    def splat(self, n, vector):
        """The constant vector of a small integer in any arithmetic type."""
        kind = me.ELEMENTS[vector.elem][2]
        word = f"{float(n):.1f}" if kind == "float" else str(n)
        dtype = me.ELEMENTS[vector.elem][1]
        if kind == "bool":
            word = "true" if n else "false"
        return self.op(
            f"arith.constant dense<{word}> : {ty(vector)}",
            [],
            vector,
            lambda s: np.full((s.lanes, vector.n), n, dtype),
        )

    def broadcast(self, x, n):
        return self.op(
            f"vector.broadcast {x.name} : {ty(x.type)} to vector<{n}x{x.type}>",
            [x],
            Vector(n, x.type),
            lambda s: np.repeat(s[x].reshape(-1, 1), n, 1),
        )

    # --- Tuples ---------------------------------------------------------------

    def tuple_(self, value, operands=(), op="make_int_tuple"):
        """An int_tuple: `value` has a Dyn where the next operand goes."""
        operands = list(operands)

        def run(s):
            given = iter(operands)

            def walk(t):
                if isinstance(t, tuple):
                    return tuple(walk(x) for x in t)
                return s[next(given)] if isinstance(t, al.Dyn) else t

            return walk(value)

        return self.fly(op, operands, Tuple(value), run)

    def elem_less(self, a, b):
        """a < b in each mode, for flat tuples of one length, or numbers."""

        def run(s):
            result = True
            for x, y in zip(me.children(s[a]), me.children(s[b])):
                result = np.logical_and(result, me.rows(x, s.lanes) < me.rows(y, s.lanes))
            return result

        return self.fly("elem_less", [a, b], "i1", run)

    def scalar(self, t):
        value = al.unwrap(t.type.value)
        result = f"i{al.width_of(value)}"

        def run(s):
            x = me.rows(al.unwrap(s[t]), s.lanes)
            if result == "i32" and (x != x.astype(np.int32))[s.active].any():
                raise me.Ill("more than 32 bits")
            return x

        return self.fly("get_scalar", [t], result, run)

    # --- Layouts and views ----------------------------------------------------

    def layout(self, layout):
        """A static layout, swizzled or not."""
        outer = layout.outer if isinstance(layout, al.Composed) else layout

        def run(s):
            view = me.linear(outer.shape, [outer.stride])
            if isinstance(layout, al.Composed):
                return me.shifted(
                    view, layout.offset, lambda x: me.swizzle(*layout.swizzle, x)
                )
            return view

        type_ = LayoutType(layout)
        return self.once(f"fly.static : {ty(type_)}", type_, run)

    def tile(self, tile):
        type_ = Named(f"!fly.tile<{al.text(tile)}>")
        return self.once(f"fly.static : {type_.text}", type_, lambda s: None)

    def identity(self, shape, operands, zero):
        """The coordinate tensor of a flat shape, from its unknown extents."""
        rank = len(shape) if isinstance(shape, tuple) else 0
        shape_value = self.tuple_(shape, operands, "make_shape")
        unit = tuple(al.Basis(1, (i,)) for i in range(rank)) if rank else 1
        layout = al.Layout(shape, unit)

        def run(s):
            extents = s[shape_value]
            one = lambda x: int(np.ravel(x)[0])
            extents = tuple(map(one, extents)) if rank else one(extents)
            strides = [
                tuple(int(i == k) for i in range(rank)) for k in range(rank)
            ] or [1]
            return me.linear(extents, strides)

        made = self.fly("make_identity_layout", [shape_value], LayoutType(layout), run)
        base = self.tuple_(zero)
        result = Coords(zero, layout)
        return self.fly("make_view", [base, made], result, lambda s: s[made])

    def make_view(self, pointer, layout, type_):
        """A tensor from a pointer and a layout."""

        def run(s):
            memory, elem = s[pointer]
            return s[layout].with_(memory=memory, elem=elem)

        return self.fly("make_view", [pointer, layout], type_, run)

    @staticmethod
    def ref_of(pointer, layout):
        """The type of a view of a pointer."""
        return Ref(pointer.type.elem, pointer.type.space, layout, pointer.type.align)

    def recast(self, pointer, elem):
        """The same address as a pointer to other elements."""
        type_ = dataclasses.replace(pointer.type, elem=elem)
        return self.fly("recast_iter", [pointer], type_, lambda s: (s[pointer][0], elem))

    @staticmethod
    def width(value):
        return me.ELEMENTS[value.type][0]

    def size_of(self, view):
        result = Tuple(al.product(view.type.linear.shape))
        return self.fly("size", [view], result, lambda s: me.size(s[view].tree))

    def slice(self, view, coord):
        """`coord` is an int_tuple value with `*` where a mode is kept."""
        c = coord.type.value
        offset = al.crd2idx(c, view.type.linear)
        result = view.type.moved(offset, al.slice_layout(view.type.linear, c))
        plain = isinstance(view.type, LayoutType)

        def run(s):
            out = me.cut(s[view], s[coord], s.lanes, s.active)
            if plain:  # the offset of a layout is dropped
                out = out.with_(tables=[t - t[:, :1] for t in out.tables])
            return out

        return self.view("slice", [view, coord], result, run)

    def get(self, view, path):
        linear = view.type.linear
        for p in path:
            linear = al.modes(linear)[p]

        def run(s):
            out = s[view]
            for p in path:
                out = me.choose(out, [p])
            return out

        words = ", ".join(map(str, path))
        return self.view(
            "get", [view], view.type.same(linear), run, f"mode = array<i32: {words}>"
        )

    def choose(self, op, view, which):
        """select or take of the modes `which`."""
        parts = al.modes(view.type.linear)
        linear = parts[which[0]] if len(which) == 1 else al.join([parts[w] for w in which])
        words = f"indices = array<i32: {', '.join(map(str, which))}>"
        if op == "take":
            words = f"begin = {which[0]} : i32, end = {which[-1] + 1} : i32"
        return self.view(
            op, [view], view.type.same(linear), lambda s: me.choose(s[view], which), words
        )

    def group(self, view, begin, end):
        parts = al.modes(view.type.linear)
        parts[begin:end] = [al.join(parts[begin:end])]

        def run(s):
            trees = list(me.children(s[view].tree))
            trees[begin:end] = [tuple(trees[begin:end])]
            return me.reshape(s[view], tuple(trees))

        words = f"begin = {begin} : i32, end = {end} : i32"
        return self.view("group", [view], view.type.same(al.join(parts)), run, words)

    def coalesce(self, view):
        layout = al.coalesce(view.type.linear)
        if any(isinstance(x, al.Dyn) for x in al.flat(layout.shape)):
            raise al.Unfit("the shape is not known")
        return self.view(
            "coalesce",
            [view],
            view.type.same(layout),
            lambda s: me.reshape(s[view], layout.shape),
        )

    def composition(self, view, layout):
        """view o layout, for a static layout value."""
        inner = layout.type.layout
        result = view.type.same(al.composition(view.type.linear, inner))
        if any(isinstance(x, al.Dyn) for x in al.flat(result.linear.shape)):
            raise al.Unfit("the shape is not known")

        def run(s):
            index = s[layout].tables[0]
            whole = me.reshape(s[view], me.size(s[view].tree))
            tables = whole.at([index], s.active)
            # Leaf by leaf is how the op is defined; a sum that carries from one
            # mode of the operand into the next is no composition.
            start = whole.at([np.zeros((1, 1), np.int64)], s.active)
            leaves = me.enumerate_modes(me.flat(inner.shape))
            for table, zero in zip(tables, start):
                parts = [
                    whole.at([(c * d)[None, :]], s.active)[0] - zero
                    for c, d in zip(leaves, me.flat(inner.stride))
                ]
                if (zero + sum(parts) != table).any():
                    raise me.Ill("the composition carries")
            return s[view].with_(tree=result.linear.shape, tables=tables, beyond=None)

        return self.view("composition", [view, layout], result, run)

    def divide(self, kind, view, tile):
        """`tile` is a list of numbers and static layouts, or one number."""
        listed = tile if isinstance(tile, list) else [tile]
        linear = al.divide(kind, view.type.linear, tile)
        meaning = [
            me.linear(t.shape, [t.stride]) if isinstance(t, al.Layout) else t
            for t in listed
        ]

        def run(s):
            out = me.divide(kind, s[view], meaning, s.active)
            if not isinstance(tile, list):
                out = me.reshape(out, tuple(me.flat(out.tree)))
            return out

        made = self.tile(tile)
        return self.view(kind, [view, made], view.type.same(linear), run)

    def product(self, kind, a, b):
        """A product of two static layouts, by the meaning of its modes: block b
        of the result is the block a, moved to a place of its own."""
        result = LayoutType(al.make_product(kind, a.type.layout, b.type.layout))
        return self.fly(
            kind, [a, b], result,
            lambda s: me.linear(result.layout.shape, [result.layout.stride]),
        )  # fmt: skip


ARITH = {
    "addi": np.add, "subi": np.subtract, "muli": np.multiply,
    "andi": np.bitwise_and, "ori": np.bitwise_or, "xori": np.bitwise_xor,
    "maxsi": np.maximum, "minsi": np.minimum,
    "divui": lambda a, b: a // np.where(b == 0, 1, b),
    "remui": lambda a, b: a % np.where(b == 0, 1, b),
    "addf": np.add, "subf": np.subtract, "mulf": np.multiply,
    "maximumf": lambda a, b: np.where((a == 0) & (b == 0), a + b, np.maximum(a, b)),
    "minimumf": lambda a, b: np.where((a == 0) & (b == 0), -(-a + -b), np.minimum(a, b)),
}  # fmt: skip
