# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of the kernels without matrix products; see launches.py."""

from __future__ import annotations

try:
    import numpy as np
except ImportError:
    np = None  # told by run_kernels.py

from launches import (
    UNTOUCHED,
    Kernel,
    Launch,
    ceil_div,
    from_bf16,
    packed,
    to_bf16,
)


def vector_add(chip, size, rng):
    """One f32 addition an element: exactly NumPy's."""
    (n,) = size
    a, b = rng.standard_normal((2, n)).astype(np.float32)
    out = np.full(n, UNTOUCHED, np.float32)
    want = (a + b).astype(np.float64)
    grid = (max(1, ceil_div(n, 1024)),)
    return Launch(grid, (256,), [a, n, b, n, out, n], out, want, np.zeros(n))


def axpy(chip, size, rng):
    """One fused multiply-add an element: half a unit of the last place."""
    rows, columns, pad = size
    alpha = rng.standard_normal(rows).astype(np.float32)
    x = rng.standard_normal(columns).astype(np.float32)
    y = rng.standard_normal((rows, columns + pad)).astype(np.float32)
    want = y.astype(np.float64)
    want[:, :columns] += np.outer(alpha.astype(np.float64), x)
    bound = np.zeros(y.shape)
    bound[:, :columns] = np.abs(want[:, :columns]) * 2.0**-23
    args = [alpha, rows, x, columns, y, packed(rows, columns, columns + pad)]
    grid = (max(1, ceil_div(columns, 128)), max(1, ceil_div(rows, 8)))
    return Launch(grid, (256,), args, y, want, bound)


