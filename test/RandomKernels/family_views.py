# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""out[lane] = f(a seen by lane, ...), through chains of view ops.

In: the choices of a kernel. Out: its ops. A tensor (plain, nested, swizzled,
with unknown leaves, of another element type than its pointer) goes through a
random chain of get, select, take, group, coalesce, composition, divides and
slices; one mode of what comes out is given to the lanes. Each lane reads its
part by vectors, by copies, by single loads or in a loop, and writes it to a row
of its own.
"""

from __future__ import annotations

import math

import algebra as al
import meaning as me
from family_tiles import coordinate
from program import Vector

MOST = 16  # elements a lane


def shape_of(draw, most=1024):
    """A random shape, modes nested at most once."""
    sizes = (2, 3, 4, 5, 6, 8, 8, 12, 16, 32, 64)
    while True:
        shape = []
        for _ in range(draw.rng.randrange(2, 5)):
            if draw.chance(0.25):
                shape.append((draw.rng.choice(sizes[:6]), draw.rng.choice(sizes[:6])))
            else:
                shape.append(draw.rng.choice(sizes))
        if me.size(tuple(shape)) <= most:
            return tuple(shape)


def source(draw, elem):
    """A tensor argument, perhaps swizzled, perhaps a product of layouts."""
    b, shape = draw.b, shape_of(draw)
    which = draw.rng.random()
    if which < 0.55:
        return draw.tensor(elem, shape, unknown=draw.pick(0, 0.3, 0.6), buffers=0.2)
    align = max(16, me.ELEMENTS[elem][0] // 8)
    if which < 0.75:
        stride = draw.strides(shape, pad=False)
        count = me.size(shape)
        base, mask = draw.rng.randrange(0, 4), draw.rng.randrange(1, 4)
        shift = draw.rng.randrange(mask, mask + 3)
        layout = al.Composed((mask, base, shift), 0, al.Layout(shape, stride))
        space = 1 << max(mask + base + shift, (count - 1).bit_length())
        pointer = draw.pointer(elem, space, align)
        return b.make_view(
            pointer, b.layout(layout), b.ref_of(pointer, layout)
        )
    if which < 0.9:
        kind = draw.pick(
            "logical_product", "zipped_product", "tiled_product", "flat_product",
            "blocked_product", "raked_product",
        )  # fmt: skip
        block = al.Layout(shape[:2], draw.strides(shape[:2], pad=draw.chance(0.3)))
        n = draw.rng.randrange(1, 3)
        tiler = tuple(draw.rng.choice((2, 3, 4)) for _ in range(n))
        tiler = al.Layout(tiler, draw.strides(tiler, pad=draw.chance(0.3)))
        if n == 1:
            tiler = al.Layout(tiler.shape[0], tiler.stride[0])
        made = b.product(kind, b.layout(block), b.layout(tiler))
        layout = made.type.layout
        if not isinstance(layout.shape, tuple) or me.size(layout.shape) > 4096:
            raise al.Unfit("a large product")
        pointer = draw.pointer(elem, al.cosize(layout), align)
        return b.make_view(pointer, made, b.ref_of(pointer, layout))
    # The bytes of another type.
    layout = al.Layout(shape, draw.strides(shape))
    other = draw.pick(*[e for e in ("i8", "i16", "i32", "i64") if e != elem])
    need = al.cosize(layout) * me.ELEMENTS[elem][0]
    pointer = draw.pointer(other, -(-need // me.ELEMENTS[other][0]), 16)
    pointer = b.recast(pointer, elem)
    return b.make_view(pointer, b.layout(layout), b.ref_of(pointer, layout))


def step(draw, view):
    """One random view op."""
    b, rng = draw.b, draw.rng
    linear = view.type.linear
    parts = al.modes(linear)
    n = len(parts)
    op = draw.pick(
        "get", "select", "select", "take", "group", "coalesce", "composition",
        "divide", "divide", "divide", "slice", "slice",
    )  # fmt: skip
    known = [i for i in range(n) if not any(isinstance(x, al.Dyn) for x in al.flat(parts[i].shape))]
    if op == "get" and n > 2:
        return b.get(view, [rng.randrange(n)])
    if op == "select" and n > 1:
        which = list(range(n))
        rng.shuffle(which)
        return b.choose("select", view, which[: rng.randrange(max(2, n - 1), n + 1)])
    if op == "take" and n > 2:
        begin = rng.randrange(n - 1)
        return b.choose("take", view, list(range(begin, rng.randrange(begin + 2, n + 1))))
    if op == "group" and n > 2:
        begin = rng.randrange(n - 1)
        return b.group(view, begin, rng.randrange(begin + 2, n + 1))
    if op == "coalesce":
        return b.coalesce(view)
    if op == "composition" and len(known) == n:
        total = al.product(linear.shape)
        inner, d = [], rng.choice((1, 1, 2, 4))
        for _ in range(rng.randrange(1, 4)):
            inner.append((rng.choice((2, 4, 8, 3, 16)), d))
            d *= inner[-1][0] * draw.pick(1, 1, 2)
        rng.shuffle(inner)
        if sum((s - 1) * d for s, d in inner) >= total:
            raise al.Unfit("outside")
        if len(inner) == 1:
            return b.composition(view, b.layout(al.Layout(*inner[0])))
        layout = al.Layout(tuple(s for s, _ in inner), tuple(d for _, d in inner))
        return b.composition(view, b.layout(layout))
    if op == "divide" and n > 1:
        tile = []
        for i in range(rng.randrange(1, n + 1)):
            if i not in known:
                raise al.Unfit("perhaps ragged")
            if isinstance(parts[i].shape, tuple) and draw.chance(0.6):
                tile.append(al.product(parts[i].shape[0]))
                continue
            size = al.product(parts[i].shape)
            t = draw.pick(*[d for d in range(1, size + 1) if size % d == 0])
            if t > 1 and size // t > 1 and draw.chance(0.25):
                tile.append(al.Layout(t, size // t))
            else:
                tile.append(t)
        kind = draw.pick("logical_divide", "zipped_divide", "tiled_divide", "flat_divide")
        return b.divide(kind, view, tile)
    if op == "slice" and n > 1:
        coord, operands = [], []
        for i in range(n):
            keep = draw.chance(0.6)
            if keep:
                coord.append(None)
                continue
            s = [al.product(p.shape) if i in known else 1 for i, p in enumerate(parts)][i]
            value = rng.randrange(s)
            if draw.chance(0.5):
                coord.append(value)
            else:
                coord.append(draw.hide(value, 0) if value else al.Dyn())
                operands.append(draw.scalar(value))
        if coord.count(None) in (0, n):
            raise al.Unfit("keeps all or nothing")
        return b.slice(view, b.tuple_(tuple(coord), operands, "make_coord"))
    raise al.Unfit("no such step here")


def give(draw, view, thread):
    """Gives one mode of the view to the lanes; the rest stays, if small."""
    b, parts = draw.b, al.modes(view.type.linear)
    sizes = [al.product(p.shape) for p in parts]
    if len(parts) < 2:
        raise al.Unfit("one mode only")
    mine = draw.rng.randrange(len(parts))
    coord, operands, kept = [], [], 1
    for i, s in enumerate(sizes):
        if i == mine:
            size = b.number(s) if al.is_static(s) else b.scalar(b.size_of(b.get(view, [i])))
            if b.width(size) == 64:
                raise al.Unfit("a wide size")
            coord.append(al.Dyn())
            operands.append(b.arith("remui", thread, size))
        elif al.is_static(s) and kept * s <= MOST and draw.chance(0.85):
            coord.append(None)
            kept *= s
        else:
            coord.append(0 if not al.is_static(s) else draw.rng.randrange(s))
    if kept == 1:
        raise al.Unfit("nothing is left")
    part = b.slice(view, b.tuple_(tuple(coord), operands, "make_coord"))
    return part, kept


def read(draw, part, kept):
    """The elements of a lane's part, as a vector."""
    b, elem = draw.b, part.type.elem
    plain = not isinstance(part.type.layout, al.Composed)
    way = draw.pick("vector", "vector", "vector", "copy", "single")
    vector = Vector(kept, elem)
    if way == "vector" and plain:
        return b.load_vec(part)
    if way == "copy" or me.ELEMENTS[elem][2] == "raw":
        leaf = not isinstance(part.type.linear.shape, tuple)
        part = b.divide("logical_divide", part, 1 if leaf else [1])
        fragment = b.fragment_like(part)
        bits = me.ELEMENTS[elem][0]
        b.copy(b.copy_atom(bits, bits, part), part, fragment)
        return b.load_vec(fragment)
    memory = b.register(al.Layout(kept, 1), elem)
    shape = part.type.linear.shape
    for i in range(kept):
        c = coordinate(shape, i) if draw.chance(0.5) else i
        x = b.load(part, b.tuple_(c, (), "make_coord"))
        b.store(x, memory, b.tuple_(i))
    return b.load_vec(memory)


