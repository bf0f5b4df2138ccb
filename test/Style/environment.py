"""Checks that the environment is read in one place only.

usage: environment.py SOURCE_DIR
lib/Support/Environment.cpp holds the table of variables and reads the process;
any other C++ file of the project that asks for a variable is an error, and so
is a variable that is read by name and stands in no row of the table. Prints one
line for each violation; exit status 1 when there is any.
"""

import pathlib
import re
import sys

READER = pathlib.PurePosixPath("lib/Support/Environment.cpp")
ASKS = re.compile(
    r"\b(?:secure_)?getenv\s*\(|\bGetEnv\s*\(|\benviron\b|\b_wgetenv\b"
    r"|\b(?:putenv|setenv|unsetenv)\s*\("
)
READS = re.compile(r"\b(?:\w*[eE]nvironment(?:\(\))?|env)\.get\(\s*\"([^\"]+)\"")
ROW = re.compile(r"^\s*\{\"([A-Z][A-Z_]*)\", (source|effect|none),", re.M)
# The simulator stands outside of the compiler and is run by tests only.
FOREIGN = "tools/amdgpu-sim/"
COMMENT = re.compile(r"//.*")
# A child may be handed the whole environment.
HANDED = re.compile(r"extern char \*\*environ;|posix_spawnp?\([^;]*\benviron\)")


def violations(path, text, rows):
    """One message for each line of `text` that reads the environment."""
    for number, line in enumerate(text.splitlines(), 1):
        code = HANDED.sub("", COMMENT.sub("", line))
        if path != READER and ASKS.search(code):
            yield f"{path}:{number}: reads the environment: {line.strip()}"
        for name in READS.findall(code):
            if name not in rows:
                yield f"{path}:{number}: variable {name} has no row"


def self_test():
    """The checker must find what it is there for."""
    other = pathlib.PurePosixPath("lib/X.cpp")
    for bad in (
        'auto *v = std::getenv("HOME");',
        'llvm::sys::Process::GetEnv("HOME")',
        'secure_getenv("HOME")',
        "for (char **e = environ; *e; ++e)",
        'environment.get("HOME")',
        'environment.environment().get("HOME")',
    ):
        assert list(violations(other, bad, {"FLY_TARGET"})), bad
    for good in ('environment.get("FLY_TARGET")', "// as in `getenv()`", "posix_spawn(&p, a, b, c, d, environ)"):
        assert not list(violations(other, good, {"FLY_TARGET"})), good


def main(arguments):
    self_test()
    root = pathlib.Path(arguments[0])
    rows = {name for name, _ in ROW.findall((root / READER).read_text())}
    problems, checked = [], 0
    for top in ("lib", "tools", "include", "python-bindings"):
        for file in sorted((root / top).rglob("*")):
            path = pathlib.PurePosixPath(file.relative_to(root).as_posix())
            if file.suffix not in (".cpp", ".h", ".c") or str(path).startswith(FOREIGN):
                continue
            checked += 1
            problems += violations(path, file.read_text(errors="replace"), rows)
    for problem in problems:
        print(problem)
    print(f"{checked} files checked, {len(rows)} variables, {len(problems)} problems")
    return 1 if problems or checked < 100 or len(rows) < 20 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
