// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on int_tuples (specification 3.4, 4.2, 4.3).

#ifndef FLY_DIALECT_FLY_IR_FLYARITHMETICOPS_TD
#define FLY_DIALECT_FLY_IR_FLYARITHMETICOPS_TD

include "fly/Dialect/Fly/IR/FlyOpBase.td"

class Fly_TupleBinaryOp<string mnemonic, string rule, string example>
    : Fly_AlgebraOp<mnemonic> {
  let summary = rule;
  let description = rule # [{.

    ```mlir
    %r = fly.}] # mnemonic # "(%a, %b) : " # example # [{
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$lhs, Fly_IntTupleType:$rhs);
  let results = (outs Fly_IntTupleType:$result);
}

def Fly_IntTupleAddOp : Fly_TupleBinaryOp<"int_tuple_add",
    "element-wise sum; the longer tuple's tail is kept",
    "(!fly.int_tuple<(4,8,5)>, !fly.int_tuple<(2,3)>) -> !fly.int_tuple<(6,11,5)>">;
def Fly_IntTupleSubOp : Fly_TupleBinaryOp<"int_tuple_sub",
    "element-wise difference; the longer tuple's tail is kept",
    "(!fly.int_tuple<(4,8)>, !fly.int_tuple<(2,3)>) -> !fly.int_tuple<(2,5)>">;
def Fly_IntTupleMulOp : Fly_TupleBinaryOp<"int_tuple_mul",
    "element-wise product; the longer tuple's tail is kept",
    "(!fly.int_tuple<((1,2),3)>, !fly.int_tuple<((4,5),6)>) -> !fly.int_tuple<((4,10),18)>">;
def Fly_IntTupleDivOp : Fly_TupleBinaryOp<"int_tuple_div",
    "element-wise quotient towards zero; the longer tuple's tail is kept",
    "(!fly.int_tuple<(9,8)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(4,2)>">;
def Fly_IntTupleModOp : Fly_TupleBinaryOp<"int_tuple_mod",
    "element-wise remainder; the longer tuple's tail is kept",
    "(!fly.int_tuple<(9,8)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(1,0)>">;
def Fly_CeilDivOp : Fly_TupleBinaryOp<"ceil_div",
    "quotient rounded up; a number divides a tuple's leaves from the left, each"
    " taking what it can",
    "(!fly.int_tuple<(10,9,8)>, !fly.int_tuple<(5,3)>) -> !fly.int_tuple<(2,3,8)>">;
def Fly_ShapeDivOp : Fly_TupleBinaryOp<"shape_div",
    "as ceil_div, where one side must divide the other at every leaf",
    "(!fly.int_tuple<(4,6)>, !fly.int_tuple<8>) -> !fly.int_tuple<(1,3)>">;

def Fly_IntTupleProductOp : Fly_AlgebraOp<"int_tuple_product"> {
  let summary = "the product of all leaves";
  let description = [{
    ```mlir
    %r = fly.int_tuple_product(%a) : (!fly.int_tuple<((2,5),(3,(2,2)))>) -> !fly.int_tuple<120>
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$input);
  let results = (outs Fly_IntTupleType:$result);
}

def Fly_IntTupleProductEachOp : Fly_AlgebraOp<"int_tuple_product_each"> {
  let summary = "the products of the top-level modes";
  let description = [{
    ```mlir
    %r = fly.int_tuple_product_each(%a) : (!fly.int_tuple<((2,5),3)>) -> !fly.int_tuple<(10,3)>
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$input);
  let results = (outs Fly_IntTupleType:$result);
}

def Fly_IntTupleProductLikeOp : Fly_AlgebraOp<"int_tuple_product_like"> {
  let summary = "the products of the subtrees over the leaves of a guide";
  let description = [{
    ```mlir
    %r = fly.int_tuple_product_like(%a, %g) : (!fly.int_tuple<((2,5),(3,4))>, !fly.int_tuple<(1,(1,1))>) -> !fly.int_tuple<(10,(3,4))>
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$tuple, Fly_IntTupleType:$guide);
  let results = (outs Fly_IntTupleType:$result);
}

class Fly_TupleCompareOp<string mnemonic, string rule>
    : Fly_Op<mnemonic, [Pure,
        DeclareOpInterfaceMethods<AlgebraOpInterface>]> {
  let summary = rule;
  let description = rule # [{.

    ```mlir
    %r = fly.}] # mnemonic # [{(%a, %b) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(4,8,1)>) -> i1
    ```
  }];
  let arguments = (ins Fly_IntTupleType:$lhs, Fly_IntTupleType:$rhs);
  let results = (outs I1:$result);
  let hasVerifier = 1;
}

def Fly_ElemLessOp : Fly_TupleCompareOp<"elem_less",
    "every element of lhs is less than that of rhs; false when lhs has more">;
def Fly_EqualOp : Fly_TupleCompareOp<"equal",
    "same tree, and equal leaves">;

#endif // FLY_DIALECT_FLY_IR_FLYARITHMETICOPS_TD
