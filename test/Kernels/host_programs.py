#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives each kernel of this folder a host program, and runs it.

In: names `KERNEL:CHIP` (none: each kernel on one chip), the folders of our
tools and of LLVM's. A host function with the kernel's own fly types, which
launches it on a stream that it is given, joins the kernel, whose module gets
the handler #fly.explicit_module; both become LLVM IR, whose text is checked,
and a shared library, which is loaded here with a runtime that records calls.
The law: the module that is loaded is the code object, and the launch has the
grid, the block, the LDS size, the stream and exactly the arguments that the
host function was called with: on the simulator they give NumPy's numbers.

    host_programs.py --tools build/bin --llvm /usr/lib/llvm-22/bin vector_add
"""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "amdgpu-sim"))

import matrices  # noqa: E402
import vectors  # noqa: E402
from launches import FAMILY  # noqa: E402

KERNELS = {**vectors.KERNELS, **matrices.KERNELS}

# --- The program --------------------------------------------------------------

HOST = """
  func.func @host({parameters}%stream: !llvm.ptr, %lds: i32,
      %gx: index, %gy: index, %gz: index, %bx: index, %by: index, %bz: index) {{
    gpu.launch_func <%stream : !llvm.ptr> @kernels::@{name}
        blocks in (%gx, %gy, %gz) threads in (%bx, %by, %bz)
        dynamic_shared_memory_size %lds args({arguments})
    return
  }}
}}
"""


def program(name, chip):
    """The kernel and its host function as one module."""
    kernel = KERNELS[name]
    path = os.path.join(HERE, kernel.file.format(family=FAMILY[chip]))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for old, new in kernel.edits.get(chip, []):
        text = text.replace(old, new)
    head, body = text.split("gpu.module @kernels {")
    parameters = re.search(rf"gpu\.func @{name}\((.*?)\)\s+kernel", body, re.S)
    pairs = re.findall(r"(%\w+)\s*:\s*(.+?)\s*(?:,\s*(?=%)|$)", parameters[1], re.S)
    host = HOST.format(
        name=name,
        parameters="".join(f"%arg_{n[1:]}: {t}, " for n, t in pairs),
        arguments=", ".join(f"%arg_{n[1:]} : {t}" for n, t in pairs),
    )
    return (
        head
        + "module attributes {gpu.container_module} {\n"
        + "gpu.module @kernels <#fly.explicit_module> {"
        + body
        + host
    )


def run(command, text):
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=300
    )
    if done.returncode:
        raise RuntimeError(f"{os.path.basename(command[0])}: {done.stderr}")
    return done.stdout


def translate(options, name, chip):
    """The LLVM IR of the program."""
    to_binary = f"builtin.module(fly-to-binary{{target={chip} host=llvm}})"
    lowered = run(
        [f"{options.tools}/fly-opt", f"--pass-pipeline={to_binary}"],
        program(name, chip),
    )
    return run([f"{options.tools}/fly-translate", "--mlir-to-llvmir"], lowered)


INTERFACE = """\
@kernels_binary = internal constant [
@kernels_module = internal global ptr null
@kernels_{name}_name = private unnamed_addr constant [
define void @flydsl_gpu_module_init(ptr %module_out, ptr %err_out)
define void @flydsl_gpu_module_load_to_device(ptr %module_out, ptr %err_out)
call ptr @mgpuModuleLoad(ptr @kernels_binary, i64
call ptr @mgpuModuleGetFunction(ptr %module, ptr @kernels_{name}_name)
call void @mgpuLaunchKernel(ptr %kernel, i64
declare void @mgpuLaunchKernel(ptr, i64, i64, i64, i64, i64, i64, i32, ptr, ptr, ptr, i64)
"""


def check_text(text, name):
    for line in INTERFACE.format(name=name).splitlines():
        if line not in text:
            raise RuntimeError(f"the LLVM IR has no '{line}'")
    for line in ("@llvm.global_ctors", "@mgpuStream"):
        if line in text:
            raise RuntimeError(f"the LLVM IR has '{line}'")


# --- Loading and calling it ---------------------------------------------------

POINTER, I32, I64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
LEAVES = {"ptr": POINTER, "i32": I32, "i64": I64, "float": ctypes.c_float}
LOADER = ctypes.CFUNCTYPE(POINTER, POINTER, I64)
FINDER = ctypes.CFUNCTYPE(POINTER, POINTER, ctypes.c_char_p)
LAUNCHER = ctypes.CFUNCTYPE(
    None, POINTER, *[I64] * 6, I32, POINTER, ctypes.POINTER(POINTER), POINTER, I64
)

# The runtime's functions call what this script puts here.
RUNTIME = """
@load = global ptr null
@find = global ptr null
@run = global ptr null
define ptr @mgpuModuleLoad(ptr %data, i64 %size) {
  %f = load ptr, ptr @load
  %r = call ptr %f(ptr %data, i64 %size)
  ret ptr %r
}
define ptr @mgpuModuleGetFunction(ptr %module, ptr %name) {
  %f = load ptr, ptr @find
  %r = call ptr %f(ptr %module, ptr %name)
  ret ptr %r
}
define void @mgpuLaunchKernel(ptr %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f,
                              i64 %g, i32 %h, ptr %i, ptr %j, ptr %k, i64 %l) {
  %r = load ptr, ptr @run
  call void %r(ptr %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f,
               i64 %g, i32 %h, ptr %i, ptr %j, ptr %k, i64 %l)
  ret void
}
"""


def build(options, texts, out):
    """A shared library of modules in LLVM IR."""
    objects = []
    for k, text in enumerate(texts):
        objects.append(f"{out}.{k}.o")
        run(
            [f"{options.llvm}/llc", "-O1", "-filetype=obj", "-o", objects[-1]]
            + ["-relocation-model=pic"],
            text,
        )
    run([f"{options.llvm}/ld.lld", "-shared", "-o", out, *objects], "")
    return ctypes.CDLL(out)


def leaf_types(text):
    """The leaves of the parameters of @host, in order."""
    line = re.search(r"^define void @host\((.*)\) \{$", text, re.M)[1]
    line = line.replace("ptr addrspace(1)", "ptr")
    return re.findall(r"\b(ptr|i32|i64|float|i\d+|double|half)\b", line)


class Host:
    """The loaded program, and what it told the runtime."""

    FUNCTION, STREAM, LDS = 0x1234, 0x5678, 96

    def __init__(self, library, text, name):
        self.library, self.text, self.name = library, text, name
        self.code = self.launch = None
        self.handle = 0
        self.callbacks = [
            LOADER(self.on_load),
            FINDER(self.on_find),
            LAUNCHER(self.on_launch),
        ]
        for symbol, function in zip(("load", "find", "run"), self.callbacks):
            slot = POINTER.in_dll(library, symbol)
            slot.value = ctypes.cast(function, POINTER).value

    def on_load(self, data, size):
        self.code = ctypes.string_at(data, size)
        return self.handle

    def on_find(self, module, name):
        self.found = (module, name)
        return self.FUNCTION

    def on_launch(self, function, gx, gy, gz, bx, by, bz, lds, stream, params, extra, n):
        self.launch = {
            "function": function,
            "grid": (gx, gy, gz),
            "block": (bx, by, bz),
            "lds": lds,
            "stream": stream,
            "extra": extra,
        }
        self.arguments = [
            ctypes.string_at(params[i], self.sizes[i]) if i < len(self.sizes) else b""
            for i in range(n)
        ]

    def load(self, function, handle):
        """The answers of one of the two functions."""
        self.handle = handle
        module, error = POINTER(77), I32(77)
        getattr(self.library, function)(ctypes.byref(module), ctypes.byref(error))
        return module.value, error.value

    def call(self, arguments, grid, block, sizes):
        """Launches; `sizes` are those of the kernel's arguments in bytes."""
        self.sizes = sizes
        types, values = leaf_types(self.text), []
        raw = b"".join(raw_argument(x, s) for x, s in zip(arguments, sizes))
        raw += self.STREAM.to_bytes(8, "little") + self.LDS.to_bytes(4, "little")
        raw += b"".join(n.to_bytes(8, "little") for n in (*grid, *block))
        for leaf in types:
            kind = LEAVES[leaf]
            size = ctypes.sizeof(kind)
            values.append(kind.from_buffer_copy(raw[:size]))
            raw = raw[size:]
        if raw:
            raise RuntimeError(f"{len(raw)} bytes too many for {types}")
        self.library.host.restype = None
        self.library.host(*values)


def expect(what, want, got):
    if want != got:
        raise RuntimeError(f"{what}: expected {want}, found {got}")


def raw_argument(x, size):
    """The bytes that the kernel takes for an argument of a launch."""
    if isinstance(x, np.ndarray):
        return x.ctypes.data.to_bytes(8, "little")
    return x if isinstance(x, bytes) else x.to_bytes(size, "little", signed=x < 0)


def check_program(options, name, chip, folder):
    """Translates, builds and runs one program; answers what it did."""
    text = translate(options, name, chip)
    if options.edit:
        text = text.replace(*options.edit)
    check_text(text, name)
    library = build(options, [text, RUNTIME], f"{folder}/{name}-{chip}.so")
    host = Host(library, text, name)
    expect("after init", (None, 0), host.load("flydsl_gpu_module_init", 0))
    expect("init loads", None, host.code)
    load = "flydsl_gpu_module_load_to_device"
    expect("a module that does not load", (None, -1), host.load(load, 0))
    expect("a module that loads", (0x99, 0), host.load(load, 0x99))

    path = f"{folder}/{name}-{chip}.hsaco"
    with open(path, "wb") as file:
        file.write(host.code)
    import hsaco

    kernel = KERNELS[name]
    args = hsaco.CodeObject(path).kernels[name].args
    sizes = [a[".size"] for a in args if not a[".value_kind"].startswith("hidden")]
    size = kernel.sizes[min(kernel.small, len(kernel.sizes) - 1)]
    on = chip if chip in kernel.chips else kernel.chips[0]
    launch = kernel.launch(on, size, np.random.default_rng([len(name), *size]))
    grid = tuple(int(n) for n in (*launch.grid, 1, 1, 1)[:3])
    block = tuple(int(n) for n in (*launch.block, 1, 1, 1)[:3])
    expect("arguments of the kernel", len(launch.args), len(sizes))
    host.call(launch.args, grid, block, sizes)
    expect("the kernel that is asked for", (0x99, name.encode()), host.found)
    expect(
        "the launch",
        {
            "function": host.FUNCTION,
            "grid": grid,
            "block": block,
            "lds": host.LDS,
            "stream": host.STREAM,
            "extra": None,
        },
        host.launch,
    )
    given = [raw_argument(x, s) for x, s in zip(launch.args, sizes)]
    expect("the arguments", given, host.arguments)
    if chip in kernel.isa:
        return "its arguments arrive"

    import sim

    arguments = [
        x if isinstance(x, np.ndarray) else got
        for x, got in zip(launch.args, host.arguments)
    ]
    sim.Runner(path).run(name, grid, block, arguments, dyn_lds=host.LDS)
    error = np.abs(launch.decode(launch.out).astype(np.float64) - launch.want)
    if not (error <= launch.bound).all():
        raise RuntimeError(f"wrong by {error.max()}")
    return "its arguments give NumPy's numbers"


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", required=True, help="folder of our tools")
    parser.add_argument("--llvm", required=True, help="folder of LLVM's tools")
    parser.add_argument(
        "--edit",
        nargs=2,
        metavar=("OLD", "NEW"),
        help="replace a text in the LLVM IR, to see that it is found",
    )
    parser.add_argument("which", nargs="*", metavar="KERNEL[:CHIP]")
    options = parser.parse_args(argv)
    failures, jobs = 0, options.which or list(KERNELS)
    with tempfile.TemporaryDirectory() as folder:
        for job in jobs:
            name, _, chip = job.partition(":")
            chip = chip or (*KERNELS[name].chips, *KERNELS[name].isa)[0]
            try:
                print(f"{name}:{chip} {check_program(options, name, chip, folder)}")
            except (RuntimeError, OSError) as problem:
                failures += 1
                print(f"{name}:{chip} FAIL {problem}")
    print(f"{len(jobs)} host programs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
