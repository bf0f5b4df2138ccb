# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the values of a kernel mean: layouts by enumeration, memory by bytes.

In: concrete shapes and strides, NumPy arrays with one row a lane. Out: views,
which are the list of element addresses of a tensor in the order of its
coordinates, and the bytes that loads and stores move. The law: nothing here
uses layout algebra. A divide, a partition or a slice is the rule for which
coordinate of the operand each coordinate of the result names:

    zipped_divide by [3|5]: ((t0, t1), (r0, r1)) -> (t0 + 3 * r0, t1 + 5 * r1)

A kernel that would touch what it may not (outside of a buffer, never written,
written by two lanes with two values) is `Ill`: it tests nothing and is dropped.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np


class Ill(Exception):
    """The kernel has no defined meaning."""


# name: (bits, the NumPy type of the bytes, kind)
ELEMENTS = {
    "i1": (8, np.dtype(np.bool_), "bool"),
    "i8": (8, np.dtype(np.int8), "int"),
    "i16": (16, np.dtype(np.int16), "int"),
    "i32": (32, np.dtype(np.int32), "int"),
    "i64": (64, np.dtype(np.int64), "int"),
    "f16": (16, np.dtype(np.float16), "float"),
    "f32": (32, np.dtype(np.float32), "float"),
    "f64": (64, np.dtype(np.float64), "float"),
    "bf16": (16, np.dtype(np.uint16), "raw"),
    "f8E4M3FN": (8, np.dtype(np.uint8), "raw"),
}


def flat(t):
    return [y for x in t for y in flat(x)] if isinstance(t, tuple) else [t]


def size(tree):
    return math.prod(flat(tree))


def children(tree):
    return tree if isinstance(tree, tuple) else (tree,)


def rows(x, lanes):
    """A value for each lane, from a number or an array."""
    return np.broadcast_to(np.asarray(x, np.int64), (lanes,))


def enumerate_modes(sizes):
    """The coordinates of a shape, first mode fastest: one array a mode."""
    index = np.arange(math.prod(sizes), dtype=np.int64)
    out = []
    for n in sizes:
        out.append(index % n)
        index = index // n
    return out


def crd2idx(coord, shape, stride):
    """Definition: colexicographic split, the last mode takes what is left."""
    if isinstance(coord, tuple):
        return sum(crd2idx(c, s, d) for c, s, d in zip(coord, shape, stride))
    if not isinstance(shape, tuple):
        return coord * stride
    total, rest = 0, coord
    for s, d in zip(shape[:-1], stride[:-1]):
        total = total + crd2idx(rest % size(s), s, d)
        rest = rest // size(s)
    return total + crd2idx(rest, shape[-1], stride[-1])


def swizzle(m, b, s, x):
    """The m bits at b + s are added without carry to those at b."""
    moved = (x >> (b + s)) & ((1 << m) - 1)
    return x ^ (moved << b)


@dataclasses.dataclass
class Memory:
    """Bytes, one row for the grid, a block or a lane; `row[l]` is of lane l.
    A buffer resource has a `limit`: bytes from there on read as 0, and what is
    stored to them is lost."""

    data: np.ndarray
    written: np.ndarray
    row: np.ndarray
    constant: bool = False
    limit: int = None


@dataclasses.dataclass
class View:
    """A tensor or layout: `tables[k][lane or 0, i]` is component k of what
    coordinate i names: the element address, or a coordinate. `beyond` evaluates
    mode coordinates outside of the shape too, where the definition says how."""

    tree: object
    tables: list
    beyond: object = None
    memory: Memory = None
    elem: str = None

    def with_(self, **changes):
        return dataclasses.replace(self, **changes)

    @property
    def sizes(self):
        return [size(t) for t in children(self.tree)]

    def at(self, coords, active):
        """Component tables for mode coordinates, arrays (lanes or 1, n)."""
        if self.beyond is not None:
            return self.beyond(coords)
        index, step = 0, 1
        for c, n in zip(coords, self.sizes):
            if ((c < 0) | (c >= n))[_rows(active, c)].any():
                raise Ill("coordinate outside of the shape")
            index = index + np.clip(c, 0, n - 1) * step
            step *= n
        return [take(t, index) for t in self.tables]


def _rows(active, x):
    return active if x.shape[0] == len(active) else slice(None)


def take(table, index):
    if table.shape[0] == 1:
        return table[0][index]
    lanes = np.arange(table.shape[0])[:, None]
    return table[lanes, np.broadcast_to(index, (len(lanes), index.shape[1]))]