def views(draw):
    """Fills the program of `draw`."""
    b, rng = draw.b, draw.rng
    elem = draw.element(moved_only=True)
    thread = b.thread()
    lane = draw.lane(thread)
    total = draw.program.grid * draw.program.threads
    for _ in range(rng.randrange(1, 3)):
        view = source(draw, elem)
        for _ in range(rng.randrange(1, 5)):
            view = step(draw, view)
        part, kept = give(draw, view, thread)
        values = read(draw, part, kept)
        if draw.chance(0.4) and me.ELEMENTS[elem][2] != "raw":
            values = draw.mix(values, b.splat(rng.randrange(1, 5), values.type))
        if draw.chance(0.3) and me.ELEMENTS[elem][2] != "raw":
            values = looped(draw, values)
        shape = part.type.linear.shape if draw.chance(0.5) else kept
        out = draw.tensor(elem, (total, shape), True, None, draw.pick(0, 0.3), known_shape=True)
        row = b.slice(out, b.tuple_((al.Dyn(), None), [lane], "make_coord"))
        if draw.chance(0.3):
            b.if_(draw.condition(thread), lambda: b.store_vec(values, row),
                  lambda: b.store_vec(draw.mix(values, values), row))  # fmt: skip
        else:
            b.store_vec(values, row)


