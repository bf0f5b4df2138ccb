// RUN: %fly-opt %s -split-input-file -verify-diagnostics

// Division by a known zero is a fault in the original; `*` counts as zero (7.16).

func.func @by_zero(%a: !fly.int_tuple<4>, %z: !fly.int_tuple<0>) {
  // expected-error-re @+1 {{{{.*}}zero}}
  %0 = fly.int_tuple_div(%a, %z) : (!fly.int_tuple<4>, !fly.int_tuple<0>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @by_none(%a: !fly.int_tuple<4>, %z: !fly.int_tuple<*>) {
  // expected-error-re @+1 {{{{.*}}zero}}
  %0 = fly.int_tuple_mod(%a, %z) : (!fly.int_tuple<4>, !fly.int_tuple<*>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @shape_div(%a: !fly.int_tuple<10>, %b: !fly.int_tuple<4>) {
  // expected-error @+1 {{neither of 10 and 4 divides the other}}
  %0 = fly.shape_div(%a, %b) : (!fly.int_tuple<10>, !fly.int_tuple<4>) -> !fly.int_tuple<3>
  return
}

// -----

// 7.15: a leaf against a tuple crashes the original.
func.func @leaf_and_tuple(%a: !fly.int_tuple<4>, %b: !fly.int_tuple<(2,3)>) {
  // expected-error-re @+1 {{{{.*}}4{{.*}}(2,3){{.*}}}}
  %0 = fly.int_tuple_add(%a, %b) : (!fly.int_tuple<4>, !fly.int_tuple<(2,3)>) -> !fly.int_tuple<6>
  return
}

// -----

func.func @vector_and_integer(%a: !fly.int_tuple<1E0>, %b: !fly.int_tuple<3>) {
  // expected-error-re @+1 {{cannot add {{.*}}one is an integer, the other a vector}}
  %0 = fly.int_tuple_add(%a, %b) : (!fly.int_tuple<1E0>, !fly.int_tuple<3>) -> !fly.int_tuple<4>
  return
}

// -----

// Nothing wraps at 64 bits.
func.func @overflow(%a: !fly.int_tuple<4294967296>) {
  // expected-error-re @+1 {{{{.*}}4294967296{{.*}}}}
  %0 = fly.int_tuple_mul(%a, %a) : (!fly.int_tuple<4294967296>, !fly.int_tuple<4294967296>) -> !fly.int_tuple<0>
  return
}

// -----

// 7.31
func.func @longer_guide(%a: !fly.int_tuple<(2,3)>, %g: !fly.int_tuple<(1,1,1)>) {
  // expected-error-re @+1 {{{{.+}}}}
  %0 = fly.int_tuple_product_like(%a, %g) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(1,1,1)>) -> !fly.int_tuple<6>
  return
}

// -----

// Vectors have no order.
func.func @basis_order(%a: !fly.int_tuple<(1E0,2)>, %b: !fly.int_tuple<(2,3)>) {
  // expected-error-re @+1 {{{{.*}}1E0{{.*}}}}
  %0 = fly.elem_less(%a, %b) : (!fly.int_tuple<(1E0,2)>, !fly.int_tuple<(2,3)>) -> i1
  return
}
