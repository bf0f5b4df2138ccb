# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An editor's session with fly-lsp-server: open, read the diagnostics, mend,
hover, complete, find definitions, close.

usage: lsp_session.py FLY_LSP_SERVER

Speaks the Language Server Protocol with its Content-Length framing. Prints one
line for each answer that was checked; exits with 1 at the first wrong one.
"""

import json
import subprocess
import sys
import threading

URI = "file:///kernels/tile.mlir"

GOOD = """\
func.func @tile(%n: i32) -> i32 {
  %layout = fly.static : !fly.layout<(12,10):(10,1)>
  %tile = fly.static : !fly.tile<[3|5]>
  %tiles = fly.zipped_divide(%layout, %tile) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),(4,2)):((10,1),(30,5))>
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>
  return %n : i32
}
"""
BAD = GOOD.replace("[3|5]>) -> !fly.layout<((3,5),(4,2))", "[3|5]>) -> !fly.layout<((3,5),(4,3))")
COMPLETION = GOOD.replace("  return", "  %x = fly.\n  return")
TYPE_COMPLETION = GOOD.replace("  return", "  %x = fly.static : !fly.\n  return")


class Session:
    def __init__(self, server):
        self.process = subprocess.Popen(
            [server, "--log=error"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.next_id = 0
        # A server that hangs is a failure, not a hung test.
        self.timer = threading.Timer(120, self.process.kill)
        self.timer.start()

    def send(self, message):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, body):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(
                    "the server is gone: " + self.process.stderr.read().decode()
                )
            if not line.strip():
                break
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def request(self, method, parameters):
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": parameters})
        while True:
            message = self.receive()
            if message.get("id") == self.next_id:
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']}")
                return message["result"]

    def diagnostics(self):
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                return message["params"]["diagnostics"]


def check(what, truth, found):
    print(("ok      " if truth else "WRONG   ") + what)
    if not truth:
        raise SystemExit(f"found: {json.dumps(found, indent=1)}")


def place(text, word, extra=0):
    """The position of a word, and the request that asks about it."""
    lines = text.splitlines()
    line = next(i for i, l in enumerate(lines) if word in l)
    return {
        "textDocument": {"uri": URI},
        "position": {"line": line, "character": lines[line].index(word) + extra},
    }


def complete(session, text, word):
    position = place(text, word, len(word))
    answer = session.request(
        "textDocument/completion", {**position, "context": {"triggerKind": 1}}
    )
    items = answer["items"] if isinstance(answer, dict) else answer
    return [item["label"] for item in items]


def main():
    session = Session(sys.argv[1])
    answer = session.request(
        "initialize", {"processId": None, "rootUri": None, "capabilities": {}}
    )
    capabilities = answer["capabilities"]
    check(
        "initialize: hover, completion and definition are offered",
        capabilities.get("hoverProvider")
        and capabilities.get("completionProvider")
        and capabilities.get("definitionProvider"),
        answer,
    )

    document = {"uri": URI, "languageId": "mlir", "version": 1, "text": BAD}
    session.notify("textDocument/didOpen", {"textDocument": document})
    found = session.diagnostics()
    expected = place(BAD, "fly.zipped_divide")["position"]["line"]
    check(
        "a wrong result type is an error at its op",
        len(found) == 1
        and found[0]["severity"] == 1
        and found[0]["range"]["start"]["line"] == expected
        and "((3,5),(4,2)):((10,1),(30,5))" in found[0]["message"],
        found,
    )

    def change(version, text):
        session.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": URI, "version": version},
                "contentChanges": [{"text": text}],
            },
        )
        return session.diagnostics()

    found = change(2, GOOD)
    check("the mended text has none", found == [], found)

    hover = session.request("textDocument/hover", place(GOOD, "fly.zipped_divide"))
    text = hover["contents"]["value"]
    check(
        "hover over an op shows it with its type",
        "fly.zipped_divide" in text and "((3,5),(4,2)):((10,1),(30,5))" in text,
        hover,
    )
    hover = session.request("textDocument/hover", place(GOOD, "%tile)"))
    text = hover["contents"]["value"]
    check(
        "hover over a value shows its definition", "fly.static" in text, hover
    )

    target = session.request("textDocument/definition", place(GOOD, "%tile)"))
    line = place(GOOD, "%tile = ")["position"]["line"]
    check(
        "the definition of a value is found",
        [t["range"]["start"]["line"] for t in target] == [line],
        target,
    )

    found = change(3, COMPLETION)
    check("an unfinished op is an error", len(found) >= 1, found)
    labels = complete(session, COMPLETION, "%x = fly.")
    check(
        "ops of the dialect are offered after its name",
        "zipped_divide" in labels and "make_layout" in labels,
        labels,
    )
    change(4, TYPE_COMPLETION)
    labels = complete(session, TYPE_COMPLETION, "%x = fly.static : !")
    check(
        "both dialects' types are offered",
        any("fly" == l.strip("!.") for l in labels)
        and any("fly_rocdl" in l for l in labels),
        labels,
    )

    # Brackets without end neither end the server nor what comes after them.
    nested = b"[" * 200000, b"]" * 200000
    session.send_bytes(
        b'{"jsonrpc":"2.0","id":"deep","method":"textDocument/hover","params":%s%s}' % nested
    )
    answer = session.receive()
    check(
        "a request of 200000 nested arrays is answered with an error",
        answer.get("id") == "deep" and "error" in answer,
        answer,
    )
    session.send_bytes(nested[0])
    session.send_bytes(b'{"a":' * 200000)
    brackets = "// " + "[{" * 3000 + '\n'
    found = change(5, brackets + BAD)
    check(
        "brackets in a document are text",
        [f["range"]["start"]["line"] for f in found] == [expected + 1],
        found,
    )

    session.request("shutdown", None)
    session.notify("exit", None)
    status = session.process.wait(60)
    session.timer.cancel()
    check("the server leaves with status 0", status == 0, status)


main()
