# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a launch of a kernel of this folder is, and what the lists of kernels
(vectors.py, matrices.py) share.

For a kernel, a chip and a size, a function there makes the arguments of one
launch, the numbers that NumPy gives (in f64), and how far each element may be
from them; a bound of 0 means exactly. Their `KERNELS` are what run_kernels.py
runs.
"""

from __future__ import annotations

import dataclasses
import os
import struct
import typing

try:
    import numpy as np
except ImportError:
    np = None  # told by run_kernels.py

CHIPS = ("gfx942", "gfx950", "gfx1100", "gfx1201")
WAVE = {"gfx942": 64, "gfx950": 64, "gfx1100": 32, "gfx1201": 32}
FAMILY = {
    "gfx942": "cdna",
    "gfx950": "cdna",
    "gfx1100": "gfx11",
    "gfx1201": "gfx12",
    "gfx1250": "gfx1250",
}
UNTOUCHED = -12345.0


@dataclasses.dataclass
class Launch:
    """One run of a kernel; `want` and `bound` are for the elements of `out`."""

    grid: tuple
    block: tuple
    args: list  # arrays are device buffers, int and bytes go by value
    out: np.ndarray  # the array of `args` that the kernel writes
    want: np.ndarray  # in f64
    bound: np.ndarray  # the allowed |out - want|; 0: exact
    decode: typing.Callable = lambda out: out  # what the bits of `out` mean


def packed(*numbers):
    """The dynamic leaves of a layout, as the kernel takes them: packed i32."""
    return struct.pack(f"<{len(numbers)}i", *numbers)


def ceil_div(a, b):
    return -(-a // b)


def dot_bound(a, b):
    """What f32 accumulation of a @ b may err: k roundings of partial sums, each
    at most 2^-23 of the sum of magnitudes (also if sums are truncated), with
    exact products."""
    k = a.shape[1]
    return (k + 1) * 2.0**-23 * (np.abs(a) @ np.abs(b))


def to_bf16(x):
    """The nearest bf16 of finite numbers, ties to even, as uint16."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


@dataclasses.dataclass
class Kernel:
    """One kernel: `file` may name the family of the chip, `text` says how a
    size is printed. On the chips of `isa` it is compiled only, and each of the
    words given must occur among its instructions. `sizes[small]` is the
    smallest that has work for all parts of the kernel."""

    launch: typing.Callable
    file: str
    text: str
    sizes: list
    small: int = 1
    chips: tuple = CHIPS
    isa: dict = dataclasses.field(default_factory=dict)

    @property
    def edits(self):
        """What is respelt for a chip, as the heads of the files say it."""
        found = {}
        for chip, family in FAMILY.items():
            path = os.path.join(
                os.path.dirname(os.path.abspath(__file__)),
                self.file.format(family=family),
            )
            if not os.path.exists(path):
                continue
            with open(path, encoding="utf-8") as file:
                for line in file:
                    words = line.split()
                    if not line.startswith("//"):
                        break
                    if words[1:4] == ["respelt", "on", chip + ":"]:
                        found.setdefault(chip, []).append((words[4], words[6]))
        return found
