# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random ops with random, often wrong, types and attributes.

    random_ops.py FLY_OPT EXAMPLES.mlir SEED COUNT

EXAMPLES.mlir (from op_examples.py) gives the kinds of operands of each op. Laws:
fly-opt never dies, every refusal has a place in the file, and when an op is
refused only because the written result type is not the inferred one, the op
with the inferred type verifies and reads back. Prints the counts.
"""

import random
import re
import subprocess
import sys

rng = random.Random()

LEAVES = (
    "0 1 2 3 4 8 16 -1 -4 * ? ?{i64} ?{div=4} ?{i64%div=8} 1E0 2E1 ?E0 3E0E1 0E2 "
    "9223372036854775807 -9223372036854775808 4294967296 1000000"
).split()
LEAVES = [leaf.replace("%", " ") for leaf in LEAVES]
SMALL = "1 2 3 4 8 16 ? ?{div=4}".split()
STRIDES = "0 1 2 4 8 16 32 64 1E0 1E1".split()
ELEMENTS = "f16 f32 f64 i1 i4 i8 i24 f8E4M3FN f6E2M3FN".split()
SPACES = ["global", "shared", "register", "generic", "3 : i32", '"here"']


def tree(leaves, depth=0):
    if depth > 2 or rng.random() < 0.4:
        return rng.choice(leaves)
    return f"({','.join(tree(leaves, depth + 1) for _ in range(rng.choice([1, 2, 2, 3])))})"


def layout():
    shape = tree(SMALL if rng.random() < 0.8 else LEAVES)
    leaves = rng.choice([SMALL, LEAVES, STRIDES, STRIDES])
    return shape + ":" + re.sub(r"[^(),]+", lambda _: rng.choice(leaves), shape)


def swizzle():
    return f"S<{rng.randrange(4)},{rng.choice([0, 1, 3, 4])},{rng.choice([0, 1, 3])}>"


def coord_swizzle():
    paths = ["", "0", "1", "0, 1", "2"]
    return (
        f"CS<{rng.randrange(3)},{rng.randrange(2)},[{rng.choice(paths)}],"
        f"{rng.randrange(3)},[{rng.choice(paths)}]>"
    )


def composed(depth=0):
    head = rng.choice([swizzle, swizzle, coord_swizzle, layout])()
    outer = layout() if depth > 1 or rng.random() < 0.7 else f"[{composed(depth + 1)}]"
    return f"{head} o {tree(LEAVES)} o {outer}"


def any_layout():
    return composed() if rng.random() < 0.3 else layout()


def tile(depth=0):
    if depth > 1 or rng.random() < 0.3:
        return rng.choice(["4", "*", "4:2", "8", "2", "16", "(2,2):(1,4)"])
    return f"[{'|'.join(tile(depth + 1) for _ in range(rng.choice([1, 2, 2, 3])))}]"


def pointer_tail():
    return rng.choice(["", "", ", align<24>", ", align<16>", ", S<3,3,3>"])


def pointer_head():
    return f"{rng.choice(ELEMENTS)}, {rng.choice(SPACES)}"


def copy_atom():
    op = rng.choice(
        ["!fly.universal_copy<64>", "!fly.universal_copy<128>", "i32"]
        + ["!fly.universal_atomic<add, f32>"]
    )
    return f"!fly.copy_atom<{op}, {rng.choice([0, 8, 16, 32, 7, 48])}>"


def mma_atom():
    op = rng.choice(["!fly.universal_fma<1x1x1, (f32, f32) -> f32>", "i32"])
    return f"!fly.mma_atom<{op}>"


KINDS = {
    "int_tuple": lambda: f"!fly.int_tuple<{tree(rng.choice([SMALL, LEAVES]))}>",
    "layout": lambda: f"!fly.layout<{layout()}>",
    "composed_layout": lambda: f"!fly.composed_layout<{composed()}>",
    "swizzle": lambda: f"!fly.swizzle<{swizzle()}>",
    "coord_swizzle": lambda: f"!fly.coord_swizzle<{coord_swizzle()}>",
    "tile": lambda: f"!fly.tile<{tile()}>",
    "ptr": lambda: f"!fly.ptr<{pointer_head()}{pointer_tail()}>",
    "memref": lambda: f"!fly.memref<{pointer_head()}, {any_layout()}{pointer_tail()}>",
    "coord_tensor": lambda: f"!fly.coord_tensor<{tree(LEAVES)}, {any_layout()}>",
    "copy_atom": copy_atom,
    "mma_atom": mma_atom,
    "tiled_copy": lambda: f"!fly.tiled_copy<{copy_atom()}, <{layout()}>, <{tile()}>>",
    "tiled_mma": lambda: f"!fly.tiled_mma<{mma_atom()}, <{layout()}>, <{tile()}>>",
}
# What may stand where an example has the first.
COUSINS = {
    "memref": ["memref", "memref", "coord_tensor", "layout", "composed_layout"],
    "layout": ["layout", "layout", "memref", "composed_layout", "tile"],
    "tile": ["tile", "layout"],
}


def i32(values):
    return lambda: f"{rng.choice(values)} : i32"


def array():
    return f"array<i32: {', '.join(str(rng.choice([-1, 0, 1, 2, 5])) for _ in range(rng.randrange(1, 4)))}>"


def operand():
    return f"#fly<mma_operand {rng.choice('abcd')}>"


ATTRIBUTES = {
    "get": {"mode": array},
    "select": {"indices": array},
    "take": {"begin": i32([-2, -1, 0, 1, 2, 3]), "end": i32([-1, 0, 1, 2, 3, 9])},
    "group": {"begin": i32([-2, -1, 0, 1, 2, 3]), "end": i32([-1, 0, 1, 2, 3, 9])},
    "append": {"n": i32([-1, 0, 1, 3, 70000, 2147483647])},
    "prepend": {"n": i32([-1, 0, 1, 3, 70000, 2147483647])},
    "recast_layout": {
        "new_type_bits": i32([-1, 0, 1, 8, 16, 24, 32, 2147483647]),
        "old_type_bits": i32([-8, 0, 1, 8, 16, 32]),
    },
    "tiled_mma.partition": {"operand_id": operand},
    "tiled_mma.partition_shape": {"operand_id": operand},
    "mma.make_fragment": {
        "operand_id": operand,
        "stages": i32([-1, 0, 1, 2, 2147483647]),
    },
    "to_llvm_ptr": {"llvm_address_space": i32([-1, 0, 3, 2147483647])},
    "make_fragment_like": {"dtype": lambda: rng.choice(ELEMENTS + ["index"])},
    "get_leaves": {"dynamicOnly": lambda: rng.choice(["true", "false"])},
    "make_copy_atom": {"valBits": i32([32, 16])},
    "atom.set_value": {"field": lambda: '"soffset"'},
    "print": {"format": lambda: '"{}"'},
    "copy_atom_call_ssa": {"operandSegmentSizes": lambda: "array<i32: 1, 1, 0, 0>"},
}


def of_kind(kind):
    if rng.random() < 0.08:
        kind = rng.choice(list(KINDS))
    kind = rng.choice(COUSINS.get(kind, [kind]))
    return KINDS[kind]() if kind in KINDS else kind


def split_types(text):
    parts, depth, current = [], 0, ""
    for i, c in enumerate(text):
        if c in "<([":
            depth += 1
        elif c in ")]" or (c == ">" and text[i - 1] != "-"):
            depth -= 1
        if c == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    return parts + [current.strip()] if current.strip() else parts


def signatures(path):
    """Op name -> kinds of its operands, and whether it has a result."""
    found = {}
    for line in open(path):
        match = re.search(r"(fly\.[\w.]+).* : \((.*)\) -> (.*)", line)
        if match and not line.startswith("func"):
            kinds = []
            for type_ in split_types(match.group(2)):
                fly = re.match(r"!fly\.(\w+)", type_)
                kinds.append(fly.group(1) if fly else type_)
            found[match.group(1)] = (kinds, match.group(3).strip() != "()")
    return found


def function(op, kinds, result):
    """Text up to the result type, and the result type."""
    types = [of_kind(kind) for kind in kinds]
    if rng.random() < 0.04:
        types.append(of_kind("int_tuple"))
    attributes = [
        f"{name} = {make()}"
        for name, make in ATTRIBUTES.get(op[4:], {}).items()
        if rng.random() < 0.97
    ]
    properties = f" <{{{', '.join(attributes)}}}>" if attributes else ""
    names = ", ".join(f"%a{i}" for i in range(len(types)))
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    head = (
        f"func.func @f({arguments}) {{\n  {'%r = ' if result else ''}"
        f'"{op}"({names}){properties} : ({", ".join(types)}) -> '
    )
    # The kind of the first operand is the likeliest kind of the result.
    return head, of_kind(kinds[0] if kinds else "int_tuple") if result else "()"


def text(head, result):
    return f"{head}{result}\n  return\n}}"


def run(fly_opt, texts, *options):
    done = subprocess.run(
        [fly_opt, "-", "-split-input-file", "-o", "/dev/null", *options],
        input="\n// -----\n".join(texts),
        text=True,
        capture_output=True,
        timeout=300,
    )
    if done.returncode not in (0, 1):
        for one in texts:
            alone = subprocess.run(
                [fly_opt, "-", "-o", "/dev/null", *options],
                input=one,
                text=True,
                capture_output=True,
            )
            if alone.returncode not in (0, 1):
                raise SystemExit(f"fly-opt died on\n{one}\n{alone.stderr}")
        raise SystemExit(f"fly-opt died with {done.returncode}")
    return done


def main():
    fly_opt, examples, seed, count = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
    rng.seed(seed)
    ops = signatures(examples)
    refused = inferred = 0
    for start in range(0, count, 400):
        cases = []
        for _ in range(min(400, count - start)):
            op = rng.choice(sorted(ops))
            cases.append(function(op, *ops[op]))
        texts = [text(*case) for case in cases]
        done = run(fly_opt, texts)
        if "<unknown>" in done.stderr:
            raise SystemExit(f"seed {seed}: a diagnostic without a place\n{done.stderr}")
        # The op of case i stands on line 5 * i + 2.
        again = []
        for line, message in re.findall(r":(\d+):\d+: error: (.*)", done.stderr):
            refused += 1
            match = re.search(r"inferred type\(s\) '(.*)' are incompatible", message)
            if match and match.group(1).count("'") == 0:
                head, _ = cases[(int(line) - 2) // 5]
                again.append(text(head, match.group(1)))
        inferred += len(again)
        if again:
            done = run(fly_opt, again, "-verify-roundtrip")
            if done.returncode:
                raise SystemExit(
                    f"seed {seed}: an inferred type is refused\n{done.stderr}"
                )
    print(f"ops {count}, diagnostics {refused}, inferred types verified {inferred}")


main()
