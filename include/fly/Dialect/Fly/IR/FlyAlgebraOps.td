// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout algebra (specification 3.7, 4.8 to 4.15). On composed layouts and
// tensors these ops transform the linear layout and rebuild the value around
// it; recast_layout alone transforms the whole chain.

#ifndef FLY_DIALECT_FLY_IR_FLYALGEBRAOPS_TD
#define FLY_DIALECT_FLY_IR_FLYALGEBRAOPS_TD

include "fly/Dialect/Fly/IR/FlyOpBase.td"

def Fly_CoalesceOp : Fly_AlgebraOp<"coalesce"> {
  let summary = "the same function on indices with as few modes as possible";
  let description = [{
    With a pattern, mode by mode over its leaves.

    ```mlir
    %r = fly.coalesce(%l) : (!fly.layout<(2,6):(1,2)>) -> !fly.layout<12:1>
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$layout,
                       Optional<Fly_IntTupleType>:$pattern);
  let results = (outs Fly_LayoutLike:$result);
  let assemblyFormat = [{
    `(` $layout (`,` $pattern^)? `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def Fly_CompositionOp : Fly_AlgebraOp<"composition"> {
  let summary = "result(c) = outer(inner(c))";
  let description = [{
    A tile composes mode by mode. Where no layout expresses the composition
    (a stride or shape does not divide) the op is refused.

    ```mlir
    %r = fly.composition(%a, %b) : (!fly.layout<(6,4):(4,1)>, !fly.layout<12:2>) -> !fly.layout<(3,4):(8,1)>
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$outer, Fly_LayoutOrTile:$inner);
  let results = (outs Fly_LayoutLike:$result);
}

def Fly_ComplementOp : Fly_AlgebraOp<"complement"> {
  let summary = "what a layout skips below a bound: disjoint, ordered, covering";
  let description = [{
    The bound defaults to the layout's cosize.

    ```mlir
    %r = fly.complement(%l, %m) : (!fly.layout<3:5>, !fly.int_tuple<15>) -> !fly.layout<5:1>
    ```
  }];
  let arguments = (ins Fly_NarrowLayout:$layout,
                       Optional<Fly_IntTupleType>:$codomain_size);
  let results = (outs Fly_NarrowLayout:$result);
  let assemblyFormat = [{
    `(` $layout (`,` $codomain_size^)? `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

class Fly_InverseOp<string mnemonic, string rule, string example>
    : Fly_AlgebraOp<mnemonic> {
  let summary = rule;
  let description = rule # [{.

    ```mlir
    %r = fly.}] # mnemonic # "(%l) : " # example # [{
    ```
  }];
  let arguments = (ins Fly_NarrowLayout:$layout);
  let results = (outs Fly_NarrowLayout:$result);
}

def Fly_RightInverseOp : Fly_InverseOp<"right_inverse",
    "layout(result(k)) = k for every k of the result",
    "(!fly.layout<(3,5):(5,1)>) -> !fly.layout<(5,3):(3,1)>">;
def Fly_LeftInverseOp : Fly_InverseOp<"left_inverse",
    "result(layout(k)) = k for an injective layout whose sorted strides divide"
    " one another",
    "(!fly.layout<(3,5):(1,6)>) -> !fly.layout<(6,5):(1,3)>">;

class Fly_DivideOp<string mnemonic, string rule, string example,
                   list<Trait> traits = [AcceptsLegacyType]>
    : Fly_AlgebraOp<mnemonic, traits> {
  let summary = rule;
  let description = rule # [{. A tile list divides mode by mode.

    ```mlir
    %r = fly.}] # mnemonic # "(%l, %t) : " # example # [{
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$layout, Fly_LayoutOrTile:$divisor);
  let results = (outs Fly_LayoutLike:$result);
}

def Fly_LogicalDivideOp : Fly_DivideOp<"logical_divide",
    "(tile, rest): what the divisor selects, and the repetitions of it",
    "(!fly.layout<18:1>, !fly.layout<3:2>) -> !fly.layout<(3,(2,3)):(2,(1,6))>",
    []>;
def Fly_ZippedDivideOp : Fly_DivideOp<"zipped_divide",
    "((tiles), (rests)): tiles of all modes together, then the rests",
    "(!fly.layout<(12,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),(4,2)):((10,1),(30,5))>">;
def Fly_TiledDivideOp : Fly_DivideOp<"tiled_divide",
    "((tiles), rest, rest...)",
    "(!fly.layout<(12,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),4,2):((10,1),30,5)>">;
def Fly_FlatDivideOp : Fly_DivideOp<"flat_divide",
    "(tile, tile..., rest, rest...)",
    "(!fly.layout<(12,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<(3,5,4,2):(10,1,30,5)>">;

class Fly_ProductOp<string mnemonic, string rule, string example>
    : Fly_AlgebraOp<mnemonic> {
  let summary = rule;
  let description = rule # [{.

    ```mlir
    %r = fly.}] # mnemonic # "(%l, %t) : " # example # [{
    ```
  }];
  let arguments = (ins Fly_NarrowLayout:$layout, Fly_LayoutType:$tile);
  let results = (outs Fly_NarrowLayout:$result);
}

def Fly_LogicalProductOp : Fly_ProductOp<"logical_product",
    "(block, copies): the block, and where the tiler puts its copies",
    "(!fly.layout<6:1>, !fly.layout<5:1>) -> !fly.layout<(6,5):(1,6)>">;
def Fly_ZippedProductOp : Fly_ProductOp<"zipped_product",
    "as logical_product",
    "(!fly.layout<6:1>, !fly.layout<5:1>) -> !fly.layout<(6,5):(1,6)>">;
def Fly_TiledProductOp : Fly_ProductOp<"tiled_product",
    "(block, copy, copy...)",
    "(!fly.layout<6:1>, !fly.layout<(5,2):(1,5)>) -> !fly.layout<(6,5,2):(1,6,30)>">;
def Fly_FlatProductOp : Fly_ProductOp<"flat_product",
    "(block mode..., copy, copy...)",
    "(!fly.layout<6:1>, !fly.layout<5:1>) -> !fly.layout<(6,5):(1,6)>">;
def Fly_BlockedProductOp : Fly_ProductOp<"blocked_product",
    "block and copies zipped by mode, the block fastest",
    "(!fly.layout<(2,5):(1,2)>, !fly.layout<(3,4):(4,1)>) -> !fly.layout<((2,3),(5,4)):((1,40),(2,10))>">;
def Fly_RakedProductOp : Fly_ProductOp<"raked_product",
    "block and copies zipped by mode, the copies fastest",
    "(!fly.layout<(2,5):(1,2)>, !fly.layout<(3,4):(4,1)>) -> !fly.layout<((3,2),(4,5)):((40,1),(10,2))>">;

def Fly_RecastLayoutOp : Fly_AlgebraOpWithAttributes<"recast_layout"> {
  let summary = "the layout of the same bits in elements of another width";
  let description = [{
    ```mlir
    %r = fly.recast_layout(%l) {new_type_bits = 8 : i32, old_type_bits = 16 : i32} : (!fly.layout<(6,5):(1,6)>) -> !fly.layout<(12,5):(1,12)>
    ```
  }];
  let arguments = (ins Fly_NarrowLayout:$src, I32Attr:$new_type_bits,
                       I32Attr:$old_type_bits);
  let results = (outs Fly_NarrowLayout:$result);
}

def Fly_TileToShapeOp : Fly_AlgebraOp<"tile_to_shape"> {
  let summary = "repeats a block, in an order of modes, until it has a shape";
  let description = [{
    ```mlir
    %r = fly.tile_to_shape(%b, %s, %o) : (!fly.layout<(3,4):(1,3)>, !fly.int_tuple<(9,8)>, !fly.int_tuple<(1,0)>) -> !fly.layout<((3,3),(4,2)):((1,24),(3,12))>
    ```
  }];
  let arguments = (ins Fly_NarrowLayout:$block, Fly_IntTupleType:$trg_shape,
                       Fly_IntTupleType:$ord_shape);
  let results = (outs Fly_NarrowLayout:$result);
}

#endif // FLY_DIALECT_FLY_IR_FLYALGEBRAOPS_TD
