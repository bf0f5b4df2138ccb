#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds damaged kernels to fly-opt and fly-compile: none may crash them.

In: the kernels of test/Kernels, a seed, a count. Each mutant is a kernel with
one to three random edits (mutants_edits.py lists them); some are *retyped*: a
number in a layout changes and the result types that follow from it are
corrected (mutants_types.py), so that the mutant reaches the passes.

The law, for every mutant and both tools: the exit status is 0 with an output of
the right kind, or 1 with a diagnostic; no signal, no stack dump, no LLVM fatal
error, no hang. And the mutants are worth running: at least half of them parse.

    mutants.py --fly-opt build/bin/fly-opt --fly-compile build/bin/fly-compile
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from mutants_edits import mutate
from mutants_types import correct_types, perturb_types

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "Kernels")
FILES = {
    "vector_add.mlir": "gfx942",
    "transpose.mlir": "gfx942",
    "mma_tile_cdna.mlir": "gfx942",
    "gemm_cdna.mlir": "gfx942",
    "mma_tile_gfx11.mlir": "gfx1100",
    "gemm_gfx11.mlir": "gfx1100",
    "mma_tile_gfx12.mlir": "gfx1201",
    "gemm_gfx12.mlir": "gfx1201",
}
CRASH = re.compile(
    r"Stack dump|PLEASE submit a bug report|LLVM ERROR|Assertion .* failed"
    r"|AddressSanitizer|runtime error:|UNREACHABLE"
)
SEPARATOR = "// -----\n"
BATCH = 16
BATCH_SECONDS = 240
SECONDS = 60


@dataclasses.dataclass
class Mutant:
    index: int
    file: str
    chip: str
    edits: str  # what was done
    text: str
    parses: bool = False

    def has_kernel(self):
        """False for a file that was cut before its module: fly-opt prints it as
        it is, fly-compile refuses it."""
        return "gpu.module" in self.text


@dataclasses.dataclass
class Answer:
    status: int  # negative: a signal; None: out of time
    out: bytes
    err: str

    def crashed(self):
        return self.status not in (0, 1) or CRASH.search(self.err) is not None

    def why(self):
        if self.status is None:
            return "out of time"
        found = CRASH.search(self.err)
        return f"exit status {self.status}" + (
            f", {found.group(0)}" if found else ""
        )


def run(command, seconds):
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=seconds,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return Answer(None, b"", "")
    return Answer(
        done.returncode, done.stdout, done.stderr.decode(errors="replace")
    )