def linear(shape, strides, post=None):
    """The view of a layout; `strides` holds one tree for each component."""
    post = post or (lambda x: x)

    def beyond(coords):
        parts = list(zip(children(shape), coords))
        out = []
        for stride in strides:
            ds = children(stride)
            out.append(post(sum(crd2idx(c, s, d) for (s, c), d in zip(parts, ds))))
        return out

    coords = [c[None, :] for c in enumerate_modes([size(s) for s in children(shape)])]
    return View(shape, beyond(coords), beyond)


def shifted(view, offset, post=None):
    """The view with `offset` (one row a lane) added, then `post`."""
    post = post or (lambda x: x)
    offset = np.asarray(offset, np.int64).reshape(-1, 1)
    inner = view.beyond
    beyond = inner and (lambda coords: [post(t + offset) for t in inner(coords)])
    return view.with_(
        tables=[post(t + offset) for t in view.tables], beyond=beyond
    )


def reshape(view, tree):
    """The same function of the one-dimensional coordinate, by another shape."""
    if size(tree) != size(view.tree):
        raise AssertionError(f"{tree} is no shape of {view.tree}")
    same = [size(t) for t in children(tree)] == view.sizes
    return view.with_(tree=tree, beyond=view.beyond if same else None)


def gather(view, tree, index):
    """Coordinate i of the result names coordinate index[i] of the operand."""
    return view.with_(
        tree=tree, tables=[take(t, index) for t in view.tables], beyond=None
    )


def cut(view, coord, lanes, active):
    """Slice: None keeps a mode, a number or an array of lanes fixes it."""
    fixed, kept = np.zeros((1, 1), np.int64), []

    def walk(tree, c, step):
        nonlocal fixed
        if c is None:
            kept.append((tree, step))
        elif isinstance(c, tuple):
            for t, ci in zip(tree, c):
                walk(t, ci, step)
                step *= size(t)
        else:
            c = np.asarray(c, np.int64).reshape(-1, 1)
            n = size(tree)
            if ((c < 0) | (c >= n))[_rows(active, c)].any():
                raise Ill("slice outside of the shape")
            fixed = fixed + np.clip(c, 0, n - 1) * step

    walk(view.tree, coord, 1)
    index = 0
    for c, (t, step) in zip(enumerate_modes([size(t) for t, _ in kept]), kept):
        index = index + c * step
    tree = tuple(t for t, _ in kept)
    while isinstance(tree, tuple) and len(tree) == 1:
        tree = tree[0]
    return gather(view, tree, fixed + index)


def choose(view, which):
    """The top-level modes `which`, the others at coordinate 0."""
    sizes, steps = view.sizes, []
    step = 1
    for n in sizes:
        steps.append(step)
        step *= n
    index = 0
    for c, w in zip(enumerate_modes([sizes[w] for w in which]), which):
        index = index + c * steps[w]
    trees = [children(view.tree)[w] for w in which]
    return gather(view, trees[0] if len(trees) == 1 else tuple(trees), index[None, :])


def rest_of(tile, extent):
    """The ordered layout of what `tile` (offsets) skips: by search."""
    out, covered = [], set()
    for first in range(extent):
        if first not in covered:
            more = {first + t for t in tile}
            if len(more) < len(tile) or more & covered:
                raise Ill("the tile does not repeat")
            out.append(first)
            covered |= more
    return np.array(out, np.int64)


