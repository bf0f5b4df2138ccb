# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a wrong kernel smaller.

In: a program and a question, "is it still wrong?" Out: the same program with
ops left out, as many as the question allows. The law: what is left is still a
kernel (an op goes together with all that uses it) and still wrong.
"""

from __future__ import annotations

import re


ENDS = ("scf.yield", "scf.condition")


def lists_of(ops):
    """All lists of ops, outermost first."""
    yield ops
    for op in ops:
        for _, body in op.regions:
            yield from lists_of(body)


def without(ops, victim):
    """Copies of the lists without `victim` and what depends on it; the copy of a
    region op that loses its yield goes too."""
    gone = set(victim.defs)

    def walk(ops):
        out = []
        for op in ops:
            if op is victim or gone & set(op.uses):
                gone.update(op.defs)
                if op.text.startswith(ENDS):
                    return None
                continue
            regions = [walk(body) for _, body in op.regions]
            if any(r is None for r in regions):
                gone.update(op.defs)
                continue
            out.append((op, regions))
        return out

    return walk(ops)


def apply(ops, tree):
    """Puts a walk's result into the lists, in place (the meanings of loops and
    branches hold these very lists)."""
    for op, regions in tree:
        for (_, body), region in zip(op.regions, regions):
            apply(body, region)
    ops[:] = [op for op, _ in tree]


def save(ops):
    return [(l, list(l)) for l in lists_of(ops)]


def kind(problem):
    """Problems of one kind are the same but for their numbers."""
    return re.sub(r"[0-9a-f]*[0-9][0-9a-f]*|%\w+", "#", problem)[:24]


def reduce(program, wrong, problem, most=200):
    """Drops ops from the last to the first while it stays wrong."""
    tried = 0
    progress = True
    while progress and tried < most:
        progress = False
        every = [op for l in list(lists_of(program.ops)) for op in l]
        for victim in reversed(every):
            if not any(victim in l for l in lists_of(program.ops)):
                continue
            if victim.text.startswith(ENDS) or tried >= most:
                continue
            before = save(program.ops)
            tree = without(program.ops, victim)
            if tree is None:
                continue
            apply(program.ops, tree)
            tried += 1
            found = wrong(program)
            if found and kind(found) == kind(problem):
                problem, progress = found, True
            else:
                for l, old in before:
                    l[:] = old
    return problem
