// RUN: %fly-opt %s -allow-unregistered-dialect -split-input-file -fly-rewrite-func-signature -verify-diagnostics
//
// P3: what cannot hand a layout type on is an error where it is.

func.func @unknown_region(%t: !fly.int_tuple<?>) {
  // expected-error @below {{cannot hand on a value of type '!fly.int_tuple<?>'; expected one of func.func}}
  %r = "test.region"() ({
    "test.end"() : () -> ()
  }) : () -> !fly.int_tuple<?>
  return
}

// -----

func.func @region_argument() {
  // expected-error @below {{'test.region' op cannot hand on a value of type '!fly.layout<4:1>'; expected one of func.func, gpu.func, func.call, func.return, gpu.return, gpu.launch_func, scf.if, scf.for, scf.while, scf.index_switch, scf.execute_region, a branch or arith.select}}
  "test.region"() ({
  ^bb0(%l: !fly.layout<4:1>):
    "test.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @indirect(%t: !fly.int_tuple<?>) {
  // expected-error @below {{'func.constant' op cannot hand on a value of type '!fly.int_tuple<?>'; expected one of func.func, gpu.func, func.call, func.return, gpu.return, gpu.launch_func, scf.if, scf.for, scf.while, scf.index_switch, scf.execute_region, a branch or arith.select}}
  %f = func.constant @indirect : (!fly.int_tuple<?>) -> ()
  return
}

// -----

// The atom is static, the layout is not: nothing says which it is.
!tiled = !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, <(?,1):(1,1)>, <8>>
// expected-error @below {{a value of type '!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<(?,1):(1,1)>, !fly.tile<8>>' cannot be rebuilt from its type}}
func.func @unknown_tiling(%t: !tiled, %s: !fly.memref<f32, global, 1:1>) {
  fly.copy(%t, %s, %s) : (!tiled, !fly.memref<f32, global, 1:1>, !fly.memref<f32, global, 1:1>) -> ()
  return
}
