"""Every message that our C++ can give a user is expected by some test.

usage: diagnostics.py SOURCE_DIR [--layer=NAME] [--self-test]
In go the C++ of include/, lib/ and tools/ and all files of test/; out comes
`layer: N of M messages have a test` for each layer, and one line with place and
text for each message that has none; the exit status is 1 when there is one.

A message is a statement with a literal of at least two words. Adjacent literals
are joined, then cut where a format puts in a value; each piece with twelve
letters or more must stand, whole, in a text that a test expects (of a message
with shorter pieces only, the longest). What a test expects is: the text of an
`expected-error` and its kin, the lines of FileCheck, what `grep` looks for, the
right side of a table `EXPRESSION => MESSAGE`, and the string literals of unit
tests and of test programs in Python. What a test
feeds in, and comments, do not count. A message begins in lower case and ends
without a full stop. Example: `"stride " + a + " does not
divide the shape " + b` demands `does not divide the shape`.
"""

import ast
import pathlib
import re
import sys

LETTERS = 12
EXEMPT = ("tools/amdgpu-sim",)  # checked by its own suite
TABLES = re.compile(r"(Rows|Chips)\.cpp$")  # names of hardware

# Code whose literals are no messages: help, names, what only a developer sees.
SILENT = re.compile(
    r"\bcl::(desc|opt|list|alias|bits|extrahelp|SubCommand|OptionCategory|values)\b"
    r"|\bclEnumVal|\bPassPipelineRegistration\b|\bllvm_unreachable\b|\bassert\("
    r"|\bstatic_assert\b|\bnotifyMatchFailure\b|\bLLVM_DEBUG\b|\bLDBG\b"
    r"|\bSubCommand\b|\bregisterPassPipeline\b|\bAddExtraVersionPrinter\b"
    r"|\bTranslateFromMLIRRegistration\b|\bmlirTranslateMain\b"
)

