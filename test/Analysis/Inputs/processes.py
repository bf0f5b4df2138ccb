"""Derives one key in many processes that differ in all that must not count.

usage: processes.py FLY_OPT KERNEL.mlir SCRATCH_FOLDER
Each of 20 processes has its own language, zone, home, user, folder, umask,
number of threads and address layout, from a seeded choice (P5). Then the
program, the kernel, the device libraries and an input are copied elsewhere, or
reached by symbolic links and relative paths (P6). All keys must be one.
"""

import ctypes
import os
import pathlib
import random
import shutil
import subprocess
import sys

ADDR_NO_RANDOMIZE = 0x0040000


def key(program, kernel, options="", flags=(), cwd=None, env=None, **more):
    """The line that fly-cache-key prints."""
    done = subprocess.run(
        [
            program,
            kernel,
            f"--pass-pipeline=builtin.module(fly-cache-key{{target=gfx942 {options}}})",
            "-o",
            os.devnull,
            *flags,
        ],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=env,
        **more,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def processes(program, kernel, scratch):
    expected = key(program, kernel)
    chance = random.Random(20240607)
    libc = ctypes.CDLL(None)
    seen = set()
    for number in range(20):
        folder = scratch / f"p{number}"
        folder.mkdir()
        fixed = chance.random() < 0.5
        mask = chance.choice((0o000, 0o022, 0o077, 0o777))
        env = {
            "HOME": str(folder),
            "USER": f"user{number}",
            "LANG": chance.choice(("C", "tr_TR.UTF-8", "de_DE.UTF-8", "nonsense")),
            "LC_ALL": chance.choice(("C", "POSIX", "ja_JP.UTF-8")),
            "TZ": chance.choice(("UTC", "Asia/Tokyo", "America/Caracas")),
            "TMPDIR": str(folder),
            "PATH": chance.choice(("", "/bin", "/nowhere")),
            "PADDING": "x" * chance.randrange(5000),
            "HSA_XNACK": chance.choice(("0", "1")),
            "FLY_STORE": str(folder),
        }
        flags = chance.sample(
            (
                "--mlir-disable-threading",
                "--verify-each=0",
                "--mlir-print-debuginfo",
                "--mlir-print-op-generic",
            ),
            chance.randrange(4),
        )

        def before():
            os.umask(mask)
            if fixed:
                libc.personality(ADDR_NO_RANDOMIZE)

        found = key(
            program, kernel, flags=flags, cwd=folder, env=env, preexec_fn=before
        )
        seen.add(found)
    assert seen == {expected}, (seen, expected)
    return 20


def relocation(program, kernel, scratch):
    libraries = scratch / "libs"
    inputs = scratch / "inputs"
    for folder, name in ((libraries, "ocml.bc"), (inputs, "one.py")):
        folder.mkdir()
        (folder / name).write_text(f"content of {name}")
    math = scratch / "math.mlir"
    math.write_text(
        "gpu.module @m { gpu.func @k(%a: f32) kernel {\n"
        "  %x = math.sin %a : f32\n  gpu.return } }\n"
    )
    moved = scratch / "moved" / "deeper"
    moved.mkdir(parents=True)
    for folder in (libraries, inputs):
        shutil.copytree(folder, moved / folder.name)
    shutil.copy(math, moved / "other.mlir")
    shutil.copy(program, moved / "fly-opt")
    (scratch / "link").symlink_to(moved, target_is_directory=True)

    def derive(tool, root, source, cwd=None):
        return key(
            str(tool),
            str(source),
            f"device-libs={root}/libs inputs={root}/inputs",
            cwd=cwd,
        )

    expected = derive(program, scratch, math)
    cases = {
        "all copied": derive(moved / "fly-opt", moved, moved / "other.mlir"),
        "by a link": derive(program, scratch / "link", scratch / "link/other.mlir"),
        "relative": derive(program, "deeper/../deeper", math, scratch / "moved"),
        "program alone": derive(moved / "fly-opt", scratch, math),
    }
    for name, found in cases.items():
        assert found == expected, name
    (moved / "libs" / "ocml.bc").write_text("another content")
    assert derive(program, moved, math) != expected, "a changed byte"
    return len(cases)


def main(program, kernel, scratch):
    scratch = pathlib.Path(scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    count = processes(program, kernel, scratch)
    print(f"P5: {count} processes, one key")
    print(f"P6: {relocation(program, kernel, scratch)} relocations, one key")


main(*sys.argv[1:])