class Harness:
    """The tools, a scratch folder, and the faults found so far."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        self.faults = []
        self.serial = 0

    def path(self, suffix):
        self.serial += 1
        return os.path.join(self.folder, f"{self.serial}{suffix}")

    def write(self, text):
        name = self.path(".mlir")
        with open(
            name, "w", encoding="utf-8", errors="surrogateescape"
        ) as file:
            file.write(text)
        return name

    def fault(self, mutant, tool, why):
        name = os.path.join(
            self.options.keep or self.folder, f"mutant-{mutant.index}.mlir"
        )
        if self.options.keep:
            os.makedirs(self.options.keep, exist_ok=True)
            with open(
                name, "w", encoding="utf-8", errors="surrogateescape"
            ) as file:
                file.write(mutant.text)
        self.faults.append(
            f"mutant {mutant.index} of {mutant.file} ({mutant.edits}), "
            f"{tool}: {why}"
        )

    def fly_opt_batches(self, mutants, arguments, tool):
        """Runs fly-opt over all mutants, many a process; returns for each
        (its printed output or '', its diagnostics as (line, message)). A crash
        is laid at the door of the mutant that crashes alone."""
        batches = collections.defaultdict(list)
        for mutant in mutants:
            batches[mutant.chip].append(mutant)
        pieces = [
            (chip, group[i : i + BATCH])
            for chip, group in batches.items()
            for i in range(0, len(group), BATCH)
        ]
        jobs = [
            self.pool.submit(self.fly_opt_batch, group, arguments(chip), tool)
            for chip, group in pieces
        ]
        found = {}
        for job in jobs:
            found.update(job.result())
        return found

    def fly_opt_batch(self, group, arguments, tool):
        """As above, for one process; after a crash, for one input each."""
        texts = [
            m.text if m.text.endswith("\n") else m.text + "\n" for m in group
        ]
        name = self.write(SEPARATOR.join(texts))
        command = [self.options.fly_opt, name, "--split-input-file", *arguments]
        answer = run(command, BATCH_SECONDS if len(group) > 1 else SECONDS)
        if answer.crashed() and len(group) > 1:
            before = len(self.faults)
            found = {}
            for mutant in group:
                found.update(self.fly_opt_batch([mutant], arguments, tool))
            if len(self.faults) == before:
                self.fault(
                    group[0],
                    tool,
                    f"{answer.why()}, only together with the "
                    f"{len(group) - 1} mutants after it",
                )
            return found
        if answer.crashed():
            self.fault(group[0], tool, answer.why())
            return {group[0].index: ("", [(1, "crash")])}
        outputs = answer.out.decode(errors="replace").split(SEPARATOR)
        if len(outputs) != len(group):
            self.fault(
                group[0], tool, f"{len(outputs)} outputs of {len(group)} inputs"
            )
            outputs = [""] * len(group)
        said = re.findall(r"(?m)^[^\n]*?:(\d+):\d+: error: (.*)$", answer.err)
        found, first = {}, 1
        for mutant, text, output in zip(group, texts, outputs):
            last = first + text.count("\n")
            mine = [
                (int(line) - first + 1, message)
                for line, message in said
                if first <= int(line) < last + 1
            ]
            if not output.strip() and not mine:
                # Perhaps a diagnostic without a line: look at it alone.
                alone = run(
                    [self.options.fly_opt, self.write(text), *arguments],
                    SECONDS,
                )
                if alone.crashed() or "error:" not in alone.err:
                    self.fault(
                        mutant,
                        tool,
                        f"refused without a diagnostic " f"({alone.why()})",
                    )
                mine = [(1, alone.err.strip().split("\n")[0])]
            found[mutant.index] = (output if output.strip() else "", mine)
            first = last + 1
        return found

    def compile_one(self, mutant):
        """fly-compile: a code object, or a diagnostic."""
        out = self.path(".hsaco")
        answer = run(
            [
                self.options.fly_compile,
                self.write(mutant.text),
                f"--target={mutant.chip}",
                "-o",
                out,
            ],
            SECONDS,
        )
        written = os.path.exists(out)
        if answer.crashed():
            self.fault(mutant, "fly-compile", answer.why())
        elif answer.status == 1 and "error:" not in answer.err:
            self.fault(mutant, "fly-compile", "refused without a diagnostic")
        elif answer.status == 1 and written:
            self.fault(mutant, "fly-compile", "failed, but left an output file")
        elif answer.status == 0 and not mutant.parses:
            self.fault(
                mutant, "fly-compile", "compiled what fly-opt does not parse"
            )
        elif answer.status == 0:
            with open(out, "rb") as file:
                head = file.read(20)
            # ELF, 64 bit, machine 224 (AMDGPU).
            if head[:5] != b"\x7fELF\x02" or head[18:20] != b"\xe0\x00":
                self.fault(
                    mutant,
                    "fly-compile",
                    "wrote something that is no AMDGPU ELF",
                )
        if written:
            os.remove(out)
        return answer.status == 0


def make_mutants(harness, count, seed):
    """`count` seeded mutants, all different; a third of them retyped."""
    sources, printed = {}, {}
    for file, chip in FILES.items():
        with open(os.path.join(KERNELS, file), encoding="utf-8") as handle:
            sources[file] = re.sub(r"(?m)^\s*//.*\n", "", handle.read())
    originals = [
        Mutant(-1 - i, f, FILES[f], "none", sources[f])
        for i, f in enumerate(FILES)
    ]
    for mutant in originals:
        answer = harness.fly_opt_batch([mutant], [], "fly-opt")[mutant.index]
        if not answer[0]:
            raise SystemExit(
                f"error: {mutant.file} does not parse: {answer[1]}"
            )
        printed[mutant.file] = answer[0]

    mutants, seen, names = [], set(sources.values()), list(FILES)
    rng = random.Random(seed)
    while len(mutants) < count:
        file = rng.choice(names)
        if rng.random() < 0.35:
            edits, text = perturb_types(rng, printed[file])
        else:
            edits, text = mutate(rng, sources[file])
        if text in seen:
            continue
        seen.add(text)
        mutants.append(Mutant(len(mutants), file, FILES[file], edits, text))

    # Correct the types of the retyped ones, one op a round.
    pending = [m for m in mutants if m.edits.startswith("retyped")]
    for _ in range(30):
        answers = harness.fly_opt_batches(
            pending, lambda chip: [], "fly-opt (parse)"
        )
        again = []
        for mutant in pending:
            text = correct_types(mutant.text, answers[mutant.index][1])
            if text is not None:
                mutant.text = text
                again.append(mutant)
        pending = again
        if not pending:
            break
    return mutants


def main(argv):
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--fly-opt", required=True)
    parser.add_argument("--fly-compile", required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--keep", help="folder for the mutants that show a fault"
    )
    parser.add_argument(
        "--verbose", action="store_true", help="one line a mutant"
    )
    options = parser.parse_args(argv)

    with tempfile.TemporaryDirectory() as folder:
        harness = Harness(options, folder)
        mutants = make_mutants(harness, options.count, options.seed)
        parsed = harness.fly_opt_batches(
            mutants, lambda chip: [], "fly-opt (parse)"
        )
        for mutant in mutants:
            mutant.parses = bool(parsed[mutant.index][0])

        def pipeline(chip):
            return [
                "--pass-pipeline=builtin.module("
                f"fly-to-binary{{target={chip}}})"
            ]

        lowered = harness.fly_opt_batches(
            mutants, pipeline, "fly-opt (fly-to-binary)"
        )
        for mutant in mutants:
            output = lowered[mutant.index][0]
            if not mutant.has_kernel():
                continue
            if output and (
                "gpu.binary" not in output or "gpu.module" in output
            ):
                harness.fault(
                    mutant,
                    "fly-opt (fly-to-binary)",
                    "no gpu.binary in the output",
                )
        compiled = list(harness.pool.map(harness.compile_one, mutants))
        for mutant, done in zip(mutants, compiled):
            binary = mutant.has_kernel() and bool(lowered[mutant.index][0])
            if done != binary:
                harness.fault(
                    mutant,
                    "fly-compile",
                    "disagrees with fly-opt: "
                    + ("compiled" if done else "refused"),
                )
            if options.verbose:
                stage = (
                    "binary"
                    if done
                    else "parses" if mutant.parses else "refused"
                )
                why = (lowered[mutant.index][1] or [(0, "")])[0][1]
                print(
                    f"{mutant.index:4} {mutant.file:20} {stage:8} "
                    f"{mutant.edits}: {why}"
                )

    for text in harness.faults:
        print(f"FAULT {text}")
    total, good = len(mutants), sum(m.parses for m in mutants)
    print(
        f"{total} mutants, {good} parse, {sum(compiled)} become code objects, "
        f"{len(harness.faults)} faults"
    )
    if 2 * good < total:
        print("FAULT fewer than half of the mutants parse")
        return 1
    return 1 if harness.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
