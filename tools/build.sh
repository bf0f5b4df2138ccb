#!/usr/bin/env bash
# Sourced by demo.sh and check.sh: installs the Debian packages that are missing,
# configures and builds into build/. Each step says what it does; a step that has
# nothing to do takes no time.
#
#   FLY_CMAKE_ARGS   further arguments for cmake, such as -DMLIR_DIR=<prefix>/lib/cmake/mlir

set -euo pipefail
fly_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
fly_build=$fly_root/build

fly_packages=(
  clang-22 clang-format-22 clang-tidy-22 lld-22 llvm-22-dev llvm-22-tools
  libmlir-22-dev mlir-22-tools liblld-22-dev libclang-rt-22-dev
  rocm-device-libs cmake ninja-build ccache git libgtest-dev libbenchmark-dev
  libcurl4-openssl-dev nginx zlib1g-dev libzstd-dev python3 python3-numpy python3-psutil
)

fly_say() { printf '== %s\n' "$*"; }

fly_install_packages() {
  command -v dpkg-query >/dev/null || {
    fly_say "not a Debian system: LLVM 22.1 with MLIR, lld, GoogleTest and NumPy must be there already"
    return 0
  }
  local missing=() name
  for name in "${fly_packages[@]}"; do
    dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed ||
      missing+=("$name")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    fly_say "packages: all ${#fly_packages[@]} are installed"
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    fly_say "packages missing; as root: apt-get install --no-install-recommends ${missing[*]}"
    return 1
  fi
  fly_say "packages: installing ${missing[*]}"
  apt-get update -q >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    "${missing[@]}" >/dev/null
}

fly_configure() {
  if [ -f "$fly_build/build.ninja" ] && [ -z "${FLY_CMAKE_ARGS:-}" ]; then
    fly_say "configure: build/ is configured"
    return 0
  fi
  fly_say "configure: cmake --preset dev ${FLY_CMAKE_ARGS:-}"
  local log=$fly_root/build.configure.log
  # shellcheck disable=SC2086 # several arguments
  if ! (cd "$fly_root" && cmake --preset dev ${FLY_CMAKE_ARGS:-} >"$log" 2>&1); then
    cat "$log"
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# The Python that CMake found, Debian's when it is there: it has NumPy.
fly_python() { sed -n 's/^FLY_PYTHON:FILEPATH=//p' "$fly_build/CMakeCache.txt"; }

# fly_compile TARGET...
fly_compile() {
  fly_say "build: ninja -C build $*"
  ninja -C "$fly_build" -j"${FLY_JOBS:-2}" "$@" |
    sed -u -n -e '/no work to do/p' -e '/FAILED\|error:/p' \
      -e 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/\1 \2/p' |
    while read -r done all rest; do
      # One line for every tenth of the work.
      case "$done" in
      *[!0-9]*) printf '%s %s %s\n' "$done" "$all" "$rest" ;;
      *) if [ $((done * 10 / all)) -ne $(((done - 1) * 10 / all)) ]; then
        printf '   %s of %s\n' "$done" "$all"
      fi ;;
      esac
    done
}
