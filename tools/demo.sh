#!/usr/bin/env bash
# The main job, start to end: compile a kernel for a target, show the target and the
# key that it was resolved to, run the code object on the simulator, compare with
# NumPy.
#
#   tools/demo.sh [TARGET]      gfx942 (default), gfx950, gfx1100 or gfx1201

# shellcheck source=tools/build.sh
. "$(dirname "${BASH_SOURCE[0]}")/build.sh"

target=${1:-gfx942}
kernel=test/Kernels/vector_add.mlir

fly_install_packages
fly_configure
fly_compile fly-opt fly-compile amdemu

cd "$fly_root"
show() {
  printf '\n$ %s\n' "$*"
  "$@"
}
show build/bin/fly-compile "$kernel" --target="$target" -o build/vector_add.hsaco
fly_say "the same target said by a variable gives the same key"
show env FLY_TARGET="$target" build/bin/fly-compile "$kernel" -o build/vector_add.hsaco
fly_say "the code object on the simulator, compared with NumPy"
show "$(fly_python)" test/Kernels/run_kernels.py --compiler build/bin/fly-compile "vector_add:${target%%:*}"
