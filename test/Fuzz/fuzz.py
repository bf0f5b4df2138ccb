# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random modules through fly-opt: never a crash, every refusal has a place.

    fuzz.py --tool build/bin/fly-opt --records fly.json --records fly_rocdl.json
            --seed 1 --count 2000 [--batch 500] [--time-limit 60] [--keep DIR]

The records are dumps of the dialects by `llvm-tblgen --dump-json`. Four kinds of
module are written: one random op, about half of which verify; a chain of ops that
verified; an attribute; a printed module whose text is then damaged.
Laws:

- the tool ends with status 0 or 1, without a sanitizer's report, in time;
- a refusal has at least one error, and every error a line of the file;
- an op that is refused for its written result is not so with the inferred one;
- what verifies is printed, read and printed the same, in the custom and in the
  generic form and through bytecode;
- what canonicalisation and folding give verifies and is printed the same again.

A module that breaks a law is made as small as possible, printed, and kept in DIR.
Exit status: 0, or 1 when a law was broken.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True

from fly_grammar import Grammar
from fly_ops import Operations, signatures

SEPARATOR = "// -----\n"
PLACED = re.compile(r"^<stdin>:(\d+):\d+: error: (.*)$")
ANY_ERROR = re.compile(r"(?:^|[ :])error: ")
NO_PLACE = re.compile(r"<unknown>:0|loc\(unknown\)|^-:0:0", re.M)
REPORT = re.compile(
    r"AddressSanitizer|UndefinedBehavior|runtime error:|LeakSanitizer"
    r"|Assertion .* failed|LLVM ERROR|PLEASE submit a bug|UNREACHABLE|<<NULL"
)
# Lines of a report that say what went wrong, and where in our code.
TOLD = re.compile(r"Assertion|ERROR:|runtime error|SUMMARY|#\d+ .*(?:fly|anonymous)")
INFERRED = re.compile(r"op result types?: written '.*?', expected ('.*')")
QUOTED = re.compile(r"'((?:[^'\"]|\"[^\"]*\")*)'")
KINDS = ("single ops", "chains", "attributes", "damaged")
# What a run of the tool may change, beside nothing at all.
GENERIC = ["-mlir-print-op-generic"]
PASSES = [
    ["--pass-pipeline=builtin.module(fly-canonicalize,canonicalize,cse)"],
    [
        "--pass-pipeline=builtin.module(fly-rewrite-func-signature,"
        "fly-canonicalize,fly-layout-lowering,fly-int-swizzle-simplify,canonicalize)"
    ],
    [
        "--pass-pipeline=builtin.module(fly-rewrite-func-signature,fly-canonicalize,"
        "fly-layout-lowering,fly-convert-atom-call-to-ssa-form,"
        "fly-promote-regmem-to-vectorssa,convert-fly-to-rocdl)"
    ],
]


class Result:
    """What the tool said to a list of modules, module by module."""

    def __init__(self, modules):
        self.errors = [[] for _ in modules]
        self.printed = [""] * len(modules)
        # (module number, law that was broken)
        self.broken = []


