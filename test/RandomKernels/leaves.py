# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuples of known and unknown integers, layouts of them, and coordinates.

What algebra.py builds on: the leaves (numbers, `Dyn`, `Basis`) with their
arithmetic and their text, tuples of leaves, and the offset of a coordinate.

    text(Layout((4, Dyn()), (1, 4)))  ->  "(4,?):(1,4)"
"""

from __future__ import annotations

import dataclasses
import math

class Unfit(Exception):
    """The operands do not meet a precondition; the generator tries another."""


@dataclasses.dataclass(frozen=True)
class Dyn:
    """An integer known at run time only, a multiple of `div`."""

    width: int = 32
    div: int = 1


@dataclasses.dataclass(frozen=True)
class Basis:
    """value times the unit vector of the coordinate at `path`."""

    value: object
    path: tuple


@dataclasses.dataclass(frozen=True)
class Layout:
    shape: object
    stride: object


@dataclasses.dataclass(frozen=True)
class Composed:
    """coordinate -> swizzle(offset + outer(coordinate)); swizzle is (M, B, S)."""

    swizzle: tuple
    offset: object
    outer: Layout


# --- Text ---------------------------------------------------------------------


def text(x):
    if x is None:
        return "*"
    if isinstance(x, Dyn):
        words = (["i64"] if x.width == 64 else []) + (
            [f"div={x.div}"] if x.div != 1 else []
        )
        return "?" + ("{" + " ".join(words) + "}" if words else "")
    if isinstance(x, Basis):
        return text(x.value) + "".join(f"E{m}" for m in x.path)
    if isinstance(x, tuple):
        return "(" + ",".join(text(y) for y in x) + ")"
    if isinstance(x, Layout):
        return f"{text(x.shape)}:{text(x.stride)}"
    if isinstance(x, Composed):
        return f"S<{','.join(map(str, x.swizzle))}> o {text(x.offset)} o {text(x.outer)}"
    if isinstance(x, list):
        return "[" + "|".join(text(y) for y in x) + "]"
    return str(x)


# --- Leaves -------------------------------------------------------------------


def width_of(a):
    if isinstance(a, Dyn):
        return a.width
    return 64 if a is not None and not -(2**31) <= a < 2**31 else 32


def delta(a):
    return a.div if isinstance(a, Dyn) else abs(a or 0)


def unknown(a, b, div):
    return Dyn(max(width_of(a), width_of(b)), max(1, div))


def is_static(*leaves):
    return not any(isinstance(x, Dyn) for x in leaves)


def num(a):
    return 0 if a is None else a


def add(a, b):
    a, b = num(a), num(b)
    if is_static(a, b):
        return a + b
    if a == 0:
        return b
    if b == 0:
        return a
    return unknown(a, b, math.gcd(delta(a), delta(b)))


def sub(a, b):
    a, b = num(a), num(b)
    if is_static(a, b):
        return a - b
    if a == 0:
        return b
    if b == 0:
        return a
    return unknown(a, b, math.gcd(delta(a), delta(b)))


def mul(a, b):
    a, b = num(a), num(b)
    if isinstance(b, Basis):
        return Basis(mul(a, b.value), b.path)
    if isinstance(a, Basis):
        return Basis(mul(a.value, b), a.path)
    if is_static(a, b):
        return a * b
    if a == 0 or b == 0:
        return 0
    return unknown(a, b, delta(a) * delta(b))


def div(a, b):
    a, b = num(a), num(b)
    if b == 0:
        raise Unfit("division by zero")
    if is_static(a, b):
        q = abs(a) // abs(b)
        return q if (a < 0) == (b < 0) else -q
    return 0 if a == 0 else unknown(a, b, 1)


def mod(a, b):
    a, b = num(a), num(b)
    if b == 0:
        raise Unfit("division by zero")
    if is_static(a, b):
        return int(math.fmod(a, b))
    if b == 1 or a == 0:
        return 0
    return unknown(a, b, math.gcd(delta(a), delta(b)))


def minimum(a, b):
    if is_static(a, b):
        return min(a, b)
    return unknown(a, b, math.gcd(delta(a), delta(b)))


def ceil_div(a, b):
    a, b = num(a), num(b)
    if b == 0:
        raise Unfit("division by zero")
    if is_static(a, b):
        return -(-a // b)
    return a if is_static(a) and a in (0, 1) else unknown(a, b, 1)


# --- Tuples -------------------------------------------------------------------


def flat(t):
    return [y for x in t for y in flat(x)] if isinstance(t, tuple) else [t]


def product(t):
    result = 1
    for x in flat(t):
        result = mul(result, x)
    return result


def modes(x):
    """The top-level modes of a layout, a leaf as one."""
    if isinstance(x.shape, tuple):
        return [Layout(s, d) for s, d in zip(x.shape, x.stride)]
    return [x]


def join(layouts):
    """The layout with these top-level modes."""
    return Layout(tuple(x.shape for x in layouts), tuple(x.stride for x in layouts))


def rank(x):
    return len(x.shape) if isinstance(x.shape, tuple) else 1


def leaves(x):
    return list(zip(flat(x.shape), flat(x.stride)))


def vec(b):
    result = b.value
    for m in reversed(b.path):
        result = (0,) * m + (result,)
    return result


def oplus(a, b):
    """Addition in the codomain: integers, basis leaves, tuples."""
    plain = lambda x: not isinstance(x, (Basis, tuple))
    if plain(a) and plain(b):
        return add(a, b)
    if plain(a) and num(a) == 0:
        return b
    if plain(b) and num(b) == 0:
        return a
    a, b = (vec(x) if isinstance(x, Basis) else x for x in (a, b))
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        raise Unfit("number against coordinate")
    n = max(len(a), len(b))
    return tuple(
        oplus(a[i], b[i]) if i < min(len(a), len(b)) else (a[i:] or b[i:])[0]
        for i in range(n)
    )


def crd2idx(c, x):
    """The type of x(c)."""
    if isinstance(x, Composed):
        return swizzled(x.swizzle, add(x.offset, crd2idx(c, x.outer)))
    if isinstance(c, tuple):
        total = 0
        parts = modes(x)
        if len(parts) != len(c) or not isinstance(x.shape, tuple):
            raise Unfit("ranks")
        for ci, xi in zip(c, parts):
            total = oplus(total, crd2idx(ci, xi))
        return total
    if not isinstance(x.shape, tuple):
        return mul(c, x.stride)
    parts, rest, total = modes(x), c, 0
    for xi in parts[:-1]:
        total = oplus(total, crd2idx(mod(rest, product(xi.shape)), xi))
        rest = div(rest, product(xi.shape))
    return oplus(total, crd2idx(rest, parts[-1]))


def swizzled(swizzle, x):
    m, b, s = swizzle
    if m == 0:
        return x
    if isinstance(x, Dyn):
        return Dyn(x.width, math.gcd(x.div, 2**b))
    return x ^ ((x & (((1 << m) - 1) << (b + s))) >> s)
