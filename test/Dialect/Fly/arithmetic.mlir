// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s

// Specification 3.4, 4.2, 4.3: types that the written result must equal.

// CHECK-LABEL: func.func @tuples
func.func @tuples(%a: !fly.int_tuple<(4,8,5)>, %b: !fly.int_tuple<(2,4)>) {
  // CHECK: fly.int_tuple_add(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(6,12,5)>
  %0 = fly.int_tuple_add(%a, %b) : (!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(6,12,5)>
  %1 = fly.int_tuple_sub(%a, %b) : (!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(2,4,5)>
  %2 = fly.int_tuple_mul(%a, %b) : (!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(8,32,5)>
  %3 = fly.int_tuple_div(%a, %b) : (!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(2,2,5)>
  %4 = fly.int_tuple_mod(%a, %b) : (!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(0,0,5)>
  // CHECK: fly.ceil_div
  %5 = fly.ceil_div(%a, %b) : (!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(2,2,5)>
  // CHECK: fly.shape_div
  %6 = fly.shape_div(%a, %b) : (!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(2,2,5)>
  // CHECK: fly.elem_less(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,4)>) -> i1
  %7 = fly.elem_less(%a, %b) : (!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,4)>) -> i1
  // CHECK: fly.equal
  %8 = fly.equal(%a, %b) : (!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,4)>) -> i1
  return
}

// Widths and promises of unknown leaves.
// CHECK-LABEL: func.func @unknown
func.func @unknown(%q: !fly.int_tuple<?>, %q4: !fly.int_tuple<?{div=4}>, %q6: !fly.int_tuple<?{div=6}>,
                   %w4: !fly.int_tuple<?{i64 div=4}>, %six: !fly.int_tuple<6>, %one: !fly.int_tuple<1>,
                   %zero: !fly.int_tuple<0>, %big: !fly.int_tuple<4294967296>) {
  %0 = fly.int_tuple_add(%q4, %six) : (!fly.int_tuple<?{div=4}>, !fly.int_tuple<6>) -> !fly.int_tuple<?{div=2}>
  %1 = fly.int_tuple_mul(%six, %q4) : (!fly.int_tuple<6>, !fly.int_tuple<?{div=4}>) -> !fly.int_tuple<?{div=24}>
  %2 = fly.int_tuple_add(%w4, %q6) : (!fly.int_tuple<?{i64 div=4}>, !fly.int_tuple<?{div=6}>) -> !fly.int_tuple<?{i64 div=2}>
  %3 = fly.int_tuple_mod(%q4, %six) : (!fly.int_tuple<?{div=4}>, !fly.int_tuple<6>) -> !fly.int_tuple<?{div=2}>
  %4 = fly.int_tuple_mod(%q, %one) : (!fly.int_tuple<?>, !fly.int_tuple<1>) -> !fly.int_tuple<0>
  %5 = fly.ceil_div(%one, %q) : (!fly.int_tuple<1>, !fly.int_tuple<?>) -> !fly.int_tuple<1>
  %6 = fly.int_tuple_mul(%q, %zero) : (!fly.int_tuple<?>, !fly.int_tuple<0>) -> !fly.int_tuple<0>
  %7 = fly.int_tuple_sub(%zero, %q4) : (!fly.int_tuple<0>, !fly.int_tuple<?{div=4}>) -> !fly.int_tuple<?{div=4}>
  // 7.14: dividing by one drops the promise.
  %8 = fly.int_tuple_div(%q4, %one) : (!fly.int_tuple<?{div=4}>, !fly.int_tuple<1>) -> !fly.int_tuple<?>
  // A known number beyond 32 bits makes the answer 64 wide.
  %9 = fly.int_tuple_add(%q, %big) : (!fly.int_tuple<?>, !fly.int_tuple<4294967296>) -> !fly.int_tuple<?{i64}>
  return
}

// 7.12: magnitudes count, and a product that does not fit promises less.
// CHECK-LABEL: func.func @promises
func.func @promises(%q: !fly.int_tuple<?{div=8}>, %m: !fly.int_tuple<-2>) {
  %0 = fly.int_tuple_mul(%q, %m) : (!fly.int_tuple<?{div=8}>, !fly.int_tuple<-2>) -> !fly.int_tuple<?{div=16}>
  return
}

// Numbers do not wrap at 32 bits.
// CHECK-LABEL: func.func @wide
func.func @wide(%a: !fly.int_tuple<65536>) {
  %0 = fly.int_tuple_mul(%a, %a) : (!fly.int_tuple<65536>, !fly.int_tuple<65536>) -> !fly.int_tuple<4294967296>
  return
}

// CHECK-LABEL: func.func @basis
func.func @basis(%e0: !fly.int_tuple<2E0>, %e2: !fly.int_tuple<5E2>, %zero: !fly.int_tuple<0>, %b: !fly.int_tuple<3E0>) {
  %0 = fly.int_tuple_add(%e0, %e2) : (!fly.int_tuple<2E0>, !fly.int_tuple<5E2>) -> !fly.int_tuple<(2,0,5)>
  %1 = fly.int_tuple_add(%e0, %b) : (!fly.int_tuple<2E0>, !fly.int_tuple<3E0>) -> !fly.int_tuple<(5)>
  %2 = fly.int_tuple_add(%e0, %zero) : (!fly.int_tuple<2E0>, !fly.int_tuple<0>) -> !fly.int_tuple<2E0>
  %3 = fly.int_tuple_mul(%zero, %e0) : (!fly.int_tuple<0>, !fly.int_tuple<2E0>) -> !fly.int_tuple<0E0>
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%t: !fly.int_tuple<(?{div=4},(3,?{i64}))>, %n: !fly.int_tuple<(4,*)>, %g: !fly.int_tuple<(1,1)>) {
  // CHECK: fly.int_tuple_product(
  %0 = fly.int_tuple_product(%t) : (!fly.int_tuple<(?{div=4},(3,?{i64}))>) -> !fly.int_tuple<?{i64 div=12}>
  %1 = fly.int_tuple_product_each(%t) : (!fly.int_tuple<(?{div=4},(3,?{i64}))>) -> !fly.int_tuple<(?{div=4},?{i64 div=3})>
  %2 = fly.int_tuple_product_like(%t, %g) : (!fly.int_tuple<(?{div=4},(3,?{i64}))>, !fly.int_tuple<(1,1)>) -> !fly.int_tuple<(?{div=4},?{i64 div=3})>
  %3 = fly.int_tuple_product(%n) : (!fly.int_tuple<(4,*)>) -> !fly.int_tuple<0>
  return
}
