# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of matrix products and of attention; see launches.py."""

from __future__ import annotations

try:
    import numpy as np
except ImportError:
    np = None  # told by run_kernels.py

from launches import (
    FAMILY,
    UNTOUCHED,
    WAVE,
    Kernel,
    Launch,
    ceil_div,
    dot_bound,
    from_bf16,
    packed,
    to_bf16,
)


def mma_tile(chip, size, rng):
    """f16 products are exact in f32; the bound is that of the sum."""
    a, b = rng.standard_normal((2, 16, 16)).astype(np.float16)
    out = np.full((16, 16), UNTOUCHED, np.float32)
    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    return Launch(
        (1,), (WAVE[chip],), [a, b, out], out, a64 @ b64, dot_bound(a64, b64)
    )


def gemm(chip, size, rng):
    """As mma_tile, for (M, K) times (N, K) transposed; rows are padded."""
    m, n, k, pad = size
    a = rng.standard_normal((m, k + pad)).astype(np.float16)
    b = rng.standard_normal((n, k + pad)).astype(np.float16)
    out = np.full((m, n + pad), UNTOUCHED, np.float32)
    want = out.astype(np.float64)
    bound = np.zeros(out.shape)
    a64, b64 = a[:, :k].astype(np.float64), b[:, :k].T.astype(np.float64)
    want[:, :n] = a64 @ b64
    bound[:, :n] = dot_bound(a64, b64)
    args = [a, packed(m, k, k + pad), b, packed(n, k, k + pad)]
    args += [out, packed(m, n, n + pad)]
    block = (4 * WAVE[chip],)
    return Launch((n // 64, m // 64), block, args, out, want, bound)


def gemm_ragged(chip, size, rng, make, decode, out_type):
    """(M, K) times (N, K) transposed, for any sizes. `make` draws the bits of
    a matrix, `decode` says what they mean. What lies between the rows of A and
    B, and behind them, is no number that the kernel may use."""
    m, n, k, pad = size
    a, b = make(rng, (m, k + pad)), make(rng, (n, k + pad))
    out = np.full((m, n + pad), UNTOUCHED, out_type)
    want = out.astype(np.float64)
    bound = np.zeros(out.shape)
    a64 = decode(a[:, :k]).astype(np.float64)
    b64 = decode(b[:, :k]).T.astype(np.float64)
    want[:, :n] = a64 @ b64
    if out_type == np.float32:
        bound[:, :n] = dot_bound(a64, b64)
    args = [a, packed(m, k, k + pad), b, packed(n, k, k + pad)]
    args += [out, packed(m, n, n + pad)]
    grid = (ceil_div(n, 64), ceil_div(m, 64))
    return Launch(grid, (256,), args, out, want, bound)


def normal_bf16(rng, shape):
    return to_bf16(rng.standard_normal(shape))


def gemm_bf16(chip, size, rng):
    """bf16 products are exact in f32; the bound is that of the sum."""
    return gemm_ragged(chip, size, rng, normal_bf16, from_bf16, np.float32)


def gemm_i8(chip, size, rng):
    """Integers: exact."""

    def make(rng, shape):
        return rng.integers(-128, 128, shape).astype(np.int8)

    return gemm_ragged(chip, size, rng, make, lambda x: x, np.int32)


def from_fp8(bits, bias):
    """f8E4M3: sign, 4 bits of exponent, 3 of mantissa. The bias is 7 for FN, 8
    for FNUZ; what is no number is not asked for."""
    exponent, mantissa = (bits >> 3) & 15, bits & 7
    scale = np.ldexp(1.0, np.maximum(exponent, 1).astype(int) - bias - 3)
    value = np.where(exponent > 0, 8 + mantissa, mantissa) * scale
    return np.where(bits & 128, -value, value)


def gemm_fp8(chip, size, rng):
    """fp8 products are exact in f32; the bound is that of the sum."""
    bias = 8 if chip == "gfx942" else 7

    def make(rng, shape):  # no NaN: 0x7F and 0xFF, and 0x80 of FNUZ
        sign = 128 * rng.integers(0, 2, shape)
        return (sign + rng.integers(1, 127, shape)).astype(np.uint8)

    def decode(bits):
        return from_fp8(bits, bias)

    return gemm_ragged(chip, size, rng, make, decode, np.float32)


def gemm_f32(chip, size, rng):
    """Fused multiply-adds: a rounding an element of K."""

    def make(rng, shape):
        return rng.standard_normal(shape).astype(np.float32)

    return gemm_ragged(chip, size, rng, make, lambda x: x, np.float32)


def gemm_preshuffled(chip, size, rng):
    """As gemm_bf16; B is stored in the order that the chip's lanes want."""
    m, n, k, pad = size
    a = to_bf16(rng.standard_normal((m, k + pad)))
    b = to_bf16(rng.standard_normal((n, k)))
    # (n1, n0, k2, k1, k0) to (n1, k2, k1, n0, k0)
    lanes, run = {"cdna": (4, 8), "gfx11": (1, 16), "gfx12": (2, 8)}[
        FAMILY[chip]
    ]
    deep = lanes * run
    shuffled = b.reshape(n // 16, 16, k // deep, lanes, run)
    shuffled = np.ascontiguousarray(shuffled.transpose(0, 2, 3, 1, 4))
    out = np.full((m, n + pad), UNTOUCHED, np.float32)
    want = out.astype(np.float64)
    bound = np.zeros(out.shape)
    a64 = from_bf16(a[:, :k]).astype(np.float64)
    b64 = from_bf16(b).T.astype(np.float64)
    want[:, :n] = a64 @ b64
    bound[:, :n] = dot_bound(a64, b64)
    args = [a, packed(m, k, k + pad), shuffled]
    args += [packed(n // 16, k // deep, 16 * k), out, packed(m, n, n + pad)]
    return Launch((n // 64, ceil_div(m, 64)), (256,), args, out, want, bound)


def gemm_splitk(chip, size, rng):
    """As gemm_bf16, and one rounding a split, in any order."""
    m, n, k, pad, tiles, splits = size
    launch = gemm_ragged(
        chip, (m, n, k, pad), rng, normal_bf16, from_bf16, np.float32
    )
    inside = launch.out[:, :n]
    inside[:] = rng.standard_normal(inside.shape)
    launch.want[:, :n] += inside
    sums = np.abs(launch.want[:, :n]) + np.abs(inside)
    launch.bound[:, :n] *= 1 + splits / (k + 1)
    launch.bound[:, :n] += splits * 2.0**-23 * sums
    launch.args.append(tiles)
    launch.grid += (splits,)
    return launch


def gemm_grouped(chip, size, rng):
    """As gemm_bf16, for rows of A that a list names, and B by expert."""
    tokens, experts, n, k, pad = size
    a = to_bf16(rng.standard_normal((tokens, k + pad)))
    b = to_bf16(rng.standard_normal((experts, n, k)))
    token, expert = [], []
    for e in range(experts):  # the last one may have no token
        chosen = np.flatnonzero(rng.random(tokens) < 0.6 * (e + 1 < experts))
        blocks = ceil_div(len(chosen), 64)
        padding = np.full(64 * blocks - len(chosen), -1)
        token += [*chosen, *padding]
        expert += [e] * blocks
    token, expert = np.array(token, np.int32), np.array(expert, np.int32)
    out = np.full((len(token), n + pad), UNTOUCHED, np.float32)
    want, bound = out.astype(np.float64), np.zeros(out.shape)
    a64, b64 = from_bf16(a[:, :k]).astype(np.float64), from_bf16(b)
    for i, t in enumerate(token):
        if t >= 0:
            weights = b64[expert[i // 64]].T.astype(np.float64)
            want[i, :n] = a64[t] @ weights
            bound[i, :n] = dot_bound(a64[t : t + 1], weights)[0]
    args = [a, packed(tokens, k, k + pad), b, packed(n, k, experts, k, n * k)]
    args += [token, len(token), expert, len(expert)]
    args += [out, packed(len(token), n, n + pad)]
    grid = (ceil_div(n, 64), len(expert))
    return Launch(grid, (256,), args, out, want, bound)


def flash_attention(chip, size, rng):
    """P and the result are rounded to f16, of relative error 2^-11 each; the
    error of a score is one of P, and twice as much leaves room for it."""
    queries, keys, causal, pad = size

    def draw(rows):
        return rng.standard_normal((rows, 64 + pad)).astype(np.float16)

    q, k, v = draw(queries), draw(keys), draw(keys)
    out = np.full(q.shape, UNTOUCHED, np.float16)
    want, bound = out.astype(np.float64), np.zeros(out.shape)
    q64, k64, v64 = (x[:, :64].astype(np.float64) for x in (q, k, v))
    score = q64 @ k64.T / 8
    if causal:
        score[np.triu_indices(queries, 1, keys)] = -np.inf
    p = np.exp(score - score.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    want[:, :64] = p @ v64
    bound[:, :64] = p @ np.abs(v64) * 2.0**-10 + 2.0**-24 * np.abs(v64).sum()
    bound[:, :64] += np.abs(want[:, :64]) * 2.0**-11
    args = []
    for x in (q, k, v, out):
        args += [x, packed(len(x), 64 + pad)]
    block = 64 if WAVE[chip] == 64 else 128
    grid = (ceil_div(queries, block),)
    return Launch(grid, (256,), [*args, causal], out, want, bound)


def gemm_mxfp4(chip, size, rng):
    """Products of scaled fp4 are exact in f32; the bound is that of the sum."""
    m, n, k, pad = size
    fp4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    fp4 = np.concatenate([fp4, -fp4])

    def draw(rows):  # packed, scales, and what they mean
        codes = rng.integers(0, 16, (rows, k + pad)).astype(np.uint8)
        scales = rng.integers(124, 131, (rows, k // 32)).astype(np.uint8)
        factors = np.ldexp(1.0, scales.astype(int) - 127).repeat(32, axis=1)
        return (
            codes[:, 0::2] | codes[:, 1::2] << 4,
            scales,
            fp4[codes[:, :k]] * factors,
        )

    (a, a_scales, a64), (b, b_scales, b64) = draw(m), draw(n)
    out = np.full((m, n + pad), UNTOUCHED, np.float32)
    want, bound = out.astype(np.float64), np.zeros(out.shape)
    want[:, :n], bound[:, :n] = a64 @ b64.T, dot_bound(a64, b64.T)
    args = [a, packed(m, k, k + pad), b, packed(n, k, k + pad)]
    args += [a_scales, packed(m, k // 32, k // 32)]
    args += [b_scales, packed(n, k // 32, k // 32)]
    args += [out, packed(m, n, n + pad)]
    grid = (ceil_div(n, 64), ceil_div(m, 64))
    return Launch(grid, (256,), args, out, want, bound)


# name: how it is launched, its file, how a size is printed, sizes.
KERNELS = {
    "mma_tile": Kernel(
        mma_tile,
        "mma_tile_{family}.mlir",
        "{}x{}x{}",
        [(16, 16, 16)],
        small=0,
        isa={"gfx1250": ("v_wmma_f32_16x16x32_f16",)},
    ),
    "gemm": Kernel(
        gemm,
        "gemm_{family}.mlir",
        "{}x{}x{} pad {}",
        [(64, 64, 0, 8), (64, 64, 32, 0), (64, 128, 96, 8), (192, 64, 256, 16)],
        small=2,
        isa={"gfx1250": ("v_wmma_f32_16x16x32_f16",)},
    ),
    "gemm_bf16": Kernel(
        gemm_bf16,
        "gemm_bf16_{family}.mlir",
        "{}x{}x{} pad {}",
        [(64, 64, 0, 8), (64, 64, 32, 0), (1, 1, 8, 0), (70, 65, 104, 8)],
        small=3,
        isa={"gfx1250": ("v_wmma_f32_16x16x32_bf16",)},
    ),
    "gemm_i8": Kernel(
        gemm_i8,
        "gemm_i8_{family}.mlir",
        "{}x{}x{} pad {}",
        [(64, 64, 0, 16), (64, 64, 64, 0), (1, 1, 16, 0), (70, 65, 208, 16)],
        small=3,
        isa={"gfx1250": ("v_wmma_i32_16x16x64_iu8",)},
    ),
    "gemm_fp8": Kernel(
        gemm_fp8,
        "gemm_fp8_{family}.mlir",
        "{}x{}x{} pad {}",
        [(64, 64, 0, 16), (64, 64, 64, 0), (1, 1, 16, 0), (70, 65, 208, 16)],
        small=3,
        chips=("gfx942", "gfx950", "gfx1201"),
        isa={"gfx1250": ("v_wmma_f32_16x16x64_fp8_fp8",)},
    ),
    "gemm_f32": Kernel(
        gemm_f32,
        "gemm_f32.mlir",
        "{}x{}x{} pad {}",
        [(64, 64, 0, 4), (64, 64, 16, 0), (1, 1, 4, 0), (70, 65, 52, 4)],
        small=3,
        isa={"gfx1250": ("ds_load_b128",)},
    ),
    "gemm_mxfp4": Kernel(
        gemm_mxfp4,
        "gemm_mxfp4_{family}.mlir",
        "{}x{}x{} pad {}",
        [(64, 64, 0, 32), (64, 64, 128, 0), (1, 1, 32, 0), (70, 65, 288, 32)],
        small=3,
        chips=("gfx950",),
        isa={"gfx1250": ("v_wmma_scale_f32_16x16x128_f8f6f4",)},
    ),
    "gemm_preshuffled": Kernel(
        gemm_preshuffled,
        "gemm_preshuffled_{family}.mlir",
        "{}x{}x{} pad {}",
        [(64, 64, 0, 8), (64, 64, 32, 0), (1, 64, 64, 8), (70, 128, 96, 8)],
        small=3,
        isa={"gfx1250": ("v_wmma_f32_16x16x32_bf16",)},
    ),
    "gemm_splitk": Kernel(
        gemm_splitk,
        "gemm_splitk_{family}.mlir",
        "{}x{}x{} pad {}, {} tiles of K in {} parts",
        [(64, 64, 32, 0, 1, 1), (70, 65, 104, 8, 2, 2), (8, 4, 264, 0, 2, 6)],
        isa={"gfx1250": ("v_wmma_f32_16x16x32_bf16", "global_atomic_add_f32")},
    ),
    "gemm_grouped": Kernel(
        gemm_grouped,
        "gemm_grouped_{family}.mlir",
        "{} tokens, {} experts, {}x{} pad {}",
        [(5, 2, 64, 32, 0), (130, 3, 70, 72, 8)],
        isa={"gfx1250": ("v_wmma_f32_16x16x32_bf16",)},
    ),
    "flash_attention": Kernel(
        flash_attention,
        "flash_attention_{family}.mlir",
        "{} queries, {} keys, causal {} pad {}",
        [(1, 1, 0, 0), (64, 70, 0, 8), (131, 131, 1, 0), (70, 33, 1, 8)],
        small=3,
        isa={"gfx1250": ("v_wmma_f32_16x16x32_f16", "v_exp_f32_e32")},
    ),
}
