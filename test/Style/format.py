"""Runs clang-format over our C++ and fails with the names of files that differ.

usage: format.py SOURCE_DIR CLANG_FORMAT
"""

import pathlib
import subprocess
import sys


def main(root, tool):
    root = pathlib.Path(root)
    files = [
        str(p)
        for top in ("include", "lib", "tools", "test", "python-bindings")
        for p in sorted((root / top).rglob("*"))
        if p.suffix in (".cpp", ".h") and "amdgpu-sim" not in p.parts
    ]
    assert files, "no C++ found"
    run = subprocess.run(
        [tool, "--dry-run", "--Werror", "--ferror-limit=1", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    bad = sorted(
        {line.split(":")[0] for line in run.stderr.splitlines() if ": error:" in line}
    )
    for name in bad:
        print(pathlib.Path(name).relative_to(root))
    if run.returncode:
        print(f"{len(bad)} of {len(files)} files differ; run {tool} -i on them")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
