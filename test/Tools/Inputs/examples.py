"""Runs the examples of a text and compares what they print.

usage: examples.py TOOL TEXT [--pictures=DIR] [--update]

TEXT is a file, or --help for what `TOOL --help` prints. A line that starts with
`$ ` (after blanks) is a command of the tool; the lines up to the next blank
line, fence or command are all that it prints. Commands that write
`-o pictures/NAME` are compared with DIR/NAME, and each file of DIR must be
written by one. With --update the pictures of DIR are written instead.
"""

import pathlib
import shlex
import subprocess
import sys
import tempfile


def examples_of(text):
    """Yields each command with the lines that it prints."""
    command, printed, indent = None, [], 0
    for line in [*text.splitlines(), ""]:
        bare = line.lstrip()
        starts = bare.startswith("$ ")
        if command is not None:
            if bare and not starts and not bare.startswith("```"):
                printed.append(line[indent:])
                continue
            yield command, printed
        command = bare[2:] if starts else None
        printed, indent = [], len(line) - len(bare)


def check_example(tool, command, printed, folder):
    """Problems of one example, whose output lands in `folder`."""
    words = shlex.split(command)
    if not words or words[0] != pathlib.Path(tool).name:
        return [f"not a command of the tool: {command}"]
    run = subprocess.run(
        [tool, *words[1:]], cwd=folder, capture_output=True, text=True, check=False
    )
    found = [line.rstrip() for line in (run.stdout + run.stderr).splitlines()]
    if found == [line.rstrip() for line in printed]:
        return []
    lines = [f"{command}\n  is said to print", *printed, "  but prints", *found]
    return ["\n".join(lines)]


def check_pictures(made, kept, update):
    """Problems of the folder of pictures `kept`, given those just made."""
    problems = []
    names = {p.name for p in made.iterdir()}
    for name in sorted(names | {p.name for p in kept.iterdir()}):
        if name not in names:
            problems.append(f"no command draws {name}")
        elif update:
            (kept / name).write_bytes((made / name).read_bytes())
        elif not (kept / name).is_file():
            problems.append(f"{name} is missing; run this script with --update")
        elif (kept / name).read_bytes() != (made / name).read_bytes():
            problems.append(f"{name} is stale; run this script with --update")
    return problems


def main(arguments):
    tool, source = arguments[:2]
    rest = arguments[2:]
    kept = next((a.split("=", 1)[1] for a in rest if a.startswith("--pictures=")), None)
    if source == "--help":
        text = subprocess.run(
            [tool, "--help"], capture_output=True, text=True, check=True
        ).stdout
    else:
        text = pathlib.Path(source).read_text()
    problems, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "pictures"
        made.mkdir()
        for command, printed in examples_of(text):
            problems += check_example(tool, command, printed, folder)
            count += 1
        if kept:
            problems += check_pictures(made, pathlib.Path(kept), "--update" in rest)
    for problem in problems:
        print(problem)
    print(f"{count} examples, {len(problems)} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
