# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What fits together in one op, beyond its signature: hints by the op's name.

A hint takes a grammar and a random operation and replaces operands, properties
or results so that the op is likely to verify: the coordinate of `fly.slice` is
one of the layout's, the divisor of `fly.zipped_divide` divides.
"""

import re

from fly_grammar import ELEMENTS, layout_text, leaves, refill, text

DYNAMIC = re.compile(r"\?(\{(i64)?[^}]*\})?")


def tuple_type(tree):
    return f"!fly.int_tuple<{text(tree)}>"


def layout_type(pair):
    return f"!fly.layout<{layout_text(pair)}>"


def wrap_layout(g, pair, kinds):
    """A value whose linear layout is the pair."""
    kind, body = g.pick(*kinds), layout_text(pair)
    if kind == "layout":
        return layout_type(pair)
    if kind == "composed_layout":
        return f"!fly.composed_layout<{g.swizzle()} o {g.pick('0', '8', '?')} o {body}>"
    if kind == "memref":
        if g.chance(0.3):
            body = f"{g.swizzle()} o {g.pick('0', '8', '?')} o {body}"
        return g.memref_of(body)
    base = text(refill(pair[0], iter(["0"] * 99)))
    body = layout_text((pair[0], g.basis_strides(pair[0])))
    return f"!fly.coord_tensor<{base}, {body}>"


ANY_LAYOUT = ["layout", "layout", "memref", "composed_layout", "coord_tensor"]


def hint_same_tree(g, op):
    tree = g.int_tuple()
    op.operands = [tuple_type(tree), tuple_type(g.fill(tree, g.extent))]


def hint_division(g, op):
    tree = g.fill(g.skeleton(), lambda: g.pick("6", "8", "12", "24", "?", "1"))
    other = tree if g.chance(0.6) else ""
    right = g.fill(other, lambda: g.pick("1", "2", "3", "4", "24", "?{div=2}"))
    op.operands = [tuple_type(tree), tuple_type(right)]


def hint_guide(g, op):
    tree = g.int_tuple()
    guide = "1" if isinstance(tree, str) or g.chance(0.3) else ["1"] * len(tree)
    op.operands = [tuple_type(tree), tuple_type(guide)]


def hint_make_layout(g, op):
    pair = g.layout()
    op.operands = [tuple_type(pair[0]), tuple_type(pair[1])]
    op.results = [layout_type(pair)]


def hint_ordered(g, op):
    shape = g.int_tuple()
    order = g.fill(shape, lambda: g.pick(*"0123456?"))
    if not isinstance(shape, str) and g.chance(0.4):
        order = [g.pick(*"0123") for _ in shape]
    op.operands = [tuple_type(shape), tuple_type(order)]


def hint_leaves(g, op):
    tree = g.int_tuple()
    op.results = [tuple_type(tree)]
    op.operands = ["i64" if m.group(2) else "i32" for m in DYNAMIC.finditer(text(tree))]


def hint_get_leaves(g, op):
    tree = g.int_tuple()
    some = op.properties.get("dynamicOnly") == "true"
    op.operands = [tuple_type(tree)]
    op.results = [
        "i64" if "i64" in leaf else "i32" for leaf in leaves(tree) if "?" in leaf or not some
    ]


def hint_scalar(g, op):
    leaf = g.extent()
    op.operands = [tuple_type(leaf if g.chance(0.7) else [leaf])]
    op.results = ["i64" if "i64" in leaf else "i32"]


def hint_predicate(g, op):
    hint_same_tree(g, op)
    op.results = ["i1"]


def hint_slice(g, op):
    kinds = ["layout"] if op.name == "fly.dice" else ANY_LAYOUT
    pair = g.layout()
    coordinate = g.coordinate(pair[0], 0.45)
    op.operands = [wrap_layout(g, pair, kinds), tuple_type(coordinate)]
    if g.chance(0.2):
        op.operands[0] = tuple_type(pair[0])


def hint_crd2idx(g, op):
    pair = g.layout()
    op.operands = [tuple_type(g.coordinate(pair[0])), wrap_layout(g, pair, ["layout", "composed_layout"])]


def hint_idx2crd(g, op):
    pair = g.layout()
    op.operands = [tuple_type(g.pick("0", "5", "11", "?", "?{div=4}", "?{i64}")), layout_type(pair)]


def hint_range(g, op):
    pair = g.layout()
    rank = 1 if isinstance(pair[0], str) else len(pair[0])
    op.operands = [wrap_layout(g, pair, ANY_LAYOUT)]
    if g.chance(0.3):
        op.operands = [tuple_type(pair[0])]
    begin = g.rng.randrange(rank)
    end = g.pick(-1, rank, g.rng.randint(begin + 1, rank))
    if op.name == "fly.get":
        path, tree = [], pair[0]
        while not isinstance(tree, str) and g.chance(0.8):
            path.append(g.rng.randrange(len(tree)))
            tree = tree[path[-1]]
        op.properties["mode"] = f"array<i32{': ' if path else ''}{', '.join(map(str, path))}>"
    elif op.name == "fly.select":
        chosen = [str(g.rng.randrange(rank)) for _ in range(g.pick(1, 1, 2, 3))]
        op.properties["indices"] = f"array<i32: {', '.join(chosen)}>"
    else:
        op.properties.update(begin=f"{begin} : i32", end=f"{end} : i32")


def hint_append(g, op):
    if g.chance(0.3):
        op.operands = [tuple_type(g.int_tuple()), tuple_type(g.int_tuple())]
    else:
        op.operands = [wrap_layout(g, g.layout(), ["layout", "composed_layout"]), layout_type(g.layout())]
    if "n" in op.properties:
        op.properties["n"] = f"{g.pick(2, 3, 4, 5)} : i32"


def static_layout(g, rank=None):
    """Static, compact in a random order."""
    shape = [g.pick("2", "3", "4", "6", "8") for _ in range(rank or g.pick(1, 2, 2, 3))]
    if g.chance(0.3):
        shape[0] = [shape[0], g.pick("2", "4")]
    if not rank and g.chance(0.3):
        shape = g.pick("4", "6", "12", "24")
    order, strides, running = list(range(len(leaves(shape)))), {}, 1
    if g.chance(0.6):
        g.rng.shuffle(order)
    for i in order:
        strides[i] = str(running)
        running *= int(leaves(shape)[i]) * g.pick(1, 1, 1, 1, 2)
    return shape, refill(shape, iter([strides[i] for i in sorted(strides)]))


def divisor_of(g, pair):
    """A tile or a layout that divides the shape."""
    sizes = [pair[0]] if isinstance(pair[0], str) else pair[0]

    def part(size):
        total = 1
        for leaf in leaves(size):
            total *= int(leaf) if leaf.isdigit() else 12
        return str(g.pick(*[n for n in (1, 2, 2, 3, 3, 4, 4, 6, 8) if total % n == 0]))

    if g.chance(0.3):
        step = g.pick("1", "1", "2", "4")
        return f"!fly.layout<{part(pair[0])}:{step}>"
    if g.chance(0.2):
        return f"!fly.tile<{part(pair[0])}>"
    parts = [part(size) for size in sizes]
    if g.chance(0.2):
        parts[g.rng.randrange(len(parts))] = g.pick("*", "2:1", "2:2")
    if g.chance(0.15):
        parts.pop()
    return f"!fly.tile<[{'|'.join(parts or ['1'])}]>"


def hint_divide(g, op):
    pair = g.layout() if g.chance(0.4) else static_layout(g)
    op.operands = [wrap_layout(g, pair, ANY_LAYOUT), divisor_of(g, pair)]


def hint_product(g, op):
    rank = g.pick(1, 2, 2)
    block = static_layout(g, rank)
    if g.chance(0.15):
        block = (block[0], g.basis_strides(block[0]))
    op.operands = [wrap_layout(g, block, ["layout", "layout", "composed_layout"]), layout_type(static_layout(g, rank))]


def hint_unary(g, op):
    pair = static_layout(g) if g.chance(0.6) else g.layout()
    op.operands[0] = wrap_layout(g, pair, ["layout", "layout", "layout", "composed_layout"])


def hint_recast(g, op):
    hint_unary(g, op)
    new, old = g.pick(8, 16, 32, 64, 24, 4, 0), g.pick(8, 16, 32, 6, 1)
    op.properties.update(new_type_bits=f"{new} : i32", old_type_bits=f"{old} : i32")


def hint_tile_to_shape(g, op):
    rank = g.pick(1, 2, 3)
    block = static_layout(g, rank)
    target = [g.pick("16", "24", "48", "?") for _ in range(rank)]
    order = g.rng.sample("0123", rank)
    op.operands = [wrap_layout(g, block, ["layout", "layout", "composed_layout"]), tuple_type(target), tuple_type(order)]


def matrix(g, extent=None):
    """A static matrix with room for every tile of the grammar."""
    m, n = extent or (g.pick("16", "32", "64", "128"), g.pick("16", "32", "64", "128"))
    shape, strides = [m, n], g.pick(["1", m], [n, "1"], ["1", "?"], ["?{div=8}", "1"])
    if g.chance(0.2):
        shape, strides = shape + ["3"], strides + ["?"]
    return shape, strides


def hint_partition(g, op):
    threads = g.pick("0", "1", "3", "?", "?{div=2}", "?{i64}")
    op.operands = [op.operands[0], wrap_layout(g, matrix(g), ["memref", "memref", "coord_tensor"]), tuple_type(threads)]


def hint_partition_shape(g, op):
    op.operands[1] = tuple_type([g.pick("64", "128"), g.pick("64", "128")])


def hint_fragment(g, op):
    op.operands[1] = g.memref_of(layout_text(matrix(g)))
    if "stages" in op.properties:
        op.properties["stages"] = f"{g.pick(1, 2, 3)} : i32"


def hint_retile(g, op):
    fragment = [g.pick("4", "8", "16"), g.pick("1", "2", "4"), g.pick("1", "2")]
    strides = ["1", fragment[0], str(int(fragment[0]) * int(fragment[1]))]
    op.operands[1] = g.memref_of(layout_text((fragment, strides)), None, "register")


def hint_fragment_like(g, op):
    hint_unary(g, op)
    kinds = ["layout", "memref"] + (["coord_tensor"] if op.name.endswith("fragment_like") else [])
    op.operands = [wrap_layout(g, static_layout(g), kinds)]
    if "memref" not in op.operands[0] and op.name.endswith("fragment_like"):
        op.properties["dtype"] = g.element()


def hint_static(g, op):
    op.results = [g.type_of(g.pick("int_tuple", "layout", "tile", "swizzle", "composed_layout", "coord_tensor"))]


def hint_copy_atom(g, op):
    op.results = [g.copy_atom()]
    op.properties["valBits"] = f"{op.results[0].rsplit(' ', 1)[1][:-1]} : i32"


def hint_mma_atom(g, op):
    op.results = [g.mma_atom()]


def hint_offset(g, op):
    if op.operands[0].startswith("!fly.ptr"):
        op.operands[1] = tuple_type(g.pick("0", "4", "12", "-4", "?", "?{div=8}", "?{i64}", "*"))
    else:
        hint_same_tree(g, op)


def hint_view(g, op):
    pair = g.layout()
    pointer = g.ptr() if g.chance(0.6) else tuple_type(refill(pair[0], iter(["0"] * 99)))
    if pointer.startswith("!fly.int_tuple"):
        pair = (pair[0], g.basis_strides(pair[0]))
    op.operands = [pointer, layout_type(pair)]


def hint_load(g, op):
    pair, element = g.layout(), g.pick(*ELEMENTS[:9])
    access = [g.memref_of(layout_text(pair), element), tuple_type(g.coordinate(pair[0]))]
    if op.name == "fly.memref.store":
        op.operands = [element, *access]
    else:
        op.operands, op.results = access, [element]


def hint_vector(g, op):
    element, count = g.pick(*ELEMENTS[:9]), g.pick(1, 2, 4, 8)
    memref = g.memref_of(f"{count}:{g.pick('1', '1', '2')}", element)
    vector = f"vector<{count}x{element}>"
    if op.results:
        op.operands, op.results = [memref], [vector]
    else:
        op.operands = [vector, memref]


def hint_pointer_access(g, op):
    element = g.pick(*ELEMENTS[:9])
    pointer = f"!fly.ptr<{element}, {g.space()}>"
    if op.results:
        op.operands, op.results = [pointer], [element]
    else:
        op.operands = [element, pointer]


def hint_pointer_result(g, op):
    element = g.pick(*ELEMENTS[:9])
    space = g.pick("register", "shared", "global")
    op.results = [f"!fly.ptr<{element}, {space}>"]
    if op.name == "fly.make_ptr":
        body = "allocSize = 16 : i64"
        if "shared" in space:
            body = "allocBytes = 64 : i64, allocAlign = 16 : i64"
        op.operands, op.properties = [], {"dictAttrs": f"{{{body}}}"}
        if g.chance(0.4):
            op.operands, op.properties = ["!fly.ptr<f32, global>", "i16", "i64", "i32"], {}
            op.results = ["!fly.ptr<f32, #fly_rocdl.buffer_desc>"]
    elif op.name == "fly.recast_iter":
        op.operands = [f"!fly.ptr<{g.pick(*ELEMENTS[:9])}, {space}, align<16>>"]


def hint_alloca(g, op):
    pair = static_layout(g)
    op.operands = [layout_type(pair)]
    op.results = [f"!fly.memref<{g.pick(*ELEMENTS[:9])}, register, {layout_text(pair)}>"]


def hint_copy(g, op):
    bits = g.pick(16, 32, 64, 128)
    layout = f"{bits // 16}:1" if "atom" in op.name else f"({bits // 16},2):(1,{bits // 16})"
    memrefs = [f"!fly.memref<f16, {g.pick('global', 'shared', 'register')}, {layout}>" for _ in "sd"]
    op.operands = [f"!fly.copy_atom<!fly.universal_copy<{bits}>, 16>"] + memrefs
    if g.chance(0.3):
        op.operands.append("!fly.memref<i1, register, 1:1>")


def hint_copy_ssa(g, op):
    bits, vector = g.pick((32, "vector<2xf16>"), (64, "vector<4xf16>"), (16, "f16"))
    memref = f"!fly.memref<f16, {g.pick('global', 'shared')}, {bits // 16}:1>"
    atom = f"!fly.copy_atom<!fly.universal_copy<{bits}>, 16>"
    op.operands, op.results = g.pick(([atom, memref], [vector]), ([atom, vector, memref], []))
    third = int(len(op.operands) == 3)
    op.properties["operandSegmentSizes"] = f"array<i32: 1, 1, {third}, 0>"


def hint_mma(g, op):
    register = "!fly.memref<f32, register, {}:1>"
    count = 4 if "atom" in op.name else 1
    atom = "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>"
    side = f"!fly.memref<f16, register, {count}:1>"
    op.operands = [atom, register.format(count), side, side, register.format(count)]
    if op.name.endswith("_ssa"):
        op.operands = [atom, "vector<4xf16>", "vector<4xf16>", "vector<4xf32>"]
        op.results = ["vector<4xf32>"]
    if op.name == "fly.gemm":
        op.properties = {k: v for k, v in op.properties.items() if g.chance(0.5)}


def hint_set_value(g, op):
    op.operands[0] = f"!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<{g.pick(32, 64, 128)}>, 16>"
    op.properties["field"], op.operands[1:] = '"soffset"', ["i32"]
    op.results = op.operands[:1]


def hint_to_llvm(g, op):
    space = g.pick(0, 1, 3, 5)
    op.properties["llvm_address_space"] = f"{space} : i32"
    op.results = [f"!llvm.ptr<{space}>" if space else "!llvm.ptr"]


def hint_pointer_integer(g, op):
    space = g.pick("shared", "global")
    op.operands = [f"!fly.ptr<{g.pick(*ELEMENTS[:9])}, {space}>"]
    op.results = ["i32" if space == "shared" else "i64"]


def hint_composed(g, op):
    op.operands = [
        f"!fly.swizzle<{g.swizzle()}>" if g.chance(0.6) else layout_type(g.layout()),
        tuple_type(g.pick("0", "8", "?")),
        wrap_layout(g, g.layout(), ["layout", "layout", "composed_layout"]),
    ]


def hint_make_tiled_copy(g, op):
    width, bits, tv, (m, n) = g.tiled_copy_parts()
    atom = f"!fly.copy_atom<!fly.universal_copy<{width}>, {bits}>"
    op.operands = [atom, layout_type(tv), f"!fly.tile<[{m}|{n}]>"]


def hint_make_tiled_mma(g, op):
    op.operands = [g.mma_atom(), f"!fly.layout<({g.pick(1, 2, 4)},{g.pick(1, 2)},1):(1,4,0)>"]
    if g.chance(0.4):
        op.operands.append(f"!fly.tile<{g.pick('[*|*|*]', '[32|*|*]', '[*|32|16]')}>")


def hint_rsrc(g, op):
    op.operands = [f"!fly.ptr<{g.pick(*ELEMENTS)}, #fly_rocdl.buffer_desc>"]
    op.results = ["!llvm.ptr<8>"]


HINTS = {
    **dict.fromkeys("int_tuple_add int_tuple_sub int_tuple_mul".split(), hint_same_tree),
    **dict.fromkeys("int_tuple_div int_tuple_mod shape_div ceil_div".split(), hint_division),
    **dict.fromkeys("elem_less equal".split(), hint_predicate),
    **dict.fromkeys("make_int_tuple make_shape make_stride make_coord".split(), hint_leaves),
    **dict.fromkeys("get take select group".split(), hint_range),
    **dict.fromkeys("append prepend".split(), hint_append),
    **dict.fromkeys("slice dice".split(), hint_slice),
    **dict.fromkeys("idx2crd get_flat_coord get_1d_coord".split(), hint_idx2crd),
    **dict.fromkeys("logical_divide zipped_divide tiled_divide flat_divide composition".split(), hint_divide),
    **dict.fromkeys(
        "logical_product zipped_product tiled_product flat_product blocked_product raked_product".split(),
        hint_product,
    ),
    **dict.fromkeys("complement right_inverse left_inverse coalesce".split(), hint_unary),
    **dict.fromkeys("tiled_copy.partition_src tiled_copy.partition_dst tiled_mma.partition".split(), hint_partition),
    **dict.fromkeys("make_fragment_like make_fragment_layout_like".split(), hint_fragment_like),
    **dict.fromkeys("ptr.load ptr.store".split(), hint_pointer_access),
    **dict.fromkeys("memref.load memref.store".split(), hint_load),
    **dict.fromkeys("memref.load_vec memref.store_vec".split(), hint_vector),
    **dict.fromkeys("make_ptr inttoptr recast_iter".split(), hint_pointer_result),
    **dict.fromkeys("copy copy_atom_call".split(), hint_copy),
    **dict.fromkeys("gemm mma_atom_call mma_atom_call_ssa".split(), hint_mma),
    "int_tuple_product_like": hint_guide,
    "make_layout": hint_make_layout,
    "make_ordered_layout": hint_ordered,
    "make_composed_layout": hint_composed,
    "make_view": hint_view,
    "make_copy_atom": hint_copy_atom,
    "make_mma_atom": hint_mma_atom,
    "make_tiled_copy": hint_make_tiled_copy,
    "make_tiled_mma": hint_make_tiled_mma,
    "get_leaves": hint_get_leaves,
    "get_scalar": hint_scalar,
    "crd2idx": hint_crd2idx,
    "recast_layout": hint_recast,
    "tile_to_shape": hint_tile_to_shape,
    "tiled_mma.partition_shape": hint_partition_shape,
    "mma.make_fragment": hint_fragment,
    "tiled_copy.retile": hint_retile,
    "static": hint_static,
    "add_offset": hint_offset,
    "memref.alloca": hint_alloca,
    "copy_atom_call_ssa": hint_copy_ssa,
    "atom.set_value": hint_set_value,
    "to_llvm_ptr": hint_to_llvm,
    "ptrtoint": hint_pointer_integer,
    "get_buffer_rsrc": hint_rsrc,
}