def transpose(chip, size, rng):
    """Moves values: exact. Row strides are wider than the rows."""
    rows, columns, pad = size
    a = rng.standard_normal((rows, columns + pad)).astype(np.float32)
    out = np.full((columns, rows + pad), UNTOUCHED, np.float32)
    want = out.astype(np.float64)
    want[:, :rows] = a[:, :columns].T
    args = [a, packed(rows, columns, columns + pad)]
    args += [out, packed(columns, rows, rows + pad)]
    grid = (columns // 32, rows // 32)
    return Launch(grid, (256,), args, out, want, np.zeros(out.shape))


def gather_scatter(chip, size, rng):
    """Moves rows: exact. Some row numbers are outside of their table."""
    n, rows, columns, pad = size
    a = rng.standard_normal((rows, columns + pad)).astype(np.float32)
    b = np.full((rows + 3, columns), UNTOUCHED, np.float32)
    source = rng.integers(-1, rows + 1, n).astype(np.int32)
    target = (rng.permutation(rows + 5)[:n] - 1).astype(np.int32)
    want = b.astype(np.float64)
    for i, j in zip(source, target):
        if 0 <= i < len(a) and 0 <= j < len(b):
            want[j] = a[i, :columns]
    args = [source, n, target, n]
    args += [a, packed(rows, columns, columns + pad)]
    args += [b, packed(rows + 3, columns, columns)]
    grid = (max(1, ceil_div(columns, 128)), max(1, ceil_div(n, 8)))
    return Launch(grid, (256,), args, b, want, np.zeros(b.shape))


def row_sum(chip, size, rng):
    """One rounding an addition, on the way of each element to the sum."""
    rows, columns, pad = size
    x = rng.standard_normal((rows, columns + pad)).astype(np.float32)
    s = np.full(rows, UNTOUCHED, np.float32)
    row = x[:, :columns].astype(np.float64)
    depth = ceil_div(columns, 1024) + 2 + 5 + 3
    bound = depth * 2.0**-24 * np.abs(row).sum(axis=1)
    args = [x, packed(rows, columns, columns + pad), s, rows]
    return Launch((rows,), (256,), args, s, row.sum(axis=1), bound)


def softmax(chip, size, rng):
    """exp2's argument has three roundings, and an error in it is a relative
    one of the result, as are exp2's own (the instruction's: 1 ulp) and those
    of the sum; results below the normal numbers may be flushed."""
    rows, columns, pad = size
    x = (4 * rng.standard_normal((rows, columns + pad))).astype(np.float32)
    y = np.full((rows, columns + pad), UNTOUCHED, np.float32)
    want = y.astype(np.float64)
    bound = np.zeros(y.shape)
    row = x[:, :columns].astype(np.float64)
    row -= row.max(axis=1, keepdims=True, initial=-1e30)
    p = np.exp(row)
    p /= p.sum(axis=1, keepdims=True)
    want[:, :columns] = p
    depth = 3 * (ceil_div(columns, 1024) + 2 + 5 + 3)
    largest = np.abs(row).max(axis=1, keepdims=True, initial=0)
    bound[:, :columns] = p * (depth + 2 * largest) * 2.0**-23 + 2.0**-126
    layout = packed(rows, columns, columns + pad)
    return Launch((rows,), (256,), [x, layout, y, layout], y, want, bound)


def layernorm(chip, size, rng):
    """The result is rounded to f16; what f32 errs before is less than as much
    of the largest element."""
    rows, columns, pad = size
    x = (1 + rng.standard_normal((rows, columns + pad))).astype(np.float16)
    gamma = rng.standard_normal(columns).astype(np.float16)
    beta = rng.standard_normal(columns).astype(np.float16)
    y = np.full((rows, columns + pad), UNTOUCHED, np.float16)
    want = y.astype(np.float64)
    bound = np.zeros(y.shape)
    row = x[:, :columns].astype(np.float64)
    eps = np.float32(1e-5)
    row -= row.mean(axis=1, keepdims=True)
    row /= np.sqrt((row * row).mean(axis=1, keepdims=True) + eps)
    want[:, :columns] = row * gamma + beta
    terms = np.abs(row * gamma) + np.abs(beta) + np.abs(gamma)
    bound[:, :columns] = np.abs(want[:, :columns]) * 2.0**-11
    bound[:, :columns] += terms * 40 * 2.0**-24 + 2.0**-25
    layout = packed(rows, columns, columns + pad)
    args = [x, layout, gamma, columns, beta, columns, y, layout, eps.tobytes()]
    return Launch((rows,), (256,), args, y, want, bound)


def rmsnorm(chip, size, rng):
    """The result is rounded to bf16; f32 errs much less before."""
    rows, columns, pad = size
    x = to_bf16(rng.standard_normal((rows, columns + pad)))
    gamma = to_bf16(rng.standard_normal(columns))
    y = to_bf16(np.full((rows, columns + pad), UNTOUCHED))
    want = from_bf16(y).astype(np.float64)
    row = from_bf16(x[:, :columns]).astype(np.float64)
    eps = np.float32(1e-5)
    row /= np.sqrt((row * row).mean(axis=1, keepdims=True) + eps)
    want[:, :columns] = row * from_bf16(gamma)
    bound = np.zeros(y.shape)
    bound[:, :columns] = np.abs(want[:, :columns]) * (2.0**-8 + 2.0**-16)
    layout = packed(rows, columns, columns + pad)
    args = [x, layout, gamma, columns, y, layout, eps.tobytes()]
    grid = (max(1, ceil_div(rows, 8)),)
    return Launch(grid, (256,), args, y, want, bound, from_bf16)


def histogram(chip, size, rng):
    """Integers: exact, added to what the bins hold."""
    n, blocks = size
    keys = rng.integers(-20, 280, n).astype(np.int32)
    keys[: n // 3] = 7  # many threads at one bin
    bins = rng.integers(0, 1000, 256).astype(np.int32)
    want = bins + np.bincount(keys[(keys >= 0) & (keys < 256)], minlength=256)
    return Launch((blocks,), (256,), [keys, n, bins], bins, want, np.zeros(256))


# name: how it is launched, its file, how a size is printed, sizes.
KERNELS = {
    "vector_add": Kernel(
        vector_add,
        "vector_add.mlir",
        "n={}",
        [(n,) for n in (0, 1, 255, 1000, 1023, 1024, 1025, 2048, 4099)],
        small=6,
        isa={"gfx1250": ("global_load_b32", "v_pk_add_f32")},
    ),
    "axpy": Kernel(
        axpy,
        "axpy.mlir",
        "{}x{} pad {}",
        [(0, 7, 0), (1, 1, 0), (8, 128, 0), (11, 200, 3), (16, 129, 1)],
        small=3,
        isa={"gfx1250": ("global_load_b32", "v_pk_fma_f32")},
    ),
    "transpose": Kernel(
        transpose,
        "transpose.mlir",
        "{}x{} pad {}",
        [(32, 32, 0), (32, 96, 4), (64, 32, 8), (128, 160, 12)],
        isa={"gfx1250": ("ds_store_b128", "ds_load_b32")},
    ),
    "gather_scatter": Kernel(
        gather_scatter,
        "gather_scatter.mlir",
        "{} of {}x{} pad {}",
        [(0, 3, 4, 0), (5, 9, 4, 4), (8, 8, 128, 0), (21, 40, 260, 12)],
        small=3,
        isa={"gfx1250": ("global_load_b128", "global_store_b128")},
    ),
    "row_sum": Kernel(
        row_sum,
        "row_sum.mlir",
        "{}x{} pad {}",
        [(2, 0, 1), (1, 1, 0), (3, 1024, 0), (2, 1025, 3), (1, 2500, 0)],
        small=3,
        isa={"gfx1250": ("ds_bpermute_b32", "ds_load_b128")},
    ),
    "softmax": Kernel(
        softmax,
        "softmax.mlir",
        "{}x{} pad {}",
        [(1, 0, 1), (2, 1, 0), (2, 1024, 0), (2, 1025, 3), (1, 2500, 0)],
        small=3,
        isa={"gfx1250": ("ds_bpermute_b32", "v_exp_f32_e32")},
    ),
    "layernorm": Kernel(
        layernorm,
        "layernorm.mlir",
        "{}x{} pad {}",
        [(2, 8, 0), (3, 1000, 8), (2, 2048, 0)],
        isa={"gfx1250": ("ds_bpermute_b32", "global_store_b128")},
    ),
    "rmsnorm": Kernel(
        rmsnorm,
        "rmsnorm.mlir",
        "{}x{} pad {}",
        [(0, 8, 0), (1, 8, 8), (8, 256, 0), (11, 600, 16)],
        small=3,
        isa={"gfx1250": ("ds_bpermute_b32", "global_store_b128")},
    ),
    "histogram": Kernel(
        histogram,
        "histogram.mlir",
        "{} in {} groups",
        [(0, 1), (1, 1), (256, 2), (3001, 3)],
        small=2,
        isa={"gfx1250": ("ds_add_u32", "global_atomic_add_u32")},
    ),
}
