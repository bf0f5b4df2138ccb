// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that take values apart (specification 3.3).

#ifndef FLY_DIALECT_FLY_IR_FLYEXTRACTOROPS_TD
#define FLY_DIALECT_FLY_IR_FLYEXTRACTOROPS_TD

include "fly/Dialect/Fly/IR/FlyOpBase.td"

def Fly_GetScalarOp : Fly_AlgebraOp<"get_scalar"> {
  let summary = "the one integer of a tuple";
  let description = [{
    Singleton tuples are stripped; what remains is a leaf, not `*`. A basis
    element answers its scale. Known numbers are i32, or i64 when they need it.

    ```mlir
    %i = fly.get_scalar(%t) : (!fly.int_tuple<(?{i64})>) -> i64
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$tuple);
  let results = (outs AnySignlessInteger:$result);
}

def Fly_GetLeavesOp : Fly_AlgebraOpWithAttributes<"get_leaves"> {
  let summary = "the leaves of a tuple as integers";
  let description = [{
    From left to right, each of at least 32 bits; with `dynamicOnly`, known
    leaves are left out.

    ```mlir
    %a, %b = fly.get_leaves(%t) : (!fly.int_tuple<(4,?{i64})>) -> (i32, i64)
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$tuple,
                       DefaultValuedAttr<BoolAttr, "false">:$dynamicOnly);
  let results = (outs Variadic<Fly_DynamicLeaf>:$leaves);
}

def Fly_GetShapeOp : Fly_AlgebraOp<"get_shape"> {
  let summary = "the shape of the linear layout";
  let description = [{
    ```mlir
    %s = fly.get_shape(%l) : (!fly.layout<(4,8):(1,4)>) -> !fly.int_tuple<(4,8)>
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$layout);
  let results = (outs Fly_IntTupleType:$result);
}

def Fly_GetStrideOp : Fly_AlgebraOp<"get_stride"> {
  let summary = "the stride of a plain layout";
  let description = [{
    ```mlir
    %d = fly.get_stride(%l) : (!fly.layout<(4,8):(1,4)>) -> !fly.int_tuple<(1,4)>
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$layout);
  let results = (outs Fly_IntTupleType:$result);
}

def Fly_GetLayoutOp : Fly_AlgebraOp<"get_layout"> {
  let summary = "the layout of a tensor";
  let description = [{
    ```mlir
    %l = fly.get_layout(%m) : (!fly.memref<f16, global, (4,8):(1,4)>) -> !fly.layout<(4,8):(1,4)>
    ```
  }];
  let arguments = (ins Fly_TensorLike:$tensor);
  let results = (outs Fly_NarrowLayout:$result);
}

def Fly_GetIterOp : Fly_AlgebraOp<"get_iter"> {
  let summary = "the pointer of a memref, the base of a coord_tensor";
  let description = [{
    ```mlir
    %p = fly.get_iter(%m) : (!fly.memref<f16, global, (4,8):(1,4)>) -> !fly.ptr<f16, global>
    ```
  }];
  let arguments = (ins Fly_TensorLike:$tensor);
  let results = (outs Fly_IteratorLike:$result);
}

def Fly_ComposedGetInnerOp : Fly_AlgebraOp<"composed_get_inner"> {
  let summary = "what a composed layout applies last";
  let description = [{
    ```mlir
    %s = fly.composed_get_inner(%c) : (!fly.composed_layout<S<2,1,3> o 0 o 8:1>) -> !fly.swizzle<S<2,1,3>>
    ```
  }];
  let arguments = (ins Fly_ComposedLayoutType:$layout);
  let results = (outs Fly_CoordMap:$result);
}

def Fly_ComposedGetOffsetOp : Fly_AlgebraOp<"composed_get_offset"> {
  let summary = "what a composed layout adds";
  let description = [{
    ```mlir
    %o = fly.composed_get_offset(%c) : (!fly.composed_layout<S<2,1,3> o 4 o 8:1>) -> !fly.int_tuple<4>
    ```
  }];
  let arguments = (ins Fly_ComposedLayoutType:$layout);
  let results = (outs Fly_IntTupleType:$result);
}

def Fly_ComposedGetOuterOp : Fly_AlgebraOp<"composed_get_outer"> {
  let summary = "what a composed layout applies first";
  let description = [{
    ```mlir
    %l = fly.composed_get_outer(%c) : (!fly.composed_layout<S<2,1,3> o 4 o 8:1>) -> !fly.layout<8:1>
    ```
  }];
  let arguments = (ins Fly_ComposedLayoutType:$layout);
  let results = (outs Fly_NarrowLayout:$result);
}

#endif // FLY_DIALECT_FLY_IR_FLYEXTRACTOROPS_TD
