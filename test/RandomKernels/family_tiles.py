# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""out = f(a, b), tile by tile, through tiled copies.

In: the choices of a kernel. Out: its ops. Drawn are the rank and the extents
(whole tiles or ragged, then with predicates from coordinates), the strides, the
kind of divide, the thread-value layout, the width of each copy, whether the
partition comes before or after the choice of the tile, a way through a swizzled
workgroup buffer, register memory that lives through the loop, branches, buffer
resources that end inside of the tensor, predicates that change in a loop.
"""

from __future__ import annotations

import math

import algebra as al
import meaning as me
from program import Vector


def thread_value(draw, tile, threads, first):
    """A random layout (threads, values) -> colexicographic index of the tile,
    one to one; the values start with those along mode `first`."""
    factors, step = [], 1
    for i, n in enumerate(tile):
        while n > 1:
            p = 2 if n % 2 == 0 else n
            factors.append((p, step, i))
            step *= p
            n //= p
    values = math.prod(tile) // threads
    mine, rest = [], list(factors)
    fits = lambda f: values % math.prod([x[0] for x in mine + [f]]) == 0
    if draw.chance(0.6):  # values along the contiguous mode first
        for f in factors:
            if f[2] == first and fits(f):
                if draw.chance(0.1):
                    break
                mine.append(f)
                rest.remove(f)
    draw.rng.shuffle(rest)
    if draw.chance(0.5):  # whole runs are the common case
        rest.sort(key=lambda f: f[1])
    for f in list(rest):
        if math.prod([x[0] for x in mine]) < values and fits(f):
            mine.append(f)
            rest.remove(f)
    if math.prod([x[0] for x in mine]) != values:
        raise al.Unfit("the tile does not split")

    def layout(parts):
        out = []
        for p, d, _ in parts:
            if out and out[-1][0] * out[-1][1] == d and draw.chance(0.8):
                out[-1] = (out[-1][0] * p, out[-1][1])
            else:
                out.append((p, d))
        if not out:
            return al.Layout(1, 0)
        if len(out) == 1:
            return al.Layout(*out[0])
        return al.Layout(tuple(s for s, _ in out), tuple(d for _, d in out))

    return al.join([layout(rest), layout(mine)])


def atom_fits(type_, values):
    """May an access of `values` elements go through mode 0 of this type?"""
    if values == 1:
        return True
    mode = al.modes(al.modes(type_.linear)[0])[0]
    if mode.shape != values or mode.stride != 1:
        return False
    bits = type_.bits * values
    strides = [d for d in al.flat(type_.linear.stride) if d not in (0, 1)]
    if isinstance(type_.layout, al.Composed):
        base = 2 ** type_.layout.swizzle[1]
        offset = al.delta(type_.layout.offset) or base
        grid = math.gcd(base, offset, *(al.delta(d) for d in strides))
        return grid % values == 0 and type_.align * 8 >= bits
    aligned = all(al.delta(d) * type_.bits % bits == 0 for d in strides)
    return aligned and type_.align * 8 % bits == 0


def copy_for(draw, w_layout, tile, view, which, thread, limit=16):
    """A tiled copy with the widest or a random atom that fits the view, the
    thread's part of the view, and the elements of one access."""
    b, bits = draw.b, me.ELEMENTS[view.type.elem][0]
    count = al.product(w_layout.shape[1])
    choices = [
        n for n in (16, 8, 4, 2, 1)
        if count % n == 0 and limit % n == 0 and n * bits <= 128
    ]  # fmt: skip
    if draw.chance(0.3):
        choices = choices[draw.rng.randrange(len(choices)) :]
    for values in choices:
        try:
            parts = al.modes(al.copy_view(view.type.linear, w_layout, tile, values))
        except al.Unfit:
            continue
        offset = al.crd2idx(thread.type.value, parts[0])
        if atom_fits(view.type.moved(offset, al.join(parts[1:])), values):
            break
    else:
        raise al.Unfit("no atom fits")
    w = b.layout(w_layout)
    copy = b.tiled_copy(b.copy_atom(bits * values, bits, view), w, tile)
    part = b.partition(which, copy, view, w, tile, values, thread)
    return copy, part, values


