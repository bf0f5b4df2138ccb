# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The vectors of the layout algebra as IR, one op a row.

    vectors_to_ir.py FOLDER           rows that have a result: they must verify
    vectors_to_ir.py FOLDER --errors  rows that must be refused, as sections of
                                      a -split-input-file -verify-diagnostics run

FOLDER holds AlgebraVectors.inc, CopyVectors.inc and MmaVectors.inc.
"""

import ast
import re
import sys

ATTRIBUTES = {
    "get": lambda a: f"mode = array<i32: {', '.join(a)}>",
    "select": lambda a: f"indices = array<i32: {', '.join(a)}>",
    "take": lambda a: f"begin = {a[0]} : i32, end = {a[1]} : i32",
    "group": lambda a: f"begin = {a[0]} : i32, end = {a[1]} : i32",
    "append": lambda a: f"n = {a[0]} : i32",
    "prepend": lambda a: f"n = {a[0]} : i32",
    "recast_layout": lambda a: f"new_type_bits = {a[0]} : i32, "
    f"old_type_bits = {a[1]} : i32",
}
FMA = "!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>"


def rows(path):
    for line in open(path):
        match = re.match(r"\s*\{(.*)\},", line)
        if match:
            yield ast.literal_eval("(" + match.group(1) + ")")


def type_of(text):
    text = text.strip()
    if text.startswith("["):
        return f"!fly.tile<{text}>"
    if " o " in text:
        return f"!fly.composed_layout<{text}>"
    if text.startswith("CS<"):
        return f"!fly.coord_swizzle<{text}>"
    if text.startswith("S<"):
        return f"!fly.swizzle<{text}>"
    return f"!fly.layout<{text}>" if ":" in text else f"!fly.int_tuple<{text}>"


def operand_types(op, texts):
    """A bare number as a divisor or inner operand is a leaf tile."""
    types = [type_of(text) for text in texts]
    if op == "composition" or op.endswith("_divide"):
        types[1] = types[1].replace("!fly.int_tuple", "!fly.tile")
    return types


def algebra(folder):
    for number, op, operands, attributes, result in rows(
        f"{folder}/AlgebraVectors.inc"
    ):
        types = operand_types(op, operands.split(" ; "))
        dictionary = ""
        if attributes:
            dictionary = " {" + ATTRIBUTES[op](attributes.split(",")) + "}"
        # The type of a refused op is never looked at.
        refused = result == "error"
        yield number, op, types, dictionary, types[0] if refused else type_of(
            result
        ), refused


def memref(element, space, layout, alignment):
    align = f", align<{alignment}>" if alignment else ""
    return f"!fly.memref<{element}, {space}, {layout}{align}>"


def copies(folder):
    for number, op, bits, value, layout, tile, tensor, thread, align, out, out_align in (
        rows(f"{folder}/CopyVectors.inc")
    ):
        copy = (
            f"!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<{bits}>, {value}>, "
            f"!fly.layout<{layout}>, !fly.tile<{tile}>>"
        )
        element = f"f{value}"
        space = "register" if op == "retile" else "global"
        types = [copy, memref(element, space, tensor, align)]
        if op != "retile":
            types.append(type_of(thread))
        yield number, f"tiled_copy.{op}", types, "", memref(
            element, space, out, out_align
        ), out == "error"


def mmas(folder):
    for number, op, operand, layout, permutation, stages, tensor, thread, out in rows(
        f"{folder}/MmaVectors.inc"
    ):
        mma = f"!fly.tiled_mma<{FMA}, !fly.layout<{layout}>, !fly.tile<{permutation}>>"
        fragment = op == "make_fragment"
        types = [mma, memref("f32", "global", tensor, 0)]
        if not fragment:
            types.append(type_of(thread))
        dictionary = f" {{operand_id = #fly<mma_operand {operand}>"
        dictionary += f", stages = {stages} : i32}}" if stages else "}"
        yield number, "mma.make_fragment" if fragment else "tiled_mma.partition", types, dictionary, memref(
            "f32", "register" if fragment else "global", out, 0
        ), out == "error"


def main():
    folder, errors = sys.argv[1], "--errors" in sys.argv
    count = 0
    for source in (algebra, copies, mmas):
        for number, op, types, dictionary, result, refused in source(folder):
            if refused != errors:
                continue
            count += 1
            names = [f"%a{i}" for i in range(len(types))]
            arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types))
            print(f"func.func @row_{number}({arguments}) {{")
            if errors:
                print("  // expected-error-re @+1 {{{{.+}}}}")
            properties = f" <{{{dictionary.strip()[1:-1]}}}>" if dictionary else ""
            print(
                f'  %r = "fly.{op}"({", ".join(names)}){properties} : '
                f"({', '.join(types)}) -> {result}"
            )
            print("  return\n}")
            if errors:
                print("\n// -----\n")
    print(f"// rows: {count}")


main()
