# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""d = a * transpose(b) + c, by one matrix instruction of the chip.

In: the choices of a kernel. Out: its ops. Drawn are the instruction, the waves
and their order, the number of atoms along M, N, K, the strides of the tensors,
permutations of M, N and K, the order in which the atoms are visited, where the
first sums come from, whether the result is stored from the fragment itself, or
retiled, by a tiled copy. All
numbers are small integers, so that every order of sums gives the same bits.

Which lane holds what is from AMD's instruction set manuals: `rows` below.
"""

from __future__ import annotations

import dataclasses

import numpy as np

import algebra as al
import meaning as me
from family_tiles import atom_fits, copy_for
from program import Named, Ref, Vector, ty


def mfma(mn, k, elems):
    """CDNA: lane l holds k-group l / mn of row l % mn, and of the result four
    rows at a time of column l % mn."""
    groups = 64 // mn
    each = k // groups
    tall = mn * mn // 64 // 4
    step = 4 * groups
    return {
        "text": f"!fly_rocdl.cdna3.mfma<{mn}x{mn}x{k}, ({elems[0]}, {elems[0]}) -> {elems[1]}>",
        "mnk": (mn, mn, k),
        "elems": elems,
        "ab": al.Layout(((mn, groups), each), ((1, mn * each), mn)),
        "c": al.Layout(((mn, groups), (4, tall)), ((mn, 4), (1, step))),
        "rows": (
            lambda l, v: l % mn + mn * (l // mn * each + v),
            lambda l, v: (v % 4 + 4 * (l // mn) + step * (v // 4)) + mn * (l % mn),
        ),
        "values": (each, (4, tall)),
    }


def wmma(name, each, c, c_row):
    flags = ", signA = false, signB = false, clamp = false"
    return {
        "text": f"!fly_rocdl.{name}.wmma<16x16x16, (f16, f16) -> f32{flags}>",
        "mnk": (16, 16, 16),
        "elems": ("f16", "f32"),
        "ab": al.Layout(((16, 2), each), ((1, 0 if each == 16 else 128), 16)),
        "c": c,
        "rows": (
            lambda l, v: l % 16 + 16 * (v + (0 if each == 16 else 8 * (l // 16))),
            lambda l, v: c_row(l, v) + 16 * (l % 16),
        ),
        "values": (each, 8),
    }


ATOMS = {
    "gfx942": [
        mfma(16, 16, ("f16", "f32")),
        mfma(32, 8, ("f16", "f32")),
        mfma(16, 4, ("f32", "f32")),
        mfma(16, 32, ("i8", "i32")),
    ],
    "gfx1100": [
        wmma("gfx11", 16, al.Layout(((16, 2), 8), ((16, 1), 2)), lambda l, v: 2 * v + l // 16)
    ],
    "gfx1201": [
        wmma("gfx120x", 8, al.Layout(((16, 2), 8), ((16, 8), 1)), lambda l, v: v + 8 * (l // 16))
    ],
}
ATOMS["gfx950"] = ATOMS["gfx942"]
ORDERS = ("kmn", "knm", "mkn", "mnk", "nkm", "nmk")


class Product:
    """One product: its atom, its waves, its extents."""

    def __init__(self, draw):
        rng, self.draw, self.b = draw.rng, draw, draw.b
        self.atom = rng.choice(ATOMS[draw.chip])
        waves = draw.program.threads // draw.wave
        self.count = draw.pick((waves, 1), (1, waves))
        self.grid = tuple(rng.randrange(1, 3) for _ in range(3))
        m, n, k = self.atom["mnk"]
        self.extents = (
            m * self.count[0] * self.grid[0],
            n * self.count[1] * self.grid[1],
            k * self.grid[2],
        )
        self.permutation = [self.permute(i) for i in range(3)]

    def permute(self, axis):
        """Nothing, a number, or a layout that permutes some rows."""
        draw, count = self.draw, (*self.count, 1)[axis]
        if draw.chance(0.6):
            return None
        times = draw.pick(*[n for n in (1, 2) if self.grid[axis] % n == 0])
        size = self.atom["mnk"][axis] * count * times
        if draw.chance(0.25):
            return size
        outer = draw.pick(*[n for n in (2, 4, 8, 16) if size % n == 0])
        if draw.chance(0.3) and size % (outer * 2) == 0:
            three = (2, outer, size // (2 * outer))
            return al.Layout(three, draw.pick((size // 2, size // (2 * outer), 1), (outer, 1, 2 * outer)))
        return al.Layout((size // outer, outer), (outer, 1))

    def axes(self, x):
        """The two axes of an operand: M, N, K are 0, 1, 2."""
        return {"a": (0, 2), "b": (1, 2), "c": (0, 1), "d": (0, 1)}[x]

    def partition(self, x, view, thread, mma):
        """The lane's part of `view`, (values, rest, rest)."""
        axes, atom = self.axes(x), self.atom
        size = [atom["mnk"][i] for i in axes]
        count = [(*self.count, 1)[i] for i in axes]
        table = atom["c" if x in "cd" else "ab"]
        tile = [
            s * c if self.permutation[i] is None else self.permutation[i]
            for s, c, i in zip(size, count, axes)
        ]
        listed = [
            me.linear(t.shape, [t.stride]) if isinstance(t, al.Layout) else t
            for t in tile
        ]
        whole = al.mma_view(view.type.linear, tile, size, table, count)
        threads, values = al.modes(whole)
        parts = al.modes(values)
        parts = parts[:1] + al.modes(parts[1])
        offset = al.crd2idx(thread.type.value, threads)
        result = view.type.moved(offset, al.join(parts))
        rows, wave = atom["rows"][x in "cd"], self.draw.wave
        each = atom["values"][x in "cd"]
        count_all = self.count

        def run(s):
            lanes = s.thread % wave
            table = rows(np.arange(wave)[:, None], np.arange(me.size(each))[None, :])
            number = s.thread // wave
            place = (number % count_all[0], number // count_all[0])
            which = [(*place, 0 * number)[i] for i in axes]
            return me.mma_partition(
                s[view], table, size, count, lanes, which, each, s.active, listed
            )

        return self.b.view(
            "tiled_mma.partition", [mma, view, thread], result, run, before=x
        )

    def fragment(self, x, view, part, mma):
        elem = self.atom["elems"][x in "cd"]
        layout = al.fragment(part.type.linear)
        type_ = Ref(elem, "register", layout, me.ELEMENTS[elem][0] // 8)
        return self.b.fly(
            "mma.make_fragment", [mma, view], type_,
            lambda s: self.b.private(s, type_), before=x,
        )  # fmt: skip

    def copy_out(self, view, part, fragment, thread):
        """What stores by a tiled copy: (copy, the fragment retiled, its part)."""
        draw, (m, n, _) = self.draw, self.atom["mnk"]
        times = [draw.pick(*[t for t in (1, 2) if g % t == 0]) for g in self.grid[:2]]
        tile = [m * self.count[0] * times[0], n * self.count[1] * times[1]]
        place = lambda d: d if d < m else d // m * tile[0]
        threads, values = al.modes(self.atom["c"])
        waves = al.Layout(self.count, (m, n * tile[0]))
        more = al.Layout(tuple(times), (m * self.count[0], n * self.count[1] * tile[0]))

        def mode(inner, outer):
            pairs = [(s, place(d)) for s, d in al.leaves(inner)] + al.leaves(outer)
            pairs = [(s, d) for s, d in pairs if s > 1]
            return al.Layout(tuple(s for s, _ in pairs), tuple(d for _, d in pairs))

        w = al.join([mode(threads, waves), mode(values, more)])
        copy, target, count = copy_for(draw, w, tile, view, "dst", thread)
        source = self.b.retile(copy, fragment, part, target, self.b.layout(w), tile, count)
        if not atom_fits(dataclasses.replace(source.type, align=16), count):
            raise al.Unfit("the fragment is not contiguous")
        return copy, source, target

    def multiply(self, mma, d, a, b, c):
        """fly.gemm, by matrices put together from what the lanes hold."""
        atom, wave, grid = self.atom, self.draw.wave, self.grid
        m, n, k = atom["mnk"]
        order = self.draw.rng.choice(ORDERS) + self.draw.pick("", "_serpentine")
        words = f"traversalOrder = #fly<gemm_traversal_order {order}>"
        if self.draw.chance(0.2):
            words = ""
        exact = np.int64 if atom["elems"][1] == "i32" else np.float64

        def table(x):
            values = np.arange(me.size(atom["values"][x == "c"]))[None, :]
            return atom["rows"][x == "c"](np.arange(wave)[:, None], values)

        def run(s):
            ta, tc = table("a"), table("c")
            held = lambda v, *r: me.load(s[v], s.active).astype(exact).reshape(
                (s.lanes, -1) + r, order="F"
            )
            ha, hb = held(a, grid[0], grid[2]), held(b, grid[1], grid[2])
            hc = held(c, grid[0], grid[1])
            for start in range(0, s.lanes, wave):
                mine = slice(start, start + wave)

                def matrix(h, where, shape, i, j):
                    out = np.zeros(shape[0] * shape[1], exact)
                    out[where] = h[mine, :, i, j]
                    return out.reshape(shape, order="F")

                for i in range(grid[0]):
                    for j in range(grid[1]):
                        total = matrix(hc, tc, (m, n), i, j)
                        for l in range(grid[2]):
                            total = total + matrix(ha, ta, (m, k), i, l) @ matrix(
                                hb, ta, (n, k), j, l
                            ).T
                        hc[mine, :, i, j] = total.reshape(-1, order="F")[tc]
            me.store(s[d], hc.reshape((s.lanes, -1), order="F"), s.active)

        self.b.fly("gemm", [mma, d, a, b, c], None, run, words)


def gemm(draw):
    """Fills the program of `draw`."""
    p, b = Product(draw), draw.b
    atom, (m, n, k) = p.atom, p.extents
    if max(m * k, n * k, m * n) > 4096:
        raise al.Unfit("large")
    ab, cd = atom["elems"]
    tensor = lambda e, shape, out=False: draw.tensor(
        e, shape, out, draw.pick(0, 1, None), draw.pick(0, 0.3), known_shape=True
    )
    ta, tb, td = tensor(ab, (m, k)), tensor(ab, (n, k)), tensor(cd, (m, n), True)
    tc = tensor(cd, (m, n)) if draw.chance(0.5) else None
    draw.small(ab, cd)
    thread = b.thread()
    t = b.tuple_(al.Dyn(), [thread], "make_coord")
    made = Named(f"!fly.mma_atom<{atom['text']}>")
    one = b.op(f"fly.make_mma_atom : {made.text}", [], made, lambda s: None)
    shape = (*p.count, 1)
    stride = tuple(0 if s == 1 else 1 for s in shape)
    waves = b.layout(al.Layout(shape, stride))
    words, operands = [made.text, ty(waves.type)], [one, waves]
    if any(x is not None for x in p.permutation):
        operands.append(b.tile(p.permutation))
        words.append(operands[-1].type.text)
    tiled = Named(f"!fly.tiled_mma<{', '.join(words)}>")
    mma = b.fly("make_tiled_mma", operands, tiled, lambda s: None)
    parts = {}
    for x, view in (("a", ta), ("b", tb), ("d", td), ("c", tc)):
        if view is not None:
            part = p.partition(x if x != "d" else draw.pick("c", "d"), view, t, mma)
            parts[x] = part, p.fragment(x, view, part, mma)
    for x in "ab":
        part, fragment = parts[x]
        b.store_vec(b.load_vec(part), fragment)
    part_d, fragment_d = parts["d"]
    count = al.product(fragment_d.type.layout.shape)
    source = fragment_d
    if tc is not None:
        part, source = parts["c"]
        b.store_vec(b.load_vec(part), source)
        b.store_vec(b.splat(7, Vector(count, cd)), fragment_d)
    else:
        b.store_vec(b.splat(draw.rng.randrange(3), Vector(count, cd)), fragment_d)
    times = draw.pick(1, 1, 2)
    if times == 1:
        p.multiply(mma, fragment_d, parts["a"][1], parts["b"][1], source)
    else:
        b.for_(
            b.number(0), draw.scalar(times), b.number(1), [],
            lambda i, _: p.multiply(
                mma, fragment_d, parts["a"][1], parts["b"][1], fragment_d
            ),
        )  # fmt: skip
    only = b.compare("eq", b.block(), b.number(0))
    # The threads of a copy know no permutation.
    if draw.chance(0.5) or any(isinstance(x, al.Layout) for x in p.permutation[:2]):
        b.if_(only, lambda: b.store_vec(b.load_vec(fragment_d), part_d))
    else:
        copy, source, target = p.copy_out(td, part_d, fragment_d, t)
        b.if_(only, lambda: b.copy(copy, source, target))
