# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels: whole programs of Fly IR, from a seed.

In: a seed, a chip. Out: a `Program` whose meaning is defined; what is not (a
type that does not exist, a store by two lanes to one place) is drawn again. A
kernel belongs to one of the families below, within which everything is drawn.
"""

from __future__ import annotations

import random

import algebra as al
import meaning as me
from draw import Draw
from family_gemm import gemm
from family_index import index
from family_tiles import tiles
from family_views import views

FAMILIES = {"tiles": (tiles, 5), "views": (views, 4), "index": (index, 2), "gemm": (gemm, 1)}


def make(seed, chip, name, families=tuple(FAMILIES)):
    """(program, the buffers that it leaves, family, number of tries)."""
    weights = [FAMILIES[f][1] for f in families]
    family = random.Random(seed).choices(families, weights)[0]
    for attempt in range(2000):
        draw = Draw(f"{seed}/{attempt}", chip, name)
        try:
            FAMILIES[family][0](draw)
            return draw.program, draw.program.run(), family, attempt + 1
        except (al.Unfit, me.Ill):
            continue
    raise RuntimeError(f"seed {seed}: no kernel of family {family} in 2000 tries")
