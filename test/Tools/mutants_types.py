# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants with another layout that still verify.

`perturb_types` changes one number or word in a type of a printed kernel (one
op a line, no aliases) and in the operand types of its uses; `correct_types`
then takes a diagnostic "result type: written ..., expected ..." and gives that
result, and its uses, the type that the compiler expects. Repeated until
nothing is said about types, this carries a new layout through the whole
kernel.
"""

import re

from mutants_edits import NUMBER, change_word, other_number, pick, splice


def perturb_types(rng, text):
    """Changes a number or word in the type that an op without inference gives
    its result (fly.static, make_ptr, arguments); correct_types does the rest.
    """
    lines = text.split("\n")
    sources = [
        i
        for i, line in enumerate(lines)
        if re.search(
            r"= fly\.(static|make_ptr|make_coord|make_copy_atom|make_mma_atom)"
            r"|gpu\.func",
            line,
        )
    ]
    i = rng.choice(sources)
    if "gpu.func" in lines[i]:
        head, colon, tail = lines[i].partition("(")
    else:
        head, colon, tail = lines[i].rpartition(" : ")
    if rng.random() < 0.75:
        match = pick(rng, NUMBER, tail)
        new = match and splice(tail, match, other_number(rng, match.group(0)))
    else:
        new = change_word(rng, tail)
    new = new or tail
    lines[i] = head + colon + new
    result = re.match(r"\s*(%\w+) = ", lines[i])
    if result:
        if "(" in head or tail.startswith("("):  # a signature, not a type
            tail, new = tail.split(" -> ")[-1], new.split(" -> ")[-1]
        replace_uses(lines, i, result.group(1), tail, new)
    elif "gpu.func" in lines[i]:
        for name, old_type, new_type in changed_arguments(
            head + colon + tail, lines[i]
        ):
            replace_uses(lines, i, name, old_type, new_type)
    return f"retyped {lines[i].strip()[:60]}", "\n".join(lines)


def split_types(text):
    """Splits a list at the commas outside of brackets."""
    out, depth, start = [], 0, 0
    text = text.replace("->", "\0>")
    for at, char in enumerate(text):
        if char in "<([{":
            depth += 1
        elif char in ")]}" or (char == ">" and text[at - 1] != "\0"):
            depth -= 1
        elif char == "," and depth == 0:
            out.append(text[start:at])
            start = at + 1
    out.append(text[start:])
    return [part.replace("\0>", "->").strip() for part in out]


def signature(line):
    """Splits `... : (operand types) -> result` into (before, types,
    after); `after` starts at the arrow; None if the line has none."""
    at = line.find(" : (")
    if at < 0:
        return None
    begin, depth = at + 4, 1
    for i in range(begin, len(line)):
        if line[i] in "<([{":
            depth += 1
        elif line[i] in ")]}" or (line[i] == ">" and line[i - 1] != "-"):
            depth -= 1
        if depth == 0:
            after = line[i + 1 :]
            if not after.startswith(" -> "):
                return None
            return line[: begin - 1], split_types(line[begin:i]), after
    return None


def changed_arguments(old, new):
    """(name, old type, new type) of the arguments of a gpu.func that differ."""

    def arguments(line):
        inside = re.search(r"@\w+\((.*)\) kernel", line)
        parts = split_types(inside.group(1)) if inside else []
        return [part.partition(": ")[::2] for part in parts]

    pairs = zip(arguments(old), arguments(new))
    return [
        (a[0], a[1], b[1]) for a, b in pairs if a[1] != b[1] and a[0] == b[0]
    ]


def replace_uses(lines, defined, name, old_type, new_type):
    """Gives `name` another type in the signatures behind line `defined`."""
    use = re.compile(rf"{re.escape(name)}(?!\w)")
    for i in range(defined + 1, len(lines)):
        if not use.search(lines[i]):
            continue
        parts = signature(lines[i])
        operands = re.search(r"\((.*?)\)", lines[i])
        names = re.findall(r"%\w+", operands.group(1)) if operands else []
        if parts and len(names) == len(parts[1]):
            types = [
                new_type if n == name else t for n, t in zip(names, parts[1])
            ]
            lines[i] = f"{parts[0]}({', '.join(types)}){parts[2]}"
        else:
            lines[i] = lines[i].replace(old_type, new_type)


def correct_types(text, said):
    """Applies the first "result type" diagnostic of `said`, (line, message)
    pairs, to the text; None if there is none to apply."""
    for line, message in said:
        match = re.search(
            r"op result type: written '(.*?)', expected '(.*?)'(?:$|; )",
            message,
        )
        lines = text.split("\n")
        if not match or not 0 < line <= len(lines):
            continue
        inferred = match.group(2)
        parts = signature(lines[line - 1])
        result = re.match(r"\s*(%\w+) = ", lines[line - 1])
        if not parts or not result or parts[2] == f" -> {inferred}":
            continue
        lines[line - 1] = f"{parts[0]}({', '.join(parts[1])}) -> {inferred}"
        replace_uses(lines, line - 1, result.group(1), match.group(1), inferred)
        return "\n".join(lines)
    return None
