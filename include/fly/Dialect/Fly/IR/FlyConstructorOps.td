// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that make tuples, layouts, tensors and fragments (specification 3.2).

#ifndef FLY_DIALECT_FLY_IR_FLYCONSTRUCTOROPS_TD
#define FLY_DIALECT_FLY_IR_FLYCONSTRUCTOROPS_TD

include "fly/Dialect/Fly/IR/FlyOpBase.td"

def Fly_StaticOp : Fly_Op<"static", [Pure]> {
  let summary = "a value of a static type, from nothing";
  let description = [{
    The type must be one that may be static, and be static.

    ```mlir
    %t = fly.static : !fly.tile<[16|*]>
    ```
  }];
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

class Fly_MakeTupleOp<string mnemonic, string what> : Fly_Op<mnemonic, [Pure]> {
  let summary = "makes " # what # " from its dynamic leaves";
  let description = [{
    The operands are the dynamic leaves of the result type from left to right;
    each is i64 exactly where its leaf is 64 bits wide.

    ```mlir
    %t = fly.}] # mnemonic # [{(%m, %n) : (i32, i64) -> !fly.int_tuple<(?,(3,?{i64 div=8}))>
    ```
  }];
  let arguments = (ins Variadic<Fly_DynamicLeaf>:$leaves);
  let results = (outs Fly_IntTupleType:$result);
  let hasVerifier = 1;
}

def Fly_MakeIntTupleOp : Fly_MakeTupleOp<"make_int_tuple", "an int_tuple">;
def Fly_MakeShapeOp : Fly_MakeTupleOp<"make_shape", "a shape">;
def Fly_MakeStrideOp : Fly_MakeTupleOp<"make_stride", "a stride">;
def Fly_MakeCoordOp : Fly_MakeTupleOp<"make_coord", "a coordinate">;

def Fly_MakeLayoutOp : Fly_AlgebraOp<"make_layout"> {
  let summary = "shape:stride, which must be congruent";
  let description = [{
    ```mlir
    %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(4,?)>, !fly.int_tuple<(1,4)>) -> !fly.layout<(4,?):(1,4)>
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$shape, Fly_IntTupleType:$stride);
  let results = (outs Fly_LayoutType:$result);
}

def Fly_MakeLayoutLikeOp : Fly_AlgebraOp<"make_layout_like", [AcceptsLegacyType]> {
  let summary = "a compact layout with the shape and stride order of another";
  let description = [{
    Modes of stride 0 keep stride 0.

    ```mlir
    %r = fly.make_layout_like(%l) : (!fly.layout<(3,5):(10,2)>) -> !fly.layout<(3,5):(5,1)>
    ```
  }];
  let arguments = (ins Fly_LayoutType:$ref);
  let results = (outs Fly_LayoutType:$result);
}

def Fly_MakeOrderedLayoutOp : Fly_AlgebraOp<"make_ordered_layout"> {
  let summary = "a compact layout whose strides grow in the given order";
  let description = [{
    Each leaf of `order` stands over a subtree of `shape`; the subtree with the
    smallest order varies fastest. Equal orders start at the same stride.

    ```mlir
    %l = fly.make_ordered_layout(%s, %o) : (!fly.int_tuple<(3,5,2)>, !fly.int_tuple<(1,2,0)>) -> !fly.layout<(3,5,2):(2,6,1)>
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$shape, Fly_IntTupleType:$order);
  let results = (outs Fly_LayoutType:$result);
}

def Fly_MakeComposedLayoutOp : Fly_AlgebraOp<"make_composed_layout"> {
  let summary = "inner o offset o outer, as it is";
  let description = [{
    ```mlir
    %c = fly.make_composed_layout(%sw, %o, %l) : (!fly.swizzle<S<2,1,3>>, !fly.int_tuple<0>, !fly.layout<(8,4):(4,32)>) -> !fly.composed_layout<S<2,1,3> o 0 o (8,4):(4,32)>
    ```
  }];
  let arguments = (ins Fly_CoordMap:$inner, Fly_IntTupleType:$offset,
                       Fly_NarrowLayout:$outer);
  let results = (outs Fly_ComposedLayoutType:$result);
}

def Fly_MakeIdentityLayoutOp : Fly_AlgebraOp<"make_identity_layout"> {
  let summary = "the layout that maps a coordinate to itself";
  let description = [{
    ```mlir
    %l = fly.make_identity_layout(%s) : (!fly.int_tuple<(3,(5,2))>) -> !fly.layout<(3,(5,2)):(1E0,(1E1E0,1E1E1))>
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$shape);
  let results = (outs Fly_LayoutType:$result);
}

def Fly_MakeViewOp : Fly_AlgebraOp<"make_view"> {
  let summary = "an iterator with a layout";
  let description = [{
    A pointer gives a memref with its element type, space, alignment and
    swizzle; an int_tuple is the base of a coord_tensor.

    ```mlir
    %m = fly.make_view(%p, %l) : (!fly.ptr<f16, global, align<16>>, !fly.layout<8:1>) -> !fly.memref<f16, global, 8:1, align<16>>
    ```
  }];
  let arguments = (ins Fly_IteratorLike:$iter, Fly_NarrowLayout:$layout);
  let results = (outs Fly_TensorLike:$result);
}

def Fly_MakeFragmentLikeOp : Fly_AlgebraOpWithAttributes<"make_fragment_like"> {
  let summary = "a register memref with the fragment layout of a tensor";
  let description = [{
    The layout is compact: mode 0 is column major, the other modes follow in the
    order of their strides, modes of stride 0 keep it. The element type is
    `dtype`, or that of a memref source. The shape must be static.

    ```mlir
    %f = fly.make_fragment_like(%l, f32) : (!fly.layout<(3,5):(10,2)>) -> !fly.memref<f32, register, (3,5):(1,3)>
    ```
  }];
  let arguments = (ins Fly_FragmentSource:$src, OptionalAttr<TypeAttr>:$dtype);
  let results = (outs Fly_MemRefType:$result);
  let assemblyFormat = [{
    `(` $src (`,` $dtype^)? `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def Fly_MakeFragmentLayoutLikeOp : Fly_AlgebraOp<"make_fragment_layout_like"> {
  let summary = "the fragment layout of a layout or memref";
  let description = [{
    ```mlir
    %f = fly.make_fragment_layout_like(%l) : (!fly.layout<((2,3),5,4):((9,1),100,7)>) -> !fly.layout<((2,3),5,4):((1,2),24,6)>
    ```
  }];
  let arguments = (ins Fly_LayoutOrMemRef:$src);
  let results = (outs Fly_LayoutType:$result);
}

#endif // FLY_DIALECT_FLY_IR_FLYCONSTRUCTOROPS_TD
