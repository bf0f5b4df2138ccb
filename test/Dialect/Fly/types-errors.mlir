// RUN: %fly-opt %s -split-input-file -verify-diagnostics

// 7.2: text on which the original crashes after (or before) its message.

// expected-error-re @+1 {{{{.+}}}}
func.func private @empty_tuple(!fly.int_tuple<()>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @trailing_comma(!fly.int_tuple<(1,)>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @bare_suffix(!fly.int_tuple<E0>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @bad_suffix(!fly.int_tuple<1E0x>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @no_mode(!fly.int_tuple<1E>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @lower_case(!fly.int_tuple<1e0>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @bad_width(!fly.int_tuple<?{i16}>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @wrong_order(!fly.int_tuple<?{div=4 i64}>)

// -----

// expected-error-re @+1 {{{{.*}}integer value too large}}
func.func private @too_large(!fly.int_tuple<9223372036854775808>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @hexadecimal(!fly.int_tuple<0x10>)

// -----

// 7.1
// expected-error-re @+1 {{{{.+}}}}
func.func private @zero_divisor(!fly.int_tuple<?{div=0}>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @two_leaves(!fly.int_tuple<4,8>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @empty_tile(!fly.tile<[]>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @tuple_tile(!fly.tile<(4,8)>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @basis_tile(!fly.tile<[1E0|2]>)

// -----

// 7.9
// expected-error @+1 {{a tile must be static, found ?{div=4}}}
func.func private @dynamic_tile(!fly.tile<[?{div=4}|2]>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @bare_swizzle(!fly.swizzle<3,4,3>)

// -----

// 7.2: a lone swizzle is no layout.
// expected-error-re @+1 {{{{.+}}}}
func.func private @lone_swizzle(!fly.memref<f16, global, S<1,2,3>>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @bracketed_head(!fly.composed_layout<[8:1 o 0 o 4:1] o 4 o 2:1>)

// -----

// expected-error @+1 {{shape (4,8) and stride (1,4,5) are not congruent}}
func.func private @incongruent(!fly.layout<(4,8):(1,4,5)>)

// -----

// expected-error @+1 {{shape (4,8) and stride 1 are not congruent}}
func.func private @incongruent_memref(!fly.memref<f32, global, (4,8):1>)

// -----

// 7.2
// expected-error @+1 {{expected an element type that is an integer or float of whole bytes or of 1, 2, 4 or 6 bits, found 'index'}}
func.func private @index_elements(!fly.ptr<index, global>)

// -----

// expected-error @+1 {{expected an element type that is an integer or float of whole bytes or of 1, 2, 4 or 6 bits, found 'vector<4xf32>'}}
func.func private @vector_elements(!fly.ptr<vector<4xf32>, global>)

// -----

// 7.25
// expected-error @+1 {{of 1, 2, 4 or 6 bits, found 'i12'}}
func.func private @odd_width(!fly.ptr<i12, global>)

// -----

// expected-error @+1 {{alignment 3 is not a positive multiple of 2, the bytes of 'f16'}}
func.func private @bad_alignment(!fly.ptr<f16, global, align<3>>)

// -----

// expected-error @+1 {{alignment 0 is not a positive multiple of 2, the bytes of 'f16'}}
func.func private @zero_alignment(!fly.memref<f16, global, 4:1, align<0>>)

// -----

// expected-error @+1 {{expected ',' and an address space after the element type 'f16', found '>'}}
func.func private @no_space(!fly.ptr<f16>)

// -----

// expected-error @+1 {{expected an address space generic, global, shared or register, or an attribute, found 'local'}}
func.func private @unknown_space(!fly.ptr<f16, local>)

// -----

// expected-error @+1 {{expected an address space generic, global, shared or register, or an attribute, found '>'}}
func.func private @no_keyword(!fly.ptr<f16, >)

// -----

// The usual slips: what is missing, in the wrong order, or without brackets.
// expected-error @+1 {{expected an address space generic, global, shared or register, or an attribute, found '('}}
func.func private @layout_for_space(!fly.memref<f32, (4,8):(1,4)>)

// -----

// expected-error @+1 {{expected an element type such as f32, found 'global'}}
func.func private @space_first(!fly.memref<global, f32, 4:1>)

// -----

// expected-error @+1 {{expected ',' and a layout after the address space, found '>'}}
func.func private @no_layout(!fly.memref<f32, global>)

// -----

// expected-error @+1 {{expected ',' and a layout after the base, found ':'}}
func.func private @no_base(!fly.coord_tensor<(4,8):(1E0,1E1)>)

// -----

// expected-error @+1 {{expected 'align<bytes>' or a swizzle S<mask,base,shift>, in this order, found '16'}}
func.func private @bare_alignment(!fly.memref<f32, global, 4:1, 16>)

// -----

// expected-error @+1 {{the swizzle comes last, after 'align<bytes>'; found 'align'}}
func.func private @swizzle_first(!fly.memref<f32, global, 4:1, S<1,2,3>, align<16>>)

// -----

// expected-error @+1 {{a tuple needs parentheses, as in (4,8); found ',' after 4}}
func.func private @bare_tuple(!fly.int_tuple<4,8>)

// -----

// expected-error @+1 {{expected ':' and a stride after the shape 4, as in (4,8):(1,4), found ','}}
func.func private @bare_layout(!fly.layout<4,8:1,4>)

// -----

// expected-error @+1 {{expected ':' and a stride after the shape (4,8), as in (4,8):(1,4), found '>'}}
func.func private @no_stride(!fly.layout<(4,8)>)

// -----

// expected-error @+1 {{expected '>' at the end of the type, found ','}}
func.func private @bare_stride(!fly.layout<4:1,4>)

// -----

// expected-error @+1 {{a tile for each mode needs brackets, as in [4|8]}}
func.func private @bare_tile(!fly.tile<4|8>)

// -----

// expected-error @+1 {{expected '|' or ']' in the tile, found ','}}
func.func private @comma_in_tile(!fly.tile<[4,8]>)

// -----

// expected-error @+1 {{expected ',' or ')' in the tuple, found 'e0'}}
func.func private @small_basis(!fly.int_tuple<(4,1e0)>)

// -----

// expected-error @+1 {{expected '}' after the width and the divisor, as in ?{i64 div=4}, found 'i16'}}
func.func private @width(!fly.int_tuple<?{i16}>)

// -----

// expected-error @+1 {{expected ',' in the swizzle S<mask,base,shift>, found '>'}}
func.func private @short_swizzle(!fly.swizzle<S<3,3>>)

// -----

// expected-error @+1 {{expected 'o' and a layout after the offset (8,8), as in S<3,3,3> o 0 o (8,8):(8,1), found ':'}}
func.func private @no_offset(!fly.composed_layout<S<3,3,3> o (8,8):(1,8)>)

// -----

// A wrong keyword is answered with the right ones.
// expected-error @+2 {{expected one of [generic, global, shared, register] for an address space, got: lds}}
// expected-error-re @+1 {{failed to parse {{.*}} 'value'}}
func.func private @space_keyword() attributes {a = #fly<address_space lds>}

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @layout_for_space(!fly.memref<f16, (4,8):(1,4)>)

// -----

// The order is fixed.
// expected-error-re @+1 {{{{.+}}}}
func.func private @swizzle_first(!fly.ptr<f16, shared, S<3,3,3>, align<16>>)

// -----

// 7.24
// expected-error @+1 {{expected a positive multiple of 8 bits, found 12}}
func.func private @odd_copy(!fly.universal_copy<12>)

// -----

// expected-error @+1 {{expected a positive multiple of 8 bits, found -8}}
func.func private @negative_copy(!fly.universal_copy<-8>)

// -----

// expected-error @+1 {{expected an atomic operation add, max, min, and, or, inc or dec, found 'swap'}}
func.func private @unknown_atomic(!fly.universal_atomic<swap, f32>)

// -----

// expected-error @+1 {{expected a value type of whole bytes, found 'i1'}}
func.func private @bit_atomic(!fly.universal_atomic<add, i1>)

// -----

// expected-error @+1 {{expected 1x1x1, found 1x2x1}}
func.func private @wide_fma(!fly.universal_fma<1x2x1, (f32, f32) -> f32>)

// -----

// expected-error @+1 {{expected one element type, found 'f16', 'f16' and 'f32'}}
func.func private @mixed_fma(!fly.universal_fma<1x1x1, (f16, f16) -> f32>)

// -----

// expected-error @+1 {{expected three dimensions MxNxK, found 2}}
func.func private @two_dimensions(!fly.universal_fma<1x1, (f32, f32) -> f32>)

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @dynamic_dimension(!fly.universal_fma<1x?x1, (f32, f32) -> f32>)

// -----

// expected-error @+1 {{expected the bits of one value, found -1}}
func.func private @negative_value_bits(!fly.copy_atom<!fly.universal_copy<64>, -1>)

// -----

// The bare body of a layout is no layout type.
// expected-error-re @+1 {{{{.+}}}}
func.func private @bare_body(!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, (4,8):(1,4), <8>>)

// -----

// expected-error @+1 {{dimensions must be positive, found 0}}
func.func private @no_extent(!fly.mma_atom<!fly.universal_fma<0x1x1, (f32, f32) -> f32>>)

// -----

// expected-error @+1 {{expected an integer or float element type, found 'index'}}
func.func private @index_fma(!fly.mma_atom<!fly.universal_fma<1x1x1, (index, index) -> index>>)

// -----

// expected-error @+1 {{unexpected word 'x'}}
func.func private @stray_word(!fly.int_tuple<4x>)
