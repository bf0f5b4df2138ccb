# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module with layouts that are nested 64 deep, on the left and on the right,
and chains of 64 layouts. Everything has 32 elements in column-major order."""

DEPTH = 64


def nested(spine, leaf):
    text = str(leaf(0))
    for level in range(1, DEPTH + 1):
        pair = (text, str(leaf(level)))
        text = "(" + ",".join(pair if spine == "left" else pair[::-1]) + ")"
    return text


def extent(level):
    return 2 if level % 16 == 0 else 1


def strides(spine):
    """Column major: leaves from left to right, the deepest first on the left."""
    order = range(DEPTH + 1) if spine == "left" else range(DEPTH, -1, -1)
    at, stride = {}, 1
    for level in order:
        at[level] = stride if extent(level) > 1 else 0
        stride *= extent(level)
    return at


for spine in ("left", "right"):
    at = strides(spine)
    shape = nested(spine, extent)
    stride = nested(spine, lambda level: at[level])
    layout = f"!fly.layout<{shape}:{stride}>"
    path = ", ".join(["0" if spine == "left" else "1"] * DEPTH)
    keep = nested(spine, lambda level: 0 if level else "*")
    print(
        f"""func.func @{spine}(%i: !fly.int_tuple<?>, %m: !fly.memref<f32, shared, {shape}:{stride}>) {{
  %s = fly.make_int_tuple() : () -> !fly.int_tuple<{shape}>
  %d = fly.make_int_tuple() : () -> !fly.int_tuple<{stride}>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<{shape}>, !fly.int_tuple<{stride}>) -> {layout}
  %size = fly.size(%l) : ({layout}) -> !fly.int_tuple<32>
  %flat = fly.coalesce(%l) : ({layout}) -> !fly.layout<32:1>
  %same = fly.composition(%l, %flat) : ({layout}, !fly.layout<32:1>) -> !fly.layout<32:1>
  %leaf = fly.get(%l) {{mode = array<i32: {path}>}} : ({layout}) -> !fly.layout<2:{at[0]}>
  %k = fly.make_int_tuple() : () -> !fly.int_tuple<{keep}>
  %cut = fly.slice(%m, %k) : (!fly.memref<f32, shared, {shape}:{stride}>, !fly.int_tuple<{keep}>) -> !fly.memref<f32, shared, 2:{at[0]}>
  %x = fly.crd2idx(%i, %l) : (!fly.int_tuple<?>, {layout}) -> !fly.int_tuple<?>
  %v = fly.memref.load(%m, %k) : (!fly.memref<f32, shared, {shape}:{stride}>, !fly.int_tuple<{keep}>) -> f32
  fly.print(%size, %same, %leaf, %cut, %x, %v) {{format = ""}} : (!fly.int_tuple<32>, !fly.layout<32:1>, !fly.layout<2:{at[0]}>, !fly.memref<f32, shared, 2:{at[0]}>, !fly.int_tuple<?>, f32) -> ()
  return
}}"""
    )

inner = "32:1" + " o 0 o 32:1" * DEPTH
outer = "32:1 o 0 o 32:1"
for _ in range(DEPTH - 1):
    outer = f"32:1 o 0 o [{outer}]"
for name, chain in (("inner", inner), ("outer", outer)):
    print(
        f"""func.func @{name}(%l: !fly.composed_layout<{chain}>, %i: !fly.int_tuple<5>) {{
  %x = fly.crd2idx(%i, %l) : (!fly.int_tuple<5>, !fly.composed_layout<{chain}>) -> !fly.int_tuple<5>
  %c = fly.cosize(%l) : (!fly.composed_layout<{chain}>) -> !fly.int_tuple<32>
  fly.print(%x, %c) {{format = ""}} : (!fly.int_tuple<5>, !fly.int_tuple<32>) -> ()
  return
}}"""
    )
