# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of layout algebra, symbolically: what a kernel must write down.

In: shapes, strides, layouts with leaves that are numbers or unknowns (`Dyn`,
with a width and a known divisor). Out: the result types of the ops, and their
text. The law: the type that is written equals the type that the compiler
infers (it refuses the kernel otherwise), and where a type is static its layout
is the function that meaning.py enumerates (program.py compares).

    zipped_divide(Layout((12, 10), (10, 1)), [3, 5])
        -> Layout(((3, 5), (4, 2)), ((10, 1), (30, 5)))

Only what the generator needs is here: atoms of one thread, tiles of one level.
"""

from __future__ import annotations

import functools

from leaves import (  # noqa: F401
    Unfit,
    Dyn,
    Basis,
    Layout,
    Composed,
    text,
    width_of,
    delta,
    unknown,
    is_static,
    num,
    add,
    sub,
    mul,
    div,
    mod,
    minimum,
    ceil_div,
    flat,
    product,
    modes,
    join,
    rank,
    leaves,
    vec,
    oplus,
    crd2idx,
    swizzled,
)

# --- Coalesce, composition, complement ----------------------------------------


def merges(s, d, big_s, big_d):
    plain = (int,)
    return all(isinstance(x, plain) for x in (s, d, big_s, big_d)) and s * d == big_d


def coalesce(x, keep_last=False):
    pairs = leaves(x)
    if len(pairs) == 1:
        s, d = pairs[0]
        if keep_last:
            return Layout(2, d) if s == 1 else Layout(s, d)
        return Layout(1, 0) if s == 1 else x
    if keep_last and pairs[-1][0] == 1:
        pairs[-1] = (2, pairs[-1][1])
    s1, d1 = pairs[-1]
    out = []
    for s, d in reversed(pairs[:-1]):
        if s == 1:
            continue
        if s1 == 1:
            s1, d1 = s, d
        elif merges(s, d, s1, d1):
            s1, d1 = s * s1, d
        else:
            out.append((s1, d1))
            s1, d1 = s, d
    out.append((s1, d1))
    out.reverse()
    if len(out) == 1:
        return Layout(1, 0) if s1 == 1 else Layout(s1, d1)
    return Layout(tuple(s for s, _ in out), tuple(d for _, d in out))


def normal(x):
    """Static size 1 gets stride 0; tuples of one are dropped."""
    if isinstance(x.shape, tuple):
        parts = [normal(m) for m in modes(x)]
        return parts[0] if len(parts) == 1 else join(parts)
    return Layout(1, 0) if x.shape == 1 else x


def compose_leaf(a, s, d):
    if isinstance(d, Basis):
        raise Unfit("composition with a basis stride")
    if d == 0:
        return Layout(s, 0)
    parts = leaves(a)
    if len(parts) == 1:
        return Layout(s, mul(parts[0][1], d))
    out, sigma, rho = [], s, d
    for si, di in parts[:-1]:
        if is_static(si, rho) and rho % si and rho >= si:
            raise Unfit("stride divisibility")
        tau, next_rho = ceil_div(si, rho), ceil_div(rho, si)
        if tau == 1 or sigma == 1:
            rho = next_rho
            continue
        if is_static(si, rho) and si % rho and not (is_static(sigma) and sigma <= tau):
            raise Unfit("run crosses the mode")
        t = minimum(tau, sigma)
        if is_static(t, sigma) and sigma % t:
            raise Unfit("shape divisibility")
        out.append((t, mul(rho, di)))
        sigma = div(sigma, t)
        rho = next_rho
    if not out:
        return Layout(sigma, mul(rho, parts[-1][1]))
    if sigma != 1:
        out.append((sigma, mul(rho, parts[-1][1])))
    if len(out) == 1:
        return Layout(*out[0])
    return Layout(tuple(p[0] for p in out), tuple(p[1] for p in out))


def composition(a, b):
    """The type of c -> a(b(c)), for a `b` with integer strides."""
    a = coalesce(a, keep_last=True)

    def walk(x):
        if isinstance(x.shape, tuple):
            return join([walk(m) for m in modes(x)])
        return compose_leaf(a, x.shape, x.stride)

    return normal(walk(b))


def composition_tile(a, tile):
    parts = modes(a)
    if len(tile) > len(parts):
        raise Unfit("tile longer than the layout")
    for i, t in enumerate(tile):
        if t is not None:
            b = t if isinstance(t, Layout) else Layout(t, 1)
            parts[i] = composition(parts[i], b)
    return normal(join(parts) if isinstance(a.shape, tuple) else parts[0])


def complement(x, m):
    pairs = [(1 if d == 0 else s, d) for s, d in leaves(x)]
    pairs = leaves(
        coalesce(Layout(tuple(s for s, _ in pairs), tuple(d for _, d in pairs)))
    )
    if len(pairs) == 1 and pairs[0][1] == 0:
        return Layout(m, 1)
    if any(not isinstance(d, int) or d < 0 for _, d in pairs):
        raise Unfit("complement of unknown strides")
    pairs.sort(key=lambda p: p[1])
    out, last = [], 1
    for s, d in pairs:
        gap = div(d, last)
        if gap == 0 or (is_static(d, last) and d % last):
            raise Unfit("not injective")
        out.append((gap, last))
        last = mul(d, s)
    out.append((ceil_div(m, last), last))
    return coalesce(Layout(tuple(s for s, _ in out), tuple(d for _, d in out)))


# --- Divides and products -----------------------------------------------------


def divide_mode(a, tile):
    """One mode by a number or a layout: (tile, rest)."""
    b = tile if isinstance(tile, Layout) else Layout(tile, 1)
    k = complement(b, product(coalesce(a).shape))
    return composition(a, join([b, k]))


def logical_divide(a, tile):
    if not isinstance(tile, list):
        return divide_mode(a, tile)
    parts = modes(a)
    if len(tile) > len(parts):
        raise Unfit("tile longer than the layout")
    for i, t in enumerate(tile):
        if t is not None:
            parts[i] = divide_mode(parts[i], t)
    return join(parts)


def zipped_divide(a, tile):
    if not isinstance(tile, list):
        return divide_mode(a, tile)
    if None in tile:
        raise Unfit("whole modes do not zip")
    parts = modes(logical_divide(a, tile))
    pairs = [modes(p) for p in parts[: len(tile)]]
    firsts = [p[0] for p in pairs]
    seconds = [p[1] for p in pairs] + parts[len(tile) :]
    return join([join(firsts), join(seconds)])


def expand(x, which):
    """Replaces these modes by their children."""
    out = []
    for i, m in enumerate(modes(x)):
        out += modes(m) if i in which else [m]
    return out[0] if len(out) == 1 else join(out)


def divide(kind, a, tile):
    if kind == "logical_divide":
        return logical_divide(a, tile)
    x = zipped_divide(a, tile)
    if kind == "zipped_divide":
        return x
    return expand(x, (1,) if kind == "tiled_divide" else (0, 1))


def cosize(x):
    total = 0
    for s, d in leaves(x):
        total = add(total, mul(add(s, -1), d))
    return add(total, 1)


def logical_product(a, b):
    k = complement(a, mul(product(a.shape), cosize(b)))
    return normal(join([a, composition(k, b)]))


def make_product(kind, a, b):
    if kind in ("blocked_product", "raked_product"):
        n = max(rank(a), rank(b))
        a, b = (
            join(modes(x) + [Layout(1, 0)] * (n - rank(x))) if rank(x) < n else x
            for x in (a, b)
        )
        p = modes(logical_product(a, b))
        one, two = (modes(x) for x in (p if kind[0] == "b" else p[::-1]))
        if len(one) != n or len(two) != n:
            raise Unfit("ranks of a blocked product")
        return join([join([x, y]) for x, y in zip(one, two)]) if n > 1 else join(p if kind[0] == "b" else p[::-1])
    x = logical_product(a, b)
    if kind in ("logical_product", "zipped_product"):
        return x
    return expand(x, (1,) if kind == "tiled_product" else (0, 1))


# --- Slices, fragments, partitions --------------------------------------------


def unwrap(t):
    while isinstance(t, tuple) and len(t) == 1:
        t = t[0]
    return t


def slice_tuple(t, c):
    def walk(t, c):
        if c is None:
            return [t]
        if isinstance(c, tuple):
            return [y for ti, ci in zip(t, c) for y in walk(ti, ci)]
        return []

    kept = walk(t, c)
    if c is None:
        return t
    if not kept:
        raise Unfit("nothing is kept")
    return unwrap(tuple(kept))


def slice_layout(x, c):
    return Layout(slice_tuple(x.shape, c), slice_tuple(x.stride, c))


def compact(shape, start=1):
    """Column-major strides."""
    if isinstance(shape, tuple):
        out = []
        for s in shape:
            out.append(compact(s, start))
            start = mul(start, product(s))
        return tuple(out)
    return start


def ordered(shape, order):
    """Compact strides in increasing `order`; both flat or congruent, static."""
    pairs = list(zip(flat(shape), flat(order)))

    def start(j):
        mine, total = pairs[j][1], 1
        for i, (s, o) in enumerate(pairs):
            before = o < mine if is_static(o, mine) else (
                i < j if not is_static(o) and not is_static(mine) else is_static(o)
            )
            if before:
                total *= s
        return total

    counter = iter(range(len(pairs)))
    build = lambda t: tuple(build(x) for x in t) if isinstance(t, tuple) else start(next(counter))
    return build(shape)


def fragment(x):
    """The compact layout of a register copy of x."""
    if any(not is_static(s) for s in flat(x.shape)):
        raise Unfit("fragment of a dynamic shape")
    if rank(x) <= 1:
        return Layout(x.shape, compact(x.shape))
    parts = modes(x)
    dense = iter(compact(tuple(1 if d == 0 else s for s, d in leaves(parts[0]))))

    def strides(s, d):
        if isinstance(s, tuple):
            return tuple(strides(a, b) for a, b in zip(s, d))
        value = next(dense)
        return 0 if d == 0 else value

    m0 = Layout(parts[0].shape, strides(parts[0].shape, parts[0].stride))
    rest = parts[1] if len(parts) == 2 else join(parts[1:])
    if isinstance(rest.shape, tuple):
        rest = Layout(rest.shape, ordered(rest.shape, rest.stride))
    else:
        rest = Layout(rest.shape, 1)
    return expand(logical_product(m0, rest), (1,))


@functools.lru_cache(maxsize=4096)
def thread_value(w, values):
    """(threads, (atom values, rest)) of a copy by one-thread atoms."""
    tile = modes(zipped_divide(w, [1, values]))
    unit = Layout((1, values), (0, 1 if values > 1 else 0))
    u = composition(tile[0], unit)
    threads = [modes(u)[0], modes(tile[1])[0]]
    vals = [modes(u)[1], modes(tile[1])[1]]
    return join([coalesce(join(threads)), join([coalesce(v) for v in vals])])


def copy_view(x, w, tile, values):
    """(threads, (values, rest), rest of x ...) of a tiled copy."""
    return _copy_view(x, w, tuple(tile) if isinstance(tile, list) else tile, values)


@functools.lru_cache(maxsize=4096)
def _copy_view(x, w, tile, values):
    tile = list(tile) if isinstance(tile, tuple) else tile
    z = modes(zipped_divide(x, tile))
    v = modes(composition(z[0], thread_value(w, values)))
    return join([v[0], v[1]] + modes(z[1]))


def mma_view(x, tile, atom, thread_values, count):
    """((thr, (n0, n1)), (val, (rest ...))) of an operand of a tiled MMA."""
    y = logical_divide(x, tile)
    z = modes(zipped_divide(y, [atom[0], atom[1]]))
    v = modes(composition(z[0], thread_values))
    r = modes(zipped_divide(z[1], [count[0], count[1]]))
    return join([join([v[0], r[0]]), join([v[1], r[1]])])


def right_inverse(x):
    """The longest R with x(R(k)) = k."""
    pairs, want, out = leaves(coalesce(x)), 1, []
    found = True
    while found:
        found, place = False, 1
        for s, d in pairs:
            if d == want and isinstance(s, int) and s > 1:
                out.append((s, place))
                want, found = s * d, True
                break
            place = mul(place, s)
    if not out:
        return Layout(1, 0)
    return coalesce(Layout(tuple(s for s, _ in out), tuple(d for _, d in out)))


def upcast(x, f):
    """x over units of f elements, for static strides."""
    if isinstance(x.shape, tuple):
        return join([upcast(m, f) for m in modes(x)])
    if x.stride == 0:
        return x
    if not is_static(x.shape, x.stride) or (x.stride % f and f % x.stride):
        raise Unfit("units do not fit")
    return Layout(-(-x.shape // -(-f // x.stride)), -(-x.stride // f))


def retile(w, tile, x, values):
    """A fragment's layout as a copy with thread values w sees it."""
    threads, _ = (product(m.shape) for m in modes(w))
    held = product(modes(x)[0].shape)
    place = composition(right_inverse(w), Layout(tuple(tile), compact(tuple(tile))))
    units = upcast(place, threads * held)
    whole = logical_product(Layout(held, 1), right_inverse(units))
    parts = divide_mode(whole, Layout(values, 1))
    z = modes(zipped_divide(x, [held] + [product(m.shape) for m in modes(units)]))
    return join([composition(z[0], parts)] + modes(z[1])[1:])


# --- Indices to coordinates ---------------------------------------------------


def idx2crd(i, shape, stride):
    if isinstance(shape, tuple):
        return tuple(idx2crd(i, s, d) for s, d in zip(shape, stride))
    return 0 if shape == 1 else mod(div(i, stride), shape)


def colex(c, shape):
    """The column-major number of a coordinate, from the last mode backwards."""
    if not isinstance(c, tuple):
        return c
    total = colex(c[-1], shape[-1])
    for ci, si in zip(c[-2::-1], shape[-2::-1]):
        total = add(colex(ci, si), mul(product(si), total))
    return total
