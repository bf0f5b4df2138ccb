// RUN: %fly-opt %s -allow-unregistered-dialect -fly-int-swizzle-simplify | FileCheck %s
// RUN: %fly-opt %s -allow-unregistered-dialect -pass-pipeline='builtin.module(gpu.module(gpu.func(fly-int-swizzle-simplify)))' | FileCheck %s --check-prefix=ANCHOR
//
// M = 448 has bits 6..8, shifted by 3: the period is 512.

// The example of the specification, section 7.
// ANCHOR-LABEL: gpu.func @example
// ANCHOR: %[[S:.*]] = arith.xori
// ANCHOR: arith.addi %[[S]],
// CHECK-LABEL: gpu.func @example
// CHECK-SAME: (%[[X:.*]]: i32)
// CHECK: %[[B:.*]] = arith.muli %[[X]], %c8_i32
// CHECK: %[[D:.*]] = arith.muli %[[X]], %c1024_i32
// CHECK: %[[M:.*]] = arith.andi %[[B]], %c448_i32
// CHECK: %[[H:.*]] = arith.shrui %[[M]], %c3_i32
// CHECK: %[[S:.*]] = arith.xori %[[B]], %[[H]]
// CHECK: %[[S1:.*]] = arith.addi %[[S]], %[[D]]
// CHECK: %[[S2:.*]] = arith.addi %[[S1]], %c512_i32
// CHECK: "test.use"(%[[S2]])
gpu.module @m {
  gpu.func @example(%x: i32) {
    %c3 = arith.constant 3 : i32
    %c8 = arith.constant 8 : i32
    %c448 = arith.constant 448 : i32
    %c512 = arith.constant 512 : i32
    %c1024 = arith.constant 1024 : i32
    %a = arith.muli %x, %c8 : i32
    %b = arith.muli %x, %c1024 : i32
    %ab = arith.addi %a, %b : i32
    %s = arith.addi %ab, %c512 : i32
    %m = arith.andi %s, %c448 : i32
    %h = arith.shrui %m, %c3 : i32
    %r = arith.xori %s, %h : i32
    "test.use"(%r) : (i32) -> ()
    gpu.return
  }
}

// Another distance than a multiple of the period stays before the swizzle.
// CHECK-LABEL: func.func @not_a_multiple
// CHECK: %[[S:.*]] = arith.addi %{{.*}}, %c256_i32
// CHECK: %[[M:.*]] = arith.andi %[[S]], %c448_i32
// CHECK: %[[H:.*]] = arith.shrui %[[M]], %c3_i32
// CHECK: %[[R:.*]] = arith.xori %[[S]], %[[H]]
// CHECK: return %[[R]]
func.func @not_a_multiple(%x: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %c256 = arith.constant 256 : i32
  %c448 = arith.constant 448 : i32
  %s = arith.addi %x, %c256 : i32
  %m = arith.andi %s, %c448 : i32
  %h = arith.shrui %m, %c3 : i32
  %r = arith.xori %s, %h : i32
  return %r : i32
}

// P22: xori and andi in the other order, in a func.func.
// CHECK-LABEL: func.func @other_order
// CHECK-SAME: (%[[X:.*]]: i32)
// CHECK: %[[M:.*]] = arith.andi %[[X]], %c448_i32
// CHECK: %[[H:.*]] = arith.shrui %[[M]], %c3_i32
// CHECK: %[[S:.*]] = arith.xori %[[X]], %[[H]]
// CHECK: %[[R:.*]] = arith.addi %[[S]], %c512_i32
// CHECK: return %[[R]]
func.func @other_order(%x: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %c448 = arith.constant 448 : i32
  %c512 = arith.constant 512 : i32
  %s = arith.addi %c512, %x : i32
  %m = arith.andi %c448, %s : i32
  %h = arith.shrui %m, %c3 : i32
  %r = arith.xori %h, %s : i32
  return %r : i32
}

// P22: zero is a multiple of everything, so this select is one of 512.
// CHECK-LABEL: func.func @select_with_zero
// CHECK-SAME: (%[[X:.*]]: i32,
// CHECK: %[[D:.*]] = arith.select
// CHECK: %[[S:.*]] = arith.xori %[[X]],
// CHECK: %[[R:.*]] = arith.addi %[[S]], %[[D]]
// CHECK: return %[[R]]
func.func @select_with_zero(%x: i32, %c: i1) -> i32 {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c448 = arith.constant 448 : i32
  %c512 = arith.constant 512 : i32
  %d = arith.select %c, %c0, %c512 : i32
  %s = arith.addi %x, %d : i32
  %m = arith.andi %s, %c448 : i32
  %h = arith.shrui %m, %c3 : i32
  %r = arith.xori %s, %h : i32
  return %r : i32
}

// P22: 65536 * 65536 ends with 32 zero bits.
// CHECK-LABEL: func.func @large_product
// CHECK-SAME: (%[[X:.*]]: i32,
// CHECK: %[[D0:.*]] = arith.muli
// CHECK: %[[D:.*]] = arith.muli %[[D0]],
// CHECK: %[[S:.*]] = arith.xori %[[X]],
// CHECK: %[[R:.*]] = arith.addi %[[S]], %[[D]]
// CHECK: return %[[R]]
func.func @large_product(%x: i32, %y: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %c448 = arith.constant 448 : i32
  %c65536 = arith.constant 65536 : i32
  %y16 = arith.muli %y, %c65536 : i32
  %d = arith.muli %y16, %c65536 : i32
  %s = arith.addi %x, %d : i32
  %m = arith.andi %s, %c448 : i32
  %h = arith.shrui %m, %c3 : i32
  %r = arith.xori %s, %h : i32
  return %r : i32
}

