// RUN: %fly-opt %s -split-input-file -verify-diagnostics

// 7.1, 7.2, 7.9, 7.19: what the original accepts or crashes on.

// expected-error @+1 {{shape (4,8) and stride 1 are not congruent}}
func.func private @incongruent_leaf() attributes {a = #fly<layout (4,8):1>}

// -----

// expected-error @+1 {{shape 4 and stride (1,2) are not congruent}}
func.func private @incongruent_tuple() attributes {a = #fly<layout 4:(1,2)>}

// -----

// expected-error-re @+1 {{{{swizzle|mask}}{{.*}}-1}}
func.func private @negative_swizzle() attributes {a = #fly<swizzle S<-1,2,3>>}

// -----

// expected-error-re @+1 {{{{.*}}31}}
func.func private @wide_swizzle() attributes {a = #fly<swizzle S<12,12,12>>}

// -----

// expected-error @+1 {{shape (4,8) and stride 1 are not congruent}}
func.func private @incongruent_outer() attributes {a = #fly<composed_layout S<1,2,3> o 0 o (4,8):1>}

// -----

// expected-error @+1 {{expected a composed layout, found the layout (8,8):(1,8)}}
func.func private @not_composed() attributes {a = #fly<composed_layout (8,8):(1,8)>}

// -----

// expected-error @+1 {{a tile must be static, found ?}}
func.func private @dynamic_tile() attributes {a = #fly<tile [?|2]>}

// -----

// expected-error @+1 {{alignment must be positive, found 0}}
func.func private @no_alignment() attributes {a = #fly<align align<0>>}

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @none_alone() attributes {a = #fly<int *>}

// -----

// expected-error-re @+1 {{{{.+}}}}
func.func private @no_basis() attributes {a = #fly<basis 4>}

// -----

// expected-error @+1 {{unknown attribute 'nonsense' in dialect 'fly'}}
func.func private @unknown() attributes {a = #fly.nonsense}

// -----

// expected-error @+2 {{expected one of [a, b, c, d]}}
// expected-error-re @+1 {{failed to parse {{.*}} 'value'}}
func.func private @keyword() attributes {a = #fly<mma_operand e>}

// -----

// expected-error @+1 {{expected a swizzle S<mask,base,shift>, found 'X'}}
func.func private @no_swizzle(!fly.swizzle<X>)

// -----

// expected-error @+1 {{expected a coordinate swizzle CS<mask,rowBase,[path],colBase,[path]>, found }}
func.func private @no_coord_swizzle(!fly.coord_swizzle<X>)

// -----

// expected-error @+1 {{expected an integer or '?'}}
func.func private @no_int() attributes {a = #fly<int x>}

// -----

// expected-error @+1 {{expected a basis element such as 2E0}}
func.func private @no_basis() attributes {a = #fly<basis x>}
