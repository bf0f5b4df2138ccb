# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the TableGen files of the dialects and passes are, and what mlir-tblgen
says about them. Shared by reference.py and examples.py."""

import pathlib
import subprocess

# dialect: (its TableGen file, those of its passes, the page), below include/
DIALECTS = {
    "fly": (
        "fly/Dialect/Fly/IR/Fly.td",
        ["fly/Dialect/Fly/Transforms/Passes.td"],
        "fly/Dialect/Fly/README.md",
    ),
    "fly_rocdl": (
        "fly/Dialect/FlyROCDL/IR/FlyROCDL.td",
        ["fly/Dialect/FlyROCDL/Transforms/Passes.td"],
        "fly/Dialect/FlyROCDL/README.md",
    ),
}
# Passes that belong to no dialect.
OTHER_PASSES = [
    "fly/Conversion/Passes.td",
    "fly/Analysis/Passes.td",
    "fly/Pipelines/Passes.td",
]


def tblgen(llvm_bin, source, generator, file, *arguments):
    """The text that mlir-tblgen generates from a file below include/."""
    include = pathlib.Path(source) / "include"
    run = subprocess.run(
        [
            f"{llvm_bin}/mlir-tblgen",
            generator,
            *arguments,
            "-I",
            str(include),
            "-I",
            f"{llvm_bin}/../include",
            str(include / file),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise SystemExit(run.stderr)
    return run.stdout
