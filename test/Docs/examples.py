# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples of the TableGen descriptions.

usage: examples.py LLVM_BIN FLY_OPT SOURCE

Each op, type, attribute and pass has a summary and an example, and every
example parses, verifies and is read back from what is printed:

* a ```mlir block of module-level ops is taken as it is; any other becomes a
  function whose arguments are the names that the block uses and does not define,
  with the types that the ops' signatures give them;
* `Example: `!fly.layout<...>`` of a type becomes an argument of a function, that
  of an attribute an attribute of a module;
* in a pass's block a comment `// becomes` ends what goes in; the pass runs over
  it (`// becomes, with target=gfx942` names options), and what follows parses.

Prints the counts; exits with 1 when something is missing or refused.
"""

import re
import subprocess
import sys
import textwrap

from pages import DIALECTS, OTHER_PASSES, tblgen

MODULE_LEVEL = re.compile(
    r"^(module|gpu\.module|gpu\.binary|func\.func|llvm\.func|[#!]\w+ =)", re.M
)
BECOMES = re.compile(r"^// becomes(?:, with (\S+))?.*\n?", re.M)


def split_types(text):
    """The comma-separated types of `text`, brackets respected."""
    types, depth, current = [], 0, ""
    for i, c in enumerate(text):
        if c in "<([{":
            depth += 1
        elif c in ">)]}" and not (c == ">" and text[i - 1] == "-"):
            depth -= 1
        if c == "," and depth == 0:
            types.append(current.strip())
            current = ""
        else:
            current += c
    return types + [current.strip()] if current.strip() else types


def signature(code):
    """What follows the last colon outside of brackets; without one, what follows
    the last operand."""
    depth, last = 0, None
    for i, c in enumerate(code):
        if c in "<([{":
            depth += 1
        elif c in ">)]}" and not (c == ">" and code[i - 1] == "-"):
            depth -= 1
        elif c == ":" and depth == 0:
            last = i
    if last is not None:
        return code[last + 1 :].strip()
    return re.split(r"%\w+", code)[-1].strip()


def operand_types(code, count):
    """The types of `count` operands of an op."""
    text = signature(code)
    if text.startswith("<"):  # a memref type without its prefix
        text = "!fly.memref" + text
    if text.startswith("("):
        depth = 0
        for i, c in enumerate(text):
            depth += (c == "(") - (c == ")")
            if depth == 0:
                return split_types(text[1:i])
    text = text.split(" -> ")[0]
    types = split_types(text)
    return types * count if len(types) == 1 else types


def statements(block):
    """One op a line: lines that are indented or begin with a colon go on."""
    lines = []
    for line in block.splitlines():
        if not line.strip() or line.startswith("//"):
            continue
        if lines and (line[0] in " :)" or lines[-1].count("(") > lines[-1].count(")")):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line.rstrip())
    return lines


def wrapped(block, symbol):
    """The block as module-level ops."""
    block = block.strip("\n")
    if MODULE_LEVEL.search(block):
        return block
    arguments, known = [], set()
    lines = statements(block)
    for line in lines:
        head, equals, code = line.partition(" = ")
        defined = re.findall(r"%\w+", head) if equals and head[0] == "%" else []
        code = code if defined else line
        uses = re.findall(r"%\w+", code)
        for use, type_ in zip(uses, operand_types(code, len(uses))):
            if use not in known:
                known.add(use)
                arguments.append(f"{use}: {type_}")
        known.update(defined)
    body = "".join(f"  {line}\n" for line in lines)
    return f"func.func @{symbol}({', '.join(arguments)}) {{\n{body}  return\n}}"


class Report:
    """What was run, and what is wrong."""

    def __init__(self, fly_opt):
        self.fly_opt = fly_opt
        self.counts = {"ops": 0, "types": 0, "attributes": 0, "passes": 0}
        self.examples = 0
        self.problems = []

    def run(self, what, text, *arguments):
        run = subprocess.run(
            [self.fly_opt, *arguments, "-o", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode:
            self.problems.append(f"{what}:\n{run.stderr.strip()}\n{text}")

    def parse_all(self, named):
        """Each example in one run; when one is refused, each by itself."""
        self.examples += len(named)
        if not named:
            return
        before = len(self.problems)
        self.run(
            "all",
            "\n// -----\n".join(text for _, text in named),
            "-split-input-file",
            "-verify-roundtrip",
        )
        if len(self.problems) > before:
            del self.problems[before:]
            for name, text in named:
                self.run(name, text, "-verify-roundtrip")

    def missing(self, name, what):
        self.problems.append(f"{name}: no {what}")


def sections(text, head):
    """(name, body) of each section of this heading."""
    parts = re.split(head, text, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2]))


def blocks_of(body):
    return [
        textwrap.dedent(block)
        for block in re.findall(r"^ *```mlir\n(.*?)^ *```", body, flags=re.S | re.M)
    ]


def check_ops(report, text):
    named = []
    ops = text.partition("\n## Attributes")[0].partition("\n## Types")[0]
    for name, body in sections(ops, r"^### `([\w.]+)` "):
        report.counts["ops"] += 1
        if not re.match(r"\([\w:]+\)\n\n_.+", body):
            report.missing(name, "summary")
        blocks = blocks_of(body)
        if not any(name in block for block in blocks):
            report.missing(name, "example")
        symbol = name.replace(".", "_")
        named += [
            (name, wrapped(b, f"{symbol}_{i}")) for i, b in enumerate(blocks)
        ]
    report.parse_all(named)


def check_values(report, text):
    """Types and attributes: the examples in their descriptions."""
    named = []
    for kind, form in (
        ("attributes", "module attributes {{test.value = {}}} {{}}"),
        ("types", "func.func private @f({})"),
    ):
        part = re.search(rf"^## {kind.title()}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
        for name, body in sections(part.group(1) if part else "", r"^### (\w+)\n"):
            report.counts[kind] += 1
            examples = re.findall(r"Example:\s+`([^`]+)`", body)
            for block in blocks_of(body):
                examples += [l.split(" //")[0].strip() for l in block.splitlines()]
            is_enum = "Enum cases:" in body
            if not is_enum and not re.match(r"\n_.+", body):
                report.missing(name, "summary")
            if not examples and not is_enum:
                report.missing(name, "example")
            for example in examples:
                is_type = example.startswith("!")
                chosen = "func.func private @f({})" if is_type else form
                named.append((name, chosen.format(example)))
    report.parse_all(named)


def check_passes(report, text):
    for name, body in sections(text, r"^### `-([\w-]+)`\n"):
        report.counts["passes"] += 1
        if not re.match(r"\n_.+", body):
            report.missing(name, "summary")
        blocks = blocks_of(body)
        if not blocks:
            report.missing(name, "example")
        for block in blocks:
            becomes = BECOMES.search(block)
            before = block[: becomes.start()] if becomes else block
            after = block[becomes.end() :] if becomes else ""
            options = f"{{{becomes.group(1)}}}" if becomes and becomes.group(1) else ""
            report.examples += 1
            report.run(
                name,
                wrapped(before, "before"),
                f"--pass-pipeline=builtin.module({name}{options})",
            )
            if after.strip():
                report.run(name, wrapped(after, "after"))


def self_test(fly_opt):
    """The checker must find what it is there for."""
    block = "%r = fly.size(%l) : (!fly.layout<4:1>) -> !fly.int_tuple<4>\n"
    assert wrapped(block, "f").startswith("func.func @f(%l: !fly.layout<4:1>) {")
    wrong = Report(fly_opt)
    wrong.parse_all([("right", wrapped(block, "f")), ("wrong", wrapped(block.replace("<4>", "<5>"), "g"))])
    assert len(wrong.problems) == 1 and wrong.problems[0].startswith("wrong:")
    bare = Report(fly_opt)
    check_ops(bare, "### `fly.x` (fly::XOp)\n\nSyntax:\n")
    check_passes(bare, "### `-fly-x`\n\n_Does x_\n")
    assert bare.problems == ["fly.x: no summary", "fly.x: no example", "fly-x: no example"], bare.problems


def main():
    llvm_bin, fly_opt, source = sys.argv[1:]
    self_test(fly_opt)
    report = Report(fly_opt)
    passes = list(OTHER_PASSES)
    for dialect, (file, own, _) in DIALECTS.items():
        text = tblgen(llvm_bin, source, "-gen-dialect-doc", file, f"-dialect={dialect}")
        check_ops(report, text)
        check_values(report, text)
        passes += own
    for file in passes:
        check_passes(report, tblgen(llvm_bin, source, "-gen-pass-doc", file))
    for problem in report.problems:
        print(problem)
    counts = ", ".join(f"{n} {kind}" for kind, n in report.counts.items())
    print(f"{counts}; {report.examples} examples, {len(report.problems)} problems")
    enough = all(report.counts.values())
    return 1 if report.problems or not enough else 0


sys.exit(main())
