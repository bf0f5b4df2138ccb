# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a compiler over seeded mutants of MLIR files and checks that none ends
it: every run exits with 0 or 1 (fly-compile also with 6), never by a signal, an
assertion or a time-out, and a refused input gets a message.

    mutate.py --count=500 --compile=fly-compile --opt=fly-opt a.mlir folder

Prints the number of mutants, how many of them still parse, and how many still
compile; exits with 1 when one failed, and keeps its text in --keep.
"""

import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys

TOKEN = re.compile(r"\s+|//[^\n]*|[%@!#^]?[A-Za-z_][\w.$]*|\d+|->|.", re.DOTALL)
NUMBERS = ["0", "1", "2", "3", "5", "7", "8", "16", "31", "33", "64", "255", "1024",
           "4096", "65536", "2147483648", "9223372036854775807",
           "9223372036854775808", "18446744073709551616", "-1", "?", "*"]
SWAPS = [["f16", "f32", "bf16", "i8", "i1", "i32", "i64", "f64", "f8E4M3FN", "index"],
         ["global", "shared", "register"],
         ["slt", "sle", "ult", "eq", "ne"],
         ["(", ")", "<", ">", "[", "]", ",", ":"]]


START = re.compile(r"\s+(%[\w:, ]+ = )?(fly|gpu|arith|scf|vector|llvm|rocdl|memref)[.\w]*[ (]")


def wild(text, rng):
    """One to three changes of tokens, which seldom leave valid text."""
    tokens = TOKEN.findall(text)
    for _ in range(rng.randint(1, 3)):
        places = [i for i, t in enumerate(tokens) if t.strip() and t[:2] != "//"]
        at = rng.choice(places)
        kind = rng.random()
        if kind < 0.4:  # a number
            numbers = [i for i in places if tokens[i].isdigit()]
            tokens[rng.choice(numbers)] = rng.choice(NUMBERS)
        elif kind < 0.6:  # a word for one of its kind
            group = rng.choice(SWAPS[:3])
            words = [i for i in places if tokens[i] in group]
            if words:
                tokens[rng.choice(words)] = rng.choice(group)
        elif kind < 0.7:  # a value for another value
            values = [i for i in places if tokens[i][0] == "%"]
            tokens[rng.choice(values)] = tokens[rng.choice(values)]
        elif kind < 0.8:
            tokens[at] = rng.choice(SWAPS[3])
        elif kind < 0.9:
            del tokens[at]
        else:
            tokens.insert(at, tokens[rng.choice(places)])
    return "".join(tokens)


def statements(text):
    """The text as a list of statements: an op with its continuation lines."""
    parts = [""]
    for line in text.splitlines(keepends=True):
        if START.match(line):
            parts.append("")
        parts[-1] += line
    return parts


def change_effects(text, rng):
    """Drops, doubles or moves an op without results."""
    parts = statements(text)
    places = [i for i, part in enumerate(parts)
              if START.match(part) and " = " not in part.split("(")[0]
              and "{" not in part and "}" not in part
              and "return" not in part and "yield" not in part]
    if not places:
        return text
    at = rng.choice(places)
    kind = rng.random()
    if kind < 0.4:
        del parts[at]
    elif kind < 0.7:
        parts.insert(at, parts[at])
    else:
        parts.insert(max(at - rng.randint(1, 6), 1), parts.pop(at))
    return "".join(parts)


def change_one(text, rng, pattern, choices):
    """Replaces one match of `pattern` by one of `choices`."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = rng.choice(found)
    return text[:match.start()] + rng.choice(choices) + text[match.end():]


def change_all(text, rng, pattern, choices):
    """Replaces all occurrences of one of the matched words."""
    words = sorted(set(re.findall(pattern, text)))
    if not words:
        return text
    word, new = rng.choice(words), rng.choice(choices)
    return re.sub(rf"(?<![\w.%@!#]){re.escape(word)}(?![\w.])", new, text)