def looped(draw, values):
    """A loop that carries the values, or holds them in register memory."""
    b, rng = draw.b, draw.rng
    low, high = b.number(0), b.thread() if draw.chance(0.3) else draw.scalar(rng.randrange(4))
    step = b.number(draw.pick(1, 2, 5))
    if draw.chance(0.35):
        return looped_while(draw, values, high, step)
    if draw.chance(0.5):
        body = lambda i, carried: [draw.combine(carried[0], values)]
        return b.for_(low, high, step, [values], body)[0]
    memory = b.register(al.Layout(values.type.n, 1), values.type.elem)
    b.store_vec(values, memory)

    def body(i, _):
        old = b.load_vec(memory)
        if draw.chance(0.5):
            limit = b.number(rng.randrange(3))
            then = lambda: b.store_vec(draw.combine(old, values), memory)
            b.if_(b.compare("le", i, limit), then)
        else:
            b.store_vec(draw.combine(old, values), memory)

    b.for_(low, high, step, [], body)
    return b.load_vec(memory)


def looped_while(draw, values, high, step):
    """The same with scf.while: arithmetic and stores before the condition too;
    register memory that either region reads or writes."""
    b = draw.b
    memory = None
    if draw.chance(0.6):
        memory = b.register(al.Layout(values.type.n, 1), values.type.elem)
        b.store_vec(values, memory)

    def condition(carried):
        i, x = carried
        if memory and draw.chance(0.4):
            b.store_vec(draw.combine(b.load_vec(memory), x), memory)
        if draw.chance(0.3):
            x = draw.combine(x, values)
        return b.compare("lt", i, high), [i, x]

    def body(passed):
        i, x = passed
        if memory:
            old = b.load_vec(memory)
            if draw.chance(0.4):
                b.if_(draw.condition(b.thread()), lambda: b.store_vec(draw.combine(old, x), memory))
            x = draw.combine(x, b.load_vec(memory) if draw.chance(0.5) else old)
        else:
            x = draw.combine(x, values)
        return [b.arith("addi", i, step), x]

    _, x = b.while_([b.number(0), values], condition, body)
    return draw.mix(x, b.load_vec(memory)) if memory else x