def tile_parts(view, tile):
    """For each tiled mode: its coordinates as (tile offsets, rest offsets)."""
    parts = []
    for n, t in zip(view.sizes, tile):
        if isinstance(t, int):
            parts.append((np.arange(t), t * np.arange(-(-n // t))))
        else:
            offsets = t.tables[0][0]
            parts.append((offsets, rest_of([int(x) for x in offsets], n)))
    return parts


def divide(kind, view, tile, active):
    """The four divides by a list of tiles (numbers or layouts)."""
    parts = tile_parts(view, tile)
    n, extra = len(parts), view.sizes[len(parts) :]
    nt, nr = [len(a) for a, _ in parts], [len(b) for _, b in parts]
    if kind == "logical_divide":
        order = [m for i in range(n) for m in (i, n + i)]
        tree = tuple((a, b) for a, b in zip(nt, nr)) + tuple(extra)
    else:
        order = list(range(2 * n))
        rest = tuple(nr) + tuple(extra)
        tree = {
            "zipped_divide": (tuple(nt), rest),
            "tiled_divide": (tuple(nt),) + rest,
            "flat_divide": tuple(nt) + rest,
        }[kind]
    order += list(range(2 * n, 2 * n + len(extra)))
    sizes = nt + nr + extra
    found = dict(zip(order, enumerate_modes([sizes[m] for m in order])))
    coords = [a[found[i]] + b[found[n + i]] for i, (a, b) in enumerate(parts)]
    coords += [found[2 * n + i] for i in range(len(extra))]
    return view.with_(
        tree=tree, tables=view.at([c[None, :] for c in coords], active), beyond=None
    )


def copy_partition(view, w, values, tile, thread, active):
    """Thread t's share: value v of the tile is W(t, v), a colexicographic index
    into the tile; result ((atom values, rest of values), rest of the tensor)."""
    parts = tile_parts(view, tile)
    n, extra = len(parts), view.sizes[len(parts) :]
    nr = [len(b) for _, b in parts] + extra
    threads, count = (size(t) for t in children(w.tree))
    found = enumerate_modes([count] + nr)
    t = np.asarray(thread, np.int64).reshape(-1, 1)
    if ((t < 0) | (t >= threads))[_rows(active, t)].any():
        raise Ill("thread outside of the tiled copy")
    inside = w.tables[0][0][np.clip(t, 0, threads - 1) + threads * found[0][None, :]]
    coords = []
    for i, (a, b) in enumerate(parts):
        coords.append(a[inside % len(a)] + b[found[1 + i]][None, :])
        inside = inside // len(a)
    coords += [found[1 + n + i][None, :] for i in range(len(extra))]
    tree = ((values, count // values),) + tuple(nr)
    return view.with_(tree=tree, tables=view.at(coords, active), beyond=None)


def mma_partition(view, table, atom, count, lane, which, values, active, tile):
    """Lane l holds table[l, v], a colexicographic index into the atom's
    rectangle; atom (i, j) of the tile belongs to the waves `which`. Row x of
    the rectangles is row tile(x) of the tensor: a number is the identity, a
    layout permutes that many rows, again and again."""
    parts = tile_parts(view, tile)
    rest = [n // (a * c) for n, a, c in zip(view.sizes, atom, count)]
    found = enumerate_modes([size(values)] + rest)
    inside = table[np.asarray(lane)[:, None], found[0][None, :]]
    coords = []
    for i in range(2):
        mine = inside % atom[0] if i == 0 else inside // atom[0]
        block = np.asarray(which[i]).reshape(-1, 1) + count[i] * found[1 + i][None, :]
        (inner, outer), x = parts[i], mine + atom[i] * block
        coords.append(inner[x % len(inner)] + outer[x // len(inner)])
    tree = (values,) + tuple(rest)
    return view.with_(tree=tree, tables=view.at(coords, active), beyond=None)


# --- Memory -------------------------------------------------------------------


def lost(memory, where):
    """Which bytes are beyond a buffer's limit."""
    if memory.limit is None:
        return np.zeros(where.shape, bool)
    return where >= memory.limit


def _bytes_of(view, lanes):
    bits, dtype, _ = ELEMENTS[view.elem]
    addresses = np.broadcast_to(view.tables[0], (lanes, view.tables[0].shape[1]))
    start = addresses * dtype.itemsize
    return dtype, start[:, :, None] + np.arange(dtype.itemsize)


def load(view, active):
    """The elements, one row a lane."""
    lanes = len(active)
    dtype, where = _bytes_of(view, lanes)
    memory = view.memory
    beyond = lost(memory, where)
    used = where[active][~beyond[active]]
    if used.size and (used.min() < 0 or used.max() >= memory.data.shape[1]):
        raise Ill("load outside of the buffer")
    where = np.clip(where, 0, memory.data.shape[1] - 1)
    row = memory.row[:, None, None]
    if not (memory.written[row, where] | beyond)[active].all():
        raise Ill("load of what nobody wrote")
    raw = np.where(beyond, np.uint8(0), memory.data[row, where])
    raw = np.ascontiguousarray(raw)
    return raw.view(dtype)[:, :, 0]


def store(view, values, active):
    """Writes the elements of the active lanes (a mask by lane, or by lane and
    element)."""
    lanes = len(active)
    memory = view.memory
    if memory.constant:
        raise Ill("store to an input")
    dtype, where = _bytes_of(view, lanes)
    values = np.ascontiguousarray(values.astype(dtype, copy=False))
    raw = values[:, :, None].view(np.uint8)
    mask = active if active.ndim == 2 else active[:, None]
    mask = np.broadcast_to(mask, where.shape[:2]) & ~lost(memory, where)[:, :, 0]
    spots = where[mask]
    if not spots.size:
        return
    if spots.min() < 0 or spots.max() >= memory.data.shape[1]:
        raise Ill("store outside of the buffer")
    row = np.broadcast_to(memory.row[:, None], mask.shape)[mask]
    bytes_ = raw[mask]
    memory.data[row[:, None], spots] = bytes_
    if (memory.data[row[:, None], spots] != bytes_).any():
        raise Ill("two values stored in one place")
    memory.written[row[:, None], spots] = True