// Everything is a multiple: there is nothing to swizzle.
// CHECK-LABEL: func.func @all_divisible
// CHECK: %[[S:.*]] = arith.muli
// CHECK: return %[[S]]
func.func @all_divisible(%x: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %c448 = arith.constant 448 : i32
  %c512 = arith.constant 512 : i32
  %s = arith.muli %x, %c512 : i32
  %m = arith.andi %s, %c448 : i32
  %h = arith.shrui %m, %c3 : i32
  %r = arith.xori %s, %h : i32
  return %r : i32
}

// Accesses at constant distances share one swizzled base, from one block to
// those inside of it.
// CHECK-LABEL: func.func @shared_base
// CHECK: arith.xori
// CHECK: scf.if
// CHECK-NOT: arith.andi
// CHECK: arith.addi %{{.*}}, %c1024_i32
// CHECK: return
func.func @shared_base(%x: i32, %c: i1) {
  %c3 = arith.constant 3 : i32
  %c448 = arith.constant 448 : i32
  %c512 = arith.constant 512 : i32
  %c1024 = arith.constant 1024 : i32
  %s = arith.addi %x, %c512 : i32
  %m = arith.andi %s, %c448 : i32
  %h = arith.shrui %m, %c3 : i32
  %r = arith.xori %s, %h : i32
  "test.use"(%r) : (i32) -> ()
  %s1 = arith.addi %x, %c1024 : i32
  %m1 = arith.andi %s1, %c448 : i32
  %h1 = arith.shrui %m1, %c3 : i32
  scf.if %c {
    %r1 = arith.xori %s1, %h1 : i32
    "test.use"(%r1) : (i32) -> ()
  }
  return
}

// A promise counts where its tuple is made: in the same block, not in a branch
// that need not run.
// CHECK-LABEL: func.func @promised_here
// CHECK: %[[S:.*]] = arith.xori %arg0,
// CHECK: arith.addi %[[S]], %arg1
// CHECK: return
func.func @promised_here(%x: i32, %y: i32) -> i32 {
  %c3 = arith.constant 3 : i32
  %c448 = arith.constant 448 : i32
  %t = fly.make_int_tuple(%y) : (i32) -> !fly.int_tuple<?{div=1536}>
  %s = arith.addi %x, %y : i32
  %m = arith.andi %s, %c448 : i32
  %h = arith.shrui %m, %c3 : i32
  %r = arith.xori %s, %h : i32
  return %r : i32
}

// CHECK-LABEL: func.func @promised_elsewhere
// CHECK: %[[S:.*]] = arith.addi %arg0, %arg1
// CHECK: %[[M:.*]] = arith.andi %[[S]],
// CHECK: %[[H:.*]] = arith.shrui %[[M]]
// CHECK: arith.xori %[[S]], %[[H]]
func.func @promised_elsewhere(%x: i32, %y: i32, %c: i1) -> i32 {
  %c3 = arith.constant 3 : i32
  %c448 = arith.constant 448 : i32
  scf.if %c {
    %t = fly.make_int_tuple(%y) : (i32) -> !fly.int_tuple<?{div=1536}>
    "test.use"(%t) : (!fly.int_tuple<?{div=1536}>) -> ()
  }
  %s = arith.addi %x, %y : i32
  %m = arith.andi %s, %c448 : i32
  %h = arith.shrui %m, %c3 : i32
  %r = arith.xori %s, %h : i32
  return %r : i32
}

// The steps of a loop whose stride is a multiple.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[S:.*]] = arith.xori %arg0,
// CHECK: arith.addi %[[S]], %[[I]]
func.func @loop(%x: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c448 = arith.constant 448 : i32
  %c1024 = arith.constant 1024 : i32
  scf.for %i = %c0 to %n step %c1024 : i32 {
    %s = arith.addi %x, %i : i32
    %m = arith.andi %s, %c448 : i32
    %h = arith.shrui %m, %c3 : i32
    %r = arith.xori %s, %h : i32
    "test.use"(%r) : (i32) -> ()
  }
  return
}

// A mask with a hole, and one that moves bits below zero, are no swizzles.
// CHECK-LABEL: func.func @no_swizzle
// CHECK: arith.andi %{{.*}}, %c320_i32
// CHECK: %[[A:.*]] = arith.xori
// CHECK: %[[B:.*]] = arith.xori
// CHECK: return %[[A]], %[[B]]
func.func @no_swizzle(%x: i32) -> (i32, i32) {
  %c3 = arith.constant 3 : i32
  %c7 = arith.constant 7 : i32
  %c320 = arith.constant 320 : i32
  %c448 = arith.constant 448 : i32
  %c512 = arith.constant 512 : i32
  %s = arith.addi %x, %c512 : i32
  %m = arith.andi %s, %c320 : i32
  %h = arith.shrui %m, %c3 : i32
  %a = arith.xori %s, %h : i32
  %m2 = arith.andi %s, %c448 : i32
  %h2 = arith.shrui %m2, %c7 : i32
  %b = arith.xori %s, %h2 : i32
  return %a, %b : i32, i32
}
