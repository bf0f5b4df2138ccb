# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One method for each op: its text, its result type, its meaning.

In: values of the program. Out: the value of the op, appended where `ops` is.
The law: the result type is computed by algebra.py from the operand types alone,
the meaning by meaning.py from the operand meanings alone; a view is compared
with its type each time it is made.
"""

from __future__ import annotations

import dataclasses

import numpy as np

import algebra as al
import meaning as me
from program import (
    Coords, LayoutType, Named, Op, Pointer, Ref, Tuple, Value, Vector, run_ops, ty,
)  # fmt: skip
from values import ValueBuilder


class Builder(ValueBuilder):
    """Appends memory, copies and control flow as well."""

    # --- Memory ---------------------------------------------------------------

    def register(self, layout, elem):
        """fly.memref.alloca of a static layout value's layout."""
        made = self.layout(layout)
        type_ = Ref(elem, "register", layout, (Ref(elem, "", None, 1).bits + 7) // 8)
        return self.fly(
            "memref.alloca", [made], type_, lambda s: self.private(s, type_)
        )

    @staticmethod
    def private(s, type_):
        count = al.cosize(type_.layout)
        itemsize = me.ELEMENTS[type_.elem][1].itemsize
        memory = s.memory(count * itemsize, np.arange(s.lanes), s.lanes)
        view = me.linear(type_.layout.shape, [type_.layout.stride])
        return view.with_(memory=memory, elem=type_.elem)

    def fragment_like(self, view, elem=None):
        layout = al.fragment(view.type.linear)
        if al.rank(layout) != al.rank(view.type.linear):
            raise al.Unfit("a fragment of another rank: nothing copies into it")
        type_ = Ref(elem or view.type.elem, "register", layout, 1)
        type_ = dataclasses.replace(type_, align=(type_.bits + 7) // 8)
        names = view.name + (f", {elem}" if elem else "")
        return self.op(
            f"fly.make_fragment_like({names}) : ({ty(view.type)}) -> {ty(type_)}",
            [view],
            type_,
            lambda s: self.private(s, type_),
        )

    def shared(self, elem, count, align, layout):
        """A workgroup buffer seen by a static layout."""
        itemsize = me.ELEMENTS[elem][1].itemsize
        pointer = Pointer(elem, "shared", align)

        def run(s):
            p = s.program
            return s.memory(count * itemsize, s.block.astype(np.int64), p.grid), elem

        made = self.op(
            f"fly.make_ptr() {{dictAttrs = {{allocBytes = {count * itemsize} : i64, "
            f"allocAlign = {align} : i64}}}} : () -> {ty(pointer)}",
            [],
            pointer,
            run,
        )
        place = self.layout(layout)
        return self.make_view(made, place, Ref(elem, "shared", layout, align))

    def buffer(self, view, size, chip):
        """The tensor argument `view` through a buffer resource of `size` bytes,
        a value or a number that 16 divides: every access is inside or outside."""
        pointer = Pointer(view.type.elem, "global", view.type.align)
        pointer = self.fly("get_iter", [view], pointer, lambda s: (s[view].memory, s[view].elem))
        place = self.fly("get_layout", [view], LayoutType(view.type.layout), lambda s: s[view])
        number = isinstance(size, int)
        made = dataclasses.replace(pointer.type, space="#fly_rocdl.buffer_desc")
        # The word 3 of AMD's manuals: data format 32, and on RDNA the check of
        # raw buffers.
        flags = self.number(0x27000 if chip[:4] == "gfx9" else 0x31026000)
        bytes_ = self.number(size, "i64") if number else self.op(
            f"arith.extui {size.name} : i32 to i64", [size], "i64", lambda s: s[size]
        )

        def run(s):
            memory, elem = s[pointer]
            return dataclasses.replace(memory, limit=int(s[bytes_][0])), elem

        resource = self.fly(
            "make_ptr", [pointer, self.number(0, "i16"), bytes_, flags], made, run
        )
        return self.make_view(resource, place, self.ref_of(resource, view.type.layout))

    def load_vec(self, view):
        if isinstance(view.type, Coords):
            n = int(al.product(view.type.layout.shape))
            return self.fly(
                "memref.load_vec", [view], Vector(n, "i32"),
                lambda s: np.broadcast_to(s[view].tables[0], (s.lanes, n)),
            )  # fmt: skip
        n = al.product(view.type.linear.shape)
        return self.fly(
            "memref.load_vec",
            [view],
            Vector(n, view.type.elem),
            lambda s: me.load(s[view], s.active),
        )

    def store_vec(self, value, view):
        self.fly(
            "memref.store_vec",
            [value, view],
            None,
            lambda s: me.store(s[view], s[value], s.active),
        )

    def load(self, view, coord):
        if isinstance(view.type, Coords):
            offset = al.crd2idx(coord.type.value, view.type.layout)

            def where(s):
                out = me.cut(s[view], s[coord], s.lanes, s.active)
                parts = tuple(t[:, 0] for t in out.tables)
                return parts if isinstance(view.type.base, tuple) else parts[0]

            return self.fly(
                "memref.load", [view, coord], Tuple(al.oplus(view.type.base, offset)), where
            )

        def run(s):
            return me.load(me.cut(s[view], s[coord], s.lanes, s.active), s.active)[:, 0]

        return self.fly("memref.load", [view, coord], view.type.elem, run)

    def store(self, value, view, coord):
        def run(s):
            where = me.cut(s[view], s[coord], s.lanes, s.active)
            me.store(where, s[value].reshape(-1, 1), s.active)

        self.fly("memref.store", [value, view, coord], None, run)

    def barrier(self):
        self.op("gpu.barrier", [], None, lambda s: None)

    # --- Copies ---------------------------------------------------------------

    def copy_atom(self, bits, value_bits, view=None):
        """For a copy with `view`, which may be a buffer."""
        op = "!fly.universal_copy"
        if view is not None and "buffer" in view.type.space:
            op = "!fly_rocdl.cdna3.buffer_copy"
        type_ = Named(f"!fly.copy_atom<{op}<{bits}>, {value_bits}>")
        return self.once(
            f"fly.make_copy_atom {{valBits = {value_bits} : i32}} : {type_.text}",
            type_,
            lambda s: None,
        )

    def tiled_copy(self, atom, w, tile):
        """`w` is a static layout value, `tile` a list of numbers or a number."""
        made = self.tile(tile)
        type_ = Named(f"!fly.tiled_copy<{atom.type.text}, {ty(w.type)}, {made.type.text}>")
        return self.fly("make_tiled_copy", [atom, w, made], type_, lambda s: None)

    def partition(self, which, copy, view, w, tile, values, thread):
        """tiled_copy.partition_src or _dst; `thread` is an int_tuple value."""
        whole = al.copy_view(view.type.linear, w.type.layout, tile, values)
        parts = al.modes(whole)
        offset = al.crd2idx(thread.type.value, parts[0])
        result = view.type.moved(offset, al.join(parts[1:]))
        tiles = tile if isinstance(tile, list) else [tile]

        def run(s):
            return me.copy_partition(
                s[view], s[w], values, tiles, s[thread], s.active
            )

        return self.view(f"tiled_copy.partition_{which}", [copy, view, thread], result, run)

    def retile(self, copy, fragment, origin, part, w, tile, values):
        """The fragment of a matrix product as a copy sees it: at element i of
        the copy's part of the tensor stands what the product's part, `origin`,
        has there."""
        layout = al.retile(w.type.layout, tile, fragment.type.layout, values)
        result = dataclasses.replace(fragment.type, layout=layout)

        def run(s):
            at, to = (np.broadcast_to(s[v].tables[0], (s.lanes, s[v].tables[0].shape[1]))
                      for v in (origin, part))  # fmt: skip
            sorted_ = np.argsort(at[0], kind="stable")
            where = np.searchsorted(at[0][sorted_], to[0])
            index = sorted_[np.clip(where, 0, len(sorted_) - 1)]
            if at.shape != to.shape or (at[:, index] != to).any():
                raise me.Ill("the copy's threads hold other elements")
            first, *rest = (me.size(t) for t in s[part].tree)
            tree = ((values, first // values), *rest)
            return me.gather(s[fragment], tree, index[None, :])

        return self.view("tiled_copy.retile", [copy, fragment], result, run)

    def copy(self, atom, src, dst, predicate=None):
        """Element i of src to element i of dst, where its predicate holds; a
        predicate of one mode less holds for all of mode 0."""

        def run(s):
            values = me.load(s[src], s.active)
            active = s.active[:, None]
            if predicate:
                p = me.load(s[predicate], s.active)
                each = values.shape[1] // p.shape[1]
                active = active & np.repeat(p, each, 1)
            me.store(s[dst], values, np.broadcast_to(active, values.shape))

        operands = [atom, src, dst] + ([predicate] if predicate else [])
        self.fly("copy", operands, None, run)

    # --- Control flow ---------------------------------------------------------

    def if_(self, condition, then, otherwise=None, results=()):
        """scf.if; `then` and `otherwise` build the branches and return what they
        yield, of the types `results`."""
        outs = [Value(self.name(), t) for t in results]
        bodies, yields = [], []
        for build in (then, otherwise):
            if build is None:
                bodies.append([])
                yields.append([])
                continue
            outer, self.ops = self.ops, []
            self.scopes.append({})
            yields.append(list(build() or []))
            self.scopes.pop()
            if outs:
                self.ops.append(_yield(yields[-1]))
            bodies.append(self.ops)
            self.ops = outer

        def run(s):
            before, parts = s.active, []
            c = s[condition].astype(bool)
            for mask, body, names in zip((c, ~c), bodies, yields):
                s.active = before & mask
                run_ops(body, s)
                parts.append([s[n] for n in names])
            s.active = before
            for out, a, b in zip(outs, *parts):
                s.env[out.name] = np.where(c.reshape((-1,) + (1,) * (a.ndim - 1)), a, b)

        left = ", ".join(o.name for o in outs) + " = " if outs else ""
        kinds = f" -> ({', '.join(ty(o.type) for o in outs)})" if outs else ""
        regions = [("", bodies[0])] + ([("} else {", bodies[1])] if otherwise else [])
        self.ops.append(
            Op(f"{left}scf.if {condition.name}{kinds} {{", run,
               [o.name for o in outs], [condition.name], regions, "}")
        )  # fmt: skip
        return outs

    def for_(self, begin, end, step, initial, body):
        """scf.for over i32; `body(i, carried)` returns what it yields."""
        outs = [Value(self.name(), v.type) for v in initial]
        i = Value(self.name(), "i32")
        inner = [Value(self.name(), v.type) for v in initial]
        outer, self.ops = self.ops, []
        self.scopes.append({})
        yields = list(body(i, inner) or [])
        self.scopes.pop()
        if outs:
            self.ops.append(_yield(yields))
        ops, self.ops = self.ops, outer

        def run(s):
            before = s.active
            at, stop, by = (np.array(s[x]) for x in (begin, end, step))
            carried = [s[v] for v in initial]
            while True:
                s.active = before & (at < stop)
                if not s.active.any():
                    break
                s.env[i.name] = at
                for v, x in zip(inner, carried):
                    s.env[v.name] = x
                run_ops(ops, s)
                keep = s.active
                carried = [
                    np.where(keep.reshape((-1,) + (1,) * (x.ndim - 1)), s[y], x)
                    for y, x in zip(yields, carried)
                ]
                at = np.where(keep, at + by, at)
            s.active = before
            for o, x in zip(outs, carried):
                s.env[o.name] = x

        left = ", ".join(o.name for o in outs) + " = " if outs else ""
        carry = ""
        if outs:
            pairs = ", ".join(f"{v.name} = {x.name}" for v, x in zip(inner, initial))
            carry = f" iter_args({pairs}) -> ({', '.join(ty(o.type) for o in outs)})"
        text = f"{left}scf.for {i.name} = {begin.name} to {end.name} step {step.name}{carry} : i32 {{"
        uses = [v.name for v in (begin, end, step, *initial)]
        self.ops.append(Op(text, run, [o.name for o in outs], uses, [("", ops)], "}"))
        return outs

    def while_(self, initial, condition, body):
        """scf.while that carries values of the types of `initial`, at least one.
        `condition(carried)` returns (i1, the values that go on), `body(values)`
        what is carried next."""
        types = [v.type for v in initial]
        outs, before, after = ([Value(self.name(), t) for t in types] for _ in range(3))
        outer, regions, yields = self.ops, [], []
        for build, names in ((condition, before), (body, after)):
            self.ops = []
            self.scopes.append({})
            made = build(names)
            self.scopes.pop()
            if build is condition:
                holds, passed = made
                listed = ", ".join(v.name for v in passed)
                self.ops.append(
                    Op(f"scf.condition({holds.name}) {listed} : {', '.join(map(ty, types))}",
                       lambda s: None, [], [holds.name, *(v.name for v in passed)])
                )  # fmt: skip
            else:
                yields = list(made)
                self.ops.append(_yield(yields))
            regions.append(self.ops)
        self.ops = outer

        def run(s):
            entered = s.active
            carried = [s[v] for v in initial]
            results = [np.array(x) for x in carried]
            while s.active.any():
                for v, x in zip(before, carried):
                    s.env[v.name] = x
                run_ops(regions[0], s)
                go, now = s[holds].astype(bool) & s.active, [s[v] for v in passed]
                done = s.active & ~go
                results = [merge(done, x, r) for x, r in zip(now, results)]
                s.active = go
                if not go.any():
                    break
                for v, x in zip(after, now):
                    s.env[v.name] = x
                run_ops(regions[1], s)
                carried = [s[v] for v in yields]
            s.active = entered
            for o, x in zip(outs, results):
                s.env[o.name] = x

        pairs = ", ".join(f"{v.name} = {x.name}" for v, x in zip(before, initial))
        kinds = ", ".join(map(ty, types))
        arguments = ", ".join(f"{v.name}: {ty(v.type)}" for v in after)
        text = f"{', '.join(o.name for o in outs)} = scf.while ({pairs}) : ({kinds}) -> ({kinds}) {{"
        self.ops.append(
            Op(text, run, [o.name for o in outs], [v.name for v in initial],
               [("", regions[0]), (f"}} do {{ ^bb0({arguments}):", regions[1])], "}")
        )  # fmt: skip
        return outs


def merge(mask, x, y):
    """x where the mask holds for the lane, else y."""
    return np.where(mask.reshape((-1,) + (1,) * (x.ndim - 1)), x, y)


def _yield(values):
    names = ", ".join(v.name for v in values)
    kinds = ", ".join(ty(v.type) for v in values)
    return Op(f"scf.yield {names} : {kinds}", lambda s: None, [], [v.name for v in values])