# Texts without a test, each with the reason: (file, beginning of a piece).
# An empty beginning stands for the whole file.
EXCEPTIONS = {
    (
        "tools/fly-translate/fly-translate.cpp",
        "LLVM cannot translate this",
    ): "a fatal error of LLVM, which no known input provokes",
    ("lib/CodeGen/Serializer.cpp", "Cannot select: intrinsic %"): "LLVM's words",
    ("lib/CodeGen/Serializer.cpp", "In function:"): "LLVM's words",
    ("lib/Conversion/FlyToROCDL/BufferModels.cpp", "the value of the"): "the "
    "bits were compared before",
    ("lib/Conversion/FlyToROCDL/Emission.cpp", "what is copied"): "the bits were "
    "compared before",
    ("lib/Conversion/FlyToROCDL/UniversalModels.cpp", "the value of the"): "the "
    "bits were compared before",
    ("lib/Dialect/Fly/IR/LegacyTypes.cpp", ""): "the verifier asks without a "
    "place and says the whole itself; for other callers of MLIR's interface",
    ("lib/Dialect/Fly/Transforms/CheckStrict.cpp", "the op's operands say"): "no "
    "op has a second type beyond the cases before it",
    ("lib/Drawing/Render.cpp", ""): "SVG",
    ("lib/Driver/Aot.cpp", "name=value, separated"): "each text is taken",
    ("lib/Driver/Aot.cpp", "files, separated"): "each text is taken",
    ("lib/Driver/Aot.cpp", "files and folders, separated"): "each text is taken",
    ("lib/Driver/Aot.cpp", "from=to, separated"): "each text is taken",
    ("lib/Driver/KeptIR.cpp", "warning: the text of"): "needs more than 64 MiB, or "
    "an LLVM without zstd",
    ("lib/Layout/Composition.cpp", "stride of a composition"): "a leaf that is "
    "no basis element, which has a case of its own, is an integer",
    ("lib/Layout/CopyViews.cpp", "atom of a tiled copy"): "compositions keep the "
    "two modes of the right side",
    ("lib/Layout/CopyViews.cpp", "tile under the layout"): "compositions keep "
    "the two modes of the right side",
    ("lib/Store/BuildIds.cpp", "its string table"): "gives an object without a "
    "build-id; nobody is told",
    ("lib/Store/Http.cpp", "this program was built"): "a build without libcurl",
    ("lib/Store/Http.cpp", "libcurl cannot be"): "a machine without libcurl",
    ("lib/Store/LookUp.cpp", "has no payload"): "decides where a file lies; "
    "nobody is told",
    ("lib/Store/Manifest.cpp", "the code object has"): "needs more than a GiB",
    ("lib/Store/Text.cpp", "this LLVM has no zstd"): "an LLVM without zstd",
    ("lib/Store/Text.cpp", ": this LLVM has no zstd"): "an LLVM without zstd",
    ("lib/Support/Environment.cpp", ""): "meanings of variables, for the page",
    ("tools/fly-bench/Dialect.cpp", ""): "rows that take minutes, and faults of "
    "the benchmark's own texts",
    ("tools/fly-bench/DialectTexts.cpp", ""): "texts of IR",
    ("tools/fly-bench/IsaCode.cpp", ""): "code that we have made can be read",
    ("tools/fly-bench/Key.cpp", "gpu.module @kernels"): "a text of IR",
    ("tools/fly-bench/Key.cpp", "no identity"): "the toolchain of a build has one",
    ("tools/fly-bench/Key.cpp", "ops per second at 100000"): "takes minutes",
    ("tools/fly-bench/Key.cpp", "the text does not parse"): "a fault of the "
    "benchmark's own texts",
    ("tools/fly-bench/Passes.cpp", ""): "rows that take minutes, and texts of IR",
    ("tools/fly-bench/Report.cpp", "note: this build"): "builds with asserts only",
    ("tools/fly-bench/Store.cpp", ""): "rows that take minutes, and faults of the "
    "benchmark's own kernel",
    ("tools/fly-cache/Compiler.cpp", "it ended abnormally"): "LLVM has a reason",
    ("tools/libfly-compiler/fly-compiler.cpp", "error: --aot publishes what"): "a "
    "disk that is read only, also for root",
    ("tools/libfly-compiler/fly-compiler.cpp", "error: cannot write"): "each "
    "output looks at its own errors; this is the last net",
    ("tools/libfly-store/fly-store.cpp", "the text of the target is"): "no text "
    "of a target has as many characters",
}

TOKEN = re.compile(
    r"//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/"
    r'|R"(?P<tag>\w*)\((?P<raw>.*?)\)(?P=tag)"'
    r'|"(?P<text>(?:\\.|[^"\\\n])*)"'
    r"|'(?:\\.|[^'\\\n])+'"
    r"|^[ \t]*\#[^\n]*|[;{}]|\n|[^\S\n]+|\w+|.",
    re.S | re.M,
)
ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.S)
SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
FORMAT = re.compile(r"%[-+ #0-9.*]*(?:hh|h|ll|l|z)?[duxXscfgp]|\{\d+[^{}]*\}|\n")
NOUN = re.compile(r"(?:the|an?) \S+")  # a thing that a sentence elsewhere names
WORD = re.compile(r"[^\W\d_]{2,}")


def decode(text):
    def one(match):
        code = match.group(1)
        if code[0] == "x":
            return chr(int(code[1:], 16))
        return SIMPLE.get(code, code)

    return ESCAPE.sub(one, text)


def literals_of_statements(source, with_raw=False):
    """(line, code without literals, joined literals) for each statement."""
    line, start, code, literals, joined = 1, None, [], [], False
    for match in TOKEN.finditer(source):
        token = match.group(0)
        if match.group("text") is not None or match.group("raw") is not None:
            raw = match.group("raw")
            if raw is None:
                text = decode(match.group("text"))
            else:
                text = raw if with_raw else ""
            start = start or line
            if joined:
                literals[-1] = (literals[-1][0], literals[-1][1] + text)
            else:
                literals.append((line, text))
            code.append('""')
            joined = True
        elif token in (";", "{", "}"):
            if literals:
                yield start, "".join(code), literals
            start, code, literals, joined = None, [], [], False
        elif token.startswith(("//", "/*")) or token.isspace():
            code.append(" ")
        elif token.lstrip().startswith("#") and len(token) > 1:
            pass
        else:
            start = start or line
            code.append(token)
            joined = False
        line += token.count("\n")


