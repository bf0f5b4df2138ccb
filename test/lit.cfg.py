# Every tool and folder is named by lit.site.cfg.py, which CMake writes; nothing
# is looked up on PATH.

import os

import lit.formats

config.name = "Fly"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "CMakeLists.txt", "Inputs"]
config.test_source_root = os.path.dirname(__file__)

fly = config.fly_tools_dir
llvm = config.llvm_tools_dir
plugin = os.path.join(config.fly_lib_dir, "FlyPlugin.so")

# `%fly-opt` and `%mlir-opt-fly` are the two hosts of the passes: our own driver,
# and the stock one with the plugin.
tools = {
    "%fly-opt": f"{fly}/fly-opt",
    "%fly-compile": f"{fly}/fly-compile",
    "%fly-cache": f"{fly}/fly-cache",
    "%fly-import": f"{fly}/fly-import",
    "%fly-translate": f"{fly}/fly-translate",
    "%fly-lib": config.fly_lib_dir,
    "%mlir-opt-fly": (
        f"{llvm}/mlir-opt --load-dialect-plugin={plugin}"
        f" --load-pass-plugin={plugin}"
    ),
    "%mlir-opt": f"{llvm}/mlir-opt",
    "%mlir-translate": f"{llvm}/mlir-translate",
    "%mlir-runner": f"{llvm}/mlir-runner",
    "%plugin": plugin,
    "%python": config.python,
    "%src": config.fly_source_dir,
    "%fly-bin": fly,
    "%llvm-bin": llvm,
    "%llvm-lib": config.llvm_lib_dir,
}
# Remote stores need libcurl in our libraries and a server to test them with.
if not (config.nginx + config.curl).count("NOTFOUND") and config.nginx:
    config.available_features.add("nginx")
    tools["%nginx"] = config.nginx
# Longest names first, so that no name is taken for the beginning of another.
for name in sorted(tools, key=len, reverse=True):
    config.substitutions.append((name, tools[name]))
for name in ("FileCheck", "not", "count", "llvm-readelf", "llvm-nm", "split-file"):
    config.substitutions.append((rf"(?<![\w/-]){name}(?![\w/-])", f"{llvm}/{name}"))

# A test sees no target source and no tool location that it does not name itself.
for variable in (
    "FLY_TARGET",
    "FLY_DEVICE_LIBS",
    "FLYDSL_COMPILE_BACKEND",
    "FLYDSL_COMPILE_LLVM_DIR",
    "FLYDSL_COMPILE_OPT_LEVEL",
    "FLYDSL_DEBUG_ENABLE_DEBUG_INFO",
    "FLYDSL_EXTRA_SOURCE_DIRS",
    "FLY_BACKEND",
    "FLY_DEBUG",
    "FLY_INPUTS",
    "FLY_LLVM_DIR",
    "FLY_OPT_LEVEL",
    "FLY_STORE",
    "FLY_STORE_AUTH",
    "FLY_STORE_AUTH_FILE",
    "FLYDSL_GPU_ARCH",
    "ARCH",
    "HSA_OVERRIDE_GFX_VERSION",
    "ROCM_PATH",
    "ROCM_ROOT",
    "ROCM_HOME",
    "ROCR_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "CUDA_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
):
    config.environment.pop(variable, None)
config.environment["AMDEMU_LIB"] = os.path.join(config.fly_lib_dir, "libamdemu.so")
config.environment["AMDEMU_LLVM"] = os.path.join(config.llvm_lib_dir, "libLLVM.so")
# Our libraries under the sanitizers, loaded by programs that are not ours.
if config.sanitizer_runtime:
    config.available_features.add("sanitizers")
    config.environment["LD_PRELOAD"] = config.sanitizer_runtime
# The installed LLVM is not instrumented: it hands out memory that our inlined
# copies of its allocators have poisoned, and crash recovery leaves some behind.
config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0"
