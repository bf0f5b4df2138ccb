// RUN: %fly-opt %s -split-input-file -verify-diagnostics

// 7.8: both divisibility conditions of composition are diagnosed.
func.func @stride(%a: !fly.layout<(4,4):(4,1)>, %b: !fly.layout<6:3>) {
  // expected-error-re @+1 {{stride 3 does not divide shape 4 {{.*}}}}
  %0 = fly.composition(%a, %b) : (!fly.layout<(4,4):(4,1)>, !fly.layout<6:3>) -> !fly.layout<(2,3):(12,1)>
  return
}

// -----

func.func @shape(%a: !fly.layout<(6,4):(4,1)>, %b: !fly.layout<9:1>) {
  // expected-error-re @+1 {{shape 9 is not a multiple of {{.*}}}}
  %0 = fly.composition(%a, %b) : (!fly.layout<(6,4):(4,1)>, !fly.layout<9:1>) -> !fly.layout<6:4>
  return
}

// -----

// 7.7: `*` has no tile and rest to zip.
func.func @none_in_zipped(%a: !fly.layout<(12,10):(10,1)>, %t: !fly.tile<[*|5]>) {
  // expected-error @+1 {{* in the tile [*|5] leaves no pair to split}}
  %0 = fly.zipped_divide(%a, %t) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[*|5]>) -> !fly.layout<4:1>
  return
}

// -----

func.func @long_tile(%a: !fly.layout<(12,10):(10,1)>, %t: !fly.tile<[3|5|7]>) {
  // expected-error @+1 {{tile [3|5|7] has 3 modes, the layout (12,10):(10,1) has 2}}
  %0 = fly.logical_divide(%a, %t) : (!fly.layout<(12,10):(10,1)>, !fly.tile<[3|5|7]>) -> !fly.layout<4:1>
  return
}

// -----

// 7.30
func.func @not_injective(%l: !fly.layout<(2,3):(1,1)>, %m: !fly.int_tuple<12>) {
  // expected-error-re @+1 {{{{.*}}not injective{{.*}}}}
  %0 = fly.complement(%l, %m) : (!fly.layout<(2,3):(1,1)>, !fly.int_tuple<12>) -> !fly.layout<4:1>
  return
}

// -----

func.func @tuple_codomain(%l: !fly.layout<3:5>, %m: !fly.int_tuple<(3,5)>) {
  // expected-error-re @+1 {{{{.*}}(3,5){{.*}}}}
  %0 = fly.complement(%l, %m) : (!fly.layout<3:5>, !fly.int_tuple<(3,5)>) -> !fly.layout<5:1>
  return
}

// -----

// 7.6: negative strides have no complement.
func.func @negative_complement(%l: !fly.layout<4:-1>) {
  // expected-error-re @+1 {{{{.*}}-1{{.*}}}}
  %0 = fly.complement(%l) : (!fly.layout<4:-1>) -> !fly.layout<5:1>
  return
}

// -----

// 7.29
func.func @idx2crd_broadcast(%i: !fly.int_tuple<3>, %l: !fly.layout<(4,6):(0,1)>) {
  // expected-error-re @+1 {{{{.*}}stride 0{{.*}}}}
  %0 = fly.idx2crd(%i, %l) : (!fly.int_tuple<3>, !fly.layout<(4,6):(0,1)>) -> !fly.int_tuple<(0,3)>
  return
}

// -----

// 7.20
func.func @recast_swizzle(%c: !fly.composed_layout<S<2,0,3> o 4 o (8,8):(1,8)>) {
  // expected-error-re @+1 {{{{.+}}}}
  %0 = fly.recast_layout(%c) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.composed_layout<S<2,0,3> o 4 o (8,8):(1,8)>) -> !fly.layout<4:1>
  return
}

// -----

func.func @swizzled_tuple(%c: !fly.int_tuple<(1,2)>, %s: !fly.swizzle<S<2,0,3>>) {
  // expected-error-re @+1 {{{{.*}}(1,2){{.*}}}}
  %0 = fly.crd2idx(%c, %s) : (!fly.int_tuple<(1,2)>, !fly.swizzle<S<2,0,3>>) -> !fly.int_tuple<1>
  return
}

// -----

func.func @coordinate_rank(%c: !fly.int_tuple<(1,2,3)>, %l: !fly.layout<(3,5):(1,3)>) {
  // expected-error @+1 {{coordinate (1,2,3) does not match the shape (3,5)}}
  %0 = fly.crd2idx(%c, %l) : (!fly.int_tuple<(1,2,3)>, !fly.layout<(3,5):(1,3)>) -> !fly.int_tuple<1>
  return
}
