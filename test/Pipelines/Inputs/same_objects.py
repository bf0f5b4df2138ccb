"""Holds the objects of a fat build against builds for one target each.

usage: same_objects.py FAT.mlir KEYS FLY_OPT INPUT.mlir
KEYS are the lines of `fly-cache-key`: `@module target key`.
"""

import re
import subprocess
import sys

OBJECT = re.compile(
    r'#gpu\.object<#rocdl\.target<[^>]*chip = "([a-z0-9-]+)".*?'
    r'fly\.cache_key = "(fly1-[0-9a-f]+)".*?bin = ("(?:[^"\\]|\\.)*")'
)


def objects(text):
    """(chip, key, bytes) of each object, in order."""
    return OBJECT.findall(text)


def main(fat, keys, fly_opt, source):
    together = objects(open(fat, encoding="utf-8").read())
    lines = [line.split() for line in open(keys, encoding="utf-8")]
    expected = [(target, key) for _, target, key in lines]
    assert [(chip, key) for chip, key, _ in together] == expected, expected
    for chip, key, code in together:
        alone = subprocess.run(
            [
                fly_opt,
                source,
                f"--pass-pipeline=builtin.module(fly-to-binary{{target={chip}}})",
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        assert objects(alone.stdout) == [(chip, key, code)], chip
    print(f"{len(together)} objects, each as it is alone")


main(*sys.argv[1:])
