// All twelve orders on a 2x2x2 gemm, each as the sequence of `mnk` and the
// accumulator's source (c or d), read from the offsets of the operands.
// RUN: %fly-opt %s --fly-rewrite-func-signature --fly-canonicalize --fly-layout-lowering | %python %S/Inputs/gemm_order.py %s

!acc = !fly.memref<f32, register, (1,2,2):(0,1,2)>
!lhs = !fly.memref<f32, global, (1,2,2):(0,1,2)>
!atom = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>

// ORDER nmk: 000c 010c 100c 110c 001d 011d 101d 111d
func.func @nmk(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order nmk>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// ORDER kmn: 000c 001d 100c 101d 010c 011d 110c 111d
func.func @kmn(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order kmn>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// ORDER knm: 000c 001d 010c 011d 100c 101d 110c 111d
func.func @knm(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order knm>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// ORDER mkn: 000c 100c 001d 101d 010c 110c 011d 111d
func.func @mkn(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order mkn>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// ORDER mnk: 000c 100c 010c 110c 001d 101d 011d 111d
func.func @mnk(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order mnk>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// ORDER nkm: 000c 010c 001d 011d 100c 110c 101d 111d
func.func @nkm(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order nkm>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// ORDER kmn_serpentine: 000c 001d 101c 100d 110c 111d 011c 010d
func.func @kmn_serpentine(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order kmn_serpentine>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// ORDER knm_serpentine: 000c 001d 011c 010d 110c 111d 101c 100d
func.func @knm_serpentine(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order knm_serpentine>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// ORDER mkn_serpentine: 000c 100c 101d 001d 011c 111c 110d 010d
func.func @mkn_serpentine(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order mkn_serpentine>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// ORDER mnk_serpentine: 000c 100c 110c 010c 011d 111d 101d 001d
func.func @mnk_serpentine(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order mnk_serpentine>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// ORDER nkm_serpentine: 000c 010c 011d 001d 101c 111c 110d 100d
func.func @nkm_serpentine(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order nkm_serpentine>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// ORDER nmk_serpentine: 000c 010c 110c 100c 101d 111d 011d 001d
func.func @nmk_serpentine(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  fly.gemm(%at, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order nmk_serpentine>} : (!atom, !acc, !lhs, !lhs, !acc) -> ()
  return
}

// By a layout: k fastest, then n, then m.
// ORDER layout: 000c 001d 010c 011d 100c 101d 110c 111d
func.func @layout(%d: !acc, %a: !lhs, %b: !lhs, %c: !acc) {
  %at = fly.make_mma_atom : !atom
  %l = fly.static : !fly.layout<(2,2,2):(4,2,1)>
  fly.gemm(%at, %d, %a, %b, %c) traversalLayout = %l : (!atom, !acc, !lhs, !lhs, !acc, !fly.layout<(2,2,2):(4,2,1)>) -> ()
  return
}
