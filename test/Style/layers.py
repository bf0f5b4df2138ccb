"""Checks the house: which layer may include which, and what a file may look like.

usage: layers.py SOURCE_DIR [--self-test]
Prints one line for each violation and exits with their number (at most 1).
The table is the one of the architecture: a layer may include itself and the
layers named beside it; MLIR headers only where the table says so.
"""

import pathlib
import re
import subprocess
import sys

# layer: (layers of ours that it may include, may it include MLIR)
LAYERS = {
    "Support": ([], False),
    "Import": (["Support"], False),
    "Layout": (["Support"], False),
    "Target/AMDGPU": (["Support", "Layout"], False),
    "Drawing": (["Support", "Layout", "Target/AMDGPU"], False),
    "Store": (["Support", "Target/AMDGPU"], False),
    "Dialect/Fly/IR": (["Support", "Layout", "Target/AMDGPU"], True),
    "Dialect/FlyROCDL/IR": (
        ["Support", "Dialect/Fly/IR", "Layout", "Target/AMDGPU"],
        True,
    ),
    "Dialect/Fly/Transforms": (["Dialect/Fly/IR", "Layout"], True),
    "Dialect/FlyROCDL/Transforms": (
        ["Support", "Dialect/Fly/IR", "Dialect/FlyROCDL/IR", "Layout", "Target/AMDGPU"],
        True,
    ),
    "Conversion": (
        ["Support", "Dialect/Fly/IR", "Dialect/FlyROCDL/IR", "Layout", "Target/AMDGPU"],
        True,
    ),
    "Analysis": (["Support", "Dialect/Fly/IR", "Target/AMDGPU"], True),
    "CodeGen": (["Support", "Analysis", "Dialect/Fly/IR", "Target/AMDGPU"], True),
    "Pipelines": (
        [
            "Support",
            "Layout",
            "Target/AMDGPU",
            "Dialect/Fly/IR",
            "Dialect/FlyROCDL/IR",
            "Dialect/Fly/Transforms",
            "Dialect/FlyROCDL/Transforms",
            "Conversion",
            "Analysis",
            "CodeGen",
        ],
        True,
    ),
    "Driver": (None, True),  # everything
    "CAPI": (None, True),
}

HEADER = "Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions."
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^">]+)[">]')
HARD_LIMIT = 600
TABLES = re.compile(r"(Rows|Chips)\.cpp$|vectors\.inc$")
MACHINE_PATH = re.compile(r"(^|[^A-Za-z0-9_.])/(work|root|home)/[A-Za-z.]")


def layer_of(path):
    """The layer of a file below include/fly or lib, or None."""
    parts = path.parts
    if parts[:2] == ("include", "fly"):
        parts = parts[2:]
    elif parts[:1] == ("lib",):
        parts = parts[1:]
    else:
        return None
    for layer in sorted(LAYERS, key=len, reverse=True):
        words = tuple(layer.split("/"))
        if parts[: len(words)] == words:
            return layer
    return None


def check_includes(path, text):
    layer = layer_of(path)
    if layer is None:
        return
    allowed, may_mlir = LAYERS[layer]
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(1)
        if header.startswith("mlir/") and not may_mlir:
            yield f"{path}:{number}: layer {layer} may not include MLIR ({header})"
        if header.startswith("fly/") and allowed is not None:
            used = layer_of(pathlib.Path("include") / header)
            if used is not None and used != layer and used not in allowed:
                yield f"{path}:{number}: layer {layer} may not include {used} ({header})"


def check_shape(path, text):
    if path.suffix in (".cpp", ".h", ".td") and "amdgpu-sim" not in path.parts:
        if HEADER not in text[:400]:
            yield f"{path}:1: the licence header is missing"
        if layer_of(path) and not re.match(r"(//.*\n){3}//\n// \S", text):
            yield f"{path}:4: no opening paragraph for people after the header"
    lines = text.count("\n")
    if (
        path.suffix in (".cpp", ".h", ".td", ".py")
        and lines > HARD_LIMIT
        and not TABLES.search(path.name)
        and "amdgpu-sim" not in path.parts
    ):
        yield f"{path}: {lines} lines, at most {HARD_LIMIT} are allowed"
    for number, line in enumerate(text.splitlines(), 1):
        if MACHINE_PATH.search(line):
            yield f"{path}:{number}: a path of one machine"


def self_test():
    """The checker must find what it is there for."""
    bad = '#include "mlir/IR/Types.h"\n#include "fly/Dialect/Fly/IR/FlyOps.h"\n'
    found = list(check_includes(pathlib.Path("lib/Layout/X.cpp"), bad))
    assert len(found) == 2, found
    good = '#include "fly/Support/Errors.h"\n'
    assert not list(check_includes(pathlib.Path("lib/Layout/X.cpp"), good))
    assert list(check_shape(pathlib.Path("lib/Layout/X.cpp"), "int x;\n"))
    sample = "a = '/ho" + "me/someone'\n"
    assert list(check_shape(pathlib.Path("test/x.py"), sample))


def main(arguments):
    self_test()
    root = pathlib.Path(arguments[0])
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=False,
    )
    names = listed.stdout.splitlines()
    if listed.returncode or not names:  # an unpacked archive
        names = [
            str(p.relative_to(root))
            for top in ("include", "lib", "tools", "test", "python-bindings")
            for p in (root / top).rglob("*")
            if p.is_file()
        ]
    problems, checked = [], 0
    for name in sorted(names):
        path = pathlib.Path(name)
        if path.suffix not in (".cpp", ".h", ".td", ".py", ".txt", ".sh", ".mlir"):
            continue
        if not (root / path).is_file():
            continue
        text = (root / path).read_text(errors="replace")
        checked += 1
        problems += check_includes(path, text)
        problems += check_shape(path, text)
    for problem in problems:
        print(problem)
    print(f"{checked} files checked, {len(problems)} problems")
    return 1 if problems or checked < 10 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
