// RUN: %fly-opt %s -verify-roundtrip | FileCheck %s

// Stand-alone attributes: one blank between mnemonic and body, so that what is
// printed reads back (7.26). Spellings that run them together are read too.

// CHECK-LABEL: func.func private @canonical()
// CHECK-SAME: align = #fly<align align<16>>
// CHECK-SAME: basis = #fly<basis 4E2E0>
// CHECK-SAME: chain = #fly<composed_layout S<3,3,3> o 0 o 4:1>
// CHECK-SAME: coord_swizzle = #fly<coord_swizzle CS<3,0,[1, 0],0,[2]>>
// CHECK-SAME: dynamic = #fly<int ?{i64 div=2}>
// CHECK-SAME: int = #fly<int 4>
// CHECK-SAME: layout = #fly<layout (4,8):(1,4)>
// CHECK-SAME: module = #fly.explicit_module
// CHECK-SAME: operand = #fly<mma_operand a>
// CHECK-SAME: order = #fly<gemm_traversal_order kmn_serpentine>
// CHECK-SAME: policy = #fly<cache_policy cache_always>
// CHECK-SAME: space = #fly<address_space shared>
// CHECK-SAME: swizzle = #fly<swizzle S<3,3,3>>
// CHECK-SAME: tile = #fly<tile [4|*|(2,2):(1,4)]>
// CHECK-SAME: tuple = #fly<int_tuple (4,(?,8))>
func.func private @canonical() attributes {
  align = #fly<align align<16>>,
  basis = #fly<basis 4E2E0>,
  chain = #fly<composed_layout S<3,3,3> o 0 o 4:1>,
  coord_swizzle = #fly<coord_swizzle CS<3,0,[1, 0],0,[2]>>,
  dynamic = #fly<int ?{i64 div=2}>,
  int = #fly<int 4>,
  layout = #fly<layout (4,8):(1,4)>,
  module = #fly.explicit_module,
  operand = #fly<mma_operand a>,
  order = #fly<gemm_traversal_order kmn_serpentine>,
  policy = #fly<cache_policy cache_always>,
  space = #fly<address_space shared>,
  swizzle = #fly<swizzle S<3,3,3>>,
  tile = #fly<tile [4|*|(2,2):(1,4)]>,
  tuple = #fly<int_tuple (4,(?,8))>
}

// CHECK-LABEL: func.func private @joined()
// CHECK-SAME: basis = #fly<basis 1E0>
// CHECK-SAME: chain = #fly<composed_layout S<3,3,3> o 0 o 4:1>
// CHECK-SAME: coord_swizzle = #fly<coord_swizzle CS<3,0,[1],0,[2]>>
// CHECK-SAME: dynamic = #fly<int ?{i64 div=2}>
// CHECK-SAME: int = #fly<int 4>
// CHECK-SAME: layout = #fly<layout (4,8):(1,4)>
// CHECK-SAME: swizzle = #fly<swizzle S<3,3,3>>
// CHECK-SAME: tile = #fly<tile [4|8]>
// CHECK-SAME: tuple = #fly<int_tuple (4,8)>
func.func private @joined() attributes {
  basis = #fly.basis1E0,
  chain = #fly<composed_layoutS<3,3,3> o 0 o 4:1>,
  coord_swizzle = #fly.coord_swizzleCS<3,0,[1],0,[2]>,
  dynamic = #fly<int?{i64 div=2}>,
  int = #fly.int4,
  layout = #fly<layout(4,8):(1,4)>,
  swizzle = #fly.swizzleS<3,3,3>,
  tile = #fly<tile[4|8]>,
  tuple = #fly<int_tuple(4,8)>
}

// Each enum and each of its keywords.
// CHECK-LABEL: func.func private @enums()
// CHECK-SAME: atomics = [#fly<atomic_op add>, #fly<atomic_op max>, #fly<atomic_op min>, #fly<atomic_op and>, #fly<atomic_op or>, #fly<atomic_op inc>, #fly<atomic_op dec>]
// CHECK-SAME: operands = [#fly<mma_operand a>, #fly<mma_operand b>, #fly<mma_operand c>, #fly<mma_operand d>]
// CHECK-SAME: orders = [#fly<gemm_traversal_order kmn>, #fly<gemm_traversal_order knm>, #fly<gemm_traversal_order mkn>, #fly<gemm_traversal_order mnk>, #fly<gemm_traversal_order nkm>, #fly<gemm_traversal_order nmk>, #fly<gemm_traversal_order knm_serpentine>, #fly<gemm_traversal_order mkn_serpentine>, #fly<gemm_traversal_order mnk_serpentine>, #fly<gemm_traversal_order nkm_serpentine>, #fly<gemm_traversal_order nmk_serpentine>]
// CHECK-SAME: policies = [#fly<cache_policy cache_global>, #fly<cache_policy cache_always>]
// CHECK-SAME: spaces = [#fly<address_space generic>, #fly<address_space global>, #fly<address_space shared>, #fly<address_space register>]
func.func private @enums() attributes {
  atomics = [#fly<atomic_op add>, #fly<atomic_op max>, #fly<atomic_op min>,
             #fly<atomic_op and>, #fly<atomic_op or>, #fly<atomic_op inc>,
             #fly<atomic_op dec>],
  operands = [#fly<mma_operand a>, #fly<mma_operand b>, #fly<mma_operand c>,
              #fly<mma_operand d>],
  orders = [#fly<gemm_traversal_order kmn>, #fly<gemm_traversal_order knm>,
            #fly<gemm_traversal_order mkn>, #fly<gemm_traversal_order mnk>,
            #fly<gemm_traversal_order nkm>, #fly<gemm_traversal_order nmk>,
            #fly<gemm_traversal_order knm_serpentine>,
            #fly<gemm_traversal_order mkn_serpentine>,
            #fly<gemm_traversal_order mnk_serpentine>,
            #fly<gemm_traversal_order nkm_serpentine>,
            #fly<gemm_traversal_order nmk_serpentine>],
  policies = [#fly<cache_policy cache_global>, #fly<cache_policy cache_always>],
  spaces = [#fly<address_space generic>, #fly<address_space global>,
            #fly<address_space shared>, #fly<address_space register>]
}