def squeeze(text):
    return " ".join(text.split())


def letters(text):
    return sum(c.isalpha() for c in text)


def pieces_of(literals):
    """(line, piece) for what a test must expect of one message."""
    pieces = []
    for line, text in literals:
        for piece in FORMAT.split(text):
            piece = squeeze(piece)
            if piece:
                pieces.append((line, piece))
    prose = [p for p in pieces if len(WORD.findall(p[1])) >= 2 and " " in p[1]]
    if not prose:
        return []
    long = [p for p in prose if letters(p[1]) >= LETTERS]
    if long:
        return long
    longest = max(prose, key=lambda p: letters(p[1]))
    return [] if NOUN.fullmatch(longest[1]) else [longest]


def messages_of(source):
    for _, code, literals in literals_of_statements(source):
        if SILENT.search(code):
            continue
        pieces = pieces_of(literals)
        if pieces:
            yield pieces


def is_loud(pieces):
    """Whether a message begins like a sentence or ends like one."""
    first, last = pieces[0][1], pieces[-1][1]
    ends = last.endswith(".") and not last.endswith("...")
    return ends or bool(re.match(r"(?!Fly for LLVM)[A-Z][a-z]", first))


EXPECTED = re.compile(
    r"expected-(?:error|warning|remark|note)(-re)?\s*(?:@\S+\s*)?\{\{(.*)"
)
PREFIXES = re.compile(r"--?check-prefix(?:es)?[= ]([\w,-]+)")
GREP = re.compile(r"\bgrep\b[^|'\"]*(?:'([^']*)'|\"([^\"]*)\")")


def expected_of_lit(text):
    """The texts that a lit test expects."""
    prefixes = {"CHECK"}
    for match in PREFIXES.finditer(text):
        prefixes.update(p for p in match.group(1).split(",") if p)
    check = re.compile(
        r"(?:^|[^\w-])(?:"
        + "|".join(re.escape(p) for p in sorted(prefixes, key=len, reverse=True))
        + r")(?:-NEXT|-SAME|-DAG|-LABEL|-EMPTY|-COUNT-\d+)?(?:\{LITERAL\})?:(.*)"
    )
    for line in text.split("\n"):
        if " => " in line and "RUN:" not in line:  # a table of refusals
            yield line.split(" => ", 1)[1]
        match = check.search(line)
        if match:
            yield from re.split(r"\{\{.*?\}\}|\[\[.*?\]\]", match.group(1))
        for part in re.split(r"(?=expected-(?:error|warning|remark|note))", line):
            match = EXPECTED.match(part)
            if not match:
                continue
            said = match.group(2).rsplit("}}", 1)[0]
            yield from re.split(r"\{\{.*?\}\}", said) if match.group(1) else [said]
        if "RUN:" in line:
            for match in GREP.finditer(line):
                yield (match.group(1) or match.group(2)).replace("\\", "")


def expected_of_cpp(text):
    for _, _, literals in literals_of_statements(text + ";", with_raw=True):
        for _, literal in literals:
            yield literal.replace("\\", "")