class Fuzzer:
    def __init__(self, arguments):
        self.arguments = arguments
        self.rng = random.Random(arguments.seed)
        records = [json.load(open(path)) for path in arguments.records]
        self.signatures = signatures(records)
        self.grammar = Grammar(self.rng, 0)
        self.operations = Operations(self.grammar, self.signatures)
        self.counts = collections.Counter()
        self.turn = self.rng.randrange(1000)
        self.tried, self.verified = collections.Counter(), collections.Counter()
        self.findings = []
        self.environment = dict(os.environ)
        self.environment.setdefault("ASAN_OPTIONS", "detect_leaks=0:abort_on_error=1")
        self.environment.setdefault(
            "UBSAN_OPTIONS", "halt_on_error=1:abort_on_error=1:print_stacktrace=1"
        )

    # Running.

    def execute(self, text, options, limit):
        """(status or None when time was up, output, errors)"""
        try:
            done = subprocess.run(
                [self.arguments.tool, "-", "-split-input-file", *options],
                input=text.encode(),
                capture_output=True,
                timeout=limit,
                env=self.environment,
            )
        except subprocess.TimeoutExpired:
            return None, "", "no answer in time"
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def died(self, status, errors):
        if status is None:
            return "hangs"
        if status not in (0, 1):
            return f"dies with status {status}"
        return "a sanitizer or an assertion reports" if REPORT.search(errors) else None

    def run(self, modules, options=()):
        """Runs modules in one process; looks for the guilty ones when it dies."""
        result = Result(modules)
        if not modules:
            return result
        text = SEPARATOR.join(modules)
        limit = self.arguments.time_limit * (1 if len(modules) > 1 else 0.5)
        status, output, errors = self.execute(text, options, limit)
        law = self.died(status, errors)
        if law:
            if len(modules) == 1:
                told = [line for line in errors.splitlines() if TOLD.search(line)]
                result.broken.append((0, "\n".join([law, *told[:12]])))
                return result
            middle = len(modules) // 2
            for first, part in ((0, modules[:middle]), (middle, modules[middle:])):
                half = self.run(part, options)
                result.errors[first : first + len(part)] = half.errors
                result.printed[first : first + len(part)] = half.printed
                result.broken += [(first + i, law) for i, law in half.broken]
            return result
        self.attribute(result, modules, output, errors)
        return result

    def attribute(self, result, modules, output, errors):
        starts, line = [], 1
        for module in modules:
            starts.append(line)
            line += module.count("\n") + 1
        owner = 0
        for text in errors.splitlines():
            if not ANY_ERROR.search(text):
                continue
            match = PLACED.match(text)
            if not match:
                # Errors about text that our messages quote are no errors.
                if text.startswith("error: ") or NO_PLACE.search(text):
                    result.broken.append((owner, f"an error has no place: {text}"))
                    result.errors[owner].append(text)
                continue
            number = int(match.group(1))
            owner = max(i for i, start in enumerate(starts) if start <= number)
            result.errors[owner].append(match.group(2))
        printed = ("\n" + output).split("\n" + SEPARATOR.rstrip("\n"))
        if len(printed) != len(modules):
            result.broken.append((0, f"{len(printed)} outputs for {len(modules)} modules"))
            return
        for i, text in enumerate(printed):
            result.printed[i] = text.strip("\n") + "\n" if text.strip() else ""
            if not result.printed[i] and not result.errors[i]:
                result.broken.append((i, "refused without an error"))
            for message in result.errors[i]:
                if message.endswith("."):
                    result.broken.append((i, f"a message ends with a full stop: {message}"))

    # Findings.

    def check(self, modules, options=(), must_verify=False):
        result = self.run(modules, options)
        for i, errors in enumerate(result.errors):
            if must_verify and errors:
                result.broken.append((i, f"does not verify: {errors[0]}"))
        for i, law in result.broken:
            self.found(modules[i], options, law)
        return result

    def found(self, module, options, law):
        key = law.split("\n")[0]
        small = self.minimise(module, options, key)
        self.findings.append(law)
        print(f"seed {self.arguments.seed}: {law}\nwith {' '.join(options)}\n{small}", flush=True)
        if self.arguments.keep:
            folder = pathlib.Path(self.arguments.keep)
            folder.mkdir(parents=True, exist_ok=True)
            name = f"{self.arguments.seed}-{len(self.findings)}.mlir"
            head = f"// {key}\n// options: {' '.join(options)}\n"
            (folder / name).write_text(head + small)
        if len(self.findings) > 40:
            sys.exit("too many findings")

    def minimise(self, module, options, key):
        """Leaves out lines, then operands' text, while the same law breaks."""
        if not key.startswith(("dies", "a sanitizer", "an error has", "refused")):
            return module
        budget = 120

        def still(text):
            return any(law.split(":")[0] == key.split(":")[0] for _, law in self.run([text], options).broken)

        lines = module.split("\n")
        i = 0
        while i < len(lines) and budget:
            shorter = lines[:i] + lines[i + 1 :]
            budget -= 1
            if still("\n".join(shorter)):
                lines = shorter
            else:
                i += 1
        return "\n".join(lines)

    # Modules.

    @staticmethod
    def function(operations, links=None):
        """Text of a function; links[i] lists, by operand, an earlier op or None."""
        arguments, body = [], []
        for i, op in enumerate(operations):
            names = []
            for j, type_ in enumerate(op.operands):
                source = links[i][j] if links else None
                if source is None:
                    source = f"%a{len(arguments)}"
                    arguments.append(f"{source}: {type_}")
                names.append(source)
            results = ""
            if len(op.results) == 1:
                results = f"%r{i} = "
            elif op.results:
                results = f"%r{i}:{len(op.results)} = "
            body.append(f"  {op.line(names, results)}\n")
        return f"func.func @f({', '.join(arguments)}) {{\n{''.join(body)}  return\n}}\n"

    def singles(self, count):
        """Random ops; those that verify, with the right results."""
        operations = []
        for i in range(count):
            self.grammar.wildness = self.rng.choice([0, 0, 0, 0.02, 0.05, 0.2, 0.5])
            name = self.operations.names[(self.turn + i) % len(self.operations.names)]
            operations.append(self.operations.operation(name))
        self.turn += count
        first = self.check([self.function([op]) for op in operations])
        good, again = [], []
        for op, errors in zip(operations, first.errors):
            self.tried[op.name] += 1
            match = INFERRED.search(errors[0]) if errors else None
            if match:
                op.results = QUOTED.findall(match.group(1))
                again.append(op)
            elif errors:
                self.counts["refused"] += 1
            else:
                good.append(op)
        texts = [self.function([op]) for op in again]
        for op, text, errors in zip(again, texts, self.check(texts).errors):
            if not errors:
                good.append(op)
            elif INFERRED.search(errors[0]):
                self.found(text, [], f"infers another type: {errors[0]}")
        for op in good:
            self.verified[op.name] += 1
            for type_ in (*op.operands, *op.results):
                self.operations.remember(type_)
        self.counts["single ops"] += count
        self.counts["single ops that verify"] += len(good)
        return good

    def chains(self, good, count):
        """Functions of a few verified ops, linked where the types are the same."""
        modules = []
        for _ in range(count):
            chosen = [self.rng.choice(good) for _ in range(self.rng.choice([1, 2, 3, 5, 8]))]
            made, links = {}, []
            for i, op in enumerate(chosen):
                links.append([self.rng.choice(made[t]) if t in made else None for t in op.operands])
                for k, type_ in enumerate(op.results):
                    name = f"%r{i}" if len(op.results) == 1 else f"%r{i}#{k}"
                    made.setdefault(type_, []).append(name)
            modules.append(self.function(chosen, links))
        return modules

    def attributes(self, count):
        """Functions that carry an attribute, well formed or not."""
        self.grammar.wildness = 0.05
        return [
            f"func.func @f() {{\n  return {{x = {self.grammar.attribute()}}}\n}}\n"
            for _ in range(count)
        ]

    TOKEN = re.compile(r"[\w.]+|->|\s+|.", re.S)
    WORDS = (
        "( ) < > [ ] { } , : = -> - ? * | ! # % \" o S CS E 0 1 4 1E0 1E div=4 {i64} 9223372036854775808 "
        "99999999999999999999 align<16> global register f32 i32 index none !fly.layout<4:1> "
        "!fly.int_tuple<?> #fly<mma_operand a> unit loc(\"k\":1:1) 0x10 1.5 @f ^bb0 fly.get fly"
    ).split()

    def damage(self, text):
        tokens = self.TOKEN.findall(text)
        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
            at = self.rng.randrange(len(tokens))
            edit = self.rng.randrange(5)
            if edit == 0:
                tokens[at] = ""
            elif edit == 1:
                tokens[at] = self.rng.choice(self.WORDS)
            elif edit == 2:
                tokens.insert(at, self.rng.choice(self.WORDS))
            elif edit == 3:
                other = self.rng.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            else:
                tokens.insert(at, tokens[at])
        return "".join(tokens).replace(SEPARATOR.strip(), "")

    @staticmethod
    def join(modules):
        """Printed modules as one; None when one has more than functions."""
        bodies = []
        for i, text in enumerate(modules):
            if not text.startswith("module {\n") or text.count("func.func") != 1:
                return None
            bodies.append(text[len("module {\n") : -len("}\n")].replace("@f(", f"@f{i}(", 1))
        return f"module {{\n{''.join(bodies)}}}\n"

    @staticmethod
    def part(text, count):
        """The functions of one printed module, each as a module of its own."""
        parts = re.findall(r"^  func\.func @f\d+\(.*?^  }\n", text, re.M | re.S)
        if len(parts) != count:
            return None
        return ["module {\n" + re.sub(r"@f\d+\(", "@f(", p, count=1) + "}\n" for p in parts]

    def read_many(self, functions, size=20):
        """What is printed for each function; nothing where one is refused."""
        groups = [functions[i : i + size] for i in range(0, len(functions), size)]
        wholes = [
            "".join(text.replace("@f(", f"@f{i}(", 1) for i, text in enumerate(group))
            for group in groups
        ]
        result = self.run(wholes)
        bad = {i for i, _ in result.broken}
        found = len(self.findings)
        printed = []
        for i, group in enumerate(groups):
            parts = None if i in bad else self.part(result.printed[i], len(group))
            printed += parts or self.check(group).printed
        if result.broken and len(self.findings) == found:
            i, law = result.broken[0]
            self.found(wholes[i], [], law)
        return printed

    def rounds(self, modules, size, *steps):
        """Each step's options in turn; the last text is the one of a law's end.

        Modules go in groups of `size` as one, which is quick; a group in which
        something is amiss is taken apart.
        """
        ends, found, together = 0, len(self.findings), []
        groups = [modules[i : i + size] for i in range(0, len(modules), size)]
        wholes = [self.join(group) for group in groups]
        quick = [i for i, whole in enumerate(wholes) if whole]
        texts = [wholes[i] for i in quick]
        slow = [text for group, whole in zip(groups, wholes) if not whole for text in group]
        fixed = texts
        for options in steps:
            result = self.run(texts, options)
            together += [(texts[i], options, law) for i, law in result.broken]
            if options in PASSES:
                fixed = result.printed
            texts = result.printed
            bad = {i for i, _ in result.broken} | {i for i, e in enumerate(result.errors) if e}
            slow += [text for i in sorted(bad) for text in groups[quick[i]]]
            keep = [i for i in range(len(texts)) if i not in bad]
            texts, quick, fixed = ([part[i] for i in keep] for part in (texts, quick, fixed))
        for i, old, new in zip(quick, fixed, texts):
            if old != new:
                slow += groups[i]
                together.append((old, [], f"the text changes\n{new}"))
            else:
                ends += len(groups[i])
        ends += self.one_by_one(slow, steps)
        # What goes wrong only in company is wrong too.
        if together and len(self.findings) == found:
            self.found(*together[0])
        return ends

    def one_by_one(self, modules, steps):
        texts, names = modules, modules
        fixed = texts
        for options in steps:
            passes = options in PASSES
            result = self.check(texts, options, must_verify=not passes)
            keep = [i for i, text in enumerate(result.printed) if text]
            texts, names = [result.printed[i] for i in keep], [names[i] for i in keep]
            fixed = texts if passes else [fixed[i] for i in keep]
        for old, new, name in zip(fixed, texts, names):
            if old != new:
                self.found(name, sum(steps, []), f"the text changes\n{old}{new}")
        return len(texts)

    def batch(self, count):
        good = self.singles(count)
        if not good:
            return
        modules = self.chains(good, count)
        kept = [text for text in self.read_many(modules) if text]
        self.counts["chains"] += len(modules)
        self.counts["chains that verify"] += len(kept)
        attributes = self.attributes(count // 5)
        carried = [text for text in self.check(attributes).printed if text]
        self.counts["attributes"] += len(attributes)
        self.counts["attributes that are read"] += len(carried)
        kept += carried
        self.rounds(kept, 100, ["-verify-roundtrip"], [])
        self.rounds(kept, 100, GENERIC, [])
        # What the other pipelines leave is upstream IR mostly.
        self.counts["through passes"] += self.rounds(kept, 20, PASSES[0], [])
        for passes in PASSES[1:]:
            self.counts["through passes"] += self.rounds(kept, 4, passes)
        damaged = [self.damage(text) for text in kept]
        self.counts["damaged"] += len(damaged)
        self.counts["damaged that verify"] += sum(1 for text in self.check(damaged).printed if text)

    def main(self):
        total = 0
        while total < self.arguments.count:
            size = min(self.arguments.batch, (self.arguments.count - total) // 3 + 1)
            self.batch(size)
            total = sum(self.counts[kind] for kind in KINDS)
            if self.arguments.verbose:
                print(total, dict(self.counts), flush=True)
        never = sorted(set(self.signatures) - set(self.verified))
        print(", ".join(f"{self.counts[kind]} {kind}" for kind in self.counts))
        print(f"ops that verified: {len(self.verified)} of {len(self.signatures)}" + (f", not {' '.join(never)}" if never else ""))
        print(f"modules {total}, broken laws {len(self.findings)}")
        return 1 if self.findings else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", required=True, help="fly-opt")
    parser.add_argument("--records", action="append", required=True, help="a dialect's records in JSON")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000, help="modules")
    parser.add_argument("--batch", type=int, default=400, help="modules in one process")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for a batch")
    parser.add_argument("--keep", help="folder for the modules that break a law")
    parser.add_argument("--verbose", action="store_true")
    return Fuzzer(parser.parse_args()).main()


if __name__ == "__main__":
    sys.exit(main())
