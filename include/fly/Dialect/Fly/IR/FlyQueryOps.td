// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries of layouts and maps between coordinates and indices (specification
// 3.6, 4.5 to 4.7).

#ifndef FLY_DIALECT_FLY_IR_FLYQUERYOPS_TD
#define FLY_DIALECT_FLY_IR_FLYQUERYOPS_TD

include "fly/Dialect/Fly/IR/FlyOpBase.td"

def Fly_SizeOp : Fly_AlgebraOp<"size"> {
  let summary = "the product of a tuple, or of a layout's shape";
  let description = [{
    ```mlir
    %r = fly.size(%l) : (!fly.layout<(3,5):(1,3)>) -> !fly.int_tuple<15>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$input);
  let results = (outs Fly_IntTupleType:$result);
}

class Fly_LayoutQueryOp<string mnemonic, string rule, string example,
                        list<Trait> traits = []>
    : Fly_AlgebraOp<mnemonic, traits> {
  let summary = rule;
  let description = rule # [{.

    ```mlir
    %r = fly.}] # mnemonic # "(%l) : " # example # [{
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$layout);
  let results = (outs Fly_IntTupleType:$result);
}

def Fly_CoprofileOp : Fly_LayoutQueryOp<"coprofile",
    "the tree of the codomain of the linear layout, with 0 at every leaf",
    "(!fly.layout<(5,2):(1E0,1E1)>) -> !fly.int_tuple<(0,0)>">;
def Fly_CoshapeOp : Fly_LayoutQueryOp<"coshape",
    "one more than the largest index of the linear layout, in its codomain",
    "(!fly.layout<(5,2):(1E0,1E1)>) -> !fly.int_tuple<(5,2)>">;
def Fly_CosizeOp : Fly_LayoutQueryOp<"cosize",
    "the product of the coshape",
    "(!fly.layout<6:4>) -> !fly.int_tuple<21>", [AcceptsLegacyType]>;

def Fly_Crd2IdxOp : Fly_AlgebraOp<"crd2idx"> {
  let summary = "a coordinate through a layout, swizzle or coordinate swizzle";
  let description = [{
    A number is split over the shape first, the last mode without a bound.

    ```mlir
    %r = fly.crd2idx(%c, %l) : (!fly.int_tuple<(1,4)>, !fly.layout<(3,5):(1,3)>) -> !fly.int_tuple<13>
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$coord, Fly_CoordMap:$layout);
  let results = (outs Fly_IntTupleType:$result);
}

class Fly_IndexMapOp<string mnemonic, string rule, string example>
    : Fly_AlgebraOp<mnemonic> {
  let summary = rule;
  let description = rule # [{.

    ```mlir
    %r = fly.}] # mnemonic # "(%i, %l) : " # example # [{
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$index, Fly_LayoutType:$layout);
  let results = (outs Fly_IntTupleType:$result);
}

def Fly_Idx2CrdOp : Fly_IndexMapOp<"idx2crd",
    "at each mode (index / stride) mod shape: inverts crd2idx of an injective"
    " layout whose strides nest",
    "(!fly.int_tuple<11>, !fly.layout<(3,5):(5,1)>) -> !fly.int_tuple<(2,1)>">;
def Fly_GetFlatCoordOp : Fly_IndexMapOp<"get_flat_coord",
    "idx2crd, each top-level mode made one column-major number",
    "(!fly.int_tuple<22>, !fly.layout<((3,2),4):((1,3),6)>) -> !fly.int_tuple<(4,3)>">;
def Fly_Get1DCoordOp : Fly_IndexMapOp<"get_1d_coord",
    "idx2crd, then the column-major number over the whole shape",
    "(!fly.int_tuple<11>, !fly.layout<(3,5):(5,1)>) -> !fly.int_tuple<5>">;

#endif // FLY_DIALECT_FLY_IR_FLYQUERYOPS_TD