def expected_of_python(text):
    tree = ast.parse(text)
    documentation = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            documentation.add(id(body[0].value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in documentation:
                yield node.value.replace("\\", "")


READERS = {
    ".mlir": expected_of_lit,
    ".test": expected_of_lit,
    ".ll": expected_of_lit,
    ".cpp": expected_of_cpp,
    ".c": expected_of_cpp,
    ".h": expected_of_cpp,
    ".inc": expected_of_cpp,
    ".py": expected_of_python,
}


def expected_texts(root):
    texts = []
    for path in sorted((root / "test").rglob("*")):
        folder = path.relative_to(root).parts[1]
        reader = READERS.get(path.suffix)
        if reader and folder not in ("Style", "Fuzz", "Docs"):
            texts.extend(reader(path.read_text()))
    return "\n".join(squeeze(text) for text in texts)


def layer_of(path):
    parts = path.parts[2:] if path.parts[0] == "include" else path.parts
    if parts[0] in ("lib", "tools"):
        parts = parts[1:] if parts[0] == "lib" else parts
    if parts[0] in ("Dialect", "tools"):
        return "/".join(parts[:-1]) if len(parts) > 1 else parts[0]
    return parts[0]


def sources(root):
    for top in ("include", "lib", "tools"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".cpp", ".h", ".inc", ".c"):
                relative = path.relative_to(root)
                exempt = str(relative).startswith(EXEMPT)
                if not exempt and not TABLES.search(path.name):
                    yield relative, path.read_text()


def exception_for(file, piece):
    for (where, beginning), reason in EXCEPTIONS.items():
        if file == where and piece.startswith(beginning):
            return (where, beginning)
    return None


def self_test():
    """What the extraction and the readers of tests must do, on small texts."""
    source = """
      // fail("a comment is not a message of the program");
      if (a != b)
        return fail("stride " + a.str() + " does not divide "
                    "the shape " + b.str());
      os << formatv("found {0} values,\\nexpected one for each lane", n);
      assert(a && "our own promise is no message");
      return error("no room");
      name("the operand");
    """
    assert [[text for _, text in pieces] for pieces in messages_of(source)] == [
        ["does not divide the shape"],
        ["expected one for each lane"],
        ["no room"],
    ], list(messages_of(source))
    lit = """
      // RUN: tool %s 2>&1 | FileCheck %s --check-prefix=WRONG
      // RUN: tool %s | grep -q "what is looked for"
      // expected-error@+1 {{stride 4 does not divide the shape 6}} text after
      // expected-error-re @below {{found {{.*}} values}}
      // WRONG-NEXT: error: {{[a-z]+}} in the middle [[X:.*]] end
      // OTHER: not a prefix of this file
      composition(a, b) => no such mode
      "an input of the test"
    """
    assert [squeeze(text) for text in expected_of_lit(lit) if text.strip()] == [
        "what is looked for",
        "stride 4 does not divide the shape 6",
        "found",
        "values",
        "error:",
        "in the middle",
        "end",
        "no such mode",
    ], list(expected_of_lit(lit))
    assert is_loud([(1, "The lane is gone")]) and is_loud([(1, "no lane.")])
    assert not is_loud([(1, "LLVM knows no lane"), (1, "and no wave")])
    assert list(expected_of_cpp('f("a " "b", // "c"\n "d");')) == ["a b", "d"]
    assert list(expected_of_python('"""page"""\nx = ["a"]')) == ["a"]
    print("the extraction does what it says")


def main():
    if "--self-test" in sys.argv:
        return self_test()
    root = pathlib.Path(sys.argv[1])
    only = [a.split("=", 1)[1] for a in sys.argv[2:] if a.startswith("--layer=")]
    expected = expected_texts(root)
    counts, missing, loud, used = {}, [], [], set()
    for path, source in sources(root):
        layer = layer_of(path)
        if only and not layer.startswith(only[0]):
            continue
        for pieces in messages_of(source):
            demanded = []
            for line, piece in pieces:
                excuse = exception_for(str(path), piece)
                if excuse:
                    used.add(excuse)
                else:
                    demanded.append((line, piece))
            if not demanded:
                continue
            lacking = [p for p in demanded if p[1] not in expected]
            if is_loud(demanded):
                loud.append((path, *demanded[0]))
            tested, total = counts.get(layer, (0, 0))
            counts[layer] = (tested + (not lacking), total + 1)
            missing.extend((path, line, piece) for line, piece in lacking)
    stale = [] if only else [e for e in EXCEPTIONS if e not in used]
    for where, beginning in stale:
        print(f"{where}: no message begins with the exception '{beginning}'")
    for layer, (tested, total) in sorted(counts.items()):
        print(f"{layer}: {tested} of {total} messages have a test")
    for path, line, piece in missing:
        print(f"{path}:{line}: no test expects: {piece}")
    for path, line, piece in loud:
        print(f"{path}:{line}: not lower case, or with a full stop: {piece}")
    return 1 if missing or stale or loud else 0


if __name__ == "__main__":
    sys.exit(main())
