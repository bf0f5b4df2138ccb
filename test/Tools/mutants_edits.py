# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The edits that turn a kernel into a mutant.

In: a random generator and the text of a kernel. Out: what was done, and the new
text. All edits work on text, so that they know nothing of the code they test.
Example: `delete_effect` takes a copy or a barrier out.

"""

import re

TOKEN = re.compile(r"[%!#@^]?[A-Za-z_][\w.$]*|%\d+|-?\d+(?:\.\d+)?|->|\S")
NUMBER = re.compile(r"(?<![\w.%])-?\d+(?![\w.])")
STRANGE = [
    "0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "64",
    "1000",
    "1025",
    "65536",
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999",
]
WORDS = [
    ["f32", "f16", "bf16", "f64", "i1", "i8", "i32", "i4", "f8E4M3FN", "index"],
    ["global", "shared", "register", "generic", "#fly_rocdl.buffer_desc"],
    [
        "universal_copy<128>",
        "universal_copy<64>",
        "universal_copy<32>",
        "universal_copy<16>",
        "universal_copy<8>",
        "universal_copy<7>",
        "universal_copy<0>",
        "universal_copy<256>",
    ],
    [
        "S<3,2,5>",
        "S<2,3,3>",
        "S<0,0,0>",
        "S<5,0,5>",
        "S<1,30,1>",
        "S<40,40,40>",
        "S<3,2,-5>",
    ],
    [
        "align<16>",
        "align<8>",
        "align<4>",
        "align<3>",
        "align<0>",
        "align<1024>",
    ],
    ["cdna3.mfma", "gfx11.wmma", "gfx120x.wmma", "cdna4.mfma_scale"],
    ["16x16x16", "32x32x8", "16x16x32", "16x16x7", "4x4x4", "16x32x16"],
    [
        "zipped_divide",
        "flat_divide",
        "logical_divide",
        "tiled_divide",
        "composition",
    ],
    ["partition_src", "partition_dst"],
    ["slt", "sle", "sgt", "eq"],
    ["addf", "subf", "mulf", "divf"],
    ["?{div=8}", "?{div=4}", "?", "?{i64}", "?{div=0}", "*"],
]
EFFECT = re.compile(
    r"\s*(fly\.copy|fly\.gemm|fly\.memref\.store_vec|gpu\.barrier)"
)


def statements(text):
    """(first, last + 1) line of each statement: a line and its continuations,
    which are indented by four more."""
    lines, spans = text.split("\n"), []
    for i, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if spans and line.strip() and not line.lstrip().startswith("}"):
            start = lines[spans[-1][0]]
            deeper = indent >= len(start) - len(start.lstrip()) + 4
            if deeper and not start.rstrip().endswith("{"):
                spans[-1][1] = i + 1
                continue
        if line.strip():
            spans.append([i, i + 1])
    return lines, spans


def pick(rng, pattern, text):
    """A random match of a pattern, or None."""
    found = list(re.finditer(pattern, text))
    return rng.choice(found) if found else None


def splice(text, match, new):
    return text[: match.start()] + new + text[match.end() :]


def other_number(rng, old):
    value = int(old)
    near = [value + 1, value - 1, value * 2, value // 2, -value, value + 16]
    return str(rng.choice(near)) if rng.random() < 0.7 else rng.choice(STRANGE)


# --- Edits of a source file; each returns the new text or None ----------------


def swap_tokens(rng, text):
    lines = text.split("\n")
    full = [i for i, line in enumerate(lines) if len(TOKEN.findall(line)) > 2]
    i = rng.choice(full)
    spans = [m.span() for m in TOKEN.finditer(lines[i])]
    (a, b), (c, d) = sorted(rng.sample(spans, 2))
    line = lines[i]
    lines[i] = line[:a] + line[c:d] + line[b:c] + line[a:b] + line[d:]
    return "\n".join(lines)


def change_number(rng, text):
    match = pick(rng, NUMBER, text)
    return match and splice(text, match, other_number(rng, match.group(0)))


def change_number_everywhere(rng, text):
    match = pick(rng, NUMBER, text)
    if not match:
        return None
    old, new = match.group(0), other_number(rng, match.group(0))
    return re.sub(rf"(?<![\w.%]){re.escape(old)}(?![\w.])", new, text)


def delete_line(rng, text):
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def delete_statement(rng, text):
    lines, spans = statements(text)
    first, last = rng.choice(spans)
    return "\n".join(lines[:first] + lines[last:])


def delete_effect(rng, text):
    lines, spans = statements(text)
    spans = [s for s in spans if EFFECT.match(lines[s[0]])]
    if not spans:
        return None
    first, last = rng.choice(spans)
    return "\n".join(lines[:first] + lines[last:])


def repeat_effect(rng, text):
    lines, spans = statements(text)
    spans = [s for s in spans if EFFECT.match(lines[s[0]])]
    if not spans:
        return None
    first, last = rng.choice(spans)
    return "\n".join(lines[:last] + lines[first:last] + lines[last:])


def move_effect(rng, text):
    """Moves one behind a later one, mostly of the same region."""
    lines, spans = statements(text)
    effects = [s for s in spans if EFFECT.match(lines[s[0]])]
    if len(effects) < 2:
        return None
    (first, last), (begin, end) = sorted(rng.sample(effects, 2))
    depth = [len(lines[i]) - len(lines[i].lstrip()) for i in (first, begin)]
    if depth[0] != depth[1] and rng.random() < 0.8:
        return None
    return "\n".join(
        lines[:first] + lines[last:end] + lines[first:last] + lines[end:]
    )


def value_types(text):
    """The type, as written, of each value that has one at its definition."""
    lines, spans = statements(text)
    types = {}
    for first, last in spans:
        match = re.match(r"\s*(%\w+) = (.*)", " ".join(lines[first:last]))
        if match and (" -> " in match[2] or " : " in match[2]):
            types[match[1]] = re.split(r" -> | : ", match[2])[-1].strip()
    return types


def swap_operands(rng, text):
    types = value_types(text)
    match = pick(rng, r"(%\w+), (%\w+)", text)
    if not match or (
        types.get(match[1]) != types.get(match[2]) and rng.random() < 0.85
    ):
        return None
    return splice(text, match, f"{match[2]}, {match[1]}")


def other_value(rng, text):
    """Replaces one operand by another value, mostly by one of the same type
    that is defined before."""
    types = value_types(text)
    match = pick(rng, r"(?<=[(\s])%[a-z]\w*(?=[,)])", text)
    if not match:
        return None
    name, before = match.group(0), text[: match.start()]
    same = [
        v
        for v, t in types.items()
        if t == types.get(name) and v != name and f"{v} = " in before
    ]
    if not same and rng.random() < 0.1:
        same = list(types)
    return splice(text, match, rng.choice(same)) if same else None


def word_change(rng, text, everywhere):
    for _ in range(20):
        group = rng.choice(WORDS)
        old = rng.choice(group)
        pattern = rf"(?<![\w]){re.escape(old)}(?![\w{{])"
        if re.search(pattern, text):
            new = rng.choice([w for w in group if w != old])
            if everywhere:
                return re.sub(pattern, lambda m: new, text)
            return splice(text, pick(rng, pattern, text), new)
    return None


def change_word(rng, text):
    return word_change(rng, text, False)


def change_word_everywhere(rng, text):
    return word_change(rng, text, True)


def change_op(rng, text):
    match = pick(rng, r"\bfly\.[a-z_.]+(?=\()", text)
    names = re.findall(r"\bfly\.[a-z_.]+(?=\()", text)
    return match and splice(text, match, rng.choice(names))


def change_block_size(rng, text):
    sizes = rng.choice(
        [
            "1, 1, 1",
            "64, 1, 1",
            "1024, 1, 1",
            "0, 1, 1",
            "4096, 1, 1",
            "16, 16, 1",
        ]
    )
    return re.sub(r"array<i32: \d+, 1, 1>", f"array<i32: {sizes}>", text)


def change_constant(rng, text):
    match = pick(rng, r"(?<=arith\.constant )(\d+)", text)
    return match and splice(text, match, rng.choice(STRANGE[:10]))


def damage(rng, text):
    at = rng.randrange(len(text))
    if rng.random() < 0.3:
        return text[:at]
    return (
        text[:at]
        + rng.choice(list('(){}<>[],:*?|%!#"\\\x01') + ["\u00e9"])
        + text[at:]
    )


EDITS = [  # with weights: half of them keep the file well formed
    (swap_tokens, 2),
    (change_number, 2),
    (change_number_everywhere, 2),
    (delete_line, 1),
    (delete_statement, 1),
    (delete_effect, 6),
    (repeat_effect, 5),
    (move_effect, 8),
    (swap_operands, 8),
    (other_value, 8),
    (change_word, 1),
    (change_word_everywhere, 3),
    (change_op, 1),
    (change_block_size, 4),
    (change_constant, 6),
    (damage, 1),
]


def mutate(rng, text):
    """One to three edits; returns (their names, the new text)."""
    edits, weights = zip(*EDITS)
    done = []
    for _ in range(rng.choice([1, 1, 1, 1, 1, 1, 2, 3])):
        edit = rng.choices(edits, weights)[0]
        new = edit(rng, text)
        if new is not None and new != text:
            done.append(edit.__name__)
            text = new
    return ", ".join(done) or "none", text