class Tiles:
    """What the parts of one kernel share."""

    def __init__(self, draw):
        rng, self.draw, self.b = draw.rng, draw, draw.b
        self.elem = draw.element(moved_only=True)
        self.rank = draw.pick(1, 2, 2, 2, 3)
        self.n = min(self.rank, 2)
        size = draw.program.threads * draw.pick(1, 2, 4, 4, 8, 8, 16)
        self.tile = [size]
        if self.n == 2:
            t0 = 2 ** rng.randrange(0, size.bit_length())
            self.tile = [t0, size // t0]
        counts = [rng.randrange(1, 4) for _ in range(self.rank)]
        if math.prod(counts) > 6:
            counts = [1] * (self.rank - 1) + [2]
        self.extents = [t * c for t, c in zip(self.tile, counts)] + counts[self.n :]
        self.ragged = draw.chance(0.35)
        unit = draw.pick(1, 2, 4, 8, 8)
        for i in range(self.n * self.ragged):
            if draw.chance(0.7):
                less = rng.randrange(0, self.tile[i])
                self.extents[i] = max(1, self.extents[i] - less // unit * unit)
                counts[i] = -(-self.extents[i] // self.tile[i])
        self.counts = counts
        self.first = rng.randrange(self.n)
        self.w = thread_value(draw, self.tile, draw.program.threads, self.first)
        kinds = ["zipped_divide", "tiled_divide", "flat_divide", "logical_divide"]
        self.kind = draw.pick(*kinds[: 4 if self.rank > 1 else 1])
        self.limit = math.gcd(*self.extents[: self.n]) if self.ragged else 16
        self.tile_type = self.tile if self.rank > 1 else self.tile[0]
        self.identity = None

    def sources(self):
        """The tensors a, b (inputs) and c (output)."""
        draw, shape = self.draw, tuple(self.extents)
        shape = shape if self.rank > 1 else shape[0]
        first = lambda: self.first if self.rank > 1 and draw.chance(0.75) else None
        self.tensors = [
            draw.tensor(self.elem, shape, out, first(), buffers=0.25)
            for out in (False, False, True)
        ]
        self.thread = self.b.thread()
        self.t = self.b.tuple_(al.Dyn(), [self.thread], "make_coord")
        if self.ragged:
            b = self.b
            sizes = [
                draw.scalar(e) if draw.chance(0.5) else b.number(e)
                for e in self.extents
            ]
            unknown = tuple(al.Dyn() for _ in sizes) if self.rank > 1 else al.Dyn()
            self.sizes = b.tuple_(unknown, sizes)
            zero = (0,) * self.rank if self.rank > 1 else 0
            self.identity = b.identity(unknown, sizes, zero)

    def place(self, i):
        """Tile number i as one coordinate a mode."""
        b, place, rest = self.b, [], i
        for c in self.counts[:-1]:
            width = b.number(c)
            place.append(b.arith("remui", rest, width))
            rest = b.arith("divui", rest, width)
        return place + [rest]

    def one(self, view, place):
        """The tile of `view` at `place`."""
        b, at = self.b, al.Dyn()
        x = b.divide(self.kind, view, self.tile_type)
        rest = (at,) * self.rank
        if self.rank == 1:
            coord = (None, at)
        elif self.kind == "logical_divide":
            coord = tuple((None, at) if i < self.n else at for i in range(self.rank))
        elif self.kind == "zipped_divide":
            coord = (None, rest)
        elif self.kind == "tiled_divide":
            coord = (None,) + rest
        else:
            coord = (None,) * self.n + rest
        return b.slice(x, b.tuple_(coord, place, "make_coord"))

    def part(self, view, which, place, limit=None):
        """This thread's part of the tile: (copy, part, elements an access)."""
        draw, b, limit = self.draw, self.b, limit or self.limit
        if self.rank == self.n and draw.chance(0.25):
            copy, parts, values = copy_for(
                draw, self.w, self.tile_type, view, which, self.t, limit
            )
            coord = (None,) + (al.Dyn(),) * self.rank
            part = b.slice(parts, b.tuple_(coord, place, "make_coord"))
            if not atom_fits_sliced(part.type, values):
                raise al.Unfit("the slice is narrower")
            return copy, part, values
        one = self.one(view, place)
        return copy_for(draw, self.w, self.tile_type, one, which, self.t, limit)

    def predicate(self, part, values, place):
        """A fragment that says for each access whether it is inside."""
        b, draw = self.b, self.draw
        one = self.one(self.identity, place)
        bits = me.ELEMENTS[self.elem][0]
        w = b.layout(self.w)
        copy = b.tiled_copy(b.copy_atom(bits * values, bits), w, self.tile_type)
        mine = b.partition("src", copy, one, w, self.tile_type, values, self.t)
        count = al.product(self.w.shape[1]) // values
        nested = isinstance(al.modes(part.type.linear)[0].shape, tuple)
        units = (1,) * (al.rank(part.type.linear) - 1) if nested else ()
        shape = ((1, count),) + units if units else (1, count)
        layout = al.Layout(shape, al.compact(shape))
        if units and count == 1 and draw.chance(0.5):  # a predicate of rank - 1
            layout = al.Layout(units, al.compact(units))
            if len(units) == 1:
                layout = al.Layout(1, 1)
        fragment = b.register(layout, "i1")
        if al.rank(mine.type.layout) == 1:
            raise al.Unfit("coordinates of one mode")
        zeros = (0,) * (al.rank(mine.type.layout) - 1)
        for r in range(count):
            c = b.load(mine, b.tuple_(((0, r),) + zeros))
            less = b.elem_less(c, self.sizes)
            if layout.shape == shape:
                where = ((0, r),) + (0,) * len(units) if units else (0, r)
            else:
                where = (0,) * len(units) if len(units) > 1 else 0
            b.store(less, fragment, b.tuple_(where))
        return fragment

    def masked(self, copy, source, target, predicate):
        """A copy; perhaps again and again in a loop that clears predicates."""
        b, draw = self.b, self.draw
        if predicate is None or draw.chance(0.7):
            return b.copy(copy, source, target, predicate)
        shape = predicate.type.layout.shape
        count = me.size(shape)

        def body(i, _):
            for r in draw.rng.sample(range(count), min(count, draw.pick(1, 2))):
                where = b.tuple_(coordinate(shape, r))
                less = b.compare("lt", i, b.number(draw.rng.randrange(3)))
                clear = lambda: b.store(
                    b.arith("andi", b.load(predicate, where), less), predicate, where
                )
                if draw.chance(0.4):
                    b.if_(draw.condition(self.thread), clear)
                else:
                    clear()
            b.copy(copy, source, target, predicate)

        high = draw.scalar(draw.rng.randrange(1, 4)) if draw.chance(0.5) else b.number(2)
        b.for_(b.number(0), high, b.number(1), [], body)


def coordinate(tree, i):
    """The coordinate of element i of a shape, as a tuple of numbers."""
    if isinstance(tree, tuple):
        out = []
        for t in tree:
            out.append(coordinate(t, i % me.size(t)))
            i //= me.size(t)
        return tuple(out)
    return i


def atom_fits_sliced(type_, values):
    """The part after the choice of a tile: mode 0 is all that is left."""
    if values == 1:
        return True
    mode = al.modes(type_.linear)[0]
    return mode.shape == values and mode.stride == 1 and (
        type_.align * 8 % (type_.bits * values) == 0
    )


def swizzle_for(draw, count):
    """A swizzle that keeps `count` elements (a power of two) inside."""
    base, mask = draw.rng.randrange(0, 4), draw.rng.randrange(1, 4)
    shift = draw.rng.randrange(mask, mask + 3)
    if count & (count - 1) or mask + base + shift > count.bit_length() - 1:
        raise al.Unfit("the swizzle leaves the buffer")
    return (mask, base, shift)


def through_shared(k, fragment):
    """Through a swizzled workgroup buffer: written by one partition, read by
    another."""
    draw, b = k.draw, k.b
    count = math.prod(k.tile)
    if draw.program.threads > draw.wave and me.ELEMENTS[k.elem][0] < 32:
        raise al.Unfit("the race detection sees words of 32 bits")
    layout = al.Layout(tuple(k.tile), draw.strides(tuple(k.tile), pad=False))
    if draw.chance(0.7):
        layout = al.Composed(swizzle_for(draw, count), 0, layout)
    other = thread_value(draw, k.tile, draw.program.threads, draw.rng.randrange(2))
    lds = b.shared(k.elem, count, 16, layout)
    b.barrier()
    copy, part, _ = copy_for(draw, k.w, k.tile, lds, "dst", k.t)
    values = b.load_vec(fragment)
    out = b.fragment_like(part)
    b.store_vec(values, out)
    b.copy(copy, out, part)
    b.barrier()
    copy, part, _ = copy_for(draw, other, k.tile, lds, "src", k.t)
    result = b.fragment_like(part)
    b.copy(copy, part, result)
    return result


def tiles(draw):
    """Fills the program of `draw`."""
    k, b, rng = Tiles(draw), draw.b, draw.rng
    k.sources()
    count = al.product(k.w.shape[1])
    vector = Vector(count, k.elem)
    raw = me.ELEMENTS[k.elem][2] == "raw"
    memory = None
    if draw.chance(0.3) and not raw:
        memory = b.register(al.Layout(count, 1), k.elem)
        b.store_vec(b.splat(3, vector), memory)
    staged = draw.chance(0.3) and not k.ragged and k.n == 2

    def body(i, _):
        place = k.place(i)
        copy_c, part_c, values_c = k.part(k.tensors[2], "dst", place)
        fragments, predicates = [], {}

        def predicate_for(part, values):
            if not k.ragged:
                return None
            key = (values, al.text(part.type.linear.shape))
            if key not in predicates:
                predicates[key] = k.predicate(part, values, place)
            return predicates[key]

        for x in k.tensors[:2]:
            copy, part, values = k.part(x, "src", place)
            fragment = b.fragment_like(part)
            if not raw and (k.ragged or draw.chance(0.2)):
                b.store_vec(b.splat(rng.randrange(1, 7), vector), fragment)
            elif k.ragged:
                raise al.Unfit("nothing to start from")
            inside = predicate_for(part, values)
            if "buffer" in part.type.space and draw.chance(0.4):
                inside = None  # what is outside is 0, or of another row
            k.masked(copy, part, fragment, inside)
            fragments.append(fragment)
        if staged:
            fragments[0] = through_shared(k, fragments[0])
        va, vb = (b.load_vec(f) for f in fragments)
        r = draw.mix(va, vb)
        if draw.chance(0.3):
            then = lambda: [draw.mix(r, vb)]
            (r,) = b.if_(draw.condition(k.thread), then, lambda: [r], [vector])
        if memory:
            r = draw.mix(b.load_vec(memory), r)
            if draw.chance(0.5):
                b.if_(draw.condition(k.thread), lambda: b.store_vec(r, memory))
                r = draw.mix(b.load_vec(memory), va)
            else:
                b.store_vec(r, memory)
        out = b.fragment_like(part_c)
        b.store_vec(r, out)
        k.masked(copy_c, out, part_c, predicate_for(part_c, values_c))

    b.for_(
        b.block(), b.number(math.prod(k.counts)), b.number(draw.program.grid), [], body
    )
