// RUN: %fly-opt %s -split-input-file -verify-diagnostics

// 7.4: operands of the tuple constructors.
func.func @missing_operand() {
  // expected-error @+1 {{expected 1 operands for the dynamic leaves of '!fly.int_tuple<?>', found 0}}
  %0 = fly.make_int_tuple() : () -> !fly.int_tuple<?>
  return
}

// -----

func.func @spare_operand(%i: i32) {
  // expected-error @+1 {{expected 0 operands for the dynamic leaves of '!fly.int_tuple<4>', found 1}}
  %0 = fly.make_shape(%i) : (i32) -> !fly.int_tuple<4>
  return
}

// -----

func.func @narrow_operand(%i: i32) {
  // expected-error @+1 {{expected i64 for dynamic leaf #0 of '!fly.int_tuple<?{i64}>', found 'i32'}}
  %0 = fly.make_stride(%i) : (i32) -> !fly.int_tuple<?{i64}>
  return
}

// -----

func.func @wide_operand(%i: i64) {
  // expected-error @+1 {{expected i32 for dynamic leaf #0 of '!fly.int_tuple<(*,?)>', found 'i64'}}
  %0 = fly.make_coord(%i) : (i64) -> !fly.int_tuple<(*,?)>
  return
}

// -----

func.func @dynamic_static() {
  // expected-error @+1 {{type carries run-time values: '!fly.int_tuple<?>'}}
  %0 = fly.static : !fly.int_tuple<?>
  return
}

// -----

func.func @foreign_static() {
  // expected-error @+1 {{expected a type that may be static, found 'i32'}}
  %0 = fly.static : i32
  return
}

// -----

func.func @incongruent(%s: !fly.int_tuple<(4,8)>, %d: !fly.int_tuple<1>) {
  // expected-error @+1 {{shape (4,8) and stride 1 are not congruent}}
  %0 = fly.make_layout(%s, %d) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<1>) -> !fly.layout<4:1>
  return
}

// -----

func.func @wrong_type(%s: !fly.int_tuple<4>, %d: !fly.int_tuple<1>) {
  // expected-error @+1 {{result type: written '!fly.layout<4:2>', expected '!fly.layout<4:1>'; stride: written 2, expected 1}}
  %0 = fly.make_layout(%s, %d) : (!fly.int_tuple<4>, !fly.int_tuple<1>) -> !fly.layout<4:2>
  return
}

// -----

func.func @no_element_type(%l: !fly.layout<4:1>) {
  // expected-error @+1 {{a fragment of a source without elements needs an element type, found !fly.layout<4:1>}}
  %0 = fly.make_fragment_like(%l) : (!fly.layout<4:1>) -> !fly.memref<f32, register, 4:1>
  return
}

// -----

func.func @odd_element_type(%l: !fly.layout<4:1>) {
  // expected-error @+1 {{expected an element type that is an integer or float, found index}}
  %0 = fly.make_fragment_like(%l, index) : (!fly.layout<4:1>) -> !fly.memref<f32, register, 4:1>
  return
}

// -----

func.func @dynamic_fragment(%l: !fly.layout<?:1>) {
  // expected-error @+1 {{a fragment needs a static shape, found ?}}
  %0 = fly.make_fragment_layout_like(%l) : (!fly.layout<?:1>) -> !fly.layout<?:1>
  return
}

// -----

// 7.32: the classes of operands have names.
func.func @wrong_class(%f: f32, %l: !fly.layout<4:1>) {
  // expected-error @+1 {{operand #0 must be int_tuple or ptr, but got 'f32'}}
  %0 = "fly.make_view"(%f, %l) : (f32, !fly.layout<4:1>) -> !fly.memref<f32, register, 4:1>
  return
}
