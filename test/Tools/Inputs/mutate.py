# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a compiler over seeded mutants of MLIR files and checks that none ends
it: every run exits with 0 or 1 (fly-compile also with 6), never by a signal, an
assertion or a time-out, and a refused input gets a message.

    mutate.py --count=500 --compile=fly-compile --opt=fly-opt a.mlir b.mlir

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


def mutate(text, rng):
    """One to three changes of tokens, lines or numbers."""
    tokens = TOKEN.findall(text)
    for _ in range(rng.randint(1, 3)):
        places = [i for i, t in enumerate(tokens) if t.strip() and t[:2] != "//"]
        at = rng.choice(places)
        kind = rng.random()
        if kind < 0.45:  # a number
            numbers = [i for i in places if tokens[i].isdigit()]
            if numbers:
                tokens[rng.choice(numbers)] = rng.choice(NUMBERS)
        elif kind < 0.6:  # a word for one of its kind
            group = rng.choice(SWAPS[:3])
            words = [i for i in places if tokens[i] in group]
            if words:
                tokens[rng.choice(words)] = rng.choice(group)
        elif kind < 0.75:  # a value for another value
            values = [i for i in places if tokens[i][0] == "%"]
            if values:
                tokens[rng.choice(values)] = tokens[rng.choice(values)]
        elif kind < 0.8:
            tokens[at] = rng.choice(SWAPS[3])
        elif kind < 0.85:
            del tokens[at]
        elif kind < 0.9:
            tokens.insert(at, tokens[rng.choice(places)])
        else:  # a line is dropped or doubled
            lines = "".join(tokens).split("\n")
            line = rng.randrange(len(lines))
            lines[line:line + 1] = [] if rng.random() < 0.5 else [lines[line]] * 2
            tokens = TOKEN.findall("\n".join(lines))
    return "".join(tokens)


def run(command, text):
    """Exit status ("time-out" when there is none) and what it printed."""
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True,
                              timeout=60)
        return done.returncode, done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return "time-out", ""


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
    texts = [pathlib.Path(f).read_text() for f in args.files]
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