def change_operand(text, rng):
    """A value for another one with the same written type."""
    types = {}
    for value, kind in re.findall(r"(%\w+): (![\w.]+|\w+)", text):
        types.setdefault(kind, []).append(value)
    for part in statements(text):
        made = re.match(r"\s+(%\w+) = .*?(?:->|:) ([^:>]*(?:<.*>)?)\s*$", part, re.DOTALL)
        if made:
            types.setdefault(made[2].strip(), []).append(made[1])
    groups = [sorted(set(group)) for kind, group in sorted(types.items())
              if len(set(group)) > 1]
    if not groups:
        return text
    old, new = rng.sample(rng.choice(groups), 2)
    return change_one(text, rng, rf"{old}(?=[,)\] ])(?! =)", [new])


def gentle(text, rng):
    """One or two changes that often leave a valid module."""
    for _ in range(rng.randint(1, 2)):
        kind = rng.random()
        if kind < 0.3:
            text = change_effects(text, rng)
        elif kind < 0.5:
            text = change_operand(text, rng)
        elif kind < 0.65:
            text = change_one(text, rng, r"(?<=arith\.constant )-?\d+(?= )",
                              ["0", "1", "-1", "7", "4096", "2147483647"])
        elif kind < 0.75:
            text = change_one(text, rng, r"\b(slt|sle|ult|eq|ne)\b", SWAPS[2])
        elif kind < 0.8:
            text = change_one(text, rng, r"(?<=thread_id )x|(?<=block_id )x", ["y", "z"])
        elif kind < 0.85:
            text = change_one(text, rng, r"(?<=array<i32: )\d+",
                              ["0", "1", "64", "1024", "1025", "-1"])
        elif kind < 0.95:
            text = change_all(text, rng, r"(?<![\w.%@!#])\d+(?![\w.])", NUMBERS[:16])
        else:
            text = change_all(text, rng, r"\b(?:f16|f32|bf16|i32)\b", SWAPS[0])
    return text


def mutate(text, rng):
    text = gentle(text, rng) if rng.random() < 0.8 else wild(text, rng)
    # The stock mlir-opt 22.1.8 itself ends at this attribute, in its parser.
    return text.replace("array<index:", "array<i32:")


def run(command, text):
    """Exit status ("time-out" when there is none) and what it printed."""
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True,
                              timeout=60)
        return done.returncode, done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return "time-out", ""


def files_of(name):
    """The file, or the MLIR files of the folder."""
    path = pathlib.Path(name)
    return sorted(path.glob("*.mlir")) if path.is_dir() else [path]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opt", required=True)
    parser.add_argument("--compile", required=True)
    parser.add_argument("--targets", default="gfx942,gfx1100,gfx1201")
    parser.add_argument("--keep", default=".")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    targets = args.targets.split(",")
    texts = [f.read_text() for name in args.files for f in files_of(name)]
    parsed = compiled = 0
    failures = []
    statuses = collections.Counter()
    for n in range(args.count):
        rng = random.Random(f"{args.seed}/{n}")
        text = mutate(texts[n % len(texts)], rng)
        target = targets[n % len(targets)]
        pipeline = f"builtin.module(fly-to-binary{{target={target}}})"
        status, said = run([args.opt, "-", "-o", "/dev/null"], text)
        checks = [("parse", status, said, (0, 1))]
        if status == 0:
            parsed += 1
            status, said = run([args.opt, "-", "-o", "/dev/null",
                                f"--pass-pipeline={pipeline}"], text)
            checks.append(("fly-opt", status, said, (0, 1)))
            status, said = run([args.compile, "-", "-q", f"--target={target}",
                                "-o", "-"], text)
            checks.append(("fly-compile", status, said, (0, 1, 6)))
            compiled += status == 0
        for step, status, said, allowed in checks:
            statuses[step, status] += 1
            silent = status not in (0, "time-out") and "error" not in said
            if status not in allowed or silent:
                path = pathlib.Path(args.keep) / f"mutant-{args.seed}-{n}.mlir"
                path.write_text(text)
                why = "no message" if silent and status in allowed else f"status {status}"
                tail = " | ".join(said.strip().splitlines()[-2:])[:200]
                failures.append(f"{step} {target}: {why}: {path}: {tail}")
    print(f"{args.count} mutants, {parsed} parse, {compiled} compile")
    for failure in failures:
        print(failure)
    return 1 if failures or parsed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
