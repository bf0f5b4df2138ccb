#!/usr/bin/env bash
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles each kernel of a folder with fly-opt, with the stock mlir-opt and the
# plugin, and with fly-compile, for one processor that has its instructions, and
# compares outputs and keys.
#
#   same-bytes.sh FLY-OPT FLY-COMPILE TEMPORARY KERNELS MLIR-OPT PLUGIN-OPTION...

set -euo pipefail
fly_opt=$1 fly_compile=$2 temporary=$3 kernels=$4
shift 4
mkdir -p "$temporary"
count=0
for kernel in "$kernels"/*.mlir; do
  case $kernel in
    *gfx11*) target=gfx1100 ;;
    *gfx1250*) target=gfx1250 ;;
    *mxfp4_cdna* | *fp8_cdna*) target=gfx950 ;;
    *gfx12*) target=gfx1201 ;;
    *) target=gfx942 ;;
  esac
  pipeline="builtin.module(fly-to-binary{target=$target})"
  "$fly_opt" "$kernel" --pass-pipeline="$pipeline" > "$temporary/ours"
  "$@" "$kernel" --pass-pipeline="$pipeline" > "$temporary/stock"
  cmp "$temporary/ours" "$temporary/stock"

  "$fly_compile" "$kernel" --target="$target" -q --emit=key > "$temporary/key"
  grep -q "cache_key = \"$(cat "$temporary/key")\"" "$temporary/ours"

  # The bytes as MLIR prints them: the printable ones, and \XX for the others.
  "$fly_compile" "$kernel" --target="$target" -q --emit=asm -o "$temporary/asm"
  asm_pipeline="builtin.module(fly-to-binary{target=$target format=asm})"
  "$fly_opt" "$kernel" --pass-pipeline="$asm_pipeline" \
    | grep -o 'assembly = ".*"' > "$temporary/quoted"
  printf 'assembly = "%s"\n' \
    "$(sed -e 's/\\/\\\\/g' -e 's/"/\\22/g' -e 's/\t/\\09/g' "$temporary/asm" \
      | sed -e ':a' -e 'N' -e '$!ba' -e 's/\n/\\0A/g')\\0A" > "$temporary/expected"
  cmp "$temporary/quoted" "$temporary/expected"
  count=$((count + 1))
done
test "$count" -gt 0
