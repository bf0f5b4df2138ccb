"""Reads IR after layout lowering; checks the order of the MMA calls in each function.

In: IR on standard input, the source with its `// ORDER name: ...` lines as the
argument. The operands have layout (1,2,2):(0,1,2): offset = m + 2 n (or m + 2 k,
n + 2 k). Exits with 1 and says what differs.
"""

import re
import sys

source = open(sys.argv[1]).read()
expected = dict(re.findall(r"^// ORDER (\w+): (.*)$", source, re.M))
assert len(expected) == 13, len(expected)
failures = 0
functions = re.split(r"(?m)^\s*func\.func ", sys.stdin.read())[1:]
seen = set()
for text in functions:
    name = re.match(r"@(\w+)", text).group(1)
    arguments = re.findall(r"(%arg\d)", text.split("{")[0])
    origin = {a: ("dabc"[i], 0) for i, a in enumerate(arguments)}
    numbers, sequence = {}, []
    for line in text.splitlines():
        m = re.match(r"\s*(%\S+) = fly\.make_int_tuple\(\) : \(\) -> !fly\.int_tuple<(\d+)>", line)
        if m:
            numbers[m.group(1)] = int(m.group(2))
        m = re.match(r"\s*(%\S+) = fly\.add_offset\((%\S+), (%\S+)\)", line)
        if m:
            base, offset = origin[m.group(2)]
            origin[m.group(1)] = (base, offset + numbers[m.group(3)])
        m = re.match(r"\s*(%\S+) = fly\.make_view\((%\S+), ", line)
        if m and m.group(2) in origin:
            origin[m.group(1)] = origin[m.group(2)]
        m = re.search(r"fly\.mma_atom_call\((.*?)\)", line)
        if m:
            _, d, a, b, c = [origin.get(x.strip()) for x in m.group(1).split(",")]
            mode = d[1] % 2, d[1] // 2, a[1] // 2
            assert d[0] == "d" and a[0] == "a" and b[0] == "b", line
            assert a[1] % 2 == mode[0] and b == ("b", mode[1] + 2 * mode[2]), line
            assert c[1] == d[1], line
            sequence.append("%d%d%d%s" % (*mode, c[0]))
    seen.add(name)
    got = " ".join(sequence)
    if got != expected[name]:
        print(f"{name}: got {got}, expected {expected[name]}")
        failures += 1
assert seen == set(expected), seen ^ set(expected)
sys.exit(1 if failures else 0)
