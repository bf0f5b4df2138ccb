// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structural ops (specification 3.5, 4.4): they rearrange modes. On a layout
// they act on shape and stride together; on composed layouts and tensors on the
// linear layout, with the chain, the alignment and the base kept.

#ifndef FLY_DIALECT_FLY_IR_FLYSTRUCTUREOPS_TD
#define FLY_DIALECT_FLY_IR_FLYSTRUCTUREOPS_TD

include "fly/Dialect/Fly/IR/FlyOpBase.td"

def Fly_GetOp : Fly_AlgebraOpWithAttributes<"get", [AcceptsLegacyType]> {
  let summary = "the mode at a path";
  let description = [{
    Of a coord_tensor, the base is kept: it is a coordinate of the codomain.

    ```mlir
    %r = fly.get(%l) {mode = array<i32: 1, 0>} : (!fly.layout<(4,(2,8)):(1,(4,8))>) -> !fly.layout<2:4>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$input, DenseI32ArrayAttr:$mode);
  let results = (outs Fly_IntTupleLike:$result);
}

def Fly_TakeOp : Fly_AlgebraOpWithAttributes<"take"> {
  let summary = "modes begin to end - 1; one of them without its tuple";
  let description = [{
    `end = -1` stands for the rank.

    ```mlir
    %r = fly.take(%l) {begin = 1 : i32, end = -1 : i32} : (!fly.layout<(4,2,8):(1,4,8)>) -> !fly.layout<(2,8):(4,8)>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$tuple, I32Attr:$begin, I32Attr:$end);
  let results = (outs Fly_IntTupleLike:$result);
}

def Fly_SelectOp : Fly_AlgebraOpWithAttributes<"select"> {
  let summary = "the modes named, in that order; one of them without its tuple";
  let description = [{
    ```mlir
    %r = fly.select(%l) {indices = array<i32: 2, 0>} : (!fly.layout<(4,2,8):(1,4,8)>) -> !fly.layout<(8,4):(8,1)>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$tuple, DenseI32ArrayAttr:$indices);
  let results = (outs Fly_IntTupleLike:$result);
}

def Fly_GroupOp : Fly_AlgebraOpWithAttributes<"group"> {
  let summary = "modes begin to end - 1 wrapped in one tuple";
  let description = [{
    ```mlir
    %r = fly.group(%l) {begin = 1 : i32, end = 3 : i32} : (!fly.layout<(4,2,8):(1,4,8)>) -> !fly.layout<(4,(2,8)):(1,(4,8))>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$tuple, I32Attr:$begin, I32Attr:$end);
  let results = (outs Fly_IntTupleLike:$result);
}

class Fly_ExtendOp<string mnemonic, string where>
    : Fly_AlgebraOpWithAttributes<mnemonic> {
  let summary = "one more mode at the " # where;
  let description = [{
    With `<n>`, as many copies as make the rank n. A leaf counts as a tuple of
    one. Tuple and element are both int_tuples or both layouts.

    ```mlir
    %r = fly.}] # mnemonic # [{<4> (%t, %e) : (!fly.int_tuple<(2,2)>, !fly.int_tuple<2>) -> !fly.int_tuple<(2,2,2,2)>
    ```
  }];
  let arguments = (ins Fly_TupleOrNarrowLayout:$tuple, Fly_TupleOrLayout:$elem,
                       OptionalAttr<I32Attr>:$n);
  let results = (outs Fly_TupleOrNarrowLayout:$result);
  let assemblyFormat = [{
    (`<` $n^ `>`)? ` ` `(` operands `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def Fly_AppendOp : Fly_ExtendOp<"append", "end">;
def Fly_PrependOp : Fly_ExtendOp<"prepend", "beginning">;

def Fly_SliceOp : Fly_AlgebraOp<"slice"> {
  let summary = "keeps the modes under `*`, fixes the others";
  let description = [{
    The offset of the fixed modes moves the pointer of a memref, is added to the
    base of a coord_tensor or to the offset next to the linear layout of a
    composed one, and is dropped for a plain layout.

    ```mlir
    %r = fly.slice(%m, %c) : (!fly.memref<f16, global, (4,8):(1,4), align<16>>, !fly.int_tuple<(*,3)>) -> !fly.memref<f16, global, 4:1, align<8>>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$src, Fly_IntTupleType:$coord);
  let results = (outs Fly_IntTupleLike:$result);
}

def Fly_DiceOp : Fly_AlgebraOp<"dice"> {
  let summary = "keeps what slice removes";
  let description = [{
    ```mlir
    %r = fly.dice(%l, %c) : (!fly.layout<(4,8):(1,4)>, !fly.int_tuple<(*,3)>) -> !fly.layout<8:4>
    ```
  }];
  let arguments = (ins Fly_TupleOrLayout:$src, Fly_IntTupleType:$coord);
  let results = (outs Fly_TupleOrLayout:$result);
}

#endif // FLY_DIALECT_FLY_IR_FLYSTRUCTUREOPS_TD
