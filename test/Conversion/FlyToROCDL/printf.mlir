// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers that gpu.printf is given: extended to what the format reads, by the
// sign where that is signed. Upstream extends all by zeros.
//
// RUN: %fly-opt %s --convert-fly-to-rocdl | FileCheck %s
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-lower{chip=gfx942})' | FileCheck %s --check-prefix=LOWERED

gpu.module @m {
  // CHECK-LABEL: gpu.func @widths(
  // CHECK-SAME: %[[A:.*]]: i8, %[[B:.*]]: i16, %[[C:.*]]: i32, %[[D:.*]]: i64, %[[E:.*]]: f32, %[[I:.*]]: index)
  // CHECK-DAG: %[[A32:.*]] = arith.extsi %[[A]] : i8 to i32
  // CHECK-DAG: %[[B32:.*]] = arith.extsi %[[B]] : i16 to i32
  // CHECK-DAG: %[[C64:.*]] = arith.extsi %[[C]] : i32 to i64
  // CHECK: gpu.printf "%d %i %d %ld %.2f %lld %d", %[[A32]], %[[B32]], %[[C]], %[[D]], %[[E]], %[[C64]], %[[I]] : i32, i32, i32, i64, f32, i64, index
  gpu.func @widths(%a: i8, %b: i16, %c: i32, %d: i64, %e: f32, %i: index) kernel {
    gpu.printf "%d %i %d %ld %.2f %lld %d", %a, %b, %c, %d, %e, %c, %i : i8, i16, i32, i64, f32, i32, index
    gpu.return
  }

  // What is no signed conversion, and a truth value, which is 0 or 1.
  // CHECK-LABEL: gpu.func @unsigned(
  // CHECK-SAME: %[[A:.*]]: i8, %[[T:.*]]: i1)
  // CHECK-COUNT-5: arith.extui %[[A]] : i8 to i32
  // CHECK: arith.extui %[[A]] : i8 to i64
  // CHECK: arith.extui %[[T]] : i1 to i32
  // CHECK-NOT: arith.ext
  // CHECK: gpu.printf
  gpu.func @unsigned(%a: i8, %t: i1) kernel {
    gpu.printf "%u %x %#04X %o %c %lu %d", %a, %a, %a, %a, %a, %a, %t : i8, i8, i8, i8, i8, i8, i1
    gpu.return
  }

  // A percent sign reads nothing, a star reads an int, types may have a sign; a
  // format that ends early or has less arguments leaves them.
  // CHECK-LABEL: gpu.func @formats(
  // CHECK-SAME: %[[A:.*]]: i8, %[[S:.*]]: si8, %[[U:.*]]: ui8)
  // CHECK: %[[W:.*]] = arith.extsi %[[A]] : i8 to i32
  // CHECK: %[[V:.*]] = arith.extsi %[[A]] : i8 to i32
  // CHECK: gpu.printf "100%% %*hhd", %[[W]], %[[V]] : i32, i32
  // CHECK: %[[S8:.*]] = builtin.unrealized_conversion_cast %[[S]] : si8 to i8
  // CHECK: %[[S32:.*]] = arith.extsi %[[S8]] : i8 to i32
  // CHECK: %[[U8:.*]] = builtin.unrealized_conversion_cast %[[U]] : ui8 to i8
  // CHECK: %[[U32:.*]] = arith.extui %[[U8]] : i8 to i32
  // CHECK: gpu.printf "%x %d", %[[S32]], %[[U32]] : i32, i32
  // CHECK: gpu.printf "%d %", %{{.*}}, %[[A]] : i32, i8
  gpu.func @formats(%a: i8, %s: si8, %u: ui8) kernel {
    gpu.printf "100%% %*hhd", %a, %a : i8, i8
    gpu.printf "%x %d", %s, %u : si8, ui8
    gpu.printf "%d %", %a, %a : i8, i8
    gpu.return
  }

  // LOWERED-LABEL: llvm.func @minus_one(
  // LOWERED: %[[W:.*]] = llvm.sext %{{.*}} : i8 to i32
  // LOWERED: %[[X:.*]] = llvm.zext %[[W]] : i32 to i64
  // LOWERED: llvm.call @__ockl_printf_append_args({{.*}}%[[X]]
  gpu.func @minus_one(%a: i8) kernel {
    gpu.printf "%d", %a : i8
    gpu.return
  }
}
